// SPDX-License-Identifier: Apache-2.0
//! BLAKE2b on one string with AVX-512VL: a row of the work vector a register, so that the four functions G of a step are made
//! at once.

use super::blake2b::{IV, SIGMA, Schedule};
use crate::compress::function::{Call, Compress, OneRun};
use aead::consts::U64;
use core::arch::x86_64::*;

/// h becomes F'(h, key || data).
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn call<F: Compress<ChainSize = U64>>(Schedule(key): &Schedule, call: &mut Call<F>) {
    let h = compress(words(key), read(&call.h.0), read(&call.data.0));
    write(&mut call.h.0, h);
}

/// Does what [`Run`](crate::compress::function::Run) says for one lane.
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn run<F: Compress<ChainSize = U64>>(Schedule(key): &Schedule, run: OneRun<'_, F>) {
    let addend = run.addend.as_chunks().0;
    let texts = run.text.as_chunks_mut().0.iter_mut();
    let mut h = read(&run.h.0);
    let mut mask = read(&run.mask.0);
    for (block, (text, increment)) in texts.zip(run.increments).enumerate() {
        let before = read(text);
        let after = _mm512_xor_si512(before, h);
        write(text, after);
        mask = _mm512_xor_si512(mask, read(&increment.0));
        h = _mm512_xor_si512(h, mask);
        if let Some(addend) = addend.get(block) {
            h = _mm512_xor_si512(h, read(addend));
        }
        h = compress(words(key), h, if run.open { after } else { before });
    }
    write(&mut run.h.0, h);
    write(&mut run.mask.0, mask);
}

/// Where the message words of the two halves of each round are for the four lanes: those of the first additions, then
/// those of the second. In the second half lane j has diagonal j - 1, see `half`.
const WORDS: [[[u64; 8]; 2]; 10] = {
    let mut words = [[[0; 8]; 2]; 10];
    let mut round = 0;
    while round < words.len() {
        let mut lane = 0;
        while lane < 4 {
            let diagonal = (lane + 3) % 4;
            let mut second = 0;
            while second < 2 {
                words[round][0][4 * second + lane] = SIGMA[round][2 * lane + second] as u64;
                words[round][1][4 * second + lane] = SIGMA[round][8 + 2 * diagonal + second] as u64;
                second += 1;
            }
            lane += 1;
        }
        round += 1;
    }
    words
};

/// F'(chain, key || data)
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn compress(key: __m512i, chain: __m512i, data: __m512i) -> __m512i {
    let [a, b] = halves(chain);
    let [c, d] = halves(words(&IV));
    let mut v = [a, b, c, d];
    for round in WORDS.iter().chain(&WORDS[..2]) {
        half(
            &mut v,
            _mm512_permutex2var_epi64(key, words(&round[0]), data),
        );
        // Lane j gets the diagonal to which its word of the second row belongs: that row, which is the last one ready,
        // stays as it is.
        v[0] = _mm256_permute4x64_epi64::<0x93>(v[0]);
        v[2] = _mm256_permute4x64_epi64::<0x39>(v[2]);
        v[3] = _mm256_permute4x64_epi64::<0x4e>(v[3]);
        half(
            &mut v,
            _mm512_permutex2var_epi64(key, words(&round[1]), data),
        );
        v[0] = _mm256_permute4x64_epi64::<0x39>(v[0]);
        v[2] = _mm256_permute4x64_epi64::<0x93>(v[2]);
        v[3] = _mm256_permute4x64_epi64::<0x4e>(v[3]);
    }
    let [a, b, c, d] = v;
    let row = |low, high| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
    _mm512_ternarylogic_epi64::<0x96>(chain, row(a, b), row(c, d))
}

/// RFC 7693, section 3.1: the function G on four lanes.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn half([a, b, c, d]: &mut [__m256i; 4], message: __m512i) {
    let [x, y] = halves(message);
    *a = _mm256_add_epi64(_mm256_add_epi64(*a, x), *b);
    *d = _mm256_ror_epi64::<32>(_mm256_xor_si256(*d, *a));
    *c = _mm256_add_epi64(*c, *d);
    *b = _mm256_ror_epi64::<24>(_mm256_xor_si256(*b, *c));
    *a = _mm256_add_epi64(_mm256_add_epi64(*a, y), *b);
    *d = _mm256_ror_epi64::<16>(_mm256_xor_si256(*d, *a));
    *c = _mm256_add_epi64(*c, *d);
    *b = _mm256_ror_epi64::<63>(_mm256_xor_si256(*b, *c));
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn halves(x: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn words(words: &[u64; 8]) -> __m512i {
    // SAFETY: eight words have the 64 bytes that are read.
    unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn read(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are there.
    unsafe { _mm512_loadu_epi64(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn write(bytes: &mut [u8; 64], value: __m512i) {
    // SAFETY: 64 bytes are there.
    unsafe { _mm512_storeu_epi64(bytes.as_mut_ptr().cast(), value) }
}
