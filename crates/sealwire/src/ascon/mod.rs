// SPDX-License-Identifier: Apache-2.0
//! Ascon-p, the permutation of Ascon (Dobraunig, Eichlseder, Mendel, Schläffer; NIST SP 800-232), and what the MACs in
//! [`mac`](crate::mac) do with it: absorb one message, absorb a message in every lane of a vector register, and add up
//! the permuted blocks of one message, a block in every lane.
//!
//! The permutation works on five 64-bit words and knows no byte order. `round` is one round on any word, `scalar`, `avx2`,
//! `avx512` and `neon` are the words and what runs on them, `run` decides which. [`Path`](crate::compress::Path) has the names.

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
pub(crate) mod roll;
mod round;
mod run;
mod scalar;
#[cfg(test)]
mod tests;

pub(crate) use run::{absorb, absorb_lanes, lanes, permute_rows, permute_words, sum_blocks};

use zeroize::{Zeroize, ZeroizeOnDrop};

/// The words of a state.
pub(crate) type Words = [u64; 5];

/// The most states side by side.
pub(crate) const MAX_LANES: usize = 8;

/// States side by side: word i of all of them in row i.
pub(crate) type Rows = [[u64; MAX_LANES]; 5];

/// A state that is wiped when it is dropped.
#[derive(Clone, Default, Zeroize, ZeroizeOnDrop)]
pub(crate) struct State(pub(crate) Words);

/// How many words of a block a sponge takes in at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rate {
    One = 1,
    Three = 3,
    Four = 4,
    Five = 5,
}

/// Which byte of a word is its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The highest (Ascon v1.2).
    Big,
    /// The lowest (SP 800-232).
    Little,
}

/// How a sponge takes in its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Absorb {
    pub(crate) rate: Rate,
    pub(crate) order: Order,
    /// Rounds after every block: 6, 8 or 12
    pub(crate) rounds: usize,
}

impl Absorb {
    /// Bytes of a block.
    pub(crate) const fn block_len(self) -> usize {
        8 * self.rate as usize
    }
}

impl Order {
    /// The word of eight bytes.
    pub(crate) fn load(self, bytes: [u8; 8]) -> u64 {
        match self {
            Self::Big => u64::from_be_bytes(bytes),
            Self::Little => u64::from_le_bytes(bytes),
        }
    }

    /// The bytes of a word.
    pub(crate) fn store(self, word: u64) -> [u8; 8] {
        match self {
            Self::Big => word.to_be_bytes(),
            Self::Little => word.to_le_bytes(),
        }
    }
}

/// How many of the twelve rounds are done. It is always the last ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounds {
    /// Rounds 6 to 11, round constants 96 to 4b
    Six = 6,
    /// Rounds 4 to 11, round constants b4 to 4b
    Eight = 8,
    /// All rounds, round constants f0 to 4b
    Twelve = 12,
}

/// Ascon-p on five words, x0 first.
///
/// ```
/// use sealwire::ascon::{Rounds, permute};
///
/// let mut state = [0; 5];
/// permute(&mut state, Rounds::Twelve);
/// assert_eq!(state[0], 0x78ea_7ae5_cfeb_b108);
/// ```
pub fn permute(state: &mut [u64; 5], rounds: Rounds) {
    permute_words(state, rounds as usize);
}
