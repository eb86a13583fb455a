// SPDX-License-Identifier: Apache-2.0
//! Minalpher version 1.1 (Sasaki, Todo, Aoki, Naito, Sugawara, Murakami, Matsui, Hirose; second round of the CAESAR competition): a
//! permutation of 32 bytes between masks, encryption first and then a MAC of the ciphertext.
//!
//! Keys have 16 bytes, nonces 13. Two calls of the permutation a block of 32 bytes, and one for each of associated data, which can
//! be processed ahead. A repeated nonce shows which blocks are equal at the same place; authenticity is meant to stay, with
//! unverified plaintext too.
//!
//! The designers' ciphertext has whole blocks and a tag of 16 bytes, 17 to 48 bytes more than the message. What it has beyond the
//! message's length is the beginning of the tag here, and zeros are the rest of its 48 bytes;
//! [`Scheme::published_len`](crate::Scheme::published_len) says how long it is without them.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::minalpher::Minalpher;
//!
//! let cipher = Minalpher::new(&[0x42; 16].into()); // a real key is 16 random bytes
//! let nonce = [0; 13].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(sealed.len(), 14 + 48);
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//!
//! let scheme = sealwire::scheme::find("minalpher").expect("a registered name");
//! assert_eq!(scheme.published_len(14), 32 + 16);
//! assert_eq!(sealed[48..], [0; 14]);
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

mod core;
mod family;
mod mask;
mod permutation;
mod rows;
mod table;

pub(crate) use self::core::Core;
pub use family::{Minalpher, Mode};
pub(crate) use table::SCHEMES;
