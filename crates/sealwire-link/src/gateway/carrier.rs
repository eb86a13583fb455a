// SPDX-License-Identifier: Apache-2.0
//! What carries packets over the untrusted side: UDP, or Ethernet without anything between.

use crate::{
    own_address::{self, to_socket_addr},
    schedule::{Id, Identity},
};
use blake2::{Blake2s256, Digest};
use nix::{
    ifaddrs::getifaddrs,
    sys::socket::{
        LinkAddr, SockFlag, SockType, SockaddrLike as _, SockaddrStorage, bind, getsockname,
        getsockopt, setsockopt, socket, sockopt,
    },
};
use rustix::net::{AddressFamily, Protocol, SocketFlags, SocketType, socket_with};
use std::{
    fmt,
    hash::{Hash, Hasher},
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket},
    num::NonZeroU32,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    str::FromStr,
};

/// EtherType of packets that travel without UDP: the first of the two for local experiments.
pub const ETHERTYPE: u16 = 0x88B5;
/// Bytes of an Ethernet header: two addresses and the type.
pub(super) const ETHERNET_HEADER: usize = 14;

/// The address of one network card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mac([u8; 6]);

impl Mac {
    /// An address that one card can have.
    ///
    /// Gives `None` for group addresses and for the address of zeros.
    pub const fn new(bytes: [u8; 6]) -> Option<Self> {
        let zero = u64::from_be_bytes([
            0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
        ]) == 0;
        if zero || bytes[0] & 1 == 1 {
            return None;
        }
        Some(Self(bytes))
    }

    /// The address of an end's TAP device: of its own and its peer's id alone, so that the peer's side still knows it after a restart.
    /// BLAKE2s-256 of "sealwire device", own id and peer's id gives 46 bits, the other two mark a locally administered address of one card.
    pub fn of_device(identity: &Identity) -> Self {
        Self::derived(identity.local(), identity.peer())
    }

    /// The address of a hub's TAP device: as [`Mac::of_device`], with zeros in place of the peer's id.
    pub fn of_hub(local: Id) -> Self {
        Self::derived(local, [0; 8])
    }

    fn derived(local: Id, peer: Id) -> Self {
        let mut hasher = Blake2s256::new();
        hasher.update(b"sealwire device");
        hasher.update(local);
        hasher.update(peer);
        let hash: [u8; 32] = hasher.finalize().into();
        let mut bytes = [0; 6];
        bytes.copy_from_slice(&hash[..6]);
        bytes[0] = bytes[0] & 0xfc | 0x02;
        Self(bytes)
    }

    /// The six bytes, first to last.
    pub const fn bytes(self) -> [u8; 6] {
        self.0
    }
}

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// Text that is no [`Mac`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no address of one network card: six numbers of two hexadecimal digits with colons between are needed"
)]
pub struct NoMac;

impl FromStr for Mac {
    type Err = NoMac;

    fn from_str(text: &str) -> Result<Self, NoMac> {
        let mut bytes = [0; 6];
        let mut parts = text.split(':');
        for byte in &mut bytes {
            let part = parts.next().filter(|part| part.len() == 2);
            let digits = part.filter(|part| part.bytes().all(|b| b.is_ascii_hexdigit()));
            *byte = u8::from_str_radix(digits.ok_or(NoMac)?, 16).map_err(|_| NoMac)?;
        }
        if parts.next().is_some() {
            return Err(NoMac);
        }
        Self::new(bytes).ok_or(NoMac)
    }
}

/// Where a peer is on the untrusted side. Two addresses are equal if they are one place, whichever address of this end packets come to from there.
#[derive(Debug, Clone, Copy)]
pub enum Address {
    /// An address and a UDP port.
    Udp(SocketAddr),
    /// An address and a UDP port, and the one of this end's own addresses that packets from there come to and answers leave from.
    UdpVia(SocketAddr, IpAddr),
    /// A card on the same Ethernet.
    Ethernet(Mac),
}

impl Address {
    /// Address and port over UDP.
    pub(super) fn udp(self) -> Option<SocketAddr> {
        match self {
            Self::Udp(place) | Self::UdpVia(place, _) => Some(place),
            Self::Ethernet(_) => None,
        }
    }

    /// The own address that packets from there come to and answers leave from, if the system does not choose it.
    pub fn own(self) -> Option<IpAddr> {
        match self {
            Self::UdpVia(_, own) => Some(own),
            Self::Udp(_) | Self::Ethernet(_) => None,
        }
    }

    /// This place, whose packets come to this own address.
    pub(super) fn via(self, own: Option<IpAddr>) -> Self {
        match (self, own) {
            (Self::Udp(place) | Self::UdpVia(place, _), Some(own)) => Self::UdpVia(place, own),
            _ => self,
        }
    }

    fn mac(self) -> Option<Mac> {
        match self {
            Self::Ethernet(mac) => Some(mac),
            Self::Udp(_) | Self::UdpVia(..) => None,
        }
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        (self.udp(), self.mac()) == (other.udp(), other.mac())
    }
}

impl Eq for Address {}

impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.udp(), self.mac()).hash(state);
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(place) | Self::UdpVia(place, _) => place.fmt(f),
            Self::Ethernet(mac) => mac.fmt(f),
        }
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Self::Udp(address)
    }
}

impl From<Mac> for Address {
    fn from(mac: Mac) -> Self {
        Self::Ethernet(mac)
    }
}

/// The socket of the untrusted side.
#[derive(Debug)]
pub struct Carrier {
    socket: OwnedFd,
    /// On Ethernet.
    card: Option<Card>,
    /// Whether the kernel may cut and join packets.
    offload: bool,
}

/// The network device that the socket is bound to.
#[derive(Debug, Clone)]
struct Card {
    name: String,
    index: usize,
    own: Mac,
}

impl Carrier {
    /// A UDP socket at this address.
    ///
    /// # Errors
    ///
    /// The operating system's.
    pub fn udp(listen: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::bind(listen)?;
        socket.set_nonblocking(true)?;
        Ok(socket.into())
    }

    /// Another socket at this one's UDP address, with buffers as large. The kernel leads all packets of one sender's address and port to one of the sockets. Until
    /// this is called, nobody can open a second socket at the address; from then on other processes of this user can.
    ///
    /// # Errors
    ///
    /// The operating system's; `Unsupported` over bare Ethernet.
    pub fn another(&self) -> io::Result<Self> {
        if self.card.is_some() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let address: SockaddrStorage = getsockname(self.socket.as_raw_fd())?;
        setsockopt(self, sockopt::ReusePort, &true)?;
        let family = address.family().ok_or(io::ErrorKind::Unsupported)?;
        let socket = socket(
            family,
            SockType::Datagram,
            SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK,
            None,
        )?;
        setsockopt(&socket, sockopt::ReusePort, &true)?;
        // The kernel gives twice what was set.
        let [receiving, sending] = [
            getsockopt(self, sockopt::RcvBuf)? / 2,
            getsockopt(self, sockopt::SndBuf)? / 2,
        ];
        let another = Self {
            socket,
            card: None,
            offload: self.offload,
        };
        another.set_buffers(receiving, sending)?;
        bind(another.socket.as_raw_fd(), &address)?;
        Ok(another)
    }

    /// Sets how many bytes of packets may wait in each direction. Without `CAP_NET_ADMIN` the system's limit holds.
    ///
    /// # Errors
    ///
    /// The operating system's.
    pub fn set_buffers(&self, receiving: usize, sending: usize) -> io::Result<()> {
        let received = setsockopt(self, sockopt::RcvBufForce, &receiving)
            .or_else(|_| setsockopt(self, sockopt::RcvBuf, &receiving));
        let sent = setsockopt(self, sockopt::SndBufForce, &sending)
            .or_else(|_| setsockopt(self, sockopt::SndBuf, &sending));
        Ok(received.and(sent)?)
    }

    /// All frames with [`ETHERTYPE`] that come to a network device for its own address. Needs `CAP_NET_RAW`.
    ///
    /// # Errors
    ///
    /// The operating system's; `NotFound` if there is no such device or it is no Ethernet card.
    pub fn ethernet(device: &str) -> io::Result<Self> {
        let (place, own) = find(device)?;
        let socket = socket_with(
            AddressFamily::PACKET,
            SocketType::RAW,
            SocketFlags::CLOEXEC | SocketFlags::NONBLOCK,
            NonZeroU32::new(u32::from(ETHERTYPE.to_be())).map(Protocol::from_raw),
        )?;
        // The address names the device; the type of frames stays that of the socket.
        bind(socket.as_raw_fd(), &place)?;
        Ok(Self {
            socket,
            card: Some(Card {
                name: device.to_owned(),
                index: place.ifindex(),
                own,
            }),
            offload: false,
        })
    }

    /// Lets the kernel cut and join packets of one size where it can (`UDP_SEGMENT`, `UDP_GRO`), which is so unless said
    /// otherwise; over Ethernet there is no such thing. What is on the wire is the same.
    #[must_use]
    pub fn with_offload(self, offload: bool) -> Self {
        Self {
            offload: offload && self.card.is_none(),
            ..self
        }
    }

    /// Asks for cutting and joining and says what the kernel offers of them.
    pub(super) fn start_offload(&self) -> (bool, bool) {
        let cuts = self.offload && getsockopt(self, sockopt::UdpGsoSegment).is_ok();
        let joins = self.offload && setsockopt(self, sockopt::UdpGroSegment, &true).is_ok();
        (cuts, joins)
    }

    /// If this hears every address, asks which of them each packet comes to. Gives the one that stands for all.
    pub(super) fn start_own_addresses(&self) -> Option<IpAddr> {
        own_address::ask(self)
    }

    /// The UDP address that packets come to.
    pub(super) fn local_addr(&self) -> io::Result<SocketAddr> {
        let own = getsockname::<SockaddrStorage>(self.socket.as_raw_fd())?;
        to_socket_addr(own).ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    /// Whether several sockets share the UDP address ([`Carrier::another`]).
    pub(super) fn is_shared(&self) -> bool {
        getsockopt(self, sockopt::ReusePort).unwrap_or(true)
    }

    /// Whether the network device that this was bound to is no more.
    pub(super) fn is_gone(&self) -> bool {
        self.card.as_ref().is_some_and(|card| {
            find(&card.name).map_or_else(
                |error| error.kind() == io::ErrorKind::NotFound,
                |(place, _)| place.ifindex() != card.index,
            )
        })
    }

    /// Bytes in front of each packet that this side's code writes and reads.
    pub(super) fn header_len(&self) -> usize {
        self.card.as_ref().map_or(0, |_| ETHERNET_HEADER)
    }

    /// What sends a packet to a peer: bytes in front of it and an address for the system call. `None` if this carrier does not
    /// go there.
    pub(super) fn way_to(
        &self,
        to: Address,
    ) -> Option<([u8; ETHERNET_HEADER], Option<SockaddrStorage>)> {
        let mut header = [0; ETHERNET_HEADER];
        match (to, &self.card) {
            (Address::Udp(to) | Address::UdpVia(to, _), None) => Some((header, Some(to.into()))),
            (Address::Ethernet(to), Some(card)) => {
                header[..6].copy_from_slice(&to.0);
                header[6..12].copy_from_slice(&card.own.0);
                header[12..].copy_from_slice(&ETHERTYPE.to_be_bytes());
                Some((header, None))
            }
            _ => None,
        }
    }

    /// Who sent a packet, from what came with it. `None` if it was not for this end.
    pub(super) fn sender(
        &self,
        header: &[u8; ETHERNET_HEADER],
        address: Option<SockaddrStorage>,
    ) -> Option<Address> {
        let Some(card) = &self.card else {
            return Some(Address::Udp(
                address.and_then(to_socket_addr).unwrap_or(NOWHERE),
            ));
        };
        let (to, rest) = header.split_first_chunk::<6>()?;
        let (from, ethertype) = rest.split_first_chunk::<6>()?;
        if *to != card.own.0 || ethertype != ETHERTYPE.to_be_bytes() {
            return None;
        }
        Mac::new(*from).map(Address::Ethernet)
    }
}

impl From<UdpSocket> for Carrier {
    fn from(socket: UdpSocket) -> Self {
        Self {
            socket: socket.into(),
            card: None,
            offload: true,
        }
    }
}

impl AsFd for Carrier {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

const NOWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// A device's place for `bind`, and its own address.
fn find(device: &str) -> io::Result<(LinkAddr, Mac)> {
    let mut named = getifaddrs()?.filter(|entry| entry.interface_name == device);
    let place = named.find_map(|entry| entry.address?.as_link_addr().copied());
    let place = place.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            "there is no network device of this name",
        )
    })?;
    let own = place
        .addr()
        .filter(|_| place.halen() == 6)
        .and_then(Mac::new);
    let own = own.ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "this device is no Ethernet card")
    })?;
    Ok((place, own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_addresses_that_it_writes() {
        let mac: Mac = "02:00:5e:10:Ff:01".parse().unwrap();
        assert_eq!(mac.to_string(), "02:00:5e:10:ff:01");
        for wrong in [
            "",
            "02:00:5e:10:ff",
            "02:00:5e:10:ff:01:02",
            "02:00:5e:10:ff:1",
            "02:00:5e:10:ff:+1",
            "01:00:5e:10:ff:01",
            "ff:ff:ff:ff:ff:ff",
            "00:00:00:00:00:00",
        ] {
            assert_eq!(wrong.parse::<Mac>(), Err(NoMac), "{wrong}");
        }
    }

    #[test]
    fn takes_frames_for_its_own_address_and_type_only() {
        let [own, other]: [Mac; 2] =
            ["02:00:00:00:00:01", "02:00:00:00:00:02"].map(|text| text.parse().unwrap());
        let carrier_of = |own| Carrier {
            card: Some(Card {
                name: "none".into(),
                index: 0,
                own,
            }),
            ..Carrier::udp("127.0.0.1:0".parse().unwrap()).unwrap()
        };
        let (carrier, from_other) = (carrier_of(own), carrier_of(other));
        let (header, address) = from_other.way_to(own.into()).unwrap();
        assert!(address.is_none());
        assert_eq!(carrier.sender(&header, None), Some(other.into()));
        for at in [0, 5, 12, 13] {
            let mut changed = header;
            changed[at] ^= 2;
            assert_eq!(carrier.sender(&changed, None), None, "byte {at}");
        }
        let mut from_group = header;
        from_group[6] |= 1;
        assert_eq!(carrier.sender(&from_group, None), None);
        let udp: SocketAddr = "127.0.0.1:9".parse().unwrap();
        assert!(
            carrier.way_to(udp.into()).is_none(),
            "Ethernet carries no UDP address"
        );
    }

    #[test]
    fn says_when_there_is_no_such_card() {
        for device in ["no-such-device", "lo"] {
            let error = Carrier::ethernet(device).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound, "{device}: {error}");
        }
    }
}
