// SPDX-License-Identifier: Apache-2.0
//! The mode with a key, as the crate `aes-gcm` computes it.

use crate::batch::Ad;
use crate::error::Error;
use crate::mode;
use aead::consts::{U12, U16};
use aead::{AeadInOut, KeyInit, Nonce, Tag};
use aes_gcm::{Aes128Gcm, Aes256Gcm, P_MAX};
use zeroize::ZeroizeOnDrop;

/// Length of a nonce in bytes.
pub(super) const NONCE_LEN: usize = 12;

/// Length of a tag in bytes.
pub(super) const TAG_LEN: usize = 16;

/// AES-GCM with keys of one length.
pub trait Gcm:
    AeadInOut<NonceSize = U12, TagSize = U16> + KeyInit + Clone + Send + Sync + ZeroizeOnDrop + 'static
{
    /// Length of a key in bytes.
    const KEY_LEN: usize;
}

impl Gcm for Aes128Gcm {
    const KEY_LEN: usize = 16;
}

impl Gcm for Aes256Gcm {
    const KEY_LEN: usize = 32;
}

/// AES-GCM with a key.
#[derive(Clone)]
pub struct Core<G>(G);

impl<G: Gcm> Core<G> {
    /// The key must have the length of `G`.
    pub(crate) fn new(key: &[u8]) -> Self {
        Self(G::new_from_slice(key).expect("a key of the right length"))
    }
}

/// The associated data, where there is something to do with it and with so many bytes of a message.
fn legal(ad: Ad<'_>, message_len: usize) -> Result<&[u8], Error> {
    if message_len as u64 > P_MAX {
        return Err(Error::Length {
            parameter: "message",
            given: message_len,
            min: 0,
            max: P_MAX as usize,
        });
    }
    ad.bytes()
}

impl<G: Gcm> mode::Mode for Core<G> {
    fn tag_len(&self) -> usize {
        TAG_LEN
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let ad = legal(ad, buffer.len())?;
        let nonce = <&Nonce<G>>::try_from(nonce).expect("a nonce of 12 bytes");
        let made = self
            .0
            .encrypt_inout_detached(nonce, ad, buffer.into())
            .expect("lengths that the mode takes");
        tag.copy_from_slice(&made);
        Ok(())
    }

    /// Decrypts what is authentic only; else the expected tag is one that differs from the given one in every bit.
    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        let ad = legal(ad, buffer.len())?;
        let nonce = <&Nonce<G>>::try_from(nonce).expect("a nonce of 12 bytes");
        let tag = <&Tag<G>>::try_from(given).expect("a tag of 16 bytes");
        let opened = self.0.decrypt_inout_detached(nonce, ad, buffer.into(), tag);
        let difference = if opened.is_ok() { 0 } else { 0xff };
        for (expected, given) in expected.iter_mut().zip(given) {
            *expected = given ^ difference;
        }
        Ok(())
    }
}

impl<G: ZeroizeOnDrop> ZeroizeOnDrop for Core<G> {}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::{P_MAX, legal};
    use crate::batch::Ad;

    #[test]
    fn a_message_whose_counter_would_repeat_is_refused() {
        assert!(legal(Ad::Bytes(b""), P_MAX as usize).is_ok());
        let error = legal(Ad::Bytes(b""), P_MAX as usize + 1).unwrap_err();
        assert!(std::format!("{error}").contains("allowed 0 to 68719476704 bytes"));
    }
}
