// SPDX-License-Identifier: Apache-2.0
//! The schemes as types.

use super::core::{Core, KEY_LEN, NONCE_LEN, TAG_LEN};
use crate::mode::Family;
use crate::typed::Typed;
use aead::consts::{U11, U16};
use core::fmt;

/// `scream10v3`, `scream-10`: key 16, nonce 11, tag 16 bytes.
pub type Scream10 = Typed<Mode<10>, U16, U11, U16>;
/// `scream12v3`, `scream-12`: key 16, nonce 11, tag 16 bytes.
pub type Scream12 = Typed<Mode<12>, U16, U11, U16>;

/// SCREAM with so many steps, 10 or 12, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode<const STEPS: usize>;

impl<const STEPS: usize> Family for Mode<STEPS> {
    type Keyed = Core;
    const SIZES: [(usize, usize); 3] = [
        (KEY_LEN, KEY_LEN),
        (NONCE_LEN, NONCE_LEN),
        (TAG_LEN, TAG_LEN),
    ];

    fn keyed(key: &[u8], _tag_len: usize) -> Core {
        Core::new(key, STEPS)
    }

    fn name(f: &mut fmt::Formatter<'_>, _key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        write!(f, "scream{STEPS}v3")
    }
}
