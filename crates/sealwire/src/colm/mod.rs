// SPDX-License-Identifier: Apache-2.0
//! COLM_0 (Andreeva, Bogdanov, Datta, Luykx, Mennink, Nandi, Tischhauser, Yasuda; second choice of the CAESAR competition for
//! defence in depth): AES with keys of 128 bits, nonces of 8 bytes, and ciphertexts that are 16 bytes longer than the message.
//!
//! Two calls a block, and a running value between them, so that what is the same in two messages shows only as long as both
//! begin alike, even under one nonce. Opening takes the inverse of AES. Associated data costs a call a block, and
//! [`Typed::with_session_ad`](crate::Typed::with_session_ad) processes it once for any number of messages.
//!
//! The designers give no tag: the last 16 bytes of their ciphertext are the tag here.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::colm::Colm0;
//!
//! let cipher = Colm0::new(&[0x42; 16].into()); // a real key is 16 random bytes
//! let nonce = [0; 8].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(sealed.len(), 14 + 16);
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

mod chain;

pub(crate) use chain::Colm0 as Chain;

use crate::chained;
use crate::mode::HashesAd;
use crate::scheme::{Fixed, WITHOUT_ZEROS};
use crate::typed::Typed;
use aead::consts::{U8, U16};

/// `colm0v1`, `colm-aes128`: key 16, nonce 8, tag 16 bytes.
pub type Colm0 = Typed<Mode, U16, U8, U16>;

/// COLM_0, as [`Typed`] wants it.
pub type Mode = chained::Mode<Chain>;

impl HashesAd for Mode {}

/// COLM_0 alone: the designers' other set has intermediate tags.
pub(crate) const SCHEMES: &[Fixed] = &[chained::entry::<Chain>("colm-aes128", WITHOUT_ZEROS)];
