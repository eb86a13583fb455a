// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::core::{Core, KEY_LEN, NONCE_LEN, TAG_LEN};
use crate::mode::{Family, HashesAd};
use crate::typed::Typed;
use aead::consts::{U13, U16, U48};
use core::fmt;

/// `minalpherv11`, `minalpher`: key 16, nonce 13, tag 48 bytes.
pub type Minalpher = Typed<Mode, U16, U13, U48>;

/// Minalpher, as [`Typed`] wants it.
#[derive(Debug)]
pub enum Mode {}

impl Family for Mode {
    type Keyed = Core;
    const SIZES: [(usize, usize); 3] = [
        (KEY_LEN, KEY_LEN),
        (NONCE_LEN, NONCE_LEN),
        (TAG_LEN, TAG_LEN),
    ];

    fn keyed(key: &[u8], _tag_len: usize) -> Core {
        Core::new(key)
    }

    fn name(f: &mut fmt::Formatter<'_>, _key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        f.write_str("minalpherv11")
    }
}

impl HashesAd for Mode {}
