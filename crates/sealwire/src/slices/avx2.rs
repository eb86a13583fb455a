// SPDX-License-Identifier: Apache-2.0
//! AVX2: 32 blocks side by side.

use super::rows::Nowhere;
use super::{Matrix, SUBSTITUTES, Slices, Whole};
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

/// Exchanges row and column of every byte in both halves.
///
/// # Safety
/// The CPU must have AVX2, and the caller must be compiled for it.
#[inline(always)]
unsafe fn transpose(x: &mut [__m256i; 16]) {
    // SAFETY: the caller's promise.
    unsafe {
        interleave(x);
        interleave(x);
        interleave(x);
        interleave(x);
    }
}

/// The bits of row and column move on by one place.
///
/// # Safety
/// As for `transpose`.
#[inline(always)]
unsafe fn interleave(x: &mut [__m256i; 16]) {
    use {_mm256_unpackhi_epi8 as high, _mm256_unpacklo_epi8 as low};
    // By name: by index, the vectors would go through memory.
    let [
        a0,
        a1,
        a2,
        a3,
        a4,
        a5,
        a6,
        a7,
        b0,
        b1,
        b2,
        b3,
        b4,
        b5,
        b6,
        b7,
    ] = *x;
    // SAFETY: the caller's promise.
    unsafe {
        *x = [
            low(a0, b0),
            high(a0, b0),
            low(a1, b1),
            high(a1, b1),
            low(a2, b2),
            high(a2, b2),
            low(a3, b3),
            high(a3, b3),
            low(a4, b4),
            high(a4, b4),
            low(a5, b5),
            high(a5, b5),
            low(a6, b6),
            high(a6, b6),
            low(a7, b7),
            high(a7, b7),
        ];
    }
}

impl Slices for Avx2 {
    type Vector = __m256i;
    type Whole = Self;
    type Rows = Nowhere;
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
    #[inline(always)]
    fn whole(self) -> Self {
        self
    }

    #[inline(always)]
    fn rows(self) -> Option<Nowhere> {
        None
    }
}

impl Whole for Avx2 {
    type Vector = __m256i;

    #[inline(always)]
    fn read(self, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 32 bytes.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn write(self, x: __m256i, bytes: &mut [u8; 32]) {
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 32 bytes.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), x) };
    }

    #[inline(always)]
    fn plus(self, x: __m256i, y: __m256i) -> __m256i {
        self.sum(x, y)
    }

    #[inline(always)]
    fn picked(self, x: __m256i, places: &[u8; 32]) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_shuffle_epi8(x, self.read(places)) }
    }

    #[inline(always)]
    fn behind_s_box(self, x: __m256i) -> __m256i {
        self.substituted(x)
    }

    #[inline(always)]
    fn with_neighbours(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        let [next, previous] = unsafe {
            [
                _mm256_permute4x64_epi64::<0b00_11_10_01>(x),
                _mm256_permute4x64_epi64::<0b10_01_00_11>(x),
            ]
        };
        self.sum(x, self.sum(next, previous))
    }

    #[inline(always)]
    fn apart(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(x), _mm256_set1_epi16(0x000f));
            _mm256_or_si256(high, _mm256_and_si256(x, _mm256_set1_epi16(0x0f00)))
        }
    }

    #[inline(always)]
    fn together(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_or_si256(_mm256_slli_epi16::<4>(x), _mm256_srli_epi16::<8>(x)) }
    }
}
