// SPDX-License-Identifier: Apache-2.0
//! 256-bit registers (AVX2): four states.

use super::Words;
use super::roll::{sequence, window};
use super::round::{Word, permute, six_but_linear};
use super::scalar::{self, add_total};
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

/// Words of two times four states: what waits in one half leaves the units free for the other.
#[derive(Clone, Copy)]
struct Two(U64x4, U64x4);

impl Word for Two {
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        Self(self.0.xor(y.0), self.1.xor(y.1))
    }

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        Self(self.0.xor3(y.0, z.0), self.1.xor3(y.1, z.1))
    }

    #[inline(always)]
    fn chi(self, y: Self, z: Self) -> Self {
        Self(self.0.chi(y.0, z.0), self.1.chi(y.1, z.1))
    }

    #[inline(always)]
    fn not_chi(self, y: Self, z: Self) -> Self {
        Self(self.0.not_chi(y.0, z.0), self.1.not_chi(y.1, z.1))
    }

    #[inline(always)]
    fn xor_constant(self, y: Self, constant: u64) -> Self {
        Self(
            self.0.xor_constant(y.0, constant),
            self.1.xor_constant(y.1, constant),
        )
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        Self(self.0.rotate::<COUNT>(), self.1.rotate::<COUNT>())
    }
}

/// Takes in `blocks` blocks of `RATE` words in every lane, and permutes after each.
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
    // SAFETY: the caller knows the CPU.
    let mut x: [U64x4; 5] = from_fn(|i| unsafe { gather(states.each_ref().map(|state| state[i])) });
    for block in 0..blocks {
        let word = |row: &[u8], i| {
            let bytes = row[8 * (RATE * block + i)..]
                .first_chunk()
                .expect("the caller's promise");
            if BE {
                u64::from_be_bytes(*bytes)
            } else {
                u64::from_le_bytes(*bytes)
            }
        };
        for (i, x) in x.iter_mut().enumerate().take(RATE) {
            // SAFETY: the caller knows the CPU.
            *x = x.xor(unsafe { gather(data.map(|row| word(row, i))) });
        }
        x = permute(x, rounds);
    }
    for (i, x) in x.into_iter().enumerate() {
        let mut row = [0_u64; 4];
        // SAFETY: the caller knows the CPU, and a row has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(row.as_mut_ptr().cast(), x.0) };
        for (state, word) in states.iter_mut().zip(row) {
            state[i] = word;
        }
        row.zeroize();
    }
}

/// # Safety
/// The CPU has AVX2.
#[inline(always)]
unsafe fn gather(words: [u64; 4]) -> U64x4 {
    let [a, b, c, d] = words.map(u64::cast_signed);
    // SAFETY: the caller's promise.
    U64x4(unsafe { _mm256_set_epi64x(d, c, b, a) })
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
        let last = gather(from_fn(|i| {
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
