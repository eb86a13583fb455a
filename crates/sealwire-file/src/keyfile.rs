// SPDX-License-Identifier: Apache-2.0
//! Key files.

use crate::{
    KeyId, Purpose,
    keytext::{self, KeyText, MAX_FILE},
    recipient::MAX_LIST,
};
use sealwire_link::suite::{SUITES, Suite};
use std::io::{self, Read};
use zeroize::Zeroizing;

/// Bytes of the key of every MAC.
const MAC_KEY: usize = 16;

/// Why a key file is not one. The messages never contain bytes of the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyFileError {
    /// The key file could not be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes: {0}")]
    Random(getrandom::Error),
    /// The file is longer than any key file.
    #[error("it is longer than {MAX_FILE} bytes, so it is no key file")]
    TooLong,
    /// The key file has no line of digits, or more than one.
    #[error(
        "it has {0} lines besides comments and fields, a key file has exactly one line of hexadecimal digits"
    )]
    Lines(usize),
    /// The line does not consist of pairs of hexadecimal digits.
    #[error("line {0} is not made of pairs of hexadecimal digits")]
    Digits(usize),
    /// A field that key files do not have, or a second one of its kind.
    #[error(
        "line {0} is a field that a key file does not have, or has already; allowed once each: purpose, id"
    )]
    Field(usize),
    /// A purpose that this program does not know.
    #[error("line {0} names an unknown purpose; allowed: {list}", list = Purpose::words())]
    Purpose(usize),
    /// The id is not made of 16 digits.
    #[error("line {0} has an id that is not made of 16 hexadecimal digits")]
    Id(usize),
    /// The id is not that of the key and its purpose.
    #[error("its id is {given}, but its key and purpose have {right}: one of them was changed")]
    OtherId {
        /// What the file says.
        given: KeyId,
        /// What belongs to its key and purpose.
        right: KeyId,
    },
    /// No suite and no MAC has a key of this length.
    #[error("it holds {0} bytes, a key has 16 (for a MAC), 32 or 64")]
    Length(usize),
    /// The bytes are none of a recipient's public key.
    #[error("it holds no public key of a recipient: {0}")]
    Recipient(&'static str),
    /// An identity of another length.
    #[error("it holds {0} bytes, an identity has 32")]
    IdentityLength(usize),
    /// An identity or recipient file does not say what it is.
    #[error("it does not say `purpose: {0}`")]
    NoPurpose(&'static str),
    /// A list of recipients is longer than one may be.
    #[error("it is longer than {MAX_LIST} bytes, so it is no list of recipients")]
    ListTooLong,
    /// A list of recipients names nobody.
    #[error("it names no recipient: each has a line of 2432 hexadecimal digits")]
    NoRecipients,
    /// A field in a list of recipients, and no digits after it.
    #[error("line {0} is a field of a recipient whose line of digits does not follow")]
    LoneField(usize),
    /// One recipient of a list is wrong.
    #[error("line {line}: {error}")]
    InLine {
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        error: Box<KeyFileError>,
    },
    /// The key is for something else.
    #[error("it is a key for {given}, not for {wanted}")]
    OtherPurpose {
        /// What the key is for.
        given: Purpose,
        /// What it was to be used for.
        wanted: Purpose,
    },
}

/// A key as the key file holds it: n random bytes, wiped when dropped, and what they are for.
///
/// ```text
/// # sealwire key, 64 bytes, for omd-sha512 or omd-blake2b. Whoever has this file can open and forge; keep it secret.
/// purpose: file
/// id: 5a1f22d06e1b03c4
/// 6b1f...(128 digits)
/// ```
pub struct Key {
    bytes: Zeroizing<Vec<u8>>,
    purpose: Option<Purpose>,
}

impl Key {
    /// A key for files: fresh random bytes of the operating system, of the length that the suite needs.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Random`] if the system has none.
    pub fn generate(suite: &Suite) -> Result<Self, KeyFileError> {
        Self::random(suite.block_len(), Purpose::File)
    }

    /// A pre-shared key for a link of this suite.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Random`] if the system has no random bytes.
    pub fn generate_for_link(suite: &Suite) -> Result<Self, KeyFileError> {
        Self::random(suite.block_len(), Purpose::Link)
    }

    /// A key for a MAC.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Random`] if the system has no random bytes.
    pub fn generate_for_mac() -> Result<Self, KeyFileError> {
        Self::random(MAC_KEY, Purpose::Mac)
    }

    /// A private key for the Noise channel of a link.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Random`] if the system has no random bytes.
    pub fn generate_for_noise() -> Result<Self, KeyFileError> {
        Self::random(32, Purpose::Noise)
    }

    fn random(len: usize, purpose: Purpose) -> Result<Self, KeyFileError> {
        let mut bytes = Zeroizing::new(vec![0; len]);
        getrandom::fill(&mut bytes).map_err(KeyFileError::Random)?;
        Ok(Self {
            bytes,
            purpose: Some(purpose),
        })
    }

    /// Takes a key of 16, 32 or 64 bytes, for which nothing says what it is for.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Length`] for any other length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyFileError> {
        let suites = SUITES.iter().map(|suite| suite.block_len());
        if suites.chain([MAC_KEY]).any(|len| len == bytes.len()) {
            Ok(Self {
                bytes: Zeroizing::new(bytes.to_vec()),
                purpose: None,
            })
        } else {
            Err(KeyFileError::Length(bytes.len()))
        }
    }

    /// Reads a key file.
    ///
    /// # Errors
    ///
    /// A [`KeyFileError`] that says what is wrong with the file.
    pub fn read(input: impl Read) -> Result<Self, KeyFileError> {
        let text = KeyText::read(input)?;
        for wanted in [Purpose::Recipient, Purpose::Identity] {
            if text.purpose == Some(wanted) {
                return Err(KeyFileError::OtherPurpose {
                    given: wanted,
                    wanted: Purpose::File,
                });
            }
        }
        let key = Self {
            purpose: text.purpose,
            ..Self::from_bytes(&text.bytes)?
        };
        if let Some(given) = text.id.map(KeyId) {
            let right = key.id(key.purpose.unwrap_or(Purpose::File));
            if given != right {
                return Err(KeyFileError::OtherId { given, right });
            }
        }
        Ok(key)
    }

    /// What the key is for; `None` for a key file of old or of other making, which serves for anything.
    pub fn purpose(&self) -> Option<Purpose> {
        self.purpose
    }

    /// Refuses a key that is for something else.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::OtherPurpose`].
    pub fn check_purpose(&self, wanted: Purpose) -> Result<(), KeyFileError> {
        match self.purpose {
            Some(given) if given != wanted => Err(KeyFileError::OtherPurpose { given, wanted }),
            _ => Ok(()),
        }
    }

    /// The key's short name in this use.
    pub fn id(&self, purpose: Purpose) -> KeyId {
        KeyId::derive(purpose, &self.bytes)
    }

    /// The text of the key file.
    pub fn to_text(&self) -> Zeroizing<String> {
        self.to_text_with("")
    }

    /// The text of the key file, with more comment lines, each of which begins with `#`.
    pub fn to_text_with(&self, comments: &str) -> Zeroizing<String> {
        let users = match (self.purpose, self.bytes.len()) {
            (Some(Purpose::Noise), _) => vec!["the Noise channel"],
            (_, MAC_KEY) => vec!["sealwire mac"],
            (_, len) => SUITES
                .iter()
                .filter(|suite| suite.block_len() == len)
                .map(|suite| suite.alias)
                .collect(),
        };
        let comment = format!(
            "sealwire key, {} bytes, for {}. Whoever has this file can open and forge; keep it secret.{}{}",
            self.bytes.len(),
            users.join(" or "),
            if comments.is_empty() { "" } else { "\n" },
            comments.trim_end(),
        );
        let id = self.id(self.purpose.unwrap_or(Purpose::File)).to_string();
        keytext::write(&comment, self.purpose, &id, &self.bytes)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &[u8]) -> String {
        Key::read(text).err().expect("must be refused").to_string()
    }

    #[test]
    fn reads_what_it_writes() {
        for suite in SUITES {
            let key = Key::generate(suite).unwrap();
            let text = key.to_text();
            assert!(text.contains(suite.alias) && text.lines().count() == 4);
            assert_eq!(
                Key::read(text.as_bytes()).unwrap().as_bytes(),
                key.as_bytes()
            );
            assert_ne!(Key::generate(suite).unwrap().as_bytes(), key.as_bytes());
        }
    }

    #[test]
    fn a_key_for_a_mac_is_one_too() {
        let key = Key::generate_for_mac().unwrap();
        assert!(sealwire::mac::schemes().all(|scheme| scheme.key_len() == key.as_bytes().len()));
        let text = key.to_text();
        assert!(text.contains("16 bytes, for sealwire mac. "));
        assert_eq!(
            Key::read(text.as_bytes()).unwrap().as_bytes(),
            key.as_bytes()
        );
    }

    #[test]
    fn takes_either_case_comments_blank_lines_and_crlf() {
        let text = format!("# one\r\n\r\n  {}  \r\n# two", "aB".repeat(32));
        assert_eq!(Key::read(text.as_bytes()).unwrap().as_bytes(), [0xab; 32]);
    }

    #[test]
    fn says_what_is_wrong() {
        assert!(error(b"").contains("0 lines"));
        assert!(error(b"# only a comment\n").contains("0 lines"));
        assert!(error(b"00\n11\n22\n").contains("3 lines"));
        assert!(error(b"#\n0g\n").contains("line 2"));
        assert!(error(b"000").contains("line 1"));
        assert!(error(&[0xff; 64]).contains("line 1"));
        assert!(error("00".repeat(31).as_bytes()).contains("31 bytes"));
        assert!(error("00".repeat(65).as_bytes()).contains("65 bytes"));
        assert!(error(&[b'0'; 5000]).contains("longer than 4096"));
        let digits = "00".repeat(64);
        for (fields, words) in [
            (
                "purpose: files",
                "line 1 names an unknown purpose; allowed: file, link, mac",
            ),
            ("purpose:", "line 1 names an unknown purpose"),
            ("purpose: file\npurpose: file", "line 2 is a field"),
            ("purpose: file\nuse: all", "line 2 is a field"),
            ("id: 0011", "line 1 has an id"),
            ("id: 001122334455667g", "line 1 has an id"),
            (
                "purpose: file\nid: 0011223344556677",
                "its id is 0011223344556677, but",
            ),
            (
                "purpose: identity",
                "it is a key for opening files as a recipient, not for files",
            ),
        ] {
            let error = error(format!("{fields}\n{digits}\n").as_bytes());
            assert!(error.contains(words), "{fields}: {error}");
            assert!(!error.contains(&digits));
        }
    }

    /// A purpose that somebody changes by hand no longer fits the id, and a key is of use for what it is for, or for anything if it does
    /// not say.
    #[test]
    fn the_purpose_is_bound_to_the_key_by_its_id() {
        let suite = Suite::by_code(1).unwrap();
        let makers = [Key::generate(suite), Key::generate_for_link(suite)];
        let [file, link] = makers.map(|key| key.unwrap());
        let changed = link.to_text().replace("purpose: link", "purpose: file");
        assert!(error(changed.as_bytes()).contains("one of them was changed"));
        let same = Key::from_bytes(file.as_bytes()).unwrap();
        assert_ne!(same.id(Purpose::File), same.id(Purpose::Link));
        assert_eq!(same.id(Purpose::File), file.id(Purpose::File));
        for (key, purpose, wrong) in [
            (&file, Purpose::File, Purpose::Link),
            (&link, Purpose::Link, Purpose::File),
        ] {
            let read = Key::read(key.to_text().as_bytes()).unwrap();
            assert_eq!(read.purpose(), Some(purpose));
            assert!(read.check_purpose(purpose).is_ok());
            let error = read.check_purpose(wrong).unwrap_err().to_string();
            assert_eq!(error, format!("it is a key for {purpose}, not for {wrong}"));
            assert!(same.check_purpose(wrong).is_ok());
        }
        let mac = Key::generate_for_mac().unwrap();
        assert!(mac.check_purpose(Purpose::File).is_err());
    }

    proptest! {
        #[test]
        fn survives_any_bytes(text in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Key::read(&text[..]);
        }
    }
}
