// SPDX-License-Identifier: Apache-2.0
//! Offsets. The one of block i is that of block 0 with L_b added for every bit b of the Gray code i + (i >> 1), so that the
//! offsets of 16 blocks from a multiple of 16 on differ from its own by the same numbers everywhere.

use crate::aes::{Engine, times_power};
use crate::gf::wipe;

/// The most blocks of a group.
const GROUP: usize = 16;

/// L_0 to L_15 are kept; longer messages than 2^16 blocks compute the others.
const KEPT: usize = 16;

/// What a key gives.
#[derive(Clone)]
pub(super) struct Masks {
    /// L_* = E(0)
    pub(super) star: [u8; 16],
    /// L_$
    pub(super) dollar: [u8; 16],
    /// L_b behind three blocks of zeros, so that the last lane of a vector has it.
    l: [[u8; 64]; KEPT],
    /// The offsets of blocks 1 to 15 without that of block 0, and that of block 15 again.
    gray: [[u8; 16]; GROUP],
}

impl Masks {
    pub(super) fn new(star: [u8; 16]) -> Self {
        let mut x = times_power(u128::from_be_bytes(star), 1);
        let dollar = x.to_be_bytes();
        let mut l = [[0; 64]; KEPT];
        for row in &mut l {
            x = times_power(x, 1);
            row[48..].copy_from_slice(&x.to_be_bytes());
        }
        let mut gray = [[0; 16]; GROUP];
        for (at, sum) in gray.iter_mut().enumerate() {
            let number = (at + 1).min(GROUP - 1);
            let code = number ^ (number >> 1);
            for (bit, row) in l.iter().enumerate().take(4) {
                if code >> bit & 1 == 1 {
                    crate::gf::xor(sum, &row[48..]);
                }
            }
        }
        Self {
            star,
            dollar,
            l,
            gray,
        }
    }

    /// The row of L_b.
    #[inline(always)]
    fn row(&self, bit: usize) -> [u8; 64] {
        if let Some(row) = self.l.get(bit) {
            return *row;
        }
        let mut row = self.l[KEPT - 1];
        let last: &[u8; 16] = row.last_chunk().expect("a block");
        let mut x = u128::from_be_bytes(*last);
        for _ in KEPT - 1..bit {
            x = times_power(x, 1);
        }
        row[48..].copy_from_slice(&x.to_be_bytes());
        row
    }
}

impl Drop for Masks {
    fn drop(&mut self) {
        wipe(&mut self.star);
        wipe(&mut self.dollar);
        wipe(self.l.as_flattened_mut());
        wipe(self.gray.as_flattened_mut());
    }
}

/// A walk through the offsets, N vectors at once.
pub(super) struct Walk<'a, E: Engine, const N: usize> {
    engine: E,
    masks: &'a Masks,
    gray: [E::Vector; N],
    /// The offset of the last block of the group before, in every lane.
    base: E::Vector,
    /// Number of that block.
    number: u64,
}

impl<'a, E: Engine, const N: usize> Walk<'a, E, N> {
    /// From the offset of block 0.
    #[inline(always)]
    pub(super) fn new(engine: E, masks: &'a Masks, start: E::Block) -> Self {
        let mut gray = [engine.zero(); N];
        let rows = masks.gray.as_flattened();
        for (i, gray) in gray.iter_mut().enumerate() {
            *gray = engine.load(&rows[16 * i * E::LANES..]);
        }
        if N * E::LANES < GROUP {
            // The last of fewer blocks differs from the one before it by an L of its own, as the last of 16 does.
            gray[N - 1] = gray[N - 2];
        }
        Self {
            engine,
            masks,
            gray,
            base: engine.spread(start),
            number: 0,
        }
    }

    /// The offsets of the next group.
    #[inline(always)]
    pub(super) fn next(&mut self) -> [E::Vector; N] {
        let engine = self.engine;
        let mut offsets = [engine.zero(); N];
        for (offset, gray) in offsets.iter_mut().zip(&self.gray) {
            *offset = engine.sum(self.base, *gray);
        }
        self.number += (N * E::LANES) as u64;
        let row = self.masks.row(self.number.trailing_zeros() as usize);
        let last = engine.load(&row[64 - 16 * E::LANES..]);
        offsets[N - 1] = engine.sum(offsets[N - 1], last);
        self.base = engine.spread(engine.lane(&[offsets[N - 1]], E::LANES - 1));
        offsets
    }

    /// The offset of block 0, or of the last block of the last group.
    #[inline(always)]
    pub(super) fn here(&self) -> E::Block {
        self.engine.lane(&[self.base], 0)
    }
}
