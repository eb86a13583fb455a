// SPDX-License-Identifier: Apache-2.0
//! The commands in the guides run as they stand, from top to bottom.

mod support;

use std::{fs, os::unix::fs::symlink};
use support::{Bench, sealwire};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Runs the shell blocks of a guide as one script and looks for words in its output.
fn check(guide: &str, words: &[&str]) {
    let text = fs::read_to_string(format!("{ROOT}/docs/{guide}")).unwrap();
    let blocks: Vec<_> = text
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(!blocks.is_empty());
    run(&blocks.concat(), words);
}

/// Runs a script in a folder with the known answers and looks for words in its output.
fn run(script: &str, words: &[&str]) {
    let bench = Bench::new();
    symlink(
        fs::canonicalize(format!("{ROOT}/vectors")).unwrap(),
        bench.path("vectors"),
    )
    .unwrap();
    let folder = sealwire().parent().unwrap().display();
    let run = bench.shell(&format!("set -e; PATH='{folder}':$PATH; {script}"));
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

/// The first block of the README's part on software, which is indented, runs as it is printed.
#[test]
fn the_readme_runs_as_printed() {
    let text = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    let part = text.split("## In software\n").nth(1).unwrap();
    let block: Vec<_> = part
        .lines()
        .skip_while(|line| line.is_empty())
        .map_while(|line| line.strip_prefix("    "))
        .collect();
    assert!(block.len() >= 4, "{block:?}");
    run(
        &block.join("\n"),
        &["meet me at noon\n", "for-me.sealed: OK\n"],
    );
}
