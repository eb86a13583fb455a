// SPDX-License-Identifier: Apache-2.0
//! A scheme with a key.

use super::definition::{BlockCipher, Construction, Function, OmdMode, Scheme};
use crate::aes::{Aes128, Aes192, Aes256};
use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::compress::{Blake2b, Compress, Sha256, Sha512};
use crate::error::Error;
use crate::mode::Mode;
use crate::{
    aegis, ascon_aead, chained, colm, copa, deoxys, gcm, minalpher, ocb, omd, otr, pomd, scream,
    siv_omd,
};
use core::fmt;
#[cfg(feature = "alloc")]
use zeroize::Zeroize;
use zeroize::ZeroizeOnDrop;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

macro_rules! keyed {
    ($($variant:ident($mode:ty),)*) => {
        /// A mode with a key, over what the name says.
        #[derive(Clone)]
        pub(crate) enum Keyed {
            $($variant($mode),)*
        }

        impl Keyed {
            fn mode(&self) -> &dyn Mode {
                match self {
                    $(Self::$variant(mode) => mode,)*
                }
            }
        }

        $(
            impl From<$mode> for Keyed {
                fn from(mode: $mode) -> Self {
                    Self::$variant(mode)
                }
            }
        )*
    };
}

keyed! {
    OmdSha256(omd::Core<Sha256>),
    OmdSha512(omd::Core<Sha512>),
    OmdBlake2b(omd::Core<Blake2b>),
    PomdSha256(pomd::Core<Sha256>),
    PomdSha512(pomd::Core<Sha512>),
    PomdBlake2b(pomd::Core<Blake2b>),
    SivOmdSha256(siv_omd::Core<Sha256>),
    SivOmdSha512(siv_omd::Core<Sha512>),
    SivOmdBlake2b(siv_omd::Core<Blake2b>),
    Aes128Otr(otr::Core<Aes128>),
    Aes256Otr(otr::Core<Aes256>),
    Ascon(ascon_aead::Core),
    Deoxys(deoxys::Core),
    Aes128Ocb(ocb::Core<Aes128>),
    Aes192Ocb(ocb::Core<Aes192>),
    Aes256Ocb(ocb::Core<Aes256>),
    Colm(chained::Core<colm::Chain>),
    Copa(chained::Core<copa::Chain>),
    Aes128Gcm(gcm::Core<aes_gcm::Aes128Gcm>),
    Aes256Gcm(gcm::Core<aes_gcm::Aes256Gcm>),
    Aegis(aegis::Core),
    Scream(scream::Core),
    Minalpher(minalpher::Core),
}

impl Keyed {
    fn new(construction: Construction, key: &[u8], tag_len: usize) -> Self {
        match construction {
            Construction::Compression { mode, function } => match function {
                Function::Sha256 => Self::over::<Sha256>(mode, key, tag_len),
                Function::Sha512 => Self::over::<Sha512>(mode, key, tag_len),
                Function::Blake2b => Self::over::<Blake2b>(mode, key, tag_len),
            },
            Construction::Otr { form, cipher } => match cipher {
                BlockCipher::Aes128 => otr::Core::<Aes128>::new(key, form, tag_len).into(),
                BlockCipher::Aes256 => otr::Core::<Aes256>::new(key, form, tag_len).into(),
            },
            Construction::Fixed(fixed) => (fixed.keyed)(key),
        }
    }

    /// A mode over a compression function.
    fn over<F: Compress>(mode: OmdMode, key: &[u8], tag_len: usize) -> Self
    where
        Self: From<omd::Core<F>> + From<pomd::Core<F>> + From<siv_omd::Core<F>>,
    {
        match mode {
            OmdMode::Omd { version } => omd::Core::<F>::new(key, version, tag_len).into(),
            OmdMode::Pomd => pomd::Core::<F>::new(key, tag_len).into(),
            OmdMode::SivOmd { serial } => siv_omd::Core::<F>::new(key, serial, tag_len).into(),
        }
    }
}

/// A scheme with a key. The key and everything derived from it is wiped when this is dropped.
#[derive(Clone)]
pub struct DynAead {
    scheme: Scheme,
    keyed: Keyed,
}

impl Scheme {
    /// Sets the scheme up with a key.
    ///
    /// # Errors
    /// [`Error::Length`] if the key does not have [`key_len`](Self::key_len) bytes.
    pub fn with_key(&self, key: &[u8]) -> Result<DynAead, Error> {
        Error::check_len("key", key.len(), self.key_len)?;
        Ok(DynAead {
            scheme: *self,
            keyed: Keyed::new(self.construction, key, self.tag_len),
        })
    }
}

impl DynAead {
    /// The scheme.
    #[must_use]
    pub const fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Encrypts `buffer` in place and writes the tag to `tag`. A nonce must never serve twice under one key.
    ///
    /// # Errors
    /// [`Error::Length`] for a nonce or tag of the wrong length, [`Error::ForeignSessionAd`] if `ad` was made with
    /// another key, [`Error::NoSessionAd`] if the scheme has no use for a [`SessionAd`]. `buffer` and `tag` are unchanged
    /// then.
    pub fn seal_in_place_detached<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let ad = ad.into();
        let mode = self.keyed.mode();
        mode.check_packet(self.scheme.nonce_len, nonce, tag.len())?;
        mode.encrypt(nonce, ad, buffer, tag)
    }

    /// Decrypts `buffer` in place if the tag is right.
    ///
    /// # Errors
    /// [`Error::InvalidTag`], and `buffer` is zeros. [`Error::Length`] for a nonce or tag of the wrong length,
    /// [`Error::ForeignSessionAd`] if `ad` was made with another key: `buffer` is unchanged then.
    pub fn open_in_place_detached<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let ad = ad.into();
        let mode = self.keyed.mode();
        mode.check_packet(self.scheme.nonce_len, nonce, tag.len())?;
        mode.open(nonce, ad, buffer, tag)
    }

    /// Encrypts `plaintext` and returns ciphertext || tag.
    ///
    /// # Errors
    /// The errors of [`seal_in_place_detached`](Self::seal_in_place_detached).
    #[cfg(feature = "alloc")]
    pub fn seal<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        plaintext: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let mut out = Vec::with_capacity(plaintext.len() + self.scheme.tag_len);
        out.extend_from_slice(plaintext);
        out.resize(plaintext.len() + self.scheme.tag_len, 0);
        let (buffer, tag) = out.split_at_mut(plaintext.len());
        if let Err(error) = self.seal_in_place_detached(nonce, ad, buffer, tag) {
            out.as_mut_slice().zeroize(); // what failed has left the plaintext in it
            return Err(error);
        }
        Ok(out)
    }

    /// Checks and decrypts ciphertext || tag.
    ///
    /// # Errors
    /// [`Error::InvalidTag`] if it is not authentic, [`Error::Length`] for a nonce of the wrong length or an input
    /// shorter than the tag, [`Error::ForeignSessionAd`] if `ad` was made with another key.
    #[cfg(feature = "alloc")]
    pub fn open<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        sealed: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let tag_len = self.scheme.tag_len;
        let Some(len) = sealed.len().checked_sub(tag_len) else {
            return Err(Error::Length {
                parameter: "sealed message",
                given: sealed.len(),
                min: tag_len,
                max: usize::MAX,
            });
        };
        let (ciphertext, tag) = sealed.split_at(len);
        let mut out = Vec::from(ciphertext);
        self.open_in_place_detached(nonce, ad, &mut out, tag)?;
        Ok(out)
    }

    /// Hashes associated data once for any number of packets under this key.
    ///
    /// # Errors
    /// [`Error::NoSessionAd`] for p-OMD, which takes in associated data together with the message, so that nothing could be
    /// saved, for the AEADs of Ascon, for AES-GCM, AEGIS, AES-COPA and SCREAM. [`Scheme::caches_ad`] says so beforehand.
    pub fn with_session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        self.keyed.mode().session_ad(ad)
    }

    /// Seals every packet of the slice and returns how many succeeded; each packet holds its own result.
    pub fn seal_batch(&self, packets: &mut [SealPacket<'_>]) -> usize {
        self.keyed.mode().seal_batch(self.scheme.nonce_len, packets)
    }

    /// Opens every packet of the slice and returns how many were authentic; each packet holds its own result.
    #[must_use = "packets that failed have been wiped"]
    pub fn open_batch(&self, packets: &mut [OpenPacket<'_>]) -> usize {
        self.keyed.mode().open_batch(self.scheme.nonce_len, packets)
    }
}

impl fmt::Debug for DynAead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynAead({}, ..)", self.scheme)
    }
}

impl ZeroizeOnDrop for DynAead {}
