// SPDX-License-Identifier: Apache-2.0
//! The gateway's data plane: frames of a TAP or TUN device on one side, packets over UDP or bare Ethernet on the other, an
//! [`Endpoint`](crate::endpoint::Endpoint) between.
//!
//! Each thread does everything, in batches: up to [`BATCH`](crate::packet::BATCH) packets in one system call on the untrusted side, one call of the library
//! for their cryptography, no allocation per packet. One thread is enough for one peer; those of a hub may be more, and share the hub under a
//! lock that none holds during the cryptography, input and output of a batch. Linux only, behind the feature `gateway`.
//!
//! ```no_run
//! use sealwire_link::{endpoint::{Endpoint, Timers}, gateway::{self, Address, Carrier}, schedule::{Ends, Psk, system_random}, suite::Suite, wire::Kind};
//!
//! let suite = Suite::by_name("omd-blake2b").unwrap();
//! let psk = Psk::new(suite, &std::fs::read("link.key")?)?;
//! let ends = Ends::new(suite, psk, 1u64.to_be_bytes(), 2u64.to_be_bytes(), Kind::Ethernet)?;
//! let endpoint = Endpoint::new(ends, Timers::default(), Some(Address::Udp("192.0.2.2:4500".parse()?)), system_random())?;
//! let device = gateway::open_device("seal0", Kind::Ethernet, Some(1410), None, 1)?;
//! let (gateway, handle) = gateway::new(device, Carrier::udp("0.0.0.0:4500".parse()?)?, endpoint)?;
//! std::thread::spawn(move || println!("{:?}", handle.report().counters));
//! gateway.run()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod beside;
mod buffers;
mod carrier;
mod clock;
mod copies;
mod core;
mod direct;
mod flow;
mod fresh;
mod hub;
mod plane;
mod report;
mod request;
mod shared;
mod single;
mod socket;
mod wait;

pub use beside::{Beside, ChannelHandle};
pub use carrier::{Address, Carrier, ETHERTYPE, Mac, NoMac};
pub use hub::{HubHandle, HubReport, PeerReport, hub};
pub use report::{Erasures, Failures, KeySet, KeyStatus, Report};
pub use single::{Handle, Renewal, calling, new};
pub use tun_rs::SyncDevice;

use self::core::Core;
use crate::{
    packet::OVERHEAD,
    wire::{Kind, MAX_FRAME},
};
use nix::errno::Errno;
use plane::Plane;
use shared::Shared;
use std::{
    io::{self, ErrorKind, Write},
    net::SocketAddr,
    os::{fd::AsFd, unix::net::UnixStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use tun_rs::{DeviceBuilder, Layer};

/// Opens or makes a TAP (Ethernet) or TUN (IP) device and brings it up. A TAP device gets this address; without one the kernel draws one at
/// random, which the other side's neighbour tables do not know after a restart. For more than one of `threads`
/// it has several queues. Needs `CAP_NET_ADMIN`.
///
/// # Errors
///
/// The operating system's.
pub fn open_device(
    name: &str,
    kind: Kind,
    mtu: Option<u16>,
    mac: Option<Mac>,
    threads: usize,
) -> io::Result<SyncDevice> {
    let layer = match kind {
        Kind::Ethernet => Layer::L2,
        Kind::Ip => Layer::L3,
    };
    let mut builder = DeviceBuilder::new()
        .name(name)
        .layer(layer)
        .multi_queue(threads > 1);
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
    /// One for each thread.
    sides: Vec<Side>,
    core: Box<dyn Core>,
    wake: UnixStream,
    waker: Waker,
    ended: Arc<AtomicBool>,
}

/// What one thread reads and writes: a queue of the device, and a socket.
struct Side<D = SyncDevice> {
    device: D,
    carrier: Carrier,
    /// At the carrier's address, for the only peer.
    direct: Option<Carrier>,
}

/// What frames are read from and written to, one a call. Tests have a socket in place of the kernel's device.
trait Device: AsFd {
    fn recv(&self, room: &mut [u8]) -> io::Result<usize>;
    fn send(&self, frame: &[u8]) -> io::Result<usize>;
}

impl Device for SyncDevice {
    // Not by the C library, which makes each of its calls a place where a thread may be cancelled.
    fn recv(&self, room: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(self, room)?)
    }

    fn send(&self, frame: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(self, frame)?)
    }
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
    /// `ended` is set when the run has ended.
    fn new(
        device: SyncDevice,
        carrier: Carrier,
        direct: Option<Carrier>,
        core: Box<dyn Core>,
        ended: Arc<AtomicBool>,
    ) -> io::Result<(Self, Waker)> {
        device.set_nonblocking(true)?;
        let (wake, waker) = Waker::pair()?;
        let gateway = Self {
            sides: vec![Side {
                device,
                carrier,
                direct,
            }],
            core,
            wake,
            waker: waker.clone(),
            ended,
        };
        Ok((gateway, waker))
    }

    /// Carries packets in one more thread, which has this socket ([`Carrier::another`]) and a queue of the device of its own. The kernel
    /// leads the packets of one address, and the frames of one flow, to one thread, which keeps their order.
    ///
    /// # Errors
    ///
    /// The operating system's, if the device was not opened for several threads or may not be opened again.
    pub fn add_thread(&mut self, carrier: Carrier) -> io::Result<()> {
        if let Some(Side { device, .. }) = self.sides.first() {
            let device = device.try_clone()?;
            device.set_nonblocking(true)?;
            self.sides.push(Side {
                device,
                carrier,
                direct: None,
            });
        }
        Ok(())
    }

    /// Carries packets until its handle's `stop` is called.
    ///
    /// # Errors
    ///
    /// When the device or the socket is gone. Packets that one of them refuses are counted and do not end the run.
    pub fn run(self) -> io::Result<()> {
        let Self {
            sides,
            core,
            wake,
            waker,
            ended,
        } = self;
        let _ended = Ended(ended);
        let shared = &Shared::new(core, waker)?;
        let [first, more @ ..] = sides.as_slice() else {
            return Ok(());
        };
        let lead = || {
            let mut plane = Plane::new(first, &sides, shared);
            plane.leads = true;
            plane.tell_offload();
            plane.run(&wake)
        };
        let follow = |side| {
            let sides = &sides;
            move || Plane::new(side, sides, shared).run(shared.stopped())
        };
        shared.run(lead, more.iter().map(follow))
    }
}

/// Says that the run has ended, however it did.
struct Ended(Arc<AtomicBool>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The system's words for an error, without its number.
fn in_words(error: &io::Error) -> String {
    error.raw_os_error().map_or_else(
        || error.to_string(),
        |number| Errno::from_raw(number).desc().to_owned(),
    )
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
            format!("the network device is gone: {}", in_words(error)),
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
    fn a_device_that_is_gone_is_said_without_a_number() {
        let gone = check_device(&Errno::ENODEV.into()).unwrap_err();
        let said = gone.to_string();
        assert!(
            said.starts_with("the network device is gone: ") && !said.contains("os error"),
            "{said}"
        );
        assert!(check_device(&Errno::EIO.into()).is_ok());
        assert_eq!(in_words(&io::Error::other("own words")), "own words");
    }

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
