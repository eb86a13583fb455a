// SPDX-License-Identifier: Apache-2.0
//! The format of known-answer files.

use std::borrow::ToOwned;
use std::format;
use std::string::String;
use std::vec::Vec;

/// The longest text of a long record, in bytes: 1 GiB.
const MAX_LEN: usize = 1 << 30;

/// A parsed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The scheme that the header names.
    pub scheme: Option<String>,
    /// The records in the order of the file.
    pub records: Vec<Record>,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The record's number in the file (`Count`).
    pub count: u64,
    /// The line of the record's first field, counted from 1.
    pub line: usize,
    /// The key.
    pub key: Vec<u8>,
    /// The rest, by form.
    pub body: Body,
}

/// The form of a record and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// AEAD with all bytes written out.
    Full {
        /// The nonce.
        nonce: Vec<u8>,
        /// The associated data.
        ad: Vec<u8>,
        /// The plaintext.
        plaintext: Vec<u8>,
        /// Ciphertext and tag.
        sealed: Vec<u8>,
    },
    /// AEAD with plaintext and associated data by [`rule`] and a hashed ciphertext.
    Long {
        /// The nonce.
        nonce: Vec<u8>,
        /// Length of the associated data in bytes.
        ad_len: usize,
        /// Length of the plaintext in bytes.
        plaintext_len: usize,
        /// Length of ciphertext and tag in bytes.
        sealed_len: usize,
        /// The first bytes of ciphertext and tag, 64 or all of them.
        head: Vec<u8>,
        /// The last bytes of ciphertext and tag, 64 or all of them.
        tail: Vec<u8>,
        /// SHA-256 of ciphertext and tag.
        sha256: [u8; 32],
    },
    /// A message and its tag.
    Mac {
        /// The message.
        message: Vec<u8>,
        /// The tag.
        tag: Vec<u8>,
    },
}

/// The bytes of a long record's plaintext or associated data: byte i is (7·i + 3) mod 256.
#[must_use]
pub fn rule(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i.wrapping_mul(7).wrapping_add(3)) as u8)
        .collect()
}

/// Reads a whole file.
///
/// # Errors
/// The line, counted from 1, and what is wrong with it. An empty file is not an error here.
pub fn parse(text: &str) -> Result<File, (usize, String)> {
    let mut file = File {
        scheme: None,
        records: Vec::new(),
    };
    let mut fields = Fields::default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(header) = line.strip_prefix('#') {
            if let Some(("Scheme", scheme)) = split(header) {
                file.scheme.get_or_insert_with(|| scheme.to_owned());
            }
        } else if line.is_empty() {
            file.records.extend(fields.finish()?);
        } else {
            let (name, value) = split(line)
                .ok_or_else(|| (number, "a line must read `Name = VALUE`".to_owned()))?;
            fields.add(number, name, value)?;
        }
    }
    file.records.extend(fields.finish()?);
    Ok(file)
}

fn split(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    Some((name.trim(), value.trim()))
}

/// The fields of the record being read.
#[derive(Default)]
struct Fields<'a> {
    entries: Vec<(usize, &'a str, &'a str)>,
}

impl<'a> Fields<'a> {
    fn add(&mut self, line: usize, name: &'a str, value: &'a str) -> Result<(), (usize, String)> {
        if self.entries.iter().any(|e| e.1 == name) {
            return Err((line, format!("field {name} occurs twice in a record")));
        }
        self.entries.push((line, name, value));
        Ok(())
    }

    /// The record, if there is one, and an empty list of fields for the next.
    fn finish(&mut self) -> Result<Option<Record>, (usize, String)> {
        let Some(&(line, ..)) = self.entries.first() else {
            return Ok(None);
        };
        let body = if self.has("Tag") {
            Body::Mac {
                message: self.bytes("Msg")?,
                tag: self.bytes("Tag")?,
            }
        } else if self.has("CTSHA256") {
            let (digest_line, _) = self.get("CTSHA256")?;
            let sha256 = <[u8; 32]>::try_from(self.bytes("CTSHA256")?).map_err(|given| {
                (
                    digest_line,
                    format!("CTSHA256 has {} bytes instead of 32", given.len()),
                )
            })?;
            Body::Long {
                nonce: self.bytes("Nonce")?,
                ad_len: self.length("ADLen")?,
                plaintext_len: self.length("PTLen")?,
                sealed_len: self.length("CTLen")?,
                head: self.bytes("CTHead")?,
                tail: self.bytes("CTTail")?,
                sha256,
            }
        } else {
            Body::Full {
                nonce: self.bytes("Nonce")?,
                ad: self.bytes("AD")?,
                plaintext: self.bytes("PT")?,
                sealed: self.bytes("CT")?,
            }
        };
        let record = Record {
            count: self.number("Count")?,
            line,
            key: self.bytes("Key")?,
            body,
        };
        self.entries.clear();
        Ok(Some(record))
    }

    fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|e| e.1 == name)
    }

    fn get(&self, name: &str) -> Result<(usize, &'a str), (usize, String)> {
        let found = self.entries.iter().find(|e| e.1 == name);
        let start = self.entries.first().map_or(0, |e| e.0);
        found.map_or_else(
            || Err((start, format!("the record has no field {name}"))),
            |&(line, _, value)| Ok((line, value)),
        )
    }

    fn number(&self, name: &str) -> Result<u64, (usize, String)> {
        let (line, value) = self.get(name)?;
        value.parse().map_err(|_| {
            (
                line,
                format!("{name} must be a decimal number, not `{value}`"),
            )
        })
    }

    /// A length in bytes, bounded so that a damaged file cannot ask for all memory.
    fn length(&self, name: &str) -> Result<usize, (usize, String)> {
        let (line, _) = self.get(name)?;
        usize::try_from(self.number(name)?)
            .ok()
            .filter(|&length| length <= MAX_LEN)
            .ok_or_else(|| (line, format!("{name} is above {MAX_LEN} bytes")))
    }

    fn bytes(&self, name: &str) -> Result<Vec<u8>, (usize, String)> {
        let (line, value) = self.get(name)?;
        unhex(value).ok_or_else(|| {
            (
                line,
                format!("{name} must be an even number of hexadecimal digits"),
            )
        })
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |d: u8| (d as char).to_digit(16).map(|v| v as u8);
    let (pairs, rest) = text.as_bytes().as_chunks();
    if !rest.is_empty() {
        return None;
    }
    pairs
        .iter()
        .map(|&[h, l]| Some(digit(h)? << 4 | digit(l)?))
        .collect()
}
