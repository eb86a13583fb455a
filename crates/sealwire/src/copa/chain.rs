// SPDX-License-Identifier: Apache-2.0
//! The running value S, and masks: S_i = x_i + S_(i-1), and the second call takes S_i.

use crate::aes::{Engine, masked_sum};
use crate::chained::Chain;

/// AES-COPA.
#[derive(Clone, Copy, Debug)]
pub struct Copa(());

/// 3·x
#[inline(always)]
fn three<E: Engine>(engine: E, x: E::Block) -> E::Block {
    engine.plus(x, engine.times(x, 1))
}

/// 7·x
#[inline(always)]
fn seven<E: Engine>(engine: E, x: E::Block) -> E::Block {
    engine.plus(three(engine, x), engine.times(x, 2))
}

impl Chain for Copa {
    const NAME: &str = "aescopav2";
    const NONCE_LEN: usize = 16;
    /// What a padded last block adds at most, the designers' tag, and the byte that says whether the last block is padded.
    const TAG_LEN: usize = 16 + 16 + 1;
    const CACHES_AD: bool = false;
    const LAST_IS_SUM: bool = false;
    const SAYS_PADDED: bool = true;

    #[inline(always)]
    fn ad<E: Engine>(engine: E, _l: E::Block, _ad: &[u8]) -> E::Block {
        engine.read(&[0; 16])
    }

    /// L + V, V being the MAC of associated data || nonce.
    #[inline(always)]
    fn start<E: Engine>(
        engine: E,
        l: E::Block,
        _sum: E::Block,
        ad: &[u8],
        nonce: &[u8],
    ) -> E::Block {
        // 3·3·3·L
        let first = engine.plus(seven(engine, l), engine.times(l, 3));
        let (blocks, rest) = ad.split_at(ad.len() / 16 * 16);
        let (mut sum, mut mask) = masked_sum(engine, first, blocks);
        let mut end = [0; 32];
        end[..rest.len()].copy_from_slice(rest);
        end[rest.len()..rest.len() + 16].copy_from_slice(nonce);
        let (x, last) = end.split_at(16);
        let mut x = engine.read_some(x);
        if rest.is_empty() {
            mask = three(engine, mask);
        } else {
            sum = engine.plus(sum, engine.block(engine.plus(x, mask)));
            x = engine.pad(engine.read_some(last), rest.len());
            // 3·3 times the next one
            mask = engine.times(mask, 1);
            mask = engine.plus(mask, engine.times(mask, 2));
        }
        let v = engine.block(engine.plus(engine.plus(sum, x), mask));
        engine.plus(l, v)
    }

    #[inline(always)]
    fn first_mask<E: Engine>(_engine: E, l: E::Block) -> E::Block {
        l
    }

    /// Three times and twice.
    #[inline(always)]
    fn masks<E: Engine>(engine: E, [once, twice, _]: [E::Vector; 3]) -> [E::Vector; 2] {
        [engine.sum(once, twice), twice]
    }

    #[inline(always)]
    fn last_before<E: Engine>(engine: E, doubled: E::Block, whole: bool) -> [E::Block; 2] {
        let mask = three(engine, doubled);
        let mask = if whole { mask } else { seven(engine, mask) };
        [mask, three(engine, mask)]
    }

    #[inline(always)]
    fn last_after<E: Engine>(engine: E, doubled: E::Block, _whole: bool) -> [E::Block; 2] {
        let mask = engine.times(doubled, 1);
        [mask, seven(engine, mask)]
    }

    #[inline(always)]
    fn link<E: Engine, const OPEN: bool>(
        engine: E,
        x: E::Block,
        running: E::Block,
    ) -> [E::Block; 2] {
        let sum = engine.plus(x, running);
        [if OPEN { x } else { sum }, sum]
    }

    #[inline(always)]
    fn step<E: Engine, const OPEN: bool, const N: usize>(
        engine: E,
        x: &mut [E::Vector; N],
        running: &mut E::Vector,
        values: &mut [E::Vector; N],
    ) {
        if OPEN {
            *values = *x;
            let mut before = engine.preceding(*running, x[N - 1]);
            for x in x {
                let value = *x;
                *x = engine.sum(value, before);
                before = value;
            }
            *running = engine.last(before);
            return;
        }
        let mut before = *running;
        if E::LANES > 1 {
            for i in 1..N {
                x[i] = engine.sum(x[i], x[i - 1]);
            }
            before = engine.carried::<0>(before, x[N - 1]);
        }
        for x in &mut *x {
            *x = engine.sum(*x, before);
            if E::LANES == 1 {
                before = *x;
            }
        }
        *values = *x;
        *running = engine.last(x[N - 1]);
    }

    #[inline(always)]
    fn converted<E: Engine, const OPEN: bool>(_engine: E, x: E::Vector) -> E::Vector {
        x
    }
}
