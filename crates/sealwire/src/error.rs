// SPDX-License-Identifier: Apache-2.0
//! The one error type of the crate.

use core::fmt;

/// What went wrong. The message names the parameter, what was given and what is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The tag does not belong to this key, nonce, associated data and ciphertext. The plaintext buffer was wiped.
    InvalidTag,
    /// A byte string has the wrong length. All figures are in bytes.
    Length {
        /// The parameter: `key`, `nonce`, `tag`, `ciphertext`, ...
        parameter: &'static str,
        /// The length that was given.
        given: usize,
        /// The smallest length that is allowed.
        min: usize,
        /// The largest length that is allowed.
        max: usize,
    },
    /// A scheme name follows the grammar, but one of its sizes is not legal. All figures are in bits.
    SchemeSize {
        /// The parameter: `key`, `nonce` or `tag`.
        parameter: &'static str,
        /// The size in the name.
        given: usize,
        /// The smallest size that is allowed.
        min: usize,
        /// The largest size that is allowed.
        max: usize,
    },
    /// No scheme has this name or alias.
    UnknownScheme(Label),
    /// No MAC has this name or alias.
    UnknownMac(Label),
    /// A [`SessionAd`](crate::SessionAd) was used with another key or another compression function than it was made with.
    ForeignSessionAd,
    /// The scheme takes in associated data together with the message or behind the nonce, so that nothing of it can be computed ahead.
    NoSessionAd,
    /// The batch call has not reached this packet; the initial state of a packet's result.
    NotProcessed,
}

impl Error {
    /// `Ok` if `given` is exactly `allowed` bytes.
    pub(crate) fn check_len(
        parameter: &'static str,
        given: usize,
        allowed: usize,
    ) -> Result<(), Self> {
        if given == allowed {
            Ok(())
        } else {
            Err(Self::Length {
                parameter,
                given,
                min: allowed,
                max: allowed,
            })
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::InvalidTag => f.write_str("authentication failed"),
            Self::Length {
                parameter,
                given,
                min,
                max,
            } => {
                write!(f, "wrong {parameter} length: given {given} bytes, allowed ")?;
                match (min, max) {
                    _ if min == max => write!(f, "{min} bytes"),
                    (_, usize::MAX) => write!(f, "{min} bytes or more"),
                    _ => write!(f, "{min} to {max} bytes"),
                }
            }
            Self::SchemeSize {
                parameter,
                given,
                min,
                max,
            } => write!(
                f,
                "wrong {parameter} size in the scheme name: given {given} bits, allowed {min} to {max} bits in whole bytes"
            ),
            Self::UnknownScheme(name) => write!(
                f,
                "unknown scheme `{name}`: allowed are aliases like omd-blake2b, pomd-sha512, otr-aes128-p, ascon-aead128, \
                 gcm-aes128 and aegis-128l, and names like omdsha512k512n256tau256v2 and aes128otrpv3; `sealwire schemes` lists all"
            ),
            Self::UnknownMac(name) => write!(
                f,
                "unknown MAC `{name}`: allowed are ascon-mac, ascon-maca, ascon-prf, ascon-prfa, ascon-prfs, the experimental \
                 fsks-64, fsks-128, ascon-prf-192, ascon-prf-64 and ascon-farfalle, and names like asconmacv12"
            ),
            Self::ForeignSessionAd => {
                f.write_str("the cached associated data was made with another key")
            }
            Self::NoSessionAd => f.write_str(
                "the scheme takes in associated data together with the message: give its bytes with every message",
            ),
            Self::NotProcessed => f.write_str("the packet has not been processed"),
        }
    }
}

impl core::error::Error for Error {}

impl From<Error> for aead::Error {
    fn from(_: Error) -> Self {
        Self
    }
}

/// A short name held without allocation. Longer text is cut and ends in `..`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Label {
    bytes: [u8; Self::CAPACITY],
    len: u8,
}

impl Label {
    const CAPACITY: usize = 47;

    /// Keeps as much of `text` as fits.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut bytes = [0; Self::CAPACITY];
        let fits = text.len() <= Self::CAPACITY;
        let kept = if fits {
            text.len()
        } else {
            text.floor_char_boundary(Self::CAPACITY - 2)
        };
        bytes[..kept].copy_from_slice(&text.as_bytes()[..kept]);
        let mut len = kept;
        if !fits {
            bytes[kept..kept + 2].copy_from_slice(b"..");
            len += 2;
        }
        Self {
            bytes,
            len: len as u8,
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or("")
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
