// SPDX-License-Identifier: Apache-2.0
//! Compiling and running programs in C against the libraries that cargo has just built.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use tempfile::TempDir;

pub const HERE: &str = env!("CARGO_MANIFEST_DIR");
pub const SANITIZERS: &str =
    "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer";
const WARNINGS: &str =
    "-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror";
/// What Rust's standard library needs of the system.
const SYSTEM: &str = "-lpthread -ldl -lm";

/// Where cargo put the libraries: beside this test.
pub fn libraries() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().to_owned()
}

/// Standard output of a command that must succeed.
pub fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Says that the test at hand is skipped, also in the file that SEALWIRE_SKIPPED names: `make test` ends with its lines.
pub fn skipped(reason: &str) {
    println!("skipped: {reason}");
    if let Some(record) = std::env::var_os("SEALWIRE_SKIPPED") {
        let test = thread::current().name().unwrap_or("a test").to_owned();
        let mut lines = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(record)
            .unwrap();
        writeln!(lines, "{reason}\t{test}").unwrap();
    }
}

/// Whether a program is not there; then the test is skipped.
pub fn missing(program: &str) -> bool {
    let missing = Command::new(program).arg("--version").output().is_err();
    if missing {
        skipped(&format!("{program} is not installed"));
    }
    missing
}

/// Compiles a file with the static library; `flags` come after it.
pub fn compile(source: &Path, flags: &str, program: &Path) {
    run(Command::new("cc")
        .args(WARNINGS.split_whitespace())
        .arg(format!("-I{HERE}/include"))
        .arg(source)
        .arg(libraries().join("libsealwire_ffi.a"))
        .args(flags.split_whitespace())
        .args(SYSTEM.split_whitespace())
        .arg("-o")
        .arg(program));
}

/// Compiles tests/c/NAME.c, runs it and gives its standard output.
pub fn check(name: &str, flags: &str, arguments: &[OsString]) -> String {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join(name);
    compile(
        Path::new(&format!("{HERE}/tests/c/{name}.c")),
        flags,
        &program,
    );
    run(Command::new(program).args(arguments))
}

/// The known answers of AEAD schemes in the full form whose files are `wanted` by name, and how many records they have.
pub fn known_answers(wanted: fn(&str) -> bool) -> (Vec<OsString>, usize) {
    let (files, records) = answers("\nCT = ", wanted);
    assert!(files.len() >= 31 && records > 5000, "{records}");
    (files, records)
}

/// All known answers of MACs, and how many records they have.
pub fn mac_answers() -> (Vec<OsString>, usize) {
    let (files, records) = answers("\nTag = ", |_| true);
    assert!(files.len() >= 13 && records > 7000, "{records}");
    (files, records)
}

/// The `wanted` files whose records have this mark.
fn answers(mark: &str, wanted: fn(&str) -> bool) -> (Vec<OsString>, usize) {
    let mut files: Vec<_> = fs::read_dir(Path::new(HERE).join("../../vectors"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rsp"))
        .filter(|path| {
            path.file_name()
                .and_then(|name| name.to_str())
                .is_some_and(wanted)
        })
        .map(|path| {
            let records = fs::read_to_string(&path).unwrap().matches(mark).count();
            (path.into_os_string(), records)
        })
        .filter(|(_, records)| *records > 0)
        .collect();
    files.sort();
    let records = files.iter().map(|(_, records)| records).sum();
    (files.into_iter().map(|(path, _)| path).collect(), records)
}
