// SPDX-License-Identifier: Apache-2.0
//! The compiled half of the Python package `sealwire`; `sealwire/_sealwire.pyi` documents its interface.

mod mac;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sealwire::{Ad, DynAead, Error, OpenPacket, SealPacket, compress};
use zeroize::{Zeroize, Zeroizing};

pyo3::create_exception!(
    sealwire,
    InvalidTag,
    PyException,
    "The message, its associated data or its nonce is not what was sealed or tagged under this key."
);

/// Messages of this many bytes and more are worked on without the interpreter lock; for shorter ones the switch costs
/// more than it gives.
const LONG: usize = 4096;

fn to_python(error: Error) -> PyErr {
    match error {
        Error::InvalidTag => InvalidTag::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
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
enum AdArgument {
    Session(Py<SessionAD>),
    Bytes(Vec<u8>),
}

impl AdArgument {
    fn new(object: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(object) = object else {
            return Ok(Self::Bytes(Vec::new()));
        };
        if let Ok(session) = object.cast::<SessionAD>() {
            return Ok(Self::Session(session.clone().unbind()));
        }
        Ok(Self::Bytes(bytes("associated_data", object)?))
    }

    fn get(&self) -> Ad<'_> {
        match self {
            Self::Session(session) => (&session.get().0).into(),
            Self::Bytes(bytes) => bytes.into(),
        }
    }
}

fn buffer(parameter: &str, object: &Bound<'_, PyAny>) -> PyResult<PyBuffer<u8>> {
    PyBuffer::get(object).map_err(|_| {
        let given = object
            .get_type()
            .name()
            .map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{parameter} must be bytes-like, not {given}"))
    })
}

/// A copy: another thread may change a Python buffer while it is worked on.
fn bytes(parameter: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    buffer(parameter, object)?.to_vec(object.py())
}

/// One message of a batch.
struct Packet {
    nonce: Vec<u8>,
    ad: AdArgument,
    /// Plaintext and room for the tag, or ciphertext and tag.
    data: Zeroizing<Vec<u8>>,
}

/// A scheme with a key. Use AEAD or a class with the scheme's name.
#[pyclass(frozen, subclass, module = "sealwire")]
struct BaseAEAD(DynAead);

impl BaseAEAD {
    /// Encrypts in place; `buffer` holds the plaintext and room for the tag.
    fn seal(
        &self,
        py: Python<'_>,
        nonce: &[u8],
        ad: &AdArgument,
        buffer: &mut [u8],
    ) -> Result<(), Error> {
        let (message, tag) = buffer.split_at_mut(buffer.len() - self.0.scheme().tag_len());
        let ad = ad.get();
        run(py, message.len(), || {
            self.0.seal_in_place_detached(nonce, ad, message, tag)
        })
    }

    /// Decrypts in place; `buffer` holds the ciphertext.
    fn open(
        &self,
        py: Python<'_>,
        nonce: &[u8],
        ad: &AdArgument,
        buffer: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let ad = ad.get();
        run(py, buffer.len(), || {
            self.0.open_in_place_detached(nonce, ad, buffer, tag)
        })
    }

    /// Copies of the packets of a batch, each with room for `more` bytes after its data.
    fn batch(&self, packets: &Bound<'_, PyAny>, more: usize) -> PyResult<Vec<Packet>> {
        let py = packets.py();
        packets
            .try_iter()?
            .map(|packet| {
                let (nonce, data, ad): (
                    Bound<'_, PyAny>,
                    Bound<'_, PyAny>,
                    Option<Bound<'_, PyAny>>,
                ) = packet?.extract()?;
                let data = buffer("data", &data)?;
                let len = data.len_bytes();
                let mut room = Zeroizing::new(vec![0; len + more]);
                data.copy_to_slice(py, &mut room[..len])?;
                Ok(Packet {
                    nonce: exactly_long("nonce", bytes("nonce", &nonce)?, self.nonce_length())?,
                    ad: AdArgument::new(ad.as_ref())?,
                    data: room,
                })
            })
            .collect()
    }

    /// Ciphertext and tag.
    fn split<'a>(&self, sealed: &'a [u8]) -> PyResult<(&'a [u8], &'a [u8])> {
        let tag_len = self.0.scheme().tag_len();
        let len = sealed
            .len()
            .checked_sub(tag_len)
            // Too short to be authentic: the caller need not tell this from any other forgery.
            .ok_or_else(|| to_python(Error::InvalidTag))?;
        Ok(sealed.split_at(len))
    }
}

/// Long work is done without the interpreter lock.
fn run<T: Send>(py: Python<'_>, len: usize, work: impl FnOnce() -> T + Send) -> T {
    if len < LONG { work() } else { py.detach(work) }
}

/// `buffer` must be writable and have exactly `len` bytes.
fn check_out(buffer: &PyBuffer<u8>, len: usize) -> PyResult<()> {
    if buffer.readonly() {
        return Err(PyTypeError::new_err("buf must be writable"));
    }
    let given = buffer.len_bytes();
    if given == len {
        Ok(())
    } else {
        Err(PyValueError::new_err(format!(
            "wrong buf length: given {given} bytes, allowed {len} bytes"
        )))
    }
}

#[pymethods]
impl BaseAEAD {
    #[new]
    fn new(scheme: &str, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let key = Zeroizing::new(bytes("key", key)?);
        let scheme = sealwire::scheme::find(scheme).map_err(to_python)?;
        Ok(Self(scheme.with_key(&key).map_err(to_python)?))
    }

    /// The scheme.
    #[getter]
    fn scheme(&self) -> Scheme {
        Scheme(*self.0.scheme())
    }

    #[getter]
    fn key_length(&self) -> usize {
        self.0.scheme().key_len()
    }

    #[getter]
    fn nonce_length(&self) -> usize {
        self.0.scheme().nonce_len()
    }

    #[getter]
    fn tag_length(&self) -> usize {
        self.0.scheme().tag_len()
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
        let nonce = bytes("nonce", nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let data = buffer("data", data)?;
        let len = data.len_bytes();
        PyBytes::new_with(py, len + self.tag_length(), |out| {
            data.copy_to_slice(py, &mut out[..len])?;
            self.seal(py, &nonce, &ad, out).map_err(to_python)
        })
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
        let nonce = bytes("nonce", nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let data = bytes("data", data)?;
        let (ciphertext, tag) = self.split(&data)?;
        PyBytes::new_with(py, ciphertext.len(), |out| {
            out.copy_from_slice(ciphertext);
            self.open(py, &nonce, &ad, out, tag).map_err(to_python)
        })
    }

    /// Encrypts as `encrypt` does, into a writable buffer of exactly len(data) + tag_length bytes.
    ///
    /// buf may overlap data. Returns the number of bytes written.
    fn encrypt_into(
        &self,
        py: Python<'_>,
        nonce: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        associated_data: Option<&Bound<'_, PyAny>>,
        buf: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let nonce = bytes("nonce", nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let data = buffer("data", data)?;
        let out = buffer("buf", buf)?;
        let len = data.len_bytes();
        check_out(&out, len + self.tag_length())?;
        let mut sealed = Zeroizing::new(vec![0; len + self.tag_length()]);
        data.copy_to_slice(py, &mut sealed[..len])?;
        self.seal(py, &nonce, &ad, &mut sealed).map_err(to_python)?;
        out.copy_from_slice(py, &sealed)?;
        Ok(sealed.len())
    }

    /// Decrypts as `decrypt` does, into a writable buffer of exactly len(data) - tag_length bytes, unchanged on InvalidTag.
    ///
    /// buf may overlap data. Returns the number of bytes written.
    fn decrypt_into(
        &self,
        py: Python<'_>,
        nonce: &Bound<'_, PyAny>,
        data: &Bound<'_, PyAny>,
        associated_data: Option<&Bound<'_, PyAny>>,
        buf: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let nonce = bytes("nonce", nonce)?;
        let ad = AdArgument::new(associated_data)?;
        let mut data = Zeroizing::new(bytes("data", data)?);
        let out = buffer("buf", buf)?;
        let tag = self.split(&data)?.1.to_vec();
        let len = data.len() - tag.len();
        check_out(&out, len)?;
        self.open(py, &nonce, &ad, &mut data[..len], &tag)
            .map_err(to_python)?;
        out.copy_from_slice(py, &data[..len])?;
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
        let mut packets = self.batch(packets, tag_len)?;
        let total = packets.iter().map(|p| p.data.len()).sum();
        run(py, total, || {
            let mut jobs: Vec<_> = packets
                .iter_mut()
                .map(|p| {
                    let len = p.data.len() - tag_len;
                    let (text, tag) = p.data.split_at_mut(len);
                    SealPacket::new(&p.nonce, p.ad.get(), text, tag)
                })
                .collect();
            self.0.seal_batch(&mut jobs);
            jobs.iter().try_for_each(|job| job.result)
        })
        .map_err(to_python)?;
        Ok(packets.iter().map(|p| PyBytes::new(py, &p.data)).collect())
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
        let mut packets = self.batch(packets, 0)?;
        let total = packets.iter().map(|p| p.data.len()).sum();
        let results = run(py, total, || {
            let mut results = vec![Err(Error::InvalidTag); packets.len()];
            // What is shorter than a tag is a forgery like any other.
            let (places, mut jobs): (Vec<_>, Vec<_>) = packets
                .iter_mut()
                .enumerate()
                .filter_map(|(place, p)| {
                    let len = p.data.len().checked_sub(tag_len)?;
                    let (text, tag) = p.data.split_at_mut(len);
                    Some((place, OpenPacket::new(&p.nonce, p.ad.get(), text, tag)))
                })
                .unzip();
            let _ = self.0.open_batch(&mut jobs);
            for (place, job) in places.into_iter().zip(&jobs) {
                results[place] = job.result;
            }
            results
        });
        let open = |(p, result): (&Packet, Result<(), Error>)| match result {
            Ok(()) => Ok(Some(PyBytes::new(py, &p.data[..p.data.len() - tag_len]))),
            Err(Error::InvalidTag) => Ok(None),
            Err(error) => Err(to_python(error)),
        };
        packets.iter().zip(results).map(open).collect()
    }

    /// Hash associated data once for any number of messages under this key.
    ///
    /// ValueError for p-OMD, which takes in associated data together with the message.
    fn with_session_ad(&self, associated_data: &Bound<'_, PyAny>) -> PyResult<SessionAD> {
        let ad = bytes("associated_data", associated_data)?;
        Ok(SessionAD(self.0.with_session_ad(&ad).map_err(to_python)?))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type().name()?;
        Ok(format!("<sealwire.{class} {}>", slf.get().0.scheme()))
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
    sealwire::scheme::find(name).map(Scheme).map_err(to_python)
}

/// F'(h, block) of the compression function sha256, sha512 or blake2b: n and 2n bytes to n bytes.
///
/// A building block without padding or initial value, for key schedules and tests; not a hash.
#[pyfunction]
#[pyo3(name = "compress")]
fn compress_by_name(
    name: &str,
    h: &Bound<'_, PyAny>,
    block: &Bound<'_, PyAny>,
) -> PyResult<Vec<u8>> {
    let h = Zeroizing::new(bytes("h", h)?);
    let block = Zeroizing::new(bytes("block", block)?);
    match name {
        "sha256" => apply(compress::sha256, &h, &block),
        "sha512" => apply(compress::sha512, &h, &block),
        "blake2b" => apply(compress::blake2b, &h, &block),
        _ => Err(PyValueError::new_err(format!(
            "unknown compression function `{name}`: allowed are sha256, sha512, blake2b"
        ))),
    }
}

fn apply<const N: usize, const B: usize>(
    function: fn(&[u8; N], &[u8; B]) -> [u8; N],
    h: &[u8],
    block: &[u8],
) -> PyResult<Vec<u8>> {
    let mut result = function(exactly("h", h)?, exactly("block", block)?);
    let bytes = result.to_vec();
    result.zeroize();
    Ok(bytes)
}

fn exactly<'a, const N: usize>(parameter: &'static str, bytes: &'a [u8]) -> PyResult<&'a [u8; N]> {
    bytes.try_into().map_err(|_| {
        to_python(Error::Length {
            parameter,
            given: bytes.len(),
            min: N,
            max: N,
        })
    })
}

fn exactly_long(parameter: &'static str, bytes: Vec<u8>, allowed: usize) -> PyResult<Vec<u8>> {
    if bytes.len() == allowed {
        return Ok(bytes);
    }
    Err(to_python(Error::Length {
        parameter,
        given: bytes.len(),
        min: allowed,
        max: allowed,
    }))
}

#[pymodule]
mod _sealwire {
    #[pymodule_export]
    use super::mac::{AlreadyFinalized, BaseMAC, MACScheme, ascon_p, find_mac, mac_schemes};

    #[pymodule_export]
    use super::{BaseAEAD, InvalidTag, Scheme, SessionAD, compress_by_name, find, schemes};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
