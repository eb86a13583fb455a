// SPDX-License-Identifier: Apache-2.0
//! COLM_0, AES-COPA and Minalpher, whose ciphertexts are longer than the message: on every path, all answers of the designers' code, and
//! what only the check of the padding, the last byte or the zeros refuses.
#![cfg(feature = "std")]
#![allow(missing_docs)]

mod support;

use sealwire::scheme::find;
use sealwire::{DynAead, Error, kat};
use std::sync::Mutex;

const SCHEMES: [&str; 3] = ["colm0v1", "aescopav2", "minalpherv11"];
const LENGTHS: [usize; 10] = [0, 1, 7, 15, 16, 17, 31, 32, 33, 48];

fn on_every_path(test: impl Fn(&DynAead)) {
    support::on_every_path(|_| {
        for scheme in SCHEMES {
            test(&find(scheme).unwrap().with_key(&text(16)).unwrap());
        }
    });
}

fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 13 + i / 16 + 5) as u8).collect()
}

fn sealed(aead: &DynAead, len: usize) -> (Vec<u8>, Vec<u8>) {
    let nonce = text(aead.scheme().nonce_len());
    let sealed = aead.seal(&nonce, b"header", &text(len)).unwrap();
    (nonce, sealed)
}

fn refused(aead: &DynAead, nonce: &[u8], forged: &[u8], why: &str) {
    let result = aead.open(nonce, b"header", forged);
    assert_eq!(result, Err(Error::InvalidTag), "{} {why}", aead.scheme());
}

#[test]
fn answers_of_the_designers_code() {
    on_every_path(|aead| {
        for form in ["", ".long"] {
            let name = format!("{}{form}.rsp", aead.scheme());
            let folder = format!("{}/../../vectors", env!("CARGO_MANIFEST_DIR"));
            let report = kat::check_file(format!("{folder}/{name}"), None).unwrap();
            assert_eq!(report.failures, [], "{name}");
        }
    });
}

/// Groups of blocks, what is left of them, and the blocks behind the group whose masks are made anew.
#[test]
fn every_path_gives_what_portable_code_gives() {
    let lengths = || (0..600).chain([1023, 1024, 1057, 2047, 2048, 2111, 2592, 4133]);
    let ad = |len: usize| text(len / 2 + len % 7);
    // Of the first path, which is the portable one.
    let mut expected = None;
    support::on_every_path(|path| {
        let mut made = Vec::new();
        for scheme in SCHEMES {
            let aead = find(scheme).unwrap().with_key(&text(16)).unwrap();
            let nonce = text(aead.scheme().nonce_len());
            for len in lengths() {
                let sealed = aead.seal(&nonce, &ad(len), &text(len)).unwrap();
                let opened = aead.open(&nonce, &ad(len), &sealed);
                assert!(opened == Ok(text(len)), "{scheme} {path} {len}");
                made.push((scheme, len, sealed));
            }
        }
        let expected: &Vec<_> = expected.get_or_insert_with(|| made.clone());
        for (made, expected) in made.iter().zip(expected) {
            let (scheme, len, _) = expected;
            assert!(made == expected, "{scheme} {path} {len}");
        }
    });
}

#[test]
fn no_changed_byte_passes() {
    on_every_path(|aead| {
        for len in LENGTHS {
            let (nonce, sealed) = sealed(aead, len);
            for at in 0..sealed.len() {
                let mut forged = sealed.clone();
                for bit in 0..8 {
                    forged[at] ^= 1 << bit;
                    refused(aead, &nonce, &forged, &format!("{len}: bit {bit} of {at}"));
                    forged[at] ^= 1 << bit;
                }
            }
        }
    });
}

/// What is cut off at the end still has the right tag where only the last block's length is in doubt: the padding decides.
#[test]
fn a_message_cannot_be_shortened_within_its_last_block() {
    on_every_path(|aead| {
        for blocks in [0, 16, 64, 256] {
            for rest in 1..16 {
                let (nonce, sealed) = sealed(aead, blocks + rest);
                for less in 1..=rest {
                    let forged = &sealed[..sealed.len() - less];
                    refused(aead, &nonce, forged, &format!("{blocks} + {rest} - {less}"));
                }
            }
        }
    });
}

/// AES-COPA's last byte says whether the last block is padded; zeros are behind it.
#[test]
fn the_byte_behind_the_tag_of_copa_and_the_zeros_have_one_value() {
    let aead = find("aescopav2").unwrap().with_key(&text(16)).unwrap();
    for len in LENGTHS {
        let (nonce, sealed) = sealed(&aead, len);
        let end = aead.scheme().published_len(len);
        assert_eq!(end % 16, 1);
        assert_eq!(sealed[end - 1], u8::from(len == 0 || len % 16 != 0));
        assert!(sealed[end..].iter().all(|&byte| byte == 0), "{len}");
        for value in 0..=255 {
            let mut forged = sealed.clone();
            forged[end - 1] = value;
            if value != sealed[end - 1] {
                refused(&aead, &nonce, &forged, &format!("{len}: {value}"));
            }
        }
    }
}

/// Every length up to some groups of blocks comes back, and is sealed to the same on every path.
#[test]
fn lengths_around_the_groups_of_blocks() {
    let made = Mutex::new(Vec::<Vec<Vec<u8>>>::new());
    on_every_path(|aead| {
        let every = (0..600).map(|len| {
            let (nonce, sealed) = sealed(aead, len);
            let opened = aead.open(&nonce, b"header", &sealed).unwrap();
            assert_eq!(opened, text(len), "{} {len}", aead.scheme());
            sealed
        });
        made.lock().unwrap().push(every.collect());
    });
    let made = made.into_inner().unwrap();
    for (at, path) in made.iter().enumerate() {
        assert!(*path == made[at % SCHEMES.len()]);
    }
}
