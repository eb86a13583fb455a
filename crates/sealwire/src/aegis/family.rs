// SPDX-License-Identifier: Apache-2.0
//! The schemes as types.

use super::core::{Core, Variant};
use crate::mode::Family;
use crate::typed::Typed;
use aead::consts::{U16, U32};
use core::fmt;
use core::marker::PhantomData;

/// A scheme of the family as a type.
pub trait Scheme: sealed::Sealed {
    #[doc(hidden)]
    const VARIANT: Variant;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! schemes {
    ($($(#[$about:meta])* $scheme:ident = $key_len:literal $tag_len:literal: $typed:ident<$key:ident, $tag:ident>;)*) => {
        $(
            $(#[$about])*
            pub type $typed = Typed<Mode<$scheme>, $key, $key, $tag>;

            #[doc = concat!("The scheme of [`", stringify!($typed), "`].")]
            #[derive(Clone, Copy, Debug)]
            pub enum $scheme {}

            impl sealed::Sealed for $scheme {}

            impl Scheme for $scheme {
                const VARIANT: Variant = Variant {
                    key_len: $key_len,
                    tag_len: $tag_len,
                };
            }
        )*
    };
}

schemes! {
    /// `aegis128ltau128`, `aegis-128l`: key 16, nonce 16, tag 16 bytes.
    L128 = 16 16: Aegis128L<U16, U16>;
    /// `aegis128ltau256`: key 16, nonce 16, tag 32 bytes.
    L128Tag256 = 16 32: Aegis128LTag256<U16, U32>;
    /// `aegis256tau128`, `aegis-256`: key 32, nonce 32, tag 16 bytes.
    L256 = 32 16: Aegis256<U32, U16>;
    /// `aegis256tau256`: key 32, nonce 32, tag 32 bytes.
    L256Tag256 = 32 32: Aegis256Tag256<U32, U32>;
}

/// A scheme `S` of AEGIS, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<S>(PhantomData<fn() -> S>);

impl<S: Scheme> Family for Mode<S> {
    type Keyed = Core;
    const SIZES: [(usize, usize); 3] = {
        let Variant { key_len, tag_len } = S::VARIANT;
        [(key_len, key_len), (key_len, key_len), (tag_len, tag_len)]
    };

    fn keyed(key: &[u8], _tag_len: usize) -> Core {
        Core::new(key, S::VARIANT)
    }

    fn name(f: &mut fmt::Formatter<'_>, _key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        f.write_str(S::VARIANT.name())
    }
}
