// SPDX-License-Identifier: Apache-2.0
//! The caller's functions as input and output.

use crate::failure::Failure;
use core::ffi::{c_int, c_void};
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Puts at most `len` bytes into `buffer` and returns how many: 0 at the end of the input only, a negative number after a
/// failure. It must return, and must not use the object that calls it.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type sealwire_read_callback =
    Option<unsafe extern "C" fn(context: *mut c_void, buffer: *mut u8, len: usize) -> isize>;

/// Takes at least one of the `len` bytes of `data`, len not being 0, and returns how many; 0 or a negative number after a
/// failure. It must return, and must not use the object that calls it.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type sealwire_write_callback =
    Option<unsafe extern "C" fn(context: *mut c_void, data: *const u8, len: usize) -> isize>;

/// Moves in the input as fseek does: `whence` is SEEK_SET, SEEK_CUR or SEEK_END. Returns the new position, counted from the
/// beginning, or a negative number after a failure. It must return, and must not use the object that calls it.
#[allow(non_camel_case_types, reason = "the name in C")]
pub type sealwire_seek_callback =
    Option<unsafe extern "C" fn(context: *mut c_void, offset: i64, whence: c_int) -> i64>;

type ReadFn = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> isize;
type WriteFn = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> isize;
type SeekFn = unsafe extern "C" fn(*mut c_void, i64, c_int) -> i64;

/// An input that moves only if `seek` is there.
pub(super) struct Input {
    read: ReadFn,
    seek: Option<SeekFn>,
    context: *mut c_void,
}

impl Input {
    pub(super) fn new(
        read: sealwire_read_callback,
        seek: Option<sealwire_seek_callback>,
        context: *mut c_void,
    ) -> Result<Self, Failure> {
        let seek = seek.map(|seek| seek.ok_or(Failure::Null("seek")));
        Ok(Self {
            read: read.ok_or(Failure::Null("read"))?,
            seek: seek.transpose()?,
            context,
        })
    }

    pub(super) fn seeks(&self) -> bool {
        self.seek.is_some()
    }
}

/// The count that a callback returned, which must be at most `len`.
fn count(name: &str, returned: isize, len: usize) -> io::Result<usize> {
    usize::try_from(returned)
        .ok()
        .filter(|count| *count <= len)
        .ok_or_else(|| {
            io::Error::other(format!(
                "the {name} callback returned {returned} for {len} bytes"
            ))
        })
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the header asks for a function that keeps to the length, with a context of its own.
        let returned = unsafe { (self.read)(self.context, buffer.as_mut_ptr(), buffer.len()) };
        count("read", returned, buffer.len())
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let seek = self.seek.ok_or(io::ErrorKind::Unsupported)?;
        let (offset, whence) = match to {
            SeekFrom::Start(position) => {
                let offset = i64::try_from(position);
                (offset.map_err(|_| io::ErrorKind::InvalidInput)?, 0)
            }
            SeekFrom::Current(offset) => (offset, 1),
            SeekFrom::End(offset) => (offset, 2),
        };
        // SAFETY: as for reading.
        let returned = unsafe { seek(self.context, offset, whence) };
        u64::try_from(returned)
            .map_err(|_| io::Error::other(format!("the seek callback returned {returned}")))
    }
}

/// An output.
pub(super) struct Output {
    write: WriteFn,
    context: *mut c_void,
}

impl Output {
    pub(super) fn new(
        write: sealwire_write_callback,
        context: *mut c_void,
    ) -> Result<Self, Failure> {
        Ok(Self {
            write: write.ok_or(Failure::Null("write"))?,
            context,
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        // SAFETY: the header asks for a function that keeps to the length, with a context of its own.
        let returned = unsafe { (self.write)(self.context, bytes.as_ptr(), bytes.len()) };
        // Nothing taken would be tried again for ever.
        count(
            "write",
            if returned == 0 { -1 } else { returned },
            bytes.len(),
        )
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
