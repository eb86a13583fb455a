// SPDX-License-Identifier: Apache-2.0
//! The sealed-file format: any bytes are refused in an orderly way, and whatever comes out of a changed file is a true
//! beginning of what was sealed.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use sealwire_file::{Header, Identity, Key, Options, SeekableReader, Unlock};
use sealwire_link::suite::Suite;
use std::{
    io::{Cursor, Read},
    sync::OnceLock,
};

#[derive(Arbitrary, Debug)]
enum Change {
    Flip(u32, u8),
    Cut(u32),
    Insert(u32, Vec<u8>),
    Remove(u32, u16),
    /// Copies a piece to somewhere else, as a swap of chunks does.
    Copy(u32, u32, u16),
}

#[derive(Arbitrary, Debug)]
struct Input {
    raw: Vec<u8>,
    len: u16,
    changes: Vec<Change>,
}

fn key() -> &'static Key {
    static KEY: OnceLock<Key> = OnceLock::new();
    KEY.get_or_init(|| {
        Key::generate(Suite::by_name("omd-blake2b").expect("a suite")).expect("randomness")
    })
}

fn identity() -> &'static [Identity] {
    static IDENTITY: OnceLock<[Identity; 1]> = OnceLock::new();
    IDENTITY.get_or_init(|| [Identity::generate().expect("randomness")])
}

fuzz_target!(|input: Input| {
    let mut nothing = Vec::new();
    assert!(sealwire_file::open(key(), &input.raw[..], &mut nothing, |_| {}).is_err());
    assert!(nothing.is_empty());
    // What looks like a header of any way, with stanzas that nobody made. Passphrases are left out: the cost of trying one is the header's.
    let mut likely = b"sealfile\x02\x02\x0c\x01".to_vec();
    likely.extend(&input.raw);
    if let Ok(header) = Header::read(&likely[..]) {
        assert!(header.len() <= likely.len());
        let _ = header.contents(u64::from(input.len));
    }
    for unlock in [Unlock::from(key()), Unlock::from(identity())] {
        assert!(sealwire_file::open(unlock, &likely[..], &mut nothing, |_| {}).is_err());
        assert!(nothing.is_empty());
    }

    let text: Vec<u8> = (0..u32::from(input.len) % 20_000)
        .map(|i| (i * 7 + 3) as u8)
        .collect();
    let options = Options::default().chunk_size(4096).expect("legal");
    let mut sealed = Vec::new();
    sealwire_file::seal(key(), &options, &text[..], &mut sealed, |_| {})
        .expect("memory does not fail");
    let original = sealed.clone();
    for change in input.changes.into_iter().take(8) {
        let len = sealed.len().max(1);
        let at = |place: u32| place as usize % len;
        match change {
            _ if sealed.is_empty() => break,
            Change::Flip(place, bit) => sealed[at(place)] ^= 1 << (bit % 8),
            Change::Cut(place) => sealed.truncate(at(place)),
            Change::Insert(place, bytes) => drop(sealed.splice(at(place)..at(place), bytes)),
            Change::Remove(place, count) => {
                let end = (at(place) + usize::from(count)).min(len);
                sealed.drain(at(place)..end);
            }
            Change::Copy(from, to, count) => {
                let count = usize::from(count).min(len - at(from)).min(len - at(to));
                sealed.copy_within(at(from)..at(from) + count, at(to));
            }
        }
    }
    let mut opened = Vec::new();
    let result = sealwire_file::open(key(), &sealed[..], &mut opened, |_| {});
    assert_eq!(result.is_ok(), sealed == original);
    assert!(text.starts_with(&opened));
    if result.is_ok() {
        assert_eq!(opened, text);
    }
    // A reader that seeks gives what the one in order gives, or less: it checks the end first.
    let mut sought = Vec::new();
    let end = SeekableReader::new(key(), Cursor::new(&sealed))
        .map_err(std::io::Error::from)
        .and_then(|mut reader| reader.read_to_end(&mut sought));
    assert_eq!(end.is_ok(), result.is_ok());
    assert!(opened.starts_with(&sought));
});
