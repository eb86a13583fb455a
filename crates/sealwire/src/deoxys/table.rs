// SPDX-License-Identifier: Apache-2.0
//! The entries of the table of schemes.

use super::core::{Core, TAG_LEN};
use super::family::{I128V141, I128V143, I256V143, II128V141, II128V143, II256V143, Scheme};
use crate::limits::Form;
use crate::scheme::{Fixed, WITHOUT_ZEROS};

/// Both modes, with both lengths of keys, and what is left of version 1.41.
pub(crate) const SCHEMES: &[Fixed] = &[
    entry::<I128V143>(Some("deoxys-i-128")),
    entry::<I256V143>(Some("deoxys-i-256")),
    entry::<II128V143>(Some("deoxys-ii-128")),
    entry::<II256V143>(Some("deoxys-ii-256")),
    entry::<I128V141>(None),
    entry::<II128V141>(None),
];

const fn entry<S: Scheme>(alias: Option<&'static str>) -> Fixed {
    let two_passes = S::VARIANT.outlives_nonces();
    Fixed {
        name: S::VARIANT.name(),
        alias,
        key_len: S::VARIANT.key_len,
        nonce_len: S::VARIANT.nonce_len(),
        tag_len: TAG_LEN,
        zeros: WITHOUT_ZEROS,
        block_len: 16,
        caches_ad: true,
        outlives_nonces: two_passes,
        form: if two_passes {
            Form::TwoPasses
        } else {
            Form::OnePass
        },
        bits: 128,
        calls: |packet| {
            let passes = if S::VARIANT.outlives_nonces() { 2 } else { 1 };
            let blocks = packet.packet_len.div_ceil(16);
            (1 + packet.ad_len.div_ceil(16)).saturating_add(blocks.saturating_mul(passes))
        },
        keyed: |key| Core::new(key, S::VARIANT).into(),
    }
}
