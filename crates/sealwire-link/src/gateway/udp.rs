// SPDX-License-Identifier: Apache-2.0
//! Many UDP packets in one system call.

use super::buffers::Buffers;
use crate::packet::{BATCH, Outgoing};
use nix::{
    errno::Errno,
    sys::socket::{MsgFlags, MultiHeaders, SockaddrStorage, recvmmsg, sendmmsg},
};
use std::{
    io::{self, IoSlice},
    net::{SocketAddr, UdpSocket},
    os::fd::AsRawFd,
};

/// A socket with the headers of its system calls, allocated once.
pub(super) struct Udp<'a> {
    socket: &'a UdpSocket,
    receiving: MultiHeaders<SockaddrStorage>,
    sending: MultiHeaders<SockaddrStorage>,
}

/// How many packets came, and whether there may be more.
pub(super) struct Received {
    pub(super) count: usize,
    pub(super) more: bool,
}

impl<'a> Udp<'a> {
    pub(super) fn new(socket: &'a UdpSocket) -> Self {
        Self {
            socket,
            receiving: MultiHeaders::preallocate(BATCH, None),
            sending: MultiHeaders::preallocate(BATCH, None),
        }
    }

    /// Fills the buffers with the packets that wait.
    pub(super) fn receive(&mut self, buffers: &mut Buffers) -> io::Result<Received> {
        let mut lens = [(0, None); BATCH];
        let count = {
            let mut slices = buffers.slices();
            let received = recvmmsg(
                self.socket.as_raw_fd(),
                &mut self.receiving,
                slices.iter_mut(),
                MsgFlags::MSG_DONTWAIT,
                None,
            );
            let received = match received {
                Ok(received) => received,
                Err(Errno::EAGAIN | Errno::EINTR) => {
                    return Ok(Received {
                        count: 0,
                        more: false,
                    });
                }
                Err(Errno::EBADF | Errno::ENOTSOCK) => return Err(Errno::EBADF.into()),
                // An error that the network reported for an earlier packet.
                Err(_) => {
                    return Ok(Received {
                        count: 0,
                        more: true,
                    });
                }
            };
            let mut count = 0;
            for (message, entry) in received.zip(&mut lens) {
                *entry = (message.bytes, message.address);
                count += 1;
            }
            count
        };
        for (index, (len, from)) in lens.iter().take(count).enumerate() {
            buffers.set_packet(
                index,
                *len,
                from.and_then(to_socket_addr).unwrap_or(NOWHERE),
            );
        }
        Ok(Received {
            count,
            more: count == BATCH,
        })
    }

    /// Sends what was sealed and gives how many packets the system refused.
    pub(super) fn send(&mut self, to: SocketAddr, packets: &[Outgoing<'_>]) -> u64 {
        let mut sealed = packets.iter().filter_map(|packet| packet.packet().ok());
        let slices: [[IoSlice<'_>; 1]; BATCH] =
            std::array::from_fn(|_| [IoSlice::new(sealed.next().unwrap_or_default())]);
        let count = slices
            .iter()
            .take_while(|slice| !slice[0].is_empty())
            .count();
        let addresses = [Some(SockaddrStorage::from(to)); BATCH];
        let (mut done, mut refused) = (0, 0);
        while done < count {
            let sent = sendmmsg(
                self.socket.as_raw_fd(),
                &mut self.sending,
                &slices[done..count],
                &addresses[done..count],
                [],
                MsgFlags::MSG_DONTWAIT,
            )
            .map(Iterator::count);
            match sent {
                Ok(sent) if sent > 0 => done += sent,
                Err(Errno::EINTR) => {}
                // The first of them was refused; the others may pass.
                Ok(_) | Err(_) => {
                    refused += 1;
                    done += 1;
                }
            }
        }
        refused
    }

    /// Sends a single packet; false if the system refuses it.
    pub(super) fn send_one(&self, to: SocketAddr, packet: &[u8]) -> bool {
        self.socket.send_to(packet, to).is_ok()
    }
}

const NOWHERE: SocketAddr =
    SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED), 0);

fn to_socket_addr(address: SockaddrStorage) -> Option<SocketAddr> {
    let v4 = address
        .as_sockaddr_in()
        .map(|v4| SocketAddr::V4((*v4).into()));
    v4.or_else(|| {
        address
            .as_sockaddr_in6()
            .map(|v6| SocketAddr::V6((*v6).into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{packet::OVERHEAD, wire::HEADER_LEN};
    use std::time::Duration;

    fn sealed_like(buffers: &mut [Vec<u8>]) -> Vec<Outgoing<'_>> {
        let outgoing = |buffer: &'_ mut Vec<u8>| -> usize { buffer.len() - OVERHEAD };
        buffers
            .iter_mut()
            .map(|buffer| {
                let len = outgoing(buffer);
                let mut packet = Outgoing::new(buffer, len).unwrap();
                packet.result = Ok(HEADER_LEN + len);
                packet
            })
            .collect()
    }

    fn exchange(address: &str) {
        let (a, b) = (
            UdpSocket::bind(address).unwrap(),
            UdpSocket::bind(address).unwrap(),
        );
        let (from, to) = (a.local_addr().unwrap(), b.local_addr().unwrap());
        let mut bytes: Vec<Vec<u8>> = (0..50)
            .map(|i| vec![i as u8 + 1; OVERHEAD + 20 + i * 30])
            .collect();
        let mut packets = sealed_like(&mut bytes);
        packets[3].result = Err(crate::wire::LocalDrop::Size);
        assert_eq!(Udp::new(&a).send(to, &packets), 0);
        std::thread::sleep(Duration::from_millis(20));
        let (mut udp, mut buffers) = (Udp::new(&b), Buffers::new());
        let received = udp.receive(&mut buffers).unwrap();
        assert_eq!((received.count, received.more), (49, false));
        let sent = packets.iter().filter_map(|packet| packet.packet().ok());
        for (packet, expected) in buffers.incoming(49).iter().zip(sent) {
            assert_eq!((&*packet.packet, packet.from), (expected, from));
        }
        assert_eq!(udp.receive(&mut buffers).unwrap().count, 0);
    }

    #[test]
    fn carries_a_batch_with_lengths_and_addresses() {
        exchange("127.0.0.1:0");
        if UdpSocket::bind("[::1]:0").is_ok() {
            exchange("[::1]:0");
        }
    }

    #[test]
    fn counts_what_the_system_refuses() {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let mut bytes = vec![vec![1; OVERHEAD + 20]; 5];
        let packets = sealed_like(&mut bytes);
        // An IPv6 address does not fit an IPv4 socket.
        assert_eq!(
            Udp::new(&socket).send("[::1]:9".parse().unwrap(), &packets),
            5
        );
    }
}
