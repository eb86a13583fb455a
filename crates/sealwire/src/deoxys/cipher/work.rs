// SPDX-License-Identifier: Apache-2.0
//! Strings of blocks under tweaks that count.

use super::key::{Key, MAX_KEYS, Subkeys};
use super::rounds::Rounds;
use super::tables::{BACKWARD, FORWARD, Numbers, RUN};
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

/// The blocks of a string, `first` being the number of the first of at most N · LANES.
#[inline(always)]
fn step<R: Rounds, W: Work<R>, const DECIPHER: bool, const N: usize, const FULL: bool>(
    cpu: R,
    key: &Key,
    subkeys: &Subkeys,
    first: usize,
    count: usize,
    work: &mut W,
) {
    let zero = cpu.every(&[0; 16]);
    let mut x = [zero; N];
    work.input::<N, FULL>(cpu, first, count, &mut x);
    let places = key.version.places();
    let mut keys = [zero; N];
    if DECIPHER {
        cpu.unmix(&mut x);
        subkey(
            cpu, &subkeys.0, &BACKWARD, places, key.rounds, first, &mut keys,
        );
        add(cpu, &mut x, &keys);
        for round in (1..key.rounds).rev() {
            subkey(cpu, &subkeys.0, &BACKWARD, places, round, first, &mut keys);
            cpu.backward(&mut x, &keys);
        }
        subkey(cpu, &subkeys.0, &FORWARD, places, 0, first, &mut keys);
        cpu.backward_last(&mut x, &keys);
    } else {
        subkey(cpu, &subkeys.0, &FORWARD, places, 0, first, &mut keys);
        add(cpu, &mut x, &keys);
        for round in 1..=key.rounds {
            subkey(cpu, &subkeys.0, &FORWARD, places, round, first, &mut keys);
            cpu.forward(&mut x, &keys);
        }
    }
    work.output::<N, FULL>(cpu, first, count, &x);
}

/// The subtweakeys of a round for N · LANES blocks, whose first has the number `first`. Written where they are to be: as the result
/// of a function they would go through memory.
#[inline(always)]
fn subkey<R: Rounds, const N: usize>(
    cpu: R,
    subkeys: &[[u8; 16]; MAX_KEYS],
    numbers: &Numbers,
    places: &[u8; MAX_KEYS],
    round: usize,
    first: usize,
    keys: &mut [R::Vector; N],
) {
    let place = usize::from(places[round]) % 16;
    let high = &numbers.high[place][first / RUN % 8];
    let common = cpu.sum(cpu.every(&subkeys[round]), cpu.every(high));
    let within = first % RUN;
    let low = &numbers.low[place][within..within + N * R::LANES];
    for i in 0..N {
        keys[i] = cpu.sum(common, cpu.lanes(&low[i * R::LANES..]));
    }
}

#[inline(always)]
fn add<R: Rounds, const N: usize>(cpu: R, x: &mut [R::Vector; N], keys: &[R::Vector; N]) {
    for i in 0..N {
        x[i] = cpu.sum(x[i], keys[i]);
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
    for span in (0..blocks).step_by(SPAN) {
        let subkeys = Subkeys::new(cpu, key, tweak ^ span as u128, DECIPHER);
        let end = blocks.min(span + SPAN);
        let mut first = span;
        while first < end {
            let count = (end - first).min(MOST * R::LANES);
            let last = count < MOST * R::LANES;
            match count.div_ceil(R::LANES) {
                1 => step::<R, W, DECIPHER, 1, false>(cpu, key, &subkeys, first, count, work),
                2 => step::<R, W, DECIPHER, 2, false>(cpu, key, &subkeys, first, count, work),
                3 | 4 => step::<R, W, DECIPHER, 4, false>(cpu, key, &subkeys, first, count, work),
                _ if last => {
                    step::<R, W, DECIPHER, MOST, false>(cpu, key, &subkeys, first, count, work)
                }
                _ => step::<R, W, DECIPHER, MOST, true>(cpu, key, &subkeys, first, count, work),
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
    hash(cpu, key, tweak, block)
}
