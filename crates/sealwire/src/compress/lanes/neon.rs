// SPDX-License-Identifier: Apache-2.0
//! 128-bit registers (NEON of AArch64): two lanes of 64-bit words, four of 32-bit words.

use super::words::Words;
use core::arch::aarch64::*;

/// Two lanes of 64-bit words; `SHA3`: with the instructions that were added for SHA-3.
#[derive(Clone, Copy)]
pub(super) struct U64x2<const SHA3: bool>(uint64x2_t);

/// Four lanes of 32-bit words.
#[derive(Clone, Copy)]
pub(super) struct U32x4(uint32x4_t);

/// Defines the methods of `Words` that are alike for words of any length.
macro_rules! logic {
    ($word:ident, $n:literal, $splat:ident, $add:ident, $xor:ident, $choose:ident, $left:ident, $signed:ident, $integer:ident) => {
        type Word = $word;
        type Row = [u8; $n];

        #[inline(always)]
        fn splat(self, word: $word) -> Self {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { $splat(word) })
        }

        #[inline(always)]
        fn spread(self, row: &[u8; $n]) -> [Self; 8] {
            let mut words = [self; 8];
            for (word, bytes) in words.iter_mut().zip(row.as_chunks().0) {
                *word = self.splat($word::from_ne_bytes(*bytes));
            }
            words
        }

        #[inline(always)]
        fn add(self, y: Self) -> Self {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { $add(self.0, y.0) })
        }

        #[inline(always)]
        fn xor(self, y: Self) -> Self {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { $xor(self.0, y.0) })
        }

        #[inline(always)]
        fn choose(self, y: Self, z: Self) -> Self {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { $choose(self.0, y.0, z.0) })
        }

        /// Where the first two agree they decide, else the third does.
        #[inline(always)]
        fn majority(self, y: Self, z: Self) -> Self {
            self.xor(y).choose(z, y)
        }

        /// A shift to the left by a negative number is one to the right.
        #[inline(always)]
        fn shift_right<const COUNT: u32>(self) -> Self {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { $left(self.0, $signed(-(COUNT as $integer))) })
        }

        #[inline(always)]
        fn little_endian(self) -> Self {
            self
        }
    };
}

impl<const SHA3: bool> Words<2> for U64x2<SHA3> {
    logic!(
        u64,
        64,
        vdupq_n_u64,
        vaddq_u64,
        veorq_u64,
        vbslq_u64,
        vshlq_u64,
        vdupq_n_s64,
        i64
    );

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        if SHA3 {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { sum(self.0, y.0, z.0) })
        } else {
            self.xor(y).xor(z)
        }
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe {
            match COUNT {
                16 => bytes(self.0, [2, 3, 4, 5, 6, 7, 0, 1]),
                24 => bytes(self.0, [3, 4, 5, 6, 7, 0, 1, 2]),
                32 => vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(self.0))),
                63 => vsriq_n_u64::<63>(vaddq_u64(self.0, self.0), self.0),
                _ => {
                    let left = vshlq_u64(self.0, vdupq_n_s64(64 - i64::from(COUNT)));
                    vsriq_n_u64::<COUNT>(left, self.0)
                }
            }
        })
    }

    #[inline(always)]
    fn xor_rotate<const COUNT: i32>(self, y: Self) -> Self {
        if SHA3 {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { xor_rotate::<COUNT>(self.0, y.0) })
        } else {
            self.xor(y).rotate::<COUNT>()
        }
    }

    #[inline(always)]
    fn big_endian(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(self.0))) })
    }

    #[inline(always)]
    unsafe fn load(rows: [*const [u8; 64]; 2]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and the 64 bytes of a row may be read.
        unsafe {
            let mut words = [Self(vdupq_n_u64(0)); 8];
            for i in 0..4 {
                let [x, y] = [
                    read(rows[0].byte_add(16 * i)),
                    read(rows[1].byte_add(16 * i)),
                ];
                words[2 * i] = Self(vtrn1q_u64(x, y));
                words[2 * i + 1] = Self(vtrn2q_u64(x, y));
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], rows: [*mut [u8; 64]; 2]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and the 64 bytes of a row may be written.
        unsafe {
            for i in 0..4 {
                let (x, y) = (words[2 * i].0, words[2 * i + 1].0);
                write(rows[0].byte_add(16 * i), vtrn1q_u64(x, y));
                write(rows[1].byte_add(16 * i), vtrn2q_u64(x, y));
            }
        }
    }
}

impl Words<4> for U32x4 {
    logic!(
        u32,
        32,
        vdupq_n_u32,
        vaddq_u32,
        veorq_u32,
        vbslq_u32,
        vshlq_u32,
        vdupq_n_s32,
        i32
    );

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        self.xor(y).xor(z)
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe {
            let left = vshlq_u32(self.0, vdupq_n_s32(32 - COUNT));
            vsriq_n_u32::<COUNT>(left, self.0)
        })
    }

    #[inline(always)]
    fn big_endian(self) -> Self {
        // SAFETY: `self` is here, so the CPU has the instructions.
        Self(unsafe { vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(self.0))) })
    }

    #[inline(always)]
    unsafe fn load(rows: [*const [u8; 32]; 4]) -> [Self; 8] {
        // SAFETY: the caller knows the CPU, and the 32 bytes of a row may be read.
        unsafe {
            let mut words = [Self(vdupq_n_u32(0)); 8];
            for (i, words) in words.as_chunks_mut().0.iter_mut().enumerate() {
                let [x, y, z, w] = transpose([
                    read(rows[0].byte_add(16 * i)),
                    read(rows[1].byte_add(16 * i)),
                    read(rows[2].byte_add(16 * i)),
                    read(rows[3].byte_add(16 * i)),
                ]);
                *words = [Self(x), Self(y), Self(z), Self(w)];
            }
            words
        }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 8], rows: [*mut [u8; 32]; 4]) {
        // SAFETY: `words` are here, so the CPU has the instructions, and the 32 bytes of a row may be written.
        unsafe {
            for (i, [x, y, z, w]) in words.as_chunks().0.iter().enumerate() {
                let [x, y, z, w] =
                    transpose([x, y, z, w].map(|word| vreinterpretq_u64_u32(word.0)));
                write(rows[0].byte_add(16 * i), vreinterpretq_u64_u32(x));
                write(rows[1].byte_add(16 * i), vreinterpretq_u64_u32(y));
                write(rows[2].byte_add(16 * i), vreinterpretq_u64_u32(z));
                write(rows[3].byte_add(16 * i), vreinterpretq_u64_u32(w));
            }
        }
    }
}

// Intrinsics that only some CPUs have must be called from a function that has their features, or they are not inlined.

/// x + y + z in GF(2)
#[inline]
#[target_feature(enable = "sha3")]
fn sum(x: uint64x2_t, y: uint64x2_t, z: uint64x2_t) -> uint64x2_t {
    veor3q_u64(x, y, z)
}

/// x + y in GF(2), rotated to the right.
#[inline]
#[target_feature(enable = "sha3")]
fn xor_rotate<const COUNT: i32>(x: uint64x2_t, y: uint64x2_t) -> uint64x2_t {
    vxarq_u64::<COUNT>(x, y)
}

/// The bytes of each word in another order.
///
/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn bytes(x: uint64x2_t, order: [u8; 8]) -> uint64x2_t {
    let places = u64::from_le_bytes(order);
    // SAFETY: the caller's promise.
    unsafe {
        let places = vcombine_u64(
            vcreate_u64(places),
            vcreate_u64(places + 0x0808_0808_0808_0808),
        );
        vreinterpretq_u64_u8(vqtbl1q_u8(
            vreinterpretq_u8_u64(x),
            vreinterpretq_u8_u64(places),
        ))
    }
}

/// The transpose of 4 by 4 words of 32 bits.
///
/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn transpose(rows: [uint64x2_t; 4]) -> [uint32x4_t; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let [a, b, c, d] = rows.map(|row| vreinterpretq_u32_u64(row));
        let pairs = [
            vtrn1q_u32(a, b),
            vtrn2q_u32(a, b),
            vtrn1q_u32(c, d),
            vtrn2q_u32(c, d),
        ];
        let [ab, ab_2, cd, cd_2] = pairs.map(|pair| vreinterpretq_u64_u32(pair));
        [
            vreinterpretq_u32_u64(vtrn1q_u64(ab, cd)),
            vreinterpretq_u32_u64(vtrn1q_u64(ab_2, cd_2)),
            vreinterpretq_u32_u64(vtrn2q_u64(ab, cd)),
            vreinterpretq_u32_u64(vtrn2q_u64(ab_2, cd_2)),
        ]
    }
}

/// # Safety
/// The CPU has NEON, and 16 bytes may be read.
#[inline(always)]
unsafe fn read<T>(at: *const T) -> uint64x2_t {
    // SAFETY: the caller's promise; bytes need no alignment.
    unsafe { vreinterpretq_u64_u8(vld1q_u8(at.cast())) }
}

/// # Safety
/// The CPU has NEON, and 16 bytes may be written.
#[inline(always)]
unsafe fn write<T>(at: *mut T, x: uint64x2_t) {
    // SAFETY: the caller's promise; bytes need no alignment.
    unsafe { vst1q_u8(at.cast(), vreinterpretq_u8_u64(x)) }
}
