// SPDX-License-Identifier: Apache-2.0
//! What opens a file and what does not: keys with purposes, recipients, passphrases; and what a header says without any of them.

use sealwire_file::{
    Cost, Error, Header, Identity, Key, KeyFileError, Lock, Options, Passphrase, Purpose,
    Recipient, Unlock, Way, open, seal,
};
use sealwire_link::suite::{SUITES, Suite};

fn options() -> Options {
    Options::default().chunk_size(4096).unwrap()
}

fn sealed<'a>(lock: impl Into<Lock<'a>>, text: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    seal(lock, &options(), text, &mut file, |_| {}).unwrap();
    file
}

/// The text, or the error; nothing of the text may come out with an error that the header gives.
fn opened<'a>(unlock: impl Into<Unlock<'a>>, file: &[u8]) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    open(unlock, file, &mut text, |_| {}).map(|_| text)
}

fn cheap(passphrase: &str) -> Passphrase {
    Passphrase::new(passphrase.as_bytes())
        .unwrap()
        .cost(Cost::new(3, 1, 1).unwrap())
}

fn identities(count: usize) -> Vec<Identity> {
    (0..count).map(|_| Identity::generate().unwrap()).collect()
}

fn recipients(identities: &[Identity]) -> Vec<Recipient> {
    identities.iter().map(|i| i.recipient().clone()).collect()
}

#[test]
fn every_recipient_opens_the_file_and_nobody_else() {
    let all = identities(4);
    let (in_file, outside) = all.split_at(3);
    let file = sealed(&recipients(in_file)[..], b"to three");
    assert_eq!(file.len(), 64 + 3 * 1184 + 32 + 8 + 16);
    for one in in_file.chunks(1) {
        assert_eq!(opened(one, &file).unwrap(), b"to three");
    }
    assert_eq!(opened(&all[2..], &file).unwrap(), b"to three");
    let error = opened(outside, &file).unwrap_err();
    assert!(matches!(error, Error::NotARecipient));
    assert_eq!(
        error.to_string(),
        "the file was not sealed to this identity, or its header is damaged"
    );
    assert!(matches!(
        opened(&all[..0], &file),
        Err(Error::NotARecipient)
    ));
}

#[test]
fn a_file_has_1_to_55_recipients() {
    let mut out = Vec::new();
    for count in [0, 56] {
        let many = recipients(&identities(count));
        let error = seal(&many[..], &options(), &b""[..], &mut out, |_| {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("a file is sealed to 1 to 55 recipients, not to {count}")
        );
        assert!(out.is_empty());
    }
    let all = identities(55);
    let file = sealed(&recipients(&all)[..], b"many");
    assert_eq!(opened(&all[54..], &file).unwrap(), b"many");
}

#[test]
fn a_recipient_that_comes_again_counts_once() {
    let all = identities(2);
    let [one, two] = recipients(&all).try_into().ok().unwrap();
    let mut many = vec![one; 60];
    many.push(two);
    let file = sealed(&many[..], b"to two");
    assert_eq!(file.len(), 64 + 2 * 1184 + 32 + 6 + 16);
    for one in all.chunks(1) {
        assert_eq!(opened(one, &file).unwrap(), b"to two");
    }
}

#[test]
fn every_suite_takes_recipients_and_passphrases() {
    let identity = identities(1);
    for suite in SUITES {
        let options = options().suite(suite);
        for lock in [
            Lock::from(&recipients(&identity)[..]),
            Lock::from(&cheap("open sesame")),
        ] {
            let mut file = Vec::new();
            seal(lock, &options, &b"text"[..], &mut file, |_| {}).unwrap();
            let text = match lock {
                Lock::Recipients(_) => opened(&identity[..], &file),
                _ => opened(&cheap("open sesame"), &file),
            };
            assert_eq!(text.unwrap(), b"text", "{}", suite.alias);
        }
    }
}

#[test]
fn only_the_passphrase_opens_the_file() {
    let file = sealed(&cheap("open sesame"), b"text");
    assert_eq!(file.len(), 64 + 84 + 32 + 4 + 16);
    // The file names the cost; that of the passphrase is for sealing.
    let same = Passphrase::new(b"open sesame").unwrap();
    assert_eq!(opened(&same, &file).unwrap(), b"text");
    for wrong in ["open sesam", "open sesame ", "Open sesame", "\0"] {
        let error = opened(&cheap(wrong), &file).unwrap_err();
        assert!(matches!(error, Error::WrongPassphrase));
        assert_eq!(error.to_string(), "wrong passphrase or damaged header");
    }
    assert!(matches!(Passphrase::new(b""), Err(Error::EmptyPassphrase)));
}

#[test]
fn costs_have_bounds() {
    for (memory, passes, lanes) in [(3, 1, 1), (20, 16, 16), (16, 3, 4), (7, 1, 16)] {
        assert!(Cost::new(memory, passes, lanes).is_ok());
    }
    for (memory, passes, lanes) in [
        (2, 1, 1),
        (21, 1, 1),
        (16, 0, 1),
        (16, 17, 1),
        (16, 1, 0),
        (16, 1, 17),
        (6, 1, 9),
    ] {
        let error = Cost::new(memory, passes, lanes).unwrap_err().to_string();
        assert!(error.contains("2^3 to 2^20 KiB"), "{error}");
    }
    assert_eq!(Cost::default().memory_kib(), 64 << 10);
}

/// Whatever is changed in a header with stanzas, the file is refused before a byte comes out.
#[test]
fn every_byte_of_a_header_with_stanzas_counts() {
    let all = identities(2);
    let file = sealed(&recipients(&all)[..], b"text");
    let header = file.len() - 36;
    for place in 0..header {
        let mut changed = file.clone();
        changed[place] ^= 1 << (place % 8);
        for one in all.chunks(1) {
            assert!(opened(one, &changed).is_err(), "byte {place}");
        }
        let cut = opened(&all[..1], &file[..place]).unwrap_err();
        let is_short = matches!(cut, Error::ShortHeader { given, .. } if given == place);
        assert!(is_short, "{place}: {cut}");
    }
    let passphrase = cheap("open sesame");
    let file = sealed(&passphrase, b"text");
    for bit in 0..(file.len() - 36) * 8 {
        let mut changed = file.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        // Costs of a changed header are those of a hostile one.
        if bit / 8 == 64 && changed[64] > 12 {
            continue;
        }
        assert!(opened(&passphrase, &changed).is_err(), "bit {bit}");
    }
}

/// The stanza of one file does not open another, even for its recipient.
#[test]
fn stanzas_cannot_be_moved_dropped_or_swapped() {
    let all = identities(2);
    let to = recipients(&all);
    let (a, b) = (sealed(&to[..], b"text"), sealed(&to[..], b"text"));
    let with = |stanzas: &[u8]| [&a[..64], stanzas, &a[64 + 2 * 1184..]].concat();
    assert!(opened(&all[..1], &with(&a[64..64 + 2 * 1184])).is_ok());
    let moved = with(&b[64..64 + 2 * 1184]);
    assert!(matches!(
        opened(&all[..], &moved),
        Err(Error::NotARecipient)
    ));
    let swapped = with(&[&a[64 + 1184..64 + 2 * 1184], &a[64..64 + 1184]].concat());
    assert!(matches!(opened(&all[..], &swapped), Err(Error::WrongKey)));
    let mut dropped = [&a[..64 + 1184], &a[64 + 2 * 1184..]].concat();
    dropped[14..16].copy_from_slice(&1184_u16.to_be_bytes());
    assert!(opened(&all[..], &dropped).is_err());
}

#[test]
fn a_file_says_what_opens_it_when_something_else_is_given() {
    let key = Key::generate(Suite::by_code(1).unwrap()).unwrap();
    let identity = identities(1);
    let passphrase = cheap("open sesame");
    let files = [
        (sealed(&key, b""), "a key file"),
        (
            sealed(&recipients(&identity)[..], b""),
            "a recipient's identity",
        ),
        (sealed(&passphrase, b""), "a passphrase"),
    ];
    let unlocks = [
        (Unlock::from(&key), "a key file"),
        (Unlock::from(&identity[..]), "an identity"),
        (Unlock::from(&passphrase), "a passphrase"),
    ];
    for (i, (file, needed)) in files.iter().enumerate() {
        for (j, (unlock, given)) in unlocks.iter().enumerate() {
            let result = opened(*unlock, file);
            if i == j {
                assert!(result.is_ok());
            } else {
                assert_eq!(
                    result.unwrap_err().to_string(),
                    format!("the file opens with {needed}, not with {given}")
                );
            }
        }
    }
    let old = include_bytes!("data/v1-suite01-1.sealed");
    let error = opened(&passphrase, old).unwrap_err().to_string();
    assert_eq!(
        error,
        "the file opens with a key file, not with a passphrase"
    );
}

#[test]
fn keys_for_something_else_neither_seal_nor_open() {
    let suite = Suite::by_code(1).unwrap();
    let link = Key::generate_for_link(suite).unwrap();
    let mut out = Vec::new();
    let error = seal(&link, &options(), &b""[..], &mut out, |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "it is a key for links, not for files");
    assert!(out.is_empty());
    let same = Key::from_bytes(link.as_bytes()).unwrap();
    let file = sealed(&same, b"text");
    assert!(matches!(
        opened(&link, &file),
        Err(Error::KeyPurpose(KeyFileError::OtherPurpose {
            given: Purpose::Link,
            wanted: Purpose::File
        }))
    ));
    assert!(matches!(
        opened(&link, include_bytes!("data/v1-suite01-1.sealed")),
        Err(Error::KeyPurpose(_))
    ));
}

#[test]
fn a_header_tells_what_it_holds_without_a_key() {
    let key = Key::generate(Suite::by_code(1).unwrap()).unwrap();
    let file = sealed(&key, &[7; 10_000]);
    let header = Header::read(&file[..]).unwrap();
    assert_eq!((header.version(), header.len()), (2, 96));
    assert_eq!(header.chunk_len(), 4096);
    assert_eq!(header.suite().alias, Options::DEFAULT_SUITE);
    assert_eq!(header.way(), Way::Key);
    assert_eq!(header.key_id(), Some(key.id(Purpose::File)));
    assert_eq!(header.contents(file.len() as u64), Some((10_000, 3)));
    for len in [0, 95, 96, 96 + 15, 96 + 4096 + 16 + 16] {
        assert_eq!(header.contents(len), None, "{len}");
    }
    assert_eq!(header.contents(96 + 16), Some((0, 1)));
    let old = &include_bytes!("data/v1-suite01-10000.sealed")[..];
    let header = Header::read(old).unwrap();
    assert_eq!((header.version(), header.key_id()), (1, None));
    assert_eq!(header.contents(old.len() as u64), Some((10_000, 3)));
    let file = sealed(&recipients(&identities(2))[..], b"");
    assert_eq!(Header::read(&file[..]).unwrap().way(), Way::Recipients(2));
    let cost = Cost::new(3, 1, 1).unwrap();
    let file = sealed(&cheap("x"), b"");
    assert_eq!(
        Header::read(&file[..]).unwrap().way(),
        Way::Passphrase(cost)
    );
}

#[test]
fn identities_and_recipients_are_files_too() {
    let identity = Identity::generate().unwrap();
    let recipient = identity.recipient();
    let (secret, public) = (identity.to_text(), recipient.to_text());
    assert!(public.len() < 4096 && public.contains("purpose: recipient\nid: "));
    let read = Identity::read(secret.as_bytes()).unwrap();
    assert_eq!(read.recipient().id(), recipient.id());
    assert_eq!(
        Recipient::read(public.as_bytes()).unwrap().id(),
        recipient.id()
    );
    let file = sealed(&[Recipient::read(public.as_bytes()).unwrap()][..], b"text");
    assert_eq!(opened(&[read][..], &file).unwrap(), b"text");

    let refusal = |error: Option<KeyFileError>| error.unwrap().to_string();
    let key = Key::generate(Suite::by_code(5).unwrap()).unwrap().to_text();
    for (error, words) in [
        (
            Recipient::read(secret.as_bytes()).err(),
            "it is a key for opening files as a recipient, not for sealing files to a recipient",
        ),
        (
            Identity::read(public.as_bytes()).err(),
            "it is a key for sealing files to a recipient, not for opening files as a recipient",
        ),
        (
            Identity::read(key.as_bytes()).err(),
            "it is a key for files, not for opening files as a recipient",
        ),
        (
            Key::read(secret.as_bytes()).err(),
            "it is a key for opening files as a recipient, not for files",
        ),
        (
            Identity::read("00".repeat(32).as_bytes()).err(),
            "it does not say `purpose: identity`",
        ),
        (
            Identity::read(format!("purpose: identity\n{}", "00".repeat(31)).as_bytes()).err(),
            "it holds 31 bytes, an identity has 32",
        ),
        (
            Recipient::read(format!("purpose: recipient\n{}", "00".repeat(31)).as_bytes()).err(),
            "it holds no public key of a recipient: one has 1216 bytes",
        ),
        (
            Recipient::read(format!("purpose: recipient\n{}", "00".repeat(1216)).as_bytes()).err(),
            "its X25519 point has small order",
        ),
        (
            Recipient::read(
                format!(
                    "purpose: recipient\n{}{}",
                    "09".repeat(32),
                    "ff".repeat(1184)
                )
                .as_bytes(),
            )
            .err(),
            "its ML-KEM-768 key is not in canonical form",
        ),
    ] {
        let error = refusal(error);
        assert!(error.contains(words), "{words:?} is missing in {error}");
    }
    let digit = public.trim_end().len() - 1;
    let mut changed = public.clone().into_bytes();
    changed[digit] = if changed[digit] == b'0' { b'1' } else { b'0' };
    let error = refusal(Recipient::read(&changed[..]).err());
    assert!(error.contains("one of them was changed"), "{error}");
}

fn keys(count: usize) -> Vec<Key> {
    let suite = Suite::by_code(1).unwrap();
    (0..count).map(|_| Key::generate(suite).unwrap()).collect()
}

/// A file sealed with this key, its id in the header and not.
fn with_and_without_id(key: &Key) -> [Vec<u8>; 2] {
    [options(), options().without_key_id()].map(|options| {
        let mut file = Vec::new();
        seal(key, &options, &b"text"[..], &mut file, |_| {}).unwrap();
        file
    })
}

#[test]
fn of_several_keys_and_identities_the_one_that_fits_opens() {
    let (keys, identities) = (keys(3), identities(2));
    let all = Unlock::AnyOf {
        keys: &keys,
        identities: &identities,
    };
    for key in &keys {
        for file in with_and_without_id(key) {
            assert_eq!(opened(all, &file).unwrap(), b"text");
        }
    }
    for one in &identities {
        let file = sealed(&[one.recipient().clone()][..], b"text");
        assert_eq!(opened(all, &file).unwrap(), b"text");
    }
    let error = opened(all, &sealed(&cheap("open sesame"), b"")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file opens with a passphrase, not with a key file or an identity"
    );
    let old = include_bytes!("data/v1-suite01-1.sealed");
    let error = opened(all, old).unwrap_err();
    assert!(matches!(error, Error::NoKey { named: None, .. }));
}

#[test]
fn when_none_of_several_fits_their_ids_are_said_and_nothing_secret() {
    let (keys, strangers) = (keys(3), identities(2));
    let only = |keys| Unlock::AnyOf {
        keys,
        identities: &strangers,
    };
    let id = |key: &Key| key.id(Purpose::File);
    let [named, unnamed] = with_and_without_id(&keys[0]);
    let tried = format!("tried: {}, {}", id(&keys[1]), id(&keys[2]));
    let said = |file: &[u8]| opened(only(&keys[1..]), file).unwrap_err().to_string();
    let start = "none of these keys opens the file, or its header is damaged: the header names";
    assert_eq!(
        said(&named),
        format!("{start} key {}; {tried}", id(&keys[0]))
    );
    assert_eq!(said(&unnamed), format!("{start} no key; {tried}"));
    for wrong in &keys[1..] {
        let digits = base16ct::lower::encode_string(wrong.as_bytes());
        assert!(!said(&named).contains(&digits[..16]));
    }
    // The key that is named is there, but the header was changed.
    let mut changed = named.clone();
    changed[63] ^= 1;
    let error = opened(only(&keys), &changed).unwrap_err();
    assert!(matches!(error, Error::WrongKey));

    let file = sealed(&recipients(&identities(1))[..], b"");
    let ids: Vec<_> = strangers
        .iter()
        .map(|i| i.recipient().id().to_string())
        .collect();
    assert_eq!(
        opened(only(&keys), &file).unwrap_err().to_string(),
        format!(
            "the file was sealed to none of these identities, or its header is damaged; tried: {}",
            ids.join(", ")
        )
    );
    let link = Key::generate_for_link(Suite::by_code(1).unwrap()).unwrap();
    let mixed = [link, Key::from_bytes(keys[0].as_bytes()).unwrap()];
    let error = opened(only(&mixed), &named).unwrap_err();
    assert!(matches!(error, Error::KeyPurpose(_)));
}

#[test]
fn a_list_of_recipients_is_their_files_or_their_lines() {
    let all = identities(3);
    let files: Vec<_> = all.iter().map(|one| one.recipient().to_text()).collect();
    let digits = files[2].lines().last().unwrap();
    let list = format!("# The team.\n\n{}\n# Bob\n{}{digits}", files[0], files[1]);
    let read = Recipient::read_list(list.as_bytes()).unwrap();
    assert_eq!(
        read.iter().map(Recipient::fingerprint).collect::<Vec<_>>(),
        all.iter()
            .map(|one| one.recipient().fingerprint())
            .collect::<Vec<_>>()
    );
    let file = sealed(&read[..], b"to the team");
    for one in all.chunks(1) {
        assert_eq!(opened(one, &file).unwrap(), b"to the team");
    }
}

#[test]
fn a_list_of_recipients_names_the_line_that_is_wrong() {
    let one = identities(1).remove(0);
    let file = one.recipient().to_text();
    let lines = file.lines().count();
    let digits = file.lines().last().unwrap();
    let other = identities(1)[0].recipient().id();
    let key = Key::generate(Suite::by_code(1).unwrap()).unwrap();
    for (list, words) in [
        (String::new(), "it names no recipient".to_owned()),
        ("# nobody\n".into(), "it names no recipient".into()),
        (
            format!("{file}xyz\n"),
            format!("line {} is not made of pairs", lines + 1),
        ),
        (
            format!("{file}{}\n", &digits[2..]),
            format!("line {}: it holds no public key", lines + 1),
        ),
        (
            format!("{file}\n{}", *one.to_text()),
            format!(
                "line {}: it is a key for opening files as a recipient",
                2 * lines + 1
            ),
        ),
        (
            format!("{file}{}", *key.to_text()),
            format!("line {}: it is a key for files", 2 * lines),
        ),
        (
            format!("id: {other}\n{digits}\n"),
            format!("line 2: its id is {other}"),
        ),
        (
            format!("{file}purpose: recipient\n"),
            format!(
                "line {} is a field of a recipient whose line of digits",
                lines + 1
            ),
        ),
        (
            "purpose: recipient\npurpose: recipient\n".into(),
            "line 2 is a field".into(),
        ),
        (format!("name: ann\n{digits}"), "line 1 is a field".into()),
        ("#".repeat(55 * 4096 + 1), "no list of recipients".into()),
    ] {
        let error = Recipient::read_list(list.as_bytes()).err().expect(&words);
        assert!(error.to_string().contains(&words), "{error} lacks: {words}");
        assert!(
            !error
                .to_string()
                .contains(&one.to_text().lines().last().unwrap()[..16])
        );
    }
}
