// SPDX-License-Identifier: Apache-2.0
//! AES-NI, carry-less multiplication and AVX2 of x86-64.

use super::Register;
use super::number::REDUCTION;
use core::arch::{asm, x86_64::*};

/// A CPU with AES-NI, PCLMULQDQ and AVX2.
#[derive(Clone, Copy)]
pub(crate) struct AesNi(());

impl AesNi {
    /// # Safety
    /// The CPU must have what `cpu::has_aes` asks for, and the caller must be compiled for it.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

/// Defines methods that are one intrinsic each.
macro_rules! by {
    ($($name:ident($($x:ident),*) $intrinsic:ident;)*) => {
        $(#[inline(always)]
        fn $name(self, $($x: __m128i),*) -> __m128i {
            // SAFETY: `self` is here, so the CPU has the instructions.
            unsafe { $intrinsic($($x),*) }
        })*
    };
}

impl Register for AesNi {
    type Block = __m128i;
    #[cfg(test)]
    const NAME: &'static str = "AES-NI";

    by! {
        zero() _mm_setzero_si128;
        sum(x, y) _mm_xor_si128;
        both(x, y) _mm_and_si128;
        round(x, key) _mm_aesenc_si128;
        last_round(x, key) _mm_aesenclast_si128;
        inverse_round(x, key) _mm_aesdec_si128;
        inverse_last_round(x, key) _mm_aesdeclast_si128;
        unmix(x) _mm_aesimc_si128;
        picked(x, places) _mm_shuffle_epi8;
    }

    #[inline(always)]
    fn read(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 16 bytes.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn write(self, x: __m128i, bytes: &mut [u8; 16]) {
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 16 bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), x) };
    }

    #[inline(always)]
    fn encipher<const N: usize, const INVERSE: bool>(
        self,
        x: &mut [__m128i; N],
        key: impl Fn(usize) -> __m128i,
        rounds: usize,
        before: &[__m128i; N],
        after: &[__m128i; N],
    ) {
        let first = key(0);
        for i in 0..N {
            x[i] = self.sum(self.sum(x[i], before[i]), first);
        }
        for round in 1..rounds {
            self.together(x);
            let key = key(round);
            for x in &mut *x {
                *x = if INVERSE {
                    self.inverse_round(*x, key)
                } else {
                    self.round(*x, key)
                };
            }
        }
        self.together(x);
        let last = key(rounds);
        for i in 0..N {
            let last = self.sum(last, after[i]);
            x[i] = if INVERSE {
                self.inverse_last_round(x[i], last)
            } else {
                self.last_round(x[i], last)
            };
        }
    }

    /// With four equal words ShiftRows changes nothing.
    #[inline(always)]
    fn substitute(self, word: u32) -> u32 {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let words = _mm_set1_epi32(word.cast_signed());
            _mm_cvtsi128_si32(self.last_round(words, self.zero())).cast_unsigned()
        }
    }

    #[inline(always)]
    fn reversed(self, x: __m128i) -> __m128i {
        self.picked(x, reverse())
    }

    #[inline(always)]
    fn to_number(self, x: __m128i) -> u128 {
        // SAFETY: `self` is here, so the CPU has the instructions.
        let [low, high] = unsafe { [_mm_cvtsi128_si64(x), _mm_extract_epi64::<1>(x)] };
        u128::from(high.cast_unsigned()) << 64 | u128::from(low.cast_unsigned())
    }

    #[inline(always)]
    fn block_of(self, x: u128) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_set_epi64x((x >> 64) as i64, x as i64) }
    }

    #[inline(always)]
    fn times(self, x: __m128i, power: usize) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let carry = _mm_srl_epi64(x, _mm_cvtsi64_si128(64 - power as i64));
            let over = _mm_clmulepi64_si128::<0>(_mm_srli_si128::<8>(carry), reduction());
            let shifted = _mm_sll_epi64(x, _mm_cvtsi64_si128(power as i64));
            _mm_xor_si128(_mm_xor_si128(shifted, _mm_slli_si128::<8>(carry)), over)
        }
    }

    #[inline(always)]
    fn times_bytes<const BYTES: i32>(self, x: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // The constants of the two shifts must be literals.
            let (shifted, top) = match BYTES {
                1 => (_mm_slli_si128::<1>(x), _mm_srli_si128::<15>(x)),
                _ => (_mm_slli_si128::<2>(x), _mm_srli_si128::<14>(x)),
            };
            _mm_xor_si128(shifted, _mm_clmulepi64_si128::<0>(top, reduction()))
        }
    }

    #[inline(always)]
    fn twice(self, x: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // What falls out at the top of each half: to the other, and to the polynomial.
            let signs = _mm_shuffle_epi32::<0b01_01_11_11>(_mm_srai_epi32::<31>(x));
            let carry = _mm_and_si128(signs, _mm_set_epi64x(1, REDUCTION.into()));
            _mm_xor_si128(_mm_add_epi64(x, x), carry)
        }
    }

    #[inline(always)]
    fn together<const N: usize>(self, x: &mut [__m128i; N]) {
        if let Some([a, b, c, d, e, f, g, h]) = x.first_chunk_mut() {
            // SAFETY: there is no instruction; the CPU has the registers.
            unsafe {
                asm!(
                    "/* {} {} {} {} {} {} {} {} */",
                    inout(xmm_reg) * a,
                    inout(xmm_reg) * b,
                    inout(xmm_reg) * c,
                    inout(xmm_reg) * d,
                    inout(xmm_reg) * e,
                    inout(xmm_reg) * f,
                    inout(xmm_reg) * g,
                    inout(xmm_reg) * h,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
        }
    }
}

/// The last byte first.
#[inline(always)]
pub(super) fn reverse() -> __m128i {
    // SAFETY: every x86-64 has this instruction.
    unsafe { _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f) }
}

/// The field polynomial.
#[inline(always)]
pub(super) fn reduction() -> __m128i {
    // SAFETY: every x86-64 has this instruction.
    unsafe { _mm_set_epi64x(0, REDUCTION.into()) }
}
