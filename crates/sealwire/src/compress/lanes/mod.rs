// SPDX-License-Identifier: Apache-2.0
//! The compression functions on many strings at once, one in each lane of a vector register, and on one string.
//!
//! `words` says what a vector can do, `sha2` and `blake2b` are the kernels on any vector, `avx2`, `avx512`, `neon` and
//! `scalar` the vectors, `run` what the modes do with a kernel. Here it is decided what runs where.

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(unused_variables, reason = "kernels that other CPUs lack")
)]
#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code, reason = "one lane only")
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blake2b;
#[cfg(target_arch = "x86_64")]
mod blake2b_one;
#[cfg(target_arch = "x86_64")]
mod choice;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod one;
mod run;
mod scalar;
mod sha2;
#[cfg(target_arch = "x86_64")]
mod sha512_one;
#[cfg(target_arch = "x86_64")]
mod sha_ni;
mod words;

pub(super) use blake2b::{Blake2b, IV, SIGMA};
#[cfg(target_arch = "x86_64")]
pub(super) use one::{
    call_one_blake2b, call_one_sha512, pairs_blake2b, pairs_sha512, run_one_blake2b, run_one_sha512,
};
pub(super) use sha2::{Sha256, Sha512};
pub(super) use words::Kernel;

use super::function::{Call, Chain, Compress, Run};
use crate::cpu::Path;
#[cfg(target_arch = "x86_64")]
use crate::cpu::has_sha;
use aead::consts::{U32, U64};
use core::borrow::BorrowMut;
#[cfg(target_arch = "aarch64")]
use neon::{U32x4, U64x2};
use scalar::U64x1;
#[cfg(target_arch = "x86_64")]
use {
    avx2::{U32x8, U64x4},
    avx512::{U32x16, U64x8},
};

/// Defines the calls of a kernel by path: `calls` for as many calls as vectors are the fastest for, `run` where lanes are full.
///
/// For each path: its architecture, its features, and for each of its vectors the number of lanes and of calls from which on it
/// is the fastest. Code for general registers never stands in a function with the features: what the compiler makes of it with
/// vectors takes up to five times as long.
macro_rules! by_path {
    ($calls:ident, $run:ident, $word:ty, $n:literal,
     $($arch:literal $($path:ident)|+ $on:ident $on_run:ident $features:literal [$($vector:ty, $lanes:literal, $from:literal;)*])*) => {
        /// F' on the first of the `active` elements at the front, as many as the result says: single calls are faster for the
        /// rest of them, which stays as it is. What stands behind the `active` elements may be overwritten.
        pub(super) fn $calls<F, K>(key: &K::Schedule, calls: &mut [Call<F>], active: usize) -> usize
        where
            F: Compress,
            K: Kernel<Word = $word, Row = [u8; $n]>,
            Chain<F>: BorrowMut<[u8; $n]>,
        {
            match Path::current() {
                $(
                    #[cfg(target_arch = $arch)]
                    // SAFETY: a current path is one that the CPU can take: it has these features.
                    $(Path::$path)|+ => unsafe { $on::<F, K>(key, calls, active) },
                )*
                _ => 0,
            }
        }

        $(
            #[cfg(target_arch = $arch)]
            #[target_feature(enable = $features)]
            fn $on<F, K>(key: &K::Schedule, calls: &mut [Call<F>], active: usize) -> usize
            where
                F: Compress,
                K: Kernel<Word = $word, Row = [u8; $n]>,
                Chain<F>: BorrowMut<[u8; $n]>,
            {
                let mut done = 0;
                $(
                    while $lanes >= K::FEWEST_LANES && done + $from <= active {
                        let Some(lanes) = calls[done..].first_chunk_mut() else {
                            break;
                        };
                        // SAFETY: this function has the features of the vector.
                        unsafe { run::calls::<F, K, $vector, $lanes>(key, lanes) };
                        done += $lanes;
                    }
                )*
                done.min(active)
            }

            #[cfg(target_arch = $arch)]
            #[target_feature(enable = $features)]
            fn $on_run<F, K>(key: &K::Schedule, run: &mut Run<'_, '_, F>)
            where
                F: Compress,
                K: Kernel<Word = $word, Row = [u8; $n]>,
                Chain<F>: BorrowMut<[u8; $n]>,
            {
                $(
                    while $lanes >= K::FEWEST_LANES && run.lanes() >= $lanes {
                        // SAFETY: this function has the features of the vector.
                        unsafe { run::run::<F, K, $vector, $lanes, $n>(key, run.cut($lanes)) };
                    }
                )*
            }
        )*

        /// Does what [`Run`] says if the run has as many lanes as a vector of the current path, or a multiple; returns whether it did.
        pub(super) fn $run<F, K>(key: &K::Schedule, run: &mut Run<'_, '_, F>) -> bool
        where
            F: Compress,
            K: Kernel<Word = $word, Row = [u8; $n]>,
            Chain<F>: BorrowMut<[u8; $n]>,
        {
            match Path::current() {
                $(
                    #[cfg(target_arch = $arch)]
                    $(Path::$path)|+ => {
                        let fits = |lanes| lanes >= K::FEWEST_LANES && run.lanes().is_multiple_of(lanes);
                        if ![$($lanes),*].into_iter().any(fits) {
                            return false;
                        }
                        // SAFETY: a current path is one that the CPU can take: it has these features.
                        unsafe { $on_run::<F, K>(key, run) };
                        true
                    }
                )*
                _ => false,
            }
        }
    };
}

by_path! {
    calls_64, run_64, u64, 64,
    "x86_64" Avx2 | Avx2Sha | Avx2Vaes avx2_64 avx2_run_64 "avx2,bmi1,bmi2" [U64x4<false>, 4, 2;]
    "x86_64" Avx512 avx512_64 avx512_run_64 "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl"
        [U64x8, 8, 5; U64x4<true>, 4, 2;]
    "aarch64" Neon | NeonSha2 neon_64 neon_run_64 "neon" [U64x2<false>, 2, 2;]
    "aarch64" NeonSha3 sha3_64 sha3_run_64 "neon,sha3" [U64x2<true>, 2, 2;]
}

by_path! {
    calls_32, run_32, u32, 32,
    "x86_64" Avx2 avx2_32 avx2_run_32 "avx2,bmi1,bmi2" [U32x8, 8, 3;]
    "x86_64" Avx512 avx512_32 avx512_run_32 "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl" [U32x16, 16, 7;]
    "aarch64" Neon neon_32 neon_run_32 "neon" [U32x4, 4, 3;]
}

/// Whether the current path has the SHA instructions, and this library a kernel for them.
pub(super) fn sha() -> bool {
    #[cfg(target_arch = "x86_64")]
    return Path::current().has_sha() && has_sha();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// F' on all of `calls` with the SHA instructions, if the current path has them and this library a kernel for them; the key, and
/// what follows from it.
pub(super) fn calls_sha<F: Compress<ChainSize = U32>>(
    bytes: &[u8; 32],
    schedule: &<Sha256 as Kernel>::Schedule,
    calls: &mut [Call<F>],
) -> bool {
    #[cfg(target_arch = "x86_64")]
    if sha() {
        // SAFETY: the CPU has the instructions, as was just asked.
        unsafe { sha_ni::calls(sha_ni::Key { bytes, schedule }, calls) };
        return true;
    }
    false
}

/// Does what [`Run`] says with the SHA instructions, if the current path has them and this library a kernel for them.
pub(super) fn run_sha<F: Compress<ChainSize = U32>>(
    bytes: &[u8; 32],
    schedule: &<Sha256 as Kernel>::Schedule,
    run: &mut Run<'_, '_, F>,
) -> bool {
    #[cfg(target_arch = "x86_64")]
    if sha() {
        // SAFETY: the CPU has the instructions, as was just asked.
        unsafe { sha_ni::run(sha_ni::Key { bytes, schedule }, run) };
        return true;
    }
    false
}

/// How many of so many streams of calls with words of 64 bits are worth driving side by side; `pairs` says whether two are. Two that
/// are left of more go on in lanes.
pub(super) fn width(streams: usize, pairs: fn() -> bool) -> usize {
    match streams {
        0 | 1 => 1,
        _ if Path::current() == Path::Portable => 1,
        2 if !pairs() => 1,
        _ => 8,
    }
}

/// One call in general registers, compiled for any CPU.
#[inline(never)]
fn general<F, K>(key: &K::Schedule, call: &mut Call<F>)
where
    F: Compress<ChainSize = U64>,
    K: Kernel<Word = u64, Row = [u8; 64]>,
{
    // SAFETY: one lane takes ordinary instructions.
    unsafe { run::calls::<F, K, U64x1, 1>(key, core::array::from_mut(call)) };
}

/// What [`Run`] says of one lane in general registers, compiled for any CPU.
#[inline(never)]
fn general_run<F, K>(key: &K::Schedule, run: Run<'_, '_, F>)
where
    F: Compress<ChainSize = U64>,
    K: Kernel<Word = u64, Row = [u8; 64]>,
{
    // SAFETY: one lane takes ordinary instructions.
    unsafe { run::run::<F, K, U64x1, 1, 64>(key, run) };
}

/// Defines what other CPUs than x86-64 do with one call alone, for which they have no kernel, and with two: lanes have them.
#[cfg(not(target_arch = "x86_64"))]
macro_rules! no_kernel {
    ($kernel:ident, $pairs:ident, $call:ident, $run:ident) => {
        #[allow(
            clippy::extra_unused_type_parameters,
            reason = "x86-64 measures with it"
        )]
        pub(super) fn $pairs<F: Compress<ChainSize = U64>>() -> bool {
            true
        }

        pub(super) fn $call<F: Compress<ChainSize = U64>>(
            key: &<$kernel as Kernel>::Schedule,
            call: &mut Call<F>,
        ) {
            general::<F, $kernel>(key, call);
        }

        pub(super) fn $run<F: Compress<ChainSize = U64>>(
            key: &<$kernel as Kernel>::Schedule,
            run: Run<'_, '_, F>,
        ) {
            general_run::<F, $kernel>(key, run);
        }
    };
}

#[cfg(not(target_arch = "x86_64"))]
no_kernel!(Sha512, pairs_sha512, call_one_sha512, run_one_sha512);
#[cfg(not(target_arch = "x86_64"))]
no_kernel!(Blake2b, pairs_blake2b, call_one_blake2b, run_one_blake2b);
