// SPDX-License-Identifier: Apache-2.0
//! One end of a link as a state machine: handshake, two session slots, rekey, receive rules, counters.
//!
//! It does no input or output. Time, random bytes and packets come in by calls; packets to send go out through a callback. An
//! address `A` is whatever the carrier knows a peer by: a socket address, a MAC address, `()`.
//!
//! ```text
//!                 no cur, or cur old or nearly used up, or silence for 750 ms
//!          +------+ ----------------------------------------------------> +-------+ <--+ every 250 ms: hello, same R
//!          | IDLE |                                                       | HELLO | ---+
//!          +------+ <---------------------------------------------------- +-------+
//!             ^       first good packet in the new session (late)           |   ^
//!             |                                                 hello-reply |   | 500 ms without success
//!             |                                                 install alt |   | (alt stays until replaced)
//!             |       first good packet in the new session                  v   |
//!             +---------------------------------------------------------- +---------+ <--+ every 250 ms: confirm,
//!                     alt becomes cur                                     | CONFIRM | ---+ keep-alive in alt
//!                                                                         +---------+
//! ```
//!
//! That is the initiator. The responder has no states: it answers a good hello whose number is above the last one's, and a good confirm installs `alt`. Its R_r is erased with the confirm, after
//! 10 s at the latest, and drawn anew for the next hello. One with a frame to send and no session asks to be called, unless keep-alives are [`KeepAlive::Prompt`].
//!
//! ```
//! use sealwire_link::{endpoint::{Endpoint, Timers}, packet::Incoming, schedule::{Ends, Psk}, suite::Suite, wire::Kind};
//! use std::time::Duration;
//!
//! let suite = Suite::by_name("omd-sha512").unwrap();
//! let key = [7; 64]; // in real use: 64 random bytes that both ends hold
//! let end = |local: u64, peer: u64| {
//!     let ends = Ends::new(suite, Psk::new(suite, &key)?, local.to_be_bytes(), peer.to_be_bytes(), Kind::Ethernet)?;
//!     Endpoint::new(ends, Timers::default(), Some(()), sealwire_link::schedule::system_random())
//! };
//! let (mut left, mut right) = (end(1, 2)?, end(2, 1)?);
//!
//! // A wire without delay: what one end sends, the other receives at once.
//! let now = Duration::ZERO;
//! let mut wire: Vec<Vec<u8>> = Vec::new();
//! left.poll(now, &mut |_, packet| wire.push(packet.to_vec()));
//! for i in 0..4 {
//!     let to = if i % 2 == 0 { &mut right } else { &mut left };
//!     for mut packet in std::mem::take(&mut wire) {
//!         to.receive(now, &mut [Incoming::new(&mut packet, ())], &mut |_, packet| wire.push(packet.to_vec()));
//!     }
//! }
//! assert!(left.is_up() && right.is_up());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod clues;
mod counters;
mod hello;
mod initiator;
mod queue;
mod receive;
mod recent;
mod request;
mod responder;
mod slots;
mod timers;

pub(crate) use request::is_request;

pub use clues::Clues;
pub use counters::Counters;
pub use hello::WallClock;
pub use queue::HANDSHAKE_QUEUE;
pub use recent::RECENT;
pub use responder::REPLIES_A_SECOND;
pub use timers::{KeepAlive, Timers};

use crate::{
    Error,
    packet::{BATCH, Incoming, Outgoing, Verdict},
    schedule::{Ends, Fingerprint, Identity, OwnRandom, Psk, Role},
    session::{Keys, Session, SessionKeys},
    suite::Suite,
    wire::{Accepts, LocalDrop, SessionId},
};
use clock::Clock;
use hello::HelloNumbers;
use initiator::Initiator;
use recent::Recent;
use request::Requests;
use responder::Responder;
use slots::Slots;
use std::time::Duration;

/// Where random bytes come from. It must never give the same bytes twice, over restarts too.
pub type Random = Box<dyn FnMut(&mut [u8]) -> Result<(), Error> + Send>;

/// Takes a packet to send and the address it goes to.
pub type Out<'a, A> = &'a mut dyn FnMut(A, &[u8]);

/// Session ids of one end: of two slots, and of a session to come.
pub(crate) type OwnSessions = arrayvec::ArrayVec<SessionId, 3>;

/// What an end does to get sessions.
enum Mode {
    /// The smaller id: starts handshakes.
    Initiator {
        ends: Ends,
        state: Initiator,
        numbers: HelloNumbers,
    },
    /// The larger id: answers.
    Responder(Responder),
    /// Takes sessions that were made elsewhere, none of them twice.
    Loaded { recent: Recent },
}

/// One end of a link.
pub struct Endpoint<A> {
    identity: Identity,
    timers: Timers,
    /// The suite's own limit, whatever the timers say.
    rekey_packets: u64,
    mode: Mode,
    slots: Slots,
    clock: Clock,
    /// When a good data packet last came, in any session.
    heard_at: Duration,
    /// When the first frame was sealed since then.
    asked_at: Option<Duration>,
    /// When the first frame came since something was sealed in `cur`.
    owes_since: Option<Duration>,
    requests: Requests,
    /// Where data goes.
    peer: Option<A>,
    /// Whether that address stays as it was given.
    pinned: bool,
    random: Random,
    counters: Counters,
    clues: Clues,
    /// Room for a keep-alive.
    scratch: Vec<u8>,
}

/// What a person wants to know about an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// `idle`, `hello` or `confirm` of an initiator; `responder`; `loaded`.
    pub state: &'static str,
    /// The session that frames are sealed in.
    pub cur: Option<SlotStatus>,
    /// The other slot: a session that the peer has not yet shown to hold, or the one before, for two seconds.
    pub alt: Option<SlotStatus>,
    /// Time since the last good data packet.
    pub silence: Duration,
}

/// One session slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotStatus {
    /// Session id that packets from here carry.
    pub to_peer: SessionId,
    /// Session id that packets from the peer carry.
    pub from_peer: SessionId,
    /// Time since the keys were installed.
    pub age: Duration,
    /// Packet numbers spent.
    pub sent: u64,
    /// The highest accepted packet number + 1.
    pub received: u64,
}

impl<A: Copy + PartialEq> Endpoint<A> {
    /// An end that makes its sessions by handshake. The initiator needs the peer's address; a responder learns it from the newest
    /// authentic data packet, unless the address is pinned ([`Endpoint::pin_peer`]).
    ///
    /// # Errors
    ///
    /// [`Error::NoPeer`] for an initiator without address, [`Error::Random`] if the random source fails.
    pub fn new(
        ends: Ends,
        timers: Timers,
        peer: Option<A>,
        mut random: Random,
    ) -> Result<Self, Error> {
        let identity = *ends.identity();
        let mode = match identity.role() {
            Role::Initiator if peer.is_none() => return Err(Error::NoPeer),
            Role::Initiator => Mode::Initiator {
                ends,
                state: Initiator::Idle,
                numbers: HelloNumbers::default(),
            },
            Role::Responder => {
                let own = OwnRandom::draw_with(identity.suite(), &[], &mut random)?;
                Mode::Responder(Responder::new(ends, own))
            }
        };
        Ok(Self::with_mode(identity, timers, mode, peer, random))
    }

    /// An initiator that does not know yet where its peer is: it calls as soon as [`Endpoint::set_peer`] says so.
    ///
    /// # Errors
    ///
    /// The errors of [`Endpoint::new`]: a responder that waits is made there.
    pub fn without_address(ends: Ends, timers: Timers, random: Random) -> Result<Self, Error> {
        match ends.role() {
            Role::Initiator => {
                let (identity, state) = (*ends.identity(), Initiator::Idle);
                let numbers = HelloNumbers::default();
                let mode = Mode::Initiator {
                    ends,
                    state,
                    numbers,
                };
                Ok(Self::with_mode(identity, timers, mode, None, random))
            }
            Role::Responder => Self::new(ends, timers, None, random),
        }
    }

    /// An end without handshake: [`Endpoint::load`] gives it its sessions. The initiator needs the peer's address, which [`Endpoint::set_peer`] may say
    /// later; a responder follows its peer as one that makes handshakes does, from wherever it is heard first.
    pub fn loaded(identity: Identity, timers: Timers, peer: impl Into<Option<A>>) -> Self {
        let random: Random = Box::new(|_| Err(Error::Random));
        let mode = Mode::Loaded {
            recent: Recent::default(),
        };
        Self::with_mode(identity, timers, mode, peer.into(), random)
    }

    fn with_mode(
        identity: Identity,
        timers: Timers,
        mode: Mode,
        peer: Option<A>,
        random: Random,
    ) -> Self {
        Self {
            rekey_packets: identity.suite().rekey_packets(),
            identity,
            timers,
            mode,
            slots: Slots::default(),
            clock: Clock::default(),
            heard_at: Duration::ZERO,
            asked_at: None,
            owes_since: None,
            requests: Requests::default(),
            peer,
            pinned: false,
            random,
            counters: Counters::default(),
            clues: Clues::default(),
            scratch: Vec::new(),
        }
    }

    /// Takes the numbers of an initiator's hellos from this clock in place of the system's. Its readings must grow, over restarts too: the
    /// peer does not answer a number below one that it has seen.
    #[must_use]
    pub fn with_wall_clock(mut self, clock: WallClock) -> Self {
        if let Mode::Initiator { numbers, .. } = &mut self.mode {
            *numbers = HelloNumbers::new(clock);
        }
        self
    }

    /// Who the ends are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Keeps the peer's address as it was given: a responder sends there only, and refuses handshake messages from elsewhere (`peer`).
    /// Authentic data is taken from anywhere.
    ///
    /// # Errors
    ///
    /// [`Error::NoPeer`] if no address was given.
    pub fn pin_peer(&mut self) -> Result<(), Error> {
        self.pinned = self.peer.is_some();
        if self.pinned {
            Ok(())
        } else {
            Err(Error::NoPeer)
        }
    }

    /// Says where the peer of an initiator is now: its name may lead elsewhere than before. What is sent from here on goes there. A
    /// responder follows its peer by itself and does not listen to this.
    pub fn set_peer(&mut self, peer: A) {
        if self.identity.role() == Role::Initiator && self.peer != Some(peer) {
            self.counters.peer_moves += u64::from(self.peer.is_some());
            self.peer = Some(peer);
        }
    }

    /// Whether this end calls its peer and has no answer yet.
    pub fn is_calling(&self) -> bool {
        matches!(
            self.mode,
            Mode::Initiator {
                state: Initiator::Restart | Initiator::Hello { .. },
                ..
            }
        )
    }

    /// The session ids that packets to this end may carry now, for who leads packets to one of several ends.
    pub fn sessions(&self) -> impl Iterator<Item = SessionId> + use<A> {
        self.own_sessions().into_iter()
    }

    /// The ids of this end's sessions, and that of a random value that may open another.
    pub(crate) fn own_sessions(&self) -> OwnSessions {
        let pending = match &self.mode {
            Mode::Initiator {
                state: Initiator::Hello { own, .. },
                ..
            } => Some(own.session()),
            Mode::Responder(responder) => responder.own().map(OwnRandom::session),
            _ => None,
        };
        self.slots.taken().into_iter().chain(pending).collect()
    }

    /// Takes back a frame that was to be delivered: it claims to come from somebody who is not this peer.
    pub(crate) fn refuse_source(&mut self, packet: &mut Incoming<'_, A>) {
        if packet.frame().is_some() {
            self.counters.delivered -= 1;
            self.counters.delivered_bytes -= packet.frame_len as u64;
            self.counters.source_drops += 1;
            packet.frame_len = 0;
            packet.verdict = Verdict::Refused;
        }
    }

    /// What was counted since the start.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// What dropped handshake messages say about the other end, for people.
    pub fn clues(&self) -> &Clues {
        &self.clues
    }

    /// The address that data goes to, once it is known.
    pub fn peer(&self) -> Option<A> {
        self.peer
    }

    /// Where this end calls its peer, if it is the one that calls.
    pub(crate) fn called_at(&self) -> Option<A> {
        self.peer
            .filter(|_| self.identity.role() == Role::Initiator)
    }

    /// Whether frames can be sealed: there is a session that the peer has shown to hold.
    pub fn is_up(&self) -> bool {
        self.slots.cur().is_some()
    }

    /// Whether the link works as far as this end knows: there is a session, and the peer was heard of late.
    pub fn is_heard(&self) -> bool {
        let now = self.clock.now();
        let since = |time: Duration| now.saturating_sub(time);
        let is_answered = self.asked_at.is_none_or(|at| since(at) < timers::HEARD);
        self.is_up()
            && match self.timers.keep_alive() {
                KeepAlive::Prompt => since(self.heard_at) < timers::HEARD,
                KeepAlive::Every(pause) => {
                    is_answered && since(self.heard_at) < 2 * pause + timers::HEARD
                }
                KeepAlive::Off => is_answered,
            }
    }

    /// States and slots, for people.
    pub fn status(&self) -> Status {
        let now = self.clock.now();
        Status {
            state: match &self.mode {
                Mode::Initiator { state, .. } => state.name(),
                Mode::Responder(_) => "responder",
                Mode::Loaded { .. } => "loaded",
            },
            cur: self.slots.cur().map(|slot| slot.status(now)),
            alt: self.slots.alt().map(|slot| slot.status(now)),
            silence: now.saturating_sub(self.heard_at),
        }
    }

    /// Puts another pre-shared key in place. Live sessions go on; an initiator begins a handshake under it at the next poll, a responder
    /// takes the key before for one T_rekey more, so that the ends may be told one after the other. The present key again changes nothing.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] if the key does not fit the suite; then the old key stays.
    pub fn set_psk(&mut self, psk: Psk) -> Result<(), Error> {
        match &mut self.mode {
            Mode::Initiator { ends, state, .. } => {
                if ends.replace_psk(psk)?.is_some() {
                    *state = Initiator::Restart;
                }
                Ok(())
            }
            Mode::Responder(responder) => {
                let until = self.clock.now().saturating_add(self.timers.rekey());
                responder.set_psk(psk, until)
            }
            Mode::Loaded { .. } => Ok(()),
        }
    }

    /// Erases everything that could be in a copy of this end: sessions, random values, the key before the present one. What is needed
    /// begins anew at the next poll.
    pub fn erase(&mut self) {
        self.slots = Slots::default();
        match &mut self.mode {
            Mode::Initiator { state, .. } => *state = Initiator::Restart,
            Mode::Responder(responder) => responder.erase(),
            Mode::Loaded { .. } => {}
        }
    }

    /// Names the pre-shared key that the next handshake is under, if this end makes handshakes.
    pub fn key_fingerprint(&self) -> Option<Fingerprint> {
        match &self.mode {
            Mode::Initiator { ends, .. } => Some(ends.fingerprint()),
            Mode::Responder(responder) => Some(responder.ends().fingerprint()),
            Mode::Loaded { .. } => None,
        }
    }

    /// Erases what is too old.
    fn expire(&mut self, now: Duration) {
        self.slots.expire(now, &self.timers);
        if let Mode::Responder(responder) = &mut self.mode {
            responder.expire(now);
        }
    }

    /// Loads a session into `alt`. The responder's end goes first; the initiator then sends keep-alives in it until the
    /// peer is heard, and it becomes `cur`.
    ///
    /// # Errors
    ///
    /// [`Error::Handshakes`] unless the end was made by [`Endpoint::loaded`]; [`Error::SessionTaken`] if this end's session id
    /// is live, or one of the last [`RECENT`] that were loaded.
    pub fn load(&mut self, now: Duration, keys: SessionKeys) -> Result<(), Error> {
        let Mode::Loaded { recent } = &mut self.mode else {
            return Err(Error::Handshakes);
        };
        let now = self.clock.advance(now);
        let id = keys.session_of(self.identity.role());
        if self.slots.has(id) || recent.has(id) {
            return Err(Error::SessionTaken);
        }
        let session = Session::load(&self.identity, keys)?;
        recent.add(id);
        self.install(session, now);
        Ok(())
    }

    /// Whether this initiator's end with loaded sessions needs a new one: for the same reasons as a handshake would begin, unless one
    /// was loaded that the peer has yet to show to hold.
    pub fn wants_session(&self) -> bool {
        let now = self.clock.now();
        let waits =
            |slot: &slots::Slot| !slot.heard && now.saturating_sub(slot.born) < timers::CONFIRM;
        self.knocks() && self.wants_handshake(now) && !self.slots.alt().is_some_and(waits)
    }

    /// When an initiator's end with loaded sessions will need a new one, if that is still to come.
    fn wants_session_at(&self) -> Option<Duration> {
        if !self.knocks() {
            return None;
        }
        let waits = self.slots.alt().filter(|slot| !slot.heard);
        let waits = waits.map_or(Duration::ZERO, |slot| slot.born + timers::CONFIRM);
        let at = self.handshake_wanted_at().max(waits);
        (at > self.clock.now()).then_some(at)
    }

    /// Says what time it is, and does nothing that is due.
    pub(crate) fn set_time(&mut self, now: Duration) {
        self.clock.advance(now);
    }

    /// Seals frames of the trusted side in place and gives the address that the packets go to. Each says what became of it, and
    /// every one is counted. Allocates nothing.
    pub fn seal(&mut self, now: Duration, frames: &mut [Outgoing<'_>]) -> Option<A> {
        for round in frames.chunks_mut(BATCH) {
            let mut keys = Keys::default();
            self.begin_seal(now, round, &mut keys);
            keys.seal(round);
            self.finish_seal(round, &keys);
        }
        self.peer
    }

    /// Spends packet numbers on at most [`BATCH`] frames, which then wait for their key.
    pub(crate) fn begin_seal(
        &mut self,
        now: Duration,
        frames: &mut [Outgoing<'_>],
        keys: &mut Keys,
    ) {
        let now = self.clock.advance(now);
        self.expire(now);
        let has_peer = self.peer.is_some();
        match self.slots.cur_mut().filter(|_| has_peer) {
            Some(slot) => {
                if slot.session.sender.number(frames, keys) {
                    slot.sealed_at = now;
                    slot.is_asking = true;
                    self.asked_at.get_or_insert(now);
                    self.owes_since = None;
                    // An initiator whose frames are lost makes a new session; the responder of lost ones keeps the old as long as its peer.
                    if self.identity.role() == Role::Initiator {
                        slot.used_at.get_or_insert(now);
                    }
                }
            }
            None => frames.iter_mut().for_each(|frame| {
                frame.waits = None;
                let size = crate::wire::MIN_FRAME..=crate::wire::MAX_FRAME;
                frame.result = Err(if size.contains(&frame.frame_len) {
                    self.miss_session();
                    LocalDrop::NoSession
                } else {
                    LocalDrop::Size
                });
            }),
        }
    }

    /// Counts what became of frames, once [`Keys::seal`] has sealed what waited, and gives the address that the packets go to. What was sealed in a session
    /// that was erased meanwhile does not go out: a copy of this machine may use its numbers.
    pub(crate) fn finish_seal(&mut self, frames: &mut [Outgoing<'_>], keys: &Keys) -> Option<A> {
        for frame in frames {
            let live = self.slots.places().iter().flatten();
            let mut senders = live.map(|slot| &slot.session.sender);
            if frame.result.is_ok() && !senders.any(|sender| sender.has_sealed(frame, keys)) {
                frame.result = Err(LocalDrop::NoSession);
            }
            self.counters.trusted(frame.result.err());
        }
        self.peer
    }

    /// Does what is due: handshake messages, keep-alives, erasing old sessions. To be called at [`Endpoint::deadline`] at the
    /// latest; earlier does no harm.
    pub fn poll(&mut self, now: Duration, send: Out<'_, A>) {
        let now = self.clock.advance(now);
        self.expire(now);
        self.poll_initiator(now, send);
        self.poll_loaded(now, send);
        self.poll_request(now, send);
        if self.keep_alive_at().is_some_and(|due| now >= due) {
            self.keep_alive(Which::Cur, now, send);
        }
    }

    /// When a keep-alive is due in `cur`.
    fn keep_alive_at(&self) -> Option<Duration> {
        let can = |slot: &&slots::Slot| !slot.session.sender.is_used_up();
        let sealed_at = self.slots.cur().filter(can)?.sealed_at;
        let answer = self
            .owes_since
            .map(|since| since.max(sealed_at) + timers::KEEP_ALIVE);
        match self.timers.keep_alive() {
            KeepAlive::Prompt => Some(sealed_at + timers::KEEP_ALIVE),
            KeepAlive::Every(pause) => answer.into_iter().chain([sealed_at + pause]).min(),
            KeepAlive::Off => answer,
        }
    }

    /// When [`Endpoint::poll`] has something to do next, on the caller's clock. An initiator without session is due at once.
    pub fn deadline(&self) -> Duration {
        let slots = [self.slots.cur(), self.slots.alt()];
        let ages = slots.into_iter().flatten().map(|slot| {
            let end = self.timers.dies_at(slot);
            slot.dies_at.map_or(end, |dies| dies.min(end))
        });
        let keep_alive = self.keep_alive_at();
        let due = ages
            .chain(keep_alive)
            .chain(self.knock_at())
            .chain(self.initiator_deadline())
            .chain(self.wants_session_at())
            .chain(self.request_at())
            .chain(match &self.mode {
                Mode::Responder(responder) => responder.deadline(),
                _ => None,
            })
            .min()
            .unwrap_or(Duration::MAX);
        self.clock.to_callers(due)
    }

    /// Whether this time on the caller's clock, at which this end was to be polled before a packet or frame came, still comes before everything
    /// that is due: what either leads to is due no sooner than a keep-alive, unless there is no session or its packet numbers come to an end.
    #[cfg(any(test, all(feature = "gateway", target_os = "linux")))]
    pub(crate) fn is_soon(&self, known: Duration) -> bool {
        let away = known.saturating_sub(self.clock.to_callers(Duration::ZERO));
        let cur = self.slots.cur();
        (Duration::from_nanos(1)..=timers::KEEP_ALIVE).contains(&away)
            && cur.is_some_and(|cur| !self.is_nearly_used_up(cur))
    }

    /// Installs a session in `alt`, whatever was there.
    fn install(&mut self, session: Session, now: Duration) {
        self.slots.install(session, now);
        self.requests.were_heard();
        self.counters.sessions_installed += 1;
    }

    /// Whether this is an initiator's end with loaded sessions, which makes them known by keep-alives.
    fn knocks(&self) -> bool {
        matches!(self.mode, Mode::Loaded { .. }) && self.identity.role() == Role::Initiator
    }

    /// When a loaded session is to be made known: at once, and again until the peer is heard in it.
    fn knock_at(&self) -> Option<Duration> {
        let slot = self.slots.alt().filter(|slot| !slot.heard)?;
        let at = match slot.session.sender.next_number() {
            0 => slot.born,
            _ => slot.sealed_at + timers::RESEND,
        };
        (self.knocks() && self.peer.is_some()).then_some(at)
    }

    fn poll_loaded(&mut self, now: Duration, send: Out<'_, A>) {
        if self.knock_at().is_some_and(|due| now >= due) {
            self.keep_alive(Which::Alt, now, send);
        }
    }

    /// Seals and sends a keep-alive, if there are a session, a packet number and an address.
    fn keep_alive(&mut self, which: Which, now: Duration, send: Out<'_, A>) {
        if which == Which::Cur {
            self.owes_since = None;
        }
        let slot = match which {
            Which::Cur => self.slots.cur_mut(),
            Which::Alt => self.slots.alt_mut(),
        };
        let (Some(slot), Some(peer)) = (slot, self.peer) else {
            return;
        };
        if slot.session.sender.keep_alive(&mut self.scratch).is_ok() {
            slot.sealed_at = now;
            self.counters.keep_alive_sent();
            send(peer, &self.scratch);
        }
    }

    fn suite(&self) -> &'static Suite {
        self.identity.suite()
    }

    fn accepts(&self) -> Accepts {
        match self.mode {
            Mode::Initiator { .. } => Accepts::Initiator,
            Mode::Responder(_) => Accepts::Responder,
            Mode::Loaded { .. } => Accepts::DataOnly,
        }
    }
}

/// A slot by its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Cur,
    Alt,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        packet::OVERHEAD,
        schedule::{system_random, tests::check_ends},
    };

    /// Both ends with a session in `cur`.
    fn pair() -> [Endpoint<()>; 2] {
        pair_with(Timers::default())
    }

    fn pair_with(timers: Timers) -> [Endpoint<()>; 2] {
        let suite = Suite::by_code(2).unwrap();
        let mut ends = [Role::Initiator, Role::Responder].map(|role| {
            let ends = check_ends(suite, role);
            Endpoint::new(ends, timers, Some(()), system_random()).unwrap()
        });
        settle(&mut ends);
        assert!(ends[0].is_up() && ends[1].is_up());
        ends
    }

    fn settle(ends: &mut [Endpoint<()>; 2]) {
        let mut wire = Vec::new();
        ends[0].poll(Duration::ZERO, &mut |(), packet| {
            wire.push((1, packet.to_vec()));
        });
        while let Some((to, mut packet)) = wire.pop() {
            let mut batch = [Incoming::new(&mut packet, ())];
            ends[to].receive(Duration::ZERO, &mut batch, &mut |(), packet| {
                wire.insert(0, (1 - to, packet.to_vec()));
            });
        }
    }

    fn seal(end: &mut Endpoint<()>) -> Result<Vec<u8>, LocalDrop> {
        seal_at(end, Duration::ZERO)
    }

    fn seal_at(end: &mut Endpoint<()>, now: Duration) -> Result<Vec<u8>, LocalDrop> {
        let mut buffer = [0; 60 + OVERHEAD];
        let mut batch = [Outgoing::new(&mut buffer, 60).unwrap()];
        end.seal(now, &mut batch);
        batch[0].packet().map(<[u8]>::to_vec)
    }

    /// A gateway that keeps such a time in place of asking again never waits beyond what is due.
    #[test]
    fn a_time_that_is_soon_comes_before_all_that_a_packet_makes_due() {
        let seconds = Duration::from_secs;
        let every = KeepAlive::Every(seconds(1));
        for keep_alive in [KeepAlive::Prompt, KeepAlive::Off, every] {
            let timers = Timers::new(seconds(4), seconds(8)).unwrap();
            let timers = timers.with_keep_alive(keep_alive).unwrap();
            let mut ends = pair_with(timers.with_rekey_packets(150));
            let mut known = [0, 1].map(|end| ends[end].deadline());
            let (mut kept, mut dice, mut now) = (0, 1_u64, Duration::ZERO);
            let mut after_one = |end: &Endpoint<()>, known: &mut Duration| {
                if end.is_soon(*known) {
                    kept += 1;
                } else {
                    *known = end.deadline();
                }
                assert!(*known <= end.deadline(), "{keep_alive:?}");
            };
            for _ in 0..20_000 {
                dice = dice.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let roll = (dice >> 33) as usize;
                now += Duration::from_micros(roll as u64 % 20_000);
                let mut wire = Vec::new();
                for (i, end) in ends.iter_mut().enumerate() {
                    if now >= known[i] {
                        end.poll(now, &mut |(), packet| wire.push((1 - i, packet.to_vec())));
                        known[i] = end.deadline();
                    }
                }
                let by = roll >> 20 & 1;
                if let Ok(packet) = seal_at(&mut ends[by], now) {
                    wire.push((1 - by, packet));
                }
                after_one(&ends[by], &mut known[by]);
                while let Some((to, mut packet)) = wire.pop() {
                    // Now and then all that is on the way is lost.
                    if roll % 50 < 2 {
                        continue;
                    }
                    let mut batch = [Incoming::new(&mut packet, ())];
                    ends[to].receive(now, &mut batch, &mut |(), packet| {
                        wire.insert(0, (1 - to, packet.to_vec()));
                    });
                    after_one(&ends[to], &mut known[to]);
                }
            }
            let renewed = ends[0].counters().sessions_taken;
            assert!(
                kept > 10_000 && renewed > 50,
                "{kept} kept, {renewed} sessions"
            );
        }
    }

    fn ids(end: &Endpoint<()>) -> SessionId {
        end.status().cur.unwrap().to_peer
    }

    #[test]
    fn rekeys_at_half_of_the_packet_numbers_whoever_spends_them() {
        for spender in [0, 1] {
            let mut ends = pair();
            let first = ids(&ends[0]);
            let half = ends[0].suite().max_packets / 2;
            let slot = ends[spender].slots.cur_mut().unwrap();
            slot.session.sender.skip_to(half - 1);
            for (number, renewed) in [(half - 1, false), (half, true)] {
                let mut packet = seal(&mut ends[spender]).unwrap();
                assert_eq!(packet[8..16], number.to_be_bytes());
                let mut batch = [Incoming::new(&mut packet, ())];
                ends[1 - spender].receive(Duration::ZERO, &mut batch, &mut |(), _| {});
                settle(&mut ends);
                assert_eq!(ids(&ends[0]) != first, renewed, "number {number}");
            }
        }
    }

    /// A path of several lanes that delivers each packet up to a hundred places late or early.
    #[test]
    fn loses_nothing_to_a_path_that_delivers_out_of_order() {
        let [mut sender, mut receiver] = pair();
        let mut packets: Vec<_> = (0..5000).map(|_| seal(&mut sender).unwrap()).collect();
        for (block, lane) in packets.chunks_mut(100).enumerate() {
            match block % 3 {
                0 => lane.reverse(),
                1 => lane.rotate_left(37),
                _ => lane.sort_by_key(|packet| packet[15] ^ 0x55),
            }
        }
        for packet in &mut packets {
            let mut batch = [Incoming::new(packet, ())];
            receiver.receive(Duration::ZERO, &mut batch, &mut |(), _| {});
            assert!(batch[0].frame().is_some());
        }
        assert_eq!(receiver.counters().delivered, 5000);
    }

    #[test]
    fn drops_frames_when_all_packet_numbers_are_spent() {
        let [mut end, _] = pair();
        let last = end.suite().max_packets - 1;
        let slot = end.slots.cur_mut().unwrap();
        slot.session.sender.skip_to(last);
        assert_eq!(seal(&mut end).unwrap()[8..16], last.to_be_bytes());
        assert_eq!(seal(&mut end), Err(LocalDrop::UsedUp));
        let mut said = 0;
        end.poll(Duration::from_millis(250), &mut |(), packet| {
            said += 1;
            assert_eq!(packet[0], 0x21, "a hello, and no keep-alive");
        });
        assert_eq!(
            (said, end.counters().trusted_dropped(LocalDrop::UsedUp)),
            (1, 1)
        );
        assert!(end.counters().balance());
    }
}
