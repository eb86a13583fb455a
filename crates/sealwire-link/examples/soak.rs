// SPDX-License-Identifier: Apache-2.0
//! Soak: packets both ways between two ends in one process, new session keys every 4 s, until COUNT packets have passed:
//! `cargo run --release -p sealwire-link --example soak [COUNT]`. Linux, for its measure of memory.
//!
//! Every frame must come out as it went in, in its batch and once; totals must balance; memory must not grow. Any failure ends
//! the program with an error.

use sealwire_link::{
    endpoint::{Endpoint, Timers},
    packet::{BATCH, Incoming, OVERHEAD, Outgoing},
    schedule::{Ends, Psk, system_random},
    suite::Suite,
    wire::{DropCause, HEADER_LEN, Kind},
};
use std::{
    error::Error,
    fs,
    time::{Duration, Instant},
};

/// Frame lengths in bytes, mixed in every batch.
const SIZES: [usize; 5] = [60, 64, 128, 576, 1514];
const REKEY: Duration = Duration::from_secs(4);
const SAY_EVERY: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let count: u64 = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => 10_000_000,
    };
    let mut ends = [end(1, 2)?, end(2, 1)?];
    let began = Instant::now();
    while !ends.iter().all(Endpoint::is_up) {
        talk(&mut ends, began.elapsed());
    }
    let mut buffers = vec![vec![0; 1514 + OVERHEAD]; BATCH];
    let (mut passed, mut said) = (0, Duration::ZERO);
    let mut memory_at_start = 0;
    println!(
        "{:>8}{:>14}{:>10}{:>12}",
        "s", "packets", "sessions", "memory KiB"
    );
    while passed < count {
        let from = usize::from(passed / BATCH as u64 % 2 == 1);
        let now = began.elapsed();
        passed += carry(&mut ends, from, now, passed, &mut buffers)?;
        talk(&mut ends, now);
        if now - said >= SAY_EVERY || passed >= count {
            said = now;
            let memory = resident_kib()?;
            // The first session's change is over by then, and every buffer has been in use.
            if memory_at_start == 0 {
                memory_at_start = memory;
            }
            let sessions = ends[0].counters().sessions_taken;
            println!(
                "{:>8.0}{passed:>14}{sessions:>10}{memory:>12}",
                now.as_secs_f64()
            );
            if memory > memory_at_start + 1024 {
                return Err("memory grows".into());
            }
        }
    }
    for (end, other) in [(&ends[0], &ends[1]), (&ends[1], &ends[0])] {
        let (here, there) = (end.counters(), other.counters());
        let dropped: u64 = DropCause::ALL.map(|cause| here.dropped(cause)).iter().sum();
        let lost = there.sealed - here.delivered;
        println!(
            "sealed by the peer {}, delivered {}, lost {lost}, dropped {dropped}",
            there.sealed, here.delivered
        );
        if !here.balance() || lost != 0 {
            return Err("totals do not balance".into());
        }
    }
    Ok(())
}

/// Carries one batch of frames from an end to the other, in reverse order, and says how many.
fn carry(
    ends: &mut [Endpoint<()>; 2],
    from: usize,
    now: Duration,
    first: u64,
    buffers: &mut [Vec<u8>],
) -> Result<u64, Box<dyn Error>> {
    let size = |index: usize| SIZES[(first as usize + index) % SIZES.len()];
    let number = |index: usize| (first + index as u64).to_be_bytes();
    let mut frames = Vec::with_capacity(BATCH);
    for (index, buffer) in buffers.iter_mut().enumerate() {
        let frame = &mut buffer[HEADER_LEN..][..size(index)];
        frame.fill(index as u8);
        frame[..8].copy_from_slice(&number(index));
        frames.push(Outgoing::new(buffer, size(index))?);
    }
    ends[from].seal(now, &mut frames);
    let mut lens = [0; BATCH];
    for (len, frame) in lens.iter_mut().zip(&frames) {
        *len = frame.packet()?.len();
    }
    drop(frames);
    let mut packets: Vec<_> = buffers
        .iter_mut()
        .zip(lens)
        .rev()
        .map(|(buffer, len)| Incoming::new(&mut buffer[..len], ()))
        .collect();
    let mut answers = Vec::new();
    ends[1 - from].receive(now, &mut packets, &mut |(), packet| {
        answers.push(packet.to_vec());
    });
    for (index, packet) in packets.iter().rev().enumerate() {
        let frame = packet
            .frame()
            .ok_or_else(|| format!("packet {}: {:?}", first + index as u64, packet.verdict()))?;
        let whole = frame.len() == size(index) && frame[8..].iter().all(|&b| b == index as u8);
        if frame[..8] != number(index) || !whole {
            return Err("a frame came out changed".into());
        }
    }
    drop(packets);
    deliver(
        ends,
        now,
        answers.into_iter().map(|answer| (from, answer)).collect(),
    );
    Ok(BATCH as u64)
}

/// What is due at both ends, and all that follows from it.
fn talk(ends: &mut [Endpoint<()>; 2], now: Duration) {
    let mut wire = Vec::new();
    for from in [0, 1] {
        ends[from].poll(now, &mut |(), packet| {
            wire.push((1 - from, packet.to_vec()))
        });
    }
    deliver(ends, now, wire);
}

fn deliver(ends: &mut [Endpoint<()>; 2], now: Duration, mut wire: Vec<(usize, Vec<u8>)>) {
    while !wire.is_empty() {
        for (to, mut packet) in std::mem::take(&mut wire) {
            let mut batch = [Incoming::new(&mut packet, ())];
            ends[to].receive(now, &mut batch, &mut |(), answer| {
                wire.push((1 - to, answer.to_vec()));
            });
        }
    }
}

fn end(local: u64, peer: u64) -> Result<Endpoint<()>, sealwire_link::Error> {
    let suite = Suite::by_code(2).ok_or(sealwire_link::Error::NoPeer)?;
    let ends = Ends::new(
        suite,
        Psk::new(suite, &vec![7; suite.block_len()])?,
        local.to_be_bytes(),
        peer.to_be_bytes(),
        Kind::Ethernet,
    )?;
    Endpoint::new(
        ends,
        Timers::new(REKEY, 2 * REKEY)?,
        Some(()),
        system_random(),
    )
}

/// Resident memory of this process.
fn resident_kib() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("no VmRSS in /proc/self/status")?.parse()?)
}
