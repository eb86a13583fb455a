// SPDX-License-Identifier: Apache-2.0
//! What runs where.

#[cfg(target_arch = "aarch64")]
use super::neon;
use super::{Absorb, Order, Rate, Rows, Words, round, scalar};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::cpu::Path;

/// Calls `$module::absorb::<RATE, BE>` for the constants that are the values of `$how`.
macro_rules! by_rate {
    ($how:expr, $module:ident $arguments:tt) => {
        match ($how.rate, $how.order) {
            (Rate::One, Order::Little) => $module::absorb::<1, false> $arguments,
            (Rate::One, Order::Big) => $module::absorb::<1, true> $arguments,
            (Rate::Three, Order::Little) => $module::absorb::<3, false> $arguments,
            (Rate::Three, Order::Big) => $module::absorb::<3, true> $arguments,
            (Rate::Four, Order::Little) => $module::absorb::<4, false> $arguments,
            (Rate::Four, Order::Big) => $module::absorb::<4, true> $arguments,
            (Rate::Five, Order::Little) => $module::absorb::<5, false> $arguments,
            (Rate::Five, Order::Big) => $module::absorb::<5, true> $arguments,
        }
    };
}

/// The last `rounds` rounds, an even number.
pub(crate) fn permute_words(state: &mut Words, rounds: usize) {
    #[cfg(target_arch = "x86_64")]
    if Path::current() != Path::Portable {
        // SAFETY: every other path has BMI1 and BMI2.
        return unsafe { permute_bmi(state, rounds) };
    }
    *state = round::permute(*state, rounds);
}

/// Takes in whole blocks.
pub(crate) fn absorb(how: Absorb, state: &mut Words, data: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    if Path::current() != Path::Portable {
        // SAFETY: every other path has BMI1 and BMI2.
        return unsafe { absorb_bmi(how, state, data) };
    }
    by_rate!(how, scalar(state, data, how.rounds));
}

/// How many states `absorb_lanes` and `permute_rows` work on at once; 1: they do not.
pub(crate) fn lanes() -> usize {
    match Path::current().vectors() {
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => 8,
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => 4,
        #[cfg(target_arch = "aarch64")]
        Path::NeonSha3 => 4,
        _ => 1,
    }
}

/// The last `rounds` rounds, an even number, of as many states as `lanes` says.
pub(crate) fn permute_rows(rows: &mut Rows, rounds: usize) {
    match Path::current().vectors() {
        // SAFETY: the path has the instructions.
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 => unsafe { rows_avx512(rows, rounds) },
        // SAFETY: the path has the instructions.
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => unsafe { rows_avx2(rows, rounds) },
        // SAFETY: the path has the instructions.
        #[cfg(target_arch = "aarch64")]
        Path::NeonSha3 => unsafe { rows_neon(rows, rounds) },
        _ => {
            let mut state = rows.map(|row| row[0]);
            permute_words(&mut state, rounds);
            for (row, word) in rows.iter_mut().zip(state) {
                row[0] = word;
            }
        }
    }
}

/// Takes in `blocks` whole blocks for each of 1, 4 or 8 states.
///
/// # Panics
/// If a slice is shorter than that.
pub(crate) fn absorb_lanes(how: Absorb, states: &mut [Words], data: &[&[u8]], blocks: usize) {
    let len = how.block_len() * blocks;
    assert!(states.len() == data.len() && data.iter().all(|data| data.len() >= len));
    #[cfg(target_arch = "x86_64")]
    match Path::current().vectors() {
        Path::Avx512 => {
            if let (Ok(states), Ok(data)) = ((&mut *states).try_into(), data.try_into()) {
                // SAFETY: the path has the instructions, and the lengths were looked at.
                return unsafe { absorb_avx512(how, states, data, blocks) };
            }
        }
        Path::Avx2 => {
            if let (Ok(states), Ok(data)) = ((&mut *states).try_into(), data.try_into()) {
                // SAFETY: the path has the instructions, and the lengths were looked at.
                return unsafe { absorb_avx2(how, states, data, blocks) };
            }
        }
        _ => {}
    }
    #[cfg(target_arch = "aarch64")]
    if Path::current() == Path::NeonSha3
        && let (Ok(states), Ok(data)) = ((&mut *states).try_into(), data.try_into())
    {
        // SAFETY: the path has the instructions, and the lengths were looked at.
        return unsafe { absorb_neon(how, states, data, blocks) };
    }
    for (state, data) in states.iter_mut().zip(data) {
        absorb(how, state, &data[..len]);
    }
}

/// Adds to `sum` the last six rounds of every 40-byte block (words of little-endian bytes) under its mask, and rolls the
/// mask as often.
pub(crate) fn sum_blocks(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    match Path::current().vectors() {
        // SAFETY: the path has the instructions.
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 if data.len() >= 2 * 40 => unsafe { sum_avx512(mask, sum, data) },
        // SAFETY: the path has the instructions.
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 | Path::Avx512 if data.len() >= 4 * 40 => unsafe {
            sum_avx2(mask, sum, data);
        },
        // SAFETY: the path has the instructions.
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 | Path::Avx512 => unsafe { sum_bmi(mask, sum, data) },
        // SAFETY: the path has the instructions.
        #[cfg(target_arch = "aarch64")]
        Path::NeonSha3 if data.len() >= 4 * 40 => unsafe { sum_neon(mask, sum, data) },
        _ => scalar::sum_blocks(mask, sum, data),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn permute_bmi(state: &mut Words, rounds: usize) {
    *state = round::permute(*state, rounds);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn absorb_bmi(how: Absorb, state: &mut Words, data: &[u8]) {
    by_rate!(how, scalar(state, data, how.rounds));
}

/// # Safety
/// Every slice has at least so many blocks.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
unsafe fn absorb_avx2(how: Absorb, states: &mut [Words; 4], data: &[&[u8]; 4], blocks: usize) {
    // SAFETY: this function has the features; the rest is the caller's promise.
    unsafe { by_rate!(how, avx2(states, data, blocks, how.rounds)) };
}

/// # Safety
/// Every slice has at least so many blocks.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl")]
unsafe fn absorb_avx512(how: Absorb, states: &mut [Words; 8], data: &[&[u8]; 8], blocks: usize) {
    // SAFETY: this function has the features; the rest is the caller's promise.
    unsafe { by_rate!(how, avx512(states, data, blocks, how.rounds)) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn rows_avx2(rows: &mut Rows, rounds: usize) {
    // SAFETY: this function has the features.
    unsafe { avx2::permute_rows(rows, rounds) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl")]
fn rows_avx512(rows: &mut Rows, rounds: usize) {
    // SAFETY: this function has the features.
    unsafe { avx512::permute_rows(rows, rounds) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn sum_bmi(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    scalar::sum_blocks(mask, sum, data);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
fn sum_avx2(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    // SAFETY: this function has the features.
    unsafe { avx2::sum_blocks(mask, sum, data) };
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512vl")]
fn sum_avx512(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    // SAFETY: this function has the features.
    unsafe { avx512::sum_blocks(mask, sum, data) };
}

/// # Safety
/// Every slice has at least so many blocks.
#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon,sha3")]
unsafe fn absorb_neon(how: Absorb, states: &mut [Words; 4], data: &[&[u8]; 4], blocks: usize) {
    // SAFETY: this function has the features; the rest is the caller's promise.
    unsafe { by_rate!(how, neon(states, data, blocks, how.rounds)) };
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon,sha3")]
fn rows_neon(rows: &mut Rows, rounds: usize) {
    // SAFETY: this function has the features.
    unsafe { neon::permute_rows(rows, rounds) };
}

#[cfg(target_arch = "aarch64")]
#[target_feature(enable = "neon,sha3")]
fn sum_neon(mask: &mut Words, sum: &mut Words, data: &[u8]) {
    // SAFETY: this function has the features.
    unsafe { neon::sum_blocks(mask, sum, data) };
}
