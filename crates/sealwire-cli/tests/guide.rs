// SPDX-License-Identifier: Apache-2.0
//! The commands in the guides run as they stand, from top to bottom.

mod support;

use std::{fs, os::unix::fs::symlink};
use support::{Bench, sealwire};

/// Runs the shell blocks of a guide as one script and looks for words in its output.
fn check(guide: &str, words: &[&str]) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let text = fs::read_to_string(format!("{root}/docs/{guide}")).unwrap();
    let blocks: Vec<_> = text
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(!blocks.is_empty());
    let bench = Bench::new();
    symlink(
        fs::canonicalize(format!("{root}/vectors")).unwrap(),
        bench.path("vectors"),
    )
    .unwrap();
    let folder = sealwire().parent().unwrap().display();
    let run = bench.shell(&format!(
        "set -e; PATH='{folder}':$PATH; {}",
        blocks.concat()
    ));
    let stdout = run.succeeds().stdout();
    for word in words {
        assert!(stdout.contains(word), "{word:?} is missing in: {stdout}");
    }
}

#[test]
fn every_command_of_the_guide_runs() {
    check("cli.md", &["meet me at noon", "one.raw", "0 failed"]);
}

#[test]
fn the_shell_example_of_the_choice_runs() {
    check("choose.md", &["attack at dawn"]);
}
