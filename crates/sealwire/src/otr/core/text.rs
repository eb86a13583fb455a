// SPDX-License-Identifier: Apache-2.0
//! The message: chunks of two blocks under two calls each, many of them at once, and the last chunk, which differs.

use crate::aes::{Engine, Work, part};
use crate::gf::wipe;
use zeroize::optimization_barrier;

/// A chunk in bytes.
pub(crate) const CHUNK: usize = 32;

/// What goes from piece to piece of a message, as blocks.
pub(crate) struct State {
    /// A of the next chunk; B is 3·A.
    pub(super) mask: [u8; 16],
    /// Of the second blocks of all plaintext chunks.
    sum: [u8; 16],
}

impl State {
    pub(crate) const fn new(mask: [u8; 16]) -> Self {
        Self { mask, sum: [0; 16] }
    }

    /// Whole chunks that are not the message's last.
    #[inline(always)]
    pub(crate) fn chunks<E: Engine>(&mut self, engine: E, text: &mut [u8], open: bool) {
        let (mask, sum) = through(engine, engine.read(&self.mask), text, None, open);
        self.mask = engine.write(mask);
        self.sum = engine.write(engine.plus(engine.read(&self.sum), sum));
    }

    /// The last chunks of a message, all of it if there were none before; gives what TE is the encryption of.
    #[inline(always)]
    pub(crate) fn end<E: Engine>(&self, engine: E, text: &mut [u8], open: bool) -> E::Block {
        let rest = whole(engine, engine.read(&self.mask), text, open);
        engine.plus(engine.read(&self.sum), rest)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.mask);
        wipe(&mut self.sum);
    }
}

/// Encrypts or decrypts `text`, up to the message's end, under the mask of its first chunk and gives what TE is the
/// encryption of.
#[inline(always)]
pub(super) fn whole<E: Engine>(engine: E, mask: E::Block, text: &mut [u8], open: bool) -> E::Block {
    let before = text.len().saturating_sub(1) / CHUNK * CHUNK;
    let (chunks, last) = text.split_at_mut(before);
    through(engine, mask, chunks, Some(last), open).1
}

/// Whole chunks, and the last one if there is one; gives the mask that comes next and the sum, which is what TE is the
/// encryption of after the last.
#[inline(always)]
fn through<E: Engine>(
    engine: E,
    mask: E::Block,
    chunks: &mut [u8],
    last: Option<&mut [u8]>,
    open: bool,
) -> (E::Block, E::Block) {
    match (E::LANES, open) {
        (1, false) => direction::<E, 8, 0, 1, false>(engine, mask, chunks, last),
        (1, true) => direction::<E, 8, 0, 1, true>(engine, mask, chunks, last),
        (2, false) => direction::<E, 4, 8, 1, false>(engine, mask, chunks, last),
        (2, true) => direction::<E, 4, 8, 1, true>(engine, mask, chunks, last),
        (_, false) => direction::<E, 4, 0, 2, false>(engine, mask, chunks, last),
        (_, true) => direction::<E, 4, 0, 2, true>(engine, mask, chunks, last),
    }
}

/// N vectors at once, or PAIR, twice as many, half of them in their first call and half in their second, if PAIR is not 0.
/// LANES · N is 8 · BYTES.
#[inline(always)]
fn direction<E: Engine, const N: usize, const PAIR: usize, const BYTES: i32, const OPEN: bool>(
    engine: E,
    mut mask: E::Block,
    chunks: &mut [u8],
    last: Option<&mut [u8]>,
) -> (E::Block, E::Block) {
    if chunks.is_empty() {
        let Some(last) = last else {
            return (mask, engine.fold(engine.zero()));
        };
        let mut end = End::new::<OPEN>(engine, mask, last);
        end.write(engine, last);
        return (mask, end.sum);
    }
    let mut run = Run::<E, N, BYTES, OPEN>::new(engine, mask);
    let width = N * E::LANES * CHUNK;
    let (groups, rest) = chunks.split_at_mut(chunks.len() / width * width);
    if PAIR == 0 {
        for group in groups.chunks_exact_mut(width) {
            run.group(group);
        }
    } else if !groups.is_empty() {
        run.groups::<PAIR>(groups);
    }
    let count = rest.len() / CHUNK;
    mask = engine.lane(&run.masks, count);
    // Read ahead of the rest and written behind it: its calls wait for one another, and reading waits for everything that
    // was written near.
    #[allow(
        clippy::manual_map,
        reason = "a closure would not have the CPU's features"
    )]
    let mut end = match &last {
        Some(last) => Some(End::new::<OPEN>(engine, mask, last)),
        None => None,
    };
    match (E::LANES, count.div_ceil(E::LANES)) {
        (_, 0) => {}
        (2 | 4, 1) => run.rest::<1>(rest),
        (4, 2) | (1 | 2, 1..=2) => run.rest::<2>(rest),
        (4, 3) => run.rest::<3>(rest),
        (1 | 2, 3..=4) => run.rest::<4>(rest),
        _ => run.rest::<N>(rest),
    }
    let mut sum = engine.fold(run.sum);
    if let (Some(end), Some(last)) = (&mut end, last) {
        end.write(engine, last);
        sum = engine.plus(sum, end.sum);
    }
    (mask, sum)
}

/// The last chunk, 0 to 32 bytes, before it is written.
struct End<E: Engine> {
    /// Blocks of the chunk, of which as many bytes are written as the chunk has.
    blocks: [E::Block; 2],
    /// The chunk's part of what TE is the encryption of.
    sum: E::Block,
}

impl<E: Engine> End<E> {
    /// Under its mask A.
    #[inline(always)]
    fn new<const OPEN: bool>(engine: E, a: E::Block, text: &[u8]) -> Self {
        let len = text.len();
        let (blocks, sum, mask);
        if len == 0 {
            (blocks, sum, mask) = ([a; 2], engine.pad(a, 0), a);
        } else if len <= 16 {
            let given = engine.read_some(text);
            let made = engine.plus(given, engine.block(a));
            let plain = if OPEN { made } else { given };
            (blocks, sum, mask) = ([made; 2], engine.pad(plain, len), a);
        } else {
            let b = engine.plus(a, engine.times(a, 1));
            let (first, second) = text.split_first_chunk().expect("more than a block");
            let (one, two) = (engine.read(first), engine.read_some(second));
            let (made, z, x);
            if OPEN {
                x = engine.pad(two, second.len());
                made = engine.plus(one, engine.block(engine.plus(b, x)));
                z = engine.block(engine.plus(a, made));
                blocks = [made, engine.plus(two, z)];
            } else {
                z = engine.block(engine.plus(a, one));
                x = engine.pad(engine.plus(two, z), second.len());
                made = engine.plus(one, engine.block(engine.plus(b, x)));
                blocks = [made, x];
            }
            (sum, mask) = (engine.plus(z, x), b);
        }
        // 7 or 5 times the mask
        let mut sum = engine.plus(sum, engine.plus(mask, engine.times(mask, 2)));
        if len == 16 || len == CHUNK {
            sum = engine.plus(sum, engine.times(mask, 1));
        }
        Self { blocks, sum }
    }

    /// Writes its blocks and wipes them.
    #[inline(always)]
    fn write(&mut self, engine: E, text: &mut [u8]) {
        if let Some((first, second)) = text.split_first_chunk_mut() {
            *first = engine.write(self.blocks[0]);
            engine.write_some(self.blocks[1], second);
        } else if !text.is_empty() {
            engine.write_some(self.blocks[0], text);
        }
        self.blocks = [engine.fold(engine.zero()); 2];
        optimization_barrier(&self.blocks);
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
    fn new(engine: E, mask: E::Block) -> Self {
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

    /// The mask of vector i in the group behind the next one.
    #[inline(always)]
    fn advance(&mut self, i: usize) -> E::Vector {
        let engine = self.engine;
        let number = engine.here(self.numbers[i]);
        self.numbers[i] = engine.here(engine.times_bytes::<BYTES>(number));
        engine.masks(self.numbers[i])
    }

    /// The next group, which is full.
    #[inline(always)]
    fn group(&mut self, text: &mut [u8]) {
        let mut next = [self.engine.zero(); N];
        for i in 0..N {
            next[i] = self.advance(i);
        }
        self.some::<N, true>(text, next[0]);
        self.masks = next;
    }

    /// Whole groups, one or more. The second call of each goes with the first call of the next, as its own first call would have to
    /// be over before it begins, and what the group behind both takes is made beside them. Blocks are read where they are wanted,
    /// more than once, since registers are few. PAIR is twice N.
    #[inline(always)]
    fn groups<const PAIR: usize>(&mut self, mut text: &mut [u8]) {
        let engine = self.engine;
        let width = N * E::LANES * CHUNK;
        let zeros = [engine.zero(); N];
        let mut next = Masked {
            first: zeros,
            second: zeros,
        };
        self.ahead(&mut next, text);
        let mut even = next.first;
        engine.blocks(&mut even, &zeros, &zeros);
        self.add_right(&mut even, text);
        let mut second = next.second;
        if text.len() > width {
            self.ahead(&mut next, &text[width..]);
        }
        while text.len() > width {
            let (group, rest) = text.split_at_mut(width);
            let mut calls = [engine.zero(); PAIR];
            let none = calls;
            for i in 0..N {
                [calls[i], calls[N + i]] = [engine.sum(even[i], second[i]), next.first[i]];
            }
            second = next.second;
            if let Some(behind) = rest.get(width..2 * width) {
                let mut work = Ahead {
                    run: self,
                    masked: &mut next,
                    text: behind,
                };
                engine.blocks_beside(&mut calls, &none, &none, &mut work);
            } else {
                engine.blocks(&mut calls, &none, &none);
            }
            let mut odd = even;
            odd.copy_from_slice(&calls[..N]);
            self.finish(group, &even, &mut odd);
            even.copy_from_slice(&calls[N..]);
            self.add_right(&mut even, rest);
            text = rest;
        }
        let mut odd = even;
        engine.blocks(&mut odd, &second, &zeros);
        self.finish(text, &even, &mut odd);
    }

    /// Makes what the first call gave of the first group of a text its blocks with even index.
    #[inline(always)]
    fn add_right(&mut self, even: &mut [E::Vector; N], text: &[u8]) {
        let engine = self.engine;
        for i in 0..N {
            let [_, right] = self.pair::<true>(&text[part::<E, true>(CHUNK, text.len(), i)]);
            even[i] = engine.sum(even[i], right);
        }
    }

    /// Makes what the second call gave of a group its blocks with odd index, and writes it.
    #[inline(always)]
    fn finish(&mut self, text: &mut [u8], even: &[E::Vector; N], odd: &mut [E::Vector; N]) {
        let engine = self.engine;
        for i in 0..N {
            let [left, _] = engine.load_pairs(&text[part::<E, true>(CHUNK, text.len(), i)]);
            odd[i] = engine.sum(odd[i], left);
        }
        self.store::<N, true>(text, even, odd);
    }

    /// What the first group of a text takes.
    #[inline(always)]
    fn ahead(&mut self, masked: &mut Masked<E::Vector, N>, text: &[u8]) {
        let mut work = Ahead {
            run: self,
            masked,
            text: &text[..N * E::LANES * CHUNK],
        };
        for i in 0..N {
            work.step(i);
        }
    }

    /// The blocks of at most M vectors of chunks, those with even index and those with odd index; the vectors are whole if FULL.
    #[inline(always)]
    fn load<const M: usize, const FULL: bool>(&mut self, text: &[u8]) -> [[E::Vector; M]; 2] {
        let [mut even, mut odd] = [[self.engine.zero(); M]; 2];
        for i in 0..M {
            [even[i], odd[i]] = self.pair::<FULL>(&text[part::<E, FULL>(CHUNK, text.len(), i)]);
        }
        [even, odd]
    }

    /// The blocks of a vector of chunks, those with odd index counted in the sum if they are plaintext.
    #[inline(always)]
    fn pair<const FULL: bool>(&mut self, text: &[u8]) -> [E::Vector; 2] {
        let engine = self.engine;
        let [even, odd] = if FULL {
            engine.load_pairs(text)
        } else {
            engine.load_some_pairs(text)
        };
        if !OPEN {
            // What was sealed is zero where there is none.
            self.sum = engine.sum(self.sum, odd);
        }
        [even, odd]
    }

    /// Writes what `load` has read.
    #[inline(always)]
    fn store<const M: usize, const FULL: bool>(
        &mut self,
        text: &mut [u8],
        even: &[E::Vector; M],
        odd: &[E::Vector; M],
    ) {
        let engine = self.engine;
        for i in 0..M {
            let part = part::<E, FULL>(CHUNK, text.len(), i);
            let part = &mut text[part];
            engine.store_pairs([even[i], odd[i]], part);
            if OPEN {
                let valid = if FULL {
                    odd[i]
                } else {
                    engine.keep(odd[i], part.len() / CHUNK)
                };
                self.sum = engine.sum(self.sum, valid);
            }
        }
    }

    /// What the first and the second call of M vectors add to their blocks. `after` has the mask that follows in its first lane.
    #[inline(always)]
    fn both<const M: usize>(&self, after: E::Vector) -> [[E::Vector; M]; 2] {
        let [mut first, mut second] = [[self.engine.zero(); M]; 2];
        for i in 0..M {
            let next = if i + 1 < M { self.masks[i + 1] } else { after };
            [first[i], second[i]] = self.two(self.masks[i], next);
        }
        [first, second]
    }

    /// What the first and the second call add under masks A; `next` has the mask that follows in its first lane.
    #[inline(always)]
    fn two(&self, a: E::Vector, next: E::Vector) -> [E::Vector; 2] {
        let engine = self.engine;
        // B = 3·A is the sum of A and the A of the next chunk.
        let b = engine.sum(a, engine.following(a, next));
        if OPEN { [b, a] } else { [a, b] }
    }

    /// Less than a group, no more than M vectors of chunks, and the last.
    #[inline(always)]
    fn rest<const M: usize>(&mut self, text: &mut [u8]) {
        // The lane after the last of all vectors has no chunk then.
        let after = self.masks[M.min(N - 1)];
        self.some::<M, false>(text, after);
    }

    /// Two rounds over M vectors of chunks: first + E(mask + second) and so on, as the direction wants it. `after` has
    /// the mask that follows in its first lane.
    #[inline(always)]
    fn some<const M: usize, const FULL: bool>(&mut self, text: &mut [u8], after: E::Vector) {
        let engine = self.engine;
        let [first, second] = self.both::<M>(after);
        let [left, right] = self.load::<M, FULL>(text);
        let mut even = left;
        engine.blocks(&mut even, &first, &right);
        let mut odd = even;
        engine.blocks(&mut odd, &second, &left);
        self.store::<M, FULL>(text, &even, &odd);
    }
}

/// What the first call of a group takes, its masks included, and the masks of its second.
struct Masked<V, const N: usize> {
    first: [V; N],
    second: [V; N],
}

/// Makes the next group ready, which is `text`, a vector of chunks a step.
struct Ahead<'a, E: Engine, const N: usize, const BYTES: i32, const OPEN: bool> {
    run: &'a mut Run<E, N, BYTES, OPEN>,
    masked: &'a mut Masked<E::Vector, N>,
    text: &'a [u8],
}

impl<E: Engine, const N: usize, const BYTES: i32, const OPEN: bool> Work
    for Ahead<'_, E, N, BYTES, OPEN>
{
    const STEPS: usize = N;

    #[inline(always)]
    fn step(&mut self, i: usize) {
        let Self { run, masked, text } = self;
        let engine = run.engine;
        let a = run.masks[i];
        run.masks[i] = run.advance(i);
        // The first of the masks is that of the group behind already.
        let [first, second] = run.two(a, run.masks[(i + 1) % N]);
        let [left, _] = engine.load_pairs(&text[part::<E, true>(CHUNK, text.len(), i)]);
        masked.first[i] = engine.here(engine.sum(left, first));
        masked.second[i] = engine.here(second);
    }
}
