// SPDX-License-Identifier: Apache-2.0
//! The header's parser against rules 1 and 2 of docs/wire-format.md, for every value of every field beside fixed others.
//!
//! For every suite, version and kind of end:
//!
//! | what takes every value | beside |
//! |---|---|
//! | byte 0 and byte 1 together | bodies of the shortest data packet, of a handshake message, of neither |
//! | the length field | each type; a packet that ends there, one byte before and one byte after |
//! | the length field 0 to 64 and the packet's length 0 to 80 together | each type |
//! | each byte of session id and number | the others zero, and the others ff |
#![allow(missing_docs)]

use sealwire_link::suite::{SUITES, Suite};
use sealwire_link::wire::{Accepts, DropCause, Header, Version};

/// Suite, t, n in bytes: the table of suites.
const SIZES: [(u8, usize, usize); 16] = [
    (0x01, 32, 64),
    (0x02, 32, 64),
    (0x03, 32, 64),
    (0x04, 32, 64),
    (0x05, 20, 32),
    (0x11, 16, 64),
    (0x12, 16, 64),
    (0x21, 16, 64),
    (0x22, 16, 64),
    (0x31, 16, 64),
    (0x32, 16, 64),
    (0x41, 16, 64),
    (0x42, 16, 64),
    (0x51, 16, 64),
    (0x61, 16, 64),
    (0x62, 16, 64),
];

/// What the specification says of an end.
#[derive(Clone, Copy)]
struct End {
    suite: &'static Suite,
    tag_len: usize,
    handshake_len: usize,
    version: Version,
    accepts: Accepts,
    /// "The initiator takes 0 and 2, the responder 0, 1 and 3, an end with the handshake off only 0."
    types: &'static [u8],
}

fn ends() -> Vec<End> {
    let mut ends = Vec::new();
    for (code, tag_len, n) in SIZES {
        for version in [Version::One, Version::Two] {
            for (accepts, types) in [
                (Accepts::Initiator, &[0, 2][..]),
                (Accepts::Responder, &[0, 1, 3]),
                (Accepts::DataOnly, &[0]),
            ] {
                ends.push(End {
                    suite: Suite::by_code(code).unwrap(),
                    tag_len,
                    handshake_len: 24 + n / 2,
                    version,
                    accepts,
                    types,
                });
            }
        }
    }
    ends
}

impl End {
    /// The first rule that a packet breaks, in the order of the specification.
    fn breaks(&self, packet: &[u8]) -> Option<DropCause> {
        let byte = |i: usize| usize::from(packet[i]);
        if packet.len() < 16 {
            return Some(DropCause::Short);
        }
        let (version, kind) = (packet[0] / 16, packet[0] % 16);
        let length = 256 * byte(2) + byte(3);
        let data_len = self.tag_len + 1..self.tag_len + 9600 + 1;
        let wrong_length = match kind {
            0 => !data_len.contains(&length),
            _ => length != self.handshake_len,
        };
        let wrong_version = version != if self.version == Version::One { 1 } else { 2 };
        [
            (16 + length > packet.len(), DropCause::Short),
            (wrong_version, DropCause::Version),
            (!self.types.contains(&kind), DropCause::Type),
            (packet[1] != self.suite.code, DropCause::Suite),
            (wrong_length, DropCause::Length),
        ]
        .into_iter()
        .find_map(|(broken, cause)| broken.then_some(cause))
    }

    /// True if the packet is accepted, which must be right, and all fields must be read as they stand there.
    fn check(&self, packet: &[u8]) -> bool {
        let parsed = Header::parse(packet, self.suite, self.version, self.accepts);
        let start = &packet[..packet.len().min(20)];
        let about = || {
            format!(
                "{}, {:?}, {:?}: {start:02x?}",
                self.suite.alias, self.version, self.accepts
            )
        };
        assert_eq!(parsed.err(), self.breaks(packet), "{}", about());
        let Ok(header) = parsed else {
            return false;
        };
        let number = packet[8..16]
            .iter()
            .fold(0, |number, byte| 256 * number + u64::from(*byte));
        assert_eq!(header.packet_type as u8, packet[0] % 16, "{}", about());
        assert_eq!(
            usize::from(header.length),
            256 * usize::from(packet[2]) + usize::from(packet[3]),
            "{}",
            about()
        );
        assert_eq!(header.session, packet[4..8], "{}", about());
        assert_eq!(header.number, number, "{}", about());
        assert_eq!(header.to_bytes(), packet[..16], "{}", about());
        true
    }

    fn packet(&self, kind: u8, length: usize, body: usize) -> Vec<u8> {
        let [l0, l1] = (length as u16).to_be_bytes();
        let mut packet = vec![16 * self.version as u8 + kind, self.suite.code, l0, l1];
        packet.extend([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        packet.resize(16 + body, 0);
        packet
    }

    fn length_of(&self, kind: u8) -> usize {
        if kind == 0 {
            self.tag_len + 1
        } else {
            self.handshake_len
        }
    }
}

#[test]
fn the_table_has_every_suite() {
    let codes: Vec<_> = SUITES.iter().map(|suite| suite.code).collect();
    assert_eq!(codes, SIZES.map(|(code, ..)| code));
}

#[test]
fn every_version_type_and_suite() {
    for end in ends() {
        for length in [end.length_of(0), end.length_of(1), 3] {
            let mut packet = end.packet(0, length, length);
            let mut accepted = 0;
            for (first, second) in
                (0..=0xff).flat_map(|first| (0..=0xff).map(move |second| (first, second)))
            {
                packet[..2].copy_from_slice(&[first, second]);
                accepted += usize::from(end.check(&packet));
            }
            // A handshake message has a length that data may have, too.
            let expected = match length {
                3 => 0,
                _ if length == end.handshake_len => end.types.len(),
                _ => 1,
            };
            assert_eq!(accepted, expected);
        }
    }
}

#[test]
fn every_length() {
    for end in ends() {
        for kind in 0..4 {
            let mut packet = end.packet(kind, 0, usize::from(u16::MAX) + 1);
            let mut accepted = 0;
            for length in 0..=u16::MAX {
                packet[2..4].copy_from_slice(&length.to_be_bytes());
                let stated = 16 + usize::from(length);
                assert!(
                    !end.check(&packet[..stated - 1]),
                    "the last byte is missing"
                );
                let exact = end.check(&packet[..stated]);
                assert_eq!(end.check(&packet[..stated + 1]), exact, "a byte of padding");
                accepted += usize::from(exact);
            }
            let expected = match (end.types.contains(&kind), kind) {
                (false, _) => 0,
                (true, 0) => 9600,
                (true, _) => 1,
            };
            assert_eq!(accepted, expected);
        }
    }
}

#[test]
fn every_short_packet() {
    for end in ends() {
        for kind in 0..4 {
            for length in 0..=64 {
                let packet = end.packet(kind, length, 64);
                for end_of_packet in 0..=packet.len() {
                    end.check(&packet[..end_of_packet]);
                }
            }
        }
    }
}

#[test]
fn every_byte_of_session_id_and_number() {
    for end in ends() {
        for &kind in end.types {
            let length = end.length_of(kind);
            let mut packet = end.packet(kind, length, length);
            for others in [0, 0xff] {
                for at in 4..16 {
                    packet[4..16].fill(others);
                    for byte in 0..=0xff {
                        packet[at] = byte;
                        assert!(end.check(&packet), "these fields are judged later");
                    }
                }
            }
        }
    }
}
