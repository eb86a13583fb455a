// SPDX-License-Identifier: Apache-2.0
//! The compression function of BLAKE2b (RFC 7693, section 3.2; t = 0, no final block) in lanes.

use super::words::{Kernel, Words, each};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// RFC 7693, section 2.6: the initial value, here only the lower half of the work vector.
pub(in crate::compress) const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// RFC 7693, section 2.7: the message word schedule. Rounds 10 and 11 use rows 0 and 1 again.
pub(in crate::compress) const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The key's words.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Schedule(pub(super) [u64; 8]);

/// BLAKE2b's compression function.
pub enum Blake2b {}

impl Kernel for Blake2b {
    type Word = u64;
    type Row = [u8; 64];
    type Schedule = Schedule;
    const FEWEST_LANES: usize = 2;

    fn schedule(key: &[u8; 64]) -> Schedule {
        let (words, _) = key.as_chunks();
        Schedule(core::array::from_fn(|i| u64::from_le_bytes(words[i])))
    }

    #[inline(always)]
    fn order<V: Words<L, Word = u64>, const L: usize>(word: V) -> V {
        word.little_endian()
    }

    #[inline(always)]
    fn call<V: Words<L, Word = u64>, const L: usize>(
        Schedule(key): &Schedule,
        chain: [V; 8],
        data: [V; 8],
    ) -> [V; 8] {
        let mut m = [chain[0].splat(0); 16];
        let mut v = m;
        for i in 0..8 {
            m[i] = chain[i].splat(key[i]);
            m[i + 8] = data[i];
            v[i] = chain[i];
            v[i + 8] = chain[i].splat(IV[i]);
        }
        // Written out, so that every word's index is a constant to the compiler.
        round(&mut v, &m, &SIGMA[0]);
        round(&mut v, &m, &SIGMA[1]);
        round(&mut v, &m, &SIGMA[2]);
        round(&mut v, &m, &SIGMA[3]);
        round(&mut v, &m, &SIGMA[4]);
        round(&mut v, &m, &SIGMA[5]);
        round(&mut v, &m, &SIGMA[6]);
        round(&mut v, &m, &SIGMA[7]);
        round(&mut v, &m, &SIGMA[8]);
        round(&mut v, &m, &SIGMA[9]);
        round(&mut v, &m, &SIGMA[0]);
        round(&mut v, &m, &SIGMA[1]);
        let mut digest = chain;
        for i in 0..8 {
            digest[i] = chain[i].xor3(v[i], v[i + 8]);
        }
        digest
    }
}

#[inline(always)]
fn round<V: Words<L>, const L: usize>(v: &mut [V; 16], m: &[V; 16], s: &[usize; 16]) {
    half(v, [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], |i| {
        m[s[i]]
    });
    half(v, [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14], |i| {
        m[s[8 + i]]
    });
}

/// The function G on the columns, or the diagonals, a step of all four at a time.
#[inline(always)]
fn half<V: Words<L>, const L: usize>(
    v: &mut [V; 16],
    b: [usize; 4],
    c: [usize; 4],
    d: [usize; 4],
    m: impl Fn(usize) -> V,
) {
    each!(I in [0 1 2 3] {
        v[I] = v[I].add(m(2 * I)).add(v[b[I]]);
    });
    each!(I in [0 1 2 3] {
        v[d[I]] = v[d[I]].xor_rotate::<32>(v[I]);
    });
    each!(I in [0 1 2 3] {
        v[c[I]] = v[c[I]].add(v[d[I]]);
    });
    each!(I in [0 1 2 3] {
        v[b[I]] = v[b[I]].xor_rotate::<24>(v[c[I]]);
    });
    each!(I in [0 1 2 3] {
        v[I] = v[I].add(m(2 * I + 1)).add(v[b[I]]);
    });
    each!(I in [0 1 2 3] {
        v[d[I]] = v[d[I]].xor_rotate::<16>(v[I]);
    });
    each!(I in [0 1 2 3] {
        v[c[I]] = v[c[I]].add(v[d[I]]);
    });
    each!(I in [0 1 2 3] {
        v[b[I]] = v[b[I]].xor_rotate::<63>(v[c[I]]);
    });
}
