// SPDX-License-Identifier: Apache-2.0
//! The entries of the table of schemes.

use super::core::Core;
use super::family::NONCE_LEN;
use crate::aes::{Aes128, Aes192, Aes256, Cipher};
use crate::limits::Form;
use crate::scheme::{Fixed, Keyed, WITHOUT_ZEROS};

/// The nine sets of RFC 7253, section 3.1.
pub(crate) const SCHEMES: &[Fixed] = &[
    entry::<Aes128, 16>("aeadaes128ocbtaglen128v1", Some("ocb-aes128")),
    entry::<Aes128, 12>("aeadaes128ocbtaglen96v1", None),
    entry::<Aes128, 8>("aeadaes128ocbtaglen64v1", None),
    entry::<Aes192, 16>("aeadaes192ocbtaglen128v1", Some("ocb-aes192")),
    entry::<Aes192, 12>("aeadaes192ocbtaglen96v1", None),
    entry::<Aes192, 8>("aeadaes192ocbtaglen64v1", None),
    entry::<Aes256, 16>("aeadaes256ocbtaglen128v1", Some("ocb-aes256")),
    entry::<Aes256, 12>("aeadaes256ocbtaglen96v1", None),
    entry::<Aes256, 8>("aeadaes256ocbtaglen64v1", None),
];

const fn entry<A: Cipher, const TAG: usize>(
    name: &'static str,
    alias: Option<&'static str>,
) -> Fixed
where
    Keyed: From<Core<A>>,
{
    Fixed {
        name,
        alias,
        key_len: A::BITS / 8,
        nonce_len: NONCE_LEN,
        tag_len: TAG,
        zeros: WITHOUT_ZEROS,
        block_len: 16,
        caches_ad: true,
        outlives_nonces: false,
        form: Form::Ocb,
        bits: 128,
        // The nonce and the tag have a call each.
        calls: |packet| 2 + packet.packet_len.div_ceil(16) + packet.ad_len.div_ceil(16),
        keyed: |key| Core::<A>::new(key, TAG).into(),
    }
}
