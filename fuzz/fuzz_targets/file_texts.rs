// SPDX-License-Identifier: Apache-2.0
//! Texts of keys, recipients and identities, any or nearly right: what is taken for one says the same when it is written out and
//! read again. And a reader of sealed files that seeks about: every piece is that of the text at that place.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use sealwire_file::{Identity, Key, Options, Reader, Recipient, SeekableReader};
use sealwire_link::suite::SUITES;
use std::{
    io::{Cursor, Read, Seek, SeekFrom},
    sync::OnceLock,
};

#[derive(Arbitrary, Debug)]
enum Move {
    Start(u16),
    End(i16),
    Current(i16),
    Read(u16),
}

#[derive(Arbitrary, Debug)]
struct Input {
    raw: Vec<u8>,
    which: u8,
    /// Bytes of the right text that others take the place of
    changes: Vec<(u16, u8, Vec<u8>)>,
    len: u16,
    chunks: u8,
    pieces: Vec<u16>,
    moves: Vec<Move>,
}

struct Known {
    keys: Vec<Key>,
    texts: Vec<String>,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let keys: Vec<_> = SUITES
            .iter()
            .map(|suite| Key::generate(suite).expect("randomness"))
            .collect();
        let identity = Identity::generate().expect("randomness");
        let mut texts: Vec<_> = keys.iter().map(|key| key.to_text().to_string()).collect();
        texts.push(identity.to_text().to_string());
        texts.push(identity.recipient().to_text());
        texts.push(
            Key::generate_for_noise()
                .expect("randomness")
                .to_text()
                .to_string(),
        );
        Known { keys, texts }
    })
}

/// Reads the bytes as each kind of text; what is one must come back from its own text.
fn read_all_ways(bytes: &[u8]) {
    if let Ok(key) = Key::read(bytes) {
        let again = Key::read(key.to_text().as_bytes()).expect("its own text");
        assert_eq!(
            (again.as_bytes(), again.purpose()),
            (key.as_bytes(), key.purpose())
        );
    }
    if let Ok(recipient) = Recipient::read(bytes) {
        let again = Recipient::read(recipient.to_text().as_bytes()).expect("its own text");
        assert_eq!(again.id(), recipient.id());
        assert_eq!(again.to_text(), recipient.to_text());
    }
    if let Ok(identity) = Identity::read(bytes) {
        let again = Identity::read(identity.to_text().as_bytes()).expect("its own text");
        assert_eq!(again.recipient().to_text(), identity.recipient().to_text());
    }
}

fuzz_target!(|input: Input| {
    let Known { keys, texts } = known();
    read_all_ways(&input.raw);
    let mut text = texts[usize::from(input.which) % texts.len()]
        .as_bytes()
        .to_vec();
    for (place, count, bytes) in input.changes.iter().take(4) {
        let start = usize::from(*place) % (text.len() + 1);
        let end = (start + usize::from(count % 8)).min(text.len());
        text.splice(start..end, bytes.iter().copied().take(64));
    }
    read_all_ways(&text);

    let key = &keys[usize::from(input.which) % keys.len()];
    let text: Vec<u8> = (0..u32::from(input.len) % 20_000)
        .map(|i| (i * 11 + 5) as u8)
        .collect();
    let chunk = 4096 << (input.chunks % 3);
    let suite = &SUITES[usize::from(input.which) % keys.len()];
    let options = Options::default()
        .suite(suite)
        .chunk_size(chunk)
        .expect("legal");
    let mut sealed = Vec::new();
    sealwire_file::seal(key, &options, &text[..], &mut sealed, |_| {})
        .expect("memory does not fail");

    // In order, in pieces of any size.
    let mut reader = Reader::new(key, &sealed[..]).expect("its key");
    let mut at = 0;
    for piece in input.pieces.iter().take(32) {
        let mut buffer = vec![0; usize::from(piece % 9000)].into_boxed_slice();
        let got = reader.read(&mut buffer).expect("an unchanged file");
        assert_eq!(buffer[..got], text[at..at + got]);
        at += got;
    }

    let mut reader = SeekableReader::new(key, Cursor::new(&sealed)).expect("its key");
    assert_eq!(reader.text_len(), text.len() as u64);
    let mut at = 0u64;
    for step in input.moves.iter().take(64) {
        let to = match step {
            Move::Start(place) => SeekFrom::Start(u64::from(*place)),
            Move::End(back) => SeekFrom::End(i64::from(*back)),
            Move::Current(by) => SeekFrom::Current(i64::from(*by)),
            Move::Read(len) => {
                let mut buffer = vec![0; usize::from(len % 9000)].into_boxed_slice();
                let got = reader.read(&mut buffer).expect("an unchanged file");
                let start = usize::try_from(at).expect("small").min(text.len());
                assert_eq!(buffer[..got], text[start..start + got]);
                assert!(got > 0 || buffer.is_empty() || start == text.len());
                at += got as u64;
                continue;
            }
        };
        let wanted = match step {
            Move::Start(place) => i64::from(*place),
            Move::End(back) => text.len() as i64 + i64::from(*back),
            Move::Current(by) => at as i64 + i64::from(*by),
            Move::Read(_) => unreachable!("a read is over"),
        };
        match reader.seek(to) {
            Ok(place) => {
                assert_eq!(i64::try_from(place).expect("small"), wanted);
                at = place;
            }
            Err(_) => assert!(wanted < 0, "a place that is there is refused"),
        }
    }
});
