// SPDX-License-Identifier: Apache-2.0
//! What is left of an end that does not come to run.
#![cfg(target_os = "linux")]

mod support;

use std::net::UdpSocket;
use support::Bench;

#[test]
fn a_start_that_fails_leaves_no_status_socket() {
    let bench = Bench::new();
    bench.run("link keygen link.key").succeeds();
    let port = UdpSocket::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let is_root = bench.shell("id -u").stdout().trim() == "0";
    let user = if is_root { "user = \"root\"" } else { "" };
    // Nobody has that address, which is asked for after the status socket.
    bench.write(
        "end.toml",
        format!(
            "[link]\nid = \"2\"\npeer-id = \"1\"\nsuite = \"omd-blake2b\"\nkey-file = \"link.key\"\n[trusted]\ndevice = \"seal0\"\n\
             [untrusted]\nlisten = \"127.0.0.1:{}\"\n[run]\nstatus-socket = \"end.sock\"\nmetrics = \"192.0.2.1:9\"\n{user}\n",
            port.port()
        )
        .as_bytes(),
    );
    for _ in 0..2 {
        let run = bench.run("link up end.toml");
        assert_eq!(run.0.status.code(), Some(1));
        assert!(run.stderr().contains("[run] metrics"), "{}", run.stderr());
        assert!(!bench.path("end.sock").exists());
    }
}
