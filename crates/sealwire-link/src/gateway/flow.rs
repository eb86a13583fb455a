// SPDX-License-Identifier: Apache-2.0
//! Which queue of the device a frame is written to, where several threads each read one.
//!
//! The kernel gives the frames of a flow to the queue that the latest packet of the flow, of either direction, was written to. From one peer
//! to another by way of the hub both directions are written, by the threads of two peers: if each wrote to its own queue, a flow would
//! go to and fro between two readers, and its frames would overtake each other. So its addresses choose the queue, whoever writes.

use super::carrier::ETHERNET_HEADER;
use crate::wire::Kind;

/// One of so many queues, the same for both directions between two addresses.
pub(super) fn queue(frame: &[u8], kind: Kind, queues: usize) -> usize {
    if queues < 2 {
        return 0;
    }
    let (a, b) = addresses(frame, kind).unwrap_or_default();
    // Frames of both directions get one queue, so the sum must not depend on which address comes first.
    let mixed = mix(a).wrapping_add(mix(b));
    // The upper half of the product depends on every bit of the sum.
    ((u128::from(spread(mixed)) * queues as u128) >> 64) as usize
}

/// A number that stands for an address. Nothing secret is in it and nobody is to be kept from choosing it: whoever sends frames here could as well
/// send all of them between two addresses.
fn mix(address: &[u8]) -> u64 {
    address.chunks(8).fold(0, |mixed, part| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        spread(mixed ^ u64::from_le_bytes(word))
    })
}

/// Lets every bit reach the upper ones.
const fn spread(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Source and destination: of IP, inside Ethernet frames, too, for a router between two peers changes the cards' addresses; else of the cards.
fn addresses(frame: &[u8], kind: Kind) -> Option<(&[u8], &[u8])> {
    let packet = match kind {
        Kind::Ip => Some(frame),
        Kind::Ethernet => inside(frame),
    };
    let (from, len) = match packet.and_then(<[u8]>::first).map(|first| first >> 4) {
        Some(4) => (12, 4),
        Some(6) => (8, 16),
        _ => return frame.get(..12).map(|cards| cards.split_at(6)),
    };
    packet?
        .get(from..from + 2 * len)
        .map(|both| both.split_at(len))
}

/// The IP packet in a frame, behind a VLAN's tag perhaps.
fn inside(frame: &[u8]) -> Option<&[u8]> {
    let untagged = |at: usize| match frame.get(at..at + 2)? {
        [0x08, 0x00] | [0x86, 0xdd] => frame.get(at + 2..),
        _ => None,
    };
    match frame.get(ETHERNET_HEADER - 2..ETHERNET_HEADER)? {
        [0x81, 0x00] => untagged(ETHERNET_HEADER + 2),
        _ => untagged(ETHERNET_HEADER - 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUEUES: usize = 64;

    fn v4(source: u8, destination: u8, port: u8) -> Vec<u8> {
        let mut packet = vec![0; 40];
        packet[0] = 0x45;
        packet[12..20].copy_from_slice(&[10, 0, 0, source, 10, 0, 0, destination]);
        packet[21] = port;
        packet
    }

    fn v6(source: u8, destination: u8) -> Vec<u8> {
        let mut packet = vec![0; 60];
        (packet[0], packet[23], packet[39]) = (0x60, source, destination);
        packet
    }

    /// A frame with this in it, from one card to another.
    fn framed(packet: &[u8], cards: [u8; 2], tags: &[u8]) -> Vec<u8> {
        let ethertype = if packet[0] >> 4 == 4 {
            [8, 0]
        } else {
            [0x86, 0xdd]
        };
        let [to, from] = cards.map(|card| [2, 0, 0, 0, 0, card]);
        [&to, &from, tags, &ethertype, packet].concat()
    }

    #[test]
    fn both_directions_between_two_addresses_share_a_queue() {
        let tag = [0x81, 0, 0, 7];
        let other = |frame: &[u8]| queue(frame, Kind::Ethernet, QUEUES);
        for (there, back) in [(v4(2, 3, 1), v4(3, 2, 9)), (v6(2, 3), v6(3, 2))] {
            let [one, two] = [&there, &back].map(|packet| queue(packet, Kind::Ip, QUEUES));
            assert_eq!(one, two);
            // A router has a card of its own on either side.
            for tags in [&tag[..], &[]] {
                assert_eq!(other(&framed(&there, [1, 2], tags)), one);
                assert_eq!(other(&framed(&back, [3, 1], tags)), one);
            }
        }
        // What is no IP has cards only.
        let frame = |to, from| [[2, 0, 0, 0, 0, to], [2, 0, 0, 0, 0, from], [0x88; 6]].concat();
        assert_eq!(other(&frame(1, 2)), other(&frame(2, 1)));
        assert_ne!(other(&frame(1, 2)), other(&frame(1, 3)));
    }

    #[test]
    fn many_pairs_use_every_queue() {
        for queues in 1..=QUEUES {
            let mut used = vec![false; queues];
            for (a, b) in (0..200).flat_map(|a| (a..200).map(move |b| (a, b))) {
                used[queue(&v4(a, b, 0), Kind::Ip, queues)] = true;
            }
            assert!(used.into_iter().all(|used| used), "{queues}");
        }
    }

    #[test]
    fn what_is_cut_short_has_a_queue_too() {
        for frame in [
            v4(2, 3, 0),
            v6(2, 3),
            framed(&v4(2, 3, 0), [1, 2], &[0x81, 0, 0, 7]),
        ] {
            for len in 0..frame.len() {
                for kind in [Kind::Ip, Kind::Ethernet] {
                    assert!(queue(&frame[..len], kind, 3) < 3);
                }
            }
        }
    }
}
