// SPDX-License-Identifier: Apache-2.0
//! The SHA-512 compression function (FIPS 180-4, section 6.4.2), from the `sha2` crate.

use super::function::{Block, Call, Chain, Compress, Run};
use super::lanes::{self, Kernel};
use super::sha2_crate;
use crate::cpu::Path;
use aead::consts::{U64, U128};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// SHA-512's compression function: n = 64 bytes, words big-endian.
#[derive(Clone, Copy, Debug)]
pub enum Sha512 {}

/// The key for either way.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Schedule {
    key: [u8; 64],
    lanes: <lanes::Sha512 as Kernel>::Schedule,
}

impl Compress for Sha512 {
    type ChainSize = U64;
    type BlockSize = U128;
    const NAME: &'static str = "sha512";
    const REDUCTION: u16 = 0x125; // x^512 + x^8 + x^5 + x^2 + 1

    #[inline]
    fn compress(h: &mut Chain<Self>, block: &Block<Self>) {
        sha2_crate::sha512::compress(&mut h.0, &block.0);
    }

    type Schedule = Schedule;

    fn width(streams: usize) -> usize {
        // Two lanes of NEON take more instructions than two calls, and the CPU's own for SHA-512 take one call at a time.
        if cfg!(target_arch = "aarch64") {
            return 1;
        }
        lanes::width(streams, lanes::pairs_sha512::<Self>)
    }

    fn schedule(key: &Chain<Self>) -> Self::Schedule {
        Schedule {
            key: key.0,
            lanes: lanes::Sha512::schedule(&key.0),
        }
    }

    fn calls(key: &Self::Schedule, calls: &mut [Call<Self>], active: usize) {
        if Path::current().has_sha512() {
            sha2_crate::sha512::calls(&key.key, &mut calls[..active]);
            return;
        }
        let done = lanes::calls_64::<Self, lanes::Sha512>(&key.lanes, calls, active);
        for call in &mut calls[done..active] {
            lanes::call_one_sha512(&key.lanes, call);
        }
    }

    fn run(key: &Self::Schedule, mut run: Run<'_, '_, Self>) {
        if Path::current().has_sha512() {
            return sha2_crate::sha512::run(&key.key, run);
        }
        if run.lanes() == 1 {
            return lanes::run_one_sha512(&key.lanes, run);
        }
        if !lanes::run_64::<Self, lanes::Sha512>(&key.lanes, &mut run) {
            run.stepwise(key);
        }
    }
}

/// F'(h, block) over SHA-512's compression function.
#[must_use]
pub fn sha512(h: &[u8; 64], block: &[u8; 128]) -> [u8; 64] {
    let mut h = *h;
    sha2_crate::sha512::compress(&mut h, block);
    h
}
