// SPDX-License-Identifier: Apache-2.0
//! NEON with the instructions of AArch64 for AES and for the multiplication of polynomials.
//!
//! AESE and AESD add their key first, before the S-box. A round whose key comes last is AESE with a key of zeros, AESMC and a sum.

use super::Register;
use super::number::REDUCTION;
use core::arch::{aarch64::*, asm};

/// A CPU with NEON, AES and PMULL.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

impl Neon {
    /// # Safety
    /// The CPU must have what `cpu::has_aes` asks for, and the caller must be compiled for it.
    #[inline(always)]
    pub(crate) unsafe fn new() -> Self {
        Self(())
    }
}

// Intrinsics that only some CPUs have must be called from a function that has their features, or they are not inlined.

/// The key is added, then SubBytes and ShiftRows.
#[inline]
#[target_feature(enable = "aes")]
fn substituted(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    vaeseq_u8(x, key)
}

/// The key is added, then the inverses of both.
#[inline]
#[target_feature(enable = "aes")]
fn inverse_substituted(x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    vaesdq_u8(x, key)
}

#[inline]
#[target_feature(enable = "aes")]
fn mixed(x: uint8x16_t) -> uint8x16_t {
    vaesmcq_u8(x)
}

#[inline]
#[target_feature(enable = "aes")]
fn unmixed(x: uint8x16_t) -> uint8x16_t {
    vaesimcq_u8(x)
}

/// The second word of a number times the field polynomial.
#[inline]
#[target_feature(enable = "aes")]
fn reduced(x: uint8x16_t) -> uint8x16_t {
    let polynomial = vreinterpretq_p64_u64(vdupq_n_u64(REDUCTION.into()));
    vreinterpretq_u8_p128(vmull_high_p64(vreinterpretq_p64_u8(x), polynomial))
}

impl Register for Neon {
    type Block = uint8x16_t;
    #[cfg(test)]
    const NAME: &'static str = "NEON";

    #[inline(always)]
    fn read(self, bytes: &[u8; 16]) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 16 bytes.
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn write(self, x: uint8x16_t, bytes: &mut [u8; 16]) {
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 16 bytes.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), x) };
    }

    #[inline(always)]
    fn zero(self) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vdupq_n_u8(0) }
    }

    #[inline(always)]
    fn sum(self, x: uint8x16_t, y: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { veorq_u8(x, y) }
    }

    #[inline(always)]
    fn both(self, x: uint8x16_t, y: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vandq_u8(x, y) }
    }

    #[inline(always)]
    fn encipher<const N: usize, const INVERSE: bool>(
        self,
        x: &mut [uint8x16_t; N],
        key: impl Fn(usize) -> uint8x16_t,
        rounds: usize,
        before: &[uint8x16_t; N],
        after: &[uint8x16_t; N],
    ) {
        for i in 0..N {
            x[i] = self.sum(x[i], before[i]);
        }
        for round in 0..rounds - 1 {
            let key = key(round);
            for x in &mut *x {
                // SAFETY: `self` is here, so the CPU has the instructions.
                *x = unsafe {
                    if INVERSE {
                        unmixed(inverse_substituted(*x, key))
                    } else {
                        mixed(substituted(*x, key))
                    }
                };
            }
        }
        let (key, last) = (key(rounds - 1), key(rounds));
        for i in 0..N {
            // SAFETY: `self` is here, so the CPU has the instructions.
            let made = unsafe {
                if INVERSE {
                    inverse_substituted(x[i], key)
                } else {
                    substituted(x[i], key)
                }
            };
            x[i] = self.sum(made, self.sum(last, after[i]));
        }
    }

    #[inline(always)]
    fn round(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.sum(unsafe { mixed(substituted(x, self.zero())) }, key)
    }

    #[inline(always)]
    fn last_round(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.sum(unsafe { substituted(x, self.zero()) }, key)
    }

    #[inline(always)]
    fn inverse_round(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.sum(unsafe { unmixed(inverse_substituted(x, self.zero())) }, key)
    }

    #[inline(always)]
    fn inverse_last_round(self, x: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.sum(unsafe { inverse_substituted(x, self.zero()) }, key)
    }

    #[inline(always)]
    fn unmix(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { unmixed(x) }
    }

    /// With four equal words ShiftRows changes nothing.
    #[inline(always)]
    fn substitute(self, word: u32) -> u32 {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let words = vreinterpretq_u8_u32(vdupq_n_u32(word));
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(self.last_round(words, self.zero())))
        }
    }

    #[inline(always)]
    fn picked(self, x: uint8x16_t, places: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { vqtbl1q_u8(x, places) }
    }

    #[inline(always)]
    fn reversed(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let words = vrev64q_u8(x);
            vextq_u8::<8>(words, words)
        }
    }

    #[inline(always)]
    fn to_number(self, x: uint8x16_t) -> u128 {
        // SAFETY: `self` is here, so the CPU has the instructions.
        let [low, high] = unsafe {
            let x = vreinterpretq_u64_u8(x);
            [vgetq_lane_u64::<0>(x), vgetq_lane_u64::<1>(x)]
        };
        u128::from(high) << 64 | u128::from(low)
    }

    #[inline(always)]
    fn block_of(self, x: u128) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let halves = vcombine_u64(vcreate_u64(x as u64), vcreate_u64((x >> 64) as u64));
            vreinterpretq_u8_u64(halves)
        }
    }

    #[inline(always)]
    fn times(self, x: uint8x16_t, power: usize) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let words = vreinterpretq_u64_u8(x);
            // A shift to the left by a negative number is one to the right.
            let carry = vshlq_u64(words, vdupq_n_s64(power as i64 - 64));
            let carry = vreinterpretq_u8_u64(carry);
            let shifted = vreinterpretq_u8_u64(vshlq_u64(words, vdupq_n_s64(power as i64)));
            let up = vextq_u8::<8>(self.zero(), carry);
            self.sum(self.sum(shifted, up), reduced(carry))
        }
    }

    #[inline(always)]
    fn times_bytes<const BYTES: i32>(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // The constants of the shifts must be literals; the top bytes become the lowest of the second word.
            let words = vreinterpretq_u64_u8(x);
            let (shifted, top) = match BYTES {
                1 => (vextq_u8::<15>(self.zero(), x), vshrq_n_u64::<56>(words)),
                _ => (vextq_u8::<14>(self.zero(), x), vshrq_n_u64::<48>(words)),
            };
            self.sum(shifted, reduced(vreinterpretq_u8_u64(top)))
        }
    }

    #[inline(always)]
    fn twice(self, x: uint8x16_t) -> uint8x16_t {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // What falls out at the top of each half: to the other, and to the polynomial.
            let signs = vreinterpretq_u8_s64(vshrq_n_s64::<63>(vreinterpretq_s64_u8(x)));
            let places = vcombine_u64(vcreate_u64(REDUCTION.into()), vcreate_u64(1));
            let carry = self.both(vextq_u8::<8>(signs, signs), vreinterpretq_u8_u64(places));
            let words = vreinterpretq_u64_u8(x);
            self.sum(vreinterpretq_u8_u64(vaddq_u64(words, words)), carry)
        }
    }

    #[inline(always)]
    fn together<const N: usize>(self, x: &mut [uint8x16_t; N]) {
        if let Some([a, b, c, d, e, f, g, h]) = x.first_chunk_mut() {
            // SAFETY: there is no instruction; the CPU has the registers.
            unsafe {
                asm!(
                    "/* {:v} {:v} {:v} {:v} {:v} {:v} {:v} {:v} */",
                    inout(vreg) * a,
                    inout(vreg) * b,
                    inout(vreg) * c,
                    inout(vreg) * d,
                    inout(vreg) * e,
                    inout(vreg) * f,
                    inout(vreg) * g,
                    inout(vreg) * h,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
        }
    }
}
