// SPDX-License-Identifier: Apache-2.0
//! Sealed files: a header, then chunks that are sealed one by one, over any [`Read`] and [`Write`]; and the [key files](Key).
//!
//! Files may be larger than memory: a bounded number of chunks is held at a time (64 KiB each by default). A chunk is handed on only after its
//! tag was checked, and its place and whether it is the last are part of what the tag covers, so chunks cannot be swapped,
//! dropped, repeated, appended or moved to another file. This is the STREAM construction of Hoang, Reyhanitabar, Rogaway
//! and Vizár (CRYPTO 2015) in its BE32 layout. The format is specified in `docs/file-format.md`.
//!
//! | to do | take |
//! |---|---|
//! | whole files | [`seal`] and [`open`] |
//! | whole files on all cores, chunks in batches | [`seal_on_threads`] and [`open_on_threads`] |
//! | what a program makes or takes piece by piece | [`Writer`] and [`Reader`] |
//! | a part of a long file | [`SeekableReader`], which verifies each chunk that it gives |
//!
//! ```
//! use sealwire_file::{Key, Options, Reader, Writer};
//! use std::io::{Read, Write};
//!
//! let options = Options::default();
//! let key = Key::generate(options.scheme())?;
//!
//! let mut writer = Writer::new(&key, &options, Vec::new())?;
//! writeln!(writer, "meet me at noon")?;
//! let sealed = writer.finish()?;
//!
//! let mut text = String::new();
//! Reader::new(&key, &sealed[..])?.read_to_string(&mut text)?;
//! assert_eq!(text, "meet me at noon\n");
//!
//! // Without its end the file is refused: no reader takes a part for the whole.
//! let cut = &sealed[..sealed.len() - 1];
//! let error = Reader::new(&key, cut)?.read_to_string(&mut text).unwrap_err();
//! assert!(error.to_string().contains("cut short"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod chunks;
mod error;
mod header;
mod kdf;
mod keyfile;
mod keytext;
mod options;
mod parallel;
mod passphrase;
mod pieces;
mod purpose;
mod reader;
mod recipient;
mod seekable;
mod setup;
mod wrap;
mod writer;

pub use error::Error;
pub use header::{Header, MAX_RECIPIENTS, Way};
pub use keyfile::{Key, KeyFileError};
pub use options::{Lock, Options, Unlock};
pub use parallel::{open_on_threads, seal_on_threads};
pub use passphrase::{Cost, Passphrase};
pub use purpose::{KeyId, Purpose};
pub use reader::Reader;
pub use recipient::{Identity, Recipient};
pub use seekable::SeekableReader;
pub use writer::Writer;

use chunks::{Opener, Sealer};
use std::io::{Read, Write};

/// Seals everything that `input` gives and writes a sealed file to `output`. `progress` is told the count of plaintext bytes
/// done so far.
///
/// Returns the length of the plaintext in bytes.
///
/// # Errors
///
/// [`Error::KeyLength`], [`Error::Random`], [`Error::TooLong`], [`Error::TooMuchForKey`], or the input's or output's error.
/// What was written until then is no valid sealed file.
pub fn seal<'a>(
    lock: impl Into<Lock<'a>>,
    options: &Options,
    input: impl Read,
    mut output: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let mut sealer = Sealer::new(lock.into(), options, input)?;
    output.write_all(sealer.header()).map_err(Error::Write)?;
    let mut done = 0;
    while let Some(chunk) = sealer.next_chunk()? {
        output.write_all(chunk.sealed).map_err(Error::Write)?;
        done += chunk.text_len as u64;
        progress(done);
    }
    output.flush().map_err(Error::Write)?;
    Ok(done)
}

/// Opens a sealed file and writes its plaintext to `output`, each chunk after its tag was checked. `progress` is told the
/// count of plaintext bytes done so far.
///
/// Returns the length of the plaintext in bytes.
///
/// # Errors
///
/// Any [`Error`] but those of sealing. What was written until then is a true beginning of the plaintext; whether more
/// followed is not known.
pub fn open<'a>(
    unlock: impl Into<Unlock<'a>>,
    input: impl Read,
    mut output: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let mut opener = Opener::new(unlock.into(), input)?;
    let mut done = 0;
    while let Some(text) = opener.next_chunk()? {
        output.write_all(text).map_err(Error::Write)?;
        // A reader at the other end of a pipe gets the chunk now.
        output.flush().map_err(Error::Write)?;
        done += text.len() as u64;
        progress(done);
    }
    Ok(done)
}

#[cfg(test)]
mod tests;

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
