// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::core::{Core, Form};
use crate::aes::Cipher;
use crate::mode::{Family, HashesAd};
use crate::typed::Typed;
use core::fmt;
use core::marker::PhantomData;

/// How associated data is processed (`ADP` in the specification), as a type.
pub trait AdForm: sealed::Sealed {
    #[doc(hidden)]
    const FORM: Form;
}

/// ADP = P: every block on its own.
#[derive(Clone, Copy, Debug)]
pub enum Parallel {}

/// ADP = S: one block after the other.
#[derive(Clone, Copy, Debug)]
pub enum Serial {}

/// ADP = C: as if it were a ciphertext.
#[derive(Clone, Copy, Debug)]
pub enum Chained {}

impl AdForm for Parallel {
    const FORM: Form = Form::Parallel;
}

impl AdForm for Serial {
    const FORM: Form = Form::Serial;
}

impl AdForm for Chained {
    const FORM: Form = Form::Chained;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Parallel {}
    impl Sealed for super::Serial {}
    impl Sealed for super::Chained {}
}

/// AES-OTR v3 over `A` ([`Aes128`](crate::otr::Aes128) or [`Aes256`](crate::otr::Aes256)), associated data in the form `F`, with keys of `K`, nonces of `N` and tags
/// of `T` bytes.
///
/// Keys have the cipher's length, nonces 1 to 15 bytes and tags 1 to 16. The published sets are named in this module;
/// any other legal one is written out:
///
/// ```
/// use sealwire::aead::{KeyInit, consts::{U8, U13, U16}};
/// use sealwire::otr::{Aes128, Otr, Parallel};
///
/// type Short = Otr<Aes128, Parallel, U16, U13, U8>; // aes128otrpv3n104tau64
/// let cipher = Short::new(&[0x42; 16].into());
/// let mut buffer = *b"message";
/// let tag = cipher.seal_in_place_detached(&[0; 13].into(), b"header", &mut buffer)?;
/// cipher.open_in_place_detached(&[0; 13].into(), b"header", &mut buffer, &tag)?;
/// assert_eq!(&buffer, b"message");
/// # Ok::<(), sealwire::Error>(())
/// ```
///
/// Sizes that are not legal do not compile:
///
/// ```compile_fail,E0080
/// use sealwire::aead::{KeyInit, consts::U16};
/// use sealwire::otr::{Aes128, Otr, Parallel};
///
/// Otr::<Aes128, Parallel, U16, U16, U16>::new(&[0x42; 16].into()); // the nonce must be shorter than 16 bytes
/// ```
pub type Otr<A, F, K, N, T> = Typed<Mode<A, F>, K, N, T>;

/// AES-OTR v3 over `A`, associated data in the form `F`, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<A, F>(PhantomData<fn() -> (A, F)>);

/// The longest nonce in bytes: a bit before it marks where it begins, and seven more give the tag length.
pub(crate) const MAX_NONCE: usize = 15;
/// The longest tag in bytes.
pub(crate) const MAX_TAG: usize = 16;

/// The sizes in bits that a scheme's short name stands for: nonce and tag of the published sets.
pub(crate) const PUBLISHED: (usize, usize) = (96, 128);

impl<A: Cipher, F: AdForm> Family for Mode<A, F> {
    type Keyed = Core<A>;
    const SIZES: [(usize, usize); 3] = [(A::BITS / 8, A::BITS / 8), (1, MAX_NONCE), (1, MAX_TAG)];

    fn keyed(key: &[u8], tag_len: usize) -> Core<A> {
        Core::new(key, F::FORM, tag_len)
    }

    fn name(f: &mut fmt::Formatter<'_>, key: usize, nonce: usize, tag: usize) -> fmt::Result {
        write!(f, "aes{key}otr{}v3", F::FORM.letter())?;
        if (nonce, tag) != PUBLISHED {
            write!(f, "n{nonce}tau{tag}")?;
        }
        Ok(())
    }
}

impl<A: Cipher, F: AdForm> HashesAd for Mode<A, F> {}
