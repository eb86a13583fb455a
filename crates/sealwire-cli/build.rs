// SPDX-License-Identifier: Apache-2.0
//! Tells `sealwire --version` the commit that it is built from, where there is a repository; SEALWIRE_COMMIT names it elsewhere.

use std::{path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=SEALWIRE_COMMIT");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let git = |words: &[&str]| {
        let output = Command::new("git")
            .args(words)
            .current_dir(here)
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    if std::env::var_os("SEALWIRE_COMMIT").is_some() {
        return;
    }
    // The crate may lie unpacked in the repository of something else.
    if git(&["ls-files", "build.rs"]).as_deref() != Some("build.rs") {
        return;
    }
    // The log of HEAD grows with every commit and checkout.
    if let Some(log) = git(&[
        "rev-parse",
        "--path-format=absolute",
        "--git-path",
        "logs/HEAD",
    ]) {
        println!("cargo::rerun-if-changed={log}");
    }
    if let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) {
        println!("cargo::rustc-env=SEALWIRE_COMMIT={commit}");
    }
}
