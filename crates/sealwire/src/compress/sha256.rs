// SPDX-License-Identifier: Apache-2.0
//! The SHA-256 compression function (FIPS 180-4, section 6.2.2), from the `sha2` crate.

use super::function::{Block, Call, Chain, Compress, Run};
use super::lanes::{self, Kernel};
use super::sha2_crate;
use crate::cpu::Path;
use aead::consts::{U32, U64};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// SHA-256's compression function: n = 32 bytes, words big-endian.
#[derive(Clone, Copy, Debug)]
pub enum Sha256 {}

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
        sha2_crate::sha256::compress(&mut h.0, &block.0);
    }

    type Schedule = Schedule;

    fn width(streams: usize) -> usize {
        if streams < 2 || Path::current() == Path::Portable {
            1
        } else {
            16
        }
    }

    /// A call in the CPU's own instructions takes less than a step of the mode around lanes.
    fn fewest_short() -> usize {
        if lanes::sha() { 12 } else { 0 }
    }

    fn schedule(key: &Chain<Self>) -> Schedule {
        Schedule {
            key: key.0,
            lanes: lanes::Sha256::schedule(&key.0),
        }
    }

    fn calls(key: &Schedule, calls: &mut [Call<Self>], active: usize) {
        let done = if active >= fewest_lanes() {
            lanes::calls_32::<Self, lanes::Sha256>(&key.lanes, calls, active)
        } else {
            0
        };
        let rest = &mut calls[done..active];
        if !lanes::calls_sha(&key.key, &key.lanes, rest) {
            sha2_crate::sha256::calls(&key.key, rest);
        }
    }

    fn run(key: &Schedule, mut run: Run<'_, '_, Self>) {
        if !lanes::run_32::<Self, lanes::Sha256>(&key.lanes, &mut run)
            && !lanes::run_sha(&key.key, &key.lanes, &mut run)
        {
            sha2_crate::sha256::run(&key.key, run);
        }
    }
}

/// Below so many calls at once the `sha2` crate, which knows the SHA instructions, is faster than lanes.
fn fewest_lanes() -> usize {
    match Path::current() {
        // Where the instructions are missing: four lanes do three calls in fewer instructions.
        #[cfg(target_arch = "aarch64")]
        Path::Neon => 3,
        // Eight lanes of AVX2 take a quarter longer than the SHA instructions.
        #[cfg(target_arch = "x86_64")]
        Path::Avx2Sha | Path::Avx2Vaes => usize::MAX,
        #[cfg(target_arch = "aarch64")]
        Path::NeonSha2 | Path::NeonSha3 => usize::MAX,
        _ => 7,
    }
}

/// F'(h, block) over SHA-256's compression function.
#[must_use]
pub fn sha256(h: &[u8; 32], block: &[u8; 64]) -> [u8; 32] {
    let mut h = *h;
    sha2_crate::sha256::compress(&mut h, block);
    h
}
