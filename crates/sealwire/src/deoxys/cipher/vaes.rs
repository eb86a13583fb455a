// SPDX-License-Identifier: Apache-2.0
//! VAES: several blocks a register.

use super::key::{Key, MAX_KEYS};
use super::rounds::Rounds;
use super::single::Single;
use super::wide::Wide;
use crate::aes::Own;

/// A CPU with VAES on registers of one width.
#[derive(Clone, Copy)]
pub(super) struct Vaes<W> {
    wide: W,
    single: Single<Own>,
}

impl<W: Wide> Vaes<W> {
    /// # Safety
    /// The CPU must have AES-NI and AVX2, and the caller must be compiled for them.
    #[inline(always)]
    pub(super) unsafe fn new(wide: W) -> Self {
        // SAFETY: the caller's promise.
        let single = Single(unsafe { Own::new() });
        Self { wide, single }
    }
}

impl<W: Wide> Rounds for Vaes<W> {
    type Vector = W::Vector;
    const LANES: usize = W::LANES;
    const ONE_BY_ONE: bool = true;
    #[cfg(test)]
    const NAME: &'static str = W::NAME;

    #[inline(always)]
    fn load(self, text: &[u8]) -> W::Vector {
        self.wide.load(text)
    }

    #[inline(always)]
    fn store(self, x: W::Vector, text: &mut [u8]) {
        self.wide.store(x, text);
    }

    #[inline(always)]
    fn lanes(self, blocks: &[[u8; 16]]) -> W::Vector {
        self.load(blocks[..W::LANES].as_flattened())
    }

    #[inline(always)]
    fn every(self, block: &[u8; 16]) -> W::Vector {
        self.wide.every(self.single.every(block))
    }

    #[inline(always)]
    fn sum(self, x: W::Vector, y: W::Vector) -> W::Vector {
        self.wide.sum(x, y)
    }

    #[inline(always)]
    fn add(self, x: &[u8; 16], y: &[u8; 16], sum: &mut [u8; 16]) {
        self.single.add(x, y, sum);
    }

    #[inline(always)]
    fn fold(self, x: W::Vector) -> [u8; 16] {
        self.single.fold(self.wide.fold(x))
    }

    #[inline(always)]
    fn keep(self, x: W::Vector, count: usize) -> W::Vector {
        self.wide.keep(x, count)
    }

    #[inline(always)]
    fn forward<const N: usize>(self, x: &mut [W::Vector; N], keys: &[W::Vector; N]) {
        for i in 0..N {
            x[i] = self.wide.round(x[i], keys[i]);
        }
    }

    #[inline(always)]
    fn backward<const N: usize>(self, x: &mut [W::Vector; N], keys: &[W::Vector; N]) {
        for i in 0..N {
            x[i] = self.wide.inverse_round(x[i], keys[i]);
        }
    }

    #[inline(always)]
    fn backward_last<const N: usize>(self, x: &mut [W::Vector; N], keys: &[W::Vector; N]) {
        for i in 0..N {
            x[i] = self.wide.inverse_last_round(x[i], keys[i]);
        }
    }

    /// No instruction does it alone: the S-box and ShiftRows are done and undone.
    #[inline(always)]
    fn unmix<const N: usize>(self, x: &mut [W::Vector; N]) {
        let zero = self.every(&[0; 16]);
        for x in x {
            *x = self
                .wide
                .inverse_round(self.wide.last_round(*x, zero), zero);
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
        self.single.subkeys(key, tweak, decipher, subkeys);
    }

    #[inline(always)]
    fn single(self, key: &Key, tweak: [u8; 16], block: &[u8; 16]) -> [u8; 16] {
        self.single.single(key, tweak, block)
    }
}
