// SPDX-License-Identifier: Apache-2.0
//! A gateway with sockets of the test for its device, its peers and the kernel, and clocks of the test: what becomes of its sessions when the
//! machine slept or is a copy.

use super::*;
use crate::{
    endpoint::{Endpoint, Timers},
    gateway::{
        Address, Erasures, Waker, beside::Beside, clock::Clock, core::Core, direct, hub, single,
    },
    hub::{Hub, PeerSetup},
    packet::{Incoming, OVERHEAD, Outgoing},
    schedule::{Ends, Psk, system_random},
    suite::Suite,
    wire::{HEADER_LEN, Kind, SessionId, Version},
};
use rustix::time::ClockId;
use std::{
    net::{SocketAddr, UdpSocket},
    os::unix::net::UnixDatagram,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

/// The gateway's id. It calls its peers, whose ids are greater.
const GATEWAY: u64 = 1;
/// A slow machine needs less, and a session ends later.
const PATIENCE: Duration = Duration::from_secs(60);
/// Too short for a session to end for its age, and longer than any delay between two readings of the clocks, which may hide a sleep.
const SLEEP: Duration = Duration::from_secs(60);

impl Device for UnixDatagram {
    fn recv(&self, room: &mut [u8]) -> io::Result<usize> {
        self.recv(room)
    }

    fn send(&self, frame: &[u8]) -> io::Result<usize> {
        self.send(frame)
    }
}

fn suite() -> &'static Suite {
    Suite::by_code(0x11).unwrap()
}

fn ends(local: u64, peer: u64) -> Ends {
    let psk = Psk::new(suite(), &vec![0x5a; suite().block_len()]).unwrap();
    let [local, peer] = [local, peer].map(u64::to_be_bytes);
    Ends::new(suite(), psk, local, peer, Kind::Ip).unwrap()
}

/// An IP packet from the network of one end to that of another, with a number in it.
fn ip(from: u64, to: u64, number: u8) -> Vec<u8> {
    let mut packet = vec![0x45; 60];
    packet[12..20].copy_from_slice(&[10, 0, from as u8, 1, 10, 0, to as u8, 1]);
    packet[20] = number;
    packet
}

/// A peer of the gateway, with a socket of its own.
struct Peer {
    id: u64,
    endpoint: Endpoint<()>,
    socket: UdpSocket,
    /// Numbers of the frames that came.
    came: Vec<u8>,
}

impl Peer {
    fn new(id: u64, gateway: SocketAddr) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.connect(gateway).unwrap();
        socket.set_nonblocking(true).unwrap();
        let endpoint = Endpoint::new(ends(id, GATEWAY), Timers::default(), None, system_random());
        Self {
            id,
            endpoint: endpoint.unwrap(),
            socket,
            came: Vec::new(),
        }
    }

    fn address(&self) -> Option<Address> {
        Some(Address::Udp(self.socket.local_addr().unwrap()))
    }

    /// Does what is due, and hears what has come.
    fn turn(&mut self, now: Duration) {
        let socket = &self.socket;
        let mut send = |(), packet: &[u8]| drop(socket.send(packet));
        self.endpoint.poll(now, &mut send);
        let mut packet = [0; 2048];
        while let Ok(len) = socket.recv(&mut packet) {
            let mut batch = [Incoming::new(&mut packet[..len], ())];
            self.endpoint.receive(now, &mut batch, &mut send);
            self.came.extend(batch[0].frame().map(|frame| frame[20]));
        }
    }

    /// A frame for the gateway, sealed.
    fn packet(&mut self, now: Duration, number: u8) -> Vec<u8> {
        let frame = ip(self.id, GATEWAY, number);
        let mut buffer = vec![0; OVERHEAD + frame.len()];
        buffer[HEADER_LEN..][..frame.len()].copy_from_slice(&frame);
        let mut batch = [Outgoing::new(&mut buffer, frame.len()).unwrap()];
        self.endpoint.seal(now, &mut batch);
        batch[0].packet().unwrap().to_vec()
    }

    fn session(&self) -> Option<SessionId> {
        self.endpoint.status().cur.map(|session| session.to_peer)
    }
}

/// What stands around the gateway.
struct Around {
    peers: Vec<Peer>,
    /// The other end of the device.
    trusted: UnixDatagram,
    /// Of the frames that left there: the network that they came from, and their numbers.
    left: Vec<(u8, u8)>,
    began: Instant,
    /// What a Noise channel hears.
    beside: Beside,
    /// The machine's time asleep, in nanoseconds.
    asleep: Arc<AtomicU64>,
    /// The sender of its kernel's events.
    kernel: UnixDatagram,
}

impl Around {
    fn until(&mut self, it_is_so: impl Fn(&Self) -> bool) {
        while !it_is_so(self) {
            let now = self.began.elapsed();
            assert!(now < PATIENCE, "it did not come");
            self.peers.iter_mut().for_each(|peer| peer.turn(now));
            let mut frame = [0; 2048];
            while self.trusted.recv(&mut frame).is_ok() {
                self.left.push((frame[14], frame[20]));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Frames of this number pass from every peer, then to every peer.
    fn pass(&mut self, number: u8) {
        let (now, before) = (self.began.elapsed(), self.left.len());
        for peer in &mut self.peers {
            let packet = peer.packet(now, number);
            peer.socket.send(&packet).unwrap();
        }
        self.until(|around| around.left.len() == before + around.peers.len());
        for peer in &self.peers {
            self.trusted.send(&ip(GATEWAY, peer.id, number)).unwrap();
        }
        self.until(|around| {
            around
                .peers
                .iter()
                .all(|peer| peer.came.ends_with(&[number]))
        });
    }

    fn sessions(&self) -> Vec<Option<SessionId>> {
        self.peers.iter().map(Peer::session).collect()
    }
}

/// How the gateway hears that somebody else may hold its sessions.
#[derive(Clone, Copy)]
enum Exposure {
    Sleep,
    Copy,
}

/// Carries frames, lets the gateway's sessions be exposed, and carries frames again. What was sealed in the old sessions, and what would have been, goes nowhere.
fn erases_before_it_carries(
    ids: &[u64],
    exposure: Exposure,
    core: impl FnOnce(&[Peer], Beside) -> Box<dyn Core>,
) {
    let (device, trusted) = UnixDatagram::pair().unwrap();
    let (kernel, events) = UnixDatagram::pair().unwrap();
    for socket in [&device, &trusted, &events] {
        socket.set_nonblocking(true).unwrap();
    }
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let gateway = socket.local_addr().unwrap();
    socket.set_nonblocking(true).unwrap();
    let mut around = Around {
        peers: ids.iter().map(|&id| Peer::new(id, gateway)).collect(),
        trusted,
        left: Vec::new(),
        began: Instant::now(),
        beside: Beside::default(),
        asleep: Arc::default(),
        kernel,
    };
    let (began, asleep) = (around.began, Arc::clone(&around.asleep));
    let clock = Clock::reading(Box::new(move |clock| {
        let awake = began.elapsed();
        match clock {
            ClockId::Boottime => awake + Duration::from_nanos(asleep.load(Ordering::SeqCst)),
            _ => awake,
        }
    }));
    let (wake, waker) = Waker::pair().unwrap();
    let core = core(&around.peers, around.beside.clone());
    let copies = Copies::from_socket(events.into(), |_| true);
    let shared = Shared::with(core, waker, clock, Some(copies)).unwrap();
    let carrier = Carrier::from(socket);
    let sides = [Side {
        device,
        direct: direct::beside(&carrier),
        carrier,
    }];
    let lead = || {
        let mut plane = Plane::new(&sides[0], &sides, &shared);
        plane.leads = true;
        plane.run(&wake)
    };
    let test = || {
        around.until(|around| !around.sessions().contains(&None));
        around.pass(1);
        assert!(!around.beside.forgets(), "nothing has been erased");
        let (old, now) = (around.sessions(), around.began.elapsed());
        let packets: Vec<_> = around
            .peers
            .iter_mut()
            .map(|peer| peer.packet(now, 2))
            .collect();
        match exposure {
            Exposure::Sleep => {
                let sleep = u64::try_from(SLEEP.as_nanos()).unwrap();
                around.asleep.fetch_add(sleep, Ordering::SeqCst);
            }
            Exposure::Copy => {
                let event = b"change@/devices/vmgenid\0ACTION=change\0NEW_VMGENID=1\0";
                around.kernel.send(event).unwrap();
            }
        }
        for (peer, packet) in around.peers.iter().zip(packets) {
            around.trusted.send(&ip(GATEWAY, peer.id, 2)).unwrap();
            peer.socket.send(&packet).unwrap();
        }
        around.until(|around| {
            around
                .sessions()
                .iter()
                .zip(&old)
                .all(|(new, old)| new != old)
        });
        around.pass(3);
        assert!(around.beside.forgets(), "a Noise channel hears of it");
        for peer in &around.peers {
            assert_eq!(peer.came, [1, 3], "at peer {}", peer.id);
            let left = around
                .left
                .iter()
                .filter(|(from, _)| u64::from(*from) == peer.id);
            let left: Vec<_> = left.map(|(_, number)| *number).collect();
            assert_eq!(left, [1, 3], "from peer {}", peer.id);
        }
        Ok(())
    };
    shared.run(lead, [test].into_iter()).unwrap();
    let erasures = shared.lock().unwrap().system(Duration::ZERO).erasures;
    let expected = match exposure {
        Exposure::Sleep => Erasures {
            copies: 0,
            sleeps: 1,
        },
        Exposure::Copy => Erasures {
            copies: 1,
            sleeps: 0,
        },
    };
    assert_eq!(erasures, expected);
}

#[test]
fn the_session_of_an_end_is_erased_before_a_packet_is_sealed_or_opened() {
    for exposure in [Exposure::Sleep, Exposure::Copy] {
        erases_before_it_carries(&[2], exposure, |peers, beside| {
            let ends = ends(GATEWAY, 2);
            let endpoint =
                Endpoint::new(ends, Timers::default(), peers[0].address(), system_random());
            Box::new(single::untold(endpoint.unwrap(), beside))
        });
    }
}

#[test]
fn all_sessions_of_a_hub_are_erased_before_a_packet_is_sealed_or_opened() {
    for exposure in [Exposure::Sleep, Exposure::Copy] {
        erases_before_it_carries(&[2, 3], exposure, |peers, beside| {
            let mut hub = Hub::new(suite(), GATEWAY.to_be_bytes(), Kind::Ip, Version::Two);
            for peer in peers {
                let setup =
                    PeerSetup::psk(ends(GATEWAY, peer.id), Timers::default(), peer.address());
                let network = format!("10.0.{}.0/24", peer.id).parse().unwrap();
                hub.add(&peer.id.to_string(), setup, &[network]).unwrap();
            }
            Box::new(hub::untold(hub, beside))
        });
    }
}
