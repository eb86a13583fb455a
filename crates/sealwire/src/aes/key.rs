// SPDX-License-Identifier: Apache-2.0
//! A key for every engine, and the choice of the engine.

use super::{Cipher, Engine, portable::Portable};
use crate::cpu::Path;
use aes::cipher::KeyInit;
#[cfg(target_arch = "x86_64")]
use {
    super::aesni::{AesNi, RoundKeys},
    super::vaes::Vaes,
    crate::cpu,
};

/// A key of AES, wiped when it is dropped.
pub(crate) struct Key<A: Cipher> {
    portable: A::Portable,
    /// If the CPU has AES-NI.
    #[cfg(target_arch = "x86_64")]
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
            #[cfg(target_arch = "x86_64")]
            rounds: RoundKeys::new::<A>(key),
        }
    }

    /// Does it with the best engine that the current path allows.
    #[inline]
    pub(crate) fn run<T: Task<A>>(&self, task: T) -> T::Output {
        self.run_on(Path::current(), task)
    }

    /// Does it with the best engine of a path that the CPU can take.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
    pub(super) fn run_on<T: Task<A>>(&self, path: Path, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(rounds) = &self.rounds {
            match path {
                Path::Avx512 if cpu::has_vaes() => {
                    // SAFETY: the CPU has VAES and the rest.
                    return unsafe { on_vaes::<A, T>(rounds, task) };
                }
                Path::Portable => {}
                // SAFETY: there are round keys, so the CPU has AES-NI.
                _ => return unsafe { on_aesni::<A, T>(rounds, task) },
            }
        }
        task.run(Portable::<A>(&self.portable))
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,pclmulqdq,avx2")]
fn on_aesni<A: Cipher, T: Task<A>>(rounds: &RoundKeys, task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(unsafe { AesNi::<A>::new(rounds) })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,pclmulqdq,avx2,vaes,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")]
fn on_vaes<A: Cipher, T: Task<A>>(rounds: &RoundKeys, task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(unsafe { Vaes::<A>::new(rounds) })
}

impl<A: Cipher> Clone for Key<A> {
    fn clone(&self) -> Self {
        Self {
            portable: self.portable.clone(),
            #[cfg(target_arch = "x86_64")]
            rounds: self.rounds.clone(),
        }
    }
}
