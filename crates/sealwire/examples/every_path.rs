// SPDX-License-Identifier: Apache-2.0
//! The library on every set of instructions that this CPU has, or on one, in a program that needs nothing but the library, so that
//! it is soon built for another architecture and runs in an emulator.
//!
//! ```sh
//! every_path paths                                          # the names of those that this CPU has
//! every_path answers FILE...                                # known answers on every one
//! every_path calls PATH seal|tag SCHEME BYTES BATCH TIMES         # so many calls, each of as many messages, for a counter of instructions
//! ```

use sealwire::compress::{Path, force_path};
use sealwire::mac::{self, TagMessage};
use sealwire::{SealPacket, kat, scheme};
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
        ["calls", path, operation, scheme, numbers @ ..] if numbers.len() == 3 => {
            calls(path, operation, scheme, numbers).map(|()| true)
        }
        _ => Err(
            "what to do? paths, answers FILE... or calls PATH seal|tag SCHEME BYTES BATCH TIMES"
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
    let chosen = available().find(|available| available.to_string() == path);
    force_path(Some(chosen.ok_or("no such path here")?));
    let [bytes, batch, times] = [
        numbers[0].parse()?,
        numbers[1].parse()?,
        numbers[2].parse()?,
    ];
    let mut buffers = vec![vec![0x42_u8; bytes]; batch];
    if operation == "tag" {
        let scheme = mac::find(name)?;
        let mac = scheme.with_key(&vec![7; scheme.key_len()])?;
        let mut tags = vec![vec![0; scheme.tag_len()]; batch];
        for _ in 0..times {
            let texts = buffers.iter().zip(&mut tags);
            let mut messages: Vec<_> = texts
                .map(|(text, tag)| TagMessage::new(text, tag))
                .collect();
            black_box(mac.tag_batch(&mut messages));
        }
        return Ok(());
    }
    let scheme = scheme::find(name)?;
    let aead = scheme.with_key(&vec![7; scheme.key_len()])?;
    let nonce = vec![9; scheme.nonce_len()];
    let mut tags = vec![vec![0; scheme.tag_len()]; batch];
    for _ in 0..times {
        let texts = buffers.iter_mut().zip(&mut tags);
        let mut packets: Vec<_> = texts
            .map(|(text, tag)| SealPacket::new(&nonce, b"", text, tag))
            .collect();
        black_box(aead.seal_batch(&mut packets));
    }
    Ok(())
}
