// SPDX-License-Identifier: Apache-2.0
//! The library on every set of instructions that this CPU has, or on one, in a program that needs nothing but the library, so that
//! it is soon built for another architecture and runs in an emulator.
//!
//! ```sh
//! every_path paths                                          # the names of those that this CPU has
//! every_path answers FILE...                                # known answers on every one
//! every_path calls PATH seal|tag SCHEME BYTES BATCH TIMES SEED    # so many calls of as many messages, for a counter of instructions or a
//!                                                                 # clock; PATH may be best, what the library takes itself
//! ```

use sealwire::compress::{Path, force_path};
use sealwire::mac::{self, TagMessage};
use sealwire::{SealPacket, kat, scheme};
use std::array::from_fn;
use std::error::Error;
use std::hint::black_box;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let done = match &words[..] {
        ["paths"] => {
            available().for_each(|path| println!("{path}"));
            Ok(true)
        }
        ["answers", files @ ..] if !files.is_empty() => answers(files),
        ["calls", path, operation, scheme, numbers @ ..] if numbers.len() == 4 => {
            calls(path, operation, scheme, numbers).map(|()| true)
        }
        _ => Err(
            "what to do? paths, answers FILE... or calls PATH seal|tag SCHEME BYTES BATCH TIMES SEED"
                .into(),
        ),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("every_path: {error}");
            ExitCode::from(2)
        }
    }
}

fn available() -> impl Iterator<Item = Path> {
    Path::ALL.iter().copied().filter(|path| path.available())
}

/// Whether every answer is right on every path.
fn answers(files: &[&str]) -> Result<bool, Box<dyn Error>> {
    let mut right = true;
    for path in available() {
        force_path(Some(path));
        let mut passed = 0;
        for file in files {
            let report = kat::check_file(std::path::Path::new(file), None)?;
            passed += report.passed;
            for failure in &report.failures {
                println!("{path}: {file}: {failure:?}");
                right = false;
            }
        }
        println!("{path}: {passed} passed");
    }
    Ok(right)
}

fn calls(path: &str, operation: &str, name: &str, numbers: &[&str]) -> Result<(), Box<dyn Error>> {
    if path != "best" {
        let chosen = available().find(|available| available.to_string() == path);
        force_path(Some(chosen.ok_or("no such path here")?));
    }
    let [bytes, batch, times, seed]: [usize; 4] = [
        numbers[0].parse()?,
        numbers[1].parse()?,
        numbers[2].parse()?,
        numbers[3].parse()?,
    ];
    match (operation, batch) {
        ("seal", 1) => seal::<1>(name, bytes, times, seed),
        ("seal", 2) => seal::<2>(name, bytes, times, seed),
        ("seal", 4) => seal::<4>(name, bytes, times, seed),
        ("seal", 8) => seal::<8>(name, bytes, times, seed),
        ("seal", 16) => seal::<16>(name, bytes, times, seed),
        ("tag", 1) => tag::<1>(name, bytes, times, seed),
        ("tag", 4) => tag::<4>(name, bytes, times, seed),
        ("tag", 8) => tag::<8>(name, bytes, times, seed),
        _ => Err("seal takes 1, 2, 4, 8 or 16 messages a call, tag 1, 4 or 8".into()),
    }
}

/// No call allocates: what that takes depends on what else is allocated.
fn seal<const BATCH: usize>(
    name: &str,
    bytes: usize,
    times: usize,
    seed: usize,
) -> Result<(), Box<dyn Error>> {
    let scheme = scheme::find(name)?;
    let aead = scheme.with_key(&drawn(scheme.key_len(), seed + 1))?;
    let nonce = vec![9; scheme.nonce_len()];
    let mut texts: [_; BATCH] = from_fn(|i| drawn(bytes, seed + i));
    let mut tags: [_; BATCH] = from_fn(|_| vec![0; scheme.tag_len()]);
    for _ in 0..times {
        let mut tags = tags.each_mut().into_iter();
        let mut packets = texts
            .each_mut()
            .map(|text| SealPacket::new(&nonce, b"", text, tags.next().expect("one a text")));
        black_box(aead.seal_batch(&mut packets));
    }
    Ok(())
}

fn tag<const BATCH: usize>(
    name: &str,
    bytes: usize,
    times: usize,
    seed: usize,
) -> Result<(), Box<dyn Error>> {
    let scheme = mac::find(name)?;
    let mac = scheme.with_key(&drawn(scheme.key_len(), seed + 1))?;
    let texts: [_; BATCH] = from_fn(|i| drawn(bytes, seed + i));
    let mut tags: [_; BATCH] = from_fn(|_| vec![0; scheme.tag_len()]);
    for _ in 0..times {
        let mut tags = tags.each_mut().into_iter();
        let mut messages = texts
            .each_ref()
            .map(|text| TagMessage::new(text, tags.next().expect("one a text")));
        black_box(mac.tag_batch(&mut messages));
    }
    Ok(())
}

/// Bytes that follow from a seed.
fn drawn(len: usize, seed: usize) -> Vec<u8> {
    let mut x = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let bytes = std::iter::repeat_with(|| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 32) as u8
    });
    bytes.take(len).collect()
}
