// SPDX-License-Identifier: Apache-2.0
//! Why a file could not be sealed or opened.

use std::io;

/// Why a file could not be sealed or opened. Chunks are counted from 1 in messages.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// The output could not be written.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
    /// The operating system gave no random bytes for the salt.
    #[error("the operating system gave no random bytes: {0}")]
    Random(getrandom::Error),
    /// The operating system gave no thread to work on.
    #[error("the operating system gave no thread: {0}; ask for fewer threads")]
    Thread(#[source] io::Error),
    /// The key has not the length that the suite needs.
    #[error("the key has {given} bytes, {alias} needs {needed}")]
    KeyLength {
        /// Short name of the suite's scheme.
        alias: &'static str,
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// The chunk size is not a power of two in the allowed range.
    #[error("the chunk size is {0} bytes, it must be a power of two from 4096 to 16777216")]
    ChunkSize(u64),
    /// The first bytes are not those of a sealed file.
    #[error("this is not a sealed file: it does not begin with \"sealfile\"")]
    Magic,
    /// The file ends inside the header.
    #[error(
        "the file ends inside the header, after {0} of 64 bytes: it was cut short or is no sealed file"
    )]
    ShortHeader(usize),
    /// A format version that this program does not know.
    #[error("the file has format version {0}, this program knows version 1")]
    Version(u8),
    /// A suite that this program does not know.
    #[error("the file has suite {0:02x}, which this program does not know")]
    Suite(u8),
    /// A chunk size outside the format's range.
    #[error("the header is damaged: its chunk size is 2^{0} bytes, the format allows 2^12 to 2^24")]
    HeaderChunkSize(u8),
    /// Bytes of the header that must be zero are not.
    #[error("the header is damaged, or of a later format: its reserved bytes are not zero")]
    Reserved,
    /// The header's MAC does not fit.
    #[error("wrong key or damaged header")]
    WrongKey,
    /// A chunk's tag does not fit.
    #[error("chunk {0} is damaged, missing, out of place or cut short")]
    Damaged(u64),
    /// The file ends before its last chunk.
    #[error("the file was cut short: it ends after {0} chunks, without the last one")]
    Truncated(u64),
    /// Bytes follow the last chunk.
    #[error("bytes follow the end of the sealed file, after chunk {0}")]
    Extended(u64),
    /// The format counts 2^32 chunks.
    #[error(
        "the input is too long: a sealed file has at most 2^32 chunks; use chunks of up to 16 MiB, or several files"
    )]
    TooLong,
    /// One file key must not seal more with blocks of 16 bytes.
    #[error(
        "the input is too long: a file of {alias} holds at most 1 TiB; make several files, or use an OMD suite such as omd-sha512"
    )]
    TooMuchForKey {
        /// Short name of the suite's scheme.
        alias: &'static str,
    },
    /// An earlier error ended the work on this file.
    #[error("an earlier error ended this file: begin anew")]
    Ended,
    /// The cipher refused its input. With the sizes of the suite table this does not happen.
    #[error("the cipher refused its input: {0}")]
    Cipher(#[from] sealwire::Error),
}

impl From<Error> for io::Error {
    /// The [`Error`] stays inside, for [`io::Error::get_ref`]. What the input or output said keeps its kind.
    fn from(error: Error) -> Self {
        let kind = match &error {
            Error::Read(cause) | Error::Write(cause) => cause.kind(),
            Error::TooLong | Error::TooMuchForKey { .. } => io::ErrorKind::FileTooLarge,
            Error::Random(_) | Error::Thread(_) | Error::Ended => io::ErrorKind::Other,
            _ => io::ErrorKind::InvalidData,
        };
        Self::new(kind, error)
    }
}
