// SPDX-License-Identifier: Apache-2.0
//! AES-NI: a block a register.

use super::rounds::Rounds;
use core::arch::x86_64::*;

/// A CPU with AES-NI and AVX2.
#[derive(Clone, Copy)]
pub(super) struct AesNi(());

impl AesNi {
    /// # Safety
    /// The CPU must have AES-NI and AVX2, and the caller must be compiled for them.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(())
    }
}

impl Rounds for AesNi {
    type Block = __m128i;

    #[inline(always)]
    fn read(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 16 bytes.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn write(self, x: __m128i) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 16 bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), x) };
        bytes
    }

    #[inline(always)]
    fn sum(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_xor_si128(x, y) }
    }

    #[inline(always)]
    fn both(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_and_si128(x, y) }
    }

    #[inline(always)]
    fn rounds<const N: usize>(self, x: &mut [__m128i; N], keys: &[__m128i; N]) {
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe { _mm_aesenc_si128(x[i], keys[i]) };
        }
    }
}
