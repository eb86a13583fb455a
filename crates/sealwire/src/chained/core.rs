// SPDX-License-Identifier: Apache-2.0
//! A mode with a key.

use super::text::Blocks;
use crate::aes::{Aes128, Engine, Inverse, Key, Task, half, owner};
use crate::batch::{Ad, SessionAd};
use crate::error::Error;
use crate::gf::wipe;
use crate::mode;
use core::marker::PhantomData;
use zeroize::ZeroizeOnDrop;

/// What differs between the modes. The running value is a block; between the calls of a group of blocks it may be a number,
/// in every lane.
pub(crate) trait Chain: Clone + Send + Sync + 'static {
    /// The canonical name.
    const NAME: &str;
    /// In bytes.
    const NONCE_LEN: usize;
    /// In bytes, 16 to 48.
    const TAG_LEN: usize;
    /// Whether associated data has a sum of its own, which serves every message.
    const CACHES_AD: bool;
    /// Whether the last block of the message gives its place to the sum of the whole message.
    const LAST_IS_SUM: bool;
    /// Whether a byte behind the tag says that the last block is padded.
    const SAYS_PADDED: bool;

    /// The part of the associated data that the nonce has no part in.
    fn ad<E: Engine>(engine: E, l: E::Block, ad: &[u8]) -> E::Block;

    /// The running value before the first block. `sum` is what `ad` gave, if the mode caches associated data.
    fn start<E: Engine>(engine: E, l: E::Block, sum: E::Block, ad: &[u8], nonce: &[u8])
    -> E::Block;

    /// The mask of the first block, which is doubled from block to block.
    fn first_mask<E: Engine>(engine: E, l: E::Block) -> E::Block;

    /// From the doubled masks of a vector of blocks, twice them and four times them, its masks before the first call and behind the
    /// second.
    fn masks<E: Engine>(engine: E, doubled: [E::Vector; 3]) -> [E::Vector; 2];

    /// From the doubled mask of the last block, the masks before the first call of this block and of the one behind it.
    fn last_before<E: Engine>(engine: E, doubled: E::Block, whole: bool) -> [E::Block; 2];

    /// Likewise, of the masks behind the second call.
    fn last_after<E: Engine>(engine: E, doubled: E::Block, whole: bool) -> [E::Block; 2];

    /// From the result of a block's first call and the running value, the next running value and the input of the second
    /// call.
    fn link<E: Engine, const OPEN: bool>(
        engine: E,
        x: E::Block,
        running: E::Block,
    ) -> [E::Block; 2];

    /// `link` for blocks in columns of N, which become the inputs of the second call. `running` is the value before them in every lane,
    /// and becomes the one behind all of them; `values` become those behind each.
    fn step<E: Engine, const OPEN: bool, const N: usize>(
        engine: E,
        x: &mut [E::Vector; N],
        running: &mut E::Vector,
        values: &mut [E::Vector; N],
    );

    /// Running values as `step` takes them, from blocks, and blocks from such values: the change undoes itself.
    fn converted<E: Engine, const OPEN: bool>(engine: E, x: E::Vector) -> E::Vector;
}

/// Half of a block as an element of the field.
#[inline(always)]
pub(crate) fn halved<E: Engine>(engine: E, x: E::Block) -> E::Block {
    engine.read(&half(u128::from_be_bytes(engine.write(x))).to_be_bytes())
}

/// A mode with a key.
pub struct Core<C> {
    encryption: Key<Aes128>,
    decryption: Key<Inverse<Aes128>>,
    /// L = E(0)
    l: [u8; 16],
    chain: PhantomData<C>,
}

/// What goes from part to part of a message, as blocks.
#[derive(Default)]
pub(super) struct State {
    /// The doubled mask of the next block.
    pub(super) mask: [u8; 16],
    pub(super) running: [u8; 16],
    /// Of the plaintext's blocks.
    pub(super) sum: [u8; 16],
}

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.mask);
        wipe(&mut self.running);
        wipe(&mut self.sum);
    }
}

/// The last block, the block behind it and what follows that: the end of the text, and the tag.
struct Ending([u8; 64]);

impl Ending {
    fn block(&mut self, number: usize) -> &mut [u8; 16] {
        &mut self.0.as_chunks_mut().0[number]
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// E(0)
struct Zero;

impl Task<Aes128> for Zero {
    type Output = [u8; 16];

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> [u8; 16] {
        engine.write(engine.block(engine.read(&[0; 16])))
    }
}

/// Associated data ahead of a message.
struct AdAlone<'a, C> {
    core: &'a Core<C>,
    ad: &'a [u8],
    sum: &'a mut [u8; 16],
}

impl<C: Chain> Task<Aes128> for AdAlone<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let l = engine.read(&self.core.l);
        *self.sum = engine.write(C::ad(engine, l, self.ad));
    }
}

/// What comes before the first block.
struct Start<'a, C> {
    core: &'a Core<C>,
    nonce: &'a [u8],
    ad: &'a [u8],
    /// `sum` is that of the associated data; it is zero in the end.
    state: &'a mut State,
}

impl<C: Chain> Task<Aes128> for Start<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let state = self.state;
        let l = engine.read(&self.core.l);
        let sum = engine.read(&state.sum);
        let running = C::start(engine, l, sum, self.ad, self.nonce);
        state.running = engine.write(running);
        state.mask = engine.write(C::first_mask(engine, l));
        state.sum = [0; 16];
    }
}

/// The last block, of `rest` bytes, and the one behind it.
struct SealEnd<'a, C> {
    state: &'a State,
    rest: &'a [u8],
    ending: &'a mut Ending,
    chain: PhantomData<C>,
}

impl<C: Chain> Task<Aes128> for SealEnd<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self { state, rest, .. } = self;
        let whole = rest.len() == 16;
        let before = C::last_before(engine, engine.read(&state.mask), whole);
        let after = C::last_after(engine, engine.read(&state.mask), whole);
        let last = engine.pad(engine.read_some(rest), rest.len());
        let sum = engine.plus(engine.read(&state.sum), last);
        let last = if C::LAST_IS_SUM { sum } else { last };
        let mut x = [engine.plus(last, before[0]), engine.plus(sum, before[1])];
        engine.each(&mut x);
        let mut running = engine.read(&state.running);
        [running, x[0]] = C::link::<E, false>(engine, x[0], running);
        [_, x[1]] = C::link::<E, false>(engine, x[1], running);
        engine.each(&mut x);
        *self.ending.block(0) = engine.write(engine.plus(x[0], after[0]));
        *self.ending.block(1) = engine.write(engine.plus(x[1], after[1]));
    }
}

/// The last block of a ciphertext, which the ending has, backwards. It becomes what came with what padding ought to be in
/// place of what it is, and the text its plaintext.
struct OpenLast<'a, C> {
    state: &'a mut State,
    rest: &'a mut [u8],
    ending: &'a mut Ending,
    chain: PhantomData<C>,
}

impl<C: Chain> Task<Inverse<Aes128>> for OpenLast<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self { state, rest, .. } = self;
        let whole = rest.len() == 16;
        let [before, _] = C::last_before(engine, engine.read(&state.mask), whole);
        let [after, _] = C::last_after(engine, engine.read(&state.mask), whole);
        let given = engine.read(self.ending.block(0));
        let running = engine.read(&state.running);
        let x = engine.block(engine.plus(given, after));
        let [running, x] = C::link::<E, true>(engine, x, running);
        state.running = engine.write(running);
        let x = engine.plus(engine.block(x), before);
        let sum = engine.read(&state.sum);
        let other = engine.plus(sum, x);
        let [plain, sum] = if C::LAST_IS_SUM {
            [other, x]
        } else {
            [x, other]
        };
        state.sum = engine.write(sum);
        engine.write_some(plain, rest);
        let wrong = engine.plus(plain, engine.pad(plain, rest.len()));
        *self.ending.block(0) = engine.write(engine.plus(given, wrong));
    }
}

/// The block behind the last.
struct OpenEnd<'a, C> {
    state: &'a State,
    whole: bool,
    ending: &'a mut Ending,
    chain: PhantomData<C>,
}

impl<C: Chain> Task<Aes128> for OpenEnd<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self { state, whole, .. } = self;
        let [_, before] = C::last_before(engine, engine.read(&state.mask), whole);
        let [_, after] = C::last_after(engine, engine.read(&state.mask), whole);
        let x = engine.block(engine.plus(engine.read(&state.sum), before));
        let [_, x] = C::link::<E, false>(engine, x, engine.read(&state.running));
        *self.ending.block(1) = engine.write(engine.plus(engine.block(x), after));
    }
}

#[allow(private_bounds, reason = "nothing here can be called from outside")]
impl<C: Chain> Core<C> {
    /// `key` has 16 bytes.
    pub(crate) fn new(key: &[u8]) -> Self {
        let encryption = Key::new(key);
        Self {
            l: encryption.run(Zero),
            encryption,
            decryption: Key::new(key),
            chain: PhantomData,
        }
    }

    /// What a session is recognised by: a number that the mode itself has no use for.
    fn owner(&self) -> [u8; 16] {
        owner(self.l)
    }

    fn hash(&self, ad: &[u8], sum: &mut [u8; 16]) {
        if !ad.is_empty() {
            self.encryption.run(AdAlone {
                core: self,
                ad,
                sum,
            });
        }
    }

    /// Writes what comes before the first block.
    fn start(&self, nonce: &[u8], ad: Ad<'_>, state: &mut State) -> Result<(), Error> {
        let ad = if C::CACHES_AD {
            ad.block(
                || self.owner(),
                |ad, sum| self.hash(ad, sum),
                &mut state.sum,
            )?;
            &[] // the sum stands for it
        } else {
            ad.bytes()?
        };
        self.encryption.run(Start {
            core: self,
            nonce,
            ad,
            state,
        });
        Ok(())
    }
}

/// Where the last block begins: a message without bytes has one, too.
const fn last_block(len: usize) -> usize {
    len.saturating_sub(1) / 16 * 16
}

impl<C: Chain> mode::Mode for Core<C> {
    fn tag_len(&self) -> usize {
        C::TAG_LEN
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut state = State::default();
        self.start(nonce, ad, &mut state)?;
        let (blocks, rest) = buffer.split_at_mut(last_block(buffer.len()));
        self.encryption
            .run(Blocks::<C, false>::new(&mut state, blocks));
        let mut ending = Ending([0; 64]);
        self.encryption.run(SealEnd::<C> {
            state: &state,
            rest,
            ending: &mut ending,
            chain: PhantomData,
        });
        let len = rest.len();
        ending.0[32] = u8::from(C::SAYS_PADDED && len < 16);
        rest.copy_from_slice(&ending.0[..len]);
        tag.copy_from_slice(&ending.0[len..len + C::TAG_LEN]);
        Ok(())
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        let mut state = State::default();
        self.start(nonce, ad, &mut state)?;
        let (blocks, rest) = buffer.split_at_mut(last_block(buffer.len()));
        self.decryption
            .run(Blocks::<C, true>::new(&mut state, blocks));
        let len = rest.len();
        let mut ending = Ending([0; 64]);
        ending.0[..len].copy_from_slice(rest);
        ending.0[len..16].copy_from_slice(&given[..16 - len]);
        self.decryption.run(OpenLast::<C> {
            state: &mut state,
            rest,
            ending: &mut ending,
            chain: PhantomData,
        });
        self.encryption.run(OpenEnd::<C> {
            state: &state,
            whole: len == 16,
            ending: &mut ending,
            chain: PhantomData,
        });
        ending.0[32] = u8::from(C::SAYS_PADDED && len < 16);
        expected.copy_from_slice(&ending.0[len..len + C::TAG_LEN]);
        Ok(())
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        if !C::CACHES_AD {
            return Err(Error::NoSessionAd);
        }
        Ok(SessionAd::of_block(self.owner(), |sum| self.hash(ad, sum)))
    }
}

impl<C> Clone for Core<C> {
    fn clone(&self) -> Self {
        Self {
            encryption: self.encryption.clone(),
            decryption: self.decryption.clone(),
            l: self.l,
            chain: PhantomData,
        }
    }
}

impl<C> Drop for Core<C> {
    fn drop(&mut self) {
        wipe(&mut self.l);
    }
}

impl<C> ZeroizeOnDrop for Core<C> {}
