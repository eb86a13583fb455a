// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::core::Core;
use crate::compress::Compress;
use crate::key::Key;
use crate::mode::{Family, HashesAd};
use crate::typed::Typed;
use core::fmt;
use core::marker::PhantomData;

/// A version of the specification, as a type.
pub trait Version {
    /// 1 or 2.
    const NUMBER: u8;
}

/// OMD v1 (2014): L* = F_K(0, 0).
#[derive(Clone, Copy, Debug)]
pub enum V1 {}

/// OMD v2 (2015): L* = F_K(0, tag length). Everything else is as in version 1.
#[derive(Clone, Copy, Debug)]
pub enum V2 {}

impl Version for V1 {
    const NUMBER: u8 = 1;
}

impl Version for V2 {
    const NUMBER: u8 = 2;
}

/// OMD over the compression function `F`, version `V`, with keys of `K`, nonces of `N` and tags of `T` bytes.
///
/// With n the length of F's chaining value, keys have 1 to n bytes, nonces 1 to n - 1 and tags 1 to n. The published
/// sets are named in this module; any other legal one is written out:
///
/// ```
/// use sealwire::aead::{KeyInit, consts::{U24, U32}};
/// use sealwire::{compress::Sha512, omd::{Omd, V2}};
///
/// type Extended = Omd<Sha512, V2, U32, U24, U24>; // omdsha512k256n192tau192v2
/// let cipher = Extended::new(&[0x42; 32].into());
/// let mut buffer = *b"message";
/// let tag = cipher.seal_in_place_detached(&[0; 24].into(), b"header", &mut buffer)?;
/// cipher.open_in_place_detached(&[0; 24].into(), b"header", &mut buffer, &tag)?;
/// assert_eq!(&buffer, b"message");
/// # Ok::<(), sealwire::Error>(())
/// ```
///
/// Sizes that are not legal do not compile:
///
/// ```compile_fail,E0080
/// use sealwire::aead::{KeyInit, consts::U32};
/// use sealwire::{compress::Sha256, omd::{Omd, V2}};
///
/// Omd::<Sha256, V2, U32, U32, U32>::new(&[0x42; 32].into()); // the nonce must be shorter than 32 bytes
/// ```
pub type Omd<F, V, K, N, T> = Typed<Mode<F, V>, K, N, T>;

/// OMD over the compression function `F`, version `V`, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<F, V>(PhantomData<fn() -> (F, V)>);

impl<F: Compress, V: Version> Family for Mode<F, V> {
    type Keyed = Core<F>;
    const SIZES: [(usize, usize); 3] = Key::<F>::SIZES;

    fn keyed(key: &[u8], tag_len: usize) -> Core<F> {
        Core::new(key, V::NUMBER, tag_len)
    }

    fn name(f: &mut fmt::Formatter<'_>, key: usize, nonce: usize, tag: usize) -> fmt::Result {
        write!(f, "omd{}k{key}n{nonce}tau{tag}v{}", F::NAME, V::NUMBER)
    }
}

impl<F: Compress, V: Version> HashesAd for Mode<F, V> {}
