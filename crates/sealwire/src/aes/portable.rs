// SPDX-License-Identifier: Apache-2.0
//! Any CPU: the `aes` crate, eight blocks a call, and numbers of 128 bits for the sums around them.

use super::number::times_power;
use super::{Cipher, Engine};
use aes::cipher::{Array, BlockCipherEncrypt};

/// The `aes` crate under a key.
pub(super) struct Portable<'a, A: Cipher>(pub(super) &'a A::Portable);

impl<A: Cipher> Clone for Portable<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Cipher> Copy for Portable<'_, A> {}

/// 16 bytes of `text`.
fn number(text: &[u8]) -> u128 {
    u128::from_be_bytes(*text.first_chunk().expect("a whole block"))
}

/// A block is its number here.
impl<A: Cipher> Engine for Portable<'_, A> {
    type Vector = u128;
    const LANES: usize = 1;

    fn block(self, x: u128) -> u128 {
        let mut block = Array(x.to_be_bytes());
        self.0.encrypt_block(&mut block);
        u128::from_be_bytes(block.0)
    }

    fn blocks<const N: usize>(self, x: &mut [u128; N], before: &[u128; N], after: &[u128; N]) {
        let mut blocks = [Array([0; 16]); N];
        for i in 0..N {
            blocks[i].0 = (x[i] ^ before[i]).to_be_bytes();
        }
        self.0.encrypt_blocks(&mut blocks);
        for i in 0..N {
            x[i] = u128::from_be_bytes(blocks[i].0) ^ after[i];
        }
    }

    fn zero(self) -> u128 {
        0
    }

    fn sum(self, x: u128, y: u128) -> u128 {
        x ^ y
    }

    fn fold(self, x: u128) -> u128 {
        x
    }

    fn keep(self, x: u128, count: usize) -> u128 {
        if count == 0 { 0 } else { x }
    }

    fn load(self, text: &[u8]) -> u128 {
        number(text)
    }

    fn load_pairs(self, text: &[u8]) -> [u128; 2] {
        [number(text), number(&text[16..])]
    }

    fn load_some_pairs(self, text: &[u8]) -> [u128; 2] {
        if text.is_empty() {
            [0; 2]
        } else {
            self.load_pairs(text)
        }
    }

    fn store_pairs(self, pair: [u128; 2], text: &mut [u8]) {
        for (block, x) in text.as_chunks_mut().0.iter_mut().zip(pair) {
            *block = x.to_be_bytes();
        }
    }

    fn powers(self, x: u128, first: usize) -> u128 {
        times_power(x, first as u32)
    }

    fn times_bytes<const BYTES: i32>(self, mut x: u128) -> u128 {
        for _ in 0..BYTES {
            x = times_power(x, 8);
        }
        x
    }

    fn masks(self, x: u128) -> u128 {
        x
    }

    fn following(self, _x: u128, y: u128) -> u128 {
        y
    }

    fn lane(self, x: u128, _lane: usize) -> u128 {
        x
    }

    /// Four blocks in one call of the crate take hardly longer than one.
    fn each(self, blocks: &mut [u128]) {
        for blocks in blocks.chunks_mut(8) {
            let mut arrays: [_; 8] =
                core::array::from_fn(|i| Array(blocks.get(i).copied().unwrap_or(0).to_be_bytes()));
            self.0.encrypt_blocks(&mut arrays[..blocks.len()]);
            for (block, array) in blocks.iter_mut().zip(arrays) {
                *block = u128::from_be_bytes(array.0);
            }
        }
    }
}
