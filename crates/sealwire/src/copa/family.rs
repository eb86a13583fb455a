// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::chain::{self, TAG_LEN};
use crate::chained::Core;
use crate::mode::Family;
use crate::typed::Typed;
use aead::consts::{U16, U33};
use core::fmt;

/// `aescopav2`, `copa-aes128`: key 16, nonce 16, tag 33 bytes.
pub type Aes128Copa = Typed<Mode, U16, U16, U33>;

/// Length of a key in bytes.
pub(super) const KEY_LEN: usize = 16;

/// Length of a nonce in bytes.
pub(super) const NONCE_LEN: usize = 16;

/// The canonical name.
pub(super) const NAME: &str = "aescopav2";

/// AES-COPA, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode(());

impl Family for Mode {
    type Keyed = Core<chain::Copa>;
    const SIZES: [(usize, usize); 3] = [
        (KEY_LEN, KEY_LEN),
        (NONCE_LEN, NONCE_LEN),
        (TAG_LEN, TAG_LEN),
    ];

    fn keyed(key: &[u8], _tag_len: usize) -> Self::Keyed {
        Core::new(key)
    }

    fn name(f: &mut fmt::Formatter<'_>, _key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        f.write_str(NAME)
    }
}
