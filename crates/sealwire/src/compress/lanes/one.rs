// SPDX-License-Identifier: Apache-2.0
//! One call alone, or one lane: the kernels that x86-64 has for it, and which of them serve.

use super::choice::Choice;
use super::words::Kernel;
use super::{Blake2b, Sha512, blake2b_one, calls_64, general, general_run, sha512_one};
use crate::compress::function::{Call, Compress, OneRun, Run};
use crate::cpu::Path;
use aead::consts::U64;
use core::array::from_fn;

/// Kernels for one call. The CPU must have their features.
struct Kernels<F: Compress, K: Kernel> {
    /// F' alone.
    call: unsafe fn(&K::Schedule, &mut Call<F>),
    /// What [`Run`](crate::compress::function::Run) says for one lane.
    run: unsafe fn(&K::Schedule, OneRun<'_, F>),
}

/// A function that has kernels for one call.
trait One: Kernel<Word = u64, Row = [u8; 64]> + Sized {
    /// The kernels for one call that the current path has; none if the path computes single calls in general registers.
    fn kernels<F: Compress<ChainSize = U64>>() -> Option<Kernels<F, Self>>;

    /// Whether they serve on this CPU.
    fn choice() -> &'static Choice;

    /// Whether lanes serve for two calls on this CPU.
    fn pairs() -> &'static Choice;
}

impl One for Sha512 {
    fn kernels<F: Compress<ChainSize = U64>>() -> Option<Kernels<F, Self>> {
        match Path::current().vectors() {
            Path::Avx2 => Some(Kernels {
                call: sha512_avx2,
                run: sha512_run_avx2,
            }),
            Path::Avx512 => Some(Kernels {
                call: sha512_avx512,
                run: sha512_run_avx512,
            }),
            _ => None,
        }
    }

    fn choice() -> &'static Choice {
        static CHOICE: Choice = Choice::new();
        &CHOICE
    }

    fn pairs() -> &'static Choice {
        static CHOICE: Choice = Choice::new();
        &CHOICE
    }
}

impl One for Blake2b {
    fn kernels<F: Compress<ChainSize = U64>>() -> Option<Kernels<F, Self>> {
        match Path::current() {
            Path::Avx512 => Some(Kernels {
                call: blake2b_one::call,
                run: blake2b_one::run,
            }),
            _ => None,
        }
    }

    fn choice() -> &'static Choice {
        static CHOICE: Choice = Choice::new();
        &CHOICE
    }

    fn pairs() -> &'static Choice {
        static CHOICE: Choice = Choice::new();
        &CHOICE
    }
}

/// Whether the kernel is faster on this CPU than general registers.
#[inline]
fn is_faster<F: Compress<ChainSize = U64>, K: One>(kernels: &Kernels<F, K>) -> bool {
    K::choice().known().unwrap_or_else(|| {
        let key = K::schedule(&[0; 64]);
        let [mut first, mut second] = [Call::<F>::new(), Call::new()];
        K::choice().measure(
            8,
            // SAFETY: a current path is one that the CPU can take: it has the features.
            || unsafe { (kernels.call)(&key, &mut first) },
            || general::<F, K>(&key, &mut second),
        )
    })
}

fn call<F: Compress<ChainSize = U64>, K: One>(key: &K::Schedule, call: &mut Call<F>) {
    match K::kernels().filter(is_faster::<F, K>) {
        // SAFETY: a current path is one that the CPU can take: it has the features.
        Some(kernels) => unsafe { (kernels.call)(key, call) },
        None => general::<F, K>(key, call),
    }
}

/// Whether lanes are faster for two calls on this CPU than one call after the other.
fn pairs<F: Compress<ChainSize = U64>, K: One>() -> bool {
    K::pairs().known().unwrap_or_else(|| {
        let key = K::schedule(&[0; 64]);
        let mut lanes: [Call<F>; 4] = from_fn(|_| Call::new());
        let mut others: [Call<F>; 2] = from_fn(|_| Call::new());
        K::pairs().measure(
            7, // the mode around the lanes passes each step through memory, which takes a tenth: an eighth is the next step
            || _ = calls_64::<F, K>(&key, &mut lanes, 2),
            || {
                for other in &mut others {
                    call::<F, K>(&key, other);
                }
            },
        )
    })
}

fn run<F: Compress<ChainSize = U64>, K: One>(key: &K::Schedule, mut run: Run<'_, '_, F>) {
    match K::kernels().filter(is_faster::<F, K>).zip(run.one()) {
        // SAFETY: a current path is one that the CPU can take: it has the features.
        Some((kernels, one)) => unsafe { (kernels.run)(key, one) },
        None => general_run::<F, K>(key, run),
    }
}

/// Whether lanes serve for two calls of SHA-512's F'.
pub(in crate::compress) fn pairs_sha512<F: Compress<ChainSize = U64>>() -> bool {
    pairs::<F, Sha512>()
}

/// Whether lanes serve for two calls of BLAKE2b's F'.
pub(in crate::compress) fn pairs_blake2b<F: Compress<ChainSize = U64>>() -> bool {
    pairs::<F, Blake2b>()
}

/// SHA-512's F' on one call alone.
pub(in crate::compress) fn call_one_sha512<F: Compress<ChainSize = U64>>(
    key: &<Sha512 as Kernel>::Schedule,
    one: &mut Call<F>,
) {
    call::<F, Sha512>(key, one);
}

/// What [`Run`](crate::compress::function::Run) says of SHA-512 for one lane.
pub(in crate::compress) fn run_one_sha512<F: Compress<ChainSize = U64>>(
    key: &<Sha512 as Kernel>::Schedule,
    one: Run<'_, '_, F>,
) {
    run::<F, Sha512>(key, one);
}

/// BLAKE2b's F' on one call alone.
pub(in crate::compress) fn call_one_blake2b<F: Compress<ChainSize = U64>>(
    key: &<Blake2b as Kernel>::Schedule,
    one: &mut Call<F>,
) {
    call::<F, Blake2b>(key, one);
}

/// What [`Run`](crate::compress::function::Run) says of BLAKE2b for one lane.
pub(in crate::compress) fn run_one_blake2b<F: Compress<ChainSize = U64>>(
    key: &<Blake2b as Kernel>::Schedule,
    one: Run<'_, '_, F>,
) {
    run::<F, Blake2b>(key, one);
}

/// Defines both of SHA-512's with the features of a path.
macro_rules! sha512 {
    ($call:ident, $run:ident, $features:literal, $vl:literal) => {
        #[target_feature(enable = $features)]
        fn $call<F: Compress<ChainSize = U64>>(
            key: &<Sha512 as Kernel>::Schedule,
            call: &mut Call<F>,
        ) {
            // SAFETY: this function has the features.
            unsafe { sha512_one::call::<F, $vl>(key, call) }
        }

        #[target_feature(enable = $features)]
        fn $run<F: Compress<ChainSize = U64>>(
            key: &<Sha512 as Kernel>::Schedule,
            run: OneRun<'_, F>,
        ) {
            // SAFETY: this function has the features.
            unsafe { sha512_one::run::<F, $vl>(key, run) }
        }
    };
}

sha512!(sha512_avx2, sha512_run_avx2, "avx2,bmi1,bmi2", false);
sha512!(
    sha512_avx512,
    sha512_run_avx512,
    "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl",
    true
);
