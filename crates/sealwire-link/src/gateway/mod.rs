// SPDX-License-Identifier: Apache-2.0
//! The gateway's data plane: frames of a TAP or TUN device on one side, packets over UDP or bare Ethernet on the other, an
//! [`Endpoint`] between.
//!
//! One thread does everything, in batches: up to [`BATCH`] packets in one system call on the untrusted side, one call of the library
//! for their cryptography, no allocation per packet. Linux only, behind the feature `gateway`.
//!
//! ```no_run
//! use sealwire_link::{endpoint::{Endpoint, Timers}, gateway::{self, Address, Carrier}, schedule::{Ends, Psk, system_random}, suite::Suite, wire::Kind};
//!
//! let suite = Suite::by_name("omd-blake2b").unwrap();
//! let psk = Psk::new(suite, &std::fs::read("link.key")?)?;
//! let ends = Ends::new(suite, psk, 1u64.to_be_bytes(), 2u64.to_be_bytes(), Kind::Ethernet)?;
//! let endpoint = Endpoint::new(ends, Timers::default(), Some(Address::Udp("192.0.2.2:4500".parse()?)), system_random())?;
//! let device = gateway::open_device("seal0", Kind::Ethernet, Some(1410), None)?;
//! let (gateway, handle) = gateway::new(device, Carrier::udp("0.0.0.0:4500".parse()?)?, endpoint)?;
//! std::thread::spawn(move || println!("{:?}", handle.report().counters));
//! gateway.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod buffers;
mod carrier;
mod clock;
mod copies;
mod report;
mod request;
mod socket;

pub use carrier::{Address, Carrier, ETHERTYPE, Mac, NoMac};
pub use report::{Erasures, Failures, KeyStatus, Report};

use crate::{
    Error,
    endpoint::Endpoint,
    noise::{self, Channel},
    packet::{BATCH, OVERHEAD},
    schedule::Psk,
    session::SessionKeys,
    wire::{DropCause, Kind, LocalDrop, MAX_FRAME},
};
use advice::Adviser;
use arrayvec::ArrayVec;
use buffers::{Frames, Messages};
use clock::Clock;
use copies::Copies;
use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, ppoll},
    sys::time::TimeSpec,
};
use request::{Request, request};
use socket::{Received, Socket};
use std::{
    io::{self, ErrorKind, Read, Write},
    net::SocketAddr,
    os::{fd::AsFd, unix::net::UnixStream},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    time::{Duration, Instant},
};
use tun_rs::{DeviceBuilder, Layer, SyncDevice};

/// Batches of at most this many packets take less room on the stack: one packet at a time is soonest done so.
const FEW: usize = 4;
/// Batches of each direction before timers and commands get their turn.
const ROUNDS: usize = 16;
/// How often the report is renewed while packets flow without a pause.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// Longest wait until the gateway takes up a command. One that it has taken up is waited for.
const ANSWER: Duration = Duration::from_secs(1);
/// Longest wait for packets: the report's times stay fresh.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Opens or makes a TAP (Ethernet) or TUN (IP) device and brings it up. A TAP device gets this address; without one the kernel draws one at
/// random, which the other side's neighbour tables do not know after a restart. Needs `CAP_NET_ADMIN`.
///
/// # Errors
///
/// The operating system's.
pub fn open_device(
    name: &str,
    kind: Kind,
    mtu: Option<u16>,
    mac: Option<Mac>,
) -> io::Result<SyncDevice> {
    let layer = match kind {
        Kind::Ethernet => Layer::L2,
        Kind::Ip => Layer::L3,
    };
    let mut builder = DeviceBuilder::new().name(name).layer(layer);
    if let Some(mtu) = mtu {
        builder = builder.mtu(mtu);
    }
    if let (Kind::Ethernet, Some(mac)) = (kind, mac) {
        builder = builder.mac_addr(mac.bytes());
    }
    builder.build_sync()
}

/// The largest MTU of the device whose packets fit in one packet of the untrusted side. `path_mtu` is the largest IP packet there,
/// or what an Ethernet frame there carries, in bytes; `listen` the own UDP address, `None` on Ethernet.
pub fn device_mtu(path_mtu: u16, kind: Kind, tag_len: usize, listen: Option<SocketAddr>) -> u16 {
    let outer = match listen {
        Some(SocketAddr::V4(_)) => 28,
        Some(SocketAddr::V6(_)) => 48,
        None => 0,
    };
    let ethernet = match kind {
        Kind::Ethernet => 14,
        Kind::Ip => 0,
    };
    let overhead = outer + crate::wire::HEADER_LEN + tag_len + ethernet;
    path_mtu.saturating_sub(overhead as u16) // at most 48 + 16 + 32 + 14
}

/// What a running gateway can be told.
enum Command {
    Stop,
    /// Put a key in place and say what is there then.
    SetPsk(Psk, Renewal, Request<Result<KeyStatus, Error>>),
    /// Load a session and say whether it was taken.
    Load(Fresh, Request<bool>),
}

/// Keys that serve only as long as nothing is erased: a copy of this machine may hold older ones, too.
struct Fresh {
    keys: SessionKeys,
    /// How many erasures the giver knew of when it drew them.
    erasures: u64,
}

impl Fresh {
    fn unless_erased_since(self, erasures: u64) -> Option<SessionKeys> {
        (self.erasures == erasures).then_some(self.keys)
    }
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
    wake: Arc<UnixStream>,
    report: Arc<Mutex<Report>>,
    channel: Arc<Mutex<noise::Counts>>,
    has_channel: bool,
    key_failures: Arc<AtomicU64>,
    erased: Arc<AtomicU64>,
    /// How many of `erased` this handle's channel knows of.
    erased_known: u64,
    ended: Arc<AtomicBool>,
}

impl Handle {
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
    pub fn set_psk(&self, psk: Psk, renewal: Renewal) -> Result<KeyStatus, Error> {
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
        self.load_fresh(Fresh {
            keys,
            erasures: self.erased.load(Ordering::Relaxed),
        })
    }

    fn load_fresh(&self, keys: Fresh) -> bool {
        let (request, asked) = request();
        self.tell(Command::Load(keys, request));
        asked.wait(ANSWER).unwrap_or(false)
    }

    /// Brings this end's sessions through a Noise channel until the gateway has ended. To be called in a thread of its own, on a handle
    /// that [`Handle::with_channel`] has made.
    ///
    /// # Errors
    ///
    /// The operating system's, when it cannot use the socket.
    pub fn run_channel(mut self, channel: Channel) -> io::Result<()> {
        let counts = Arc::clone(&self.channel);
        channel.run(&mut self, &counts)
    }

    /// Makes the reports of this handle tell of a Noise channel.
    #[must_use]
    pub fn with_channel(self) -> Self {
        Self {
            has_channel: true,
            ..self
        }
    }

    /// Counters and states, at most a second old.
    pub fn report(&self) -> Report {
        let report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = self.channel.lock().unwrap_or_else(PoisonError::into_inner);
        Report {
            channel: self.has_channel.then_some(*counts),
            key_failures: self.key_failures.load(Ordering::Relaxed),
            ..report.clone()
        }
    }

    fn tell(&self, command: Command) {
        // If the gateway has ended there is nobody to tell; if its pipe is full it is awake already.
        if self.commands.send(command).is_ok() {
            let _ = (&*self.wake).write(&[1]);
        }
    }
}

impl noise::Target for Handle {
    fn wants_session(&mut self) -> bool {
        self.report().wants_session
    }

    fn is_up(&mut self) -> bool {
        self.report().has_session
    }

    fn load(&mut self, keys: SessionKeys) -> bool {
        let taken = self.load_fresh(Fresh {
            keys,
            erasures: self.erased_known,
        });
        if taken {
            tracing::info!("a session came through the Noise channel");
        } else {
            tracing::warn!("a session from the Noise channel was not taken");
        }
        taken
    }

    fn forgets(&mut self) -> bool {
        let erased = self.erased.load(Ordering::Relaxed);
        std::mem::replace(&mut self.erased_known, erased) != erased
    }

    fn is_finished(&mut self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// A gateway that is ready to run.
pub struct Gateway {
    device: SyncDevice,
    carrier: Carrier,
    endpoint: Endpoint<Address>,
    commands: Receiver<Command>,
    wake: UnixStream,
    report: Arc<Mutex<Report>>,
    channel: Arc<Mutex<noise::Counts>>,
    erased: Arc<AtomicU64>,
    ended: Arc<AtomicBool>,
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
    device.set_nonblocking(true)?;
    let (wake, waker) = UnixStream::pair()?;
    wake.set_nonblocking(true)?;
    waker.set_nonblocking(true)?;
    let (sender, commands) = channel();
    let report = Arc::new(Mutex::new(Report::new(&endpoint)));
    let ended = Arc::new(AtomicBool::new(false));
    let erased = Arc::new(AtomicU64::new(0));
    let counts: Arc<Mutex<noise::Counts>> = Arc::default();
    let gateway = Gateway {
        device,
        carrier,
        endpoint,
        commands,
        wake,
        report: Arc::clone(&report),
        channel: Arc::clone(&counts),
        erased: Arc::clone(&erased),
        ended: Arc::clone(&ended),
    };
    let handle = Handle {
        commands: sender,
        wake: Arc::new(waker),
        report,
        channel: counts,
        has_channel: false,
        key_failures: Arc::default(),
        erased,
        erased_known: 0,
        ended,
    };
    Ok((gateway, handle))
}

impl Gateway {
    /// Carries packets until [`Handle::stop`] is called.
    ///
    /// # Errors
    ///
    /// When the device or the socket is gone. Packets that one of them refuses are counted and do not end the run.
    pub fn run(self) -> io::Result<()> {
        let ended = Arc::clone(&self.ended);
        let done = self.carry();
        ended.store(true, Ordering::Relaxed);
        done
    }

    fn carry(self) -> io::Result<()> {
        let Self {
            device,
            carrier,
            endpoint,
            commands,
            wake,
            report,
            channel,
            erased,
            ended: _,
        } = self;
        let socket = Socket::new(&carrier);
        let (cuts, joins) = socket.offload();
        tracing::info!(cuts, joins, "packets of one size, by the kernel");
        let copies = Copies::watch()
            .inspect_err(|error| tracing::warn!(%error, "the kernel's events cannot be heard"))
            .ok();
        tracing::info!(
            copies = copies.is_some() && Copies::are_told(),
            "the kernel tells when this machine is a copy"
        );
        let mut plane = Plane {
            inbound: socket.messages(),
            socket,
            device: &device,
            key: KeyStatus::new(&endpoint, 0),
            endpoint,
            clock: Clock::new(),
            failures: Failures::default(),
            erasures: Erasures::default(),
            outbound: Frames::new(),
            heard: Watch::default(),
            adviser: Adviser::default(),
            channel,
        };
        let mut reported = Instant::now();
        let (mut device_ready, mut socket_ready) = (true, true);
        loop {
            while let Ok(command) = commands.try_recv() {
                match command {
                    Command::Stop => {
                        plane.write_report(&report);
                        return Ok(());
                    }
                    Command::SetPsk(psk, renewal, request) => {
                        let Some(answer) = request.take() else {
                            continue;
                        };
                        let set = plane.set_psk(psk, renewal);
                        // The report first, as below.
                        plane.write_report(&report);
                        let _ = answer.try_send(set);
                    }
                    Command::Load(keys, request) => {
                        let Some(answer) = request.take() else {
                            continue;
                        };
                        let keys = keys.unless_erased_since(erased.load(Ordering::Relaxed));
                        let taken = keys.is_some_and(|keys| plane.load(keys));
                        // The report first: who asked then sees a session that waits to be heard.
                        plane.write_report(&report);
                        let _ = answer.try_send(taken);
                    }
                }
            }
            // Before anything is sealed or opened: a copy must not go on where its original does.
            let copied = copies.as_ref().is_some_and(Copies::came);
            if plane.clock.has_slept() || copied {
                plane.erase(copied);
                erased.fetch_add(1, Ordering::Relaxed);
            }
            plane.poll();
            plane.socket.check()?;
            for _ in 0..ROUNDS {
                if socket_ready {
                    socket_ready = plane.receive()?;
                }
                if device_ready {
                    device_ready = plane.send()?;
                }
                if !socket_ready && !device_ready {
                    break;
                }
            }
            plane.tell_changes();
            let busy = socket_ready || device_ready;
            if !busy || reported.elapsed() >= REPORT_EVERY {
                plane.write_report(&report);
                reported = Instant::now();
            }
            if !busy {
                let wait = plane.wait();
                let sides = [carrier.as_fd(), device.as_fd(), wake.as_fd()];
                let mut fds: ArrayVec<_, 4> = sides
                    .into_iter()
                    .chain(copies.as_ref().map(AsFd::as_fd))
                    .map(|fd| PollFd::new(fd, PollFlags::POLLIN))
                    .collect();
                match ppoll(&mut fds, Some(TimeSpec::from_duration(wait)), None) {
                    Ok(_) | Err(Errno::EINTR) => {}
                    Err(error) => return Err(error.into()),
                }
                let ready = |fd: &PollFd<'_>| fd.any().unwrap_or(true);
                (socket_ready, device_ready) = (ready(&fds[0]), ready(&fds[1]));
                if ready(&fds[2]) {
                    while (&wake).read(&mut [0; 64]).is_ok_and(|n| n > 0) {}
                }
            }
        }
    }
}

/// What was last said about the link in the log.
#[derive(Default)]
struct Watch {
    up: bool,
    sessions_taken: u64,
    peer: Option<Address>,
}

/// Everything that a running gateway works with.
struct Plane<'a> {
    socket: Socket<'a>,
    device: &'a SyncDevice,
    endpoint: Endpoint<Address>,
    clock: Clock,
    key: Option<KeyStatus>,
    failures: Failures,
    erasures: Erasures,
    inbound: Messages,
    outbound: Frames,
    heard: Watch,
    adviser: Adviser,
    channel: Arc<Mutex<noise::Counts>>,
}

impl Plane<'_> {
    /// The endpoint's clock.
    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn set_psk(&mut self, psk: Psk, renewal: Renewal) -> Result<KeyStatus, Error> {
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
        self.key.ok_or(Error::NoKey)
    }

    fn load(&mut self, keys: SessionKeys) -> bool {
        self.endpoint.load(self.now(), keys).is_ok()
    }

    /// Erases what a copy of this machine may hold, too, or what somebody may have read while it slept.
    fn erase(&mut self, copied: bool) {
        self.endpoint.erase();
        if copied {
            self.erasures.copies += 1;
            tracing::warn!("this machine is a copy of another: sessions erased");
        } else {
            self.erasures.sleeps += 1;
            tracing::warn!("this machine was suspended: sessions erased");
        }
    }

    /// How long nothing is due.
    fn wait(&self) -> Duration {
        let wait = self.endpoint.deadline().saturating_sub(self.now());
        wait.min(LONGEST_WAIT)
    }

    fn poll(&mut self) {
        let now = self.now();
        let (socket, failures) = (&self.socket, &mut self.failures);
        self.endpoint.poll(now, &mut |to, packet| {
            failures.unsent += u64::from(!socket.send_one(to, packet));
        });
    }

    /// Takes a batch from the untrusted side. True if there may be more.
    fn receive(&mut self) -> io::Result<bool> {
        let Received { count, more } = self.socket.receive(&mut self.inbound)?;
        if count == 0 {
            return Ok(false);
        }
        self.failures.foreign += self.inbound.foreign(count);
        if self.inbound.packets(count) <= FEW {
            self.open::<FEW>(count)?;
        } else {
            self.open::<BATCH>(count)?;
        }
        Ok(more)
    }

    /// Opens what these messages hold and delivers it, `N` packets at a time.
    fn open<const N: usize>(&mut self, count: usize) -> io::Result<()> {
        let now = self.now();
        let mut packets = self.inbound.incoming(count);
        let (socket, failures) = (&self.socket, &mut self.failures);
        loop {
            let mut batch: ArrayVec<_, N> = packets.by_ref().take(N).collect();
            if batch.is_empty() {
                break;
            }
            self.endpoint.receive(now, &mut batch, &mut |to, packet| {
                failures.unsent += u64::from(!socket.send_one(to, packet));
            });
            for packet in &batch {
                if let Some(frame) = packet.frame()
                    && let Err(error) = self.device.send(frame)
                {
                    failures.undelivered += 1;
                    check_device(&error)?;
                }
            }
        }
        Ok(())
    }

    /// Takes a batch of frames from the trusted side. True if there may be more.
    fn send(&mut self) -> io::Result<bool> {
        let mut count = 0;
        let mut more = true;
        while count < BATCH {
            match self.device.recv(self.outbound.room(count)) {
                Ok(0) => {}
                Ok(len) => {
                    self.outbound.set_len(count, len);
                    count += 1;
                }
                Err(error) => {
                    check_device(&error)?;
                    more = false;
                    break;
                }
            }
        }
        match count {
            0 => {}
            1..=FEW => self.seal::<FEW>(count),
            _ => self.seal::<BATCH>(count),
        }
        Ok(more)
    }

    /// Seals the first frames, `N` at most, and sends them.
    fn seal<const N: usize>(&mut self, count: usize) {
        let now = self.now();
        let mut batch = self.outbound.outgoing::<N>(count);
        if let Some(to) = self.endpoint.seal(now, &mut batch) {
            self.failures.unsent += self.socket.send(to, &batch);
        }
    }

    fn write_report(&mut self, report: &Mutex<Report>) {
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
        report.update(&self.endpoint, self.failures, self.now());
        report.key = self.key;
        report.erasures = self.erasures;
        report.channel = Some(*self.channel.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(advice) = self.adviser.watch(&report) {
            tracing::warn!("{advice}");
        }
        report.advice = self.adviser.advice().map(str::to_owned);
    }

    /// Logs what a person should know.
    fn tell_changes(&mut self) {
        let (up, peer) = (self.endpoint.is_heard(), self.endpoint.peer());
        let taken = self.endpoint.counters().sessions_taken;
        if peer != self.heard.peer {
            if let Some(peer) = peer {
                tracing::info!(%peer, "peer's address");
            }
            self.heard.peer = peer;
        }
        if taken != self.heard.sessions_taken {
            let renewed = self.heard.up;
            tracing::info!(sessions = taken, renewed, "session");
            self.heard.sessions_taken = taken;
        }
        if up != self.heard.up {
            if up {
                tracing::info!("link up");
            } else {
                let counters = self.endpoint.counters();
                let auth = counters.dropped(DropCause::Auth);
                let lost = counters.trusted_dropped(LocalDrop::NoSession);
                tracing::warn!(
                    auth_drops = auth,
                    frames_without_session = lost,
                    "link down"
                );
            }
            self.heard.up = up;
        }
    }
}

/// A packet that the device does not take or have now is no reason to end; a device that is gone is.
fn check_device(error: &io::Error) -> io::Result<()> {
    let gone = matches!(
        error.raw_os_error().map(Errno::from_raw),
        Some(Errno::EBADF | Errno::EBADFD | Errno::ENODEV | Errno::ENXIO)
    );
    if gone && error.kind() != ErrorKind::WouldBlock {
        return Err(io::Error::new(
            error.kind(),
            format!("the network device is gone: {error}"),
        ));
    }
    Ok(())
}

/// Bytes of one buffer: any packet with a frame that the link carries, and one byte to tell that a frame is too long.
const BUFFER: usize = MAX_FRAME + OVERHEAD + 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_leaves_room_for_what_is_put_around() {
        let [v4, v6] = ["192.0.2.1:1", "[::1]:1"].map(|text| text.parse().ok());
        assert_eq!(device_mtu(1500, Kind::Ethernet, 32, v4), 1410);
        assert_eq!(device_mtu(1500, Kind::Ip, 20, v6), 1416);
        assert_eq!(device_mtu(1500, Kind::Ethernet, 32, None), 1438);
        assert_eq!(device_mtu(10, Kind::Ip, 20, v6), 0);
    }

    fn keys() -> SessionKeys {
        let suite = crate::suite::Suite::by_code(1).expect("a suite");
        SessionKeys::from_bytes(suite, &vec![7; SessionKeys::bytes_len(suite)]).expect("keys")
    }

    /// A handle, and where what it tells comes out.
    fn handle() -> (Handle, Receiver<Command>) {
        let (commands, told) = channel();
        let (waker, _) = UnixStream::pair().expect("a pair");
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
            wake: Arc::new(waker),
            report: Arc::new(Mutex::new(Report::new(&endpoint.expect("an endpoint")))),
            channel: Arc::default(),
            has_channel: false,
            key_failures: Arc::default(),
            erased: Arc::default(),
            erased_known: 0,
            ended: Arc::default(),
        };
        (handle, told)
    }

    #[test]
    fn keys_from_before_an_erasure_are_never_loaded() {
        // What the channel draws it draws after the last erasure that it was told of, not the last that there was.
        for (at_draw, at_load, loads) in [(0, 0, true), (1, 1, true), (0, 1, false), (1, 2, false)]
        {
            let (mut handle, told) = handle();
            let erased = Arc::clone(&handle.erased);
            erased.store(at_draw, Ordering::Relaxed);
            assert_eq!(noise::Target::forgets(&mut handle), at_draw > 0);
            erased.store(at_load, Ordering::Relaxed);
            let gateway = std::thread::spawn(move || {
                let Ok(Command::Load(keys, request)) = told.recv() else {
                    panic!("no session came");
                };
                let keys = keys.unless_erased_since(at_load);
                let answer = request.take().expect("it is asked still");
                let _ = answer.try_send(keys.is_some());
            });
            assert_eq!(noise::Target::load(&mut handle, keys()), loads);
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

    #[test]
    fn only_a_lost_device_ends_the_run() {
        let error = |errno: Errno| check_device(&io::Error::from(errno)).is_err();
        assert!(!error(Errno::EAGAIN) && !error(Errno::EIO) && !error(Errno::ENOBUFS));
        assert!(error(Errno::EBADFD) && error(Errno::ENODEV));
    }
}
