// SPDX-License-Identifier: Apache-2.0
//! Why a call failed: its status, and the message that the thread keeps.

use crate::sealwire_status;
use core::cell::UnsafeCell;
use core::ffi::c_char;
use core::fmt::{self, Write};
use sealwire::Error;
use sealwire_file::KeyFileError;

/// What a call can fail with.
#[derive(Debug)]
pub(crate) enum Failure {
    Library(Error),
    Null(&'static str),
    /// Over isize::MAX bytes.
    TooLong(&'static str),
    ShortOutput {
        given: usize,
        needed: usize,
    },
    Overlap(&'static str, &'static str),
    /// A scheme's name is not UTF-8, or an index is past the last scheme.
    NoScheme,
    BothAds,
    NoMemory,
    Panic,
    /// Of a sealed file.
    File(sealwire_file::Error),
    /// Of a key file.
    KeyText(KeyFileError),
    /// What is asked for is not allowed, in a sentence.
    Option(String),
}

impl Failure {
    pub(crate) fn option(message: &str) -> Self {
        Self::Option(message.to_owned())
    }

    pub(crate) fn status(&self) -> sealwire_status {
        match self {
            Self::Library(error) => match error {
                Error::InvalidTag => sealwire_status::InvalidTag,
                Error::Length { .. } => sealwire_status::WrongLength,
                Error::SchemeSize { .. } | Error::UnknownScheme(_) | Error::UnknownMac(_) => {
                    sealwire_status::UnknownScheme
                }
                Error::ForeignSessionAd => sealwire_status::ForeignSession,
                Error::NoSessionAd => sealwire_status::NoSession,
                Error::NotProcessed => sealwire_status::NotProcessed,
                _ => sealwire_status::Internal,
            },
            Self::Null(_) => sealwire_status::NullPointer,
            Self::TooLong(_) | Self::BothAds => sealwire_status::WrongLength,
            Self::ShortOutput { .. } => sealwire_status::ShortOutput,
            Self::Overlap(..) => sealwire_status::Overlap,
            Self::NoScheme => sealwire_status::UnknownScheme,
            Self::NoMemory => sealwire_status::NoMemory,
            Self::Panic => sealwire_status::Internal,
            Self::File(error) => of_file(error),
            Self::KeyText(KeyFileError::Random(_)) => sealwire_status::IoFailed,
            Self::KeyText(_) => sealwire_status::BadKeyText,
            Self::Option(_) => sealwire_status::NotAllowed,
        }
    }
}

fn of_file(error: &sealwire_file::Error) -> sealwire_status {
    use sealwire_file::Error;
    match error {
        Error::Read(_) | Error::Write(_) | Error::Random(_) | Error::Thread(_) => {
            sealwire_status::IoFailed
        }
        Error::ChunkSize(_)
        | Error::EmptyPassphrase
        | Error::Recipients(_)
        | Error::TooLong
        | Error::TooMuchForKey { .. } => sealwire_status::NotAllowed,
        Error::Argon2(_) => sealwire_status::NoMemory,
        Error::KeyLength { .. }
        | Error::KeyPurpose(_)
        | Error::OtherKey { .. }
        | Error::OtherWay { .. }
        | Error::NoKey { .. }
        | Error::NotARecipient
        | Error::NoIdentity { .. }
        | Error::WrongPassphrase
        | Error::WrongKey => sealwire_status::WrongKey,
        Error::Damaged(_) | Error::Truncated(_) | Error::Extended(_) => sealwire_status::Damaged,
        Error::Ended => sealwire_status::Ended,
        Error::Cipher(_) => sealwire_status::Internal,
        _ => sealwire_status::NotSealed,
    }
}

impl From<sealwire_file::Error> for Failure {
    fn from(error: sealwire_file::Error) -> Self {
        Self::File(error)
    }
}

impl From<KeyFileError> for Failure {
    fn from(error: KeyFileError) -> Self {
        Self::KeyText(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Library(error) => error.fmt(f),
            Self::Null(parameter) => write!(f, "{parameter} must not be NULL"),
            Self::TooLong(parameter) => {
                write!(
                    f,
                    "wrong {parameter} length: allowed {} bytes at most",
                    isize::MAX
                )
            }
            Self::ShortOutput { given, needed } => write!(
                f,
                "the output buffer is too short: given {given} bytes, needed {needed} bytes"
            ),
            Self::Overlap(written, other) => write!(f, "{written} must not overlap {other}"),
            Self::NoScheme => f.write_str("no scheme has this name or index"),
            Self::BothAds => {
                f.write_str("wrong ad length: a packet with a session must have ad_len 0")
            }
            Self::NoMemory => f.write_str("out of memory"),
            Self::Panic => f.write_str("internal error: please report it"),
            Self::File(error) => error.fmt(f),
            Self::KeyText(error) => error.fmt(f),
            Self::Option(message) => f.write_str(message),
        }
    }
}

/// Room for the longest message and its zero byte.
const ROOM: usize = 512;

/// A line of text ended by a zero byte, cut if it is too long.
#[repr(C)] // the text first: C reads from there
struct Line {
    bytes: [u8; ROOM],
    len: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = ROOM - 1 - self.len;
        let kept = text.floor_char_boundary(room);
        self.bytes[self.len..self.len + kept].copy_from_slice(&text.as_bytes()[..kept]);
        self.len += kept;
        Ok(())
    }
}

thread_local! {
    // Without a destructor, so that it can be used to the thread's end.
    static LAST: UnsafeCell<Line> = const { UnsafeCell::new(Line { bytes: [0; ROOM], len: 0 }) };
}

/// Keeps the message for this thread and gives the status.
pub(crate) fn report(failure: &Failure) -> sealwire_status {
    // Formatted apart, so that nothing else runs while the thread's line is borrowed.
    let mut line = Line {
        bytes: [0; ROOM],
        len: 0,
    };
    // The writer cuts and never fails.
    let _ = write!(line, "{failure}");
    LAST.with(|last| {
        // SAFETY: the line belongs to this thread, and no reference to it outlives this statement.
        unsafe { *last.get() = line };
    });
    failure.status()
}

pub(crate) fn last_message() -> *const c_char {
    LAST.with(|last| last.get()).cast()
}
