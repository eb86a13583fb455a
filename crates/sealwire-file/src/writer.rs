// SPDX-License-Identifier: Apache-2.0
//! Sealing what a program writes.

use crate::{Error, Lock, Options, chunks::ChunkCipher, setup::Setup};
use std::io::{self, Write};
use zeroize::Zeroizing;

/// Seals what is written to it into a sealed file.
///
/// [`Writer::finish`] writes the last chunk. A writer that is dropped without it leaves a file that every reader refuses as cut short.
pub struct Writer<W: Write> {
    cipher: ChunkCipher,
    output: W,
    /// Plaintext of the next chunk, which is sealed when more follows. Its room is that of a sealed chunk from the start: growing
    /// would leave a copy of the plaintext behind.
    text: Zeroizing<Vec<u8>>,
    chunk_len: usize,
    index: u64,
    ended: bool,
}

impl<W: Write> Writer<W> {
    /// Starts a file with a fresh salt from the operating system and writes its header.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] if the key is not for this suite, [`Error::Random`] if the system has no random bytes, [`Error::Write`].
    pub fn new<'a>(
        lock: impl Into<Lock<'a>>,
        options: &Options,
        mut output: W,
    ) -> Result<Self, Error> {
        let setup = Setup::fresh(lock.into(), options)?;
        output.write_all(&setup.header).map_err(Error::Write)?;
        let cipher = ChunkCipher::new(&setup)?;
        Ok(Self {
            text: Zeroizing::new(Vec::with_capacity(setup.chunk_len + cipher.tag_len)),
            chunk_len: setup.chunk_len,
            cipher,
            output,
            index: 0,
            ended: false,
        })
    }

    /// Seals the last chunk and gives the output back, flushed.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; [`Error::Ended`] if a write failed before; [`Error::TooLong`] or [`Error::TooMuchForKey`] if the text is longer
    /// than a file may be.
    pub fn finish(mut self) -> Result<W, Error> {
        self.put(true)?;
        self.output.flush().map_err(Error::Write)?;
        Ok(self.output)
    }

    /// Seals and writes the chunk. After an error nothing more is sealed: a chunk's nonce must not serve twice.
    fn put(&mut self, last: bool) -> Result<(), Error> {
        if self.ended {
            return Err(Error::Ended);
        }
        self.ended = true;
        self.cipher.seal(self.index, last, &mut self.text)?;
        self.output.write_all(&self.text).map_err(Error::Write)?;
        self.text.clear();
        self.index += 1;
        self.ended = last;
        Ok(())
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.ended {
            return Err(Error::Ended.into());
        }
        // A full chunk waits until it is known not to be the last.
        if self.text.len() == self.chunk_len && !bytes.is_empty() {
            self.put(false)?;
        }
        let count = bytes.len().min(self.chunk_len - self.text.len());
        self.text.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    /// Flushes the chunks that are sealed. What is in the chunk that is being filled waits for it: only the last may be shorter.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
