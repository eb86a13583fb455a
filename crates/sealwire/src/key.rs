// SPDX-License-Identifier: Apache-2.0
//! What the modes over a compression function share: F_K, the masks made from one secret L*, padding, and the XOR MAC.
//! The key, nonce and tag lengths are values, so that there is one copy of the code for each compression function.

use crate::compress::{Block, Chain, Compress};
use crate::gf::{double, xor};
use aead::common::array::{Array, typenum::Unsigned};
use aead::inout::InOutBuf;
use zeroize::Zeroize;

/// L[0] to L[15] are kept; the rest, one block in 65536, is doubled from L[15] when it is needed.
const TABLE: usize = 16;

/// A key and everything that follows from it alone.
pub(crate) struct Key<F: Compress> {
    /// K || 0*: the block of F with the data half empty.
    keyed: Block<F>,
    /// L*, 2·L*, 4·L*, 8·L*: every j·L* with j < 16 is a sum of these.
    star: [Chain<F>; 4],
    /// L[i] = 2^i · L[0]
    l: [Chain<F>; TABLE],
    tag_len: usize,
}

/// The input of F_K that L* comes from, with zero as chaining value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// 0^n
    Zero,
    /// \<tau\>: keys of schemes that differ in the tag length alone have nothing in common.
    TagLength,
}

/// L[0] as a multiple of L*. The modes need so many multiples below it for themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// L[0] = 4·L*
    Four = 2,
    /// L[0] = 16·L*
    Sixteen = 4,
}

/// The secrets of one call, wiped when it ends.
pub(crate) struct Work<F: Compress> {
    /// The chaining value.
    pub(crate) h: Chain<F>,
    /// The mask of the running block number, without the multiple of L*.
    pub(crate) delta: Chain<F>,
    block: Block<F>,
}

impl<F: Compress> Key<F> {
    /// n, the length of a chaining value and of a message block, in bytes.
    pub(crate) const N: usize = F::ChainSize::USIZE;

    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], tag_len: usize, origin: Origin, first: First) -> Self {
        let mut keyed = Block::<F>::default();
        keyed[..key.len()].copy_from_slice(key);
        let mut new = Self {
            keyed,
            star: core::array::from_fn(|_| Array::default()),
            l: core::array::from_fn(|_| Array::default()),
            tag_len,
        };
        let mut work = new.work();
        if origin == Origin::TagLength {
            new.put_tau(&mut work);
        }
        work.call();
        // From here on work.h is 2^k · L*.
        let first = first as usize;
        for k in 0..first + TABLE {
            if let Some(entry) = new.star.get_mut(k) {
                entry.copy_from_slice(&work.h);
            }
            if k >= first {
                new.l[k - first].copy_from_slice(&work.h);
            }
            double(&mut work.h, F::REDUCTION);
        }
        new
    }

    pub(crate) const fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// L*
    pub(crate) const fn star(&self) -> &Chain<F> {
        &self.star[0]
    }

    /// L[0]
    pub(crate) const fn first(&self) -> &Chain<F> {
        &self.l[0]
    }

    /// All zeros but for the key.
    pub(crate) fn work(&self) -> Work<F> {
        Work {
            h: Array::default(),
            delta: Array::default(),
            block: self.keyed.clone(),
        }
    }

    /// The data becomes \<tau\>: the tag length in bits as a big-endian number of n bytes. It is at most 512, so that it
    /// fits into the last two bytes.
    pub(crate) fn put_tau(&self, work: &mut Work<F>) {
        let bits = 8 * self.tag_len as u16;
        let data = work.data();
        data.fill(0);
        data[Self::N - 2..].copy_from_slice(&bits.to_be_bytes());
    }

    /// delta becomes delta + L[ntz(i)], i >= 1. Only the block number, which is public, decides what is done.
    pub(crate) fn add_l(&self, delta: &mut Chain<F>, i: u64) {
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

    /// x becomes x + j·L*, j < 16. Only j, which follows from public lengths, decides what is done.
    pub(crate) fn add_multiple(&self, x: &mut Chain<F>, j: u8) {
        for (k, entry) in self.star.iter().enumerate() {
            if j >> k & 1 == 1 {
                xor(x, entry);
            }
        }
    }

    /// h becomes F_K(h + delta + j·L*, data).
    pub(crate) fn masked_call(&self, work: &mut Work<F>, j: u8) {
        xor(&mut work.h, &work.delta);
        self.add_multiple(&mut work.h, j);
        work.call();
    }

    /// Adds to `sum` F_K(Left + mask, Right) of every double block of `data`, the last one padded if it is short; the
    /// calls are independent, and empty data adds nothing. `mask` takes delta on to block i (counted from 1; whether it
    /// is full) and gives j.
    pub(crate) fn xor_mac(
        &self,
        data: &[u8],
        sum: &mut Chain<F>,
        mask: impl Fn(&mut Chain<F>, u64, bool) -> u8,
    ) {
        if data.is_empty() {
            return;
        }
        let n = Self::N;
        let mut work = self.work();
        for (i, block) in (1..).zip(data.chunks(2 * n)) {
            let j = mask(&mut work.delta, i, block.len() == 2 * n);
            work.h.fill(0);
            work.absorb(block);
            self.masked_call(&mut work, j);
            xor(sum, &work.h);
        }
    }
}

impl<F: Compress> Work<F> {
    /// The data half of the block of F.
    pub(crate) fn data(&mut self) -> &mut [u8] {
        &mut self.block[F::ChainSize::USIZE..]
    }

    /// h becomes F_K(h, data).
    pub(crate) fn call(&mut self) {
        F::compress(&mut self.h, &self.block);
    }

    /// Takes in a block of 1 to 2n bytes, padded if it is shorter than 2n: h becomes h + Left, the data becomes Right.
    pub(crate) fn absorb(&mut self, block: &[u8]) {
        let (left, right) = block.split_at(block.len().min(F::ChainSize::USIZE));
        self.absorb_left(left);
        if left.len() == F::ChainSize::USIZE {
            pad(self.data(), right);
        } else {
            self.data().fill(0);
        }
    }

    /// h becomes h + `block`, which is padded if it has fewer than n bytes.
    pub(crate) fn absorb_left(&mut self, block: &[u8]) {
        xor(&mut self.h, block);
        if let Some(end) = self.h.get_mut(block.len()) {
            *end ^= 0x80;
        }
    }

    /// Encrypts or decrypts a block of 1 to n bytes with h; the data becomes its plaintext, padded.
    pub(crate) fn exchange<const OPEN: bool>(&mut self, mut block: InOutBuf<'_, '_, u8>) {
        let len = block.len();
        if OPEN {
            block.xor_in2out(&self.h[..len]);
            pad(self.data(), block.get_out());
        } else {
            pad(self.data(), block.get_in());
            block.xor_in2out(&self.h[..len]);
        }
    }
}

/// `block` becomes `data` || 80 00 .. 00, or `data` if that is as long.
pub(crate) fn pad(block: &mut [u8], data: &[u8]) {
    let (head, rest) = block.split_at_mut(data.len());
    head.copy_from_slice(data);
    if let Some((first, rest)) = rest.split_first_mut() {
        *first = 0x80;
        rest.fill(0);
    }
}

/// The blocks of `n` bytes, the last one shorter if need be; none of an empty buffer.
pub(crate) fn blocks<'inp, 'out>(
    buffer: InOutBuf<'inp, 'out, u8>,
    n: usize,
) -> impl Iterator<Item = InOutBuf<'inp, 'out, u8>> {
    let mut rest = Some(buffer);
    core::iter::from_fn(move || {
        let buffer = rest.take().filter(|buffer| !buffer.is_empty())?;
        let at = n.min(buffer.len());
        let (block, after) = buffer.split_at(at);
        rest = Some(after);
        Some(block)
    })
}

impl<F: Compress> Clone for Key<F> {
    fn clone(&self) -> Self {
        Self {
            keyed: self.keyed.clone(),
            star: self.star.clone(),
            l: self.l.clone(),
            tag_len: self.tag_len,
        }
    }
}

impl<F: Compress> Drop for Key<F> {
    fn drop(&mut self) {
        self.keyed[..].zeroize();
        for entry in self.star.iter_mut().chain(&mut self.l) {
            entry[..].zeroize();
        }
    }
}

impl<F: Compress> Drop for Work<F> {
    fn drop(&mut self) {
        self.h[..].zeroize();
        self.delta[..].zeroize();
        self.block[..].zeroize();
    }
}
