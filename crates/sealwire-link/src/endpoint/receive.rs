// SPDX-License-Identifier: Apache-2.0
//! The rules on receive, in their order, for many packets in one call.

use super::{
    Endpoint, Initiator, Mode, Out, Which,
    queue::{Place, Queue},
    request::is_request,
};
use crate::{
    Error,
    handshake::{Fields, Message},
    packet::{BATCH, Incoming, Stage, Verdict},
    schedule::{MAC_LEN, Role},
    session::{Keys, Session},
    wire::{DropCause, Header, PacketType},
};
use std::time::Duration;
use subtle::ConstantTimeEq;

impl<A: Copy + PartialEq> Endpoint<A> {
    /// Judges packets from the untrusted side and opens them in place. Each says what became of it, and every one is counted.
    /// Data packets come first, then at most [`HANDSHAKE_QUEUE`](super::HANDSHAKE_QUEUE) handshake messages, then data that came behind the message that
    /// installed its session. Allocates nothing, unless a session is installed.
    pub fn receive(&mut self, now: Duration, packets: &mut [Incoming<'_, A>], send: Out<'_, A>) {
        for round in packets.chunks_mut(BATCH) {
            let mut keys = Keys::default();
            self.begin_receive(now, round, &mut keys);
            keys.open(round);
            self.take_opened(now, round, &keys, send);
        }
        self.settle(now, packets, send);
    }

    /// The rules that need no key, for at most [`BATCH`] packets: data then waits for its key, a handshake message for its turn.
    pub(crate) fn begin_receive(
        &mut self,
        now: Duration,
        round: &mut [Incoming<'_, A>],
        keys: &mut Keys,
    ) {
        let now = self.clock.advance(now);
        self.expire(now);
        for packet in round {
            match self.judge_header(packet.packet, keys) {
                Ok(stage) => {
                    packet.refuse(DropCause::Auth);
                    packet.stage = stage;
                }
                Err(cause) => {
                    if cause == DropCause::Session && is_request(packet.packet) {
                        self.take_request(now, packet.from);
                    }
                    let cause = self.noted(packet.packet, cause);
                    packet.refuse(cause);
                }
            }
        }
    }

    /// Judges what [`Keys::open`] has opened and takes handshake messages in their turn: [`Endpoint::receive`] behind the cryptography. The end may
    /// have changed since [`Endpoint::begin_receive`].
    pub(crate) fn finish_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, A>],
        keys: &Keys,
        send: Out<'_, A>,
    ) {
        self.take_opened(now, packets, keys, send);
        self.settle(now, packets, send);
    }

    /// Handshake messages in their turn, what came behind the one that installed a session, and the counts of all.
    fn settle(&mut self, now: Duration, packets: &mut [Incoming<'_, A>], send: Out<'_, A>) {
        let now = self.clock.advance(now);
        let mut queue = Queue::default();
        for (i, packet) in packets.iter_mut().enumerate() {
            let Stage::Handshake(header) = packet.stage else {
                continue;
            };
            let cause = match self.judge_claim(&header, packet.packet, packet.from) {
                Ok(_) => {
                    queue.push(Place {
                        packet: i,
                        header,
                        is_known: self.peer == Some(packet.from),
                    });
                    DropCause::Overload
                }
                Err(cause) => self.noted(packet.packet, cause),
            };
            packet.refuse(cause);
        }
        let mut installed_by = None;
        for Place {
            packet: i, header, ..
        } in queue.into_places()
        {
            let packet = &mut packets[i];
            let before = self.counters.sessions_installed;
            let judged = self.judge_handshake(now, &header, packet.packet, packet.from, send);
            if self.counters.sessions_installed != before {
                installed_by.get_or_insert(i);
            }
            packet.verdict = match judged {
                Ok(()) => Verdict::Handshake,
                Err(cause) => Verdict::Dropped(self.noted(packet.packet, cause)),
            };
        }
        // In the order of arrival these had a session. Once in a call at most; hellos install nothing and do not lead here.
        if let Some(i) = installed_by {
            for round in packets[i + 1..].chunks_mut(BATCH) {
                self.receive_again(now, round, send);
            }
        }
        for packet in &*packets {
            self.count(packet);
        }
    }

    fn count(&mut self, packet: &Incoming<'_, A>) {
        let counters = &mut self.counters;
        counters.untrusted_in += 1;
        match packet.verdict {
            Verdict::Frame => {
                counters.delivered += 1;
                counters.delivered_bytes += packet.frame_len as u64;
            }
            Verdict::KeepAlive => counters.keep_alives_in += 1,
            Verdict::Handshake => counters.handshakes_in += 1,
            Verdict::Refused => counters.source_drops += 1,
            Verdict::Dropped(cause) => counters.drops[cause as usize] += 1,
        }
    }

    fn noted(&mut self, packet: &[u8], cause: DropCause) -> DropCause {
        self.clues.note(&self.identity, packet, cause);
        cause
    }

    /// Data packets that were in neither slot, once a session is installed.
    fn receive_again(&mut self, now: Duration, round: &mut [Incoming<'_, A>], send: Out<'_, A>) {
        let mut keys = Keys::default();
        for packet in &mut *round {
            if packet.verdict != Verdict::Dropped(DropCause::Session) {
                continue;
            }
            match self.judge_header(packet.packet, &mut keys) {
                Ok(data @ Stage::Data(..)) => {
                    packet.refuse(DropCause::Auth);
                    packet.stage = data;
                }
                // A handshake message, which was judged in its turn.
                Ok(_) => {}
                Err(cause) => packet.refuse(cause),
            }
        }
        keys.open(round);
        self.take_opened(now, round, &keys, send);
    }

    /// Rule 6 for the packets of a round that were opened.
    fn take_opened(
        &mut self,
        now: Duration,
        round: &mut [Incoming<'_, A>],
        keys: &Keys,
        send: Out<'_, A>,
    ) {
        let now = self.clock.advance(now);
        for packet in round {
            let Stage::Data(header, _) = packet.stage else {
                continue;
            };
            match (self.slots.find(header.session), packet.verdict) {
                (Some(place), _) => self.accept(now, place, &header, packet, keys, send),
                (None, Verdict::Dropped(_)) => packet.stage = Stage::Settled,
                // The session was erased while the packet was being opened.
                (None, _) => packet.wipe(DropCause::Session),
            }
        }
    }

    /// Rules 1 and 2, and for data 3 and 4: gives what the packet waits for.
    fn judge_header(&self, packet: &[u8], keys: &mut Keys) -> Result<Stage, DropCause> {
        let (suite, version) = (self.suite(), self.identity.version());
        let header = Header::parse(packet, suite, version, self.accepts())?;
        if header.packet_type != PacketType::Data {
            return Ok(Stage::Handshake(header));
        }
        let place = self.slots.find(header.session).ok_or(DropCause::Session)?;
        let slot = self.slots.places()[place].as_deref();
        let receiver = &slot.ok_or(DropCause::Session)?.session.receiver;
        Ok(Stage::Data(header, receiver.wait(&header, keys)?))
    }

    /// Rule 6 for a packet whose tag is right, and what its arrival changes.
    fn accept(
        &mut self,
        now: Duration,
        place: usize,
        header: &Header,
        packet: &mut Incoming<'_, A>,
        keys: &Keys,
        send: Out<'_, A>,
    ) {
        let Some(slot) = self.slots.place_mut(place) else {
            return;
        };
        if !slot.session.receiver.accept(keys, packet) {
            return;
        }
        let is_newest = slot.session.receiver.next_number() == header.number + 1;
        let is_frame = packet.verdict == Verdict::Frame;
        if is_frame || slot.is_asking {
            slot.used_at.get_or_insert(now);
        }
        // A keep-alive in a new session may come again because nothing was heard of the one that answered it.
        let is_proof = self.identity.role() == Role::Responder
            && now.saturating_sub(slot.born) < super::timers::PROOF;
        if is_frame || is_proof {
            self.owes_since.get_or_insert(now);
        }
        self.heard_at = now;
        self.asked_at = None;
        let promoted = self.slots.heard(place, now);
        // A packet that was held back says where the peer was.
        if is_newest && self.slots.is_cur(place) {
            self.follow(packet.from);
        }
        if promoted {
            self.counters.sessions_taken += 1;
            self.requests.were_heard();
            if let Mode::Initiator { state, .. } = &mut self.mode {
                *state = Initiator::Idle;
            }
            if self.identity.role() == Role::Responder {
                self.keep_alive(Which::Cur, now, send);
            }
        }
    }

    /// A responder sends to where the newest authentic packet came from, unless its peer's address is pinned. An address that is equal to the one before
    /// may still hold more than that, as where packets from there come to.
    fn follow(&mut self, from: A) {
        let has_moved = self.peer.is_some_and(|peer| peer != from);
        if self.identity.role() == Role::Responder && !(self.pinned && has_moved) {
            self.counters.peer_moves += u64::from(has_moved);
            self.peer = Some(from);
        }
    }

    /// Rules 3 and 4 for a handshake message: before it takes a place in the queue, which is so kept for what only its MAC can show to
    /// be wrong, and again when its turn comes.
    fn judge_claim<'p>(
        &self,
        header: &Header,
        packet: &'p [u8],
        from: A,
    ) -> Result<Fields<'p>, DropCause> {
        let pinned = self.peer.filter(|_| self.pinned);
        let (session_is_right, may_come_from) = match (&self.mode, header.packet_type) {
            (Mode::Responder(_), PacketType::Hello) => (header.session == [0; 4], pinned),
            (Mode::Responder(responder), PacketType::Confirm) => {
                let own = responder.own();
                let is_own = own.is_some_and(|own| header.session == own.session());
                (is_own, pinned)
            }
            (
                Mode::Initiator {
                    state: Initiator::Hello { own, .. },
                    ..
                },
                PacketType::HelloReply,
            ) => (header.session == own.session(), self.peer),
            _ => (false, None),
        };
        if !session_is_right {
            return Err(DropCause::Session);
        }
        let fields = Fields::read(packet, self.suite()).ok_or(DropCause::Short)?;
        // The initiator is answered from where it calls; a pinned peer stays where it is.
        if *fields.id != self.identity.peer() || may_come_from.is_some_and(|peer| peer != from) {
            return Err(DropCause::Peer);
        }
        if header.number != 0 && !header.version.numbers(header.packet_type) {
            return Err(DropCause::Number);
        }
        Ok(fields)
    }

    /// Rules 3 to 6 for a handshake message, and the answer.
    fn judge_handshake(
        &mut self,
        now: Duration,
        header: &Header,
        packet: &[u8],
        from: A,
        send: Out<'_, A>,
    ) -> Result<(), DropCause> {
        let fields = self.judge_claim(header, packet, from)?;
        match header.packet_type {
            PacketType::Hello => self.answer_hello(now, header.number, fields, from, send),
            PacketType::HelloReply => self.take_reply(now, fields, send),
            PacketType::Confirm => self.take_confirm(now, fields),
            PacketType::Data => Err(DropCause::Type),
        }
    }

    /// A responder keeps nothing of a hello but its number; it only answers, to where it came from.
    fn answer_hello(
        &mut self,
        now: Duration,
        number: u64,
        hello: Fields<'_>,
        from: A,
        send: Out<'_, A>,
    ) -> Result<(), DropCause> {
        let Mode::Responder(responder) = &mut self.mode else {
            return Err(DropCause::Type);
        };
        let answer = responder.answer(now, number, hello, &self.slots.taken(), &mut self.random)?;
        // Without random bytes there is no answer: the initiator asks again.
        if let Some((r, mac)) = answer {
            let session = *hello.random.first_chunk().ok_or(DropCause::Auth)?;
            let reply = PacketType::HelloReply;
            let message = Message::new(&self.identity, reply, session, 0, r, mac);
            self.counters.handshake_sent();
            send(from, message.as_bytes());
        }
        Ok(())
    }

    fn take_reply(
        &mut self,
        now: Duration,
        reply: Fields<'_>,
        send: Out<'_, A>,
    ) -> Result<(), DropCause> {
        let Mode::Initiator { ends, state, .. } = &mut self.mode else {
            return Err(DropCause::Type);
        };
        let Initiator::Hello { own, .. } = &*state else {
            return Err(DropCause::Session);
        };
        let bad = |_| DropCause::Auth;
        let expected = ends.reply_mac(own.as_bytes(), reply.random);
        // Session id 0 comes from no honest end, even with the key.
        if !is_mac(expected, reply.mac) || reply.random.starts_with(&[0; 4]) {
            return Err(DropCause::Auth);
        }
        let mac = ends
            .confirm_mac(own.as_bytes(), reply.random)
            .map_err(bad)?;
        let to = *reply.random.first_chunk().ok_or(DropCause::Auth)?;
        let (kind, r) = (PacketType::Confirm, own.as_bytes());
        let confirm = Initiator::Confirm {
            session: own.session(),
            message: Message::new(&self.identity, kind, to, 0, r, mac),
            began: now,
            resend_at: now,
        };
        let Initiator::Hello { own, .. } = std::mem::replace(state, confirm) else {
            return Err(DropCause::Session);
        };
        match Session::derive(ends, own, reply.random) {
            Ok(session) => self.install(session, now),
            Err(_) => {
                *state = Initiator::Restart;
                return Err(DropCause::Auth);
            }
        }
        self.say_confirm(now, send);
        Ok(())
    }

    /// A confirm installs a session and moves nothing: whoever records and sends it on from elsewhere cannot seal in that session.
    fn take_confirm(&mut self, now: Duration, confirm: Fields<'_>) -> Result<(), DropCause> {
        let Mode::Responder(responder) = &mut self.mode else {
            return Err(DropCause::Type);
        };
        let session = responder.open(confirm)?;
        self.install(session, now);
        Ok(())
    }
}

/// Compares a MAC without telling where it differs.
pub(super) fn is_mac(expected: Result<[u8; MAC_LEN], Error>, given: &[u8; MAC_LEN]) -> bool {
    expected.is_ok_and(|expected| bool::from(expected.ct_eq(given)))
}
