// SPDX-License-Identifier: Apache-2.0
//! Schemes by name and by number.

use crate::failure::Failure;
use crate::guard::guard;
use crate::memory::place;
use crate::sealwire_status;
use core::ffi::{CStr, c_char};
use sealwire::Scheme;
use sealwire::scheme::{find, schemes};

/// A scheme with all its sizes.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Copy, Debug)]
pub struct sealwire_scheme {
    /// The canonical name, such as "omdsha512k512n256tau256v2", ended by a zero byte.
    pub name: [c_char; 48],
    /// The short name, such as "omd-sha512"; empty if there is none.
    pub alias: [c_char; 32],
    /// Bytes of a key.
    pub key_len: usize,
    /// Bytes of a nonce.
    pub nonce_len: usize,
    /// Bytes of a tag. A sealed message is as long as the message and its tag.
    pub tag_len: usize,
    /// Bytes of a message block.
    pub block_len: usize,
    /// Whether the construction has no published specification and analysis: for experiments only.
    pub experimental: bool,
    /// Whether associated data can be hashed ahead (sealwire_session_ad_new).
    pub caches_ad: bool,
}

impl From<&Scheme> for sealwire_scheme {
    fn from(scheme: &Scheme) -> Self {
        Self {
            name: text(scheme.name()),
            alias: text(scheme.alias().unwrap_or("")),
            key_len: scheme.key_len(),
            nonce_len: scheme.nonce_len(),
            tag_len: scheme.tag_len(),
            block_len: scheme.block_len(),
            experimental: scheme.experimental(),
            caches_ad: scheme.caches_ad(),
        }
    }
}

/// Names are shorter than their arrays; the last byte stays zero in any case.
pub(crate) fn text<const N: usize>(name: &str) -> [c_char; N] {
    let mut array = [0; N];
    for (to, from) in array[..N - 1].iter_mut().zip(name.bytes()) {
        *to = from as c_char;
    }
    array
}

/// Finds the scheme with this canonical name or alias. `name` ends with a zero byte.
///
/// SEALWIRE_UNKNOWN_SCHEME if there is none; then `*scheme` is not written.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_scheme_find(
    name: *const c_char,
    scheme: *mut sealwire_scheme,
) -> sealwire_status {
    guard(
        || {
            place("scheme", scheme)?;
            // SAFETY: NULL or a string, as the header asks.
            let found = unsafe { by_name(name) }?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { scheme.write((&found).into()) };
            Ok(())
        },
        || (),
    )
}

/// The registered schemes one after the other: index 0, 1, .. until SEALWIRE_UNKNOWN_SCHEME. Every legal name is a
/// scheme, registered or not.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_scheme_at(
    index: usize,
    scheme: *mut sealwire_scheme,
) -> sealwire_status {
    guard(
        || {
            place("scheme", scheme)?;
            let found = schemes().nth(index).ok_or(Failure::NoScheme)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { scheme.write((&found).into()) };
            Ok(())
        },
        || (),
    )
}

/// # Safety
/// `name` is NULL or a string.
pub(crate) unsafe fn by_name(name: *const c_char) -> Result<Scheme, Failure> {
    place("scheme name", name)?;
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    let name = name.to_str().map_err(|_| Failure::NoScheme)?;
    Ok(find(name)?)
}
