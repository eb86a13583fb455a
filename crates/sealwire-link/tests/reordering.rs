// SPDX-License-Identifier: Apache-2.0
//! A path of 2.5 Gbit/s that delivers packets out of order, between two whole ends.
//!
//! An Ethernet of that speed carries 3,720,238 frames a second of the shortest kind (64 bytes with the check sequence, 20 around
//! them) and 203,187 of 1500 bytes of content (1538 with all around). "100 packets reordered" means: a packet is overtaken by
//! up to 100 of those sent behind it, which is 27 us of the shortest frames and 0.5 ms of long ones. The replay window has to
//! reach back that far: 101 numbers at least.

mod support;

use sealwire_link::{replay::WINDOW, wire::DropCause};
use std::time::Duration;
use support::{Dice, Pair, frame, receive, seal};

const BITS_A_SECOND: u64 = 2_500_000_000;
/// Preamble, check sequence and gap around a frame.
const AROUND: u64 = 24;

/// The time that a frame takes on the path.
fn time_of(len: usize) -> Duration {
    Duration::from_nanos((len as u64 + AROUND) * 8 * 1_000_000_000 / BITS_A_SECOND)
}

/// The order in which packets arrive: most come when their turn is, every third is overtaken by up to `places`, and of
/// these every fourth by just so many.
fn order(packets: usize, places: u64) -> Vec<usize> {
    let mut dice = Dice(7);
    let mut due: Vec<_> = (0..packets)
        .map(|number| {
            let late = match number % 12 {
                0 => places,
                3 | 6 | 9 => dice.below(places + 1),
                _ => 0,
            };
            (number as u64 + late, late == 0, number)
        })
        .collect();
    // Of two that are due together the one in its turn comes first: it overtakes.
    due.sort_by_key(|&(at, in_turn, number)| (at, !in_turn, number));
    due.into_iter().map(|(.., number)| number).collect()
}

/// How many packets of an order a window of so many numbers refuses.
fn behind(order: &[usize], window: u64) -> u64 {
    let mut next = 0;
    let mut refused = 0;
    for &number in order {
        refused += u64::from(next > number as u64 && next - number as u64 > window);
        next = next.max(number as u64 + 1);
    }
    refused
}

/// Sends frames over the path, and gives the numbers of packets sealed, delivered and dropped as too late.
fn carry(len: usize, packets: usize, places: u64) -> [u64; 3] {
    let mut pair = Pair::up();
    let before = pair.r.counters().clone();
    let mut sent = Vec::new();
    for number in 0..packets {
        let mut frame = frame(len);
        frame[..8].copy_from_slice(&(number as u64).to_be_bytes());
        let now = pair.now + time_of(len) * number as u32;
        sent.push((now, seal(&mut pair.i, now, &frame).unwrap(), frame));
    }
    let mut delivered = 0;
    for (turn, &number) in order(packets, places).iter().enumerate() {
        let (_, packet, frame) = &sent[number];
        let now = sent[turn].0 + Duration::from_millis(1);
        if let Some(came) = receive(&mut pair.r, now, packet).frame {
            assert_eq!(came, *frame);
            delivered += 1;
        }
    }
    let after = pair.r.counters();
    pair.check_balance();
    assert_eq!(after.delivered - before.delivered, delivered);
    let late = after.dropped(DropCause::Replay) - before.dropped(DropCause::Replay);
    [packets as u64, delivered, late]
}

#[test]
fn on_a_path_of_2_5_gbit_a_second_with_100_packets_reordered_nothing_is_lost() {
    // What the path carries in 4 ms of the shortest frames, and in 20 ms of long ones.
    for (len, a_second, packets) in [(60, 3_720_238, 14_881), (1514, 203_187, 4_064)] {
        let rate = 1_000_000_000 / time_of(len).as_nanos() as u64;
        assert!(rate.abs_diff(a_second) < a_second / 200, "{rate} frames");
        assert_eq!(
            carry(len, packets, 100),
            [packets as u64, packets as u64, 0]
        );
    }
}

#[test]
fn the_window_of_the_software_loses_what_comes_2048_packets_late() {
    let packets = 6000;
    for places in [WINDOW - 1, WINDOW, WINDOW + 100] {
        let expected = behind(&order(packets, places), WINDOW);
        assert_eq!(expected != 0, places >= WINDOW, "{places} places");
        let [sealed, delivered, late] = carry(60, packets, places);
        assert_eq!((sealed - delivered, late), (expected, expected));
    }
}

#[test]
fn a_window_of_64_would_lose_some() {
    let order = order(14_881, 100);
    assert!(behind(&order, 64) > 1000);
    assert_eq!(behind(&order, 101), 0);
    assert!(behind(&order, 100) > 0, "the path does what it is for");
}
