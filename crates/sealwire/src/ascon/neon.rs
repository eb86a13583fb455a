// SPDX-License-Identifier: Apache-2.0
//! 128-bit registers with the instructions that AArch64 has for SHA-3: four states in two registers, because what waits in one
//! leaves the units free for the other.
//!
//! Without these instructions a rotation takes two, where general registers rotate on the way into a sum: 50 instructions a
//! round for two states are no fewer than twice the 28 for one there.

use super::lanes::{self, Lanes};
use super::roll::{sequence, window};
use super::round::{Two, Word, six_but_linear};
use super::scalar::{self, add_total};
use super::{Rows, Words};
use core::arch::aarch64::*;
use zeroize::Zeroize;

/// A word of two states. It is made only where the CPU has the instructions.
#[derive(Clone, Copy)]
struct U64x2(uint64x2_t);

// Intrinsics that only some CPUs have must be called from a function that has their features, or they are not inlined.

#[inline]
#[target_feature(enable = "sha3")]
fn sum(x: uint64x2_t, y: uint64x2_t, z: uint64x2_t) -> uint64x2_t {
    veor3q_u64(x, y, z)
}

/// x + (1 + y)·z, bit by bit
#[inline]
#[target_feature(enable = "sha3")]
fn chi(x: uint64x2_t, y: uint64x2_t, z: uint64x2_t) -> uint64x2_t {
    vbcaxq_u64(x, z, y)
}

/// To the right.
#[inline]
#[target_feature(enable = "sha3")]
fn rotate<const COUNT: i32>(x: uint64x2_t) -> uint64x2_t {
    vxarq_u64::<COUNT>(x, vdupq_n_u64(0))
}

impl Word for U64x2 {
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { veorq_u64(self.0, y.0) })
    }

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { sum(self.0, y.0, z.0) })
    }

    #[inline(always)]
    fn chi(self, y: Self, z: Self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { chi(self.0, y.0, z.0) })
    }

    #[inline(always)]
    fn not_chi(self, y: Self, z: Self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.chi(y, z).xor(Self(unsafe { vdupq_n_u64(u64::MAX) }))
    }

    #[inline(always)]
    fn xor_constant(self, y: Self, constant: u64) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.xor3(y, Self(unsafe { vdupq_n_u64(constant) }))
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { rotate::<COUNT>(self.0) })
    }
}

impl Lanes<4> for Two<U64x2> {
    #[inline(always)]
    unsafe fn gather([a, b, c, d]: [u64; 4]) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Two(U64x2(pair(a, b)), U64x2(pair(c, d))) }
    }

    #[inline(always)]
    fn scatter(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 32 bytes.
        unsafe {
            vst1q_u64(words.as_mut_ptr(), self.0.0);
            vst1q_u64(words[2..].as_mut_ptr(), self.1.0);
        }
        words
    }
}

/// See [`lanes::permute_rows`].
///
/// # Safety
/// The CPU has the instructions for SHA-3.
#[inline(always)]
pub(super) unsafe fn permute_rows(rows: &mut Rows, rounds: usize) {
    // SAFETY: the caller's promise.
    unsafe { lanes::permute_rows::<Two<U64x2>, 4>(rows, rounds) };
}

/// See [`lanes::absorb`].
///
/// # Safety
/// The CPU has the instructions for SHA-3. Every slice has at least so many blocks.
#[inline(always)]
pub(super) unsafe fn absorb<const RATE: usize, const BE: bool>(
    states: &mut [Words; 4],
    data: &[&[u8]; 4],
    blocks: usize,
    rounds: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { lanes::absorb::<Two<U64x2>, 4, RATE, BE>(states, data, blocks, rounds) };
}

/// See `scalar::sum_blocks`; two times two blocks at a time.
///
/// # Safety
/// The CPU has the instructions for SHA-3.
#[inline(always)]
pub(super) unsafe fn sum_blocks(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    let mut s: [u64; 8] = sequence(*mask);
    let mut total = [0; 5];
    let (groups, rest) = data.as_chunks::<160>();
    // SAFETY: the caller knows the CPU; `s` has the 64 bytes that are read and written.
    unsafe {
        let mut words = [vdupq_n_u64(0); 4];
        for (i, words) in words.iter_mut().enumerate() {
            *words = vld1q_u64(s[2 * i..].as_ptr());
        }
        let mut totals = [U64x2(vdupq_n_u64(0)); 5];
        for group in groups {
            let (x, y) = group.split_at(80);
            let [a, b, c, d] = words;
            let between = [one_on(a, b), one_on(b, c), one_on(c, d)];
            let x = masked(x, [high(a, c), between[1], b, between[0], a]);
            let y = masked(y, [high(b, d), between[2], c, between[1], b]);
            words = [c, d, high(c, low(between[1])), high(d, low(between[2]))];
            let mut both = [Two(x[0], y[0]); 5];
            for i in 0..5 {
                both[i] = Two(x[i], y[i]);
            }
            let both = six_but_linear(both);
            for i in 0..5 {
                totals[i] = totals[i].xor3(both[i].0, both[i].1);
            }
        }
        for (i, words) in words.into_iter().enumerate() {
            vst1q_u64(s[2 * i..].as_mut_ptr(), words);
        }
        *mask = window(&s, 0);
        for (total, lanes) in total.iter_mut().zip(totals) {
            vst1q_u64(s.as_mut_ptr(), lanes.0);
            *total = s[0] ^ s[1];
        }
    }
    s.zeroize();
    add_total(sum, &mut total);
    scalar::sum_blocks(mask, sum, rest);
}

/// Two blocks of 40 bytes under their masks, a block in each lane.
///
/// # Safety
/// The CPU has NEON, and there are 80 bytes.
#[inline(always)]
unsafe fn masked(blocks: &[u8], masks: [uint64x2_t; 5]) -> [U64x2; 5] {
    let word = |at: usize| u64::from_le_bytes(*blocks[at..].first_chunk().expect("80 bytes"));
    // SAFETY: the caller's promise; 16 bytes are read at 0, 16, 40 and 56.
    unsafe {
        let row = |at: usize| vreinterpretq_u64_u8(vld1q_u8(blocks[at..].as_ptr()));
        let rows = [row(0), row(40), row(16), row(56)];
        let words = [
            vtrn1q_u64(rows[0], rows[1]),
            vtrn2q_u64(rows[0], rows[1]),
            vtrn1q_u64(rows[2], rows[3]),
            vtrn2q_u64(rows[2], rows[3]),
            pair(word(32), word(72)),
        ];
        let mut masked = [U64x2(words[0]); 5];
        for i in 0..5 {
            masked[i] = U64x2(veorq_u64(words[i], masks[i]));
        }
        masked
    }
}

/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn pair(first: u64, second: u64) -> uint64x2_t {
    // SAFETY: the caller's promise.
    unsafe { vcombine_u64(vcreate_u64(first), vcreate_u64(second)) }
}

/// The two words that begin one word on, of two registers in a row.
///
/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn one_on(x: uint64x2_t, y: uint64x2_t) -> uint64x2_t {
    // SAFETY: the caller's promise.
    unsafe { vextq_u64::<1>(x, y) }
}

/// What the rolling function makes of words, the lower half.
///
/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn low(x: uint64x2_t) -> uint64x2_t {
    // SAFETY: the caller's promise.
    unsafe {
        let part = veorq_u64(vshlq_n_u64::<1>(x), vshlq_n_u64::<3>(x));
        veorq_u64(veorq_u64(x, part), vshlq_n_u64::<4>(x))
    }
}

/// y + the upper half of what the rolling function makes of x.
///
/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn high(x: uint64x2_t, y: uint64x2_t) -> uint64x2_t {
    // SAFETY: the caller's promise.
    unsafe {
        let part = veorq_u64(vshrq_n_u64::<63>(x), vshrq_n_u64::<61>(x));
        veorq_u64(veorq_u64(y, part), vshrq_n_u64::<60>(x))
    }
}
