// SPDX-License-Identifier: Apache-2.0
//! OMD (offset Merkle-Damgård; Cogliani, Maimut, Naccache, Portella do Canto, Reyhanitabar, Vaudenay, Vizár; CAESAR
//! candidate, versions 1 and 2): a nonce-based AEAD mode of a compression function.
//!
//! With F_K(H, M) = F'(H, K || M), a block of n bytes and offsets made by doubling in GF(2^8n), sealing a message of l
//! blocks with associated data of a double blocks takes l + a + 2 calls of F', and setting a key up takes one. The
//! associated data's calls do not depend on the nonce: [`Omd::with_session_ad`] makes them once.
//!
//! Empty associated data and an empty message take no call of their own, as in the designers' reference code of both
//! versions; their vectorised code of version 2 treats them as a partial block.

mod core;
mod names;

pub use names::*;

pub(crate) use self::core::Core;

use crate::Error;
use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::compress::{Chain, Compress};
use ::core::fmt;
use ::core::marker::PhantomData;
use aead::common::array::{Array, ArraySize};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use zeroize::ZeroizeOnDrop;

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

/// Holds the type parameters that have no value, and is `Send` and `Sync` whatever they are.
type Sizes<V, K, N, T> = fn() -> (V, K, N, T);

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
pub struct Omd<F: Compress, V, K, N, T> {
    core: Core<F>,
    sizes: PhantomData<Sizes<V, K, N, T>>,
}

impl<F, V, K, N, T> Omd<F, V, K, N, T>
where
    F: Compress,
    V: Version,
    K: ArraySize,
    N: ArraySize,
    T: ArraySize,
{
    const LEGAL: () = {
        let n = Core::<F>::N;
        assert!(
            K::USIZE >= 1 && K::USIZE <= n,
            "the key must have 1 to n bytes"
        );
        assert!(
            N::USIZE >= 1 && N::USIZE < n,
            "the nonce must have 1 to n - 1 bytes"
        );
        assert!(
            T::USIZE >= 1 && T::USIZE <= n,
            "the tag must have 1 to n bytes"
        );
    };

    /// Encrypts `buffer` in place and returns the tag. A nonce must never serve twice under one key.
    ///
    /// # Errors
    /// [`Error::ForeignSessionAd`] if `ad` was made with another key; never for associated data given as bytes.
    pub fn seal_in_place_detached<'a>(
        &self,
        nonce: &Nonce<Self>,
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
    ) -> Result<Tag<Self>, Error> {
        let mut tag = Array::default();
        self.core.seal(nonce, ad.into(), buffer.into(), &mut tag)?;
        Ok(tag)
    }

    /// Decrypts `buffer` in place if the tag is right.
    ///
    /// # Errors
    /// [`Error::InvalidTag`], and `buffer` is zeros; [`Error::ForeignSessionAd`], and `buffer` is unchanged.
    pub fn open_in_place_detached<'a>(
        &self,
        nonce: &Nonce<Self>,
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        self.core.open(nonce, ad.into(), buffer.into(), tag)
    }

    /// Hashes associated data once for any number of packets under this key.
    #[must_use]
    pub fn with_session_ad(&self, ad: &[u8]) -> SessionAd {
        self.core.session_ad(ad)
    }

    /// Seals every packet of the slice and returns how many succeeded; each packet holds its own result.
    pub fn seal_batch(&self, packets: &mut [SealPacket<'_>]) -> usize {
        self.core.seal_batch(N::USIZE, packets)
    }

    /// Opens every packet of the slice and returns how many were authentic; each packet holds its own result.
    #[must_use = "packets that failed have been wiped"]
    pub fn open_batch(&self, packets: &mut [OpenPacket<'_>]) -> usize {
        self.core.open_batch(N::USIZE, packets)
    }
}

impl<F: Compress, V, K: ArraySize, N, T> KeySizeUser for Omd<F, V, K, N, T> {
    type KeySize = K;
}

impl<F, V, K, N, T> KeyInit for Omd<F, V, K, N, T>
where
    F: Compress,
    V: Version,
    K: ArraySize,
    N: ArraySize,
    T: ArraySize,
{
    fn new(key: &Key<Self>) -> Self {
        const { Self::LEGAL };
        Self {
            core: Core::new(key, V::NUMBER, T::USIZE),
            sizes: PhantomData,
        }
    }
}

impl<F: Compress, V, K, N: ArraySize, T: ArraySize> AeadCore for Omd<F, V, K, N, T> {
    type NonceSize = N;
    type TagSize = T;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<F: Compress, V, K, N: ArraySize, T: ArraySize> AeadInOut for Omd<F, V, K, N, T> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> aead::Result<Tag<Self>> {
        let mut tag = Array::default();
        self.core
            .seal(nonce, associated_data.into(), buffer, &mut tag)?;
        Ok(tag)
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> aead::Result<()> {
        Ok(self.core.open(nonce, associated_data.into(), buffer, tag)?)
    }
}

impl<F: Compress, V, K, N, T> Clone for Omd<F, V, K, N, T> {
    fn clone(&self) -> Self {
        Self {
            core: self.core.clone(),
            sizes: PhantomData,
        }
    }
}

impl<F: Compress, V: Version, K: ArraySize, N: ArraySize, T: ArraySize> fmt::Debug
    for Omd<F, V, K, N, T>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (k, n, t) = (8 * K::USIZE, 8 * N::USIZE, 8 * T::USIZE);
        write!(f, "omd{}k{k}n{n}tau{t}v{} {{ .. }}", F::NAME, V::NUMBER)
    }
}

impl<F: Compress, V, K, N, T> ZeroizeOnDrop for Omd<F, V, K, N, T> {}

impl<F: Compress> Core<F> {
    pub(crate) fn check_packet(
        &self,
        nonce_len: usize,
        nonce: &[u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        Error::check_len("nonce", nonce.len(), nonce_len)?;
        Error::check_len("tag", tag.len(), self.tag_len())
    }

    /// The portable form: one packet after the other.
    pub(crate) fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        for p in &mut *packets {
            p.result = self
                .check_packet(nonce_len, p.nonce, p.tag)
                .and_then(|()| self.seal(p.nonce, p.ad, (&mut *p.buffer).into(), p.tag));
        }
        packets.iter().filter(|p| p.result.is_ok()).count()
    }

    /// The portable form: one packet after the other.
    pub(crate) fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        for p in &mut *packets {
            p.result = self
                .check_packet(nonce_len, p.nonce, p.tag)
                .and_then(|()| self.open(p.nonce, p.ad, (&mut *p.buffer).into(), p.tag));
        }
        packets.iter().filter(|p| p.result.is_ok()).count()
    }
}

/// A chaining value is never longer than the buffers that hold one without naming its type.
const _: () = assert!(size_of::<Chain<crate::compress::Sha512>>() <= 64);
