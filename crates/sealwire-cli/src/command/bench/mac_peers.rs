// SPDX-License-Identifier: Apache-2.0
//! MACs of other libraries: keys set up before, where the algorithm lets them. Poly1305 takes a key a message.

use super::{Call, Case, Op, Subject, Work};
use aead::KeyInit;
use cmac::{Cmac, Mac};
use poly1305::Poly1305;
use ring::hmac;
use std::hint::black_box;

pub(super) fn subjects(bytes: usize) -> Vec<Subject> {
    let blake3 = {
        let text = vec![0x5a; bytes];
        move || {
            black_box(blake3::keyed_hash(&[0x42; 32], &text));
        }
    };
    let hmac_sha256 = {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &[0x42; 32]);
        let text = vec![0x5a; bytes];
        move || {
            black_box(hmac::sign(&key, &text));
        }
    };
    let poly1305 = {
        let text = vec![0x5a; bytes];
        move || {
            let key = black_box([0x42; 32]);
            black_box(Poly1305::new(&key.into()).compute_unpadded(&text));
        }
    };
    let aes_cmac = {
        let key = <Cmac<aes::Aes128> as KeyInit>::new(&[0x42; 16].into());
        let text = vec![0x5a; bytes];
        move || {
            black_box(key.clone().chain_update(&text).finalize());
        }
    };
    let all: [(&str, &'static str, Call); 4] = [
        ("blake3-keyed", "blake3", Box::new(blake3)),
        ("hmac-sha256", "ring", Box::new(hmac_sha256)),
        ("poly1305", "RustCrypto", Box::new(poly1305)),
        ("aes-128-cmac", "RustCrypto", Box::new(aes_cmac)),
    ];
    all.into_iter()
        .map(|(scheme, peer, call)| {
            let case = Case {
                scheme: scheme.to_owned(),
                op: Op::Tag,
                bytes,
                batch: 1,
                ad: 0,
                path: None,
                peer: Some(peer),
            };
            Subject::new(case, Work::Call(call))
        })
        .collect()
}
