// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::core::Core;
use crate::compress::Compress;
use crate::key::Key;
use crate::mode::{Family, HashesAd};
use crate::typed::Typed;
use core::fmt;
use core::marker::PhantomData;

/// How SIV-OMD encrypts, as a type.
pub trait Stream {
    /// The form's letter in scheme names.
    const LETTER: char;
}

/// `sivomdp`: the calls of the encryption are independent of one another.
#[derive(Clone, Copy, Debug)]
pub enum Parallel {}

/// `sivomds`: each call of the encryption takes the result of the one before and its message block.
#[derive(Clone, Copy, Debug)]
pub enum Serial {}

impl Stream for Parallel {
    const LETTER: char = 'p';
}

impl Stream for Serial {
    const LETTER: char = 's';
}

/// **Experimental.** SIV-OMD over the compression function `F`, encryption `S` ([`Parallel`] or [`Serial`]), with keys of
/// `K`, nonces of `N` and tags of `T` bytes.
///
/// With n the length of F's chaining value, keys have 1 to n bytes, nonces 1 to n - 1 and tags 1 to n. The construction
/// is our own and has not been analysed: see the [module](super).
///
/// ```
/// use sealwire::aead::KeyInit;
/// use sealwire::siv_omd::ExperimentalSivOmdPSha512;
///
/// let cipher = ExperimentalSivOmdPSha512::new(&[0x42; 64].into());
/// let mut buffer = *b"message";
/// let tag = cipher.seal_in_place_detached(&[0; 32].into(), b"header", &mut buffer)?;
/// cipher.open_in_place_detached(&[0; 32].into(), b"header", &mut buffer, &tag)?;
/// assert_eq!(&buffer, b"message");
/// # Ok::<(), sealwire::Error>(())
/// ```
pub type ExperimentalSivOmd<F, S, K, N, T> = Typed<Mode<F, S>, K, N, T>;

/// Experimental. SIV-OMD over the compression function `F`, encryption `S`, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<F, S>(PhantomData<fn() -> (F, S)>);

impl<F: Compress, S: Stream> Family for Mode<F, S> {
    type Keyed = Core<F>;
    const SIZES: [(usize, usize); 3] = Key::<F>::SIZES;

    fn keyed(key: &[u8], tag_len: usize) -> Core<F> {
        Core::new(key, S::LETTER == Serial::LETTER, tag_len)
    }

    fn name(f: &mut fmt::Formatter<'_>, key: usize, nonce: usize, tag: usize) -> fmt::Result {
        let (letter, function) = (S::LETTER, F::NAME);
        write!(f, "sivomd{letter}{function}k{key}n{nonce}tau{tag}")
    }
}

impl<F: Compress, S: Stream> HashesAd for Mode<F, S> {}
