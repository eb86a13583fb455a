// SPDX-License-Identifier: Apache-2.0
//! Associated data: TA in its three forms.

use super::form::Form;
use super::text::State;
use crate::aes::{Engine, masked_sum};
use crate::gf::wipe;

/// TA of data that is not empty, by Q.
#[inline(always)]
pub(crate) fn process<E: Engine>(engine: E, form: Form, q: &[u8; 16], ad: &[u8]) -> [u8; 16] {
    let ta = match form {
        Form::Parallel => parallel(engine, engine.read(q), ad),
        Form::Serial => serial(engine, engine.read(q), ad),
        Form::Chained => chained(engine, q, ad),
    };
    engine.write(ta)
}

/// The blocks before the last one, and the last one, of 1 to 16 bytes.
#[inline(always)]
fn split(ad: &[u8]) -> (&[u8], &[u8]) {
    ad.split_at((ad.len() - 1) / 16 * 16)
}

/// E(sum of E(A_i + 2^(i-1)·Q) for the blocks before the last, + the last, padded, + 5·2^(a-1)·Q, or 3·2^(a-1)·Q if it
/// was padded).
#[inline(always)]
fn parallel<E: Engine>(engine: E, q: E::Block, ad: &[u8]) -> E::Block {
    let (blocks, last) = split(ad);
    let (sum, mask) = masked_sum(engine, q, blocks);
    let sum = engine.plus(sum, engine.pad(engine.read_some(last), last.len()));
    let tweak = if last.len() == 16 {
        engine.times(mask, 2)
    } else {
        engine.times(mask, 1)
    };
    engine.block(engine.plus(sum, engine.plus(mask, tweak)))
}

/// S = E(S + A_i) over the blocks before the last, then E(S + the last, padded, + 4·Q, or 2·Q if it was padded).
#[inline(always)]
fn serial<E: Engine>(engine: E, q: E::Block, ad: &[u8]) -> E::Block {
    let (blocks, last) = split(ad);
    let mut sum = engine.fold(engine.zero());
    for block in blocks.as_chunks().0 {
        sum = engine.block(engine.plus(sum, engine.read(block)));
    }
    let tweak = if last.len() == 16 {
        engine.times(q, 2)
    } else {
        engine.times(q, 1)
    };
    let last = engine.pad(engine.read_some(last), last.len());
    engine.block(engine.plus(sum, engine.plus(last, tweak)))
}

/// TE of the mode itself when it decrypts the data under the first mask Q. What it decrypts to is not needed.
#[inline(always)]
fn chained<E: Engine>(engine: E, q: &[u8; 16], mut ad: &[u8]) -> E::Block {
    let mut state = State::new(*q);
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
