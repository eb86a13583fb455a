// SPDX-License-Identifier: Apache-2.0
//! The duplex: key and nonce fill the state, associated data and text go through its first words, the key closes it.

use crate::ascon::{MAX_LANES, Order, Rows, State, lanes, permute_rows, permute_words};
use crate::batch::{Ad, OpenPacket, SealPacket};
use crate::error::Error;
use crate::gf::wipe;
use crate::mode::{self, Input};
use crate::together::{self, Together};
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

    /// XORs both words of the key into a state, the first into word `at`.
    fn add_key(&self, state: &mut impl Words, at: usize) {
        *state.word(at) ^= self.key[0];
        *state.word(at + 1) ^= self.key[1];
    }

    /// Takes in block number `block` of associated data; the last one is not whole, and may be empty.
    fn take_ad(&self, state: &mut impl Words, ad: &[u8], block: usize) {
        let (rate, order) = (self.variant.rate(), self.variant.order());
        let start = block * rate;
        let part = &ad[start..ad.len().min(start + rate)];
        absorb(state, order, part);
        if part.len() < rate {
            add_byte(state, order, part.len(), self.variant.pad());
        }
    }

    /// What stands behind the last whole block of text, and the first part of the end.
    fn close<const OPEN: bool>(&self, state: &mut impl Words, text: &mut [u8]) {
        let (rate, order) = (self.variant.rate(), self.variant.order());
        let whole = text.len() / rate * rate;
        let rest = &mut text[whole..];
        duplex::<OPEN>(state, order, rest);
        add_byte(state, order, rest.len(), self.variant.pad());
        self.add_key(state, self.variant.words());
    }

    /// The tag of a state that was permuted for the last time.
    fn tag_of(&self, state: &mut impl Words) -> [u8; LEN] {
        self.add_key(state, 3);
        let order = self.variant.order();
        let mut tag = [0; LEN];
        for (i, tag) in tag.as_chunks_mut().0.iter_mut().enumerate() {
            *tag = order.store(*state.word(3 + i));
        }
        tag
    }

    /// Encrypts a message by itself, or decrypts it if `OPEN`.
    fn alone<const OPEN: bool>(&self, message: &mut Message<'_>) {
        let variant = self.variant;
        let (rate, rounds, order) = (variant.rate(), variant.rounds(), variant.order());
        let Message {
            state, ad, text, ..
        } = message;
        permute_words(&mut state.0, OUTER_ROUNDS);
        self.add_key(state, 3);
        for block in 0..ad_blocks(ad, rate) {
            self.take_ad(state, ad, block);
            permute_words(&mut state.0, rounds);
        }
        state.0[4] ^= variant.separator();
        for block in text.chunks_exact_mut(rate) {
            duplex::<OPEN>(state, order, block);
            permute_words(&mut state.0, rounds);
        }
        self.close::<OPEN>(state, text);
        permute_words(&mut state.0, OUTER_ROUNDS);
        message.tag = self.tag_of(&mut message.state);
    }

    /// Encrypts messages side by side, or decrypts them if `OPEN`: up to as many as there are lanes.
    fn side_by_side<const OPEN: bool>(&self, messages: &mut [Message<'_>]) {
        let variant = self.variant;
        let (rate, rounds, order) = (variant.rate(), variant.rounds(), variant.order());
        let mut lanes = Lanes::new(messages);
        lanes.permute(OUTER_ROUNDS);
        for lane in 0..messages.len() {
            self.add_key(&mut lanes.at(lane), 3);
        }
        let blocks = |m: &Message<'_>| ad_blocks(m.ad, rate);
        lanes.steps(blocks, messages, rounds, |state, message, block| {
            self.take_ad(state, message.ad, block);
        });
        for lane in 0..messages.len() {
            *lanes.at(lane).word(4) ^= variant.separator();
        }
        let blocks = |m: &Message<'_>| m.text.len() / rate;
        lanes.steps(blocks, messages, rounds, |state, message, block| {
            duplex::<OPEN>(state, order, &mut message.text[block * rate..][..rate]);
        });
        for (lane, message) in messages.iter_mut().enumerate() {
            self.close::<OPEN>(&mut lanes.at(lane), message.text);
        }
        lanes.permute(OUTER_ROUNDS);
        for (lane, message) in messages.iter_mut().enumerate() {
            message.tag = self.tag_of(&mut lanes.at(lane));
        }
    }
}

/// Blocks of associated data with its padding: none if there is no data.
fn ad_blocks(ad: &[u8], rate: usize) -> usize {
    if ad.is_empty() {
        0
    } else {
        ad.len() / rate + 1
    }
}

/// One message on its way.
#[derive(Default)]
pub struct Message<'a> {
    state: State,
    ad: &'a [u8],
    text: &'a mut [u8],
    tag: [u8; LEN],
}

impl<'a> together::Message<'a> for Message<'a> {
    fn tag(&self) -> &[u8; LEN] {
        &self.tag
    }

    fn text(&mut self) -> &mut [u8] {
        self.text
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        wipe(&mut self.tag);
    }
}

impl Together for Core {
    type Message<'a> = Message<'a>;

    fn put<'a>(&self, input: Input<'a>, message: &mut Message<'a>) -> Result<(), Error> {
        message.ad = input.ad.bytes()?;
        let nonce = pair(self.variant.order(), input.nonce);
        message.state.0 = [
            self.variant.iv(),
            self.key[0],
            self.key[1],
            nonce[0],
            nonce[1],
        ];
        message.text = input.text;
        Ok(())
    }

    fn process(&self, open: bool, messages: &mut [Message<'_>]) {
        for messages in messages.chunks_mut(lanes()) {
            match (messages, open) {
                ([message], false) => self.alone::<false>(message),
                ([message], true) => self.alone::<true>(message),
                (messages, false) => self.side_by_side::<false>(messages),
                (messages, true) => self.side_by_side::<true>(messages),
            }
        }
    }
}

/// The words of one state.
trait Words {
    fn word(&mut self, at: usize) -> &mut u64;
}

impl Words for State {
    #[inline(always)]
    fn word(&mut self, at: usize) -> &mut u64 {
        &mut self.0[at]
    }
}

/// States side by side.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Lanes(Rows);

/// One of them.
struct Lane<'a> {
    rows: &'a mut Rows,
    lane: usize,
}

impl Words for Lane<'_> {
    #[inline(always)]
    fn word(&mut self, at: usize) -> &mut u64 {
        &mut self.rows[at][self.lane]
    }
}

impl Lanes {
    fn new(messages: &[Message<'_>]) -> Self {
        let mut lanes = Self(Rows::default());
        for (lane, message) in messages.iter().enumerate() {
            lanes.put(lane, &message.state);
        }
        lanes
    }

    fn put(&mut self, lane: usize, state: &State) {
        for (row, word) in self.0.iter_mut().zip(state.0) {
            row[lane] = word;
        }
    }

    #[inline(always)]
    fn at(&mut self, lane: usize) -> Lane<'_> {
        Lane {
            rows: &mut self.0,
            lane,
        }
    }

    fn permute(&mut self, rounds: usize) {
        permute_rows(&mut self.0, rounds);
    }

    /// Does a step with every block of every message, and so many rounds behind it. A message that has no more blocks waits with its
    /// state, whose lane goes on with numbers that nobody reads.
    #[inline(always)]
    fn steps(
        &mut self,
        blocks: impl Fn(&Message<'_>) -> usize,
        messages: &mut [Message<'_>],
        rounds: usize,
        step: impl Fn(&mut Lane<'_>, &mut Message<'_>, usize),
    ) {
        let mut counts = [0; MAX_LANES];
        for (count, message) in counts.iter_mut().zip(&*messages) {
            *count = blocks(message);
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        for block in 0..=most {
            for (lane, message) in messages.iter_mut().enumerate() {
                if block < counts[lane] {
                    step(&mut self.at(lane), message, block);
                } else if block == counts[lane] {
                    message.state.0 = self.0.map(|row| row[lane]);
                }
            }
            if block < most {
                self.permute(rounds);
            }
        }
        for (lane, message) in messages.iter().enumerate() {
            self.put(lane, &message.state);
        }
    }
}

/// XORs a byte into the state's byte `at`.
fn add_byte(state: &mut impl Words, order: Order, at: usize, byte: u8) {
    let mut bytes = [0; 8];
    bytes[at % 8] = byte;
    *state.word(at / 8) ^= order.load(bytes);
}

/// XORs a block, or the part of one, into the state.
fn absorb(state: &mut impl Words, order: Order, block: &[u8]) {
    for (at, part) in block.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..part.len()].copy_from_slice(part);
        *state.word(at) ^= order.load(bytes);
    }
}

/// Encrypts a block, or the part of one, or decrypts it if `OPEN`; the state holds the ciphertext then.
#[inline(always)]
fn duplex<const OPEN: bool>(state: &mut impl Words, order: Order, block: &mut [u8]) {
    let (words, rest) = block.as_chunks_mut();
    let at = words.len();
    for (i, part) in words.iter_mut().enumerate() {
        let word = state.word(i);
        let text = order.load(*part);
        let other = *word ^ text;
        *part = order.store(other);
        *word = if OPEN { text } else { other };
    }
    if !rest.is_empty() {
        let word = state.word(at);
        let mut bytes = order.store(*word);
        for (byte, text) in bytes.iter_mut().zip(rest) {
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
        together::one(self, false, nonce, ad, buffer, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        together::one(self, true, nonce, ad, buffer, expected)
    }

    fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        together::batch(self, nonce_len, packets)
    }

    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        together::batch(self, nonce_len, packets)
    }
}
