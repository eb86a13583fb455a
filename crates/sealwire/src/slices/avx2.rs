// SPDX-License-Identifier: Apache-2.0
//! AVX2: 32 blocks side by side.

use super::{Matrix, SUBSTITUTES, Slices};
use core::arch::x86_64::*;

/// A CPU with AVX2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    /// # Safety
    /// The CPU must have AVX2, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(())
    }

    /// 16 bytes in both halves.
    #[inline(always)]
    fn twice(self, bytes: &[u8; 16]) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 16 bytes.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }

    /// The entry for every byte from 0 to 15.
    #[inline(always)]
    fn entries(self, table: &[u8; 16], x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_shuffle_epi8(self.twice(table), x) }
    }
}

/// Exchanges row and column of every byte in both halves. The bits of row and column move on by one place in each of four steps.
///
/// # Safety
/// The CPU must have AVX2, and the caller must be compiled for it.
#[inline(always)]
unsafe fn transpose(x: &mut [__m256i; 16]) {
    for _ in 0..4 {
        let before = *x;
        for i in 0..8 {
            // SAFETY: the caller's promise.
            unsafe {
                x[2 * i] = _mm256_unpacklo_epi8(before[i], before[i + 8]);
                x[2 * i + 1] = _mm256_unpackhi_epi8(before[i], before[i + 8]);
            }
        }
    }
}

impl Slices for Avx2 {
    type Vector = __m256i;
    const LANES: usize = 32;
    #[cfg(test)]
    const NAME: &'static str = "AVX2";

    #[inline(always)]
    fn load(self, blocks: &[[u8; 16]], x: &mut [__m256i; 16]) {
        for (x, blocks) in x.iter_mut().zip(blocks[..32].as_chunks::<2>().0) {
            // SAFETY: `self` is here, so the CPU has the instructions; two blocks have 32 bytes.
            *x = unsafe { _mm256_loadu_si256(blocks.as_ptr().cast()) };
        }
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { transpose(x) };
    }

    #[inline(always)]
    fn store(self, x: &[__m256i; 16], blocks: &mut [[u8; 16]]) {
        let mut x = *x;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { transpose(&mut x) };
        for (x, blocks) in x.iter().zip(blocks[..32].as_chunks_mut::<2>().0) {
            // SAFETY: `self` is here, so the CPU has the instructions; two blocks have 32 bytes.
            unsafe { _mm256_storeu_si256(blocks.as_mut_ptr().cast(), *x) };
        }
    }

    #[inline(always)]
    fn every(self, byte: u8) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_set1_epi8(byte.cast_signed()) }
    }

    #[inline(always)]
    fn sum(self, x: __m256i, y: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_xor_si256(x, y) }
    }

    #[inline(always)]
    fn both(self, x: __m256i, y: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_and_si256(x, y) }
    }

    #[inline(always)]
    fn either(self, x: __m256i, y: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_or_si256(x, y) }
    }

    #[inline(always)]
    fn product(self, matrix: &Matrix, x: [__m256i; 2]) -> [__m256i; 2] {
        let [[high0, low0], [high1, low1]] = [self.nibbles(x[0]), self.nibbles(x[1])];
        let nibbles = [low0, high0, low1, high1];
        let mut product = [self.every(0); 2];
        for (product, tables) in product.iter_mut().zip(&matrix.nibbles) {
            for (nibble, table) in nibbles.iter().zip(tables) {
                *product = self.sum(*product, self.entries(table, *nibble));
            }
        }
        product
    }

    #[inline(always)]
    fn nibbles(self, x: __m256i) -> [__m256i; 2] {
        let mask = self.every(15);
        // SAFETY: `self` is here, so the CPU has the instructions.
        let high = unsafe { _mm256_srli_epi16::<4>(x) };
        [self.both(high, mask), self.both(x, mask)]
    }

    #[inline(always)]
    fn joined(self, [high, low]: [__m256i; 2]) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.either(unsafe { _mm256_slli_epi16::<4>(high) }, low)
    }

    #[inline(always)]
    fn substituted(self, x: __m256i) -> __m256i {
        self.entries(&SUBSTITUTES, x)
    }
}
