// SPDX-License-Identifier: Apache-2.0
//! Files that the command seals, read by the executable specification in `model/`. (Files that it made are known answers in
//! `src/sealfile/tests.rs`.)

mod support;

use std::process::{Command, Output};
use support::{Bench, text};

/// The interpreter: `PYTHON` or `python3`. It needs no packages.
fn oracle(bench: &Bench, key: &str, file: &str) -> Output {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    Command::new(&python)
        .env(
            "PYTHONPATH",
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../model"),
        )
        .args(["-B", "-m", "sealwire_model.sealed_file", "open"])
        .args([bench.path(key), bench.path(file)])
        .output()
        .unwrap_or_else(|error| {
            panic!(
                "this test needs Python 3.11 or later ({}): {error}",
                python.display()
            )
        })
}

#[test]
fn the_other_implementation_opens_what_the_command_seals() {
    let bench = Bench::new();
    for suite in [
        "omd-sha512",
        "omd-blake2b",
        "omd-sha256",
        "pomd-sha512",
        "pomd-blake2b",
        "otr-aes128-p",
        "otr-aes256-p",
        "ocb-aes128",
        "gcm-aes256",
        "aegis-128l",
        "aegis-256",
        "ascon-aead128",
        "deoxys-ii-128",
    ] {
        bench
            .run(&format!("keygen --suite {suite} {suite}"))
            .succeeds();
        for len in [0, 1, 63, 4096, 9000] {
            let name = format!("{suite}-{len}");
            bench
                .run_with(
                    &format!("seal -k {suite} --suite {suite} --chunk-size 4K - -o {name}"),
                    &text(len),
                )
                .succeeds();
            let output = oracle(&bench, suite, &name);
            assert!(
                output.status.success(),
                "{name}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert_eq!(output.stdout, text(len), "{name}");
        }
    }
}

#[test]
fn the_other_implementation_refuses_a_changed_file() {
    let bench = Bench::new();
    let mut file = bench.sealed("file", &text(5000));
    for position in [20, 50, 64, 64 + 4100, file.len() - 1] {
        file[position] ^= 1;
        bench.write("changed", &file);
        assert_eq!(
            oracle(&bench, "key", "changed").status.code(),
            Some(1),
            "byte {position}"
        );
        file[position] ^= 1;
    }
}
