// SPDX-License-Identifier: Apache-2.0
//! `link load`: one session through the Noise channel, as words of the RTL link's load port.

use super::{
    super::{
        input::{cannot, plain},
        interrupt,
        output::{Place, Policy},
    },
    Failure, Outcome,
    config::{Checked, Config, Place as PeerPlace, Sessions},
    names,
    up::open_channel,
};
use sealwire_link::{
    noise::{Channel, Refusal, Tally, Target},
    schedule::{Role, system_random},
    session::SessionKeys,
};
use std::{
    fmt::Write as _,
    io::{self, IsTerminal, Write},
    net::SocketAddr,
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};
use zeroize::Zeroizing;

/// How long a responder stays after it has its session, in case that its last message is lost.
const LINGER: Duration = Duration::from_secs(1);

pub(super) fn run(config: &Config, words: &Path, force: bool, timeout: Duration) -> Outcome {
    interrupt::install()?;
    let Checked { sessions, .. } = Checked::new(config)?;
    let identity = *sessions.identity();
    let Sessions::Noise {
        keys, listen, peer, ..
    } = sessions
    else {
        return Err(NO_NOISE.into());
    };
    if words == Path::new("-") && io::stdout().is_terminal() {
        return Err(Failure::usage(
            "will not write session keys to the terminal; give a file, or use a pipe",
        ));
    }
    let policy = Policy::secret(force);
    let mut writer = Writer {
        place: Some(Place::find(words, &policy)?),
        policy,
        ends_at: Instant::now() + timeout,
        linger: identity.role() == Role::Responder,
        outcome: None,
    };
    let peer = called(peer.as_ref(), listen)?;
    let socket = open_channel(listen)?;
    let channel = Channel::new(identity, keys, socket, peer, system_random())
        .map_err(|error| error.to_string())?;
    let counts = Mutex::new(Tally::default());
    channel
        .run(&mut writer, &counts)
        .map_err(|error| format!("the Noise channel ended: {}", plain(&error)))?;
    let counts = counts.into_inner().unwrap_or_default().all;
    writer.outcome.unwrap_or_else(|| {
        let hint = if counts.dropped(Refusal::Auth) + counts.dropped(Refusal::Peer) > 0 {
            "somebody answers, but the keys, ids or suites do not match"
        } else {
            "is the other end running with [noise], and reachable?"
        };
        Err(format!("no session within {} s: {hint}", timeout.as_secs()).into())
    })
}

pub(super) const NO_NOISE: &str = "there is no [noise] in this configuration: without it the ends make their sessions by handshake";

/// Where the peer of the Noise channel is, a name looked up once.
pub(super) fn called(
    peer: Option<&PeerPlace>,
    listen: SocketAddr,
) -> Result<Option<SocketAddr>, Failure> {
    let Some(PeerPlace::Named(host, port)) = peer else {
        return Ok(peer.and_then(PeerPlace::known));
    };
    let found = names::addresses(host, *port, Some(listen.is_ipv4()))
        .map_err(|error| format!("[noise] peer {host}: {error}"))?;
    Ok(found.first().copied())
}

/// Takes one session and writes it down.
struct Writer {
    place: Option<Place>,
    policy: Policy,
    ends_at: Instant,
    linger: bool,
    outcome: Option<Outcome>,
}

impl Writer {
    fn write(&self, place: Place, keys: &SessionKeys) -> Outcome {
        let words = keys.load_words().map_err(|error| error.to_string())?;
        // Room for everything from the start: a growing string would leave copies behind.
        let mut text = Zeroizing::new(String::with_capacity(9 * words.len()));
        for word in words.iter() {
            let _ = writeln!(text, "{word:08x}");
        }
        let mut output = place.begin(&self.policy)?;
        output
            .write_all(text.as_bytes())
            .map_err(|error| cannot("write", &output.name(), &error))?;
        output.finish()
    }
}

impl Target for Writer {
    fn wants_session(&mut self, _: usize) -> bool {
        self.outcome.is_none()
    }

    fn is_up(&mut self, _: usize) -> bool {
        self.outcome.is_some()
    }

    fn load(&mut self, _: usize, keys: SessionKeys) -> bool {
        let Some(place) = self.place.take() else {
            return false;
        };
        let outcome = self.write(place, &keys);
        let written = outcome.is_ok();
        self.outcome = Some(outcome);
        let stay = if self.linger && written {
            LINGER
        } else {
            Duration::ZERO
        };
        self.ends_at = Instant::now() + stay;
        written
    }

    fn is_finished(&mut self) -> bool {
        Instant::now() >= self.ends_at
    }
}
