// SPDX-License-Identifier: Apache-2.0
//! AES-NI and AVX2: one block a register.

use super::key::{Key, MAX_KEYS};
use super::rounds::Rounds;
use core::arch::x86_64::*;

/// A CPU with AES-NI and AVX2.
#[derive(Clone, Copy)]
pub(super) struct AesNi(());

impl AesNi {
    /// # Safety
    /// The CPU must have AES-NI and AVX2, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new() -> Self {
        Self(())
    }
}

/// # Safety
/// Vectors must be available; every x86-64 has them.
#[inline(always)]
pub(super) unsafe fn read(block: &[u8; 16]) -> __m128i {
    // SAFETY: 16 bytes.
    unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
}

/// # Safety
/// Vectors must be available; every x86-64 has them.
#[inline(always)]
pub(super) unsafe fn write(x: __m128i, block: &mut [u8; 16]) {
    // SAFETY: 16 bytes.
    unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), x) };
}

impl Rounds for AesNi {
    type Vector = __m128i;
    const LANES: usize = 1;
    const ONE_BY_ONE: bool = true;
    #[cfg(test)]
    const NAME: &'static str = "AES-NI";

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m128i {
        self.every(text.first_chunk().unwrap_or(&[0; 16]))
    }

    #[inline(always)]
    fn store(self, x: __m128i, text: &mut [u8]) {
        if let Some(block) = text.first_chunk_mut() {
            // SAFETY: `self` is here, so the CPU has the instructions.
            unsafe { write(x, block) };
        }
    }

    #[inline(always)]
    fn lanes(self, blocks: &[[u8; 16]]) -> __m128i {
        self.every(&blocks[0])
    }

    #[inline(always)]
    fn every(self, block: &[u8; 16]) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { read(block) }
    }

    #[inline(always)]
    fn sum(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_xor_si128(x, y) }
    }

    #[inline(always)]
    fn add(self, x: &[u8; 16], y: &[u8; 16], sum: &mut [u8; 16]) {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { write(_mm_xor_si128(read(x), read(y)), sum) };
    }

    #[inline(always)]
    fn fold(self, x: __m128i) -> [u8; 16] {
        let mut block = [0; 16];
        self.store(x, &mut block);
        block
    }

    #[inline(always)]
    fn keep(self, x: __m128i, count: usize) -> __m128i {
        if count == 0 { self.every(&[0; 16]) } else { x }
    }

    #[inline(always)]
    fn forward<const N: usize>(self, x: &mut [__m128i; N], keys: &[__m128i; N]) {
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe { _mm_aesenc_si128(x[i], keys[i]) };
        }
    }

    #[inline(always)]
    fn backward<const N: usize>(self, x: &mut [__m128i; N], keys: &[__m128i; N]) {
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe { _mm_aesdec_si128(x[i], keys[i]) };
        }
    }

    #[inline(always)]
    fn backward_last<const N: usize>(self, x: &mut [__m128i; N], keys: &[__m128i; N]) {
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe { _mm_aesdeclast_si128(x[i], keys[i]) };
        }
    }

    #[inline(always)]
    fn unmix<const N: usize>(self, x: &mut [__m128i; N]) {
        for x in x {
            // SAFETY: `self` is here, so the CPU has the instructions.
            *x = unsafe { _mm_aesimc_si128(*x) };
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
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let sources = read(key.version.sources());
            let mut tweak = read(&tweak);
            for (round, (subkey, part)) in subkeys
                .iter_mut()
                .zip(&key.parts)
                .enumerate()
                .take(key.rounds + 1)
            {
                let sum = _mm_xor_si128(read(part), tweak);
                let last = decipher && round > 0;
                write(if last { _mm_aesimc_si128(sum) } else { sum }, subkey);
                tweak = _mm_shuffle_epi8(tweak, sources);
            }
        }
    }
    #[inline(always)]
    fn single(self, key: &Key, tweak: [u8; 16], block: &[u8; 16]) -> [u8; 16] {
        let mut made = [0; 16];
        let [first, parts @ ..] = &key.parts;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let sources = read(key.version.sources());
            let mut tweak = read(&tweak);
            let mut x = _mm_xor_si128(read(block), _mm_xor_si128(read(first), tweak));
            for part in parts.iter().take(key.rounds) {
                tweak = _mm_shuffle_epi8(tweak, sources);
                x = _mm_aesenc_si128(x, _mm_xor_si128(read(part), tweak));
            }
            write(x, &mut made);
        }
        made
    }
}
