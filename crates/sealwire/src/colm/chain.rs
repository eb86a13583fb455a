// SPDX-License-Identifier: Apache-2.0
//! The running value W, and masks: W_i = x_i + 2·W_(i-1), and the second call takes x_i + 3·W_(i-1), which is W_i + W_(i-1).

use crate::aes::{Engine, masked_sum};
use crate::chained::{Chain, halved};

/// COLM_0.
#[derive(Clone, Copy, Debug)]
pub struct Colm0(());

/// Of the last whole block's mask and the next one, that of a last block.
#[inline(always)]
fn last<E: Engine>(engine: E, next: E::Block, whole: bool) -> E::Block {
    let mask = halved(engine, next);
    let twice = engine.times(next, 1);
    if whole {
        // 7 times it
        engine.plus(mask, engine.plus(next, twice))
    } else {
        // 7·7 times it
        engine.plus(mask, engine.plus(twice, engine.times(next, 3)))
    }
}

impl Chain for Colm0 {
    const NAME: &str = "colm0v1";
    const NONCE_LEN: usize = 8;
    const TAG_LEN: usize = 16;
    const CACHES_AD: bool = true;
    const LAST_IS_SUM: bool = true;
    const SAYS_PADDED: bool = false;

    #[inline(always)]
    fn ad<E: Engine>(engine: E, l: E::Block, ad: &[u8]) -> E::Block {
        let (blocks, rest) = ad.split_at(ad.len() / 16 * 16);
        let first = engine.plus(engine.times(l, 1), engine.times(l, 2));
        let (mut sum, next) = masked_sum(engine, first, blocks);
        if !rest.is_empty() {
            let x = engine.pad(engine.read_some(rest), rest.len());
            let mask = last(engine, next, true);
            sum = engine.plus(sum, engine.block(engine.plus(x, mask)));
        }
        sum
    }

    #[inline(always)]
    fn start<E: Engine>(
        engine: E,
        l: E::Block,
        sum: E::Block,
        _ad: &[u8],
        nonce: &[u8],
    ) -> E::Block {
        let mask = engine.plus(l, engine.times(l, 1));
        // Behind the nonce are the parameters, zero without intermediate tags.
        let x = engine.plus(engine.read_some(nonce), mask);
        engine.plus(engine.block(x), sum)
    }

    #[inline(always)]
    fn first_mask<E: Engine>(engine: E, l: E::Block) -> E::Block {
        engine.times(l, 1)
    }

    /// Once and five times.
    #[inline(always)]
    fn masks<E: Engine>(engine: E, [once, _, four_times]: [E::Vector; 3]) -> [E::Vector; 2] {
        [once, engine.sum(once, four_times)]
    }

    #[inline(always)]
    fn last_before<E: Engine>(engine: E, doubled: E::Block, whole: bool) -> [E::Block; 2] {
        let mask = last(engine, doubled, whole);
        [mask, engine.times(mask, 1)]
    }

    #[inline(always)]
    fn last_after<E: Engine>(engine: E, doubled: E::Block, whole: bool) -> [E::Block; 2] {
        // 5 times them
        let [mask, twice] = Self::last_before(engine, doubled, whole);
        let four = engine.times(twice, 1);
        [
            engine.plus(mask, four),
            engine.plus(twice, engine.times(four, 1)),
        ]
    }

    #[inline(always)]
    fn link<E: Engine, const OPEN: bool>(
        engine: E,
        x: E::Block,
        running: E::Block,
    ) -> [E::Block; 2] {
        let twice = engine.times(running, 1);
        let (once, both) = (engine.plus(x, running), engine.plus(x, twice));
        let next = if OPEN { once } else { both };
        [next, engine.plus(once, twice)]
    }

    #[inline(always)]
    fn step<E: Engine, const OPEN: bool, const N: usize>(
        engine: E,
        x: &mut [E::Vector; N],
        running: &mut E::Vector,
        values: &mut [E::Vector; N],
    ) {
        if E::LANES == 1 {
            for i in 0..N {
                let number = engine.masks(x[i]);
                let twice = engine.twice(*running);
                let [next, other] = if OPEN {
                    [engine.sum(number, *running), twice]
                } else {
                    [engine.sum(number, twice), *running]
                };
                x[i] = engine.masks(engine.sum(next, other));
                values[i] = next;
                *running = next;
            }
            return;
        }
        for x in &mut *x {
            *x = engine.masks(*x);
        }
        if OPEN {
            for i in 1..N {
                x[i] = engine.sum(x[i], x[i - 1]);
            }
            let carried = engine.carried::<0>(*running, x[N - 1]);
            let mut before = carried;
            for i in 0..N {
                values[i] = engine.sum(x[i], carried);
                x[i] = engine.masks(engine.sum(values[i], engine.twice(before)));
                before = values[i];
            }
            *running = engine.last(before);
            return;
        }
        for i in 1..N {
            x[i] = engine.sum(x[i], engine.twice(x[i - 1]));
        }
        let mut before = match N {
            1 => engine.carried::<1>(*running, x[N - 1]),
            2 => engine.carried::<2>(*running, x[N - 1]),
            _ => engine.carried::<4>(*running, x[N - 1]),
        };
        let mut multiple = before;
        for i in 0..N {
            multiple = engine.twice(multiple);
            values[i] = engine.sum(x[i], multiple);
            x[i] = engine.masks(engine.sum(values[i], before));
            before = values[i];
        }
        *running = engine.last(before);
    }

    #[inline(always)]
    fn converted<E: Engine, const OPEN: bool>(engine: E, x: E::Vector) -> E::Vector {
        engine.masks(x)
    }
}
