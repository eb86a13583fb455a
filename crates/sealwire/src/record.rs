// SPDX-License-Identifier: Apache-2.0
//! For tests: a compression function that writes its calls down, and masks worked out anew from the definitions.

use crate::compress::{self, Block, Chain, Compress, Sha256};
use core::cell::RefCell;
use std::vec::Vec;

std::thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// One call of F': both inputs and the result.
#[derive(Clone)]
pub(crate) struct Call {
    pub(crate) h: [u8; 32],
    /// The data half of the block; the other half is the key's.
    pub(crate) data: [u8; 32],
    pub(crate) result: [u8; 32],
}

/// SHA-256's compression function, recorded.
pub(crate) enum Recorded {}

impl Compress for Recorded {
    type ChainSize = <Sha256 as Compress>::ChainSize;
    type BlockSize = <Sha256 as Compress>::BlockSize;
    const NAME: &'static str = Sha256::NAME;
    const REDUCTION: u16 = Sha256::REDUCTION;

    fn compress(h: &mut Chain<Self>, block: &Block<Self>) {
        let input = h.0;
        Sha256::compress(h, block);
        let data = block[32..].try_into().unwrap();
        let result = h.0;
        CALLS.with_borrow_mut(|calls| {
            calls.push(Call {
                h: input,
                data,
                result,
            });
        });
    }

    type Schedule = Chain<Self>;

    fn schedule(key: &Chain<Self>) -> Chain<Self> {
        *key
    }

    fn calls(key: &Chain<Self>, calls: &mut [compress::Call<Self>], active: usize) {
        for call in &mut calls[..active] {
            Self::compress(&mut call.h, &key.concat(call.data));
        }
    }
}

/// The calls since the last time.
pub(crate) fn calls() -> Vec<Call> {
    CALLS.take()
}

pub(crate) fn sum(x: &[u8; 32], y: &[u8; 32]) -> [u8; 32] {
    core::array::from_fn(|i| x[i] ^ y[i])
}

/// factor · x in GF(2^256), bit by bit from the definition.
pub(crate) fn product(factor: u64, x: &[u8; 32]) -> [u8; 32] {
    let mut result = [0; 32];
    for bit in (0..16).rev() {
        let carry = result[0] >> 7;
        for i in 0..32 {
            result[i] = result[i] << 1 | result.get(i + 1).map_or(0, |next| next >> 7);
        }
        result[30] ^= 0x04 * carry;
        result[31] ^= 0x25 * carry;
        if factor >> bit & 1 == 1 {
            result = sum(&result, x);
        }
    }
    result
}

/// G_i + j·L* with G_i in closed form: (16·gray(i) + j)·L*.
pub(crate) fn mask(i: u64, j: u64, l_star: &[u8; 32]) -> [u8; 32] {
    product(16 * (i ^ i >> 1) + j, l_star)
}
