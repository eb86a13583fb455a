// SPDX-License-Identifier: Apache-2.0
//! Many packets in one call, and associated data that is hashed once for a whole session.
//!
//! The packets of a batch are independent of one another: each has its own nonce, associated data, buffer, tag and
//! result, and lengths may differ. A failed packet does not stop the others.

use crate::error::Error;
use crate::gf::wipe;
use crate::mode::equal;
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Associated data: bytes, or what was computed from them once.
#[derive(Clone, Copy, Debug)]
pub enum Ad<'a> {
    /// The data itself, any length.
    Bytes(&'a [u8]),
    /// The result of `with_session_ad` under the same key.
    Session(&'a SessionAd),
}

impl<'a> Ad<'a> {
    /// The data itself, for a mode that computes nothing ahead.
    ///
    /// # Errors
    /// [`Error::NoSessionAd`] for what was computed from it.
    pub(crate) fn bytes(self) -> Result<&'a [u8], Error> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Session(_) => Err(Error::NoSessionAd),
        }
    }

    /// Writes the block that a mode makes of the data, by `hash` or as it was computed once; `owner` is what a session of this
    /// key is recognised by. The block is secret, and a returned one would leave copies.
    ///
    /// # Errors
    /// [`Error::ForeignSessionAd`] for what was computed under another key.
    pub(crate) fn block(
        self,
        owner: impl FnOnce() -> [u8; 16],
        hash: impl FnOnce(&[u8], &mut [u8; 16]),
        block: &mut [u8; 16],
    ) -> Result<(), Error> {
        match self {
            Self::Bytes(bytes) => hash(bytes, block),
            Self::Session(session) => {
                let mut owner = owner();
                let found = session.get(&owner);
                wipe(&mut owner);
                // A session of this key has a block.
                block.copy_from_slice(found?);
            }
        }
        Ok(())
    }
}

impl<'a> From<&'a [u8]> for Ad<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Ad<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}

#[cfg(feature = "alloc")]
impl<'a> From<&'a alloc::vec::Vec<u8>> for Ad<'a> {
    fn from(bytes: &'a alloc::vec::Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a> From<&'a SessionAd> for Ad<'a> {
    fn from(session: &'a SessionAd) -> Self {
        Self::Session(session)
    }
}

/// Associated data that was hashed once under one key (`Tag_a` of OMD, the XOR MAC of SIV-OMD) and serves any number of
/// packets. p-OMD has no such thing.
///
/// It belongs to the key it was made with; another key refuses it with [`Error::ForeignSessionAd`]. It is secret, owns
/// its bytes and is wiped when dropped.
#[derive(Clone)]
pub struct SessionAd {
    hash: [u8; Self::MAX],
    /// A value that only this key under this scheme has, to recognise it.
    owner: [u8; Self::MAX],
    len: usize,
}

impl SessionAd {
    const MAX: usize = 64;

    pub(crate) fn new(hash: &[u8], owner: &[u8]) -> Self {
        let mut session = Self {
            hash: [0; Self::MAX],
            owner: [0; Self::MAX],
            len: hash.len(),
        };
        session.hash[..hash.len()].copy_from_slice(hash);
        session.owner[..owner.len()].copy_from_slice(owner);
        session
    }

    /// What `hash` writes, for [`Ad::block`].
    pub(crate) fn of_block(mut owner: [u8; 16], hash: impl FnOnce(&mut [u8; 16])) -> Self {
        let mut block = [0; 16];
        hash(&mut block);
        let session = Self::new(&block, &owner);
        wipe(&mut block);
        wipe(&mut owner);
        session
    }

    pub(crate) fn get(&self, owner: &[u8]) -> Result<&[u8], Error> {
        if equal(&self.owner[..self.len], owner) {
            Ok(&self.hash[..self.len])
        } else {
            Err(Error::ForeignSessionAd)
        }
    }
}

impl fmt::Debug for SessionAd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionAd").finish_non_exhaustive()
    }
}

impl Drop for SessionAd {
    fn drop(&mut self) {
        self.hash.zeroize();
        self.owner.zeroize();
    }
}

impl ZeroizeOnDrop for SessionAd {}

/// One packet of a `seal_batch` call.
#[derive(Debug)]
pub struct SealPacket<'a> {
    /// The nonce, exactly the scheme's length, never used before with this key.
    pub nonce: &'a [u8],
    /// The associated data.
    pub ad: Ad<'a>,
    /// Plaintext before the call, ciphertext after it.
    pub buffer: &'a mut [u8],
    /// Receives the tag, exactly the scheme's tag length.
    pub tag: &'a mut [u8],
    /// [`Error::NotProcessed`] until the call has set it.
    pub result: Result<(), Error>,
}

/// One packet of an `open_batch` call.
#[derive(Debug)]
pub struct OpenPacket<'a> {
    /// The nonce, exactly the scheme's length.
    pub nonce: &'a [u8],
    /// The associated data.
    pub ad: Ad<'a>,
    /// Ciphertext before the call; after it plaintext if `result` is `Ok`, zeros if it is [`Error::InvalidTag`].
    pub buffer: &'a mut [u8],
    /// The tag to check, exactly the scheme's tag length.
    pub tag: &'a [u8],
    /// [`Error::NotProcessed`] until the call has set it.
    pub result: Result<(), Error>,
}

impl<'a> SealPacket<'a> {
    /// A packet that has not been processed.
    pub fn new(
        nonce: &'a [u8],
        ad: impl Into<Ad<'a>>,
        buffer: &'a mut [u8],
        tag: &'a mut [u8],
    ) -> Self {
        Self {
            nonce,
            ad: ad.into(),
            buffer,
            tag,
            result: Err(Error::NotProcessed),
        }
    }
}

impl<'a> OpenPacket<'a> {
    /// A packet that has not been processed.
    pub fn new(
        nonce: &'a [u8],
        ad: impl Into<Ad<'a>>,
        buffer: &'a mut [u8],
        tag: &'a [u8],
    ) -> Self {
        Self {
            nonce,
            ad: ad.into(),
            buffer,
            tag,
            result: Err(Error::NotProcessed),
        }
    }
}
