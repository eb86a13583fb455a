// SPDX-License-Identifier: Apache-2.0
//! Ascon's AEADs, a duplex over [Ascon-p](crate::ascon): [`AsconAead128`] of NIST SP 800-232 and [`Ascon128`] of the
//! competition's version 1.2, which differ in rate, order of bytes and constants and do not understand one another.
//!
//! | name | bytes a call | rounds a call | state of things |
//! |---|---|---|---|
//! | [`AsconAead128`] | 16 | 8 | the standard |
//! | [`Ascon128`] | 8 | 6 | historical: for what was sealed before the standard |
//!
//! The permutation is small and needs no tables, which is what it was chosen for; on a CPU with AES instructions
//! [AES-OTR](crate::otr) is many times as fast. Its calls follow one another, within associated data and text alike, and the
//! nonce enters before the associated data, so that nothing of a packet can be computed ahead.
//!
//! A repeated nonce reveals the difference of the first blocks in which two messages differ, and equality of what precedes
//! them. Unverified plaintext that gets out reveals as much. Neither reveals the key.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::ascon_aead::AsconAead128;
//!
//! let cipher = AsconAead128::new(&[0x42; 16].into()); // a real key is 16 random bytes
//! let nonce = [0; 16].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?, b"attack at dawn");
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```

mod core;
mod family;
mod table;

pub(crate) use self::core::Core;
pub use family::{Ascon128, AsconAead128, Mode, Standard, V12, Version};
pub(crate) use table::SCHEMES;
