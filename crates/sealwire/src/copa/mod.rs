// SPDX-License-Identifier: Apache-2.0
//! AES-COPA version 2 (Andreeva, Bogdanov, Luykx, Mennink, Tischhauser, Yasuda; third round of the CAESAR competition): AES with
//! keys of 128 bits and nonces of 16 bytes.
//!
//! Two calls a block, and a running sum between them, so that what is the same in two messages shows only as long as both
//! begin alike, even under one nonce. Opening takes the inverse of AES. Associated data costs a call a block and cannot be
//! processed ahead.
//!
//! The designers' ciphertext has whole blocks, a tag and a byte that says whether the last block is padded, 17 to 33 bytes more
//! than the message. What it has beyond the message's length is the beginning of the tag here, and zeros are the rest of its
//! 33 bytes; [`Scheme::published_len`](crate::Scheme::published_len) says how long it is without them.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::copa::Aes128Copa;
//!
//! let cipher = Aes128Copa::new(&[0x42; 16].into()); // a real key is 16 random bytes
//! let nonce = [0; 16].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(sealed.len(), 14 + 33);
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//!
//! let scheme = sealwire::scheme::find("copa-aes128").expect("a registered name");
//! assert_eq!(scheme.published_len(14), 16 + 16 + 1);
//! assert_eq!(sealed[33..], [0; 14]);
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

mod chain;

pub(crate) use chain::Copa as Chain;

use crate::chained;
use crate::scheme::Fixed;
use crate::typed::Typed;
use aead::consts::{U16, U33};

/// `aescopav2`, `copa-aes128`: key 16, nonce 16, tag 33 bytes.
pub type Aes128Copa = Typed<Mode, U16, U16, U33>;

/// AES-COPA, as [`Typed`] wants it.
pub type Mode = chained::Mode<Chain>;

/// Version 2. The bytes of the last block beyond the message are the tag's first ones; an empty message has a block, too.
pub(crate) const SCHEMES: &[Fixed] = &[chained::entry::<Chain>("copa-aes128", |len| {
    match (len, len % 16) {
        (0, _) => 0,
        (_, 0) => 16,
        (_, rest) => rest,
    }
})];
