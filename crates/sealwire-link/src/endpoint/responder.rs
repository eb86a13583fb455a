// SPDX-License-Identifier: Apache-2.0
//! What the responder holds: its keys and one random value, and nothing for a hello.

use super::{Random, receive::is_mac};
use crate::{
    Error,
    handshake::Fields,
    schedule::{Ends, MAC_LEN, OwnRandom, Psk},
    session::Session,
    wire::{DropCause, SessionId},
};
use std::time::Duration;

/// R_r is erased this long after it was drawn, whether it was used or not: so long a copy of the machine holds it too.
pub(super) const RANDOM_AGE: Duration = Duration::from_secs(10);

pub(super) struct Responder {
    ends: Ends,
    /// The key before this one, and until when handshakes under it are taken.
    previous: Option<(Ends, Duration)>,
    own: Option<Held>,
}

/// R_r with the time of its drawing.
struct Held {
    random: OwnRandom,
    drawn_at: Duration,
}

/// R_r and the MAC of the reply that carries it.
type Answer<'a> = (&'a [u8], [u8; MAC_LEN]);

impl Responder {
    /// A responder with its first R_r, drawn when its clock begins.
    pub(super) fn new(ends: Ends, random: OwnRandom) -> Self {
        Self {
            ends,
            previous: None,
            own: Some(Held {
                random,
                drawn_at: Duration::ZERO,
            }),
        }
    }

    /// R_r, if there is one.
    pub(super) fn own(&self) -> Option<&OwnRandom> {
        self.own.as_ref().map(|held| &held.random)
    }

    /// What answers a good hello: R_r, drawn if there is none, and the reply's MAC. Nothing if the random source has failed: the next
    /// hello asks it again.
    pub(super) fn answer(
        &mut self,
        now: Duration,
        hello: Fields<'_>,
        taken: &[SessionId],
        source: &mut Random,
    ) -> Result<Option<Answer<'_>>, DropCause> {
        let is_right = |ends: &Ends| is_mac(ends.hello_mac(hello.random), hello.mac);
        let ends = keys(&self.ends, &self.previous, is_right)?;
        if self.own.is_none() {
            let random = OwnRandom::draw_with(ends.suite(), taken, source);
            self.own = random.ok().map(|random| Held {
                random,
                drawn_at: now,
            });
        }
        let Some(Held { random, .. }) = &self.own else {
            return Ok(None);
        };
        let reply = ends.reply_mac(hello.random, random.as_bytes());
        let reply = reply.map_err(|_| DropCause::Auth)?;
        Ok(Some((random.as_bytes(), reply)))
    }

    /// The session that a good confirm opens. One R_r opens one session: it is gone whatever happens next.
    pub(super) fn open(&mut self, confirm: Fields<'_>) -> Result<Session, DropCause> {
        let own = self.own().ok_or(DropCause::Session)?;
        let is_right = |ends: &Ends| {
            is_mac(
                ends.confirm_mac(confirm.random, own.as_bytes()),
                confirm.mac,
            )
        };
        let ends = keys(&self.ends, &self.previous, is_right)?;
        if confirm.random.starts_with(&[0; 4]) {
            return Err(DropCause::Auth);
        }
        let spent = self.own.take().ok_or(DropCause::Session)?;
        Session::derive(ends, spent.random, confirm.random).map_err(|_| DropCause::Auth)
    }

    pub(super) fn ends(&self) -> &Ends {
        &self.ends
    }

    /// Puts another key in place; the present one is taken beside it until `until`. The present one again changes nothing, and does not
    /// throw out the one before it.
    pub(super) fn set_psk(&mut self, psk: Psk, until: Duration) -> Result<(), Error> {
        if let Some(previous) = self.ends.replace_psk(psk)? {
            self.previous = Some((previous, until));
        }
        Ok(())
    }

    /// Erases what is too old.
    pub(super) fn expire(&mut self, now: Duration) {
        self.previous.take_if(|(_, until)| now >= *until);
        self.own
            .take_if(|held| now.saturating_sub(held.drawn_at) >= RANDOM_AGE);
    }

    /// When [`Responder::expire`] has something to do.
    pub(super) fn deadline(&self) -> Option<Duration> {
        let previous = self.previous.as_ref().map(|(_, until)| *until);
        let own = self.own.as_ref().map(|held| held.drawn_at + RANDOM_AGE);
        previous.into_iter().chain(own).min()
    }

    /// Erases everything but the present key.
    pub(super) fn erase(&mut self) {
        self.previous = None;
        self.own = None;
    }
}

/// The present key or, while it is taken, the one before: under which `is_right` finds a message's MAC right.
fn keys<'a>(
    present: &'a Ends,
    previous: &'a Option<(Ends, Duration)>,
    is_right: impl Fn(&Ends) -> bool,
) -> Result<&'a Ends, DropCause> {
    let previous = previous.iter().map(|(ends, _)| ends);
    let mut both = std::iter::once(present).chain(previous);
    both.find(|ends| is_right(ends)).ok_or(DropCause::Auth)
}
