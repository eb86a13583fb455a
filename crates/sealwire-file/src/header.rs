// SPDX-License-Identifier: Apache-2.0
//! The 64-byte header and the keys that it and the key file give.

use super::{Error, pieces::read_full};
use crate::Key;
use sealwire_link::suite::Suite;
use std::io::Read;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Length of the header in bytes.
pub const HEADER_LEN: usize = 64;

const MAGIC: &[u8; 8] = b"sealfile";
const VERSION: u8 = 1;
const SALT: std::ops::Range<usize> = 16..48;
const MAC: std::ops::Range<usize> = 48..64;

/// How to seal: the suite and the chunk size. The default is `omd-sha512` with 64 KiB.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    suite: &'static Suite,
    chunk_log2: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            suite: Suite::by_code(1).expect("suite 01 is in the table"),
            chunk_log2: 16,
        }
    }
}

impl Options {
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
        if bytes.is_power_of_two() && (12..=24).contains(&chunk_log2) {
            Ok(Self { chunk_log2, ..self })
        } else {
            Err(Error::ChunkSize(bytes))
        }
    }
}

/// What the chunks are sealed with.
pub(super) struct Setup {
    pub(super) suite: &'static Suite,
    /// Plaintext bytes of a chunk.
    pub(super) chunk_len: usize,
    pub(super) header: [u8; HEADER_LEN],
    pub(super) file_key: Zeroizing<Vec<u8>>,
}

impl Setup {
    /// A new file with a salt from the operating system.
    pub(super) fn fresh(key: &Key, options: &Options) -> Result<Self, Error> {
        let mut salt = [0; 32];
        getrandom::fill(&mut salt).map_err(Error::Random)?;
        Self::create(key, options, &salt)
    }

    /// A new file with this salt, which must be fresh.
    pub(super) fn create(key: &Key, options: &Options, salt: &[u8; 32]) -> Result<Self, Error> {
        let mut header = [0; HEADER_LEN];
        header[..8].copy_from_slice(MAGIC);
        header[8..11].copy_from_slice(&[VERSION, options.suite.code, options.chunk_log2]);
        header[SALT].copy_from_slice(salt);
        let (file_key, mac) = derive(key, options.suite, &header)?;
        header[MAC].copy_from_slice(&mac);
        Ok(Self {
            suite: options.suite,
            chunk_len: 1 << options.chunk_log2,
            header,
            file_key,
        })
    }

    /// The file whose header comes next in the input. Nothing of the header is believed before its MAC was checked.
    pub(super) fn read(key: &Key, input: &mut impl Read) -> Result<Self, Error> {
        let mut header = [0; HEADER_LEN];
        let filled = read_full(input, &mut header).map_err(Error::Read)?;
        // A short file that does not even begin like one is better called no sealed file.
        if !header[..filled.min(8)].eq(&MAGIC[..filled.min(8)]) {
            return Err(Error::Magic);
        }
        if filled < HEADER_LEN {
            return Err(Error::ShortHeader(filled));
        }
        let [version, code, chunk_log2] = [header[8], header[9], header[10]];
        if version != VERSION {
            return Err(Error::Version(version));
        }
        let suite = Suite::by_code(code).ok_or(Error::Suite(code))?;
        if !(12..=24).contains(&chunk_log2) {
            return Err(Error::HeaderChunkSize(chunk_log2));
        }
        if header[11..SALT.start].iter().any(|&byte| byte != 0) {
            return Err(Error::Reserved);
        }
        let (file_key, mac) = derive(key, suite, &header)?;
        if !bool::from(mac.ct_eq(&header[MAC])) {
            return Err(Error::WrongKey);
        }
        Ok(Self {
            suite,
            chunk_len: 1 << chunk_log2,
            header,
            file_key,
        })
    }
}

/// File key and header MAC: E(1) and E(2), where
/// E(c) = F'(salt || zeros, K || header[0, 15) || c || zeros).
fn derive(
    key: &Key,
    suite: &Suite,
    header: &[u8; HEADER_LEN],
) -> Result<(Zeroizing<Vec<u8>>, [u8; 16]), Error> {
    let (given, needed) = (key.as_bytes().len(), suite.block_len());
    if given != needed {
        return Err(Error::KeyLength {
            alias: suite.alias,
            given,
            needed,
        });
    }
    let output = |c| {
        let mut message = [0; 16];
        message[..15].copy_from_slice(&header[..15]);
        message[15] = c;
        suite
            .schedule
            .compress(&header[SALT], key.as_bytes(), &message)
    };
    let file_key = Zeroizing::new(output(1)[..suite.key_len].to_vec());
    Ok((
        file_key,
        *output(2).first_chunk().expect("n is at least 32"),
    ))
}
