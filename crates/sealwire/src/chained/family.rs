// SPDX-License-Identifier: Apache-2.0
//! The modes as types.

use super::core::{Chain, Core};
use crate::mode::Family;
use core::fmt;
use core::marker::PhantomData;

/// Length of a key in bytes.
pub(super) const KEY_LEN: usize = 16;

/// A mode, as [`Typed`](crate::Typed) wants it.
#[derive(Debug)]
pub struct Mode<C>(PhantomData<fn() -> C>);

#[allow(private_bounds, reason = "nothing here can be called from outside")]
impl<C: Chain> Family for Mode<C> {
    type Keyed = Core<C>;
    const SIZES: [(usize, usize); 3] = [
        (KEY_LEN, KEY_LEN),
        (C::NONCE_LEN, C::NONCE_LEN),
        (C::TAG_LEN, C::TAG_LEN),
    ];

    fn keyed(key: &[u8], _tag_len: usize) -> Self::Keyed {
        Core::new(key)
    }

    fn name(f: &mut fmt::Formatter<'_>, _key: usize, _nonce: usize, _tag: usize) -> fmt::Result {
        f.write_str(C::NAME)
    }
}
