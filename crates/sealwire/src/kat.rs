// SPDX-License-Identifier: Apache-2.0
//! Known-answer files (`.rsp`): reading them, and checking a scheme against them.
//!
//! Header lines begin with `#` and may name the scheme (`# Scheme = NAME`). A record is a group of `Name = VALUE` lines
//! that ends with an empty line; fields are read by name. There are three forms:
//!
//! | form | fields of a record |
//! |---|---|
//! | AEAD, full | Count, Key, Nonce, AD, PT, CT (ciphertext and tag) |
//! | AEAD, long | Count, Key, Nonce, ADLen, PTLen, CTLen, CTHead, CTTail, CTSHA256 |
//! | MAC | Count, Key, Msg, Tag |
//!
//! In the long form, byte i of the plaintext and of the associated data is (7·i + 3) mod 256.
//!
//! ```no_run
//! let report = sealwire::kat::check_file("vectors/omdsha512k512n256tau256v2.rsp", None)?;
//! println!("{} passed, {} failed", report.passed, report.failures.len());
//! # Ok::<(), sealwire::kat::KatError>(())
//! ```

mod check;
mod parse;

pub use check::{Algorithm, Cause, Failure, Report, check_file, check_text};
pub use parse::{Body, File, Record, parse, rule};

use crate::Error;
use core::fmt;
use std::path::PathBuf;
use std::string::String;

/// Why a known-answer file could not be checked at all.
#[derive(Debug)]
#[non_exhaustive]
pub enum KatError {
    /// The file could not be read.
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line does not fit the format.
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1; for a record with a missing field, its first line.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The file holds no record.
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The scheme of the header, of the file name or of the override does not exist.
    Scheme {
        /// The file.
        path: PathBuf,
        /// Which name was looked up, and why it is not a scheme.
        source: Error,
    },
    /// The file has a form that the scheme cannot answer.
    Form {
        /// The file.
        path: PathBuf,
        /// The scheme's name.
        scheme: String,
        /// Whether the scheme is a MAC; else it is an AEAD scheme.
        is_mac: bool,
    },
}

impl fmt::Display for KatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => {
                write!(f, "{}: cannot be read: {source}", path.display())
            }
            Self::Malformed { path, line, reason } => {
                write!(f, "{}:{line}: {reason}", path.display())
            }
            Self::Empty { path } => write!(f, "{}: holds no record", path.display()),
            Self::Scheme { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Form {
                path,
                scheme,
                is_mac: false,
            } => write!(
                f,
                "{}: records with Msg and Tag are for a MAC, but {scheme} is an AEAD scheme",
                path.display()
            ),
            Self::Form { path, scheme, .. } => write!(
                f,
                "{}: records without Msg and Tag are for an AEAD scheme, but {scheme} is a MAC",
                path.display()
            ),
        }
    }
}

impl core::error::Error for KatError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            Self::Scheme { source, .. } => Some(source),
            _ => None,
        }
    }
}
