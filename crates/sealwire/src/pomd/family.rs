// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::core::Core;
use crate::compress::Compress;
use crate::key::Key;
use crate::mode::Family;
use crate::typed::Typed;
use core::fmt;
use core::marker::PhantomData;

/// p-OMD over the compression function `F`, with keys of `K`, nonces of `N` and tags of `T` bytes.
///
/// With n the length of F's chaining value, keys have 1 to n bytes, nonces 1 to n - 1 and tags 1 to n.
///
/// No authenticity if a nonce repeats, nor if unverified plaintext gets out: see the [module](super).
///
/// ```
/// use sealwire::aead::{KeyInit, consts::{U24, U32}};
/// use sealwire::{compress::Sha512, pomd::POmd};
///
/// type Extended = POmd<Sha512, U32, U24, U24>; // pomdsha512k256n192tau192
/// let cipher = Extended::new(&[0x42; 32].into());
/// let mut buffer = *b"message";
/// let tag = cipher.seal_in_place_detached(&[0; 24].into(), b"header", &mut buffer)?;
/// cipher.open_in_place_detached(&[0; 24].into(), b"header", &mut buffer, &tag)?;
/// assert_eq!(&buffer, b"message");
/// # Ok::<(), sealwire::Error>(())
/// ```
///
/// ```compile_fail,E0277
/// # use sealwire::{aead::KeyInit, pomd::POmdSha512};
/// POmdSha512::new(&[0x42; 64].into()).with_session_ad(b"header"); // nothing of it can be computed ahead
/// ```
pub type POmd<F, K, N, T> = Typed<Mode<F>, K, N, T>;

/// p-OMD over the compression function `F`, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<F>(PhantomData<fn() -> F>);

impl<F: Compress> Family for Mode<F> {
    type Keyed = Core<F>;
    const SIZES: [(usize, usize); 3] = Key::<F>::SIZES;

    fn keyed(key: &[u8], tag_len: usize) -> Core<F> {
        Core::new(key, tag_len)
    }

    fn name(f: &mut fmt::Formatter<'_>, key: usize, nonce: usize, tag: usize) -> fmt::Result {
        write!(f, "pomd{}k{key}n{nonce}tau{tag}", F::NAME)
    }
}
