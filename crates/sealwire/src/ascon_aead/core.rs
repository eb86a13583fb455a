// SPDX-License-Identifier: Apache-2.0
//! The duplex: key and nonce fill the state, associated data and text go through its first words, the key closes it.

use crate::ascon::{Order, State, permute_words};
use crate::batch::Ad;
use crate::error::Error;
use crate::mode;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Length of key, nonce and tag in bytes.
pub(crate) const LEN: usize = 16;

/// Rounds where the key enters and leaves.
const OUTER_ROUNDS: usize = 12;

/// Which of the AEADs of Ascon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// NIST SP 800-232.
    Standard,
    /// Version 1.2 of the designers, Ascon-128.
    V12,
}

impl Variant {
    /// The canonical name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Standard => "asconaead128",
            Self::V12 => "ascon128v12",
        }
    }

    /// Words of the state that text goes through.
    const fn words(self) -> usize {
        match self {
            Self::Standard => 2,
            Self::V12 => 1,
        }
    }

    /// Bytes of a block.
    pub(crate) const fn rate(self) -> usize {
        8 * self.words()
    }

    /// Rounds after a block.
    const fn rounds(self) -> usize {
        match self {
            Self::Standard => 8,
            Self::V12 => 6,
        }
    }

    const fn order(self) -> Order {
        match self {
            Self::Standard => Order::Little,
            Self::V12 => Order::Big,
        }
    }

    /// The first word of the state (SP 800-232, table 12; version 1.2, section 2.4.1).
    const fn iv(self) -> u64 {
        match self {
            Self::Standard => 0x0000_1000_808c_0001,
            Self::V12 => 0x8040_0c06_0000_0000,
        }
    }

    /// The byte behind the last one of a string.
    const fn pad(self) -> u8 {
        match self {
            Self::Standard => 0x01,
            Self::V12 => 0x80,
        }
    }

    /// What parts associated data from text: the last bit of the state.
    const fn separator(self) -> u64 {
        match self {
            Self::Standard => 1 << 63,
            Self::V12 => 1,
        }
    }
}

/// Both AEADs with a key.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Core {
    key: [u64; 2],
    #[zeroize(skip)]
    variant: Variant,
}

/// The two words of 16 bytes.
fn pair(order: Order, bytes: &[u8]) -> [u64; 2] {
    let mut words = [0; 2];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = order.load(*bytes);
    }
    words
}

impl Core {
    /// The key must have 16 bytes.
    pub(crate) fn new(key: &[u8], variant: Variant) -> Self {
        Self {
            key: pair(variant.order(), key),
            variant,
        }
    }

    /// XORs both words of the key into the state, the first into word `at`.
    fn add_key(&self, state: &mut State, at: usize) {
        state.0[at] ^= self.key[0];
        state.0[at + 1] ^= self.key[1];
    }

    /// Encrypts `text`, or decrypts it if `OPEN`, and writes the tag.
    fn run<const OPEN: bool>(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        text: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let ad = ad.bytes()?;
        let variant = self.variant;
        let (rate, rounds, order) = (variant.rate(), variant.rounds(), variant.order());
        let nonce = pair(order, nonce);
        let mut state = State([variant.iv(), self.key[0], self.key[1], nonce[0], nonce[1]]);
        permute_words(&mut state.0, OUTER_ROUNDS);
        self.add_key(&mut state, 3);

        if !ad.is_empty() {
            let blocks = ad.chunks_exact(rate);
            let rest = blocks.remainder();
            for block in blocks {
                absorb(&mut state, order, block);
                permute_words(&mut state.0, rounds);
            }
            absorb(&mut state, order, rest);
            add_byte(&mut state, order, rest.len(), variant.pad());
            permute_words(&mut state.0, rounds);
        }
        state.0[4] ^= variant.separator();

        let mut blocks = text.chunks_exact_mut(rate);
        for block in &mut blocks {
            duplex::<OPEN>(&mut state, order, block);
            permute_words(&mut state.0, rounds);
        }
        let rest = blocks.into_remainder();
        duplex::<OPEN>(&mut state, order, rest);
        add_byte(&mut state, order, rest.len(), variant.pad());

        self.add_key(&mut state, variant.words());
        permute_words(&mut state.0, OUTER_ROUNDS);
        self.add_key(&mut state, 3);
        for (tag, word) in tag.as_chunks_mut().0.iter_mut().zip(&state.0[3..]) {
            *tag = order.store(*word);
        }
        Ok(())
    }
}

/// XORs a byte into the state's byte `at`.
fn add_byte(state: &mut State, order: Order, at: usize, byte: u8) {
    let mut bytes = [0; 8];
    bytes[at % 8] = byte;
    state.0[at / 8] ^= order.load(bytes);
}

/// XORs a block, or the part of one, into the state.
fn absorb(state: &mut State, order: Order, block: &[u8]) {
    for (word, part) in state.0.iter_mut().zip(block.chunks(8)) {
        let mut bytes = [0; 8];
        bytes[..part.len()].copy_from_slice(part);
        *word ^= order.load(bytes);
    }
}

/// Encrypts a block, or the part of one, or decrypts it if `OPEN`; the state holds the ciphertext then.
fn duplex<const OPEN: bool>(state: &mut State, order: Order, block: &mut [u8]) {
    for (word, part) in state.0.iter_mut().zip(block.chunks_mut(8)) {
        let mut bytes = order.store(*word);
        for (byte, text) in bytes.iter_mut().zip(part) {
            let other = *byte ^ *text;
            *byte = if OPEN { *text } else { other };
            *text = other;
        }
        *word = order.load(bytes);
    }
}

impl mode::Mode for Core {
    fn tag_len(&self) -> usize {
        LEN
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<false>(nonce, ad, buffer, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<true>(nonce, ad, buffer, expected)
    }
}
