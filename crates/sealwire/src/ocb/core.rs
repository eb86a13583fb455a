// SPDX-License-Identifier: Apache-2.0
//! The mode with a key.

use super::masks::{Masks, Walk};
use crate::aes::{Cipher, Engine, Inverse, Key, Task, head, owner, part};
use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::error::Error;
use crate::gf::wipe;
use crate::mode::{self, Input};
use crate::together::{self, TOGETHER, Together};
use zeroize::{ZeroizeOnDrop, optimization_barrier};

/// In memory of their own where there is a heap. Keys of all schemes have one type, whose size is that of the largest, and a gateway
/// with a thousand peers holds thousands of them.
#[cfg(feature = "alloc")]
type HeldMasks = alloc::boxed::Box<Masks>;
#[cfg(not(feature = "alloc"))]
type HeldMasks = Masks;

/// OCB with a key.
pub struct Core<A: Cipher> {
    encryption: Key<A>,
    decryption: Key<Inverse<A>>,
    masks: HeldMasks,
    tag_len: usize,
}

/// A message on its way.
#[derive(Default)]
pub struct Message<'a> {
    /// The formatted nonce, later the offset of the last whole block.
    offset: [u8; 16],
    /// Sum of the plaintext's whole blocks, later the tag.
    sum: [u8; 16],
    /// HASH of the associated data.
    hash: [u8; 16],
    text: &'a mut [u8],
}

impl Message<'_> {
    /// The bytes behind the whole blocks.
    #[inline(always)]
    fn rest(&mut self) -> &mut [u8] {
        let whole = self.text.len() / 16 * 16;
        &mut self.text[whole..]
    }
}

impl<'a> together::Message<'a> for Message<'a> {
    fn tag(&self) -> &[u8; 16] {
        &self.sum
    }

    fn text(&mut self) -> &mut [u8] {
        self.text
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        wipe(&mut self.offset);
        wipe(&mut self.sum);
        wipe(&mut self.hash);
    }
}

/// E(0)
struct Zero;

impl<A: Cipher> Task<A> for Zero {
    type Output = [u8; 16];

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> [u8; 16] {
        engine.write(engine.block(engine.read(&[0; 16])))
    }
}

/// HASH of associated data.
struct Hash<'a>(&'a Masks, &'a [u8], &'a mut [u8; 16]);

impl<A: Cipher> Task<A> for Hash<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self(masks, ad, hash) = self;
        *hash = engine.write(match E::LANES {
            1 | 2 => hash_of::<E, 8>(engine, masks, ad),
            _ => hash_of::<E, 4>(engine, masks, ad),
        });
    }
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
#[inline(always)]
fn hash_of<E: Engine, const N: usize>(engine: E, masks: &Masks, ad: &[u8]) -> E::Block {
    let (blocks, last) = ad.split_at(ad.len() / 16 * 16);
    let zeros = [engine.zero(); N];
    let mut walk = Walk::<E, N>::new(engine, masks, engine.read(&[0; 16]));
    let mut offset = walk.here();
    let mut sum = engine.zero();
    for group in blocks.chunks(N * 16 * E::LANES) {
        let offsets = walk.next();
        let part = |i| &group[part::<E, false>(16, group.len(), i)];
        let mut x = zeros;
        for i in 0..N {
            x[i] = engine.load_some(part(i));
        }
        engine.blocks(&mut x, &offsets, &zeros);
        for i in 0..N {
            sum = engine.sum(sum, engine.keep(x[i], part(i).len() / 16));
        }
        offset = engine.lane(&offsets, group.len() / 16 - 1);
    }
    let mut hash = engine.fold(sum);
    if !last.is_empty() {
        let x = engine.pad(engine.read_some(last), last.len());
        let offset = engine.plus(offset, engine.read(&masks.star));
        hash = engine.plus(hash, engine.block(engine.plus(x, offset)));
    }
    hash
}

/// The offsets before the first blocks, of N messages at once. Loops go to N, so that everything of one message alone stays in registers.
struct Start<'a, 'text, const N: usize>(&'a mut [Message<'text>]);

impl<A: Cipher, const N: usize> Task<A> for Start<'_, '_, N> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let zeros = [engine.read(&[0; 16]); N];
        for messages in self.0.chunks_mut(N) {
            let mut x = zeros;
            // Kept as numbers: a nonce that was written in halves and is read again as a block makes the CPU wait.
            let mut bottoms = [0; N];
            for i in 0..N {
                if let Some(m) = messages.get(i) {
                    let nonce = u128::from_be_bytes(m.offset);
                    bottoms[i] = (nonce & 63) as u32;
                    x[i] = engine.read(&(nonce ^ u128::from(bottoms[i])).to_be_bytes());
                }
            }
            engine.each(&mut x);
            for i in 0..N {
                let Some(m) = messages.get_mut(i) else { break };
                let bottom = bottoms[i];
                let top = u128::from_be_bytes(engine.write(x[i]));
                let more = (top >> 64) as u64 ^ (top >> 56) as u64;
                let offset = top << bottom | u128::from(more) << bottom >> 64;
                m.offset = offset.to_be_bytes();
            }
            forget(&mut x, &zeros);
        }
    }
}

/// Leaves no calls of several messages in memory.
#[inline(always)]
fn forget<B: Copy, const N: usize>(x: &mut [B; N], zeros: &[B; N]) {
    if N > 1 {
        *x = *zeros;
        optimization_barrier(x);
    }
}

/// Whole blocks, under the cipher or its inverse.
struct Blocks<'a, 'text, const OPEN: bool>(&'a Masks, &'a mut [Message<'text>]);

impl<A: Cipher, const OPEN: bool> Task<A> for Blocks<'_, '_, OPEN> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        for message in self.1 {
            match E::LANES {
                1 | 2 => blocks_of::<E, 8, OPEN>(engine, self.0, message),
                _ => blocks_of::<E, 4, OPEN>(engine, self.0, message),
            }
        }
    }
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
#[inline(always)]
fn blocks_of<E: Engine, const N: usize, const OPEN: bool>(
    engine: E,
    masks: &Masks,
    message: &mut Message<'_>,
) {
    let width = 16 * E::LANES;
    let mut walk = Walk::<E, N>::new(engine, masks, engine.read(&message.offset));
    let mut sum = engine.zero();
    let whole = message.text.len() / 16 * 16;
    let mut groups = message.text[..whole].chunks_exact_mut(N * width);
    for group in &mut groups {
        let offsets = walk.next();
        sum = engine.sum(sum, some::<E, N, true, OPEN>(engine, &offsets, group));
    }
    let mut offset = walk.here();
    let rest = groups.into_remainder();
    if !rest.is_empty() {
        let offsets = walk.next();
        // Fewer vectors if they do.
        let part = match (E::LANES, rest.len().div_ceil(width)) {
            (2, 1 | 2) => some::<E, 2, false, OPEN>(engine, &offsets, rest),
            (2, 3 | 4) => some::<E, 4, false, OPEN>(engine, &offsets, rest),
            _ => some::<E, N, false, OPEN>(engine, &offsets, rest),
        };
        sum = engine.sum(sum, part);
        offset = engine.lane(&offsets, rest.len() / 16 - 1);
    }
    message.offset = engine.write(offset);
    message.sum = engine.write(engine.fold(sum));
}

/// Whole blocks under the first offsets, M vectors if FULL and else at most as many, and the sum of the plaintext.
#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
#[inline(always)]
fn some<E: Engine, const M: usize, const FULL: bool, const OPEN: bool>(
    engine: E,
    offsets: &[E::Vector],
    text: &mut [u8],
) -> E::Vector {
    let len = text.len();
    let part = |i| part::<E, FULL>(16, len, i);
    let (mut sum, mut x, mut masks) = (engine.zero(), [engine.zero(); M], [engine.zero(); M]);
    for i in 0..M {
        masks[i] = offsets[i];
        x[i] = if FULL {
            engine.load(&text[part(i)])
        } else {
            engine.load_some(&text[part(i)])
        };
        if !OPEN {
            sum = engine.sum(sum, x[i]);
        }
    }
    engine.blocks(&mut x, &masks, &masks);
    for i in 0..M {
        if OPEN {
            let valid = if FULL {
                x[i]
            } else {
                engine.keep(x[i], part(i).len() / 16)
            };
            sum = engine.sum(sum, valid);
        }
        engine.store(x[i], &mut text[part(i)]);
    }
    sum
}

/// The parts of blocks behind the whole ones, and the tags, of N messages at once.
struct End<'a, 'text, const N: usize> {
    masks: &'a Masks,
    messages: &'a mut [Message<'text>],
    open: bool,
}

impl<A: Cipher, const N: usize> Task<A> for End<'_, '_, N> {
    type Output = ();

    #[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self {
            masks,
            messages,
            open,
        } = self;
        let zeros = [engine.read(&[0; 16]); N];
        let star = engine.read(&masks.star);
        let dollar = engine.read(&masks.dollar);
        for messages in messages.chunks_mut(N) {
            // What the tag is the encryption of.
            let mut last = zeros;
            for i in 0..N {
                if let Some(m) = messages.get(i) {
                    let sum = engine.plus(engine.read(&m.sum), engine.read(&m.offset));
                    last[i] = engine.plus(sum, dollar);
                }
            }
            if messages.iter().any(|m| m.text.len() % 16 > 0) {
                let mut x = zeros;
                for i in 0..N {
                    if let Some(m) = messages.get(i) {
                        x[i] = engine.plus(engine.read(&m.offset), star);
                    }
                }
                engine.each(&mut x);
                for i in 0..N {
                    let Some(m) = messages.get_mut(i) else { break };
                    let rest = m.rest();
                    if rest.is_empty() {
                        continue;
                    }
                    let given = engine.read_some(rest);
                    let made = engine.plus(given, x[i]);
                    engine.write_some(made, rest);
                    let plain = engine.pad(if open { made } else { given }, rest.len());
                    last[i] = engine.plus(last[i], engine.plus(plain, star));
                }
                forget(&mut x, &zeros);
            }
            engine.each(&mut last);
            for i in 0..N {
                let Some(m) = messages.get_mut(i) else { break };
                m.sum = engine.write(engine.plus(last[i], engine.read(&m.hash)));
            }
            forget(&mut last, &zeros);
        }
    }
}

impl<A: Cipher> Core<A> {
    /// `key` has the cipher's length, `tag_len` is 8, 12 or 16.
    pub(crate) fn new(key: &[u8], tag_len: usize) -> Self {
        let encryption = Key::<A>::new(key);
        let mut star = encryption.run(Zero);
        let masks = HeldMasks::from(Masks::new(star));
        wipe(&mut star);
        Self {
            masks,
            encryption,
            decryption: Key::new(key),
            tag_len,
        }
    }

    /// What a session is recognised by: a number that the mode itself has no use for.
    fn owner(&self) -> [u8; 16] {
        owner(self.masks.star)
    }

    /// Tag length in bits modulo 128 as seven bits, zeros, a one, and the nonce.
    fn format(&self, nonce: &[u8]) -> [u8; 16] {
        let bits = 8 * nonce.len();
        let tag_len = (8 * self.tag_len % 128) as u128;
        (tag_len << 121 | 1 << bits | head(nonce) >> (128 - bits)).to_be_bytes()
    }

    /// HASH of bytes; it is zero if there are none.
    fn hash(&self, ad: &[u8], hash: &mut [u8; 16]) {
        if ad.is_empty() {
            *hash = [0; 16];
        } else {
            self.encryption.run(Hash(&self.masks, ad, hash));
        }
    }

    /// Code that serves sealing and opening: with one for each, opening takes a tenth longer.
    #[inline(never)]
    fn one(
        &self,
        open: bool,
        nonce: &[u8],
        ad: Ad<'_>,
        text: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        together::one(self, open, nonce, ad, text, tag)
    }

    /// N messages have their calls together.
    #[inline(always)]
    fn process_some<const N: usize>(&self, open: bool, messages: &mut [Message<'_>]) {
        let masks: &Masks = &self.masks;
        self.encryption.run(Start::<N>(messages));
        if open {
            self.decryption.run(Blocks::<true>(masks, messages));
        } else {
            self.encryption.run(Blocks::<false>(masks, messages));
        }
        self.encryption.run(End::<N> {
            masks,
            messages,
            open,
        });
    }
}

impl<A: Cipher> Together for Core<A> {
    type Message<'a> = Message<'a>;

    #[inline(always)]
    fn put<'a>(&self, input: Input<'a>, message: &mut Message<'a>) -> Result<(), Error> {
        input.ad.block(
            || self.owner(),
            |ad, hash| self.hash(ad, hash),
            &mut message.hash,
        )?;
        message.offset = self.format(input.nonce);
        message.text = input.text;
        Ok(())
    }

    #[inline(always)]
    fn process(&self, open: bool, messages: &mut [Message<'_>]) {
        match messages.len() {
            1 => self.process_some::<1>(open, messages),
            2 => self.process_some::<2>(open, messages),
            _ => self.process_some::<TOGETHER>(open, messages),
        }
    }
}

impl<A: Cipher> mode::Mode for Core<A> {
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.one(false, nonce, ad, buffer, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.one(true, nonce, ad, buffer, expected)
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        Ok(SessionAd::of_block(self.owner(), |hash| {
            self.hash(ad, hash)
        }))
    }

    fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        together::batch(self, nonce_len, packets)
    }

    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        together::batch(self, nonce_len, packets)
    }
}

impl<A: Cipher> Clone for Core<A> {
    fn clone(&self) -> Self {
        Self {
            encryption: self.encryption.clone(),
            decryption: self.decryption.clone(),
            masks: self.masks.clone(),
            tag_len: self.tag_len,
        }
    }
}

impl<A: Cipher> ZeroizeOnDrop for Core<A> {}
