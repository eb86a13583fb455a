// SPDX-License-Identifier: Apache-2.0
//! Deoxys-BC, a block cipher with a tweak: the rounds of AES, all of them with MixColumns, under subtweakeys that are sums of a part
//! of the key's and a part of the tweak's. With a key of 16 bytes it has 14 rounds (Deoxys-BC-256), with 32 bytes 16 (Deoxys-BC-384).
//!
//! The blocks of a string have tweaks that differ in a number from 0. A tweak goes through a permutation of its bytes alone, and so a
//! subtweakey is linear in it: that of a string of 256 blocks, plus the number's low byte at a place that the round gives.

// Vector instructions are unsafe to use where the compiler does not know that the CPU has them.
#![allow(unsafe_code)]

mod key;
mod portable;
mod rounds;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod single;
mod tables;
#[cfg(target_arch = "x86_64")]
mod vaes;
#[cfg(target_arch = "x86_64")]
mod wide;
mod work;

pub(super) use key::{Key, Version};
pub(super) use rounds::{Rounds, Task, run};
pub(super) use work::{hash, one, stream, text};

#[cfg(test)]
pub(super) use rounds::run_on;
