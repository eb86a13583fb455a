// SPDX-License-Identifier: Apache-2.0
//! p-OMD ("pure OMD"; Reyhanitabar, Vaudenay, Vizár; FSE 2015): OMD without its XOR MAC, so that associated data rides
//! along with the message almost for nothing.
//!
//! Every call of F' takes a block of n bytes of message on one side and a block of n bytes of associated data on the other.
//! Sealing l message blocks takes 1 + (l + 1) + a* calls, where a* counts the blocks of 2n bytes of the associated data
//! that is left after l + 1 blocks of n bytes: none if it is not longer than the message. Setting a key up takes one.
//!
//! # What p-OMD does not promise
//!
//! **No authenticity if a nonce repeats.** Two messages sealed under one nonce let anybody who knows one of them forge
//! a third (Ashur, Mennink: ePrint 2015/175). This trick does not work against OMD, but OMD falls to others then: the sum
//! of three tags made under one nonce is a fourth.
//!
//! **No authenticity if unverified plaintext gets out.** One sealed message and one decryption whose result was seen in
//! spite of its wrong tag give a forgery, with no nonce repeated in sealing. This library never shows such a
//! plaintext; a device that streams it must hold it back until the tag is checked.
//!
//! The example `pomd_forgeries` carries both out. Where a nonce may repeat, neither p-OMD nor OMD is the right choice.
//!
//! # Associated data comes with the message
//!
//! It cannot be hashed ahead: the types have no `with_session_ad`, and
//! [`DynAead::with_session_ad`](crate::DynAead::with_session_ad) gives [`Error::NoSessionAd`](crate::Error::NoSessionAd).
//!
//! The figures of the paper are lost; `docs/schemes/pomd.md` lists what its text leaves open and what is done here.
//! Nobody has published known answers.

mod core;
mod names;

pub use names::*;

pub(crate) use self::core::Core;

use crate::compress::Compress;
use crate::key::Key;
use crate::mode::Family;
use crate::typed::Typed;
use ::core::fmt;
use ::core::marker::PhantomData;

/// p-OMD over the compression function `F`, with keys of `K`, nonces of `N` and tags of `T` bytes.
///
/// With n the length of F's chaining value, keys have 1 to n bytes, nonces 1 to n - 1 and tags 1 to n.
///
/// No authenticity if a nonce repeats, nor if unverified plaintext gets out: see the [module](self).
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
