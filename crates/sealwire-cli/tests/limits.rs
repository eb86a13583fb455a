// SPDX-License-Identifier: Apache-2.0
//! `sealwire limits`: numbers against an independent computation, rows for all schemes, refusals.

use serde_json::Value;
use std::process::Command;

fn run(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sealwire"))
        .arg("limits")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn json(args: &[&str]) -> Value {
    let (code, stdout, stderr) = run(&[args, &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).unwrap()
}

/// log2 of the numbers, computed apart from this code by the formulas of the sources.
#[test]
fn agrees_with_an_independent_computation() {
    for (args, calls, sealed) in [
        (["omd-sha256", "1500", "100"], 51, 96.536),
        (["omd-sha512", "1500", "100"], 27, 225.453),
        (["pomd-sha512", "1500", "5000"], 53, 224.480),
        (["pomd-sha256", "64", "4096"], 67, 96.142),
        (["otr-aes128-p", "1500", "0"], 96, 31.123),
        (["otr-aes256-s", "1500", "100"], 104, 31.007),
        (["otr-aes128-c", "9600", "32"], 606, 28.464),
        (["fsks-64", "1500", "0"], 40, 103.500),
        (["fsks-128", "1500", "0"], 39, 71.492),
        (["ascon-mac", "16384", "0"], 514, 71.492),
    ] {
        let [scheme, packet, ad] = args;
        let row = json(&[
            "--scheme",
            scheme,
            "--packet-bytes",
            packet,
            "--ad-bytes",
            ad,
        ]);
        assert_eq!(row["calls_per_packet"], calls, "{scheme}");
        let found = row["sealed"].as_f64().unwrap().log2();
        assert!((found - sealed).abs() < 0.001, "{scheme}: 2^{found}");
    }
}

#[test]
fn every_scheme_has_a_row() {
    let rows = json(&["--packet-bytes", "1500"]);
    let names: Vec<_> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["scheme"].as_str().unwrap())
        .collect();
    let known = sealwire::scheme::schemes().map(|scheme| scheme.name().to_owned());
    let macs = sealwire::mac::schemes().map(|scheme| scheme.name().to_owned());
    assert_eq!(names, known.chain(macs).collect::<Vec<_>>());
    let (_, table, _) = run(&["--packet-bytes", "1500"]);
    assert!(names.iter().all(|name| table.contains(name)));
}

#[test]
fn explains_a_row() {
    let (code, stdout, _) = run(&[
        "--scheme",
        "omd-sha256",
        "--packet-bytes",
        "1500",
        "--advantage",
        "2^-50",
    ]);
    assert_eq!(code, 0);
    for words in [
        "l = 49 calls",
        "sealed: 2^96.6 packets",
        "3 s^2 / 2^n <= 2^-50, n = 256",
        "t = 160",
        "rekey: 2^47.0",
    ] {
        assert!(stdout.contains(words), "{words:?} is missing in: {stdout}");
    }
    let (_, stdout, _) = run(&["--scheme", "ascon-farfalle", "--packet-bytes", "64"]);
    assert!(stdout.contains("no bound is known"));
}

#[test]
fn refuses_with_one_line() {
    for (args, words) in [
        (
            &["--scheme", "nothing", "--packet-bytes", "64"][..],
            "unknown scheme",
        ),
        (
            &[
                "--scheme",
                "ascon-mac",
                "--packet-bytes",
                "64",
                "--ad-bytes",
                "1",
            ],
            "leave --ad-bytes out",
        ),
        (
            &["--scheme", "ascon-prfs", "--packet-bytes", "17"],
            "at most 16 bytes",
        ),
        (
            &["--packet-bytes", "64", "--advantage", "2"],
            "between 0 and 1",
        ),
        (&["--packet-bytes", "-1"], "unexpected argument"),
        (&[], "--packet-bytes"),
    ] {
        let (code, stdout, stderr) = run(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.contains(words), "{stderr}");
    }
}
