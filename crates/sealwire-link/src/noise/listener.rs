// SPDX-License-Identifier: Apache-2.0
//! The responder's side: it loads what a proven initiator sends.

use super::{
    FIRST, FIRST_LEN, FRONT, KEY_LEN, LOADED, LOADED_LEN, PATIENCE, Refusal, SECOND, SECOND_LEN,
    SESSION, StaticKeys, TAG_LEN, datagram,
    kk::{Handshake, Transport},
    not_the_peer, parts, write_front,
};
use crate::{budget::Budget, schedule::Identity, session::SessionKeys};
use blake2::{Blake2s256, Digest};
use std::time::Duration;
use zeroize::Zeroizing;

/// Channels that may be open at once: of one caller one, and what an attacker replays of it.
const OPEN: usize = 4;
/// First messages that are looked at in a second from known addresses, and as many from all others. Each costs three to five exchanges
/// on the curve.
const FIRSTS_PER_SECOND: u32 = 20;

/// What the address that a datagram came from is known for. It proves nothing: whoever is on the way can forge it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The address is the other end's, by the configuration or because a session came from there.
    Known,
    /// Nothing is known of the address.
    Stranger,
}

/// The end that waits for channels.
pub struct Listener {
    identity: Identity,
    keys: StaticKeys,
    /// At most [`OPEN`]. It has memory only while there is one: a hub has a listener for each of its peers.
    open: Vec<Open>,
    /// The last channel that loaded a session: the same message again gets the same answer, and loads nothing.
    done: Option<Done>,
    /// For known addresses, and for all others, which so cannot spend what the caller needs.
    known: Budget,
    strangers: Budget,
}

/// A channel whose caller has proved that it has the private key, but perhaps long ago.
struct Open {
    noise: Transport,
    ephemeral: [u8; KEY_LEN],
    answer: Vec<u8>,
    time: u64,
    began: Duration,
}

struct Done {
    /// BLAKE2s of the message that brought the session.
    session: [u8; 32],
    answer: [u8; LOADED_LEN],
    time: u64,
}

impl Listener {
    /// An end that waits for channels.
    pub fn new(identity: Identity, keys: StaticKeys) -> Self {
        Self {
            identity,
            keys,
            open: Vec::new(),
            done: None,
            known: Budget::new(FIRSTS_PER_SECOND, Duration::from_secs(1)),
            strangers: Budget::new(FIRSTS_PER_SECOND, Duration::from_secs(1)),
        }
    }

    /// Drops the channels that are under way.
    pub fn forget(&mut self) {
        self.open = Vec::new();
    }

    /// Takes a datagram from an address of which nothing is known: [`Listener::receive_from`] a [`Source::Stranger`].
    ///
    /// # Errors
    ///
    /// The errors of [`Listener::receive_from`].
    pub fn receive(
        &mut self,
        now: Duration,
        received: &[u8],
        up: bool,
        load: &mut dyn FnMut(SessionKeys) -> bool,
        send: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, Refusal> {
        self.receive_from(now, Source::Stranger, received, up, load, send)
    }

    /// Takes a datagram. `up` is whether a session lives: then a stranger's first message that is older than the one that loaded it is
    /// refused.
    /// `load` loads the session and says whether it was taken; only then the caller hears so. True if a session was loaded.
    ///
    /// # Errors
    ///
    /// Why the datagram was dropped. It loaded nothing and was not answered.
    pub fn receive_from(
        &mut self,
        now: Duration,
        source: Source,
        received: &[u8],
        up: bool,
        load: &mut dyn FnMut(SessionKeys) -> bool,
        send: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, Refusal> {
        self.open
            .retain(|open| now.saturating_sub(open.began) < PATIENCE);
        if self.open.is_empty() {
            self.forget();
        }
        let (kind, sender, message) = parts(received)?;
        if sender != self.identity.peer() {
            return Err(not_the_peer(&self.identity, sender));
        }
        match kind {
            FIRST if received.len() == FIRST_LEN => self.first(now, source, message, up, send),
            SESSION => self.session(received, load, send),
            _ => Err(Refusal::Format),
        }
    }

    fn first(
        &mut self,
        now: Duration,
        source: Source,
        body: &[u8],
        up: bool,
        send: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, Refusal> {
        let ephemeral = *body.first_chunk().ok_or(Refusal::Format)?;
        let budget = match source {
            Source::Known => &mut self.known,
            Source::Stranger => &mut self.strangers,
        };
        if !budget.take(now) {
            return Err(Refusal::Overload);
        }
        let mut noise =
            Handshake::new(&self.keys, &self.identity).map_err(|_| Refusal::NotTaken)?;
        let mut message: [u8; FIRST_LEN - FRONT] = body.try_into().map_err(|_| Refusal::Format)?;
        let payload = noise.read(&self.keys, &mut message)?;
        let time = u64::from_be_bytes(payload.try_into().map_err(|_| Refusal::Format)?);
        // Sent twice: the same channel, the same answer.
        if let Some(open) = self.open.iter().find(|open| open.ephemeral == ephemeral) {
            send(&open.answer);
            return Ok(false);
        }
        // From a known address it may be the caller, restarted with a clock that is behind. A recorded one leads nowhere.
        let is_strange = up && source == Source::Stranger;
        if is_strange && self.done.as_ref().is_some_and(|done| time <= done.time) {
            return Err(Refusal::Stale);
        }
        // The smallest time goes: recorded messages, all older than the caller's own, never displace its channel.
        let oldest = (0..self.open.len()).min_by_key(|&i| self.open[i].time);
        let oldest = oldest.filter(|_| self.open.len() >= OPEN);
        if oldest.is_some_and(|oldest| time <= self.open[oldest].time) {
            return Err(Refusal::Stale);
        }
        let own = self.identity.local();
        let mut answer = datagram(SECOND, own, SECOND_LEN - FRONT);
        noise.write(&self.keys, &mut answer[FRONT..])?;
        let noise = noise.split();
        if let Some(oldest) = oldest {
            self.open.remove(oldest);
        }
        send(&answer);
        self.open.push(Open {
            noise,
            ephemeral,
            answer,
            time,
            began: now,
        });
        Ok(false)
    }

    fn session(
        &mut self,
        received: &[u8],
        load: &mut dyn FnMut(SessionKeys) -> bool,
        send: &mut dyn FnMut(&[u8]),
    ) -> Result<bool, Refusal> {
        let suite = self.identity.suite();
        if received.len() != FRONT + SessionKeys::bytes_len(suite) + TAG_LEN {
            return Err(Refusal::Format);
        }
        let hash: [u8; 32] = Blake2s256::digest(received).into();
        if let Some(done) = self.done.as_ref().filter(|done| done.session == hash) {
            send(&done.answer);
            return Ok(false);
        }
        let mut message = Zeroizing::new(received[FRONT..].to_vec());
        let found = self
            .open
            .iter()
            .position(|open| open.noise.read(&mut message).is_ok());
        let mut open = self.open.remove(found.ok_or(Refusal::Auth)?);
        let keys = SessionKeys::from_bytes(suite, &message[..SessionKeys::bytes_len(suite)])
            .map_err(|_| Refusal::NotTaken)?;
        let mut answer = [0; LOADED_LEN];
        write_front(&mut answer, LOADED, self.identity.local());
        let written = open.noise.write(&mut answer[FRONT..]);
        if written.is_err() || !load(keys) {
            return Err(Refusal::NotTaken);
        }
        send(&answer);
        self.forget();
        self.done = Some(Done {
            session: hash,
            answer,
            time: open.time,
        });
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        schedule::{Role, tests::check_ends},
        suite::Suite,
    };

    /// A caller with the right keys can send what an honest one never draws.
    #[test]
    fn a_session_that_cannot_be_one_is_not_taken() {
        let suite = Suite::by_code(1).unwrap();
        let good: Vec<u8> = (1..).take(SessionKeys::bytes_len(suite)).collect();
        let (mut one_key, mut zero_id) = (good.clone(), good.clone());
        one_key.copy_within(..suite.key_len, suite.key_len);
        zero_id[good.len() - 4..].fill(0);
        let keys = |own: u8, peer: u8| {
            let peer = StaticKeys::public_of(&[peer; KEY_LEN]).unwrap();
            StaticKeys::new(&[own; KEY_LEN], peer).unwrap()
        };
        let [caller, identity] =
            [Role::Initiator, Role::Responder].map(|role| *check_ends(suite, role).identity());
        for (bytes, is_taken) in [(one_key, false), (zero_id, false), (good, true)] {
            let (mine, now) = (keys(1, 2), Duration::ZERO);
            let mut listener = Listener::new(identity, keys(2, 1));
            let mut noise = Handshake::new(&mine, &caller).unwrap();
            let mut first = datagram(FIRST, caller.local(), FIRST_LEN - FRONT);
            noise.write(&mine, &mut first[FRONT..]).unwrap();
            let (mut second, mut loaded) = (Vec::new(), 0);
            let mut load = |_| {
                loaded += 1;
                true
            };
            let mut hear = |answer: &[u8]| second = answer.to_vec();
            let said = listener.receive(now, &first, false, &mut load, &mut hear);
            assert_eq!(said, Ok(false));
            noise.read(&mine, &mut second[FRONT..]).unwrap();
            let mut session = datagram(SESSION, caller.local(), bytes.len() + TAG_LEN);
            session[FRONT..][..bytes.len()].copy_from_slice(&bytes);
            noise.split().write(&mut session[FRONT..]).unwrap();
            let said = listener.receive(now, &session, false, &mut load, &mut |_| {});
            let expected = if is_taken {
                Ok(true)
            } else {
                Err(Refusal::NotTaken)
            };
            assert_eq!((said, loaded), (expected, usize::from(is_taken)));
        }
    }
}
