// SPDX-License-Identifier: Apache-2.0
//! AES-OTR v3 (offset two-round; Minematsu, Eurocrypt 2014; CAESAR candidate, version 3): a nonce-based AEAD mode of a block
//! cipher that takes one call a block, all calls of a message independent of one another but in pairs, and encryption
//! of blocks only, for opening too.
//!
//! Two blocks make a chunk: C1 = E(A + M1) + M2, C2 = E(B + C1) + M1, under masks A and B that double from chunk to chunk.
//! A message of m blocks takes m + 2 calls, and its associated data about one a block.
//!
//! The associated data comes in one of three forms, which give different schemes:
//!
//! | form | associated data | to know |
//! |---|---|---|
//! | [`Parallel`] | like PMAC, added to the tag | calls independent of one another and of the message: the choice where nothing speaks against it |
//! | [`Serial`] | like CMAC, enters the first mask | one call after the other |
//! | [`Chained`] | through the mode itself, enters the first mask | in pairs of blocks |
//!
//! A repeated nonce reveals relations between the two messages and costs authenticity, and so does unverified plaintext
//! that gets out: like OCB and GCM. The bound is of the birthday kind: change the key long before 2^64 blocks.
//!
//! [`Typed::with_session_ad`](crate::Typed::with_session_ad) processes associated data once for any number of messages. [`SealStream`] seals a message
//! that comes in pieces; there is no counterpart for opening that gives plaintext before the tag was checked.

mod core;
mod family;
mod names;
#[cfg(feature = "alloc")]
mod stream;

pub use family::{AdForm, Chained, Mode, Otr, Parallel, Serial};
pub use names::*;
#[cfg(feature = "alloc")]
pub use stream::SealStream;

pub(crate) use self::core::{Core, Form};
pub(crate) use family::{MAX_NONCE, MAX_TAG, PUBLISHED};

pub use crate::aes::{Aes128, Aes256};
