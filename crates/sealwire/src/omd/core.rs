// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::compress::{Chain, Compress};
use crate::drive::{self, Message as _, Streams};
use crate::error::Error;
use crate::gf::wipe;
use crate::key::{First, Key, Origin};
use crate::mode::{Input, Mode};
use aead::common::array::Array;
use message::{Message, ad_mask};
use zeroize::ZeroizeOnDrop;

mod message;

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
        drive::xor_mac(&self.0, ad, &mut tag_a, ad_mask);
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
        let mut message = Message::new(nonce, self.tag_of_ad(ad)?, &[], buffer);
        drive::one(&self.0, open, &mut message);
        message.end(tag);
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
        drive::batch(self, nonce_len, packets)
    }

    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        drive::batch(self, nonce_len, packets)
    }
}

impl<F: Compress> Streams<F> for Core<F> {
    type Message<'a> = Message<'a, F>;

    fn key(&self) -> &Key<F> {
        &self.0
    }

    /// The associated data is still to be hashed, a call a block like the text.
    fn message<'a>(&self, input: Input<'a>) -> Result<Message<'a, F>, Error> {
        let Input {
            nonce, ad, text, ..
        } = input;
        let (sum, ad) = match ad {
            Ad::Bytes(bytes) => (Chain::<F>::default(), bytes),
            Ad::Session(_) => (self.tag_of_ad(ad)?, &[][..]),
        };
        Ok(Message::new(nonce, sum, ad, text))
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
