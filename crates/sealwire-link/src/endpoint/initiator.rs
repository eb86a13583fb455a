// SPDX-License-Identifier: Apache-2.0
//! The initiator's states. Only this end starts handshakes.

use super::{
    Endpoint, Mode, Out, Which,
    slots::Slot,
    timers::{CONFIRM, KeepAlive, RESEND, SILENCE},
};
use crate::{
    handshake::Message,
    schedule::OwnRandom,
    wire::{PacketType, SessionId},
};
use std::time::Duration;

/// The states, with what each sends.
pub(super) enum Initiator {
    Idle,
    /// A handshake is wanted at the next poll.
    Restart,
    /// The random source has failed; it is asked again later.
    Waiting {
        until: Duration,
    },
    Hello {
        own: OwnRandom,
        resend_at: Duration,
    },
    Confirm {
        /// This end's id in the session that is to be confirmed.
        session: SessionId,
        message: Message,
        began: Duration,
        resend_at: Duration,
    },
}

impl Initiator {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Idle | Self::Waiting { .. } => "idle",
            Self::Restart | Self::Hello { .. } => "hello",
            Self::Confirm { .. } => "confirm",
        }
    }
}

impl<A: Copy + PartialEq> Endpoint<A> {
    pub(super) fn poll_initiator(&mut self, now: Duration, send: Out<'_, A>) {
        let Mode::Initiator { state, .. } = &self.mode else {
            return;
        };
        match state {
            Initiator::Idle if !self.wants_handshake(now) => {}
            Initiator::Waiting { until } if now < *until => {}
            Initiator::Idle | Initiator::Restart | Initiator::Waiting { .. } => {
                self.start_handshake(now, send);
            }
            Initiator::Hello { resend_at, .. } if now >= *resend_at => self.say_hello(now, send),
            Initiator::Hello { .. } => {}
            Initiator::Confirm {
                session,
                began,
                resend_at,
                ..
            } => {
                let alive = self.slots.has(*session);
                if now.saturating_sub(*began) >= CONFIRM || !alive {
                    self.start_handshake(now, send);
                } else if now >= *resend_at {
                    self.say_confirm(now, send);
                }
            }
        }
    }

    /// When [`Self::poll_initiator`] has something to do.
    pub(super) fn initiator_deadline(&self) -> Option<Duration> {
        let Mode::Initiator { state, .. } = &self.mode else {
            return None;
        };
        Some(match state {
            Initiator::Idle => self.handshake_wanted_at(),
            Initiator::Restart => Duration::ZERO,
            Initiator::Waiting { until } => *until,
            Initiator::Hello { resend_at, .. } => *resend_at,
            Initiator::Confirm {
                began, resend_at, ..
            } => (*resend_at).min(*began + CONFIRM),
        })
    }

    pub(super) fn wants_handshake(&self, now: Duration) -> bool {
        now >= self.handshake_wanted_at()
    }

    /// When there is a reason for a new session, as things are.
    pub(super) fn handshake_wanted_at(&self) -> Duration {
        match self.slots.cur() {
            Some(cur) if !self.is_nearly_used_up(cur) => {
                self.timers.renews_at(cur).min(self.silence_at())
            }
            _ => Duration::ZERO,
        }
    }

    /// When the peer's silence is a reason for a handshake.
    fn silence_at(&self) -> Duration {
        let unanswered = self.asked_at.map_or(Duration::MAX, |at| at + SILENCE);
        match self.timers.keep_alive() {
            KeepAlive::Prompt => self.heard_at + SILENCE,
            KeepAlive::Every(pause) => unanswered.min(self.heard_at + 2 * pause + SILENCE),
            KeepAlive::Off => unanswered,
        }
    }

    /// Whether a packet number of at least the suite's limit, or of the configured one, was sent or received.
    pub(super) fn is_nearly_used_up(&self, cur: &Slot) -> bool {
        let packets = cur.packets();
        packets > self.rekey_packets || packets >= self.timers.rekey_packets()
    }

    /// HELLO with a fresh random value. Without one, nothing starts; the next poll tries again.
    fn start_handshake(&mut self, now: Duration, send: Out<'_, A>) {
        let suite = self.identity.suite();
        let Mode::Initiator { state, .. } = &mut self.mode else {
            return;
        };
        match OwnRandom::draw_with(suite, &self.slots.taken(), &mut self.random) {
            Ok(own) => {
                *state = Initiator::Hello {
                    own,
                    resend_at: now,
                };
                self.say_hello(now, send);
            }
            Err(_) => {
                *state = Initiator::Waiting {
                    until: now + RESEND,
                }
            }
        }
    }

    /// A hello with a number of its own: a copy of the one before, which may be lost, would find no answer.
    fn say_hello(&mut self, now: Duration, send: Out<'_, A>) {
        let Mode::Initiator {
            ends,
            state,
            numbers,
        } = &mut self.mode
        else {
            return;
        };
        let Initiator::Hello { own, resend_at } = state else {
            return;
        };
        *resend_at = now + RESEND;
        if let Some(peer) = self.peer {
            let (r, number) = (own.as_bytes(), numbers.next(self.identity.version()));
            if let Ok(mac) = ends.hello_mac(r, number) {
                let hello = PacketType::Hello;
                let message = Message::new(&self.identity, hello, [0; 4], number, r, mac);
                self.counters.handshake_sent();
                send(peer, message.as_bytes());
            }
        }
    }

    /// The confirm, then a keep-alive in the session that it opens.
    pub(super) fn say_confirm(&mut self, now: Duration, send: Out<'_, A>) {
        let Mode::Initiator { state, .. } = &mut self.mode else {
            return;
        };
        if let (
            Initiator::Confirm {
                message, resend_at, ..
            },
            Some(peer),
        ) = (state, self.peer)
        {
            *resend_at = now + RESEND;
            self.counters.handshake_sent();
            send(peer, message.as_bytes());
            self.keep_alive(Which::Alt, now, send);
        }
    }
}
