// SPDX-License-Identifier: Apache-2.0
//! VAES under a key, of which registers of every width make an engine.

use super::Cipher;
use super::aesni::AesNi;
use super::single::{RoundKeys, Single};

/// Registers of LANES blocks. Single blocks are AES-NI's.
pub(super) struct Vaes<'a, A, const LANES: usize>(pub(super) Single<'a, A, AesNi>);

impl<A, const LANES: usize> Clone for Vaes<'_, A, LANES> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, const LANES: usize> Copy for Vaes<'_, A, LANES> {}

impl<'a, A: Cipher, const LANES: usize> Vaes<'a, A, LANES> {
    /// # Safety
    /// The CPU must have VAES for registers of this width, VPCLMULQDQ, AES-NI and AVX2, and for four lanes AVX-512F, BW, DQ and VL; and the
    /// caller must be compiled for them.
    #[inline(always)]
    pub(super) unsafe fn new(keys: &'a RoundKeys) -> Self {
        // SAFETY: the caller's promise.
        Self(Single::new(unsafe { AesNi::new() }, keys))
    }
}
