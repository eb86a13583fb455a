// SPDX-License-Identifier: Apache-2.0
//! AVX-512 with VBMI: rows of eight blocks.

use super::{Rows, SUBSTITUTES};
use core::arch::x86_64::*;

/// A CPU with AVX-512F, BW and VBMI.
#[derive(Clone, Copy)]
pub(super) struct Vbmi(());

impl Vbmi {
    /// # Safety
    /// The CPU must have AVX-512F, BW and VBMI, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(())
    }
}

impl Rows for Vbmi {
    type Vector = __m512i;

    #[inline(always)]
    fn read(self, bytes: &[u8; 64]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 64 bytes.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn write(self, x: __m512i, bytes: &mut [u8; 64]) {
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 64 bytes.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), x) };
    }

    #[inline(always)]
    fn every(self, bytes: &[u8; 8]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_set1_epi64(i64::from_le_bytes(*bytes)) }
    }

    #[inline(always)]
    fn sum(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_xor_si512(x, y) }
    }

    #[inline(always)]
    fn sum3(self, x: __m512i, y: __m512i, z: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_ternarylogic_epi64::<0x96>(x, y, z) }
    }

    #[inline(always)]
    fn picked(self, x: __m512i, places: &[u8; 64], kept: u64) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_maskz_permutexvar_epi8(kept, self.read(places), x) }
    }

    #[inline(always)]
    fn moved(self, x: __m512i, places: &[usize; 8]) -> __m512i {
        let mut both = [0; 16];
        for i in 0..16 {
            both[i] = (places[i % 8] + i / 8 * 8) as u8;
        }
        // SAFETY: `self` is here, so the CPU has the instructions; there are 16 bytes.
        unsafe {
            let places = _mm_loadu_si128(both.as_ptr().cast());
            _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(places))
        }
    }

    #[inline(always)]
    fn substituted(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions; the table has 16 bytes.
        unsafe {
            let table = _mm_loadu_si128(SUBSTITUTES.as_ptr().cast());
            _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), x)
        }
    }

    #[inline(always)]
    fn turn(self, x: &mut [__m512i; 4]) {
        let [a, b, c, d] = *x;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let [even_ab, odd_ab] = [_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)];
            let [even_cd, odd_cd] = [_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d)];
            *x = [
                _mm512_shuffle_i64x2::<0x88>(even_ab, even_cd),
                _mm512_shuffle_i64x2::<0x88>(odd_ab, odd_cd),
                _mm512_shuffle_i64x2::<0xdd>(even_ab, even_cd),
                _mm512_shuffle_i64x2::<0xdd>(odd_ab, odd_cd),
            ];
        }
    }

    #[inline(always)]
    fn turn_back(self, x: &mut [__m512i; 4]) {
        let [p, q, r, s] = *x;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            let even_ab = _mm512_permutex2var_epi64(p, first, r);
            let even_cd = _mm512_permutex2var_epi64(p, second, r);
            let odd_ab = _mm512_permutex2var_epi64(q, first, s);
            let odd_cd = _mm512_permutex2var_epi64(q, second, s);
            *x = [
                _mm512_unpacklo_epi64(even_ab, odd_ab),
                _mm512_unpackhi_epi64(even_ab, odd_ab),
                _mm512_unpacklo_epi64(even_cd, odd_cd),
                _mm512_unpackhi_epi64(even_cd, odd_cd),
            ];
        }
    }

    #[inline(always)]
    fn nibbles<const SECOND: bool>(self, x: __m512i) -> __m512i {
        // The first bit of every nibble in its word.
        let first = if SECOND { 32 } else { 0 };
        let mut from = [0; 8];
        for (i, from) in from.iter_mut().enumerate() {
            *from = first + (i / 2 * 8 + 4 * (1 - i % 2)) as u8;
        }
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let bytes = _mm512_multishift_epi64_epi8(self.every(&from), x);
            _mm512_and_si512(bytes, _mm512_set1_epi8(15))
        }
    }

    #[inline(always)]
    fn joined(self, [first, second]: [__m512i; 2]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let high_and_low = _mm512_set1_epi16(0x0110);
            let first = _mm512_maddubs_epi16(first, high_and_low);
            let second = _mm512_maddubs_epi16(second, high_and_low);
            _mm512_shuffle_epi32::<0b11_01_10_00>(_mm512_packus_epi16(first, second))
        }
    }
}
