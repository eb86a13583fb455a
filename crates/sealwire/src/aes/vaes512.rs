// SPDX-License-Identifier: Apache-2.0
//! VAES and AVX-512: four blocks a register, four registers in flight.

use super::aesni::{self, reverse};
use super::number::REDUCTION;
use super::vaes::Vaes;
use super::{Cipher, Engine};
use core::arch::x86_64::*;

impl<A: Cipher> Engine for Vaes<'_, A, 4> {
    type Block = __m128i;
    type Vector = __m512i;
    const LANES: usize = 4;
    #[cfg(test)]
    const NAME: &'static str = "VAES, 512 bits";

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
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is read beyond the bytes there are.
        unsafe { _mm_maskz_loadu_epi8(first(bytes.len()), bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn write_some(self, x: __m128i, bytes: &mut [u8]) {
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is written beyond the room there is.
        unsafe { _mm_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first(bytes.len()), x) };
    }

    #[inline(always)]
    fn pad(self, x: __m128i, len: usize) -> __m128i {
        let cut = first(len);
        // The place after the last byte; there is none in a whole block.
        let end = (cut << 1 | 1) ^ cut;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_mask_mov_epi8(_mm_maskz_mov_epi8(cut, x), end, _mm_set1_epi8(-0x80)) }
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
        x: &mut [__m512i; N],
        before: &[__m512i; N],
        after: &[__m512i; N],
    ) {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let first = _mm512_broadcast_i32x4(self.0.key(0));
            for i in 0..N {
                x[i] = _mm512_ternarylogic_epi64::<0x96>(x[i], before[i], first);
            }
            for round in 1..A::ROUNDS {
                let key = _mm512_broadcast_i32x4(self.0.key(round));
                for x in &mut *x {
                    *x = if A::INVERSE {
                        _mm512_aesdec_epi128(*x, key)
                    } else {
                        _mm512_aesenc_epi128(*x, key)
                    };
                }
            }
            let last = _mm512_broadcast_i32x4(self.0.key(A::ROUNDS));
            for i in 0..N {
                let last = _mm512_xor_si512(last, after[i]);
                x[i] = if A::INVERSE {
                    _mm512_aesdeclast_epi128(x[i], last)
                } else {
                    _mm512_aesenclast_epi128(x[i], last)
                };
            }
        }
    }

    #[inline(always)]
    fn together<const N: usize>(self, _x: &mut [__m512i; N]) {}

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn sum(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_xor_si512(x, y) }
    }

    #[inline(always)]
    fn fold(self, x: __m512i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let half =
                _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
            _mm_xor_si128(
                _mm256_castsi256_si128(half),
                _mm256_extracti128_si256::<1>(half),
            )
        }
    }

    #[inline(always)]
    fn keep(self, x: __m512i, count: usize) -> __m512i {
        let words = ((1_u32 << (2 * count.min(4))) - 1) as u8;
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_maskz_mov_epi64(words, x) }
    }

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m512i {
        let blocks: &[u8; 64] = text.first_chunk().expect("four whole blocks");
        // SAFETY: `self` is here, so the CPU has the instructions; `blocks` has 64 bytes.
        unsafe { _mm512_loadu_si512(blocks.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_some(self, text: &[u8]) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is read beyond the bytes there are.
        unsafe { _mm512_maskz_loadu_epi64(words(text), text.as_ptr().cast()) }
    }

    #[inline(always)]
    fn spread(self, x: __m128i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_broadcast_i32x4(x) }
    }

    #[inline(always)]
    fn store(self, x: __m512i, text: &mut [u8]) {
        // SAFETY: `self` is here, so the CPU has the instructions; nothing is written beyond the room there is.
        unsafe { _mm512_mask_storeu_epi64(text.as_mut_ptr().cast(), words(text), x) };
    }

    #[inline(always)]
    fn load_pairs(self, text: &[u8]) -> [__m512i; 2] {
        apart(self.load(text), self.load(&text[64..]))
    }

    #[inline(always)]
    fn load_some_pairs(self, text: &[u8]) -> [__m512i; 2] {
        let (x, y) = text.split_at(text.len().min(64));
        apart(self.load_some(x), self.load_some(y))
    }

    #[inline(always)]
    fn store_pairs(self, [even, odd]: [__m512i; 2], text: &mut [u8]) {
        let [x, y] = in_turn(even, odd);
        if let Some(text) = text.first_chunk_mut::<128>() {
            let (first, second) = text.split_at_mut(64);
            // SAFETY: `self` is here, so the CPU has the instructions; both have room for 64 bytes.
            unsafe {
                _mm512_storeu_si512(first.as_mut_ptr().cast(), x);
                _mm512_storeu_si512(second.as_mut_ptr().cast(), y);
            }
            return;
        }
        // Not with a mask: whatever reads near such a store waits until it has reached the cache.
        // SAFETY: `self` is here, so the CPU has the instructions.
        let pairs = unsafe {
            [
                _mm512_castsi512_si256(x),
                _mm512_extracti64x4_epi64::<1>(x),
                _mm512_castsi512_si256(y),
            ]
        };
        for (pair, text) in pairs.into_iter().zip(text.as_chunks_mut::<32>().0) {
            // SAFETY: `self` is here, so the CPU has the instructions; `text` has room for 32 bytes.
            unsafe { _mm256_storeu_si256(text.as_mut_ptr().cast(), pair) };
        }
    }

    #[inline(always)]
    fn powers(self, x: __m128i, first: usize) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // Blocks and numbers change into one another by the same shuffle.
            let x = _mm512_broadcast_i32x4(self.0.masks(x));
            let lanes = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
            times(x, _mm512_add_epi64(lanes, _mm512_set1_epi64(first as i64)))
        }
    }

    #[inline(always)]
    fn times_bytes<const BYTES: i32>(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // The constants of the two shifts must be literals.
            let (shifted, top) = match BYTES {
                1 => (_mm512_bslli_epi128::<1>(x), _mm512_bsrli_epi128::<15>(x)),
                _ => (_mm512_bslli_epi128::<2>(x), _mm512_bsrli_epi128::<14>(x)),
            };
            _mm512_xor_si512(shifted, _mm512_clmulepi64_epi128::<0>(top, reduction()))
        }
    }

    #[inline(always)]
    fn masks(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(reverse())) }
    }

    #[inline(always)]
    fn following(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_alignr_epi64::<2>(y, x) }
    }

    #[inline(always)]
    fn preceding(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_alignr_epi64::<6>(y, x) }
    }

    #[inline(always)]
    fn last(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_shuffle_i64x2::<0xff>(x, x) }
    }

    #[inline(always)]
    fn to_columns<const N: usize>(self, x: &mut [__m512i; N]) {
        match N {
            2 => [x[0], x[1]] = apart(x[0], x[1]),
            4 => [x[0], x[1], x[2], x[3]] = turned([x[0], x[1], x[2], x[3]]),
            _ => {}
        }
    }

    #[inline(always)]
    fn out_of_columns<const N: usize>(self, x: &mut [__m512i; N]) {
        match N {
            2 => [x[0], x[1]] = in_turn(x[0], x[1]),
            4 => [x[0], x[1], x[2], x[3]] = turned([x[0], x[1], x[2], x[3]]),
            _ => {}
        }
    }

    #[inline(always)]
    fn spaced(self, x: __m512i, step: usize) -> __m512i {
        let step = step as i64;
        let (two, three) = (2 * step, 3 * step);
        // SAFETY: `self` is here, so the CPU has the instructions.
        times(x, unsafe {
            _mm512_setr_epi64(0, 0, step, step, two, two, three, three)
        })
    }

    #[inline(always)]
    fn carried<const POWER: usize>(self, first: __m512i, ends: __m512i) -> __m512i {
        let lanes = self.preceding(first, ends);
        let pairs = self.sum(lanes, multiple(self.preceding(self.zero(), lanes), POWER));
        // SAFETY: `self` is here, so the CPU has the instructions.
        let before = unsafe { _mm512_alignr_epi64::<4>(pairs, self.zero()) };
        self.sum(pairs, multiple(before, 2 * POWER))
    }

    #[inline(always)]
    fn twice(self, x: __m512i) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // What falls out at the top of each half: to the other, and to the polynomial.
            let signs = _mm512_shuffle_epi32::<0b01_00_11_10>(_mm512_srai_epi64::<63>(x));
            let carry = _mm512_broadcast_i32x4(_mm_set_epi64x(1, REDUCTION.into()));
            _mm512_ternarylogic_epi64::<0x78>(_mm512_add_epi64(x, x), signs, carry)
        }
    }

    #[inline(always)]
    fn lane<const N: usize>(self, x: &[__m512i; N], lane: usize) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let mut found = x[0];
            for (i, x) in x.iter().enumerate() {
                let here = if i == lane / 4 { u8::MAX } else { 0 };
                found = _mm512_mask_mov_epi64(found, here, *x);
            }
            let words = _mm512_add_epi64(
                _mm512_set1_epi64((lane % 4 * 2) as i64),
                _mm512_setr_epi64(0, 1, 0, 1, 0, 1, 0, 1),
            );
            _mm512_castsi512_si128(_mm512_permutexvar_epi64(words, found))
        }
    }
}

/// Numbers: 2^power times every one; `left` has its power, at most 63, in both words of a lane.
#[inline(always)]
fn times(x: __m512i, left: __m512i) -> __m512i {
    // SAFETY: called where `Vaes` is.
    unsafe {
        let right = _mm512_sub_epi64(_mm512_set1_epi64(64), left);
        let carry = _mm512_srlv_epi64(x, right);
        let over = _mm512_clmulepi64_epi128::<0>(_mm512_bsrli_epi128::<8>(carry), reduction());
        let shifted = _mm512_xor_si512(_mm512_sllv_epi64(x, left), _mm512_bslli_epi128::<8>(carry));
        _mm512_xor_si512(shifted, over)
    }
}

/// Numbers: 2^power times every one; the compiler knows the power, at most 8.
#[inline(always)]
fn multiple(x: __m512i, power: usize) -> __m512i {
    // SAFETY: called where `Vaes` is.
    unsafe {
        match power {
            0 => x,
            8 => {
                let (shifted, top) = (_mm512_bslli_epi128::<1>(x), _mm512_bsrli_epi128::<15>(x));
                _mm512_xor_si512(shifted, _mm512_clmulepi64_epi128::<0>(top, reduction()))
            }
            _ => times(x, _mm512_set1_epi64(power as i64)),
        }
    }
}

/// From eight blocks those with even index, and those with odd index.
#[inline(always)]
fn apart(x: __m512i, y: __m512i) -> [__m512i; 2] {
    // SAFETY: called where `Vaes` is.
    unsafe {
        [
            _mm512_shuffle_i64x2::<0x88>(x, y),
            _mm512_shuffle_i64x2::<0xdd>(x, y),
        ]
    }
}

/// Undoes `apart`.
#[inline(always)]
fn in_turn(even: __m512i, odd: __m512i) -> [__m512i; 2] {
    // SAFETY: called where `Vaes` is.
    unsafe {
        [
            _mm512_permutex2var_epi64(even, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), odd),
            _mm512_permutex2var_epi64(even, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), odd),
        ]
    }
}

/// Lane j of vector i becomes lane i of vector j.
#[inline(always)]
fn turned([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let [[even_ab, odd_ab], [even_cd, odd_cd]] = [apart(a, b), apart(c, d)];
    let [[first, third], [second, fourth]] = [apart(even_ab, even_cd), apart(odd_ab, odd_cd)];
    [first, second, third, fourth]
}

/// The mask of the words of 8 bytes that `part` holds, at most eight.
#[inline(always)]
fn words(part: &[u8]) -> u8 {
    ((1_u32 << (part.len() / 8).min(8)) - 1) as u8
}

/// The mask of the first `len` bytes of a block.
#[inline(always)]
fn first(len: usize) -> u16 {
    ((1_u32 << len.min(16)) - 1) as u16
}

/// The field polynomial in every lane.
#[inline(always)]
fn reduction() -> __m512i {
    // SAFETY: called where `Vaes` is.
    unsafe { _mm512_broadcast_i32x4(aesni::reduction()) }
}
