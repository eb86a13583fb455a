// SPDX-License-Identifier: Apache-2.0
//! The checker of known-answer files finds what is wrong with a file, and says where.
#![cfg(feature = "std")]
#![allow(missing_docs)]

use sealwire::kat::{self, Body, Cause, KatError, Report};
use std::path::Path;

const NAME: &str = "omdsha256k128n96tau128v2.rsp";

fn check(text: &str) -> Result<Report, KatError> {
    kat::check_text(Path::new(NAME), text, None)
}

fn cause(text: &str) -> Cause {
    let report = check(text).unwrap();
    assert_eq!(report.passed, 0);
    report.failures[0].cause
}

/// A small file in the full form; its answers are the first two published ones.
const FULL: &str = "# Scheme = omdsha256k128n96tau128v2

Count = 1
Key = 000102030405060708090A0B0C0D0E0F
Nonce = 000102030405060708090A0B
AD =
PT =
CT = 987FF6F84E3E5615CE3C2ECA03063A78

CT = 144A7FA1E9D2F3673A58158CE46D4653
PT =\x20
AD = 00
Nonce = 000102030405060708090a0b
Key = 000102030405060708090a0b0c0d0e0f
Count = 2";

#[test]
fn fields_come_in_any_order_and_case() {
    let report = check(FULL).unwrap();
    assert_eq!((report.passed, report.failures.len()), (2, 0));
    assert_eq!(report.scheme.name(), "omdsha256k128n96tau128v2");
    let windows = FULL.replace('\n', "\r\n");
    assert_eq!(check(&windows).unwrap().passed, 2);
}

#[test]
fn scheme_comes_from_override_then_header_then_file_name() {
    let with = |path: &str, text: &str, over| {
        kat::check_text(Path::new(path), text, over).map(|r| r.passed)
    };
    let headless = FULL.split_once('\n').unwrap().1;
    assert_eq!(with("any.rsp", FULL, None).unwrap(), 2);
    assert_eq!(
        with("dir/omdsha256k128n96tau128v2.long.rsp", headless, None).unwrap(),
        2
    );
    assert_eq!(
        with("any.rsp", headless, Some("omdsha256k128n96tau128v2")).unwrap(),
        2
    );
    assert_eq!(
        with("any.rsp", FULL, Some("omdsha256k128n96tau128v1")).unwrap(),
        0
    );
    for (path, over) in [("any.rsp", None), (NAME, Some("no-such"))] {
        let error = with(path, headless, over).unwrap_err();
        assert!(matches!(error, KatError::Scheme { .. }), "{error}");
        let said = if over.is_some() {
            "unknown scheme `"
        } else {
            "names no scheme (`# Scheme = NAME`"
        };
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn wrong_answers_are_reported_with_count_and_line() {
    let report = check(&FULL.replace("4653", "4654")).unwrap();
    assert_eq!(report.passed, 1);
    let failure = report.failures[0];
    assert_eq!(
        (failure.count, failure.line, failure.cause),
        (2, 10, Cause::Tag)
    );
    assert_eq!(
        failure.to_string(),
        "Count 2 (line 10): sealing gives another tag"
    );

    let one = |key: &str, nonce: &str, pt: &str, ct: &str| {
        cause(&format!(
            "Count = 7\nKey = {key}\nNonce = {nonce}\nAD =\nPT = {pt}\nCT = {ct}\n"
        ))
    };
    let (key, nonce) = (
        "000102030405060708090A0B0C0D0E0F",
        "000102030405060708090A0B",
    );
    let tag = "987FF6F84E3E5615CE3C2ECA03063A78";
    assert!(matches!(one(&key[2..], nonce, "", tag), Cause::Sizes(_)));
    assert!(matches!(one(key, &nonce[2..], "", tag), Cause::Sizes(_)));
    assert_eq!(one(key, nonce, "", &tag[2..]), Cause::CiphertextLength);
    assert_eq!(one(key, nonce, "", ""), Cause::CiphertextLength);
    assert_eq!(one(key, nonce, "00", tag), Cause::CiphertextLength);
    assert_eq!(
        one(key, nonce, "00", &format!("00{tag}")),
        Cause::Ciphertext
    );
}

#[test]
fn long_records_are_checked_by_length_ends_and_hash() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../vectors/omdsha256k128n96tau128v2.long.rsp");
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(check(&text).unwrap().passed, 6);
    let line = |name: &str| {
        text.lines()
            .find(|l| l.starts_with(name))
            .unwrap()
            .to_owned()
    };
    for (name, expected) in [
        ("CTHead", Cause::Ciphertext),
        ("CTTail", Cause::Ciphertext),
        ("CTSHA256", Cause::Ciphertext),
        ("Key", Cause::Ciphertext),
        ("CTLen", Cause::CiphertextLength),
        ("PTLen", Cause::CiphertextLength),
        ("ADLen", Cause::Ciphertext),
    ] {
        let old = line(name);
        let last = if old.ends_with('1') { '2' } else { '1' };
        let new = format!("{}{last}", &old[..old.len() - 1]);
        let report = check(&text.replacen(&old, &new, 1)).unwrap();
        assert_eq!((report.passed, report.failures.len()), (5, 1), "{name}");
        assert_eq!(report.failures[0].cause, expected, "{name}");
    }
}

#[test]
fn malformed_lines_are_named() {
    for (from, to, expected) in [
        (
            "Count = 1",
            "Count = one",
            ":3: Count must be a decimal number, not `one`",
        ),
        (
            "Count = 1",
            "Count 1",
            ":3: a line must read `Name = VALUE`",
        ),
        ("Count = 1\n", "", ":3: the record has no field Count"),
        (
            "Key = 00",
            "Key = 0",
            ":4: Key must be an even number of hexadecimal digits",
        ),
        (
            "Key = 00",
            "Key = 0g",
            ":4: Key must be an even number of hexadecimal digits",
        ),
        (
            "Key = 00",
            "Key = 0ü",
            ":4: Key must be an even number of hexadecimal digits",
        ),
        (
            "Nonce = 00",
            "Nonze = 00",
            ":3: the record has no field Nonce",
        ),
        ("PT =\n", "AD =\n", ":7: field AD occurs twice in a record"),
    ] {
        let error = check(&FULL.replacen(from, to, 1)).unwrap_err();
        assert!(matches!(error, KatError::Malformed { .. }), "{error}");
        assert_eq!(error.to_string(), format!("{NAME}{expected}"));
    }
    let long = "Count = 1\nKey = 00\nNonce = 00\nADLen = 0\nPTLen = 99999999999\nCTLen = 1\nCTHead =\nCTTail =\nCTSHA256 = ";
    let error = check(&format!("{long}{}", "00".repeat(32)))
        .unwrap_err()
        .to_string();
    assert_eq!(error, format!("{NAME}:5: PTLen is above 1073741824 bytes"));
    let error = check(&format!("{long}00")).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{NAME}:9: CTSHA256 has 1 bytes instead of 32")
    );
}

#[test]
fn files_without_an_answer_are_errors() {
    for text in ["", "\n\n", "# Scheme = omd-sha512\n# nothing else\n"] {
        assert!(matches!(check(text), Err(KatError::Empty { .. })));
    }
    let missing = kat::check_file("no/such/file.rsp", None).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("no/such/file.rsp: cannot be read: "),
        "{missing}"
    );
    assert!(matches!(
        kat::check_file(env!("CARGO_MANIFEST_DIR"), None),
        Err(KatError::Read { .. })
    ));
}

#[test]
fn mac_records_are_read_but_no_aead_answers_them() {
    let text = "Count = 1\nKey = 0001\nMsg = 02\nTag = 0304\n";
    let file = kat::parse(text).unwrap();
    assert_eq!(
        file.records[0].body,
        Body::Mac {
            message: vec![2],
            tag: vec![3, 4]
        }
    );
    assert!(matches!(check(text), Err(KatError::Form { .. })));
}

#[test]
fn a_mac_is_checked_by_its_name_or_by_another_one() {
    let report = check(&mac()).unwrap();
    assert_eq!((report.passed, report.failures.len()), (1, 0));
    assert_eq!(report.scheme.name(), "asconmacv12");
    let wrong = kat::check_text("any.rsp".as_ref(), &mac(), Some("ascon-mac")).unwrap();
    assert_eq!(wrong.failures[0].cause, Cause::Mac);
    let short = mac().replace("EB1A", "");
    let wrong = kat::check_text("any.rsp".as_ref(), &short, None).unwrap();
    assert!(matches!(
        wrong.failures[0].cause,
        Cause::Sizes(sealwire::Error::Length { given: 14, .. })
    ));
    let aead = kat::check_text("any.rsp".as_ref(), FULL, Some("ascon-mac")).unwrap_err();
    assert!(aead.to_string().contains("asconmacv13 is a MAC"), "{aead}");
}

/// The first of the designers' answers.
fn mac() -> String {
    let text = include_str!("../../../vectors/asconmacv12.rsp");
    text.split_inclusive("\n\n").take(2).collect()
}
