// SPDX-License-Identifier: Apache-2.0
//! Many blocks side by side, cut into bytes: vector k has byte k of every block. A permutation of the bytes of a block costs nothing
//! then, and what is done with a byte is done with that of all blocks.
//!
//! SCREAM and Minalpher are written over a [`Slices`], which says how vectors of bytes are read, added and looked up: `portable` takes
//! numbers of 128 bits and runs everywhere, without tables; `avx2` and `neon` look nibbles up within a register; `avx512` takes
//! GFNI for products of matrices, and `vbmi` has rows of bytes of eight blocks a register. Which one serves is decided while the program runs, by [`Path`].

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod matrix;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod rows;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vbmi;

pub(crate) use matrix::Matrix;

use crate::cpu::Path;
#[cfg(target_arch = "aarch64")]
use neon::Neon;
use portable::Portable;
pub(crate) use rows::Rows;
#[cfg(target_arch = "x86_64")]
use {crate::cpu, avx2::Avx2, avx512::Avx512};

/// The most blocks that any of them has side by side.
pub(crate) const MAX_LANES: usize = 64;

/// Vectors of bytes, one of every block. A value exists only where the CPU has the instructions, so that all calls are safe.
///
/// Arrays of vectors are changed in place where they are large: as results of functions they would go through memory.
pub(crate) trait Slices: Copy {
    type Vector: Copy;
    /// For what is done with a block or a few of them.
    type Whole: Whole;
    /// For what is done with eight blocks of 32 bytes, on some CPUs.
    type Rows: Rows;
    /// Blocks side by side.
    const LANES: usize;
    #[cfg(test)]
    const NAME: &'static str;

    /// The bytes of LANES blocks; which lane a block gets is the same in every call.
    fn load(self, blocks: &[[u8; 16]], x: &mut [Self::Vector; 16]);

    /// Writes LANES blocks.
    fn store(self, x: &[Self::Vector; 16], blocks: &mut [[u8; 16]]);

    /// The byte in every lane.
    fn every(self, byte: u8) -> Self::Vector;

    /// x + y
    fn sum(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The bits that both have.
    fn both(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The bits that one of them has, or both.
    fn either(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The matrix times words of 16 bits, whose low and high bytes are two vectors.
    fn product(self, matrix: &Matrix, x: [Self::Vector; 2]) -> [Self::Vector; 2];

    /// The high and the low nibble of every byte, as bytes from 0 to 15.
    fn nibbles(self, x: Self::Vector) -> [Self::Vector; 2];

    /// Bytes from their nibbles.
    fn joined(self, nibbles: [Self::Vector; 2]) -> Self::Vector;

    /// The S-box of Minalpher on bytes from 0 to 15.
    fn substituted(self, x: Self::Vector) -> Self::Vector;

    fn whole(self) -> Self::Whole;

    /// Where it is faster than vectors of bytes.
    fn rows(self) -> Option<Self::Rows>;
}

/// A vector of 32 bytes of one block, in two halves. A value exists only where the CPU has the instructions, so that all calls are
/// safe.
pub(crate) trait Whole: Copy {
    type Vector: Copy;

    fn read(self, bytes: &[u8; 32]) -> Self::Vector;

    fn write(self, x: Self::Vector, bytes: &mut [u8; 32]);

    /// x + y
    fn plus(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// Byte i becomes byte `places[i]` of its half, or zero where that is 0x80.
    fn picked(self, x: Self::Vector, places: &[u8; 32]) -> Self::Vector;

    /// The S-box of Minalpher on bytes from 0 to 15.
    fn behind_s_box(self, x: Self::Vector) -> Self::Vector;

    /// Every word of 8 bytes plus the two beside it, the first and the last being neighbours.
    fn with_neighbours(self, x: Self::Vector) -> Self::Vector;

    /// Of two equal bytes, the high nibble and the low one.
    fn apart(self, x: Self::Vector) -> Self::Vector;

    /// Two nibbles become a byte and, behind it, one that means nothing.
    fn together(self, x: Self::Vector) -> Self::Vector;
}

/// Something to do with any instructions. `run` must be inlined, so that it is compiled for them.
pub(crate) trait Task {
    fn run<S: Slices>(self, cpu: S);
}

/// Does it with the best instructions that the current path allows.
#[inline]
pub(crate) fn run(task: impl Task) {
    run_on(Path::current(), task);
}

/// Does it with the best instructions of a path that the CPU can take.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(unused_variables)
)]
fn run_on(path: Path, task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    match path {
        Path::Portable => {}
        Path::Avx512 if cpu::has_gfni() => {
            // SAFETY: the CPU has AVX-512, VBMI and GFNI.
            return unsafe { on_avx512(task) };
        }
        _ => {
            // SAFETY: every other path has AVX2.
            return unsafe { on_avx2(task) };
        }
    }
    #[cfg(target_arch = "aarch64")]
    if path != Path::Portable {
        // SAFETY: every other path has NEON.
        return unsafe { on_neon(task) };
    }
    task.run(Portable);
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon")]
fn on_neon(task: impl Task) {
    // SAFETY: this function has the features.
    task.run(unsafe { Neon::new() });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn on_avx2(task: impl Task) {
    // SAFETY: this function has the features.
    task.run(unsafe { Avx2::new() });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn on_avx512(task: impl Task) {
    // SAFETY: this function has the features.
    task.run(unsafe { Avx512::new() });
}

/// The S-box of Minalpher: 0 to 15 become these.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", test))]
const SUBSTITUTES: [u8; 16] = [
    0xb, 0x3, 0x4, 0x1, 0x2, 0x8, 0xc, 0xf, 0x5, 0xd, 0xe, 0x0, 0x6, 0x9, 0xa, 0x7,
];
