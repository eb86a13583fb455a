// SPDX-License-Identifier: Apache-2.0
//! What the command does when all is well.

mod support;

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::{PermissionsExt, symlink},
    process::Stdio,
};
use support::{Bench, text};

fn mode(bench: &Bench, name: &str) -> u32 {
    fs::metadata(bench.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn seals_and_opens_a_file_under_the_usual_names() {
    let bench = Bench::new();
    bench.write("notes.txt", &text(200_000));
    bench.run("seal -k key notes.txt").succeeds();
    let sealed = bench.read("notes.txt.sealed");
    assert_eq!(sealed.len(), 96 + 200_000 + 4 * 16);
    assert_eq!(sealed[..16], *b"sealfile\x02\x12\x10\x01\x01\0\0\0");
    fs::remove_file(bench.path("notes.txt")).unwrap();
    bench.run("open -k key notes.txt.sealed").succeeds();
    assert_eq!(bench.read("notes.txt"), text(200_000));
    assert_eq!(bench.names(), ["key", "notes.txt", "notes.txt.sealed"]);
}

#[test]
fn seals_and_opens_pipes() {
    let bench = Bench::new();
    for len in [0, 1, 65536, 150_000] {
        let sealed = bench.run_with("seal -k key -", &text(len));
        sealed.succeeds();
        let opened = bench.run_with("open -k key -", &sealed.0.stdout);
        assert_eq!(opened.succeeds().0.stdout, text(len));
    }
    bench.write("in", b"mixed");
    bench
        .shell("$sealwire seal -k key in -o - | $sealwire open -k key - -o out")
        .succeeds();
    assert_eq!(bench.read("out"), b"mixed");
}

#[test]
fn opens_every_suite_without_being_told() {
    let bench = Bench::new();
    for (suite, code) in [
        ("omd-sha512", 1),
        ("omd-blake2b", 2),
        ("omd-sha256", 5),
        ("omdsha256k256n104tau160v2", 5),
    ] {
        bench
            .run(&format!("keygen --suite {suite} {suite}.key"))
            .succeeds();
        let sealed = bench.run_with(&format!("seal -k {suite}.key --suite {suite} -"), b"text");
        assert_eq!(sealed.succeeds().0.stdout[9], code);
        let opened = bench.run_with(&format!("open -k {suite}.key -"), &sealed.0.stdout);
        assert_eq!(opened.succeeds().0.stdout, b"text");
    }
}

#[test]
fn opens_a_file_that_another_implementation_made() {
    let bench = Bench::new();
    bench.write(
        "known.sealed",
        include_bytes!("../../sealwire-file/tests/data/v1-suite01-10000.sealed"),
    );
    bench.run("open -k key known.sealed").succeeds();
    assert_eq!(bench.read("known"), text(10000));
}

#[test]
fn hands_checked_chunks_to_a_pipe_as_they_come() {
    let bench = Bench::new();
    let sealed = bench.sealed("file", &text(3 * 4096));
    let mut child = bench
        .command("open -k key -")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // One chunk and the byte that shows that another follows.
    stdin.write_all(&sealed[..96 + 4128 + 1]).unwrap();
    let mut first = vec![0; 4096];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    assert_eq!(first, text(4096));
    stdin.write_all(&sealed[96 + 4128 + 1..]).unwrap();
    drop(stdin);
    assert_eq!(
        child.wait_with_output().unwrap().stdout,
        text(3 * 4096)[4096..]
    );
}

#[test]
fn any_number_of_threads_does_the_work() {
    let bench = Bench::new();
    let text = text(70 * 4096 + 5);
    bench.write("in", &text);
    for threads in [1, 2, 256] {
        let seal = format!("seal -k key --chunk-size 4K --threads {threads} in -o {threads}");
        bench.run(&seal).succeeds();
        for others in [1, 3] {
            let open = format!("open -k key --threads {others} {threads} -o -");
            assert!(bench.run(&open).succeeds().0.stdout == text);
        }
    }
    for threads in ["0", "257", "-1", "two"] {
        let run = bench.run(&format!("seal -k key --threads={threads} in -o none"));
        assert_eq!(run.0.status.code(), Some(2));
        assert!(run.stderr().contains("from 1 to 256"), "{}", run.stderr());
    }
}

#[test]
fn needs_no_memory_for_long_inputs() {
    let bench = Bench::new();
    let mut child = bench
        .command("seal -k key --suite omd-blake2b --threads 2 - -o long")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let megabyte = text(1 << 20);
    for _ in 0..48 {
        stdin.write_all(&megabyte).unwrap();
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(
        kibibytes < 12 << 10,
        "{kibibytes} KiB for an input of 48 MiB"
    );
    assert_eq!(
        fs::metadata(bench.path("long")).unwrap().len(),
        96 + (48 << 20) + 768 * 32
    );
}

#[test]
fn replaces_a_file_only_with_force_and_keeps_links_and_permissions() {
    let bench = Bench::new();
    bench.write("in", b"new");
    bench.write("real", b"old");
    bench.chmod("real", 0o640);
    symlink("real", bench.path("link")).unwrap();
    bench.run("seal -k key in -o link --force").succeeds();
    assert!(
        fs::symlink_metadata(bench.path("link"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(
        (bench.read("real").len(), mode(&bench, "real")),
        (96 + 3 + 16, 0o640)
    );
    bench.run("open -k key real -o in -f").succeeds();
    assert_eq!(bench.names(), ["in", "key", "link", "real"]);
}

#[test]
fn new_files_get_the_permissions_of_the_umask() {
    let bench = Bench::new();
    bench
        .shell("umask 027; echo x > in; $sealwire seal -k key in")
        .succeeds();
    assert_eq!(mode(&bench, "in.sealed"), 0o640);
}

#[test]
fn writes_to_devices_without_replacing_them() {
    let bench = Bench::new();
    bench.write("in", b"text");
    bench
        .shell("mkfifo pipe; cat pipe > out & $sealwire seal -k key in -o pipe && wait")
        .succeeds();
    assert_eq!(
        bench.run("open -k key out -o -").succeeds().stdout(),
        "text"
    );
    bench.run("seal -k key in -o /dev/null").succeeds();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn makes_a_key_file_that_only_the_owner_reads() {
    let bench = Bench::new();
    bench
        .shell("umask 0; $sealwire keygen a; $sealwire keygen -o b")
        .succeeds();
    assert_eq!((mode(&bench, "a"), mode(&bench, "b")), (0o600, 0o600));
    assert_ne!(bench.read("a"), bench.read("b"));
    let old = bench.read("a");
    bench.chmod("a", 0o644);
    bench.run("keygen a --force").succeeds();
    assert_ne!(bench.read("a"), old);
    assert_eq!(mode(&bench, "a"), 0o600);
    assert_eq!(
        bench
            .run("keygen -")
            .succeeds()
            .stdout()
            .lines()
            .nth(3)
            .unwrap()
            .len(),
        128
    );
}

#[test]
fn takes_plain_digits_as_a_key_and_warns_if_others_can_read_it() {
    let bench = Bench::new();
    bench.write("plain", "0A".repeat(64).as_bytes());
    bench.chmod("plain", 0o644);
    let run = bench.run_with("seal -k plain -", b"text");
    assert!(run.0.status.success());
    assert_eq!(
        run.stderr(),
        "sealwire: warning: key file plain can be read by others; run: chmod 600 plain\n"
    );
}

fn vectors(name: &str) -> String {
    format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn kat_passes_the_published_answers() {
    let bench = Bench::new();
    let (full, long) = (
        vectors("omdsha512k512n256tau256v2.rsp"),
        vectors("omdsha512k512n256tau256v2.long.rsp"),
    );
    let run = bench.run(&format!("kat {full} {long}"));
    let records = |path| {
        fs::read_to_string(path)
            .unwrap()
            .lines()
            .filter(|l| l.starts_with("Count = "))
            .count()
    };
    let total = records(&full) + records(&long);
    assert!(total > 500);
    assert_eq!(
        run.succeeds().stdout().lines().last(),
        Some(&*format!("{total} passed, 0 failed"))
    );
}

#[test]
fn kat_recomputes_the_checksums_of_supercop() {
    let bench = Bench::new();
    let run = bench.run("kat --supercop");
    let text = run.succeeds().stdout();
    assert_eq!(text.matches(", as published").count(), 7, "{text}");
    assert_eq!(text.lines().last(), Some("7 passed, 0 failed"));
    let json = bench.run("kat --supercop --json");
    assert_eq!(
        json.succeeds().stdout().matches("\"passed\": true").count(),
        7
    );
    let both = bench.run("kat --supercop answers.rsp");
    assert!(both.stderr().contains("cannot be used with"));
}

#[test]
fn kat_checks_the_later_modes() {
    let bench = Bench::new();
    let files = ["pomdsha256k128n96tau128", "sivomdssha256k256n96tau256"]
        .map(|name| vectors(&format!("{name}.rsp")));
    let run = bench.run(&format!("kat {}", files.join(" ")));
    let out = run.succeeds().stdout();
    assert!(out.contains("pomdsha256k128n96tau128: "), "{out}");
    assert!(out.trim_end().ends_with(" passed, 0 failed"), "{out}");
    // An answer of another mode is no answer.
    let run = bench.run(&format!(
        "kat --scheme omdsha256k128n96tau128v1 {}",
        files[0]
    ));
    assert!(run.stdout().contains("\n0 passed, "), "{}", run.stdout());
}

#[test]
fn kat_checks_the_instructions_that_are_named() {
    let bench = Bench::new();
    let file = vectors("aes128otrpv3.rsp");
    for path in sealwire::compress::Path::ALL {
        let run = bench.run(&format!("kat --path {path} {file}"));
        if path.available() {
            let passed = run.succeeds().stdout();
            assert!(passed.trim_end().ends_with(" passed, 0 failed"), "{path}");
        } else {
            let missing = format!("this CPU lacks instructions that the path {path} needs");
            assert!(run.stderr().contains(&missing), "{path}");
        }
    }
    let unknown = bench.run(&format!("kat --path none {file}"));
    assert!(unknown.stderr().contains("there are portable"));
}

#[test]
fn kat_counts_failures_and_files_that_cannot_be_checked() {
    let bench = Bench::new();
    let good = fs::read_to_string(vectors("omdsha256k128n96tau128v2.rsp")).unwrap();
    let start = good.find("\nCT = ").unwrap() + 6;
    let mut bad = good.clone();
    bad.replace_range(
        start..=start,
        if &good[start..=start] == "0" {
            "1"
        } else {
            "0"
        },
    );
    bench.write("omdsha256k128n96tau128v2.bad.rsp", bad.as_bytes());
    let run = bench.run("kat omdsha256k128n96tau128v2.bad.rsp");
    assert_eq!(run.0.status.code(), Some(1));
    let records = good
        .lines()
        .filter(|line| line.starts_with("Count = "))
        .count();
    assert_eq!(
        run.stdout().lines().last(),
        Some(&*format!("{} passed, 1 failed", records - 1))
    );

    let run = bench.run("kat omdsha256k128n96tau128v2.bad.rsp missing.rsp --json");
    assert_eq!(run.0.status.code(), Some(1));
    assert!(
        run.stderr()
            .starts_with("sealwire: cannot read missing.rsp: No such file")
    );
    let json: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(
        (json["passed"].as_u64(), json["failed"].as_u64()),
        (Some(records as u64 - 1), Some(2))
    );
    assert_eq!(
        json["files"][0]["failures"][0]["line"].as_u64(),
        Some(line_of_first_record(&good))
    );

    let run = bench.run("kat omdsha256k128n96tau128v2.bad.rsp --scheme omd-sha265");
    assert_eq!(run.0.status.code(), Some(2));
    assert!(run.stderr().contains("did you mean omd-sha256?"));
}

fn line_of_first_record(text: &str) -> u64 {
    1 + text
        .lines()
        .position(|line| line.starts_with("Count = "))
        .unwrap() as u64
}

#[test]
fn lists_the_schemes() {
    let bench = Bench::new();
    let table = bench.run("schemes").succeeds().stdout();
    let line = table
        .lines()
        .find(|line| line.contains("omd-blake2b"))
        .unwrap();
    let fields: Vec<_> = line.split_whitespace().collect();
    assert_eq!(
        fields,
        [
            "omdblake2bk512n256tau256v2",
            "omd-blake2b",
            "02",
            "64",
            "32",
            "32",
            "64",
            "128"
        ]
    );
    // Whatever is experimental says so, in both forms.
    let experimental = |name: &str| {
        [
            "sivomd",
            "fsks",
            "asconprf192",
            "asconprf64",
            "asconfarfalle",
        ]
        .iter()
        .any(|start| name.starts_with(start))
    };
    // Two lines before each of the two lists, and an empty one between them.
    for line in table
        .lines()
        .filter(|line| line.chars().any(|c| c.is_ascii_digit()))
    {
        let marked = line.ends_with("  experimental");
        assert_eq!(marked, experimental(line), "{line}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&bench.run("schemes --json").succeeds().stdout()).unwrap();
    for row in json.as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        assert_eq!(row["experimental"], experimental(name), "{name}");
    }
    let rows = json.as_array().unwrap();
    assert_eq!(rows.len(), table.lines().count() - 5);
    let kind = |kind: &str| rows.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!(kind("aead"), sealwire::scheme::schemes().len());
    assert_eq!(kind("mac"), sealwire::mac::schemes().len());
    let suites: Vec<_> = rows
        .iter()
        .filter_map(|row| row["suite"].as_str())
        .collect();
    assert_eq!(
        suites,
        [
            "05", "01", "02", "03", "04", "11", "12", "51", "61", "62", "21", "22", "31", "32",
            "41", "42"
        ]
    );
}

#[test]
fn help_teaches_by_example() {
    let bench = Bench::new();
    for command in [
        "",
        "seal",
        "open",
        "verify",
        "info",
        "keygen",
        "identity",
        "recipient",
        "man",
        "mac",
        "kat",
        "schemes",
        "completions",
    ] {
        let help = bench.run(&format!("{command} --help")).succeeds().stdout();
        assert!(
            help.contains("Examples:\n  ") && help.contains("sealwire "),
            "{command}"
        );
        assert!(
            help.lines().all(|line| line.chars().count() <= 100),
            "{command}"
        );
    }
}
