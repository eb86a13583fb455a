// SPDX-License-Identifier: Apache-2.0
//! What the state is written over, and the choice of it.

use super::portable::Portable;
use crate::cpu::Path;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use {super::single::Single, crate::aes::Own, crate::cpu};

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

    /// Changes nothing, but has the eight blocks of a state in registers at once, where a CPU has few of them: a block that waits in
    /// memory holds up the next round.
    fn together<const N: usize>(self, x: &mut [Self::Block; N]);
}

/// Something to do with any instructions. `run` must be inlined, so that it is compiled for them.
pub(super) trait Task {
    fn run<R: Rounds>(self, cpu: R);
}

/// Does it with the best instructions that the current path allows.
#[inline]
pub(super) fn run(task: impl Task) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    match Path::current() {
        Path::Portable => {}
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 if cpu::has_avx512_vaes() => {
            // SAFETY: the CPU has AES-NI, AVX2 and AVX-512.
            return unsafe { on_avx512(task) };
        }
        _ if cpu::has_aes() => {
            // SAFETY: the CPU has the instructions.
            return unsafe { on_own(task) };
        }
        _ => {}
    }
    task.run(Portable);
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "aes,pclmulqdq,avx2"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "aes"))]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn on_own(task: impl Task) {
    // SAFETY: this function has the features.
    task.run(Single::<_, { cfg!(target_arch = "x86_64") }>(unsafe {
        Own::new()
    }));
}

/// The instructions of AES-NI with twice the registers, and with three operands in logic: state and message have room.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "aes,pclmulqdq,avx2,vaes,avx512f,avx512bw,avx512dq,avx512vl")]
fn on_avx512(task: impl Task) {
    // SAFETY: this function has the features.
    task.run(Single::<_, false>(unsafe { Own::new() }));
}
