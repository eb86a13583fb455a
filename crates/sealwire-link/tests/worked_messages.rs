// SPDX-License-Identifier: Apache-2.0
//! The two ends say, byte for byte, what an independent executable model says.

mod support;

use sealwire_link::{
    endpoint::{Random, Timers},
    packet::Verdict,
    suite::{SUITES, Suite},
    wire::Version,
};
use std::{collections::HashMap, time::Duration};
use support::{I, R, end_of, frame, poll, receive, seal};

fn unhex(digits: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// The messages of one suite by name.
fn messages(version: Version, suite: &Suite) -> HashMap<&'static str, Vec<u8>> {
    let code = format!("{:02x} ", suite.code);
    let text = match version {
        Version::One => include_str!("data/worked-messages-1.txt"),
        Version::Two => include_str!("data/worked-messages.txt"),
    };
    text.lines()
        .filter_map(|line| line.strip_prefix(&code))
        .map(|line| {
            let (name, digits) = line.split_once(' ').unwrap();
            (name, unhex(digits))
        })
        .collect()
}

/// Counts up from `first`, then gives other values.
fn counting(first: u8) -> Random {
    let mut next = first;
    Box::new(move |bytes| {
        bytes.fill_with(|| {
            next = next.wrapping_add(1);
            next.wrapping_sub(1)
        });
        Ok(())
    })
}

#[test]
fn a_whole_handshake_is_the_models() {
    a_whole_handshake(Version::Two);
}

#[test]
fn a_whole_handshake_of_version_1_is_the_models() {
    a_whole_handshake(Version::One);
}

fn a_whole_handshake(version: Version) {
    for suite in SUITES {
        let expected = messages(version, suite);
        assert_eq!(expected.len(), 7, "suite {:02x}", suite.code);
        let end = |local, peer, first| {
            let end = end_of(
                version,
                suite,
                local,
                peer,
                Timers::default(),
                counting(first),
            );
            end.with_wall_clock(Box::new(|| 0xb0b1_b2b3_b4b5_b6b7))
        };
        let (mut i, mut r) = (end(I, R, 0xa0), end(R, I, 0xc0));
        let now = Duration::ZERO;
        let said = poll(&mut i, now);
        assert_eq!(said, [&expected["hello"][..]]);
        let said = receive(&mut r, now, &said[0]).said;
        assert_eq!(said, [&expected["hello-reply"][..]]);
        let said = receive(&mut i, now, &said[0]).said;
        assert_eq!(
            said,
            [&expected["confirm"][..], &expected["keep-alive-i-r"][..]]
        );
        assert!(receive(&mut r, now, &said[0]).said.is_empty());
        let said = receive(&mut r, now, &said[1]).said;
        assert_eq!(said, [&expected["keep-alive-r-i"][..]]);
        assert_eq!(receive(&mut i, now, &said[0]).verdict, Verdict::KeepAlive);
        let packet = seal(&mut i, now, &frame(60)).unwrap();
        assert_eq!(packet, expected["frame-i-r"], "suite {:02x}", suite.code);
        assert_eq!(receive(&mut r, now, &packet).frame, Some(frame(60)));
        let packet = seal(&mut r, now, &frame(60)).unwrap();
        assert_eq!(packet, expected["frame-r-i"], "suite {:02x}", suite.code);
        assert_eq!(receive(&mut i, now, &packet).frame, Some(frame(60)));
    }
}
