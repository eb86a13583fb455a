// SPDX-License-Identifier: Apache-2.0
//! Binary file objects of Python as input and output, from any thread.

use crate::buffers::hold;
use pyo3::exceptions::{PyBlockingIOError, PyOSError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// A file object that is read, written or moved about in. Whoever calls need not hold the interpreter lock.
pub(crate) struct FileObject(Py<PyAny>);

impl FileObject {
    pub(crate) fn new(object: &Bound<'_, PyAny>) -> Self {
        Self(object.clone().unbind())
    }
}

fn would_block() -> PyErr {
    PyBlockingIOError::new_err("the file does not block: it has no bytes now, or takes none")
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            py.check_signals()?;
            let given = self
                .0
                .bind(py)
                .call_method1(intern!(py, "read"), (buffer.len(),))?;
            if given.is_none() {
                return Err(would_block());
            }
            let held = hold("what the file's read() gives", &given)?;
            let bytes = held.as_slice();
            let Some(room) = buffer.get_mut(..bytes.len()) else {
                return Err(PyOSError::new_err(format!(
                    "the file's read({}) gave {} bytes",
                    buffer.len(),
                    bytes.len()
                )));
            };
            room.copy_from_slice(bytes);
            Ok(bytes.len())
        })
        .map_err(Into::into)
    }
}

impl Write for FileObject {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            py.check_signals()?;
            let object = self.0.bind(py);
            let taken = object.call_method1(intern!(py, "write"), (PyBytes::new(py, bytes),))?;
            if taken.is_none() {
                // Of a raw file this says that nothing was taken; many other objects say it of everything.
                let raw = py.import("io")?.getattr("RawIOBase")?;
                return if object.is_instance(&raw)? {
                    Err(would_block())
                } else {
                    Ok(bytes.len())
                };
            }
            let count: usize = taken.extract()?;
            if count > bytes.len() {
                return Err(PyOSError::new_err(format!(
                    "the file's write() of {} bytes took {count}",
                    bytes.len()
                )));
            }
            Ok(count)
        })
        .map_err(Into::into)
    }

    fn flush(&mut self) -> io::Result<()> {
        Python::attach(|py| {
            if let Some(flush) = self.0.bind(py).getattr_opt(intern!(py, "flush"))? {
                flush.call0()?;
            }
            Ok::<_, PyErr>(())
        })
        .map_err(Into::into)
    }
}

impl Seek for FileObject {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        Python::attach(|py| {
            let object = self.0.bind(py);
            let seek = intern!(py, "seek");
            match to {
                SeekFrom::Start(position) => object.call_method1(seek, (position, 0)),
                SeekFrom::Current(offset) => object.call_method1(seek, (offset, 1)),
                SeekFrom::End(offset) => object.call_method1(seek, (offset, 2)),
            }?
            .extract()
        })
        .map_err(Into::into)
    }
}
