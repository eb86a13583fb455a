// SPDX-License-Identifier: Apache-2.0
//! VAES and AVX-512: four blocks a register, four registers in flight.

use super::aesni::{AesNi, RoundKeys, reverse};
use super::number::REDUCTION;
use super::{Cipher, Engine};
use core::arch::x86_64::*;

cpufeatures::new!(
    vaes,
    "aes",
    "pclmulqdq",
    "avx2",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl"
);

pub(super) fn available() -> bool {
    vaes::get()
}

/// VAES under a key; single blocks are AES-NI's.
pub(super) struct Vaes<'a, A> {
    keys: &'a RoundKeys,
    single: AesNi<'a, A>,
}

impl<A> Clone for Vaes<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Vaes<'_, A> {}

impl<'a, A: Cipher> Vaes<'a, A> {
    /// # Safety
    /// The CPU must have what `available` asks for, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new(keys: &'a RoundKeys) -> Self {
        Self {
            keys,
            // SAFETY: what VAES asks for includes AES-NI.
            single: unsafe { AesNi::new(keys) },
        }
    }

    /// A round's key in every lane.
    #[inline(always)]
    fn key(self, round: usize) -> __m512i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm512_broadcast_i32x4(self.keys.get(round)) }
    }
}

impl<A: Cipher> Engine for Vaes<'_, A> {
    type Vector = __m512i;
    const LANES: usize = 4;

    #[inline(always)]
    fn block(self, x: u128) -> u128 {
        self.single.block(x)
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
            let first = self.key(0);
            for i in 0..N {
                x[i] = _mm512_ternarylogic_epi64::<0x96>(x[i], before[i], first);
            }
            for round in 1..A::ROUNDS {
                let key = self.key(round);
                for x in &mut *x {
                    *x = _mm512_aesenc_epi128(*x, key);
                }
            }
            let last = self.key(A::ROUNDS);
            for i in 0..N {
                x[i] = _mm512_aesenclast_epi128(x[i], _mm512_xor_si512(last, after[i]));
            }
        }
    }

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn sum(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_xor_si512(x, y) }
    }

    #[inline(always)]
    fn fold(self, x: __m512i) -> u128 {
        // SAFETY: as above.
        let block = unsafe {
            let half =
                _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
            _mm_xor_si128(
                _mm256_castsi256_si128(half),
                _mm256_extracti128_si256::<1>(half),
            )
        };
        self.single.fold(block)
    }

    #[inline(always)]
    fn keep(self, x: __m512i, count: usize) -> __m512i {
        let words = ((1_u32 << (2 * count.min(4))) - 1) as u8;
        // SAFETY: as above.
        unsafe { _mm512_maskz_mov_epi64(words, x) }
    }

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m512i {
        let blocks: &[u8; 64] = text.first_chunk().expect("four whole blocks");
        // SAFETY: as above; `blocks` has 64 bytes.
        unsafe { _mm512_loadu_si512(blocks.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_pairs(self, text: &[u8]) -> [__m512i; 2] {
        apart(self.load(text), self.load(&text[64..]))
    }

    #[inline(always)]
    fn load_some_pairs(self, text: &[u8]) -> [__m512i; 2] {
        let (x, y) = text.split_at(text.len().min(64));
        // SAFETY: as above; nothing is read beyond the bytes there are.
        let (x, y) = unsafe {
            (
                _mm512_maskz_loadu_epi64(words(x), x.as_ptr().cast()),
                _mm512_maskz_loadu_epi64(words(y), y.as_ptr().cast()),
            )
        };
        apart(x, y)
    }

    #[inline(always)]
    fn store_pairs(self, [even, odd]: [__m512i; 2], text: &mut [u8]) {
        // SAFETY: as above.
        let (x, y) = unsafe {
            (
                _mm512_permutex2var_epi64(even, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), odd),
                _mm512_permutex2var_epi64(even, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), odd),
            )
        };
        let (first, second) = text.split_at_mut(text.len().min(64));
        // SAFETY: as above; nothing is written beyond the room there is.
        unsafe {
            if second.len() == 64 {
                _mm512_storeu_si512(first.as_mut_ptr().cast(), x);
                _mm512_storeu_si512(second.as_mut_ptr().cast(), y);
            } else {
                _mm512_mask_storeu_epi64(first.as_mut_ptr().cast(), words(first), x);
                _mm512_mask_storeu_epi64(second.as_mut_ptr().cast(), words(second), y);
            }
        }
    }

    #[inline(always)]
    fn powers(self, x: u128, first: usize) -> __m512i {
        // SAFETY: as above.
        unsafe {
            let x = _mm512_broadcast_i32x4(_mm_set_epi64x((x >> 64) as i64, x as i64));
            let lanes = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
            let left = _mm512_add_epi64(lanes, _mm512_set1_epi64(first as i64));
            let right = _mm512_sub_epi64(_mm512_set1_epi64(64), left);
            let carry = _mm512_srlv_epi64(x, right);
            let over = _mm512_clmulepi64_epi128::<0>(_mm512_bsrli_epi128::<8>(carry), reduction());
            let shifted =
                _mm512_xor_si512(_mm512_sllv_epi64(x, left), _mm512_bslli_epi128::<8>(carry));
            _mm512_xor_si512(shifted, over)
        }
    }

    #[inline(always)]
    fn times_bytes<const BYTES: i32>(self, x: __m512i) -> __m512i {
        // SAFETY: as above.
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
        // SAFETY: as above.
        unsafe { _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(reverse())) }
    }

    #[inline(always)]
    fn following(self, x: __m512i, y: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_alignr_epi64::<2>(y, x) }
    }

    #[inline(always)]
    fn lane(self, x: __m512i, lane: usize) -> u128 {
        let mut blocks = [[0; 16]; 4];
        // SAFETY: as above; there is room for 64 bytes.
        unsafe { _mm512_storeu_si512(blocks.as_mut_ptr().cast(), x) };
        u128::from_be_bytes(blocks[lane])
    }

    #[inline(always)]
    fn each(self, blocks: &mut [u128]) {
        self.single.each(blocks);
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

/// The mask of the words of 8 bytes that `part` holds, at most eight.
#[inline(always)]
fn words(part: &[u8]) -> u8 {
    ((1_u32 << (part.len() / 8).min(8)) - 1) as u8
}

/// The field polynomial in every lane.
#[inline(always)]
fn reduction() -> __m512i {
    // SAFETY: called where `Vaes` is.
    unsafe { _mm512_broadcast_i32x4(_mm_set_epi64x(0, REDUCTION.into())) }
}
