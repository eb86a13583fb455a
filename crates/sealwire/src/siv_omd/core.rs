// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::compress::{Chain, Compress};
use crate::drive::{self, Message as _, Streams};
use crate::error::Error;
use crate::gf::{wipe, xor};
use crate::key::{First, Key, Origin};
use crate::mode::{Input, Mode, Packet, mean_len, one_by_one};
use aead::common::array::Array;
use message::{Message, OPEN, SEAL, Stage, ad_mask, message_mask, parallel_step};
use zeroize::ZeroizeOnDrop;

mod message;

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

    /// Packets side by side, or one after the other where they have 8 n bytes or more on average: the blocks of such a packet occupy
    /// lanes by themselves, except that the serial form encrypts one block after the other. In the serial form lanes therefore gain
    /// from four packets on, and never over SHA-256, for which many CPUs have instructions.
    fn batch<P: Packet>(&self, nonce_len: usize, packets: &mut [P]) -> usize {
        let n = Key::<F>::N;
        let long = mean_len(packets) >= 8 * n;
        if long && (!self.serial || packets.len() < 4 || n == 32) {
            one_by_one(self, nonce_len, packets)
        } else {
            drive::batch(self, nonce_len, packets)
        }
    }

    /// The XOR MAC of the associated data.
    fn mac_of_ad(&self, ad: Ad<'_>) -> Result<Chain<F>, Error> {
        match ad {
            Ad::Bytes(bytes) => {
                let mut sum = Array::default();
                drive::xor_mac(&self.key, bytes, &mut sum, ad_mask);
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
    fn tag(&self, nonce: &[u8], mut sum: Chain<F>, text: &[u8], tag: &mut [u8]) {
        drive::xor_mac(&self.key, text, &mut sum, message_mask);
        let mut message = Message::new(&[Stage::Tag], self.serial, nonce, sum, &[], &mut [], None);
        drive::one(&self.key, false, &mut message);
        message.end(tag);
    }

    /// Encrypts or decrypts the buffer, started by the tag.
    fn crypt(&self, nonce: &[u8], tag: &[u8], buffer: &mut [u8], open: bool) {
        if self.serial {
            let zero = Chain::<F>::default();
            let mut message =
                Message::new(&[Stage::Text], true, nonce, zero, &[], buffer, Some(tag));
            drive::one(&self.key, open, &mut message);
        } else {
            let blocks = buffer.chunks_mut(Key::<F>::N).map(|block| ((), block));
            let step = |key: &Key<F>, offset: &mut Chain<F>, i, ()| {
                parallel_step(key, offset, i, [nonce, tag])
            };
            drive::independent(&self.key, blocks, step, |block, result| xor(block, result));
        }
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
        drive::xor_mac(&self.key, ad, &mut sum, ad_mask);
        let session = SessionAd::new(&sum, self.owner());
        wipe(&mut sum);
        Ok(session)
    }

    fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        self.batch(nonce_len, packets)
    }

    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        self.batch(nonce_len, packets)
    }
}

impl<F: Compress> Streams<F> for Core<F> {
    type Message<'a> = Message<'a, F>;

    fn key(&self) -> &Key<F> {
        &self.key
    }

    /// The associated data is still to be hashed, a call a block.
    fn message<'a>(&self, input: Input<'a>) -> Result<Message<'a, F>, Error> {
        let Input {
            nonce,
            ad,
            text,
            given,
        } = input;
        let (sum, ad) = match ad {
            Ad::Bytes(bytes) => (Chain::<F>::default(), bytes),
            Ad::Session(_) => (self.mac_of_ad(ad)?, &[][..]),
        };
        let stages = if given.is_some() { OPEN } else { SEAL };
        Ok(Message::new(
            stages,
            self.serial,
            nonce,
            sum,
            ad,
            text,
            given,
        ))
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
