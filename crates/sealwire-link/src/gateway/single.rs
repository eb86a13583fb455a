// SPDX-License-Identifier: Apache-2.0
//! A gateway with one peer, and what other threads ask of it.

use super::{
    Address, Carrier, Gateway, KeySet, KeyStatus, Report, Waker,
    advice::Adviser,
    beside::{Beside, ChannelHandle},
    core::{Core, Sealed, System},
    direct,
    fresh::Fresh,
    request::{Request, request},
};
use crate::{
    Error,
    endpoint::{Endpoint, Out},
    look_ups::LookUps,
    noise,
    packet::{Incoming, Outgoing, Way, Ways},
    schedule::Psk,
    session::{Keys, SessionKeys},
    wire::{DropCause, Kind, LocalDrop},
};
use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    time::Duration,
};
use tun_rs::SyncDevice;

/// Longest wait until the gateway takes up a command. One that it has taken up is waited for.
const ANSWER: Duration = Duration::from_secs(1);

/// What a running gateway can be told.
enum Command {
    Stop,
    /// Put a key in place and say what is there then.
    SetPsk(Psk, Renewal, Request<Result<KeySet, Error>>),
    /// Load a session and say whether it was taken.
    Load(Fresh, Request<bool>),
    /// Bring the report up to date.
    Report(Request<()>),
    /// Where the peer that is called is now.
    Move(Address),
}

/// What becomes of the live sessions when a new key is put in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// Live sessions go on until the handshake under the new key, and a responder takes the old key for one T_rekey more.
    Smooth,
    /// Live sessions are erased, and the old key with them: frames are dropped until the other end has the new key, too.
    Now,
}

/// Controls a running gateway from other threads.
#[derive(Clone)]
pub struct Handle {
    commands: Sender<Command>,
    waker: Waker,
    report: Arc<Mutex<Report>>,
    key_failures: Arc<AtomicU64>,
    /// Where the channel of the peer that is called is now, if that was said.
    place: Arc<Mutex<Option<SocketAddr>>>,
    beside: Beside,
}

impl Handle {
    /// Says where the peer that this end calls is now.
    pub fn set_peer(&self, address: Address) {
        self.tell(Command::Move(address));
    }

    /// Says where the Noise channel of the peer that this end calls is now.
    pub fn set_channel_peer(&self, address: SocketAddr) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(address);
    }

    /// Ends the gateway's `run`.
    pub fn stop(&self) {
        self.tell(Command::Stop);
    }

    /// Puts another pre-shared key in place and says what is there then. The initiator begins a handshake under it at once.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] if the key does not fit the suite, [`Error::NoAnswer`] if the gateway does not answer; then the old key
    /// stays, also if the gateway goes on later. The report counts the failure.
    pub fn set_psk(&self, psk: Psk, renewal: Renewal) -> Result<KeySet, Error> {
        let (request, asked) = request();
        self.tell(Command::SetPsk(psk, renewal, request));
        let set = asked.wait(ANSWER).unwrap_or(Err(Error::NoAnswer));
        set.inspect_err(|_| self.key_failed())
    }

    /// Counts a new key that could not be had.
    pub fn key_failed(&self) {
        self.key_failures.fetch_add(1, Ordering::Relaxed);
    }

    /// Loads a session into an end that was made for it; false if it was not taken.
    pub fn load(&self, keys: SessionKeys) -> bool {
        self.load_fresh(self.beside.fresh_now(keys))
    }

    fn load_fresh(&self, keys: Fresh) -> bool {
        let (request, asked) = request();
        self.tell(Command::Load(keys, request));
        asked.wait(ANSWER).unwrap_or(false)
    }

    /// Counters and states as they are now. Of a gateway that does not answer, as it last told them.
    pub fn report(&self) -> Report {
        let (request, asked) = request();
        self.tell(Command::Report(request));
        asked.wait(ANSWER);
        Report {
            channel: self.beside.told(|tally| tally.all),
            key_failures: self.key_failures.load(Ordering::Relaxed),
            ..self.last_report(Report::clone)
        }
    }

    /// Reads what the gateway told last: changes of its state at once, counters within a second.
    fn last_report<T>(&self, read: impl FnOnce(&Report) -> T) -> T {
        read(&self.report.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn tell(&self, command: Command) {
        // If the gateway has ended there is nobody to tell; if its pipe is full it is awake already.
        if self.commands.send(command).is_ok() {
            self.waker.wake();
        }
    }
}

impl noise::Target for Handle {
    fn wants_session(&mut self, _: usize) -> bool {
        self.last_report(|report| report.wants_session)
    }

    fn is_up(&mut self, _: usize) -> bool {
        self.last_report(|report| report.has_session)
    }

    fn load(&mut self, _: usize, keys: SessionKeys) -> bool {
        let taken = self.load_fresh(self.beside.fresh(keys));
        if taken {
            tracing::info!("a session came through the Noise channel");
        } else {
            tracing::warn!("a session from the Noise channel was not taken");
        }
        taken
    }

    fn address(&mut self, _: usize) -> Option<SocketAddr> {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forgets(&mut self) -> bool {
        self.beside.forgets()
    }

    fn is_finished(&mut self) -> bool {
        self.beside.is_finished()
    }
}

impl ChannelHandle for Handle {
    fn beside(&mut self) -> &mut Beside {
        &mut self.beside
    }
}

/// Joins device, carrier and endpoint.
///
/// # Errors
///
/// The operating system's, when it cannot make them non-blocking.
pub fn new(
    device: SyncDevice,
    carrier: Carrier,
    endpoint: Endpoint<Address>,
) -> io::Result<(Gateway, Handle)> {
    calling(device, carrier, endpoint, channel().0)
}

/// As [`new`], for a peer that may be somewhere else than before. `calls` hears 0 whenever the peer is called: who listens looks its name up
/// and says so to [`Handle::set_peer`].
///
/// # Errors
///
/// The operating system's, when it cannot make them non-blocking.
pub fn calling(
    device: SyncDevice,
    carrier: Carrier,
    endpoint: Endpoint<Address>,
    calls: Sender<usize>,
) -> io::Result<(Gateway, Handle)> {
    let (sender, commands) = channel();
    let key = KeyStatus::new(&endpoint, 0);
    let report = Arc::new(Mutex::new(Report::new(&endpoint, key)));
    let ended = Arc::default();
    let beside = Beside::new(Arc::clone(&ended));
    let mut link = Link::new(endpoint, key, commands, Arc::clone(&report), beside.clone());
    link.calls = Some(calls);
    let direct = direct::beside(&carrier);
    let (gateway, waker) = Gateway::new(device, carrier, direct, Box::new(link), ended)?;
    let handle = Handle {
        commands: sender,
        waker,
        report,
        key_failures: Arc::default(),
        place: Arc::default(),
        beside,
    };
    Ok((gateway, handle))
}

/// What others wait for, some of it said in the log.
#[derive(Default, PartialEq, Eq)]
struct Watch {
    up: bool,
    has_session: bool,
    wants_session: bool,
    sessions_taken: u64,
    peer: Option<Address>,
}

/// The core of a gateway with one peer.
struct Link {
    endpoint: Endpoint<Address>,
    commands: Receiver<Command>,
    report: Arc<Mutex<Report>>,
    key: Option<KeyStatus>,
    heard: Watch,
    adviser: Adviser,
    beside: Beside,
    calls: Option<Sender<usize>>,
    look_ups: LookUps,
}

impl Link {
    fn new(
        endpoint: Endpoint<Address>,
        key: Option<KeyStatus>,
        commands: Receiver<Command>,
        report: Arc<Mutex<Report>>,
        beside: Beside,
    ) -> Self {
        Self {
            endpoint,
            commands,
            report,
            key,
            heard: Watch::default(),
            adviser: Adviser::default(),
            beside,
            calls: None,
            look_ups: LookUps::default(),
        }
    }

    fn set_psk(&mut self, psk: Psk, renewal: Renewal) -> Result<KeySet, Error> {
        let before = self.endpoint.key_fingerprint();
        self.endpoint.set_psk(psk)?;
        if renewal == Renewal::Now {
            self.endpoint.erase();
        }
        let is_new = self.endpoint.key_fingerprint() != before;
        if is_new {
            let renewals = self.key.map_or(0, |key| key.renewals);
            self.key = KeyStatus::new(&self.endpoint, renewals + 1);
        }
        let key = self.key.map(|key| key.to_string());
        let sessions_erased = renewal == Renewal::Now;
        if is_new {
            tracing::info!(
                key,
                sessions_erased,
                "new pre-shared key, from the next handshake on"
            );
        } else {
            tracing::info!(
                key,
                sessions_erased,
                "this pre-shared key is in place already"
            );
        }
        let key = self.key.ok_or(Error::NoKey)?;
        Ok(KeySet { key, is_new })
    }
}

impl Core for Link {
    fn kind(&self) -> Kind {
        self.endpoint.identity().kind()
    }

    fn obey(&mut self, system: System) -> bool {
        while let Ok(command) = self.commands.try_recv() {
            match command {
                Command::Stop => return false,
                Command::SetPsk(psk, renewal, request) => {
                    let Some(answer) = request.take() else {
                        continue;
                    };
                    let set = self.set_psk(psk, renewal);
                    // The report first, as below.
                    self.report(system);
                    let _ = answer.try_send(set);
                }
                Command::Load(keys, request) => {
                    let Some(answer) = request.take() else {
                        continue;
                    };
                    let keys = keys.unless_erased_since(self.beside.erasures());
                    let taken =
                        keys.is_some_and(|keys| self.endpoint.load(system.uptime, keys).is_ok());
                    // The report first: who asked then sees a session that waits to be heard.
                    self.report(system);
                    let _ = answer.try_send(taken);
                }
                Command::Move(address) => self.endpoint.set_peer(address),
                Command::Report(request) => {
                    if let Some(answer) = request.take() {
                        self.report(system);
                        let _ = answer.try_send(());
                    }
                }
            }
        }
        true
    }

    fn erase(&mut self) {
        self.endpoint.erase();
        self.beside.erase();
    }

    fn poll(&mut self, now: Duration, send: Out<'_, Address>) {
        self.endpoint.poll(now, send);
        if self.look_ups.is_time(&self.endpoint, now)
            && let Some(calls) = &self.calls
        {
            // Nobody listens where the peer has no name to look up.
            let _ = calls.send(0);
        }
    }

    fn deadline(&self) -> Duration {
        self.look_ups.deadline(&self.endpoint)
    }

    fn deadline_after_one(&self, known: Duration) -> Duration {
        if self.endpoint.is_soon(known) {
            known
        } else {
            self.deadline()
        }
    }

    fn begin_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, Address>],
        keys: &mut Keys,
    ) {
        self.endpoint.begin_receive(now, packets, keys);
    }

    fn finish_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, Address>],
        keys: &Keys,
        send: Out<'_, Address>,
    ) {
        self.endpoint.finish_receive(now, packets, keys, send);
    }

    fn begin_seal(
        &mut self,
        now: Duration,
        frames: &mut [Outgoing<'_>],
        keys: &mut Keys,
        _: Sealed<'_>,
    ) {
        self.endpoint.begin_seal(now, frames, keys);
    }

    fn finish_seal(&mut self, frames: &mut [Outgoing<'_>], keys: &Keys, ways: &mut Ways<Address>) {
        if let Some(to) = self.endpoint.finish_seal(frames, keys) {
            let frames = 0..frames.len();
            ways.push(Way { to, frames });
        }
    }

    fn report(&mut self, system: System) {
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        report.update(&self.endpoint, system.failures, system.uptime);
        report.key = self.key;
        report.erasures = system.erasures;
        report.channel = Some(self.beside.tally(|tally| tally.all));
        if let Some(advice) = self.adviser.watch(&report) {
            tracing::warn!("{advice}");
        }
        report.advice = self.adviser.advice().map(str::to_owned);
    }

    fn tell_changes(&mut self) -> bool {
        let now = Watch {
            up: self.endpoint.is_heard(),
            has_session: self.endpoint.is_up(),
            wants_session: self.endpoint.wants_session(),
            sessions_taken: self.endpoint.counters().sessions_taken,
            peer: self.endpoint.peer(),
        };
        if now == self.heard {
            return false;
        }
        if let Some(peer) = now.peer.filter(|_| now.peer != self.heard.peer) {
            tracing::info!(%peer, "peer's address");
        }
        if now.sessions_taken != self.heard.sessions_taken {
            let (sessions, renewed) = (now.sessions_taken, self.heard.up);
            tracing::info!(sessions, renewed, "session");
        }
        if now.up && !self.heard.up {
            tracing::info!("link up");
        } else if self.heard.up && !now.up {
            let counters = self.endpoint.counters();
            let auth = counters.dropped(DropCause::Auth);
            let lost = counters.trusted_dropped(LocalDrop::NoSession);
            tracing::warn!(
                auth_drops = auth,
                frames_without_session = lost,
                "link down"
            );
        }
        self.heard = now;
        true
    }
}

/// A core that nobody tells anything.
#[cfg(test)]
pub(super) fn untold(endpoint: Endpoint<Address>, beside: Beside) -> impl Core {
    let report = Arc::new(Mutex::new(Report::new(&endpoint, None)));
    Link::new(endpoint, None, channel().1, report, beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> SessionKeys {
        let suite = crate::suite::Suite::by_code(1).expect("a suite");
        let bytes: Vec<u8> = (1..).take(SessionKeys::bytes_len(suite)).collect();
        SessionKeys::from_bytes(suite, &bytes).expect("keys")
    }

    /// A handle, and where what it tells comes out.
    fn handle() -> (Handle, Receiver<Command>) {
        let (commands, told) = channel();
        let ends = crate::schedule::tests::check_ends(
            crate::suite::Suite::by_code(1).expect("a suite"),
            crate::schedule::Role::Initiator,
        );
        let endpoint = Endpoint::new(
            ends,
            crate::endpoint::Timers::default(),
            "192.0.2.1:1".parse().ok().map(Address::Udp),
            crate::schedule::system_random(),
        );
        let handle = Handle {
            commands,
            waker: Waker::pair().expect("a pair").1,
            report: Arc::new(Mutex::new(Report::new(
                &endpoint.expect("an endpoint"),
                None,
            ))),
            key_failures: Arc::default(),
            place: Arc::default(),
            beside: Beside::default(),
        };
        (handle, told)
    }

    #[test]
    fn keys_from_before_an_erasure_are_never_loaded() {
        // What the channel draws it draws after the last erasure that it was told of, not the last that there was.
        for (at_draw, at_load, loads) in [(0, 0, true), (1, 1, true), (0, 1, false), (1, 2, false)]
        {
            let (mut handle, told) = handle();
            let beside = handle.beside.clone();
            (0..at_draw).for_each(|_| beside.erase());
            assert_eq!(noise::Target::forgets(&mut handle), at_draw > 0);
            (at_draw..at_load).for_each(|_| beside.erase());
            let gateway = std::thread::spawn(move || {
                let Ok(Command::Load(keys, request)) = told.recv() else {
                    panic!("no session came");
                };
                let keys = keys.unless_erased_since(at_load);
                let answer = request.take().expect("it is asked still");
                let _ = answer.try_send(keys.is_some());
            });
            assert_eq!(noise::Target::load(&mut handle, 0, keys()), loads);
            gateway.join().expect("it answers");
            assert_eq!(noise::Target::forgets(&mut handle), at_load > at_draw);
        }
    }

    #[test]
    fn a_key_that_was_said_to_have_failed_is_not_put_in_place_later() {
        let (handle, told) = handle();
        let suite = crate::suite::Suite::by_code(1).expect("a suite");
        let psk = Psk::new(suite, &vec![1; suite.block_len()]).expect("a key");
        let set = handle.set_psk(psk, Renewal::Smooth);
        assert!(matches!(set, Err(Error::NoAnswer)));
        let Ok(Command::SetPsk(_, _, request)) = told.try_recv() else {
            panic!("nobody was asked");
        };
        assert!(request.take().is_none());
    }
}
