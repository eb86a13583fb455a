// SPDX-License-Identifier: Apache-2.0
//! The entry of the table of schemes.

use super::chain::{Copa, TAG_LEN};
use super::family::{KEY_LEN, NAME, NONCE_LEN};
use crate::chained::Core;
use crate::limits::Form;
use crate::scheme::Fixed;

/// Version 2.
pub(crate) const SCHEMES: &[Fixed] = &[Fixed {
    name: NAME,
    alias: Some("copa-aes128"),
    key_len: KEY_LEN,
    nonce_len: NONCE_LEN,
    tag_len: TAG_LEN,
    // The other bytes of the last block are the tag's first ones; an empty message has a block, too.
    zeros: |len| match (len, len % 16) {
        (0, _) => 0,
        (_, 0) => 16,
        (_, rest) => rest,
    },
    block_len: 16,
    caches_ad: false,
    outlives_nonces: false,
    form: Form::Chained,
    bits: 128,
    // Every block has two calls, the tag two more, and the nonce comes behind the associated data.
    calls: |packet| {
        let blocks = packet.packet_len.div_ceil(16).max(1);
        (3 + packet.ad_len.div_ceil(16)).saturating_add(blocks.saturating_mul(2))
    },
    keyed: |key| Core::<Copa>::new(key).into(),
}];
