// SPDX-License-Identifier: Apache-2.0
//! VAES without AVX-512: two blocks a register, eight registers in flight.

use super::aesni::{self, reverse};
use super::number::REDUCTION;
use super::vaes::Vaes;
use super::{Cipher, Engine, Work};
use core::arch::{asm, x86_64::*};

impl<A: Cipher> Engine for Vaes<'_, A, 2> {
    type Block = __m128i;
    type Vector = __m256i;
    const LANES: usize = 2;
    #[cfg(test)]
    const NAME: &'static str = "VAES, 256 bits";

    #[inline(always)]
    fn read(self, bytes: &[u8; 16]) -> __m128i {
        self.0.read(bytes)
    }

    #[inline(always)]
    fn write(self, x: __m128i) -> [u8; 16] {
        self.0.write(x)
    }

    #[inline(always)]
    fn read_some(self, bytes: &[u8]) -> __m128i {
        self.0.read_some(bytes)
    }

    #[inline(always)]
    fn write_some(self, x: __m128i, bytes: &mut [u8]) {
        self.0.write_some(x, bytes);
    }

    #[inline(always)]
    fn pad(self, x: __m128i, len: usize) -> __m128i {
        self.0.pad(x, len)
    }

    #[inline(always)]
    fn plus(self, x: __m128i, y: __m128i) -> __m128i {
        self.0.plus(x, y)
    }

    #[inline(always)]
    fn times(self, x: __m128i, power: u32) -> __m128i {
        self.0.times(x, power)
    }

    #[inline(always)]
    fn each<const N: usize>(self, x: &mut [__m128i; N]) {
        self.0.each(x);
    }

    #[inline(always)]
    fn blocks<const N: usize>(
        self,
        x: &mut [__m256i; N],
        before: &[__m256i; N],
        after: &[__m256i; N],
    ) {
        self.blocks_beside(x, before, after, &mut ());
    }

    #[inline(always)]
    fn blocks_beside<W: Work, const N: usize>(
        self,
        x: &mut [__m256i; N],
        before: &[__m256i; N],
        after: &[__m256i; N],
        work: &mut W,
    ) {
        let first = both(self.0.key(0));
        for i in 0..N {
            x[i] = self.sum(self.sum(x[i], before[i]), first);
        }
        const { assert!(W::STEPS <= 9) };
        // A loop with steps in it is not unrolled, and arrays whose index is computed are in memory.
        macro_rules! steps {
            ($($i:literal)*) => {$(
                if $i < W::STEPS {
                    self.round(x, $i + 1);
                    work.step($i);
                }
            )*};
        }
        steps!(0 1 2 3 4 5 6 7 8);
        for round in W::STEPS + 1..A::ROUNDS {
            self.round(x, round);
        }
        self.together(x);
        let last = both(self.0.key(A::ROUNDS));
        for i in 0..N {
            let last = self.sum(last, after[i]);
            // SAFETY: `self` is here, so the CPU has the instructions.
            x[i] = unsafe {
                if A::INVERSE {
                    _mm256_aesdeclast_epi128(x[i], last)
                } else {
                    _mm256_aesenclast_epi128(x[i], last)
                }
            };
        }
    }

    #[inline(always)]
    fn together<const N: usize>(self, x: &mut [__m256i; N]) {
        if let Some(x) = x.first_chunk_mut() {
            // SAFETY: `self` is here, so the CPU has the registers.
            unsafe { together(x) };
        }
    }

    #[inline(always)]
    fn here(self, mut x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the registers.
        unsafe { here(&mut x) };
        x
    }

    #[inline(always)]
    fn zero(self) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn sum(self, x: __m256i, y: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_xor_si256(x, y) }
    }

    #[inline(always)]
    fn fold(self, x: __m256i) -> __m128i {
        let [low, high] = halves(x);
        self.plus(low, high)
    }

    #[inline(always)]
    fn keep(self, x: __m256i, count: usize) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_and_si256(x, first_of_two(count)) }
    }

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m256i {
        let blocks: &[u8; 32] = text.first_chunk().expect("two whole blocks");
        // SAFETY: `self` is here, so the CPU has the instructions; `blocks` has 32 bytes.
        unsafe { _mm256_loadu_si256(blocks.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_some(self, text: &[u8]) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is read beyond the blocks there are.
        unsafe { _mm256_maskload_epi64(text.as_ptr().cast(), first_of_two(text.len() / 16)) }
    }

    #[inline(always)]
    fn spread(self, x: __m128i) -> __m256i {
        both(x)
    }

    #[inline(always)]
    fn store(self, x: __m256i, text: &mut [u8]) {
        if let Some(blocks) = text.first_chunk_mut::<32>() {
            // SAFETY: `self` is here, so the CPU has the instructions; there is room for 32 bytes.
            unsafe { _mm256_storeu_si256(blocks.as_mut_ptr().cast(), x) };
        } else {
            self.0.store(halves(x)[0], text);
        }
    }

    #[inline(always)]
    fn load_pairs(self, text: &[u8]) -> [__m256i; 2] {
        // Blocks 0 and 2, and 1 and 3, of three overlapping loads: a blend takes less than an exchange of halves.
        let [first, middle, last] = [
            self.load(text),
            self.load(&text[16..]),
            self.load(&text[32..]),
        ];
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            [
                _mm256_blend_epi32::<0xf0>(first, middle),
                _mm256_blend_epi32::<0xf0>(middle, last),
            ]
        }
    }

    #[inline(always)]
    fn load_some_pairs(self, text: &[u8]) -> [__m256i; 2] {
        let (x, y) = text.split_at(text.len().min(32));
        apart(self.load_some(x), self.load_some(y))
    }

    #[inline(always)]
    fn store_pairs(self, [even, odd]: [__m256i; 2], text: &mut [u8]) {
        let pairs = apart(even, odd);
        for (pair, text) in pairs.into_iter().zip(text.as_chunks_mut::<32>().0) {
            self.store(pair, text);
        }
    }

    #[inline(always)]
    fn powers(self, x: __m128i, first: usize) -> __m256i {
        let first = first as i64;
        // Blocks and numbers change into one another by the same shuffle.
        let x = both(self.0.masks(x));
        // SAFETY: `self` is here, so the CPU has the instructions.
        times(x, unsafe {
            _mm256_setr_epi64x(first, first, first + 1, first + 1)
        })
    }

    #[inline(always)]
    fn times_bytes<const BYTES: i32>(self, x: __m256i) -> __m256i {
        // The constants of the two shifts must be literals.
        match BYTES {
            1 => multiple(x, 8),
            // SAFETY: `self` is here, so the CPU has the instructions.
            _ => unsafe {
                let (shifted, top) = (_mm256_bslli_epi128::<2>(x), _mm256_bsrli_epi128::<14>(x));
                self.sum(shifted, _mm256_clmulepi64_epi128::<0>(top, reduction()))
            },
        }
    }

    #[inline(always)]
    fn masks(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_shuffle_epi8(x, both(reverse())) }
    }

    #[inline(always)]
    fn following(self, x: __m256i, y: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_permute2x128_si256::<0x21>(x, y) }
    }

    /// Of two lanes what `following` gives.
    #[inline(always)]
    fn preceding(self, x: __m256i, y: __m256i) -> __m256i {
        self.following(x, y)
    }

    #[inline(always)]
    fn last(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm256_permute2x128_si256::<0x11>(x, x) }
    }

    #[inline(always)]
    fn to_columns<const N: usize>(self, x: &mut [__m256i; N]) {
        let given = *x;
        for i in 0..N / 2 {
            [x[2 * i], x[2 * i + 1]] = apart(given[i], given[i + N / 2]);
        }
    }

    #[inline(always)]
    fn out_of_columns<const N: usize>(self, x: &mut [__m256i; N]) {
        let given = *x;
        for i in 0..N / 2 {
            [x[i], x[i + N / 2]] = apart(given[2 * i], given[2 * i + 1]);
        }
    }

    #[inline(always)]
    fn spaced(self, x: __m256i, step: usize) -> __m256i {
        let step = step as i64;
        // SAFETY: `self` is here, so the CPU has the instructions.
        times(x, unsafe { _mm256_setr_epi64x(0, 0, step, step) })
    }

    #[inline(always)]
    fn carried<const POWER: usize>(self, first: __m256i, ends: __m256i) -> __m256i {
        let lanes = self.preceding(first, ends);
        self.sum(lanes, multiple(self.preceding(self.zero(), lanes), POWER))
    }

    #[inline(always)]
    fn twice(self, x: __m256i) -> __m256i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // What falls out at the top of each half: to the other, and to the polynomial.
            let signs = _mm256_shuffle_epi32::<0b01_01_11_11>(_mm256_srai_epi32::<31>(x));
            let carry = both(_mm_set_epi64x(1, REDUCTION.into()));
            self.sum(_mm256_add_epi64(x, x), _mm256_and_si256(signs, carry))
        }
    }

    #[inline(always)]
    fn lane<const N: usize>(self, x: &[__m256i; N], lane: usize) -> __m128i {
        let mut found = x[0];
        for (i, x) in x.iter().enumerate() {
            if i == lane / 2 {
                found = *x;
            }
        }
        halves(found)[lane % 2]
    }
}

impl<A: Cipher> Vaes<'_, A, 2> {
    #[inline(always)]
    fn round<const N: usize>(self, x: &mut [__m256i; N], round: usize) {
        self.together(x);
        let key = both(self.0.key(round));
        for x in x {
            // SAFETY: `self` is here, so the CPU has the instructions.
            *x = unsafe {
                if A::INVERSE {
                    _mm256_aesdec_epi128(*x, key)
                } else {
                    _mm256_aesenc_epi128(*x, key)
                }
            };
        }
    }
}

/// There is no instruction: eight registers are given and given back. They have a function of their own because those of 256 bits
/// cannot be named where AVX is not enabled.
#[inline]
#[target_feature(enable = "avx")]
fn together([a, b, c, d, e, f, g, h]: &mut [__m256i; 8]) {
    // SAFETY: nothing is done.
    unsafe {
        asm!(
            "/* {} {} {} {} {} {} {} {} */",
            inout(ymm_reg) * a,
            inout(ymm_reg) * b,
            inout(ymm_reg) * c,
            inout(ymm_reg) * d,
            inout(ymm_reg) * e,
            inout(ymm_reg) * f,
            inout(ymm_reg) * g,
            inout(ymm_reg) * h,
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// There is no instruction here, either.
#[inline]
#[target_feature(enable = "avx")]
fn here(x: &mut __m256i) {
    // SAFETY: nothing is done.
    unsafe {
        asm!(
            "/* {} */",
            inout(ymm_reg) * x,
            options(nomem, nostack, preserves_flags)
        );
    }
}

/// The block in both lanes.
#[inline(always)]
fn both(x: __m128i) -> __m256i {
    // SAFETY: called where `Vaes` is.
    unsafe { _mm256_broadcastsi128_si256(x) }
}

#[inline(always)]
fn halves(x: __m256i) -> [__m128i; 2] {
    // SAFETY: called where `Vaes` is.
    unsafe { [_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x)] }
}

/// Ones in the first `count` of two lanes.
#[inline(always)]
pub(crate) fn first_of_two(count: usize) -> __m256i {
    // SAFETY: called where the CPU has AVX2.
    unsafe {
        _mm256_cmpgt_epi64(
            _mm256_set1_epi64x(count as i64),
            _mm256_setr_epi64x(0, 0, 1, 1),
        )
    }
}

/// From four blocks those with even index, and those with odd index, or back.
#[inline(always)]
fn apart(x: __m256i, y: __m256i) -> [__m256i; 2] {
    // SAFETY: called where `Vaes` is.
    unsafe {
        [
            _mm256_permute2x128_si256::<0x20>(x, y),
            _mm256_permute2x128_si256::<0x31>(x, y),
        ]
    }
}

/// Numbers: 2^power times every one; `left` has its power, at most 63, in both words of a lane.
#[inline(always)]
fn times(x: __m256i, left: __m256i) -> __m256i {
    // SAFETY: called where `Vaes` is.
    unsafe {
        let right = _mm256_sub_epi64(_mm256_set1_epi64x(64), left);
        let carry = _mm256_srlv_epi64(x, right);
        let over = _mm256_clmulepi64_epi128::<0>(_mm256_bsrli_epi128::<8>(carry), reduction());
        let shifted = _mm256_xor_si256(_mm256_sllv_epi64(x, left), _mm256_bslli_epi128::<8>(carry));
        _mm256_xor_si256(shifted, over)
    }
}

/// Numbers: 2^power times every one; the compiler knows the power, at most 8.
#[inline(always)]
fn multiple(x: __m256i, power: usize) -> __m256i {
    // SAFETY: called where `Vaes` is.
    unsafe {
        match power {
            0 => x,
            8 => {
                let (shifted, top) = (_mm256_bslli_epi128::<1>(x), _mm256_bsrli_epi128::<15>(x));
                _mm256_xor_si256(shifted, _mm256_clmulepi64_epi128::<0>(top, reduction()))
            }
            _ => times(x, _mm256_set1_epi64x(power as i64)),
        }
    }
}

/// The field polynomial in both lanes.
#[inline(always)]
fn reduction() -> __m256i {
    both(aesni::reduction())
}
