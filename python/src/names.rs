// SPDX-License-Identifier: Apache-2.0
//! Names that nobody knows: what was probably meant, and where all are to be seen.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sealwire::{mac, scheme};

/// The name of `known` that is most like this one, as Python's own error messages choose it.
fn meant(name: &str, known: Vec<&str>) -> Option<String> {
    Python::attach(|py| {
        let words = (name.to_lowercase(), known, 1);
        let like = py
            .import("difflib")?
            .call_method1("get_close_matches", words)?;
        like.extract::<Vec<String>>()
    })
    .ok()?
    .pop()
}

/// The error for a name of none of `known`, behind "unknown ...".
pub(crate) fn unknown(what: &str, name: &str, known: Vec<&str>, rest: &str) -> PyErr {
    let question =
        meant(name, known).map_or_else(String::new, |like| format!(", did you mean {like}?"));
    let colon = if question.is_empty() { ";" } else { "" };
    PyValueError::new_err(format!("unknown {what} `{name}`{question}{colon} {rest}"))
}

pub(crate) fn unknown_scheme(name: &str) -> PyErr {
    if mac::find(name).is_ok() {
        return PyValueError::new_err(format!("`{name}` is a MAC: use sealwire.MAC"));
    }
    let known = scheme::schemes().filter_map(|scheme| scheme.alias());
    unknown(
        "scheme",
        name,
        known.collect(),
        "sealwire.schemes() lists all",
    )
}

pub(crate) fn unknown_mac(name: &str) -> PyErr {
    if scheme::find(name).is_ok() {
        return PyValueError::new_err(format!(
            "`{name}` encrypts, and is no MAC: use sealwire.AEAD"
        ));
    }
    let known = mac::schemes().filter_map(|mac| mac.alias());
    unknown(
        "MAC",
        name,
        known.collect(),
        "sealwire.mac_schemes() lists all",
    )
}
