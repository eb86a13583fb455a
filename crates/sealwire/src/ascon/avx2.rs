// SPDX-License-Identifier: Apache-2.0
//! 256-bit registers (AVX2): four states.

use super::lanes::{self, Lanes};
use super::roll::{sequence, window};
use super::round::{Two, Word, six_but_linear};
use super::scalar::{self, add_total};
use super::{Rows, Words};
use core::arch::x86_64::*;
use core::array::from_fn;
use zeroize::Zeroize;

/// A word of four states. It is made only where the CPU has the instructions.
#[derive(Clone, Copy)]
struct U64x4(__m256i);

impl Word for U64x4 {
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { _mm256_xor_si256(self.0, y.0) })
    }

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        self.xor(y).xor(z)
    }

    #[inline(always)]
    fn chi(self, y: Self, z: Self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.xor(Self(unsafe { _mm256_andnot_si256(y.0, z.0) }))
    }

    #[inline(always)]
    fn not_chi(self, y: Self, z: Self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.chi(y, z).xor(Self(unsafe { _mm256_set1_epi64x(-1) }))
    }

    #[inline(always)]
    fn xor_constant(self, y: Self, constant: u64) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        self.xor3(
            y,
            Self(unsafe { _mm256_set1_epi64x(constant.cast_signed()) }),
        )
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe {
            _mm256_xor_si256(
                _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(COUNT)),
                _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(64 - COUNT)),
            )
        })
    }
}

impl Lanes<4> for U64x4 {
    #[inline(always)]
    unsafe fn gather(words: [u64; 4]) -> Self {
        let [a, b, c, d] = words.map(u64::cast_signed);
        // SAFETY: the caller's promise.
        Self(unsafe { _mm256_set_epi64x(d, c, b, a) })
    }

    #[inline(always)]
    fn scatter(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 32 bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        words
    }
}

/// See [`lanes::permute_rows`].
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn permute_rows(rows: &mut Rows, rounds: usize) {
    // SAFETY: the caller's promise.
    unsafe { lanes::permute_rows::<U64x4, 4>(rows, rounds) };
}

/// See [`lanes::absorb`].
///
/// # Safety
/// The CPU has AVX2. Every slice has at least so many blocks.
#[inline(always)]
pub(super) unsafe fn absorb<const RATE: usize, const BE: bool>(
    states: &mut [Words; 4],
    data: &[&[u8]; 4],
    blocks: usize,
    rounds: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { lanes::absorb::<U64x4, 4, RATE, BE>(states, data, blocks, rounds) };
}

/// See `scalar::sum_blocks`; two times four blocks at a time.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
pub(super) unsafe fn sum_blocks(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    let mut s: [u64; 8] = sequence(*mask);
    let mut total = [0; 5];
    let (groups, rest) = data.as_chunks::<160>();
    // SAFETY: the caller knows the CPU; `s` has the 64 bytes that are read and written.
    unsafe {
        let mut words = [
            _mm256_loadu_si256(s.as_ptr().cast()),
            _mm256_loadu_si256(s[4..].as_ptr().cast()),
        ];
        let mut totals = [_mm256_setzero_si256(); 5];
        let (pairs, single) = groups.as_chunks::<2>();
        for [first, second] in pairs {
            let x = masked(words, first);
            words = [words[1], next(words)];
            let y = masked(words, second);
            words = [words[1], next(words)];
            let xy = six_but_linear(from_fn(|i| Two(x[i], y[i])));
            for i in 0..5 {
                totals[i] = _mm256_xor_si256(totals[i], _mm256_xor_si256(xy[i].0.0, xy[i].1.0));
            }
        }
        for group in single {
            let x = six_but_linear(masked(words, group));
            words = [words[1], next(words)];
            for i in 0..5 {
                totals[i] = _mm256_xor_si256(totals[i], x[i].0);
            }
        }
        _mm256_storeu_si256(s.as_mut_ptr().cast(), words[0]);
        _mm256_storeu_si256(s[4..].as_mut_ptr().cast(), words[1]);
        *mask = window(&s, 0);
        for (total, lanes) in total.iter_mut().zip(totals) {
            _mm256_storeu_si256(s.as_mut_ptr().cast(), lanes);
            *total = s[..4].iter().fold(0, |sum, word| sum ^ word);
        }
    }
    s.zeroize();
    add_total(sum, &mut total);
    scalar::sum_blocks(mask, sum, rest);
}

/// Four blocks under their masks, a block in each lane.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn masked([low, high]: [__m256i; 2], data: &[u8; 160]) -> [U64x4; 5] {
    // SAFETY: the caller's promise; the rows of 32 bytes begin at 0, 40, 80 and 120 and lie in `data`.
    unsafe {
        // The windows that begin 0, 1, 2, 3 and 4 words on: words 4, 3, 2, 1 of the masks, and 0 but for the carry.
        let two = _mm256_permute2x128_si256::<0x21>(low, high);
        let one = between(low, two);
        let three = between(two, high);
        let carry = _mm256_xor_si256(
            _mm256_xor_si256(_mm256_srli_epi64::<63>(low), _mm256_srli_epi64::<61>(low)),
            _mm256_srli_epi64::<60>(low),
        );
        let masks = [_mm256_xor_si256(high, carry), three, two, one, low];

        let rows: [_; 4] = from_fn(|i| _mm256_loadu_si256(data[40 * i..].as_ptr().cast()));
        let pairs = [
            _mm256_unpacklo_epi64(rows[0], rows[1]),
            _mm256_unpackhi_epi64(rows[0], rows[1]),
            _mm256_unpacklo_epi64(rows[2], rows[3]),
            _mm256_unpackhi_epi64(rows[2], rows[3]),
        ];
        let last = U64x4::gather(from_fn(|i| {
            u64::from_le_bytes(
                *data[40 * i + 32..]
                    .first_chunk()
                    .expect("five words a block"),
            )
        }));
        let words = [
            _mm256_permute2x128_si256::<0x20>(pairs[0], pairs[2]),
            _mm256_permute2x128_si256::<0x20>(pairs[1], pairs[3]),
            _mm256_permute2x128_si256::<0x31>(pairs[0], pairs[2]),
            _mm256_permute2x128_si256::<0x31>(pairs[1], pairs[3]),
            last.0,
        ];
        from_fn(|i| U64x4(_mm256_xor_si256(words[i], masks[i])))
    }
}

/// The window one word on, of a window and the one two words on.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn between(window: __m256i, two_on: __m256i) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe { _mm256_alignr_epi8::<8>(two_on, window) }
}

/// The four words of the sequence that follow these eight: a word follows from the ones five and four before it.
///
/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn next([low, four]: [__m256i; 2]) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let two = _mm256_permute2x128_si256::<0x21>(low, four);
        let five = between(two, four);
        let parts = [
            _mm256_slli_epi64::<1>(five),
            _mm256_slli_epi64::<3>(five),
            _mm256_slli_epi64::<4>(five),
            _mm256_srli_epi64::<63>(four),
            _mm256_srli_epi64::<61>(four),
            _mm256_srli_epi64::<60>(four),
        ];
        parts
            .into_iter()
            .fold(five, |sum, part| _mm256_xor_si256(sum, part))
    }
}
