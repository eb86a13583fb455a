// SPDX-License-Identifier: Apache-2.0
//! Many peers behind one address: an [`Endpoint`] each, one place where packets and frames are led to them.
//!
//! The wire format knows nothing of it: each peer sees one end of a link. A packet is led to its peer by the session id in it, which this end
//! chose, or, if it is a hello, by the caller's id in it, or, if it asks for a call, by where it comes from: one look into a table, however many peers there are, and at values that stand in the open. A frame is led by its
//! destination, and a peer's frame leaves only if its source is that peer's: by the networks that the peer was given (IP), or by the
//! addresses that were learnt ([`Kind::Ethernet`]). Like an endpoint, a hub does no input or output.
//!
//! ```
//! use sealwire_link::{endpoint::{Endpoint, Timers}, hub::{Hub, PeerSetup}, schedule::{Ends, Psk, system_random}, suite::Suite, wire::Kind};
//!
//! let suite = Suite::by_name("omd-sha512").unwrap();
//! let psk = Psk::new(suite, &[7; 64])?; // in real use: 64 random bytes, other ones for each peer
//! let ends = Ends::new(suite, psk, 9u64.to_be_bytes(), 1u64.to_be_bytes(), Kind::Ip)?;
//! let mut hub: Hub<()> = Hub::new(suite, ends.identity().local(), Kind::Ip, ends.identity().version());
//! hub.add("branch", PeerSetup::psk(ends, Timers::default(), None), &["10.0.0.1/32".parse()?])?;
//! assert_eq!(hub.peers().count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod macs;
mod needs;
mod prefixes;
mod sessions;

pub use macs::{MAC_AGE, MACS_PER_PEER};
pub use needs::Needs;
pub use prefixes::{NoPrefix, Prefix};

use crate::{
    Error,
    endpoint::{Endpoint, Out, OwnSessions, Timers, is_request},
    look_ups::LookUps,
    packet::{BATCH, Incoming, OVERHEAD, Outgoing, Verdict, Way, Ways},
    schedule::{Ends, Id, Identity, Psk},
    session::{Keys, SessionKeys},
    suite::Suite,
    wire::{DropCause, HEADER_LEN, Kind, PacketType, Version},
};
use macs::{Macs, To};
use prefixes::{Prefixes, addresses};
use sessions::Sessions;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    hash::Hash,
    time::Duration,
};

/// Peers that a hub takes.
pub const MAX_PEERS: usize = 4096;
/// No peer.
const NOBODY: u32 = u32::MAX;
/// Every peer that has a session.
const ALL: u32 = u32::MAX - 1;

/// How a peer gets its sessions.
pub struct PeerSetup<A> {
    sessions: Source<A>,
    timers: Timers,
}

enum Source<A> {
    Handshakes(Box<Ends>, Option<A>),
    Loaded(Identity, Option<A>),
}

impl<A> PeerSetup<A> {
    /// By handshake, under a pre-shared key. Without an address, a peer that calls is waited for, and one that is to be called is when [`Hub::set_peer`] says
    /// where it is.
    pub fn psk(ends: Ends, timers: Timers, address: Option<A>) -> Self {
        Self {
            sessions: Source::Handshakes(Box::new(ends), address),
            timers,
        }
    }

    /// By [`Hub::load`]. Without an address, as with [`PeerSetup::psk`].
    pub fn loaded(identity: Identity, timers: Timers, address: Option<A>) -> Self {
        Self {
            sessions: Source::Loaded(identity, address),
            timers,
        }
    }

    fn identity(&self) -> &Identity {
        match &self.sessions {
            Source::Handshakes(ends, _) => ends.identity(),
            Source::Loaded(identity, _) => identity,
        }
    }
}

/// Whom a hello names as its sender.
fn sender(hello: &[u8]) -> Option<&Id> {
    hello.get(HEADER_LEN..)?.first_chunk()
}

/// Why a peer cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Suite, version, kind or own id are not the hub's.
    #[error("suite, version, kind and own id of a peer must be the hub's")]
    Identity,
    /// Two peers with one id.
    #[error("{0} has this id already")]
    Id(String),
    /// Two peers with one network.
    #[error("{1} belongs to {0} already")]
    Network(String, Prefix),
    /// Networks are for IP, and without one nothing of a peer passes.
    #[error(
        "a peer needs networks that are its own where IP is carried, and has none where Ethernet is"
    )]
    Networks,
    /// As many peers as there may be.
    #[error("a hub has {MAX_PEERS} peers at most")]
    Full,
    /// The endpoint cannot be made.
    #[error(transparent)]
    Endpoint(#[from] Error),
}

/// What a hub counted beside its peers. Packets in = those of all peers + drops; frames in + copies = those of all peers + frames
/// copied + without a peer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets from the untrusted side.
    pub untrusted_in: u64,
    /// Packets that belong to no peer, by cause in the order of [`DropCause::ALL`].
    pub drops: [u64; DropCause::ALL.len()],
    /// Hellos that name this end's own id as their sender's, because another end has it, too. They are dropped as
    /// [`DropCause::Peer`], and counted there as well.
    pub own_ids: u64,
    /// Frames from the trusted side.
    pub trusted_in: u64,
    /// Frames from the trusted side for which there is no peer.
    pub no_peer: u64,
    /// Frames from the trusted side that were copied for every peer with a session.
    pub to_all: u64,
    /// Copies that were made of them.
    pub copies: u64,
}

/// One peer.
pub struct Peer<A> {
    name: String,
    endpoint: Endpoint<A>,
    /// The session ids that lead here, as the table has them.
    sessions: OwnSessions,
    /// When this peer stands in the heap.
    due: Duration,
    /// When its name was last asked for while it was called.
    look_ups: LookUps,
    /// What it needs of who loads sessions.
    needs: Needs,
}

impl<A: Copy + PartialEq> Peer<A> {
    /// What it is called in reports.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its end of the link.
    pub fn endpoint(&self) -> &Endpoint<A> {
        &self.endpoint
    }

    /// What it needs of who loads its sessions, for a thread beside the hub.
    pub fn needs(&self) -> Needs {
        self.needs.clone()
    }
}

/// Where inner addresses are.
enum Routes {
    Ip(Prefixes),
    Ethernet(Macs),
}

/// Many peers, and what leads to them.
pub struct Hub<A> {
    suite: &'static Suite,
    local: Id,
    kind: Kind,
    version: Version,
    peers: Vec<Peer<A>>,
    by_id: HashMap<Id, u32>,
    /// Peers that this end calls, by where they are.
    called: HashMap<A, u32>,
    sessions: Sessions,
    routes: Routes,
    /// When each peer has something to do. One entry that is not the peer's `due` is out of date.
    due: BinaryHeap<Reverse<(Duration, u32)>>,
    calls: Vec<usize>,
    /// Peers that took a session since this was last asked.
    taken: Vec<usize>,
    counters: Counters,
    /// Where the last hello came from that named this end's own id.
    namesake: Option<A>,
    /// A frame's copy for one peer.
    copy: Vec<u8>,
}

impl<A: Copy + Eq + Hash> Hub<A> {
    /// A hub without peers. Suite, own id, kind and version are those of all of them.
    pub fn new(suite: &'static Suite, local: Id, kind: Kind, version: Version) -> Self {
        Self {
            routes: match kind {
                Kind::Ip => Routes::Ip(Prefixes::default()),
                Kind::Ethernet => Routes::Ethernet(Macs::default()),
            },
            suite,
            local,
            kind,
            version,
            peers: Vec::new(),
            by_id: HashMap::new(),
            called: HashMap::new(),
            sessions: Sessions::default(),
            due: BinaryHeap::new(),
            calls: Vec::new(),
            taken: Vec::new(),
            counters: Counters::default(),
            namesake: None,
            copy: Vec::new(),
        }
    }

    /// Adds a peer, to whom these networks belong, and gives its number: 0, 1 and so on.
    ///
    /// # Errors
    ///
    /// [`Refusal`]; then nothing was added.
    pub fn add(
        &mut self,
        name: &str,
        setup: PeerSetup<A>,
        networks: &[Prefix],
    ) -> Result<usize, Refusal> {
        let (number, index) = (self.peers.len(), self.peers.len() as u32); // at most MAX_PEERS
        if number >= MAX_PEERS {
            return Err(Refusal::Full);
        }
        let identity = *setup.identity();
        let is_same_suite = identity.suite().code == self.suite.code;
        let is_same_format = (identity.kind(), identity.version()) == (self.kind, self.version);
        if !is_same_suite || !is_same_format || identity.local() != self.local {
            return Err(Refusal::Identity);
        }
        if let Some(other) = self.by_id.get(&identity.peer()) {
            return Err(Refusal::Id(self.peers[*other as usize].name.clone()));
        }
        match &self.routes {
            Routes::Ip(prefixes) if !networks.is_empty() => {
                let taken = networks
                    .iter()
                    .find_map(|p| Some((prefixes.exact(*p)?, *p)));
                if let Some((owner, prefix)) = taken {
                    let owner = self.peers[owner as usize].name.clone();
                    return Err(Refusal::Network(owner, prefix));
                }
            }
            Routes::Ethernet(_) if networks.is_empty() => {}
            _ => return Err(Refusal::Networks),
        }
        let random = self.sessions.random();
        let endpoint = match setup.sessions {
            Source::Handshakes(ends, None) => {
                Endpoint::without_address(*ends, setup.timers, random)?
            }
            Source::Handshakes(ends, peer) => Endpoint::new(*ends, setup.timers, peer, random)?,
            Source::Loaded(identity, peer) => Endpoint::loaded(identity, setup.timers, peer),
        };
        if let Routes::Ip(prefixes) = &mut self.routes {
            for prefix in networks {
                prefixes.add(*prefix, index);
            }
        }
        self.by_id.insert(identity.peer(), index);
        if let Some(place) = endpoint.called_at() {
            self.called.entry(place).or_insert(index);
        }
        self.peers.push(Peer {
            name: name.to_owned(),
            endpoint,
            sessions: OwnSessions::new(),
            due: Duration::ZERO,
            look_ups: LookUps::default(),
            needs: Needs::default(),
        });
        self.due.push(Reverse((Duration::ZERO, index)));
        self.note(index);
        Ok(number)
    }

    /// The suite of all peers.
    pub fn suite(&self) -> &'static Suite {
        self.suite
    }

    /// What all peers carry.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// This end's id.
    pub fn local(&self) -> Id {
        self.local
    }

    /// All peers, in the order in which they were added.
    pub fn peers(&self) -> impl ExactSizeIterator<Item = &Peer<A>> {
        self.peers.iter()
    }

    /// One peer by its number.
    pub fn peer(&self, number: usize) -> Option<&Peer<A>> {
        self.peers.get(number)
    }

    /// What was counted beside the peers.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Where the last hello came from that named this end's own id as its sender's. Nothing of it is authentic.
    pub fn namesake(&self) -> Option<A> {
        self.namesake
    }

    /// Whether every packet and every frame was counted once.
    pub fn balances(&self) -> bool {
        let sum = |count: &dyn Fn(&crate::endpoint::Counters) -> u64| -> u64 {
            self.peers
                .iter()
                .map(|peer| count(peer.endpoint.counters()))
                .sum()
        };
        let (c, drops) = (&self.counters, self.counters.drops.iter().sum::<u64>());
        self.peers
            .iter()
            .all(|peer| peer.endpoint.counters().balance())
            && c.untrusted_in == sum(&|peer| peer.untrusted_in) + drops
            && c.trusted_in + c.copies == sum(&|peer| peer.trusted_in) + c.no_peer + c.to_all
    }

    /// Peers that are called now and may be somewhere else than before: who knows their names looks them up and says so to
    /// [`Hub::set_peer`]. Each comes when its call begins, and again every 5 s while it does not answer.
    pub fn take_calls(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.calls)
    }

    /// Peers whose session became the current one since this was last asked.
    pub fn take_sessions(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.taken)
    }

    /// Tells every peer's end what time it is, so that the ages in its report are right although nothing was due there.
    pub fn set_time(&mut self, now: Duration) {
        for peer in &mut self.peers {
            peer.endpoint.set_time(now);
        }
    }

    /// Says where a peer that this end calls is now. Nothing changes if there is no such peer.
    pub fn set_peer(&mut self, number: usize, address: A) {
        let Some(peer) = self.peers.get_mut(number) else {
            return;
        };
        let (before, index) = (peer.endpoint.called_at(), number as u32);
        peer.endpoint.set_peer(address);
        // Of two peers at one place the first that was there is meant.
        if let Some(before) = before.filter(|place| self.called.get(place) == Some(&index)) {
            self.called.remove(&before);
        }
        if let Some(place) = peer.endpoint.called_at() {
            self.called.entry(place).or_insert(index);
        }
        // What waited for an address is due now.
        self.note(index);
    }

    /// Puts another pre-shared key of a peer in place, as [`Endpoint::set_psk`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Endpoint::set_psk`]; [`Error::NoPeer`] if there is no such peer.
    pub fn set_psk(&mut self, number: usize, psk: Psk) -> Result<(), Error> {
        let peer = self.peers.get_mut(number).ok_or(Error::NoPeer)?;
        peer.endpoint.set_psk(psk)?;
        self.note(number as u32);
        Ok(())
    }

    /// Erases everything of one peer that could be in a copy of this end, as [`Endpoint::erase`] does.
    pub fn erase_peer(&mut self, number: usize) {
        if let Some(peer) = self.peers.get_mut(number) {
            peer.endpoint.erase();
            self.note(number as u32);
        }
    }

    /// Erases everything of all peers that could be in a copy of this end.
    pub fn erase(&mut self) {
        (0..self.peers.len()).for_each(|number| self.erase_peer(number));
    }

    /// Loads a session of a peer, as [`Endpoint::load`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Endpoint::load`], [`Error::SessionTaken`] also if the id leads to another peer; [`Error::NoPeer`] if there is no
    /// such peer.
    pub fn load(&mut self, now: Duration, number: usize, keys: SessionKeys) -> Result<(), Error> {
        let peer = self.peers.get_mut(number).ok_or(Error::NoPeer)?;
        let id = keys.session_of(peer.endpoint.identity().role());
        if self.sessions.peer_of(id).is_some() {
            return Err(Error::SessionTaken);
        }
        peer.endpoint.load(now, keys)?;
        self.note(number as u32);
        Ok(())
    }

    /// Judges packets from the untrusted side and opens them in place, each by its peer. The packets come to stand together by peers, those of one
    /// peer in the order in which they came.
    pub fn receive(&mut self, now: Duration, packets: &mut [Incoming<'_, A>], send: Out<'_, A>) {
        for round in packets.chunks_mut(BATCH) {
            let mut keys = Keys::default();
            self.begin_receive(now, round, &mut keys);
            keys.open(round);
            self.finish_receive(now, round, &keys, send);
        }
    }

    /// Leads at most [`BATCH`] packets to their peers, by whose rules each then waits for a key or for its turn: the first part of [`Hub::receive`], for threads
    /// that share a hub under a lock and do not hold it while [`Keys::open`] opens what waits.
    pub(crate) fn begin_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, A>],
        keys: &mut Keys,
    ) {
        for packet in &mut *packets {
            match self.claimed_by(packet.packet, packet.from) {
                Ok(peer) => packet.lane = peer,
                Err(cause) => {
                    if cause == DropCause::Peer && sender(packet.packet) == Some(&self.local) {
                        self.counters.own_ids += 1;
                        self.namesake = Some(packet.from);
                    }
                    packet.lane = NOBODY;
                    packet.refuse(cause);
                }
            }
        }
        group(packets, |packet| packet.lane);
        for part in packets.chunk_by_mut(|a, b| a.lane == b.lane) {
            if let Some(peer) = self.peers.get_mut(part[0].lane as usize) {
                peer.endpoint.begin_receive(now, part, keys);
            }
        }
    }

    /// Lets every peer judge what [`Keys::open`] has opened of its packets: [`Hub::receive`] behind the cryptography.
    pub(crate) fn finish_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, A>],
        keys: &Keys,
        send: Out<'_, A>,
    ) {
        self.counters.untrusted_in += packets.len() as u64;
        for part in packets.chunk_by_mut(|a, b| a.lane == b.lane) {
            let index = part[0].lane;
            if index == NOBODY {
                for packet in part {
                    if let Verdict::Dropped(cause) = packet.verdict {
                        self.counters.drops[cause as usize] += 1;
                    }
                }
            } else {
                self.finish_receive_of(now, index, part, keys, send);
            }
        }
    }

    /// Packets of one peer.
    fn finish_receive_of(
        &mut self,
        now: Duration,
        index: u32,
        packets: &mut [Incoming<'_, A>],
        keys: &Keys,
        send: Out<'_, A>,
    ) {
        let Some(peer) = self.peers.get_mut(index as usize) else {
            return;
        };
        let sessions_taken = peer.endpoint.counters().sessions_taken;
        peer.endpoint.finish_receive(now, packets, keys, send);
        if peer.endpoint.counters().sessions_taken != sessions_taken {
            self.taken.push(index as usize);
        }
        for packet in &mut *packets {
            let mut is_own = |frame: &[u8]| match &mut self.routes {
                Routes::Ip(prefixes) => addresses(frame)
                    .is_some_and(|(source, _)| prefixes.owner(source) == Some(index)),
                Routes::Ethernet(macs) => macs.take(now, frame, index),
            };
            if packet.frame().is_some_and(|frame| !is_own(frame)) {
                peer.endpoint.refuse_source(packet);
            }
        }
        self.note(index);
    }

    /// Whose a packet says to be: by what this end chose, or what a hello names. Nothing of it is proved yet.
    fn claimed_by(&self, packet: &[u8], from: A) -> Result<u32, DropCause> {
        let Some(header) = packet.first_chunk::<HEADER_LEN>() else {
            return Err(DropCause::Short);
        };
        if header[0] >> 4 != self.version as u8 {
            return Err(DropCause::Version);
        }
        let session = [header[4], header[5], header[6], header[7]];
        match header[0] & 15 {
            kind if kind == PacketType::Hello as u8 => {
                let id = sender(packet).ok_or(DropCause::Short)?;
                self.by_id.get(id).copied().ok_or(DropCause::Peer)
            }
            kind if kind == PacketType::Data as u8 && is_request(packet) => {
                self.called.get(&from).copied().ok_or(DropCause::Session)
            }
            kind if kind <= PacketType::Confirm as u8 => {
                self.sessions.peer_of(session).ok_or(DropCause::Session)
            }
            _ => Err(DropCause::Type),
        }
    }

    /// Seals frames of the trusted side in place, each for the peer that it goes to, and gives `send` what was sealed, by peers. A frame for every peer is
    /// copied. Frames come to stand together by peers, those to one peer in the order in which they came.
    pub fn seal(
        &mut self,
        now: Duration,
        frames: &mut [Outgoing<'_>],
        send: &mut dyn FnMut(A, &[Outgoing<'_>]),
    ) {
        for round in frames.chunks_mut(BATCH) {
            let (mut keys, mut ways) = (Keys::default(), Ways::new());
            self.begin_seal(now, round, &mut keys, send);
            keys.seal(round);
            self.finish_seal(round, &keys, &mut ways);
            for way in ways {
                send(way.to, &round[way.frames]);
            }
        }
    }

    /// Leads at most [`BATCH`] frames to their peers and spends packet numbers on them; they then wait for [`Keys::seal`], without the hub. A frame for every
    /// peer is copied, sealed and sent at once.
    pub(crate) fn begin_seal(
        &mut self,
        now: Duration,
        frames: &mut [Outgoing<'_>],
        keys: &mut Keys,
        send: &mut dyn FnMut(A, &[Outgoing<'_>]),
    ) {
        for frame in &mut *frames {
            let bytes = &frame.buffer[HEADER_LEN..][..frame.frame_len];
            frame.lane = match &mut self.routes {
                Routes::Ip(prefixes) => addresses(bytes)
                    .and_then(|(_, destination)| prefixes.owner(destination))
                    .unwrap_or(NOBODY),
                Routes::Ethernet(macs) => match macs.route(now, bytes) {
                    To::Peer(peer) => peer,
                    To::All => ALL,
                    To::Nobody => NOBODY,
                },
            };
        }
        group(frames, |frame| frame.lane);
        for part in frames.chunk_by_mut(|a, b| a.lane == b.lane) {
            match part[0].lane {
                NOBODY => {}
                ALL => part
                    .iter()
                    .for_each(|frame| self.seal_for_all(now, frame, send)),
                index => {
                    if let Some(peer) = self.peers.get_mut(index as usize) {
                        peer.endpoint.begin_seal(now, part, keys);
                        self.note(index);
                    }
                }
            }
        }
    }

    /// Counts what became of frames, once [`Keys::seal`] has sealed what waited, and says where the packets go.
    pub(crate) fn finish_seal(
        &mut self,
        frames: &mut [Outgoing<'_>],
        keys: &Keys,
        ways: &mut Ways<A>,
    ) {
        let mut begin = 0;
        for part in frames.chunk_by_mut(|a, b| a.lane == b.lane) {
            let frames = begin..begin + part.len();
            begin = frames.end;
            match part[0].lane {
                // Counted with its copies.
                ALL => continue,
                NOBODY => self.counters.no_peer += part.len() as u64,
                index => {
                    let peer = self.peers.get_mut(index as usize);
                    if let Some(to) = peer.and_then(|peer| peer.endpoint.finish_seal(part, keys)) {
                        // As many ways as frames at most, and there are no more than these have room for.
                        let _ = ways.try_push(Way { to, frames });
                    }
                }
            }
            self.counters.trusted_in += part.len() as u64;
        }
    }

    /// Copies a frame for each peer that has a session. Without one there is nobody to take it.
    fn seal_for_all(
        &mut self,
        now: Duration,
        frame: &Outgoing<'_>,
        send: &mut dyn FnMut(A, &[Outgoing<'_>]),
    ) {
        let mut copy = std::mem::take(&mut self.copy);
        copy.resize(frame.frame_len + OVERHEAD, 0);
        let mut copies = 0;
        for index in 0..self.peers.len() as u32 {
            if !self.peers[index as usize].endpoint.is_up() {
                continue;
            }
            copy[HEADER_LEN..][..frame.frame_len]
                .copy_from_slice(&frame.buffer[HEADER_LEN..][..frame.frame_len]);
            if let Ok(mut outgoing) = Outgoing::new(&mut copy, frame.frame_len) {
                let outgoing = std::slice::from_mut(&mut outgoing);
                if let Some(to) = self.peers[index as usize].endpoint.seal(now, outgoing) {
                    send(to, outgoing);
                }
                self.note(index);
                copies += 1;
            }
        }
        self.copy = copy;
        match copies {
            0 => self.counters.no_peer += 1,
            _ => self.counters.to_all += 1,
        }
        self.counters.copies += copies;
        self.counters.trusted_in += 1;
    }

    /// Does what is due for any peer. To be called at [`Hub::deadline`] at the latest; earlier does no harm.
    pub fn poll(&mut self, now: Duration, send: Out<'_, A>) {
        // Who is due again at once has its turn at the next call.
        for _ in 0..self.due.len() {
            match self.due.peek() {
                Some(Reverse((due, _))) if *due <= now => {}
                _ => break,
            }
            let Some(Reverse((due, index))) = self.due.pop() else {
                break;
            };
            let peer = &mut self.peers[index as usize];
            if peer.due != due {
                continue;
            }
            peer.endpoint.poll(now, send);
            if peer.look_ups.is_time(&peer.endpoint, now) {
                self.calls.push(index as usize);
            }
            peer.due = Duration::MAX;
            self.note(index);
        }
    }

    /// When [`Hub::poll`] has something to do next, on the caller's clock.
    pub fn deadline(&self) -> Duration {
        self.due
            .peek()
            .map_or(Duration::MAX, |Reverse((due, _))| *due)
    }

    /// Brings the tables up to date with a peer: which session ids lead to it, and when it is due. An entry that comes too early does
    /// no harm, so only an earlier one is needed.
    fn note(&mut self, index: u32) {
        let peer = &mut self.peers[index as usize];
        let own = peer.endpoint.own_sessions();
        if own != peer.sessions {
            self.sessions.replace(index, &peer.sessions, &own);
            peer.sessions = own;
        }
        peer.needs.set(&peer.endpoint);
        let due = peer.look_ups.deadline(&peer.endpoint);
        if due < peer.due {
            peer.due = due;
            self.due.push(Reverse((due, index)));
        }
    }
}

/// Brings together what has one key, and keeps the order within. A batch is short, and nothing is allocated.
fn group<T>(items: &mut [T], key: impl Fn(&T) -> u32) {
    for at in 1..items.len() {
        let own = key(&items[at]);
        let to = items[..at].partition_point(|item| key(item) <= own);
        items[to..=at].rotate_right(1);
    }
}

#[cfg(test)]
mod tests;
