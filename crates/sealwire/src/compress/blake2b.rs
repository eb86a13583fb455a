// SPDX-License-Identifier: Apache-2.0
//! The BLAKE2b compression function (RFC 7693, section 3.2) with offset counter t = 0 and no final-block flag.

use super::function::{Block, Call, Chain, Compress, Run};
use super::lanes::{self, IV, Kernel, SIGMA};
use aead::consts::{U64, U128};
use zeroize::Zeroize;

/// BLAKE2b's compression function with t = 0 and f = 0: n = 64 bytes, words little-endian.
#[derive(Clone, Copy, Debug)]
pub enum Blake2b {}

impl Compress for Blake2b {
    type ChainSize = U64;
    type BlockSize = U128;
    const NAME: &'static str = "blake2b";
    const REDUCTION: u16 = 0x125; // x^512 + x^8 + x^5 + x^2 + 1

    #[inline]
    fn compress(h: &mut Chain<Self>, block: &Block<Self>) {
        compress_bytes(&mut h.0, &block.0, 0, 0);
    }

    type Schedule = <lanes::Blake2b as Kernel>::Schedule;

    fn width(streams: usize) -> usize {
        lanes::width(streams, lanes::pairs_blake2b::<Self>)
    }

    fn schedule(key: &Chain<Self>) -> Self::Schedule {
        lanes::Blake2b::schedule(&key.0)
    }

    fn calls(key: &Self::Schedule, calls: &mut [Call<Self>], active: usize) {
        let done = lanes::calls_64::<Self, lanes::Blake2b>(key, calls, active);
        for call in &mut calls[done..active] {
            lanes::call_one_blake2b(key, call);
        }
    }

    fn run(key: &Self::Schedule, mut run: Run<'_, '_, Self>) {
        if run.lanes() == 1 {
            return lanes::run_one_blake2b(key, run);
        }
        if !lanes::run_64::<Self, lanes::Blake2b>(key, &mut run) {
            run.stepwise(key);
        }
    }
}

/// F'(h, block) over BLAKE2b's compression function, t = 0 and f = 0.
#[must_use]
pub fn blake2b(h: &[u8; 64], block: &[u8; 128]) -> [u8; 64] {
    let mut h = *h;
    compress_bytes(&mut h, block, 0, 0);
    h
}

/// RFC 7693, section 3.1: the mixing function G on words a, b, c, d of the work vector.
#[inline(always)]
fn mix(v: &mut [u64; 16], [a, b, c, d]: [usize; 4], x: u64, y: u64) {
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(x);
    v[d] = (v[d] ^ v[a]).rotate_right(32);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(24);
    v[a] = v[a].wrapping_add(v[b]).wrapping_add(y);
    v[d] = (v[d] ^ v[a]).rotate_right(16);
    v[c] = v[c].wrapping_add(v[d]);
    v[b] = (v[b] ^ v[c]).rotate_right(63);
}

#[inline(always)]
fn round(v: &mut [u64; 16], m: &[u64; 16], s: &[usize; 16]) {
    mix(v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
    mix(v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
    mix(v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
    mix(v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
    mix(v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
    mix(v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
    mix(v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
    mix(v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
}

/// The whole function of the RFC; OMD fixes t = 0 and f = 0, the tests hash with it.
fn compress_bytes(h: &mut [u8; 64], block: &[u8; 128], t: u128, f: u64) {
    let mut chain = [0; 8];
    for (word, bytes) in chain.iter_mut().zip(h.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    let mut m = [0; 16];
    for (word, bytes) in m.iter_mut().zip(block.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    let mut v = [0; 16];
    v[..8].copy_from_slice(&chain);
    v[8..].copy_from_slice(&IV);
    v[12] ^= t as u64;
    v[13] ^= (t >> 64) as u64;
    v[14] ^= f;

    // Written out, so that every word index is a constant to the compiler.
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

    for (i, bytes) in h.as_chunks_mut().0.iter_mut().enumerate() {
        *bytes = (chain[i] ^ v[i] ^ v[i + 8]).to_le_bytes();
    }
    chain.zeroize();
    m.zeroize();
    v.zeroize();
}

#[cfg(test)]
mod tests {
    use super::*;
    use hex_literal::hex;

    /// Unkeyed BLAKE2b-512 (RFC 7693, section 3.3) over the function above.
    fn hash(data: &[u8]) -> [u8; 64] {
        let mut h = [0; 64];
        for (bytes, word) in h.as_chunks_mut().0.iter_mut().zip(IV) {
            *bytes = word.to_le_bytes();
        }
        for (byte, parameter) in h.iter_mut().zip([64, 0, 1, 1]) {
            *byte ^= parameter;
        }
        let blocks = data.len().div_ceil(128).max(1);
        for i in 0..blocks {
            let part = &data[128 * i..data.len().min(128 * (i + 1))];
            let mut block = [0; 128];
            block[..part.len()].copy_from_slice(part);
            let t = (128 * i + part.len()) as u128;
            compress_bytes(
                &mut h,
                &block,
                t,
                if i + 1 == blocks { u64::MAX } else { 0 },
            );
        }
        h
    }

    /// RFC 7693, appendix A.
    #[test]
    fn hashes_abc_as_the_rfc_says() {
        assert_eq!(
            hash(b"abc"),
            hex!(
                "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
            )
        );
    }

    #[test]
    fn hashes_every_length_as_the_blake2_crate() {
        use blake2::Digest;
        for len in 0..520 {
            let data: std::vec::Vec<u8> = (0..len).map(|i| (i * 7 + 3) as u8).collect();
            assert_eq!(hash(&data), blake2::Blake2b512::digest(&data).0, "{len}");
        }
    }
}
