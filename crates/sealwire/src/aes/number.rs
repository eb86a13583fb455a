// SPDX-License-Identifier: Apache-2.0
//! Blocks as elements of GF(2^128): numbers whose most significant byte is the block's first.

/// The low coefficients of x^128 + x^7 + x^2 + x + 1.
pub(super) const REDUCTION: u8 = 0x87;

/// 2^power · x, power from 0 to 15.
#[inline(always)]
pub(crate) const fn times_power(x: u128, power: u32) -> u128 {
    debug_assert!(power < 16);
    // What falls out at the top; a shift by 128 is two.
    let top = x >> 1 >> (127 - power);
    x << power ^ top ^ top << 1 ^ top << 2 ^ top << 7
}

/// 1 to 16 bytes as a block that is padded with 80 00 .. if they are fewer than 16; of none it is 80 00 ..
#[inline(always)]
pub(crate) fn from_short(bytes: &[u8]) -> u128 {
    let mut block = [0; 16];
    block[..bytes.len()].copy_from_slice(bytes);
    if let Some(end) = block.get_mut(bytes.len()) {
        *end = 0x80;
    }
    u128::from_be_bytes(block)
}
