// SPDX-License-Identifier: Apache-2.0
//! The text that key files and recipient files consist of: comment lines that begin with `#`, empty lines, the fields `purpose:` and
//! `id:`, and one line of hexadecimal digits.

use crate::{KeyFileError, Purpose};
use std::io::Read;
use zeroize::Zeroizing;

/// Longest key file that is read, in bytes. A device or a wrong file given as the key ends here.
pub(crate) const MAX_FILE: u64 = 4096;

/// The fields of a key.
#[derive(Default)]
pub(crate) struct Fields {
    pub(crate) purpose: Option<Purpose>,
    pub(crate) id: Option<[u8; 8]>,
}

impl Fields {
    /// Takes a line if it is a field; false if it is none.
    pub(crate) fn take(&mut self, number: usize, line: &[u8]) -> Result<bool, KeyFileError> {
        let Some(colon) = line.iter().position(|&byte| byte == b':') else {
            return Ok(false);
        };
        let (name, value) = (line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        let is_new = match name {
            b"purpose" => {
                let named = Purpose::by_word(value).ok_or(KeyFileError::Purpose(number))?;
                self.purpose.replace(named).is_none()
            }
            b"id" => {
                let bytes = base16ct::mixed::decode_vec(value).ok();
                let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
                let id = bytes.ok_or(KeyFileError::Id(number))?;
                self.id.replace(id).is_none()
            }
            _ => false,
        };
        if is_new {
            Ok(true)
        } else {
            Err(KeyFileError::Field(number))
        }
    }
}

/// The lines that are neither empty nor comments, with their numbers.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    (1..)
        .zip(lines)
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"))
}

/// What the text says.
pub(crate) struct KeyText {
    pub(crate) purpose: Option<Purpose>,
    pub(crate) id: Option<[u8; 8]>,
    pub(crate) bytes: Zeroizing<Vec<u8>>,
}

impl KeyText {
    pub(crate) fn read(input: impl Read) -> Result<Self, KeyFileError> {
        let mut text = Zeroizing::new(Vec::with_capacity(MAX_FILE as usize + 1));
        input.take(MAX_FILE + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MAX_FILE {
            return Err(KeyFileError::TooLong);
        }
        let (mut fields, mut digits) = (Fields::default(), Vec::new());
        for (number, line) in lines(&text) {
            if !fields.take(number, line)? {
                digits.push((number, line));
            }
        }
        let [(number, line)] = digits[..] else {
            return Err(KeyFileError::Lines(digits.len()));
        };
        let bytes = base16ct::mixed::decode_vec(line).map_err(|_| KeyFileError::Digits(number))?;
        Ok(Self {
            purpose: fields.purpose,
            id: fields.id,
            bytes: Zeroizing::new(bytes),
        })
    }
}

/// The text with everything in its place.
pub(crate) fn write(
    comment: &str,
    purpose: Option<Purpose>,
    id: &str,
    bytes: &[u8],
) -> Zeroizing<String> {
    let digits = Zeroizing::new(base16ct::lower::encode_string(bytes));
    // Room for everything from the start: a growing string would leave copies of the digits behind.
    let mut text = Zeroizing::new(String::with_capacity(MAX_FILE as usize));
    text.push_str("# ");
    text.push_str(comment);
    text.push('\n');
    if let Some(purpose) = purpose {
        text.push_str(&format!("purpose: {}\nid: {id}\n", purpose.word()));
    }
    text.push_str(&digits);
    text.push('\n');
    text
}
