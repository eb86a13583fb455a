// SPDX-License-Identifier: Apache-2.0
//! A second socket at the same UDP address, connected with the peer that packets go to. The kernel looks for no route where a connected socket
//! sends, which makes a packet that goes alone cheaper by some 4 % (docs/link.md, "What a lone packet costs"). The first socket hears all
//! other senders, so that a peer that moves is heard.

use super::carrier::Carrier;
use nix::{
    errno::Errno,
    sys::socket::{setsockopt, sockopt},
};
use rustix::net::{SendFlags, connect, connect_unspec, send};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
};

/// So many packets go to one address in a row before the socket is connected with it: the peers of a hub take turns, and to connect costs as
/// much as it saves for some ten packets.
const SETTLED: usize = 64;

/// The second socket, and where it leads.
pub(super) struct Direct<'a> {
    carrier: &'a Carrier,
    /// Whether the system chooses the address that packets leave from.
    chooses_source: bool,
    /// What it is connected with.
    peer: Option<SocketAddr>,
    /// Where packets went last through the first socket, and how many in a row.
    last: Option<SocketAddr>,
    count: usize,
}

impl<'a> Direct<'a> {
    /// From a socket that is connected with nothing yet.
    pub(super) fn new(carrier: &'a Carrier) -> Self {
        let own = carrier.local_addr();
        Self {
            carrier,
            chooses_source: own.is_ok_and(|own| own.ip().is_unspecified()),
            peer: None,
            last: None,
            count: 0,
        }
    }

    pub(super) fn carrier(&self) -> &'a Carrier {
        self.carrier
    }

    /// Says that so many packets go to this address. Gives the socket if it leads there.
    pub(super) fn lead(&mut self, to: SocketAddr, packets: usize) -> Option<&'a Carrier> {
        if self.peer != Some(to) {
            if self.last != Some(to) {
                (self.last, self.count) = (Some(to), 0);
            }
            self.count += packets;
            if self.count < SETTLED {
                return None;
            }
            self.count = 0;
            self.part();
            self.peer = connect(self.carrier, &to).is_ok().then_some(to);
        }
        self.peer.map(|_| self.carrier)
    }

    /// Sends a packet to the peer; false if it did not go.
    pub(super) fn send(&mut self, packet: &[u8]) -> bool {
        let sent = send(self.carrier, packet, SendFlags::DONTWAIT);
        sent.map_err(|error| self.failed(Errno::from_raw(error.raw_os_error())))
            .is_ok()
    }

    /// What was not sent may pass through the first socket, which hears no errors of earlier packets and takes a source address anew.
    pub(super) fn failed(&mut self, error: Errno) {
        // The peer's port was closed, or there is no room now: the way is as good as before.
        let passes = [
            Errno::ECONNREFUSED,
            Errno::EAGAIN,
            Errno::ENOBUFS,
            Errno::EINTR,
        ];
        if !passes.contains(&error) {
            self.part();
        }
    }

    /// Leads nowhere from now on, if the system would send from another address than when the socket was connected: the way to the peer may
    /// have become another one.
    pub(super) fn check_source(&mut self) {
        let Some(peer) = self.peer.filter(|_| self.chooses_source) else {
            return;
        };
        let own = self.carrier.local_addr().map(|own| own.ip());
        if !own.is_ok_and(|own| source_to(peer).is_ok_and(|source| source == own)) {
            self.part();
        }
    }

    fn part(&mut self) {
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

/// The address that the system would send from.
fn source_to(peer: SocketAddr) -> io::Result<IpAddr> {
    let any: IpAddr = match peer {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let probe = UdpSocket::bind((any, 0))?;
    probe.connect(peer)?;
    Ok(probe.local_addr()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::socket::{AddressFamily, SockFlag, SockType, SockaddrStorage, bind, socket};
    use std::os::fd::AsRawFd as _;

    fn pair() -> (Carrier, Carrier) {
        let first = Carrier::udp("0.0.0.0:0".parse().unwrap()).unwrap();
        let second = beside(&first).unwrap();
        (first, second)
    }

    #[test]
    fn leads_where_packets_go_in_a_row_and_not_where_peers_take_turns() {
        let (_first, second) = pair();
        let mut direct = Direct::new(&second);
        let [a, b] = ["127.0.0.1:9", "127.0.0.1:10"].map(|text| text.parse().unwrap());
        for _ in 0..10 {
            assert!(direct.lead(a, SETTLED - 1).is_none());
            assert!(direct.lead(b, SETTLED - 1).is_none());
        }
        assert!(direct.lead(b, 1).is_some() && direct.lead(b, 0).is_some());
        assert!(direct.lead(a, 1).is_none());
        assert!(direct.lead(b, 1).is_some(), "it leads there as before");
        assert!(direct.lead(a, SETTLED - 1).is_some());
        assert!(direct.lead(b, 1).is_none(), "it leads to one peer");
    }

    #[test]
    fn leads_nowhere_once_the_way_is_another_one() {
        let (first, second) = pair();
        let mut direct = Direct::new(&second);
        let peer: SocketAddr = "127.0.0.1:9".parse().unwrap();
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
