// SPDX-License-Identifier: Apache-2.0
//! The parts of the subtweakeys that the key alone decides, and those of a string of blocks.

use super::rounds::Rounds;
use super::tables::Numbers;
use crate::gf::wipe;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The subtweakeys of the longer cipher.
pub(super) const MAX_KEYS: usize = 17;

/// Which specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// Version 1.41, the submission to the third round.
    V141,
    /// Version 1.43, which moves the bytes of a tweakey the other way.
    V143,
}

/// The permutation h of the specification.
const H: [u8; 16] = [1, 6, 11, 12, 5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8];

impl Version {
    /// The place that each byte of a tweakey comes from in the next round.
    pub(super) const fn sources(self) -> &'static [u8; 16] {
        const FORTH: [u8; 16] = H;
        const BACK: [u8; 16] = {
            let mut back = [0; 16];
            let mut i = 0;
            while i < 16 {
                back[H[i] as usize] = i as u8;
                i += 1;
            }
            back
        };
        match self {
            Self::V141 => &BACK,
            Self::V143 => &FORTH,
        }
    }
}

/// Where the last byte of a tweak is in every round.
pub(super) const fn places(version: Version) -> [u8; MAX_KEYS] {
    let sources = version.sources();
    let mut places = [15; MAX_KEYS];
    let mut round = 1;
    while round < MAX_KEYS {
        let mut to = 0;
        while sources[to] != places[round - 1] {
            to += 1;
        }
        places[round] = to as u8;
        round += 1;
    }
    places
}

/// What each byte of the tweakey's second word goes through after a round: x7 .. x0 becomes x6 .. x0, x7 + x5.
fn lfsr2(x: u128) -> u128 {
    let bytes = |byte: u8| u128::from_ne_bytes([byte; 16]);
    x << 1 & bytes(0xfe) | (x >> 7 ^ x >> 5) & bytes(0x01)
}

/// What each byte of the third word goes through: x7 .. x0 becomes x0 + x6, x7 .. x1.
fn lfsr3(x: u128) -> u128 {
    let bytes = |byte: u8| u128::from_ne_bytes([byte; 16]);
    x >> 1 & bytes(0x7f) | (x << 7 ^ x << 1) & bytes(0x80)
}

/// A key of 16 or 32 bytes.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(in crate::deoxys) struct Key {
    /// The key's part of every subtweakey, constants included.
    pub(super) parts: [[u8; 16]; MAX_KEYS],
    #[zeroize(skip)]
    pub(super) rounds: usize,
    #[zeroize(skip)]
    pub(super) version: Version,
}

impl Key {
    pub(in crate::deoxys) fn new(key: &[u8], version: Version) -> Self {
        let mut new = Self {
            parts: [[0; 16]; MAX_KEYS],
            rounds: 12 + key.len() / 8,
            version,
        };
        // The first word is the tweak; with 32 bytes the third one comes first.
        let mut second = *key.last_chunk().expect("16 or 32 bytes");
        let mut third: [u8; 16] = match key.len() {
            32 => *key.first_chunk().expect("32 bytes"),
            _ => [0; 16],
        };
        let mut constant = 0x2f_u8;
        for part in &mut new.parts {
            let constants = [1, 2, 4, 8, constant, constant, constant, constant];
            for i in 0..16 {
                part[i] = second[i] ^ third[i] ^ constants.get(i).unwrap_or(&0);
            }
            constant = (constant << 1) ^ ((constant >> 7) * 0x1b);
            for (word, lfsr) in [
                (&mut second, lfsr2 as fn(u128) -> u128),
                (&mut third, lfsr3),
            ] {
                permute(word, version);
                *word = lfsr(u128::from_be_bytes(*word)).to_be_bytes();
            }
        }
        second.zeroize();
        third.zeroize();
        new
    }
}

/// The bytes of a tweakey move.
pub(super) fn permute(word: &mut [u8; 16], version: Version) {
    let before = *word;
    for (to, from) in word.iter_mut().zip(version.sources()) {
        *to = before[usize::from(*from)];
    }
}

/// The subtweakeys for a string of up to 256 blocks; to decipher, all but the first after the inverse of MixColumns.
pub(super) struct Subkeys {
    span: [[u8; 16]; MAX_KEYS],
    /// The subtweakeys of a run of numbers: only the lower bits of the numbers are missing in them.
    pub(super) run: [[u8; 16]; MAX_KEYS],
}

impl Subkeys {
    pub(super) const fn new() -> Self {
        Self {
            span: [[0; 16]; MAX_KEYS],
            run: [[0; 16]; MAX_KEYS],
        }
    }

    /// Makes the subtweakeys of another tweak.
    #[inline(always)]
    pub(super) fn set<R: Rounds>(&mut self, cpu: R, key: &Key, tweak: u128, decipher: bool) {
        cpu.subkeys(key, tweak.to_be_bytes(), decipher, &mut self.span);
    }

    /// Goes on to run number `run`, with so many subtweakeys.
    #[inline(always)]
    pub(super) fn set_run<R: Rounds>(
        &mut self,
        cpu: R,
        numbers: &Numbers,
        keys: usize,
        run: usize,
    ) {
        for round in 0..keys {
            let high = &numbers.high[round][run % 8];
            cpu.add(&self.span[round], high, &mut self.run[round]);
        }
    }
}

impl Drop for Subkeys {
    /// As a whole: byte by byte, as `Zeroize` does it, takes longer than a block.
    #[inline(always)]
    fn drop(&mut self) {
        wipe(self.span.as_flattened_mut());
        wipe(self.run.as_flattened_mut());
    }
}
