// SPDX-License-Identifier: Apache-2.0
//! Where Ethernet addresses are: with a peer, or on the trusted side. Learnt from the source of every frame, as a switch does, but that
//! nobody takes an address that is in use elsewhere.

use std::{collections::HashMap, time::Duration};

/// An address that was not seen for this long is forgotten.
pub const MAC_AGE: Duration = Duration::from_secs(300);
/// Addresses that one peer can have at a time, so that none fills the memory or displaces another's.
pub const MACS_PER_PEER: usize = 256;
/// Old addresses are looked for this often at most: each look is at all of them.
const FORGETS_EVERY: Duration = Duration::from_secs(1);
/// With fewer addresses than this, old ones may stay.
const MANY: usize = 4096;

/// An Ethernet address.
type Mac = [u8; 6];

/// Where an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Trusted,
    Peer(u32),
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    place: Place,
    at: Duration,
}

/// The table of addresses.
#[derive(Debug, Default)]
pub(super) struct Macs {
    seen: HashMap<Mac, Seen>,
    /// How many of them each peer has.
    counts: HashMap<u32, usize>,
    forgot_at: Duration,
}

/// Where a frame of the trusted side goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum To {
    Peer(u32),
    /// To a group, or to an address that was not seen yet.
    All,
    /// To somebody on the trusted side.
    Nobody,
}

impl Macs {
    /// Takes a frame of a peer. False if its source is a group, on the trusted side, or another peer's, or one more than a peer can have.
    pub(super) fn take(&mut self, now: Duration, frame: &[u8], peer: u32) -> bool {
        let Some((_, source)) = addresses(frame) else {
            return false;
        };
        if is_group(&source) {
            return false;
        }
        match self.live(now, &source) {
            Some(seen) if seen.place == Place::Peer(peer) => seen.at = now,
            Some(_) => return false,
            None => {
                if self.count(peer) >= MACS_PER_PEER {
                    self.forget_old(now);
                }
                if self.count(peer) >= MACS_PER_PEER {
                    return false;
                }
                self.put(source, Place::Peer(peer), now);
            }
        }
        true
    }

    /// Where a frame of the trusted side goes. Its source is on the trusted side, whoever claimed it before: that side is believed.
    pub(super) fn route(&mut self, now: Duration, frame: &[u8]) -> To {
        let Some((destination, source)) = addresses(frame) else {
            return To::Nobody;
        };
        if !is_group(&source) {
            self.put(source, Place::Trusted, now);
        }
        if is_group(&destination) {
            return To::All;
        }
        match self.live(now, &destination).map(|seen| seen.place) {
            Some(Place::Peer(peer)) => To::Peer(peer),
            Some(Place::Trusted) => To::Nobody,
            None => To::All,
        }
    }

    /// How many addresses a peer has.
    pub(super) fn count(&self, peer: u32) -> usize {
        self.counts.get(&peer).copied().unwrap_or(0)
    }

    /// What is known of an address, unless it is too old.
    fn live(&mut self, now: Duration, mac: &Mac) -> Option<&mut Seen> {
        self.seen
            .get_mut(mac)
            .filter(|seen| now.saturating_sub(seen.at) < MAC_AGE)
    }

    fn put(&mut self, mac: Mac, place: Place, now: Duration) {
        let before = self.seen.insert(mac, Seen { place, at: now });
        if let Some(Place::Peer(peer)) = before.map(|seen| seen.place) {
            self.uncount(peer);
        }
        if let Place::Peer(peer) = place {
            *self.counts.entry(peer).or_default() += 1;
        }
        if self.seen.len() >= MANY {
            self.forget_old(now);
        }
    }

    fn uncount(&mut self, peer: u32) {
        if let Some(count) = self.counts.get_mut(&peer) {
            *count -= 1;
        }
    }

    fn forget_old(&mut self, now: Duration) {
        if now.saturating_sub(self.forgot_at) < FORGETS_EVERY {
            return;
        }
        self.forgot_at = now;
        let old: Vec<Mac> = self
            .seen
            .iter()
            .filter(|(_, seen)| now.saturating_sub(seen.at) >= MAC_AGE)
            .map(|(mac, _)| *mac)
            .collect();
        for mac in old {
            if let Some(Seen {
                place: Place::Peer(peer),
                ..
            }) = self.seen.remove(&mac)
            {
                self.uncount(peer);
            }
        }
    }
}

/// Destination and source of an Ethernet frame.
fn addresses(frame: &[u8]) -> Option<(Mac, Mac)> {
    let (destination, rest) = frame.split_first_chunk()?;
    Some((*destination, *rest.first_chunk()?))
}

fn is_group(mac: &Mac) -> bool {
    mac[0] & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::from_secs(1000);

    /// A frame from one card to another, named by their last byte.
    fn frame(to: u8, from: u8) -> [u8; 14] {
        let mut frame = [0; 14];
        (frame[0], frame[5], frame[6], frame[11]) = (2, to, 2, from);
        frame
    }

    #[test]
    fn learns_where_an_address_is_and_keeps_it_there() {
        let mut macs = Macs::default();
        assert_eq!(macs.route(NOW, &frame(7, 1)), To::All, "not seen yet");
        assert!(macs.take(NOW, &frame(1, 7), 3));
        assert_eq!(macs.route(NOW, &frame(7, 1)), To::Peer(3));
        assert!(!macs.take(NOW, &frame(1, 7), 4), "another peer's");
        assert!(!macs.take(NOW, &frame(7, 1), 3), "on the trusted side");
        assert_eq!(
            macs.route(NOW, &frame(7, 1)),
            To::Peer(3),
            "no refused frame moved it"
        );
        assert_eq!(
            macs.route(NOW, &frame(1, 2)),
            To::Nobody,
            "both on the trusted side"
        );
        assert_eq!(
            macs.route(NOW, &frame(9, 7)),
            To::All,
            "it moved to the trusted side"
        );
        assert!(!macs.take(NOW, &frame(1, 7), 3));
        assert_eq!((macs.count(3), macs.count(4)), (0, 0));
    }

    #[test]
    fn an_address_that_is_silent_may_appear_elsewhere() {
        let mut macs = Macs::default();
        assert!(macs.take(NOW, &frame(1, 7), 3));
        let later = NOW + MAC_AGE - Duration::from_millis(1);
        assert!(!macs.take(later, &frame(1, 7), 4));
        assert!(macs.take(NOW + MAC_AGE, &frame(1, 7), 4));
        assert_eq!(macs.route(NOW + MAC_AGE, &frame(7, 1)), To::Peer(4));
        assert_eq!((macs.count(3), macs.count(4)), (0, 1));
    }

    #[test]
    fn groups_have_no_address_and_reach_all() {
        let mut macs = Macs::default();
        let mut group = frame(1, 7);
        group[6] |= 1;
        assert!(!macs.take(NOW, &group, 3));
        let mut to_all = frame(0, 1);
        to_all[..6].fill(0xff);
        assert_eq!(macs.route(NOW, &to_all), To::All);
        assert!(!macs.take(NOW, &[2; 11], 3) && macs.route(NOW, &[]) == To::Nobody);
    }

    #[test]
    fn a_peer_fills_its_own_part_only() {
        let mut macs = Macs::default();
        let numbered = |n: usize| {
            let mut frame = frame(1, 0);
            frame[8..12].copy_from_slice(&(n as u32).to_be_bytes());
            frame
        };
        for n in 0..2 * MACS_PER_PEER {
            assert_eq!(macs.take(NOW, &numbered(n), 3), n < MACS_PER_PEER);
        }
        assert!(macs.take(NOW, &numbered(2 * MACS_PER_PEER), 4));
        assert_eq!((macs.count(3), macs.count(4)), (MACS_PER_PEER, 1));
        assert!(
            macs.take(NOW + MAC_AGE, &numbered(9999), 3),
            "old ones made room"
        );
        assert_eq!((macs.count(3), macs.count(4)), (1, 0));
    }
}
