// SPDX-License-Identifier: Apache-2.0
//! NEON of AArch64: 16 blocks side by side.

use super::rows::Nowhere;
use super::{Matrix, SUBSTITUTES, Slices, Whole};
use core::arch::aarch64::*;

/// A CPU with NEON.
#[derive(Clone, Copy)]
pub(super) struct Neon(());

impl Neon {
    /// # Safety
    /// The CPU must have NEON, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(())
    }

    #[inline(always)]
    fn block(self, bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 16 bytes.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn write_block(self, x: uint8x16_t, bytes: &mut [u8; 16]) {
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 16 bytes.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), x) };
    }

    /// The entry for every byte from 0 to 15, zero for others.
    #[inline(always)]
    fn entries(self, table: uint8x16_t, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vqtbl1q_u8(table, x) }
    }

    /// Exchanges row and column of every byte.
    #[inline(always)]
    fn transpose(self, x: &mut [uint8x16_t; 16]) {
        for _ in 0..4 {
            // The bits of row and column move on by one place.
            let before = *x;
            for i in 0..8 {
                // SAFETY: `self` is here, so the CPU has the instructions.
                unsafe {
                    x[2 * i] = vzip1q_u8(before[i], before[i + 8]);
                    x[2 * i + 1] = vzip2q_u8(before[i], before[i + 8]);
                }
            }
        }
    }
}

impl Slices for Neon {
    type Vector = uint8x16_t;
    type Whole = Self;
    type Rows = Nowhere;
    const LANES: usize = 16;
    #[cfg(test)]
    const NAME: &'static str = "NEON";

    #[inline(always)]
    fn load(self, blocks: &[[u8; 16]], x: &mut [uint8x16_t; 16]) {
        for (x, block) in x.iter_mut().zip(&blocks[..16]) {
            *x = self.block(block);
        }
        self.transpose(x);
    }

    #[inline(always)]
    fn store(self, x: &[uint8x16_t; 16], blocks: &mut [[u8; 16]]) {
        let mut x = *x;
        self.transpose(&mut x);
        for (x, block) in x.iter().zip(&mut blocks[..16]) {
            self.write_block(*x, block);
        }
    }

    #[inline(always)]
    fn every(self, byte: u8) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vdupq_n_u8(byte) }
    }

    #[inline(always)]
    fn sum(self, x: uint8x16_t, y: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { veorq_u8(x, y) }
    }

    #[inline(always)]
    fn both(self, x: uint8x16_t, y: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vandq_u8(x, y) }
    }

    #[inline(always)]
    fn either(self, x: uint8x16_t, y: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vorrq_u8(x, y) }
    }

    #[inline(always)]
    fn product(self, matrix: &Matrix, x: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        let [[high0, low0], [high1, low1]] = [self.nibbles(x[0]), self.nibbles(x[1])];
        let nibbles = [low0, high0, low1, high1];
        let mut product = [self.every(0); 2];
        for (product, tables) in product.iter_mut().zip(&matrix.nibbles) {
            for (nibble, table) in nibbles.iter().zip(tables) {
                *product = self.sum(*product, self.entries(self.block(table), *nibble));
            }
        }
        product
    }

    #[inline(always)]
    fn nibbles(self, x: uint8x16_t) -> [uint8x16_t; 2] {
        // SAFETY: `self` is here, so the CPU has the instructions.
        [unsafe { vshrq_n_u8::<4>(x) }, self.both(x, self.every(15))]
    }

    #[inline(always)]
    fn joined(self, [high, low]: [uint8x16_t; 2]) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vsliq_n_u8::<4>(low, high) }
    }

    #[inline(always)]
    fn substituted(self, x: uint8x16_t) -> uint8x16_t {
        self.entries(self.block(&SUBSTITUTES), x)
    }

    #[inline(always)]
    fn whole(self) -> Self {
        self
    }

    #[inline(always)]
    fn rows(self) -> Option<Nowhere> {
        None
    }
}

/// Does the same with both halves.
macro_rules! halves {
    ($x:ident, $half:ident => $result:expr) => {{
        let [first, second] = $x;
        [
            {
                let $half = first;
                $result
            },
            {
                let $half = second;
                $result
            },
        ]
    }};
}

impl Whole for Neon {
    type Vector = [uint8x16_t; 2];

    #[inline(always)]
    fn read(self, bytes: &[u8; 32]) -> [uint8x16_t; 2] {
        let (blocks, _) = bytes.as_chunks();
        [self.block(&blocks[0]), self.block(&blocks[1])]
    }

    #[inline(always)]
    fn write(self, x: [uint8x16_t; 2], bytes: &mut [u8; 32]) {
        let (blocks, _) = bytes.as_chunks_mut();
        self.write_block(x[0], &mut blocks[0]);
        self.write_block(x[1], &mut blocks[1]);
    }

    #[inline(always)]
    fn plus(self, x: [uint8x16_t; 2], y: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        [self.sum(x[0], y[0]), self.sum(x[1], y[1])]
    }

    #[inline(always)]
    fn picked(self, x: [uint8x16_t; 2], places: &[u8; 32]) -> [uint8x16_t; 2] {
        let places = self.read(places);
        [self.entries(x[0], places[0]), self.entries(x[1], places[1])]
    }

    #[inline(always)]
    fn behind_s_box(self, x: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        [self.substituted(x[0]), self.substituted(x[1])]
    }

    #[inline(always)]
    fn with_neighbours(self, x: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        // SAFETY: `self` is here, so the CPU has the instructions.
        let (next, previous) = unsafe { (vextq_u8::<8>(x[0], x[1]), vextq_u8::<8>(x[1], x[0])) };
        // What is next in one half comes before in the other.
        let both = self.sum(next, previous);
        [self.sum(x[0], both), self.sum(x[1], both)]
    }

    #[inline(always)]
    fn apart(self, x: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        // SAFETY: `self` is here, so the CPU has the instructions.
        halves!(x, half => unsafe {
            let words = vreinterpretq_u16_u8(half);
            let high = vandq_u16(vshrq_n_u16::<4>(words), vdupq_n_u16(0x000f));
            vreinterpretq_u8_u16(vorrq_u16(high, vandq_u16(words, vdupq_n_u16(0x0f00))))
        })
    }

    #[inline(always)]
    fn together(self, x: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
        // SAFETY: `self` is here, so the CPU has the instructions.
        halves!(x, half => unsafe {
            let words = vreinterpretq_u16_u8(half);
            vreinterpretq_u8_u16(vorrq_u16(vshlq_n_u16::<4>(words), vshrq_n_u16::<8>(words)))
        })
    }
}
