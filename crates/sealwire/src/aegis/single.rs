// SPDX-License-Identifier: Apache-2.0
//! The CPU's own instructions for AES: a block a register.

use super::rounds::Rounds;
use crate::aes::Register;

/// Instructions on one block; FEW if the CPU has sixteen registers for them, which hold a state and little else.
#[derive(Clone, Copy)]
pub(super) struct Single<R, const FEW: bool>(pub(super) R);

impl<R: Register, const FEW: bool> Rounds for Single<R, FEW> {
    type Block = R::Block;

    #[inline(always)]
    fn read(self, bytes: &[u8; 16]) -> R::Block {
        self.0.read(bytes)
    }

    #[inline(always)]
    fn write(self, x: R::Block) -> [u8; 16] {
        let mut bytes = [0; 16];
        self.0.write(x, &mut bytes);
        bytes
    }

    #[inline(always)]
    fn sum(self, x: R::Block, y: R::Block) -> R::Block {
        self.0.sum(x, y)
    }

    #[inline(always)]
    fn both(self, x: R::Block, y: R::Block) -> R::Block {
        self.0.both(x, y)
    }

    #[inline(always)]
    fn rounds<const N: usize>(self, x: &mut [R::Block; N], keys: &[R::Block; N]) {
        for i in 0..N {
            x[i] = self.0.round(x[i], keys[i]);
        }
    }

    #[inline(always)]
    fn together<const N: usize>(self, x: &mut [R::Block; N]) {
        if FEW {
            self.0.together(x);
        }
    }
}
