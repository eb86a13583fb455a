// SPDX-License-Identifier: Apache-2.0
//! Deoxys, two modes over a block cipher that takes a tweak with every block and is made of the rounds of AES (Jean, Nikolić, Peyrin,
//! Seurin; CAESAR's first choice for defence in depth). Version 1.43 is the one in use.
//!
//! | name | passes | key and nonce, bytes | a repeated nonce |
//! |---|---|---|---|
//! | [`DeoxysI128`], [`DeoxysI256`] | one | 16 or 32, 8 | reveals which blocks are equal at the same place, and costs authenticity |
//! | [`DeoxysII128`], [`DeoxysII256`] | two | 16 or 32, 15 | reveals that two packets are equal, and nothing else |
//! | [`DeoxysI128V141`], [`DeoxysII128V141`] | as above | 16, as above | for what was sealed with version 1.41 |
//!
//! Every block has a tweak of its own, so that the bound does not wear off with the number of blocks as that of OCB or AES-OTR does.
//! Unverified plaintext that gets out reveals as much as a repeated nonce under Deoxys-I; nothing verified late leaves this library.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::deoxys::DeoxysII128;
//!
//! let cipher = DeoxysII128::new(&[0x42; 16].into()); // a real key is 16 random bytes
//! let nonce = [0; 15].into(); // never twice with the same key, but if it happens little is lost
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
pub use family::{
    DeoxysI128, DeoxysI128V141, DeoxysI256, DeoxysII128, DeoxysII128V141, DeoxysII256, I128V141,
    I128V143, I256V143, II128V141, II128V143, II256V143, Mode, Scheme,
};
pub(crate) use table::SCHEMES;
