// SPDX-License-Identifier: Apache-2.0
//! The two session slots. A session keeps its place in memory when it changes from `alt` to `cur`.

use super::{
    SlotStatus,
    timers::{OLD_SESSION, Timers},
};
use crate::{session::Session, wire::SessionId};
use std::time::Duration;

/// A session with its times.
pub(super) struct Slot {
    pub(super) session: Session,
    /// When the keys were installed.
    pub(super) born: Duration,
    /// When something was last sealed in it; its birth at the start.
    pub(super) sealed_at: Duration,
    /// When both ends knew of the first frame in it.
    pub(super) used_at: Option<Duration>,
    /// Whether this end has sealed a frame that the peer may not have had.
    pub(super) is_asking: bool,
    /// Whether a good packet came in it.
    pub(super) heard: bool,
    /// When it is erased early, because another took its place.
    pub(super) dies_at: Option<Duration>,
}

impl Slot {
    pub(super) fn status(&self, now: Duration) -> SlotStatus {
        SlotStatus {
            to_peer: self.session.sender.session(),
            from_peer: self.session.receiver.session(),
            age: now.saturating_sub(self.born),
            sent: self.session.sender.next_number(),
            received: self.session.receiver.next_number(),
        }
    }

    /// Packets sent or received, whichever are more.
    pub(super) fn packets(&self) -> u64 {
        let (sender, receiver) = (&self.session.sender, &self.session.receiver);
        sender.next_number().max(receiver.next_number())
    }
}

/// Both slots. Erasing one wipes its keys: that is what dropping a session does.
#[derive(Default)]
pub(super) struct Slots {
    slots: [Option<Slot>; 2],
    /// Which of them is `cur`.
    cur: usize,
}

impl Slots {
    pub(super) fn cur(&self) -> Option<&Slot> {
        self.slots[self.cur].as_ref()
    }

    pub(super) fn cur_mut(&mut self) -> Option<&mut Slot> {
        self.slots[self.cur].as_mut()
    }

    pub(super) fn alt(&self) -> Option<&Slot> {
        self.slots[1 - self.cur].as_ref()
    }

    pub(super) fn alt_mut(&mut self) -> Option<&mut Slot> {
        self.slots[1 - self.cur].as_mut()
    }

    /// The slots by their places, which promotion does not change.
    pub(super) fn places(&self) -> &[Option<Slot>; 2] {
        &self.slots
    }

    pub(super) fn place_mut(&mut self, place: usize) -> Option<&mut Slot> {
        self.slots[place].as_mut()
    }

    /// Whether the session in this place is `cur`.
    pub(super) fn is_cur(&self, place: usize) -> bool {
        place == self.cur
    }

    /// The place of the session that receives under this id.
    pub(super) fn find(&self, session: SessionId) -> Option<usize> {
        self.slots.iter().position(|slot| {
            slot.as_ref()
                .is_some_and(|slot| slot.session.receiver.session() == session)
        })
    }

    pub(super) fn has(&self, session: SessionId) -> bool {
        self.find(session).is_some()
    }

    /// The ids that this end receives under.
    pub(super) fn taken(&self) -> arrayvec::ArrayVec<SessionId, 2> {
        let live = self.slots.iter().flatten();
        live.map(|slot| slot.session.receiver.session()).collect()
    }

    /// Puts a session into `alt`.
    pub(super) fn install(&mut self, session: Session, now: Duration) {
        self.slots[1 - self.cur] = Some(Slot {
            session,
            born: now,
            sealed_at: now,
            used_at: None,
            is_asking: false,
            heard: false,
            dies_at: None,
        });
    }

    /// Notes a good packet in a session. True if it is the first one in `alt`: then that session is `cur` now, and the one
    /// before will be erased.
    pub(super) fn heard(&mut self, place: usize, now: Duration) -> bool {
        let Some(slot) = self.slots[place].as_mut() else {
            return false;
        };
        if std::mem::replace(&mut slot.heard, true) || place == self.cur {
            return false;
        }
        if let Some(old) = self.cur_mut() {
            old.dies_at = Some(now + OLD_SESSION);
        }
        self.cur = place;
        true
    }

    /// Erases what is too old.
    pub(super) fn expire(&mut self, now: Duration, timers: &Timers) {
        for slot in &mut self.slots {
            let dead = |slot: &Slot| {
                now >= timers.dies_at(slot) || slot.dies_at.is_some_and(|dies| now >= dies)
            };
            if slot.as_ref().is_some_and(dead) {
                *slot = None;
            }
        }
    }
}
