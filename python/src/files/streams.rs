// SPDX-License-Identifier: Apache-2.0
//! Files that are sealed as they are written, and opened as they are read.

use super::errors::{io_to_python, to_python};
use super::keys::{LockArgument, UnlockArgument, options};
use super::object::FileObject;
use crate::buffers::{Output, hold};
use crate::run;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sealwire_file::{Reader, SeekableReader, Writer};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Takes hold of a stream without waiting: who waits with the interpreter lock in hand would wait for ever for a thread that needs it.
fn hold_stream<T>(stream: &Mutex<Option<T>>) -> PyResult<MutexGuard<'_, Option<T>>> {
    match stream.try_lock() {
        Ok(held) => Ok(held),
        Err(TryLockError::Poisoned(held)) => Ok(held.into_inner()),
        Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
            "the sealed file is in use, by another thread or by a method of the file under it",
        )),
    }
}

fn closed() -> PyErr {
    PyValueError::new_err("I/O operation on closed file")
}

/// Seals what is written into a file object.
#[pyclass(frozen, module = "sealwire._sealwire")]
pub(crate) struct Sealing(Mutex<Option<Writer<FileObject>>>);

#[pymethods]
impl Sealing {
    #[new]
    #[pyo3(signature = (file, lock, *, suite, chunk_size, key_id))]
    fn new(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        lock: &Bound<'_, PyAny>,
        suite: &str,
        chunk_size: u64,
        key_id: bool,
    ) -> PyResult<Self> {
        let options = options(suite, chunk_size, key_id)?;
        let lock = LockArgument::new(lock)?;
        let (lock, output) = (lock.get(), FileObject::new(file));
        let writer = py
            .detach(|| Writer::new(lock, &options, output))
            .map_err(to_python)?;
        Ok(Self(Mutex::new(Some(writer))))
    }

    /// Takes all of the data.
    fn write(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<usize> {
        let data = hold("data", data)?;
        let data = data.as_slice();
        let mut writer = hold_stream(&self.0)?;
        let writer = writer.as_mut().ok_or_else(closed)?;
        run(py, data.len(), || writer.write_all(data)).map_err(io_to_python)?;
        Ok(data.len())
    }

    /// Hands on the chunks that are full.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        let mut writer = hold_stream(&self.0)?;
        let writer = writer.as_mut().ok_or_else(closed)?;
        py.detach(|| writer.flush()).map_err(io_to_python)
    }

    /// Seals the last chunk.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        let writer = hold_stream(&self.0)?.take().ok_or_else(closed)?;
        py.detach(|| writer.finish()).map_err(to_python)?;
        Ok(())
    }

    /// Ends without the last chunk: readers refuse the file as cut short.
    fn abandon(&self) -> PyResult<()> {
        hold_stream(&self.0)?.take();
        Ok(())
    }
}

/// An opened file: from its beginning to its end, or in any order.
enum Text {
    InOrder(Reader<FileObject>),
    Anywhere(SeekableReader<FileObject>),
}

impl Read for Text {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::InOrder(reader) => reader.read(buffer),
            Self::Anywhere(reader) => reader.read(buffer),
        }
    }
}

/// Opens a sealed file as it is read.
#[pyclass(frozen, module = "sealwire._sealwire")]
pub(crate) struct Opening {
    text: Mutex<Option<Text>>,
    length: Option<u64>,
}

#[pymethods]
impl Opening {
    #[new]
    #[pyo3(signature = (file, unlock, *, seekable))]
    fn new(
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        unlock: &Bound<'_, PyAny>,
        seekable: bool,
    ) -> PyResult<Self> {
        let unlock = UnlockArgument::new(unlock)?;
        let (unlock, input) = (unlock.get(), FileObject::new(file));
        let (text, length) = py
            .detach(|| {
                if !seekable {
                    return Ok((Text::InOrder(Reader::new(unlock, input)?), None));
                }
                let reader = SeekableReader::new(unlock, input)?;
                let length = reader.text_len();
                Ok((Text::Anywhere(reader), Some(length)))
            })
            .map_err(to_python)?;
        Ok(Self {
            text: Mutex::new(Some(text)),
            length,
        })
    }

    /// Length of the plaintext, where it is known from the start.
    #[getter]
    fn length(&self) -> Option<u64> {
        self.length
    }

    /// Fills the buffer as far as the chunk at hand goes. 0 at the end.
    fn readinto(&self, py: Python<'_>, buf: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mut text = hold_stream(&self.text)?;
        let text = text.as_mut().ok_or_else(closed)?;
        let mut output = Output::any(buf)?;
        let room = output.room();
        py.detach(|| text.read(room)).map_err(io_to_python)
    }

    /// Everything from here to the end.
    fn readall<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut text = hold_stream(&self.text)?;
        let text = text.as_mut().ok_or_else(closed)?;
        let all = py
            .detach(|| {
                let mut all = zeroize::Zeroizing::new(Vec::new());
                text.read_to_end(&mut all)?;
                Ok(all)
            })
            .map_err(io_to_python)?;
        Ok(PyBytes::new(py, &all))
    }

    /// Moves to a place of the plaintext, and gives it. 0: from the beginning, 1: from here, 2: from the end.
    fn seek(&self, py: Python<'_>, offset: i64, whence: u8) -> PyResult<u64> {
        let to = match (whence, u64::try_from(offset)) {
            (0, Ok(position)) => SeekFrom::Start(position),
            (1, _) => SeekFrom::Current(offset),
            (2, _) => SeekFrom::End(offset),
            (0, Err(_)) => {
                return Err(PyValueError::new_err(format!(
                    "negative seek value {offset}"
                )));
            }
            _ => {
                return Err(PyValueError::new_err(format!(
                    "invalid whence ({whence}, should be 0, 1 or 2)"
                )));
            }
        };
        let mut text = hold_stream(&self.text)?;
        match text.as_mut().ok_or_else(closed)? {
            Text::Anywhere(reader) => {
                py.detach(|| reader.seek(to))
                    .map_err(|error| match error.kind() {
                        io::ErrorKind::InvalidInput => PyValueError::new_err(error.to_string()),
                        _ => io_to_python(error),
                    })
            }
            Text::InOrder(_) => Err(PyRuntimeError::new_err(
                "the file under the sealed file cannot seek",
            )),
        }
    }

    /// Wipes the plaintext at hand.
    fn close(&self) -> PyResult<()> {
        hold_stream(&self.text)?.take();
        Ok(())
    }
}
