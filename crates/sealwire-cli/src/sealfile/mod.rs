// SPDX-License-Identifier: Apache-2.0
//! The sealed-file format, version 1: a 64-byte header, then chunks that are sealed one by one.
//!
//! Files may be larger than memory: a bounded number of chunks is held at a time (64 KiB each by default). A chunk is handed on only after its
//! tag was checked, and its place and whether it is the last are part of what the tag covers, so chunks cannot be swapped,
//! dropped, repeated, appended or moved to another file. This is the STREAM construction of Hoang, Reyhanitabar, Rogaway
//! and Vizár (CRYPTO 2015) in its BE32 layout. The format is specified in `docs/file-format.md`.
//!
//! [`seal`] and [`open`] do whole files; [`seal_on_threads`] and [`open_on_threads`] do so on several threads, chunks in
//! batches; [`Sealer`] and [`Opener`] give the chunks one at a time.

mod chunks;
mod error;
mod header;
mod parallel;
mod pieces;

pub use chunks::{Opener, Sealer};
pub use error::Error;
pub use header::{HEADER_LEN, Options};
pub use parallel::{open_on_threads, seal_on_threads};

use crate::keyfile::Key;
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
pub fn seal(
    key: &Key,
    options: &Options,
    input: impl Read,
    mut output: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let mut sealer = Sealer::new(key, options, input)?;
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
pub fn open(
    key: &Key,
    input: impl Read,
    mut output: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let mut opener = Opener::new(key, input)?;
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
