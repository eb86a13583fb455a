// SPDX-License-Identifier: Apache-2.0
//! The block cipher: eight rows of 16 bits, an S-box of three Feistel steps across the rows and a matrix along each, as in
//! Fantomas and Robin, under three subtweakeys in turn.

use crate::slices::{Matrix, Slices};

/// What each bit of a row becomes. The matrix is orthogonal.
const IMAGES: [u16; 16] = [
    0x385c, 0x52a9, 0x7bb3, 0x96c1, 0xd76d, 0x3ae0, 0xe524, 0xfea5, 0x464b, 0xf1af, 0xa133, 0x7f74,
    0x6712, 0x7a6f, 0x701b, 0x8ab1,
];

static FORWARD: Matrix = Matrix::new(IMAGES);
static BACKWARD: Matrix = Matrix::new(Matrix::transposed(IMAGES));

/// Low and high bytes of eight rows.
type Rows<V> = [[V; 8]; 2];

/// The three subtweakeys of every block.
pub(super) type Tweakeys<V> = [[V; 16]; 3];

/// What round `round` adds to the first row.
const fn constant(round: usize) -> [u8; 2] {
    (2199_u16.wrapping_mul(round as u16)).to_le_bytes()
}

/// The first and the third step: rows 4 to 7 change. `ones` is all ones in the third, zero in the first.
#[inline(always)]
fn outer<S: Slices>(cpu: S, x: &mut [S::Vector; 8], ones: S::Vector) {
    let a = cpu.sum(cpu.sum(cpu.both(x[1], x[2]), x[0]), ones);
    let b = cpu.sum(x[1], x[3]);
    let c = cpu.sum(a, x[2]);
    x[5] = cpu.sum(x[5], c);
    x[6] = cpu.sum(x[6], cpu.both(a, x[3]));
    x[7] = cpu.sum(x[7], cpu.both(b, c));
    x[4] = cpu.sum(x[4], cpu.both(cpu.sum(c, x[3]), cpu.sum(b, x[2])));
}

/// The second step: rows 0 to 3 change.
#[inline(always)]
fn inner<S: Slices>(cpu: S, x: &mut [S::Vector; 8]) {
    let a = cpu.sum(cpu.both(x[4], x[5]), x[6]);
    let c = cpu.sum(cpu.either(x[5], x[6]), x[7]);
    let d = cpu.sum(cpu.both(a, x[7]), x[4]);
    let b = cpu.sum(cpu.both(c, x[4]), x[5]);
    x[0] = cpu.sum(x[0], a);
    x[1] = cpu.sum(x[1], d);
    x[2] = cpu.sum(x[2], c);
    x[3] = cpu.sum(x[3], b);
}

/// The S-box on every column of the rows. Its inverse takes the steps the other way.
#[inline(always)]
fn substitute<S: Slices, const DECIPHER: bool>(cpu: S, rows: &mut Rows<S::Vector>) {
    let both = [cpu.every(0), cpu.every(0xff)];
    for half in rows {
        outer(cpu, half, both[usize::from(DECIPHER)]);
        inner(cpu, half);
        outer(cpu, half, both[usize::from(!DECIPHER)]);
    }
}

#[inline(always)]
fn mix<S: Slices>(cpu: S, matrix: &Matrix, [low, high]: &mut Rows<S::Vector>) {
    for i in 0..8 {
        [low[i], high[i]] = cpu.product(matrix, [low[i], high[i]]);
    }
}

#[inline(always)]
fn add_constant<S: Slices>(cpu: S, rows: &mut Rows<S::Vector>, round: usize) {
    for (half, byte) in rows.iter_mut().zip(constant(round)) {
        half[0] = cpu.sum(half[0], cpu.every(byte));
    }
}

#[inline(always)]
fn add<S: Slices>(cpu: S, rows: &mut Rows<S::Vector>, tweakey: &[S::Vector; 16]) {
    for i in 0..16 {
        rows[i % 2][i / 2] = cpu.sum(rows[i % 2][i / 2], tweakey[i]);
    }
}

/// Writes the subtweakeys of LANES tweaks, given as their bytes: the key plus t0 || t1, (t0 + t1) || t0 and t1 || (t0 + t1), t0 and
/// t1 being the halves of a tweak.
#[inline(always)]
pub(super) fn tweakeys<S: Slices>(
    cpu: S,
    key: &[u8; 16],
    t: &[S::Vector; 16],
    made: &mut Tweakeys<S::Vector>,
) {
    for i in 0..8 {
        let [low, high] = [cpu.every(key[i]), cpu.every(key[i + 8])];
        let [t0, t1, both] = [t[i], t[i + 8], cpu.sum(t[i], t[i + 8])];
        for (tweakey, halves) in made.iter_mut().zip([[t0, t1], [both, t0], [t1, both]]) {
            tweakey[i] = cpu.sum(low, halves[0]);
            tweakey[i + 8] = cpu.sum(high, halves[1]);
        }
    }
}

/// Enciphers or deciphers LANES blocks, given as their bytes, each under its subtweakeys.
#[inline(always)]
pub(super) fn crypt<S: Slices, const DECIPHER: bool>(
    cpu: S,
    steps: usize,
    subkeys: &Tweakeys<S::Vector>,
    x: &mut [S::Vector; 16],
) {
    let mut rows = [[x[0]; 8]; 2];
    for i in 0..16 {
        rows[i % 2][i / 2] = x[i];
    }
    if DECIPHER {
        for step in (0..steps).rev() {
            add(cpu, &mut rows, &subkeys[(step + 1) % 3]);
            for round in [2 * step + 1, 2 * step] {
                mix(cpu, &BACKWARD, &mut rows);
                add_constant(cpu, &mut rows, round);
                substitute::<S, true>(cpu, &mut rows);
            }
        }
        add(cpu, &mut rows, &subkeys[0]);
    } else {
        add(cpu, &mut rows, &subkeys[0]);
        for step in 0..steps {
            for round in [2 * step, 2 * step + 1] {
                substitute::<S, false>(cpu, &mut rows);
                add_constant(cpu, &mut rows, round);
                mix(cpu, &FORWARD, &mut rows);
            }
            add(cpu, &mut rows, &subkeys[(step + 1) % 3]);
        }
    }
    for i in 0..16 {
        x[i] = rows[i % 2][i / 2];
    }
}

/// Enciphers or deciphers LANES blocks, each under its tweak. `subkeys` is room for what the tweaks and the key make.
#[inline(always)]
pub(super) fn blocks<S: Slices, const DECIPHER: bool>(
    cpu: S,
    key: &[u8; 16],
    steps: usize,
    tweaks: &[[u8; 16]],
    blocks: &mut [[u8; 16]],
    subkeys: &mut Tweakeys<S::Vector>,
) {
    let mut x = [cpu.every(0); 16];
    cpu.load(tweaks, &mut x);
    tweakeys(cpu, key, &x, subkeys);
    cpu.load(blocks, &mut x);
    crypt::<S, DECIPHER>(cpu, steps, subkeys, &mut x);
    cpu.store(&x, blocks);
}
