// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::Ad;
use crate::compress::{Chain, Compress};
use crate::gf::wipe;
use crate::jobs::{self, Job as _, Jobs};
use crate::key::{First, Key, Origin};
use crate::mode::Mode;
use crate::{Error, OpenPacket, SealPacket, SessionAd};
use aead::common::array::Array;
use job::Job;
use zeroize::ZeroizeOnDrop;

mod job;

/// OMD with a key.
pub struct Core<F: Compress>(Key<F>);

impl<F: Compress> Core<F> {
    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], version: u8, tag_len: usize) -> Self {
        // The two versions differ in this only.
        let origin = if version >= 2 {
            Origin::TagLength
        } else {
            Origin::Zero
        };
        Self(Key::new(key, tag_len, origin, First::Four))
    }

    /// Tag_a: the keyed hash of the associated data, zero for empty data.
    fn tag_of_ad(&self, ad: Ad<'_>) -> Result<Chain<F>, Error> {
        match ad {
            Ad::Bytes(bytes) => Ok(self.hash_ad(bytes)),
            Ad::Session(session) => {
                let tag_a = session.get(self.0.star())?;
                Ok(Array::try_from(tag_a).expect("a session made by the same key has n bytes"))
            }
        }
    }

    fn hash_ad(&self, ad: &[u8]) -> Chain<F> {
        let mut tag_a = Chain::<F>::default();
        self.0.xor_mac(ad, &mut tag_a, job::ad_mask);
        tag_a
    }

    /// Encrypts or decrypts the buffer and writes the tag.
    fn run(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        open: bool,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut job = Job::new(nonce, self.tag_of_ad(ad)?, &[], buffer, open);
        jobs::one(&self.0, open, &mut job);
        job.end(tag);
        Ok(())
    }
}

impl<F: Compress> Mode for Core<F> {
    fn tag_len(&self) -> usize {
        self.0.tag_len()
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.run(nonce, ad, buffer, false, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.run(nonce, ad, buffer, true, expected)
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        let mut tag_a = self.hash_ad(ad);
        let session = SessionAd::new(&tag_a, self.0.star());
        wipe(&mut tag_a);
        Ok(session)
    }

    fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        jobs::seal_batch(self, nonce_len, packets)
    }

    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        jobs::open_batch(self, nonce_len, packets)
    }
}

impl<F: Compress> Jobs<F> for Core<F> {
    type Job<'a> = Job<'a, F>;

    fn key(&self) -> &Key<F> {
        &self.0
    }

    /// The associated data is still to be hashed, a call a block like the text.
    fn job<'a>(
        &self,
        nonce: &'a [u8],
        ad: Ad<'a>,
        text: &'a mut [u8],
        given: Option<&'a [u8]>,
    ) -> Result<Job<'a, F>, Error> {
        let (sum, ad) = match ad {
            Ad::Bytes(bytes) => (Chain::<F>::default(), bytes),
            Ad::Session(_) => (self.tag_of_ad(ad)?, &[][..]),
        };
        Ok(Job::new(nonce, sum, ad, text, given.is_some()))
    }
}

impl<F: Compress> Clone for Core<F> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<F: Compress> ZeroizeOnDrop for Core<F> {}

#[cfg(test)]
mod tests;
