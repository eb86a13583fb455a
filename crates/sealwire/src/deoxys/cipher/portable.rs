// SPDX-License-Identifier: Apache-2.0
//! Any CPU: the rounds of the `aes` crate, which has neither table nor branch on secrets, eight blocks a call.

use super::key::{Key, MAX_KEYS, permute};
use super::rounds::Rounds;
use crate::gf::wipe;
use aes::Block;
use aes::cipher::Array;
use aes::hazmat::{
    Block8, cipher_round_par, equiv_inv_cipher_round_par, inv_mix_columns, mix_columns,
};

/// Nothing is needed.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// Up to eight blocks go through a call of the `aes` crate.
fn eight<const N: usize>(
    x: &mut [u128; N],
    keys: &[u128; N],
    round: fn(&mut Block8, &Block8),
    unmixed: bool,
) {
    const { assert!(N <= 8) };
    let mut blocks = Block8::default();
    let mut round_keys = Block8::default();
    for i in 0..N {
        blocks[i] = Array(x[i].to_be_bytes());
        if !unmixed {
            round_keys[i] = Array(keys[i].to_be_bytes());
        }
    }
    round(&mut blocks, &round_keys);
    for i in 0..N {
        if unmixed {
            mix_columns(&mut blocks[i]);
        }
        x[i] = u128::from_be_bytes(blocks[i].0) ^ if unmixed { keys[i] } else { 0 };
        wipe(&mut blocks[i]);
        wipe(&mut round_keys[i]);
    }
}

impl Rounds for Portable {
    type Vector = u128;
    const LANES: usize = 1;
    const ONE_BY_ONE: bool = false;
    #[cfg(test)]
    const NAME: &'static str = "portable";

    fn load(self, text: &[u8]) -> u128 {
        text.first_chunk()
            .map_or(0, |block| u128::from_be_bytes(*block))
    }

    fn store(self, x: u128, text: &mut [u8]) {
        if let Some(block) = text.first_chunk_mut() {
            *block = x.to_be_bytes();
        }
    }

    fn lanes(self, blocks: &[[u8; 16]]) -> u128 {
        self.every(&blocks[0])
    }

    fn every(self, block: &[u8; 16]) -> u128 {
        u128::from_be_bytes(*block)
    }

    fn sum(self, x: u128, y: u128) -> u128 {
        x ^ y
    }

    fn add(self, x: &[u8; 16], y: &[u8; 16], sum: &mut [u8; 16]) {
        *sum = (self.every(x) ^ self.every(y)).to_be_bytes();
    }

    fn fold(self, x: u128) -> [u8; 16] {
        x.to_be_bytes()
    }

    fn keep(self, x: u128, count: usize) -> u128 {
        if count == 0 { 0 } else { x }
    }

    fn forward<const N: usize>(self, x: &mut [u128; N], keys: &[u128; N]) {
        eight(x, keys, cipher_round_par, false);
    }

    fn backward<const N: usize>(self, x: &mut [u128; N], keys: &[u128; N]) {
        eight(x, keys, equiv_inv_cipher_round_par, false);
    }

    fn backward_last<const N: usize>(self, x: &mut [u128; N], keys: &[u128; N]) {
        eight(x, keys, equiv_inv_cipher_round_par, true);
    }

    fn unmix<const N: usize>(self, x: &mut [u128; N]) {
        for x in x {
            let mut block: Block = Array(x.to_be_bytes());
            inv_mix_columns(&mut block);
            *x = u128::from_be_bytes(block.0);
        }
    }

    fn subkeys(
        self,
        key: &Key,
        mut tweak: [u8; 16],
        decipher: bool,
        subkeys: &mut [[u8; 16]; MAX_KEYS],
    ) {
        for (round, subkey) in subkeys.iter_mut().enumerate().take(key.rounds + 1) {
            let sum = u128::from_be_bytes(key.parts[round]) ^ u128::from_be_bytes(tweak);
            let mut sum = [sum];
            if decipher && round > 0 {
                self.unmix(&mut sum);
            }
            *subkey = sum[0].to_be_bytes();
            permute(&mut tweak, key.version);
        }
    }
    fn single(self, key: &Key, mut tweak: [u8; 16], block: &[u8; 16]) -> [u8; 16] {
        let mut x = [self.every(block) ^ self.every(&key.parts[0]) ^ self.every(&tweak)];
        for part in key.parts.iter().skip(1).take(key.rounds) {
            permute(&mut tweak, key.version);
            self.forward(&mut x, &[self.every(part) ^ self.every(&tweak)]);
        }
        x[0].to_be_bytes()
    }
}
