// SPDX-License-Identifier: Apache-2.0
//! Many packets in one system call.

use super::{
    buffers::Buffers,
    carrier::{Address, Carrier, ETHERNET_HEADER},
};
use crate::packet::{BATCH, Outgoing};
use nix::{
    errno::Errno,
    sys::socket::{MsgFlags, MultiHeaders, SockaddrStorage, recvmmsg, sendmmsg, sendmsg},
};
use std::{
    io::{self, IoSlice, IoSliceMut},
    os::fd::{AsFd, AsRawFd},
};

/// A carrier with the headers of its system calls, allocated once.
pub(super) struct Socket<'a> {
    carrier: &'a Carrier,
    receiving: MultiHeaders<SockaddrStorage>,
    sending: MultiHeaders<SockaddrStorage>,
    /// The network device was once reported to be down.
    was_down: bool,
}

/// How many packets came, and whether there may be more.
pub(super) struct Received {
    pub(super) count: usize,
    pub(super) more: bool,
}

impl<'a> Socket<'a> {
    pub(super) fn new(carrier: &'a Carrier) -> Self {
        Self {
            carrier,
            receiving: MultiHeaders::preallocate(BATCH, None),
            sending: MultiHeaders::preallocate(BATCH, None),
            was_down: false,
        }
    }

    /// Fails if the network device is gone for good. The system says that it is down, and only later forgets it.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.was_down && self.carrier.is_gone() {
            let text = "the network device of the untrusted side is gone";
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        Ok(())
    }

    /// Fills the buffers with the packets that wait.
    pub(super) fn receive(&mut self, buffers: &mut Buffers) -> io::Result<Received> {
        let none = |more| Ok(Received { count: 0, more });
        let header_len = self.carrier.header_len();
        let mut headers = [[0; ETHERNET_HEADER]; BATCH];
        let mut came = [(0, None); BATCH];
        let count = {
            let mut rest = headers.iter_mut();
            let mut slices = buffers.slices().map(|body| {
                let header = rest.next().map_or(&mut [][..], |h| &mut h[..header_len]);
                [IoSliceMut::new(header), body]
            });
            let received = recvmmsg(
                self.carrier.as_fd().as_raw_fd(),
                &mut self.receiving,
                slices.iter_mut(),
                MsgFlags::MSG_DONTWAIT,
                None,
            );
            let received = match received {
                Ok(received) => received,
                Err(Errno::EAGAIN | Errno::EINTR) => return none(false),
                Err(error @ (Errno::EBADF | Errno::ENOTSOCK)) => return Err(error.into()),
                Err(Errno::ENETDOWN) => {
                    self.was_down = true;
                    return none(true);
                }
                // An error that the network reported for an earlier packet.
                Err(_) => return none(true),
            };
            let mut count = 0;
            for (message, entry) in received.zip(&mut came) {
                *entry = (message.bytes, message.address);
                count += 1;
            }
            count
        };
        for (index, (len, address)) in came.iter().take(count).enumerate() {
            let from = len
                .checked_sub(header_len)
                .and_then(|_| self.carrier.sender(&headers[index], *address));
            buffers.set_packet(index, len.saturating_sub(header_len), from);
        }
        Ok(Received {
            count,
            more: count == BATCH,
        })
    }

    /// Sends what was sealed and gives how many packets the system refused.
    pub(super) fn send(&mut self, to: Address, packets: &[Outgoing<'_>]) -> u64 {
        let mut sealed = packets.iter().filter_map(|packet| packet.packet().ok());
        let Some((header, address)) = self.carrier.way_to(to) else {
            return sealed.count() as u64;
        };
        let header = &header[..self.carrier.header_len()];
        let slices: [[IoSlice<'_>; 2]; BATCH] =
            std::array::from_fn(|_| [header, sealed.next().unwrap_or_default()].map(IoSlice::new));
        let count = slices
            .iter()
            .take_while(|slices| !slices[1].is_empty())
            .count();
        let addresses = [address; BATCH];
        let (mut done, mut refused) = (0, 0);
        while done < count {
            let sent = sendmmsg(
                self.carrier.as_fd().as_raw_fd(),
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
    pub(super) fn send_one(&self, to: Address, packet: &[u8]) -> bool {
        let Some((header, address)) = self.carrier.way_to(to) else {
            return false;
        };
        let slices = [&header[..self.carrier.header_len()], packet].map(IoSlice::new);
        sendmsg(
            self.carrier.as_fd().as_raw_fd(),
            &slices,
            &[],
            MsgFlags::MSG_DONTWAIT,
            address.as_ref(),
        )
        .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{packet::OVERHEAD, wire::HEADER_LEN};
    use std::{net::UdpSocket, time::Duration};

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
        let sockets = [(); 2].map(|()| UdpSocket::bind(address).unwrap());
        let [from, to] = [0, 1].map(|i| Address::Udp(sockets[i].local_addr().unwrap()));
        let [a, b] = sockets.map(Carrier::from);
        let mut bytes: Vec<Vec<u8>> = (0..50)
            .map(|i| vec![i as u8 + 1; OVERHEAD + 20 + i * 30])
            .collect();
        let mut packets = sealed_like(&mut bytes);
        packets[3].result = Err(crate::wire::LocalDrop::Size);
        assert_eq!(Socket::new(&a).send(to, &packets), 0);
        assert!(Socket::new(&a).send_one(to, b"one more"));
        std::thread::sleep(Duration::from_millis(20));
        let (mut socket, mut buffers) = (Socket::new(&b), Buffers::new());
        let received = socket.receive(&mut buffers).unwrap();
        assert_eq!((received.count, received.more), (50, false));
        let sent = packets.iter().filter_map(|packet| packet.packet().ok());
        let sent = sent.chain([&b"one more"[..]]);
        for (packet, expected) in buffers.incoming(50).iter().zip(sent) {
            assert_eq!((&*packet.packet, packet.from), (expected, from));
        }
        assert_eq!(socket.receive(&mut buffers).unwrap().count, 0);
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
        let carrier = Carrier::udp("127.0.0.1:0".parse().unwrap()).unwrap();
        let mut bytes = vec![vec![1; OVERHEAD + 20]; 5];
        let packets = sealed_like(&mut bytes);
        // An IPv6 address does not fit an IPv4 socket, a card's address no UDP socket at all.
        let other = "02:00:00:00:00:01".parse::<super::super::Mac>().unwrap();
        for to in [Address::Udp("[::1]:9".parse().unwrap()), other.into()] {
            assert_eq!(Socket::new(&carrier).send(to, &packets), 5);
            assert!(!Socket::new(&carrier).send_one(to, b"packet"));
        }
    }
}
