// SPDX-License-Identifier: Apache-2.0
//! How to seal, and with what to seal and open.

use crate::{Error, Identity, Key, Passphrase, Recipient, chunks::check_len};
use sealwire_link::suite::Suite;
use std::ops::RangeInclusive;

/// The logarithms of the chunk sizes that the format has.
pub(crate) const CHUNK_LOG2: RangeInclusive<u8> = 12..=24;

/// How to seal: the suite and the chunk size. The default is [`Options::DEFAULT_SUITE`] with 64 KiB.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub(crate) suite: &'static Suite,
    pub(crate) chunk_log2: u8,
    pub(crate) names_key: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            suite: Suite::by_name(Self::DEFAULT_SUITE).expect("the default suite is in the table"),
            chunk_log2: 16,
            names_key: true,
        }
    }
}

impl Options {
    /// The suite that seals where none is named: keys of 256 bits, and fast on a CPU with AES instructions. A file holds 1 TiB at
    /// most, as each has a key of its own.
    pub const DEFAULT_SUITE: &'static str = "otr-aes256-p";

    /// The suite: [`Key::generate`] makes keys for it.
    #[must_use]
    pub fn scheme(&self) -> &'static Suite {
        self.suite
    }

    /// Seal with this suite.
    #[must_use]
    pub fn suite(self, suite: &'static Suite) -> Self {
        Self { suite, ..self }
    }

    /// Cut the plaintext into chunks of this many bytes: a power of two from 4096 to 16777216. Smaller chunks reach the
    /// reader of a pipe sooner, larger ones have less overhead.
    ///
    /// # Errors
    ///
    /// [`Error::ChunkSize`] for any other size.
    pub fn chunk_size(self, bytes: u64) -> Result<Self, Error> {
        let chunk_log2 = bytes.trailing_zeros() as u8;
        if bytes.is_power_of_two() && CHUNK_LOG2.contains(&chunk_log2) {
            Ok(Self { chunk_log2, ..self })
        } else {
            Err(Error::ChunkSize(bytes))
        }
    }

    /// Whether a file can hold a plaintext of this many bytes.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] or [`Error::TooMuchForKey`], which sealing gives when it comes so far.
    pub fn check_len(&self, bytes: u64) -> Result<(), Error> {
        check_len(self.suite, 1 << self.chunk_log2, bytes)
    }

    /// Leave the key's id out of the header, so that nobody sees which files belong to one key.
    #[must_use]
    pub fn without_key_id(self) -> Self {
        Self {
            names_key: false,
            ..self
        }
    }
}

/// What a file is sealed with.
#[derive(Clone, Copy)]
pub enum Lock<'a> {
    /// A key file.
    Key(&'a Key),
    /// Public keys, of which each owner can open the file. One that comes again counts once. Whoever has them can make such files: nothing says who did.
    Recipients(&'a [Recipient]),
    /// A passphrase.
    Passphrase(&'a Passphrase),
}

/// What a file is opened with.
#[derive(Clone, Copy)]
pub enum Unlock<'a> {
    /// A key file.
    Key(&'a Key),
    /// Private keys, of which one is to be that of a recipient.
    Identities(&'a [Identity]),
    /// Key files and private keys, of which one is to be right. Of the keys it is the one whose id the header names, or each in its turn
    /// where the header names none.
    AnyOf {
        /// Key files.
        keys: &'a [Key],
        /// Private keys.
        identities: &'a [Identity],
    },
    /// A passphrase.
    Passphrase(&'a Passphrase),
}

impl<'a> Unlock<'a> {
    pub(crate) fn keys(self) -> &'a [Key] {
        match self {
            Self::Key(key) => std::slice::from_ref(key),
            Self::AnyOf { keys, .. } => keys,
            Self::Identities(_) | Self::Passphrase(_) => &[],
        }
    }

    pub(crate) fn identities(self) -> &'a [Identity] {
        match self {
            Self::Identities(identities) | Self::AnyOf { identities, .. } => identities,
            Self::Key(_) | Self::Passphrase(_) => &[],
        }
    }

    /// How messages call it.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Key(_) => "a key file",
            Self::Identities(_) => "an identity",
            Self::Passphrase(_) => "a passphrase",
            Self::AnyOf { keys, identities } => match (keys.is_empty(), identities.is_empty()) {
                (true, _) => "an identity",
                (_, true) => "a key file",
                _ => "a key file or an identity",
            },
        }
    }
}

macro_rules! from {
    ($($whole:ident::$kind:ident from $from:ty;)*) => {
        $(impl<'a> From<&'a $from> for $whole<'a> {
            fn from(with: &'a $from) -> Self {
                Self::$kind(with)
            }
        })*
    };
}

from! {
    Lock::Key from Key;
    Lock::Recipients from [Recipient];
    Lock::Passphrase from Passphrase;
    Unlock::Key from Key;
    Unlock::Identities from [Identity];
    Unlock::Passphrase from Passphrase;
}
