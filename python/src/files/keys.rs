// SPDX-License-Identifier: Apache-2.0
//! What files are sealed and opened with.

use super::errors::{key_to_python, to_python};
use crate::buffers::hold;
use crate::names::unknown;
use crate::not_copied;
use pyo3::PyTypeCheck;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use sealwire_file::{Cost, Lock, Options, Purpose, Unlock};
use sealwire_link::suite::{SUITES, Suite};
use zeroize::Zeroizing;

/// The suite of this name.
fn suite(name: &str) -> PyResult<&'static Suite> {
    Suite::by_name(name).ok_or_else(|| {
        let known: Vec<_> = SUITES.iter().map(|suite| suite.alias).collect();
        let allowed = format!("allowed are {}", known.join(", "));
        unknown("suite of sealed files", name, known, &allowed)
    })
}

pub(crate) fn options(name: &str, chunk_size: u64, key_id: bool) -> PyResult<Options> {
    let options = Options::default().suite(suite(name)?);
    let options = options.chunk_size(chunk_size).map_err(to_python)?;
    Ok(if key_id {
        options
    } else {
        options.without_key_id()
    })
}

/// The bytes of `str` or of anything that holds bytes.
fn text(parameter: &str, object: &Bound<'_, PyAny>) -> PyResult<Zeroizing<Vec<u8>>> {
    if let Ok(string) = object.cast::<PyString>() {
        return Ok(Zeroizing::new(string.to_str()?.as_bytes().to_vec()));
    }
    Ok(Zeroizing::new(hold(parameter, object)?.as_slice().to_vec()))
}

/// A key for sealed files.
#[pyclass(frozen, module = "sealwire.files")]
pub(crate) struct Key(sealwire_file::Key);

#[pymethods]
impl Key {
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_copied())
    }

    #[new]
    fn new(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = hold("data", data)?;
        sealwire_file::Key::from_bytes(data.as_slice())
            .map(Self)
            .map_err(key_to_python)
    }

    /// A fresh random key for this suite.
    #[staticmethod]
    #[pyo3(signature = (suite = "otr-aes256-p"))]
    #[pyo3(name = "generate")]
    fn generate_for(suite: &str) -> PyResult<Self> {
        sealwire_file::Key::generate(self::suite(suite)?)
            .map(Self)
            .map_err(key_to_python)
    }

    /// The key of a key file's text.
    #[staticmethod]
    fn from_text(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        sealwire_file::Key::read(&text("data", data)?[..])
            .map(Self)
            .map_err(key_to_python)
    }

    /// The key of a key file's text, if it is for files or does not say what it is for.
    #[staticmethod]
    fn _for_files(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = Self::from_text(data)?;
        key.0.check_purpose(Purpose::File).map_err(key_to_python)?;
        Ok(key)
    }

    /// The text of the key file.
    fn to_text(&self) -> String {
        self.0.to_text().as_str().to_owned()
    }

    /// What the key is for; None if its maker did not say: then it serves for anything.
    #[getter]
    fn purpose(&self) -> Option<&'static str> {
        self.0.purpose().map(Purpose::word)
    }

    /// The key's short name, as files and key files have it.
    #[getter]
    fn id(&self) -> String {
        let purpose = self.0.purpose().unwrap_or(Purpose::File);
        self.0.id(purpose).to_string()
    }

    fn __repr__(&self) -> String {
        format!("<sealwire.files.Key {}>", self.id())
    }
}

/// A public key that files are sealed to.
#[pyclass(frozen, module = "sealwire.files")]
pub(crate) struct Recipient(sealwire_file::Recipient);

#[pymethods]
impl Recipient {
    /// The public key of a recipient file's text.
    #[staticmethod]
    fn from_text(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        sealwire_file::Recipient::read(&text("data", data)?[..])
            .map(Self)
            .map_err(key_to_python)
    }

    /// The text of the recipient file, which is no secret.
    fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// The short name that recipient and identity share.
    #[getter]
    fn id(&self) -> String {
        self.0.id().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<sealwire.files.Recipient {}>", self.id())
    }
}

/// A private key that opens what was sealed to its recipient.
#[pyclass(frozen, module = "sealwire.files")]
pub(crate) struct Identity(sealwire_file::Identity);

#[pymethods]
impl Identity {
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_copied())
    }

    /// A fresh random identity.
    #[staticmethod]
    fn generate() -> PyResult<Self> {
        sealwire_file::Identity::generate()
            .map(Self)
            .map_err(key_to_python)
    }

    /// The identity of an identity file's text.
    #[staticmethod]
    fn from_text(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        sealwire_file::Identity::read(&text("data", data)?[..])
            .map(Self)
            .map_err(key_to_python)
    }

    /// The text of the identity file.
    fn to_text(&self) -> String {
        self.0.to_text().as_str().to_owned()
    }

    /// The public key that belongs to it.
    #[getter]
    fn recipient(&self) -> Recipient {
        Recipient(self.0.recipient().clone())
    }

    /// The short name that recipient and identity share.
    #[getter]
    fn id(&self) -> String {
        self.0.recipient().id().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<sealwire.files.Identity {}>", self.id())
    }
}

/// A passphrase, and what it is to cost to try one.
#[pyclass(frozen, module = "sealwire.files")]
pub(crate) struct Passphrase(sealwire_file::Passphrase);

#[pymethods]
impl Passphrase {
    fn __reduce__(&self) -> PyResult<()> {
        Err(not_copied())
    }

    #[new]
    #[pyo3(signature = (passphrase, *, memory_kib = 65536, passes = 3, lanes = 4))]
    fn new(
        passphrase: &Bound<'_, PyAny>,
        memory_kib: u32,
        passes: u8,
        lanes: u8,
    ) -> PyResult<Self> {
        if !memory_kib.is_power_of_two() {
            return Err(PyValueError::new_err(format!(
                "memory_kib is {memory_kib}, it must be a power of two from 8 to 1048576"
            )));
        }
        let cost = Cost::new(memory_kib.trailing_zeros() as u8, passes, lanes)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let passphrase = text("passphrase", passphrase)?;
        Ok(Self(
            sealwire_file::Passphrase::new(&passphrase)
                .map_err(to_python)?
                .cost(cost),
        ))
    }

    #[expect(clippy::unused_self, reason = "nothing of it is shown")]
    fn __repr__(&self) -> &'static str {
        "<sealwire.files.Passphrase>"
    }
}

/// What a file is sealed with, as it was given.
pub(crate) enum LockArgument<'py> {
    Key(Bound<'py, Key>),
    Passphrase(Bound<'py, Passphrase>),
    Recipients(Vec<sealwire_file::Recipient>),
}

impl<'py> LockArgument<'py> {
    pub(crate) fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(key) = object.cast::<Key>() {
            return Ok(Self::Key(key.clone()));
        }
        if let Ok(passphrase) = object.cast::<Passphrase>() {
            return Ok(Self::Passphrase(passphrase.clone()));
        }
        let recipients = one_or_more::<Recipient>(object).ok_or_else(|| {
            refuse(
                "sealed with a Key, a Passphrase, a Recipient or an iterable of Recipients",
                object,
            )
        })?;
        let recipients = recipients.iter().map(|one| one.get().0.clone());
        Ok(Self::Recipients(recipients.collect()))
    }

    pub(crate) fn get(&self) -> Lock<'_> {
        match self {
            Self::Key(key) => Lock::Key(&key.get().0),
            Self::Passphrase(passphrase) => Lock::Passphrase(&passphrase.get().0),
            Self::Recipients(recipients) => Lock::Recipients(recipients),
        }
    }
}

/// What a file is opened with, as it was given.
pub(crate) enum UnlockArgument<'py> {
    Key(Bound<'py, Key>),
    Passphrase(Bound<'py, Passphrase>),
    Identities(Vec<sealwire_file::Identity>),
}

impl<'py> UnlockArgument<'py> {
    pub(crate) fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(key) = object.cast::<Key>() {
            return Ok(Self::Key(key.clone()));
        }
        if let Ok(passphrase) = object.cast::<Passphrase>() {
            return Ok(Self::Passphrase(passphrase.clone()));
        }
        let identities = one_or_more::<Identity>(object).ok_or_else(|| {
            refuse(
                "opened with a Key, a Passphrase, an Identity or an iterable of Identities",
                object,
            )
        })?;
        let identities = identities.iter().map(|one| one.get().0.clone());
        Ok(Self::Identities(identities.collect()))
    }

    pub(crate) fn get(&self) -> Unlock<'_> {
        match self {
            Self::Key(key) => Unlock::Key(&key.get().0),
            Self::Passphrase(passphrase) => Unlock::Passphrase(&passphrase.get().0),
            Self::Identities(identities) => Unlock::Identities(identities),
        }
    }
}

/// One object of a class, or the objects of an iterable.
fn one_or_more<'py, T: PyTypeCheck>(object: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, T>>> {
    if let Ok(one) = object.cast::<T>() {
        return Some(vec![one.clone()]);
    }
    let objects = object.try_iter().ok()?;
    objects.map(|one| one.ok()?.cast_into::<T>().ok()).collect()
}

fn refuse(allowed: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let given = object
        .get_type()
        .name()
        .map_or_else(|_| "?".into(), |name| name.to_string());
    PyTypeError::new_err(format!("a file is {allowed}, not with {given}"))
}
