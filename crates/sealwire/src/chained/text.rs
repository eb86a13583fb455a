// SPDX-License-Identifier: Apache-2.0
//! Whole blocks that are not the last, many of them at once: masks, a call, the running value, a call, masks.

use super::core::{Chain, State};
use crate::aes::{Cipher, Doublings, Engine, Task};
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
        match E::LANES {
            1 => through::<E, C, 8, 1, OPEN>(engine, self.state, self.text),
            _ => through::<E, C, 4, 2, OPEN>(engine, self.state, self.text),
        }
    }
}

/// N vectors at once. LANES · N is 8 · BYTES.
#[inline(always)]
fn through<E: Engine, C: Chain, const N: usize, const BYTES: i32, const OPEN: bool>(
    engine: E,
    state: &mut State,
    text: &mut [u8],
) {
    let mut run = Run::<E, C, N, BYTES, OPEN>::new(engine, state);
    let mut groups = text.chunks_exact_mut(16 * E::LANES * N);
    for group in &mut groups {
        let next = run.next();
        run.some::<N, true>(group, &next);
        run.masks = next;
    }
    let rest = groups.into_remainder();
    let count = rest.len() / 16;
    if count > 0 {
        let next = run.next();
        match (E::LANES, count.div_ceil(E::LANES)) {
            (4, 1) => run.some::<1, false>(rest, &next),
            (4, 2) | (1, 1..=2) => run.some::<2, false>(rest, &next),
            (4, 3) => run.some::<3, false>(rest, &next),
            (1, 3..=4) => run.some::<4, false>(rest, &next),
            _ => run.some::<N, false>(rest, &next),
        }
    }
    state.mask = engine.write(engine.lane(&run.masks, count));
    state.sum = engine.write(engine.fold(run.sum));
    let running = C::converted::<E, OPEN>(engine, run.running);
    state.running = engine.write(engine.lane(&[running], 0));
}

/// Group after group on their way.
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
        let doublings = Doublings::new(engine, engine.read(&state.mask));
        Self {
            engine,
            masks: doublings.masks(),
            doublings,
            running: C::converted::<E, OPEN>(engine, running),
            sum: engine.zero(),
            chain: PhantomData,
        }
    }

    /// The doubled masks of the group behind the next.
    #[inline(always)]
    fn next(&mut self) -> [E::Vector; N] {
        self.doublings.advance();
        self.doublings.masks()
    }

    /// The next blocks, a group or, with nothing behind them, up to M vectors.
    #[inline(always)]
    fn some<const M: usize, const FULL: bool>(&mut self, text: &mut [u8], next: &[E::Vector; N]) {
        let engine = self.engine;
        let width = 16 * E::LANES;
        let end = text.len();
        let part = |i: usize| {
            if FULL {
                i * width..(i + 1) * width
            } else {
                end.min(i * width)..end.min((i + 1) * width)
            }
        };
        let zeros = [engine.zero(); M];
        let (mut first, mut second) = (zeros, zeros);
        for i in 0..M {
            let mut masks = [engine.zero(); 3];
            for j in 0..3 {
                masks[j] = if i + j < N {
                    self.masks[i + j]
                } else {
                    next[i + j - N]
                };
            }
            let [before, after] = C::masks(engine, masks);
            [first[i], second[i]] = if OPEN {
                [after, before]
            } else {
                [before, after]
            };
        }
        let mut x = zeros;
        for i in 0..M {
            x[i] = if FULL {
                engine.load(&text[part(i)])
            } else {
                engine.load_some(&text[part(i)])
            };
            if !OPEN {
                self.sum = engine.sum(self.sum, x[i]);
            }
        }
        engine.together(&mut x);
        engine.blocks(&mut x, &first, &zeros);
        engine.together(&mut x);
        let mut values = zeros;
        for i in 0..M {
            [values[i], x[i]] = C::step::<E, OPEN>(engine, x[i], self.running);
            self.running = engine.last(values[i]);
        }
        if !FULL {
            // A lane behind the last block has no part in the running value.
            self.running = engine.spread(engine.lane(&values, end / 16 - 1));
        }
        engine.together(&mut x);
        engine.blocks(&mut x, &zeros, &second);
        for i in 0..M {
            let part = &mut text[part(i)];
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
}
