// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::Ad;
use crate::compress::{Chain, Compress};
use crate::gf::{wipe, xor};
use crate::jobs::{self, Jobs};
use crate::key::{First, Key, MOST, Origin, Work};
use crate::mode::Mode;
use crate::{Error, OpenPacket, SealPacket, SessionAd};
use aead::common::array::Array;
use job::{Job, begin_tag, begin_text, mac_mask, tweak};
use zeroize::ZeroizeOnDrop;

mod job;

/// SIV-OMD with a key.
pub struct Core<F: Compress> {
    key: Key<F>,
    serial: bool,
}

impl<F: Compress> Core<F> {
    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], serial: bool, tag_len: usize) -> Self {
        Self {
            key: Key::new(key, tag_len, Origin::TagLength, First::Sixteen),
            serial,
        }
    }

    /// Adds the XOR MAC of `data` to `sum`.
    fn mac(&self, data: &[u8], sum: &mut Chain<F>, tweaks: [u8; 2]) {
        self.key.xor_mac(data, sum, mac_mask(tweaks));
    }

    /// The XOR MAC of the associated data.
    fn mac_of_ad(&self, ad: Ad<'_>) -> Result<Chain<F>, Error> {
        match ad {
            Ad::Bytes(bytes) => {
                let mut sum = Array::default();
                self.mac(bytes, &mut sum, tweak::AD);
                Ok(sum)
            }
            Ad::Session(session) => {
                let sum = session.get(self.owner())?;
                Ok(Array::try_from(sum).expect("a session made by the same key has n bytes"))
            }
        }
    }

    /// What a session is recognised by. OMD version 2 has the same L* under the same key, but not the same L[0].
    const fn owner(&self) -> &Chain<F> {
        self.key.first()
    }

    /// Writes the tag; `sum` is the XOR MAC of the associated data.
    fn tag(&self, nonce: &[u8], mut sum: Chain<F>, message: &[u8], tag: &mut [u8]) {
        self.mac(message, &mut sum, tweak::MESSAGE);
        let mut work = Work::new();
        begin_tag(&self.key, &mut work, nonce, &sum);
        wipe(&mut sum);
        self.key.call(&mut work);
        tag.copy_from_slice(&work.h[..tag.len()]);
    }

    /// Encrypts or decrypts the buffer, started by the tag.
    fn crypt(&self, nonce: &[u8], tag: &[u8], buffer: &mut [u8], open: bool) {
        if self.serial {
            self.crypt_serial(nonce, tag, buffer, open);
        } else {
            self.crypt_parallel(nonce, tag, buffer);
        }
    }

    fn crypt_serial(&self, nonce: &[u8], tag: &[u8], buffer: &mut [u8], open: bool) {
        let mut work = Work::new();
        begin_text(&mut work, nonce, tag);
        for (i, block) in (1..).zip(buffer.chunks_mut(Key::<F>::N)) {
            self.key.add_l(&mut work.delta, i);
            self.key.mask(&mut work, tweak::SERIAL);
            self.key.call(&mut work);
            work.exchange(block, open);
        }
    }

    /// A block a lane.
    fn crypt_parallel(&self, nonce: &[u8], tag: &[u8], buffer: &mut [u8]) {
        let n = Key::<F>::N;
        let mut works: [Work<F>; MOST] = core::array::from_fn(|_| Work::new());
        let works = &mut works[..F::LANES];
        let mut delta = Chain::<F>::default();
        let mut i = 0;
        for blocks in buffer.chunks_mut(F::LANES * n) {
            let active = blocks.len().div_ceil(n);
            for work in &mut works[..active] {
                i += 1;
                self.key.add_l(&mut delta, i);
                begin_text(work, nonce, tag);
                work.delta.copy_from_slice(&delta);
                self.key.mask(work, tweak::PARALLEL);
            }
            self.key.calls(works, active);
            for (block, work) in blocks.chunks_mut(n).zip(&*works) {
                xor(block, &work.h);
            }
        }
        wipe(&mut delta);
    }
}

impl<F: Compress> Mode for Core<F> {
    fn tag_len(&self) -> usize {
        self.key.tag_len()
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let sum = self.mac_of_ad(ad)?;
        self.tag(nonce, sum, buffer, tag);
        self.crypt(nonce, tag, buffer, false);
        Ok(())
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        let sum = self.mac_of_ad(ad)?;
        self.crypt(nonce, given, buffer, true);
        self.tag(nonce, sum, buffer, expected);
        Ok(())
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        let mut sum = Array::default();
        self.mac(ad, &mut sum, tweak::AD);
        let session = SessionAd::new(&sum, self.owner());
        wipe(&mut sum);
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
        &self.key
    }

    /// The associated data is still to be hashed, a call a block.
    fn job<'a>(
        &self,
        nonce: &'a [u8],
        ad: Ad<'a>,
        text: &'a mut [u8],
        given: Option<&'a [u8]>,
    ) -> Result<Job<'a, F>, Error> {
        let (sum, ad) = match ad {
            Ad::Bytes(bytes) => (Chain::<F>::default(), bytes),
            Ad::Session(_) => (self.mac_of_ad(ad)?, &[][..]),
        };
        Ok(Job::new(self.serial, nonce, sum, ad, text, given))
    }
}

impl<F: Compress> Clone for Core<F> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            serial: self.serial,
        }
    }
}

impl<F: Compress> ZeroizeOnDrop for Core<F> {}

#[cfg(test)]
mod tests;
