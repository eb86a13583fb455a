// SPDX-License-Identifier: Apache-2.0
//! The initiator's side: it draws the session.

use super::{
    FIRST, FIRST_LEN, FRONT, KEY_LEN, LOADED, PATIENCE, RESEND, Refusal, SECOND, SECOND_LEN,
    SESSION, StaticKeys, TAG_LEN, datagram,
    kk::{Handshake, Transport},
    not_the_peer, parts,
};
use crate::{Error, budget::Budget, endpoint::Random, schedule::Identity, session::SessionKeys};
use std::time::Duration;
use zeroize::Zeroizing;

/// How often the session's bytes are drawn while an id in them is zero, or both directions have one key.
const DRAWS: usize = 16;
/// Answers to a first message that are looked at in a window: 500 in a second, each at two exchanges on the curve. Short windows, so that
/// a burst of forged answers does not shut the genuine one out for long, and no divisor of [`RESEND`], so that the answers to one
/// channel's messages come at different places in them.
const ANSWERS: (u32, Duration) = (18, Duration::from_millis(35));

/// The end that starts channels.
pub struct Caller {
    identity: Identity,
    keys: StaticKeys,
    random: Random,
    state: State,
    /// The time in the last first message: the next one's is later, whatever the clock says.
    last_time: u64,
    answers: Budget,
    failed_starts: u64,
}

/// What was last sent, to be sent again, and what is waited for.
enum State {
    Idle,
    First {
        noise: Box<Handshake>,
        sent: Sent,
    },
    Session {
        noise: Transport,
        sent: Sent,
        keys: SessionKeys,
    },
}

struct Sent {
    bytes: Vec<u8>,
    began: Duration,
    resend_at: Duration,
}

impl Caller {
    /// An end that starts channels when [`Caller::poll`] says that a session is wanted.
    pub fn new(identity: Identity, keys: StaticKeys, random: Random) -> Self {
        Self {
            identity,
            keys,
            random,
            state: State::Idle,
            last_time: 0,
            answers: Budget::new(ANSWERS.0, ANSWERS.1),
            failed_starts: 0,
        }
    }

    /// How many channels were wanted and could not be begun, for want of random bytes.
    pub fn failed_starts(&self) -> u64 {
        self.failed_starts
    }

    /// Whether a channel is open.
    pub fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// Drops the channel that is under way, if there is one.
    pub fn forget(&mut self) {
        self.state = State::Idle;
    }

    /// Sends what is due: a first message if a session is wanted and no channel is open, and what has had no answer. `time` is in
    /// microseconds since 1970. To be called every 50 ms or so.
    pub fn poll(&mut self, now: Duration, wanted: bool, time: u64, send: &mut dyn FnMut(&[u8])) {
        let sent = match &mut self.state {
            State::Idle => None,
            State::First { sent, .. } | State::Session { sent, .. } => Some(sent),
        };
        match sent {
            Some(sent) if now.saturating_sub(sent.began) < PATIENCE => {
                if now >= sent.resend_at {
                    sent.resend_at = now + RESEND;
                    send(&sent.bytes);
                }
                return;
            }
            Some(_) => self.state = State::Idle,
            None => {}
        }
        if wanted {
            match self.first(time) {
                Ok((noise, bytes)) => {
                    send(&bytes);
                    self.state = State::First {
                        noise,
                        sent: Sent::at(now, bytes),
                    };
                }
                // The next call tries again.
                Err(_) => self.failed_starts += 1,
            }
        }
    }

    fn first(&mut self, time: u64) -> Result<(Box<Handshake>, Vec<u8>), Error> {
        self.last_time = time.max(self.last_time.saturating_add(1));
        let mut noise = Handshake::new(&self.keys, &self.identity)?;
        let mut bytes = datagram(FIRST, self.identity.local(), FIRST_LEN - FRONT);
        bytes[FRONT + KEY_LEN..][..8].copy_from_slice(&self.last_time.to_be_bytes());
        noise
            .write(&self.keys, &mut bytes[FRONT..])
            .map_err(|_| Error::NoisePeer)?;
        Ok((noise, bytes))
    }

    /// Takes a datagram. Gives the session once the other end has loaded it: now this end loads it, too.
    ///
    /// # Errors
    ///
    /// Why the datagram was dropped. It changed nothing.
    pub fn receive(
        &mut self,
        now: Duration,
        received: &[u8],
        send: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<SessionKeys>, Refusal> {
        let (kind, sender, body) = parts(received)?;
        if sender != self.identity.peer() {
            return Err(not_the_peer(&self.identity, sender));
        }
        match (&mut self.state, kind) {
            (State::First { noise, .. }, SECOND) if received.len() == SECOND_LEN => {
                if !self.answers.take(now) {
                    return Err(Refusal::Overload);
                }
                let mut message = *body
                    .first_chunk::<{ SECOND_LEN - FRONT }>()
                    .ok_or(Refusal::Format)?;
                noise.read(&self.keys, &mut message)?;
                let mut noise = noise.split();
                // A channel that fails here is over; the next poll begins another.
                self.state = State::Idle;
                let (bytes, keys) = self.draw().map_err(|_| Refusal::NotTaken)?;
                let own = self.identity.local();
                let mut message = Zeroizing::new(datagram(SESSION, own, bytes.len() + TAG_LEN));
                message[FRONT..][..bytes.len()].copy_from_slice(&bytes);
                noise.write(&mut message[FRONT..])?;
                send(&message);
                self.state = State::Session {
                    noise,
                    sent: Sent::at(now, message.to_vec()),
                    keys,
                };
                Ok(None)
            }
            (State::Session { noise, .. }, LOADED) => {
                let mut message: [u8; 1 + TAG_LEN] =
                    body.try_into().map_err(|_| Refusal::Format)?;
                noise.read(&mut message)?;
                let State::Session { keys, .. } = std::mem::replace(&mut self.state, State::Idle)
                else {
                    return Err(Refusal::Format);
                };
                Ok(Some(keys))
            }
            _ => Err(Refusal::Format),
        }
    }

    /// A session of random bytes, which exists nowhere else and is sent once.
    fn draw(&mut self) -> Result<(Zeroizing<Vec<u8>>, SessionKeys), Error> {
        let suite = self.identity.suite();
        let mut bytes = Zeroizing::new(vec![0; SessionKeys::bytes_len(suite)]);
        for _ in 0..DRAWS {
            (self.random)(&mut bytes)?;
            if let Ok(keys) = SessionKeys::from_bytes(suite, &bytes) {
                return Ok((bytes, keys));
            }
        }
        Err(Error::Random)
    }
}

impl Sent {
    fn at(now: Duration, bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            began: now,
            resend_at: now + RESEND,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        schedule::{Role, system_random, tests::check_ends},
        suite::Suite,
    };

    #[test]
    fn starts_that_fail_are_counted() {
        let ends = check_ends(Suite::by_code(1).unwrap(), Role::Initiator);
        let mut keys =
            StaticKeys::new(&[1; KEY_LEN], StaticKeys::public_of(&[2; KEY_LEN]).unwrap());
        // No configuration gives such a key, and with it no message can be written.
        keys.as_mut().unwrap().peer = [0; KEY_LEN];
        let mut caller = Caller::new(*ends.identity(), keys.unwrap(), system_random());
        for count in 1..=2 {
            caller.poll(Duration::ZERO, true, 0, &mut |_| panic!("nothing to send"));
            assert_eq!(caller.failed_starts(), count);
        }
        caller.poll(Duration::ZERO, false, 0, &mut |_| panic!("nothing to send"));
        assert_eq!(caller.failed_starts(), 2, "none was wanted");
    }

    #[test]
    fn a_session_that_cannot_be_loaded_is_drawn_anew() {
        let suite = Suite::by_code(1).unwrap();
        let good: Vec<u8> = (1..).take(SessionKeys::bytes_len(suite)).collect();
        let (mut one_key, mut zero_id) = (good.clone(), good.clone());
        one_key.copy_within(..suite.key_len, suite.key_len);
        zero_id[good.len() - 4..].fill(0);
        let mut draws = [one_key.clone(), zero_id, good.clone()].into_iter();
        let random: Random = Box::new(move |bytes| {
            bytes.copy_from_slice(&draws.next().unwrap_or(one_key.clone()));
            Ok(())
        });
        let ends = check_ends(suite, Role::Initiator);
        let keys = StaticKeys::new(&[1; KEY_LEN], StaticKeys::public_of(&[2; KEY_LEN]).unwrap());
        let mut caller = Caller::new(*ends.identity(), keys.unwrap(), random);
        let (bytes, _) = caller.draw().unwrap();
        assert_eq!(*bytes, good);
        assert_eq!(caller.draw().err(), Some(Error::Random), "not for ever");
    }
}
