// SPDX-License-Identifier: Apache-2.0
//! Opening any part of a sealed file.

use crate::{Error, Unlock, chunks::ChunkCipher, pieces::read_full, setup::Setup};
use std::io::{self, Read, Seek, SeekFrom};
use zeroize::Zeroizing;

/// The plaintext of a sealed file, from any place on. Each chunk is checked before a byte of it comes out, each time it is read.
///
/// The last chunk is checked at the start: with it the length of the plaintext is known to be true, so that a shortened or
/// lengthened file is refused at once. What lies in chunks that were not read was not checked. After an error nothing more comes out.
pub struct SeekableReader<R> {
    cipher: ChunkCipher,
    input: R,
    header_len: u64,
    chunk_len: u64,
    /// Number of chunks, one at least.
    chunks: u64,
    /// Length of the file in bytes.
    file_len: u64,
    /// Length of the plaintext in bytes.
    text_len: u64,
    position: u64,
    /// The chunk at hand, and which it is.
    text: Zeroizing<Vec<u8>>,
    at_hand: u64,
    sealed: Vec<u8>,
    ended: bool,
}

impl<R: Read + Seek> SeekableReader<R> {
    /// Checks the header, at position 0 of the input, and the last chunk.
    ///
    /// # Errors
    ///
    /// What is wrong with the header, the key for it, the length or the last chunk.
    pub fn new<'a>(unlock: impl Into<Unlock<'a>>, mut input: R) -> Result<Self, Error> {
        input.seek(SeekFrom::Start(0)).map_err(Error::Read)?;
        let setup = Setup::read(unlock.into(), &mut input)?;
        let cipher = ChunkCipher::new(&setup)?;
        let file_len = input.seek(SeekFrom::End(0)).map_err(Error::Read)?;
        let header_len = setup.header.len() as u64;
        let sealed_len = (setup.chunk_len + cipher.tag_len) as u64;
        let chunks = file_len
            .saturating_sub(header_len)
            .div_ceil(sealed_len)
            .max(1);
        let mut reader = Self {
            cipher,
            input,
            header_len,
            chunk_len: setup.chunk_len as u64,
            chunks,
            file_len,
            text_len: 0,
            position: 0,
            text: Zeroizing::default(),
            at_hand: 0,
            sealed: Vec::new(),
            ended: false,
        };
        reader.load(chunks - 1)?;
        reader.text_len = (chunks - 1) * reader.chunk_len + reader.text.len() as u64;
        Ok(reader)
    }

    /// Length of the plaintext in bytes.
    pub fn text_len(&self) -> u64 {
        self.text_len
    }

    /// Reads and checks a chunk of those that there are.
    fn load(&mut self, index: u64) -> Result<(), Error> {
        if self.ended {
            return Err(Error::Ended);
        }
        self.ended = true;
        let sealed_len = self.chunk_len + self.cipher.tag_len as u64;
        let start = self.header_len + index * sealed_len;
        let len = sealed_len.min(self.file_len.saturating_sub(start));
        self.sealed.resize(len as usize, 0);
        self.input
            .seek(SeekFrom::Start(start))
            .map_err(Error::Read)?;
        let filled = read_full(&mut self.input, &mut self.sealed).map_err(Error::Read)?;
        let last = index + 1 == self.chunks;
        self.cipher
            .verify(index, last, &self.sealed[..filled], &mut self.text)?;
        self.at_hand = index;
        self.ended = false;
        Ok(())
    }
}

impl<R: Read + Seek> Read for SeekableReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ended {
            return Err(Error::Ended.into());
        }
        if self.position >= self.text_len || buffer.is_empty() {
            return Ok(0);
        }
        let index = self.position / self.chunk_len;
        if index != self.at_hand {
            self.load(index)?;
        }
        let within = (self.position % self.chunk_len) as usize;
        let count = (&self.text[within..]).read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Read + Seek> Seek for SeekableReader<R> {
    /// Positions are those of the plaintext. One after its end is allowed: nothing is to be read there.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.text_len.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{to:?} lies before the beginning of the plaintext, or after 2^64 bytes"),
            )
        })?;
        Ok(self.position)
    }
}
