// SPDX-License-Identifier: Apache-2.0
//! 512-bit registers (AVX-512F and AVX-512BW): eight states.

use super::roll::{sequence, window};
use super::round::{Word, permute, six_but_linear};
use super::scalar::add_total;
use super::{Rows, Words};
use core::arch::x86_64::*;
use core::array::from_fn;
use zeroize::Zeroize;

/// A word of eight states. It is made only where the CPU has the instructions.
#[derive(Clone, Copy)]
struct U64x8(__m512i);

// Truth tables, the first operand being the highest bit of the index.
const XOR3: i32 = 0x96;
const CHI: i32 = 0xd2;
const NOT_CHI: i32 = 0x2d;

/// Defines methods that are one intrinsic each.
macro_rules! by {
    ($($name:ident($($y:ident),*) $intrinsic:expr;)*) => {
        $(#[inline(always)]
        fn $name(self $(, $y: Self)*) -> Self {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { $intrinsic(self.0 $(, $y.0)*) })
        })*
    };
}

impl Word for U64x8 {
    by! {
        xor(y) _mm512_xor_si512;
        xor3(y, z) _mm512_ternarylogic_epi64::<XOR3>;
        chi(y, z) _mm512_ternarylogic_epi64::<CHI>;
        not_chi(y, z) _mm512_ternarylogic_epi64::<NOT_CHI>;
    }

    #[inline(always)]
    fn xor_constant(self, y: Self, constant: u64) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.xor3(
            y,
            Self(unsafe { _mm512_set1_epi64(constant.cast_signed()) }),
        )
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm512_ror_epi64::<COUNT>(self.0) })
    }
}

/// Takes in `blocks` blocks of `RATE` words in every lane, and permutes after each.
///
/// # Safety
/// The CPU has AVX-512F and BW. Every slice has at least so many blocks.
#[inline(always)]
pub(super) unsafe fn absorb<const RATE: usize, const BE: bool>(
    states: &mut [Words; 8],
    data: &[&[u8]; 8],
    blocks: usize,
    rounds: usize,
) {
    // SAFETY: the caller knows the CPU, and a state has the five words that are read.
    let mut x = unsafe {
        transpose(from_fn(|i| {
            _mm512_maskz_loadu_epi64(0x1f, states[i].as_ptr().cast())
        }))
    };
    for block in 0..blocks {
        // SAFETY: the caller knows the CPU, and that the slices have the `RATE` words that are read.
        let words = unsafe {
            transpose(from_fn(|i| {
                let start = data[i].as_ptr().add(8 * RATE * block);
                order::<BE>(_mm512_maskz_loadu_epi64((1 << RATE) - 1, start.cast()))
            }))
        };
        for (x, word) in x.iter_mut().zip(words).take(RATE) {
            *x = x.xor(word);
        }
        x = permute(x, rounds);
    }
    let mut rows = Rows::default();
    store(x, &mut rows);
    for (lane, state) in states.iter_mut().enumerate() {
        *state = from_fn(|i| rows[i][lane]);
    }
    rows.zeroize();
}

/// The last `rounds` rounds of eight states, word i of all of them in row i.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
pub(super) unsafe fn permute_rows(rows: &mut Rows, rounds: usize) {
    // SAFETY: the caller knows the CPU, and a row has 64 bytes.
    let x = unsafe { from_fn(|i| U64x8(_mm512_loadu_epi64(rows[i].as_ptr().cast()))) };
    store(permute(x, rounds), rows);
}

#[inline(always)]
fn store(x: [U64x8; 5], rows: &mut Rows) {
    for (row, x) in rows.iter_mut().zip(x) {
        // SAFETY: `x` is here, so the CPU has the instructions, and a row has the 64 bytes that are written.
        unsafe { _mm512_storeu_epi64(row.as_mut_ptr().cast(), x.0) };
    }
}

/// Bytes of each word in reverse, where the first one is the highest.
///
/// # Safety
/// The CPU has AVX-512F and BW.
#[inline(always)]
unsafe fn order<const BE: bool>(row: __m512i) -> __m512i {
    if BE {
        // SAFETY: the caller's promise.
        unsafe {
            let order = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
            _mm512_shuffle_epi8(row, _mm512_broadcast_i32x4(order))
        }
    } else {
        row
    }
}

/// Word i of all lanes in vector i, from a row a lane.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn transpose(rows: [__m512i; 8]) -> [U64x8; 5] {
    const EVEN: i32 = 0x88; // the even quarters of two registers
    const ODD: i32 = 0xdd; // the odd ones
    // SAFETY: the caller's promise.
    unsafe {
        let low: [_; 4] = from_fn(|i| _mm512_unpacklo_epi64(rows[2 * i], rows[2 * i + 1]));
        let high: [_; 4] = from_fn(|i| _mm512_unpackhi_epi64(rows[2 * i], rows[2 * i + 1]));
        let w04: [_; 2] = from_fn(|i| _mm512_shuffle_i64x2::<EVEN>(low[2 * i], low[2 * i + 1]));
        let w26: [_; 2] = from_fn(|i| _mm512_shuffle_i64x2::<ODD>(low[2 * i], low[2 * i + 1]));
        let w15: [_; 2] = from_fn(|i| _mm512_shuffle_i64x2::<EVEN>(high[2 * i], high[2 * i + 1]));
        let w37: [_; 2] = from_fn(|i| _mm512_shuffle_i64x2::<ODD>(high[2 * i], high[2 * i + 1]));
        [
            U64x8(_mm512_shuffle_i64x2::<EVEN>(w04[0], w04[1])),
            U64x8(_mm512_shuffle_i64x2::<EVEN>(w15[0], w15[1])),
            U64x8(_mm512_shuffle_i64x2::<EVEN>(w26[0], w26[1])),
            U64x8(_mm512_shuffle_i64x2::<EVEN>(w37[0], w37[1])),
            U64x8(_mm512_shuffle_i64x2::<ODD>(w04[0], w04[1])),
        ]
    }
}

/// Which block of eight is in which lane. Word 0 of block l is word 5 l of the text and so has place 5 l mod 8 in a
/// register: left there, all words with the same number meet in eight different lanes, and the transposition of
/// 40-byte blocks is five loads a word that leave other lanes alone.
const ORDER: [i64; 8] = [0, 5, 2, 7, 4, 1, 6, 3];

/// The lanes that the registers one after the other have a word for.
const PLACES: [u8; 5] = [0x21, 0x84, 0x10, 0x42, 0x08];

/// See `scalar::sum_blocks`; eight blocks at a time.
///
/// # Safety
/// The CPU has AVX-512F and BW.
#[inline(always)]
pub(super) unsafe fn sum_blocks(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    let mut s: [u64; 16] = sequence(*mask);
    let mut total = [0; 5];
    // SAFETY: the caller knows the CPU; `s` has the 128 bytes that are read and written; `add_eight` is given whole
    // blocks of `data`.
    unsafe {
        let mut words = [
            _mm512_loadu_epi64(s.as_ptr().cast()),
            _mm512_loadu_epi64(s[8..].as_ptr().cast()),
        ];
        let mut totals = [_mm512_setzero_si512(); 5];
        let (groups, rest) = data.as_chunks::<320>();
        for group in groups {
            add_eight(&words, group, 0xff, &mut totals);
            words = [words[1], next(words)];
        }
        let more = rest.len() / 40;
        if more > 0 {
            let active = (0..8)
                .filter(|lane| ORDER[*lane] < more as i64)
                .fold(0, |m, lane| m | 1 << lane);
            add_eight(&words, rest, active, &mut totals);
        }
        _mm512_storeu_epi64(s.as_mut_ptr().cast(), words[0]);
        _mm512_storeu_epi64(s[8..].as_mut_ptr().cast(), words[1]);
        *mask = window(&s, more);
        for (total, lanes) in total.iter_mut().zip(totals) {
            _mm512_storeu_epi64(s.as_mut_ptr().cast(), lanes);
            *total = s[..8].iter().fold(0, |sum, word| sum ^ word);
        }
    }
    s.zeroize();
    add_total(sum, &mut total);
}

/// Adds six rounds, but for the linear end, of the blocks in active lanes to the totals.
///
/// # Safety
/// The CPU has AVX-512F. `data` has all the blocks whose lanes are active.
#[inline(always)]
unsafe fn add_eight(words: &[__m512i; 2], data: &[u8], active: u8, totals: &mut [__m512i; 5]) {
    // SAFETY: the caller's promise; a load touches only the words of active lanes, which lie in `data`.
    unsafe {
        let order = _mm512_loadu_epi64(ORDER.as_ptr());
        // Words 4, 3, 2, 1 of the masks, and 0 but for the carry.
        let w4 = pick::<0>(words, order);
        let w3 = pick::<1>(words, order);
        let w2 = pick::<2>(words, order);
        let w1 = pick::<3>(words, order);
        let w0 = pick::<4>(words, order);
        let carry = _mm512_ternarylogic_epi64::<XOR3>(
            _mm512_srli_epi64::<63>(w4),
            _mm512_srli_epi64::<61>(w4),
            _mm512_srli_epi64::<60>(w4),
        );
        let start = data.as_ptr();
        let x = [
            U64x8(_mm512_ternarylogic_epi64::<XOR3>(
                column::<0>(start, active),
                w0,
                carry,
            )),
            U64x8(_mm512_xor_si512(column::<1>(start, active), w1)),
            U64x8(_mm512_xor_si512(column::<2>(start, active), w2)),
            U64x8(_mm512_xor_si512(column::<3>(start, active), w3)),
            U64x8(_mm512_xor_si512(column::<4>(start, active), w4)),
        ];
        for (total, x) in totals.iter_mut().zip(six_but_linear(x)) {
            *total = _mm512_mask_xor_epi64(*total, active, *total, x.0);
        }
    }
}

/// The words that lie so far on, each in the lane of its block.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn pick<const ON: i64>(words: &[__m512i; 2], order: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let places = _mm512_add_epi64(order, _mm512_set1_epi64(ON));
        _mm512_permutex2var_epi64(words[0], places, words[1])
    }
}

/// Word `I` of the blocks in active lanes, and zero in the others.
///
/// # Safety
/// The CPU has AVX-512F. The blocks in active lanes can be read.
#[inline(always)]
unsafe fn column<const I: usize>(blocks: *const u8, active: u8) -> __m512i {
    let mut word;
    let start = blocks.wrapping_add(8 * I).cast::<i64>();
    // SAFETY: the caller's promise; words of other lanes are not touched.
    unsafe {
        word = _mm512_maskz_loadu_epi64(PLACES[0] & active, start);
        word = _mm512_mask_loadu_epi64(word, PLACES[1] & active, start.wrapping_add(8));
        word = _mm512_mask_loadu_epi64(word, PLACES[2] & active, start.wrapping_add(16));
        word = _mm512_mask_loadu_epi64(word, PLACES[3] & active, start.wrapping_add(24));
        _mm512_mask_loadu_epi64(word, PLACES[4] & active, start.wrapping_add(32))
    }
}

/// The eight words of the sequence that follow these sixteen: f squared is x^640 + x^8 + x^6 + x^2 + 1, so that a word
/// follows from the ones ten and nine before it.
///
/// # Safety
/// The CPU has AVX-512F.
#[inline(always)]
unsafe fn next([low, high]: [__m512i; 2]) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let ten = _mm512_alignr_epi64::<6>(high, low);
        let nine = _mm512_alignr_epi64::<7>(high, low);
        let sum = _mm512_ternarylogic_epi64::<XOR3>(
            ten,
            _mm512_slli_epi64::<2>(ten),
            _mm512_slli_epi64::<6>(ten),
        );
        let sum = _mm512_ternarylogic_epi64::<XOR3>(
            sum,
            _mm512_slli_epi64::<8>(ten),
            _mm512_srli_epi64::<62>(nine),
        );
        _mm512_ternarylogic_epi64::<XOR3>(
            sum,
            _mm512_srli_epi64::<58>(nine),
            _mm512_srli_epi64::<56>(nine),
        )
    }
}
