// SPDX-License-Identifier: Apache-2.0
//! Strings of blocks under tweaks that count.

use super::key::{Key, Subkeys};
use super::rounds::Rounds;
use super::tables::{Numbers, RUN};
use crate::gf::{wipe, xor};
use core::ops::Range;

/// Vectors in flight.
const MOST: usize = 8;

/// Blocks that have their subtweakeys in common but for the last byte of their number.
const SPAN: usize = 256;

/// What goes into the cipher, and what becomes of that which comes out: `count` blocks from block `first` on, as many as the
/// vectors hold if FULL.
trait Work<R: Rounds> {
    fn input<const N: usize, const FULL: bool>(
        &mut self,
        cpu: R,
        first: usize,
        count: usize,
        x: &mut [R::Vector; N],
    );

    fn output<const N: usize, const FULL: bool>(
        &mut self,
        cpu: R,
        first: usize,
        count: usize,
        x: &[R::Vector; N],
    );
}

/// Where the blocks are in a string; a length that the compiler knows spares it the checks of every vector.
#[inline(always)]
fn place<R: Rounds, const N: usize, const FULL: bool>(first: usize, count: usize) -> Range<usize> {
    let count = if FULL { N * R::LANES } else { count };
    16 * first..16 * first + 16 * count
}

/// Reads vectors; lanes without a block are zero.
#[inline(always)]
fn read<R: Rounds, const N: usize>(cpu: R, part: &[u8], x: &mut [R::Vector; N]) {
    for (i, x) in x.iter_mut().enumerate() {
        *x = cpu.load(&part[part.len().min(16 * i * R::LANES)..]);
    }
}

/// The sum of the lanes that have a block.
#[inline(always)]
fn sum_of<R: Rounds, const N: usize, const FULL: bool>(
    cpu: R,
    mut sum: R::Vector,
    count: usize,
    x: &[R::Vector; N],
) -> R::Vector {
    for (i, x) in x.iter().enumerate() {
        let valid = if FULL {
            *x
        } else {
            cpu.keep(*x, count.saturating_sub(i * R::LANES))
        };
        sum = cpu.sum(sum, valid);
    }
    sum
}

/// The blocks of a string, `first` being the number of the first of at most N · LANES. The rounds are a loop: in a row, compilers
/// take vector after vector through all of them, and so many rounds that wait for one another do not fit a CPU's window.
#[inline(always)]
fn step<
    R: Rounds,
    W: Work<R>,
    const ROUNDS: usize,
    const DECIPHER: bool,
    const N: usize,
    const FULL: bool,
>(
    cpu: R,
    numbers: &Numbers,
    subkeys: &Subkeys,
    first: usize,
    count: usize,
    work: &mut W,
) {
    let zero = cpu.every(&[0; 16]);
    let mut x = [zero; N];
    work.input::<N, FULL>(cpu, first, count, &mut x);
    let mut keys = [zero; N];
    macro_rules! round {
        ($change:ident, $round:expr) => {
            let parts = Parts::new::<R, N>(cpu, subkeys, numbers, $round, first);
            if R::ONE_BY_ONE {
                for i in 0..N {
                    let mut one = [x[i]];
                    cpu.$change(&mut one, &[parts.vector(cpu, i)]);
                    x[i] = one[0];
                }
            } else {
                for i in 0..N {
                    keys[i] = parts.vector(cpu, i);
                }
                cpu.$change(&mut x, &keys);
            }
        };
    }
    macro_rules! add {
        ($round:expr) => {
            let parts = Parts::new::<R, N>(cpu, subkeys, numbers, $round, first);
            for i in 0..N {
                x[i] = cpu.sum(x[i], parts.vector(cpu, i));
            }
        };
    }
    if DECIPHER {
        cpu.unmix(&mut x);
        add!(ROUNDS);
        for round in (1..ROUNDS).rev() {
            round!(backward, round);
        }
        round!(backward_last, 0);
    } else {
        add!(0);
        for round in 1..=ROUNDS {
            round!(forward, round);
        }
    }
    work.output::<N, FULL>(cpu, first, count, &x);
}

/// What the subtweakeys of a round for blocks of one run are sums of.
struct Parts<'a, V> {
    /// What all blocks of the run share.
    common: V,
    /// The lower bits of the numbers.
    low: &'a [[u8; 16]],
}

impl<'a, V: Copy> Parts<'a, V> {
    #[inline(always)]
    fn new<R: Rounds<Vector = V>, const N: usize>(
        cpu: R,
        subkeys: &Subkeys,
        numbers: &'a Numbers,
        round: usize,
        first: usize,
    ) -> Self {
        Self {
            common: cpu.every(&subkeys.run[round]),
            low: &numbers.low[round][first % RUN..][..N * R::LANES],
        }
    }

    /// The subtweakeys of the blocks in vector i.
    #[inline(always)]
    fn vector<R: Rounds<Vector = V>>(&self, cpu: R, i: usize) -> V {
        cpu.sum(self.common, cpu.lanes(&self.low[i * R::LANES..]))
    }
}

/// All blocks of a string; the number of each is added to the tweak.
#[inline(always)]
fn each<R: Rounds, W: Work<R>, const DECIPHER: bool>(
    cpu: R,
    key: &Key,
    tweak: u128,
    blocks: usize,
    work: &mut W,
) {
    if key.rounds == 14 {
        spans::<R, W, 14, DECIPHER>(cpu, key, tweak, blocks, work);
    } else {
        spans::<R, W, 16, DECIPHER>(cpu, key, tweak, blocks, work);
    }
}

#[inline(always)]
fn spans<R: Rounds, W: Work<R>, const ROUNDS: usize, const DECIPHER: bool>(
    cpu: R,
    key: &Key,
    tweak: u128,
    blocks: usize,
    work: &mut W,
) {
    let numbers = Numbers::of(key.version, DECIPHER);
    let mut subkeys = Subkeys::new();
    for span in (0..blocks).step_by(SPAN) {
        subkeys.set(cpu, key, tweak ^ span as u128, DECIPHER);
        let end = blocks.min(span + SPAN);
        let mut first = span;
        while first < end {
            let count = (end - first).min(MOST * R::LANES);
            if first.is_multiple_of(RUN) {
                subkeys.set_run(cpu, numbers, ROUNDS + 1, first / RUN);
            }
            macro_rules! step {
                ($n:expr, $full:literal) => {
                    step::<R, W, ROUNDS, DECIPHER, { $n }, $full>(
                        cpu, numbers, &subkeys, first, count, work,
                    )
                };
            }
            let last = count < MOST * R::LANES;
            match count.div_ceil(R::LANES) {
                1 => step!(1, false),
                2 => step!(2, false),
                3 | 4 => step!(4, false),
                _ if last => step!(MOST, false),
                _ => step!(MOST, true),
            }
            first += count;
        }
    }
}

/// Whole blocks in place, and the sum of the plaintext.
struct InPlace<'a, V> {
    text: &'a mut [u8],
    decipher: bool,
    sum: V,
}

impl<R: Rounds> Work<R> for InPlace<'_, R::Vector> {
    #[inline(always)]
    fn input<const N: usize, const FULL: bool>(
        &mut self,
        cpu: R,
        first: usize,
        count: usize,
        x: &mut [R::Vector; N],
    ) {
        read(cpu, &self.text[place::<R, N, FULL>(first, count)], x);
        if !self.decipher {
            self.sum = sum_of::<R, N, true>(cpu, self.sum, count, x);
        }
    }

    #[inline(always)]
    fn output<const N: usize, const FULL: bool>(
        &mut self,
        cpu: R,
        first: usize,
        count: usize,
        x: &[R::Vector; N],
    ) {
        if self.decipher {
            self.sum = sum_of::<R, N, FULL>(cpu, self.sum, count, x);
        }
        let part = &mut self.text[place::<R, N, FULL>(first, count)];
        for (i, x) in x.iter().enumerate() {
            let at = part.len().min(16 * i * R::LANES);
            cpu.store(*x, &mut part[at..]);
        }
    }
}

/// Enciphers or deciphers whole blocks in place and returns the sum of the plaintext.
#[inline(always)]
pub(in crate::deoxys) fn text<R: Rounds>(
    cpu: R,
    key: &Key,
    tweak: u128,
    text: &mut [u8],
    decipher: bool,
) -> [u8; 16] {
    let blocks = text.len() / 16;
    let sum = cpu.every(&[0; 16]);
    let mut work = InPlace {
        text,
        decipher,
        sum,
    };
    if decipher {
        each::<R, _, true>(cpu, key, tweak, blocks, &mut work);
    } else {
        each::<R, _, false>(cpu, key, tweak, blocks, &mut work);
    }
    cpu.fold(work.sum)
}

/// Whole blocks, and the sum of what they become.
struct Sum<'a, V> {
    data: &'a [u8],
    sum: V,
}

impl<R: Rounds> Work<R> for Sum<'_, R::Vector> {
    #[inline(always)]
    fn input<const N: usize, const FULL: bool>(
        &mut self,
        cpu: R,
        first: usize,
        count: usize,
        x: &mut [R::Vector; N],
    ) {
        read(cpu, &self.data[place::<R, N, FULL>(first, count)], x);
    }

    #[inline(always)]
    fn output<const N: usize, const FULL: bool>(
        &mut self,
        cpu: R,
        _first: usize,
        count: usize,
        x: &[R::Vector; N],
    ) {
        self.sum = sum_of::<R, N, FULL>(cpu, self.sum, count, x);
    }
}

/// The sum of the ciphertexts of whole blocks.
#[inline(always)]
pub(in crate::deoxys) fn hash<R: Rounds>(cpu: R, key: &Key, tweak: u128, data: &[u8]) -> [u8; 16] {
    let sum = cpu.every(&[0; 16]);
    let mut work = Sum { data, sum };
    each::<R, _, false>(cpu, key, tweak, data.len() / 16, &mut work);
    cpu.fold(work.sum)
}

/// A text and the block that its key stream is made from.
struct Stream<'a, V> {
    text: &'a mut [u8],
    block: V,
}

impl<R: Rounds> Work<R> for Stream<'_, R::Vector> {
    #[inline(always)]
    fn input<const N: usize, const FULL: bool>(
        &mut self,
        _cpu: R,
        _first: usize,
        _count: usize,
        x: &mut [R::Vector; N],
    ) {
        *x = [self.block; N];
    }

    #[inline(always)]
    fn output<const N: usize, const FULL: bool>(
        &mut self,
        cpu: R,
        first: usize,
        count: usize,
        x: &[R::Vector; N],
    ) {
        let Range { start, end } = place::<R, N, FULL>(first, count);
        if let Some(part) = self.text.get_mut(start..end) {
            for (i, x) in x.iter().enumerate() {
                let at = part.len().min(16 * i * R::LANES);
                let text = &mut part[at..];
                cpu.store(cpu.sum(cpu.load(text), *x), text);
            }
            return;
        }
        // The last block is not whole.
        for (part, x) in self.text[start..].chunks_mut(16 * R::LANES).zip(x) {
            // At most four lanes.
            let mut stream = [0; 64];
            cpu.store(*x, &mut stream);
            xor(part, &stream);
            wipe(&mut stream);
        }
    }
}

/// Adds to the text, of any length, what a block becomes under tweaks that count.
#[inline(always)]
pub(in crate::deoxys) fn stream<R: Rounds>(
    cpu: R,
    key: &Key,
    tweak: u128,
    block: &[u8; 16],
    text: &mut [u8],
) {
    let blocks = text.len().div_ceil(16);
    let block = cpu.every(block);
    each::<R, _, false>(cpu, key, tweak, blocks, &mut Stream { text, block });
}

/// What one block becomes.
#[inline(always)]
pub(in crate::deoxys) fn one<R: Rounds>(
    cpu: R,
    key: &Key,
    tweak: u128,
    block: &[u8; 16],
) -> [u8; 16] {
    cpu.single(key, tweak.to_be_bytes(), block)
}
