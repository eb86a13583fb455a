// SPDX-License-Identifier: Apache-2.0
//! The mode as a type.

use super::chain::{self, TAG_LEN};
use crate::chained::Core;
use crate::mode::{Family, HashesAd};
use crate::typed::Typed;
use aead::consts::{U8, U16};
use core::fmt;

/// `colm0v1`, `colm-aes128`: key 16, nonce 8, tag 16 bytes.
pub type Colm0 = Typed<Mode, U16, U8, U16>;

/// Length of a key in bytes.
pub(super) const KEY_LEN: usize = 16;

/// Length of a nonce in bytes.
pub(super) const NONCE_LEN: usize = 8;

/// The canonical name.
pub(super) const NAME: &str = "colm0v1";

/// COLM_0, as [`Typed`] wants it.
#[derive(Debug)]
pub struct Mode(());

impl Family for Mode {
    type Keyed = Core<chain::Colm0>;
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

impl HashesAd for Mode {}
