// SPDX-License-Identifier: Apache-2.0
//! The permutation P of 64 nibbles and its inverse. On many blocks side by side a vector has a nibble of every block, so that the
//! permutations of nibbles cost nothing; on a few blocks a vector has one of the two matrices.

use crate::slices::{Slices, Whole};

/// Where the nibbles of a row come from.
const SR1: [usize; 8] = [6, 7, 1, 0, 2, 3, 4, 5];
const SR2: [usize; 8] = [4, 5, 0, 1, 7, 6, 2, 3];

const fn inverse(of: [usize; 8]) -> [usize; 8] {
    let mut inverse = [0; 8];
    let mut i = 0;
    while i < 8 {
        inverse[of[i]] = i;
        i += 1;
    }
    inverse
}

/// Of the rows of the first matrix, then of those of the second.
pub(super) const ROWS: [[[usize; 8]; 4]; 2] = [
    [SR1, SR2, inverse(SR1), inverse(SR2)],
    [inverse(SR1), inverse(SR2), SR1, SR2],
];

pub(super) const ROUNDS: usize = 17;

/// Two matrices of four rows and eight columns.
type State<V> = [[[V; 8]; 4]; 2];

/// Column `column` of both matrices behind S-box, permutation of the rows and exchange of the matrices.
#[inline(always)]
fn shuffled<S: Slices>(cpu: S, from: &State<S::Vector>, column: usize) -> [[S::Vector; 4]; 2] {
    let mut made = [[from[0][0][0]; 4]; 2];
    for matrix in 0..2 {
        for row in 0..4 {
            let nibble = from[1 - matrix][row][ROWS[1 - matrix][row][column]];
            made[matrix][row] = cpu.substituted(nibble);
        }
    }
    made
}

/// Every row becomes the sum of itself and its neighbours.
#[inline(always)]
fn mix<S: Slices>(cpu: S, x: &mut [S::Vector; 4]) {
    let [even, odd] = [cpu.sum(x[0], x[2]), cpu.sum(x[1], x[3])];
    *x = [
        cpu.sum(x[0], odd),
        cpu.sum(x[1], even),
        cpu.sum(x[2], odd),
        cpu.sum(x[3], even),
    ];
}

/// A round: what `shuffled` does, then the second matrix takes in the first, both are mixed and a constant is added; in the inverse
/// the constant comes before.
#[inline(always)]
fn round<S: Slices, const INVERSE: bool>(
    cpu: S,
    number: usize,
    from: &State<S::Vector>,
    to: &mut State<S::Vector>,
) {
    let mut constants = [cpu.every(0); 4];
    for (i, constant) in constants.iter_mut().enumerate() {
        *constant = cpu.every((i ^ (number % 16)) as u8);
    }
    for column in 0..8 {
        let [mut a, mut b] = shuffled(cpu, from, column);
        if INVERSE && column < 4 {
            for row in 0..4 {
                b[row] = cpu.sum(b[row], constants[column ^ row]);
            }
        }
        for row in 0..4 {
            b[row] = cpu.sum(b[row], a[row]);
        }
        mix(cpu, &mut a);
        mix(cpu, &mut b);
        if !INVERSE && column < 4 {
            for row in 0..4 {
                b[row] = cpu.sum(b[row], constants[column ^ row]);
            }
        }
        for row in 0..4 {
            to[0][row][column] = a[row];
            to[1][row][column] = b[row];
        }
    }
}

/// The nibbles of LANES blocks: a row of each matrix has four bytes, the high nibble first. `halves` are those of the blocks.
#[inline(always)]
fn load<S: Slices>(cpu: S, halves: &[&[[u8; 16]]; 2], state: &mut State<S::Vector>) {
    for (half, blocks) in halves.iter().enumerate() {
        let mut x = [cpu.every(0); 16];
        cpu.load(blocks, &mut x);
        for i in 0..16 {
            let row = &mut state[i / 4 % 2][2 * half + i / 8];
            [row[2 * (i % 4)], row[2 * (i % 4) + 1]] = cpu.nibbles(x[i]);
        }
    }
}

/// The permutation of LANES blocks, or its inverse. `states` is room for the nibbles, before a round and behind it.
#[inline(always)]
pub(super) fn permute<S: Slices, const INVERSE: bool>(
    cpu: S,
    halves: [&mut [[u8; 16]]; 2],
    states: &mut [State<S::Vector>; 2],
) {
    let [low, high] = halves;
    load(cpu, &[low, high], &mut states[0]);
    for i in 0..ROUNDS {
        let number = if INVERSE { ROUNDS - 1 - i } else { i };
        let [even, odd] = states;
        if i % 2 == 0 {
            round::<S, INVERSE>(cpu, number, even, odd);
        } else {
            round::<S, INVERSE>(cpu, number, odd, even);
        }
    }
    let [last, behind] = {
        let [even, odd] = states;
        [odd, even]
    };
    for column in 0..8 {
        let made = shuffled(cpu, last, column);
        for (matrix, made) in behind.iter_mut().zip(made) {
            for (row, made) in matrix.iter_mut().zip(made) {
                row[column] = made;
            }
        }
    }
    for (half, blocks) in [low, high].into_iter().enumerate() {
        let mut x = [cpu.every(0); 16];
        for i in 0..16 {
            let row = &behind[i / 4 % 2][2 * half + i / 8];
            x[i] = cpu.joined([row[2 * (i % 4)], row[2 * (i % 4) + 1]]);
        }
        cpu.store(&x, blocks);
    }
}

/// Room for `permute`.
#[inline(always)]
pub(super) fn room<S: Slices>(cpu: S) -> [State<S::Vector>; 2] {
    [[[[cpu.every(0); 8]; 4]; 2]; 2]
}

/// What a few blocks need beside the S-box, in the order of a vector's bytes: row by row.
struct Places {
    /// The nibbles of either matrix, twice the byte of each, from a block.
    apart: [[u8; 32]; 2],
    /// Where the nibbles of either matrix go from, by rows.
    rows: [[u8; 32]; 2],
    /// The bytes of a block from the nibbles of either matrix.
    together: [[u8; 32]; 2],
    /// What a round adds to the second matrix.
    constants: [[u8; 32]; ROUNDS],
}

static PLACES: Places = {
    let mut places = Places {
        apart: [[0; 32]; 2],
        rows: [[0; 32]; 2],
        together: [[0x80; 32]; 2],
        constants: [[0; 32]; ROUNDS],
    };
    let mut i = 0;
    while i < 64 {
        let (matrix, row, column) = (i / 32, i / 8 % 4, i % 8);
        let (at, half_row) = (8 * row + column, 8 * (row % 2));
        let byte = half_row + 4 * matrix + column / 2;
        places.apart[matrix][at] = byte as u8;
        places.rows[matrix][at] = (half_row + ROWS[matrix][row][column]) as u8;
        if column % 2 == 0 {
            places.together[matrix][row / 2 * 16 + byte] = (half_row + column) as u8;
        }
        let mut round = 0;
        while round < ROUNDS && matrix == 1 && column < 4 {
            places.constants[round][at] = (column ^ row ^ (round % 16)) as u8;
            round += 1;
        }
        i += 1;
    }
    places
};

/// The permutation of a few blocks, or its inverse.
#[inline(always)]
pub(super) fn few<W: Whole, const INVERSE: bool, const N: usize>(cpu: W, x: &mut [W::Vector; N]) {
    let mut states = [[x[0]; 2]; N];
    for i in 0..N {
        let [a, b] = &PLACES.apart;
        states[i] = [
            cpu.apart(cpu.picked(x[i], a)),
            cpu.apart(cpu.picked(x[i], b)),
        ];
    }
    for i in 0..ROUNDS {
        let number = if INVERSE { ROUNDS - 1 - i } else { i };
        let constants = cpu.read(&PLACES.constants[number]);
        for state in &mut states {
            let [a, mut b] = exchanged(cpu, state);
            if INVERSE {
                b = cpu.plus(b, constants);
            }
            b = cpu.with_neighbours(cpu.plus(b, a));
            if !INVERSE {
                b = cpu.plus(b, constants);
            }
            *state = [cpu.with_neighbours(a), b];
        }
    }
    for i in 0..N {
        let [a, b] = exchanged(cpu, &states[i]);
        x[i] = cpu.plus(
            cpu.picked(cpu.together(a), &PLACES.together[0]),
            cpu.picked(cpu.together(b), &PLACES.together[1]),
        );
    }
}

/// Both matrices behind S-box, permutation of the rows and exchange.
#[inline(always)]
fn exchanged<W: Whole>(cpu: W, [a, b]: &[W::Vector; 2]) -> [W::Vector; 2] {
    [
        cpu.picked(cpu.behind_s_box(*b), &PLACES.rows[1]),
        cpu.picked(cpu.behind_s_box(*a), &PLACES.rows[0]),
    ]
}
