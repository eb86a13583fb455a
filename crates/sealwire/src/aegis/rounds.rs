// SPDX-License-Identifier: Apache-2.0
//! What the state is written over, and the choice of it.

use super::portable::Portable;
use crate::cpu::Path;
#[cfg(target_arch = "x86_64")]
use {super::aesni::AesNi, crate::cpu};

/// Blocks and rounds of AES. A value exists only where the CPU has the instructions, so that all calls are safe.
pub(super) trait Rounds: Copy {
    type Block: Copy;

    fn read(self, bytes: &[u8; 16]) -> Self::Block;

    fn write(self, x: Self::Block) -> [u8; 16];

    /// x + y
    fn sum(self, x: Self::Block, y: Self::Block) -> Self::Block;

    /// The bits that both have.
    fn both(self, x: Self::Block, y: Self::Block) -> Self::Block;

    /// SubBytes, ShiftRows, MixColumns of every block, then its key is added. N is at most 8.
    fn rounds<const N: usize>(self, x: &mut [Self::Block; N], keys: &[Self::Block; N]);
}

/// Something to do with any instructions. `run` must be inlined, so that it is compiled for them.
pub(super) trait Task {
    fn run<R: Rounds>(self, cpu: R);
}

/// Does it with the best instructions that the current path allows.
#[inline]
pub(super) fn run(task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    match Path::current() {
        Path::Portable => {}
        Path::Avx512 if cpu::has_vaes() => {
            // SAFETY: the CPU has AES-NI, AVX2 and AVX-512.
            return unsafe { on_avx512(task) };
        }
        _ if cpu::has_aesni() => {
            // SAFETY: the CPU has AES-NI and AVX2.
            return unsafe { on_aesni(task) };
        }
        _ => {}
    }
    task.run(Portable);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,avx2")]
fn on_aesni(task: impl Task) {
    // SAFETY: this function has the features.
    task.run(unsafe { AesNi::new() });
}

/// The instructions of AES-NI with twice the registers, and with three operands in logic: state and message have room.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,avx2,vaes,avx512f,avx512bw,avx512dq,avx512vl")]
fn on_avx512(task: impl Task) {
    // SAFETY: this function has the features.
    task.run(unsafe { AesNi::new() });
}
