// SPDX-License-Identifier: Apache-2.0
//! What the modes do with a kernel, in all lanes at once.

use super::words::{Kernel, Words};
use crate::compress::function::{Call, Chain, Compress, RUN, Run};
use core::borrow::{Borrow, BorrowMut};
use core::ptr::{self, null, null_mut};

/// One string of each lane, words in their order.
///
/// # Safety
/// The conditions of `V::load` hold.
#[inline(always)]
unsafe fn load<K, V, const L: usize>(rows: [*const K::Row; L]) -> [V; 8]
where
    K: Kernel,
    V: Words<L, Word = K::Word, Row = K::Row>,
{
    // SAFETY: the caller's promise.
    order::<K, V, L>(unsafe { V::load(rows) })
}

/// The inverse of `load`.
///
/// # Safety
/// The conditions of `V::store` hold.
#[inline(always)]
unsafe fn store<K, V, const L: usize>(words: [V; 8], rows: [*mut K::Row; L])
where
    K: Kernel,
    V: Words<L, Word = K::Word, Row = K::Row>,
{
    // SAFETY: the caller's promise.
    unsafe { V::store(order::<K, V, L>(words), rows) }
}

/// An array of what the expression makes of each index. A loop: into a closure the compiler would not inline instructions
/// that only the function around is known to have, nor always the closure itself.
macro_rules! rows {
    ($lane:ident, $first:expr, $row:expr) => {{
        let mut rows = [$first; L];
        for ($lane, row) in rows.iter_mut().enumerate() {
            *row = $row;
        }
        rows
    }};
}

/// From words as they were loaded to their values, or back.
#[inline(always)]
fn order<K, V, const L: usize>(mut words: [V; 8]) -> [V; 8]
where
    K: Kernel,
    V: Words<L, Word = K::Word>,
{
    for word in &mut words {
        *word = K::order(*word);
    }
    words
}

#[inline(always)]
fn add<V: Words<L>, const L: usize>(mut x: [V; 8], y: [V; 8]) -> [V; 8] {
    for i in 0..8 {
        x[i] = x[i].xor(y[i]);
    }
    x
}

/// In every lane h becomes F'(h, key || data).
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn calls<F, K, V, const L: usize>(key: &K::Schedule, calls: &mut [Call<F>; L])
where
    F: Compress,
    K: Kernel,
    V: Words<L, Word = K::Word, Row = K::Row>,
    Chain<F>: BorrowMut<K::Row>,
{
    let h = rows!(i, null_mut(), calls[i].h.borrow_mut());
    let data = rows!(i, null(), calls[i].data.borrow());
    // SAFETY: the caller's promise, and these are whole strings.
    unsafe {
        let result = K::call(
            key,
            load::<K, V, L>(rows!(i, null(), h[i])),
            load::<K, V, L>(data),
        );
        store::<K, V, L>(result, h);
    }
}

/// Does what [`Run`] says, whose parts all have `L` elements.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn run<F, K, V, const L: usize, const N: usize>(
    key: &K::Schedule,
    run: Run<'_, '_, F>,
) where
    F: Compress,
    K: Kernel<Row = [u8; N]>,
    V: Words<L, Word = K::Word, Row = [u8; N]>,
    Chain<F>: BorrowMut<[u8; N]>,
{
    const ONE_EACH: &str = "one element a lane";
    let calls: &mut [Call<F>; L] = run.calls.first_chunk_mut().expect(ONE_EACH);
    let masks: &mut [Chain<F>; L] = run.masks.try_into().expect(ONE_EACH);
    let increments: &[&[&Chain<F>; RUN]; L] = run.increments.try_into().expect(ONE_EACH);
    let texts: &mut [&mut [u8]; L] = run.texts.try_into().expect(ONE_EACH);
    let addends: &[&[u8]; L] = run.addends.try_into().expect(ONE_EACH);
    let texts = texts.each_mut().map(|text| text.as_chunks_mut::<N>().0);
    let addends = addends.map(|addend| addend.as_chunks::<N>().0);
    let any_addend = addends.iter().any(|addend| !addend.is_empty());
    let none = [0; N];
    let in_step = increments.iter().all(|row| ptr::eq(*row, increments[0]));

    // SAFETY: the caller's promise, and all rows are whole strings.
    let (mut h, mut mask): ([V; 8], [V; 8]) = unsafe {
        (
            load::<K, V, L>(rows!(i, null(), calls[i].h.borrow())),
            load::<K, V, L>(rows!(i, null(), masks[i].borrow())),
        )
    };
    for block in 0..run.blocks {
        let rows = rows!(i, null_mut(), &raw mut texts[i][block]);
        // SAFETY: the caller's promise, and all rows are whole strings.
        let text = unsafe { load::<K, V, L>(rows!(i, null(), rows[i])) };
        let result = add(text, h);
        // SAFETY: the caller's promise, and all rows are whole strings.
        unsafe { store::<K, V, L>(result, rows) };
        let increment = if in_step {
            order::<K, V, L>(h[0].spread(increments[0][block].borrow()))
        } else {
            // SAFETY: the caller's promise, and all rows are whole strings.
            unsafe { load::<K, V, L>(rows!(i, null(), increments[i][block].borrow())) }
        };
        mask = add(mask, increment);
        if any_addend {
            let rows = rows!(i, null(), addends[i].get(block).unwrap_or(&none));
            // SAFETY: the caller's promise, and all rows are whole strings.
            h = add(h, unsafe { load::<K, V, L>(rows) });
        }
        let plaintext = if run.open { result } else { text };
        h = K::call(key, add(h, mask), plaintext);
    }
    // SAFETY: the caller's promise, and all rows are whole strings.
    unsafe {
        store::<K, V, L>(h, rows!(i, null_mut(), calls[i].h.borrow_mut()));
        store::<K, V, L>(mask, rows!(i, null_mut(), masks[i].borrow_mut()));
    }
}
