// SPDX-License-Identifier: Apache-2.0
//! Eight blocks at once, or twice as many, from the text to the sum of the ciphertext, where registers hold rows of all of them.

use super::mask::{MOST, Mask, STREAM, Stream};
use super::permutation::{ROUNDS, ROWS};
use crate::slices::Rows;

/// The blocks of a group.
pub(super) const GROUP: usize = 8;

/// Groups whose look-ups take turns: those of one wait for one another.
const AT_ONCE: usize = 2;

/// A block
type Bytes = [u8; 32];

/// What the four rows of the second matrix are added in round r of the permutation, or of its inverse. The permutation adds it
/// before its rows are mixed, so that one addition of three does it; mixing twice changes nothing.
static CONSTANTS: [[[[u8; 8]; 4]; ROUNDS]; 2] = {
    let mut constants = [[[[0; 8]; 4]; ROUNDS]; 2];
    let mut i = 0;
    while i < 16 * ROUNDS {
        let (round, row, column) = (i / 16, i / 4 % 4, i % 4);
        let [own, next, previous] = [
            column ^ row ^ (round % 16),
            column ^ ((row + 1) % 4) ^ (round % 16),
            column ^ ((row + 3) % 4) ^ (round % 16),
        ];
        constants[0][round][row][column] = (own ^ next ^ previous) as u8;
        constants[1][round][row][column] = own as u8;
        i += 1;
    }
    constants
};

/// Both matrices behind S-box, permutation of the rows and exchange.
#[inline(always)]
fn exchanged<R: Rows>(cpu: R, from: &[[R::Vector; 4]; 2]) -> [[R::Vector; 4]; 2] {
    let mut made = *from;
    for matrix in 0..2 {
        for row in 0..4 {
            let nibbles = cpu.substituted(from[1 - matrix][row]);
            made[matrix][row] = cpu.moved(nibbles, &ROWS[1 - matrix][row]);
        }
    }
    made
}

/// Every row becomes the sum of itself and its neighbours.
#[inline(always)]
fn mixed<R: Rows>(cpu: R, [a, b, c, d]: [R::Vector; 4]) -> [R::Vector; 4] {
    [
        cpu.sum3(a, b, d),
        cpu.sum3(b, a, c),
        cpu.sum3(c, b, d),
        cpu.sum3(d, c, a),
    ]
}

/// The permutation of eight blocks a group, or its inverse; two blocks a vector.
#[inline(always)]
fn permute<R: Rows, const INVERSE: bool, const G: usize>(cpu: R, groups: &mut [[R::Vector; 4]; G]) {
    let mut states = [[groups[0]; 2]; G];
    for g in 0..G {
        cpu.turn(&mut groups[g]);
        for row in 0..4 {
            states[g][0][row] = cpu.nibbles::<false>(groups[g][row]);
            states[g][1][row] = cpu.nibbles::<true>(groups[g][row]);
        }
    }
    for i in 0..ROUNDS {
        let number = if INVERSE { ROUNDS - 1 - i } else { i };
        let constants = &CONSTANTS[usize::from(INVERSE)][number];
        for state in &mut states {
            let [a, mut b] = exchanged(cpu, state);
            for row in 0..4 {
                b[row] = cpu.sum3(b[row], a[row], cpu.every(&constants[row]));
            }
            *state = [mixed(cpu, a), mixed(cpu, b)];
        }
    }
    for g in 0..G {
        let [a, b] = exchanged(cpu, &states[g]);
        for row in 0..4 {
            groups[g][row] = cpu.joined([a[row], b[row]]);
        }
        cpu.turn_back(&mut groups[g]);
    }
}

/// Where the bytes of two masks, the second STEP after the first, come from in a stream.
struct Places<const STEP: usize>;

impl<const STEP: usize> Places<STEP> {
    /// Of the stream itself.
    const ITSELF: [u8; 64] = {
        let mut places = [0; 64];
        let mut i = 0;
        while i < 64 {
            places[i] = (i % 32 + i / 32 * STEP) as u8;
            i += 1;
        }
        places
    };

    /// To the last three bytes of a mask, the first three are added, and the first two to the last two.
    const FIRST: [[u8; 64]; 2] = {
        let mut places = [[0; 64]; 2];
        let mut i = 0;
        while i < 64 {
            let first = i / 32 * STEP;
            if i % 32 >= 29 {
                places[0][i] = (first + i % 32 - 29) as u8;
            }
            if i % 32 >= 30 {
                places[1][i] = (first + i % 32 - 30) as u8;
            }
            i += 1;
        }
        places
    };

    const KEPT: [u64; 2] = [0xe000_0000_e000_0000, 0xc000_0000_c000_0000];

    /// The masks number `at` and STEP behind it.
    #[inline(always)]
    fn masks<R: Rows>(cpu: R, stream: &[u8; STREAM], at: usize) -> R::Vector {
        let x = cpu.read(stream[at..].first_chunk().expect("64 bytes"));
        let [three, two] = &Self::FIRST;
        cpu.sum3(
            cpu.picked(x, &Self::ITSELF, u64::MAX),
            cpu.picked(x, three, Self::KEPT[0]),
            cpu.picked(x, two, Self::KEPT[1]),
        )
    }
}

/// What blocks become under the permutation between masks.
#[inline(always)]
fn encipher<R: Rows, const INVERSE: bool, const G: usize>(
    cpu: R,
    x: &mut [[R::Vector; 4]; G],
    masks: &[[R::Vector; 4]; G],
) {
    for g in 0..G {
        for k in 0..4 {
            x[g][k] = cpu.sum(x[g][k], masks[g][k]);
        }
    }
    permute::<R, INVERSE, G>(cpu, x);
    for g in 0..G {
        for k in 0..4 {
            x[g][k] = cpu.sum(x[g][k], masks[g][k]);
        }
    }
}

/// Two blocks a vector.
#[inline(always)]
fn read<R: Rows, const G: usize>(cpu: R, blocks: &[Bytes]) -> [[R::Vector; 4]; G] {
    let mut x = [[cpu.every(&[0; 8]); 4]; G];
    let (pairs, _) = blocks[..G * GROUP].as_flattened().as_chunks::<64>();
    for g in 0..G {
        for k in 0..4 {
            x[g][k] = cpu.read(&pairs[4 * g + k]);
        }
    }
    x
}

#[inline(always)]
fn add<R: Rows, const G: usize>(cpu: R, x: &[[R::Vector; 4]; G], mut sum: R::Vector) -> R::Vector {
    for x in x {
        sum = cpu.sum3(sum, cpu.sum(x[0], x[1]), cpu.sum(x[2], x[3]));
    }
    sum
}

/// G groups of a text in place, and the sum over their ciphertext; masks from number `at` of a stream on, in turn of the text and of
/// the sum.
#[inline(always)]
fn text<R: Rows, const OPEN: bool, const G: usize>(
    cpu: R,
    blocks: &mut [Bytes],
    stream: &[u8; STREAM],
    at: usize,
    sum: R::Vector,
) -> R::Vector {
    let mut masks = [[[cpu.every(&[0; 8]); 4]; G]; 2];
    for (first, masks) in masks.iter_mut().enumerate() {
        for (i, mask) in masks.as_flattened_mut().iter_mut().enumerate() {
            *mask = Places::<2>::masks(cpu, stream, at + first + 4 * i);
        }
    }
    let mut x = read::<R, G>(cpu, blocks);
    let mut summed = x;
    if OPEN {
        encipher::<R, true, G>(cpu, &mut x, &masks[0]);
    } else {
        encipher::<R, false, G>(cpu, &mut x, &masks[0]);
        summed = x;
    }
    let (pairs, _) = blocks.as_flattened_mut().as_chunks_mut::<64>();
    for g in 0..G {
        for k in 0..4 {
            cpu.write(x[g][k], &mut pairs[4 * g + k]);
        }
    }
    encipher::<R, false, G>(cpu, &mut summed, &masks[1]);
    add(cpu, &summed, sum)
}

/// G groups of associated data, and their sum; block 0 has mask `at`.
#[inline(always)]
fn data<R: Rows, const G: usize>(
    cpu: R,
    blocks: &[Bytes],
    stream: &[u8; STREAM],
    at: usize,
    sum: R::Vector,
) -> R::Vector {
    let mut masks = [[cpu.every(&[0; 8]); 4]; G];
    for (i, mask) in masks.as_flattened_mut().iter_mut().enumerate() {
        *mask = Places::<1>::masks(cpu, stream, at + 2 * i);
    }
    let mut x = read::<R, G>(cpu, blocks);
    encipher::<R, false, G>(cpu, &mut x, &masks);
    add(cpu, &x, sum)
}

/// The sum of both halves goes into a block.
#[inline(always)]
fn fold<R: Rows>(cpu: R, x: R::Vector, sum: &mut Bytes) {
    let mut halves = [0; 64];
    cpu.write(x, &mut halves);
    for half in halves.as_chunks().0 {
        super::core::add(half, sum);
    }
    crate::gf::wipe(&mut halves);
}

/// Enciphers or deciphers all groups of eight whole blocks in place, adds to `sum` what the ciphertext becomes, and gives the next
/// mask.
#[inline(always)]
pub(super) fn all_text<R: Rows>(
    cpu: R,
    blocks: &mut [Bytes],
    open: bool,
    mut next: Mask,
    sum: &mut Bytes,
) -> Mask {
    let mut stream = Stream::new();
    let mut total = cpu.every(&[0; 8]);
    for part in blocks.chunks_mut(MOST / 2) {
        stream.fill(next, 2 * part.len());
        next = stream.mask(2 * part.len());
        let mut at = 0;
        macro_rules! some {
            ($parts:expr, $g:expr) => {
                for part in $parts {
                    let bytes = &stream.0;
                    total = if open {
                        text::<R, true, { $g }>(cpu, part, bytes, at, total)
                    } else {
                        text::<R, false, { $g }>(cpu, part, bytes, at, total)
                    };
                    at += 2 * GROUP * $g;
                }
            };
        }
        let mut parts = part.chunks_exact_mut(AT_ONCE * GROUP);
        some!(&mut parts, AT_ONCE);
        some!(parts.into_remainder().chunks_exact_mut(GROUP), 1);
    }
    fold(cpu, total, sum);
    next
}

/// Adds to `sum` what all groups of eight blocks of associated data become under the masks that follow `mask`, and gives the mask of
/// the last.
#[inline(always)]
pub(super) fn all_data<R: Rows>(cpu: R, blocks: &[Bytes], mut mask: Mask, sum: &mut Bytes) -> Mask {
    let mut stream = Stream::new();
    let mut total = cpu.every(&[0; 8]);
    for part in blocks.chunks(MOST / 2) {
        stream.fill(mask, part.len() + 1);
        mask = stream.mask(part.len());
        let mut at = 1;
        let mut parts = part.chunks_exact(AT_ONCE * GROUP);
        for part in &mut parts {
            total = data::<R, AT_ONCE>(cpu, part, &stream.0, at, total);
            at += AT_ONCE * GROUP;
        }
        for part in parts.remainder().chunks_exact(GROUP) {
            total = data::<R, 1>(cpu, part, &stream.0, at, total);
            at += GROUP;
        }
    }
    fold(cpu, total, sum);
    mask
}
