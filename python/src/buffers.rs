// SPDX-License-Identifier: Apache-2.0
//! Bytes that Python holds, without copies of our own: messages are copied once, to where the result belongs, and worked
//! on there.

// Python's memory is reached by pointers. Each unsafe block says why it is sound.
#![allow(unsafe_code)]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::mem::MaybeUninit;
use std::ptr;
use zeroize::{Zeroize, Zeroizing};

/// What a caller gives to be read.
pub(crate) enum Input<'py> {
    /// Its bytes never change.
    Bytes(Bound<'py, PyBytes>),
    /// Another thread may change its bytes whenever it has the interpreter lock.
    Buffer(PyBuffer<u8>),
}

impl<'py> Input<'py> {
    pub(crate) fn new(parameter: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.clone()));
        }
        Ok(Self::Buffer(buffer(parameter, object)?))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes().len(),
            Self::Buffer(buffer) => buffer.len_bytes(),
        }
    }

    /// The bytes as they are now, whoever changes them later.
    pub(crate) fn hold(self, py: Python<'py>) -> PyResult<Held<'py>> {
        Ok(match self {
            Self::Bytes(bytes) => Held::Bytes(bytes),
            Self::Buffer(buffer) => Held::Copy(Zeroizing::new(buffer.to_vec(py)?)),
        })
    }

    /// Copies the bytes from `start` to `start + len` to `to`, which may overlap them.
    ///
    /// # Safety
    /// `to` has room for `len` bytes, `start + len` is at most the length of the input, and `py` was held since that
    /// length was asked for.
    unsafe fn copy_to(
        &self,
        py: Python<'py>,
        start: usize,
        len: usize,
        to: *mut u8,
    ) -> PyResult<()> {
        let gathered;
        let from = match self {
            Self::Bytes(bytes) => bytes.as_bytes().as_ptr(),
            Self::Buffer(buffer) if buffer.is_c_contiguous() => buffer.buf_ptr().cast(),
            Self::Buffer(buffer) => {
                gathered = Zeroizing::new(buffer.to_vec(py)?);
                gathered.as_ptr()
            }
        };
        // SAFETY: the caller answers for both lengths; an exported buffer keeps its memory, and `copy` allows overlaps.
        unsafe { ptr::copy(from.add(start), to, len) };
        Ok(())
    }
}

/// Bytes that do not change while they are held.
pub(crate) enum Held<'py> {
    Bytes(Bound<'py, PyBytes>),
    Copy(Zeroizing<Vec<u8>>),
}

impl Held<'_> {
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::Copy(bytes) => bytes,
        }
    }
}

/// Holds what a caller gave.
pub(crate) fn hold<'py>(parameter: &str, object: &Bound<'py, PyAny>) -> PyResult<Held<'py>> {
    Input::new(parameter, object)?.hold(object.py())
}

/// The tag at the end of what was sealed. It is copied: it may lie where the message is written to.
pub(crate) fn tail(py: Python<'_>, input: &Input<'_>, len: usize) -> PyResult<Vec<u8>> {
    let mut tail = vec![0; len];
    // SAFETY: `tail` has `len` bytes, and callers have looked that `input` has as many.
    unsafe { input.copy_to(py, input.len() - len, len, tail.as_mut_ptr()) }?;
    Ok(tail)
}

/// A `bytes` object in the making, which nobody else knows yet. What comes to nothing is wiped: it may hold plaintext.
pub(crate) struct Fresh<'py> {
    object: Bound<'py, PyBytes>,
    len: usize,
}

impl<'py> Fresh<'py> {
    /// The first `len` bytes of `input`, and `more` zeros.
    pub(crate) fn new(
        py: Python<'py>,
        input: &Input<'py>,
        len: usize,
        more: usize,
    ) -> PyResult<Self> {
        assert!(len <= input.len());
        let total = len + more;
        // SAFETY: with a null pointer Python makes an object whose bytes are not set; the bytes are set before anybody
        // can read them. A length beyond isize is an exception of Python's.
        let object = unsafe {
            let size = ffi::Py_ssize_t::try_from(total).unwrap_or(ffi::Py_ssize_t::MAX);
            let object = ffi::PyBytes_FromStringAndSize(ptr::null(), size);
            Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked::<PyBytes>()
        };
        let fresh = Self { object, len: total };
        let room = fresh.pointer();
        // SAFETY: the object has `total` bytes, and the assertion holds `input` to at least `len`.
        unsafe {
            input.copy_to(py, 0, len, room)?;
            ptr::write_bytes(room.add(len), 0, more);
        }
        Ok(fresh)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn pointer(&self) -> *mut u8 {
        // SAFETY: the object is a `bytes` object and lives as long as `self`.
        unsafe { ffi::PyBytes_AsString(self.object.as_ptr()) }.cast()
    }

    /// The bytes of the object.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        // SAFETY: all `len` bytes were set, and nobody else has the object: Python shares only the empty one, which has
        // no byte to write, and those that are made of given bytes.
        unsafe { std::slice::from_raw_parts_mut(self.pointer(), self.len) }
    }

    pub(crate) fn into_object(mut self) -> Bound<'py, PyBytes> {
        self.len = 0; // Nothing is left to wipe.
        self.object.clone()
    }
}

impl Drop for Fresh<'_> {
    fn drop(&mut self) {
        // SAFETY: the object has `len` bytes, which nobody else has; bytes that were never set are written, not read.
        unsafe {
            std::slice::from_raw_parts_mut(self.pointer().cast::<MaybeUninit<u8>>(), self.len)
        }
        .zeroize();
    }
}

/// A buffer of the caller's that a result is written to.
pub(crate) struct Output(PyBuffer<u8>);

impl Output {
    /// `object` must be writable, lie in one piece and have exactly `len` bytes.
    pub(crate) fn new(object: &Bound<'_, PyAny>, len: usize) -> PyResult<Self> {
        let output = Self::any(object)?;
        let given = output.0.len_bytes();
        if given != len {
            return Err(PyValueError::new_err(format!(
                "wrong buf length: given {given} bytes, allowed {len} bytes"
            )));
        }
        Ok(output)
    }

    /// `object` must be writable and lie in one piece.
    pub(crate) fn any(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = buffer("buf", object)?;
        if buffer.readonly() {
            return Err(PyTypeError::new_err("buf must be writable"));
        }
        if !buffer.is_c_contiguous() {
            return Err(PyTypeError::new_err(
                "buf must lie in one piece of memory, given one with gaps",
            ));
        }
        Ok(Self(buffer))
    }

    /// Undoes `fill` after a failure: zeros in place of the copy, but for what lies in the memory of `input` itself, which
    /// is the caller's own.
    pub(crate) fn empty(&mut self, input: &Input<'_>, len: usize) {
        let room = self.0.buf_ptr().cast::<u8>();
        assert!(len <= input.len() && len <= self.0.len_bytes());
        if len == 0 {
            return; // Its pointer may be null.
        }
        let from = match input {
            Input::Bytes(bytes) => Some(bytes.as_bytes().as_ptr().addr()),
            Input::Buffer(buffer) if buffer.is_c_contiguous() => Some(buffer.buf_ptr().addr()),
            Input::Buffer(_) => None,
        };
        let at = |place: usize| place.saturating_sub(room.addr()).min(len);
        let (begin, end) = from.map_or((0, 0), |from| (at(from), at(from + len)));
        // SAFETY: the assertion holds the buffer to at least `len` bytes; the rest is as in `fill`.
        let copy = unsafe { std::slice::from_raw_parts_mut(room, len) };
        copy[..begin].zeroize();
        copy[end..].zeroize();
    }

    /// The whole buffer.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        if self.0.len_bytes() == 0 {
            return &mut []; // Its pointer may be null.
        }
        // SAFETY: the buffer is writable, in one piece, and keeps its place and length while it is exported. Its bytes are of the
        // caller, who is told that no other thread may use them during the call.
        unsafe { std::slice::from_raw_parts_mut(self.0.buf_ptr().cast(), self.0.len_bytes()) }
    }

    /// Copies the first `len` bytes of `input` to the beginning of the buffer, which may overlap them, and gives the
    /// whole buffer.
    pub(crate) fn fill(
        &mut self,
        py: Python<'_>,
        input: &Input<'_>,
        len: usize,
    ) -> PyResult<&mut [u8]> {
        let room = self.0.buf_ptr().cast::<u8>();
        if self.0.len_bytes() == 0 {
            return Ok(&mut []); // Its pointer may be null.
        }
        assert!(len <= input.len() && len <= self.0.len_bytes());
        // SAFETY: the assertion holds both to at least `len` bytes. The buffer is writable, in one piece, and keeps its
        // place and length while it is exported. Its bytes are of the caller, who is told that no other thread may use
        // them during the call.
        unsafe {
            input.copy_to(py, 0, len, room)?;
            Ok(std::slice::from_raw_parts_mut(room, self.0.len_bytes()))
        }
    }
}

fn buffer(parameter: &str, object: &Bound<'_, PyAny>) -> PyResult<PyBuffer<u8>> {
    PyBuffer::get(object).map_err(|error| {
        let py = object.py();
        if !error.is_instance_of::<PyTypeError>(py) && !error.is_instance_of::<PyBufferError>(py) {
            return error; // The object has a reason of its own: it was released, say.
        }
        let given = object
            .get_type()
            .name()
            .map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{parameter} must be bytes-like, not {given}"))
    })
}
