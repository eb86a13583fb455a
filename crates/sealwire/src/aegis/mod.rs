// SPDX-License-Identifier: Apache-2.0
//! AEGIS-128L and AEGIS-256 (Wu, Preneel; CAESAR portfolio for high-performance applications; RFC 10032, informational): a state
//! of eight or six blocks that rounds of AES stir, 32 or 16 bytes of the message at a time.
//!
//! | name | key and nonce, bytes | tag, bytes |
//! |---|---|---|
//! | [`Aegis128L`], [`Aegis128LTag256`] | 16, 16 | 16 or 32 |
//! | [`Aegis256`], [`Aegis256Tag256`] | 32, 32 | 16 or 32 |
//!
//! No block is enciphered on its own, so that nothing wears off with the number of blocks; there is no proof either. A nonce that
//! serves twice shows the difference of the messages, and from a few such messages an attacker computes the state: secrecy and
//! authenticity are lost for that nonce. Unverified plaintext does the same harm. Associated data cannot be processed ahead.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::aegis::Aegis256;
//!
//! let cipher = Aegis256::new(&[0x42; 32].into()); // a real key is 32 random bytes
//! let nonce = [0; 32].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]

mod core;
mod family;
mod portable;
mod rounds;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod single;
mod state;
mod table;

pub(crate) use self::core::Core;
pub use family::{
    Aegis128L, Aegis128LTag256, Aegis256, Aegis256Tag256, L128, L128Tag256, L256, L256Tag256, Mode,
    Scheme,
};
pub(crate) use table::SCHEMES;
