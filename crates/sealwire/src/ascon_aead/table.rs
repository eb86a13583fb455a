// SPDX-License-Identifier: Apache-2.0
//! The entries of the table of schemes.

use super::core::{Core, LEN};
use super::family::{Standard, V12, Version};
use crate::limits::Form;
use crate::scheme::{Fixed, WITHOUT_ZEROS};

/// The standard and the version before it.
pub(crate) const SCHEMES: &[Fixed] = &[
    entry::<Standard>("ascon-aead128", Form::STANDARD_DUPLEX),
    entry::<V12>("ascon-128", Form::V12_DUPLEX),
];

const fn entry<V: Version>(alias: &'static str, form: Form) -> Fixed {
    Fixed {
        name: V::VARIANT.name(),
        alias: Some(alias),
        key_len: LEN,
        nonce_len: LEN,
        tag_len: LEN,
        zeros: WITHOUT_ZEROS,
        block_len: V::VARIANT.rate(),
        caches_ad: false,
        outlives_nonces: false,
        form,
        bits: 320,
        // The first and the last call; the padded end of associated data has a call of its own, that of the text has the last.
        calls: |packet| {
            let rate = V::VARIANT.rate() as u64;
            let ad = match packet.ad_len {
                0 => 0,
                len => len / rate + 1,
            };
            2 + packet.packet_len / rate + ad
        },
        keyed: |key| Core::new(key, V::VARIANT).into(),
    }
}
