// SPDX-License-Identifier: Apache-2.0
//! The CPU's own instructions for AES: one block a register.

use super::key::{Key, MAX_KEYS};
use super::rounds::Rounds;
use crate::aes::Register;

/// Instructions on one block.
#[derive(Clone, Copy)]
pub(super) struct Single<R>(pub(super) R);

impl<R: Register> Rounds for Single<R> {
    type Vector = R::Block;
    const LANES: usize = 1;
    const ONE_BY_ONE: bool = true;
    #[cfg(test)]
    const NAME: &'static str = R::NAME;

    #[inline(always)]
    fn load(self, text: &[u8]) -> R::Block {
        self.every(text.first_chunk().unwrap_or(&[0; 16]))
    }

    #[inline(always)]
    fn store(self, x: R::Block, text: &mut [u8]) {
        if let Some(block) = text.first_chunk_mut() {
            self.0.write(x, block);
        }
    }

    #[inline(always)]
    fn lanes(self, blocks: &[[u8; 16]]) -> R::Block {
        self.every(&blocks[0])
    }

    #[inline(always)]
    fn every(self, block: &[u8; 16]) -> R::Block {
        self.0.read(block)
    }

    #[inline(always)]
    fn sum(self, x: R::Block, y: R::Block) -> R::Block {
        self.0.sum(x, y)
    }

    #[inline(always)]
    fn add(self, x: &[u8; 16], y: &[u8; 16], sum: &mut [u8; 16]) {
        let cpu = self.0;
        cpu.write(cpu.sum(cpu.read(x), cpu.read(y)), sum);
    }

    #[inline(always)]
    fn fold(self, x: R::Block) -> [u8; 16] {
        let mut block = [0; 16];
        self.store(x, &mut block);
        block
    }

    #[inline(always)]
    fn keep(self, x: R::Block, count: usize) -> R::Block {
        if count == 0 { self.0.zero() } else { x }
    }

    #[inline(always)]
    fn forward<const N: usize>(self, x: &mut [R::Block; N], keys: &[R::Block; N]) {
        for i in 0..N {
            x[i] = self.0.round(x[i], keys[i]);
        }
    }

    #[inline(always)]
    fn backward<const N: usize>(self, x: &mut [R::Block; N], keys: &[R::Block; N]) {
        for i in 0..N {
            x[i] = self.0.inverse_round(x[i], keys[i]);
        }
    }

    #[inline(always)]
    fn backward_last<const N: usize>(self, x: &mut [R::Block; N], keys: &[R::Block; N]) {
        for i in 0..N {
            x[i] = self.0.inverse_last_round(x[i], keys[i]);
        }
    }

    #[inline(always)]
    fn unmix<const N: usize>(self, x: &mut [R::Block; N]) {
        for x in x {
            *x = self.0.unmix(*x);
        }
    }

    #[inline(always)]
    fn subkeys(
        self,
        key: &Key,
        tweak: [u8; 16],
        decipher: bool,
        subkeys: &mut [[u8; 16]; MAX_KEYS],
    ) {
        let cpu = self.0;
        let sources = cpu.read(key.version.sources());
        let mut tweak = cpu.read(&tweak);
        for (round, (subkey, part)) in subkeys
            .iter_mut()
            .zip(&key.parts)
            .enumerate()
            .take(key.rounds + 1)
        {
            let sum = cpu.sum(cpu.read(part), tweak);
            let last = decipher && round > 0;
            cpu.write(if last { cpu.unmix(sum) } else { sum }, subkey);
            tweak = cpu.picked(tweak, sources);
        }
    }

    #[inline(always)]
    fn single(self, key: &Key, tweak: [u8; 16], block: &[u8; 16]) -> [u8; 16] {
        let cpu = self.0;
        let [first, parts @ ..] = &key.parts;
        let sources = cpu.read(key.version.sources());
        let mut tweak = cpu.read(&tweak);
        let mut x = cpu.sum(cpu.read(block), cpu.sum(cpu.read(first), tweak));
        for part in parts.iter().take(key.rounds) {
            tweak = cpu.picked(tweak, sources);
            x = cpu.round(x, cpu.sum(cpu.read(part), tweak));
        }
        self.fold(x)
    }
}
