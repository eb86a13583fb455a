// SPDX-License-Identifier: Apache-2.0
//! Sealed files over Python's file objects; `sealwire/files.py` gives them the faces of Python's own files.

mod errors;
mod keys;
mod object;
mod streams;
mod whole;

pub(crate) use errors::{damaged_file_error, key_file_error, sealed_file_error, wrong_key_error};
pub(crate) use keys::{Identity, Key, Passphrase, Recipient};
pub(crate) use streams::{Opening, Sealing};
pub(crate) use whole::{open_files, seal_files};
