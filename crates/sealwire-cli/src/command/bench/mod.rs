// SPDX-License-Identifier: Apache-2.0
//! `bench`: what sealing and opening cost here, beside what they ought to cost and beside other libraries.

mod bars;
mod clock;
mod cpu;
mod files;
#[cfg(feature = "peers")]
mod mac_peers;
mod macs;
mod ours;
#[cfg(feature = "peers")]
mod peers;

use super::{Outcome, input::cannot, path};
use clap::{Args, ValueEnum};
use clock::Time;
use cpu::Cpu;
use sealwire::compress::{Path, force_path};
use sealwire::mac::{self, MacScheme};
use sealwire::scheme::{Scheme, find, schemes};
use serde::Serialize;
use std::io::{self, Write};

/// Measure sealing, opening and tagging: core cycles a byte and Gbit/s
///
/// One thread, in place, keys set up before. A core cycle is measured in the same run, by a chain of additions that takes
/// one each; every case is repeated in turn with all others of its size. The least of the repetitions is what the code
/// takes, and what is held against a bar; the median shows how busy the machine was. What is opened was sealed
/// just before, while no clock ran. Batches of more than 1 MiB in all are left out.
///
/// Peers are other libraries in the same run, if this program was built with `--features peers`, as `make bench` does.
///
/// With --files whole programs are measured on one file: every suite of this one, `openssl enc`, `age` and `rage`, as far as they are on PATH.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire bench
  sealwire bench --bars --repeat 400
  sealwire bench --scheme omd-sha512 --bytes 1500,16384 --batch 1,8
  sealwire bench --path avx2 --scheme omd-sha512 --batch 4
  sealwire bench --scheme ascon-mac,fsks-64,ascon-farfalle --bytes 16384 --batch 1,8
  sealwire bench --scheme pomd-sha512,omd-sha512 --ad 0,message --bytes 16384
  sealwire bench --files --file-bytes 1G --repeat 5
  sealwire bench --json | jq '.[] | select(.bytes == 1500) | {scheme, op, batch, cpb}'")]
pub struct BenchArgs {
    /// Schemes and MACs by alias or name; all that have an alias if none is given
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = scheme)]
    scheme: Vec<Chosen>,
    /// Message lengths
    #[arg(
        long,
        value_name = "BYTES",
        value_delimiter = ',',
        default_value = "64,256,1500,4096,16384,1048576",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    bytes: Vec<u32>,
    /// Messages a call
    #[arg(
        long,
        value_name = "COUNT",
        value_delimiter = ',',
        default_value = "1,2,4,8,16",
        value_parser = clap::value_parser!(u32).range(1..=1024)
    )]
    batch: Vec<u32>,
    /// Associated data with every message: none, or as long as the message
    #[arg(
        long,
        value_name = "LENGTH",
        value_delimiter = ',',
        default_value = "0"
    )]
    ad: Vec<AdLength>,
    /// Instructions to use: portable; avx2, avx2-sha, avx2-vaes or avx512; neon, neon-sha2 or neon-sha3; the best that the CPU has if none is given
    #[arg(long, value_name = "PATH", value_parser = path::parse)]
    path: Option<Path>,
    /// Only what has a bar: each figure beside it and beside the limit that the compression function alone sets, on a CPU that the bars are of
    #[arg(long, conflicts_with_all = ["scheme", "bytes", "batch", "ad", "path"])]
    bars: bool,
    /// Whole programs on one file, beside `openssl enc`, `age` and `rage`: wall time and CPU time for 10^9 bytes
    #[arg(long, conflicts_with_all = ["scheme", "bytes", "batch", "ad", "path", "bars"])]
    files: bool,
    /// Length of that file, with K, M or G for 2^10, 2^20 or 2^30
    #[arg(long, value_name = "BYTES", default_value = "256M", requires = "files", value_parser = file_bytes)]
    file_bytes: u64,
    /// How often every case is measured
    #[arg(long, value_name = "COUNT", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Write a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AdLength {
    #[value(name = "0")]
    None,
    Message,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Op {
    Seal,
    Open,
    Tag,
}

/// An AEAD scheme or a MAC.
#[derive(Clone, Copy)]
enum Chosen {
    Aead(Scheme),
    Mac(MacScheme),
}

/// What is measured.
#[derive(Clone, Serialize)]
struct Case {
    /// Alias of a scheme, or what a peer calls its own
    scheme: String,
    op: Op,
    /// of one message
    bytes: usize,
    /// Messages a call
    batch: usize,
    /// Bytes of associated data with every message
    ad: usize,
    /// Vector instructions; absent for a peer, which chooses its own
    path: Option<String>,
    /// Another library
    peer: Option<&'static str>,
}

impl Case {
    /// Whether this is the sealing that belongs to an opening.
    fn seals_for(&self, opening: &Self) -> bool {
        (self.op, opening.op) == (Op::Seal, Op::Open)
            && (&self.scheme, &self.path, self.peer)
                == (&opening.scheme, &opening.path, opening.peer)
            && (self.bytes, self.batch, self.ad) == (opening.bytes, opening.batch, opening.ad)
    }
}

/// What came out.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    case: Case,
    /// Core cycles a byte of the messages: the median
    cpb: f64,
    /// The least of all repetitions: what noise has not reached
    cpb_least: f64,
    /// At the clock rate of the run
    gbit_s: f64,
}

/// A case, and what is to be called for it.
struct Subject {
    /// Of [`Work::Messages`] the sealing
    case: Case,
    work: Work,
    /// Instructions that the library does not take by itself
    forced: Option<Path>,
}

impl Subject {
    fn new(case: Case, work: Work) -> Self {
        Self {
            case,
            work,
            forced: None,
        }
    }
}

/// One call for all messages.
type Call = Box<dyn FnMut()>;

enum Work {
    Call(Call),
    Messages(Box<dyn Messages>),
}

/// Messages that are sealed and opened in place, all of a batch with one call.
trait Messages {
    /// `place` is one of [`places`].
    fn seal(&mut self, place: usize);
    /// Opens what was sealed there.
    fn open(&mut self, place: usize);
}

/// How many batches are sealed and then opened in a row: reading the clock costs as much as opening one short message, and too many
/// would not find their texts in the first cache.
fn places(bytes: usize, batch: usize) -> usize {
    (8192 / (bytes * batch)).max(1)
}

pub(super) fn run(args: &BenchArgs) -> Outcome {
    if args.files {
        return files::run(args.file_bytes, args.repeat, args.json);
    }
    path::force(args.path)?;
    let mut rows = Vec::new();
    if args.bars {
        rows = timed(bars::subjects(), args.repeat);
    } else {
        for &bytes in &args.bytes {
            rows.extend(measure(args, bytes as usize));
        }
    }
    let mut out = io::stdout().lock();
    let written = if args.json {
        serde_json::to_writer_pretty(&mut out, &rows)
            .map_err(io::Error::from)
            .and_then(|()| writeln!(out))
    } else {
        table(&mut out, &rows)
    };
    written.map_err(|error| cannot("write", "standard output", &error))
}

/// All cases of one length, in turn, as often as it was asked for.
fn measure(args: &BenchArgs, bytes: usize) -> Vec<Row> {
    let chosen: Vec<_> = if args.scheme.is_empty() {
        let aeads = schemes().filter(|scheme| scheme.alias().is_some());
        let macs = mac::schemes().filter(|scheme| scheme.alias().is_some());
        aeads
            .map(Chosen::Aead)
            .chain(macs.map(Chosen::Mac))
            .collect()
    } else {
        args.scheme.clone()
    };
    let mut subjects: Vec<Subject> = Vec::new();
    for ad in &args.ad {
        let ad = if *ad == AdLength::None { 0 } else { bytes };
        for scheme in &chosen {
            let Chosen::Aead(scheme) = scheme else {
                continue;
            };
            for &batch in &args.batch {
                if batch == 1 || bytes * batch as usize <= 1 << 20 {
                    subjects.push(ours::subject(scheme, bytes, batch as usize, ad));
                }
            }
        }
        #[cfg(feature = "peers")]
        if chosen.iter().any(|c| matches!(c, Chosen::Aead(_))) {
            subjects.extend(peers::subjects(bytes, ad));
        }
    }
    for scheme in &chosen {
        let Chosen::Mac(scheme) = scheme else {
            continue;
        };
        for &batch in &args.batch {
            if batch == 1 || bytes * batch as usize <= 1 << 20 {
                subjects.extend(macs::subject(scheme, bytes, batch as usize));
            }
        }
    }
    #[cfg(feature = "peers")]
    if chosen.iter().any(|c| matches!(c, Chosen::Mac(_))) {
        subjects.extend(mac_peers::subjects(bytes));
    }
    timed(subjects, args.repeat)
}

/// All of them in turn, as often as said.
fn timed(subjects: Vec<Subject>, repeat: u32) -> Vec<Row> {
    let mut measured: Vec<_> = subjects
        .into_iter()
        .map(|subject| (subject, Vec::new(), Vec::new()))
        .collect();
    for _ in 0..repeat {
        for (subject, calls, openings) in &mut measured {
            if subject.forced.is_some() {
                force_path(subject.forced);
            }
            match &mut subject.work {
                Work::Call(call) => calls.push(clock::time(call)),
                Work::Messages(messages) => {
                    let places = places(subject.case.bytes, subject.case.batch);
                    calls.push(clock::time(&mut || messages.seal(0)));
                    openings.push(clock::time_openings(&mut **messages, places));
                }
            }
            if subject.forced.is_some() {
                force_path(None);
            }
        }
    }
    let mut rows = Vec::new();
    for (Subject { case, .. }, calls, openings) in measured {
        if !openings.is_empty() {
            let opening = Case {
                op: Op::Open,
                ..case.clone()
            };
            rows.extend([Row::new(case, calls), Row::new(opening, openings)]);
        } else {
            rows.push(Row::new(case, calls));
        }
    }
    rows
}

impl Row {
    fn new(case: Case, mut times: Vec<Time>) -> Self {
        times.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
        let median = times[times.len() / 2];
        let total = (case.bytes * case.batch) as f64;
        Self {
            cpb: median.cycles / total,
            cpb_least: times[0].cycles / total,
            gbit_s: 8.0 * total / median.nanoseconds,
            case,
        }
    }
}

fn table(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    writeln!(
        out,
        "core cycles a byte (c/b): median and least of all repetitions; Gbit/s of one thread"
    )?;
    writeln!(
        out,
        "{:<18} {:<11} {:<8} {:<4} {:>7} {:>5} {:>7} {:>8} {:>8} {:>8}  bar",
        "scheme", "peer", "path", "op", "bytes", "batch", "ad", "c/b", "least", "Gbit/s"
    )?;
    let info = cpu::info();
    let cpu = Cpu::parse(&info);
    let cpu = cpu.as_ref();
    let others = || rows.iter().map(|row| (&row.case, row.cpb_least));
    for row in rows {
        let case = &row.case;
        writeln!(
            out,
            "{:<18} {:<11} {:<8} {:<4} {:>7} {:>5} {:>7} {:>8.3} {:>8.3} {:>8.3}  {}",
            case.scheme,
            case.peer.unwrap_or("-"),
            case.path.as_deref().unwrap_or("-"),
            match case.op {
                Op::Seal => "seal",
                Op::Open => "open",
                Op::Tag => "tag",
            },
            case.bytes,
            case.batch,
            case.ad,
            row.cpb,
            row.cpb_least,
            row.gbit_s,
            bars::verdict(case, cpu, row.cpb_least, others())
                .or_else(|| bars::verdict_on_ad(case, row.cpb_least, others()))
                .unwrap_or_default(),
        )?;
    }
    let of_others = rows
        .iter()
        .filter(|row| bars::is_of_other_cpus(&row.case, cpu));
    let count = of_others.count();
    if count > 0 {
        writeln!(out, "{}", bars::said_of_other_cpus(count, cpu))?;
    }
    Ok(())
}

fn scheme(name: &str) -> Result<Chosen, String> {
    match mac::find(name) {
        Ok(scheme) => Ok(Chosen::Mac(scheme)),
        Err(_) => find(name)
            .map(Chosen::Aead)
            .map_err(|error| error.to_string()),
    }
}

fn file_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let shift = match &text[digits.len()..] {
        "" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .zip(shift)
        .and_then(|(number, shift)| number.checked_mul(1 << shift))
        .filter(|bytes| (1..=1 << 40).contains(bytes))
        .ok_or_else(|| {
            "not a length of a file; write for example 1000000, 256M or 1G, up to 1024G".into()
        })
}
