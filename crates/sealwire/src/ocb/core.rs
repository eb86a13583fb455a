// SPDX-License-Identifier: Apache-2.0
//! The mode with a key.

use super::masks::{Masks, Walk};
use crate::aes::{Cipher, Engine, Inverse, Key, Task, head, owner, put_head};
use crate::batch::{Ad, SessionAd};
use crate::error::Error;
use crate::gf::wipe;
use crate::mode;
use zeroize::ZeroizeOnDrop;

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

/// What goes from part to part of a message, as blocks.
#[derive(Default)]
struct State {
    /// The nonce as it is encrypted, later the offset of the last whole block.
    offset: [u8; 16],
    /// Sum of the plaintext's whole blocks, later the tag.
    sum: [u8; 16],
    /// HASH of the associated data.
    hash: [u8; 16],
}

impl Drop for State {
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
            1 => hash_of::<E, 8>(engine, masks, ad),
            _ => hash_of::<E, 4>(engine, masks, ad),
        });
    }
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
#[inline(always)]
fn hash_of<E: Engine, const N: usize>(engine: E, masks: &Masks, ad: &[u8]) -> E::Block {
    let (blocks, last) = ad.split_at(ad.len() / 16 * 16);
    let width = 16 * E::LANES;
    let zeros = [engine.zero(); N];
    let mut walk = Walk::<E, N>::new(engine, masks, engine.read(&[0; 16]));
    let mut offset = walk.here();
    let mut sum = engine.zero();
    for group in blocks.chunks(N * width) {
        let offsets = walk.next();
        let part = |i: usize| &group[group.len().min(i * width)..group.len().min((i + 1) * width)];
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

/// The offset before the first block.
struct Start<'a>(&'a mut State);

impl<A: Cipher> Task<A> for Start<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let nonce = u128::from_be_bytes(self.0.offset);
        let bottom = (nonce & 63) as u32;
        let top = engine.block(engine.read(&(nonce ^ u128::from(bottom)).to_be_bytes()));
        let top = u128::from_be_bytes(engine.write(top));
        let more = (top >> 64) as u64 ^ (top >> 56) as u64;
        let offset = top << bottom | u128::from(more) << bottom >> 64;
        self.0.offset = offset.to_be_bytes();
    }
}

/// Whole blocks, under the cipher or its inverse.
struct Blocks<'a, const OPEN: bool>(&'a Masks, &'a mut State, &'a mut [u8]);

impl<A: Cipher, const OPEN: bool> Task<A> for Blocks<'_, OPEN> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        match E::LANES {
            1 => self.many::<E, 8>(engine),
            _ => self.many::<E, 4>(engine),
        }
    }
}

impl<const OPEN: bool> Blocks<'_, OPEN> {
    #[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
    #[inline(always)]
    fn many<E: Engine, const N: usize>(self, engine: E) {
        let Self(masks, state, text) = self;
        let width = 16 * E::LANES;
        let mut walk = Walk::<E, N>::new(engine, masks, engine.read(&state.offset));
        let mut sum = engine.zero();
        let mut groups = text.chunks_exact_mut(N * width);
        for group in &mut groups {
            let offsets = walk.next();
            let mut x = [engine.zero(); N];
            for i in 0..N {
                x[i] = engine.load(&group[i * width..(i + 1) * width]);
                if !OPEN {
                    sum = engine.sum(sum, x[i]);
                }
            }
            engine.blocks(&mut x, &offsets, &offsets);
            for i in 0..N {
                if OPEN {
                    sum = engine.sum(sum, x[i]);
                }
                engine.store(x[i], &mut group[i * width..(i + 1) * width]);
            }
        }
        let mut offset = walk.here();
        let rest = groups.into_remainder();
        if !rest.is_empty() {
            let offsets = walk.next();
            let end = rest.len();
            let part = |i: usize| end.min(i * width)..end.min((i + 1) * width);
            let mut x = [engine.zero(); N];
            for i in 0..N {
                x[i] = engine.load_some(&rest[part(i)]);
                if !OPEN {
                    sum = engine.sum(sum, x[i]);
                }
            }
            engine.blocks(&mut x, &offsets, &offsets);
            for i in 0..N {
                if OPEN {
                    sum = engine.sum(sum, engine.keep(x[i], part(i).len() / 16));
                }
                engine.store(x[i], &mut rest[part(i)]);
            }
            offset = engine.lane(&offsets, end / 16 - 1);
        }
        state.offset = engine.write(offset);
        state.sum = engine.write(engine.fold(sum));
    }
}

/// The part of a block behind the whole ones, and the tag.
struct End<'a> {
    masks: &'a Masks,
    state: &'a mut State,
    rest: &'a mut [u8],
    open: bool,
}

impl<A: Cipher> Task<A> for End<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self {
            masks,
            state,
            rest,
            open,
        } = self;
        let mut offset = engine.read(&state.offset);
        let mut sum = engine.read(&state.sum);
        if !rest.is_empty() {
            offset = engine.plus(offset, engine.read(&masks.star));
            let given = engine.read_some(rest);
            let made = engine.plus(given, engine.block(offset));
            engine.write_some(made, rest);
            let plain = engine.pad(if open { made } else { given }, rest.len());
            sum = engine.plus(sum, plain);
        }
        let last = engine.plus(engine.plus(sum, offset), engine.read(&masks.dollar));
        let tag = engine.plus(engine.block(last), engine.read(&state.hash));
        state.sum = engine.write(tag);
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

    fn hash(&self, ad: &[u8], hash: &mut [u8; 16]) {
        if !ad.is_empty() {
            self.encryption.run(Hash(&self.masks, ad, hash));
        }
    }

    fn run(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        text: &mut [u8],
        open: bool,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut state = State::default();
        ad.block(
            || self.owner(),
            |ad, hash| self.hash(ad, hash),
            &mut state.hash,
        )?;
        state.offset = self.format(nonce);
        let (masks, encryption) = (&self.masks, &self.encryption);
        encryption.run(Start(&mut state));
        let (blocks, rest) = text.split_at_mut(text.len() / 16 * 16);
        if open {
            self.decryption
                .run(Blocks::<true>(masks, &mut state, blocks));
        } else {
            encryption.run(Blocks::<false>(masks, &mut state, blocks));
        }
        encryption.run(End {
            masks,
            state: &mut state,
            rest,
            open,
        });
        put_head(u128::from_be_bytes(state.sum), tag);
        Ok(())
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
        self.run(nonce, ad, buffer, false, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.run(nonce, ad, buffer, true, expected)
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        Ok(SessionAd::of_block(self.owner(), |hash| {
            self.hash(ad, hash)
        }))
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
