// SPDX-License-Identifier: Apache-2.0
//! AES encryption (FIPS 197) as the block cipher modes want it: many blocks at once, and the sums around them without a
//! detour through memory. [`Inverse`] makes of every engine one that
//! decrypts blocks.
//!
//! A mode is written once, over an `Engine`: a vector of one, two or four blocks and what a CPU can do with it. `portable` takes
//! the `aes` crate and runs everywhere, `single` takes the instructions of x86-64 (`aesni`) or AArch64 (`neon`), `vaes256` and `vaes512`
//! those of x86-64 for two and four blocks. Which one serves is decided while the program runs, by
//! [`Path`](crate::compress::Path): `avx512` is `vaes512`, `avx2-vaes` is `vaes256`, every other path but the portable one `single`,
//! where the CPU has them too.
//!
//! None of them has a table or a branch that depends on key or data.

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod aesni;
mod doublings;
mod engine;
mod key;
#[cfg(target_arch = "aarch64")]
mod neon;
mod number;
mod portable;
mod raw;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod register;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod single;
#[cfg(target_arch = "x86_64")]
mod vaes;
#[cfg(target_arch = "x86_64")]
mod vaes256;
#[cfg(target_arch = "x86_64")]
mod vaes512;

pub(crate) use doublings::{Doublings, masked_sum};
pub(crate) use engine::{Engine, Work, part};
pub(crate) use key::{Key, Task};
pub(crate) use number::{half, head, owner, put_head, times_power};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use register::Register;
#[cfg(target_arch = "x86_64")]
pub(crate) use vaes256::first_of_two;

/// The CPU's instructions on one block.
#[cfg(target_arch = "x86_64")]
pub(crate) use aesni::AesNi as Own;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon as Own;

#[doc(hidden)]
pub use raw::RawAes128;

use aes::Block;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use core::marker::PhantomData;

/// AES with keys of one length.
pub trait Cipher: sealed::Sealed + 'static {
    /// Length of a key in bits.
    const BITS: usize;
    /// Rounds of a block.
    const ROUNDS: usize;
    /// Whether engines compute the inverse.
    #[doc(hidden)]
    const INVERSE: bool = false;
    #[doc(hidden)]
    type Portable: KeyInit + Clone + Send + Sync;
    #[doc(hidden)]
    type Inverse: KeyInit + Clone + Send + Sync;
    #[doc(hidden)]
    fn portable(key: &Self::Portable, blocks: &mut [Block]);
    #[doc(hidden)]
    fn portable_inverse(key: &Self::Inverse, blocks: &mut [Block]);
}

/// The inverse of a cipher, with its key.
#[derive(Clone, Copy, Debug)]
pub struct Inverse<A>(PhantomData<A>);

macro_rules! ciphers {
    ($($(#[$about:meta])* $name:ident $bits:literal $rounds:literal $encryption:ident $decryption:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl sealed::Sealed for $name {}

        impl Cipher for $name {
            const BITS: usize = $bits;
            const ROUNDS: usize = $rounds;
            type Portable = aes::$encryption;
            type Inverse = aes::$decryption;

            fn portable(key: &Self::Portable, blocks: &mut [Block]) {
                key.encrypt_blocks(blocks);
            }

            fn portable_inverse(key: &Self::Inverse, blocks: &mut [Block]) {
                key.decrypt_blocks(blocks);
            }
        }
    )*};
}

ciphers! {
    /// AES with keys of 16 bytes.
    Aes128 128 10 Aes128Enc Aes128Dec;
    /// AES with keys of 24 bytes.
    Aes192 192 12 Aes192Enc Aes192Dec;
    /// AES with keys of 32 bytes.
    Aes256 256 14 Aes256Enc Aes256Dec;
}

impl<A: Cipher> Cipher for Inverse<A> {
    const BITS: usize = A::BITS;
    const ROUNDS: usize = A::ROUNDS;
    const INVERSE: bool = !A::INVERSE;
    type Portable = A::Inverse;
    type Inverse = A::Portable;

    fn portable(key: &Self::Portable, blocks: &mut [Block]) {
        A::portable_inverse(key, blocks);
    }

    fn portable_inverse(key: &Self::Inverse, blocks: &mut [Block]) {
        A::portable(key, blocks);
    }
}

mod sealed {
    pub trait Sealed {}
    impl<A: super::Cipher> Sealed for super::Inverse<A> {}
}

#[cfg(test)]
mod tests;
