// SPDX-License-Identifier: Apache-2.0
//! Threads that share a hub, without any input or output: packets a second by one and by two threads, and how much of a packet's time the hub is
//! locked. `cargo run --release -p sealwire-link --example threads [SUITE...]`.

use sealwire_link::{
    Error,
    endpoint::{Endpoint, Timers},
    hub::{Hub, PeerSetup},
    packet::{BATCH, Incoming, OVERHEAD, Outgoing, Ways},
    schedule::{Ends, Psk, system_random},
    session::Keys,
    suite::Suite,
    wire::{HEADER_LEN, Kind, Version},
};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const SIZES: [usize; 3] = [64, 512, 1500];
const PEERS: u8 = 8;
const HUB: u64 = 0xff00;
const NOW: Duration = Duration::ZERO;
/// One measure: short, so that some of them meet nobody else on the processors.
const ROUND: Duration = Duration::from_millis(100);
const ROUNDS: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["omd-blake2b", "otr-aes128-p"].map(String::from).to_vec();
    }
    println!(
        "{:14}{:>6}{:>16}{:>16}{:>8}{:>12}",
        "suite", "frame", "1 thread, /s", "2 threads, /s", "ratio", "locked, %"
    );
    for name in names {
        let suite = Suite::by_name(&name).ok_or(format!("{name} is no suite"))?;
        let shared = Mutex::new(hub(suite)?);
        for size in SIZES {
            let (mut one, mut two, mut locked) = (0.0, 0.0, 1.0);
            for _ in 0..ROUNDS {
                let (rate, share) = measure(&shared, 1, size)?;
                one = f64::max(one, rate);
                locked = f64::min(locked, share);
                two = f64::max(two, measure(&shared, 2, size)?.0);
            }
            let (ratio, percent) = (two / one, locked * 100.0);
            println!("{name:14}{size:>6}{one:>16.0}{two:>16.0}{ratio:>8.2}{percent:>12.1}");
        }
    }
    Ok(())
}

/// Packets that all threads seal in a second, and the least share of a batch's time that a thread held the lock.
fn measure(shared: &Mutex<Hub<u64>>, threads: u8, size: usize) -> Result<(f64, f64), Error> {
    let over = AtomicBool::new(false);
    let work = |thread: u8| -> Result<(usize, f64), Error> {
        let (mut count, mut share) = (0, 1.0);
        let mut buffers = vec![vec![0; size + OVERHEAD]; BATCH];
        while !over.load(Ordering::Relaxed) {
            let mut frames = Vec::with_capacity(BATCH);
            for buffer in &mut buffers {
                // An IP packet to one peer after the other, where the last round left ciphertext.
                let peer = (frames.len() as u8 + thread) % PEERS + 1;
                buffer[HEADER_LEN] = 0x45;
                buffer[HEADER_LEN + 16..][..4].copy_from_slice(&[10, 0, peer, 1]);
                frames.push(Outgoing::new(buffer, size)?);
            }
            let (mut keys, mut ways) = (Keys::default(), Ways::new());
            let began = Instant::now();
            let mut hub = shared.lock().expect("no thread panics");
            let locked_at = Instant::now();
            hub.begin_seal(NOW, &mut frames, &mut keys, &mut |_, _| {});
            let mut locked = locked_at.elapsed();
            drop(hub);
            keys.seal(&mut frames);
            let mut hub = shared.lock().expect("no thread panics");
            let locked_at = Instant::now();
            hub.finish_seal(&frames, &mut ways);
            locked += locked_at.elapsed();
            drop(hub);
            share = f64::min(share, locked.as_secs_f64() / began.elapsed().as_secs_f64());
            count += frames.iter().filter(|frame| frame.packet().is_ok()).count();
        }
        Ok((count, share))
    };
    let began = Instant::now();
    let done: Vec<_> = thread::scope(|scope| {
        let work = &work;
        let started: Vec<_> = (0..threads).map(|t| scope.spawn(move || work(t))).collect();
        thread::sleep(ROUND);
        over.store(true, Ordering::Relaxed);
        let joined = started.into_iter().map(thread::ScopedJoinHandle::join);
        joined.map(|done| done.expect("no thread panics")).collect()
    });
    let seconds = began.elapsed().as_secs_f64();
    let (mut count, mut share) = (0, 1.0);
    for done in done {
        let (of_thread, its_share) = done?;
        count += of_thread;
        share = f64::min(share, its_share);
    }
    Ok((count as f64 / seconds, share))
}

/// A hub with a session with each of its peers.
fn hub(suite: &'static Suite) -> Result<Hub<u64>, Box<dyn std::error::Error>> {
    let ends = |local: u64, peer: u64| {
        let mut key = vec![7; suite.block_len()];
        key[0] = (local ^ peer) as u8;
        let psk = Psk::new(suite, &key)?;
        Ends::new(
            suite,
            psk,
            local.to_be_bytes(),
            peer.to_be_bytes(),
            Kind::Ip,
        )
    };
    let timers = Timers::default();
    let mut hub = Hub::new(suite, HUB.to_be_bytes(), Kind::Ip, Version::Two);
    for id in 1..=u64::from(PEERS) {
        let network = format!("10.0.{id}.0/24").parse()?;
        let setup = PeerSetup::psk(ends(HUB, id)?, timers, None);
        hub.add(&id.to_string(), setup, &[network])?;
        let mut spoke = Endpoint::new(ends(id, HUB)?, timers, Some(0), system_random())?;
        let mut wire = Vec::new();
        spoke.poll(NOW, &mut |_, packet| wire.push(packet.to_vec()));
        for turn in 0..4 {
            for mut packet in std::mem::take(&mut wire) {
                let mut batch = [Incoming::new(&mut packet, id)];
                let send = &mut |_, packet: &[u8]| wire.push(packet.to_vec());
                if turn % 2 == 0 {
                    hub.receive(NOW, &mut batch, send);
                } else {
                    spoke.receive(NOW, &mut batch, send);
                }
            }
        }
    }
    Ok(hub)
}
