// SPDX-License-Identifier: Apache-2.0
//! The SHA-256 compression function (FIPS 180-4, section 6.2.2), from the `sha2` crate.

use super::{Block, Chain, Compress};
use aead::consts::{U32, U64};
use sha2::block_api::compress256;
use zeroize::Zeroize;

/// SHA-256's compression function: n = 32 bytes, words big-endian.
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

impl Compress for Sha256 {
    type ChainSize = U32;
    type BlockSize = U64;
    const NAME: &'static str = "sha256";
    const REDUCTION: u16 = 0x425; // x^256 + x^10 + x^5 + x^2 + 1

    #[inline]
    fn compress(h: &mut Chain<Self>, block: &Block<Self>) {
        compress_bytes(&mut h.0, &block.0);
    }
}

/// F'(h, block) over SHA-256's compression function.
#[must_use]
pub fn sha256(h: &[u8; 32], block: &[u8; 64]) -> [u8; 32] {
    let mut h = *h;
    compress_bytes(&mut h, block);
    h
}

fn compress_bytes(h: &mut [u8; 32], block: &[u8; 64]) {
    let mut state = [0; 8];
    for (word, bytes) in state.iter_mut().zip(h.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    compress256(&mut state, core::slice::from_ref(block));
    for (bytes, word) in h.as_chunks_mut().0.iter_mut().zip(&state) {
        *bytes = word.to_be_bytes();
    }
    state.zeroize();
}
