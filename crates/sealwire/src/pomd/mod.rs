// SPDX-License-Identifier: Apache-2.0
//! p-OMD ("pure OMD"; Reyhanitabar, Vaudenay, Vizár; FSE 2015): OMD without its XOR MAC, so that associated data rides
//! along with the message almost for nothing.
//!
//! Every call of F' takes a block of n bytes of message on one side and a block of n bytes of associated data on the other.
//! Sealing l message blocks takes 1 + (l + 1) + a* calls, where a* counts the blocks of 2n bytes of the associated data
//! that is left after l + 1 blocks of n bytes: none if it is not longer than the message. Setting a key up takes one.
//!
//! # What p-OMD does not promise
//!
//! **No authenticity if a nonce repeats.** Two messages sealed under one nonce let anybody who knows one of them forge
//! a third (Ashur, Mennink: ePrint 2015/175). This trick does not work against OMD, but OMD falls to others then: the sum
//! of three tags made under one nonce is a fourth.
//!
//! **No authenticity if unverified plaintext gets out.** One sealed message and one decryption whose result was seen in
//! spite of its wrong tag give a forgery, with no nonce repeated in sealing. This library never shows such a
//! plaintext; a device that streams it must hold it back until the tag is checked.
//!
//! The example `pomd_forgeries` carries both out. Where a nonce may repeat, neither p-OMD nor OMD is the right choice.
//!
//! # Associated data comes with the message
//!
//! It cannot be hashed ahead: the types have no `with_session_ad`, and
//! [`DynAead::with_session_ad`](crate::DynAead::with_session_ad) gives [`Error::NoSessionAd`](crate::Error::NoSessionAd).
//!
//! The figures of the paper are lost; `docs/schemes/pomd.md` lists what its text leaves open and what is done here.
//! Nobody has published known answers.

mod core;
mod family;
mod names;

pub use family::{Mode, POmd};
pub use names::*;

pub(crate) use self::core::Core;
