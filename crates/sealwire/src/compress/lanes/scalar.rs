// SPDX-License-Identifier: Apache-2.0
//! One lane: the portable form of the kernels.

use super::words::Words;
use core::borrow::{Borrow, BorrowMut};

macro_rules! scalar {
    ($name:ident, $word:ty, $n:literal) => {
        /// One lane of words.
        #[derive(Clone, Copy)]
        pub(super) struct $name($word);

        impl Words<1> for $name {
            type Word = $word;
            type Row = [u8; $n];

            #[inline(always)]
            fn splat(self, word: $word) -> Self {
                Self(word)
            }

            #[inline(always)]
            fn spread(self, row: &[u8; $n]) -> [Self; 8] {
                let (words, _) = row.as_chunks();
                core::array::from_fn(|i| Self(<$word>::from_ne_bytes(words[i])))
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
                Self(<$word>::from_be(self.0))
            }

            #[inline(always)]
            fn little_endian(self) -> Self {
                Self(<$word>::from_le(self.0))
            }

            #[inline(always)]
            unsafe fn load<R: Borrow<[u8; $n]>>([row]: &[R; 1]) -> [Self; 8] {
                let (words, _) = row.borrow().as_chunks();
                core::array::from_fn(|i| Self(<$word>::from_ne_bytes(words[i])))
            }

            #[inline(always)]
            fn store<R: BorrowMut<[u8; $n]>>(words: [Self; 8], [row]: &mut [R; 1]) {
                for (bytes, word) in row.borrow_mut().as_chunks_mut().0.iter_mut().zip(words) {
                    *bytes = word.0.to_ne_bytes();
                }
            }
        }
    };
}

scalar!(U64x1, u64, 64);
scalar!(U32x1, u32, 32);
