// SPDX-License-Identifier: Apache-2.0
//! The entry of the table of schemes.

use super::chain::{Colm0, TAG_LEN};
use super::family::{KEY_LEN, NAME, NONCE_LEN};
use crate::chained::Core;
use crate::limits::Form;
use crate::scheme::{Fixed, WITHOUT_ZEROS};

/// COLM_0 alone: the designers' other set has intermediate tags.
pub(crate) const SCHEMES: &[Fixed] = &[Fixed {
    name: NAME,
    alias: Some("colm-aes128"),
    key_len: KEY_LEN,
    nonce_len: NONCE_LEN,
    tag_len: TAG_LEN,
    zeros: WITHOUT_ZEROS,
    block_len: 16,
    caches_ad: true,
    outlives_nonces: false,
    form: Form::Chained,
    bits: 128,
    // The nonce has a call, every block two, and the one behind the last two more.
    calls: |packet| {
        let blocks = packet.packet_len.div_ceil(16).max(1);
        (3 + packet.ad_len.div_ceil(16)).saturating_add(blocks.saturating_mul(2))
    },
    keyed: |key| Core::<Colm0>::new(key).into(),
}];
