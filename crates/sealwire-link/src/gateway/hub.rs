// SPDX-License-Identifier: Apache-2.0
//! A gateway with many peers, and what other threads ask of it.
//!
//! Nothing is reported until somebody asks: a report of a thousand peers after every batch would cost more than the packets.

use super::{
    Address, Carrier, Erasures, Failures, Gateway, KeySet, KeyStatus, Renewal, Report, Waker,
    advice::{Adviser, Namesakes},
    beside::{Beside, ChannelHandle},
    core::{Core, Sealed, System},
    fresh::Fresh,
    request::{Request, request},
};
use crate::{
    Error,
    endpoint::Out,
    hub::{Counters, Hub, Needs, Peer},
    noise,
    packet::{Incoming, Outgoing, Ways},
    schedule::Psk,
    session::{Keys, SessionKeys},
    wire::Kind,
};
use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};
use tun_rs::SyncDevice;

/// Longest wait until the gateway takes up a command. One that it has taken up is waited for.
const ANSWER: Duration = Duration::from_secs(1);
/// How often all peers are looked at for what is wrong.
const WATCH_EVERY: Duration = Duration::from_secs(1);

/// A hub's counters and states at one moment.
#[derive(Debug, Clone)]
pub struct HubReport {
    /// Time since the start.
    pub uptime: Duration,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// What was counted beside the peers.
    pub counters: Counters,
    /// Whether every packet and every frame was counted once, at the hub and at each peer.
    pub balances: bool,
    /// What the operating system refused, and what was not for this end.
    pub failures: Failures,
    /// How often all sessions were erased.
    pub erasures: Erasures,
    /// What is wrong beside the peers, as far as this end can see, and what to do.
    pub advice: Option<String>,
    /// What came through the Noise channel, if there is one. What named a peer as its sender is in that peer's report, too.
    pub channel: Option<noise::Counts>,
    /// All peers, in the order of their numbers.
    pub peers: Vec<PeerReport>,
}

/// One peer of a hub.
#[derive(Debug, Clone)]
pub struct PeerReport {
    /// What it is called.
    pub name: String,
    /// As of a gateway with this peer alone. What the operating system refused is the hub's.
    pub report: Report,
}

/// What a running hub can be told.
enum Command {
    Stop,
    Report(Request<HubReport>),
    SetPsk(usize, Psk, Renewal, Request<Result<KeySet, Error>>),
    /// Load a peer's session and say whether it was taken.
    Load(usize, Fresh, Request<bool>),
    /// Where a peer that is called is now.
    Move(usize, Address),
}

/// Controls a running hub from other threads.
#[derive(Clone)]
pub struct HubHandle {
    commands: Sender<Command>,
    waker: Waker,
    needs: Arc<[Needs]>,
    /// Where the channels of peers that are called are now.
    places: Arc<Mutex<HashMap<usize, SocketAddr>>>,
    beside: Beside,
}

impl HubHandle {
    /// Ends the gateway's `run`.
    pub fn stop(&self) {
        self.tell(Command::Stop);
    }

    /// Counters and states now.
    ///
    /// # Errors
    ///
    /// [`Error::NoAnswer`] if the gateway has ended or does not answer.
    pub fn report(&self) -> Result<HubReport, Error> {
        let (request, asked) = request();
        self.tell(Command::Report(request));
        let mut report = asked.wait(ANSWER).ok_or(Error::NoAnswer)?;
        report.channel = self.beside.told(|tally| {
            for (number, peer) in report.peers.iter_mut().enumerate() {
                peer.report.channel = tally.peers.get(&number).copied();
            }
            tally.all
        });
        Ok(report)
    }

    /// Puts another pre-shared key of a peer in place and says what is there then.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] if the key does not fit the suite, [`Error::NoAnswer`] if the gateway does not answer; then the old key
    /// stays. [`Error::NoPeer`] if there is no such peer.
    pub fn set_psk(&self, peer: usize, psk: Psk, renewal: Renewal) -> Result<KeySet, Error> {
        let (request, asked) = request();
        self.tell(Command::SetPsk(peer, psk, renewal, request));
        asked.wait(ANSWER).unwrap_or(Err(Error::NoAnswer))
    }

    /// Says where a peer that this end calls is now.
    pub fn set_peer(&self, peer: usize, address: Address) {
        self.tell(Command::Move(peer, address));
    }

    /// Says where the Noise channel of a peer that this end calls is now.
    pub fn set_channel_peer(&self, peer: usize, address: SocketAddr) {
        self.places
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(peer, address);
    }

    fn tell(&self, command: Command) {
        // If the gateway has ended there is nobody to tell.
        if self.commands.send(command).is_ok() {
            self.waker.wake();
        }
    }
}

impl noise::Target for HubHandle {
    fn wants_session(&mut self, peer: usize) -> bool {
        self.needs.get(peer).is_some_and(Needs::wants_session)
    }

    fn is_up(&mut self, peer: usize) -> bool {
        self.needs.get(peer).is_some_and(Needs::is_up)
    }

    fn load(&mut self, peer: usize, keys: SessionKeys) -> bool {
        let (request, asked) = request();
        self.tell(Command::Load(peer, self.beside.fresh(keys), request));
        asked.wait(ANSWER).unwrap_or(false)
    }

    fn address(&mut self, peer: usize) -> Option<SocketAddr> {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.get(&peer).copied()
    }

    fn forgets(&mut self) -> bool {
        self.beside.forgets()
    }

    fn is_finished(&mut self) -> bool {
        self.beside.is_finished()
    }
}

impl ChannelHandle for HubHandle {
    fn beside(&mut self) -> &mut Beside {
        &mut self.beside
    }
}

/// Joins device, carrier and hub. `calls` hears the number of each peer that is called and may be somewhere else than before: who listens
/// looks its name up and says so to [`HubHandle::set_peer`].
///
/// # Errors
///
/// The operating system's, when it cannot make them non-blocking.
pub fn hub(
    device: SyncDevice,
    carrier: Carrier,
    hub: Hub<Address>,
    calls: Sender<usize>,
) -> io::Result<(Gateway, HubHandle)> {
    let (sender, commands) = channel();
    let needs = hub.peers().map(Peer::needs).collect();
    let ended = Arc::default();
    let beside = Beside::new(Arc::clone(&ended));
    let core = Many::new(hub, commands, calls, beside.clone());
    let (gateway, waker) = Gateway::new(device, carrier, None, Box::new(core), ended)?;
    let handle = HubHandle {
        commands: sender,
        waker,
        needs,
        places: Arc::default(),
        beside,
    };
    Ok((gateway, handle))
}

/// The core of a gateway with many peers.
struct Many {
    hub: Hub<Address>,
    commands: Receiver<Command>,
    calls: Sender<usize>,
    told: Vec<Told>,
    beside: Beside,
    /// When all peers were looked at for what is wrong.
    watched: Duration,
    namesakes: Namesakes,
}

/// What the hub does not keep of a peer.
struct Told {
    key: Option<KeyStatus>,
    /// Sessions that the log has told of.
    sessions_taken: u64,
    adviser: Adviser,
}

impl Told {
    /// As of a gateway with this peer alone.
    fn report(&self, peer: &Peer<Address>, system: System) -> Report {
        let mut report = Report::new(peer.endpoint(), self.key);
        report.uptime = system.uptime;
        report
    }
}

impl Many {
    fn new(
        hub: Hub<Address>,
        commands: Receiver<Command>,
        calls: Sender<usize>,
        beside: Beside,
    ) -> Self {
        let told = hub.peers().map(|peer| Told {
            key: KeyStatus::new(peer.endpoint(), 0),
            sessions_taken: 0,
            adviser: Adviser::of_many(),
        });
        Self {
            told: told.collect(),
            hub,
            commands,
            calls,
            beside,
            watched: Duration::ZERO,
            namesakes: Namesakes::default(),
        }
    }

    fn set_psk(&mut self, number: usize, psk: Psk, renewal: Renewal) -> Result<KeySet, Error> {
        let fingerprint = |hub: &Hub<Address>| {
            hub.peer(number)
                .and_then(|p| p.endpoint().key_fingerprint())
        };
        let before = fingerprint(&self.hub);
        self.hub.set_psk(number, psk)?;
        if renewal == Renewal::Now {
            self.hub.erase_peer(number);
        }
        let is_new = fingerprint(&self.hub) != before;
        let (peer, told) = self
            .hub
            .peer(number)
            .zip(self.told.get_mut(number))
            .ok_or(Error::NoPeer)?;
        if is_new {
            let renewals = told.key.map_or(0, |key| key.renewals);
            told.key = KeyStatus::new(peer.endpoint(), renewals + 1);
        }
        let key = told.key.ok_or(Error::NoKey)?;
        tracing::info!(peer = peer.name(), %key, is_new, sessions_erased = renewal == Renewal::Now, "pre-shared key");
        Ok(KeySet { key, is_new })
    }

    /// Loads a session that came through the Noise channel; false if it is not taken.
    fn load(&mut self, now: Duration, number: usize, keys: Fresh) -> bool {
        let Some(keys) = keys.unless_erased_since(self.beside.erasures()) else {
            return false;
        };
        let loaded = self.hub.load(now, number, keys);
        if let Err(error) = &loaded {
            let name = self.hub.peer(number).map(Peer::name);
            tracing::warn!(peer = name, %error, "a session from the Noise channel was not taken");
        }
        loaded.is_ok()
    }

    fn make_report(&mut self, system: System) -> HubReport {
        self.hub.set_time(system.uptime);
        let peers = self.hub.peers().zip(&self.told).map(|(peer, told)| {
            let mut report = told.report(peer, system);
            report.advice = told.adviser.advice().map(str::to_owned);
            PeerReport {
                name: peer.name().to_owned(),
                report,
            }
        });
        HubReport {
            uptime: system.uptime,
            scheme: self.hub.suite().scheme,
            counters: self.hub.counters().clone(),
            balances: self.hub.balances(),
            failures: system.failures,
            erasures: system.erasures,
            advice: self.namesakes.advice().map(str::to_owned),
            channel: None,
            peers: peers.collect(),
        }
    }
}

impl Core for Many {
    fn kind(&self) -> Kind {
        self.hub.kind()
    }

    fn obey(&mut self, system: System) -> bool {
        while let Ok(command) = self.commands.try_recv() {
            match command {
                Command::Stop => return false,
                Command::Report(request) => {
                    if let Some(answer) = request.take() {
                        let _ = answer.try_send(self.make_report(system));
                    }
                }
                Command::SetPsk(number, psk, renewal, request) => {
                    if let Some(answer) = request.take() {
                        let _ = answer.try_send(self.set_psk(number, psk, renewal));
                    }
                }
                Command::Load(number, keys, request) => {
                    if let Some(answer) = request.take() {
                        let _ = answer.try_send(self.load(system.uptime, number, keys));
                    }
                }
                Command::Move(number, address) => self.hub.set_peer(number, address),
            }
        }
        true
    }

    fn erase(&mut self) {
        self.hub.erase();
        self.beside.erase();
    }

    fn poll(&mut self, now: Duration, send: Out<'_, Address>) {
        self.hub.poll(now, send);
        for number in self.hub.take_calls() {
            // Nobody listens where no peer has a name to look up.
            let _ = self.calls.send(number);
        }
    }

    fn deadline(&self) -> Duration {
        self.hub.deadline()
    }

    fn begin_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, Address>],
        keys: &mut Keys,
    ) {
        self.hub.begin_receive(now, packets, keys);
    }

    fn finish_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, Address>],
        keys: &Keys,
        send: Out<'_, Address>,
    ) {
        self.hub.finish_receive(now, packets, keys, send);
    }

    fn begin_seal(
        &mut self,
        now: Duration,
        frames: &mut [Outgoing<'_>],
        keys: &mut Keys,
        send: Sealed<'_>,
    ) {
        self.hub.begin_seal(now, frames, keys, send);
    }

    fn finish_seal(&mut self, frames: &mut [Outgoing<'_>], keys: &Keys, ways: &mut Ways<Address>) {
        self.hub.finish_seal(frames, keys, ways);
    }

    fn tell_changes(&mut self) -> bool {
        for number in self.hub.take_sessions() {
            let (Some(peer), Some(told)) = (self.hub.peer(number), self.told.get_mut(number))
            else {
                continue;
            };
            let taken = peer.endpoint().counters().sessions_taken;
            if taken != told.sessions_taken {
                told.adviser
                    .note_session(self.watched, peer.endpoint().peer());
                let address = peer.endpoint().peer().map(|address| address.to_string());
                tracing::info!(peer = peer.name(), address, sessions = taken, "session");
                told.sessions_taken = taken;
            }
        }
        false
    }

    /// Reports are made when they are asked for. What is wrong with a peer is said in the log.
    fn report(&mut self, system: System) {
        if system.uptime < self.watched + WATCH_EVERY {
            return;
        }
        self.watched = system.uptime;
        let (in_channel, caller) = self.beside.tally(|tally| {
            let dropped = tally.all.dropped(noise::Refusal::OwnId);
            (dropped, tally.namesake)
        });
        let count = self.hub.counters().own_ids + in_channel;
        let from = self.hub.namesake().or(caller.map(Address::Udp));
        let (now, id) = (system.uptime, self.hub.local());
        if let Some(advice) = self.namesakes.watch(now, count, id, from) {
            tracing::warn!("{advice}");
        }
        for (number, (peer, told)) in self.hub.peers().zip(&mut self.told).enumerate() {
            let mut report = told.report(peer, system);
            report.channel = self.beside.tally(|tally| tally.peers.get(&number).copied());
            if let Some(advice) = told.adviser.watch(&report) {
                tracing::warn!(peer = peer.name(), "{advice}");
            }
        }
    }
}

/// A core that nobody tells anything.
#[cfg(test)]
pub(super) fn untold(hub: Hub<Address>, beside: Beside) -> impl Core {
    Many::new(hub, channel().1, channel().0, beside)
}
