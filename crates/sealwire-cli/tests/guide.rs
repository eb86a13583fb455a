// SPDX-License-Identifier: Apache-2.0
//! The commands in `docs/cli.md` run as they stand, from top to bottom.

mod support;

use std::{fs, os::unix::fs::symlink};
use support::{Bench, sealwire};

#[test]
fn every_command_of_the_guide_runs() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let guide = fs::read_to_string(format!("{root}/docs/cli.md")).unwrap();
    let blocks: Vec<_> = guide
        .split("```sh\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect();
    assert!(blocks.len() >= 4);
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
    for line in ["meet me at noon", "one.raw", "0 failed"] {
        assert!(stdout.contains(line), "{line:?} is missing in: {stdout}");
    }
}
