// SPDX-License-Identifier: Apache-2.0
//! From which of its machine's addresses an end answers. A socket at `0.0.0.0` or `::` hears all of them, and left alone it sends from the one that
//! the route has, which a caller of another one refuses. The kernel says where each datagram came to and takes where one is to leave from
//! (`IP_PKTINFO` of ip(7), `IPV6_PKTINFO` of RFC 3542).

use nix::{
    cmsg_space, libc,
    sys::socket::{
        ControlMessage, ControlMessageOwned, MsgFlags, SockaddrStorage, getsockname, recvmsg,
        sendmsg, setsockopt, sockopt,
    },
};
use std::{
    io::{self, IoSlice, IoSliceMut},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    os::fd::{AsFd, AsRawFd as _},
};

/// An own address, as control data has it. Of an IPv6 socket it is an IPv6 address, that of an IPv4 datagram mapped.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    V4(libc::in_pktinfo),
    V6(libc::in6_pktinfo),
}

impl Source {
    /// Any network device may send from it.
    pub(crate) fn new(own: IpAddr) -> Self {
        match own {
            IpAddr::V4(own) => Self::V4(libc::in_pktinfo {
                ipi_ifindex: 0,
                ipi_spec_dst: libc::in_addr {
                    s_addr: u32::from_ne_bytes(own.octets()),
                },
                ipi_addr: libc::in_addr { s_addr: 0 },
            }),
            IpAddr::V6(own) => Self::V6(libc::in6_pktinfo {
                ipi6_addr: libc::in6_addr {
                    s6_addr: own.octets(),
                },
                ipi6_ifindex: 0,
            }),
        }
    }

    pub(crate) fn control(&self) -> ControlMessage<'_> {
        match self {
            Self::V4(info) => ControlMessage::Ipv4PacketInfo(info),
            Self::V6(info) => ControlMessage::Ipv6PacketInfo(info),
        }
    }

    /// Room for this alone.
    #[cfg(feature = "gateway")]
    pub(crate) fn room(&self) -> Vec<u8> {
        match self {
            Self::V4(_) => cmsg_space!(libc::in_pktinfo),
            Self::V6(_) => cmsg_space!(libc::in6_pktinfo),
        }
    }
}

/// If a socket hears every address, makes the kernel say with each datagram which of them it came to. Gives the address that stands for all of them.
pub(crate) fn ask(socket: &impl AsFd) -> Option<IpAddr> {
    let own = getsockname::<SockaddrStorage>(socket.as_fd().as_raw_fd()).ok()?;
    let own = to_socket_addr(own)?.ip();
    let asked = match own {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => setsockopt(socket, sockopt::Ipv4PacketInfo, &true),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => setsockopt(socket, sockopt::Ipv6RecvPacketInfo, &true),
        _ => return None,
    };
    asked.is_ok().then_some(own)
}

/// The address that a datagram came to, if the kernel says so.
pub(crate) fn came_to(control: &ControlMessageOwned) -> Option<IpAddr> {
    let own = match control {
        ControlMessageOwned::Ipv4PacketInfo(info) => {
            IpAddr::from(info.ipi_spec_dst.s_addr.to_ne_bytes())
        }
        ControlMessageOwned::Ipv6PacketInfo(info) => IpAddr::from(info.ipi6_addr.s6_addr),
        _ => return None,
    };
    // Of what came before the kernel was asked it does not know.
    (!own.is_unspecified()).then_some(own)
}

/// The address and port that a system call gives.
pub(crate) fn to_socket_addr(address: SockaddrStorage) -> Option<SocketAddr> {
    let v4 = address
        .as_sockaddr_in()
        .map(|v4| SocketAddr::V4((*v4).into()));
    v4.or_else(|| {
        address
            .as_sockaddr_in6()
            .map(|v6| SocketAddr::V6((*v6).into()))
    })
}

/// Takes a datagram from a socket that was asked: its bytes, where it comes from and where it came to.
pub(crate) fn receive(
    socket: &UdpSocket,
    buffer: &mut [u8],
) -> io::Result<(usize, SocketAddr, Option<IpAddr>)> {
    let mut control = cmsg_space!(libc::in6_pktinfo);
    let (fd, flags) = (socket.as_raw_fd(), MsgFlags::empty());
    let mut slices = [IoSliceMut::new(buffer)];
    let message = recvmsg::<SockaddrStorage>(fd, &mut slices, Some(&mut control), flags)?;
    let own = message.cmsgs()?.find_map(|control| came_to(&control));
    let from = message.address.and_then(to_socket_addr);
    let from = from.ok_or(io::ErrorKind::InvalidData)?;
    Ok((message.bytes, from, own))
}

/// Sends a datagram from an own address.
pub(crate) fn send(
    socket: &UdpSocket,
    message: &[u8],
    to: SocketAddr,
    source: Source,
) -> io::Result<()> {
    let (fd, flags) = (socket.as_raw_fd(), MsgFlags::empty());
    let slices = [IoSlice::new(message)];
    let to = SockaddrStorage::from(to);
    sendmsg(fd, &slices, &[source.control()], flags, Some(&to))?;
    Ok(())
}
