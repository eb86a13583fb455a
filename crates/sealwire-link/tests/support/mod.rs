// SPDX-License-Identifier: Apache-2.0
//! Two ends and the wire between them, for tests: time is a number, packets are vectors.
#![allow(dead_code)] // each test program uses a part

use sealwire_link::{
    endpoint::{Endpoint, KeepAlive, Random, Timers},
    packet::{Incoming, OVERHEAD, Outgoing, Verdict},
    schedule::{Ends, Psk},
    suite::Suite,
    wire::{DropCause, HEADER_LEN, Kind, LocalDrop, Version},
};
use std::time::Duration;

pub const I: u64 = 1;
pub const R: u64 = 2;

pub fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A cheap generator for tests, the same on every machine.
#[derive(Clone)]
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn chance(&mut self, p: f64) -> bool {
        (self.next() >> 11) as f64 / ((1u64 << 53) as f64) < p
    }

    pub fn source(mut self) -> Random {
        Box::new(move |bytes| {
            bytes.fill_with(|| self.next() as u8);
            Ok(())
        })
    }
}

/// n bytes 00 01 02 ..
pub fn psk(suite: &Suite) -> Psk {
    let bytes: Vec<u8> = (0..suite.block_len() as u8).collect();
    Psk::new(suite, &bytes).unwrap()
}

pub fn end_with(
    suite: &'static Suite,
    local: u64,
    peer: u64,
    timers: Timers,
    random: Random,
) -> Endpoint<()> {
    end_of(Version::Two, suite, local, peer, timers, random)
}

pub fn end_of(
    version: Version,
    suite: &'static Suite,
    local: u64,
    peer: u64,
    timers: Timers,
    random: Random,
) -> Endpoint<()> {
    let (a, b) = (local.to_be_bytes(), peer.to_be_bytes());
    let ends = Ends::new(suite, psk(suite), a, b, Kind::Ethernet).unwrap();
    Endpoint::new(ends.with_version(version), timers, Some(()), random).unwrap()
}

/// What an end says when it is polled.
pub fn poll(end: &mut Endpoint<()>, now: Duration) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    end.poll(now, &mut |(), packet| out.push(packet.to_vec()));
    out
}

/// What becomes of one packet, what it delivers, and what the end says to it.
pub struct Reaction {
    pub verdict: Verdict,
    pub frame: Option<Vec<u8>>,
    pub said: Vec<Vec<u8>>,
}

pub fn receive(end: &mut Endpoint<()>, now: Duration, packet: &[u8]) -> Reaction {
    let mut said = Vec::new();
    let mut bytes = packet.to_vec();
    let mut batch = [Incoming::new(&mut bytes, ())];
    end.receive(now, &mut batch, &mut |(), packet| {
        said.push(packet.to_vec())
    });
    Reaction {
        verdict: batch[0].verdict(),
        frame: batch[0].frame().map(<[u8]>::to_vec),
        said,
    }
}

pub fn cause(end: &mut Endpoint<()>, now: Duration, packet: &[u8]) -> Option<DropCause> {
    match receive(end, now, packet).verdict {
        Verdict::Dropped(cause) => Some(cause),
        _ => None,
    }
}

pub fn seal(end: &mut Endpoint<()>, now: Duration, frame: &[u8]) -> Result<Vec<u8>, LocalDrop> {
    let mut buffer = vec![0; frame.len() + OVERHEAD];
    buffer[HEADER_LEN..][..frame.len()].copy_from_slice(frame);
    let mut batch = [Outgoing::new(&mut buffer, frame.len()).unwrap()];
    end.seal(now, &mut batch);
    batch[0].packet().map(<[u8]>::to_vec)
}

pub fn frame(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + 3) as u8).collect()
}

/// The usual times, with keep-alives like this.
pub fn timers(keep_alive: KeepAlive) -> Timers {
    Timers::default().with_keep_alive(keep_alive).unwrap()
}

/// The responder of [`Pair::keeping`], as it is when it has just started.
pub fn restarted(keep_alive: KeepAlive) -> Endpoint<()> {
    let suite = Suite::by_code(1).unwrap();
    end_with(suite, R, I, timers(keep_alive), Dice(9).source())
}

/// Two ends and the time.
pub struct Pair {
    pub now: Duration,
    pub i: Endpoint<()>,
    pub r: Endpoint<()>,
}

impl Pair {
    pub fn new() -> Self {
        Self::with(Suite::by_code(1).unwrap(), Timers::default())
    }

    pub fn with(suite: &'static Suite, timers: Timers) -> Self {
        Self {
            now: ms(1_000_000),
            i: end_with(suite, I, R, timers, Dice(1).source()),
            r: end_with(suite, R, I, timers, Dice(2).source()),
        }
    }

    /// A pair with a session in `cur` at both ends.
    pub fn up() -> Self {
        let mut pair = Self::new();
        pair.settle();
        assert!(pair.i.is_up() && pair.r.is_up());
        pair
    }

    /// A pair in suite 01 with a session in `cur` at both ends, and keep-alives like this.
    pub fn keeping(keep_alive: KeepAlive) -> Self {
        let mut pair = Self::with(Suite::by_code(1).unwrap(), timers(keep_alive));
        pair.settle();
        assert!(pair.i.is_up() && pair.r.is_up());
        pair
    }

    /// A frame from one end to the other, on a perfect wire.
    pub fn carry(&mut self, from_initiator: bool) {
        let (from, to) = if from_initiator {
            (&mut self.i, &mut self.r)
        } else {
            (&mut self.r, &mut self.i)
        };
        let packet = seal(from, self.now, &frame(60)).expect("a session");
        assert!(receive(to, self.now, &packet).frame.is_some());
    }

    /// Polls both ends once and carries what they say, and what is said to it, without loss, until nobody says anything.
    pub fn settle(&mut self) {
        let mut to_r = poll(&mut self.i, self.now);
        let mut to_i = poll(&mut self.r, self.now);
        while !to_r.is_empty() || !to_i.is_empty() {
            for packet in std::mem::take(&mut to_r) {
                to_i.extend(receive(&mut self.r, self.now, &packet).said);
            }
            for packet in std::mem::take(&mut to_i) {
                to_r.extend(receive(&mut self.i, self.now, &packet).said);
            }
        }
    }

    /// Lets time pass in steps of 10 ms, with a perfect wire.
    pub fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now += ms(10);
            self.settle();
        }
    }

    pub fn check_balance(&self) {
        assert!(self.i.counters().balance(), "{:?}", self.i.counters());
        assert!(self.r.counters().balance(), "{:?}", self.r.counters());
    }
}
