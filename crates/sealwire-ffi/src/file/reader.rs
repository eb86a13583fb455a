// SPDX-License-Identifier: Apache-2.0
//! Opening a sealed file as its plaintext is read.

use super::callbacks::{Input, sealwire_read_callback, sealwire_seek_callback};
use super::from_io;
use super::keys::{OwnUnlock, all, sealwire_file_key};
use crate::failure::Failure;
use crate::guard::guard;
use crate::key::{borrow, borrow_mut, free};
use crate::memory::{Range, place};
use crate::sealwire_status;
use core::ffi::{c_int, c_void};
use core::ptr;
use sealwire_file::{Reader, SeekableReader};
use std::io::{Read, Seek, SeekFrom};

/// A sealed file that is being opened. It belongs to one thread at a time.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_file_reader(Text);

enum Text {
    InOrder(Reader<Input>),
    Anywhere(SeekableReader<Input>),
}

/// Reads and verifies the header of a sealed file, which `read` gives from its beginning to its end. `keys` are one key, one
/// passphrase, or identities, of which one is to be that of a recipient; none is needed any longer after the call.
///
/// SEALWIRE_WRONG_KEY if they do not open the file, SEALWIRE_NOT_SEALED if it is no sealed file, SEALWIRE_IO_FAILED,
/// SEALWIRE_NOT_ALLOWED; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_reader_new(
    keys: *const *const sealwire_file_key,
    count: usize,
    read: sealwire_read_callback,
    context: *mut c_void,
    out: *mut *mut sealwire_file_reader,
) -> sealwire_status {
    // SAFETY: as the header asks.
    unsafe { new(keys, count, out, || Input::new(read, None, context)) }
}

/// As sealwire_file_reader_new, of a file from which `seek` allows to read any part. The last chunk is verified at once, too:
/// with it the length of the plaintext is known to be true.
///
/// SEALWIRE_DAMAGED if the last chunk is not genuine, and what sealwire_file_reader_new says; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_reader_new_seekable(
    keys: *const *const sealwire_file_key,
    count: usize,
    read: sealwire_read_callback,
    seek: sealwire_seek_callback,
    context: *mut c_void,
    out: *mut *mut sealwire_file_reader,
) -> sealwire_status {
    // SAFETY: as the header asks.
    unsafe { new(keys, count, out, || Input::new(read, Some(seek), context)) }
}

/// # Safety
/// What the header asks of both.
unsafe fn new(
    keys: *const *const sealwire_file_key,
    count: usize,
    out: *mut *mut sealwire_file_reader,
    input: impl FnOnce() -> Result<Input, Failure>,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: as the header asks.
            let keys = unsafe { all(keys, count) }?;
            let unlock = OwnUnlock::new(&keys)?;
            let input = input()?;
            let text = if input.seeks() {
                Text::Anywhere(SeekableReader::new(unlock.get(), input)?)
            } else {
                Text::InOrder(Reader::new(unlock.get(), input)?)
            };
            // SAFETY: checked above.
            unsafe { out.write(Box::into_raw(Box::new(sealwire_file_reader(text)))) };
            Ok(())
        },
        || (),
    )
}

/// Puts at most `buffer_len` bytes of verified plaintext into `buffer`; `*len` becomes their number. It may be smaller than
/// `buffer_len` before the end, too, as that of read() may; it is 0 at the end only, unless `buffer_len` is. Only the end,
/// without a failure, says that the plaintext is complete.
///
/// SEALWIRE_DAMAGED if what comes next is not genuine: `buffer` holds zeros then, and `*len` is 0. After that, and after
/// SEALWIRE_IO_FAILED, nothing more comes out: SEALWIRE_ENDED.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_reader_read(
    reader: *mut sealwire_file_reader,
    buffer: *mut u8,
    buffer_len: usize,
    len: *mut usize,
) -> sealwire_status {
    let mut clear = None;
    let clear_slot = &mut clear;
    let status = guard(
        || {
            // SAFETY: NULL or a reader that nobody else uses, as the header asks.
            let reader = unsafe { borrow_mut("reader", reader) }?;
            place("len", len)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { len.write(0) };
            let buffer = Range::new("buffer", buffer, buffer_len)?;
            *clear_slot = Some(buffer);
            // SAFETY: as the header asks; clearing gives values to bytes that had none.
            let room = unsafe {
                buffer.clear();
                buffer.get_mut()
            };
            let count = match &mut reader.0 {
                Text::InOrder(reader) => reader.read(room),
                Text::Anywhere(reader) => reader.read(room),
            }
            .map_err(from_io)?;
            // SAFETY: checked above.
            unsafe { len.write(count) };
            Ok(())
        },
        || (),
    );
    if let (Some(buffer), true) = (clear, status != sealwire_status::Ok) {
        // SAFETY: as the header asks.
        unsafe { buffer.clear() };
    }
    status
}

/// Moves in the plaintext as fseek does: `whence` is SEEK_SET, SEEK_CUR or SEEK_END (0, 1, 2). `*position` (may be NULL)
/// becomes the new position, counted from the beginning. One after the end is allowed: nothing is to be read there.
///
/// SEALWIRE_NOT_ALLOWED if the reader cannot seek, or for a position before the beginning.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_reader_seek(
    reader: *mut sealwire_file_reader,
    offset: i64,
    whence: c_int,
    position: *mut u64,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a reader that nobody else uses, as the header asks.
            let reader = unsafe { borrow_mut("reader", reader) }?;
            let Text::Anywhere(reader) = &mut reader.0 else {
                return Err(Failure::option(
                    "the reader cannot seek: sealwire_file_reader_new_seekable makes one that can",
                ));
            };
            let to = match (whence, u64::try_from(offset)) {
                (0, Ok(position)) => SeekFrom::Start(position),
                (1, _) => SeekFrom::Current(offset),
                (2, _) => SeekFrom::End(offset),
                _ => {
                    return Err(Failure::Option(format!(
                        "whence {whence} with offset {offset} is not allowed: whence is 0 with an offset of 0 or more, 1 or 2"
                    )));
                }
            };
            let reached = reader.seek(to).map_err(from_io)?;
            if !position.is_null() {
                place("position", position)?;
                // SAFETY: checked; the header asks for a place that can be written.
                unsafe { position.write(reached) };
            }
            Ok(())
        },
        || (),
    )
}

/// The length of the plaintext in bytes. SEALWIRE_NOT_ALLOWED if the reader cannot seek: then only the end tells.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_reader_length(
    reader: *const sealwire_file_reader,
    len: *mut u64,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a reader, as the header asks.
            let reader = unsafe { borrow("reader", reader) }?;
            place("len", len)?;
            let Text::Anywhere(reader) = &reader.0 else {
                return Err(Failure::option(
                    "the reader cannot seek, so the length is known at the end only",
                ));
            };
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { len.write(reader.text_len()) };
            Ok(())
        },
        || (),
    )
}

/// Wipes and frees a reader. NULL is allowed and does nothing.
///
/// # Safety
/// See "Pointers" at the top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_reader_free(reader: *mut sealwire_file_reader) {
    // SAFETY: NULL or from this library and given up here, as the header asks.
    unsafe { free(reader) };
}
