// SPDX-License-Identifier: Apache-2.0
//! Two ends that talk, and a network that the input plays: it delivers, changes, repeats and makes up packets, and lets time pass.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwire_link::{
    endpoint::{Endpoint, Random, Timers},
    packet::{Incoming, OVERHEAD, Outgoing, Verdict},
    schedule::{Ends, Psk},
    suite::SUITES,
    wire::{HEADER_LEN, Kind},
};
use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hasher},
    time::Duration,
};

/// Packets that the network remembers.
const KEPT: usize = 64;

/// Numbers that never repeat, in place of the system's. The first eight bytes, session ids among them, are those of every
/// input; the rest belongs to one input. A fuzzer keeps what it sees compared, whole packets too: what it learns in one input
/// must be worth nothing in the next.
fn counted(end: u8, input: u64) -> Random {
    let mut count = 0u64;
    Box::new(move |bytes| {
        count += 1;
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = (count >> (8 * (at % 8))) as u8 ^ (at as u8).wrapping_mul(29) ^ end;
            if at >= 8 {
                *byte ^= (input >> (8 * (at % 8))) as u8;
            }
        }
        Ok(())
    })
}

struct Network {
    ends: [Endpoint<()>; 2],
    now: Duration,
    /// Every packet that an end has sent, and by which.
    sent: Vec<(usize, Vec<u8>)>,
    made: BTreeSet<Vec<u8>>,
    frames: u64,
    delivered: BTreeSet<(usize, u64)>,
}

impl Network {
    fn new(suite: u8, input: u64) -> Self {
        let suite = &SUITES[usize::from(suite) % SUITES.len()];
        let ends = [(1u64, 2u64), (2, 1)].map(|(local, peer)| {
            // Of the input, too: under one key a hello of another input would be authentic.
            let psk = input.to_be_bytes().repeat(suite.block_len() / 8);
            let psk = Psk::new(suite, &psk).unwrap();
            let (local_id, peer) = (local.to_be_bytes(), peer.to_be_bytes());
            let ends = Ends::new(suite, psk, local_id, peer, Kind::Ethernet).unwrap();
            let end = Endpoint::new(
                ends,
                Timers::default(),
                Some(()),
                counted(local as u8, input),
            );
            // The numbers of hellos count up from 1, so that one input always plays alike.
            end.unwrap().with_wall_clock(Box::new(|| 1))
        });
        Self {
            ends,
            now: Duration::ZERO,
            sent: Vec::new(),
            made: BTreeSet::new(),
            frames: 0,
            delivered: BTreeSet::new(),
        }
    }

    fn note(&mut self, end: usize, packet: Vec<u8>) {
        self.made.insert(packet.clone());
        if self.sent.len() == KEPT {
            self.sent.remove(0);
        }
        self.sent.push((end, packet));
    }

    fn poll(&mut self, end: usize) {
        let mut said = Vec::new();
        self.ends[end].poll(self.now, &mut |(), packet| said.push(packet.to_vec()));
        for packet in said {
            self.note(end, packet);
        }
    }

    /// A frame with a number of its own.
    fn seal(&mut self, end: usize, len: usize) {
        let mut buffer = vec![0; len + OVERHEAD];
        buffer[HEADER_LEN..HEADER_LEN + 8].copy_from_slice(&self.frames.to_be_bytes());
        buffer[HEADER_LEN + 8] = end as u8;
        self.frames += 1;
        let mut batch = [Outgoing::new(&mut buffer, len).unwrap()];
        self.ends[end].seal(self.now, &mut batch);
        let packet = batch[0].packet().map(<[u8]>::to_vec);
        if let Ok(packet) = packet {
            self.note(end, packet);
        }
    }

    fn deliver(&mut self, to: usize, mut packet: Vec<u8>) {
        let known = self
            .made
            .iter()
            .any(|made| packet.starts_with(made) && packet.len() >= made.len());
        let mut said = Vec::new();
        let mut batch = [Incoming::new(&mut packet, ())];
        self.ends[to].receive(self.now, &mut batch, &mut |(), packet| {
            said.push(packet.to_vec())
        });
        if !matches!(batch[0].verdict(), Verdict::Dropped(_)) {
            assert!(known, "only what an end has made is taken");
        } else {
            assert!(said.is_empty(), "no answer to what is dropped");
        }
        if let Some(frame) = batch[0].frame() {
            let number = u64::from_be_bytes(*frame.first_chunk().unwrap());
            assert_eq!(frame[8], 1 - to as u8, "no reflection");
            assert!(self.delivered.insert((to, number)), "no frame twice");
        }
        for packet in said {
            self.note(to, packet);
        }
        for end in &self.ends {
            assert!(end.counters().balance());
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let mut whole = DefaultHasher::new();
    whole.write(input);
    let Some((&suite, mut input)) = input.split_first() else {
        return;
    };
    let mut network = Network::new(suite, whole.finish());
    network.poll(0);
    // Each step is an operation and its arguments; at most 200, so that no input takes long.
    for _ in 0..200 {
        let Some((&operation, rest)) = input.split_first() else {
            break;
        };
        input = rest;
        let end = usize::from(operation >> 7);
        let mut take = || {
            let (&byte, rest) = input.split_first().unwrap_or((&0, &[]));
            input = rest;
            byte
        };
        match operation & 7 {
            0 => {
                network.now += Duration::from_millis(u64::from(take()) * 20);
                network.poll(end);
            }
            1 => {
                let len = 14 + usize::from(take()) * 4;
                network.seal(end, len);
            }
            // The newest packets come as they were sent, to whom they are for.
            2 | 3 => {
                if let Some((from, packet)) = network.sent.last().cloned() {
                    network.deliver(1 - from, packet);
                }
            }
            // An earlier one comes, perhaps to its sender.
            4 => {
                let at = usize::from(take());
                if let Some((_, packet)) = network.sent.get(at % network.sent.len().max(1)).cloned()
                {
                    network.deliver(end, packet);
                }
            }
            // A changed one: bytes replaced from a place on, cut or made longer.
            5 | 6 => {
                let at = usize::from(take());
                let Some((_, mut packet)) =
                    network.sent.get(at % network.sent.len().max(1)).cloned()
                else {
                    continue;
                };
                for _ in 0..=operation >> 3 & 7 {
                    let (place, value) = (usize::from(take()), take());
                    let len = packet.len().max(1);
                    if let Some(byte) = packet.get_mut(place % len) {
                        *byte = value;
                    }
                }
                match take() {
                    cut @ 1..=100 => packet.truncate(usize::from(cut)),
                    more @ 101..=150 => packet.resize(packet.len() + usize::from(more) - 100, 7),
                    _ => {}
                }
                network.deliver(end, packet);
            }
            // One that is made up.
            _ => {
                let len = usize::from(take()).min(input.len());
                let (packet, rest) = input.split_at(len);
                let packet = packet.to_vec();
                input = rest;
                network.deliver(end, packet);
            }
        }
    }
});
