// SPDX-License-Identifier: Apache-2.0
//! Sealing and opening chunk by chunk.

use super::{Error, pieces::Pieces, setup::Setup};
use crate::{Lock, Options, Unlock};
use sealwire::DynAead;
use sealwire_link::suite::{SharedAd, Suite};
use std::io::Read;
use zeroize::Zeroizing;

/// How many chunks the nonce can count.
const MAX_CHUNKS: u64 = 1 << 32;

/// How many plaintext bytes one file key may seal. With as many in forgeries, and the masks, tags and header of all, that keeps the
/// bound of the scheme under 2^-50: 2^36 blocks of 16 bytes, or half of that in Deoxys-II, which takes each block twice. In the suites of OMD and
/// AEGIS the nonce ends first.
const fn max_bytes(suite: &Suite) -> u64 {
    match suite.code {
        0x01..=0x05 | 0x41 | 0x42 => u64::MAX,
        0x61 | 0x62 => 1 << 39,
        _ => 1 << 40,
    }
}

fn max_chunks(suite: &Suite, chunk_len: u64) -> u64 {
    MAX_CHUNKS.min(max_bytes(suite) / chunk_len)
}

fn too_long(max_chunks: u64, suite: &Suite) -> Error {
    if max_chunks < MAX_CHUNKS {
        Error::TooMuchForKey {
            alias: suite.alias,
            bytes: max_bytes(suite),
        }
    } else {
        Error::TooLong
    }
}

/// Whether this suite seals so many bytes under one file key.
pub(super) fn check_len(suite: &Suite, chunk_len: u64, bytes: u64) -> Result<(), Error> {
    let most = max_chunks(suite, chunk_len);
    if bytes.div_ceil(chunk_len) > most {
        return Err(too_long(most, suite));
    }
    Ok(())
}

/// The file key with the associated data of every chunk.
pub(super) struct ChunkCipher {
    pub(super) cipher: DynAead,
    pub(super) ad: SharedAd,
    nonce_len: usize,
    pub(super) tag_len: usize,
    pub(super) max_chunks: u64,
    suite: &'static Suite,
}

impl ChunkCipher {
    pub(super) fn new(setup: &Setup) -> Result<Self, Error> {
        let cipher = setup.suite.cipher(&setup.file_key)?;
        let max_chunks = max_chunks(setup.suite, setup.chunk_len as u64);
        let ad = SharedAd::new(&cipher, &setup.ad)?;
        Ok(Self {
            cipher,
            ad,
            nonce_len: setup.suite.nonce_len(),
            tag_len: setup.suite.tag_len,
            max_chunks,
            suite: setup.suite,
        })
    }

    /// Zeros || j (4 bytes) || 01 for the last chunk, 00 for any other.
    pub(super) fn nonce(&self, j: u32, last: bool) -> Vec<u8> {
        let mut nonce = vec![0; self.nonce_len - 5];
        nonce.extend(j.to_be_bytes());
        nonce.push(u8::from(last));
        nonce
    }

    /// j as it stands in the nonce.
    pub(super) fn chunk_number(&self, index: u64) -> Result<u32, Error> {
        match u32::try_from(index) {
            Ok(j) if index < self.max_chunks => Ok(j),
            _ => Err(too_long(self.max_chunks, self.suite)),
        }
    }

    /// j of a sealed chunk of this length, if there can be one.
    pub(super) fn number_of_sealed(&self, index: u64, len: usize) -> Result<u32, Error> {
        // Only an empty file has an empty chunk.
        if len < self.tag_len + usize::from(index > 0) {
            return Err(Error::Truncated(index));
        }
        self.chunk_number(index)
    }

    /// Why a chunk whose tag is wrong is so. Would it fit at the other kind of place? That names the fault; the text is
    /// thrown away either way.
    pub(super) fn fault(&self, index: u64, last: bool, sealed: &[u8]) -> Error {
        let mut text = Zeroizing::default();
        let fits = self
            .chunk_number(index)
            .is_ok_and(|j| self.open(j, !last, sealed, &mut text).is_ok());
        match (fits, last) {
            (false, _) => Error::Damaged(index + 1),
            (true, true) => Error::Truncated(index + 1),
            (true, false) => Error::Extended(index + 1),
        }
    }

    /// Turns the plaintext of chunk `index` into the sealed chunk.
    pub(super) fn seal(&self, index: u64, last: bool, text: &mut Vec<u8>) -> Result<(), Error> {
        let nonce = self.nonce(self.chunk_number(index)?, last);
        let text_len = text.len();
        text.resize(text_len + self.tag_len, 0);
        let (text, tag) = text.split_at_mut(text_len);
        Ok(self
            .cipher
            .seal_in_place_detached(&nonce, &self.ad, text, tag)?)
    }

    /// Turns the sealed chunk `index` into `text`, or leaves `text` wiped and says what is wrong.
    pub(super) fn verify(
        &self,
        index: u64,
        last: bool,
        sealed: &[u8],
        text: &mut Zeroizing<Vec<u8>>,
    ) -> Result<(), Error> {
        let j = self.number_of_sealed(index, sealed.len())?;
        if self.open(j, last, sealed, text).is_ok() {
            return Ok(());
        }
        *text = Zeroizing::default();
        Err(self.fault(index, last, sealed))
    }

    /// Turns a sealed chunk into `text`, or leaves `text` wiped.
    fn open(
        &self,
        j: u32,
        last: bool,
        sealed: &[u8],
        text: &mut Zeroizing<Vec<u8>>,
    ) -> Result<(), sealwire::Error> {
        let (ciphertext, tag) = sealed.split_at(sealed.len() - self.tag_len);
        text.clear();
        text.extend_from_slice(ciphertext);
        self.cipher
            .open_in_place_detached(&self.nonce(j, last), &self.ad, text, tag)
    }
}

/// A chunk that was just sealed.
pub(super) struct SealedChunk<'a> {
    /// Ciphertext and tag.
    pub(super) sealed: &'a [u8],
    /// Length of the plaintext in bytes.
    pub(super) text_len: usize,
}

/// Seals an input chunk by chunk. The sealed file is [`Sealer::header`] and then every chunk.
pub(super) struct Sealer<R> {
    pub(super) cipher: ChunkCipher,
    header: Vec<u8>,
    pieces: Pieces<R>,
    pub(super) index: u64,
    sealed: Zeroizing<Vec<u8>>,
}

impl<R: Read> Sealer<R> {
    /// Starts a file with a fresh salt from the operating system.
    pub(super) fn new(lock: Lock<'_>, options: &Options, input: R) -> Result<Self, Error> {
        Self::with_setup(&Setup::fresh(lock, options)?, input)
    }

    /// Kept inside the crate: a salt that repeats gives away plaintext. Known answers need it.
    pub(super) fn with_setup(setup: &Setup, input: R) -> Result<Self, Error> {
        Ok(Self {
            cipher: ChunkCipher::new(setup)?,
            header: setup.header.clone(),
            pieces: Pieces::new(input, setup.chunk_len),
            index: 0,
            sealed: Zeroizing::default(),
        })
    }

    /// The file's first bytes.
    pub(super) fn header(&self) -> &[u8] {
        &self.header
    }

    /// The next sealed chunk; `None` after the last.
    pub(super) fn next_chunk(&mut self) -> Result<Option<SealedChunk<'_>>, Error> {
        let Some(piece) = self.pieces.next().map_err(Error::Read)? else {
            return Ok(None);
        };
        let text_len = piece.bytes.len();
        self.sealed.clear();
        // At once to the full length: growing later would leave a copy of the plaintext behind.
        self.sealed.reserve(text_len + self.cipher.tag_len);
        self.sealed.extend_from_slice(piece.bytes);
        self.cipher.seal(self.index, piece.last, &mut self.sealed)?;
        self.index += 1;
        Ok(Some(SealedChunk {
            sealed: &self.sealed,
            text_len,
        }))
    }
}

/// Opens a sealed file chunk by chunk. A chunk comes out only after its tag was checked.
pub(super) struct Opener<R> {
    cipher: ChunkCipher,
    pieces: Pieces<R>,
    pub(super) index: u64,
    text: Zeroizing<Vec<u8>>,
    failed: bool,
}

impl<R: Read> Opener<R> {
    /// Reads and checks the header.
    pub(super) fn new(unlock: Unlock<'_>, mut input: R) -> Result<Self, Error> {
        let setup = Setup::read(unlock, &mut input)?;
        let cipher = ChunkCipher::new(&setup)?;
        let pieces = Pieces::new(input, setup.chunk_len + cipher.tag_len);
        Ok(Self {
            cipher,
            pieces,
            index: 0,
            text: Zeroizing::default(),
            failed: false,
        })
    }

    /// The plaintext of the chunk that came last; empty before the first, after the last and after an error.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The plaintext of the next chunk; `None` after the last. Only `None` says that the plaintext is complete.
    pub(super) fn next_chunk(&mut self) -> Result<Option<&[u8]>, Error> {
        if self.failed {
            return Err(Error::Ended);
        }
        self.failed = true;
        self.text.clear();
        let Some(piece) = self.pieces.next().map_err(Error::Read)? else {
            self.failed = false;
            return Ok(None);
        };
        self.cipher
            .verify(self.index, piece.last, piece.bytes, &mut self.text)?;
        self.index += 1;
        self.failed = false;
        Ok(Some(&self.text))
    }
}
