// SPDX-License-Identifier: Apache-2.0
//! 512-bit registers (AVX-512F and AVX-512BW): eight lanes of 64-bit words, sixteen of 32-bit words.

use super::words::{Words, by};
use core::arch::x86_64::*;

/// Eight lanes of 64-bit words.
#[derive(Clone, Copy)]
pub(super) struct U64x8(__m512i);

/// Sixteen lanes of 32-bit words.
#[derive(Clone, Copy)]
pub(super) struct U32x16(__m512i);

/// The 16 bytes at an offset of four rows. Parts of a register go to and come from memory by themselves: that leaves the
/// one execution port that moves words between the quarters of registers to the rest.
macro_rules! gather {
    ($rows:ident, $at:expr, [$a:literal, $b:literal, $c:literal, $d:literal]) => {{
        let x = _mm512_castsi128_si512(_mm_loadu_si128($rows[$a].byte_add($at).cast()));
        let x = _mm512_inserti32x4::<1>(x, _mm_loadu_si128($rows[$b].byte_add($at).cast()));
        let x = _mm512_inserti32x4::<2>(x, _mm_loadu_si128($rows[$c].byte_add($at).cast()));
        _mm512_inserti32x4::<3>(x, _mm_loadu_si128($rows[$d].byte_add($at).cast()))
    }};
}

/// The inverse of `gather`.
macro_rules! scatter {
    ($rows:ident, $at:expr, [$a:literal, $b:literal, $c:literal, $d:literal], $value:expr) => {{
        let value = $value;
        _mm_storeu_si128(
            $rows[$a].byte_add($at).cast(),
            _mm512_extracti32x4_epi32::<0>(value),
        );
        _mm_storeu_si128(
            $rows[$b].byte_add($at).cast(),
            _mm512_extracti32x4_epi32::<1>(value),
        );
        _mm_storeu_si128(
            $rows[$c].byte_add($at).cast(),
            _mm512_extracti32x4_epi32::<2>(value),
        );
        _mm_storeu_si128(
            $rows[$d].byte_add($at).cast(),
            _mm512_extracti32x4_epi32::<3>(value),
        );
    }};
}

impl Words<8> for U64x8 {
    type Word = u64;
    type Row = [u8; 64];

    by! {
        add(y) _mm512_add_epi64;
        xor(y) _mm512_xor_si512;
        xor3(y, z) _mm512_ternarylogic_epi64::<0x96>;
        choose(y, z) _mm512_ternarylogic_epi64::<0xca>;
        majority(y, z) _mm512_ternarylogic_epi64::<0xe8>;
    }

    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm512_set1_epi64(word.cast_signed()) })
    }

    #[inline(always)]
    fn spread(self, row: &[u8; 64]) -> [Self; 8] {
        let mut words = [self; 8];
        for (word, bytes) in words.iter_mut().zip(row.as_chunks().0) {
            *word = self.splat(u64::from_ne_bytes(*bytes));
        }
        words
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm512_ror_epi64::<COUNT>(self.0) })
    }

    #[inline(always)]
    fn shift_right<const COUNT: u32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm512_srli_epi64::<COUNT>(self.0) })
    }

    #[inline(always)]
    fn big_endian(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe {
            let order = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
            _mm512_shuffle_epi8(self.0, _mm512_broadcast_i32x4(order))
        })
    }

    #[inline(always)]
    fn little_endian(self) -> Self {
        self
    }

    #[inline(always)]
    unsafe fn load(rows: [*const [u8; 64]; 8]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and the 64 bytes of a row may be read.
        unsafe {
            let mut words = [Self(_mm512_setzero_si512()); 8];
            for i in 0..4 {
                // Words 2i and 2i + 1 of rows 0, 2, 4, 6 and of the others
                let even = gather!(rows, 16 * i, [0, 2, 4, 6]);
                let odd = gather!(rows, 16 * i, [1, 3, 5, 7]);
                words[2 * i] = Self(_mm512_unpacklo_epi64(even, odd));
                words[2 * i + 1] = Self(_mm512_unpackhi_epi64(even, odd));
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], rows: [*mut [u8; 64]; 8]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and the 64 bytes of a row may be written.
        unsafe {
            for i in 0..4 {
                let (x, y) = (words[2 * i].0, words[2 * i + 1].0);
                scatter!(rows, 16 * i, [0, 2, 4, 6], _mm512_unpacklo_epi64(x, y));
                scatter!(rows, 16 * i, [1, 3, 5, 7], _mm512_unpackhi_epi64(x, y));
            }
        }
    }
}

impl Words<16> for U32x16 {
    type Word = u32;
    type Row = [u8; 32];

    by! {
        add(y) _mm512_add_epi32;
        xor(y) _mm512_xor_si512;
        xor3(y, z) _mm512_ternarylogic_epi32::<0x96>;
        choose(y, z) _mm512_ternarylogic_epi32::<0xca>;
        majority(y, z) _mm512_ternarylogic_epi32::<0xe8>;
    }

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm512_set1_epi32(word.cast_signed()) })
    }

    #[inline(always)]
    fn spread(self, row: &[u8; 32]) -> [Self; 8] {
        let mut words = [self; 8];
        for (word, bytes) in words.iter_mut().zip(row.as_chunks().0) {
            *word = self.splat(u32::from_ne_bytes(*bytes));
        }
        words
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm512_ror_epi32::<COUNT>(self.0) })
    }

    #[inline(always)]
    fn shift_right<const COUNT: u32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm512_srli_epi32::<COUNT>(self.0) })
    }

    #[inline(always)]
    fn big_endian(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe {
            let order = _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203);
            _mm512_shuffle_epi8(self.0, _mm512_broadcast_i32x4(order))
        })
    }

    #[inline(always)]
    fn little_endian(self) -> Self {
        self
    }

    #[inline(always)]
    unsafe fn load(rows: [*const [u8; 32]; 16]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and the 32 bytes of a row may be read.
        unsafe {
            let mut words = [Self(_mm512_setzero_si512()); 8];
            for (i, words) in words.as_chunks_mut().0.iter_mut().enumerate() {
                let [x, y, z, w] = transpose_4([
                    gather!(rows, 16 * i, [0, 4, 8, 12]),
                    gather!(rows, 16 * i, [1, 5, 9, 13]),
                    gather!(rows, 16 * i, [2, 6, 10, 14]),
                    gather!(rows, 16 * i, [3, 7, 11, 15]),
                ]);
                *words = [Self(x), Self(y), Self(z), Self(w)];
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], rows: [*mut [u8; 32]; 16]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and the 32 bytes of a row may be written.
        unsafe {
            for (i, [x, y, z, w]) in words.as_chunks().0.iter().enumerate() {
                let [x, y, z, w] = transpose_4([x.0, y.0, z.0, w.0]);
                scatter!(rows, 16 * i, [0, 4, 8, 12], x);
                scatter!(rows, 16 * i, [1, 5, 9, 13], y);
                scatter!(rows, 16 * i, [2, 6, 10, 14], z);
                scatter!(rows, 16 * i, [3, 7, 11, 15], w);
            }
        }
    }
}

/// The transpose of 4 by 4 words of 32 bits in each quarter.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose_4([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let (ab, ab_2) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let (cd, cd_2) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        [
            _mm512_unpacklo_epi64(ab, cd),
            _mm512_unpackhi_epi64(ab, cd),
            _mm512_unpacklo_epi64(ab_2, cd_2),
            _mm512_unpackhi_epi64(ab_2, cd_2),
        ]
    }
}
