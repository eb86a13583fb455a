// SPDX-License-Identifier: Apache-2.0
//! AES-NI and AVX2: one block a register, eight in flight.

use super::number::{self, REDUCTION};
use super::{Cipher, Engine};
use crate::cpu;
use core::arch::{asm, x86_64::*};
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The key before the first round and after every round; the rest is unused.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
#[repr(align(16))]
pub(super) struct RoundKeys([[u8; 16]; 15]);

impl RoundKeys {
    /// The key expansion of FIPS 197, section 5.2. `None` if the CPU cannot.
    pub(super) fn new<A: Cipher>(key: &[u8]) -> Option<Self> {
        // SAFETY: the CPU has AES-NI.
        cpu::has_aesni().then(|| unsafe { Self::expand::<A>(key) })
    }

    #[target_feature(enable = "aes,avx2")]
    fn expand<A: Cipher>(key: &[u8]) -> Self {
        let step = key.len() / 4;
        let mut words = [0; 60];
        for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let mut constant = 1;
        for i in step..4 * (A::ROUNDS + 1) {
            let before = words[i - 1];
            let change = if i % step == 0 {
                let change = substitute(before.rotate_right(8)) ^ constant;
                constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
                change
            } else if step == 8 && i % 8 == 4 {
                substitute(before)
            } else {
                before
            };
            words[i] = words[i - step] ^ change;
        }
        let mut keys = Self([[0; 16]; 15]);
        for (bytes, word) in keys
            .0
            .as_flattened_mut()
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(words)
        {
            *bytes = word.to_le_bytes();
        }
        words.zeroize();
        if A::INVERSE {
            // The equivalent inverse cipher of FIPS 197, section 5.3.5.
            keys.0[..=A::ROUNDS].reverse();
            for key in &mut keys.0[1..A::ROUNDS] {
                // SAFETY: this function has the features; both have 16 bytes.
                unsafe {
                    let x = _mm_loadu_si128(key.as_ptr().cast());
                    _mm_storeu_si128(key.as_mut_ptr().cast(), _mm_aesimc_si128(x));
                }
            }
        }
        keys
    }

    /// # Safety
    /// Vectors must be available; every x86-64 has them.
    #[inline(always)]
    pub(super) unsafe fn get(&self, round: usize) -> __m128i {
        // SAFETY: 16 bytes.
        unsafe { _mm_loadu_si128(self.0[round].as_ptr().cast()) }
    }
}

/// The S-box on each byte: with four equal words ShiftRows changes nothing.
#[target_feature(enable = "aes,avx2")]
fn substitute(word: u32) -> u32 {
    let words = _mm_set1_epi32(word.cast_signed());
    _mm_cvtsi128_si32(_mm_aesenclast_si128(words, _mm_setzero_si128())).cast_unsigned()
}

/// AES-NI under a key.
pub(super) struct AesNi<'a, A> {
    keys: &'a RoundKeys,
    cipher: PhantomData<A>,
}

impl<A> Clone for AesNi<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for AesNi<'_, A> {}

impl<'a, A: Cipher> AesNi<'a, A> {
    /// # Safety
    /// The CPU must have what `available` asks for, and the caller must be compiled for it.
    #[inline(always)]
    pub(super) unsafe fn new(keys: &'a RoundKeys) -> Self {
        Self {
            keys,
            cipher: PhantomData,
        }
    }
}

/// A block as a register has it, first byte first, from its number.
///
/// # Safety
/// The condition of [`AesNi::new`] holds.
#[inline(always)]
unsafe fn to_block(x: u128) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe { _mm_shuffle_epi8(_mm_set_epi64x((x >> 64) as i64, x as i64), reverse()) }
}

/// The number of a block that a register has.
///
/// # Safety
/// The condition of [`AesNi::new`] holds.
#[inline(always)]
unsafe fn to_number(block: __m128i) -> u128 {
    // SAFETY: the caller's promise.
    unsafe {
        let x = _mm_shuffle_epi8(block, reverse());
        let [low, high] = [_mm_cvtsi128_si64(x), _mm_extract_epi64::<1>(x)].map(i64::cast_unsigned);
        u128::from(high) << 64 | u128::from(low)
    }
}

/// The number 2^power · x.
///
/// # Safety
/// The condition of [`AesNi::new`] holds.
#[inline(always)]
unsafe fn times_number(x: __m128i, power: usize) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe {
        let carry = _mm_srl_epi64(x, _mm_cvtsi64_si128(64 - power as i64));
        let over = _mm_clmulepi64_si128::<0>(_mm_srli_si128::<8>(carry), reduction());
        let shifted = _mm_sll_epi64(x, _mm_cvtsi64_si128(power as i64));
        _mm_xor_si128(_mm_xor_si128(shifted, _mm_slli_si128::<8>(carry)), over)
    }
}

// SAFETY of all that follows: `self` is here, so the CPU has the instructions.
impl<A: Cipher> Engine for AesNi<'_, A> {
    type Block = __m128i;
    type Vector = __m128i;
    const LANES: usize = 1;
    #[cfg(test)]
    const NAME: &'static str = "AES-NI";

    #[inline(always)]
    fn read(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions; there are 16 bytes.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn write(self, x: __m128i) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: `self` is here, so the CPU has the instructions; there is room for 16 bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), x) };
        bytes
    }

    #[inline(always)]
    fn read_some(self, bytes: &[u8]) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { to_block(number::head(bytes)) }
    }

    #[inline(always)]
    fn write_some(self, x: __m128i, bytes: &mut [u8]) {
        // SAFETY: `self` is here, so the CPU has the instructions.
        number::put_head(unsafe { to_number(x) }, bytes);
    }

    #[inline(always)]
    fn pad(self, x: __m128i, len: usize) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { to_block(number::pad(to_number(x), len)) }
    }

    #[inline(always)]
    fn plus(self, x: __m128i, y: __m128i) -> __m128i {
        self.sum(x, y)
    }

    #[inline(always)]
    fn times(self, x: __m128i, power: u32) -> __m128i {
        self.masks(self.powers(x, power as usize))
    }

    #[inline(always)]
    fn each<const N: usize>(self, x: &mut [__m128i; N]) {
        self.blocks(x, &[self.zero(); N], &[self.zero(); N]);
    }

    #[inline(always)]
    fn blocks<const N: usize>(
        self,
        x: &mut [__m128i; N],
        before: &[__m128i; N],
        after: &[__m128i; N],
    ) {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            let first = self.keys.get(0);
            for i in 0..N {
                x[i] = _mm_xor_si128(_mm_xor_si128(x[i], before[i]), first);
            }
            for round in 1..A::ROUNDS {
                let key = self.keys.get(round);
                for x in &mut *x {
                    *x = if A::INVERSE {
                        _mm_aesdec_si128(*x, key)
                    } else {
                        _mm_aesenc_si128(*x, key)
                    };
                }
            }
            let last = self.keys.get(A::ROUNDS);
            for i in 0..N {
                let last = _mm_xor_si128(last, after[i]);
                x[i] = if A::INVERSE {
                    _mm_aesdeclast_si128(x[i], last)
                } else {
                    _mm_aesenclast_si128(x[i], last)
                };
            }
        }
    }

    #[inline(always)]
    fn together<const N: usize>(self, x: &mut [__m128i; N]) {
        if let Some([a, b, c, d, e, f, g, h]) = x.first_chunk_mut() {
            // SAFETY: there is no instruction; the CPU has the registers.
            unsafe {
                asm!(
                    "/* {} {} {} {} {} {} {} {} */",
                    inout(xmm_reg) * a,
                    inout(xmm_reg) * b,
                    inout(xmm_reg) * c,
                    inout(xmm_reg) * d,
                    inout(xmm_reg) * e,
                    inout(xmm_reg) * f,
                    inout(xmm_reg) * g,
                    inout(xmm_reg) * h,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
        }
    }

    #[inline(always)]
    fn zero(self) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_setzero_si128() }
    }

    #[inline(always)]
    fn sum(self, x: __m128i, y: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_xor_si128(x, y) }
    }

    #[inline(always)]
    fn fold(self, x: __m128i) -> __m128i {
        x
    }

    #[inline(always)]
    fn keep(self, x: __m128i, count: usize) -> __m128i {
        if count == 0 { self.zero() } else { x }
    }

    #[inline(always)]
    fn load(self, text: &[u8]) -> __m128i {
        let block: &[u8; 16] = text.first_chunk().expect("a whole block");
        // SAFETY: `self` is here, so the CPU has the instructions; `block` has 16 bytes.
        unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_some(self, text: &[u8]) -> __m128i {
        if text.is_empty() {
            self.zero()
        } else {
            self.load(text)
        }
    }

    #[inline(always)]
    fn spread(self, x: __m128i) -> __m128i {
        x
    }

    #[inline(always)]
    fn store(self, x: __m128i, text: &mut [u8]) {
        if let Some(block) = text.first_chunk_mut::<16>() {
            // SAFETY: `self` is here, so the CPU has the instructions; `block` has 16 bytes.
            unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), x) };
        }
    }

    #[inline(always)]
    fn load_pairs(self, text: &[u8]) -> [__m128i; 2] {
        [self.load(text), self.load(&text[16..])]
    }

    #[inline(always)]
    fn load_some_pairs(self, text: &[u8]) -> [__m128i; 2] {
        if text.is_empty() {
            [self.zero(); 2]
        } else {
            self.load_pairs(text)
        }
    }

    #[inline(always)]
    fn store_pairs(self, pairs: [__m128i; 2], text: &mut [u8]) {
        let (blocks, _) = text.as_chunks_mut::<16>();
        for (block, x) in blocks.iter_mut().zip(pairs) {
            // SAFETY: `self` is here, so the CPU has the instructions; `block` has 16 bytes.
            unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), x) };
        }
    }

    #[inline(always)]
    fn powers(self, x: __m128i, first: usize) -> __m128i {
        // Blocks and numbers change into one another by the same shuffle.
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { times_number(self.masks(x), first) }
    }

    #[inline(always)]
    fn times_bytes<const BYTES: i32>(self, x: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // The constants of the two shifts must be literals.
            let (shifted, top) = match BYTES {
                1 => (_mm_slli_si128::<1>(x), _mm_srli_si128::<15>(x)),
                _ => (_mm_slli_si128::<2>(x), _mm_srli_si128::<14>(x)),
            };
            _mm_xor_si128(shifted, _mm_clmulepi64_si128::<0>(top, reduction()))
        }
    }

    #[inline(always)]
    fn masks(self, x: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe { _mm_shuffle_epi8(x, reverse()) }
    }

    #[inline(always)]
    fn following(self, _x: __m128i, y: __m128i) -> __m128i {
        y
    }

    #[inline(always)]
    fn preceding(self, x: __m128i, _y: __m128i) -> __m128i {
        x
    }

    #[inline(always)]
    fn last(self, x: __m128i) -> __m128i {
        x
    }

    #[inline(always)]
    fn sums(self, x: __m128i) -> __m128i {
        x
    }

    #[inline(always)]
    fn twice(self, x: __m128i) -> __m128i {
        // SAFETY: `self` is here, so the CPU has the instructions.
        unsafe {
            // What falls out at the top of each half: to the other, and to the polynomial.
            let signs = _mm_shuffle_epi32::<0b01_01_11_11>(_mm_srai_epi32::<31>(x));
            let carry = _mm_and_si128(signs, _mm_set_epi64x(1, REDUCTION.into()));
            _mm_xor_si128(_mm_add_epi64(x, x), carry)
        }
    }

    #[inline(always)]
    fn rising_sums(self, x: __m128i) -> __m128i {
        x
    }

    #[inline(always)]
    fn rising(self, x: __m128i) -> __m128i {
        self.twice(x)
    }

    #[inline(always)]
    fn lane<const N: usize>(self, x: &[__m128i; N], lane: usize) -> __m128i {
        let mut found = x[0];
        for (i, x) in x.iter().enumerate() {
            if i == lane {
                found = *x;
            }
        }
        found
    }
}

/// The last byte first.
#[inline(always)]
pub(super) fn reverse() -> __m128i {
    // SAFETY: every x86-64 has this instruction.
    unsafe { _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f) }
}

/// The field polynomial.
#[inline(always)]
pub(super) fn reduction() -> __m128i {
    // SAFETY: every x86-64 has this instruction.
    unsafe { _mm_set_epi64x(0, REDUCTION.into()) }
}
