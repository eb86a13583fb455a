// SPDX-License-Identifier: Apache-2.0
//! Cost of a packet in the state machine alone, batches of 64, one thread, without any input or output:
//! `cargo run --release -p sealwire-link --example packets [SUITE...]`.

use sealwire_link::{
    Error,
    endpoint::{Endpoint, Timers},
    packet::{BATCH, Incoming, OVERHEAD, Outgoing},
    schedule::{Ends, Psk, system_random},
    suite::Suite,
    wire::Kind,
};
use std::time::{Duration, Instant};

const SIZES: [usize; 4] = [64, 512, 1500, 9600];
const NOW: Duration = Duration::ZERO;

fn main() -> Result<(), Error> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["omd-sha512", "omd-blake2b", "omd-sha256"]
            .map(String::from)
            .to_vec();
    }
    println!(
        "{:14}{:>8}{:>12}{:>12}{:>14}{:>14}",
        "suite", "frame", "seal us", "open us", "seal Gbit/s", "open Gbit/s"
    );
    for name in names {
        let Some(suite) = Suite::by_name(&name) else {
            eprintln!("{name} is no suite");
            continue;
        };
        let [mut i, mut r] = pair(suite)?;
        for size in SIZES {
            let (seal, open) = measure(&mut i, &mut r, size)?;
            let gbit = |time: f64| size as f64 * 8.0 / time / 1e9;
            println!(
                "{name:14}{size:>8}{:>12.3}{:>12.3}{:>14.3}{:>14.3}",
                seal * 1e6,
                open * 1e6,
                gbit(seal),
                gbit(open)
            );
        }
    }
    Ok(())
}

/// Seconds a packet for sealing and for opening, the best of several rounds.
fn measure(i: &mut Endpoint<()>, r: &mut Endpoint<()>, size: usize) -> Result<(f64, f64), Error> {
    let mut buffers = vec![vec![0x42; size + OVERHEAD]; BATCH];
    let (mut seal, mut open) = (f64::MAX, f64::MAX);
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(500) {
        let mut batch = Vec::with_capacity(BATCH);
        for buffer in &mut buffers {
            batch.push(Outgoing::new(buffer, size)?);
        }
        let start = Instant::now();
        i.seal(NOW, &mut batch);
        seal = seal.min(start.elapsed().as_secs_f64());
        drop(batch);
        let mut batch: Vec<_> = buffers
            .iter_mut()
            .map(|buffer| Incoming::new(buffer, ()))
            .collect();
        let start = Instant::now();
        r.receive(NOW, &mut batch, &mut |(), _| {});
        open = open.min(start.elapsed().as_secs_f64());
        assert!(
            batch.iter().all(|packet| packet.frame().is_some()),
            "every packet opens"
        );
    }
    Ok((seal / BATCH as f64, open / BATCH as f64))
}

/// Two ends with a session.
fn pair(suite: &'static Suite) -> Result<[Endpoint<()>; 2], Error> {
    let end = |local: u64, peer: u64| {
        let psk = Psk::new(suite, &vec![7; suite.block_len()])?;
        let ends = Ends::new(
            suite,
            psk,
            local.to_be_bytes(),
            peer.to_be_bytes(),
            Kind::Ethernet,
        )?;
        Endpoint::new(ends, Timers::default(), Some(()), system_random())
    };
    let mut ends = [end(1, 2)?, end(2, 1)?];
    let mut wire = Vec::new();
    ends[0].poll(NOW, &mut |(), packet| wire.push(packet.to_vec()));
    for to in [1, 0, 1, 0] {
        for mut packet in std::mem::take(&mut wire) {
            ends[to].receive(
                NOW,
                &mut [Incoming::new(&mut packet, ())],
                &mut |(), packet| wire.push(packet.to_vec()),
            );
        }
    }
    Ok(ends)
}
