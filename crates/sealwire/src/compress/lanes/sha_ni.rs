// SPDX-License-Identifier: Apache-2.0
//! SHA-256 with the SHA instructions of x86-64, one message or two in turn: a round waits for the one before, and meanwhile
//! the CPU works on the other message.

use super::sha2::{K256, Schedule};
use super::words::each;
use crate::compress::function::{Call, Chain, Compress, RUN, Run};
use aead::consts::U32;
use core::arch::x86_64::*;
use core::array::from_fn;

/// h becomes F'(h, key || data) in all of `calls`.
#[target_feature(enable = "sha,avx")]
pub(super) fn calls<F: Compress<ChainSize = U32>>(key: Key<'_>, calls: &mut [Call<F>]) {
    let (pairs, rest) = calls.as_chunks_mut();
    for pair in pairs {
        calls_in_turn::<F, 2>(key, pair);
    }
    for call in rest {
        calls_in_turn(key, core::array::from_mut(call));
    }
}

#[inline]
#[target_feature(enable = "sha,avx")]
fn calls_in_turn<F, const L: usize>(key: Key<'_>, calls: &mut [Call<F>; L])
where
    F: Compress<ChainSize = U32>,
{
    let mut h = [State {
        abef: ZERO,
        cdgh: ZERO,
    }; L];
    let mut data = [[ZERO; 2]; L];
    for (lane, call) in calls.iter().enumerate() {
        h[lane] = State::load(&call.h.0);
        data[lane] = read(&call.data.0);
    }
    let h = key.call(h, data);
    for (call, h) in calls.iter_mut().zip(h) {
        write(&mut call.h.0, h.bytes());
    }
}

/// Does what [`Run`] says, two lanes at a time.
#[target_feature(enable = "sha,avx")]
pub(super) fn run<F: Compress<ChainSize = U32>>(key: Key<'_>, all: &mut Run<'_, '_, F>) {
    let count = all.lanes();
    for first in (0..count).step_by(2) {
        match (first + 1 < count, all.open) {
            (true, false) => in_turn::<F, 2, false>(key, all, first),
            (true, true) => in_turn::<F, 2, true>(key, all, first),
            (false, false) => in_turn::<F, 1, false>(key, all, first),
            (false, true) => in_turn::<F, 1, true>(key, all, first),
        }
    }
}

/// `L` of the lanes, from `first` on.
#[inline]
#[target_feature(enable = "sha,avx")]
fn in_turn<F, const L: usize, const OPEN: bool>(
    key: Key<'_>,
    all: &mut Run<'_, '_, F>,
    first: usize,
) where
    F: Compress<ChainSize = U32>,
{
    let calls: &mut [Call<F>; L] = all.calls[first..].first_chunk_mut().expect(ENOUGH);
    let texts: &mut [&mut [u8]; L] = all.texts[first..].first_chunk_mut().expect(ENOUGH);
    let texts = texts
        .each_mut()
        .map(|text| &mut text.as_chunks_mut().0[..all.blocks]);
    let masks: &mut [Chain<F>; L] = all.masks[first..].first_chunk_mut().expect(ENOUGH);
    let increments: &[&[&Chain<F>; RUN]; L] = all.increments[first..].first_chunk().expect(ENOUGH);
    let addends = from_fn::<_, L, _>(|lane| all.addends[first + lane].as_chunks().0);

    let mut h = [State {
        abef: ZERO,
        cdgh: ZERO,
    }; L];
    let mut mask = h;
    for lane in 0..L {
        h[lane] = State::load(&calls[lane].h.0);
        mask[lane] = State::load(&masks[lane].0);
    }
    for block in 0..all.blocks {
        let mut data = [[ZERO; 2]; L];
        for lane in 0..L {
            let text = &mut texts[lane][block];
            let before = read(text);
            let after = xor(before, h[lane].bytes());
            write(text, after);
            data[lane] = if OPEN { after } else { before };
            mask[lane].add(State::load(&increments[lane][block].0));
            h[lane].add(mask[lane]);
            if let Some(addend) = addends[lane].get(block) {
                h[lane].add(State::load(addend));
            }
        }
        h = key.call(h, data);
    }
    for lane in 0..L {
        write(&mut calls[lane].h.0, h[lane].bytes());
        write(&mut masks[lane].0, mask[lane].bytes());
    }
}

const ENOUGH: &str = "so many lanes";
// SAFETY: any 128 bits are a value.
const ZERO: __m128i = unsafe { core::mem::transmute([0_u8; 16]) };

/// A chaining value as the instructions take it.
#[derive(Clone, Copy)]
struct State {
    /// Words a, b, e and f, the first one highest.
    abef: __m128i,
    /// Words c, d, g and h.
    cdgh: __m128i,
}

impl State {
    #[inline]
    #[target_feature(enable = "sha,avx")]
    fn load(bytes: &[u8; 32]) -> Self {
        let [abcd, efgh] = read(bytes).map(|x| _mm_shuffle_epi8(x, reversed()));
        Self {
            abef: _mm_unpackhi_epi64(efgh, abcd),
            cdgh: _mm_unpacklo_epi64(efgh, abcd),
        }
    }

    /// The inverse of `load`.
    #[inline]
    #[target_feature(enable = "sha,avx")]
    fn bytes(self) -> [__m128i; 2] {
        let abcd = _mm_unpackhi_epi64(self.cdgh, self.abef);
        let efgh = _mm_unpacklo_epi64(self.cdgh, self.abef);
        [abcd, efgh].map(|x| _mm_shuffle_epi8(x, reversed()))
    }

    /// In GF(2)
    #[inline]
    #[target_feature(enable = "sha,avx")]
    fn add(&mut self, y: Self) {
        self.abef = _mm_xor_si128(self.abef, y.abef);
        self.cdgh = _mm_xor_si128(self.cdgh, y.cdgh);
    }
}

/// The key as it is and what follows from it.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) bytes: &'a [u8; 32],
    pub(super) schedule: &'a Schedule<u32>,
}

impl Key<'_> {
    /// F'(h, key || data) of each message.
    #[inline]
    #[target_feature(enable = "sha,avx")]
    fn call<const L: usize>(self, h: [State; L], data: [[__m128i; 2]; L]) -> [State; L] {
        let mut s = h;
        let (with_constants, _) = self.schedule.with_constants.as_chunks();
        for kw in with_constants {
            for s in &mut s {
                four_rounds(s, four(kw));
            }
        }
        // The last sixteen words of the message schedule. The first step of the expansion is made in advance, of the
        // key's here, of the others as soon as nothing needs the words themselves.
        let (early, _) = self.schedule.early.as_chunks();
        let early = four(&early[0]);
        let key = _mm_shuffle_epi8(read(self.bytes)[1], big_endian());
        let mut w = [[early; 4]; L];
        for (w, data) in w.iter_mut().zip(data) {
            w[2] = _mm_shuffle_epi8(data[0], big_endian());
            w[3] = _mm_shuffle_epi8(data[1], big_endian());
            w[1] = _mm_sha256msg1_epu32(key, w[2]);
        }
        each!(I in [2 3] {
            for lane in 0..L {
                four_rounds(&mut s[lane], _mm_add_epi32(w[lane][I], constants(I)));
            }
        });
        each!(I in [4 5 6 7 8 9 10 11 12 13 14 15] {
            for lane in 0..L {
                let w = &mut w[lane];
                let (at, one_ago, two_ago) = (I % 4, (I + 3) % 4, (I + 2) % 4);
                let seven_ago = _mm_alignr_epi8::<4>(w[one_ago], w[two_ago]);
                w[at] = _mm_sha256msg2_epu32(_mm_add_epi32(w[at], seven_ago), w[one_ago]);
                four_rounds(&mut s[lane], _mm_add_epi32(w[at], constants(I)));
                if I < 14 {
                    w[two_ago] = _mm_sha256msg1_epu32(w[two_ago], w[one_ago]);
                }
            }
        });
        for (s, h) in s.iter_mut().zip(h) {
            s.abef = _mm_add_epi32(s.abef, h.abef);
            s.cdgh = _mm_add_epi32(s.cdgh, h.cdgh);
        }
        s
    }
}

/// Four rounds, `kw` = K + W of each.
#[inline]
#[target_feature(enable = "sha,avx")]
fn four_rounds(s: &mut State, kw: __m128i) {
    s.cdgh = _mm_sha256rnds2_epu32(s.cdgh, s.abef, kw);
    s.abef = _mm_sha256rnds2_epu32(s.abef, s.cdgh, _mm_shuffle_epi32::<0x0e>(kw));
}

/// The constants K of four rounds.
#[inline]
#[target_feature(enable = "sha,avx")]
fn constants(i: usize) -> __m128i {
    four(&K256.as_chunks().0[i])
}

#[inline]
#[target_feature(enable = "sha,avx")]
fn four(words: &[u32; 4]) -> __m128i {
    // SAFETY: four words have the 16 bytes that are read.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

/// The order of bytes that makes big-endian words.
#[inline]
#[target_feature(enable = "sha,avx")]
fn big_endian() -> __m128i {
    _mm_set_epi64x(0x0c0d_0e0f_0809_0a0b, 0x0405_0607_0001_0203)
}

/// The order of bytes that makes big-endian words, the first word highest.
#[inline]
#[target_feature(enable = "sha,avx")]
fn reversed() -> __m128i {
    _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f)
}

#[inline]
#[target_feature(enable = "sha,avx")]
fn xor(x: [__m128i; 2], y: [__m128i; 2]) -> [__m128i; 2] {
    [_mm_xor_si128(x[0], y[0]), _mm_xor_si128(x[1], y[1])]
}

#[inline]
#[target_feature(enable = "sha,avx")]
fn read(bytes: &[u8; 32]) -> [__m128i; 2] {
    let at = bytes.as_ptr().cast::<__m128i>();
    // SAFETY: the two have the 32 bytes.
    unsafe { [_mm_loadu_si128(at), _mm_loadu_si128(at.add(1))] }
}

#[inline]
#[target_feature(enable = "sha,avx")]
fn write(bytes: &mut [u8; 32], [first, second]: [__m128i; 2]) {
    let at = bytes.as_mut_ptr().cast::<__m128i>();
    // SAFETY: the two have the 32 bytes.
    unsafe {
        _mm_storeu_si128(at, first);
        _mm_storeu_si128(at.add(1), second);
    }
}
