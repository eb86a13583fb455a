// SPDX-License-Identifier: Apache-2.0
//! 256-bit registers (AVX2): four lanes of 64-bit words, eight of 32-bit words.

use super::words::{Words, by};
use core::arch::x86_64::*;
use core::array::from_fn;
use core::borrow::{Borrow, BorrowMut};

/// Four lanes of 64-bit words; `VL`: with the instructions that AVX-512VL adds.
#[derive(Clone, Copy)]
pub(super) struct U64x4<const VL: bool>(__m256i);

/// Eight lanes of 32-bit words.
#[derive(Clone, Copy)]
pub(super) struct U32x8(__m256i);

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
        let (words, _) = row.as_chunks();
        from_fn(|i| self.splat(u64::from_ne_bytes(words[i])))
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
    unsafe fn load<R: Borrow<[u8; 64]>>(rows: &[R; 4]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and a row has the 64 bytes that are read.
        unsafe {
            let low = transpose_64(from_fn(|i| {
                _mm256_loadu_si256(rows[i].borrow().as_ptr().cast())
            }));
            let high = transpose_64(from_fn(|i| {
                _mm256_loadu_si256(rows[i].borrow()[32..].as_ptr().cast())
            }));
            from_fn(|i| Self(if i < 4 { low[i] } else { high[i - 4] }))
        }
    }

    #[inline(always)]
    fn store<R: BorrowMut<[u8; 64]>>(words: [Self; 8], rows: &mut [R; 4]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and a row has the 64 bytes that are written.
        unsafe {
            let low = transpose_64(from_fn(|i| words[i].0));
            let high = transpose_64(from_fn(|i| words[i + 4].0));
            for (i, row) in rows.iter_mut().enumerate() {
                _mm256_storeu_si256(row.borrow_mut().as_mut_ptr().cast(), low[i]);
                _mm256_storeu_si256(row.borrow_mut()[32..].as_mut_ptr().cast(), high[i]);
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
        let (words, _) = row.as_chunks();
        from_fn(|i| self.splat(u32::from_ne_bytes(words[i])))
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
    unsafe fn load<R: Borrow<[u8; 32]>>(rows: &[R; 8]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and a row has the 32 bytes that are read.
        unsafe {
            transpose_32(from_fn(|i| {
                _mm256_loadu_si256(rows[i].borrow().as_ptr().cast())
            }))
            .map(Self)
        }
    }

    #[inline(always)]
    fn store<R: BorrowMut<[u8; 32]>>(words: [Self; 8], rows: &mut [R; 8]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and a row has the 32 bytes that are written.
        unsafe {
            for (row, value) in rows.iter_mut().zip(transpose_32(words.map(|word| word.0))) {
                _mm256_storeu_si256(row.borrow_mut().as_mut_ptr().cast(), value);
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
    // SAFETY: as above.
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
    // SAFETY: as above.
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
    // SAFETY: as above.
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

/// The same 128 bits in both halves.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn both(high: i64, low: i64) -> __m256i {
    // SAFETY: as above.
    unsafe { _mm256_set_epi64x(high, low, high, low) }
}

/// The transpose of 4 by 4 words of 64 bits.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose_64([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: as above.
    unsafe {
        let (ab, ab_2) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
        let (cd, cd_2) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
        [
            _mm256_permute2x128_si256::<0x20>(ab, cd),
            _mm256_permute2x128_si256::<0x20>(ab_2, cd_2),
            _mm256_permute2x128_si256::<0x31>(ab, cd),
            _mm256_permute2x128_si256::<0x31>(ab_2, cd_2),
        ]
    }
}

/// The transpose of 8 by 8 words of 32 bits.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn transpose_32(r: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: as above.
    unsafe {
        // Word pairs of rows 2i and 2i + 1, then of four rows, then halves
        let low: [_; 4] = from_fn(|i| _mm256_unpacklo_epi32(r[2 * i], r[2 * i + 1]));
        let high: [_; 4] = from_fn(|i| _mm256_unpackhi_epi32(r[2 * i], r[2 * i + 1]));
        let four = |x: &[__m256i; 4], i: usize| {
            [
                _mm256_unpacklo_epi64(x[i], x[i + 1]),
                _mm256_unpackhi_epi64(x[i], x[i + 1]),
            ]
        };
        let [[a0, a1], [b0, b1]] = [four(&low, 0), four(&low, 2)];
        let [[a2, a3], [b2, b3]] = [four(&high, 0), four(&high, 2)];
        let (a, b) = ([a0, a1, a2, a3], [b0, b1, b2, b3]);
        from_fn(|i| {
            if i < 4 {
                _mm256_permute2x128_si256::<0x20>(a[i], b[i])
            } else {
                _mm256_permute2x128_si256::<0x31>(a[i - 4], b[i - 4])
            }
        })
    }
}
