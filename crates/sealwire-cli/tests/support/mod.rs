// SPDX-License-Identifier: Apache-2.0
//! A folder to work in and the command to run in it.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;

/// A fresh folder with a key file `key`, which holds 00 01 02 .. (64 bytes).
pub struct Bench(TempDir);

impl Bench {
    pub fn new() -> Self {
        let bench = Self(TempDir::new().unwrap());
        let digits: String = (0..64).map(|i| format!("{i:02x}")).collect();
        bench.write("key", digits.as_bytes());
        bench.chmod("key", 0o600);
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn chmod(&self, name: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Names in the folder, hidden ones too.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// `sealwire` with arguments that are separated by spaces.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(sealwire());
        command
            .args(arguments.split_whitespace())
            .current_dir(self.0.path());
        command
    }

    /// Runs `sealwire` with nothing on standard input.
    pub fn run(&self, arguments: &str) -> Run {
        self.run_with(arguments, b"")
    }

    /// Runs `sealwire` with these bytes on standard input.
    pub fn run_with(&self, arguments: &str, input: &[u8]) -> Run {
        feed(self.command(arguments), input)
    }

    /// Runs a shell script in which `$sealwire` is the command.
    pub fn shell(&self, script: &str) -> Run {
        let mut command = Command::new("bash");
        command
            .args(["-c", script])
            .current_dir(self.0.path())
            .env("sealwire", sealwire());
        feed(command, b"")
    }

    /// Seals `text` with small chunks into `name` and gives the file.
    pub fn sealed(&self, name: &str, text: &[u8]) -> Vec<u8> {
        self.run_with(&format!("seal -k key --chunk-size 4K - -o {name}"), text)
            .succeeds();
        self.read(name)
    }
}

pub fn sealwire() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_sealwire"))
}

fn feed(mut command: Command, input: &[u8]) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(&input); // a command that fails early does not read everything
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    Run(output)
}

/// A command that has ended.
pub struct Run(pub Output);

impl Run {
    pub fn stdout(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// Exit code 0 and silence on standard error.
    #[track_caller]
    pub fn succeeds(&self) -> &Self {
        assert!(
            self.0.status.success() && self.stderr().is_empty(),
            "{}: {}",
            self.0.status,
            self.stderr()
        );
        self
    }

    /// This exit code, and one line on standard error that has all of these words.
    #[track_caller]
    pub fn fails(&self, code: i32, words: &[&str]) -> &Self {
        let line = self.stderr();
        assert_eq!(self.0.status.code(), Some(code), "{line}");
        assert!(
            line.starts_with("sealwire: ") && line.ends_with('\n') && line.lines().count() == 1,
            "{line}"
        );
        for word in words {
            assert!(line.contains(word), "{word:?} is missing in: {line}");
        }
        self
    }
}

/// Byte i is (7 i + 3) mod 256.
pub fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + 3) as u8).collect()
}
