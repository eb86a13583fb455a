// SPDX-License-Identifier: Apache-2.0
//! Message authentication codes.

use crate::buffers::{Held, hold};
use crate::exceptions::{already_finalized, raise};
use crate::names::unknown_mac;
use crate::{not_copied, run, to_python, wrong_mac};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sealwire::Error;
use sealwire::ascon::{Rounds, permute};
use sealwire::mac::{self, DynMac, MacMessage, TagMessage, VerifyMessage};
use std::sync::{Mutex, PoisonError};

fn ended() -> PyErr {
    raise(already_finalized, "the message has ended".to_owned())
}

/// A MAC with all its sizes, in bytes.
#[pyclass(frozen, eq, hash, module = "sealwire")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct MACScheme(mac::MacScheme);

#[pymethods]
impl MACScheme {
    /// The canonical name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The short name, if there is one.
    #[getter]
    fn alias(&self) -> Option<&'static str> {
        self.0.alias()
    }

    #[getter]
    fn key_length(&self) -> usize {
        self.0.key_len()
    }

    #[getter]
    fn tag_length(&self) -> usize {
        self.0.tag_len()
    }

    /// Length of a message block: one call of the permutation each.
    #[getter]
    fn block_length(&self) -> usize {
        self.0.block_len()
    }

    /// The longest message; None: any.
    #[getter]
    fn max_message_length(&self) -> Option<usize> {
        self.0.max_message_len()
    }

    /// Whether the instance is our own choice, or has not been analysed.
    #[getter]
    fn experimental(&self) -> bool {
        self.0.experimental()
    }

    fn __repr__(&self) -> String {
        format!("<sealwire.MACScheme {}>", self.0)
    }
}

/// A MAC with a key and one message. Use MAC or a class with the scheme's name.
#[pyclass(frozen, subclass, module = "sealwire")]
pub(crate) struct BaseMAC {
    key: DynMac,
    /// None after the end of the message.
    message: Mutex<Option<MacMessage>>,
}

impl BaseMAC {
    fn begun(key: DynMac) -> Self {
        Self {
            message: Mutex::new(Some(key.begin())),
            key,
        }
    }

    fn begun_again(&self) -> PyResult<Self> {
        Ok(Self {
            key: self.key.clone(),
            message: Mutex::new(Some(self.with(|m| m.clone().expect("it has not ended"))?)),
        })
    }

    /// Works on the message, which has not ended.
    fn with<T>(&self, work: impl FnOnce(&mut Option<MacMessage>) -> T) -> PyResult<T> {
        let mut message = self.message.lock().unwrap_or_else(PoisonError::into_inner);
        if message.is_none() {
            // Whoever holds the interpreter's lock may wait for this one.
            drop(message);
            return Err(ended());
        }
        Ok(work(&mut message))
    }

    fn take(&self) -> PyResult<MacMessage> {
        self.with(|message| message.take().expect("it has not ended"))
    }
}

#[pymethods]
impl BaseMAC {
    #[new]
    #[pyo3(signature = (scheme, key, *, tag_length = 16))]
    fn new(scheme: &str, key: &Bound<'_, PyAny>, tag_length: usize) -> PyResult<Self> {
        // An object with a key and the beginning of a message, in the class that is called.
        if let Ok(begun) = key.cast::<Self>()
            && scheme.is_empty()
        {
            return begun.get().begun_again();
        }
        let key = hold("key", key)?;
        let scheme = find_mac(scheme)?.0;
        let scheme = scheme.with_tag_len(tag_length).map_err(to_python)?;
        // Python's own bound on bytes.
        if isize::try_from(tag_length).is_err() {
            return Err(PyValueError::new_err("tag_length is too large"));
        }
        Ok(Self::begun(
            scheme.with_key(key.as_slice()).map_err(to_python)?,
        ))
    }

    /// The scheme.
    #[getter]
    fn scheme(&self) -> MACScheme {
        MACScheme(*self.key.scheme())
    }

    #[getter]
    fn tag_length(&self) -> usize {
        self.key.scheme().tag_len()
    }

    /// Takes in the next piece of the message. AlreadyFinalized if it has ended.
    fn update(&self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<()> {
        let data = hold("data", data)?;
        let data = data.as_slice();
        run(py, data.len(), || {
            self.with(|message| {
                if let Some(message) = message {
                    message.update(data);
                }
            })
        })
    }

    /// Ends the message: its tag. AlreadyFinalized if it has ended, ValueError if it is longer than the scheme allows.
    fn finalize<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        // Room first: without it the message goes on.
        PyBytes::new_with(py, self.tag_length(), |tag| {
            self.take()?.finish(tag).map_err(to_python)
        })
    }

    /// Ends the message and checks its tag in constant time.
    ///
    /// InvalidSignature if it is another one's or has another length, AlreadyFinalized if the message has ended.
    fn verify(&self, tag: &Bound<'_, PyAny>) -> PyResult<()> {
        let tag = hold("tag", tag)?;
        let message = self.take()?;
        if tag.as_slice().len() != self.tag_length() {
            return Err(wrong_mac());
        }
        message.verify(tag.as_slice()).map_err(|error| match error {
            Error::InvalidTag => wrong_mac(),
            error => to_python(error),
        })
    }

    /// An object with the same key and the same beginning of a message. AlreadyFinalized if it has ended.
    fn copy<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, class) = (slf.py(), slf.get_type());
        let base = py.get_type::<Self>();
        base.call_method1("__new__", (class, "", slf))
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_copied())
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::copy(slf)
    }

    /// The tags of many whole messages under this key, whatever update was given.
    ///
    /// Messages share the lanes of the vector registers; eight a call are several times faster than one by one.
    fn tag_batch<'py>(
        &self,
        py: Python<'py>,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let messages: Vec<Held<'_>> = messages
            .try_iter()?
            .map(|message| hold("data", &message?))
            .collect::<PyResult<_>>()?;
        let messages: Vec<_> = messages.iter().map(Held::as_slice).collect();
        let total = messages.iter().map(|message| message.len()).sum();
        let mut tags = messages
            .iter()
            .map(|_| room(self.tag_length()))
            .collect::<PyResult<Vec<_>>>()?;
        run(py, total, || {
            let jobs = messages.iter().zip(&mut tags);
            let mut jobs: Vec<_> = jobs.map(|(m, tag)| TagMessage::new(m, tag)).collect();
            self.key.tag_batch(&mut jobs);
            jobs.iter().try_for_each(|job| job.result)
        })
        .map_err(to_python)?;
        Ok(tags.iter().map(|tag| PyBytes::new(py, tag)).collect())
    }

    /// For each (message, tag) whether the tag is right, whatever update was given.
    fn verify_batch<'py>(
        &self,
        py: Python<'py>,
        messages: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<bool>> {
        let pairs: Vec<(Held<'_>, Held<'_>)> = messages
            .try_iter()?
            .map(|pair| {
                let (message, tag): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
                Ok((hold("data", &message)?, hold("tag", &tag)?))
            })
            .collect::<PyResult<_>>()?;
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(message, tag)| (message.as_slice(), tag.as_slice()))
            .collect();
        let total = pairs.iter().map(|(message, _)| message.len()).sum();
        Ok(run(py, total, || {
            let jobs = pairs.iter();
            let mut jobs: Vec<_> = jobs.map(|(m, tag)| VerifyMessage::new(m, tag)).collect();
            let _ = self.key.verify_batch(&mut jobs);
            jobs.iter().map(|job| job.result.is_ok()).collect()
        }))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?;
        Ok(format!("<sealwire.{class} {}>", slf.get().key.scheme()))
    }
}

/// Zeros for a tag; MemoryError if there is no room, because a length of the caller's choice must not end the process.
fn room(tag_length: usize) -> PyResult<Vec<u8>> {
    let mut tag = Vec::new();
    tag.try_reserve_exact(tag_length)
        .map_err(|_| PyMemoryError::new_err(format!("no room for a tag of {tag_length} bytes")))?;
    tag.resize(tag_length, 0);
    Ok(tag)
}

/// All MACs, with tags of 16 bytes.
#[pyfunction]
pub(crate) fn mac_schemes() -> Vec<MACScheme> {
    mac::schemes().map(MACScheme).collect()
}

/// The MAC with this canonical name or alias. ValueError if there is none.
#[pyfunction]
pub(crate) fn find_mac(name: &str) -> PyResult<MACScheme> {
    let found = mac::find(name).map(MACScheme);
    found.map_err(|error| match error {
        Error::UnknownMac(_) => unknown_mac(name),
        error => to_python(error),
    })
}

/// The last 6, 8 or 12 rounds of Ascon-p on five 64-bit words, x0 first.
///
/// A building block for tests; not a hash.
#[pyfunction]
pub(crate) fn ascon_p(mut words: [u64; 5], rounds: usize) -> PyResult<[u64; 5]> {
    let rounds = match rounds {
        6 => Rounds::Six,
        8 => Rounds::Eight,
        12 => Rounds::Twelve,
        _ => {
            return Err(PyValueError::new_err(format!(
                "wrong number of rounds: given {rounds}, allowed 6, 8 and 12"
            )));
        }
    };
    permute(&mut words, rounds);
    Ok(words)
}
