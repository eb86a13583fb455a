// SPDX-License-Identifier: Apache-2.0
//! The SHA-512 compression function (FIPS 180-4, section 6.4.2), from the `sha2` crate.

use super::function::{Block, Call, Chain, Compress, Run};
use super::lanes::{self, Kernel};
use aead::consts::{U64, U128};
use sha2::block_api::compress512;
use zeroize::Zeroize;

/// SHA-512's compression function: n = 64 bytes, words big-endian.
#[derive(Clone, Copy, Debug)]
pub enum Sha512 {}

impl Compress for Sha512 {
    type ChainSize = U64;
    type BlockSize = U128;
    const NAME: &'static str = "sha512";
    const REDUCTION: u16 = 0x125; // x^512 + x^8 + x^5 + x^2 + 1

    #[inline]
    fn compress(h: &mut Chain<Self>, block: &Block<Self>) {
        compress_bytes(&mut h.0, &block.0);
    }

    type Schedule = <lanes::Sha512 as Kernel>::Schedule;
    const LANES: usize = 8;

    fn schedule(key: &Chain<Self>) -> Self::Schedule {
        lanes::Sha512::schedule(&key.0)
    }

    fn calls(key: &Self::Schedule, calls: &mut [Call<Self>], active: usize) {
        if active != 1 || !lanes::call_one_sha512(key, &mut calls[0]) {
            lanes::calls_64::<Self, lanes::Sha512>(key, calls, active);
        }
    }

    fn run(key: &Self::Schedule, mut run: Run<'_, '_, Self>) {
        if let Some(one) = run.one()
            && lanes::run_one_sha512(key, one)
        {
            return;
        }
        if lanes::has_lanes_64(run.calls.len()) {
            lanes::run_64::<Self, lanes::Sha512>(key, run);
        } else {
            run.stepwise(key);
        }
    }
}

/// F'(h, block) over SHA-512's compression function.
#[must_use]
pub fn sha512(h: &[u8; 64], block: &[u8; 128]) -> [u8; 64] {
    let mut h = *h;
    compress_bytes(&mut h, block);
    h
}

fn compress_bytes(h: &mut [u8; 64], block: &[u8; 128]) {
    let mut state = [0; 8];
    for (word, bytes) in state.iter_mut().zip(h.as_chunks().0) {
        *word = u64::from_be_bytes(*bytes);
    }
    compress512(&mut state, core::slice::from_ref(block));
    for (bytes, word) in h.as_chunks_mut().0.iter_mut().zip(&state) {
        *bytes = word.to_be_bytes();
    }
    state.zeroize();
}
