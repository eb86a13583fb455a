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

/// Both slots. Erasing one wipes its keys: that is what dropping a session does. A session has memory of its own, so that an end without one, as most of
/// a hub's are at a time, takes little.
#[derive(Default)]
pub(super) struct Slots {
    slots: [Option<Box<Slot>>; 2],
    /// Which of them is `cur`.
    cur: usize,
}

impl Slots {
    pub(super) fn cur(&self) -> Option<&Slot> {
        self.slots[self.cur].as_deref()
    }

    pub(super) fn cur_mut(&mut self) -> Option<&mut Slot> {
        self.slots[self.cur].as_deref_mut()
    }

    pub(super) fn alt(&self) -> Option<&Slot> {
        self.slots[1 - self.cur].as_deref()
    }

    pub(super) fn alt_mut(&mut self) -> Option<&mut Slot> {
        self.slots[1 - self.cur].as_deref_mut()
    }

    /// The slots by their places, which promotion does not change.
    pub(super) fn places(&self) -> &[Option<Box<Slot>>; 2] {
        &self.slots
    }

    pub(super) fn place_mut(&mut self, place: usize) -> Option<&mut Slot> {
        self.slots[place].as_deref_mut()
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
        self.slots[1 - self.cur] = Some(Box::new(Slot {
            session,
            born: now,
            sealed_at: now,
            used_at: None,
            is_asking: false,
            heard: false,
            dies_at: None,
        }));
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
            if slot.as_deref().is_some_and(dead) {
                *slot = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        endpoint::timers::KeepAlive, schedule::Identity, session::SessionKeys, suite::Suite,
        wire::Kind,
    };

    const REKEY: Duration = Duration::from_secs(4);
    const MAX_AGE: Duration = Duration::from_secs(8);

    /// What can happen to the slots.
    #[derive(Clone, Copy, Debug)]
    enum Event {
        Installed,
        /// A good packet in `cur`, or in `alt`.
        HeardInCur,
        HeardInAlt,
        /// A frame in `cur` that both ends know of.
        Frame,
        /// So many seconds later.
        Later(u64),
    }

    /// The states of the specification's diagram.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum State {
        Alt,
        Cur,
        Old { since: Duration },
    }

    /// A session as the specification has it.
    #[derive(Clone, Copy, Debug)]
    struct Known {
        id: SessionId,
        state: State,
        born: Duration,
        used: Option<Duration>,
    }

    /// All sessions that live, by the specification's words.
    #[derive(Default)]
    struct Model {
        live: Vec<Known>,
    }

    impl Model {
        fn cur(&self) -> Option<Known> {
            self.live.iter().copied().find(|s| s.state == State::Cur)
        }

        /// What shares the slot beside `cur`: a new session or the one before.
        fn alt(&self) -> Option<Known> {
            self.live.iter().copied().find(|s| s.state != State::Cur)
        }

        fn install(&mut self, id: SessionId, now: Duration) {
            self.live.retain(|s| s.state == State::Cur);
            self.live.push(Known {
                id,
                state: State::Alt,
                born: now,
                used: None,
            });
        }

        /// The first good packet in `alt` makes it `cur`, and the `cur` before is old. True if it was that one.
        fn heard(&mut self, id: SessionId, now: Duration) -> bool {
            let first = |s: &Known| s.id == id && s.state == State::Alt;
            let promoted = self.live.iter().any(first);
            if promoted {
                for session in &mut self.live {
                    session.state = match session.id == id {
                        true => State::Cur,
                        false => State::Old { since: now },
                    };
                }
            }
            promoted
        }

        /// 2 s after another became `cur`; T_max after its birth; without prompt keep-alives, if a packet was heard in it, T_max
        /// after its first frame, or T_max - T_rekey after 600 s if that is earlier.
        fn expire(&mut self, now: Duration, prompt: bool) {
            let seconds = Duration::from_secs;
            self.live.retain(|s| {
                let unused = s.born + seconds(600) + (MAX_AGE - REKEY);
                let dies = match (prompt || s.state == State::Alt, s.used) {
                    (true, _) => s.born + MAX_AGE,
                    (_, Some(used)) => unused.min(used + MAX_AGE),
                    (_, None) => unused,
                };
                let replaced = matches!(s.state, State::Old { since } if now >= since + seconds(2));
                now < dies && !replaced
            });
        }
    }

    fn id(installed: u32) -> SessionId {
        (0x5a00_0000 + installed).to_be_bytes()
    }

    /// A session of its own ids, and of keys that nobody uses.
    fn session(identity: &Identity, id: SessionId) -> Session {
        let suite = identity.suite();
        let mut bytes = vec![7; SessionKeys::bytes_len(suite)];
        bytes[0] = 8;
        let at = bytes.len() - 8;
        bytes[at..at + 4].copy_from_slice(&id);
        Session::load(identity, SessionKeys::from_bytes(suite, &bytes).unwrap()).unwrap()
    }

    /// Compares the slots with the model after every event of one history.
    fn agree(
        identity: &Identity,
        keep_alive: KeepAlive,
        history: impl Iterator<Item = Event> + Clone,
    ) {
        let timers = Timers::new(REKEY, MAX_AGE)
            .unwrap()
            .with_keep_alive(keep_alive)
            .unwrap();
        let (mut slots, mut model) = (Slots::default(), Model::default());
        let (mut now, mut installed) = (Duration::ZERO, 0);
        for (count, event) in history.clone().enumerate() {
            let in_it = || format!("event {count} of {:?}", history.clone().collect::<Vec<_>>());
            match event {
                Event::Installed => {
                    slots.install(session(identity, id(installed)), now);
                    model.install(id(installed), now);
                    installed += 1;
                }
                Event::HeardInCur | Event::HeardInAlt => {
                    let heard = match event {
                        Event::HeardInCur => model.cur(),
                        _ => model.alt(),
                    };
                    if let Some(Known { id, .. }) = heard {
                        let place = slots.find(id).unwrap_or_else(|| panic!("{}", in_it()));
                        assert_eq!(slots.heard(place, now), model.heard(id, now), "{}", in_it());
                    }
                }
                Event::Frame => {
                    if let Some(slot) = slots.cur_mut() {
                        slot.used_at.get_or_insert(now);
                    }
                    if let Some(cur) = model.live.iter_mut().find(|s| s.state == State::Cur) {
                        cur.used.get_or_insert(now);
                    }
                }
                Event::Later(seconds) => {
                    now += Duration::from_secs(seconds);
                    slots.expire(now, &timers);
                    model.expire(now, keep_alive == KeepAlive::Prompt);
                }
            }
            let seen = |slot: Option<&Slot>| slot.map(|s| (s.session.receiver.session(), s.born));
            let known = |known: Option<Known>| known.map(|s| (s.id, s.born));
            assert_eq!(seen(slots.cur()), known(model.cur()), "cur, {}", in_it());
            assert_eq!(seen(slots.alt()), known(model.alt()), "alt, {}", in_it());
            let alive = |id: SessionId| model.live.iter().any(|s| s.id == id);
            for id in (0..=installed).map(id) {
                assert_eq!(slots.has(id), alive(id), "{id:x?}, {}", in_it());
            }
            assert_eq!(slots.taken().len(), model.live.len(), "{}", in_it());
        }
    }

    /// All histories of `length` events. Their beginnings are the shorter ones.
    fn every_history(keep_alive: KeepAlive, events: &[Event], length: u32) {
        let suite = Suite::by_code(0x11).unwrap();
        let [own, peer] = [1_u64, 2].map(u64::to_be_bytes);
        let identity = Identity::new(suite, own, peer, Kind::Ethernet).unwrap();
        for history in 0..events.len().pow(length) {
            let event = |i| events[history / events.len().pow(i) % events.len()];
            agree(&identity, keep_alive, (0..length).map(event));
        }
    }

    /// With T_max 8 s: every history of eight events, of seven where keep-alives are not prompt. The steps of time meet each time of the
    /// specification, and a second before and after it.
    #[test]
    fn slots_agree_with_the_specification_for_every_short_history() {
        use Event::{Frame, HeardInAlt, HeardInCur, Installed, Later};
        let prompt = [Installed, HeardInCur, HeardInAlt, Later(1), Later(4)];
        every_history(KeepAlive::Prompt, &prompt, 8);
        let idle = [Installed, HeardInAlt, Frame, Later(1), Later(4), Later(596)];
        every_history(KeepAlive::Off, &idle, 7);
    }
}
