// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::{Ad, OpenPacket, SealPacket};
use crate::compress::Compress;
use crate::drive::{self, Message as _, Streams};
use crate::error::Error;
use crate::key::{First, Key, Origin};
use crate::mode::{Input, Mode};
use message::Message;
use zeroize::ZeroizeOnDrop;

mod message;

/// p-OMD with a key.
pub struct Core<F: Compress>(Key<F>);

impl<F: Compress> Core<F> {
    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], tag_len: usize) -> Self {
        Self(Key::new(key, tag_len, Origin::Zero, First::Sixteen))
    }

    /// Encrypts or decrypts the text, and writes its tag.
    fn run(&self, input: Input<'_>, tag: &mut [u8]) -> Result<(), Error> {
        let open = input.given.is_some();
        let mut message = self.message(input)?;
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
        let input = Input {
            nonce,
            ad,
            text: buffer,
            given: None,
        };
        self.run(input, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        let input = Input {
            nonce,
            ad,
            text: buffer,
            given: Some(given),
        };
        self.run(input, expected)
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

    fn message<'a>(&self, input: Input<'a>) -> Result<Message<'a, F>, Error> {
        let Input {
            nonce, ad, text, ..
        } = input;
        Ok(Message::new(nonce, ad.bytes()?, text))
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
