// SPDX-License-Identifier: Apache-2.0
//! The format against its specification: known answers made by another implementation, and every kind of damage.

use crate::{parallel::seal_setup_on_threads, setup::Setup, *};

use proptest::prelude::*;
use sealwire::limits::Traffic;
use sealwire_link::suite::{ADVANTAGE, SUITES, Suite};
use std::{io::Cursor, num::NonZeroUsize};

/// Length of the header under a key file.
const HEADER_LEN: usize = 96;

/// Length of a sealed full chunk of 4096 bytes in suite 01.
const SEALED_CHUNK: usize = 4096 + 32;

/// Key 00 01 02 .. of the suite's length.
fn key(suite: &Suite) -> Key {
    Key::from_bytes(&(0..suite.block_len() as u8).collect::<Vec<_>>()).unwrap()
}

fn suite() -> &'static Suite {
    Suite::by_code(1).unwrap()
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + 3) as u8).collect()
}

/// Smallest chunks, so that short texts have several.
fn options(suite: &'static Suite) -> Options {
    Options::default().suite(suite).chunk_size(4096).unwrap()
}

fn sealed(suite: &'static Suite, text: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    assert_eq!(
        seal(&key(suite), &options(suite), text, &mut file, |_| {}).unwrap(),
        text.len() as u64
    );
    file
}

/// The result of opening and what was written by then, which must be the same whether threads do the work or not.
fn opened(suite: &Suite, file: &[u8]) -> (Result<u64, Error>, Vec<u8>) {
    let mut out = Vec::new();
    let result = open(&key(suite), file, &mut out, |_| {});
    for threads in [1, 3] {
        let (by_threads, theirs) = opened_on_threads(suite, threads, file.to_vec());
        assert_eq!(format!("{by_threads:?}"), format!("{result:?}"));
        assert!(theirs == out, "{threads} threads wrote something else");
    }
    (result, out)
}

fn opened_on_threads(
    suite: &Suite,
    threads: usize,
    file: Vec<u8>,
) -> (Result<u64, Error>, Vec<u8>) {
    let threads = NonZeroUsize::new(threads).unwrap();
    let mut out = Vec::new();
    let result = open_on_threads(&key(suite), threads, Cursor::new(file), &mut out, |_| {});
    (result, out)
}

/// Opens a file that must be refused. What was written by then must be whole chunks of the true text.
fn refused(file: &[u8], text: &[u8]) -> Error {
    let (result, out) = opened(suite(), file);
    assert!(text.starts_with(&out), "wrong plaintext was written");
    assert!(
        out.len() % 4096 == 0 || out == text,
        "half a chunk was written"
    );
    result.expect_err("the changed file must be refused")
}

/// Made by `python -m sealwire_model.sealed_file make`, which shares no code with this crate: key 00 01 02 .., chunks of 4096 bytes,
/// plaintext byte i = (7 i + 3) mod 256; version 1 with the salt 80 81 .., version 2 with the random bytes 80 81 .., in the order in
/// which they are drawn.
macro_rules! known {
    ($($version:literal $suite:literal $len:literal)*) => {
        [$((
            u8::from_str_radix($suite, 16).unwrap(),
            $len,
            &include_bytes!(concat!("../tests/data/v", $version, "-suite", $suite, "-", $len, ".sealed"))[..],
        )),*]
    };
}

type Known = (u8, usize, &'static [u8]);

fn known_1() -> [Known; 8] {
    known! {
        1 "01" 0  1 "01" 1  1 "01" 4096  1 "01" 10000  1 "02" 5  1 "02" 8192  1 "05" 5  1 "05" 10000
    }
}

fn known_2() -> [Known; 9] {
    known! {
        2 "01" 0  2 "01" 1  2 "01" 4096  2 "01" 10000  2 "02" 8192  2 "03" 5  2 "05" 5  2 "05" 10000  2 "11" 5
    }
}

/// The random bytes of known answers.
fn counted() -> impl FnMut(&mut [u8]) -> Result<(), Error> {
    let mut next = 0x80_u8;
    move |bytes| {
        for byte in bytes {
            *byte = next;
            next = next.wrapping_add(1);
        }
        Ok(())
    }
}

/// Random bytes that are all the same.
fn fixed(byte: u8) -> impl FnMut(&mut [u8]) -> Result<(), Error> {
    move |bytes| {
        bytes.fill(byte);
        Ok(())
    }
}

#[test]
fn opens_the_known_files() {
    for (code, len, file) in known_1().into_iter().chain(known_2()) {
        let (result, out) = opened(Suite::by_code(code).unwrap(), file);
        assert_eq!(result.unwrap(), len as u64, "suite {code:02x}, {len} bytes");
        assert_eq!(out, text(len));
    }
}

#[test]
fn seals_the_known_files() {
    for (code, len, expected) in known_2() {
        let suite = Suite::by_code(code).unwrap();
        let text = text(len);
        let setup = Setup::create((&key(suite)).into(), &options(suite), &mut counted()).unwrap();
        let mut sealer = Sealer::with_setup(&setup, &text[..]).unwrap();
        let mut file = sealer.header().to_vec();
        while let Some(chunk) = sealer.next_chunk().unwrap() {
            file.extend_from_slice(chunk.sealed);
        }
        assert!(file == expected, "suite {code:02x}, {len} bytes");
        for threads in [1, 2, 7] {
            let threads = NonZeroUsize::new(threads).unwrap();
            let (input, mut file) = (Cursor::new(text.clone()), Vec::new());
            seal_setup_on_threads(&setup, threads, input, &mut file, |_| {}).unwrap();
            assert!(
                file == expected,
                "suite {code:02x}, {len} bytes, {threads} threads"
            );
        }
    }
}

#[test]
fn opens_what_it_seals_at_every_chunk_edge() {
    for suite in SUITES {
        for len in [0, 1, 31, 32, 33, 4095, 4096, 4097, 8191, 8192, 8193, 20000] {
            let file = sealed(suite, &text(len));
            let chunks = len.div_ceil(4096).max(1);
            assert_eq!(file.len(), HEADER_LEN + len + chunks * suite.tag_len);
            let (result, out) = opened(suite, &file);
            assert_eq!((result.unwrap(), out), (len as u64, text(len)));
        }
    }
}

#[test]
fn opens_what_it_seals_at_every_chunk_size() {
    for log2 in 12..=24 {
        let options = Options::default().chunk_size(1 << log2).unwrap();
        let (mut file, mut out) = (Vec::new(), Vec::new());
        seal(&key(suite()), &options, &text(9000)[..], &mut file, |_| {}).unwrap();
        assert_eq!(file[10], log2);
        open(&key(suite()), &file[..], &mut out, |_| {}).unwrap();
        assert_eq!(out, text(9000));
    }
    for size in [0, 1, 2048, 4095, 4097, 1 << 25, u64::MAX] {
        assert!(
            matches!(Options::default().chunk_size(size), Err(Error::ChunkSize(given)) if given == size)
        );
    }
    assert_eq!(sealed(suite(), b"")[10], 12);
}

#[test]
fn every_file_has_a_salt_of_its_own() {
    let (a, b) = (sealed(suite(), &text(100)), sealed(suite(), &text(100)));
    assert_ne!(a[32..64], b[32..64]);
    assert_ne!(a[96..], b[96..]);
}

#[test]
fn tells_progress_in_plaintext_bytes() {
    let mut seen = Vec::new();
    let mut file = Vec::new();
    seal(
        &key(suite()),
        &options(suite()),
        &text(9000)[..],
        &mut file,
        |done| seen.push(done),
    )
    .unwrap();
    assert_eq!(seen, [4096, 8192, 9000]);
    seen.clear();
    open(&key(suite()), &file[..], std::io::sink(), |done| {
        seen.push(done)
    })
    .unwrap();
    assert_eq!(seen, [4096, 8192, 9000]);
}

#[test]
fn refuses_every_flipped_bit_of_a_small_file() {
    let text = text(21);
    let file = sealed(suite(), &text);
    for bit in 0..file.len() * 8 {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let error = refused(&changed, &text);
        let expected = match bit / 8 {
            0..8 => matches!(error, Error::Magic),
            // 02 to 00 or 03 and so on; no flip makes 01 of it.
            8 => matches!(error, Error::Version(_)),
            // 01 to 05 is one flip, and another suite that exists.
            9 => matches!(
                error,
                Error::Suite(_) | Error::KeyLength { .. } | Error::WrongKey
            ),
            10 => matches!(error, Error::HeaderChunkSize(_) | Error::WrongKey),
            11 => matches!(error, Error::HeaderPurpose(_)),
            // 01 to 03 is one flip, and such files have no id.
            12 => matches!(error, Error::Way(_) | Error::Reserved),
            13 | 24..32 => matches!(error, Error::Reserved),
            14 | 15 => matches!(error, Error::StanzaLength { way: 1, .. }),
            16..24 => matches!(error, Error::OtherKey { .. }),
            32..96 => matches!(error, Error::WrongKey),
            _ => matches!(error, Error::Damaged(1)),
        };
        assert!(expected, "bit {bit}: {error}");
    }
}

/// Version 1 is still refused wherever a bit is flipped. A header of version 1 is no header of version 2, nor the other way round.
#[test]
fn refuses_every_flipped_bit_of_version_1() {
    let (_, len, file) = known_1()[1];
    let text = text(len);
    for bit in 0..file.len() * 8 {
        let mut changed = file.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        let error = refused(&changed, &text);
        let expected = match bit / 8 {
            0..8 => matches!(error, Error::Magic),
            8 => matches!(error, Error::Version(_)),
            9 => matches!(
                error,
                Error::Suite(_) | Error::KeyLength { .. } | Error::WrongKey
            ),
            10 => matches!(error, Error::HeaderChunkSize(_) | Error::WrongKey),
            11..16 => matches!(error, Error::Reserved),
            16..64 => matches!(error, Error::WrongKey),
            _ => matches!(error, Error::Damaged(1)),
        };
        assert!(expected, "bit {bit}: {error}");
    }
    let mut as_2 = file.to_vec();
    as_2[8] = 2;
    assert!(matches!(refused(&as_2, &text), Error::HeaderPurpose(0)));
    let mut as_1 = sealed(suite(), &text);
    as_1[8] = 1;
    assert!(matches!(refused(&as_1, &text), Error::Reserved));
}

/// What is in the header enters the commitment: two files whose chunks are equal but for a field of the header have no chunk in common.
#[test]
fn every_field_of_the_header_changes_file_key_and_commitment() {
    let (key, base) = (key(suite()), options(suite()));
    let make = |key: &Key, options: &Options, byte| {
        Setup::create(key.into(), options, &mut fixed(byte)).unwrap()
    };
    let blake2b = base.suite(Suite::by_code(2).unwrap());
    let other = Key::from_bytes(&[1; 64]).unwrap();
    let setups = [
        make(&key, &base, 1),
        make(&key, &base, 2),
        make(&key, &base.chunk_size(8192).unwrap(), 1),
        make(&key, &blake2b, 1),
        make(&key, &base.without_key_id(), 1),
        make(&other, &base, 1),
    ];
    for (i, a) in setups.iter().enumerate() {
        for b in &setups[..i] {
            assert_ne!(a.ad, b.ad);
            assert_ne!(a.file_key, b.file_key);
        }
    }
}

#[test]
fn refuses_flipped_bits_all_over_a_long_file() {
    let text = text(3 * 4096 + 100);
    let file = sealed(suite(), &text);
    let edges = (0..4).flat_map(|chunk| {
        let start = HEADER_LEN + chunk * SEALED_CHUNK;
        [
            start,
            start + 1,
            start + 4095,
            start + 4096,
            start + SEALED_CHUNK - 1,
        ]
    });
    let positions = (0..file.len())
        .step_by(97)
        .chain(edges)
        .chain([file.len() - 1]);
    for position in positions.filter(|&position| position < file.len()) {
        let mut changed = file.clone();
        changed[position] ^= 0x10;
        let (result, out) = opened(suite(), &changed);
        assert!(result.is_err(), "byte {position}");
        // Exactly the good chunks before the damage.
        let good = position.saturating_sub(HEADER_LEN) / SEALED_CHUNK;
        assert!(out == text[..good * 4096], "byte {position}");
    }
}

#[test]
fn refuses_every_shorter_file() {
    let text = text(4096 + 20);
    let file = sealed(suite(), &text);
    let lengths = (0..200).chain(HEADER_LEN + SEALED_CHUNK - 40..file.len());
    for len in lengths {
        let error = refused(&file[..len], &text);
        let expected = match len {
            0..64 => matches!(error, Error::ShortHeader { given, needed: 64 } if given == len),
            64..96 => matches!(error, Error::ShortHeader { given, needed: 96 } if given == len),
            _ if len == HEADER_LEN + SEALED_CHUNK => matches!(error, Error::Truncated(1)),
            _ => matches!(error, Error::Truncated(_) | Error::Damaged(_)),
        };
        assert!(expected, "{len} bytes: {error}");
    }
}

#[test]
fn refuses_every_longer_file() {
    for len in [0, 20, 4096, 5000, 8192] {
        let text = text(len);
        let file = sealed(suite(), &text);
        for extra in [1, 31, 32, 33, 4096, SEALED_CHUNK, 10000] {
            let mut longer = file.clone();
            longer.resize(file.len() + extra, 0);
            let error = refused(&longer, &text);
            let full = len > 0 && len.is_multiple_of(4096);
            assert_eq!(
                matches!(error, Error::Extended(_)),
                full,
                "{len} + {extra}: {error}"
            );
        }
        let twice = [&file[..], &file[HEADER_LEN..]].concat();
        refused(&twice, &text);
    }
}

#[test]
fn refuses_swapped_dropped_and_repeated_chunks() {
    let text = text(4 * 4096);
    let file = sealed(suite(), &text);
    let chunk = |i: usize| &file[HEADER_LEN + i * SEALED_CHUNK..][..SEALED_CHUNK];
    let mut orders: Vec<Vec<usize>> =
        vec![vec![], vec![3], vec![0, 1, 2, 3, 3], vec![0, 1, 2, 3, 0]];
    for i in 0..4 {
        orders.push((0..4).filter(|&j| j != i).collect());
        orders.push(
            (0..4)
                .flat_map(|j| if i == j { vec![j, j] } else { vec![j] })
                .collect(),
        );
        for j in 0..i {
            let mut swapped: Vec<_> = (0..4).collect();
            swapped.swap(i, j);
            orders.push(swapped);
        }
    }
    for order in orders {
        let parts = order.iter().map(|&i| chunk(i)).collect::<Vec<_>>().concat();
        refused(&[&file[..HEADER_LEN], &parts].concat(), &text);
    }
    let whole = [
        &file[..HEADER_LEN],
        &[chunk(0), chunk(1), chunk(2), chunk(3)].concat(),
    ]
    .concat();
    assert!(
        opened(suite(), &whole).0.is_ok(),
        "the pieces are the right ones"
    );
}

#[test]
fn refuses_chunks_and_headers_of_another_file() {
    let text = text(2 * 4096);
    let (a, b) = (sealed(suite(), &text), sealed(suite(), &text));
    let middle = HEADER_LEN + SEALED_CHUNK;
    assert!(matches!(
        refused(&[&a[..middle], &b[middle..]].concat(), &text),
        Error::Damaged(2)
    ));
    assert!(matches!(
        refused(&[&a[..HEADER_LEN], &b[HEADER_LEN..]].concat(), &text),
        Error::Damaged(1)
    ));
}

#[test]
fn refuses_another_chunk_size_in_the_header() {
    let text = text(4096);
    let mut file = sealed(suite(), &text);
    file[10] = 13;
    assert!(matches!(refused(&file, &text), Error::WrongKey));
}

#[test]
fn refuses_wrong_keys_and_key_lengths() {
    let file = sealed(suite(), b"text");
    let mut unnamed = Vec::new();
    let options = options(suite()).without_key_id();
    seal(&key(suite()), &options, &b"text"[..], &mut unnamed, |_| {}).unwrap();
    assert_eq!(unnamed[16..32], [0; 16]);
    assert!(open(&key(suite()), &unnamed[..], std::io::sink(), |_| {}).is_ok());
    for bit in 0..512 {
        let mut bytes = key(suite()).as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let wrong = Key::from_bytes(&bytes).unwrap();
        let mut out = Vec::new();
        assert!(
            matches!(
                open(&wrong, &file[..], &mut out, |_| {}),
                Err(Error::OtherKey { .. })
            ),
            "bit {bit}"
        );
        assert!(matches!(
            open(&wrong, &unnamed[..], &mut out, |_| {}),
            Err(Error::WrongKey)
        ));
        assert!(out.is_empty());
    }
    let short = key(Suite::by_code(5).unwrap());
    let expected = "the key has 32 bytes, omd-sha512 needs 64";
    assert_eq!(
        open(&short, &file[..], std::io::sink(), |_| {})
            .unwrap_err()
            .to_string(),
        expected
    );
    let error = seal(&short, &options, &b""[..], std::io::sink(), |_| {}).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

/// The holder of the key can make files that no sealer makes; they are refused all the same.
#[test]
fn refuses_an_empty_last_chunk_of_a_file_that_is_not_empty() {
    let setup = Setup::create((&key(suite())).into(), &options(suite()), &mut fixed(9)).unwrap();
    let cipher = suite().cipher(&setup.file_key).unwrap();
    let nonce = |j: u8, last: u8| [&[0; 30][..], &[j, last]].concat();
    let mut file = setup.header.to_vec();
    file.extend(cipher.seal(&nonce(0, 0), &setup.ad, &text(4096)).unwrap());
    let with_text = [
        &file[..],
        &cipher.seal(&nonce(1, 1), &setup.ad, b"x").unwrap(),
    ]
    .concat();
    assert!(opened(suite(), &with_text).0.is_ok());
    let empty = [
        &file[..],
        &cipher.seal(&nonce(1, 1), &setup.ad, b"").unwrap(),
    ]
    .concat();
    assert!(matches!(refused(&empty, &text(4096)), Error::Truncated(1)));
}

#[test]
fn counts_no_further_than_the_nonce_does() {
    let (key, options) = (key(suite()), options(suite()));
    let text = text(3 * 4096);
    let mut sealer = Sealer::new((&key).into(), &options, &text[..]).unwrap();
    sealer.index = (1 << 32) - 1;
    assert!(sealer.next_chunk().unwrap().is_some());
    assert!(matches!(sealer.next_chunk(), Err(Error::TooLong)));
    let file = sealed(suite(), &text);
    let mut opener = Opener::new((&key).into(), &file[..]).unwrap();
    opener.index = 1 << 32;
    assert!(matches!(opener.next_chunk(), Err(Error::TooLong)));
}

/// A file key of AES-OTR, OCB, AES-GCM or Ascon seals 1 TiB and one of Deoxys-II half of that, whatever the chunks: with as many forgeries, the
/// bounds on privacy and authenticity are kept. In OMD and AEGIS the nonce ends first.
#[test]
fn seals_no_more_than_the_proof_allows() {
    for suite in SUITES {
        for log2 in 12..=24 {
            let options = options(suite).chunk_size(1 << log2).unwrap();
            let sealer = Sealer::new((&key(suite)).into(), &options, &b""[..]).unwrap();
            let chunks = sealer.cipher.max_chunks;
            let packets = Traffic {
                packet_len: 1 << log2,
                ad_len: HEADER_LEN as u64,
            };
            let scheme = sealwire::scheme::find(suite.scheme).unwrap();
            let limits = scheme.limits(&packets, ADVANTAGE);
            assert!(chunks as f64 <= limits.both, "{}, 2^{log2}", suite.alias);
            let (of_key, log2_chunks) = match suite.alias {
                "deoxys-ii-128" | "deoxys-ii-256" => (true, 39 - log2),
                alias if alias.contains("omd-") || alias.starts_with("aegis-") => (false, 32),
                _ => (true, 40 - log2),
            };
            assert_eq!(chunks, 1 << log2_chunks, "{}", suite.alias);
            assert!(options.check_len(chunks << log2).is_ok());
            let too_long = options.check_len((chunks << log2) + 1).unwrap_err();
            assert_eq!(matches!(too_long, Error::TooMuchForKey { .. }), of_key);
        }
    }
    let text = text(2 * 4096);
    for (code, log2, words) in [
        (
            0x11,
            40,
            "otr-aes128-p holds at most 1 TiB; make several files",
        ),
        (
            0x62,
            39,
            "deoxys-ii-256 holds at most 512 GiB; make several files",
        ),
    ] {
        let suite = Suite::by_code(code).unwrap();
        let mut sealer = Sealer::new((&key(suite)).into(), &options(suite), &text[..]).unwrap();
        sealer.index = (1 << (log2 - 12)) - 1;
        assert!(sealer.next_chunk().unwrap().is_some());
        let error = sealer.next_chunk().err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
        let file = sealed(suite, &text);
        let mut opener = Opener::new((&key(suite)).into(), &file[..]).unwrap();
        opener.index = 1 << (log2 - 12);
        assert!(matches!(
            opener.next_chunk(),
            Err(Error::TooMuchForKey { .. })
        ));
    }
}

#[test]
fn gives_nothing_after_an_error() {
    let mut file = sealed(suite(), &text(3 * 4096));
    file[HEADER_LEN + SEALED_CHUNK] ^= 1;
    let mut opener = Opener::new((&key(suite())).into(), &file[..]).unwrap();
    assert!(opener.next_chunk().unwrap().is_some());
    assert!(opener.next_chunk().is_err());
    assert!(
        opener.next_chunk().is_err(),
        "the third chunk is good, but must not come out"
    );
    let mut opener = Opener::new((&key(suite())).into(), &file[..HEADER_LEN]).unwrap();
    assert!(opener.next_chunk().is_err());
    assert!(
        opener.next_chunk().is_err(),
        "the end of the input is not the end of the text"
    );
}

#[test]
fn hands_on_the_writer_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self
                .0
                .checked_sub(bytes.len())
                .ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let file = sealed(suite(), &text(9000));
    for room in [0, 95, 96, 4095, 4096, 8192] {
        assert!(matches!(
            open(&key(suite()), &file[..], Full(room), |_| {}),
            Err(Error::Write(_))
        ));
        let result = seal(
            &key(suite()),
            &options(suite()),
            &text(9000)[..],
            Full(room),
            |_| {},
        );
        assert!(matches!(result, Err(Error::Write(_))));
    }
}

/// Sealed one chunk after another, and by any number of threads: the files have equal bytes.
#[test]
fn threads_make_equal_files() {
    for suite in SUITES {
        for len in [0, 1, 4096, 8192, 40 * 4096, 131 * 4096 + 17] {
            let text = text(len);
            let setup =
                Setup::create((&key(suite)).into(), &options(suite), &mut fixed(7)).unwrap();
            let mut sealer = Sealer::with_setup(&setup, &text[..]).unwrap();
            let mut expected = sealer.header().to_vec();
            while let Some(chunk) = sealer.next_chunk().unwrap() {
                expected.extend_from_slice(chunk.sealed);
            }
            for threads in [1, 2, 5] {
                let threads = NonZeroUsize::new(threads).unwrap();
                let (input, mut file, mut seen) = (Cursor::new(text.clone()), vec![], vec![]);
                seal_setup_on_threads(&setup, threads, input, &mut file, |done| seen.push(done))
                    .unwrap();
                assert!(file == expected, "{}: {len}, {threads}", suite.alias);
                assert!(seen.is_sorted() && seen.last() == Some(&(len as u64)));
                assert_eq!(seen.len(), len.div_ceil(4096).max(1));
                let (result, out) = opened_on_threads(suite, threads.get(), file);
                assert_eq!(result.unwrap(), len as u64);
                assert!(out == text);
            }
        }
    }
}

/// A file of several batches: whatever chunk is changed, taken away, repeated or moved, threads give the error of one chunk
/// after another and release what it releases.
#[test]
fn threads_find_the_first_error_and_release_what_comes_before() {
    let text = text(70 * 4096 + 5);
    let file = sealed(suite(), &text);
    let chunk = |i: usize| HEADER_LEN + i * SEALED_CHUNK;
    for k in [0, 1, 7, 8, 9, 33, 69, 70] {
        let mut changed = file.clone();
        changed[chunk(k) + 3] ^= 4;
        // A later error must not come first.
        if k < 60 {
            changed[chunk(k + 5)] ^= 1;
        }
        let (result, out) = opened(suite(), &changed);
        assert!(matches!(result, Err(Error::Damaged(n)) if n == k as u64 + 1));
        assert!(out == text[..k * 4096], "chunk {k}");
        let (result, out) = opened(suite(), &file[..chunk(k)]);
        assert!(matches!(result, Err(Error::Truncated(n)) if n == k as u64));
        assert!(out == text[..k.saturating_sub(1) * 4096], "cut before {k}");
        if k < 69 {
            let mut swapped = file.clone();
            swapped[chunk(k)..chunk(k + 2)].rotate_left(SEALED_CHUNK);
            assert!(matches!(
                refused(&swapped, &text),
                Error::Damaged(n) if n == k as u64 + 1
            ));
            let mut dropped = file.clone();
            dropped.drain(chunk(k)..chunk(k + 1));
            assert!(matches!(
                refused(&dropped, &text),
                Error::Damaged(n) if n == k as u64 + 1
            ));
        }
    }
    let full = sealed(suite(), &text[..20 * 4096]);
    let longer = [&full[..], &[0; 3 * SEALED_CHUNK]].concat();
    assert!(matches!(refused(&longer, &text), Error::Extended(20)));
}

/// An input that fails after some chunks, and a chunk that is held back because nothing shows what follows it.
#[test]
fn threads_give_a_read_error_its_place() {
    struct Broken(Cursor<Vec<u8>>);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer)? {
                0 if !buffer.is_empty() => Err(std::io::ErrorKind::ConnectionReset.into()),
                count => Ok(count),
            }
        }
    }
    let text = text(40 * 4096);
    let file = sealed(suite(), &text);
    for (len, released) in [
        (HEADER_LEN, 0),
        (HEADER_LEN + SEALED_CHUNK, 0),
        (HEADER_LEN + 20 * SEALED_CHUNK + 1, 20),
    ] {
        let input = Broken(Cursor::new(file[..len].to_vec()));
        let mut out = Vec::new();
        let threads = NonZeroUsize::new(2).unwrap();
        let result = open_on_threads(&key(suite()), threads, input, &mut out, |_| {});
        assert!(matches!(result, Err(Error::Read(_))));
        assert!(out == text[..released * 4096]);
    }
}

/// What is held at once: at most 32 MiB or two chunks of what is read, and a batch a thread beside it.
#[test]
fn threads_hold_a_bounded_number_of_chunks() {
    let plan = |suite: &str, threads, len| {
        let threads = NonZeroUsize::new(threads).unwrap();
        parallel::Plan::new(Suite::by_name(suite).unwrap(), threads, len)
    };
    for (suite, most) in [("omd-sha512", 8), ("omd-sha256", 16)] {
        for log2 in 12..=24 {
            for threads in [1, 2, 3, 16, 256, usize::MAX] {
                let len = (1 << log2) + 32;
                let plan = plan(suite, threads, len);
                assert!(plan.buffers >= 2 && plan.threads >= 1 && plan.batch >= 1);
                assert!(plan.threads <= threads && plan.batch <= most);
                let held = plan.buffers * len;
                assert!(held <= parallel::MAX_HELD || plan.buffers == 2, "{plan:?}");
                assert!(plan.threads * plan.batch <= plan.buffers);
            }
        }
    }
    // As many a call as there are lanes: 8 of 64 bits, 16 of 32.
    for (suite, expected) in [
        ("otr-aes256-p", (32, 2, 8)),
        ("omd-blake2b", (32, 2, 8)),
        ("omd-sha256", (64, 2, 16)),
    ] {
        let plan = plan(suite, 2, (64 << 10) + 32);
        assert_eq!((plan.buffers, plan.threads, plan.batch), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), likely in 0usize..=48) {
        let mut bytes = bytes;
        let head = sealed(suite(), b"")[..likely].to_vec();
        if bytes.len() > likely {
            bytes[..likely].copy_from_slice(&head);
        }
        let (result, out) = opened(suite(), &bytes);
        prop_assert!(result.is_err() && out.is_empty());
    }

    /// Cuts out a stretch and puts other bytes in its place.
    #[test]
    fn survives_any_edit(len in 0usize..9000, at in any::<prop::sample::Index>(), cut in 0usize..5000,
                         put in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = text(len);
        let file = sealed(suite(), &text);
        let at = at.index(file.len());
        let end = (at + cut).min(file.len());
        let edited = [&file[..at], &put, &file[end..]].concat();
        if edited != file {
            refused(&edited, &text);
        }
    }

    #[test]
    fn opens_what_it_seals(len in 0usize..20000, which in 0..SUITES.len()) {
        let suite = &SUITES[which];
        let (result, out) = opened(suite, &sealed(suite, &text(len)));
        prop_assert_eq!(result.unwrap(), len as u64);
        prop_assert!(out == text(len));
    }
}

/// Recipients and a passphrase, as the executable specification makes them with ML-KEM, X25519 and Argon2id of its own.
#[test]
fn seals_and_opens_the_known_files_with_stanzas() {
    let text = text(100);
    let seeds = [0_u8, 32].map(|first| std::array::from_fn(|i| first + i as u8));
    let identities = seeds.map(|seed| Identity::from_seed(&seed));
    let recipients = identities
        .each_ref()
        .map(|identity| identity.recipient().clone());
    let expected = include_bytes!("../tests/data/v2-recipients.sealed");
    let lock = Lock::Recipients(&recipients);
    let setup = Setup::create(lock, &options(suite()), &mut counted()).unwrap();
    assert!(setup.header == expected[..setup.header.len()]);
    for identity in identities.chunks(1) {
        let mut out = Vec::new();
        open(identity, &expected[..], &mut out, |_| {}).unwrap();
        assert_eq!(out, text);
    }
    let expected = include_bytes!("../tests/data/v2-passphrase.sealed");
    let passphrase = Passphrase::new(b"open sesame")
        .unwrap()
        .cost(Cost::new(5, 2, 2).unwrap());
    let lock = Lock::Passphrase(&passphrase);
    let setup = Setup::create(lock, &options(suite()), &mut counted()).unwrap();
    assert!(setup.header == expected[..setup.header.len()]);
    let mut out = Vec::new();
    open(&passphrase, &expected[..], &mut out, |_| {}).unwrap();
    assert_eq!(out, text);
}
