// SPDX-License-Identifier: Apache-2.0
//! A key for every engine, and the choice of the engine.

#[cfg(target_arch = "x86_64")]
use super::vaes::Vaes;
use super::{Cipher, Engine, portable::Portable};
use crate::cpu::Path;
use aes::cipher::KeyInit;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use {
    super::Own,
    super::single::{RoundKeys, Single},
    crate::cpu,
};

/// A key of AES, wiped when it is dropped.
pub(crate) struct Key<A: Cipher> {
    portable: A::Portable,
    /// If the CPU has instructions for AES.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    rounds: Option<RoundKeys>,
}

/// Something to do with any engine. `run` must be inlined, so that it is compiled for the engine's instructions.
pub(crate) trait Task<A: Cipher> {
    type Output;
    fn run<E: Engine>(self, engine: E) -> Self::Output;
}

impl<A: Cipher> Key<A> {
    /// `key` has the cipher's length.
    pub(crate) fn new(key: &[u8]) -> Self {
        Self {
            portable: A::Portable::new_from_slice(key).expect("a key of the cipher's length"),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            // SAFETY: the CPU has the instructions.
            rounds: cpu::has_aes().then(|| unsafe { expand::<A>(key) }),
        }
    }

    /// Does it with the best engine that the current path allows.
    #[inline]
    pub(crate) fn run<T: Task<A>>(&self, task: T) -> T::Output {
        self.run_on(Path::current(), task)
    }

    /// Does it with the best engine of a path that the CPU can take.
    #[cfg_attr(
        not(any(target_arch = "x86_64", target_arch = "aarch64")),
        allow(unused_variables)
    )]
    pub(super) fn run_on<T: Task<A>>(&self, path: Path, task: T) -> T::Output {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if let Some(rounds) = &self.rounds {
            match path {
                #[cfg(target_arch = "x86_64")]
                Path::Avx512 if cpu::has_avx512_vaes() => {
                    // SAFETY: the CPU has VAES and the rest.
                    return unsafe { on_vaes512::<A, T>(rounds, task) };
                }
                #[cfg(target_arch = "x86_64")]
                Path::Avx2Vaes if path.available() => {
                    // SAFETY: the path has the instructions.
                    return unsafe { on_vaes256::<A, T>(rounds, task) };
                }
                Path::Portable => {}
                // SAFETY: there are round keys, so the CPU has the instructions.
                _ => return unsafe { on_own::<A, T>(rounds, task) },
            }
        }
        task.run(Portable::<A>(&self.portable))
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "aes,pclmulqdq,avx2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "aes"))]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn expand<A: Cipher>(key: &[u8]) -> RoundKeys {
    // SAFETY: this function has the features.
    RoundKeys::expand::<A>(unsafe { Own::new() }, key)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "aes,pclmulqdq,avx2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "aes"))]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn on_own<A: Cipher, T: Task<A>>(rounds: &RoundKeys, task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(Single::<A, Own>::new(unsafe { Own::new() }, rounds))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,pclmulqdq,avx2,vaes,vpclmulqdq")]
fn on_vaes256<A: Cipher, T: Task<A>>(rounds: &RoundKeys, task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(unsafe { Vaes::<A, 2>::new(rounds) })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,pclmulqdq,avx2,vaes,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")]
fn on_vaes512<A: Cipher, T: Task<A>>(rounds: &RoundKeys, task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(unsafe { Vaes::<A, 4>::new(rounds) })
}

impl<A: Cipher> Clone for Key<A> {
    fn clone(&self) -> Self {
        Self {
            portable: self.portable.clone(),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            rounds: self.rounds.clone(),
        }
    }
}
