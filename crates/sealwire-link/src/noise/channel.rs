// SPDX-License-Identifier: Apache-2.0
//! The channel over UDP: a socket, and the ends whose sessions it brings, one for each peer.

use super::{
    Caller, FRONT, Listener, MAX_DATAGRAM, Refusal, Source, StaticKeys, parts,
    socket::{Place, Socket},
};
use crate::{
    Error,
    budget::Budget,
    endpoint::Random,
    schedule::{Id, Identity, Role},
    session::SessionKeys,
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io,
    net::{IpAddr, SocketAddr, UdpSocket},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// How often the end is asked whether it wants a session.
const TICK: Duration = Duration::from_millis(50);
/// First messages from unknown addresses that all peers together cost in a second. Each peer has a bound of its own below.
const STRANGERS_PER_SECOND: u32 = 400;

/// The end that takes the sessions. It may have several peers, which it tells apart by the numbers that they were added under.
pub trait Target {
    /// Whether the initiator's end needs a session with this peer.
    fn wants_session(&mut self, peer: usize) -> bool;
    /// Whether a session with this peer lives.
    fn is_up(&mut self, peer: usize) -> bool;
    /// Loads a session; false if it was not taken.
    fn load(&mut self, peer: usize, keys: SessionKeys) -> bool;
    /// Where a peer that is called is now, if that is not where it was when it was added.
    fn address(&mut self, _peer: usize) -> Option<SocketAddr> {
        None
    }
    /// Whether this end's sessions were erased since this was last asked: then what the channel holds of one under way goes, too. Asked
    /// before each step of the channel, so that keys given to [`Target::load`] were drawn after the last erasure that it told of.
    fn forgets(&mut self) -> bool {
        false
    }
    /// Whether the channel is to end.
    fn is_finished(&mut self) -> bool;
}

/// Counts of one kind as Prometheus takes them: name, help, and values with their labels.
pub type Family = (&'static str, &'static str, Vec<(String, u64)>);

/// What came through the channel: received = taken + drops.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Datagrams.
    pub received: u64,
    /// Datagrams that were in order.
    pub taken: u64,
    /// Sessions that this end has loaded.
    pub loaded: u64,
    /// Channels that this end could not begin.
    pub failed_starts: u64,
    /// Datagrams dropped, in the order of [`Refusal::ALL`].
    pub drops: [u64; Refusal::ALL.len()],
}

impl Counts {
    /// Datagrams dropped for this cause.
    pub fn dropped(&self, cause: Refusal) -> u64 {
        self.drops[cause as usize]
    }

    /// The counts as Prometheus takes them.
    pub fn families(&self) -> [Family; 4] {
        let one = |value| vec![(String::new(), value)];
        let drops = Refusal::ALL.map(|cause| {
            let label = format!("{{cause=\"{}\"}}", cause.name());
            (label, self.dropped(cause))
        });
        [
            (
                "noise_in_total",
                "datagrams of the Noise channel",
                one(self.received),
            ),
            (
                "noise_drops_total",
                "datagrams of the Noise channel that were dropped, by cause",
                drops.to_vec(),
            ),
            (
                "noise_sessions_total",
                "sessions loaded through the Noise channel",
                one(self.loaded),
            ),
            (
                "noise_failed_starts_total",
                "Noise channels that this end could not begin",
                one(self.failed_starts),
            ),
        ]
    }

    /// Lines for people: the sum, then each cause of drops that there was.
    pub fn lines(&self) -> Vec<String> {
        let sum = format!(
            "{} datagrams = {} taken + drops; {} sessions loaded, {} starts failed",
            self.received, self.taken, self.loaded, self.failed_starts
        );
        let dropped = Refusal::ALL.into_iter().filter(|c| self.dropped(*c) > 0);
        let dropped = dropped.map(|cause| format!("{} {}", self.dropped(cause), cause.name()));
        std::iter::once(sum).chain(dropped).collect()
    }

    fn note(&mut self, outcome: Result<bool, Refusal>) {
        self.received += 1;
        match outcome {
            Ok(loaded) => {
                self.taken += 1;
                self.loaded += u64::from(loaded);
            }
            Err(refusal) => self.drops[refusal as usize] += 1,
        }
    }
}

/// What came through the channel in all, and of it what named each peer as its sender.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Every datagram.
    pub all: Counts,
    /// By the peers' numbers.
    pub peers: BTreeMap<usize, Counts>,
    /// Where the last datagram came from that named this end's own id as its sender's.
    pub namesake: Option<SocketAddr>,
}

/// One socket's channels, one for each peer.
pub struct Channel {
    socket: Socket,
    parties: Vec<Party>,
    by_id: HashMap<Id, usize>,
    /// The ids that this end has in its links, which are mostly one.
    own_ids: HashSet<Id>,
    strangers: Budget,
}

/// The channel with one peer.
struct Party {
    number: usize,
    side: Side,
}

enum Side {
    Caller(Box<Caller>, Option<SocketAddr>),
    Listener(Box<Listener>, Known),
}

impl Side {
    /// Drops the channels that are under way.
    fn forget(&mut self) {
        match self {
            Self::Caller(caller, _) => caller.forget(),
            Self::Listener(listener, _) => listener.forget(),
        }
    }
}

/// Where the caller is: by the configuration, and where the last session came from. Without ports, which an address translation changes.
struct Known {
    configured: Option<IpAddr>,
    proved: Option<IpAddr>,
}

impl Known {
    fn source(&self, from: SocketAddr) -> Source {
        let from = Some(from.ip().to_canonical());
        if from == self.configured || from == self.proved {
            Source::Known
        } else {
            Source::Stranger
        }
    }
}

impl Channel {
    /// A channel with one peer over this socket, of number 0. An initiator needs the peer's address; a responder that has it keeps part of what it looks
    /// at for its caller from the start, and otherwise from the first session on. The initiator calls the peer and hears no other address; the responder
    /// answers whoever holds the other key.
    ///
    /// # Errors
    ///
    /// [`Error::NoPeer`] for an initiator without address.
    pub fn new(
        identity: Identity,
        keys: StaticKeys,
        socket: UdpSocket,
        peer: Option<SocketAddr>,
        random: Random,
    ) -> Result<Self, Error> {
        if identity.role() == Role::Initiator && peer.is_none() {
            return Err(Error::NoPeer);
        }
        let mut channel = Self::of_many(socket);
        channel.add(0, identity, keys, peer, random)?;
        Ok(channel)
    }

    /// A channel over this socket that has no peer yet.
    pub fn of_many(socket: UdpSocket) -> Self {
        Self {
            socket: Socket::new(socket),
            parties: Vec::new(),
            by_id: HashMap::new(),
            own_ids: HashSet::new(),
            strangers: Budget::new(STRANGERS_PER_SECOND, Duration::from_secs(1)),
        }
    }

    /// Adds a peer, as [`Channel::new`] does, under this number. An initiator without its address calls as soon as [`Target::address`] says where it is.
    ///
    /// # Errors
    ///
    /// [`Error::PeerTwice`] if a peer with this id is there already.
    pub fn add(
        &mut self,
        number: usize,
        identity: Identity,
        keys: StaticKeys,
        peer: Option<SocketAddr>,
        random: Random,
    ) -> Result<(), Error> {
        if self.by_id.contains_key(&identity.peer()) {
            return Err(Error::PeerTwice);
        }
        self.own_ids.insert(identity.local());
        let side = match identity.role() {
            Role::Initiator => Side::Caller(Box::new(Caller::new(identity, keys, random)), peer),
            Role::Responder => {
                let known = Known {
                    configured: peer.map(|peer| peer.ip().to_canonical()),
                    proved: None,
                };
                Side::Listener(Box::new(Listener::new(identity, keys)), known)
            }
        };
        self.by_id.insert(identity.peer(), self.parties.len());
        self.parties.push(Party { number, side });
        Ok(())
    }

    /// Whether there is no peer.
    pub fn is_empty(&self) -> bool {
        self.parties.is_empty()
    }

    /// Brings sessions until the target is finished.
    ///
    /// # Errors
    ///
    /// The operating system's, when the socket takes no timeout.
    pub fn run(mut self, target: &mut dyn Target, counts: &Mutex<Tally>) -> io::Result<()> {
        self.socket.set_patience(TICK)?;
        let numbers = self.parties.iter().map(|party| party.number);
        lock(counts).peers = numbers.map(|number| (number, Counts::default())).collect();
        let began = Instant::now();
        // One byte more than any message, so that one that is too long is seen to be so.
        let mut buffer = [0; MAX_DATAGRAM + 1];
        let mut last_tick = None;
        while !target.is_finished() {
            let now = began.elapsed();
            if last_tick.is_none_or(|last| now.saturating_sub(last) >= TICK) {
                last_tick = Some(now);
                self.obey(target);
                self.poll(now, target, counts);
            }
            let (len, from) = match self.socket.receive(&mut buffer) {
                Ok(received) => received,
                Err(error) if is_quiet(&error) => continue,
                // What the network reported about an earlier datagram.
                Err(_) => {
                    thread::sleep(TICK);
                    continue;
                }
            };
            // The datagram may have waited since before the erasure, and so may this thread.
            self.obey(target);
            let (peer, outcome) = match self.claimed_by(&buffer[..len]) {
                Ok(place) => {
                    let now = began.elapsed();
                    let outcome = self.receive(now, place, &buffer[..len], from, target);
                    (Some(self.parties[place].number), outcome)
                }
                Err(refusal) => (None, Err(refusal)),
            };
            let mut counts = lock(counts);
            counts.all.note(outcome);
            if outcome == Err(Refusal::OwnId) {
                counts.namesake = Some(from.at);
            }
            if let Some(of_peer) = peer.and_then(|peer| counts.peers.get_mut(&peer)) {
                of_peer.note(outcome);
            }
        }
        Ok(())
    }

    /// Drops the channels that are under way if the target's sessions were erased.
    fn obey(&mut self, target: &mut dyn Target) {
        if target.forgets() {
            self.parties
                .iter_mut()
                .for_each(|party| party.side.forget());
        }
    }

    /// Whose a datagram says to be.
    fn claimed_by(&self, datagram: &[u8]) -> Result<usize, Refusal> {
        if datagram.len() <= FRONT || datagram.len() > MAX_DATAGRAM {
            return Err(Refusal::Format);
        }
        let (_, sender, _) = parts(datagram)?;
        match self.by_id.get(&sender) {
            Some(&place) => Ok(place),
            None if self.own_ids.contains(&sender) => Err(Refusal::OwnId),
            None => Err(Refusal::Peer),
        }
    }

    /// Lets callers send what is due, and counts how many of their channels could not be begun so far.
    fn poll(&mut self, now: Duration, target: &mut dyn Target, counts: &Mutex<Tally>) {
        let time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_micros() as u64); // until the year 586000
        for Party { number, side } in &mut self.parties {
            let Side::Caller(caller, place) = side else {
                continue;
            };
            let wanted = target.wants_session(*number);
            if !wanted && !caller.is_busy() {
                continue;
            }
            if let Some(moved) = target.address(*number) {
                *place = Some(moved);
            }
            let (socket, Some(peer)) = (&self.socket, *place) else {
                continue;
            };
            let failed_before = caller.failed_starts();
            caller.poll(now, wanted, time, &mut |message| {
                socket.send(message, peer.into())
            });
            let failed = caller.failed_starts() - failed_before;
            if failed > 0 {
                let mut counts = lock(counts);
                counts.all.failed_starts += failed;
                if let Some(counts) = counts.peers.get_mut(number) {
                    counts.failed_starts += failed;
                }
            }
        }
    }

    /// True if a session was loaded.
    fn receive(
        &mut self,
        now: Duration,
        place: usize,
        datagram: &[u8],
        from: Place,
        target: &mut dyn Target,
    ) -> Result<bool, Refusal> {
        let (socket, strangers) = (&self.socket, &mut self.strangers);
        let Some(Party { number, side }) = self.parties.get_mut(place) else {
            return Err(Refusal::Peer);
        };
        let number = *number;
        match side {
            Side::Caller(caller, peer) => {
                let Some(peer) = peer.filter(|peer| is_same(from.at, *peer)) else {
                    return Err(Refusal::Address);
                };
                let keys = caller.receive(now, datagram, &mut |message| {
                    socket.send(message, peer.into());
                })?;
                match keys.map(|keys| target.load(number, keys)) {
                    Some(false) => Err(Refusal::NotTaken),
                    loaded => Ok(loaded.is_some()),
                }
            }
            Side::Listener(listener, known) => {
                let (up, source) = (target.is_up(number), known.source(from.at));
                let begins = datagram.first() == Some(&super::FIRST);
                if begins && source == Source::Stranger && !strangers.take(now) {
                    return Err(Refusal::Overload);
                }
                let loaded = listener.receive_from(
                    now,
                    source,
                    datagram,
                    up,
                    &mut |keys| target.load(number, keys),
                    &mut |message| socket.send(message, from),
                )?;
                if loaded {
                    known.proved = Some(from.at.ip().to_canonical());
                }
                Ok(loaded)
            }
        }
    }
}

fn lock(counts: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether two addresses are one host and port, whatever else the system says of an IPv6 address.
fn is_same(one: SocketAddr, other: SocketAddr) -> bool {
    (one.ip().to_canonical(), one.port()) == (other.ip().to_canonical(), other.port())
}

/// Whether an error only says that nothing came.
fn is_quiet(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}
