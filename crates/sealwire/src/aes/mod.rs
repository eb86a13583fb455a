// SPDX-License-Identifier: Apache-2.0
//! AES encryption (FIPS 197) as the block cipher modes want it: many blocks at once, and the sums around them without a
//! detour through memory. Decryption of a block is not here; no mode of this library needs it.
//!
//! A mode is written once, over an `Engine`: a vector of one block or of four and what a CPU can do with it. `portable` takes
//! the `aes` crate and runs everywhere, `aesni` and `vaes` take the instructions of x86-64. Which one serves is decided while
//! the program runs, by [`Path`](crate::compress::Path): `avx2` is `aesni`, `avx512` is `vaes`, where the CPU has them too.
//!
//! None of them has a table or a branch that depends on key or data.

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod aesni;
mod engine;
mod key;
mod number;
mod portable;
#[cfg(target_arch = "x86_64")]
mod vaes;

pub(crate) use engine::Engine;
pub(crate) use key::{Key, Task};
pub(crate) use number::{head, put_head, times_power};

use aes::cipher::KeyInit;
use aes::cipher::consts::U16;
use aes::cipher::{BlockCipherEncrypt, BlockSizeUser};

/// AES with keys of one length.
pub trait Cipher: sealed::Sealed + 'static {
    /// Length of a key in bits.
    const BITS: usize;
    /// Rounds of a block.
    const ROUNDS: usize;
    #[doc(hidden)]
    type Portable: KeyInit
        + BlockCipherEncrypt
        + BlockSizeUser<BlockSize = U16>
        + Clone
        + Send
        + Sync;
}

/// AES with keys of 16 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Aes128 {}

/// AES with keys of 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Aes256 {}

impl Cipher for Aes128 {
    const BITS: usize = 128;
    const ROUNDS: usize = 10;
    type Portable = aes::Aes128Enc;
}

impl Cipher for Aes256 {
    const BITS: usize = 256;
    const ROUNDS: usize = 14;
    type Portable = aes::Aes256Enc;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Aes128 {}
    impl Sealed for super::Aes256 {}
}

#[cfg(test)]
mod tests;
