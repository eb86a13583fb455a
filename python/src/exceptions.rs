// SPDX-License-Identifier: Apache-2.0
//! Exceptions as classes of Python, made once. Where the package `cryptography` is installed, ours are subclasses of its classes of the
//! same names, so that programs that catch the one catch the other.

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

pub(crate) type Class = PyOnceLock<Py<PyType>>;

/// A class of these bases. Several bases at once can only be given to `type` itself.
pub(crate) fn class<'py>(
    py: Python<'py>,
    cell: &'static Class,
    [module, name, doc]: [&str; 3],
    bases: impl FnOnce() -> PyResult<Vec<Bound<'py, PyType>>>,
) -> PyResult<&'py Bound<'py, PyType>> {
    let class = cell.get_or_try_init(py, || {
        let members = PyDict::new(py);
        members.set_item("__module__", module)?;
        members.set_item("__doc__", doc)?;
        let bases = PyTuple::new(py, bases()?)?;
        let class = py.get_type::<PyType>().call1((name, bases, members))?;
        PyResult::Ok(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(class.bind(py))
}

/// An exception of such a class.
pub(crate) fn raise(
    class: fn(Python<'_>) -> PyResult<&Bound<'_, PyType>>,
    message: String,
) -> PyErr {
    Python::attach(|py| match class(py) {
        Ok(class) => PyErr::from_type(class.clone(), message),
        Err(error) => error,
    })
}

/// A class of `cryptography.exceptions`; None where that package is not installed.
fn pyca<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyType>> {
    let class = py.import("cryptography.exceptions").ok()?.getattr(name);
    class.ok()?.cast_into().ok()
}

/// A class below `cryptography`'s of that name.
fn like_pyca<'py>(
    py: Python<'py>,
    cell: &'static Class,
    name: &str,
    doc: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    class(py, cell, ["sealwire", name, doc], || {
        Ok(vec![
            pyca(py, name).unwrap_or_else(|| py.get_type::<PyException>()),
        ])
    })
}

pub(crate) fn invalid_tag(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: Class = PyOnceLock::new();
    let doc = "The message, its associated data or its nonce is not what was sealed or tagged under this key.";
    like_pyca(py, &CLASS, "InvalidTag", doc)
}

/// Of MACs: an InvalidTag, and an InvalidSignature of `cryptography`, which is what its MACs raise.
pub(crate) fn invalid_signature(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: Class = PyOnceLock::new();
    let doc = "The message is not what was tagged under this key.";
    class(py, &CLASS, ["sealwire", "InvalidSignature", doc], || {
        let mut bases = vec![invalid_tag(py)?.clone()];
        bases.extend(pyca(py, "InvalidSignature"));
        Ok(bases)
    })
}

pub(crate) fn already_finalized(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: Class = PyOnceLock::new();
    let doc = "The object has given or checked its tag; make another one for another message.";
    like_pyca(py, &CLASS, "AlreadyFinalized", doc)
}
