// SPDX-License-Identifier: Apache-2.0
//! Programs in C against the libraries that were just built: compiled with all warnings as errors, run under ASan and
//! UBSan, and the example as a user would build it after `make install-c`.
#![cfg(all(target_os = "linux", not(miri)))]
#![allow(missing_docs)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const HERE: &str = env!("CARGO_MANIFEST_DIR");
const WARNINGS: &str =
    "-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror";
const SANITIZERS: &str =
    "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer";
/// What Rust's standard library needs of the system.
const SYSTEM: &str = "-lpthread -ldl -lm";

/// Where cargo put the libraries: beside this test.
fn libraries() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().to_owned()
}

fn run(command: &mut Command) -> String {
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

/// Compiles tests/c/NAME.c with the static library, runs it and gives its standard output.
fn check(name: &str, flags: &str, arguments: &[OsString]) -> String {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join(name);
    let words = |text: &'static str| text.split_whitespace();
    run(Command::new("cc")
        .args(words(WARNINGS))
        .args(flags.split_whitespace())
        .arg(format!("-I{HERE}/include"))
        .arg(format!("{HERE}/tests/c/{name}.c"))
        .arg(libraries().join("libsealwire_ffi.a"))
        .args(words(SYSTEM))
        .arg("-o")
        .arg(&program));
    run(Command::new(program).args(arguments))
}

#[test]
fn refuses_what_the_header_says_it_refuses() {
    let said = check("refusals", SANITIZERS, &[]);
    assert_eq!(said, "refusals: all as they must be\n");
}

#[test]
fn known_answers_of_every_scheme() {
    let mut files: Vec<_> = fs::read_dir(Path::new(HERE).join("../../vectors"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.to_string_lossy();
            name.ends_with(".rsp") && !name.ends_with(".long.rsp")
        })
        .map(PathBuf::into_os_string)
        .collect();
    files.sort();
    let records: usize = files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap().matches("\nCT = ").count())
        .sum();
    assert!(files.len() >= 31 && records > 5000, "{records}");
    let said = check("known_answers", SANITIZERS, &files);
    assert_eq!(said, format!("{records} passed, 0 failed\n"));
}

#[test]
fn keys_are_wiped_before_their_memory_is_freed() {
    let said = check("wiping", "-Wl,--wrap=free", &[]);
    assert_eq!(said, "wiping: nothing is left\n");
}

#[test]
fn threads_share_a_key() {
    let said = check("threads", SANITIZERS, &[]);
    assert_eq!(said, "threads: all agree\n");
}

/// The header in C++ and in older C, the installed files, pkg-config, the shared and the static library.
#[test]
fn an_installed_library_serves_the_example() {
    let folder = TempDir::new().unwrap();
    let prefix = folder.path().join("prefix");
    run(Command::new(format!("{HERE}/install.sh"))
        .arg(libraries())
        .arg(&prefix));
    let pkg_config = |arguments: &[&str]| {
        let said = run(Command::new("pkg-config")
            .args(arguments)
            .arg("sealwire")
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")));
        said.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(pkg_config(&["--modversion"]), [env!("CARGO_PKG_VERSION")]);
    let example = format!("{HERE}/examples/seal.c");
    let program = folder.path().join("seal");

    let expected = "47 bytes sealed, opened again: attack at dawn\nchanged on the way: authentication failed\n";
    let compile = |arguments: &[String]| {
        run(Command::new("cc")
            .args(["-Wall", "-Wextra", "-Werror"])
            .arg(&example)
            .args(arguments)
            .arg("-o")
            .arg(&program));
    };
    compile(&pkg_config(&["--cflags", "--libs"]));
    let library = prefix.join("lib");
    assert_eq!(
        run(Command::new(&program).env("LD_LIBRARY_PATH", &library)),
        expected
    );
    let needed = run(Command::new("ldd")
        .arg(&program)
        .env("LD_LIBRARY_PATH", &library));
    let soname = format!("libsealwire.so.{}", sealwire_ffi::SEALWIRE_ABI_VERSION);
    assert!(needed.contains(&soname), "{needed}");

    fs::remove_file(library.join("libsealwire.so")).unwrap();
    compile(&pkg_config(&["--cflags", "--libs", "--static"]));
    assert_eq!(run(&mut Command::new(&program)), expected);

    for (language, standard) in [("c", "c99"), ("c++", "c++11")] {
        run(Command::new("cc")
            .args([
                "-x",
                language,
                "-fsyntax-only",
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
            ])
            .arg(format!("-std={standard}"))
            .arg(prefix.join("include/sealwire.h")));
    }
}

/// What a program that ignores a status is told.
#[test]
fn a_status_that_nobody_looks_at_is_a_warning() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("careless.c");
    fs::write(
        &source,
        "#include <sealwire.h>\nvoid f(const sealwire_key *k, sealwire_packet *p) { sealwire_open_batch(k, p, 1, NULL); }\n",
    )
    .unwrap();
    let output = Command::new("cc")
        .args(["-c", "-o", "/dev/null", "-Werror"])
        .arg(format!("-I{HERE}/include"))
        .arg(&source)
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("unused-result"));
}
