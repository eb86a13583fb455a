// SPDX-License-Identifier: Apache-2.0
//! What the header says, without any key. Nothing of it is proved before a key was tried.

use crate::{
    Cost, Error, KeyId, Purpose,
    options::CHUNK_LOG2,
    pieces::read_full,
    recipient::CARRIER_LEN,
    wrap::{RECIPIENT_LEN, STRETCHED_LEN},
};
use sealwire_link::suite::Suite;
use std::{fmt, io::Read, ops::Range};

/// Length in bytes of what all headers begin with, and of the whole header of version 1.
pub(crate) const PROLOGUE_LEN: usize = 64;
/// Length of the commitment, which ends a header of version 2, in bytes.
pub(crate) const COMMITMENT_LEN: usize = 32;
/// How many recipients a file can have.
pub const MAX_RECIPIENTS: usize = u16::MAX as usize / RECIPIENT_LEN;

pub(crate) const MAGIC: &[u8; 8] = b"sealfile";
pub(crate) const ID: Range<usize> = 16..24;

/// What opens a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// A key file.
    Key,
    /// The identity of any of so many recipients.
    Recipients(usize),
    /// A passphrase, which costs so much to try.
    Passphrase(Cost),
}

impl Way {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Key => 1,
            Self::Recipients(_) => 2,
            Self::Passphrase(_) => 3,
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str("a key file"),
            Self::Recipients(_) => f.write_str("a recipient's identity"),
            Self::Passphrase(_) => f.write_str("a passphrase"),
        }
    }
}

/// What the header of a sealed file says. It is not proved: whoever can change the file can change it, and only opening tells.
pub struct Header {
    pub(crate) bytes: Vec<u8>,
    pub(crate) suite: &'static Suite,
    pub(crate) chunk_log2: u8,
    way: Way,
}

impl Header {
    /// Reads the header that comes next in the input.
    ///
    /// # Errors
    ///
    /// What is wrong with the header in itself.
    pub fn read(mut input: impl Read) -> Result<Self, Error> {
        let mut bytes = vec![0; PROLOGUE_LEN];
        let filled = read_full(&mut input, &mut bytes).map_err(Error::Read)?;
        // A short file that does not even begin like one is better called no sealed file.
        if !bytes[..filled.min(8)].eq(&MAGIC[..filled.min(8)]) {
            return Err(Error::Magic);
        }
        if filled < PROLOGUE_LEN {
            return Err(Error::ShortHeader {
                given: filled,
                needed: PROLOGUE_LEN,
            });
        }
        let [version, code, chunk_log2] = [bytes[8], bytes[9], bytes[10]];
        if !(1..=2).contains(&version) {
            return Err(Error::Version(version));
        }
        let suite = Suite::by_code(code).ok_or(Error::Suite(code))?;
        if !CHUNK_LOG2.contains(&chunk_log2) {
            return Err(Error::HeaderChunkSize(chunk_log2));
        }
        let mut header = Self {
            bytes,
            suite,
            chunk_log2,
            way: Way::Key,
        };
        if version == 1 {
            header.must_be_zero(11..16)?;
        } else {
            header.read_rest(&mut input)?;
        }
        Ok(header)
    }

    /// What only version 2 has.
    fn read_rest(&mut self, input: &mut impl Read) -> Result<(), Error> {
        let [purpose, way, _, high, low] = *self.bytes[11..].first_chunk().expect("64 bytes");
        if purpose != Purpose::File.code() {
            return Err(Error::HeaderPurpose(purpose));
        }
        self.must_be_zero(13..14)?;
        self.must_be_zero(24..32)?;
        if way != Way::Key.code() {
            self.must_be_zero(ID)?;
        }
        let len = usize::from(u16::from_be_bytes([high, low]));
        let is_right = match way {
            1 => len == 0,
            2 => len > 0 && len.is_multiple_of(RECIPIENT_LEN),
            3 => len == STRETCHED_LEN,
            _ => return Err(Error::Way(way)),
        };
        if !is_right {
            return Err(Error::StanzaLength { way, len });
        }
        let needed = PROLOGUE_LEN + len + COMMITMENT_LEN;
        self.bytes.resize(needed, 0);
        let filled = read_full(input, &mut self.bytes[PROLOGUE_LEN..]).map_err(Error::Read)?;
        let given = PROLOGUE_LEN + filled;
        if given < needed {
            return Err(Error::ShortHeader { given, needed });
        }
        self.way = match way {
            1 => Way::Key,
            2 => Way::Recipients(len / RECIPIENT_LEN),
            _ => {
                let [memory_log2, passes, lanes, zero] =
                    *self.stanzas().first_chunk().expect("a stanza");
                if zero != 0 {
                    return Err(Error::Reserved);
                }
                Way::Passphrase(Cost::new(memory_log2, passes, lanes)?)
            }
        };
        Ok(())
    }

    fn must_be_zero(&self, range: Range<usize>) -> Result<(), Error> {
        if self.bytes[range].iter().any(|&byte| byte != 0) {
            return Err(Error::Reserved);
        }
        Ok(())
    }

    /// The format version, 1 or 2.
    pub fn version(&self) -> u8 {
        self.bytes[8]
    }

    /// The suite.
    pub fn suite(&self) -> &'static Suite {
        self.suite
    }

    /// Plaintext bytes of a chunk.
    pub fn chunk_len(&self) -> usize {
        1 << self.chunk_log2
    }

    /// What opens the file.
    pub fn way(&self) -> Way {
        self.way
    }

    /// The id of the key, if the header names it.
    pub fn key_id(&self) -> Option<KeyId> {
        let id: [u8; 8] = self.bytes[ID].try_into().expect("8 bytes");
        (self.version() == 2 && id != [0; 8]).then_some(KeyId(id))
    }

    /// Length of the header in bytes.
    #[expect(clippy::len_without_is_empty, reason = "no header is empty")]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// How many bytes of plaintext, and chunks, a file of this length holds; `None` if no file has this length.
    pub fn contents(&self, file_len: u64) -> Option<(u64, u64)> {
        let tag_len = self.suite.tag_len as u64;
        let sealed_len = self.chunk_len() as u64 + tag_len;
        let body = file_len.checked_sub(self.len() as u64)?;
        let chunks = body.div_ceil(sealed_len).max(1);
        let last = (body - (chunks - 1) * sealed_len).checked_sub(tag_len)?;
        (chunks == 1 || last > 0).then_some((body - chunks * tag_len, chunks))
    }

    pub(crate) fn prologue(&self) -> &[u8; PROLOGUE_LEN] {
        self.bytes.first_chunk().expect("64 bytes")
    }

    pub(crate) fn stanzas(&self) -> &[u8] {
        &self.bytes[PROLOGUE_LEN..self.bytes.len() - COMMITMENT_LEN]
    }

    pub(crate) fn salt(&self) -> &[u8] {
        let salt = if self.version() == 1 { 16..48 } else { 32..64 };
        &self.bytes[salt]
    }
}

const _: () = assert!(RECIPIENT_LEN == CARRIER_LEN + 64 && MAX_RECIPIENTS == 55);
