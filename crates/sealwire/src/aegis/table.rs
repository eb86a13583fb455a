// SPDX-License-Identifier: Apache-2.0
//! The entries of the table of schemes.

use super::core::Core;
use super::family::{L128, L128Tag256, L256, L256Tag256, Scheme};
use crate::limits::Form;
use crate::scheme::{Fixed, WITHOUT_ZEROS};

/// Both ciphers, with both lengths of tags.
pub(crate) const SCHEMES: &[Fixed] = &[
    entry::<L128>(Some("aegis-128l")),
    entry::<L128Tag256>(None),
    entry::<L256>(Some("aegis-256")),
    entry::<L256Tag256>(None),
];

const fn entry<S: Scheme>(alias: Option<&'static str>) -> Fixed {
    Fixed {
        name: S::VARIANT.name(),
        alias,
        key_len: S::VARIANT.key_len,
        nonce_len: S::VARIANT.key_len,
        tag_len: S::VARIANT.tag_len,
        zeros: WITHOUT_ZEROS,
        block_len: S::VARIANT.rate(),
        caches_ad: false,
        outlives_nonces: false,
        form: Form::AEGIS,
        bits: match S::VARIANT.key_len {
            16 => 1024,
            _ => 768,
        },
        // A call is an update of the state: the beginning has 10 or 16 of them, the end 7.
        calls: |packet| {
            let rate = S::VARIANT.rate() as u64;
            let ends = match S::VARIANT.key_len {
                16 => 10 + 7,
                _ => 16 + 7,
            };
            ends + packet.packet_len.div_ceil(rate) + packet.ad_len.div_ceil(rate)
        },
        keyed: |key| Core::new(key, S::VARIANT).into(),
    }
}
