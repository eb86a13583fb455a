// SPDX-License-Identifier: Apache-2.0
//! A MAC with a key, and a message on its way through it.

use super::instance::{Kind, OUTER, iv_short};
use super::scheme::{MacScheme, TAG_LEN};
use crate::ascon::{Absorb, Order, Rate, State, Words, absorb, permute_words, roll, sum_blocks};
use crate::error::Error;
use crate::gf::wipe;
use core::fmt;
use subtle::{Choice, ConstantTimeEq};
use zeroize::ZeroizeOnDrop;

/// The longest block of any scheme, in bytes.
const MAX_BLOCK: usize = 40;

/// Farfalle's words have little-endian bytes.
const FARFALLE: Absorb = Absorb {
    rate: Rate::Five,
    order: Order::Little,
    rounds: 6,
};

/// A MAC with a key. Whatever does not depend on the message is computed once; it is wiped when this is dropped.
#[derive(Clone)]
pub struct DynMac {
    scheme: MacScheme,
    /// What follows from the key: a sponge's state before the first block, Ascon-PRFshort's key in words 1 and 2, or the
    /// mask of Farfalle's first block.
    start: State,
}

impl MacScheme {
    /// Sets the scheme up with a key.
    ///
    /// # Errors
    /// [`Error::Length`] if the key has not [`key_len`](Self::key_len) bytes.
    pub fn with_key(&self, key: &[u8]) -> Result<DynMac, Error> {
        DynMac::new(*self, key)
    }
}

impl DynMac {
    fn new(scheme: MacScheme, key: &[u8]) -> Result<Self, Error> {
        Error::check_len("key", key.len(), scheme.key_len())?;
        let words = |order: Order| {
            let (words, _) = key.as_chunks();
            (order.load(words[0]), order.load(words[1]))
        };
        let mut start = State([0; 5]);
        match scheme.instance().kind {
            Kind::Sponge { iv, absorb, .. } => {
                let (k0, k1) = words(absorb.order);
                start.0 = [iv, k0, k1, 0, 0];
                permute_words(&mut start.0, OUTER);
            }
            Kind::Short { order } => {
                let (k0, k1) = words(order);
                start.0 = [0, k0, k1, 0, 0];
            }
            Kind::Farfalle => {
                let (k0, k1) = words(FARFALLE.order);
                start.0 = [k0, k1, 1, 0, 0];
                permute_words(&mut start.0, OUTER);
            }
        }
        Ok(Self { scheme, start })
    }

    /// The scheme.
    #[must_use]
    pub const fn scheme(&self) -> &MacScheme {
        &self.scheme
    }

    pub(super) const fn start(&self) -> &Words {
        &self.start.0
    }

    /// A message that comes in pieces.
    #[must_use]
    pub fn begin(&self) -> MacMessage {
        MacMessage {
            scheme: self.scheme,
            start: self.start.clone(),
            sum: State([0; 5]),
            buffer: [0; MAX_BLOCK],
            filled: 0,
        }
    }

    /// Writes the tag of a message.
    ///
    /// # Errors
    /// [`Error::Length`] if `tag` has not the scheme's tag length, or the message is longer than the scheme allows;
    /// nothing is written then.
    pub fn tag(&self, message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        let mut running = self.begin();
        running.update(message);
        running.finish(tag)
    }

    /// Checks the tag of a message in constant time.
    ///
    /// # Errors
    /// [`Error::InvalidTag`] if it is not this message's, [`Error::Length`] as [`tag`](Self::tag).
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        let mut running = self.begin();
        running.update(message);
        running.verify(tag)
    }
}

impl fmt::Debug for DynMac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynMac({}, ..)", self.scheme)
    }
}

impl ZeroizeOnDrop for DynMac {}

/// A message that comes in pieces, under a key. Everything is wiped when this is dropped.
#[derive(Clone)]
pub struct MacMessage {
    scheme: MacScheme,
    /// What follows from the key; a sponge's state takes in every block as it comes.
    start: State,
    /// Farfalle's sum over the blocks.
    sum: State,
    buffer: [u8; MAX_BLOCK],
    /// How many bytes of the buffer hold the message's; for Ascon-PRFshort how many there were in all.
    filled: usize,
}

impl MacMessage {
    /// Takes in the next piece of the message.
    pub fn update(&mut self, mut data: &[u8]) {
        let block_len = self.scheme.block_len();
        if let Kind::Short { .. } = self.scheme.instance().kind {
            if let Some(room) = self.buffer[..block_len].get_mut(self.filled..) {
                let fits = data.len().min(room.len());
                room[..fits].copy_from_slice(&data[..fits]);
            }
            self.filled = self.filled.saturating_add(data.len());
            return;
        }
        if self.filled > 0 {
            let (head, rest) = data.split_at(data.len().min(block_len - self.filled));
            self.buffer[self.filled..][..head.len()].copy_from_slice(head);
            self.filled += head.len();
            data = rest;
            if self.filled < block_len {
                return;
            }
            let mut block = self.buffer;
            self.blocks(&block[..block_len]);
            wipe(&mut block);
            self.filled = 0;
        }
        // A full block is never the last one: the padding then has a block of its own.
        let (blocks, rest) = data.split_at(data.len() - data.len() % block_len);
        self.blocks(blocks);
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    /// Whole blocks, of which Ascon-PRFshort has none.
    fn blocks(&mut self, data: &[u8]) {
        match self.scheme.instance().kind {
            Kind::Sponge { absorb: how, .. } => absorb(how, &mut self.start.0, data),
            Kind::Farfalle => sum_blocks(&mut self.start.0, &mut self.sum.0, data),
            Kind::Short { .. } => {}
        }
    }

    /// Ends the message and writes its tag.
    ///
    /// # Errors
    /// [`Error::Length`] if `tag` has not the scheme's tag length, or the message was longer than the scheme allows;
    /// nothing is written then.
    pub fn finish(mut self, tag: &mut [u8]) -> Result<(), Error> {
        self.check(tag.len())?;
        self.put_tag(tag);
        Ok(())
    }

    /// Ends the message and checks its tag in constant time.
    ///
    /// # Errors
    /// [`Error::InvalidTag`] if it is not this message's, [`Error::Length`] as [`finish`](Self::finish).
    pub fn verify(mut self, tag: &[u8]) -> Result<(), Error> {
        self.check(tag.len())?;
        if Output::begin(&mut self).equals(tag).into() {
            Ok(())
        } else {
            Err(Error::InvalidTag)
        }
    }

    fn check(&self, tag_len: usize) -> Result<(), Error> {
        Error::check_len("tag", tag_len, self.scheme.tag_len())?;
        match self.scheme.max_message_len() {
            Some(max) if self.filled > max => Err(Error::Length {
                parameter: "message",
                given: self.filled,
                min: 0,
                max,
            }),
            _ => Ok(()),
        }
    }

    /// The tag of a length that was checked.
    pub(super) fn put_tag(&mut self, tag: &mut [u8]) {
        Output::begin(self).write(tag);
    }
}

impl Drop for MacMessage {
    fn drop(&mut self) {
        wipe(&mut self.buffer);
    }
}

impl ZeroizeOnDrop for MacMessage {}

impl fmt::Debug for MacMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MacMessage({}, ..)", self.scheme)
    }
}

/// The tag of a message, a piece after the other.
pub(super) struct Output {
    state: State,
    order: Order,
    /// Of the permutation between two pieces.
    rounds: usize,
    /// Words that are given out before the permutation is called again.
    squeeze: usize,
    /// Words of the state that were given out.
    given: usize,
}

impl Output {
    /// Ends the message. The length of its tag was checked.
    fn begin(message: &mut MacMessage) -> Self {
        let filled = message.filled;
        let buffer = &mut message.buffer;
        match message.scheme.instance().kind {
            Kind::Sponge {
                absorb, squeeze, ..
            } => {
                pad(absorb.order, buffer, filled);
                let mut state = message.start.clone();
                end_sponge(absorb.order, &mut state.0, buffer);
                permute_words(&mut state.0, OUTER);
                Self::sponge(state.0, absorb, squeeze)
            }
            Kind::Short { order } => {
                let (words, _) = buffer.as_chunks();
                let [_, k0, k1, ..] = message.start.0;
                let iv = iv_short(order, filled, message.scheme.tag_len());
                let mut state = State([iv, k0, k1, order.load(words[0]), order.load(words[1])]);
                permute_words(&mut state.0, OUTER);
                state.0 = [state.0[3] ^ k0, state.0[4] ^ k1, 0, 0, 0];
                Self {
                    state,
                    order,
                    rounds: OUTER,
                    squeeze: 2,
                    given: 0,
                }
            }
            Kind::Farfalle => {
                let mask = &mut message.start;
                pad(FARFALLE.order, buffer, filled);
                sum_blocks(&mut mask.0, &mut message.sum.0, &buffer[..]);
                let mut state = message.sum.clone();
                permute_words(&mut state.0, 6);
                permute_words(&mut state.0, 6);
                // One index is skipped: no block has this mask.
                for (word, k) in state.0.iter_mut().zip(roll::roll(mask.0)) {
                    *word ^= k;
                }
                Self {
                    state,
                    order: FARFALLE.order,
                    rounds: FARFALLE.rounds,
                    squeeze: 5,
                    given: 0,
                }
            }
        }
    }

    /// That of a sponge whose last block was absorbed and permuted.
    pub(super) const fn sponge(state: Words, how: Absorb, squeeze: usize) -> Self {
        Self {
            state: State(state),
            order: how.order,
            rounds: how.rounds,
            squeeze,
            given: 0,
        }
    }

    /// Writes the tag.
    pub(super) fn write(mut self, tag: &mut [u8]) {
        for chunk in tag.chunks_mut(TAG_LEN) {
            self.fill(chunk);
        }
    }

    /// Compares the tag, all of it whatever its first bytes say.
    pub(super) fn equals(mut self, tag: &[u8]) -> Choice {
        let mut equal = Choice::from(1);
        for chunk in tag.chunks(TAG_LEN) {
            let mut expected = [0; TAG_LEN];
            self.fill(&mut expected[..chunk.len()]);
            equal &= expected[..chunk.len()].ct_eq(chunk);
            wipe(&mut expected);
        }
        equal
    }

    /// The next bytes: 16, or what is left of the tag.
    fn fill(&mut self, out: &mut [u8]) {
        for bytes in out.chunks_mut(8) {
            if self.given == self.squeeze {
                permute_words(&mut self.state.0, self.rounds);
                self.given = 0;
            }
            let word = self.order.store(self.state.0[self.given]);
            bytes.copy_from_slice(&word[..bytes.len()]);
            self.given += 1;
        }
    }
}

/// The buffer's message bytes, padded with a one bit and zeros to the end of the buffer.
pub(super) fn pad(order: Order, buffer: &mut [u8; MAX_BLOCK], filled: usize) {
    buffer[filled..].fill(0);
    buffer[filled] = match order {
        Order::Big => 0x80,
        Order::Little => 0x01,
    };
}

/// Adds a padded block, and the bit that ends a message, which is the last one of the state.
pub(super) fn end_sponge(order: Order, state: &mut Words, block: &[u8; MAX_BLOCK]) {
    for (word, bytes) in state.iter_mut().zip(block.as_chunks().0) {
        *word ^= order.load(*bytes);
    }
    state[4] ^= match order {
        Order::Big => 1,
        Order::Little => 1 << 63,
    };
}
