// SPDX-License-Identifier: Apache-2.0
//! Cutting a stream into pieces of one size while knowing which piece is the last.

use std::io::{self, ErrorKind, Read};
use zeroize::Zeroizing;

/// Reads until the buffer is full or the input ends, and says how much was read.
pub(super) fn read_full(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_some(input, &mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

/// Reads once, and again if a signal came. Zero is the end of the input.
pub(super) fn read_some(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// One piece of the input.
pub(super) struct Piece<'a> {
    pub(super) bytes: &'a [u8],
    /// The input ends after this piece.
    pub(super) last: bool,
}

/// Cuts the input into pieces of `size` bytes; only the last is shorter. It reads one byte ahead, which tells whether a full
/// piece is the last. An empty input is one empty piece, and no other piece is empty.
pub(super) struct Pieces<R> {
    input: R,
    /// A piece and the first byte of the next one. Wiped when dropped, as pieces may be plaintext.
    buffer: Zeroizing<Vec<u8>>,
    /// 1 if the byte read ahead is to be moved to the front.
    ahead: usize,
    ended: bool,
}

impl<R: Read> Pieces<R> {
    pub(super) fn new(input: R, size: usize) -> Self {
        Self {
            input,
            buffer: Zeroizing::new(vec![0; size + 1]),
            ahead: 0,
            ended: false,
        }
    }

    /// The next piece; `None` after the last.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        if self.ended {
            return Ok(None);
        }
        let size = self.buffer.len() - 1;
        self.buffer[0] = self.buffer[size * self.ahead];
        let filled = self.ahead + read_full(&mut self.input, &mut self.buffer[self.ahead..])?;
        self.ended = filled <= size;
        self.ahead = 1;
        Ok(Some(Piece {
            bytes: &self.buffer[..filled.min(size)],
            last: self.ended,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gives its bytes in small portions, with interruptions between.
    struct Slow<'a>(&'a [u8], usize, bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.2 = !self.2;
            if self.2 {
                return Err(ErrorKind::Interrupted.into());
            }
            let n = self.1.min(buffer.len());
            self.0.read(&mut buffer[..n])
        }
    }

    proptest! {
        #[test]
        fn cuts_like_chunks(bytes in prop::collection::vec(any::<u8>(), 0..100), size in 1usize..40, portion in 1usize..50) {
            let mut pieces = Pieces::new(Slow(&bytes, portion, false), size);
            let expected: Vec<&[u8]> = if bytes.is_empty() { vec![&[]] } else { bytes.chunks(size).collect() };
            for (i, chunk) in expected.iter().enumerate() {
                let piece = pieces.next().unwrap().unwrap();
                prop_assert_eq!(piece.bytes, *chunk);
                prop_assert_eq!(piece.last, i + 1 == expected.len());
            }
            prop_assert!(pieces.next().unwrap().is_none());
        }
    }
}
