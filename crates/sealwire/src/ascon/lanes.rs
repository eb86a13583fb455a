// SPDX-License-Identifier: Apache-2.0
//! What is done in the same way with a state in each lane of any vector.

use super::round::{Word, permute};
use super::{Rows, Words};
use zeroize::Zeroize;

/// A word of `L` states. It is made only where the CPU has the instructions.
pub(super) trait Lanes<const L: usize>: Word {
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn gather(words: [u64; L]) -> Self;

    /// The inverse of `gather`.
    fn scatter(self) -> [u64; L];
}

/// The last `rounds` rounds of the first `L` states, word i of all of them in row i.
///
/// # Safety
/// The CPU has the instructions of `W`.
#[inline(always)]
pub(super) unsafe fn permute_rows<W: Lanes<L>, const L: usize>(rows: &mut Rows, rounds: usize) {
    // SAFETY: the caller knows the CPU.
    let mut x = unsafe { [W::gather([0; L]); 5] };
    for (x, row) in x.iter_mut().zip(&*rows) {
        // SAFETY: the caller knows the CPU.
        *x = unsafe { W::gather(*row.first_chunk().expect("as many lanes")) };
    }
    for (row, x) in rows.iter_mut().zip(permute(x, rounds)) {
        row[..L].copy_from_slice(&x.scatter());
    }
}

/// Takes in `blocks` blocks of `RATE` words in every lane, and permutes after each.
///
/// # Safety
/// The CPU has the instructions of `W`. Every slice has at least so many blocks.
#[inline(always)]
pub(super) unsafe fn absorb<W, const L: usize, const RATE: usize, const BE: bool>(
    states: &mut [Words; L],
    data: &[&[u8]; L],
    blocks: usize,
    rounds: usize,
) where
    W: Lanes<L>,
{
    // SAFETY: the caller knows the CPU.
    let mut x = unsafe { [W::gather([0; L]); 5] };
    for (i, x) in x.iter_mut().enumerate() {
        // SAFETY: the caller knows the CPU.
        *x = unsafe { W::gather(states.each_ref().map(|state| state[i])) };
    }
    for block in 0..blocks {
        let word = |row: &[u8], i| {
            let bytes = row[8 * (RATE * block + i)..]
                .first_chunk()
                .expect("the caller's promise");
            if BE {
                u64::from_be_bytes(*bytes)
            } else {
                u64::from_le_bytes(*bytes)
            }
        };
        for (i, x) in x.iter_mut().enumerate().take(RATE) {
            // SAFETY: the caller knows the CPU.
            *x = x.xor(unsafe { W::gather(data.map(|row| word(row, i))) });
        }
        x = permute(x, rounds);
    }
    for (i, x) in x.into_iter().enumerate() {
        let mut row = x.scatter();
        for (state, word) in states.iter_mut().zip(row) {
            state[i] = word;
        }
        row.zeroize();
    }
}
