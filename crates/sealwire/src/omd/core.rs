// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::Ad;
use crate::compress::{Chain, Compress};
use crate::gf::xor;
use crate::key::{First, Key, Origin, Work, blocks, pad};
use crate::mode::Mode;
use crate::{Error, SessionAd};
use aead::common::array::Array;
use aead::inout::InOutBuf;
use zeroize::{Zeroize, ZeroizeOnDrop};

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
        self.0.xor_mac(ad, &mut tag_a, |delta, i, full| {
            if full {
                self.0.add_l(delta, i);
            }
            u8::from(!full)
        });
        tag_a
    }

    /// The state before the first message block: h is the chaining value after the tag length block, delta the offset
    /// Delta_{N,1,0} that made it.
    fn start(&self, nonce: &[u8]) -> Work<F> {
        let mut work = self.0.work();
        pad(&mut work.h, nonce);
        work.call();
        xor(&mut work.h, self.0.first());
        work.delta.copy_from_slice(&work.h);
        self.0.put_tau(&mut work);
        work.call();
        work
    }

    /// Encrypts or decrypts the buffer and writes the tag.
    fn run<const OPEN: bool>(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut sum = self.tag_of_ad(ad)?;
        let mut work = self.start(nonce);
        let last = buffer.len().div_ceil(Key::<F>::N) as u64;
        for (i, block) in (1..).zip(blocks(buffer, Key::<F>::N)) {
            let full = block.len() == Key::<F>::N;
            work.exchange::<OPEN>(block);
            // The last block keeps the offset of the block before and adds its own.
            let own = if i < last {
                self.0.add_l(&mut work.delta, i + 1);
                0
            } else if full {
                2
            } else {
                3
            };
            self.0.masked_call(&mut work, own);
        }
        xor(&mut sum, &work.h);
        tag.copy_from_slice(&sum[..tag.len()]);
        sum[..].zeroize();
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
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<false>(nonce, ad, buffer, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: InOutBuf<'_, '_, u8>,
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<true>(nonce, ad, buffer, expected)
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        let mut tag_a = self.hash_ad(ad);
        let session = SessionAd::new(&tag_a, self.0.star());
        tag_a[..].zeroize();
        Ok(session)
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
