// SPDX-License-Identifier: Apache-2.0
//! AES with the CPU's own instructions: one block a register, eight in flight.

use super::number;
use super::{Cipher, Engine, Register};
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The key before the first round and after every round; the rest is unused.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
#[repr(align(16))]
pub(super) struct RoundKeys([[u8; 16]; 15]);

impl RoundKeys {
    /// The key expansion of FIPS 197, section 5.2.
    #[inline(always)]
    pub(super) fn expand<A: Cipher>(cpu: impl Register, key: &[u8]) -> Self {
        let step = key.len() / 4;
        let mut words = [0; 60];
        for (word, bytes) in words.iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let mut constant = 1;
        for i in step..4 * (A::ROUNDS + 1) {
            let before = words[i - 1];
            let change = if i % step == 0 {
                let change = cpu.substitute(before.rotate_right(8)) ^ constant;
                constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
                change
            } else if step == 8 && i % 8 == 4 {
                cpu.substitute(before)
            } else {
                before
            };
            words[i] = words[i - step] ^ change;
        }
        let mut keys = Self([[0; 16]; 15]);
        for (bytes, word) in keys
            .0
            .as_flattened_mut()
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(words)
        {
            *bytes = word.to_le_bytes();
        }
        words.zeroize();
        if A::INVERSE {
            // The equivalent inverse cipher of FIPS 197, section 5.3.5.
            keys.0[..=A::ROUNDS].reverse();
            for key in &mut keys.0[1..A::ROUNDS] {
                cpu.write(cpu.unmix(cpu.read(key)), key);
            }
        }
        keys
    }

    #[inline(always)]
    pub(super) fn get<R: Register>(&self, cpu: R, round: usize) -> R::Block {
        cpu.read(&self.0[round])
    }
}

/// The CPU's instructions under a key.
pub(super) struct Single<'a, A, R> {
    cpu: R,
    keys: &'a RoundKeys,
    cipher: PhantomData<A>,
}

impl<A, R: Copy> Clone for Single<'_, A, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, R: Copy> Copy for Single<'_, A, R> {}

impl<'a, A: Cipher, R: Register> Single<'a, A, R> {
    #[inline(always)]
    pub(super) fn new(cpu: R, keys: &'a RoundKeys) -> Self {
        Self {
            cpu,
            keys,
            cipher: PhantomData,
        }
    }

    /// The key before the first round, or after a round.
    #[inline(always)]
    pub(super) fn key(self, round: usize) -> R::Block {
        self.keys.get(self.cpu, round)
    }
}

impl<A: Cipher, R: Register> Engine for Single<'_, A, R> {
    type Block = R::Block;
    type Vector = R::Block;
    const LANES: usize = 1;
    #[cfg(test)]
    const NAME: &'static str = R::NAME;

    #[inline(always)]
    fn read(self, bytes: &[u8; 16]) -> R::Block {
        self.cpu.read(bytes)
    }

    #[inline(always)]
    fn write(self, x: R::Block) -> [u8; 16] {
        let mut bytes = [0; 16];
        self.cpu.write(x, &mut bytes);
        bytes
    }

    #[inline(always)]
    fn read_some(self, bytes: &[u8]) -> R::Block {
        self.cpu.reversed(self.cpu.block_of(number::head(bytes)))
    }

    #[inline(always)]
    fn write_some(self, x: R::Block, bytes: &mut [u8]) {
        number::put_head(self.cpu.to_number(self.cpu.reversed(x)), bytes);
    }

    #[inline(always)]
    fn pad(self, x: R::Block, len: usize) -> R::Block {
        let x = self.cpu.to_number(self.cpu.reversed(x));
        self.cpu.reversed(self.cpu.block_of(number::pad(x, len)))
    }

    #[inline(always)]
    fn plus(self, x: R::Block, y: R::Block) -> R::Block {
        self.cpu.sum(x, y)
    }

    #[inline(always)]
    fn times(self, x: R::Block, power: u32) -> R::Block {
        self.masks(self.powers(x, power as usize))
    }

    #[inline(always)]
    fn each<const N: usize>(self, x: &mut [R::Block; N]) {
        self.blocks(x, &[self.zero(); N], &[self.zero(); N]);
    }

    #[inline(always)]
    fn blocks<const N: usize>(
        self,
        x: &mut [R::Block; N],
        before: &[R::Block; N],
        after: &[R::Block; N],
    ) {
        let key = |round| self.key(round);
        if A::INVERSE {
            self.cpu
                .encipher::<N, true>(x, key, A::ROUNDS, before, after);
        } else {
            self.cpu
                .encipher::<N, false>(x, key, A::ROUNDS, before, after);
        }
    }

    #[inline(always)]
    fn together<const N: usize>(self, x: &mut [R::Block; N]) {
        self.cpu.together(x);
    }

    #[inline(always)]
    fn zero(self) -> R::Block {
        self.cpu.zero()
    }

    #[inline(always)]
    fn sum(self, x: R::Block, y: R::Block) -> R::Block {
        self.cpu.sum(x, y)
    }

    #[inline(always)]
    fn fold(self, x: R::Block) -> R::Block {
        x
    }

    #[inline(always)]
    fn keep(self, x: R::Block, count: usize) -> R::Block {
        if count == 0 { self.zero() } else { x }
    }

    #[inline(always)]
    fn load(self, text: &[u8]) -> R::Block {
        self.cpu.read(text.first_chunk().expect("a whole block"))
    }

    #[inline(always)]
    fn load_some(self, text: &[u8]) -> R::Block {
        if text.is_empty() {
            self.zero()
        } else {
            self.load(text)
        }
    }

    #[inline(always)]
    fn spread(self, x: R::Block) -> R::Block {
        x
    }

    #[inline(always)]
    fn store(self, x: R::Block, text: &mut [u8]) {
        if let Some(block) = text.first_chunk_mut() {
            self.cpu.write(x, block);
        }
    }

    #[inline(always)]
    fn load_pairs(self, text: &[u8]) -> [R::Block; 2] {
        [self.load(text), self.load(&text[16..])]
    }

    #[inline(always)]
    fn load_some_pairs(self, text: &[u8]) -> [R::Block; 2] {
        if text.is_empty() {
            [self.zero(); 2]
        } else {
            self.load_pairs(text)
        }
    }

    #[inline(always)]
    fn store_pairs(self, pairs: [R::Block; 2], text: &mut [u8]) {
        let (blocks, _) = text.as_chunks_mut();
        for (block, x) in blocks.iter_mut().zip(pairs) {
            self.cpu.write(x, block);
        }
    }

    #[inline(always)]
    fn powers(self, x: R::Block, first: usize) -> R::Block {
        // Blocks and numbers change into one another in the same way.
        self.cpu.times(self.masks(x), first)
    }

    #[inline(always)]
    fn times_bytes<const BYTES: i32>(self, x: R::Block) -> R::Block {
        self.cpu.times_bytes::<BYTES>(x)
    }

    #[inline(always)]
    fn masks(self, x: R::Block) -> R::Block {
        self.cpu.reversed(x)
    }

    #[inline(always)]
    fn following(self, _x: R::Block, y: R::Block) -> R::Block {
        y
    }

    #[inline(always)]
    fn preceding(self, x: R::Block, _y: R::Block) -> R::Block {
        x
    }

    #[inline(always)]
    fn last(self, x: R::Block) -> R::Block {
        x
    }

    #[inline(always)]
    fn to_columns<const N: usize>(self, _x: &mut [R::Block; N]) {}

    #[inline(always)]
    fn out_of_columns<const N: usize>(self, _x: &mut [R::Block; N]) {}

    #[inline(always)]
    fn spaced(self, x: R::Block, _step: usize) -> R::Block {
        x
    }

    #[inline(always)]
    fn carried<const POWER: usize>(self, first: R::Block, _ends: R::Block) -> R::Block {
        first
    }

    #[inline(always)]
    fn twice(self, x: R::Block) -> R::Block {
        self.cpu.twice(x)
    }

    #[inline(always)]
    fn lane<const N: usize>(self, x: &[R::Block; N], lane: usize) -> R::Block {
        let mut found = x[0];
        for (i, x) in x.iter().enumerate() {
            if i == lane {
                found = *x;
            }
        }
        found
    }
}
