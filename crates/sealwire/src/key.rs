// SPDX-License-Identifier: Apache-2.0
//! What the modes over a compression function share: F_K, the masks made from one secret L*, padding, and the XOR MAC.
//! The key, nonce and tag lengths are values, so that there is one copy of the code for each compression function.

use crate::compress::{Chain, Compress};
use crate::gf::{double, wipe, xor};
use aead::common::array::{Array, typenum::Unsigned};
use zeroize::optimization_barrier;

/// L[0] to L[15] are kept; the rest, one block in 65536, is doubled from L[15] when it is needed.
const TABLE: usize = 16;

/// The most lanes of any compression function.
pub(crate) const MOST: usize = 16;

/// A key and everything that follows from it alone.
pub(crate) struct Key<F: Compress> {
    /// What F' needs of K || 0*, the first half of every block.
    schedule: F::Schedule,
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
#[repr(align(64))] // vector registers load each string at once
pub struct Work<F: Compress> {
    /// The chaining value.
    pub(crate) h: Chain<F>,
    /// The mask of the running block number, without the multiple of L*.
    pub(crate) delta: Chain<F>,
    /// The second half of the block.
    pub(crate) data: Chain<F>,
}

/// Blocks in the middle of several messages, as many of each: for each one in turn text and h are exchanged, delta
/// becomes delta + L[ntz(number)], the block of associated data is added to h if there is one, and h becomes
/// F_K(h + delta, plaintext).
pub struct Straight<'a, 'text, F: Compress> {
    pub(crate) works: &'a mut [Work<F>],
    /// `blocks` whole blocks for each element of `works`.
    pub(crate) texts: &'a mut [&'text mut [u8]],
    /// The same, or empty.
    pub(crate) ads: &'a [&'text [u8]],
    /// The number whose L is added in the first block; this and the following ones are divisible by less than 2^16, so
    /// that their L is in the table.
    pub(crate) numbers: &'a [u64],
    pub(crate) blocks: usize,
    pub(crate) open: bool,
}

impl<F: Compress> Key<F> {
    /// n, the length of a chaining value and of a message block, in bytes.
    pub(crate) const N: usize = F::ChainSize::USIZE;

    /// The shortest and the longest key, nonce and tag of the modes, in bytes.
    pub(crate) const SIZES: [(usize, usize); 3] = [(1, Self::N), (1, Self::N - 1), (1, Self::N)];

    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], tag_len: usize, origin: Origin, first: First) -> Self {
        let mut padded = Chain::<F>::default();
        padded[..key.len()].copy_from_slice(key);
        let schedule = F::schedule(&padded);
        wipe(&mut padded);
        let mut new = Self {
            schedule,
            star: core::array::from_fn(|_| Array::default()),
            l: core::array::from_fn(|_| Array::default()),
            tag_len,
        };
        let mut work = Work::new();
        if origin == Origin::TagLength {
            new.put_tau(&mut work);
        }
        new.call(&mut work);
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

    /// h becomes F_K(h, data).
    pub(crate) fn call(&self, work: &mut Work<F>) {
        F::calls(&self.schedule, core::slice::from_mut(work), 1);
    }

    /// The same for the first `active` elements; the others may be overwritten.
    pub(crate) fn calls(&self, works: &mut [Work<F>], active: usize) {
        F::calls(&self.schedule, works, active);
    }

    /// Whether `straight` has a way for exactly so many elements.
    pub(crate) fn has_lanes(&self, count: usize) -> bool {
        F::has_lanes(count)
    }

    /// As [`Straight`] says with this key, where `has_lanes`.
    pub(crate) fn straight(&self, straight: Straight<'_, '_, F>) {
        F::straight(&self.schedule, &self.l, straight);
    }

    /// How many numbers from `number` on are divisible by less than 2^16, so that their L is in the table.
    pub(crate) fn in_table(number: u64) -> usize {
        const PERIOD: u64 = 1 << TABLE;
        ((PERIOD - number % PERIOD) % PERIOD) as usize
    }

    /// The data becomes \<tau\>: the tag length in bits as a big-endian number of n bytes. It is at most 512, so that it
    /// fits into the last two bytes.
    pub(crate) fn put_tau(&self, work: &mut Work<F>) {
        let bits = 8 * self.tag_len as u16;
        work.data.fill(0);
        work.data[Self::N - 2..].copy_from_slice(&bits.to_be_bytes());
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
            wipe(&mut l);
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

    /// h becomes h + delta + j·L*.
    pub(crate) fn mask(&self, work: &mut Work<F>, j: u8) {
        xor(&mut work.h, &work.delta);
        self.add_multiple(&mut work.h, j);
    }

    /// Adds to `sum` F_K(Left + mask, Right) of every double block of `data`, the last one padded if it is short; the
    /// calls are independent, and empty data adds nothing. `mask` takes delta on to block i (counted from 1; whether it
    /// is full) and gives j.
    pub(crate) fn xor_mac(
        &self,
        data: &[u8],
        sum: &mut Chain<F>,
        mask: impl Fn(&Self, &mut Chain<F>, u64, bool) -> u8,
    ) {
        if data.is_empty() {
            return;
        }
        let mut works: [Work<F>; MOST] = core::array::from_fn(|_| Work::new());
        let works = &mut works[..F::LANES];
        let mut numbered = (1..).zip(data.chunks(2 * Self::N));
        let mut delta = Chain::<F>::default();
        loop {
            let mut active = 0;
            for (work, (i, block)) in works.iter_mut().zip(&mut numbered) {
                work.delta.copy_from_slice(&delta);
                self.begin_mac(work, block, i, &mask);
                delta.copy_from_slice(&work.delta);
                active += 1;
            }
            if active == 0 {
                break;
            }
            self.calls(works, active);
            for work in &works[..active] {
                xor(sum, &work.h);
            }
        }
        wipe(&mut delta);
    }

    /// The input of the XOR MAC's call for double block i of 1 to 2n bytes; delta is the mask of the one before.
    pub(crate) fn begin_mac(
        &self,
        work: &mut Work<F>,
        block: &[u8],
        i: u64,
        mask: impl Fn(&Self, &mut Chain<F>, u64, bool) -> u8,
    ) {
        let j = mask(self, &mut work.delta, i, block.len() == 2 * Self::N);
        work.h.fill(0);
        work.absorb(block);
        self.mask(work, j);
    }
}

impl<F: Compress> Work<F> {
    /// Everything becomes zero.
    pub(crate) fn clear(&mut self) {
        self.h.fill(0);
        self.delta.fill(0);
        self.data.fill(0);
        optimization_barrier(self);
    }

    /// All zeros.
    pub(crate) fn new() -> Self {
        Self {
            h: Array::default(),
            delta: Array::default(),
            data: Array::default(),
        }
    }

    /// Takes in a block of 1 to 2n bytes, padded if it is shorter than 2n: h becomes h + Left, the data becomes Right.
    pub(crate) fn absorb(&mut self, block: &[u8]) {
        let (left, right) = block.split_at(block.len().min(F::ChainSize::USIZE));
        self.absorb_left(left);
        if left.len() == F::ChainSize::USIZE {
            pad(&mut self.data, right);
        } else {
            self.data.fill(0);
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
    #[inline(always)]
    pub(crate) fn exchange(&mut self, block: &mut [u8], open: bool) {
        if open {
            xor(block, &self.h);
            pad(&mut self.data, block);
        } else {
            pad(&mut self.data, block);
            xor(block, &self.h);
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

impl<F: Compress> Clone for Key<F> {
    fn clone(&self) -> Self {
        Self {
            schedule: self.schedule.clone(),
            star: self.star.clone(),
            l: self.l.clone(),
            tag_len: self.tag_len,
        }
    }
}

impl<F: Compress> Drop for Key<F> {
    fn drop(&mut self) {
        for entry in self.star.iter_mut().chain(&mut self.l) {
            wipe(entry);
        }
    }
}

impl<F: Compress> Drop for Work<F> {
    fn drop(&mut self) {
        self.clear();
    }
}
