// SPDX-License-Identifier: Apache-2.0
//! The two variants as types.

use super::core::{Core, Variant};
use crate::mode::Family;
use crate::typed::Typed;
use aead::consts::U16;
use core::fmt;
use core::marker::PhantomData;

/// A variant as a type.
pub trait Version: sealed::Sealed {
    #[doc(hidden)]
    const VARIANT: Variant;
}

/// NIST SP 800-232.
#[derive(Clone, Copy, Debug)]
pub enum Standard {}

/// Version 1.2, as the competition chose it.
#[derive(Clone, Copy, Debug)]
pub enum V12 {}

impl Version for Standard {
    const VARIANT: Variant = Variant::Standard;
}

impl Version for V12 {
    const VARIANT: Variant = Variant::V12;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Standard {}
    impl Sealed for super::V12 {}
}

/// `asconaead128`, `ascon-aead128`: Ascon-AEAD128 of NIST SP 800-232; key 16, nonce 16, tag 16 bytes.
pub type AsconAead128 = Typed<Mode<Standard>, U16, U16, U16>;
/// `ascon128v12`, `ascon-128`: Ascon-128 version 1.2; key 16, nonce 16, tag 16 bytes.
pub type Ascon128 = Typed<Mode<V12>, U16, U16, U16>;

/// Ascon's AEAD in the version `V`, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<V>(PhantomData<fn() -> V>);

impl<V: Version> Family for Mode<V> {
    type Keyed = Core;
    const SIZES: [(usize, usize); 3] = [(16, 16); 3];

    fn keyed(key: &[u8], _tag_len: usize) -> Core {
        Core::new(key, V::VARIANT)
    }

    fn name(f: &mut fmt::Formatter<'_>, _key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        f.write_str(V::VARIANT.name())
    }
}
