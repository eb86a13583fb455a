// SPDX-License-Identifier: Apache-2.0
//! The MACs: every known answer on every path, in pieces, many a call and through the traits; what is refused.
#![cfg(feature = "std")]
#![allow(missing_docs)]

mod support;

use proptest::prelude::*;
use proptest::sample::Index;
use sealwire::Error;
use sealwire::compress::Path;
use sealwire::digest::{FixedOutputReset, KeyInit, Mac, Reset};
use sealwire::kat::{self, Body};
use sealwire::mac::{self, *};
use std::path::PathBuf;
use std::sync::Mutex;
use support::on_every_path;

fn vectors() -> PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(vectors().join(format!("{name}.rsp"))).unwrap()
}

/// The designers publish no answers for the a-forms in the later convention.
const WITHOUT_ANSWERS: [&str; 2] = ["asconmacav13", "asconprfav13"];

/// Key, message and tag of every record.
fn records(name: &str) -> Vec<(Vec<u8>, Vec<u8>, Vec<u8>)> {
    let file = kat::parse(&text(name)).unwrap();
    let records = file.records.into_iter().map(|record| match record.body {
        Body::Mac { message, tag } => (record.key, message, tag),
        _ => panic!("{name}: not the form of a MAC"),
    });
    records.collect()
}

fn answered() -> impl Iterator<Item = MacScheme> {
    mac::schemes().filter(|scheme| !WITHOUT_ANSWERS.contains(&scheme.name()))
}

#[test]
fn every_known_answer_on_every_path() {
    on_every_path(|path| {
        let mut passed = 0;
        for scheme in answered() {
            let file = vectors().join(format!("{scheme}.rsp"));
            let report = kat::check_file(&file, None).unwrap();
            assert_eq!(report.failures, [], "{scheme} {path}");
            assert_eq!(report.scheme.name(), scheme.name());
            passed += report.passed;
        }
        assert_eq!(passed, 6 * 1025 + 2 * 17 + 5 * 197);
    });
}

/// The records of a file that have one key make one batch, of all lengths, once with forgeries among them.
#[test]
fn every_known_answer_many_messages_a_call() {
    on_every_path(|path| {
        for scheme in answered() {
            for same in records(&scheme.to_string()).chunk_by(|a, b| a.0 == b.0) {
                let scheme = scheme.with_tag_len(same[0].2.len()).unwrap();
                let mac = scheme.with_key(&same[0].0).unwrap();
                let mut tags = vec![vec![0; scheme.tag_len()]; same.len()];
                let mut messages: Vec<_> = same
                    .iter()
                    .zip(&mut tags)
                    .map(|((_, message, _), tag)| TagMessage::new(message, tag))
                    .collect();
                assert_eq!(mac.tag_batch(&mut messages), same.len());
                assert!(messages.iter().all(|m| m.result.is_ok()));
                for (tag, (_, message, expected)) in tags.iter().zip(same) {
                    assert_eq!(tag, expected, "{scheme} {path} {} bytes", message.len());
                }

                for tag in tags.iter_mut().skip(2).step_by(5) {
                    let last = tag.len() - 1;
                    tag[last] ^= 0x80;
                }
                let mut messages: Vec<_> = same
                    .iter()
                    .zip(&tags)
                    .map(|((_, message, _), tag)| VerifyMessage::new(message, tag))
                    .collect();
                let good = mac.verify_batch(&mut messages);
                assert_eq!(good, same.len() - (same.len() + 2) / 5);
                for (i, message) in messages.iter().enumerate() {
                    let expected = if i % 5 == 2 {
                        Err(Error::InvalidTag)
                    } else {
                        Ok(())
                    };
                    assert_eq!(message.result, expected, "{scheme} {path} message {i}");
                }
            }
        }
    });
}

fn bytes(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i * 31 + seed * 7 + i / 251) as u8)
        .collect()
}

/// Lengths at which lanes are full, begin, or hold a padded block alone.
#[test]
fn all_paths_agree_on_all_lengths() {
    for scheme in mac::schemes() {
        let mac = scheme.with_key(&bytes(16, 3)).unwrap();
        let most = scheme.max_message_len().unwrap_or(1000);
        let message = bytes(most, 1);
        let mut expected: Vec<[u8; 16]> = Vec::new();
        let tags = || -> Vec<[u8; 16]> {
            (0..=most)
                .map(|len| {
                    let mut tag = [0; 16];
                    mac.tag(&message[..len], &mut tag).unwrap();
                    tag
                })
                .collect()
        };
        let results = Mutex::new(Vec::new());
        on_every_path(|path| results.lock().unwrap().push((path, tags())));
        for (path, tags) in results.into_inner().unwrap() {
            if path == Path::Portable {
                expected = tags;
            } else {
                assert!(tags == expected, "{scheme} {path}");
            }
        }
        let mut all = expected;
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), most + 1, "{scheme}: no two lengths have one tag");
    }
}

/// A whole file of answers through a type.
fn typed<M: Mac + KeyInit + FixedOutputReset + Reset + Clone>(name: &str) {
    for (key, message, tag) in records(name) {
        let tag = &tag[..16];
        let new = || <M as KeyInit>::new_from_slice(&key).unwrap();
        let mut mac = new();
        for piece in message.chunks(17) {
            Mac::update(&mut mac, piece);
        }
        assert_eq!(mac.clone().finalize().into_bytes()[..], *tag, "{name}");
        mac.clone().verify_slice(tag).unwrap();
        assert_eq!(mac.finalize_reset().into_bytes()[..], *tag, "{name}");
        // A new message after the reset.
        let again = mac.clone().chain_update(&message);
        again.verify_slice(tag).unwrap();
        let other = mac.chain_update(&message).chain_update([0]);
        assert!(other.verify_slice(tag).is_err());
    }
}

#[test]
fn every_type_gives_the_answers_of_its_name() {
    typed::<AsconMac>("asconmacv13");
    typed::<AsconPrf>("asconprfv13");
    typed::<AsconMacV12>("asconmacv12");
    typed::<AsconMacAV12>("asconmacav12");
    typed::<AsconPrfV12>("asconprfv12");
    typed::<AsconPrfAV12>("asconprfav12");
    typed::<ExperimentalFsks64>("fsks64");
    typed::<ExperimentalFsks128>("fsks128");
    typed::<ExperimentalAsconPrf192>("asconprf192");
    typed::<ExperimentalAsconPrf64>("asconprf64");
    typed::<ExperimentalAsconFarfalle>("asconfarfalle");
}

/// The a-forms in the later convention have no answers of their own; they differ from the earlier convention's in what
/// the other forms prove: the type's name must at least be right.
#[test]
fn types_without_answers_have_the_scheme_of_their_name() {
    fn same<M: Mac + KeyInit>(name: &str) {
        let (key, message) = (bytes(16, 5), bytes(100, 6));
        let mut tag = [0; 16];
        let mac = mac::find(name).unwrap().with_key(&key).unwrap();
        mac.tag(&message, &mut tag).unwrap();
        let typed = <M as KeyInit>::new_from_slice(&key).unwrap();
        typed.chain_update(&message).verify_slice(&tag).unwrap();
    }
    same::<AsconMacA>("asconmacav13");
    same::<AsconPrfA>("asconprfav13");
}

#[test]
fn names_and_sizes() {
    for scheme in mac::schemes() {
        assert_eq!(mac::find(scheme.name()), Ok(scheme));
        if let Some(alias) = scheme.alias() {
            assert_eq!(alias.parse(), Ok(scheme));
        }
        assert_eq!((scheme.key_len(), scheme.tag_len()), (16, 16));
    }
    assert_eq!(mac::schemes().next().unwrap().alias(), Some("ascon-mac"));
    let experimental = mac::schemes().filter(MacScheme::experimental);
    let names: Vec<_> = experimental.map(|scheme| scheme.name()).collect();
    assert_eq!(
        names,
        [
            "fsks64",
            "fsks128",
            "asconprf192",
            "asconprf64",
            "asconfarfalle"
        ]
    );
    assert!(format!("{:?}", ExperimentalFsks64::new(&[0; 16].into())).starts_with("fsks64"));
    let error = mac::find("hmac").unwrap_err().to_string();
    assert!(
        error.contains("`hmac`") && error.contains("ascon-mac"),
        "{error}"
    );
}

#[test]
fn wrong_sizes_are_refused_and_nothing_is_written() {
    let length = |parameter, given, min, max| Error::Length {
        parameter,
        given,
        min,
        max,
    };
    for scheme in mac::schemes() {
        assert_eq!(
            scheme.with_key(&[0; 17]).unwrap_err(),
            length("key", 17, 16, 16)
        );
        let mac = scheme.with_key(&[0; 16]).unwrap();
        let mut tag = [0x55; 15];
        assert_eq!(mac.tag(b"", &mut tag), Err(length("tag", 15, 16, 16)));
        assert_eq!(tag, [0x55; 15]);
        assert_eq!(mac.verify(b"", &tag), Err(length("tag", 15, 16, 16)));
        let (mut long, mut right) = ([0x55; 17], [0; 16]);
        let mut messages = [
            TagMessage::new(b"one", &mut tag),
            TagMessage::new(b"two", &mut right),
            TagMessage::new(b"three", &mut long),
        ];
        assert_eq!(mac.tag_batch(&mut messages), 1);
        assert_eq!(messages[0].result, Err(length("tag", 15, 16, 16)));
        assert_eq!(messages[2].result, Err(length("tag", 17, 16, 16)));
        assert_eq!((tag, long), ([0x55; 15], [0x55; 17]));
        mac.verify(b"two", &right).unwrap();
    }
    for name in ["ascon-mac", "fsks-64", "ascon-farfalle"] {
        let scheme = mac::find(name).unwrap();
        assert_eq!(scheme.with_tag_len(8), Err(length("tag", 8, 16, 16)));
    }
    assert_eq!(
        mac::find("ascon-prf").unwrap().with_tag_len(0),
        Err(length("tag", 0, 1, usize::MAX))
    );
    let short = mac::find("ascon-prfs").unwrap();
    assert_eq!(short.with_tag_len(17), Err(length("tag", 17, 1, 16)));
    let mac = short.with_key(&[0; 16]).unwrap();
    let mut tag = [0x55; 16];
    assert_eq!(
        mac.tag(&[0; 17], &mut tag),
        Err(length("message", 17, 0, 16))
    );
    let mut message = mac.begin();
    for _ in 0..9 {
        message.update(&[0; 9]);
    }
    assert_eq!(message.finish(&mut tag), Err(length("message", 81, 0, 16)));
    assert_eq!(tag, [0x55; 16]);
}

/// Ascon-PRFshort binds the tag's length, Ascon-PRF's longer outputs begin with the shorter ones.
#[test]
fn tags_of_other_lengths() {
    let (key, message) = (bytes(16, 1), bytes(16, 2));
    let tag = |name: &str, len| {
        let mac = mac::find(name).unwrap().with_tag_len(len).unwrap();
        let mut tag = vec![0; len];
        let mac = mac.with_key(&key).unwrap();
        mac.tag(&message, &mut tag).unwrap();
        mac.verify(&message, &tag).unwrap();
        tag[len - 1] ^= 1;
        assert_eq!(mac.verify(&message, &tag), Err(Error::InvalidTag));
        tag[len - 1] ^= 1;
        tag
    };
    for name in ["ascon-prf", "ascon-prfa", "asconprfv12"] {
        let long = tag(name, 1000);
        for len in [1, 7, 8, 15, 16, 17, 31, 32, 33, 999] {
            assert_eq!(tag(name, len), long[..len], "{name} {len}");
        }
    }
    for name in ["asconprfsv12", "asconprfsv13"] {
        assert_ne!(tag(name, 8), tag(name, 16)[..8]);
    }
}

/// No scheme's tag is another's under the same key.
#[test]
fn schemes_are_apart() {
    let mut tags = Vec::new();
    for scheme in mac::schemes() {
        let mut tag = [0; 16];
        let mac = scheme.with_key(&[7; 16]).unwrap();
        mac.tag(b"one message", &mut tag).unwrap();
        tags.push(tag);
    }
    let count = tags.len();
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), count);
}

#[test]
fn an_empty_batch_is_no_work() {
    let mac = mac::find("fsks-64").unwrap().with_key(&[0; 16]).unwrap();
    assert_eq!(mac.tag_batch(&mut []), 0);
    assert_eq!(mac.verify_batch(&mut []), 0);
}

fn any_mac() -> impl Strategy<Value = DynMac> {
    (0..mac::schemes().len(), any::<[u8; 16]>())
        .prop_map(|(i, key)| mac::schemes().nth(i).unwrap().with_key(&key).unwrap())
}

fn fitting(mac: &DynMac, mut message: Vec<u8>) -> Vec<u8> {
    message.truncate(mac.scheme().max_message_len().unwrap_or(usize::MAX));
    message
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn pieces_do_not_matter(mac in any_mac(), message in prop::collection::vec(any::<u8>(), 0..1500), cuts in prop::collection::vec(any::<Index>(), 0..6)) {
        let message = fitting(&mac, message);
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(message.len() + 1)).collect();
        cuts.sort_unstable();
        let mut running = mac.begin();
        let mut from = 0;
        for cut in cuts.into_iter().chain([message.len()]) {
            running.update(&message[from..cut]);
            from = cut;
        }
        let mut tag = [0; 16];
        running.clone().finish(&mut tag).unwrap();
        running.verify(&tag).unwrap();
        mac.verify(&message, &tag).unwrap();
    }

    #[test]
    fn a_flipped_bit_is_refused(mac in any_mac(), message in prop::collection::vec(any::<u8>(), 1..700), at in any::<Index>()) {
        let message = fitting(&mac, message);
        let mut tag = [0; 16];
        mac.tag(&message, &mut tag).unwrap();
        let flip = |data: &[u8]| {
            let mut data = data.to_vec();
            let bit = at.index(8 * data.len());
            data[bit / 8] ^= 1 << (bit % 8);
            data
        };
        prop_assert_eq!(mac.verify(&message, &flip(&tag)), Err(Error::InvalidTag));
        prop_assert_eq!(mac.verify(&flip(&message), &tag), Err(Error::InvalidTag));
        prop_assert_eq!(mac.verify(&message[..message.len() - 1], &tag), Err(Error::InvalidTag));
    }

    /// Tags are those of single calls, on every path, however many messages there are and however long each is.
    #[test]
    fn a_batch_is_many_single_calls(mac in any_mac(), lengths in prop::collection::vec(prop_oneof![0..50_usize, 0..600_usize], 0..25)) {
        let messages: Vec<_> = lengths.iter().enumerate().map(|(i, len)| fitting(&mac, bytes(*len, i))).collect();
        let single: Vec<_> = messages.iter().map(|message| {
            let mut tag = [0; 16];
            mac.tag(message, &mut tag).unwrap();
            tag
        }).collect();
        on_every_path(|path| {
            let mut tags = vec![[0; 16]; messages.len()];
            let mut jobs: Vec<_> = messages.iter().zip(&mut tags).map(|(m, t)| TagMessage::new(m, t)).collect();
            assert_eq!(mac.tag_batch(&mut jobs), messages.len());
            assert_eq!(tags, single, "{} {path}", mac.scheme());
        });
    }

    #[test]
    fn no_name_makes_find_panic(name in ".{0,60}") {
        let _ = mac::find(&name);
    }
}
