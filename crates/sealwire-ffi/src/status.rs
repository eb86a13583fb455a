// SPDX-License-Identifier: Apache-2.0
//! Status codes, their messages, and versions.

use crate::failure;
use core::ffi::{CStr, c_char, c_int};

/// The version of this interface. It grows when a program that was compiled with an older header would no longer work.
pub const SEALWIRE_ABI_VERSION: u32 = 1;

/// How a call ended. 0 is success; the numbers never change their meaning.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sealwire_status {
    /// Done.
    Ok = 0,
    /// Not what was sealed under this key with this nonce and associated data. The output holds zeros.
    InvalidTag = 1,
    /// A pointer is NULL that must not be. Nothing was written, here and in all that follow.
    NullPointer = 2,
    /// A key, nonce, tag or sealed message has a length that the scheme does not allow, or a length is over PTRDIFF_MAX.
    WrongLength = 3,
    /// The output buffer is too short for the result.
    ShortOutput = 4,
    /// A buffer that is written overlaps another one that the call needs.
    Overlap = 5,
    /// No scheme has this name, or one of the sizes in it is not allowed.
    UnknownScheme = 6,
    /// The session's associated data was made with another key.
    ForeignSession = 7,
    /// The scheme (p-OMD) cannot hash associated data ahead.
    NoSession = 8,
    /// The packet was not reached, because the call as a whole was refused.
    NotProcessed = 9,
    /// There was no memory left.
    NoMemory = 10,
    /// A defect in the library. All outputs hold zeros.
    Internal = 11,
    /// The key, identity or passphrase does not open the sealed file, or its header was changed; or a key is for something else.
    WrongKey = 12,
    /// It is no sealed file, or its header is damaged or of a later format.
    NotSealed = 13,
    /// The sealed file was changed, cut short or lengthened. Nothing that is not genuine was given out.
    Damaged = 14,
    /// A callback failed, or the operating system did.
    IoFailed = 15,
    /// The text is none of a key file.
    BadKeyText = 16,
    /// An earlier failure, or its end, has ended this file.
    Ended = 17,
    /// An option, or what was given together, is not allowed.
    NotAllowed = 18,
}

/// A fixed sentence for a status, in English, ended by a zero byte; never NULL, valid for ever.
#[unsafe(no_mangle)]
pub extern "C" fn sealwire_status_message(status: c_int) -> *const c_char {
    const MESSAGES: [&CStr; 19] = [
        c"success",
        c"authentication failed",
        c"a pointer is NULL that must not be",
        c"a length is not one that the scheme allows",
        c"the output buffer is too short",
        c"a buffer that is written overlaps another one",
        c"unknown scheme",
        c"the cached associated data was made with another key",
        c"the scheme cannot hash associated data ahead",
        c"the packet has not been processed",
        c"out of memory",
        c"internal error",
        c"wrong key, identity or passphrase",
        c"not a sealed file",
        c"the sealed file is damaged",
        c"reading or writing failed",
        c"not the text of a key file",
        c"an earlier failure or the end has ended this file",
        c"not allowed",
    ];
    usize::try_from(status)
        .ok()
        .and_then(|i| MESSAGES.get(i))
        .unwrap_or(&c"unknown status")
        .as_ptr()
}

/// What was wrong with the last call in this thread that did not return SEALWIRE_OK: which parameter, what was given
/// and what is allowed, in one line. Empty if there was none. Never NULL; valid until the thread's next call that fails
/// or its end. It never holds secrets.
#[unsafe(no_mangle)]
pub extern "C" fn sealwire_last_error() -> *const c_char {
    failure::last_message()
}

/// SEALWIRE_ABI_VERSION of the library that is running. A program compares it with the header's.
#[unsafe(no_mangle)]
pub extern "C" fn sealwire_abi_version() -> u32 {
    SEALWIRE_ABI_VERSION
}

/// The version of the library, such as "0.1.0"; valid for ever.
#[unsafe(no_mangle)]
pub extern "C" fn sealwire_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
