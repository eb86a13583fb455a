// SPDX-License-Identifier: Apache-2.0
//! The compiled half of the Python package `sealwire`; `sealwire/_sealwire.pyi` documents its interface.

mod buffers;
mod exceptions;
mod files;
mod lock;
mod mac;
mod names;
mod pages;

use buffers::{Fresh, Held, Input, Output, Tail, hold};
use exceptions::{invalid_signature, invalid_tag, raise};
use lock::{Brief, run};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sealwire::{Ad, DynAead, Error, OpenPacket, SealPacket, compress};
use zeroize::Zeroize;

/// What a MAC says of a tag that is not the message's.
fn wrong_mac() -> PyErr {
    raise(invalid_signature, Error::InvalidTag.to_string())
}

fn forged() -> PyErr {
    to_python(Error::InvalidTag)
}

fn to_python(error: Error) -> PyErr {
    match error {
        Error::InvalidTag => raise(invalid_tag, error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// What `pickle`, `copy` and processes hear that would take an object with a key along.
fn not_copied() -> PyErr {
    PyTypeError::new_err(
        "an object with a key is not copied or pickled, since that would write the key out: hand on the key, and make another object with it",
    )
}

/// A scheme with all its sizes, in bytes.
#[pyclass(frozen, eq, hash, module = "sealwire")]
#[derive(PartialEq, Eq, Hash)]
struct Scheme(sealwire::Scheme);

#[pymethods]
impl Scheme {
    /// The canonical name.
    #[getter]
    fn name(&self) -> &str {
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
    fn nonce_length(&self) -> usize {
        self.0.nonce_len()
    }

    #[getter]
    fn tag_length(&self) -> usize {
        self.0.tag_len()
    }

    /// Length of a message block: one call of the compression function each; in SIV-OMD one and a half.
    #[getter]
    fn block_length(&self) -> usize {
        self.0.block_len()
    }

    /// Length of a block of associated data: one call of the compression function each.
    ///
    /// In p-OMD this holds for what is longer than the message; the rest takes no call of its own.
    #[getter]
    fn ad_block_length(&self) -> usize {
        self.0.ad_block_len()
    }

    /// Whether the construction has no published specification and analysis.
    #[getter]
    fn experimental(&self) -> bool {
        self.0.experimental()
    }

    /// Whether associated data can be hashed ahead, that is, whether with_session_ad succeeds.
    #[getter]
    fn caches_ad(&self) -> bool {
        self.0.caches_ad()
    }

    fn __repr__(&self) -> String {
        format!("<sealwire.Scheme {}>", self.0)
    }
}

/// Associated data that was hashed once; pass it as associated_data to the object that made it.
#[pyclass(frozen, module = "sealwire")]
struct SessionAD(sealwire::SessionAd);

/// Associated data as the caller gave it.
enum AdArgument<'py> {
    None,
    Session(Bound<'py, SessionAD>),
    Bytes(Held<'py>),
}

impl<'py> AdArgument<'py> {
    #[inline]
    fn new(object: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let Some(object) = object else {
            return Ok(Self::None);
        };
        if let Ok(session) = object.cast::<SessionAD>() {
            return Ok(Self::Session(session.clone()));
        }
        Ok(Self::Bytes(hold("associated_data", object)?))
    }

    fn get(&self) -> Ad<'_> {
        match self {
            Self::None => (&[][..]).into(),
            Self::Session(session) => (&session.get().0).into(),
            Self::Bytes(bytes) => bytes.as_slice().into(),
        }
    }

    /// Bytes that are still to be worked on.
    fn len(&self) -> usize {
        match self {
            Self::None | Self::Session(_) => 0,
            Self::Bytes(bytes) => bytes.as_slice().len(),
        }
    }
}

/// One message of a batch.
struct Packet<'py> {
    nonce: Held<'py>,
    ad: AdArgument<'py>,
    /// Plaintext and room for the tag, or ciphertext.
    text: Fresh<'py>,
    /// Of an opening only.
    tag: Option<Tail>,
}

impl Packet<'_> {
    /// Bytes that are to be worked on.
    fn work(&self) -> usize {
        self.ad.len() + self.text.len()
    }
}

/// A scheme with a key. Use AEAD or a class with the scheme's name.
#[pyclass(frozen, subclass, module = "sealwire")]
struct BaseAEAD {
    aead: DynAead,
    brief: Brief,
}

impl BaseAEAD {
    /// Encrypts in place; `buffer` holds the plaintext and room for the tag.
    fn seal(
        &self,
        py: Python<'_>,
        nonce: &Held<'_>,
        ad: &AdArgument<'_>,
        buffer: &mut [u8],
    ) -> PyResult<()> {
        let work = ad.len() + buffer.len();
        let (nonce, ad) = (nonce.as_slice(), ad.get());
        let (message, tag) = buffer.split_at_mut(buffer.len() - self.tag_length());
        self.brief
            .run(py, work, || {
                self.aead.seal_in_place_detached(nonce, ad, message, tag)
            })
            .map_err(to_python)
    }

    /// Decrypts in place; `buffer` holds the ciphertext. It holds zeros after a failure.
    fn open(
        &self,
        py: Python<'_>,
        nonce: &Held<'_>,
        ad: &AdArgument<'_>,
        buffer: &mut [u8],
        tag: &[u8],
    ) -> PyResult<()> {
        let work = ad.len() + buffer.len();
        let (nonce, ad) = (nonce.as_slice(), ad.get());
        self.brief
            .run(py, work, || {
                self.aead.open_in_place_detached(nonce, ad, buffer, tag)
            })
            .map_err(to_python)
    }

    /// The packets of a batch; `text` makes the room that one is worked on in, and its tag.
    fn batch<'py>(
        &self,
        packets: &Bound<'py, PyAny>,
        text: impl Fn(Input<'py>) -> PyResult<Option<(Fresh<'py>, Option<Tail>)>>,
    ) -> PyResult<Vec<Option<Packet<'py>>>> {
        packets
            .try_iter()?
            .map(|packet| {
                let (nonce, data, ad): (
                    Bound<'py, PyAny>,
                    Bound<'py, PyAny>,
                    Option<Bound<'py, PyAny>>,
                ) = packet?.extract().map_err(|error: PyErr| {
                    let needed = "a packet is a tuple (nonce, data, associated_data), the last of which may be None";
                    if error.is_instance_of::<PyValueError>(packets.py()) {
                        PyValueError::new_err(needed)
                    } else {
                        PyTypeError::new_err(needed)
                    }
                })?;
                let nonce = self.nonce(&nonce)?;
                let ad = AdArgument::new(ad.as_ref())?;
                let text = text(Input::new("data", &data)?)?;
                Ok(text.map(|(text, tag)| Packet {
                    nonce,
                    ad,
                    text,
                    tag,
                }))
            })
            .collect()
    }

    #[inline]
    fn nonce<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Held<'py>> {
        let nonce = hold("nonce", object)?;
        check_length("nonce", nonce.as_slice().len(), self.nonce_length())?;
        Ok(nonce)
    }

    /// Length of the ciphertext before the tag; None for what is too short to hold a tag.
    fn ciphertext_length(&self, sealed: &Input<'_>) -> Option<usize> {
        sealed.len().checked_sub(self.tag_length())
    }
}

#[pymethods]
impl BaseAEAD {
    #[new]
    fn new(scheme: &str, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = hold("key", key)?;
        let scheme = find(scheme)?.0;
        Ok(Self {
            aead: scheme.with_key(key.as_slice()).map_err(to_python)?,
            brief: Brief::new(),
        })
    }

    /// The scheme.
    #[getter]
    fn scheme(&self) -> Scheme {
        Scheme(*self.aead.scheme())
    }

    #[getter]
    fn key_length(&self) -> usize {
        self.aead.scheme().key_len()
    }

    #[getter]
    fn nonce_length(&self) -> usize {
        self.aead.scheme().nonce_len()
    }

    #[getter]
    fn tag_length(&self) -> usize {
        self.aead.scheme().tag_len()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_copied())
    }

    /// Ciphertext and tag. ValueError for a nonce of the wrong length.
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let nonce = self.nonce(nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let data = Input::new("data", data)?;
        let mut sealed = Fresh::new(py, &data, data.len(), self.tag_length())?;
        self.seal(py, &nonce, &ad, sealed.room())?;
        Ok(sealed.into_object())
    }

    /// The plaintext of ciphertext and tag.
    ///
    /// InvalidTag if it is not authentic, ValueError for a nonce of the wrong length.
    #[pyo3(signature = (nonce, data, associated_data = None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let nonce = self.nonce(nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let data = Input::new("data", data)?;
        let len = self.ciphertext_length(&data).ok_or_else(forged)?;
        let tag = Tail::new(py, &data, self.tag_length())?;
        let mut opened = Fresh::new(py, &data, len, 0)?;
        self.open(py, &nonce, &ad, opened.room(), tag.as_slice())?;
        Ok(opened.into_object())
    }

    /// Encrypts as `encrypt` does, into a writable buffer of exactly len(data) + tag_length bytes.
    ///
    /// buf may overlap data; no other thread may use it during the call. Returns the number of bytes written. After an
    /// error buf holds nothing of the message but where it lies over data.
    fn encrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let nonce = self.nonce(nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let data = Input::new("data", data)?;
        let mut out = Output::new(buf, data.len() + self.tag_length())?;
        let sealed = out.fill(py, &data, data.len())?;
        let len = sealed.len();
        self.seal(py, &nonce, &ad, sealed)
            .inspect_err(|_| out.empty(&data, data.len()))?;
        Ok(len)
    }

    /// Decrypts as `decrypt` does, into a writable buffer of exactly len(data) - tag_length bytes, all zeros on InvalidTag.
    ///
    /// buf may overlap data; no other thread may use it during the call. Returns the number of bytes written.
    fn decrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<&Bound<'py, PyAny>>,
        buf: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let nonce = self.nonce(nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let data = Input::new("data", data)?;
        let len = self.ciphertext_length(&data).ok_or_else(forged)?;
        let mut out = Output::new(buf, len)?;
        let tag = Tail::new(py, &data, self.tag_length())?;
        let opened = out.fill(py, &data, len)?;
        self.open(py, &nonce, &ad, opened, tag.as_slice())?;
        Ok(len)
    }

    /// Encrypts many messages in one call: for each (nonce, data, associated_data) its ciphertext and tag.
    ///
    /// Messages share the lanes of the vector registers, which is several times faster than one by one. ValueError if
    /// any nonce has the wrong length; nothing is encrypted then.
    fn encrypt_batch<'py>(
        &self,
        py: Python<'py>,
        packets: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let tag_len = self.tag_length();
        let room = |data: Input<'py>| {
            let len = data.len();
            Ok(Some((Fresh::later(py, data, len, tag_len)?, None)))
        };
        let mut packets: Vec<_> = self.batch(packets, room)?.into_iter().flatten().collect();
        let total = packets.iter().map(|p| p.work()).sum();
        let mut jobs: Vec<_> = packets
            .iter_mut()
            .map(|p| {
                let buffer = p.text.room();
                let (text, tag) = buffer.split_at_mut(buffer.len() - tag_len);
                SealPacket::new(p.nonce.as_slice(), p.ad.get(), text, tag)
            })
            .collect();
        run(py, total, || {
            self.aead.seal_batch(&mut jobs);
            jobs.iter().try_for_each(|job| job.result)
        })
        .map_err(to_python)?;
        Ok(packets.into_iter().map(|p| p.text.into_object()).collect())
    }

    /// Decrypts many messages in one call: for each (nonce, data, associated_data) its plaintext, or None where it is
    /// not authentic.
    ///
    /// ValueError if any nonce has the wrong length; nothing is decrypted then.
    fn decrypt_batch<'py>(
        &self,
        py: Python<'py>,
        packets: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Option<Bound<'py, PyBytes>>>> {
        let tag_len = self.tag_length();
        // What is shorter than a tag is a forgery like any other.
        let room = |data: Input<'py>| match self.ciphertext_length(&data) {
            None => Ok(None),
            Some(len) => {
                let tag = Tail::new(py, &data, tag_len)?;
                Ok(Some((Fresh::later(py, data, len, 0)?, Some(tag))))
            }
        };
        let mut packets = self.batch(packets, room)?;
        let total = packets.iter().flatten().map(Packet::work).sum();
        let mut jobs: Vec<_> = packets
            .iter_mut()
            .flatten()
            .map(|p| {
                let tag = p.tag.as_ref().map_or(&[][..], Tail::as_slice);
                OpenPacket::new(p.nonce.as_slice(), p.ad.get(), p.text.room(), tag)
            })
            .collect();
        let results: Vec<_> = run(py, total, || {
            let _ = self.aead.open_batch(&mut jobs);
            jobs.iter().map(|job| job.result).collect()
        });
        // First of all: after an error no plaintext becomes an object.
        let authentic = |result| match result {
            Ok(()) => Ok(true),
            Err(Error::InvalidTag) => Ok(false),
            Err(error) => Err(to_python(error)),
        };
        let results: Vec<bool> = results
            .into_iter()
            .map(authentic)
            .collect::<PyResult<_>>()?;
        let mut results = results.into_iter();
        let mut opened = |p: Packet<'py>| {
            let authentic = results.next().unwrap_or_default();
            authentic.then(|| p.text.into_object())
        };
        Ok(packets
            .into_iter()
            .map(|packet| packet.and_then(&mut opened))
            .collect())
    }

    /// Hash associated data once for any number of messages under this key.
    ///
    /// ValueError for p-OMD, which takes in associated data together with the message.
    fn with_session_ad(
        &self,
        py: Python<'_>,
        associated_data: &Bound<'_, PyAny>,
    ) -> PyResult<SessionAD> {
        let ad = hold("associated_data", associated_data)?;
        let ad = ad.as_slice();
        let session = run(py, ad.len(), || self.aead.with_session_ad(ad));
        Ok(SessionAD(session.map_err(to_python)?))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?;
        Ok(format!("<sealwire.{class} {}>", slf.get().aead.scheme()))
    }
}

/// All registered schemes; find() knows every other legal name too.
#[pyfunction]
fn schemes() -> Vec<Scheme> {
    sealwire::scheme::schemes().map(Scheme).collect()
}

/// The scheme with this canonical name or alias. ValueError if there is none or its sizes are not legal.
#[pyfunction]
fn find(name: &str) -> PyResult<Scheme> {
    let found = sealwire::scheme::find(name).map(Scheme);
    found.map_err(|error| match error {
        Error::UnknownScheme(_) => names::unknown_scheme(name),
        error => to_python(error),
    })
}

/// F'(h, block) of the compression function sha256, sha512 or blake2b: n and 2n bytes to n bytes.
///
/// A building block without padding or initial value, for key schedules and tests; not a hash.
#[pyfunction]
#[pyo3(name = "compress")]
fn compress_by_name<'py>(
    name: &str,
    h: &Bound<'py, PyAny>,
    block: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = h.py();
    let (h, block) = (hold("h", h)?, hold("block", block)?);
    let (h, block) = (h.as_slice(), block.as_slice());
    match name {
        "sha256" => apply(py, compress::sha256, h, block),
        "sha512" => apply(py, compress::sha512, h, block),
        "blake2b" => apply(py, compress::blake2b, h, block),
        _ => Err(PyValueError::new_err(format!(
            "unknown compression function `{name}`: allowed are sha256, sha512, blake2b"
        ))),
    }
}

fn apply<'py, const N: usize, const B: usize>(
    py: Python<'py>,
    function: fn(&[u8; N], &[u8; B]) -> [u8; N],
    h: &[u8],
    block: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let mut result = function(exactly("h", h)?, exactly("block", block)?);
    let bytes = PyBytes::new(py, &result);
    result.zeroize();
    Ok(bytes)
}

fn exactly<'a, const N: usize>(parameter: &'static str, bytes: &'a [u8]) -> PyResult<&'a [u8; N]> {
    check_length(parameter, bytes.len(), N)?;
    Ok(bytes.try_into().expect("the length was checked"))
}

fn check_length(parameter: &'static str, given: usize, allowed: usize) -> PyResult<()> {
    if given == allowed {
        return Ok(());
    }
    Err(to_python(Error::Length {
        parameter,
        given,
        min: allowed,
        max: allowed,
    }))
}

#[pymodule]
mod _sealwire {
    #[pymodule_export]
    use super::files::{
        Identity, Key, Opening, Passphrase, Recipient, Sealing, open_files, seal_files,
    };

    #[pymodule_export]
    use super::mac::{BaseMAC, MACScheme, ascon_p, find_mac, mac_schemes};

    #[pymodule_export]
    use super::{BaseAEAD, Scheme, SessionAD, compress_by_name, find, schemes};
    use pyo3::prelude::*;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("InvalidTag", super::exceptions::invalid_tag(py)?)?;
        module.add(
            "InvalidSignature",
            super::exceptions::invalid_signature(py)?,
        )?;
        module.add(
            "AlreadyFinalized",
            super::exceptions::already_finalized(py)?,
        )?;
        module.add("SealedFileError", super::files::sealed_file_error(py)?)?;
        module.add("WrongKeyError", super::files::wrong_key_error(py)?)?;
        module.add("DamagedFileError", super::files::damaged_file_error(py)?)?;
        module.add("KeyFileError", super::files::key_file_error(py)?)
    }
}
