// SPDX-License-Identifier: Apache-2.0
//! The parsers by themselves: header, fields of a handshake message, parts of a loaded session.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwire_link::{
    handshake::Fields,
    session::SessionKeys,
    suite::SUITES,
    wire::{Accepts, HEADER_LEN, Header, Version},
};

fuzz_target!(|packet: &[u8]| {
    for suite in SUITES {
        for accepts in [Accepts::DataOnly, Accepts::Initiator, Accepts::Responder] {
            if let Ok(header) = Header::parse(packet, suite, Version::Two, accepts) {
                assert_eq!(header.to_bytes(), packet[..HEADER_LEN]);
                assert_eq!(header.suite, suite.code);
                assert!(packet.len() >= HEADER_LEN + usize::from(header.length));
            }
        }
        if let Some(fields) = Fields::read(packet, suite) {
            let len = HEADER_LEN + fields.id.len() + fields.random.len() + fields.mac.len();
            assert!(fields.random.len() == suite.random_len() && len <= packet.len());
        }
        let keys = SessionKeys::from_bytes(suite, packet);
        let fits = packet.len() == SessionKeys::bytes_len(suite);
        assert!(keys.is_err() || fits);
        if let Ok(keys) = keys {
            let words = keys.load_words();
            assert_eq!(words.is_ok(), packet.len() == 184);
            if let Ok(words) = words {
                let bytes = words.iter().flat_map(|word| word.to_le_bytes());
                assert!(bytes.eq(packet.iter().copied()));
            }
        }
    }
});
