// SPDX-License-Identifier: Apache-2.0
//! AVX-512 and GFNI: 64 blocks side by side.

use super::avx2::Avx2;
use super::vbmi::Vbmi;
use super::{Matrix, Rows, Slices};
use core::arch::x86_64::*;

/// A CPU with AVX-512F, BW, VL and VBMI and GFNI, and with AVX2.
#[derive(Clone, Copy)]
pub(super) struct Avx512(Avx2, Vbmi);

impl Avx512 {
    /// # Safety
    /// The CPU must have AVX-512F, BW, VL and VBMI and GFNI, and the caller must be compiled for them.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        // SAFETY: every CPU with AVX-512 has AVX2, and the caller is compiled for it and for VBMI.
        unsafe { Self(Avx2::new(), Vbmi::new()) }
    }

    /// A part of a matrix times every byte.
    #[inline(always)]
    fn times(self, part: u64, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(x, _mm512_set1_epi64(part.cast_signed())) }
    }
}

/// Exchanges row and column of every byte in every quarter.
///
/// # Safety
/// The CPU must have AVX-512BW, and the caller must be compiled for it.
#[inline(always)]
unsafe fn transpose(x: &mut [__m512i; 16]) {
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
unsafe fn interleave(x: &mut [__m512i; 16]) {
    use {_mm512_unpackhi_epi8 as high, _mm512_unpacklo_epi8 as low};
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

impl Slices for Avx512 {
    type Vector = __m512i;
    type Whole = Avx2;
    type Rows = Vbmi;
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
        Rows::substituted(self.1, x)
    }
    #[inline(always)]
    fn whole(self) -> Avx2 {
        self.0
    }

    #[inline(always)]
    fn rows(self) -> Option<Vbmi> {
        Some(self.1)
    }
}
