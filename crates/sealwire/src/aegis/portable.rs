// SPDX-License-Identifier: Apache-2.0
//! Any CPU: the rounds of the `aes` crate, which has neither table nor branch on secrets, eight blocks a call.

use super::rounds::Rounds;
use crate::gf::wipe;
use aes::cipher::Array;
use aes::hazmat::{Block8, cipher_round_par};

/// Nothing is needed.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Rounds for Portable {
    type Block = u128;

    fn read(self, bytes: &[u8; 16]) -> u128 {
        u128::from_le_bytes(*bytes)
    }

    fn write(self, x: u128) -> [u8; 16] {
        x.to_le_bytes()
    }

    fn sum(self, x: u128, y: u128) -> u128 {
        x ^ y
    }

    fn both(self, x: u128, y: u128) -> u128 {
        x & y
    }

    fn rounds<const N: usize>(self, x: &mut [u128; N], keys: &[u128; N]) {
        const { assert!(N <= 8) };
        let mut blocks = Block8::default();
        let mut round_keys = Block8::default();
        for i in 0..N {
            blocks[i] = Array(x[i].to_le_bytes());
            round_keys[i] = Array(keys[i].to_le_bytes());
        }
        cipher_round_par(&mut blocks, &round_keys);
        for i in 0..N {
            x[i] = u128::from_le_bytes(blocks[i].0);
            wipe(&mut blocks[i]);
            wipe(&mut round_keys[i]);
        }
    }

    fn together<const N: usize>(self, _x: &mut [u128; N]) {}
}
