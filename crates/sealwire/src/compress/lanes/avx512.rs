// SPDX-License-Identifier: Apache-2.0
//! 512-bit registers (AVX-512F and AVX-512BW): eight lanes of 64-bit words, sixteen of 32-bit words.

use super::words::{Words, by};
use core::arch::x86_64::*;
use core::array::from_fn;
use core::borrow::{Borrow, BorrowMut};

/// Eight lanes of 64-bit words.
#[derive(Clone, Copy)]
pub(super) struct U64x8(__m512i);

/// Sixteen lanes of 32-bit words.
#[derive(Clone, Copy)]
pub(super) struct U32x16(__m512i);

const BOTH: i32 = 0x88; // the even quarters of two registers
const ODD: i32 = 0xdd; // the odd ones

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
        let (words, _) = row.as_chunks();
        from_fn(|i| self.splat(u64::from_ne_bytes(words[i])))
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
    unsafe fn load<R: Borrow<[u8; 64]>>(rows: &[R; 8]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and a row has the 64 bytes that are read.
        unsafe {
            transpose_8(from_fn(|i| {
                _mm512_loadu_epi8(rows[i].borrow().as_ptr().cast())
            }))
            .map(Self)
        }
    }

    #[inline(always)]
    fn store<R: BorrowMut<[u8; 64]>>(words: [Self; 8], rows: &mut [R; 8]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and a row has the 64 bytes that are written.
        unsafe {
            let values = transpose_8(words.map(|word| word.0));
            for (row, value) in rows.iter_mut().zip(values) {
                _mm512_storeu_epi8(row.borrow_mut().as_mut_ptr().cast(), value);
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
        let (words, _) = row.as_chunks();
        from_fn(|i| self.splat(u32::from_ne_bytes(words[i])))
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
    unsafe fn load<R: Borrow<[u8; 32]>>(rows: &[R; 16]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and a row has the 32 bytes that are read.
        unsafe {
            let pair = |i: usize| {
                let low =
                    _mm512_castsi256_si512(_mm256_loadu_epi8(rows[i].borrow().as_ptr().cast()));
                _mm512_inserti64x4::<1>(
                    low,
                    _mm256_loadu_epi8(rows[i + 8].borrow().as_ptr().cast()),
                )
            };
            let pairs: [_; 8] = from_fn(pair);
            let low = from_fn(|i| _mm512_shuffle_i64x2::<BOTH>(pairs[i], pairs[i + 4]));
            let high = from_fn(|i| _mm512_shuffle_i64x2::<ODD>(pairs[i], pairs[i + 4]));
            let [a, b, c, d] = transpose_4(low);
            let [e, f, g, h] = transpose_4(high);
            [a, b, c, d, e, f, g, h].map(Self)
        }
    }

    #[inline(always)]
    fn store<R: BorrowMut<[u8; 32]>>(words: [Self; 8], rows: &mut [R; 16]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and a row has the 32 bytes that are written.
        unsafe {
            let [a, b, c, d, e, f, g, h] = words.map(|word| word.0);
            let low = transpose_4([a, b, c, d]); // rows i, i + 8, i + 4, i + 12
            let high = transpose_4([e, f, g, h]);
            for i in 0..4 {
                let first = _mm512_shuffle_i64x2::<0x44>(low[i], high[i]); // words 0 to 3, then 4 to 7, of two rows
                let second = _mm512_shuffle_i64x2::<0xee>(low[i], high[i]);
                for (at, value) in [(i, first), (i + 4, second)] {
                    let value = _mm512_shuffle_i64x2::<0xd8>(value, value);
                    _mm256_storeu_epi8(
                        rows[at].borrow_mut().as_mut_ptr().cast(),
                        _mm512_castsi512_si256(value),
                    );
                    _mm256_storeu_epi8(
                        rows[at + 8].borrow_mut().as_mut_ptr().cast(),
                        _mm512_extracti64x4_epi64::<1>(value),
                    );
                }
            }
        }
    }
}

/// The transpose of 8 by 8 words of 64 bits.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose_8(r: [__m512i; 8]) -> [__m512i; 8] {
    // SAFETY: as above.
    unsafe {
        // Quarter k of low[i]: words 2k of rows 2i and 2i + 1; of high[i]: words 2k + 1
        let low: [_; 4] = from_fn(|i| _mm512_unpacklo_epi64(r[2 * i], r[2 * i + 1]));
        let high: [_; 4] = from_fn(|i| _mm512_unpackhi_epi64(r[2 * i], r[2 * i + 1]));
        let [w0, w2, w4, w6] = quarters(low);
        let [w1, w3, w5, w7] = quarters(high);
        [w0, w1, w2, w3, w4, w5, w6, w7]
    }
}

/// The transpose of 4 by 4 quarters.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn quarters([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: as above.
    unsafe {
        let (even, odd) = (
            _mm512_shuffle_i64x2::<BOTH>(a, b),
            _mm512_shuffle_i64x2::<ODD>(a, b),
        );
        let (even_2, odd_2) = (
            _mm512_shuffle_i64x2::<BOTH>(c, d),
            _mm512_shuffle_i64x2::<ODD>(c, d),
        );
        [
            _mm512_shuffle_i64x2::<BOTH>(even, even_2),
            _mm512_shuffle_i64x2::<BOTH>(odd, odd_2),
            _mm512_shuffle_i64x2::<ODD>(even, even_2),
            _mm512_shuffle_i64x2::<ODD>(odd, odd_2),
        ]
    }
}

/// The transpose of 4 by 4 words of 32 bits in each quarter.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose_4([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: as above.
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
