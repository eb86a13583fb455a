// SPDX-License-Identifier: Apache-2.0
//! Any CPU: the `aes` crate, eight blocks a call, and numbers of 128 bits for the sums around them.

use super::number::{self, times_power};
use super::{Cipher, Engine};
use aes::cipher::Array;
use zeroize::optimization_barrier;

/// The `aes` crate under a key.
pub(super) struct Portable<'a, A: Cipher>(pub(super) &'a A::Portable);

impl<A: Cipher> Clone for Portable<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Cipher> Copy for Portable<'_, A> {}

/// 16 bytes of `text`.
fn whole(text: &[u8]) -> u128 {
    u128::from_be_bytes(*text.first_chunk().expect("a whole block"))
}

/// A block is its number here, and a vector has one.
impl<A: Cipher> Engine for Portable<'_, A> {
    type Block = u128;
    type Vector = u128;
    const LANES: usize = 1;
    #[cfg(test)]
    const NAME: &'static str = "portable";

    fn read(self, bytes: &[u8; 16]) -> u128 {
        u128::from_be_bytes(*bytes)
    }

    fn write(self, x: u128) -> [u8; 16] {
        x.to_be_bytes()
    }

    fn read_some(self, bytes: &[u8]) -> u128 {
        number::head(bytes)
    }

    fn write_some(self, x: u128, bytes: &mut [u8]) {
        number::put_head(x, bytes);
    }

    fn pad(self, x: u128, len: usize) -> u128 {
        number::pad(x, len)
    }

    fn plus(self, x: u128, y: u128) -> u128 {
        x ^ y
    }

    fn times(self, x: u128, power: u32) -> u128 {
        times_power(x, power)
    }

    fn each<const N: usize>(self, x: &mut [u128; N]) {
        self.blocks(x, &[0; N], &[0; N]);
    }

    fn blocks<const N: usize>(self, x: &mut [u128; N], before: &[u128; N], after: &[u128; N]) {
        let zeros = [Array([0; 16]); N];
        let mut blocks = zeros;
        for i in 0..N {
            blocks[i].0 = (x[i] ^ before[i]).to_be_bytes();
        }
        A::portable(self.0, &mut blocks);
        for i in 0..N {
            x[i] = u128::from_be_bytes(blocks[i].0) ^ after[i];
        }
        blocks = zeros;
        optimization_barrier(&blocks);
    }

    fn together<const N: usize>(self, _x: &mut [u128; N]) {}

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
        whole(text)
    }

    fn load_some(self, text: &[u8]) -> u128 {
        if text.is_empty() { 0 } else { self.load(text) }
    }

    fn spread(self, x: u128) -> u128 {
        x
    }

    fn store(self, x: u128, text: &mut [u8]) {
        if let Some(block) = text.first_chunk_mut() {
            *block = x.to_be_bytes();
        }
    }

    fn load_pairs(self, text: &[u8]) -> [u128; 2] {
        [whole(text), whole(&text[16..])]
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

    fn preceding(self, x: u128, _y: u128) -> u128 {
        x
    }

    fn last(self, x: u128) -> u128 {
        x
    }

    fn to_columns<const N: usize>(self, _x: &mut [u128; N]) {}

    fn out_of_columns<const N: usize>(self, _x: &mut [u128; N]) {}

    fn spaced(self, x: u128, _step: usize) -> u128 {
        x
    }

    fn carried<const POWER: usize>(self, first: u128, _ends: u128) -> u128 {
        first
    }

    fn twice(self, x: u128) -> u128 {
        times_power(x, 1)
    }

    fn lane<const N: usize>(self, x: &[u128; N], lane: usize) -> u128 {
        x[lane]
    }
}
