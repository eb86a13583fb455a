// SPDX-License-Identifier: Apache-2.0
//! The few handshake packets of one call whose MACs are looked at.

use crate::wire::Header;
use arrayvec::ArrayVec;

/// Places in the queue of handshake packets: what one call takes besides data. More is dropped as `overload`, so that
/// a flood of them costs next to nothing and never holds up data.
pub const HANDSHAKE_QUEUE: usize = 4;

/// A packet that waits.
pub(super) struct Place {
    /// Which one of the call.
    pub(super) packet: usize,
    pub(super) header: Header,
    /// Whether it came from the peer's address.
    pub(super) is_known: bool,
}

/// The packets that wait, in the order of their arrival.
#[derive(Default)]
pub(super) struct Queue(ArrayVec<Place, HANDSHAKE_QUEUE>);

impl Queue {
    /// Takes a packet if there is a place. One from the peer's address has the place of the last that came from elsewhere.
    pub(super) fn push(&mut self, place: Place) {
        let stranger = self.0.iter().rposition(|place| !place.is_known);
        if self.0.is_full()
            && let Some(stranger) = stranger.filter(|_| place.is_known)
        {
            self.0.remove(stranger);
        }
        // What finds no place is dropped: its verdict says so already.
        let _ = self.0.try_push(place);
    }

    pub(super) fn into_places(self) -> impl Iterator<Item = Place> {
        self.0.into_iter()
    }
}
