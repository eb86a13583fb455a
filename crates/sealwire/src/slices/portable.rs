// SPDX-License-Identifier: Apache-2.0
//! Any CPU: sixteen blocks, whose bytes are a number of 128 bits. Logic and shifts alone, no table.

use super::rows::Nowhere;
use super::{Matrix, Slices, Whole};

/// Nothing is needed.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// Bit 0 of every byte.
const ONES: u128 = u128::from_ne_bytes([1; 16]);

/// The bytes whose number lacks this bit.
const fn without(bit: usize) -> u128 {
    let mut mask = 0;
    let mut i = 0;
    while i < 16 {
        if i & bit == 0 {
            mask |= 0xff << (8 * i);
        }
        i += 1;
    }
    mask
}

/// Exchanges row and column of every byte.
fn transpose(x: &mut [u128; 16]) {
    for (bit, mask) in const {
        [
            (8, without(8)),
            (4, without(4)),
            (2, without(2)),
            (1, without(1)),
        ]
    } {
        for i in (0..16).filter(|i| i & bit == 0) {
            let change = (x[i] >> (8 * bit) ^ x[i + bit]) & mask;
            x[i + bit] ^= change;
            x[i] ^= change << (8 * bit);
        }
    }
}

impl Slices for Portable {
    type Vector = u128;
    type Whole = Self;
    type Rows = Nowhere;
    const LANES: usize = 16;
    #[cfg(test)]
    const NAME: &'static str = "portable";

    fn load(self, blocks: &[[u8; 16]], x: &mut [u128; 16]) {
        for (x, block) in x.iter_mut().zip(&blocks[..16]) {
            *x = u128::from_le_bytes(*block);
        }
        transpose(x);
    }

    fn store(self, x: &[u128; 16], blocks: &mut [[u8; 16]]) {
        let mut x = *x;
        transpose(&mut x);
        for (x, block) in x.iter().zip(&mut blocks[..16]) {
            *block = x.to_le_bytes();
        }
    }

    fn every(self, byte: u8) -> u128 {
        u128::from_ne_bytes([byte; 16])
    }

    fn sum(self, x: u128, y: u128) -> u128 {
        x ^ y
    }

    fn both(self, x: u128, y: u128) -> u128 {
        x & y
    }

    fn either(self, x: u128, y: u128) -> u128 {
        x | y
    }

    fn product(self, matrix: &Matrix, x: [u128; 2]) -> [u128; 2] {
        let [mut low, mut high] = [0; 2];
        for (i, column) in matrix.columns.iter().enumerate() {
            let bits = x[i / 8] >> (i % 8) & ONES;
            // Bytes of ones where the bit is 1.
            let mask = (bits << 8).wrapping_sub(bits);
            low ^= mask & column[0];
            high ^= mask & column[1];
        }
        [low, high]
    }

    fn nibbles(self, x: u128) -> [u128; 2] {
        [x >> 4 & (15 * ONES), x & (15 * ONES)]
    }

    fn joined(self, [high, low]: [u128; 2]) -> u128 {
        high << 4 | low
    }

    /// By the normal form of each bit of the result.
    fn substituted(self, x: u128) -> u128 {
        let [a, b, c, d] = [x, x >> 1, x >> 2, x >> 3];
        let [ab, ac, bc, cd] = [a & b, a & c, b & c, c & d];
        let [abd, bcd] = [ab & d, bc & d];
        let linear = !(b ^ abd);
        let bits = [
            linear ^ ab ^ c ^ bc ^ ac & d,
            linear ^ ac ^ d ^ cd ^ bcd,
            b ^ ab ^ ab & c ^ d ^ b & d ^ ac & d ^ bcd,
            linear ^ a ^ ab ^ c ^ d ^ cd,
        ];
        let [p, q, r, s] = bits.map(|bit| bit & ONES);
        p | q << 1 | r << 2 | s << 3
    }
    fn whole(self) -> Self {
        self
    }

    fn rows(self) -> Option<Nowhere> {
        None
    }
}

/// A byte of 0f, and one of zeros behind it.
const EVEN: u128 = 0x000f_000f_000f_000f_000f_000f_000f_000f;

impl Whole for Portable {
    type Vector = [u128; 2];

    fn read(self, bytes: &[u8; 32]) -> [u128; 2] {
        let (halves, _) = bytes.as_chunks();
        [halves[0], halves[1]].map(u128::from_le_bytes)
    }

    fn write(self, x: [u128; 2], bytes: &mut [u8; 32]) {
        for (half, x) in bytes.as_chunks_mut().0.iter_mut().zip(x) {
            *half = x.to_le_bytes();
        }
    }

    fn plus(self, x: [u128; 2], y: [u128; 2]) -> [u128; 2] {
        [x[0] ^ y[0], x[1] ^ y[1]]
    }

    /// The places are constants.
    fn picked(self, x: [u128; 2], places: &[u8; 32]) -> [u128; 2] {
        let mut picked = [0; 32];
        for (i, place) in places.iter().enumerate() {
            let shift = 8 * u32::from(place % 16);
            picked[i] = if *place < 0x80 {
                (x[i / 16] >> shift) as u8
            } else {
                0
            };
        }
        self.read(&picked)
    }

    fn behind_s_box(self, x: [u128; 2]) -> [u128; 2] {
        x.map(|half| self.substituted(half))
    }

    fn with_neighbours(self, x: [u128; 2]) -> [u128; 2] {
        // The sum of all words, without the one across, which is that of the other half in the same place.
        let pairs = x[0] ^ x[1];
        let all = pairs ^ pairs.rotate_left(64);
        [all ^ x[1], all ^ x[0]]
    }

    fn apart(self, x: [u128; 2]) -> [u128; 2] {
        x.map(|half| half >> 4 & EVEN | half & EVEN << 8)
    }

    fn together(self, x: [u128; 2]) -> [u128; 2] {
        x.map(|half| half << 4 | half >> 8)
    }
}
