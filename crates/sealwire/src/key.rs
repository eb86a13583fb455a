// SPDX-License-Identifier: Apache-2.0
//! What the modes over a compression function share: F_K, and the masks made from one secret L*.
//! The key, nonce and tag lengths are values, so that there is one copy of the code for each compression function.

use crate::compress::{Call, Chain, Compress};
use crate::gf::{double, wipe, xor};
use aead::common::array::{Array, typenum::Unsigned};

/// L[0] to L[15] are kept; the rest, one block in 65536, is doubled from L[15] when it is needed.
const TABLE: usize = 16;

/// Zeros for a whole block of any compression function.
static ZEROS: [u8; 64] = [0; 64];

/// A key and everything that follows from it alone.
pub(crate) struct Key<F: Compress> {
    /// What F' needs of K || 0*, the first half of every block.
    schedule: F::Schedule,
    /// L*, 2·L*, 4·L*, 8·L*: every j·L* with j < 16 is a sum of these.
    star: [Chain<F>; 4],
    /// L[i] = 2^i · L[0]
    l: [Chain<F>; TABLE],
    /// \<tau\>: the tag length in bits as a big-endian number of n bytes.
    tau: Chain<F>,
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

/// Whether a double block of an XOR MAC, full or not, goes on to the next offset, and the multiple of L* in its mask.
pub(crate) type MacMask = fn(bool) -> (bool, u8);

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
            tau: Array::default(),
            tag_len,
        };
        // At most 512, so that it fits into the last two bytes
        let bits = 8 * tag_len as u16;
        new.tau[Self::N - 2..].copy_from_slice(&bits.to_be_bytes());
        let mut call = Call::<F>::new();
        if origin == Origin::TagLength {
            call.data.copy_from_slice(&new.tau);
        }
        F::calls(&new.schedule, core::slice::from_mut(&mut call), 1);
        // From here on call.h is 2^k · L*.
        let first = first as usize;
        for k in 0..first + TABLE {
            if let Some(entry) = new.star.get_mut(k) {
                entry.copy_from_slice(&call.h);
            }
            if k >= first {
                new.l[k - first].copy_from_slice(&call.h);
            }
            double(&mut call.h, F::REDUCTION);
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

    /// \<tau\>
    pub(crate) const fn tau(&self) -> &Chain<F> {
        &self.tau
    }

    /// 0^n
    pub(crate) fn zeros() -> &'static [u8] {
        &ZEROS[..Self::N]
    }

    /// What F' needs of the key.
    pub(crate) const fn schedule(&self) -> &F::Schedule {
        &self.schedule
    }

    /// L[ntz(i)], i >= 1, if it is in the table.
    pub(crate) fn entry(&self, i: u64) -> Option<&Chain<F>> {
        self.l.get(i.trailing_zeros() as usize)
    }

    /// How many numbers from `number` on are divisible by less than 2^16, so that they have an entry in the table.
    pub(crate) const fn in_table(number: u64) -> usize {
        const PERIOD: u64 = 1 << TABLE;
        ((PERIOD - number % PERIOD) % PERIOD) as usize
    }

    /// `increments` becomes the entries of numbers from `number` on, which are in the table; see
    /// [`in_table`](Self::in_table).
    pub(crate) fn entries<'k>(&'k self, number: u64, increments: &mut [&'k Chain<F>]) {
        for (i, increment) in (number..).zip(increments) {
            *increment = &self.l[i.trailing_zeros() as usize];
        }
    }

    /// delta becomes delta + L[ntz(i)], i >= 1: from the offset of number i - 1 to that of number i. Only the number, which
    /// is public, decides what is done.
    pub(crate) fn add_l(&self, delta: &mut Chain<F>, i: u64) {
        if let Some(l) = self.entry(i) {
            xor(delta, l);
        } else {
            let mut l = self.l[TABLE - 1].clone();
            for _ in TABLE - 1..i.trailing_zeros() as usize {
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
}

impl<F: Compress> Clone for Key<F> {
    fn clone(&self) -> Self {
        Self {
            schedule: self.schedule.clone(),
            star: self.star.clone(),
            l: self.l.clone(),
            tau: self.tau.clone(),
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
