// SPDX-License-Identifier: Apache-2.0
//! The check of a record: sealing gives the answer, opening gives the plaintext back, and a flipped bit in the tag, the
//! ciphertext, the associated data or the nonce makes opening fail. Of a MAC: the tag is the answer and verifies, and a
//! flipped bit in the tag, the message or the key makes verifying fail.

use super::error::KatError;
use super::parse::{Body, Record, parse, rule};
use crate::error::Error;
use crate::mac::{self, DynMac, MacScheme};
use crate::scheme::{DynAead, Scheme, find};
use core::fmt;
use sha2::{Digest as _, Sha256};
use std::borrow::ToOwned;
use std::path::Path;
use std::string::String;
use std::vec::Vec;

/// What a file has answers of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// An AEAD scheme.
    Aead(Scheme),
    /// A MAC; its tags are as long as each record's.
    Mac(MacScheme),
}

impl Algorithm {
    /// The AEAD scheme or else the MAC with this canonical name or alias.
    ///
    /// # Errors
    /// The errors of [`find`]: [`Error::UnknownScheme`] if there is neither.
    fn find(name: &str) -> Result<Self, Error> {
        find(name)
            .map(Self::Aead)
            .or_else(|error| mac::find(name).map(Self::Mac).map_err(|_| error))
    }

    /// The canonical name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Aead(scheme) => scheme.name(),
            Self::Mac(scheme) => scheme.name(),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The outcome for one file.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was checked.
    pub scheme: Algorithm,
    /// How many records passed every part of the check.
    pub passed: usize,
    /// The records that did not, in the order of the file.
    pub failures: Vec<Failure>,
}

/// A record that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The record's number in the file (`Count`).
    pub count: u64,
    /// The line of the record's first field, counted from 1.
    pub line: usize,
    /// The first part of the check that failed.
    pub cause: Cause,
}

/// The part of the check that a record failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Key, nonce or tag do not have the scheme's lengths, or the record contradicts itself.
    Sizes(Error),
    /// The record's ciphertext does not have [`Scheme::published_len`]: it is not as long as its plaintext and a tag.
    CiphertextLength,
    /// Sealing gives another ciphertext.
    Ciphertext,
    /// Sealing gives the right ciphertext but another tag.
    Tag,
    /// The answer is refused.
    Refused,
    /// The answer opens to another plaintext.
    Plaintext,
    /// A forgery is accepted: one bit of this field was flipped.
    Accepted(&'static str),
    /// The MAC of the message is another one.
    Mac,
    /// A forgery is refused, but the buffer was not wiped: one bit of this field was flipped.
    Unwiped(&'static str),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Count {} (line {}): ", self.count, self.line)?;
        match self.cause {
            Cause::Sizes(error) => error.fmt(f),
            Cause::CiphertextLength => {
                f.write_str("the ciphertext is not as long as the plaintext and the tag")
            }
            Cause::Ciphertext => f.write_str("sealing gives another ciphertext"),
            Cause::Tag => f.write_str("sealing gives another tag"),
            Cause::Refused => f.write_str("the right answer is refused"),
            Cause::Mac => f.write_str("the message has another tag"),
            Cause::Plaintext => f.write_str("opening gives another plaintext"),
            Cause::Accepted(field) => write!(f, "a flipped bit in the {field} is accepted"),
            Cause::Unwiped(field) => write!(
                f,
                "a flipped bit in the {field} is refused, but plaintext is left behind"
            ),
        }
    }
}

/// Checks every record of a file. The scheme is `scheme_override`, else the one the header names, else the file name up
/// to the first dot.
///
/// # Errors
/// [`KatError`] if the file cannot be read, has a malformed line, holds no record or names no known scheme. Records that
/// fail are no error here; the report lists them.
pub fn check_file(
    path: impl AsRef<Path>,
    scheme_override: Option<&str>,
) -> Result<Report, KatError> {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).map_err(|source| KatError::Read {
        path: path.to_owned(),
        source,
    })?;
    check_text(path, &text, scheme_override)
}

/// Checks answers as [`check_file`] does, in text that is already in memory; `path` serves the messages and the
/// scheme's name.
///
/// # Errors
/// The errors of [`check_file`], but for those of reading.
pub fn check_text(
    path: &Path,
    text: &str,
    scheme_override: Option<&str>,
) -> Result<Report, KatError> {
    let file = parse(text).map_err(|(line, reason)| KatError::Malformed {
        path: path.to_owned(),
        line,
        reason,
    })?;
    if file.records.is_empty() {
        return Err(KatError::Empty {
            path: path.to_owned(),
        });
    }
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = file_name.split('.').next().unwrap_or_default();
    let named = scheme_override.or(file.scheme.as_deref());
    let scheme = Algorithm::find(named.unwrap_or(stem)).map_err(|source| KatError::Scheme {
        path: path.to_owned(),
        named: named.is_some(),
        source,
    })?;
    let mut report = Report {
        scheme,
        passed: 0,
        failures: Vec::new(),
    };
    for record in &file.records {
        let checked = match (&scheme, &record.body) {
            (
                Algorithm::Aead(scheme),
                Body::Full {
                    nonce,
                    ad,
                    plaintext,
                    sealed,
                },
            ) => check_full(scheme, record, [nonce, ad, plaintext], sealed),
            (
                Algorithm::Aead(scheme),
                Body::Long {
                    nonce,
                    ad_len,
                    plaintext_len,
                    sealed_len,
                    head,
                    tail,
                    sha256,
                },
            ) => {
                let answer = Sealed {
                    len: *sealed_len,
                    head,
                    tail,
                    sha256,
                };
                check_long(scheme, record, nonce, [*ad_len, *plaintext_len], &answer)
            }
            (Algorithm::Mac(scheme), Body::Mac { message, tag }) => {
                check_mac(scheme, record, message, tag)
            }
            (Algorithm::Aead(_), Body::Mac { .. }) | (Algorithm::Mac(_), _) => {
                return Err(KatError::Form {
                    path: path.to_owned(),
                    scheme: String::from(scheme.name()),
                    is_mac: matches!(scheme, Algorithm::Mac(_)),
                });
            }
        };
        match checked {
            Ok(()) => report.passed += 1,
            Err(cause) => report.failures.push(Failure {
                count: record.count,
                line: record.line,
                cause,
            }),
        }
    }
    Ok(report)
}

/// All bytes are written out.
fn check_full(
    scheme: &Scheme,
    record: &Record,
    [nonce, ad, plaintext]: [&[u8]; 3],
    sealed: &[u8],
) -> Result<(), Cause> {
    let aead = scheme.with_key(&record.key).map_err(Cause::Sizes)?;
    // The tag length is that of CT: a name that promises another one is a failure, not another scheme.
    if sealed.len() != scheme.published_len(plaintext.len()) {
        return Err(Cause::CiphertextLength);
    }
    let result = aead.seal(nonce, ad, plaintext).map_err(Cause::Sizes)?;
    compare(published(&result, sealed.len())?, sealed, plaintext.len())?;
    check_open(&aead, record.count, [nonce, ad, plaintext], &result)
}

/// What a long record has of ciphertext and tag.
struct Sealed<'a> {
    len: usize,
    head: &'a [u8],
    tail: &'a [u8],
    sha256: &'a [u8; 32],
}

/// Associated data and plaintext follow a rule, so that their lengths say them.
fn check_long(
    scheme: &Scheme,
    record: &Record,
    nonce: &[u8],
    [ad_len, plaintext_len]: [usize; 2],
    sealed: &Sealed<'_>,
) -> Result<(), Cause> {
    let aead = scheme.with_key(&record.key).map_err(Cause::Sizes)?;
    if sealed.len != scheme.published_len(plaintext_len) {
        return Err(Cause::CiphertextLength);
    }
    let (ad, plaintext) = (rule(ad_len), rule(plaintext_len));
    let result = aead.seal(nonce, &ad, &plaintext).map_err(Cause::Sizes)?;
    let made = published(&result, sealed.len)?;
    let shown = 64.min(made.len());
    let same_ends = made[..shown] == *sealed.head && made[made.len() - shown..] == *sealed.tail;
    if !same_ends || Sha256::digest(made).0 != *sealed.sha256 {
        return Err(Cause::Ciphertext);
    }
    check_open(&aead, record.count, [nonce, &ad, &plaintext], &result)
}

fn check_mac(scheme: &MacScheme, record: &Record, message: &[u8], tag: &[u8]) -> Result<(), Cause> {
    let keyed = |key: &[u8]| {
        let scheme = scheme.with_tag_len(tag.len()).map_err(Cause::Sizes)?;
        scheme.with_key(key).map_err(Cause::Sizes)
    };
    let mac = keyed(&record.key)?;
    let mut result = std::vec![0; tag.len()];
    mac.tag(message, &mut result).map_err(Cause::Sizes)?;
    if result != tag {
        return Err(Cause::Mac);
    }
    if mac.verify(message, tag).is_err() {
        return Err(Cause::Refused);
    }
    let accepted = |mac: &DynMac, message: &[u8], tag: &[u8], field| match mac.verify(message, tag)
    {
        Err(Error::InvalidTag) => Ok(()),
        _ => Err(Cause::Accepted(field)),
    };
    accepted(&mac, message, &flipped(tag, record.count), "tag")?;
    if !message.is_empty() {
        accepted(&mac, &flipped(message, record.count), tag, "message")?;
    }
    accepted(
        &keyed(&flipped(&record.key, record.count))?,
        message,
        tag,
        "key",
    )
}

/// What the designers' ciphertext has of what was sealed; nothing but zeros may come behind it.
fn published(result: &[u8], len: usize) -> Result<&[u8], Cause> {
    let (made, zeros) = result.split_at(len);
    if zeros.iter().all(|&byte| byte == 0) {
        Ok(made)
    } else {
        Err(Cause::Tag)
    }
}

fn compare(result: &[u8], expected: &[u8], ciphertext_len: usize) -> Result<(), Cause> {
    if result[..ciphertext_len] != expected[..ciphertext_len] {
        Err(Cause::Ciphertext)
    } else if result != expected {
        Err(Cause::Tag)
    } else {
        Ok(())
    }
}

fn check_open(
    aead: &DynAead,
    count: u64,
    [nonce, ad, plaintext]: [&[u8]; 3],
    sealed: &[u8],
) -> Result<(), Cause> {
    let (ciphertext, tag) = sealed.split_at(plaintext.len());
    let mut buffer = ciphertext.to_vec();
    match aead.open_in_place_detached(nonce, ad, &mut buffer, tag) {
        Ok(()) if buffer == plaintext => {}
        Ok(()) => return Err(Cause::Plaintext),
        Err(_) => return Err(Cause::Refused),
    }

    for (field, wrong) in [
        ("tag", [nonce, ad, ciphertext, &flipped(tag, count)]),
        ("ciphertext", [nonce, ad, &flipped(ciphertext, count), tag]),
        ("AD", [nonce, &flipped(ad, count), ciphertext, tag]),
        ("nonce", [&flipped(nonce, count), ad, ciphertext, tag]),
    ] {
        let [n, a, c, t] = wrong;
        if wrong == [nonce, ad, ciphertext, tag] {
            continue; // an empty field has no bit to flip
        }
        buffer.copy_from_slice(c);
        match aead.open_in_place_detached(n, a, &mut buffer, t) {
            Err(Error::InvalidTag) if buffer.iter().all(|&b| b == 0) => {}
            Err(_) => return Err(Cause::Unwiped(field)),
            Ok(()) => return Err(Cause::Accepted(field)),
        }
    }
    Ok(())
}

/// `data` with one bit flipped, another one in every record, so that a file reaches all of them; empty data stays empty.
fn flipped(data: &[u8], count: u64) -> Vec<u8> {
    let mut data = data.to_vec();
    let bits = 8 * data.len() as u64;
    if let Some(bit) = count.wrapping_mul(97).checked_rem(bits) {
        data[bit as usize / 8] ^= 1 << (bit % 8);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::{Cause, published};

    #[test]
    fn only_zeros_come_behind_a_published_ciphertext() {
        assert_eq!(published(&[1, 2, 3], 3), Ok(&[1, 2, 3][..]));
        assert_eq!(published(&[1, 2, 0, 0], 2), Ok(&[1, 2][..]));
        assert_eq!(published(&[1, 2, 0, 4], 2), Err(Cause::Tag));
    }
}
