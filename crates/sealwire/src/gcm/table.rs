// SPDX-License-Identifier: Apache-2.0
//! The entries of the table of schemes.

use super::core::{Core, Gcm, NONCE_LEN, TAG_LEN};
use crate::limits::Form;
use crate::scheme::{Fixed, Keyed, WITHOUT_ZEROS};
use aes_gcm::{Aes128Gcm, Aes256Gcm};

/// Both lengths of keys.
pub(crate) const SCHEMES: &[Fixed] = &[
    entry::<Aes128Gcm>("aes128gcmv1", "gcm-aes128"),
    entry::<Aes256Gcm>("aes256gcmv1", "gcm-aes256"),
];

const fn entry<G: Gcm>(name: &'static str, alias: &'static str) -> Fixed
where
    Keyed: From<Core<G>>,
{
    Fixed {
        name,
        alias: Some(alias),
        key_len: G::KEY_LEN,
        nonce_len: NONCE_LEN,
        tag_len: TAG_LEN,
        zeros: WITHOUT_ZEROS,
        block_len: 16,
        caches_ad: false,
        outlives_nonces: false,
        form: Form::Gcm,
        bits: 128,
        // The tag has a call; a block of associated data counts as one, though it takes a product only.
        calls: |packet| 1 + packet.packet_len.div_ceil(16) + packet.ad_len.div_ceil(16),
        keyed: |key| Core::<G>::new(key).into(),
    }
}
