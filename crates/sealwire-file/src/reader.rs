// SPDX-License-Identifier: Apache-2.0
//! Opening a sealed file as its plaintext is read.

use crate::{Error, Unlock, chunks::Opener};
use std::io::{self, BufRead, Read};

/// The plaintext of a sealed file, chunk by chunk as each was checked.
///
/// The end of the plaintext is told only after the last chunk was checked; a file that was cut short ends in an error instead.
/// Errors are [`Error`]s inside [`io::Error`]s. After one, nothing more comes out.
pub struct Reader<R> {
    opener: Opener<R>,
    /// How much of the chunk at hand was read.
    taken: usize,
}

impl<R: Read> Reader<R> {
    /// Reads and checks the header.
    ///
    /// # Errors
    ///
    /// What is wrong with the header or the key for it.
    pub fn new<'a>(unlock: impl Into<Unlock<'a>>, input: R) -> Result<Self, Error> {
        Ok(Self {
            opener: Opener::new(unlock.into(), input)?,
            taken: 0,
        })
    }
}

impl<R: Read> BufRead for Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.opener.text().len() {
            self.taken = 0;
            self.opener.next_chunk()?;
        }
        Ok(&self.opener.text()[self.taken..])
    }

    fn consume(&mut self, amount: usize) {
        self.taken = (self.taken + amount).min(self.opener.text().len());
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
