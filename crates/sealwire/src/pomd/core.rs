// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::Ad;
use crate::compress::Compress;
use crate::jobs::{self, Job as _, Jobs};
use crate::key::{First, Key, Origin};
use crate::mode::Mode;
use crate::{Error, OpenPacket, SealPacket, SessionAd};
use job::Job;
use zeroize::ZeroizeOnDrop;

mod job;

/// p-OMD with a key.
pub struct Core<F: Compress>(Key<F>);

impl<F: Compress> Core<F> {
    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], tag_len: usize) -> Self {
        Self(Key::new(key, tag_len, Origin::Zero, First::Sixteen))
    }

    /// Encrypts the buffer, or decrypts it if a tag is given, and writes its tag.
    fn run(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: Option<&[u8]>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut job = self.job(nonce, ad, buffer, given)?;
        jobs::one(&self.0, given.is_some(), &mut job);
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
        self.run(nonce, ad, buffer, None, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.run(nonce, ad, buffer, Some(given), expected)
    }

    fn session_ad(&self, _ad: &[u8]) -> Result<SessionAd, Error> {
        Err(Error::NoSessionAd)
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

    fn job<'a>(
        &self,
        nonce: &'a [u8],
        ad: Ad<'a>,
        text: &'a mut [u8],
        given: Option<&'a [u8]>,
    ) -> Result<Job<'a, F>, Error> {
        let Ad::Bytes(ad) = ad else {
            return Err(Error::NoSessionAd);
        };
        Ok(Job::new(nonce, ad, text, given.is_some()))
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
