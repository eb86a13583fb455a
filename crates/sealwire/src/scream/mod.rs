// SPDX-License-Identifier: Apache-2.0
//! SCREAM version 3 with 10 or 12 steps (Grosso, Leurent, Standaert, Varici, Journault, Durvaux, Gaspar, Kerckhof; second round of the
//! CAESAR competition): a block cipher that takes a tweak with every block, made of logic on rows of bits.
//!
//! **Historical: do not use.** Of the 2^128 keys 2^96 are weak (Todo, Leander, Sasaki, 2016). SCREAM is here so that what was
//! published about it can be repeated.
//!
//! Keys have 16 bytes, nonces 11, tags 16. Every block has a tweak of its own, which holds the nonce; associated data, too, so
//! that it cannot be processed ahead. A repeated nonce shows which blocks are equal at the same place, and costs authenticity.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::scream::Scream10;
//!
//! let cipher = Scream10::new(&[0x42; 16].into());
//! let nonce = [0; 11].into();
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

mod cipher;
mod core;
mod family;
mod table;

pub(crate) use self::core::Core;
pub use family::{Mode, Scream10, Scream12};
pub(crate) use table::SCHEMES;
