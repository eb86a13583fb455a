// SPDX-License-Identifier: Apache-2.0
//! The three forms of associated data, and what each changes of the message.

use crate::aes::Engine;

/// How associated data is processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// ADP = P
    Parallel,
    /// ADP = S
    Serial,
    /// ADP = C
    Chained,
}

impl Form {
    /// The letter in scheme names.
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::Parallel => 'p',
            Self::Serial => 's',
            Self::Chained => 'c',
        }
    }

    /// What is encrypted to the first mask; `nonce` is formatted, `ta` the associated data's part.
    #[inline(always)]
    pub(super) fn start<E: Engine>(self, engine: E, nonce: E::Block, ta: E::Block) -> E::Block {
        match self {
            Self::Chained => engine.plus(nonce, ta),
            Self::Parallel | Self::Serial => nonce,
        }
    }

    /// L, of what that gave.
    #[inline(always)]
    pub(super) fn first_mask<E: Engine>(
        self,
        engine: E,
        encrypted: E::Block,
        ta: E::Block,
    ) -> E::Block {
        match self {
            Self::Serial => engine.times(engine.plus(encrypted, ta), 1),
            Self::Parallel | Self::Chained => encrypted,
        }
    }

    /// The tag, of TE.
    #[inline(always)]
    pub(super) fn tag<E: Engine>(self, engine: E, te: E::Block, ta: E::Block) -> E::Block {
        match self {
            Self::Parallel => engine.plus(te, ta),
            Self::Serial | Self::Chained => te,
        }
    }
}
