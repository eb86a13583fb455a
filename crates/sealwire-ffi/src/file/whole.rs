// SPDX-License-Identifier: Apache-2.0
//! Whole files between file descriptors, on several threads.
#![cfg(unix)]

use super::keys::{OwnLock, OwnUnlock, all, sealwire_file_key};
use super::options::{options, sealwire_file_options};
use crate::failure::Failure;
use crate::guard::guard;
use crate::memory::place;
use crate::sealwire_status;
use core::ffi::c_int;
use core::num::NonZeroUsize;
use sealwire_file::{Error, open_on_threads, seal_on_threads};
use std::fs::File;
use std::os::fd::BorrowedFd;
use std::thread::available_parallelism;

/// A file of our own at the caller's descriptor: the thread that reads may outlive the call after an error.
///
/// # Safety
/// Nobody closes the descriptor meanwhile.
unsafe fn own(name: &'static str, descriptor: c_int) -> Result<File, Failure> {
    if descriptor < 0 {
        return Err(Failure::Option(format!(
            "{name} is {descriptor}, which is no file descriptor"
        )));
    }
    // SAFETY: not -1, and the caller's promise.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let owned = borrowed.try_clone_to_owned().map_err(Error::Read)?;
    Ok(owned.into())
}

/// As many threads as asked for; 0: as many as the process may use.
fn number(threads: usize) -> NonZeroUsize {
    NonZeroUsize::new(threads)
        .or_else(|| available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN)
}

/// # Safety
/// NULL or a place that can be written.
unsafe fn tell(text_len: *mut u64, len: u64) -> Result<(), Failure> {
    if !text_len.is_null() {
        place("text_len", text_len)?;
        // SAFETY: the caller's promise.
        unsafe { text_len.write(len) };
    }
    Ok(())
}

/// Seals everything that the file descriptor `input` gives into `output`, from where they stand. `threads` threads encrypt;
/// 0: one for each CPU that the process may use. `*text_len` (may be NULL) becomes the length of the plaintext. Keys and options as
/// sealwire_file_writer_new. The descriptors stay open. What was written before a failure is no whole sealed file.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_seal_fd(
    keys: *const *const sealwire_file_key,
    count: usize,
    options: *const sealwire_file_options,
    threads: usize,
    input: c_int,
    output: c_int,
    text_len: *mut u64,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: as the header asks.
            let (keys, options) = unsafe { (all(keys, count)?, self::options(options)?) };
            let lock = OwnLock::new(&keys)?;
            // SAFETY: as the header asks.
            let (input, output) = unsafe { (own("input", input)?, own("output", output)?) };
            let len =
                seal_on_threads(lock.get(), &options, number(threads), input, output, |_| ())?;
            // SAFETY: as the header asks.
            unsafe { tell(text_len, len) }
        },
        || (),
    )
}

/// Opens the sealed file that the file descriptor `input` gives into `output`, chunk by chunk as each is verified. Keys as
/// sealwire_file_reader_new, the rest as sealwire_file_seal_fd.
///
/// SEALWIRE_DAMAGED if something is not genuine: what was written before is a true beginning of the plaintext and no more.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_open_fd(
    keys: *const *const sealwire_file_key,
    count: usize,
    threads: usize,
    input: c_int,
    output: c_int,
    text_len: *mut u64,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: as the header asks.
            let keys = unsafe { all(keys, count) }?;
            let unlock = OwnUnlock::new(&keys)?;
            // SAFETY: as the header asks.
            let (input, output) = unsafe { (own("input", input)?, own("output", output)?) };
            let len = open_on_threads(unlock.get(), number(threads), input, output, |_| ())?;
            // SAFETY: as the header asks.
            unsafe { tell(text_len, len) }
        },
        || (),
    )
}
