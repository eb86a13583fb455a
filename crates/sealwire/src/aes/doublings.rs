// SPDX-License-Identifier: Apache-2.0
//! Masks that are doubled from block to block, and sums of blocks enciphered under them.

use super::{Engine, part};

/// The masks of the next N · LANES blocks, which are 8 · BYTES: each is twice the one before.
pub(crate) struct Doublings<E: Engine, const N: usize, const BYTES: i32> {
    engine: E,
    numbers: [E::Vector; N],
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
impl<E: Engine, const N: usize, const BYTES: i32> Doublings<E, N, BYTES> {
    /// From the mask of the first block on.
    #[inline(always)]
    pub(crate) fn new(engine: E, first: E::Block) -> Self {
        let mut numbers = [engine.zero(); N];
        for i in 0..N {
            numbers[i] = engine.powers(first, i * E::LANES);
        }
        Self { engine, numbers }
    }

    /// Of blocks in columns ([`Engine::to_columns`]).
    #[inline(always)]
    pub(crate) fn of_columns(engine: E, first: E::Block) -> Self {
        if E::LANES == 1 {
            // None waits for another.
            return Self::new(engine, first);
        }
        // Blocks and numbers change into one another by the same shuffle.
        let first = engine.masks(engine.spread(first));
        let mut numbers = [engine.spaced(first, N); N];
        for i in 1..N {
            numbers[i] = engine.twice(numbers[i - 1]);
        }
        Self { engine, numbers }
    }

    /// The masks of the two vectors that would follow in every column.
    #[inline(always)]
    pub(crate) fn behind(&self) -> [E::Vector; 2] {
        let next = self.engine.twice(self.numbers[N - 1]);
        [
            self.engine.masks(next),
            self.engine.masks(self.engine.twice(next)),
        ]
    }

    #[inline(always)]
    pub(crate) fn masks(&self) -> [E::Vector; N] {
        let mut masks = [self.engine.zero(); N];
        for i in 0..N {
            masks[i] = self.engine.masks(self.numbers[i]);
        }
        masks
    }

    /// Goes on to the blocks behind these.
    #[inline(always)]
    pub(crate) fn advance(&mut self) {
        for i in 0..N {
            self.numbers[i] = self.engine.times_bytes::<BYTES>(self.numbers[i]);
        }
    }
}

/// The sum of E(block + mask) over whole blocks, and the mask that comes next.
#[inline(always)]
pub(crate) fn masked_sum<E: Engine>(
    engine: E,
    mask: E::Block,
    blocks: &[u8],
) -> (E::Block, E::Block) {
    if blocks.is_empty() {
        return (engine.fold(engine.zero()), mask);
    }
    match E::LANES {
        1 => many::<E, 8, 1>(engine, mask, blocks),
        2 => many::<E, 8, 2>(engine, mask, blocks),
        _ => many::<E, 4, 2>(engine, mask, blocks),
    }
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
#[inline(always)]
fn many<E: Engine, const N: usize, const BYTES: i32>(
    engine: E,
    mask: E::Block,
    blocks: &[u8],
) -> (E::Block, E::Block) {
    let mut sum = engine.zero();
    let zeros = [engine.zero(); N];
    let mut doublings = Doublings::<E, N, BYTES>::new(engine, mask);
    let mut groups = blocks.chunks_exact(16 * E::LANES * N);
    for group in &mut groups {
        let mut x = zeros;
        for i in 0..N {
            x[i] = engine.load(&group[part::<E, true>(16, group.len(), i)]);
        }
        engine.blocks(&mut x, &doublings.masks(), &zeros);
        for i in 0..N {
            sum = engine.sum(sum, x[i]);
        }
        doublings.advance();
    }
    let masks = doublings.masks();
    let rest = groups.remainder();
    if !rest.is_empty() {
        let mut x = zeros;
        let part = |i| &rest[part::<E, false>(16, rest.len(), i)];
        for i in 0..N {
            x[i] = engine.load_some(part(i));
        }
        engine.blocks(&mut x, &masks, &zeros);
        for i in 0..N {
            sum = engine.sum(sum, engine.keep(x[i], part(i).len() / 16));
        }
    }
    (engine.fold(sum), engine.lane(&masks, rest.len() / 16))
}
