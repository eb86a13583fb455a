// SPDX-License-Identifier: Apache-2.0
//! Registers of several blocks, and the instructions that VAES has for them.

use crate::aes::{Own, Register, first_of_two};
use core::arch::x86_64::*;

/// Instructions on registers of [`LANES`](Self::LANES) blocks. A value exists only where the CPU has them, so that all calls are safe.
pub(super) trait Wide: Copy {
    type Vector: Copy;
    const LANES: usize;
    #[cfg(test)]
    const NAME: &'static str;

    /// The whole blocks of `text`, at most LANES; the others are zero.
    fn load(self, text: &[u8]) -> Self::Vector;

    /// Stores as many lanes as `text` has whole blocks, at most LANES.
    fn store(self, x: Self::Vector, text: &mut [u8]);

    /// A block in every lane.
    fn every(self, block: __m128i) -> Self::Vector;

    fn sum(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The sum of all lanes.
    fn fold(self, x: Self::Vector) -> __m128i;

    /// The first `count` lanes; the others become zero.
    fn keep(self, x: Self::Vector, count: usize) -> Self::Vector;

    /// SubBytes, ShiftRows, MixColumns, then the key is added.
    fn round(self, x: Self::Vector, key: Self::Vector) -> Self::Vector;

    /// SubBytes, ShiftRows, then the key is added.
    fn last_round(self, x: Self::Vector, key: Self::Vector) -> Self::Vector;

    /// The inverses of ShiftRows, SubBytes and MixColumns, then the key is added.
    fn inverse_round(self, x: Self::Vector, key: Self::Vector) -> Self::Vector;

    /// The inverses of ShiftRows and SubBytes, then the key is added.
    fn inverse_last_round(self, x: Self::Vector, key: Self::Vector) -> Self::Vector;
}

/// Defines methods that are one intrinsic each.
macro_rules! by {
    ($vector:ty: $($name:ident($($x:ident),*) $intrinsic:ident;)*) => {
        $(#[inline(always)]
        fn $name(self, $($x: $vector),*) -> $vector {
            // SAFETY: `self` is here, so the CPU has the instructions.
            unsafe { $intrinsic($($x),*) }
        })*
    };
}

/// Two blocks a register.
#[derive(Clone, Copy)]
pub(super) struct Wide256(Own);

impl Wide256 {
    /// # Safety
    /// The CPU must have VAES, AES-NI and AVX2, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { Own::new() })
    }
}

impl Wide for Wide256 {
    type Vector = __m256i;
    const LANES: usize = 2;
    #[cfg(test)]
    const NAME: &'static str = "VAES, 256 bits";

    by! {
        __m256i:
        sum(x, y) _mm256_xor_si256;
        round(x, key) _mm256_aesenc_epi128;
        last_round(x, key) _mm256_aesenclast_epi128;
        inverse_round(x, key) _mm256_aesdec_epi128;
        inverse_last_round(x, key) _mm256_aesdeclast_epi128;
    }

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is read beyond the bytes there are.
        unsafe {
            match text.first_chunk::<32>() {
                Some(whole) => _mm256_loadu_si256(whole.as_ptr().cast()),
                None => _mm256_maskload_epi64(text.as_ptr().cast(), first_of_two(text.len() / 16)),
            }
        }
    }

    #[inline(always)]
    fn store(self, x: __m256i, text: &mut [u8]) {
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 32 bytes.
        unsafe {
            if let Some(whole) = text.first_chunk_mut::<32>() {
                _mm256_storeu_si256(whole.as_mut_ptr().cast(), x);
            } else if let Some(block) = text.first_chunk_mut() {
                self.0.write(_mm256_castsi256_si128(x), block);
            }
        }
    }

    #[inline(always)]
    fn every(self, block: __m128i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_broadcastsi128_si256(block) }
    }

    #[inline(always)]
    fn fold(self, x: __m256i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let high = _mm256_extracti128_si256::<1>(x);
            self.0.sum(_mm256_castsi256_si128(x), high)
        }
    }

    #[inline(always)]
    fn keep(self, x: __m256i, count: usize) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_and_si256(x, first_of_two(count)) }
    }
}

/// Four blocks a register.
#[derive(Clone, Copy)]
pub(super) struct Wide512(Wide256);

impl Wide512 {
    /// # Safety
    /// The CPU must have VAES, AVX-512F, BW, DQ and VL, AES-NI and AVX2, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { Wide256::new() })
    }
}

impl Wide for Wide512 {
    type Vector = __m512i;
    const LANES: usize = 4;
    #[cfg(test)]
    const NAME: &'static str = "VAES, 512 bits";

    by! {
        __m512i:
        sum(x, y) _mm512_xor_si512;
        round(x, key) _mm512_aesenc_epi128;
        last_round(x, key) _mm512_aesenclast_epi128;
        inverse_round(x, key) _mm512_aesdec_epi128;
        inverse_last_round(x, key) _mm512_aesdeclast_epi128;
    }

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is read beyond the bytes there are.
        unsafe {
            match text.first_chunk::<64>() {
                Some(whole) => _mm512_loadu_si512(whole.as_ptr().cast()),
                None => _mm512_maskz_loadu_epi64(words(text.len() / 16), text.as_ptr().cast()),
            }
        }
    }

    #[inline(always)]
    fn store(self, x: __m512i, text: &mut [u8]) {
        if let Some(whole) = text.first_chunk_mut::<64>() {
            // SAFETY: `self` is here, so the CPU has the instructions; there is room for 64 bytes.
            unsafe { _mm512_storeu_si512(whole.as_mut_ptr().cast(), x) };
            return;
        }
        // Not with a mask: whatever reads near such a store waits until it has reached the cache.
        // SAFETY: `self` is here, so the CPU has the instructions.
        let blocks = unsafe {
            [
                _mm512_castsi512_si128(x),
                _mm512_extracti32x4_epi32::<1>(x),
                _mm512_extracti32x4_epi32::<2>(x),
            ]
        };
        for (block, text) in blocks.into_iter().zip(text.as_chunks_mut().0) {
            self.0.0.write(block, text);
        }
    }

    #[inline(always)]
    fn every(self, block: __m128i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_broadcast_i32x4(block) }
    }

    #[inline(always)]
    fn fold(self, x: __m512i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let high = _mm512_extracti64x4_epi64::<1>(x);
            self.0.fold(self.0.sum(_mm512_castsi512_si256(x), high))
        }
    }

    #[inline(always)]
    fn keep(self, x: __m512i, count: usize) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_maskz_mov_epi64(words(count), x) }
    }
}

/// The words of 8 bytes in the first `count` of four lanes, as a mask.
#[inline(always)]
fn words(count: usize) -> u8 {
    ((1_u32 << (2 * count.min(4))) - 1) as u8
}
