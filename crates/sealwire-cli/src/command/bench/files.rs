// SPDX-License-Identifier: Apache-2.0
//! `bench --files`: whole programs on one file, this one beside `openssl enc`, `age` and `rage` where they are found.

use crate::command::{
    Failure,
    input::{cannot, shown, without_controls},
};
use sealwire_link::suite::SUITES;
use serde::Serialize;
use std::{
    ffi::OsString,
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// What one program took for one file.
#[derive(Serialize)]
struct Row {
    program: &'static str,
    /// Suite or cipher.
    cipher: &'static str,
    /// Whether a changed file is noticed.
    authenticated: bool,
    op: &'static str,
    /// Of plaintext.
    bytes: u64,
    /// Seconds of wall time for 10^9 bytes: the median.
    wall_s_per_gb: f64,
    /// Seconds of all cores for 10^9 bytes: the median; `null` where the system does not say.
    cpu_s_per_gb: Option<f64>,
    gb_per_s: f64,
}

#[derive(Serialize)]
struct Report {
    rows: Vec<Row>,
    /// Programs to compare with that no folder of PATH has.
    not_found: Vec<&'static str>,
}

/// One program that is run again and again.
struct Case {
    program: &'static str,
    cipher: &'static str,
    authenticated: bool,
    op: &'static str,
    command: PathBuf,
    arguments: Vec<OsString>,
    input: PathBuf,
}

/// What one run took.
struct Took {
    wall: Duration,
    cpu: Option<Duration>,
}

impl Case {
    fn command(&self) -> Result<Command, Failure> {
        let input =
            File::open(&self.input).map_err(|error| cannot("open", &shown(&self.input), &error))?;
        let mut command = Command::new(&self.command);
        command
            .args(&self.arguments)
            .stdin(input)
            .stderr(Stdio::piped());
        Ok(command)
    }

    /// Runs it once, from a file into a pipe's or device's place.
    fn run(&self, output: Stdio) -> Result<Took, Failure> {
        let mut command = self.command()?;
        let before = children_cpu();
        let start = Instant::now();
        let done = command
            .stdout(output)
            .output()
            .map_err(|error| cannot("run", &shown(&self.command), &error))?;
        let wall = start.elapsed();
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            let said = without_controls(said.trim());
            return Err(format!(
                "{} {} failed ({}): {said}",
                self.program, self.op, done.status
            )
            .into());
        }
        let cpu = children_cpu()
            .zip(before)
            .map(|(after, before)| after - before);
        Ok(Took { wall, cpu })
    }

    fn run_into(&self, output: &Path) -> Result<(), Failure> {
        let file = File::create(output).map_err(|error| cannot("write", &shown(output), &error))?;
        self.run(file.into()).map(|_| ())
    }
}

/// What all programs took that were run until now.
fn children_cpu() -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let duration = |time: nix::sys::time::TimeVal| {
            Duration::new(
                time.tv_sec().try_into().unwrap_or(0),
                (time.tv_usec() * 1000).try_into().unwrap_or(0),
            )
        };
        Some(duration(usage.user_time()) + duration(usage.system_time()))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Measures, and writes a table or JSON.
pub(super) fn run(bytes: u64, repeat: u32, json: bool) -> Result<(), Failure> {
    let folder = TempDir::new().map_err(|error| cannot("make", "a temporary folder", &error))?;
    let plain = folder.path().join("plain");
    fill(&plain, bytes).map_err(|error| cannot("write", "a temporary file", &error))?;
    let (mut pairs, mut not_found) = (ours(folder.path(), &plain)?, Vec::new());
    for peer in [openssl, age, rage] {
        match peer(folder.path(), &plain)? {
            Ok(pair) => pairs.push(pair),
            Err(name) => not_found.push(name),
        }
    }
    // What is opened is sealed once before.
    for [seal, open] in &pairs {
        seal.run_into(&open.input)?;
    }
    let cases: Vec<_> = pairs.into_iter().flatten().collect();
    let mut times: Vec<Vec<Took>> = cases.iter().map(|_| Vec::new()).collect();
    for _ in 0..repeat {
        for (case, times) in cases.iter().zip(&mut times) {
            times.push(case.run(Stdio::null())?);
        }
    }
    let rows = cases.iter().zip(times);
    let rows = rows.map(|(case, times)| row(case, bytes, &times)).collect();
    let report = Report { rows, not_found };
    let mut out = io::stdout().lock();
    let written = if json {
        serde_json::to_writer_pretty(&mut out, &report)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(out))
    } else {
        table(&mut out, &report)
    };
    written.map_err(|error| cannot("write", "standard output", &error))
}

fn row(case: &Case, bytes: u64, times: &[Took]) -> Row {
    let per_gb = |time: Duration| time.as_secs_f64() * 1e9 / bytes as f64;
    let wall = per_gb(median(times.iter().map(|took| took.wall)).unwrap_or_default());
    let cpu: Option<Vec<_>> = times.iter().map(|took| took.cpu).collect();
    Row {
        program: case.program,
        cipher: case.cipher,
        authenticated: case.authenticated,
        op: case.op,
        bytes,
        wall_s_per_gb: wall,
        cpu_s_per_gb: cpu.and_then(|times| median(times.into_iter())).map(per_gb),
        gb_per_s: 1.0 / wall,
    }
}

fn median(times: impl Iterator<Item = Duration>) -> Option<Duration> {
    let mut times: Vec<_> = times.collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

fn table(out: &mut impl Write, report: &Report) -> io::Result<()> {
    writeln!(
        out,
        "whole programs, a file in the page cache to nowhere: seconds for 10^9 bytes, medians"
    )?;
    writeln!(
        out,
        "{:<9} {:<15} {:<5} {:>9} {:>9} {:>7}",
        "program", "cipher", "op", "wall s/GB", "CPU s/GB", "GB/s"
    )?;
    for row in &report.rows {
        let cpu = row
            .cpu_s_per_gb
            .map_or("-".into(), |cpu| format!("{cpu:.3}"));
        let note = if row.authenticated {
            ""
        } else {
            "  not authenticated"
        };
        writeln!(
            out,
            "{:<9} {:<15} {:<5} {:>9.3} {:>9} {:>7.2}{note}",
            row.program, row.cipher, row.op, row.wall_s_per_gb, cpu, row.gb_per_s
        )?;
    }
    for name in &report.not_found {
        writeln!(out, "{name} was not measured: no folder of PATH has it")?;
    }
    Ok(())
}

/// Bytes that no file system stores as a hole.
fn fill(path: &Path, bytes: u64) -> io::Result<()> {
    let mut block = vec![0_u8; 1 << 20];
    let mut state = 1_u64;
    for byte in &mut block {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        *byte = (state >> 56) as u8;
    }
    let mut file = File::create(path)?;
    let mut left = bytes;
    while left > 0 {
        let count = left.min(block.len() as u64);
        file.write_all(&block[..count as usize])?;
        left -= count;
    }
    Ok(())
}

/// Sealing and opening with one program.
type Pair = [Case; 2];

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

/// This program, with every suite.
fn ours(folder: &Path, plain: &Path) -> Result<Vec<Pair>, Failure> {
    let command = std::env::current_exe().map_err(|error| cannot("find", "sealwire", &error))?;
    let pair = |suite: &'static sealwire_link::suite::Suite| {
        let key = folder.join(suite.alias);
        let text = sealwire_file::Key::generate(suite).map_err(|error| error.to_string())?;
        secret(&key, text.to_text().as_bytes())?;
        let case = |op, input, more: &str| {
            let mut arguments = vec![OsString::from(op), "-k".into(), key.clone().into()];
            arguments.extend(words(more));
            Case {
                program: "sealwire",
                cipher: suite.alias,
                authenticated: true,
                op,
                command: command.clone(),
                arguments,
                input,
            }
        };
        Ok([
            case(
                "seal",
                plain.to_owned(),
                &format!("-q --suite {} - -o -", suite.alias),
            ),
            case(
                "open",
                folder.join(format!("{}.sealed", suite.alias)),
                "-q - -o -",
            ),
        ])
    };
    SUITES.iter().map(pair).collect()
}

/// A file that nobody else can read.
fn secret(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .and_then(|mut file| file.write_all(text))
        .map_err(|error| cannot("write", &shown(path), &error))
}

/// A program that is on PATH.
fn find(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

type Peer = Result<Pair, &'static str>;

/// AES-256-CTR, the fastest of `openssl enc`, which has no cipher that authenticates.
fn openssl(folder: &Path, plain: &Path) -> Result<Peer, Failure> {
    let Some(command) = find("openssl") else {
        return Ok(Err("openssl"));
    };
    let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let case = |op, flag, input| Case {
        program: "openssl",
        cipher: "aes-256-ctr",
        authenticated: false,
        op,
        command: command.clone(),
        arguments: words(&format!(
            "enc {flag} -aes-256-ctr -K {key} -iv {}",
            &key[..32]
        )),
        input,
    };
    Ok(Ok([
        case("seal", "-e", plain.to_owned()),
        case("open", "-d", folder.join("openssl.sealed")),
    ]))
}

fn age(folder: &Path, plain: &Path) -> Result<Peer, Failure> {
    age_like("age", "age-keygen", folder, plain)
}

fn rage(folder: &Path, plain: &Path) -> Result<Peer, Failure> {
    age_like("rage", "rage-keygen", folder, plain)
}

/// A program with the arguments of age, to one recipient.
fn age_like(
    name: &'static str,
    keygen: &'static str,
    folder: &Path,
    plain: &Path,
) -> Result<Peer, Failure> {
    let (Some(command), Some(keygen)) = (find(name), find(keygen)) else {
        return Ok(Err(name));
    };
    let identity = folder.join(format!("{name}.identity"));
    let made = Command::new(&keygen)
        .output()
        .map_err(|error| cannot("run", &shown(&keygen), &error))?;
    secret(&identity, &made.stdout)?;
    let text = String::from_utf8_lossy(&made.stdout);
    let public = text
        .lines()
        .find_map(|line| line.strip_prefix("# public key: "))
        .ok_or_else(|| format!("{} names no public key", shown(&keygen)))?;
    let case = |op, arguments, input| Case {
        program: name,
        cipher: "chacha20poly1305",
        authenticated: true,
        op,
        command: command.clone(),
        arguments,
        input,
    };
    Ok(Ok([
        case("seal", vec!["-r".into(), public.into()], plain.to_owned()),
        case(
            "open",
            vec!["-d".into(), "-i".into(), identity.into()],
            folder.join(format!("{name}.sealed")),
        ),
    ]))
}
