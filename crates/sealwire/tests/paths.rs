// SPDX-License-Identifier: Apache-2.0
//! Every path of the compression functions and of AES gives the same answers, one message a call and many.
#![cfg(feature = "std")]
#![allow(missing_docs)]

mod support;

use proptest::prelude::*;
use sealwire::compress::Path;
use sealwire::kat::{self, Body};
use sealwire::scheme::{find, schemes};
use sealwire::{Ad, DynAead, Error, OpenPacket, SealPacket};
use support::on_every_path;

fn vectors(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../vectors")
        .join(name)
}

#[test]
fn every_known_answer_one_message_a_call() {
    on_every_path(|path| {
        for scheme in schemes() {
            let short = vectors(&format!("{scheme}.rsp"));
            let long = Some(vectors(&format!("{scheme}.long.rsp"))).filter(|file| file.exists());
            for file in [short].into_iter().chain(long) {
                let text = std::fs::read_to_string(&file).unwrap();
                let report = kat::check_file(&file, None).unwrap();
                assert_eq!(report.failures, [], "{path} {}", file.display());
                let records = text
                    .lines()
                    .filter(|line| line.starts_with("Count ="))
                    .count();
                assert!(
                    records > 0 && report.passed == records,
                    "{}",
                    file.display()
                );
            }
        }
    });
}

/// A message that ought to come out of a batch.
struct Known {
    nonce: Vec<u8>,
    ad: Vec<u8>,
    plaintext: Vec<u8>,
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

impl Known {
    /// What sealing alone gives now.
    fn new(aead: &DynAead, nonce: Vec<u8>, ad: Vec<u8>, plaintext: Vec<u8>) -> Self {
        let mut ciphertext = aead.seal(&nonce, &ad, &plaintext).unwrap();
        let tag = ciphertext.split_off(plaintext.len());
        Self {
            nonce,
            ad,
            plaintext,
            ciphertext,
            tag,
        }
    }
}

/// The tag of a record: zeros fill that of AES-COPA up.
fn filled(tag: &[u8], len: usize) -> Vec<u8> {
    let mut tag = tag.to_vec();
    tag.resize(len, 0);
    tag
}

/// Seals and opens all of them in one batch; the tags whose index `forged` names come with a wrong bit.
fn check_batch(aead: &DynAead, known: &[Known], forged: impl Fn(usize) -> bool) {
    let mut buffers: Vec<_> = known.iter().map(|k| k.plaintext.clone()).collect();
    let mut tags: Vec<_> = known.iter().map(|k| vec![0; k.tag.len()]).collect();
    let mut packets: Vec<_> = known
        .iter()
        .zip(buffers.iter_mut().zip(&mut tags))
        .map(|(k, (buffer, tag))| SealPacket::new(&k.nonce, &k.ad, buffer, tag))
        .collect();
    assert_eq!(aead.seal_batch(&mut packets), known.len());
    assert!(packets.iter().all(|p| p.result.is_ok()));
    for (i, k) in known.iter().enumerate() {
        assert_eq!(buffers[i], k.ciphertext, "message {i}");
        assert_eq!(tags[i], k.tag, "tag {i}");
    }

    for (i, tag) in tags.iter_mut().enumerate().filter(|(i, _)| forged(*i)) {
        let at = i % tag.len();
        tag[at] ^= 1 << (i % 8);
    }
    let mut packets: Vec<_> = known
        .iter()
        .zip(buffers.iter_mut().zip(&tags))
        .map(|(k, (buffer, tag))| OpenPacket::new(&k.nonce, &k.ad, buffer, tag))
        .collect();
    let good = (0..known.len()).filter(|i| !forged(*i)).count();
    assert_eq!(aead.open_batch(&mut packets), good);
    for (i, (p, k)) in packets.iter().zip(known).enumerate() {
        if forged(i) {
            assert_eq!(p.result, Err(Error::InvalidTag));
            assert!(p.buffer.iter().all(|&b| b == 0), "message {i} is wiped");
        } else {
            assert_eq!(p.result, Ok(()));
            assert_eq!(p.buffer, &k.plaintext[..], "message {i}");
        }
    }
}

/// The records of a file that have one key make one batch, of all lengths.
#[test]
fn every_known_answer_many_messages_a_call() {
    let mut widest = 0;
    on_every_path(|_| {
        for scheme in schemes() {
            let text = std::fs::read_to_string(vectors(&format!("{scheme}.rsp"))).unwrap();
            let file = kat::parse(&text).unwrap();
            for records in file.records.chunk_by(|a, b| a.key == b.key) {
                let aead = scheme.with_key(&records[0].key).unwrap();
                let known: Vec<_> = records
                    .iter()
                    .map(|record| match &record.body {
                        Body::Full {
                            nonce,
                            ad,
                            plaintext,
                            sealed,
                        } => {
                            let (ciphertext, tag) = sealed.split_at(plaintext.len());
                            Known {
                                nonce: nonce.clone(),
                                ad: ad.clone(),
                                plaintext: plaintext.clone(),
                                ciphertext: ciphertext.to_vec(),
                                tag: filled(tag, scheme.tag_len()),
                            }
                        }
                        _ => panic!("not the full form"),
                    })
                    .collect();
                widest = widest.max(known.len());
                check_batch(&aead, &known, |i| i % 5 == 2);
            }
        }
    });
    assert!(widest > 100, "batches that fill and refill all lanes");
}

const LONG: [&str; 17] = [
    "omd-sha512",
    "omd-blake2b",
    "omd-sha256",
    "pomd-sha512",
    "pomd-blake2b",
    "pomd-sha256",
    "sivomdp-sha512",
    "sivomds-sha256",
    "sivomds-sha512",
    "otr-aes128-p",
    "otr-aes128-s",
    "otr-aes128-c",
    "otr-aes256-p",
    "gcm-aes128",
    "aegis-128l",
    "deoxys-ii-128",
    "colm-aes128",
];

fn bytes(len: usize, seed: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i * 31 + seed * 7 + i / 251) as u8)
        .collect()
}

/// Messages that are in step for a long way, with as much associated data, more and less.
#[test]
fn long_messages_in_step() {
    for name in LONG {
        let scheme = find(name).unwrap();
        let aead = scheme.with_key(&bytes(scheme.key_len(), 1)).unwrap();
        for lanes in [1, 2, 3, 4, 5, 7, 8, 9, 16, 21] {
            for (ad_len, skew) in [(0, 0), (5000, 0), (700, 64), (2000, 1)] {
                let known: Vec<_> = (0..lanes)
                    .map(|i| {
                        let nonce = bytes(scheme.nonce_len(), i);
                        Known::new(&aead, nonce, bytes(ad_len, i), bytes(2000 + skew * i, i))
                    })
                    .collect();
                on_every_path(|_| check_batch(&aead, &known, |i| i == lanes / 2));
            }
        }
    }
}

/// AES-OTR at every length up to some chunks after the second full group of any engine (512 bytes with AVX-512, 256 with
/// less): whole chunks in any number of lanes, and every last chunk behind them. So much for associated data too, whose
/// groups have half as many bytes. The portable path says what is right.
#[test]
fn otr_messages_of_every_length() {
    for name in ["otr-aes128-p", "otr-aes256-c"] {
        let scheme = find(name).unwrap();
        let aead = scheme.with_key(&bytes(scheme.key_len(), 1)).unwrap();
        let mut known = Vec::new();
        on_every_path(|path| {
            if path == Path::Portable {
                let messages = (0..1130).map(|len| {
                    let (nonce, ad) = (bytes(scheme.nonce_len(), len), bytes(7 * len % 600, len));
                    Known::new(&aead, nonce, ad, bytes(len, len))
                });
                known = messages.collect();
            }
            check_batch(&aead, &known, |i| i % 3 == 1);
            for k in &known {
                check_batch(&aead, core::slice::from_ref(k), |_| false);
            }
            for k in known.iter().step_by(7) {
                check_batch(&aead, core::slice::from_ref(k), |_| true);
            }
        });
        assert_eq!(known.len(), 1130);
    }
}

/// The one block in 65536 whose L is not in the table.
#[test]
fn messages_longer_than_the_table() {
    for (name, lanes) in [("omd-sha256", 16), ("pomd-sha256", 8)] {
        let scheme = find(name).unwrap();
        let aead = scheme.with_key(&bytes(scheme.key_len(), 1)).unwrap();
        let message = bytes(32 * ((1 << 16) + 3), 0);
        let nonce = bytes(scheme.nonce_len(), 0);
        let mut expected = Vec::new();
        on_every_path(|path| {
            if path == Path::Portable {
                expected = aead.seal(&nonce, &[1, 2, 3], &message).unwrap();
                return; // a batch knows no other way on this path
            }
            let mut sealed = vec![expected.clone(); lanes];
            let mut packets: Vec<_> = sealed
                .iter_mut()
                .map(|s| {
                    let (buffer, tag) = s.split_at_mut(message.len());
                    buffer.copy_from_slice(&message);
                    SealPacket::new(&nonce, &[1, 2, 3], buffer, tag)
                })
                .collect();
            assert_eq!(aead.seal_batch(&mut packets), lanes);
            assert!(sealed.iter().all(|s| *s == expected), "{name} {path}");
        });
    }
}

/// A packet as a caller may hand it in.
#[derive(Clone, Debug)]
struct Drawn {
    message: usize,
    ad: usize,
    /// Bytes, a session of this key, a session of another one
    ad_kind: u8,
    short_nonce: bool,
    long_tag: bool,
    forged: bool,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let kind = prop_oneof![3 => Just(0), 2 => Just(1), 1 => Just(2)];
    let length = prop_oneof![0..300_usize, 0..2000_usize];
    let rare = || proptest::bool::weighted(0.08);
    (
        length.clone(),
        length,
        kind,
        rare(),
        rare(),
        proptest::bool::ANY,
    )
        .prop_map(
            |(message, ad, ad_kind, short_nonce, long_tag, forged)| Drawn {
                message,
                ad,
                ad_kind,
                short_nonce,
                long_tag,
                forged,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Results, ciphertexts, tags and refusals are those of single calls, on every path.
    #[test]
    fn a_batch_is_many_single_calls(name in proptest::sample::select(&LONG[..]), drawn in prop::collection::vec(drawn(), 0..40)) {
        let scheme = find(name).unwrap();
        let aead = scheme.with_key(&bytes(scheme.key_len(), 1)).unwrap();
        let other = scheme.with_key(&bytes(scheme.key_len(), 2)).unwrap();
        let nonces: Vec<_> = drawn.iter().enumerate()
            .map(|(i, d)| bytes(scheme.nonce_len() - usize::from(d.short_nonce), i)).collect();
        let ads: Vec<_> = drawn.iter().enumerate().map(|(i, d)| bytes(d.ad, i)).collect();
        let sessions: Vec<_> = drawn.iter().zip(&ads).map(|(d, ad)| match d.ad_kind {
            1 => aead.with_session_ad(ad).ok(),
            2 => other.with_session_ad(ad).ok(),
            _ => None,
        }).collect();
        let ad = |i: usize| sessions[i].as_ref().map_or(Ad::from(&ads[i]), Ad::from);
        let tags: Vec<_> = drawn.iter().map(|d| vec![0; scheme.tag_len() + usize::from(d.long_tag)]).collect();
        let texts: Vec<_> = drawn.iter().enumerate().map(|(i, d)| bytes(d.message, i)).collect();

        let mut single = (texts.clone(), tags.clone(), Vec::new());
        for (i, nonce) in nonces.iter().enumerate() {
            single.2.push(aead.seal_in_place_detached(nonce, ad(i), &mut single.0[i], &mut single.1[i]));
        }
        on_every_path(|path| {
            let mut batch = (texts.clone(), tags.clone());
            let mut packets: Vec<_> = batch.0.iter_mut().zip(&mut batch.1).enumerate()
                .map(|(i, (text, tag))| SealPacket::new(&nonces[i], ad(i), text, tag)).collect();
            let sealed = aead.seal_batch(&mut packets);
            let results: Vec<_> = packets.into_iter().map(|p| p.result).collect();
            assert_eq!(sealed, results.iter().filter(|r| r.is_ok()).count());
            assert_eq!((&batch.0, &batch.1, &results), (&single.0, &single.1, &single.2), "{name} {path}");
        });

        for (i, d) in drawn.iter().enumerate().filter(|(_, d)| d.forged) {
            single.1[i][d.message % scheme.tag_len()] ^= 0x40;
        }
        let sealed = single;
        let mut opened = (sealed.0.clone(), Vec::new());
        for (i, nonce) in nonces.iter().enumerate() {
            opened.1.push(aead.open_in_place_detached(nonce, ad(i), &mut opened.0[i], &sealed.1[i]));
        }
        on_every_path(|path| {
            let mut texts = sealed.0.clone();
            let mut packets: Vec<_> = texts.iter_mut().zip(&sealed.1).enumerate()
                .map(|(i, (text, tag))| OpenPacket::new(&nonces[i], ad(i), text, tag)).collect();
            let good = aead.open_batch(&mut packets);
            let results: Vec<_> = packets.into_iter().map(|p| p.result).collect();
            assert_eq!(good, results.iter().filter(|r| r.is_ok()).count());
            assert_eq!((&texts, &results), (&opened.0, &opened.1), "{name} {path}");
        });
    }
}
