// SPDX-License-Identifier: Apache-2.0
//! A mode whose key, nonce and tag lengths are types, as the traits of the `aead` crate want them.

use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::error::Error;
use crate::mode::{Family, HashesAd, Mode};
use aead::common::array::{Array, ArraySize};
use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition};
use core::fmt;
use core::marker::PhantomData;
use zeroize::ZeroizeOnDrop;

/// Holds the type parameters that have no value, and is `Send` and `Sync` whatever they are.
type Sizes<K, N, T> = fn() -> (K, N, T);

/// The mode of operation `M` with keys of `K`, nonces of `N` and tags of `T` bytes.
///
/// Use it by the names in [`omd`](crate::omd), [`otr`](crate::otr), [`pomd`](crate::pomd) and [`siv_omd`](crate::siv_omd),
/// which say what the mode promises and which sizes are legal. Other sizes do not compile.
pub struct Typed<M: Family, K, N, T> {
    keyed: M::Keyed,
    sizes: PhantomData<Sizes<K, N, T>>,
}

impl<M, K, N, T> Typed<M, K, N, T>
where
    M: Family,
    K: ArraySize,
    N: ArraySize,
    T: ArraySize,
{
    const LEGAL: () = {
        let [key, nonce, tag] = M::SIZES;
        assert!(
            K::USIZE >= key.0 && K::USIZE <= key.1,
            "the mode has no keys of this length"
        );
        assert!(
            N::USIZE >= nonce.0 && N::USIZE <= nonce.1,
            "the mode has no nonces of this length"
        );
        assert!(
            T::USIZE >= tag.0 && T::USIZE <= tag.1,
            "the mode has no tags of this length"
        );
    };

    #[cfg(feature = "alloc")]
    pub(crate) const fn keyed(&self) -> &M::Keyed {
        &self.keyed
    }

    /// Encrypts `buffer` in place and returns the tag. A nonce must never serve twice under one key.
    ///
    /// # Errors
    /// [`Error::ForeignSessionAd`] if `ad` was made with another key, [`Error::NoSessionAd`] if the mode has no use for a
    /// [`SessionAd`]; never for associated data given as bytes.
    pub fn seal_in_place_detached<'a>(
        &self,
        nonce: &Nonce<Self>,
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
    ) -> Result<Tag<Self>, Error> {
        let mut tag = Array::default();
        self.keyed.encrypt(nonce, ad.into(), buffer, &mut tag)?;
        Ok(tag)
    }

    /// Decrypts `buffer` in place if the tag is right.
    ///
    /// # Errors
    /// [`Error::InvalidTag`], and `buffer` is zeros; [`Error::ForeignSessionAd`] or [`Error::NoSessionAd`], and `buffer`
    /// is unchanged.
    pub fn open_in_place_detached<'a>(
        &self,
        nonce: &Nonce<Self>,
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
        tag: &Tag<Self>,
    ) -> Result<(), Error> {
        self.keyed.open(nonce, ad.into(), buffer, tag)
    }

    /// Hashes associated data once for any number of packets under this key. Only modes that can do so have this method.
    #[must_use]
    pub fn with_session_ad(&self, ad: &[u8]) -> SessionAd
    where
        M: HashesAd,
    {
        self.keyed
            .session_ad(ad)
            .expect("a family that hashes associated data")
    }

    /// Seals every packet of the slice and returns how many succeeded; each packet holds its own result.
    pub fn seal_batch(&self, packets: &mut [SealPacket<'_>]) -> usize {
        self.keyed.seal_batch(N::USIZE, packets)
    }

    /// Opens every packet of the slice and returns how many were authentic; each packet holds its own result.
    #[must_use = "packets that failed have been wiped"]
    pub fn open_batch(&self, packets: &mut [OpenPacket<'_>]) -> usize {
        self.keyed.open_batch(N::USIZE, packets)
    }
}

impl<M: Family, K: ArraySize, N, T> KeySizeUser for Typed<M, K, N, T> {
    type KeySize = K;
}

impl<M, K, N, T> KeyInit for Typed<M, K, N, T>
where
    M: Family,
    K: ArraySize,
    N: ArraySize,
    T: ArraySize,
{
    fn new(key: &Key<Self>) -> Self {
        const { Self::LEGAL };
        Self {
            keyed: M::keyed(key, T::USIZE),
            sizes: PhantomData,
        }
    }
}

impl<M: Family, K, N: ArraySize, T: ArraySize> AeadCore for Typed<M, K, N, T> {
    type NonceSize = N;
    type TagSize = T;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<M: Family, K, N: ArraySize, T: ArraySize> AeadInOut for Typed<M, K, N, T> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> aead::Result<Tag<Self>> {
        let mut tag = Array::default();
        self.keyed.encrypt(
            nonce,
            associated_data.into(),
            buffer.into_out_with_copied_in(),
            &mut tag,
        )?;
        Ok(tag)
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> aead::Result<()> {
        Ok(self.keyed.open(
            nonce,
            associated_data.into(),
            buffer.into_out_with_copied_in(),
            tag,
        )?)
    }
}

impl<M: Family, K, N, T> Clone for Typed<M, K, N, T> {
    fn clone(&self) -> Self {
        Self {
            keyed: self.keyed.clone(),
            sizes: PhantomData,
        }
    }
}

impl<M: Family, K: ArraySize, N: ArraySize, T: ArraySize> fmt::Debug for Typed<M, K, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        M::name(f, 8 * K::USIZE, 8 * N::USIZE, 8 * T::USIZE)?;
        f.write_str(" { .. }")
    }
}

impl<M: Family<Keyed: ZeroizeOnDrop>, K, N, T> ZeroizeOnDrop for Typed<M, K, N, T> {}
