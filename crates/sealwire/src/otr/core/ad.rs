// SPDX-License-Identifier: Apache-2.0
//! Associated data: TA in its three forms.

use super::Form;
use super::text::State;
use crate::aes::{Engine, from_short, times_power};
use crate::gf::wipe;

/// The associated data of a message.
#[derive(Clone, Copy)]
pub(crate) enum Data<'a> {
    Bytes(&'a [u8]),
    /// TA itself.
    Done(u128),
}

impl Data<'_> {
    /// TA; it is zero for empty data.
    #[inline(always)]
    pub(crate) fn process<E: Engine>(self, engine: E, form: Form, q: u128) -> u128 {
        match self {
            Self::Done(ta) => ta,
            Self::Bytes([]) => 0,
            Self::Bytes(ad) => match form {
                Form::Parallel => parallel(engine, q, ad),
                Form::Serial => serial(engine, q, ad),
                Form::Chained => chained(engine, q, ad),
            },
        }
    }
}

/// The blocks before the last one, and the last one, of 1 to 16 bytes.
#[inline(always)]
fn split(ad: &[u8]) -> (&[u8], &[u8]) {
    ad.split_at((ad.len() - 1) / 16 * 16)
}

/// E(sum of E(A_i + 2^(i-1)·Q) for the blocks before the last, + the last, padded, + 5·2^(a-1)·Q, or 3·2^(a-1)·Q if it
/// was padded).
#[inline(always)]
fn parallel<E: Engine>(engine: E, q: u128, ad: &[u8]) -> u128 {
    let (blocks, last) = split(ad);
    let (mut sum, mask) = match E::LANES {
        1 => independent::<E, 8, 1>(engine, q, blocks),
        _ => independent::<E, 4, 2>(engine, q, blocks),
    };
    sum ^= from_short(last);
    let tweak = if last.len() == 16 { 2 } else { 1 };
    engine.block(sum ^ mask ^ times_power(mask, tweak))
}

/// The sum for whole blocks, N vectors at once, and the mask that comes next. LANES · N is 8 · BYTES.
#[allow(clippy::needless_range_loop, reason = "several arrays side by side")]
#[inline(always)]
fn independent<E: Engine, const N: usize, const BYTES: i32>(
    engine: E,
    mut mask: u128,
    mut blocks: &[u8],
) -> (u128, u128) {
    let mut total = 0;
    let width = 16 * E::LANES;
    if blocks.len() >= width * N {
        let zeros = [engine.zero(); N];
        let (mut numbers, mut sum) = (zeros, engine.zero());
        for i in 0..N {
            numbers[i] = engine.powers(mask, i * E::LANES);
        }
        while let Some((group, rest)) = blocks.split_at_checked(width * N) {
            let (mut x, mut masks) = (zeros, zeros);
            for i in 0..N {
                x[i] = engine.load(&group[i * width..(i + 1) * width]);
                masks[i] = engine.masks(numbers[i]);
                numbers[i] = engine.times_bytes::<BYTES>(numbers[i]);
            }
            engine.blocks(&mut x, &masks, &zeros);
            for x in x {
                sum = engine.sum(sum, x);
            }
            blocks = rest;
        }
        total = engine.fold(sum);
        mask = engine.lane(engine.masks(numbers[0]), 0);
    }
    let (rest, _) = blocks.as_chunks::<16>();
    for blocks in rest.chunks(8) {
        let mut inputs = [0; 8];
        let inputs = &mut inputs[..blocks.len()];
        for (input, block) in inputs.iter_mut().zip(blocks) {
            *input = u128::from_be_bytes(*block) ^ mask;
            mask = times_power(mask, 1);
        }
        engine.each(inputs);
        total = inputs.iter().fold(total, |total, x| total ^ x);
    }
    (total, mask)
}

/// S = E(S + A_i) over the blocks before the last, then E(S + the last, padded, + 4·Q, or 2·Q if it was padded).
#[inline(always)]
fn serial<E: Engine>(engine: E, q: u128, ad: &[u8]) -> u128 {
    let (blocks, last) = split(ad);
    let mut sum = 0;
    for block in blocks.as_chunks().0 {
        sum = engine.block(sum ^ u128::from_be_bytes(*block));
    }
    let tweak = if last.len() == 16 { 2 } else { 1 };
    engine.block(sum ^ from_short(last) ^ times_power(q, tweak))
}

/// TE of the mode itself when it decrypts the data under the first mask Q. What it decrypts to is not needed.
#[inline(always)]
fn chained<E: Engine>(engine: E, q: u128, mut ad: &[u8]) -> u128 {
    let mut state = State::new(q);
    let mut copy = [0; 512];
    loop {
        let (now, later) = ad.split_at(ad.len().min(copy.len()));
        let copy = &mut copy[..now.len()];
        copy.copy_from_slice(now);
        if later.is_empty() {
            let input = state.end(engine, copy, true);
            wipe(copy);
            return engine.block(input);
        }
        state.chunks(engine, copy, true);
        wipe(copy);
        ad = later;
    }
}
