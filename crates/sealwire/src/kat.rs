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
mod error;
mod parse;

pub use check::{Algorithm, Cause, Failure, Report, check_file, check_text};
pub use error::KatError;
pub use parse::{Body, File, Record, parse, rule};
