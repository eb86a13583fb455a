// SPDX-License-Identifier: Apache-2.0
//! The gateway's data plane: frames of a TAP or TUN device on one side, packets over UDP or bare Ethernet on the other, an
//! [`Endpoint`](crate::endpoint::Endpoint) between.
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
mod core;
mod fresh;
mod hub;
mod report;
mod request;
mod single;
mod socket;

pub use carrier::{Address, Carrier, ETHERTYPE, Mac, NoMac};
pub use hub::{HubHandle, HubReport, PeerReport, hub};
pub use report::{Erasures, Failures, KeyStatus, Report};
pub use single::{Handle, Renewal, new};
pub use tun_rs::SyncDevice;

use self::core::{Core, System};
use crate::{
    packet::{BATCH, OVERHEAD},
    wire::{Kind, MAX_FRAME},
};
use arrayvec::ArrayVec;
use buffers::{Frames, Messages};
use clock::Clock;
use copies::Copies;
use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, ppoll},
    sys::time::TimeSpec,
};
use socket::{Received, Socket};
use std::{
    io::{self, ErrorKind, Read, Write},
    net::SocketAddr,
    os::{fd::AsFd, unix::net::UnixStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tun_rs::{DeviceBuilder, Layer};

/// Batches of at most this many packets take less room on the stack: one packet at a time is soonest done so.
const FEW: usize = 4;
/// Batches of each direction before timers and commands get their turn.
const ROUNDS: usize = 16;
/// How often the report is renewed while packets flow without a pause.
const REPORT_EVERY: Duration = Duration::from_millis(100);
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

/// A gateway that is ready to run.
pub struct Gateway {
    device: SyncDevice,
    carrier: Carrier,
    core: Box<dyn Core>,
    wake: UnixStream,
    ended: Arc<AtomicBool>,
}

/// Wakes a gateway that waits for packets, for there is something else to do.
#[derive(Debug, Clone)]
struct Waker(Arc<UnixStream>);

impl Waker {
    /// What is to be waited for, and what ends the wait.
    fn pair() -> io::Result<(UnixStream, Self)> {
        let (wake, waker) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        waker.set_nonblocking(true)?;
        Ok((wake, Self(Arc::new(waker))))
    }

    fn wake(&self) {
        // If the pipe is full the gateway is awake already.
        let _ = (&*self.0).write(&[1]);
    }
}

impl Gateway {
    fn new(device: SyncDevice, carrier: Carrier, core: Box<dyn Core>) -> io::Result<(Self, Waker)> {
        device.set_nonblocking(true)?;
        let (wake, waker) = Waker::pair()?;
        let gateway = Self {
            device,
            carrier,
            core,
            wake,
            ended: Arc::default(),
        };
        Ok((gateway, waker))
    }

    /// What says that the run has ended.
    fn ended(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.ended)
    }

    /// Carries packets until its handle's `stop` is called.
    ///
    /// # Errors
    ///
    /// When the device or the socket is gone. Packets that one of them refuses are counted and do not end the run.
    pub fn run(self) -> io::Result<()> {
        let ended = self.ended();
        let done = self.carry();
        ended.store(true, Ordering::Relaxed);
        done
    }

    fn carry(self) -> io::Result<()> {
        let Self {
            device,
            carrier,
            core,
            wake,
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
            core,
            clock: Clock::new(),
            failures: Failures::default(),
            erasures: Erasures::default(),
            outbound: Frames::new(),
            asked: BATCH,
        };
        let mut reported = Instant::now();
        let (mut device_ready, mut socket_ready) = (true, true);
        let (mut device_was_ready, mut may_be_copy) = (true, true);
        loop {
            let system = plane.system();
            if !plane.core.obey(system) {
                plane.core.report(system);
                return Ok(());
            }
            // Before anything is sealed or opened: a copy must not go on where its original does.
            // While this end waits, the kernel says whether there is an event to read: a packet that comes alone costs no call for it.
            let copied = may_be_copy && copies.as_ref().is_some_and(Copies::came);
            may_be_copy = true;
            if plane.clock.has_slept() || copied {
                plane.erase(copied);
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
            plane.core.tell_changes();
            let busy = socket_ready || device_ready;
            if !busy || reported.elapsed() >= REPORT_EVERY {
                let system = plane.system();
                plane.core.report(system);
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
                let was_interrupted =
                    match ppoll(&mut fds, Some(TimeSpec::from_duration(wait)), None) {
                        Ok(_) => false,
                        Err(Errno::EINTR) => true,
                        Err(error) => return Err(error.into()),
                    };
                let ready = |fd: &PollFd<'_>| fd.any().unwrap_or(true);
                (socket_ready, device_ready) = (ready(&fds[0]), ready(&fds[1]));
                may_be_copy = was_interrupted || fds.get(3).is_some_and(ready);
                // A frame that comes alone is followed by a packet or by silence; frames after frames come many at a time.
                plane.asked = if device_ready && !device_was_ready {
                    1
                } else {
                    BATCH
                };
                device_was_ready = device_ready;
                if ready(&fds[2]) {
                    while (&wake).read(&mut [0; 64]).is_ok_and(|n| n > 0) {}
                }
            }
        }
    }
}

/// Everything that a running gateway works with.
struct Plane<'a> {
    socket: Socket<'a>,
    device: &'a SyncDevice,
    core: Box<dyn Core>,
    clock: Clock,
    failures: Failures,
    erasures: Erasures,
    inbound: Messages,
    outbound: Frames,
    /// Frames that the device is asked for in a row.
    asked: usize,
}

impl Plane<'_> {
    /// The core's clock.
    fn now(&self) -> Duration {
        self.clock.now()
    }

    fn system(&self) -> System {
        System {
            failures: self.failures,
            erasures: self.erasures,
            uptime: self.now(),
        }
    }

    /// Erases what a copy of this machine may hold, too, or what somebody may have read while it slept.
    fn erase(&mut self, copied: bool) {
        self.core.erase();
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
        let wait = self.core.deadline().saturating_sub(self.now());
        wait.min(LONGEST_WAIT)
    }

    fn poll(&mut self) {
        let now = self.now();
        let (socket, failures) = (&self.socket, &mut self.failures);
        self.core.poll(now, &mut |to, packet| {
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
            self.core.receive(now, &mut batch, &mut |to, packet| {
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
        // Behind a single frame the next wait says whether there is another, as a call in vain would.
        let mut more = self.asked > 1;
        while count < self.asked {
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
        let (socket, failures) = (&mut self.socket, &mut self.failures);
        self.core.seal(now, &mut batch, &mut |to, sealed| {
            failures.unsent += socket.send(to, sealed);
        });
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

    #[test]
    fn only_a_lost_device_ends_the_run() {
        let error = |errno: Errno| check_device(&io::Error::from(errno)).is_err();
        assert!(!error(Errno::EAGAIN) && !error(Errno::EIO) && !error(Errno::ENOBUFS));
        assert!(error(Errno::EBADFD) && error(Errno::ENODEV));
    }
}
