// SPDX-License-Identifier: Apache-2.0
//! What the responder holds: its keys, with each the number of its newest hello, and one random value.

use super::{Random, receive::is_mac};
use crate::{
    Error,
    budget::Budget,
    handshake::Fields,
    schedule::{Ends, MAC_LEN, OwnRandom, Psk},
    session::Session,
    wire::{DropCause, SessionId, Version},
};
use std::time::Duration;

/// R_r is erased this long after it was drawn, whether it was used or not: so long a copy of the machine holds it too.
pub(super) const RANDOM_AGE: Duration = Duration::from_secs(10);

/// Hellos that are answered in one second. The initiator sends four.
pub const REPLIES_A_SECOND: u32 = 16;

pub(super) struct Responder {
    present: Key,
    /// The key before this one, and until when handshakes under it are taken.
    previous: Option<(Key, Duration)>,
    own: Option<Held>,
    replies: Budget,
}

/// A pre-shared key, and the greatest number of a hello whose MAC was right under it: 0 when the key comes to an end that does not hold it.
struct Key {
    ends: Ends,
    newest: u64,
}

impl Key {
    const fn new(ends: Ends) -> Self {
        Self { ends, newest: 0 }
    }

    /// Notes the number of a hello whose MAC is right under this key, which must be above all before it. Version 1 has no numbers.
    fn note(&mut self, number: u64) -> Result<(), DropCause> {
        if self.ends.identity().version() == Version::One {
            return Ok(());
        }
        if number <= self.newest {
            return Err(DropCause::Stale);
        }
        self.newest = number;
        Ok(())
    }
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
            present: Key::new(ends),
            previous: None,
            own: Some(Held {
                random,
                drawn_at: Duration::ZERO,
            }),
            replies: Budget::new(REPLIES_A_SECOND, Duration::from_secs(1)),
        }
    }

    /// R_r, if there is one.
    pub(super) fn own(&self) -> Option<&OwnRandom> {
        self.own.as_ref().map(|held| &held.random)
    }

    /// What answers a good hello: R_r, drawn if there is none, and the reply's MAC. Nothing if the random source has failed: the next
    /// hello asks it again. A hello that finds the budget spent has made all older ones stale, so that who sends recorded ones
    /// keeps the initiator off no longer than until its next.
    pub(super) fn answer(
        &mut self,
        now: Duration,
        number: u64,
        hello: Fields<'_>,
        taken: &[SessionId],
        source: &mut Random,
    ) -> Result<Option<Answer<'_>>, DropCause> {
        let is_right = |ends: &Ends| is_mac(ends.hello_mac(hello.random, number), hello.mac);
        let key = key_of(&mut self.present, &mut self.previous, is_right)?;
        key.note(number)?;
        if !self.replies.take(now) {
            return Err(DropCause::Surplus);
        }
        let ends = &key.ends;
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
        let own = &self.own.as_ref().ok_or(DropCause::Session)?.random;
        let is_right = |ends: &Ends| {
            is_mac(
                ends.confirm_mac(confirm.random, own.as_bytes()),
                confirm.mac,
            )
        };
        let key = key_of(&mut self.present, &mut self.previous, is_right)?;
        if confirm.random.starts_with(&[0; 4]) {
            return Err(DropCause::Auth);
        }
        let spent = self.own.take().ok_or(DropCause::Session)?;
        Session::derive(&key.ends, spent.random, confirm.random).map_err(|_| DropCause::Auth)
    }

    pub(super) fn ends(&self) -> &Ends {
        &self.present.ends
    }

    /// Puts another key in place; the present one is taken beside it until `until`. The present one again changes nothing, and does not
    /// throw out the one before it. The one before it again keeps its number: hellos that were recorded under it stay without an answer.
    pub(super) fn set_psk(&mut self, psk: Psk, until: Duration) -> Result<(), Error> {
        if let Some(ends) = self.present.ends.replace_psk(psk)? {
            let before = self.previous.take().map(|(key, _)| key);
            let again = before.filter(|key| key.ends.has_key_of(&self.present.ends));
            let known = again.map_or(0, |key| key.newest);
            let newest = std::mem::replace(&mut self.present.newest, known);
            self.previous = Some((Key { ends, newest }, until));
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
fn key_of<'a>(
    present: &'a mut Key,
    previous: &'a mut Option<(Key, Duration)>,
    is_right: impl Fn(&Ends) -> bool,
) -> Result<&'a mut Key, DropCause> {
    let previous = previous.iter_mut().map(|(key, _)| key);
    let mut both = std::iter::once(present).chain(previous);
    both.find(|key| is_right(&key.ends)).ok_or(DropCause::Auth)
}
