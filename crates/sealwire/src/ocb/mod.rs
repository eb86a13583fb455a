// SPDX-License-Identifier: Apache-2.0
//! OCB (RFC 7253; also called OCB3): AES with keys of 128, 192 or 256 bits, nonces of 12 bytes, tags of 16, 12 or 8.
//!
//! One call a block, all of them independent of one another; opening takes the inverse of AES. Associated data costs a call
//! a block, and [`Typed::with_session_ad`](crate::Typed::with_session_ad) processes it once for any number of messages.
//!
//! A repeated nonce reveals relations between the two messages and costs authenticity for good. The bound is of the birthday
//! kind: RFC 7253 allows 2^48 blocks under one key.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::ocb::Aes128Ocb;
//!
//! let cipher = Aes128Ocb::new(&[0x42; 16].into()); // a real key is 16 random bytes
//! let nonce = [0; 12].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

mod core;
mod family;
mod masks;
mod table;

pub(crate) use self::core::Core;
pub use family::{
    Aes128Ocb, Aes128OcbTag64, Aes128OcbTag96, Aes192Ocb, Aes192OcbTag64, Aes192OcbTag96,
    Aes256Ocb, Aes256OcbTag64, Aes256OcbTag96, Mode,
};
pub(crate) use table::SCHEMES;
