// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::core::{Core, Gcm, NONCE_LEN, TAG_LEN};
use crate::mode::Family;
use crate::typed::Typed;
use aead::consts::{U12, U16, U32};
use core::fmt;
use core::marker::PhantomData;

/// `aes128gcmv1`, `gcm-aes128`: key 16, nonce 12, tag 16 bytes.
pub type Aes128Gcm = Typed<Mode<aes_gcm::Aes128Gcm>, U16, U12, U16>;
/// `aes256gcmv1`, `gcm-aes256`: key 32, nonce 12, tag 16 bytes.
pub type Aes256Gcm = Typed<Mode<aes_gcm::Aes256Gcm>, U32, U12, U16>;

/// AES-GCM with the keys of `G`, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<G>(PhantomData<fn() -> G>);

impl<G: Gcm> Family for Mode<G> {
    type Keyed = Core<G>;
    const SIZES: [(usize, usize); 3] = [
        (G::KEY_LEN, G::KEY_LEN),
        (NONCE_LEN, NONCE_LEN),
        (TAG_LEN, TAG_LEN),
    ];

    fn keyed(key: &[u8], _tag_len: usize) -> Core<G> {
        Core::new(key)
    }

    fn name(f: &mut fmt::Formatter<'_>, key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        write!(f, "aes{key}gcmv1")
    }
}
