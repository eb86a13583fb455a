// SPDX-License-Identifier: Apache-2.0
//! The entries of the table of schemes.

use super::core::{Chain, Core};
use super::family::KEY_LEN;
use crate::limits::Form;
use crate::scheme::{Fixed, Keyed};

/// The entry of a mode. `zeros` says how many zeros fill its tag up, for a message of so many bytes.
pub(crate) const fn entry<C: Chain>(alias: &'static str, zeros: fn(usize) -> usize) -> Fixed
where
    Keyed: From<Core<C>>,
{
    Fixed {
        name: C::NAME,
        alias: Some(alias),
        key_len: KEY_LEN,
        nonce_len: C::NONCE_LEN,
        tag_len: C::TAG_LEN,
        zeros,
        block_len: 16,
        caches_ad: C::CACHES_AD,
        outlives_nonces: false,
        form: Form::Chained,
        bits: 128,
        // The nonce has a call, every block two, and the one behind the last two more.
        calls: |packet| {
            let blocks = packet.packet_len.div_ceil(16).max(1);
            (3 + packet.ad_len.div_ceil(16)).saturating_add(blocks.saturating_mul(2))
        },
        keyed: |key| Core::<C>::new(key).into(),
    }
}
