// SPDX-License-Identifier: Apache-2.0
//! How to seal a file.

use crate::failure::Failure;
use crate::memory::place;
use core::ffi::{CStr, c_char};
use sealwire_file::Options;
use sealwire_link::suite::Suite;

/// How to seal a file. All zeros, or NULL in place of the whole, are the defaults.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_file_options {
    /// The suite, such as "omd-sha512"; NULL: "otr-aes256-p", which holds 1 TiB at most.
    pub suite: *const c_char,
    /// Bytes of a chunk, a power of two from 4096 to 16777216; 0: 65536.
    pub chunk_size: u32,
    /// Leave the key's id out of the header, so that nobody sees which files belong to one key.
    pub without_key_id: bool,
}

/// The suite of this name.
///
/// # Safety
/// NULL or a string.
pub(super) unsafe fn suite(name: *const c_char) -> Result<&'static Suite, Failure> {
    if name.is_null() {
        return Ok(Options::default().scheme());
    }
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    let name = name.to_str().map_err(|_| Failure::NoScheme)?;
    Suite::by_name(name).ok_or(Failure::NoScheme)
}

/// # Safety
/// NULL or options, whose suite is NULL or a string.
pub(super) unsafe fn options(given: *const sealwire_file_options) -> Result<Options, Failure> {
    let mut options = Options::default();
    if given.is_null() {
        return Ok(options);
    }
    place("options", given)?;
    // SAFETY: the caller's promise.
    let given = unsafe { &*given };
    // SAFETY: the caller's promise.
    options = options.suite(unsafe { suite(given.suite) }?);
    if given.chunk_size != 0 {
        options = options.chunk_size(given.chunk_size.into())?;
    }
    if given.without_key_id {
        options = options.without_key_id();
    }
    Ok(options)
}
