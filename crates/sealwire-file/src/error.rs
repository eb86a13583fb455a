// SPDX-License-Identifier: Apache-2.0
//! Why a file could not be sealed or opened.

use crate::{KeyFileError, KeyId, MAX_RECIPIENTS};
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
        "the file ends inside the header, after {given} of {needed} bytes: it was cut short or is no sealed file"
    )]
    ShortHeader {
        /// Bytes that the file has.
        given: usize,
        /// Bytes of this header.
        needed: usize,
    },
    /// A format version that this program does not know.
    #[error("the file has format version {0}, this program knows versions 1 and 2")]
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
    /// A purpose of the header that is not that of files.
    #[error("the header names purpose {0:02x}, that of a sealed file is 01")]
    HeaderPurpose(u8),
    /// A way to open the file that this program does not know.
    #[error("the header names {0:02x} as what opens the file, this program knows 01, 02 and 03")]
    Way(u8),
    /// The stanzas of the header have a length that they cannot have.
    #[error("the header is damaged: stanzas of {len} bytes do not go with way {way:02x}")]
    StanzaLength {
        /// What opens the file, as the header has it.
        way: u8,
        /// Length of the stanzas in bytes.
        len: usize,
    },
    /// A cost of passphrases that is not allowed.
    #[error(
        "a passphrase at 2^{memory_log2} KiB of memory, {passes} passes and {lanes} lanes is not allowed: memory is 2^3 to 2^20 KiB with 8 for each lane, passes and lanes are 1 to 16"
    )]
    Cost {
        /// Logarithm of the memory in KiB.
        memory_log2: u8,
        /// Passes over the memory.
        passes: u8,
        /// Lanes.
        lanes: u8,
    },
    /// A passphrase without a character.
    #[error("the passphrase is empty")]
    EmptyPassphrase,
    /// Argon2 could not work, for want of memory.
    #[error("the passphrase could not be worked on: {0}")]
    Argon2(String),
    /// No recipient, or more than the header can hold.
    #[error("a file is sealed to 1 to {MAX_RECIPIENTS} recipients, not to {0}")]
    Recipients(usize),
    /// The key is for something else than files.
    #[error("{0}")]
    KeyPurpose(#[source] KeyFileError),
    /// The header names another key.
    #[error("wrong key or damaged header: the header names key {named}, the one given is {given}")]
    OtherKey {
        /// Whose key the header names.
        named: KeyId,
        /// The id of the key given.
        given: KeyId,
    },
    /// None of several keys opens the file.
    #[error(
        "none of these keys opens the file, or its header is damaged: {}; tried: {}",
        header_names(*.named), list(.given)
    )]
    NoKey {
        /// Whose key the header names, if it names one.
        named: Option<KeyId>,
        /// The ids of the keys given.
        given: Vec<KeyId>,
    },
    /// The file opens with something of another kind.
    #[error("the file opens with {needed}, not with {given}")]
    OtherWay {
        /// What opens it.
        needed: String,
        /// What was given.
        given: &'static str,
    },
    /// No identity is that of a recipient.
    #[error("the file was not sealed to this identity, or its header is damaged")]
    NotARecipient,
    /// None of several identities is that of a recipient.
    #[error(
        "the file was sealed to none of these identities, or its header is damaged; tried: {}",
        list(.given)
    )]
    NoIdentity {
        /// The ids of the identities given.
        given: Vec<KeyId>,
    },
    /// The passphrase does not open the file.
    #[error("wrong passphrase or damaged header")]
    WrongPassphrase,
    /// The header's commitment, or its MAC in version 1, does not fit.
    #[error("wrong key or damaged header")]
    WrongKey,
    /// A chunk's tag does not fit.
    #[error("chunk {0} is damaged, missing, out of place or cut short")]
    Damaged(u64),
    /// The file ends before its last chunk.
    #[error(
        "the file was cut short: it ends after {0} chunk{s}, without the last one",
        s = if *.0 == 1 { "" } else { "s" }
    )]
    Truncated(u64),
    /// Bytes follow the last chunk.
    #[error("bytes follow the end of the sealed file, after chunk {0}")]
    Extended(u64),
    /// The format counts 2^32 chunks.
    #[error(
        "the input is too long: a sealed file has at most 2^32 chunks; use chunks of up to 16 MiB, or several files"
    )]
    TooLong,
    /// The proof of the suite's scheme allows one file key no more.
    #[error(
        "the input is too long: a file of {alias} holds at most {}; make several files, or use an OMD suite such as omd-sha512",
        size(*bytes)
    )]
    TooMuchForKey {
        /// Short name of the suite's scheme.
        alias: &'static str,
        /// Plaintext bytes that a file can hold, a power of two.
        bytes: u64,
    },
    /// An earlier error ended the work on this file.
    #[error("an earlier error ended this file: begin anew")]
    Ended,
    /// The cipher refused its input. With the sizes of the suite table this does not happen.
    #[error("the cipher refused its input: {0}")]
    Cipher(#[from] sealwire::Error),
}

/// A number of bytes in the largest unit that divides it.
fn size(bytes: u64) -> String {
    match bytes.trailing_zeros() {
        40.. => format!("{} TiB", bytes >> 40),
        _ => format!("{} GiB", bytes >> 30),
    }
}

fn header_names(key: Option<KeyId>) -> String {
    match key {
        Some(key) => format!("the header names key {key}"),
        None => "the header names no key".into(),
    }
}

fn list(ids: &[KeyId]) -> String {
    let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
    ids.join(", ")
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
