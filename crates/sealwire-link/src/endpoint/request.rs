// SPDX-License-Identifier: Apache-2.0
//! A responder that has frames and no session asks to be called. Only ends that say nothing without need do so: of others the
//! initiator misses the keep-alives.

use super::{
    Endpoint, KeepAlive, Out,
    timers::{KEEP_ALIVE, RESEND, SILENCE},
};
use crate::{
    schedule::Role,
    wire::{HEADER_LEN, Header, PacketType},
};
use std::time::Duration;

/// A responder asks so often for one frame: some of that may be lost, or come while the initiator has heard it too lately.
const TIMES: u8 = 4;
/// An initiator that heard something valid within this time heeds no request.
const QUIET: Duration = Duration::from_millis(500);
/// An initiator heeds one request in this time at most.
const HEED: Duration = Duration::from_secs(5);

/// A responder's requests, or those that came to an initiator.
#[derive(Default)]
pub(super) struct Requests {
    /// How many are to be sent yet.
    left: u8,
    /// When the last one was sent, or heeded.
    last: Option<Duration>,
}

impl Requests {
    /// A session came: what is left to be said is not needed.
    pub(super) fn were_heard(&mut self) {
        self.left = 0;
    }
}

/// Whether a data packet of no session says that its sender has none: session id and number are zero.
pub(crate) fn is_request(packet: &[u8]) -> bool {
    packet.get(4..HEADER_LEN) == Some(&[0; HEADER_LEN - 4])
}

impl<A: Copy + PartialEq> Endpoint<A> {
    /// Notes that a frame for the peer found no session.
    pub(super) fn miss_session(&mut self) {
        if self.identity.role() == Role::Responder {
            self.requests.left = TIMES;
        }
    }

    /// When a responder's request is due.
    pub(super) fn request_at(&self) -> Option<Duration> {
        let is_wanted = self.requests.left > 0
            && self.timers.keep_alive() != KeepAlive::Prompt
            && self.peer.is_some()
            // One that the peer has yet to show to hold comes from its call.
            && self.slots.cur().is_none()
            && self.slots.alt().is_none();
        let again = self
            .requests
            .last
            .map_or(Duration::ZERO, |last| last + RESEND);
        is_wanted.then_some(again)
    }

    /// Asks to be called, if that is due.
    pub(super) fn poll_request(&mut self, now: Duration, send: Out<'_, A>) {
        let is_due = self.request_at().is_some_and(|due| now >= due);
        let Some(peer) = self.peer.filter(|_| is_due) else {
            return;
        };
        self.requests.left -= 1;
        self.requests.last = Some(now);
        let suite = self.suite();
        let body = suite.tag_len + 1; // that of the shortest data packet
        let header = Header {
            version: self.identity.version(),
            packet_type: PacketType::Data,
            suite: suite.code,
            length: body as u16,
            session: [0; 4],
            number: 0,
        };
        self.scratch.clear();
        self.scratch.extend_from_slice(&header.to_bytes());
        self.scratch.resize(HEADER_LEN + body, 0);
        self.counters.handshake_sent();
        send(peer, &self.scratch);
    }

    /// Heeds a request: it counts as a frame that is unanswered for so long that a handshake is due after one keep-alive's time, unless
    /// something valid comes before. Anybody can send one, so it changes nothing while the peer is heard or called, nor often.
    pub(super) fn take_request(&mut self, now: Duration, from: A) {
        self.clues.requests += 1;
        let is_heard = now.saturating_sub(self.heard_at) < QUIET;
        let is_heeded = |last| now.saturating_sub(last) < HEED;
        if self.called_at() == Some(from)
            && self.timers.keep_alive() != KeepAlive::Prompt
            && !is_heard
            && !self.wants_handshake(now)
            && !self.requests.last.is_some_and(is_heeded)
        {
            self.requests.last = Some(now);
            let asked_at = now.saturating_sub(SILENCE - KEEP_ALIVE);
            // A frame that is unanswered for less time puts nothing off.
            self.asked_at = Some(self.asked_at.map_or(asked_at, |at| at.min(asked_at)));
        }
    }
}
