// SPDX-License-Identifier: Apache-2.0
//! Sealing a message that comes in pieces.

use super::core::Core;
use super::core::pieces::Sealing;
use super::core::text::{CHUNK, State};
use super::family::{AdForm, Mode};
use crate::aes::Cipher;
use crate::batch::Ad;
use crate::error::Error;
use crate::gf::wipe;
use crate::typed::Typed;
use aead::common::array::ArraySize;
use core::fmt;
use zeroize::ZeroizeOnDrop;

use alloc::vec::Vec;

/// A message that is sealed piece by piece; the ciphertext is that of one call. Made by `seal_stream`.
///
/// Up to 32 bytes are held back until more comes or the message ends. Opening has no such form: plaintext may leave only
/// when the tag at the end of the message was right, so that a receiver needs room for all of it anyway.
///
/// ```
/// use sealwire::aead::{Aead, KeyInit};
/// use sealwire::otr::Aes128OtrP;
///
/// let cipher = Aes128OtrP::new(&[0x42; 16].into());
/// let nonce = [7; 12].into();
/// let mut sealed = Vec::new();
/// let mut stream = cipher.seal_stream(&nonce, b"header")?;
/// stream.update(b"attack ", &mut sealed);
/// stream.update(b"at dawn", &mut sealed);
/// stream.finish(&mut sealed);
/// assert_eq!(sealed, {
///     let payload = sealwire::aead::Payload { msg: b"attack at dawn", aad: b"header" };
///     cipher.encrypt(&nonce, payload).unwrap()
/// });
/// # Ok::<(), sealwire::Error>(())
/// ```
pub struct SealStream<'k> {
    key: &'k dyn Sealing,
    state: State,
    /// The associated data's part of the tag
    ta: [u8; 16],
    held: [u8; CHUNK],
    count: usize,
}

impl<A, F, K, N, T> Typed<Mode<A, F>, K, N, T>
where
    A: Cipher,
    F: AdForm,
    K: ArraySize,
    N: ArraySize,
    T: ArraySize,
{
    /// Begins a message that comes in pieces. A nonce must never serve twice under one key.
    ///
    /// # Errors
    /// [`Error::ForeignSessionAd`] if `ad` was made with another key.
    pub fn seal_stream<'a>(
        &self,
        nonce: &aead::Nonce<Self>,
        ad: impl Into<Ad<'a>>,
    ) -> Result<SealStream<'_>, Error> {
        let core: &Core<A> = self.keyed();
        let mut stream = SealStream {
            key: core,
            state: State::new([0; 16]),
            ta: [0; 16],
            held: [0; CHUNK],
            count: 0,
        };
        core.begin(nonce, ad.into(), &mut stream.state, &mut stream.ta)?;
        Ok(stream)
    }
}

impl SealStream<'_> {
    /// Takes in the next piece of the message, of any length, and appends ciphertext to `out`.
    pub fn update(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.reserve(CHUNK + piece.len());
        out.extend_from_slice(&self.held[..self.count]);
        out.extend_from_slice(piece);
        let text = &mut out[start..];
        let ready = text.len().saturating_sub(1) / CHUNK * CHUNK;
        let (chunks, rest) = text.split_at_mut(ready);
        self.key.chunks(&mut self.state, chunks);
        self.count = rest.len();
        self.held[..rest.len()].copy_from_slice(rest);
        wipe(rest);
        out.truncate(start + ready);
    }

    /// Ends the message: appends what was held back, and the tag.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        let last = &mut self.held[..self.count];
        let mut tag = self.key.end(&self.state, last, &self.ta);
        out.extend_from_slice(last);
        out.extend_from_slice(&tag[..self.key.tag_len()]);
        wipe(&mut tag);
    }
}

impl fmt::Debug for SealStream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealStream").finish_non_exhaustive()
    }
}

impl Drop for SealStream<'_> {
    fn drop(&mut self) {
        wipe(&mut self.held);
        wipe(&mut self.ta);
    }
}

impl ZeroizeOnDrop for SealStream<'_> {}
