// SPDX-License-Identifier: Apache-2.0
//! Bytes that Python holds, without copies of our own: messages are copied once, to where the result belongs, and worked
//! on there.

// Python's memory is reached by pointers. Each unsafe block says why it is sound.
#![allow(unsafe_code)]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

use crate::pages;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};
use std::mem::MaybeUninit;
use std::ptr;
use zeroize::{Zeroize, Zeroizing};

/// A `bytes` object and where its bytes are, for which Python is asked once: each of its answers costs a call through its
/// stable interface.
pub(crate) struct Whole<'py> {
    /// Keeps the bytes.
    _object: Bound<'py, PyBytes>,
    start: *const u8,
    len: usize,
}

impl<'py> Whole<'py> {
    #[inline]
    fn new(object: &Bound<'py, PyBytes>) -> Self {
        let bytes = object.as_bytes();
        let (start, len) = (bytes.as_ptr(), bytes.len());
        Self {
            _object: object.clone(),
            start,
            len,
        }
    }

    fn as_slice(&self) -> &[u8] {
        // SAFETY: the object is held as long as `self`, and keeps place, length and value of its bytes.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

/// What a caller gives to be read.
pub(crate) enum Input<'py> {
    /// Its bytes never change.
    Bytes(Whole<'py>),
    /// Another thread may change its bytes whenever it has the interpreter lock.
    Buffer(PyBuffer<u8>),
}

impl<'py> Input<'py> {
    #[inline]
    pub(crate) fn new(parameter: &str, object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(Whole::new(bytes)));
        }
        Ok(Self::Buffer(buffer(parameter, object)?))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len,
            Self::Buffer(buffer) => buffer.len_bytes(),
        }
    }

    /// The bytes as they are now, whoever changes them later.
    #[inline]
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
    #[inline]
    unsafe fn copy_to(
        &self,
        py: Python<'py>,
        start: usize,
        len: usize,
        to: *mut u8,
    ) -> PyResult<()> {
        let gathered;
        let from = match self {
            Self::Bytes(bytes) => bytes.start,
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
    Bytes(Whole<'py>),
    Copy(Zeroizing<Vec<u8>>),
}

impl Held<'_> {
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_slice(),
            Self::Copy(bytes) => bytes,
        }
    }
}

/// Holds what a caller gave.
#[inline]
pub(crate) fn hold<'py>(parameter: &str, object: &Bound<'py, PyAny>) -> PyResult<Held<'py>> {
    Input::new(parameter, object)?.hold(object.py())
}

/// The longest tag of any scheme.
const MAX_TAG: usize = 64;

/// The tag at the end of what was sealed. It is copied: it may lie where the message is written to.
pub(crate) struct Tail {
    bytes: [u8; MAX_TAG],
    len: usize,
}

impl Tail {
    /// The last `len` bytes of `input`, which has as many.
    #[inline]
    pub(crate) fn new(py: Python<'_>, input: &Input<'_>, len: usize) -> PyResult<Self> {
        assert!(len <= input.len());
        let mut bytes = [0; MAX_TAG];
        let room = bytes[..len].as_mut_ptr();
        // SAFETY: `room` has `len` bytes, and the assertion holds `input` to as many.
        unsafe { input.copy_to(py, input.len() - len, len, room) }?;
        Ok(Self { bytes, len })
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A `bytes` object in the making, which nobody else knows yet. What comes to nothing is wiped: it may hold plaintext.
pub(crate) struct Fresh<'py> {
    object: Bound<'py, PyBytes>,
    start: *mut u8,
    len: usize,
    /// What the object is to begin with, until it is copied there.
    source: Option<(Whole<'py>, usize)>,
}

impl<'py> Fresh<'py> {
    /// An object of `len` bytes that are not set.
    #[inline]
    fn unset(py: Python<'py>, len: usize) -> PyResult<Self> {
        // SAFETY: with a null pointer Python makes an object whose bytes are not set; whoever calls this sets them before
        // anybody can read them. A length beyond isize is an exception of Python's.
        let object = unsafe {
            let size = ffi::Py_ssize_t::try_from(len).unwrap_or(ffi::Py_ssize_t::MAX);
            let object = ffi::PyBytes_FromStringAndSize(ptr::null(), size);
            Bound::from_owned_ptr_or_err(py, object)?.cast_into_unchecked::<PyBytes>()
        };
        // SAFETY: the object is a `bytes` object.
        let start = unsafe { ffi::PyBytes_AsString(object.as_ptr()) }.cast::<u8>();
        // SAFETY: the object has `len` bytes.
        unsafe { pages::ask_for_large(start, len) };
        Ok(Self {
            object,
            start,
            len,
            source: None,
        })
    }

    /// The first `len` bytes of `input`, and `more` zeros.
    #[inline]
    pub(crate) fn new(
        py: Python<'py>,
        input: &Input<'py>,
        len: usize,
        more: usize,
    ) -> PyResult<Self> {
        assert!(len <= input.len());
        let fresh = Self::unset(py, len + more)?;
        // SAFETY: the object has `len` and `more` bytes, and the assertion holds `input` to at least `len`.
        unsafe {
            input.copy_to(py, 0, len, fresh.start)?;
            ptr::write_bytes(fresh.start.add(len), 0, more);
        }
        Ok(fresh)
    }

    /// As `new`, but the bytes of a `bytes` object, which never change, are copied when the room is first asked for. A batch makes
    /// the room for all its messages before it touches any, so that the kernel can give large pages for all of it.
    pub(crate) fn later(
        py: Python<'py>,
        input: Input<'py>,
        len: usize,
        more: usize,
    ) -> PyResult<Self> {
        let Input::Bytes(bytes) = input else {
            return Self::new(py, &input, len, more);
        };
        assert!(len <= bytes.len);
        let mut fresh = Self::unset(py, len + more)?;
        // SAFETY: the object has `len` and `more` bytes.
        unsafe { ptr::write_bytes(fresh.start.add(len), 0, more) };
        fresh.source = Some((bytes, len));
        Ok(fresh)
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes of the object.
    #[inline]
    pub(crate) fn room(&mut self) -> &mut [u8] {
        if let Some((bytes, len)) = self.source.take() {
            // SAFETY: `later` has seen that both have `len` bytes. They are two objects: one of them is new.
            unsafe { ptr::copy_nonoverlapping(bytes.start, self.start, len) };
        }
        // SAFETY: all `len` bytes were set, and nobody else has the object: Python shares only the empty one, which has
        // no byte to write, and those that are made of given bytes.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }

    #[inline]
    pub(crate) fn into_object(mut self) -> Bound<'py, PyBytes> {
        self.room();
        self.len = 0; // Nothing is left to wipe.
        self.object.clone()
    }
}

impl Drop for Fresh<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the object has `len` bytes, which nobody else has; bytes that were never set are written, not read.
        unsafe { std::slice::from_raw_parts_mut(self.start.cast::<MaybeUninit<u8>>(), self.len) }
            .zeroize();
    }
}

/// A buffer of the caller's that a result is written to: writable, in one piece, of a place and a length that it keeps while
/// it is exported.
pub(crate) struct Output<'py> {
    start: *mut u8,
    len: usize,
    _export: Export<'py>,
}

/// What keeps a buffer in its place.
#[expect(dead_code, reason = "held until it is dropped")]
enum Export<'py> {
    Array(ArrayExport<'py>),
    Any(PyBuffer<u8>),
}

/// An exported `bytearray`. Nothing of it needs to be looked at, as any other buffer does: it is always writable, and bytes in
/// one piece.
struct ArrayExport<'py> {
    view: ffi::Py_buffer,
    /// An export ends under the interpreter lock.
    _locked: Python<'py>,
}

impl<'py> ArrayExport<'py> {
    fn new(array: &Bound<'py, PyByteArray>) -> PyResult<Self> {
        let py = array.py();
        let mut view = ffi::Py_buffer::new();
        // SAFETY: `view` is written before it is read. Without shape and strides, which are not asked for, nothing of it points to
        // itself, so that it can be moved.
        let failed = unsafe {
            ffi::PyObject_GetBuffer(array.as_ptr(), &raw mut view, ffi::PyBUF_WRITABLE) != 0
        };
        if failed {
            return Err(PyErr::fetch(py));
        }
        Ok(Self { view, _locked: py })
    }
}

impl Drop for ArrayExport<'_> {
    fn drop(&mut self) {
        // SAFETY: the view was exported, and is given back once.
        unsafe { ffi::PyBuffer_Release(&raw mut self.view) };
    }
}

impl<'py> Output<'py> {
    /// `object` must be writable, lie in one piece and have exactly `len` bytes.
    pub(crate) fn new(object: &Bound<'py, PyAny>, len: usize) -> PyResult<Self> {
        let output = Self::any(object)?;
        let given = output.len;
        if given != len {
            return Err(PyValueError::new_err(format!(
                "wrong buf length: given {given} bytes, allowed {len} bytes"
            )));
        }
        Ok(output)
    }

    /// `object` must be writable and lie in one piece.
    pub(crate) fn any(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        // A subclass may export something of its own.
        if let Ok(array) = object.cast_exact::<PyByteArray>() {
            let export = ArrayExport::new(array)?;
            return Ok(Self {
                start: export.view.buf.cast(),
                len: export.view.len.try_into()?,
                _export: Export::Array(export),
            });
        }
        let buffer = buffer("buf", object)?;
        if buffer.readonly() {
            return Err(PyTypeError::new_err("buf must be writable"));
        }
        if !buffer.is_c_contiguous() {
            return Err(PyTypeError::new_err(
                "buf must lie in one piece of memory, given one with gaps",
            ));
        }
        Ok(Self {
            start: buffer.buf_ptr().cast(),
            len: buffer.len_bytes(),
            _export: Export::Any(buffer),
        })
    }

    /// Undoes `fill` after a failure: zeros in place of the copy, but for what lies in the memory of `input` itself, which
    /// is the caller's own.
    pub(crate) fn empty(&mut self, input: &Input<'_>, len: usize) {
        let room = self.start;
        assert!(len <= input.len() && len <= self.len);
        if len == 0 {
            return; // Its pointer may be null.
        }
        let from = match input {
            Input::Bytes(bytes) => Some(bytes.start.addr()),
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
        if self.len == 0 {
            return &mut []; // Its pointer may be null.
        }
        // SAFETY: the buffer is exported. Its bytes are of the caller, who is told that no other thread may use them during the call.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// Copies the first `len` bytes of `input` to the beginning of the buffer, which may overlap them, and gives the
    /// whole buffer.
    pub(crate) fn fill(
        &mut self,
        py: Python<'_>,
        input: &Input<'_>,
        len: usize,
    ) -> PyResult<&mut [u8]> {
        if self.len == 0 {
            return Ok(&mut []); // Its pointer may be null.
        }
        assert!(len <= input.len() && len <= self.len);
        // SAFETY: the assertion holds both to at least `len` bytes, and the buffer is exported.
        unsafe { input.copy_to(py, 0, len, self.start) }?;
        Ok(self.room())
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
        let hint = match PyMemoryView::from(object).and_then(|view| view.getattr("format")) {
            Ok(format) => format!(" of items `{format}`: it must hold bytes, such as memoryview(...).cast(\"B\") of it"),
            Err(_) => String::new(),
        };
        PyTypeError::new_err(format!("{parameter} must be bytes-like, not {given}{hint}"))
    })
}
