// SPDX-License-Identifier: Apache-2.0
//! VAES and AVX-512: four blocks a register.

use super::key::{Key, MAX_KEYS};
use super::rounds::Rounds;
use super::single::Single;
use crate::aes::{Own, Register};
use core::arch::x86_64::*;

/// A CPU with VAES and AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Vaes(Single<Own>);

impl Vaes {
    /// # Safety
    /// The CPU must have VAES, AVX-512F, BW, DQ and VL, AES-NI and AVX2, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        // SAFETY: the caller's promise.
        Self(Single(unsafe { Own::new() }))
    }
}

/// The words of 8 bytes in the whole blocks of a text, as a mask.
#[inline(always)]
fn words(text: &[u8]) -> u8 {
    ((1_u32 << (2 * (text.len() / 16).min(4))) - 1) as u8
}

impl Rounds for Vaes {
    type Vector = __m512i;
    const LANES: usize = 4;
    const ONE_BY_ONE: bool = true;
    #[cfg(test)]
    const NAME: &'static str = "VAES";

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is read beyond the bytes there are.
        unsafe {
            match text.first_chunk::<64>() {
                Some(whole) => _mm512_loadu_si512(whole.as_ptr().cast()),
                None => _mm512_maskz_loadu_epi64(words(text), text.as_ptr().cast()),
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
    fn lanes(self, blocks: &[[u8; 16]]) -> __m512i {
        self.load(blocks[..4].as_flattened())
    }

    #[inline(always)]
    fn every(self, block: &[u8; 16]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_broadcast_i32x4(self.0.every(block)) }
    }

    #[inline(always)]
    fn sum(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_xor_si512(x, y) }
    }

    #[inline(always)]
    fn add(self, x: &[u8; 16], y: &[u8; 16], sum: &mut [u8; 16]) {
        self.0.add(x, y, sum);
    }

    #[inline(always)]
    fn fold(self, x: __m512i) -> [u8; 16] {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let half =
                _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
            let (low, high) = (
                _mm256_castsi256_si128(half),
                _mm256_extracti128_si256::<1>(half),
            );
            self.0.fold(_mm_xor_si128(low, high))
        }
    }

    #[inline(always)]
    fn keep(self, x: __m512i, count: usize) -> __m512i {
        let words = ((1_u32 << (2 * count.min(4))) - 1) as u8;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_maskz_mov_epi64(words, x) }
    }

    #[inline(always)]
    fn forward<const N: usize>(self, x: &mut [__m512i; N], keys: &[__m512i; N]) {
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe { _mm512_aesenc_epi128(x[i], keys[i]) };
        }
    }

    #[inline(always)]
    fn backward<const N: usize>(self, x: &mut [__m512i; N], keys: &[__m512i; N]) {
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe { _mm512_aesdec_epi128(x[i], keys[i]) };
        }
    }

    #[inline(always)]
    fn backward_last<const N: usize>(self, x: &mut [__m512i; N], keys: &[__m512i; N]) {
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe { _mm512_aesdeclast_epi128(x[i], keys[i]) };
        }
    }

    /// No instruction does it alone: the S-box and ShiftRows are done and undone.
    #[inline(always)]
    fn unmix<const N: usize>(self, x: &mut [__m512i; N]) {
        for x in x {
            // SAFETY: `self` is here, so the CPU has the instructions.
            *x = unsafe {
                let zero = _mm512_setzero_si512();
                _mm512_aesdec_epi128(_mm512_aesenclast_epi128(*x, zero), zero)
            };
        }
    }

    #[inline(always)]
    fn subkeys(
        self,
        key: &Key,
        tweak: [u8; 16],
        decipher: bool,
        subkeys: &mut [[u8; 16]; MAX_KEYS],
    ) {
        self.0.subkeys(key, tweak, decipher, subkeys);
    }
    #[inline(always)]
    fn single(self, key: &Key, tweak: [u8; 16], block: &[u8; 16]) -> [u8; 16] {
        self.0.single(key, tweak, block)
    }
}
