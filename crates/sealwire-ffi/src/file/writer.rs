// SPDX-License-Identifier: Apache-2.0
//! Sealing what a program writes.

use super::callbacks::{Output, sealwire_write_callback};
use super::from_io;
use super::keys::{OwnLock, all, sealwire_file_key};
use super::options::{options, sealwire_file_options};
use crate::failure::Failure;
use crate::guard::guard;
use crate::key::{borrow_mut, free};
use crate::memory::{Range, place};
use crate::sealwire_status;
use core::ffi::c_void;
use core::ptr;
use sealwire_file::{Error, Writer};
use std::io::Write;

/// A file that is being sealed. It belongs to one thread at a time.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_file_writer(Option<Writer<Output>>);

/// Begins a sealed file and hands its header to `write`. `keys` are one key, one passphrase, or 1 to 55 recipients, of which
/// each owner can open the file; none is needed any longer after the call. `options` may be NULL.
///
/// SEALWIRE_NOT_ALLOWED, SEALWIRE_WRONG_KEY (a key for something else or of another length), SEALWIRE_UNKNOWN_SCHEME,
/// SEALWIRE_IO_FAILED; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_writer_new(
    keys: *const *const sealwire_file_key,
    count: usize,
    options: *const sealwire_file_options,
    write: sealwire_write_callback,
    context: *mut c_void,
    out: *mut *mut sealwire_file_writer,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: as the header asks.
            let (keys, options) = unsafe { (all(keys, count)?, self::options(options)?) };
            let lock = OwnLock::new(&keys)?;
            let writer = Writer::new(lock.get(), &options, Output::new(write, context)?)?;
            let writer = Box::new(sealwire_file_writer(Some(writer)));
            // SAFETY: checked above.
            unsafe { out.write(Box::into_raw(writer)) };
            Ok(())
        },
        || (),
    )
}

/// Seals `len` bytes; chunks that are full go to the callback.
///
/// After SEALWIRE_IO_FAILED the file is lost, and all that follows is SEALWIRE_ENDED.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_writer_write(
    writer: *mut sealwire_file_writer,
    data: *const u8,
    len: usize,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a writer that nobody else uses, as the header asks.
            let writer = unsafe { borrow_mut("writer", writer) }?;
            let data = Range::new("data", data, len)?;
            let writer = writer.0.as_mut().ok_or(Failure::File(Error::Ended))?;
            // SAFETY: as the header asks.
            writer.write_all(unsafe { data.get() }).map_err(from_io)
        },
        || (),
    )
}

/// Seals the last chunk and hands it to the callback. Only then is the file whole: a file without it is refused by every
/// reader as cut short. Nothing can be written afterwards: SEALWIRE_ENDED.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_writer_finish(
    writer: *mut sealwire_file_writer,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a writer that nobody else uses, as the header asks.
            let writer = unsafe { borrow_mut("writer", writer) }?;
            let writer = writer.0.take().ok_or(Failure::File(Error::Ended))?;
            writer.finish()?;
            Ok(())
        },
        || (),
    )
}

/// Wipes and frees a writer; it does not finish the file. NULL is allowed and does nothing.
///
/// # Safety
/// See "Pointers" at the top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_writer_free(writer: *mut sealwire_file_writer) {
    // SAFETY: NULL or from `sealwire_file_writer_new` and given up here, as the header asks.
    unsafe { free(writer) };
}
