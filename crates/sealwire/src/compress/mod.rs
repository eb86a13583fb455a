// SPDX-License-Identifier: Apache-2.0
//! Compression functions F'(H, B) over byte strings: n bytes of chaining value, 2n bytes of block, n bytes of result.
//!
//! No initial value, no padding and no length block belongs to F'; the final feed-forward does. Running time depends
//! on nothing but the function.
//!
//! ```
//! // The first block of SHA-256("abc") is its only one.
//! let iv = hex_literal::hex!("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19");
//! let mut block = [0; 64];
//! block[..4].copy_from_slice(b"abc\x80");
//! block[63] = 24;
//! let hash = sealwire::compress::sha256(&iv, &block);
//! assert_eq!(hash[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```

mod blake2b;
mod lanes;
mod sha256;
mod sha512;

pub use lanes::{Path, force_path};

pub use blake2b::{Blake2b, blake2b};
pub use sha256::{Sha256, sha256};
pub use sha512::{Sha512, sha512};

use crate::key::{Straight, Work};
use aead::common::array::{Array, ArraySize};

/// A chaining value of `F`.
pub type Chain<F> = Array<u8, <F as Compress>::ChainSize>;
/// A block of `F`, twice as long as a chaining value.
pub type Block<F> = Array<u8, <F as Compress>::BlockSize>;

/// A compression function with a chaining value of n bytes and blocks of 2n bytes.
pub trait Compress: Sized {
    /// n.
    type ChainSize: ArraySize;
    /// 2n.
    type BlockSize: ArraySize;
    /// The function's name inside scheme names.
    const NAME: &'static str;
    /// The low 16 coefficients of the polynomial that defines GF(2^8n) for this n.
    const REDUCTION: u16;

    /// h becomes F'(h, block).
    fn compress(h: &mut Chain<Self>, block: &Block<Self>);

    /// What follows from the first half of the block, the key; wiped when it is dropped.
    #[doc(hidden)]
    type Schedule: Clone;

    /// How many calls are worth making at once.
    #[doc(hidden)]
    const LANES: usize = 1;

    #[doc(hidden)]
    fn schedule(key: &Chain<Self>) -> Self::Schedule;

    /// In the first `active` elements h becomes F'(h, key || data); the others may be overwritten.
    #[doc(hidden)]
    fn calls(key: &Self::Schedule, works: &mut [Work<Self>], active: usize);

    /// Whether there is a fast way for exactly so many messages in step.
    #[doc(hidden)]
    fn has_lanes(_count: usize) -> bool {
        false
    }

    /// As [`Straight`] says with this table of L[0], L[1], .., where `has_lanes`.
    #[doc(hidden)]
    fn straight(_key: &Self::Schedule, _table: &[Chain<Self>], _straight: Straight<'_, '_, Self>) {
        unreachable!("there are no lanes")
    }
}

#[cfg(test)]
mod tests;
