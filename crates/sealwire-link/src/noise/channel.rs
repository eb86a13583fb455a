// SPDX-License-Identifier: Apache-2.0
//! The channel over UDP: a socket and the end whose sessions it brings.

use super::{Caller, Listener, MAX_DATAGRAM, Refusal, Source, StaticKeys};
use crate::{
    Error,
    endpoint::Random,
    schedule::{Identity, Role},
    session::SessionKeys,
};
use std::{
    io,
    net::{IpAddr, SocketAddr, UdpSocket},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// How often the end is asked whether it wants a session.
const TICK: Duration = Duration::from_millis(50);

/// The end that takes the sessions.
pub trait Target {
    /// Whether the initiator's end needs a session.
    fn wants_session(&mut self) -> bool;
    /// Whether a session lives.
    fn is_up(&mut self) -> bool;
    /// Loads a session; false if it was not taken.
    fn load(&mut self, keys: SessionKeys) -> bool;
    /// Whether this end's sessions were erased since this was last asked: then what the channel holds of one under way goes, too. Asked
    /// before each step of the channel, so that keys given to [`Target::load`] were drawn after the last erasure that it told of.
    fn forgets(&mut self) -> bool {
        false
    }
    /// Whether the channel is to end.
    fn is_finished(&mut self) -> bool;
}

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
}

/// One end's channel.
pub struct Channel {
    socket: UdpSocket,
    side: Side,
}

enum Side {
    Caller(Box<Caller>, SocketAddr),
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
    /// A channel over this socket. An initiator needs the peer's address; a responder that has it keeps part of what it looks at for its
    /// caller from the start, and otherwise from the first session on. The initiator calls the peer and hears no other address; the responder answers whoever
    /// holds the other key.
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
        let side = match identity.role() {
            Role::Initiator => Side::Caller(
                Box::new(Caller::new(identity, keys, random)),
                peer.ok_or(Error::NoPeer)?,
            ),
            Role::Responder => {
                let known = Known {
                    configured: peer.map(|peer| peer.ip().to_canonical()),
                    proved: None,
                };
                Side::Listener(Box::new(Listener::new(identity, keys)), known)
            }
        };
        Ok(Self { socket, side })
    }

    /// Brings sessions until the target is finished.
    ///
    /// # Errors
    ///
    /// The operating system's, when the socket takes no timeout.
    pub fn run(mut self, target: &mut dyn Target, counts: &Mutex<Counts>) -> io::Result<()> {
        self.socket.set_nonblocking(false)?;
        self.socket.set_read_timeout(Some(TICK))?;
        let began = Instant::now();
        // One byte more than any message, so that one that is too long is seen to be so.
        let mut buffer = [0; MAX_DATAGRAM + 1];
        let mut last_tick = None;
        while !target.is_finished() {
            let now = began.elapsed();
            if last_tick.is_none_or(|last| now.saturating_sub(last) >= TICK) {
                last_tick = Some(now);
                self.obey(target);
                let failed_starts = self.poll(now, target);
                lock(counts).failed_starts = failed_starts;
            }
            let (len, from) = match self.socket.recv_from(&mut buffer) {
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
            let outcome = self.receive(began.elapsed(), &buffer[..len], from, target);
            let mut counts = lock(counts);
            counts.received += 1;
            match outcome {
                Ok(loaded) => {
                    counts.taken += 1;
                    counts.loaded += u64::from(loaded);
                }
                Err(refusal) => counts.drops[refusal as usize] += 1,
            }
        }
        Ok(())
    }

    /// Drops the channels that are under way if the target's sessions were erased.
    fn obey(&mut self, target: &mut dyn Target) {
        if target.forgets() {
            self.side.forget();
        }
    }

    /// Lets a caller send what is due, and gives how many of its channels could not be begun so far.
    fn poll(&mut self, now: Duration, target: &mut dyn Target) -> u64 {
        let Side::Caller(caller, peer) = &mut self.side else {
            return 0;
        };
        let time = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_micros() as u64); // until the year 586000
        let wanted = target.wants_session();
        let (socket, peer) = (&self.socket, *peer);
        caller.poll(now, wanted, time, &mut |message| {
            send(socket, message, peer)
        });
        caller.failed_starts()
    }

    /// True if a session was loaded.
    fn receive(
        &mut self,
        now: Duration,
        datagram: &[u8],
        from: SocketAddr,
        target: &mut dyn Target,
    ) -> Result<bool, Refusal> {
        let socket = &self.socket;
        match &mut self.side {
            Side::Caller(caller, peer) => {
                let peer = *peer;
                if !is_same(from, peer) {
                    return Err(Refusal::Address);
                }
                let keys = caller.receive(now, datagram, &mut |message| {
                    send(socket, message, peer);
                })?;
                match keys.map(|keys| target.load(keys)) {
                    Some(false) => Err(Refusal::NotTaken),
                    loaded => Ok(loaded.is_some()),
                }
            }
            Side::Listener(listener, known) => {
                let up = target.is_up();
                let loaded = listener.receive_from(
                    now,
                    known.source(from),
                    datagram,
                    up,
                    &mut |keys| target.load(keys),
                    &mut |message| send(socket, message, from),
                )?;
                if loaded {
                    known.proved = Some(from.ip().to_canonical());
                }
                Ok(loaded)
            }
        }
    }
}

fn lock(counts: &Mutex<Counts>) -> MutexGuard<'_, Counts> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether two addresses are one host and port, whatever else the system says of an IPv6 address.
fn is_same(one: SocketAddr, other: SocketAddr) -> bool {
    (one.ip().to_canonical(), one.port()) == (other.ip().to_canonical(), other.port())
}

/// What is not sent is sent again later.
fn send(socket: &UdpSocket, message: &[u8], to: SocketAddr) {
    let _ = socket.send_to(message, to);
}

/// Whether an error only says that nothing came.
fn is_quiet(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}
