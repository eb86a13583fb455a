// SPDX-License-Identifier: Apache-2.0
//! Strings of blocks under tweaks that count.

use super::key::{Key, MAX_KEYS, Subkeys};
use super::rounds::Rounds;
use super::tables::{BACKWARD, FORWARD, Numbers, RUN};
use crate::gf::{wipe, xor};

/// Vectors in flight.
const MOST: usize = 8;

/// Blocks that have their subtweakeys in common but for the last byte of their number.
const SPAN: usize = 256;

/// What goes into the cipher, and what becomes of that which comes out.
trait Work<R: Rounds> {
    /// The lanes from block `at` on.
    fn input(&mut self, cpu: R, at: usize) -> R::Vector;
    /// The lanes from block `at` on, of which `count` are meant.
    fn output(&mut self, cpu: R, at: usize, count: usize, x: R::Vector);
}

/// The blocks of a string, `first` being the number of the first of at most N · LANES.
#[inline(always)]
fn step<R: Rounds, W: Work<R>, const DECIPHER: bool, const N: usize>(
    cpu: R,
    key: &Key,
    subkeys: &Subkeys,
    first: usize,
    count: usize,
    work: &mut W,
) {
    let zero = cpu.every(&[0; 16]);
    let mut x = [zero; N];
    for (i, x) in x.iter_mut().enumerate() {
        if i * R::LANES < count {
            *x = work.input(cpu, first + i * R::LANES);
        }
    }
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
    for (i, x) in x.iter().enumerate() {
        let before = i * R::LANES;
        if before < count {
            work.output(cpu, first + before, (count - before).min(R::LANES), *x);
        }
    }
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
            match count.div_ceil(R::LANES) {
                1 => step::<R, W, DECIPHER, 1>(cpu, key, &subkeys, first, count, work),
                2 => step::<R, W, DECIPHER, 2>(cpu, key, &subkeys, first, count, work),
                3 | 4 => step::<R, W, DECIPHER, 4>(cpu, key, &subkeys, first, count, work),
                _ => step::<R, W, DECIPHER, MOST>(cpu, key, &subkeys, first, count, work),
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
    fn input(&mut self, cpu: R, at: usize) -> R::Vector {
        let x = cpu.load(&self.text[16 * at..]);
        if !self.decipher {
            self.sum = cpu.sum(self.sum, x);
        }
        x
    }

    #[inline(always)]
    fn output(&mut self, cpu: R, at: usize, count: usize, x: R::Vector) {
        if self.decipher {
            self.sum = cpu.sum(self.sum, cpu.keep(x, count));
        }
        cpu.store(x, &mut self.text[16 * at..]);
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
    fn input(&mut self, cpu: R, at: usize) -> R::Vector {
        cpu.load(&self.data[16 * at..])
    }

    #[inline(always)]
    fn output(&mut self, cpu: R, _at: usize, count: usize, x: R::Vector) {
        self.sum = cpu.sum(self.sum, cpu.keep(x, count));
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
    fn input(&mut self, _cpu: R, _at: usize) -> R::Vector {
        self.block
    }

    #[inline(always)]
    fn output(&mut self, cpu: R, at: usize, _count: usize, x: R::Vector) {
        let text = &mut self.text[16 * at..];
        cpu.store(cpu.sum(cpu.load(text), x), text);
        let done = (text.len() / 16 * 16).min(16 * R::LANES);
        let rest = &mut text[done..];
        if done < 16 * R::LANES && !rest.is_empty() {
            // At most four lanes, the last of which reaches beyond the text.
            let mut stream = [0; 64];
            cpu.store(x, &mut stream);
            xor(rest, &stream[done..]);
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
