// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::core::Core;
use crate::aes::{Aes128, Aes192, Aes256, Cipher};
use crate::mode::{Family, HashesAd};
use crate::typed::Typed;
use aead::consts::{U8, U12, U16, U24, U32};
use core::fmt;
use core::marker::PhantomData;

/// `aeadaes128ocbtaglen128v1`, `ocb-aes128`: key 16, nonce 12, tag 16 bytes.
pub type Aes128Ocb = Typed<Mode<Aes128, 16>, U16, U12, U16>;
/// `aeadaes128ocbtaglen96v1`: key 16, nonce 12, tag 12 bytes.
pub type Aes128OcbTag96 = Typed<Mode<Aes128, 12>, U16, U12, U12>;
/// `aeadaes128ocbtaglen64v1`: key 16, nonce 12, tag 8 bytes.
pub type Aes128OcbTag64 = Typed<Mode<Aes128, 8>, U16, U12, U8>;
/// `aeadaes192ocbtaglen128v1`, `ocb-aes192`: key 24, nonce 12, tag 16 bytes.
pub type Aes192Ocb = Typed<Mode<Aes192, 16>, U24, U12, U16>;
/// `aeadaes192ocbtaglen96v1`: key 24, nonce 12, tag 12 bytes.
pub type Aes192OcbTag96 = Typed<Mode<Aes192, 12>, U24, U12, U12>;
/// `aeadaes192ocbtaglen64v1`: key 24, nonce 12, tag 8 bytes.
pub type Aes192OcbTag64 = Typed<Mode<Aes192, 8>, U24, U12, U8>;
/// `aeadaes256ocbtaglen128v1`, `ocb-aes256`: key 32, nonce 12, tag 16 bytes.
pub type Aes256Ocb = Typed<Mode<Aes256, 16>, U32, U12, U16>;
/// `aeadaes256ocbtaglen96v1`: key 32, nonce 12, tag 12 bytes.
pub type Aes256OcbTag96 = Typed<Mode<Aes256, 12>, U32, U12, U12>;
/// `aeadaes256ocbtaglen64v1`: key 32, nonce 12, tag 8 bytes.
pub type Aes256OcbTag64 = Typed<Mode<Aes256, 8>, U32, U12, U8>;

/// Length of a nonce in bytes.
pub(super) const NONCE_LEN: usize = 12;

/// OCB over `A` with tags of `TAG` bytes, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<A, const TAG: usize>(PhantomData<fn() -> A>);

impl<A: Cipher, const TAG: usize> Family for Mode<A, TAG> {
    type Keyed = Core<A>;
    const SIZES: [(usize, usize); 3] = [
        (A::BITS / 8, A::BITS / 8),
        (NONCE_LEN, NONCE_LEN),
        (TAG, TAG),
    ];

    fn keyed(key: &[u8], tag_len: usize) -> Core<A> {
        Core::new(key, tag_len)
    }

    fn name(f: &mut fmt::Formatter<'_>, key: usize, _nonce: usize, tag: usize) -> fmt::Result {
        write!(f, "aeadaes{key}ocbtaglen{tag}v1")
    }
}

impl<A: Cipher, const TAG: usize> HashesAd for Mode<A, TAG> {}
