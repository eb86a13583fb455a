// SPDX-License-Identifier: Apache-2.0
//! What the modes do with a kernel, in all lanes at once.

use super::words::{Kernel, Words};
use crate::compress::{Chain, Compress};
use crate::key::{Straight, Work};
use core::array::from_fn;
use core::borrow::{Borrow, BorrowMut};

/// One string of each lane, words in their order.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn load<K, V, R, const L: usize>(rows: &[R; L]) -> [V; 8]
where
    K: Kernel,
    V: Words<L, Word = K::Word, Row = K::Row>,
    R: Borrow<K::Row>,
{
    // SAFETY: as above.
    let mut words = unsafe { V::load(rows) };
    for word in &mut words {
        *word = K::order(*word);
    }
    words
}

#[inline(always)]
fn store<K, V, R, const L: usize>(mut words: [V; 8], rows: &mut [R; L])
where
    K: Kernel,
    V: Words<L, Word = K::Word, Row = K::Row>,
    R: BorrowMut<K::Row>,
{
    for word in &mut words {
        *word = K::order(*word);
    }
    V::store(words, rows);
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
pub(super) unsafe fn calls<F, K, V, const L: usize>(key: &K::Schedule, works: &mut [Work<F>; L])
where
    F: Compress,
    K: Kernel,
    V: Words<L, Word = K::Word, Row = K::Row>,
    Chain<F>: BorrowMut<K::Row>,
{
    // SAFETY: as above.
    let (h, data): ([V; 8], [V; 8]) = unsafe {
        (
            load::<K, V, &K::Row, L>(&works.each_ref().map(|work| work.h.borrow())),
            load::<K, V, &K::Row, L>(&works.each_ref().map(|work| work.data.borrow())),
        )
    };
    let h = K::call(key, h, data);
    store::<K, V, &mut K::Row, L>(h, &mut works.each_mut().map(|work| work.h.borrow_mut()));
}

/// See [`Straight`], whose parts all have `L` elements; `table` holds L[0], L[1], ..
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub(super) unsafe fn straight<F, K, V, const L: usize, const N: usize>(
    key: &K::Schedule,
    table: &[Chain<F>],
    straight: Straight<'_, '_, F>,
) where
    F: Compress,
    K: Kernel<Row = [u8; N]>,
    V: Words<L, Word = K::Word, Row = [u8; N]>,
    Chain<F>: BorrowMut<[u8; N]>,
{
    const ONE_EACH: &str = "one element a lane";
    let works: &mut [Work<F>; L] = straight.works.try_into().expect(ONE_EACH);
    let texts: &mut [&mut [u8]; L] = straight.texts.try_into().expect(ONE_EACH);
    let ads: &[&[u8]; L] = straight.ads.try_into().expect(ONE_EACH);
    let numbers: &[u64; L] = straight.numbers.try_into().expect(ONE_EACH);
    let mut texts = texts.each_mut().map(|text| text.as_chunks_mut::<N>().0);
    let ads = ads.map(|ad| ad.as_chunks::<N>().0);
    let any_ad = ads.iter().any(|ad| !ad.is_empty());
    let none = [0; N];
    let in_step = numbers.iter().all(|number| *number == numbers[0]);

    // SAFETY: as above.
    let mut h: [V; 8] =
        unsafe { load::<K, V, &[u8; N], L>(&works.each_ref().map(|work| work.h.borrow())) };
    // SAFETY: as above.
    let mut delta: [V; 8] =
        unsafe { load::<K, V, &[u8; N], L>(&works.each_ref().map(|work| work.delta.borrow())) };
    for block in 0..straight.blocks {
        let mut rows: [&mut [u8; N]; L] = texts.each_mut().map(|text| &mut text[block]);
        // SAFETY: as above.
        let text = unsafe { load::<K, V, _, L>(&rows) };
        let result = add(text, h);
        store::<K, V, _, L>(result, &mut rows);
        let row = |number: u64| table[(number + block as u64).trailing_zeros() as usize].borrow();
        let l = if in_step {
            h[0].spread(row(numbers[0])).map(K::order)
        } else {
            let rows: [&[u8; N]; L] = from_fn(|lane| row(numbers[lane]));
            // SAFETY: as above.
            unsafe { load::<K, V, _, L>(&rows) }
        };
        delta = add(delta, l);
        if any_ad {
            let rows: [&[u8; N]; L] = from_fn(|lane| ads[lane].get(block).unwrap_or(&none));
            // SAFETY: as above.
            h = add(h, unsafe { load::<K, V, &[u8; N], L>(&rows) });
        }
        let plaintext = if straight.open { result } else { text };
        h = K::call(key, add(h, delta), plaintext);
    }
    store::<K, V, _, L>(h, &mut works.each_mut().map(|work| work.h.borrow_mut()));
    store::<K, V, _, L>(
        delta,
        &mut works.each_mut().map(|work| work.delta.borrow_mut()),
    );
}
