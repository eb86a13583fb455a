// SPDX-License-Identifier: Apache-2.0
//! The rolling function of Ascon-Farfalle's masks: multiplication by x^64 in GF(2)\[x\] modulo the primitive polynomial
//! f = x^320 + x^4 + x^3 + x + 1, word i holding coefficients 64 i to 64 i + 63.
//!
//! Rolling moves the words up by one, so that the masks of successive blocks are windows of one sequence of words: with
//! s\[0..4\] = w4, w3, w2, w1 of a mask, the mask j steps on has w4, w3, w2, w1 = s\[j..j+4\], and its w0 is
//! s\[j+4\] + high(s\[j\]).

use super::Words;

/// x·(1 + x + x^3 + x^4), the lower 64 coefficients: what x^320·x is congruent to.
#[inline(always)]
const fn low(x: u64) -> u64 {
    x ^ x << 1 ^ x << 3 ^ x << 4
}

/// The upper ones.
#[inline(always)]
const fn high(x: u64) -> u64 {
    x >> 63 ^ x >> 61 ^ x >> 60
}

/// The mask of the next block.
#[inline(always)]
pub(crate) const fn roll([w0, w1, w2, w3, w4]: Words) -> Words {
    [low(w4), w0 ^ high(w4), w1, w2, w3]
}

/// The first words of the sequence that begins with this mask.
#[inline(always)]
#[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) fn sequence<const N: usize>([w0, w1, w2, w3, w4]: Words) -> [u64; N] {
    let mut s = [0; N];
    s[..5].copy_from_slice(&[w4, w3, w2, w1, w0 ^ high(w4)]);
    for i in 5..N {
        s[i] = low(s[i - 5]) ^ high(s[i - 4]);
    }
    s
}

/// The mask whose window begins at `j`.
#[inline(always)]
#[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) fn window(s: &[u64], j: usize) -> Words {
    [s[j + 4] ^ high(s[j]), s[j + 3], s[j + 2], s[j + 1], s[j]]
}
