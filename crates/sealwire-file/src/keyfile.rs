// SPDX-License-Identifier: Apache-2.0
//! Key files: text, with comment lines that begin with `#`, empty lines, and one line of hexadecimal digits.
//!
//! ```text
//! # sealwire key, 64 bytes, for omd-sha512 or omd-blake2b. Whoever has this file can open and forge; keep it secret.
//! 6b1f...(128 digits)
//! ```

use sealwire_link::suite::{SUITES, Suite};
use std::io::{self, Read};
use zeroize::Zeroizing;

/// Longest key file that is read, in bytes. A device or a wrong file given as the key ends here.
const MAX_FILE: u64 = 4096;

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
        "it has {0} lines besides comments, a key file has exactly one line of hexadecimal digits"
    )]
    Lines(usize),
    /// The line does not consist of pairs of hexadecimal digits.
    #[error("line {0} is not made of pairs of hexadecimal digits")]
    Digits(usize),
    /// No suite and no MAC has a key of this length.
    #[error("it holds {0} bytes, a key has 16 (for a MAC), 32 or 64")]
    Length(usize),
}

/// A key as the key file holds it: n random bytes, wiped when dropped.
pub struct Key(Zeroizing<Vec<u8>>);

impl Key {
    /// Fresh random bytes of the operating system, of the length that the suite needs.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Random`] if the system has none.
    pub fn generate(suite: &Suite) -> Result<Self, KeyFileError> {
        Self::random(suite.block_len())
    }

    /// Fresh random bytes of the operating system, of the length that a MAC needs.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Random`] if the system has none.
    pub fn generate_for_mac() -> Result<Self, KeyFileError> {
        Self::random(MAC_KEY)
    }

    fn random(len: usize) -> Result<Self, KeyFileError> {
        let mut bytes = Zeroizing::new(vec![0; len]);
        getrandom::fill(&mut bytes).map_err(KeyFileError::Random)?;
        Ok(Self(bytes))
    }

    /// Takes a key of 16, 32 or 64 bytes.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Length`] for any other length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, KeyFileError> {
        let suites = SUITES.iter().map(|suite| suite.block_len());
        if suites.chain([MAC_KEY]).any(|len| len == bytes.len()) {
            Ok(Self(Zeroizing::new(bytes.to_vec())))
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
        let mut text = Zeroizing::new(Vec::with_capacity(MAX_FILE as usize + 1));
        input.take(MAX_FILE + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MAX_FILE {
            return Err(KeyFileError::TooLong);
        }
        let lines = text
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .enumerate()
            .filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"));
        let count = lines.clone().count();
        let (1, Some((index, line))) = (count, lines.last()) else {
            return Err(KeyFileError::Lines(count));
        };
        let bytes =
            base16ct::mixed::decode_vec(line).map_err(|_| KeyFileError::Digits(index + 1))?;
        Self::from_bytes(&Zeroizing::new(bytes))
    }

    /// The text of the key file.
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut users: Vec<_> = SUITES
            .iter()
            .filter(|suite| suite.block_len() == self.0.len())
            .map(|suite| suite.alias)
            .collect();
        if self.0.len() == MAC_KEY {
            users.push("sealwire mac");
        }
        let digits = Zeroizing::new(base16ct::lower::encode_string(&self.0));
        // Room for everything from the start: a growing string would leave copies of the digits behind.
        let mut text = Zeroizing::new(String::with_capacity(MAX_FILE as usize));
        text.push_str(&format!(
            "# sealwire key, {} bytes, for {}. ",
            self.0.len(),
            users.join(" or ")
        ));
        text.push_str("Whoever has this file can open and forge; keep it secret.\n");
        text.push_str(&digits);
        text.push('\n');
        text
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
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
            assert!(text.contains(suite.alias) && text.lines().count() == 2);
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
    }

    proptest! {
        #[test]
        fn survives_any_bytes(text in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Key::read(&text[..]);
        }
    }
}
