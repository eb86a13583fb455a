// SPDX-License-Identifier: Apache-2.0
//! The message: chunks of two blocks under two calls each, many of them at once, and the last chunk, which differs.

use crate::aes::{Engine, add_head, from_short, times_power};

/// A chunk in bytes.
pub(crate) const CHUNK: usize = 32;

/// What goes from chunk to chunk.
#[derive(Clone)]
pub(crate) struct State {
    /// A of the next chunk; B is 3·A.
    mask: u128,
    /// Of the second blocks of all plaintext chunks.
    sum: u128,
}

/// Encrypts or decrypts `text` under the first mask and gives what TE is the encryption of.
#[inline(always)]
pub(super) fn whole<E: Engine>(engine: E, mask: u128, text: &mut [u8], open: bool) -> u128 {
    State::new(mask).end(engine, text, open)
}

impl State {
    pub(crate) const fn new(mask: u128) -> Self {
        Self { mask, sum: 0 }
    }

    /// Whole chunks that are not the message's last.
    #[inline(always)]
    pub(crate) fn chunks<E: Engine>(&mut self, engine: E, text: &mut [u8], open: bool) {
        match (E::LANES, open) {
            (1, false) => self.direction::<E, 8, 1, false>(engine, text),
            (1, true) => self.direction::<E, 8, 1, true>(engine, text),
            (_, false) => self.direction::<E, 4, 2, false>(engine, text),
            (_, true) => self.direction::<E, 4, 2, true>(engine, text),
        }
    }

    /// N vectors at once. LANES · N is 8 · BYTES.
    #[inline(always)]
    fn direction<E: Engine, const N: usize, const BYTES: i32, const OPEN: bool>(
        &mut self,
        engine: E,
        text: &mut [u8],
    ) {
        if text.is_empty() {
            return;
        }
        let width = CHUNK * E::LANES;
        let mut run = Run::<E, N, BYTES, OPEN>::new(engine, self.mask);
        let mut groups = text.chunks_exact_mut(N * width);
        for group in &mut groups {
            run.group::<false>(group);
        }
        let rest = groups.into_remainder();
        let count = rest.len() / CHUNK;
        self.mask = run.mask(count);
        if count > 0 {
            run.group::<true>(rest);
        }
        self.sum ^= engine.fold(run.sum);
    }

    /// The last chunks of a message, all of it if there were none before; gives what TE is the encryption of.
    #[inline(always)]
    pub(crate) fn end<E: Engine>(mut self, engine: E, text: &mut [u8], open: bool) -> u128 {
        let before = text.len().saturating_sub(1) / CHUNK * CHUNK;
        let (chunks, last) = text.split_at_mut(before);
        self.chunks(engine, chunks, open);
        let full = last.len() == 16 || last.len() == CHUNK;
        let (sum, mask) = self.last(engine, last, open);
        let tweak = times_power(mask, 2) ^ mask;
        let seven = if full { times_power(mask, 1) } else { 0 };
        sum ^ tweak ^ seven
    }

    /// The last chunk, 0 to 32 bytes; gives the whole sum and the mask that the tag's is made of.
    #[inline(always)]
    fn last<E: Engine>(&self, engine: E, text: &mut [u8], open: bool) -> (u128, u128) {
        let a = self.mask;
        if text.is_empty() {
            return (self.sum ^ from_short(text), a);
        }
        if text.len() <= 16 {
            let z = engine.block(a);
            let before = from_short(text);
            add_head(text, z);
            let plain = if open { from_short(text) } else { before };
            return (self.sum ^ plain, a);
        }
        let b = a ^ times_power(a, 1);
        let (first, second) = text.split_first_chunk_mut().expect("more than a block");
        let mut one = u128::from_be_bytes(*first);
        let (x, z);
        if open {
            x = from_short(second);
            one ^= engine.block(b ^ x);
            z = engine.block(a ^ one);
            add_head(second, z);
        } else {
            z = engine.block(a ^ one);
            add_head(second, z);
            x = from_short(second);
            one ^= engine.block(b ^ x);
        }
        *first = one.to_be_bytes();
        (self.sum ^ z ^ x, b)
    }
}

/// Group after group of N vectors of chunks on their way.
struct Run<E: Engine, const N: usize, const BYTES: i32, const OPEN: bool> {
    engine: E,
    /// 2^i · L, as numbers, and as the masks A of the next group.
    numbers: [E::Vector; N],
    masks: [E::Vector; N],
    sum: E::Vector,
}

#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
impl<E: Engine, const N: usize, const BYTES: i32, const OPEN: bool> Run<E, N, BYTES, OPEN> {
    #[inline(always)]
    fn new(engine: E, mask: u128) -> Self {
        let mut numbers = [engine.zero(); N];
        let mut masks = numbers;
        for i in 0..N {
            numbers[i] = engine.powers(mask, i * E::LANES);
            masks[i] = engine.masks(numbers[i]);
        }
        Self {
            engine,
            numbers,
            masks,
            sum: engine.zero(),
        }
    }

    /// The mask A of a chunk of the next group.
    #[inline(always)]
    fn mask(&self, chunk: usize) -> u128 {
        self.engine
            .lane(self.masks[chunk / E::LANES], chunk % E::LANES)
    }

    /// Two rounds over the next group, which may have less than N vectors of chunks if it is the last: first +
    /// E(mask + second) and so on, as the direction wants it.
    #[inline(always)]
    fn group<const LAST: bool>(&mut self, text: &mut [u8]) {
        let engine = self.engine;
        let width = CHUNK * E::LANES;
        let zeros = [engine.zero(); N];
        let mut next = zeros;
        for i in 0..N {
            self.numbers[i] = engine.times_bytes::<BYTES>(self.numbers[i]);
            next[i] = engine.masks(self.numbers[i]);
        }
        // B = 3·A is the sum of A and the A of the next chunk.
        let mut b = zeros;
        for i in 0..N {
            let after = if i + 1 < N {
                self.masks[i + 1]
            } else {
                next[0]
            };
            b[i] = engine.sum(self.masks[i], engine.following(self.masks[i], after));
        }
        let (mut even, mut odd) = (zeros, zeros);
        for i in 0..N {
            [even[i], odd[i]] = if LAST {
                let end = text.len();
                engine.load_some_pairs(&text[end.min(i * width)..end.min((i + 1) * width)])
            } else {
                engine.load_pairs(&text[i * width..(i + 1) * width])
            };
        }
        let (first, second) = if OPEN {
            (&b, &self.masks)
        } else {
            (&self.masks, &b)
        };
        let (left, right) = (even, odd);
        engine.blocks(&mut even, first, &right);
        odd = even;
        engine.blocks(&mut odd, second, &left);
        for i in 0..N {
            let part = if LAST {
                let end = text.len();
                &mut text[end.min(i * width)..end.min((i + 1) * width)]
            } else {
                &mut text[i * width..(i + 1) * width]
            };
            let count = part.len() / CHUNK;
            engine.store_pairs([even[i], odd[i]], part);
            let plain = if OPEN { odd[i] } else { right[i] };
            // What was sealed is zero where there is none.
            let valid = if LAST && OPEN {
                engine.keep(plain, count)
            } else {
                plain
            };
            self.sum = engine.sum(self.sum, valid);
        }
        self.masks = next;
    }
}

impl Drop for State {
    fn drop(&mut self) {
        use zeroize::Zeroize;
        self.mask.zeroize();
        self.sum.zeroize();
    }
}
