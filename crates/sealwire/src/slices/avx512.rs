// SPDX-License-Identifier: Apache-2.0
//! AVX-512 and GFNI: 64 blocks side by side.

use super::{Matrix, SUBSTITUTES, Slices};
use core::arch::x86_64::*;

/// A CPU with AVX-512F, BW and VL and GFNI.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    /// # Safety
    /// The CPU must have AVX-512F, BW and VL and GFNI, and the caller must be compiled for them.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(())
    }

    /// A part of a matrix times every byte.
    #[inline(always)]
    fn times(self, part: u64, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(x, _mm512_set1_epi64(part.cast_signed())) }
    }
}

/// Exchanges row and column of every byte in every quarter. The bits of row and column move on by one place in each of four steps.
///
/// # Safety
/// The CPU must have AVX-512BW, and the caller must be compiled for it.
#[inline(always)]
unsafe fn transpose(x: &mut [__m512i; 16]) {
    for _ in 0..4 {
        let before = *x;
        for i in 0..8 {
            // SAFETY: the caller's promise.
            unsafe {
                x[2 * i] = _mm512_unpacklo_epi8(before[i], before[i + 8]);
                x[2 * i + 1] = _mm512_unpackhi_epi8(before[i], before[i + 8]);
            }
        }
    }
}

impl Slices for Avx512 {
    type Vector = __m512i;
    const LANES: usize = 64;
    #[cfg(test)]
    const NAME: &'static str = "AVX-512 and GFNI";

    #[inline(always)]
    fn load(self, blocks: &[[u8; 16]], x: &mut [__m512i; 16]) {
        for (x, blocks) in x.iter_mut().zip(blocks[..64].as_chunks::<4>().0) {
            // SAFETY: `self` is here, so the CPU has the instructions; four blocks have 64 bytes.
            *x = unsafe { _mm512_loadu_si512(blocks.as_ptr().cast()) };
        }
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { transpose(x) };
    }

    #[inline(always)]
    fn store(self, x: &[__m512i; 16], blocks: &mut [[u8; 16]]) {
        let mut x = *x;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { transpose(&mut x) };
        for (x, blocks) in x.iter().zip(blocks[..64].as_chunks_mut::<4>().0) {
            // SAFETY: `self` is here, so the CPU has the instructions; four blocks have 64 bytes.
            unsafe { _mm512_storeu_si512(blocks.as_mut_ptr().cast(), *x) };
        }
    }

    #[inline(always)]
    fn every(self, byte: u8) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    fn sum(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_xor_si512(x, y) }
    }

    #[inline(always)]
    fn both(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_and_si512(x, y) }
    }

    #[inline(always)]
    fn either(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_or_si512(x, y) }
    }

    #[inline(always)]
    fn product(self, matrix: &Matrix, [low, high]: [__m512i; 2]) -> [__m512i; 2] {
        let [to_low, to_high] = &matrix.parts;
        [
            self.sum(self.times(to_low[0], low), self.times(to_low[1], high)),
            self.sum(self.times(to_high[0], low), self.times(to_high[1], high)),
        ]
    }

    #[inline(always)]
    fn nibbles(self, x: __m512i) -> [__m512i; 2] {
        let mask = self.every(15);
        // SAFETY: `self` is here, so the CPU has the instructions.
        let high = unsafe { _mm512_srli_epi16::<4>(x) };
        [self.both(high, mask), self.both(x, mask)]
    }

    #[inline(always)]
    fn joined(self, [high, low]: [__m512i; 2]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.either(unsafe { _mm512_slli_epi16::<4>(high) }, low)
    }

    #[inline(always)]
    fn substituted(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions; the table has 16 bytes.
        unsafe {
            let table = _mm_loadu_si128(SUBSTITUTES.as_ptr().cast());
            _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), x)
        }
    }
}
