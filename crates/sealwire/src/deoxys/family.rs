// SPDX-License-Identifier: Apache-2.0
//! The schemes as types.

use super::cipher::Version;
use super::core::{self, Core, TAG_LEN, Variant};
use crate::mode::{Family, HashesAd};
use crate::typed::Typed;
use ::core::fmt;
use ::core::marker::PhantomData;
use aead::consts::{U8, U15, U16, U32};

/// A scheme of the family as a type.
pub trait Scheme: sealed::Sealed {
    #[doc(hidden)]
    const VARIANT: Variant;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! schemes {
    ($($(#[$about:meta])* $scheme:ident = $mode:ident $version:ident $key_len:literal: $typed:ident<$key:ident, $nonce:ident>;)*) => {
        $(
            $(#[$about])*
            pub type $typed = Typed<Mode<$scheme>, $key, $nonce, U16>;

            #[doc = concat!("The scheme of [`", stringify!($typed), "`].")]
            #[derive(Clone, Copy, Debug)]
            pub enum $scheme {}

            impl sealed::Sealed for $scheme {}

            impl Scheme for $scheme {
                const VARIANT: Variant = Variant {
                    mode: core::Mode::$mode,
                    version: Version::$version,
                    key_len: $key_len,
                };
            }
        )*
    };
}

schemes! {
    /// `deoxysi128v143`, `deoxys-i-128`: Deoxys-I; key 16, nonce 8, tag 16 bytes.
    I128V143 = One V143 16: DeoxysI128<U16, U8>;
    /// `deoxysi256v143`, `deoxys-i-256`: Deoxys-I; key 32, nonce 8, tag 16 bytes.
    I256V143 = One V143 32: DeoxysI256<U32, U8>;
    /// `deoxysii128v143`, `deoxys-ii-128`: Deoxys-II; key 16, nonce 15, tag 16 bytes.
    II128V143 = Two V143 16: DeoxysII128<U16, U15>;
    /// `deoxysii256v143`, `deoxys-ii-256`: Deoxys-II; key 32, nonce 15, tag 16 bytes.
    II256V143 = Two V143 32: DeoxysII256<U32, U15>;
    /// `deoxysi128v141`: Deoxys-I in version 1.41; key 16, nonce 8, tag 16 bytes.
    I128V141 = One V141 16: DeoxysI128V141<U16, U8>;
    /// `deoxysii128v141`: Deoxys-II in version 1.41; key 16, nonce 15, tag 16 bytes.
    II128V141 = Two V141 16: DeoxysII128V141<U16, U15>;
}

/// A scheme `S` of Deoxys, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<S>(PhantomData<fn() -> S>);

impl<S: Scheme> Family for Mode<S> {
    type Keyed = Core;
    const SIZES: [(usize, usize); 3] = {
        let variant = S::VARIANT;
        [
            (variant.key_len, variant.key_len),
            (variant.nonce_len(), variant.nonce_len()),
            (TAG_LEN, TAG_LEN),
        ]
    };

    fn keyed(key: &[u8], _tag_len: usize) -> Core {
        Core::new(key, S::VARIANT)
    }

    fn name(f: &mut fmt::Formatter<'_>, _key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        f.write_str(S::VARIANT.name())
    }
}

impl<S: Scheme> HashesAd for Mode<S> {}
