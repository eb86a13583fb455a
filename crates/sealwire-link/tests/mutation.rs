// SPDX-License-Identifier: Apache-2.0
//! Mutated packets for everything that reads the wire format, for as long as `SEALWIRE_FUZZ_SECONDS` says (1 unless set).
//!
//! The published messages of every suite are changed in bytes, fields, lengths and parts and given to both ends, before and after
//! their handshake. Nothing may panic, totals must balance after every packet, and only what the peer once made may be taken,
//! whatever padding follows it. `make fuzz-mutation` runs it longer, with checks of arithmetic.

mod support;

use sealwire_link::{
    endpoint::{Endpoint, Timers},
    handshake::Fields,
    packet::Verdict,
    session::SessionKeys,
    suite::{SUITES, Suite},
    wire::{Accepts, HEADER_LEN, Header, Version},
};
use std::time::{Duration, Instant};
use support::{Dice, I, R, end_with, ms, poll, receive};

/// Packets between two fresh pairs of ends.
const ROUND: usize = 500;

#[test]
fn takes_nothing_that_the_peer_did_not_make() {
    let seconds = std::env::var("SEALWIRE_FUZZ_SECONDS").map_or(Ok(1.0), |text| text.parse());
    let time = Duration::from_secs_f64(seconds.expect("SEALWIRE_FUZZ_SECONDS is a number"));
    let seed = std::env::var("SEALWIRE_FUZZ_SEED").map_or(Ok(1), |text| text.parse());
    let mut dice = Dice(seed.expect("SEALWIRE_FUZZ_SEED is a whole number"));
    let (began, mut packets, mut taken) = (Instant::now(), 0u64, 0u64);
    while packets == 0 || began.elapsed() < time {
        for suite in SUITES {
            taken += attack(suite, &mut dice);
            packets += ROUND as u64;
        }
    }
    println!("{packets} packets, {taken} of them taken");
    assert!(taken > 0 && taken < packets / 2, "both outcomes occur");
}

/// A round on one pair of ends; says how many packets were taken.
fn attack(suite: &'static Suite, dice: &mut Dice) -> u64 {
    let timers = Timers::default();
    let mut ends = [(I, R), (R, I)].map(|(local, peer)| {
        let random = Dice(dice.next()).source();
        end_with(suite, local, peer, timers, random)
    });
    let made = talk(&mut ends, dice.below(7) as usize);
    let mut taken = 0;
    for _ in 0..ROUND {
        let packet = mutated(&made, dice);
        read_alone(&packet, suite);
        let end = &mut ends[dice.below(2) as usize];
        let reaction = receive(end, ms(1), &packet);
        assert!(end.counters().balance(), "{:?}", end.counters());
        if !matches!(reaction.verdict, Verdict::Dropped(_)) {
            let known = made.iter().any(|known| packet.starts_with(known));
            assert!(known, "{:?}: {packet:02x?}", reaction.verdict);
            taken += 1;
        } else {
            assert!(reaction.frame.is_none() && reaction.said.is_empty());
        }
        // What an end answers is for its peer, which sometimes does not hear it.
        assert!(
            reaction
                .said
                .iter()
                .all(|said| said.len() <= packet.len().max(200))
        );
    }
    taken
}

/// The first packets of a handshake with a frame each way, as far as `steps`: everything that the ends make.
fn talk(ends: &mut [Endpoint<()>; 2], steps: usize) -> Vec<Vec<u8>> {
    let now = ms(1);
    let mut made = poll(&mut ends[0], now);
    let mut wire: Vec<_> = made.iter().map(|packet| (1, packet.clone())).collect();
    for _ in 0..steps {
        for (to, packet) in std::mem::take(&mut wire) {
            for said in receive(&mut ends[to], now, &packet).said {
                made.push(said.clone());
                wire.push((1 - to, said));
            }
        }
    }
    for end in ends.iter_mut() {
        for len in [14, 60, 300] {
            made.extend(support::seal(end, now, &support::frame(len)));
        }
    }
    made
}

/// One of the packets, changed in up to four places.
fn mutated(made: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let any = |dice: &mut Dice| made[dice.below(made.len() as u64) as usize].clone();
    let mut packet = any(dice);
    for _ in 0..dice.below(5) {
        let len = packet.len() as u64;
        let at = |dice: &mut Dice| dice.below(len.max(1)) as usize;
        match dice.below(9) {
            0 => packet.truncate(at(dice)),
            1 => packet.extend((0..dice.below(80)).map(|i| i as u8)),
            2 => {
                let part = any(dice);
                let from = dice.below(part.len() as u64) as usize;
                let end = packet.len().min(from);
                packet.truncate(end);
                packet.extend(&part[from.min(part.len())..]);
            }
            kind if len >= HEADER_LEN as u64 => match kind {
                3 => packet[0] = 0x20 | dice.below(4) as u8,
                4 => packet[1] = dice.below(6) as u8,
                5 => {
                    let length = (len as u16 - 16)
                        .wrapping_add(dice.below(5) as u16)
                        .wrapping_sub(2);
                    packet[2..4].copy_from_slice(&length.to_be_bytes());
                }
                6 => {
                    let number = [0, 1, 64, 65, (1 << 48) - 1, 1 << 48, u64::MAX];
                    let number = number[dice.below(7) as usize];
                    packet[8..16].copy_from_slice(&number.to_be_bytes());
                }
                7 => packet[4..8].fill(dice.below(2) as u8),
                _ => {
                    let at = at(dice);
                    packet[at] ^= 1 << dice.below(8);
                }
            },
            _ => packet.push(dice.next() as u8),
        }
    }
    packet
}

/// The parsers by themselves.
fn read_alone(packet: &[u8], suite: &Suite) {
    for accepts in [Accepts::DataOnly, Accepts::Initiator, Accepts::Responder] {
        if let Ok(header) = Header::parse(packet, suite, Version::Two, accepts) {
            assert_eq!(header.to_bytes(), packet[..HEADER_LEN]);
            assert!(packet.len() >= HEADER_LEN + usize::from(header.length));
        }
    }
    if let Some(fields) = Fields::read(packet, suite) {
        assert!(fields.random.len() + 8 + 16 + HEADER_LEN <= packet.len());
    }
    let keys = SessionKeys::from_bytes(suite, packet);
    assert!(keys.is_err() || packet.len() == SessionKeys::bytes_len(suite));
}
