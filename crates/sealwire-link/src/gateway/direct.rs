// SPDX-License-Identifier: Apache-2.0
//! A second socket at the same UDP address, connected with the peer that packets go to. The kernel looks for no route where a connected socket
//! sends, which makes a packet that goes alone cheaper by some 4 % (docs/link.md, "What a lone packet costs"). The first socket hears all
//! other senders, so that a peer that moves is heard. Only an end with one peer has it: with several, which one it is connected with would change
//! again and again, and packets of one would wait in either socket and overtake each other.

use super::carrier::{Address, Carrier};
use nix::{
    errno::Errno,
    sys::socket::{setsockopt, sockopt},
};
use rustix::net::{SendFlags, connect, connect_unspec, send};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
};

/// So many packets go to one address in a row before the socket is connected with it: to connect costs as much as it saves for some ten packets.
const SETTLED: usize = 64;

/// Why the second socket did not send a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// There is no room now. Through the first socket it would overtake others, or leave them less room.
    NoRoom,
    /// It may pass through the first socket, which hears no errors of earlier packets and takes a source address anew.
    Here,
}

/// The second socket, and where it leads.
pub(super) struct Direct<'a> {
    carrier: &'a Carrier,
    /// Whether the system chooses the address that packets leave from.
    chooses_source: bool,
    /// What it is connected with.
    peer: Option<SocketAddr>,
    /// What the system chose.
    own: Option<IpAddr>,
    /// Where packets went last through the first socket, and how many in a row.
    last: Option<Address>,
    count: usize,
    /// The system would send to there from another address than it was called at.
    is_unfit: bool,
    /// It was connected, and what the peer sent before may still wait in the first socket.
    is_fresh: bool,
}

impl<'a> Direct<'a> {
    /// From a socket that is connected with nothing yet.
    pub(super) fn new(carrier: &'a Carrier) -> Self {
        let own = carrier.local_addr();
        Self {
            carrier,
            chooses_source: own.is_ok_and(|own| own.ip().is_unspecified()),
            peer: None,
            own: None,
            last: None,
            count: 0,
            is_unfit: false,
            is_fresh: false,
        }
    }

    pub(super) fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Says that the first socket was read to its end, or long enough.
    pub(super) fn was_waited_for(&mut self) {
        self.is_fresh = false;
    }

    pub(super) fn carrier(&self) -> &'a Carrier {
        self.carrier
    }

    /// Says that so many packets go to this address. Gives the socket if it leads there.
    pub(super) fn lead(&mut self, to: Address, packets: usize) -> Option<&'a Carrier> {
        let place = to.udp()?;
        if self.peer == Some(place) && self.leaves_right(to) {
            (self.last, self.count) = (None, 0);
        } else {
            if self
                .last
                .is_none_or(|last| last != to || last.own() != to.own())
            {
                (self.last, self.count, self.is_unfit) = (Some(to), 0, false);
            }
            self.count += packets;
            if self.count < SETTLED || self.is_unfit {
                return None;
            }
            self.count = 0;
            self.part();
            self.connect(place);
            self.is_unfit = !self.leaves_right(to);
            if self.is_unfit {
                self.part();
            }
        }
        self.peer.map(|_| self.carrier)
    }

    fn connect(&mut self, place: SocketAddr) {
        if connect(self.carrier, &place).is_ok() {
            self.peer = Some(place);
            self.is_fresh = true;
            let own = self.carrier.local_addr().ok().map(|own| own.ip());
            self.own = own.filter(|_| self.chooses_source);
        }
    }

    /// Whether packets leave from the address that the other end has called.
    fn leaves_right(&self, to: Address) -> bool {
        to.own().is_none_or(|own| self.own == Some(own))
    }

    /// Sends a packet to the peer; an error as of [`Direct::failed`].
    pub(super) fn send(&mut self, packet: &[u8]) -> Result<(), Refused> {
        let sent = send(self.carrier, packet, SendFlags::DONTWAIT);
        sent.map(|_| ())
            .map_err(|error| self.failed(Errno::from_raw(error.raw_os_error())))
    }

    /// What becomes of a packet that was not sent for this error.
    pub(super) fn failed(&mut self, error: Errno) -> Refused {
        match error {
            Errno::EAGAIN | Errno::ENOBUFS => return Refused::NoRoom,
            // What the network, or anybody in its name, said of an earlier packet: the way is as good as before.
            Errno::ECONNREFUSED
            | Errno::EHOSTUNREACH
            | Errno::EMSGSIZE
            | Errno::ENOPROTOOPT
            | Errno::EPROTO
            | Errno::EINTR => {}
            _ => self.part(),
        }
        Refused::Here
    }

    /// Leads nowhere from now on, if the system would send from another address than when the socket was connected: the way to the peer may
    /// have become another one.
    pub(super) fn check_source(&mut self) {
        self.is_unfit = false;
        let Some(peer) = self.peer.filter(|_| self.chooses_source) else {
            return;
        };
        // Without room for one more socket nothing is known.
        let Ok(probe) = probe(peer) else { return };
        let source = probe.connect(peer).and_then(|()| probe.local_addr());
        if source.ok().map(|source| source.ip()) != self.own {
            self.part();
        }
    }

    fn part(&mut self) {
        self.own = None;
        if self.peer.take().is_some() {
            // If this fails the socket goes on hearing the peer, and is read.
            let _ = connect_unspec(self.carrier);
        }
    }
}

/// A second socket beside a carrier that has its UDP address for itself. Nobody can open a third one: that is allowed between two calls only, and
/// to other processes of this user. `None` over Ethernet and where several sockets share the address, each with a thread of its own.
pub(super) fn beside(carrier: &Carrier) -> Option<Carrier> {
    if carrier.is_shared() {
        return None;
    }
    let second = carrier.another().ok();
    for carrier in second.iter().chain([carrier]) {
        let _ = setsockopt(carrier, sockopt::ReusePort, &false);
    }
    second
}

/// A socket that a packet to this address could leave from.
fn probe(peer: SocketAddr) -> io::Result<UdpSocket> {
    let any: IpAddr = match peer {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    UdpSocket::bind((any, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::socket::{
        AddressFamily, SockFlag, SockType, SockaddrStorage, bind, getsockopt, socket,
    };
    use std::os::fd::AsRawFd as _;

    fn udp(text: &str) -> Address {
        Address::Udp(text.parse().unwrap())
    }

    fn pair() -> (Carrier, Carrier) {
        let first = Carrier::udp("0.0.0.0:0".parse().unwrap()).unwrap();
        // Not what the system gives unasked.
        setsockopt(&first, sockopt::RcvBuf, &30_000).unwrap();
        setsockopt(&first, sockopt::SndBuf, &20_000).unwrap();
        let second = beside(&first).unwrap();
        (first, second)
    }

    #[test]
    fn leads_where_packets_go_in_a_row_and_not_where_peers_take_turns() {
        let (_first, second) = pair();
        let mut direct = Direct::new(&second);
        let [a, b] = ["127.0.0.1:9", "127.0.0.1:10"].map(udp);
        for _ in 0..10 {
            assert!(direct.lead(a, SETTLED - 1).is_none());
            assert!(direct.lead(b, SETTLED - 1).is_none());
        }
        assert!(direct.lead(b, 1).is_some() && direct.lead(b, 0).is_some());
        for _ in 0..100 {
            assert!(direct.lead(a, 1).is_none());
            assert!(direct.lead(b, 1).is_some(), "it leads there as before");
        }
        assert!(direct.lead(a, 63).is_none() && direct.lead(a, 1).is_some());
        assert!(direct.lead(b, 1).is_none(), "it leads to one peer");
    }

    #[test]
    fn takes_the_address_of_each_way_anew() {
        let (_first, second) = pair();
        let mut direct = Direct::new(&second);
        let loopback: SocketAddr = "127.0.0.1:9".parse().unwrap();
        assert!(direct.lead(loopback.into(), SETTLED).is_some());
        assert_eq!(direct.own, Some(loopback.ip()));
        // An own address that is not the loopback's, if this machine has one.
        let far = probe(loopback).unwrap();
        if far.connect("192.0.2.1:9").is_err() {
            return;
        }
        let own = far.local_addr().unwrap();
        assert!(direct.lead(own.into(), SETTLED).is_some());
        assert_eq!(direct.own, Some(own.ip()));
        direct.check_source();
        assert!(direct.lead(own.into(), 0).is_some());
    }

    #[test]
    fn leads_nowhere_where_packets_would_leave_from_another_address_than_was_called() {
        let (_first, second) = pair();
        let mut direct = Direct::new(&second);
        let peer = udp("127.0.0.1:9");
        let [called, chosen] =
            ["127.0.0.2", "127.0.0.1"].map(|own| peer.via(Some(own.parse().unwrap())));
        for _ in 0..3 {
            assert!(direct.lead(called, SETTLED).is_none());
            assert_eq!(direct.own, None);
        }
        assert!(direct.lead(chosen, SETTLED).is_some());
        assert!(direct.lead(called, 1).is_none());
        assert!(direct.lead(chosen, 0).is_some());
        // Once in a second it is tried again: the way may have changed.
        assert!(direct.lead(called, SETTLED).is_none() && direct.is_unfit);
        direct.check_source();
        assert!(!direct.is_unfit);
    }

    #[test]
    fn goes_on_in_the_newer_family_too() {
        let Ok(first) = Carrier::udp("[::]:0".parse().unwrap()) else {
            return;
        };
        let second = beside(&first).unwrap();
        let mut direct = Direct::new(&second);
        // The second one as a socket for both families names it.
        for peer in ["[::1]:9", "[::ffff:127.0.0.1]:9"] {
            let peer = udp(peer);
            if direct.lead(peer, SETTLED).is_some() {
                direct.check_source();
                assert!(direct.lead(peer, 0).is_some(), "{peer}");
            }
        }
    }

    #[test]
    fn an_error_of_the_network_does_not_end_the_way() {
        let (_first, second) = pair();
        let mut direct = Direct::new(&second);
        let peer = udp("127.0.0.1:9");
        for (errors, refused, leads) in [
            (&[Errno::EAGAIN, Errno::ENOBUFS][..], Refused::NoRoom, true),
            (
                &[
                    Errno::ECONNREFUSED,
                    Errno::EHOSTUNREACH,
                    Errno::EMSGSIZE,
                    Errno::ENOPROTOOPT,
                    Errno::EPROTO,
                    Errno::EINTR,
                ],
                Refused::Here,
                true,
            ),
            (
                &[Errno::EINVAL, Errno::ENETUNREACH, Errno::EPERM],
                Refused::Here,
                false,
            ),
        ] {
            for error in errors {
                direct.lead(peer, SETTLED);
                assert_eq!(direct.failed(*error), refused, "{error}");
                assert_eq!(direct.lead(peer, 0).is_some(), leads, "{error}");
            }
        }
    }

    #[test]
    fn leads_nowhere_once_the_way_is_another_one() {
        let (first, second) = pair();
        let mut direct = Direct::new(&second);
        let peer = udp("127.0.0.1:9");
        assert!(direct.lead(peer, SETTLED).is_some());
        direct.check_source();
        direct.failed(Errno::ECONNREFUSED);
        assert!(direct.lead(peer, 0).is_some());
        direct.failed(Errno::ENETUNREACH);
        assert!(direct.lead(peer, 0).is_none());
        // Nothing leaves for an address of this kind, from wherever.
        assert!(direct.lead(peer, SETTLED).is_some());
        let nowhere = "255.255.255.255:9".parse().unwrap();
        direct.peer = Some(nowhere);
        direct.check_source();
        assert!(direct.peer.is_none());
        // The system chooses no address where one is given.
        drop(first);
        let given = Carrier::udp("127.0.0.1:0".parse().unwrap()).unwrap();
        let mut direct = Direct::new(&given);
        direct.peer = Some(nowhere);
        direct.check_source();
        assert!(direct.peer.is_some());
    }

    #[test]
    fn nobody_else_gets_the_address() {
        let (first, second) = pair();
        let own = first.local_addr().unwrap();
        assert_eq!(second.local_addr().unwrap(), own);
        assert!(!first.is_shared() && !second.is_shared());
        let large = |carrier: &Carrier| {
            let sizes = (
                getsockopt(carrier, sockopt::RcvBuf),
                getsockopt(carrier, sockopt::SndBuf),
            );
            (sizes.0.unwrap(), sizes.1.unwrap())
        };
        assert_eq!(large(&first), large(&second));
        let (family, kind) = (AddressFamily::Inet, SockType::Datagram);
        let third = socket(family, kind, SockFlag::empty(), None).unwrap();
        setsockopt(&third, sockopt::ReusePort, &true).unwrap();
        let refused = bind(third.as_raw_fd(), &SockaddrStorage::from(own));
        assert_eq!(refused, Err(Errno::EADDRINUSE));
        drop((first, second));
        let alone = Carrier::udp(own).unwrap();
        let _shared = alone.another().unwrap();
        assert!(beside(&alone).is_none(), "each has a thread of its own");
    }
}
