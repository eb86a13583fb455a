// SPDX-License-Identifier: Apache-2.0
//! What is left of an end that does not come to run.
#![cfg(target_os = "linux")]

mod support;

use std::net::UdpSocket;
use support::Bench;

/// An end's configuration that does as root and without.
fn end(bench: &Bench, side: &str, run: &str, noise: &str) -> String {
    let is_root = bench.shell("id -u").stdout().trim() == "0";
    let user = if is_root { "user = \"root\"" } else { "" };
    format!(
        "[link]\nid = \"2\"\npeer-id = \"1\"\nsuite = \"omd-blake2b\"\n{noise}\n[trusted]\ndevice = \"seal0\"\n\
         [untrusted]\n{side}\n[run]\n{run}\n{user}\n"
    )
}

#[test]
fn a_start_that_fails_says_why_and_what_helps() {
    let bench = Bench::new();
    bench.run("link keygen link.key").succeeds();
    bench.run("link noise-key noise.key").succeeds();
    bench.write("file", b"");
    let taken = UdpSocket::bind("127.0.0.1:0").unwrap();
    let taken = format!("listen = \"{}\"", taken.local_addr().unwrap());
    let free = format!("listen = \"127.0.0.1:{}\"", free_port());
    let key = "key-file = \"link.key\"";
    let socket = |path: &str| format!("status-socket = \"{path}\"");
    let own = socket("end.sock");
    let channel = "[noise]\nkey-file = \"noise.key\"\nlisten = \"192.0.2.1:9\"\n\
         peer-key = \"8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f\"";
    for (side, run, noise, words) in [
        (
            &free,
            &socket("no/where"),
            key,
            &["[run] status-socket no/where: ", "a folder that exists"][..],
        ),
        (
            &free,
            &socket("file/x"),
            key,
            &[
                "[run] status-socket file/x: Not a directory; ",
                "another path",
            ],
        ),
        (
            &free,
            &socket("file"),
            key,
            &["left alone; name another path"],
        ),
        (
            &free,
            &socket(&"s".repeat(200)),
            key,
            &["that of a socket at most 107"],
        ),
        (
            &taken,
            &own,
            key,
            &[
                "[untrusted] listen 127.0.0.1:",
                "another process listens there",
            ],
        ),
        (
            &"listen = \"192.0.2.1:4500\"".to_owned(),
            &own,
            key,
            &["no device of this machine has this address", "`ip address`"],
        ),
        (
            &free,
            &format!("{own}\nmetrics = \"192.0.2.1:9\""),
            key,
            &["[run] metrics 192.0.2.1:9: ", "`ip address`"],
        ),
        (
            &free,
            &own,
            channel,
            &["[noise] listen 192.0.2.1:9: ", "`ip address`"],
        ),
        (
            &"device = \"seal9\"".to_owned(),
            &own,
            key,
            &["[untrusted] device seal9: "],
        ),
    ] {
        bench.write("end.toml", end(&bench, side, run, noise).as_bytes());
        let run = bench.run("link up end.toml");
        assert_eq!(run.0.status.code(), Some(1), "{}", run.stderr());
        let said = run.stderr();
        let line = said.lines().last().unwrap();
        assert!(
            words.iter().all(|word| line.contains(word)),
            "{words:?}: {line}"
        );
        assert!(!said.contains("os error"), "{said}");
        assert!(!bench.path("end.sock").exists());
    }
}

/// A UDP port that nobody has now.
fn free_port() -> u16 {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap().port()
}

#[test]
fn a_start_that_fails_leaves_no_status_socket() {
    let bench = Bench::new();
    bench.run("link keygen link.key").succeeds();
    // Nobody has that address, which is asked for after the status socket.
    let run = "status-socket = \"end.sock\"\nmetrics = \"192.0.2.1:9\"";
    let side = format!("listen = \"127.0.0.1:{}\"", free_port());
    let text = end(&bench, &side, run, "key-file = \"link.key\"");
    bench.write("end.toml", text.as_bytes());
    for _ in 0..2 {
        let run = bench.run("link up end.toml");
        assert_eq!(run.0.status.code(), Some(1));
        assert!(run.stderr().contains("[run] metrics"), "{}", run.stderr());
        assert!(!bench.path("end.sock").exists());
    }
}
