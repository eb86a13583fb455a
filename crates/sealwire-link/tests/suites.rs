// SPDX-License-Identifier: Apache-2.0
//! The crate's suites are those of the project's table, with its sizes, and no others.

use sealwire_link::suite::SUITES;
use toml::{Table, Value};

/// What the table says of a suite, or what this crate does; sizes in bits.
#[derive(Debug, PartialEq)]
struct Entry {
    code: u64,
    scheme: String,
    name: String,
    key_bits: u64,
    nonce_bits: u64,
    tag_bits: u64,
    schedule: String,
    packets: u64,
    caches_ad: bool,
}

fn entries(table: &str) -> Vec<Entry> {
    let table: Table = table.parse().unwrap();
    let number = |suite: &Value, field: &str| suite[field].as_integer().unwrap() as u64;
    let text = |suite: &Value, field: &str| suite[field].as_str().unwrap().to_owned();
    let suites = table["suite"].as_array().unwrap().iter();
    suites
        .map(|suite| Entry {
            code: number(suite, "code"),
            scheme: text(suite, "scheme"),
            name: text(suite, "name"),
            key_bits: number(suite, "key_bits"),
            nonce_bits: number(suite, "nonce_bits"),
            tag_bits: number(suite, "tag_bits"),
            schedule: text(suite, "schedule"),
            packets: 1 << number(suite, "packet_number_bits"),
            caches_ad: suite["caches_ad"].as_bool().unwrap(),
        })
        .collect()
}

fn of_this_crate() -> Vec<Entry> {
    let suites = SUITES.iter();
    suites
        .map(|suite| Entry {
            code: suite.code.into(),
            scheme: suite.scheme.to_owned(),
            name: suite.alias.to_owned(),
            key_bits: 8 * suite.key_len as u64,
            nonce_bits: 8 * suite.nonce_len() as u64,
            tag_bits: 8 * suite.tag_len as u64,
            schedule: format!("{:?}", suite.schedule).to_lowercase(),
            packets: suite.max_packets,
            caches_ad: sealwire::scheme::find(suite.scheme).unwrap().caches_ad(),
        })
        .collect()
}

const TABLE: &str = include_str!("../../../model/sealwire_model/suites.toml");

#[test]
fn the_suites_are_those_of_the_table() {
    assert_eq!(of_this_crate(), entries(TABLE));
}

#[test]
fn a_table_that_says_otherwise_is_noticed() {
    let lines = TABLE.lines().filter(|line| {
        line.contains(" = ") && !line.starts_with('#') && !line.starts_with("cores")
    });
    let mut changes = 0;
    for line in lines {
        let (field, value) = line.split_once(" = ").unwrap();
        let other = match value.strip_prefix('"') {
            Some(text) => format!("{field} = \"x{text}"),
            None if field == "caches_ad" => format!("{field} = {}", value == "false"),
            None => {
                let number = match value.strip_prefix("0x") {
                    Some(digits) => u64::from_str_radix(digits, 16),
                    None => value.parse(),
                };
                format!("{field} = {}", number.unwrap() + 1)
            }
        };
        let changed = entries(&TABLE.replacen(line, &other, 1));
        assert_ne!(of_this_crate(), changed, "{line} as {other}");
        changes += 1;
    }
    assert_eq!(changes, 9 * SUITES.len());
}
