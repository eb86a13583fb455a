// SPDX-License-Identifier: Apache-2.0
//! One lane: the portable form of the kernels.

use super::words::Words;

/// One lane of words of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct U64x1(u64);

impl Words<1> for U64x1 {
    type Word = u64;
    type Row = [u8; 64];

    #[inline(always)]
    fn splat(self, word: u64) -> Self {
        Self(word)
    }

    #[inline(always)]
    fn spread(self, row: &[u8; 64]) -> [Self; 8] {
        let (words, _) = row.as_chunks();
        core::array::from_fn(|i| Self(u64::from_ne_bytes(words[i])))
    }

    #[inline(always)]
    fn add(self, y: Self) -> Self {
        Self(self.0.wrapping_add(y.0))
    }

    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        Self(self.0 ^ y.0)
    }

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        Self(self.0 ^ y.0 ^ z.0)
    }

    #[inline(always)]
    fn choose(self, y: Self, z: Self) -> Self {
        Self((self.0 & (y.0 ^ z.0)) ^ z.0)
    }

    #[inline(always)]
    fn majority(self, y: Self, z: Self) -> Self {
        Self(((self.0 ^ y.0) & (y.0 ^ z.0)) ^ y.0)
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        Self(self.0.rotate_right(COUNT.cast_unsigned()))
    }

    #[inline(always)]
    fn shift_right<const COUNT: u32>(self) -> Self {
        Self(self.0 >> COUNT)
    }

    #[inline(always)]
    fn big_endian(self) -> Self {
        Self(u64::from_be(self.0))
    }

    #[inline(always)]
    fn little_endian(self) -> Self {
        Self(u64::from_le(self.0))
    }

    #[inline(always)]
    unsafe fn load([row]: [*const [u8; 64]; 1]) -> [Self; 8] {
        // SAFETY: the caller says so.
        let row = unsafe { &*row };
        let mut words = [Self(0); 8];
        for (word, bytes) in words.iter_mut().zip(row.as_chunks().0) {
            *word = Self(u64::from_ne_bytes(*bytes));
        }
        words
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], [row]: [*mut [u8; 64]; 1]) {
        // SAFETY: the caller says so.
        let row = unsafe { &mut *row };
        for (bytes, word) in row.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.0.to_ne_bytes();
        }
    }
}
