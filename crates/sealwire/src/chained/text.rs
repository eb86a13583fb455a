// SPDX-License-Identifier: Apache-2.0
//! Whole blocks that are not the last, many of them at once: masks, a call, the running value, a call, masks.

use super::core::{Chain, State};
use crate::aes::{Cipher, Doublings, Engine, Task, part};
use core::marker::PhantomData;

/// Blocks under the cipher or its inverse.
pub(super) struct Blocks<'a, C, const OPEN: bool> {
    state: &'a mut State,
    text: &'a mut [u8],
    chain: PhantomData<C>,
}

impl<'a, C: Chain, const OPEN: bool> Blocks<'a, C, OPEN> {
    /// `text` has whole blocks.
    pub(super) const fn new(state: &'a mut State, text: &'a mut [u8]) -> Self {
        Self {
            state,
            text,
            chain: PhantomData,
        }
    }
}

impl<A: Cipher, C: Chain, const OPEN: bool> Task<A> for Blocks<'_, C, OPEN> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        if self.text.is_empty() {
            return;
        }
        through::<E, C, OPEN>(engine, self.state, self.text);
    }
}

/// Vectors at once.
const MOST: usize = 8;

/// Vectors of a group, where the second call of one goes with the first call of the next.
const PAIRED: usize = MOST / 2;

/// All blocks.
#[inline(always)]
fn through<E: Engine, C: Chain, const OPEN: bool>(engine: E, state: &mut State, text: &mut [u8]) {
    match E::LANES {
        1 => one_by_one::<E, C, OPEN>(engine, state, text),
        2 => side_by_side::<E, C, 1, OPEN>(engine, state, text),
        _ => side_by_side::<E, C, 2, OPEN>(engine, state, text),
    }
}

/// Vectors of several blocks. LANES · PAIRED is 8 · BYTES.
#[inline(always)]
fn side_by_side<E: Engine, C: Chain, const BYTES: i32, const OPEN: bool>(
    engine: E,
    state: &mut State,
    mut text: &mut [u8],
) {
    let width = 16 * E::LANES * PAIRED;
    if text.len() >= width {
        let mut run = Run::<E, C, PAIRED, BYTES, OPEN>::new(engine, state);
        let groups;
        (groups, text) = text.split_at_mut(text.len() / width * width);
        run.wholes(groups);
        if text.len() > width / 2 {
            run.part(text, state);
            return;
        }
        run.end(state);
    }
    // Fewer vectors if they do.
    match text.len().div_ceil(16 * E::LANES) {
        0 => {}
        1 => Run::<E, C, 1, 1, OPEN>::new(engine, state).part(text, state),
        2 => Run::<E, C, 2, 1, OPEN>::new(engine, state).part(text, state),
        _ => Run::<E, C, PAIRED, BYTES, OPEN>::new(engine, state).part(text, state),
    }
}

/// Vectors of one block. Less than a group never advances, and may have any number of vectors.
#[inline(always)]
fn one_by_one<E: Engine, C: Chain, const OPEN: bool>(
    engine: E,
    state: &mut State,
    mut text: &mut [u8],
) {
    let whole = 16 * MOST;
    if text.len() > whole / 2 {
        let mut run = Run::<E, C, MOST, 1, OPEN>::new(engine, state);
        while text.len() >= whole {
            let group;
            (group, text) = text.split_at_mut(whole);
            run.whole(group);
        }
        if text.len() > whole / 2 {
            run.part(text, state);
            return;
        }
        run.end(state);
    }
    // Fewer vectors if they do.
    match text.len() / 16 {
        0 => {}
        1 | 2 => Run::<E, C, 2, 1, OPEN>::new(engine, state).part(text, state),
        _ => Run::<E, C, PAIRED, 2, OPEN>::new(engine, state).part(text, state),
    }
}

/// Group after group on their way, each of N vectors in columns.
struct Run<E: Engine, C, const N: usize, const BYTES: i32, const OPEN: bool> {
    engine: E,
    doublings: Doublings<E, N, BYTES>,
    /// The doubled masks of the next group, which those of both calls are made of.
    masks: [E::Vector; N],
    /// The running value in every lane, as the chain takes it.
    running: E::Vector,
    sum: E::Vector,
    chain: PhantomData<C>,
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
impl<E: Engine, C: Chain, const N: usize, const BYTES: i32, const OPEN: bool>
    Run<E, C, N, BYTES, OPEN>
{
    #[inline(always)]
    fn new(engine: E, state: &State) -> Self {
        let running = engine.spread(engine.read(&state.running));
        let doublings = Doublings::of_columns(engine, engine.read(&state.mask));
        Self {
            engine,
            masks: doublings.masks(),
            doublings,
            running: C::converted::<E, OPEN>(engine, running),
            sum: engine.zero(),
            chain: PhantomData,
        }
    }

    /// The doubled masks of the two vectors that would follow in every column of a group, and those of the next one.
    #[inline(always)]
    fn next(&mut self) -> ([E::Vector; 2], [E::Vector; N]) {
        let engine = self.engine;
        self.doublings.advance();
        let next = self.doublings.masks();
        // A lane goes on where the next one has begun.
        let mut behind = [engine.zero(); 2];
        for i in 0..2 {
            behind[i] = engine.following(self.masks[i], next[i]);
        }
        (behind, next)
    }

    /// A whole group, behind which another one may come.
    #[inline(always)]
    fn whole(&mut self, text: &mut [u8]) {
        let (behind, next) = self.next();
        self.some::<true>(text, &behind);
        self.masks = next;
    }

    /// The last blocks, at most a group.
    #[inline(always)]
    fn part(mut self, text: &mut [u8], state: &mut State) {
        let engine = self.engine;
        let behind = self.doublings.behind();
        let count = text.len() / 16;
        let values = self.some::<false>(text, &behind);
        // Block `number` of the columns, vector by vector.
        let place = |number: usize| number % N * E::LANES + number / N;
        let mask = if count == N * E::LANES {
            engine.lane(&behind, E::LANES - 1)
        } else {
            engine.lane(&self.masks, place(count))
        };
        state.mask = engine.write(mask);
        let last = engine.lane(&values, place(count - 1));
        self.running = engine.spread(last);
        self.leave(state);
    }

    /// What comes behind whole groups.
    #[inline(always)]
    fn end(self, state: &mut State) {
        state.mask = self.engine.write(self.engine.lane(&self.masks, 0));
        self.leave(state);
    }

    /// Sum and running value.
    #[inline(always)]
    fn leave(self, state: &mut State) {
        let engine = self.engine;
        let sum = engine.plus(engine.read(&state.sum), engine.fold(self.sum));
        state.sum = engine.write(sum);
        let running = C::converted::<E, OPEN>(engine, self.running);
        state.running = engine.write(engine.lane(&[running], 0));
    }

    /// The masks before the first call and behind the second. `behind` are the doubled masks of the two vectors that would follow.
    #[inline(always)]
    fn both(&self, behind: &[E::Vector; 2]) -> [[E::Vector; N]; 2] {
        let mut both = [self.masks; 2];
        for i in 0..N {
            let mut masks = [self.masks[i]; 3];
            for j in 1..3 {
                masks[j] = if i + j < N {
                    self.masks[i + j]
                } else {
                    behind[i + j - N]
                };
            }
            let [before, after] = C::masks(self.engine, masks);
            [both[0][i], both[1][i]] = if OPEN {
                [after, before]
            } else {
                [before, after]
            };
        }
        both
    }

    /// The blocks of a group, or of less, in columns.
    #[inline(always)]
    fn load<const FULL: bool>(&mut self, text: &[u8]) -> [E::Vector; N] {
        let engine = self.engine;
        let mut x = [engine.zero(); N];
        for i in 0..N {
            let part = &text[part::<E, FULL>(16, text.len(), i)];
            x[i] = if FULL {
                engine.load(part)
            } else {
                engine.load_some(part)
            };
            if !OPEN {
                self.sum = engine.sum(self.sum, x[i]);
            }
        }
        engine.to_columns(&mut x);
        x
    }

    /// Writes what `load` has read.
    #[inline(always)]
    fn store<const FULL: bool>(&mut self, mut x: [E::Vector; N], text: &mut [u8]) {
        let engine = self.engine;
        engine.out_of_columns(&mut x);
        for i in 0..N {
            let part = part::<E, FULL>(16, text.len(), i);
            let part = &mut text[part];
            if OPEN {
                let valid = if FULL {
                    x[i]
                } else {
                    engine.keep(x[i], part.len() / 16)
                };
                self.sum = engine.sum(self.sum, valid);
            }
            engine.store(x[i], part);
        }
    }

    /// The next blocks, a group or less, and the running values behind each.
    #[inline(always)]
    fn some<const FULL: bool>(
        &mut self,
        text: &mut [u8],
        behind: &[E::Vector; 2],
    ) -> [E::Vector; N] {
        let engine = self.engine;
        let zeros = [engine.zero(); N];
        let [first, second] = self.both(behind);
        let mut x = self.load::<FULL>(text);
        engine.together(&mut x);
        engine.blocks(&mut x, &first, &zeros);
        engine.together(&mut x);
        let mut values = zeros;
        C::step::<E, OPEN, N>(engine, &mut x, &mut self.running, &mut values);
        engine.together(&mut x);
        engine.blocks(&mut x, &zeros, &second);
        self.store::<FULL>(x, text);
        values
    }
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
impl<E: Engine, C: Chain, const BYTES: i32, const OPEN: bool> Run<E, C, PAIRED, BYTES, OPEN> {
    /// Whole groups, one or more. The second call of each goes with the first call of the next, as its own first call would have to be
    /// over before it begins.
    #[inline(always)]
    fn wholes(&mut self, text: &mut [u8]) {
        let engine = self.engine;
        let width = 16 * E::LANES * PAIRED;
        let zeros = [engine.zero(); PAIRED];
        let (behind, next) = self.next();
        let [first, mut second] = self.both(&behind);
        self.masks = next;
        let mut x = self.load::<true>(&text[..width]);
        engine.blocks(&mut x, &first, &zeros);
        self.link(&mut x);
        let mut at = 0;
        while text.len() - at > width {
            let (group, rest) = text[at..].split_at_mut(width);
            let (behind, next) = self.next();
            let [first, following] = self.both(&behind);
            self.masks = next;
            let loaded = self.load::<true>(&rest[..width]);
            let mut calls = [engine.zero(); MOST];
            let [mut before, mut after] = [calls; 2];
            for i in 0..PAIRED {
                [calls[i], calls[PAIRED + i]] = [x[i], loaded[i]];
                after[i] = second[i];
                before[PAIRED + i] = first[i];
            }
            engine.blocks(&mut calls, &before, &after);
            let mut made = zeros;
            for i in 0..PAIRED {
                [made[i], x[i]] = [calls[i], calls[PAIRED + i]];
            }
            self.store::<true>(made, group);
            self.link(&mut x);
            second = following;
            at += width;
        }
        engine.blocks(&mut x, &zeros, &second);
        self.store::<true>(x, &mut text[at..]);
    }

    /// From the results of a group's first call to the inputs of its second.
    #[inline(always)]
    fn link(&mut self, x: &mut [E::Vector; PAIRED]) {
        let mut values = *x;
        C::step::<E, OPEN, PAIRED>(self.engine, x, &mut self.running, &mut values);
    }
}
