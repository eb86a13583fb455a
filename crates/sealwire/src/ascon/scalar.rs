// SPDX-License-Identifier: Apache-2.0
//! One state in ordinary registers. The functions are compiled anew where `run` knows more instructions.

use super::Words;
use super::roll::roll;
use super::round::{Word, diffuse, mix, permute, six_but_linear};
use zeroize::Zeroize;

impl Word for u64 {
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        self ^ y
    }

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        self ^ y ^ z
    }

    #[inline(always)]
    fn chi(self, y: Self, z: Self) -> Self {
        self ^ (!y & z)
    }

    #[inline(always)]
    fn not_chi(self, y: Self, z: Self) -> Self {
        !(self ^ (!y & z))
    }

    #[inline(always)]
    fn xor_constant(self, y: Self, constant: u64) -> Self {
        self ^ y ^ constant
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        self.rotate_right(COUNT.cast_unsigned())
    }
}

/// Takes in whole blocks of `RATE` words.
#[inline(always)]
pub(super) fn absorb<const RATE: usize, const BE: bool>(
    state: &mut Words,
    data: &[u8],
    rounds: usize,
) {
    let mut x = *state;
    for block in data.chunks_exact(8 * RATE) {
        add::<BE>(&mut x, block);
        x = permute(x, rounds);
    }
    *state = x;
}

/// Adds to `sum` the last six rounds of every 40-byte block under its mask, and rolls the mask as often.
#[inline(always)]
pub(super) fn sum_blocks(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    let mut total = [0; 5];
    for block in data.chunks_exact(40) {
        let mut x = *mask;
        add::<false>(&mut x, block);
        for (total, x) in total.iter_mut().zip(six_but_linear(x)) {
            *total ^= x;
        }
        *mask = roll(*mask);
    }
    add_total(sum, &mut total);
}

/// Does the linear end of the last round for all blocks at once.
#[inline(always)]
pub(super) fn add_total(sum: &mut Words, total: &mut Words) {
    for (sum, x) in sum.iter_mut().zip(diffuse(mix(*total))) {
        *sum ^= x;
    }
    total.zeroize();
}

#[inline(always)]
fn add<const BE: bool>(x: &mut Words, block: &[u8]) {
    for (x, bytes) in x.iter_mut().zip(block.as_chunks().0) {
        *x ^= if BE {
            u64::from_be_bytes(*bytes)
        } else {
            u64::from_le_bytes(*bytes)
        };
    }
}
