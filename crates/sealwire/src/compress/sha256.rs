// SPDX-License-Identifier: Apache-2.0
//! The SHA-256 compression function (FIPS 180-4, section 6.2.2), from the `sha2` crate.

use super::function::{Block, Call, Chain, Compress, Run};
use super::lanes::{self, Kernel};
use crate::cpu::Path;
use aead::consts::{U32, U64};
use sha2::block_api::compress256;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// SHA-256's compression function: n = 32 bytes, words big-endian.
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

/// Below so many calls at once the `sha2` crate, which knows the SHA instructions, is faster than lanes.
const FEWEST_LANES: usize = 7;

/// The key for either way.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Schedule {
    key: [u8; 32],
    lanes: <lanes::Sha256 as Kernel>::Schedule,
}

impl Compress for Sha256 {
    type ChainSize = U32;
    type BlockSize = U64;
    const NAME: &'static str = "sha256";
    const REDUCTION: u16 = 0x425; // x^256 + x^10 + x^5 + x^2 + 1

    #[inline]
    fn compress(h: &mut Chain<Self>, block: &Block<Self>) {
        compress_bytes(&mut h.0, &block.0);
    }

    type Schedule = Schedule;
    const LANES: usize = 16;

    fn schedule(key: &Chain<Self>) -> Schedule {
        Schedule {
            key: key.0,
            lanes: lanes::Sha256::schedule(&key.0),
        }
    }

    fn calls(key: &Schedule, calls: &mut [Call<Self>], active: usize) {
        if active >= FEWEST_LANES {
            lanes::calls_32::<Self, lanes::Sha256>(&key.lanes, calls, active);
        } else if Path::current().has_sha() {
            lanes::calls_sha(&key.key, &key.lanes, &mut calls[..active]);
        } else {
            let mut block = Block::<Self>::default();
            block[..32].copy_from_slice(&key.key);
            for call in &mut calls[..active] {
                block[32..].copy_from_slice(&call.data);
                Self::compress(&mut call.h, &block);
            }
            block[..].zeroize();
        }
    }

    fn run(key: &Schedule, mut run: Run<'_, '_, Self>) {
        if lanes::has_lanes_32(run.calls.len()) {
            lanes::run_32::<Self, lanes::Sha256>(&key.lanes, run);
        } else if Path::current().has_sha() {
            lanes::run_sha(&key.key, &key.lanes, &mut run);
        } else {
            one_by_one(key, run);
        }
    }
}

/// Does what [`Run`] says with the `sha2` crate.
fn one_by_one(key: &Schedule, run: Run<'_, '_, Sha256>) {
    let mut block = [0; 64];
    block[..32].copy_from_slice(&key.key);
    let mut state = [0; 8];
    for (lane, call) in run.calls.iter_mut().enumerate() {
        let addend = run.addends[lane].as_chunks().0;
        let mask = &mut run.masks[lane].0;
        to_words(&mut state, &call.h.0);
        let texts = run.texts[lane].as_chunks_mut().0.iter_mut();
        for (i, (text, increment)) in texts.zip(run.increments[lane]).enumerate() {
            let mut h = [0; 32];
            to_bytes(&mut h, &state);
            let result = xor(text, &h);
            block[32..].copy_from_slice(if run.open { &result } else { &*text });
            *text = result;
            *mask = xor(mask, &increment.0);
            // Only this and the function itself wait for the last result.
            let sum = addend.get(i).map_or(*mask, |addend| xor(mask, addend));
            for (word, bytes) in state.iter_mut().zip(sum.as_chunks().0) {
                *word ^= u32::from_be_bytes(*bytes);
            }
            compress256(&mut state, core::slice::from_ref(&block));
        }
        to_bytes(&mut call.h.0, &state);
    }
    block.zeroize();
    state.zeroize();
}

fn xor(x: &[u8; 32], y: &[u8; 32]) -> [u8; 32] {
    core::array::from_fn(|i| x[i] ^ y[i])
}

/// F'(h, block) over SHA-256's compression function.
#[must_use]
pub fn sha256(h: &[u8; 32], block: &[u8; 64]) -> [u8; 32] {
    let mut h = *h;
    compress_bytes(&mut h, block);
    h
}

fn compress_bytes(h: &mut [u8; 32], block: &[u8; 64]) {
    let mut state = [0; 8];
    to_words(&mut state, h);
    compress256(&mut state, core::slice::from_ref(block));
    to_bytes(h, &state);
    state.zeroize();
}

fn to_words(state: &mut [u32; 8], h: &[u8; 32]) {
    for (word, bytes) in state.iter_mut().zip(h.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
}

fn to_bytes(h: &mut [u8; 32], state: &[u32; 8]) {
    for (bytes, word) in h.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
}
