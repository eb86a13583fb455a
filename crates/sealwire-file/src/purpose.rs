// SPDX-License-Identifier: Apache-2.0
//! What a key is for, and its short name.

use crate::kdf::Prk;
use std::fmt;

/// What a key is for. A key file names it, and a key of another purpose is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// Sealed files.
    File,
    /// A link between two ends: their pre-shared key.
    Link,
    /// Tags of `sealwire mac`.
    Mac,
    /// One end's private key for the Noise channel of a link.
    Noise,
    /// The private key of one who receives sealed files.
    Identity,
    /// The public key of one who receives sealed files.
    Recipient,
}

const ALL: [Purpose; 6] = [
    Purpose::File,
    Purpose::Link,
    Purpose::Mac,
    Purpose::Noise,
    Purpose::Identity,
    Purpose::Recipient,
];

impl Purpose {
    /// The word in a key file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Link => "link",
            Self::Mac => "mac",
            Self::Noise => "noise",
            Self::Identity => "identity",
            Self::Recipient => "recipient",
        }
    }

    /// The code in a file's header and in the derivation of the id.
    pub const fn code(self) -> u8 {
        match self {
            Self::File => 1,
            Self::Link => 2,
            Self::Mac => 3,
            Self::Noise => 4,
            Self::Identity => 5,
            Self::Recipient => 6,
        }
    }

    pub(crate) fn by_word(word: &[u8]) -> Option<Self> {
        ALL.into_iter().find(|p| p.word().as_bytes() == word)
    }

    pub(crate) fn words() -> String {
        ALL.map(Self::word).join(", ")
    }
}

impl fmt::Display for Purpose {
    /// As it reads after "a key for".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "files",
            Self::Link => "links",
            Self::Mac => "tags",
            Self::Noise => "the Noise channel of a link",
            Self::Identity => "opening files as a recipient",
            Self::Recipient => "sealing files to a recipient",
        })
    }
}

/// The short name of a key for one purpose: 8 bytes that HKDF derives from both.
///
/// Two keys have one id with probability 2^-64. An id tells nothing about a random key but that two files or key files with one id
/// belong to one key, which everybody can see.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyId(pub(crate) [u8; 8]);

impl KeyId {
    pub(crate) fn derive(purpose: Purpose, key: &[u8]) -> Self {
        let prk = Prk::extract(b"sealwire key id", key);
        Self(*prk.expand(b"sealwire key id\0", &[&[purpose.code()]]))
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; 8] {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base16ct::lower::encode_string(&self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}
