// SPDX-License-Identifier: Apache-2.0
//! The entry of the table of schemes.

use super::core::{Core, KEY_LEN, NONCE_LEN, TAG_LEN};
use crate::limits::Form;
use crate::scheme::Fixed;

/// Version 1.1. The bytes of the last block beyond the message are the tag's first ones; a message of whole blocks has a block more.
pub(crate) const SCHEMES: &[Fixed] = &[Fixed {
    name: "minalpherv11",
    alias: Some("minalpher"),
    key_len: KEY_LEN,
    nonce_len: NONCE_LEN,
    tag_len: TAG_LEN,
    zeros: |len| len % 32,
    block_len: 32,
    caches_ad: true,
    outlives_nonces: false,
    form: Form::Minalpher,
    bits: 256,
    // The first mask has a call, every block two, of which one is behind the last message block.
    calls: |packet| {
        let blocks = packet.packet_len / 32 + 1;
        (1 + packet.ad_len.div_ceil(32)).saturating_add(blocks.saturating_mul(2))
    },
    keyed: |key| Core::new(key).into(),
}];
