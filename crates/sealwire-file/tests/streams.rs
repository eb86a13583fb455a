// SPDX-License-Identifier: Apache-2.0
//! Sealed files as streams: written in pieces, read in pieces, and read from any place on.

use proptest::prelude::*;
use sealwire_file::{Error, Key, Options, Reader, SeekableReader, Writer, open};
use std::{
    cell::RefCell,
    io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write},
    rc::Rc,
};

const CHUNK: usize = 4096;
const TAG: usize = 16;

fn options() -> Options {
    Options::default().chunk_size(CHUNK as u64).unwrap()
}

fn key() -> Key {
    Key::from_bytes(&(0..64).collect::<Vec<_>>()).unwrap()
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + 3) as u8).collect()
}

fn sealed(text: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(&key(), &options(), Vec::new()).unwrap();
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

fn header_len(file: &[u8], text_len: usize) -> usize {
    file.len() - text_len - text_len.div_ceil(CHUNK).max(1) * TAG
}

fn inner(error: &io::Error) -> &Error {
    error
        .get_ref()
        .and_then(|inner| inner.downcast_ref())
        .expect("the error of a sealed file")
}

/// What a reader gives before it ends or fails.
fn drain(mut input: impl Read) -> (Vec<u8>, io::Result<()>) {
    let (mut out, mut piece) = (Vec::new(), [0; 777]);
    loop {
        match input.read(&mut piece) {
            Ok(0) => return (out, Ok(())),
            Ok(count) => out.extend_from_slice(&piece[..count]),
            Err(error) => return (out, Err(error)),
        }
    }
}

#[test]
fn a_writer_makes_files_that_open_whatever_the_pieces() {
    for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5] {
        for piece in [1, 100, CHUNK, CHUNK + 1, usize::MAX] {
            let text = text(len);
            let mut writer = Writer::new(&key(), &options(), Vec::new()).unwrap();
            for part in text.chunks(piece) {
                writer.write_all(part).unwrap();
                writer.flush().unwrap();
                assert_eq!(writer.write(b"").unwrap(), 0);
            }
            let file = writer.finish().unwrap();
            let mut opened = Vec::new();
            open(&key(), &file[..], &mut opened, |_| {}).unwrap();
            assert!(opened == text, "{len} bytes in pieces of {piece}");
            let (out, end) = drain(Reader::new(&key(), &file[..]).unwrap());
            assert!(out == text && end.is_ok());
        }
    }
}

#[test]
fn a_writer_that_was_not_finished_leaves_a_file_that_is_refused() {
    for len in [0, 1, CHUNK, 3 * CHUNK + 5] {
        let mut file = Vec::new();
        let mut writer = Writer::new(&key(), &options(), &mut file).unwrap();
        writer.write_all(&text(len)).unwrap();
        drop(writer);
        let (out, end) = drain(Reader::new(&key(), &file[..]).unwrap());
        assert!(text(len).starts_with(&out));
        assert!(matches!(inner(&end.unwrap_err()), Error::Truncated(_)));
        assert!(matches!(
            SeekableReader::new(&key(), Cursor::new(file)).err(),
            Some(Error::Truncated(_))
        ));
    }
}

/// An output that takes so many bytes and then fails.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_ends_with_the_first_error() {
    assert!(matches!(
        Writer::new(&key(), &options(), Full(10)).err(),
        Some(Error::Write(_))
    ));
    let mut writer = Writer::new(&key(), &options(), Full(1000)).unwrap();
    let error = writer.write_all(&text(2 * CHUNK)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    assert!(matches!(inner(&error), Error::Write(_)));
    // Other text must not be sealed with the nonce of what failed.
    let error = writer.write_all(&text(CHUNK)).unwrap_err();
    assert!(matches!(inner(&error), Error::Ended));
    assert!(matches!(writer.finish().err(), Some(Error::Ended)));
}

#[test]
fn a_reader_never_takes_a_beginning_for_the_whole() {
    let text = text(2 * CHUNK + 9);
    let file = sealed(&text);
    let start = header_len(&file, text.len());
    for len in (start..file.len()).filter(|len| len % 61 == 0 || file.len() - len < 50) {
        let (out, end) = drain(Reader::new(&key(), &file[..len]).unwrap());
        assert!(text.starts_with(&out) && out.len() % CHUNK == 0, "{len}");
        let error = end.expect_err("a cut file must not end well");
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert!(
            matches!(inner(&error), Error::Truncated(_) | Error::Damaged(_)),
            "{len}: {error}"
        );
    }
}

#[test]
fn a_reader_gives_nothing_after_an_error() {
    let text = text(3 * CHUNK);
    let mut file = sealed(&text);
    let at = header_len(&file, text.len()) + CHUNK + TAG;
    file[at] ^= 1;
    let mut reader = Reader::new(&key(), &file[..]).unwrap();
    let (out, end) = drain(&mut reader);
    assert!(out == text[..CHUNK]);
    assert!(matches!(inner(&end.unwrap_err()), Error::Damaged(2)));
    let (out, end) = drain(&mut reader);
    assert!(out.is_empty());
    assert!(matches!(inner(&end.unwrap_err()), Error::Ended));
}

#[test]
fn a_seekable_reader_reads_from_any_place_on() {
    for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5] {
        let text = text(len);
        let mut reader = SeekableReader::new(&key(), Cursor::new(sealed(&text))).unwrap();
        assert_eq!(reader.text_len(), len as u64);
        let places = [
            0,
            1,
            CHUNK - 1,
            CHUNK,
            CHUNK + 1,
            2 * CHUNK + 7,
            len,
            len + 9,
        ];
        for place in places {
            let from = |position| text.get(position..).unwrap_or_default();
            let place64 = place as u64;
            assert_eq!(reader.seek(SeekFrom::Start(place64)).unwrap(), place64);
            let (out, end) = drain(&mut reader);
            assert!(out == from(place) && end.is_ok(), "{len} from {place}");
            if place <= len {
                let back = -((len - place) as i64);
                assert_eq!(reader.seek(SeekFrom::End(back)).unwrap(), place64);
                let mut one = [0];
                let count = reader.read(&mut one).unwrap();
                assert_eq!(one[..count], from(place)[..usize::from(place < len)]);
                let now = reader.seek(SeekFrom::Current(-(count as i64))).unwrap();
                assert_eq!(now, place64);
            }
        }
        let error = reader.seek(SeekFrom::End(-(len as i64) - 1)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
        assert!(error.to_string().contains("before the beginning"));
    }
}

#[test]
fn a_seekable_reader_refuses_a_shorter_or_longer_file_at_once() {
    for len in [0, 9, CHUNK, 2 * CHUNK + 9] {
        let file = sealed(&text(len));
        let start = header_len(&file, len);
        let new = |file: &[u8]| SeekableReader::new(&key(), Cursor::new(file.to_vec())).err();
        for shorter in (start..file.len()).filter(|at| at % 101 == 0 || file.len() - at < 40) {
            let error = new(&file[..shorter]);
            assert!(
                matches!(error, Some(Error::Truncated(_) | Error::Damaged(_))),
                "{len} cut to {shorter}: {error:?}"
            );
        }
        for extra in [1, TAG, TAG + 1, CHUNK + TAG, 10_000] {
            let error = new(&[&file[..], &vec![0; extra]].concat());
            assert!(
                matches!(
                    error,
                    Some(Error::Extended(_) | Error::Damaged(_) | Error::Truncated(_))
                ),
                "{len} and {extra}: {error:?}"
            );
        }
    }
}

#[test]
fn a_seekable_reader_checks_each_chunk_that_it_gives() {
    let text = text(4 * CHUNK + 5);
    let file = sealed(&text);
    let start = header_len(&file, text.len());
    for chunk in 0..4 {
        let mut changed = file.clone();
        changed[start + chunk * (CHUNK + TAG) + 17] ^= 2;
        let mut reader = SeekableReader::new(&key(), Cursor::new(changed)).unwrap();
        let mut piece = [0; 100];
        for other in (0..4).filter(|other| *other != chunk) {
            let place = other * CHUNK + 50;
            reader.seek(SeekFrom::Start(place as u64)).unwrap();
            reader.read_exact(&mut piece).unwrap();
            assert!(piece == text[place..place + 100]);
        }
        reader
            .seek(SeekFrom::Start((chunk * CHUNK) as u64))
            .unwrap();
        let error = reader.read(&mut piece).unwrap_err();
        assert!(matches!(inner(&error), Error::Damaged(n) if *n == chunk as u64 + 1));
        reader.seek(SeekFrom::Start(4 * CHUNK as u64)).unwrap();
        let error = reader.read(&mut piece).unwrap_err();
        assert!(matches!(inner(&error), Error::Ended));
    }
    // Two chunks that changed places.
    let mut swapped = file.clone();
    swapped[start..start + 2 * (CHUNK + TAG)].rotate_left(CHUNK + TAG);
    let mut reader = SeekableReader::new(&key(), Cursor::new(swapped)).unwrap();
    let error = reader.read(&mut [0]).unwrap_err();
    assert!(matches!(inner(&error), Error::Damaged(1)));
}

/// A file that somebody else changes while it is open.
struct Shared(Rc<RefCell<Vec<u8>>>, u64);

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.borrow();
        let count = bytes
            .get(self.1 as usize..)
            .unwrap_or_default()
            .read(buffer)?;
        self.1 += count as u64;
        Ok(count)
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let bytes = self.0.borrow();
        let mut cursor = Cursor::new(&bytes[..]);
        cursor.set_position(self.1);
        self.1 = cursor.seek(to)?;
        Ok(self.1)
    }
}

#[test]
fn a_seekable_reader_checks_a_chunk_again_when_it_reads_it_again() {
    let text = text(3 * CHUNK);
    let file = Rc::new(RefCell::new(sealed(&text)));
    let start = header_len(&file.borrow(), text.len());
    let mut reader = SeekableReader::new(&key(), Shared(file.clone(), 0)).unwrap();
    let mut byte = [0];
    reader.read_exact(&mut byte).unwrap();
    reader.seek(SeekFrom::Start(CHUNK as u64)).unwrap();
    reader.read_exact(&mut byte).unwrap();
    file.borrow_mut()[start] ^= 1;
    reader.seek(SeekFrom::Start(0)).unwrap();
    let error = reader.read(&mut byte).unwrap_err();
    assert!(matches!(inner(&error), Error::Damaged(1)));

    let file = Rc::new(RefCell::new(sealed(&text)));
    let mut reader = SeekableReader::new(&key(), Shared(file.clone(), 0)).unwrap();
    file.borrow_mut().truncate(start + CHUNK + TAG);
    reader.seek(SeekFrom::Start(CHUNK as u64)).unwrap();
    let error = reader.read(&mut byte).unwrap_err();
    assert!(matches!(inner(&error), Error::Truncated(1)), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_seekable_reader_is_a_cursor_over_the_text(
        len in 0usize..20_000,
        steps in prop::collection::vec((0usize..21_000, 0usize..9000), 1..12),
    ) {
        let text = text(len);
        let mut reader = SeekableReader::new(&key(), Cursor::new(sealed(&text))).unwrap();
        let mut model = Cursor::new(text);
        for (place, count) in steps {
            reader.seek(SeekFrom::Start(place as u64)).unwrap();
            model.set_position(place as u64);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            (&mut reader).take(count as u64).read_to_end(&mut ours).unwrap();
            (&mut model).take(count as u64).read_to_end(&mut theirs).unwrap();
            prop_assert!(ours == theirs);
            prop_assert_eq!(reader.stream_position().unwrap(), model.position());
        }
    }
}
