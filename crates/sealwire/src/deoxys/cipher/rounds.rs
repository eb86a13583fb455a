// SPDX-License-Identifier: Apache-2.0
//! What the cipher is written over, and the choice of it.

use super::key::{Key, MAX_KEYS};
use super::portable::Portable;
#[cfg(target_arch = "x86_64")]
use super::{
    vaes::Vaes,
    wide::{Wide256, Wide512},
};
use crate::cpu::Path;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use {super::single::Single, crate::aes::Own, crate::cpu};

/// Rounds of AES on vectors of [`LANES`](Self::LANES) blocks. A value exists only where the CPU has the instructions, so that all
/// calls are safe.
pub(in crate::deoxys) trait Rounds: Copy {
    type Vector: Copy;
    const LANES: usize;
    /// Whether rounds may come vector by vector, each when its key is there: keys of all of them do not fit the registers.
    const ONE_BY_ONE: bool;
    #[cfg(test)]
    const NAME: &'static str;

    /// The whole blocks of `text`, at most LANES; the others are zero.
    fn load(self, text: &[u8]) -> Self::Vector;

    /// Stores as many lanes as `text` has whole blocks, at most LANES.
    fn store(self, x: Self::Vector, text: &mut [u8]);

    /// LANES blocks from `blocks`.
    fn lanes(self, blocks: &[[u8; 16]]) -> Self::Vector;

    /// A block in every lane.
    fn every(self, block: &[u8; 16]) -> Self::Vector;

    fn sum(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// Writes the sum of two blocks.
    fn add(self, x: &[u8; 16], y: &[u8; 16], sum: &mut [u8; 16]);

    /// The sum of all lanes.
    fn fold(self, x: Self::Vector) -> [u8; 16];

    /// The first `count` lanes; the others become zero.
    fn keep(self, x: Self::Vector, count: usize) -> Self::Vector;

    /// SubBytes, ShiftRows, MixColumns, then the key is added.
    fn forward<const N: usize>(self, x: &mut [Self::Vector; N], keys: &[Self::Vector; N]);

    /// The inverses of ShiftRows, SubBytes and MixColumns, then the key is added.
    fn backward<const N: usize>(self, x: &mut [Self::Vector; N], keys: &[Self::Vector; N]);

    /// The inverses of ShiftRows and SubBytes, then the key is added.
    fn backward_last<const N: usize>(self, x: &mut [Self::Vector; N], keys: &[Self::Vector; N]);

    /// The inverse of MixColumns.
    fn unmix<const N: usize>(self, x: &mut [Self::Vector; N]);

    /// The subtweakeys of a tweak, and the inverse of MixColumns of all but the first if they are to decipher.
    fn subkeys(
        self,
        key: &Key,
        tweak: [u8; 16],
        decipher: bool,
        subkeys: &mut [[u8; 16]; MAX_KEYS],
    );

    /// What one block becomes under a tweak.
    fn single(self, key: &Key, tweak: [u8; 16], block: &[u8; 16]) -> [u8; 16];
}

/// Something to do with any instructions. `run` must be inlined, so that it is compiled for them.
pub(in crate::deoxys) trait Task {
    type Output;
    fn run<R: Rounds>(self, cpu: R) -> Self::Output;
}

/// Does it with the best instructions that the current path allows.
#[inline]
pub(in crate::deoxys) fn run<T: Task>(task: T) -> T::Output {
    run_on(Path::current(), task)
}

/// Does it with the best instructions of a path that the CPU can take.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(unused_variables)
)]
pub(in crate::deoxys) fn run_on<T: Task>(path: Path, task: T) -> T::Output {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    match path {
        Path::Portable => {}
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 if cpu::has_avx512_vaes() => {
            // SAFETY: the CPU has VAES and the rest.
            return unsafe { on_vaes512(task) };
        }
        #[cfg(target_arch = "x86_64")]
        Path::Avx2Vaes if path.available() => {
            // SAFETY: the path has the instructions.
            return unsafe { on_vaes256(task) };
        }
        _ if cpu::has_aes() => {
            // SAFETY: the CPU has the instructions.
            return unsafe { on_own(task) };
        }
        _ => {}
    }
    task.run(Portable)
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "aes,pclmulqdq,avx2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "aes"))]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn on_own<T: Task>(task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(Single(unsafe { Own::new() }))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,pclmulqdq,avx2,vaes")]
fn on_vaes256<T: Task>(task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(unsafe { Vaes::new(Wide256::new()) })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,pclmulqdq,avx2,vaes,avx512f,avx512bw,avx512dq,avx512vl")]
fn on_vaes512<T: Task>(task: T) -> T::Output {
    // SAFETY: this function has the features.
    task.run(unsafe { Vaes::new(Wide512::new()) })
}
