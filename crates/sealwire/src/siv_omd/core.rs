// SPDX-License-Identifier: Apache-2.0
//! The mode itself.

use crate::batch::Ad;
use crate::compress::{Chain, Compress};
use crate::key::{First, Key, Origin, blocks, pad};
use crate::mode::Mode;
use crate::{Error, SessionAd};
use aead::common::array::Array;
use aead::inout::InOutBuf;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The multiple of L* in the mask says what a call is for.
mod tweak {
    /// Full and partial block of associated data.
    pub(super) const AD: [u8; 2] = [1, 2];
    /// Full and partial block of the message on its way to the tag.
    pub(super) const MESSAGE: [u8; 2] = [3, 4];
    pub(super) const TAG: u8 = 5;
    pub(super) const PARALLEL: u8 = 6;
    pub(super) const SERIAL: u8 = 7;
}

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
    fn mac(&self, data: &[u8], sum: &mut Chain<F>, [full, partial]: [u8; 2]) {
        self.key.xor_mac(data, sum, |delta, i, is_full| {
            self.key.add_l(delta, i);
            if is_full { full } else { partial }
        });
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
        let mut work = self.key.work();
        work.h.copy_from_slice(&sum);
        sum[..].zeroize();
        pad(work.data(), nonce);
        self.key.add_l(&mut work.delta, 1);
        self.key.masked_call(&mut work, tweak::TAG);
        tag.copy_from_slice(&work.h[..tag.len()]);
    }

    /// Encrypts or decrypts the buffer, started by the tag.
    fn crypt<const OPEN: bool>(&self, nonce: &[u8], tag: &[u8], buffer: InOutBuf<'_, '_, u8>) {
        let mut work = self.key.work();
        pad(work.data(), nonce);
        for (i, mut block) in (1..).zip(blocks(buffer, Key::<F>::N)) {
            self.key.add_l(&mut work.delta, i);
            if i == 1 || !self.serial {
                work.h.fill(0);
                work.h[..tag.len()].copy_from_slice(tag);
            }
            if self.serial {
                self.key.masked_call(&mut work, tweak::SERIAL);
                work.exchange::<OPEN>(block);
            } else {
                self.key.masked_call(&mut work, tweak::PARALLEL);
                block.xor_in2out(&work.h[..block.len()]);
            }
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
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let sum = self.mac_of_ad(ad)?;
        self.tag(nonce, sum, buffer.get_in(), tag);
        self.crypt::<false>(nonce, tag, buffer);
        Ok(())
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        mut buffer: InOutBuf<'_, '_, u8>,
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        let sum = self.mac_of_ad(ad)?;
        self.crypt::<true>(nonce, given, buffer.reborrow());
        self.tag(nonce, sum, buffer.get_out(), expected);
        Ok(())
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        let mut sum = Array::default();
        self.mac(ad, &mut sum, tweak::AD);
        let session = SessionAd::new(&sum, self.owner());
        sum[..].zeroize();
        Ok(session)
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
