// SPDX-License-Identifier: Apache-2.0
//! What goes wrong with sealed files, as exceptions.

use crate::exceptions::{Class, class, invalid_tag, raise};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use sealwire_file::{Error, KeyFileError};
use std::io;

pub(crate) fn sealed_file_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: Class = PyOnceLock::new();
    let doc = "The file is no sealed file, or what was given does not open it.";
    class(
        py,
        &CLASS,
        ["sealwire.files", "SealedFileError", doc],
        || Ok(vec![py.get_type::<PyValueError>()]),
    )
}

pub(crate) fn wrong_key_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: Class = PyOnceLock::new();
    let doc = "The key, identity or passphrase is another one than the file needs, or the file's header was changed.";
    class(py, &CLASS, ["sealwire.files", "WrongKeyError", doc], || {
        Ok(vec![sealed_file_error(py)?.clone()])
    })
}

pub(crate) fn damaged_file_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: Class = PyOnceLock::new();
    let doc =
        "The file is not what was sealed: changed, cut short, or with something after its end.";
    class(
        py,
        &CLASS,
        ["sealwire.files", "DamagedFileError", doc],
        || {
            Ok(vec![
                sealed_file_error(py)?.clone(),
                invalid_tag(py)?.clone(),
            ])
        },
    )
}

pub(crate) fn key_file_error(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: Class = PyOnceLock::new();
    let doc = "The text is not that of a key file of this kind.";
    class(py, &CLASS, ["sealwire.files", "KeyFileError", doc], || {
        Ok(vec![py.get_type::<PyValueError>()])
    })
}

pub(crate) fn to_python(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        // An exception of the file object inside comes out as it is.
        Error::Read(cause) | Error::Write(cause) => io_to_python(cause),
        Error::Random(_) => PyOSError::new_err(message),
        Error::Thread(_) | Error::Ended => PyRuntimeError::new_err(message),
        Error::Argon2(_) => PyMemoryError::new_err(message),
        Error::ChunkSize(_)
        | Error::EmptyPassphrase
        | Error::Recipients(_)
        | Error::TooLong
        | Error::TooMuchForKey { .. } => PyValueError::new_err(message),
        Error::KeyLength { .. }
        | Error::KeyPurpose(_)
        | Error::OtherKey { .. }
        | Error::OtherWay { .. }
        | Error::NoKey { .. }
        | Error::NotARecipient
        | Error::NoIdentity { .. }
        | Error::WrongPassphrase
        | Error::WrongKey => raise(wrong_key_error, message),
        Error::Damaged(_) | Error::Truncated(_) | Error::Extended(_) => {
            raise(damaged_file_error, message)
        }
        _ => raise(sealed_file_error, message),
    }
}

/// Of a reader or writer, whose errors stay inside those of input and output.
pub(crate) fn io_to_python(error: io::Error) -> PyErr {
    if error.get_ref().is_some_and(|inner| inner.is::<Error>()) {
        let inner = error.into_inner().expect("looked at just now");
        return to_python(*inner.downcast().expect("looked at just now"));
    }
    error.into()
}

pub(crate) fn key_to_python(error: KeyFileError) -> PyErr {
    match error {
        KeyFileError::Random(_) => PyOSError::new_err(error.to_string()),
        _ => raise(key_file_error, error.to_string()),
    }
}
