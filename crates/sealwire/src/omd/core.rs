// SPDX-License-Identifier: Apache-2.0
//! The mode itself, with the key, nonce and tag lengths as values: one copy of the code for each compression function.

use crate::batch::Ad;
use crate::compress::{Block, Chain, Compress};
use crate::gf::{double, xor};
use crate::{Error, SessionAd};
use aead::common::array::{Array, typenum::Unsigned};
use aead::inout::InOutBuf;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// L[0] to L[15] are kept; the rest, one block in 65536, is doubled from L[15] when it is needed.
const TABLE: usize = 16;

/// A key and everything that follows from it alone.
pub(crate) struct Core<F: Compress> {
    /// K || 0*: the block of F with the data half empty.
    keyed: Block<F>,
    /// L*
    l_star: Chain<F>,
    /// 2·L*, the offset of a full last block.
    l_full: Chain<F>,
    /// 3·L*, the offset of a partial last block.
    l_partial: Chain<F>,
    /// L[i] = 2^i · 4·L*
    l: [Chain<F>; TABLE],
    tag_len: usize,
}

/// The secrets of one call, wiped when it ends.
struct Work<F: Compress> {
    h: Chain<F>,
    delta: Chain<F>,
    block: Block<F>,
}

impl<F: Compress> Core<F> {
    /// n, the length of a chaining value and of a message block, in bytes.
    pub(crate) const N: usize = F::ChainSize::USIZE;

    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], version: u8, tag_len: usize) -> Self {
        let mut keyed = Block::<F>::default();
        keyed[..key.len()].copy_from_slice(key);
        let mut core = Self {
            keyed,
            l_star: Array::default(),
            l_full: Array::default(),
            l_partial: Array::default(),
            l: core::array::from_fn(|_| Array::default()),
            tag_len,
        };

        // The two versions differ in this block only.
        let mut work = core.work();
        if version >= 2 {
            core.put_tau(&mut work.block[Self::N..]);
        }
        F::compress(&mut work.h, &work.block);
        core.l_star.copy_from_slice(&work.h);

        core.l_full.copy_from_slice(&core.l_star);
        double(&mut core.l_full, F::REDUCTION);
        core.l_partial.copy_from_slice(&core.l_full);
        xor(&mut core.l_partial, &core.l_star);
        let mut next = core.l_full.clone();
        for entry in &mut core.l {
            double(&mut next, F::REDUCTION);
            entry.copy_from_slice(&next);
        }
        next[..].zeroize();
        core
    }

    pub(crate) const fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// Encrypts `buffer` and writes the tag (`tag_len` bytes). The nonce has 1 to n - 1 bytes.
    pub(crate) fn seal(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut full_tag = self.tag_of_ad(ad)?;
        self.run::<false>(nonce, buffer, &mut full_tag);
        tag.copy_from_slice(&full_tag[..self.tag_len]);
        full_tag[..].zeroize();
        Ok(())
    }

    /// Decrypts `buffer`; its output is wiped if the tag is wrong.
    pub(crate) fn open(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        mut buffer: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let mut full_tag = self.tag_of_ad(ad)?;
        self.run::<true>(nonce, buffer.reborrow(), &mut full_tag);
        let authentic = bool::from(full_tag[..self.tag_len].ct_eq(tag));
        full_tag[..].zeroize();
        if authentic {
            Ok(())
        } else {
            buffer.get_out().zeroize();
            Err(Error::InvalidTag)
        }
    }

    /// Tag_a for later use with the same key.
    pub(crate) fn session_ad(&self, ad: &[u8]) -> SessionAd {
        let mut tag_a = self.hash_ad(ad);
        let session = SessionAd::new(&tag_a, &self.l_star);
        tag_a[..].zeroize();
        session
    }

    fn tag_of_ad(&self, ad: Ad<'_>) -> Result<Chain<F>, Error> {
        match ad {
            Ad::Bytes(bytes) => Ok(self.hash_ad(bytes)),
            Ad::Session(session) => {
                let tag_a = session.get(&self.l_star)?;
                Ok(Array::try_from(tag_a).expect("a session made by the same key has n bytes"))
            }
        }
    }

    /// Tag_a: the keyed hash of the associated data, a sum of independent calls, zero for empty data.
    fn hash_ad(&self, ad: &[u8]) -> Chain<F> {
        let mut tag_a = Chain::<F>::default();
        if ad.is_empty() {
            return tag_a;
        }
        let n = Self::N;
        let mut work = self.work();
        let blocks = ad.chunks_exact(2 * n);
        let tail = blocks.remainder();
        for (i, block) in (1..).zip(blocks) {
            self.add_l(&mut work.delta, i);
            self.absorb_ad(&mut work, block, &mut tag_a);
        }
        if !tail.is_empty() {
            let mut padded = Block::<F>::default();
            pad(&mut padded, tail);
            xor(&mut work.delta, &self.l_star);
            self.absorb_ad(&mut work, &padded, &mut tag_a);
        }
        tag_a
    }

    fn absorb_ad(&self, work: &mut Work<F>, block: &[u8], tag_a: &mut Chain<F>) {
        let (left, right) = block.split_at(Self::N);
        work.h.copy_from_slice(left);
        xor(&mut work.h, &work.delta);
        work.block[Self::N..].copy_from_slice(right);
        F::compress(&mut work.h, &work.block);
        xor(tag_a, &work.h);
    }

    /// The state before the first message block: h is the chaining value after the tag length block, delta the offset
    /// Delta_{N,1,0} that made it.
    fn start(&self, nonce: &[u8]) -> Work<F> {
        let mut work = self.work();
        pad(&mut work.h, nonce);
        F::compress(&mut work.h, &work.block);
        xor(&mut work.h, &self.l[0]);
        work.delta.copy_from_slice(&work.h);
        self.put_tau(&mut work.block[Self::N..]);
        F::compress(&mut work.h, &work.block);
        work
    }

    /// Encrypts or decrypts the buffer and adds Tag_e to `tag`.
    fn run<const OPEN: bool>(
        &self,
        nonce: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut Chain<F>,
    ) {
        let n = Self::N;
        let mut work = self.start(nonce);
        let (blocks, tail) = buffer.into_chunks::<F::ChainSize>();
        let last_is_full = tail.is_empty();
        let full_blocks = blocks.len();
        for (i, mut block) in (1..).zip(blocks) {
            if OPEN {
                block.xor_in2out(&work.h);
                work.block[n..].copy_from_slice(block.get_out());
            } else {
                work.block[n..].copy_from_slice(block.get_in());
                block.xor_in2out(&work.h);
            }
            // The last block keeps the offset of the block before and adds its own.
            if i == full_blocks && last_is_full {
                xor(&mut work.h, &self.l_full);
            } else {
                self.add_l(&mut work.delta, i as u64 + 1);
            }
            xor(&mut work.h, &work.delta);
            F::compress(&mut work.h, &work.block);
        }
        if !last_is_full {
            self.finish_partial::<OPEN>(&mut work, tail);
        }
        xor(tag, &work.h);
    }

    fn finish_partial<const OPEN: bool>(&self, work: &mut Work<F>, mut tail: InOutBuf<'_, '_, u8>) {
        let n = Self::N;
        let len = tail.len();
        if OPEN {
            tail.xor_in2out(&work.h[..len]);
            pad(&mut work.block[n..], tail.get_out());
        } else {
            pad(&mut work.block[n..], tail.get_in());
            tail.xor_in2out(&work.h[..len]);
        }
        xor(&mut work.h, &work.delta);
        xor(&mut work.h, &self.l_partial);
        F::compress(&mut work.h, &work.block);
    }

    fn work(&self) -> Work<F> {
        Work {
            h: Array::default(),
            delta: Array::default(),
            block: self.keyed.clone(),
        }
    }

    /// <tau>: the tag length in bits as a big-endian number of n bytes. `block` ends the data half, which is at most
    /// 64 bytes, so that the length fits into its last two bytes.
    fn put_tau(&self, block: &mut [u8]) {
        let bits = 8 * self.tag_len as u16;
        let n = block.len();
        block[n - 2..].copy_from_slice(&bits.to_be_bytes());
    }

    /// delta becomes delta + L[ntz(i)], i >= 1. Only the block number, which is public, decides what is done.
    fn add_l(&self, delta: &mut Chain<F>, i: u64) {
        let index = i.trailing_zeros() as usize;
        if let Some(l) = self.l.get(index) {
            xor(delta, l);
        } else {
            let mut l = self.l[TABLE - 1].clone();
            for _ in TABLE - 1..index {
                double(&mut l, F::REDUCTION);
            }
            xor(delta, &l);
            l[..].zeroize();
        }
    }
}

/// `block` becomes `data` || 80 00 .. 00; `data` is shorter than `block`.
fn pad(block: &mut [u8], data: &[u8]) {
    let (head, rest) = block.split_at_mut(data.len());
    head.copy_from_slice(data);
    rest.fill(0);
    rest[0] = 0x80;
}

impl<F: Compress> Clone for Core<F> {
    fn clone(&self) -> Self {
        Self {
            keyed: self.keyed.clone(),
            l_star: self.l_star.clone(),
            l_full: self.l_full.clone(),
            l_partial: self.l_partial.clone(),
            l: self.l.clone(),
            tag_len: self.tag_len,
        }
    }
}

impl<F: Compress> Drop for Core<F> {
    fn drop(&mut self) {
        self.keyed[..].zeroize();
        self.l_star[..].zeroize();
        self.l_full[..].zeroize();
        self.l_partial[..].zeroize();
        for entry in &mut self.l {
            entry[..].zeroize();
        }
    }
}

impl<F: Compress> ZeroizeOnDrop for Core<F> {}

impl<F: Compress> Drop for Work<F> {
    fn drop(&mut self) {
        self.h[..].zeroize();
        self.delta[..].zeroize();
        self.block[..].zeroize();
    }
}

#[cfg(test)]
mod tests;
