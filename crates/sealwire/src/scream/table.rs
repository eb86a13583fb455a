// SPDX-License-Identifier: Apache-2.0
//! The entries of the table of schemes.

use super::core::{Core, KEY_LEN, NONCE_LEN, TAG_LEN};
use crate::limits::Form;
use crate::scheme::{Fixed, WITHOUT_ZEROS};

/// Both numbers of steps.
pub(crate) const SCHEMES: &[Fixed] = &[
    entry::<10>("scream10v3", "scream-10"),
    entry::<12>("scream12v3", "scream-12"),
];

const fn entry<const STEPS: usize>(name: &'static str, alias: &'static str) -> Fixed {
    Fixed {
        name,
        alias: Some(alias),
        key_len: KEY_LEN,
        nonce_len: NONCE_LEN,
        tag_len: TAG_LEN,
        zeros: WITHOUT_ZEROS,
        block_len: 16,
        caches_ad: false,
        outlives_nonces: false,
        form: Form::Scream,
        bits: 128,
        calls: |packet| 1 + packet.packet_len.div_ceil(16) + packet.ad_len.div_ceil(16),
        keyed: |key| Core::new(key, STEPS).into(),
    }
}
