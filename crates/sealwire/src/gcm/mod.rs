// SPDX-License-Identifier: Apache-2.0
//! AES-GCM (NIST SP 800-38D): AES with keys of 128 or 256 bits in counter mode and a polynomial hash, nonces of 12 bytes, tags of 16.
//!
//! The standard that every other library has, so that peers without Sealwire's schemes can be talked to through the same calls.
//! The crate `aes-gcm` computes it: with the instructions of the CPU for AES and for products of polynomials where there are
//! any, and without tables that a secret indexes elsewhere.
//!
//! A repeated nonce reveals the difference of the two messages and lets the authentication key be computed. At most 2^32
//! messages under one key may have nonces drawn at random; a message has at most 2^36 - 32 bytes.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::gcm::Aes256Gcm;
//!
//! let cipher = Aes256Gcm::new(&[0x42; 32].into()); // a real key is 32 random bytes
//! let nonce = [0; 12].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

mod core;
mod family;
mod table;

pub(crate) use self::core::Core;
pub use family::{Aes128Gcm, Aes256Gcm, Mode};
pub(crate) use table::SCHEMES;
