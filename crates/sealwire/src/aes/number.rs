// SPDX-License-Identifier: Apache-2.0
//! Blocks as elements of GF(2^128): numbers whose most significant byte is the block's first.

/// The low coefficients of x^128 + x^7 + x^2 + x + 1.
#[cfg(any(test, target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) const REDUCTION: u8 = 0x87;

/// 2^power · x, power from 0 to 15.
#[inline(always)]
pub(crate) const fn times_power(x: u128, power: u32) -> u128 {
    debug_assert!(power < 16);
    // What falls out at the top; a shift by 128 is two.
    let top = x >> 1 >> (127 - power);
    x << power ^ top ^ top << 1 ^ top << 2 ^ top << 7
}

/// What a session of a mode is recognised by, from the block L that its masks are made of: a number that no mask is.
pub(crate) const fn owner(l: [u8; 16]) -> [u8; 16] {
    times_power(u128::from_be_bytes(l), 7)
        .reverse_bits()
        .to_be_bytes()
}

/// x / 2
#[inline(always)]
pub(crate) const fn half(x: u128) -> u128 {
    // The polynomial with its x^128, halved: what a last coefficient becomes.
    const INVERSE: u128 = 1 << 127 | 0x43;
    x >> 1 ^ INVERSE & (x & 1).wrapping_neg()
}

/// The first `len` bytes of a block, padded with 80 00 .. if they are fewer than 16.
#[inline(always)]
pub(super) const fn pad(x: u128, len: usize) -> u128 {
    // A shift by 128 is two: there is nothing to cut or to pad in a whole block.
    let behind = u128::MAX >> (4 * len) >> (4 * len);
    (x & !behind) | (behind ^ behind >> 1)
}

/// Up to 16 bytes as the first ones of a block; the others are zero. Two reads that overlap, as the length, which is public,
/// wants it: a copy of so few bytes would take longer.
#[inline(always)]
pub(crate) fn head(bytes: &[u8]) -> u128 {
    let len = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        both(
            u64::from_be_bytes(*first),
            u64::from_be_bytes(*last),
            64,
            len,
        )
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|x| u32::from_be_bytes(*x).into());
        both(first, last, 32, len)
    } else {
        let shift = |i: usize| 120 - 8 * i;
        bytes
            .iter()
            .enumerate()
            .map(|(i, byte)| u128::from(*byte) << shift(i))
            .sum()
    }
}

/// `first` at the beginning, `last`, of as many bits, at the end of `len` bytes; where they overlap they are the same.
#[inline(always)]
fn both(first: u64, last: u64, bits: usize, len: usize) -> u128 {
    u128::from(first) << (128 - bits) | u128::from(last) << (128 - 8 * len)
}

/// The reverse: as many of the first bytes of a block as `bytes` has, up to 16.
#[inline(always)]
pub(crate) fn put_head(x: u128, bytes: &mut [u8]) {
    let len = bytes.len();
    if len >= 8 {
        bytes[..8].copy_from_slice(&((x >> 64) as u64).to_be_bytes());
        bytes[len - 8..].copy_from_slice(&((x >> (128 - 8 * len)) as u64).to_be_bytes());
    } else if len >= 4 {
        bytes[..4].copy_from_slice(&((x >> 96) as u32).to_be_bytes());
        bytes[len - 4..].copy_from_slice(&((x >> (128 - 8 * len)) as u32).to_be_bytes());
    } else {
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = (x >> (120 - 8 * i)) as u8;
        }
    }
}
