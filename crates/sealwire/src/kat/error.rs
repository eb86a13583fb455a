// SPDX-License-Identifier: Apache-2.0
//! Why a known-answer file could not be checked.

use crate::error::Error;
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
        /// Whether the header or the override names it; else the file's own name was taken for one.
        named: bool,
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
            Self::Scheme {
                path,
                named: true,
                source,
            } => write!(f, "{}: {source}", path.display()),
            Self::Scheme { path, .. } => write!(
                f,
                "{}: names no scheme (`# Scheme = NAME` at its beginning), and what it is called is none; say which it is of",
                path.display()
            ),
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
