// SPDX-License-Identifier: Apache-2.0
//! What COLM_0 and AES-COPA have in common: every block goes through AES twice, with a running value between that every block
//! before it has a part in; a block behind the last is made of the sum of the plaintext, and the tag of that.
//!
//! Both have ciphertext beyond the length of the plaintext. It is the beginning of the tag here, so that what was sealed is
//! as long as plaintext and tag in both: a last block that is only padding in part is checked as the tag is.

mod core;
mod family;
mod table;
mod text;

pub(crate) use self::core::{Chain, Core, halved};
pub use family::Mode;
pub(crate) use table::entry;
