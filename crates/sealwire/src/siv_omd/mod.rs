// SPDX-License-Identifier: Apache-2.0
//! SIV-OMD: **experimental**. A nonce-misuse-resistant mode of our own over OMD's building blocks.
//!
//! The authors of OMD describe two such modes, MR-OMD and PMR-OMD (ProvSec 2014), of which only the abstract is public.
//! SIV-OMD has their aims and their cost, but tweaks and encodings are ours: it is not their specification, nobody has
//! analysed it, and it may change. For experiments and for measuring what misuse resistance costs; not for
//! data that must stay secret.
//!
//! The tag is made of nonce, associated data and message (one pass), and then starts the encryption (a second pass). If a nonce
//! repeats, all that shows is whether the same message was sealed twice with the same associated data. Sealing needs the
//! whole message before the first byte of ciphertext, and takes 1 + a + ceil(l/2) + l calls of F', about 1.5 a message
//! block. Setting a key up takes one.
//!
//! [`Parallel`] makes the key stream like a counter mode, [`Serial`] chains it like OMD.

mod core;
mod family;
mod names;

pub use family::{ExperimentalSivOmd, Mode, Parallel, Serial, Stream};
pub use names::*;

pub(crate) use self::core::Core;
