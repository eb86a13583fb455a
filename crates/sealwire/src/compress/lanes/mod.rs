// SPDX-License-Identifier: Apache-2.0
//! The compression functions on many strings at once, one in each lane of a vector register, and on one string.
//!
//! `words` says what a vector can do, `sha2` and `blake2b` are the kernels on any vector, `avx2`, `avx512` and `scalar`
//! the vectors, `run` what the modes do with a kernel. Here it is decided what runs where.

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, reason = "one lane only")
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blake2b;
#[cfg(target_arch = "x86_64")]
mod blake2b_one;
mod path;
mod run;
mod scalar;
mod sha2;
#[cfg(target_arch = "x86_64")]
mod sha512_one;
#[cfg(target_arch = "x86_64")]
mod sha_ni;
mod words;

pub use path::{Path, force_path};

pub(super) use blake2b::Blake2b;
pub(super) use sha2::{Sha256, Sha512};
pub(super) use words::Kernel;

use super::{Chain, Compress, sha256, sha512};
use crate::key::{Straight, Work};
use core::borrow::BorrowMut;
use scalar::{U32x1, U64x1};
#[cfg(target_arch = "x86_64")]
use {
    avx2::{U32x8, U64x4},
    avx512::{U32x16, U64x8},
};

/// Defines the calls of a kernel by path: `calls` for any number of works, `straight` where lanes are full.
///
/// For each path: its features, and for each of its vectors the number of lanes and of works from which on it is
/// the fastest. One work is the scalar's.
macro_rules! by_path {
    ($calls:ident, $has_lanes:ident, $straight:ident, $word:ty, $n:literal, $one:ty,
     $($($path:ident)|+ $on:ident $on_straight:ident $features:literal [$($vector:ty, $lanes:literal, $from:literal;)*])*) => {
        /// F' on the first `active` works; the others may be overwritten.
        pub(super) fn $calls<F, K>(key: &K::Schedule, works: &mut [Work<F>], active: usize)
        where
            F: Compress,
            K: Kernel<Word = $word, Row = [u8; $n]>,
            Chain<F>: BorrowMut<[u8; $n]>,
        {
            match Path::current() {
                $(
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: a current path is one that the CPU can take: it has these features.
                    $(Path::$path)|+ => unsafe { $on::<F, K>(key, works, active) },
                )*
                Path::Portable => {
                    for work in &mut works[..active] {
                        // SAFETY: one lane takes ordinary instructions.
                    unsafe { run::calls::<F, K, $one, 1>(key, core::array::from_mut(work)) };
                    }
                }
            }
        }

        $(
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = $features)]
            fn $on<F, K>(key: &K::Schedule, works: &mut [Work<F>], active: usize)
            where
                F: Compress,
                K: Kernel<Word = $word, Row = [u8; $n]>,
                Chain<F>: BorrowMut<[u8; $n]>,
            {
                let mut done = 0;
                $(
                    while done + $from <= active {
                        let Some(lanes) = works[done..].first_chunk_mut() else {
                            break;
                        };
                        // SAFETY: this function has the features of the vector.
                        unsafe { run::calls::<F, K, $vector, $lanes>(key, lanes) };
                        done += $lanes;
                    }
                )*
                for work in &mut works[done.min(active)..active] {
                    // SAFETY: one lane takes ordinary instructions.
                    unsafe { run::calls::<F, K, $one, 1>(key, core::array::from_mut(work)) };
                }
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = $features)]
            fn $on_straight<F, K>(key: &K::Schedule, table: &[Chain<F>], straight: Straight<'_, '_, F>)
            where
                F: Compress,
                K: Kernel<Word = $word, Row = [u8; $n]>,
                Chain<F>: BorrowMut<[u8; $n]>,
            {
                $(
                    if straight.works.len() == $lanes {
                        // SAFETY: this function has the features of the vector.
                        return unsafe { run::straight::<F, K, $vector, $lanes, $n>(key, table, straight) };
                    }
                )*
                // SAFETY: one lane takes ordinary instructions.
                unsafe { run::straight::<F, K, $one, 1, $n>(key, table, straight) };
            }
        )*

        /// Whether the current path has a vector of so many lanes.
        pub(super) fn $has_lanes(count: usize) -> bool {
            match Path::current() {
                $(
                    #[cfg(target_arch = "x86_64")]
                    $(Path::$path)|+ => [$($lanes),*].contains(&count),
                )*
                Path::Portable => false,
            }
        }

        /// See [`Straight`], where the current path has the lanes, or for one work.
        pub(super) fn $straight<F, K>(key: &K::Schedule, table: &[Chain<F>], straight: Straight<'_, '_, F>)
        where
            F: Compress,
            K: Kernel<Word = $word, Row = [u8; $n]>,
            Chain<F>: BorrowMut<[u8; $n]>,
        {
            match Path::current() {
                $(
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: a current path is one that the CPU can take: it has these features.
                    $(Path::$path)|+ => unsafe { $on_straight::<F, K>(key, table, straight) },
                )*
                // SAFETY: one lane takes ordinary instructions.
                Path::Portable => unsafe { run::straight::<F, K, $one, 1, $n>(key, table, straight) },
            }
        }
    };
}

by_path! {
    calls_64, has_lanes_64, straight_64, u64, 64, U64x1,
    Avx2 | Avx2Sha avx2_64 avx2_straight_64 "avx2,bmi1,bmi2" [U64x4<false>, 4, 2;]
    Avx512 avx512_64 avx512_straight_64 "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl"
        [U64x8, 8, 5; U64x4<true>, 4, 2;]
}

by_path! {
    calls_32, has_lanes_32, straight_32, u32, 32, U32x1,
    Avx2 | Avx2Sha avx2_32 avx2_straight_32 "avx2,bmi1,bmi2" [U32x8, 8, 3;]
    Avx512 avx512_32 avx512_straight_32 "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl" [U32x16, 16, 7;]
}

/// Whether [`calls_sha`] and [`straight_sha`] are there on the current path.
pub(super) fn has_sha() -> bool {
    #[cfg(target_arch = "x86_64")]
    return Path::current().has_sha();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// F' on all of `works` with the CPU's own instructions for SHA-256, where `has_sha`; the key, and what follows from it.
pub(super) fn calls_sha(
    bytes: &[u8; 32],
    schedule: &<Sha256 as Kernel>::Schedule,
    works: &mut [Work<sha256::Sha256>],
) {
    assert!(has_sha(), "SHA instructions");
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the CPU has the instructions, as was just asked.
    unsafe {
        sha_ni::calls(sha_ni::Key { bytes, schedule }, works);
    }
}

/// See [`Straight`]; the same for any number of works.
pub(super) fn straight_sha(
    bytes: &[u8; 32],
    schedule: &<Sha256 as Kernel>::Schedule,
    table: &[Chain<sha256::Sha256>],
    straight: &mut Straight<'_, '_, sha256::Sha256>,
) {
    assert!(has_sha(), "SHA instructions");
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the CPU has the instructions, as was just asked.
    unsafe {
        sha_ni::straight(sha_ni::Key { bytes, schedule }, table, straight);
    }
}

/// SHA-512's F' on one of `works` alone, if the current path has a faster way than `calls_64`.
pub(super) fn call_one_sha512(
    key: &<Sha512 as Kernel>::Schedule,
    work: &mut Work<sha512::Sha512>,
) -> bool {
    match Path::current() {
        Path::Portable => false,
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a current path is one that the CPU can take: it has these features.
        Path::Avx2 | Path::Avx2Sha => unsafe {
            avx2_one_sha512(key, work);
            true
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Path::Avx512 => unsafe {
            avx512_one_sha512(key, work);
            true
        },
    }
}

/// See [`Straight`]; the same for one message.
pub(super) fn straight_one_sha512(
    key: &<Sha512 as Kernel>::Schedule,
    table: &[Chain<sha512::Sha512>],
    straight: &mut Straight<'_, '_, sha512::Sha512>,
) -> bool {
    match Path::current() {
        Path::Portable => false,
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Path::Avx2 | Path::Avx2Sha => unsafe {
            avx2_straight_one_sha512(key, table, straight);
            true
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Path::Avx512 => unsafe {
            avx512_straight_one_sha512(key, table, straight);
            true
        },
    }
}

/// BLAKE2b's F' on one work alone, if the current path has a faster way than `calls_64`.
pub(super) fn call_one_blake2b(
    key: &<Blake2b as Kernel>::Schedule,
    work: &mut Work<super::Blake2b>,
) -> bool {
    match Path::current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a current path is one that the CPU can take: it has these features.
        Path::Avx512 => unsafe {
            blake2b_one::call(key, work);
            true
        },
        _ => false,
    }
}

/// See [`Straight`]; the same for one message.
pub(super) fn straight_one_blake2b(
    key: &<Blake2b as Kernel>::Schedule,
    table: &[Chain<super::Blake2b>],
    straight: &mut Straight<'_, '_, super::Blake2b>,
) -> bool {
    match Path::current() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Path::Avx512 => unsafe {
            blake2b_one::straight(key, table, straight);
            true
        },
        _ => false,
    }
}

/// Defines both of SHA-512's with the features of a path.
#[cfg(target_arch = "x86_64")]
macro_rules! one_sha512 {
    ($call:ident, $straight:ident, $features:literal, $vl:literal) => {
        #[target_feature(enable = $features)]
        fn $call(key: &<Sha512 as Kernel>::Schedule, work: &mut Work<sha512::Sha512>) {
            // SAFETY: this function has the features.
            unsafe { sha512_one::call::<$vl>(key, work) }
        }

        #[target_feature(enable = $features)]
        fn $straight(
            key: &<Sha512 as Kernel>::Schedule,
            table: &[Chain<sha512::Sha512>],
            straight: &mut Straight<'_, '_, sha512::Sha512>,
        ) {
            // SAFETY: this function has the features.
            unsafe { sha512_one::straight::<$vl>(key, table, straight) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
one_sha512!(
    avx2_one_sha512,
    avx2_straight_one_sha512,
    "avx2,bmi1,bmi2",
    false
);
#[cfg(target_arch = "x86_64")]
one_sha512!(
    avx512_one_sha512,
    avx512_straight_one_sha512,
    "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl",
    true
);
