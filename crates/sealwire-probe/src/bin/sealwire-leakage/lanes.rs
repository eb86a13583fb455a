// SPDX-License-Identifier: Apache-2.0
//! Bits of many traces side by side, and random ones.

/// Traces that are simulated at once.
pub const LANES: usize = 512;
const WORDS: usize = LANES / 64;

/// A bit of every trace.
pub type Lanes = [u64; WORDS];

/// The bit in all traces.
pub fn all(bit: bool) -> Lanes {
    [if bit { u64::MAX } else { 0 }; WORDS]
}

/// Whether the bit is 1 in any trace.
#[inline(always)]
pub fn any(lanes: &Lanes) -> bool {
    lanes.iter().fold(0, |seen, word| seen | word) != 0
}

/// A function of words, word by word.
#[inline(always)]
pub fn map2(one: &Lanes, other: &Lanes, f: impl Fn(u64, u64) -> u64) -> Lanes {
    std::array::from_fn(|i| f(one[i], other[i]))
}

/// Where `select` is 1 the one, else the other.
#[inline(always)]
pub fn choose(select: &Lanes, one: &Lanes, other: &Lanes) -> Lanes {
    std::array::from_fn(|i| other[i] ^ (select[i] & (one[i] ^ other[i])))
}

/// Random bits (xoshiro256**), seeded by splitmix64.
pub struct Random([u64; 4]);

impl Random {
    /// A generator for each seed.
    pub fn new(mut seed: u64) -> Self {
        Self(std::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = seed;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    /// 64 bits.
    pub fn word(&mut self) -> u64 {
        let result = self.0[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = self.0[1] << 17;
        self.0[2] ^= self.0[0];
        self.0[3] ^= self.0[1];
        self.0[1] ^= self.0[2];
        self.0[0] ^= self.0[3];
        self.0[2] ^= shifted;
        self.0[3] = self.0[3].rotate_left(45);
        result
    }

    /// A bit of every trace.
    pub fn lanes(&mut self) -> Lanes {
        std::array::from_fn(|_| self.word())
    }
}
