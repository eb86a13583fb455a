// SPDX-License-Identifier: Apache-2.0
//! 256-bit registers (AVX2): four lanes of 64-bit words, eight of 32-bit words.

use super::words::{Words, by};
use core::arch::x86_64::*;

/// Four lanes of 64-bit words; `VL`: with the instructions that AVX-512VL adds.
#[derive(Clone, Copy)]
pub(super) struct U64x4<const VL: bool>(__m256i);

/// Eight lanes of 32-bit words.
#[derive(Clone, Copy)]
pub(super) struct U32x8(__m256i);

/// The 16 bytes at an offset of two rows.
macro_rules! gather {
    ($rows:ident, $at:expr, [$a:literal, $b:literal]) => {{
        let x = _mm256_castsi128_si256(_mm_loadu_si128($rows[$a].byte_add($at).cast()));
        _mm256_inserti128_si256::<1>(x, _mm_loadu_si128($rows[$b].byte_add($at).cast()))
    }};
}

/// The inverse of `gather`.
macro_rules! scatter {
    ($rows:ident, $at:expr, [$a:literal, $b:literal], $value:expr) => {{
        let value = $value;
        _mm_storeu_si128(
            $rows[$a].byte_add($at).cast(),
            _mm256_castsi256_si128(value),
        );
        _mm_storeu_si128(
            $rows[$b].byte_add($at).cast(),
            _mm256_extracti128_si256::<1>(value),
        );
    }};
}

impl<const VL: bool> Words<4> for U64x4<VL> {
    type Word = u64;
    type Row = [u8; 64];

    by! {
        add(y) _mm256_add_epi64;
        xor(y) _mm256_xor_si256;
        xor3(y, z) sum::<VL>;
        choose(y, z) choose::<VL>;
        majority(y, z) majority::<VL>;
    }

    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
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
        Self(unsafe {
            match COUNT {
                _ if VL => _mm256_ror_epi64::<COUNT>(self.0),
                16 => {
                    _mm256_shuffle_epi8(self.0, both(0x0908_0f0e_0d0c_0b0a, 0x0100_0706_0504_0302))
                }
                24 => {
                    _mm256_shuffle_epi8(self.0, both(0x0a09_080f_0e0d_0c0b, 0x0201_0007_0605_0403))
                }
                32 => _mm256_shuffle_epi32::<0xb1>(self.0),
                63 => _mm256_xor_si256(
                    _mm256_srli_epi64::<63>(self.0),
                    _mm256_add_epi64(self.0, self.0),
                ),
                _ => _mm256_or_si256(
                    _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(COUNT)),
                    _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(64 - COUNT)),
                ),
            }
        })
    }

    #[inline(always)]
    fn shift_right<const COUNT: u32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(COUNT.cast_signed())) })
    }

    #[inline(always)]
    fn big_endian(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe {
            _mm256_shuffle_epi8(self.0, both(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607))
        })
    }

    #[inline(always)]
    fn little_endian(self) -> Self {
        self
    }

    #[inline(always)]
    unsafe fn load(rows: [*const [u8; 64]; 4]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and the 64 bytes of a row may be read.
        unsafe {
            let mut words = [Self(_mm256_setzero_si256()); 8];
            for i in 0..4 {
                let even = gather!(rows, 16 * i, [0, 2]);
                let odd = gather!(rows, 16 * i, [1, 3]);
                words[2 * i] = Self(_mm256_unpacklo_epi64(even, odd));
                words[2 * i + 1] = Self(_mm256_unpackhi_epi64(even, odd));
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], rows: [*mut [u8; 64]; 4]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and the 64 bytes of a row may be written.
        unsafe {
            for i in 0..4 {
                let (x, y) = (words[2 * i].0, words[2 * i + 1].0);
                scatter!(rows, 16 * i, [0, 2], _mm256_unpacklo_epi64(x, y));
                scatter!(rows, 16 * i, [1, 3], _mm256_unpackhi_epi64(x, y));
            }
        }
    }
}

impl Words<8> for U32x8 {
    type Word = u32;
    type Row = [u8; 32];

    by! {
        add(y) _mm256_add_epi32;
        xor(y) _mm256_xor_si256;
        xor3(y, z) sum::<false>;
        choose(y, z) choose::<false>;
        majority(y, z) majority::<false>;
    }

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm256_set1_epi32(word.cast_signed()) })
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
        Self(unsafe {
            _mm256_or_si256(
                _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(COUNT)),
                _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(32 - COUNT)),
            )
        })
    }

    #[inline(always)]
    fn shift_right<const COUNT: u32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(COUNT.cast_signed())) })
    }

    #[inline(always)]
    fn big_endian(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe {
            _mm256_shuffle_epi8(self.0, both(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203))
        })
    }

    #[inline(always)]
    fn little_endian(self) -> Self {
        self
    }

    #[inline(always)]
    unsafe fn load(rows: [*const [u8; 32]; 8]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and the 32 bytes of a row may be read.
        unsafe {
            let mut words = [Self(_mm256_setzero_si256()); 8];
            for (i, words) in words.as_chunks_mut().0.iter_mut().enumerate() {
                let [x, y, z, w] = transpose_4([
                    gather!(rows, 16 * i, [0, 4]),
                    gather!(rows, 16 * i, [1, 5]),
                    gather!(rows, 16 * i, [2, 6]),
                    gather!(rows, 16 * i, [3, 7]),
                ]);
                *words = [Self(x), Self(y), Self(z), Self(w)];
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], rows: [*mut [u8; 32]; 8]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and the 32 bytes of a row may be written.
        unsafe {
            for (i, [x, y, z, w]) in words.as_chunks().0.iter().enumerate() {
                let [x, y, z, w] = transpose_4([x.0, y.0, z.0, w.0]);
                scatter!(rows, 16 * i, [0, 4], x);
                scatter!(rows, 16 * i, [1, 5], y);
                scatter!(rows, 16 * i, [2, 6], z);
                scatter!(rows, 16 * i, [3, 7], w);
            }
        }
    }
}

/// x + y + z in GF(2)
///
/// # Safety
/// The CPU has AVX2, and AVX-512VL if `VL`.
#[inline(always)]
unsafe fn sum<const VL: bool>(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        if VL {
            _mm256_ternarylogic_epi64::<0x96>(x, y, z)
        } else {
            _mm256_xor_si256(_mm256_xor_si256(x, y), z)
        }
    }
}

/// Bits of y where x has ones, of z elsewhere.
///
/// # Safety
/// The CPU has AVX2, and AVX-512VL if `VL`.
#[inline(always)]
unsafe fn choose<const VL: bool>(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        if VL {
            _mm256_ternarylogic_epi64::<0xca>(x, y, z)
        } else {
            _mm256_xor_si256(_mm256_and_si256(x, y), _mm256_andnot_si256(x, z))
        }
    }
}

/// Bits as most of the three have them.
///
/// # Safety
/// The CPU has AVX2, and AVX-512VL if `VL`.
#[inline(always)]
unsafe fn majority<const VL: bool>(x: __m256i, y: __m256i, z: __m256i) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        if VL {
            _mm256_ternarylogic_epi64::<0xe8>(x, y, z)
        } else {
            _mm256_xor_si256(
                _mm256_and_si256(_mm256_xor_si256(x, z), _mm256_xor_si256(y, z)),
                z,
            )
        }
    }
}

/// Repeats 128 bits in both halves of a register.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn both(high: i64, low: i64) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe { _mm256_set_epi64x(high, low, high, low) }
}

/// The transpose of 4 by 4 words of 32 bits in each half.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose_4([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let (ab, ab_2) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
        let (cd, cd_2) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
        [
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd),
            _mm256_unpacklo_epi64(ab_2, cd_2),
            _mm256_unpackhi_epi64(ab_2, cd_2),
        ]
    }
}
