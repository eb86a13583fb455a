// SPDX-License-Identifier: Apache-2.0
//! Every packet counted once under what became of it, so that totals balance.

use crate::wire::{DropCause, LocalDrop};

/// Counts since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets from the untrusted side.
    pub untrusted_in: u64,
    /// Packets from the untrusted side that held frames for the trusted side.
    pub delivered: u64,
    /// Packets from the untrusted side that were keep-alives or held messages too short for a frame.
    pub keep_alives_in: u64,
    /// Packets from the untrusted side that were handshake messages in order.
    pub handshakes_in: u64,
    /// Packets from the untrusted side that were dropped, by cause in the order of [`DropCause::ALL`].
    pub drops: [u64; DropCause::ALL.len()],
    /// Packets from the untrusted side that were in order and held frames whose source is not this peer's. A hub counts them.
    pub source_drops: u64,
    /// Frames from the trusted side.
    pub trusted_in: u64,
    /// Frames from the trusted side that were sealed.
    pub sealed: u64,
    /// Frames from the trusted side that were dropped, by cause in the order of [`LocalDrop::ALL`].
    pub trusted_drops: [u64; LocalDrop::ALL.len()],
    /// Packets for the untrusted side: frames sealed, keep-alives, handshake messages.
    pub untrusted_out: u64,
    /// Packets for the untrusted side that are keep-alives.
    pub keep_alives_out: u64,
    /// Packets for the untrusted side that are handshake messages or requests for a call.
    pub handshakes_out: u64,
    /// Bytes of the frames delivered.
    pub delivered_bytes: u64,
    /// Sessions installed.
    pub sessions_installed: u64,
    /// Sessions that became the current one.
    pub sessions_taken: u64,
    /// How often a responder's peer came from another address than before, or an initiator was told of another.
    pub peer_moves: u64,
}

impl Counters {
    /// How many packets were dropped for this cause.
    pub fn dropped(&self, cause: DropCause) -> u64 {
        self.drops[cause as usize]
    }

    /// How many frames were dropped for this cause.
    pub fn trusted_dropped(&self, cause: LocalDrop) -> u64 {
        self.trusted_drops[cause as usize]
    }

    /// Whether each total is the sum of its parts.
    pub fn balance(&self) -> bool {
        let good = self.delivered + self.keep_alives_in + self.handshakes_in;
        self.untrusted_in == good + self.source_drops + self.drops.iter().sum::<u64>()
            && self.trusted_in == self.sealed + self.trusted_drops.iter().sum::<u64>()
            && self.untrusted_out == self.sealed + self.keep_alives_out + self.handshakes_out
    }

    pub(super) fn trusted(&mut self, dropped: Option<LocalDrop>) {
        self.trusted_in += 1;
        match dropped {
            Some(cause) => self.trusted_drops[cause as usize] += 1,
            None => {
                self.sealed += 1;
                self.untrusted_out += 1;
            }
        }
    }

    pub(super) fn keep_alive_sent(&mut self) {
        self.keep_alives_out += 1;
        self.untrusted_out += 1;
    }

    pub(super) fn handshake_sent(&mut self) {
        self.handshakes_out += 1;
        self.untrusted_out += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_index_their_counters() {
        for (i, cause) in DropCause::ALL.iter().enumerate() {
            assert_eq!(*cause as usize, i);
        }
        for (i, cause) in LocalDrop::ALL.iter().enumerate() {
            assert_eq!(*cause as usize, i);
        }
    }

    #[test]
    fn notices_a_packet_that_was_not_counted() {
        let mut counters = Counters::default();
        counters.trusted(None);
        counters.trusted(Some(LocalDrop::Size));
        counters.keep_alive_sent();
        counters.handshake_sent();
        assert!(counters.balance());
        assert_eq!((counters.trusted_in, counters.untrusted_out), (2, 3));
        for change in [
            |c: &mut Counters| c.untrusted_in += 1,
            |c: &mut Counters| c.sealed += 1,
            |c: &mut Counters| c.drops[3] += 1,
            |c: &mut Counters| c.handshakes_out += 1,
        ] {
            let mut changed = counters.clone();
            change(&mut changed);
            assert!(!changed.balance());
        }
    }
}
