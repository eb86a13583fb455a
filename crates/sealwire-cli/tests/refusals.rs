// SPDX-License-Identifier: Apache-2.0
//! What the command does with bad input: one line that says what and what to do, a non-zero exit, no partial file under any
//! name, nothing overwritten.

mod support;

use std::{
    fs,
    io::Write,
    os::unix::{fs::symlink, process::ExitStatusExt},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};
use support::{Bench, Run, text};

const CHUNK: usize = 4096 + 16;
/// Bytes of the header under a key file.
const HEADER: usize = 96;

/// Opens a changed file, to a file and to a pipe. No file may be left, and the pipe may get whole true chunks only.
#[track_caller]
fn refuses(bench: &Bench, file: &[u8], text: &[u8], words: &[&str]) {
    bench.write("changed", file);
    let before = bench.names();
    bench.run("open -k key changed -o out").fails(1, words);
    assert_eq!(bench.names(), before);
    let run = bench.run_with("open -k key -", file);
    run.fails(1, words);
    let out = &run.0.stdout;
    assert!(
        text.starts_with(out) && (out.len().is_multiple_of(4096) || out == text),
        "wrong plaintext came out"
    );
}

#[test]
fn a_flipped_bit_anywhere_in_a_small_file() {
    let bench = Bench::new();
    let text = text(7);
    let file = bench.sealed("file", &text);
    for position in 0..file.len() {
        let mut changed = file.clone();
        changed[position] ^= 1 << (position % 8);
        refuses(&bench, &changed, &text, &[]);
    }
}

#[test]
fn a_flipped_bit_in_a_long_file() {
    let bench = Bench::new();
    let text = text(4 * 4096 + 5);
    let file = bench.sealed("file", &text);
    for position in (HEADER..file.len()).step_by(1013).chain([file.len() - 1]) {
        let mut changed = file.clone();
        changed[position] ^= 0x80;
        let chunk = format!("chunk {} is damaged", 1 + (position - HEADER) / CHUNK);
        refuses(&bench, &changed, &text, &[&chunk, "good copy"]);
    }
}

#[test]
fn a_truncated_file() {
    let bench = Bench::new();
    let text = text(2 * 4096 + 9);
    let file = bench.sealed("file", &text);
    for len in [0, 1, 7, 8, 63, 64, 95] {
        refuses(&bench, &file[..len], b"", &["ends inside the header"]);
    }
    for len in [HEADER, HEADER + 1, HEADER + CHUNK, HEADER + 2 * CHUNK] {
        refuses(&bench, &file[..len], &text, &["cut short"]);
    }
    for len in [
        HEADER + 33,
        HEADER + CHUNK - 1,
        HEADER + CHUNK + 40,
        file.len() - 1,
    ] {
        refuses(&bench, &file[..len], &text, &["cut short"]);
    }
}

#[test]
fn an_extended_file() {
    let bench = Bench::new();
    for len in [0, 9, 4096] {
        let text = text(len);
        let file = bench.sealed("file", &text);
        for extra in [&b"\n"[..], &[0; CHUNK], &file[HEADER..]] {
            refuses(&bench, &[&file, extra].concat(), &text, &["chunk 1"]);
        }
        fs::remove_file(bench.path("file")).unwrap();
    }
}

#[test]
fn swapped_dropped_and_repeated_chunks() {
    let bench = Bench::new();
    let text = text(3 * 4096);
    let file = bench.sealed("file", &text);
    let chunk = |i: usize| &file[HEADER + i * CHUNK..HEADER + (i + 1) * CHUNK];
    for (order, words) in [
        (&[1, 0, 2][..], "chunk 1"),
        (&[0, 2, 1], "chunk 2"),
        (&[1, 2], "chunk 1"),
        (&[0, 2], "chunk 2"),
        (&[0, 1], "cut short"),
        (&[0, 0, 1, 2], "chunk 2"),
        (&[0, 1, 2, 2], "bytes follow"),
    ] {
        let chunks: Vec<_> = order.iter().map(|&i| chunk(i)).collect();
        refuses(
            &bench,
            &[&file[..HEADER], &chunks.concat()].concat(),
            &text,
            &[words],
        );
    }
}

#[test]
fn something_that_is_no_sealed_file() {
    let bench = Bench::new();
    refuses(
        &bench,
        b"PK\x03\x04 some archive",
        b"",
        &["not a sealed file"],
    );
    refuses(&bench, &text(5000), b"", &["not a sealed file"]);
}

#[test]
fn a_wrong_key() {
    let bench = Bench::new();
    let file = bench.sealed("file", b"text");
    bench.run("keygen other").succeeds();
    let before = bench.names();
    bench.run("open -k other file -o out").fails(
        1,
        &[
            "file: wrong key or damaged header: the header names key ",
            "other",
        ],
    );
    assert_eq!(bench.names(), before);
    assert!(bench.run_with("open -k other -", &file).0.stdout.is_empty());
}

#[test]
fn a_wrong_key_length() {
    let bench = Bench::new();
    bench.sealed("file", b"text");
    bench.run("keygen --suite omd-sha256 short").succeeds();
    let before = bench.names();
    let words = [
        "short: the key has 32 bytes, otr-aes256-p needs 64",
        "keygen --suite otr-aes256-p",
    ];
    bench.run("open -k short file -o out").fails(1, &words);
    bench.run("seal -k short file").fails(1, &words);
    bench
        .run("seal -k key --suite omd-sha256 file")
        .fails(1, &["the key has 64 bytes, omd-sha256 needs 32"]);
    for (digits, words) in [
        ("00".repeat(63), "it holds 63 bytes"),
        ("00".repeat(64) + "0", "pairs of hexadecimal digits"),
        ("xy".repeat(64), "pairs of hexadecimal digits"),
        (String::new(), "0 lines"),
        ("11".repeat(4000), "longer than 4096 bytes"),
    ] {
        bench.write("short", digits.as_bytes());
        let run = bench.run("seal -k short file");
        run.fails(1, &["key file short: ", words, "sealwire keygen"]);
        assert!(
            digits.is_empty() || !run.stderr().contains(&digits[..8]),
            "the key is shown"
        );
    }
    assert_eq!(bench.names(), before);
}

#[test]
fn a_key_for_something_else() {
    let bench = Bench::new();
    bench.sealed("file", b"text");
    bench
        .run("link keygen --suite omd-sha512 link.key")
        .succeeds();
    bench.run("keygen file.key").succeeds();
    let before = bench.names();
    for (command, advice) in [
        (
            "open -k link.key file -o out",
            "give the key that the file was sealed with",
        ),
        ("seal -k link.key file", "make one with `sealwire keygen`"),
    ] {
        assert_eq!(
            bench.run(command).fails(1, &[]).stderr(),
            format!(
                "sealwire: key file link.key: it is a key for links, not for files; {advice}\n"
            )
        );
    }
    bench.run("mac -k file.key file").fails(
        1,
        &["key file file.key: it is a key for files, not for tags"],
    );
    // A purpose that was changed by hand.
    let text = String::from_utf8(bench.read("link.key")).unwrap();
    bench.write("link.key", text.replace("link", "file").as_bytes());
    bench.run("seal -k link.key file").fails(
        1,
        &["key file link.key: its id is", "one of them was changed"],
    );
    assert_eq!(bench.names(), before);
}

/// The configuration of an end with this key file.
fn link_end(key: &str) -> String {
    format!(
        "[link]\nid = \"1\"\npeer-id = \"2\"\nkey-file = \"{key}\"\nsuite = \"omd-sha512\"\n[trusted]\ndevice = \"t\"\n[untrusted]\nlisten = \"127.0.0.1:7000\"\npeer = \"127.0.0.1:7001\"\n[run]\nuser = \"root\"\n"
    )
}

#[test]
fn a_link_takes_no_key_for_files() {
    let bench = Bench::new();
    bench.run("keygen file.key").succeeds();
    bench
        .run("link keygen --suite omd-sha512 link.key")
        .succeeds();
    bench.write("link.toml", link_end("file.key").as_bytes());
    bench.run("link check link.toml").fails(
        1,
        &["file.key: it is a key for files, not for links; make one with `sealwire link keygen`"],
    );
    for good in ["link.key", "key"] {
        bench.write("link.toml", link_end(good).as_bytes());
        let run = bench.run("link check link.toml");
        assert!(run.0.status.success(), "{good}: {}", run.stderr());
    }
    bench.write(
        "noise.toml",
        format!(
            "{}[noise]\nkey-file = \"file.key\"\npeer-key = \"{}\"\n",
            link_end("link.key"),
            "09".repeat(32)
        )
        .as_bytes(),
    );
    bench.run("link check noise.toml").fails(
        1,
        &["file.key: it is a key for files, not for the Noise channel of a link"],
    );
}

/// Advice fits the command, a name stands once, and numbers of the system stand nowhere.
#[test]
fn a_directory_or_a_missing_file_of_each_command() {
    let bench = Bench::new();
    fs::create_dir(bench.path("dir")).unwrap();
    bench.write("text", b"text");
    bench.run("keygen --suite ascon-mac m.key").succeeds();
    let packed = "sealwire: dir is a directory; give the files in it, or pack it: tar c dir | sealwire mac -k KEYFILE -\n";
    let sealed = "dir is a directory; give a file that `sealwire seal` made\n";
    let sealed = &format!("sealwire: {sealed}");
    for (arguments, line) in [
        ("mac -k m.key dir", packed),
        (
            "mac -k m.key --verify dir",
            "sealwire: dir is a directory; give a list of tags, as `sealwire mac` writes it\n",
        ),
        ("open -k key dir", sealed),
        ("open -k key dir -o out", sealed),
        (
            "kat gone",
            "sealwire: cannot read gone: No such file or directory; check the path\n",
        ),
        (
            "kat dir",
            "sealwire: cannot read dir: Is a directory; give a file\n",
        ),
    ] {
        let run = bench.run(arguments);
        assert_eq!(run.fails(1, &[]).stderr(), line, "{arguments}");
    }
    let run = bench.run("verify -k key dir gone text");
    assert_eq!(
        run.fails(1, &["3 of 3 not authentic"]).stdout(),
        "dir: FAILED, it is a directory; give a file that `sealwire seal` made\n\
         gone: FAILED, cannot open it: No such file or directory; check the path\n\
         text: FAILED, this is not a sealed file: it does not begin with \"sealfile\"; check the name\n"
    );
    let run = bench.run_with("verify -k key -", b"text");
    let said = run.fails(1, &["1 of 1 not authentic"]).stdout();
    assert_eq!(
        said,
        "-: FAILED, this is not a sealed file: it does not begin with \"sealfile\"; check the name\n"
    );
}

#[test]
fn every_part_of_link_says_what_it_cannot_read() {
    let bench = Bench::new();
    fs::create_dir(bench.path("dir")).unwrap();
    bench.chmod("dir", 0o700);
    bench.write("file", b"");
    bench.write("bytes", b"\xff\xfe");
    let wanted =
        "; what is needed is an end's configuration file, such as /etc/sealwire/office.toml\n";
    for part in ["check", "status", "rekey", "down", "up"] {
        for (name, reason) in [
            ("gone", "No such file or directory"),
            ("dir", "Is a directory"),
            ("file/x", "Not a directory"),
            ("bytes", "it is not text in UTF-8"),
        ] {
            let run = bench.run(&format!("link {part} {name}"));
            let line = format!("sealwire: cannot read {name}: {reason}{wanted}");
            assert_eq!(run.fails(1, &[]).stderr(), line);
        }
    }
    for (name, reason) in [
        ("gone", "No such file"),
        ("dir", "it is a directory"),
        ("file/x", "Not a directory"),
    ] {
        bench.write("end.toml", link_end(name).as_bytes());
        let run = bench.run("link check end.toml");
        let reason = format!("key file {name}: {reason}");
        run.fails(1, &[&reason, "make one with `sealwire link keygen`"]);
        assert!(!run.stderr().contains("os error"), "{}", run.stderr());
    }
    // What these write is named without an option.
    for part in ["keygen", "noise-key"] {
        for (name, words) in [
            (
                "no/key",
                "there is no folder no; make it first, or write elsewhere\n",
            ),
            ("dir", "dir is a directory; give a file name\n"),
            (
                "file/x",
                "cannot write file/x: Not a directory; check the path\n",
            ),
        ] {
            bench.run(&format!("link {part} {name}")).fails(1, &[words]);
        }
    }
    let run = bench.run("link pubkey file/x");
    let line = "sealwire: cannot open file/x: Not a directory; check the path\n";
    assert_eq!(run.fails(1, &[]).stderr(), line);
}

#[test]
fn who_asks_an_end_that_does_not_answer_is_told_what_to_do() {
    let bench = Bench::new();
    bench.write("file", b"");
    let long = "s".repeat(200);
    for (path, words) in [
        ("gone", &["is not up", "`sealwire link up` starts it"][..]),
        ("no/where", &["is not up", "`sealwire link up` starts it"]),
        ("file/x", &["Not a directory", "check [run] status-socket"]),
        (
            &long,
            &["that of a socket at most 107", "name a shorter one"],
        ),
    ] {
        let text = format!("{}status-socket = \"{path}\"\n", link_end("link.key"));
        bench.write("end.toml", text.as_bytes());
        for part in ["status", "rekey", "down"] {
            let run = bench.run(&format!("link {part} end.toml"));
            run.fails(1, words);
            assert!(!run.stderr().contains("os error"), "{}", run.stderr());
        }
    }
    bench.run("link keygen link.key").succeeds();
    bench
        .run("link check end.toml")
        .fails(1, &["that of a socket at most 107"]);
}

#[test]
fn check_warns_of_what_this_machine_lacks_and_of_nothing_else() {
    let bench = Bench::new();
    bench.run("link keygen link.key").succeeds();
    let good = link_end("link.key");
    let socket = format!("{good}status-socket = \"no/where/end.sock\"\n");
    for (text, warning) in [
        (good.clone(), ""),
        (
            good.replace("127.0.0.1:", "192.0.2.1:"),
            "[untrusted] listen 192.0.2.1:",
        ),
        (socket, "[run] status-socket no/where/end.sock: "),
    ] {
        bench.write("end.toml", text.as_bytes());
        let run = bench.run("link check end.toml");
        assert!(run.0.status.success());
        let said = run.stderr();
        let mut lines = said.lines();
        assert_eq!(lines.next().is_some(), !warning.is_empty(), "{said}");
        assert!(said.contains(warning) && lines.next().is_none(), "{said}");
        let run = bench.run("link check --quiet end.toml");
        assert_eq!(run.succeeds().stderr(), "");
    }
}

#[test]
fn a_directory_or_a_missing_file() {
    let bench = Bench::new();
    fs::create_dir(bench.path("folder")).unwrap();
    bench.write("in", b"text");
    let before = bench.names();
    bench
        .run("seal -k key folder")
        .fails(1, &["folder is a directory", "tar"]);
    bench
        .run("open -k key folder -o out")
        .fails(1, &["folder is a directory"]);
    bench
        .run("seal -k folder in")
        .fails(1, &["key file folder is a directory", "keygen"]);
    bench
        .run("seal -k key - -o folder --force")
        .fails(1, &["folder is a directory", "-o"]);
    bench
        .run("keygen folder --force")
        .fails(1, &["folder is a directory"]);
    bench
        .run("seal -k key nowhere")
        .fails(1, &["cannot open nowhere: No such file", "check the path"]);
    bench
        .run("open -k key nowhere.sealed")
        .fails(1, &["nowhere.sealed: No such file"]);
    bench
        .run("seal -k nowhere in")
        .fails(1, &["nowhere: No such file"]);
    bench
        .run("seal -k key in -o no/where")
        .fails(1, &["cannot write no/where: there is no folder no; make it first, or write elsewhere with -o"]);
    bench
        .run("seal -k key in/side")
        .fails(1, &["in/side: Not a directory"]);
    assert_eq!(bench.names(), before);
}

#[test]
fn an_existing_output_without_force() {
    let bench = Bench::new();
    bench.write("in", b"text");
    bench.write("in.sealed", b"precious");
    bench
        .run("seal -k key in")
        .fails(1, &["in.sealed already exists", "--force"]);
    bench
        .run("seal -k key in -o key")
        .fails(1, &["key file key"]);
    bench
        .run("keygen key")
        .fails(1, &["key already exists", "--force"]);
    symlink("nowhere", bench.path("link")).unwrap();
    bench
        .run("seal -k key in -o link")
        .fails(1, &["link already exists"]);
    bench.run("seal -k key in -o link --force").fails(
        1,
        &["link is a symbolic link to nowhere, which is not there; remove the link"],
    );
    assert!(bench.path("link").is_symlink());
    assert_eq!(bench.read("in.sealed"), b"precious");
    assert_eq!(bench.names(), ["in", "in.sealed", "key", "link"]);
}

#[test]
fn an_existing_output_is_kept_when_a_forced_run_fails() {
    let bench = Bench::new();
    let mut file = bench.sealed("file", &text(9000));
    file[8000] ^= 1;
    bench.write("bad", &file);
    bench.write("out", b"precious");
    bench
        .run("open -k key bad -o out --force")
        .fails(1, &["chunk 2"]);
    assert_eq!(bench.read("out"), b"precious");
    assert_eq!(bench.names(), ["bad", "file", "key", "out"]);
}

#[test]
fn an_output_that_appears_meanwhile() {
    let bench = Bench::new();
    let (child, mut stdin) = busy(&bench, "seal -k key --chunk-size 4K - -o out");
    bench.write("out", b"precious");
    stdin.flush().unwrap();
    drop(stdin);
    Run(child.wait_with_output().unwrap()).fails(1, &["out appeared meanwhile", "--force"]);
    assert_eq!(bench.read("out"), b"precious");
    assert_eq!(bench.names(), ["key", "out"]);
}

#[test]
fn an_output_that_is_the_input() {
    let bench = Bench::new();
    bench.write("in", b"text");
    fs::hard_link(bench.path("in"), bench.path("hard")).unwrap();
    symlink("in", bench.path("soft")).unwrap();
    let key = bench.read("key");
    for output in ["in", "./in", "hard", "soft"] {
        for force in ["", "--force"] {
            bench
                .run(&format!("seal -k key in -o {output} {force}"))
                .fails(1, &["the output is the input, in", "-o"]);
        }
    }
    bench
        .run("seal -k key in -o key --force")
        .fails(1, &["the output is the key file"]);
    bench.write("phrase", b"correct horse\n");
    bench.chmod("phrase", 0o600);
    for command in ["seal", "open"] {
        bench
            .run(&format!(
                "{command} --passphrase-file phrase in -o phrase --force"
            ))
            .fails(1, &["the output is the passphrase file phrase"]);
    }
    assert_eq!(bench.read("phrase"), b"correct horse\n");
    bench
        .shell("$sealwire seal -k key - -o in --force < in")
        .fails(1, &["the output is the input"]);
    bench
        .shell("$sealwire seal -k key in -o - >> in")
        .fails(1, &["the output is the input"]);
    assert_eq!(
        (bench.read("in"), bench.read("key")),
        (b"text".to_vec(), key)
    );
    assert_eq!(bench.names(), ["hard", "in", "key", "phrase", "soft"]);
}

#[test]
fn a_full_disk() {
    let bench = Bench::new();
    bench.write("in", &text(200_000));
    bench.run("seal -k key in -o sealed").succeeds();
    let before = bench.names();
    for command in ["seal -k key in", "open -k key sealed"] {
        let run = bench.shell(&format!("$sealwire {command} -o - > /dev/full"));
        run.fails(
            1,
            &[
                "cannot write standard output: No space left",
                "free some space",
            ],
        );
        bench
            .run(&format!("{command} -o /dev/full"))
            .fails(1, &["cannot write /dev/full: No space left"]);
        // A limit of 100 KiB for one file, which the command must survive as an error.
        let run = bench.shell(&format!("ulimit -f 100; $sealwire {command} -o out"));
        run.fails(1, &["cannot write out: File too large", "ulimit"]);
        assert_eq!(bench.names(), before);
    }
    bench
        .shell("$sealwire keygen - > /dev/full")
        .fails(1, &["No space left"]);
    bench
        .shell("$sealwire schemes > /dev/full")
        .fails(1, &["No space left"]);
}

#[test]
fn a_full_file_system() {
    let bench = Bench::new();
    bench.write("in", &text(200_000));
    fs::create_dir(bench.path("small")).unwrap();
    let may_mount = Command::new("unshare")
        .args(["-m", "mount", "-t", "tmpfs", "none", "/mnt"])
        .output();
    if !may_mount.is_ok_and(|output| output.status.success()) {
        eprintln!("no permission to mount: only the file size limit was tested");
        return;
    }
    let run = bench.shell(
        "exec unshare -m bash -c 'mount -t tmpfs -o size=100k none small && $sealwire seal -k key in -o small/out
         code=$?; ls -A small; exit $code'",
    );
    run.fails(
        1,
        &[
            "cannot write small/out: No space left on device",
            "free some space",
        ],
    );
    assert_eq!(
        run.stdout(),
        "",
        "something was left on the full file system"
    );
}

#[test]
fn a_reader_that_ends_early() {
    let bench = Bench::new();
    bench.write("in", &text(1 << 20));
    let run = bench
        .shell("$sealwire seal -k key in -o - | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}");
    run.fails(1, &["cannot write standard output: Broken pipe"]);
}

/// The command, started as by a shell in a terminal or by `nohup`, whatever started the tests.
fn hangup(bench: &Bench, ignored: bool, arguments: &str) -> Command {
    let mut command = Command::new("env");
    command.arg(if ignored {
        "--ignore-signal=HUP"
    } else {
        "--default-signal=HUP"
    });
    command
        .arg(support::sealwire())
        .args(arguments.split_whitespace())
        .current_dir(bench.path(""));
    command
}

/// A command that has written something and waits for more input.
fn busy(bench: &Bench, arguments: &str) -> (Child, std::process::ChildStdin) {
    busy_command(bench, hangup(bench, false, arguments))
}

fn busy_command(bench: &Bench, mut command: Command) -> (Child, std::process::ChildStdin) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&text(3 * 4096)).unwrap();
    let started = Instant::now();
    let written = || {
        let unfinished = bench
            .names()
            .into_iter()
            .find(|name| name.starts_with(".sealwire-"));
        unfinished
            .and_then(|name| fs::metadata(bench.path(&name)).ok())
            .is_some_and(|file| file.len() >= 64 + 4096)
    };
    while !written() {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "no unfinished file: {:?}",
            bench.names()
        );
        sleep(Duration::from_millis(5));
    }
    (child, stdin)
}

fn kill(signal: &str, child: &Child) {
    let script = format!("kill -{signal} {}", child.id());
    assert!(
        Command::new("bash")
            .args(["-c", &script])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn a_terminal_that_closes_does_not_end_a_run_under_nohup() {
    let bench = Bench::new();
    let (child, stdin) = busy_command(
        &bench,
        hangup(&bench, true, "seal -k key --chunk-size 4K - -o out"),
    );
    kill("HUP", &child);
    sleep(Duration::from_millis(200));
    drop(stdin);
    assert!(child.wait_with_output().unwrap().status.success());
    bench.run("open -k key out -o -").succeeds();
}

#[test]
fn an_interrupted_run() {
    for (name, number) in [("INT", 2), ("QUIT", 3), ("TERM", 15), ("HUP", 1)] {
        let bench = Bench::new();
        bench.write("out", b"precious");
        let (child, stdin) = busy(&bench, "seal -k key --chunk-size 4K - -o out --force");
        kill(name, &child);
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!(output.status.signal(), Some(number), "{name}");
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            line, "sealwire: interrupted; the output was not written\n",
            "{name}"
        );
        assert_eq!(bench.read("out"), b"precious", "{name}");
        assert_eq!(bench.names(), ["key", "out"], "{name}");
    }
}

/// At a terminal: what is typed, and what a user sees.
#[test]
fn a_passphrase_that_is_not_typed_to_the_end() {
    let bench = Bench::new();
    bench.write("in", b"text");
    let typed = |keys: &str| {
        let line = format!("{} seal --passphrase in", support::sealwire().display());
        let script = format!(
            "(for part in {keys}; do sleep 0.5; printf \"$part\"; done; sleep 1) | script -qec '{line}' /dev/null"
        );
        let run = bench.shell(&script);
        assert!(!bench.names().contains(&"in.sealed".to_owned()));
        (run.0.status.code(), run.stdout())
    };
    let (code, said) = typed("'one\\n' '\\003'");
    assert_eq!(code, Some(128 + 2), "as Ctrl-C ends any program: {said}");
    assert!(
        said.contains("sealwire: interrupted") && !said.contains("no terminal"),
        "{said}"
    );
    let (code, said) = typed("'one\\n' '\\004'");
    assert!(
        code == Some(1) && said.contains("no passphrase was typed"),
        "{said}"
    );
    let (code, said) = typed("'one\\n' 'two\\n'");
    assert!(
        code == Some(1) && said.contains("the two passphrases differ"),
        "{said}"
    );
}

#[test]
fn wrong_usage() {
    let bench = Bench::new();
    bench.write("in", b"text");
    for arguments in [
        "",
        "unseal in",
        "seal in",
        "seal -k key",
        "seal -k key in --suite rot13",
        "seal -k key in --suite omdsha256k128n96tau64v1",
        "seal -k key in --chunk-size 5000",
        "seal -k key in --chunk-size 32M",
        "keygen",
        "kat",
    ] {
        let run = bench.run(arguments);
        assert_eq!(
            run.0.status.code(),
            Some(2),
            "{arguments}: {}",
            run.stderr()
        );
        assert!(run.stdout().is_empty() && !run.stderr().is_empty());
    }
    bench
        .run("open -k key in")
        .fails(2, &["in does not end in .sealed", "-o"]);
    assert_eq!(bench.names(), ["in", "key"]);
}

#[test]
fn what_a_file_is_sealed_or_opened_with_left_out_and_a_suite_that_is_none() {
    let bench = Bench::new();
    bench.write("file", b"text");
    let which = &["sealwire info FILE", "-k", "-i", "-p"][..];
    for (command, words) in [
        (
            "seal file",
            &["sealwire keygen my.key", "-k", "-r", "-p"][..],
        ),
        ("open file", which),
        ("verify file", which),
        (
            "seal -s omd-blake2 -k key file",
            &["did you mean omd-blake2b?"],
        ),
    ] {
        let run = bench.run(command);
        assert_eq!(run.0.status.code(), Some(2), "{command}");
        let said = String::from_utf8_lossy(&run.0.stderr);
        assert!(
            words.iter().all(|word| said.contains(word)),
            "{command}: {said}"
        );
    }
    // Another argument left out has nothing to do with keys.
    let said = bench.run("seal -k key").0.stderr;
    assert!(!String::from_utf8_lossy(&said).contains("keygen"));
}

#[test]
fn what_a_configuration_lacks_is_said_with_what_to_write() {
    let bench = Bench::new();
    let mut text = String::new();
    for (more, missing, write) in [
        ("[run]\n", "`link`", "[link] with id, peer-id, suite"),
        ("[link]\n", "`id`", "id = \"1\""),
        ("id = \"1\"\n", "`suite`", "suite = \"omd-blake2b\""),
        (
            "suite = \"omd-blake2b\"\n",
            "`trusted`",
            "device = \"seal0\"",
        ),
        ("[trusted]\n", "`device`", "device = \"seal0\""),
        (
            "device = \"seal0\"\n",
            "`untrusted`",
            "listen = \"0.0.0.0:4500\"",
        ),
    ] {
        text.push_str(more);
        bench.write("end.toml", text.as_bytes());
        let run = bench.run("link check end.toml");
        let (said, missing) = (run.stderr(), format!("missing field {missing}\nwrite "));
        assert_eq!(run.0.status.code(), Some(1));
        assert!(said.contains(&missing) && said.contains(write), "{said}");
    }
}
