// SPDX-License-Identifier: Apache-2.0
//! Schemes whose sizes are all fixed. Each is one entry in the table of its module: its name is found, its limits are
//! computed and its keys are set up from there.

use super::keyed::Keyed;
use crate::limits::{Form, Traffic};
use crate::{aegis, ascon_aead, colm, copa, deoxys, gcm, minalpher, ocb, scream};
use core::fmt;

/// The tables of all modules.
const TABLES: &[&[Fixed]] = &[
    ascon_aead::SCHEMES,
    deoxys::SCHEMES,
    ocb::SCHEMES,
    gcm::SCHEMES,
    aegis::SCHEMES,
    colm::SCHEMES,
    copa::SCHEMES,
    scream::SCHEMES,
    minalpher::SCHEMES,
];

/// A tag that is as long as the designers'.
pub(crate) const WITHOUT_ZEROS: fn(usize) -> usize = |_| 0;

/// A scheme. Lengths are in bytes.
pub(crate) struct Fixed {
    /// The canonical name.
    pub(crate) name: &'static str,
    /// The short name.
    pub(crate) alias: Option<&'static str>,
    pub(crate) key_len: usize,
    pub(crate) nonce_len: usize,
    pub(crate) tag_len: usize,
    /// How many zeros fill the tag up, for a message of so many bytes.
    pub(crate) zeros: fn(usize) -> usize,
    /// What a call takes of the message, and of associated data.
    pub(crate) block_len: usize,
    /// Whether associated data can be processed ahead.
    pub(crate) caches_ad: bool,
    /// Whether its bound holds though nonces repeat.
    pub(crate) outlives_nonces: bool,
    pub(crate) form: Form,
    /// Bits of the block or permutation.
    pub(crate) bits: i32,
    /// Calls of the primitive that a packet takes, without those that serve all packets of a key.
    pub(crate) calls: fn(&Traffic) -> u64,
    /// The scheme under a key of the right length.
    pub(crate) keyed: fn(&[u8]) -> Keyed,
}

/// Every scheme of every table.
pub(super) fn all() -> impl Iterator<Item = &'static Fixed> + Clone {
    TABLES.iter().copied().flatten()
}

impl fmt::Debug for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
