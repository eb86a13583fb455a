// SPDX-License-Identifier: Apache-2.0
//! Many packets in one system call.
//!
//! Over UDP there are two ways. Where the kernel offers it (`UDP_SEGMENT`, `UDP_GRO`), a run of packets of one size goes through it as
//! one message that it cuts at the end of its way, and comes as one that it has joined. Otherwise, and for what such a run does not
//! take, many messages go with one call (`sendmmsg`, `recvmmsg`).

use super::{
    BUFFER,
    buffers::{Messages, Meta},
    carrier::{Address, Carrier, ETHERNET_HEADER},
    direct::{Direct, Refused},
};
use crate::{
    own_address::{self, Source},
    packet::{BATCH, Outgoing},
};
use arrayvec::ArrayVec;
use nix::{
    cmsg_space,
    errno::Errno,
    libc,
    sys::socket::{
        ControlMessage, ControlMessageOwned, MsgFlags, MultiHeaders, RecvMsg, SockaddrStorage,
        recvmmsg, recvmsg, sendmmsg, sendmsg,
    },
};
use rustix::net::{SendFlags, sendto};
use std::{
    io::{self, IoSlice, IoSliceMut},
    iter, mem,
    net::{IpAddr, SocketAddr},
    os::fd::{AsFd, AsRawFd},
};

/// Bytes of packets that one message may be cut into: what an IP packet carries, with room for every header.
const LONGEST_RUN: usize = 65_000;
/// Joined messages that one call takes, and the bytes that one may have.
const JOINED: (usize, usize) = (32, 65_536);
/// A call asks for this many messages at least.
const FEWEST: usize = 4;

/// After so many runs that the kernel did not cut, one after the other, it is not asked again.
const REFUSED_RUNS: u8 = 8;

/// A carrier, the socket beside it if there is one, and the headers of their system calls.
pub(super) struct Socket<'a> {
    carrier: &'a Carrier,
    direct: Option<Direct<'a>>,
    receiving: MultiHeaders<SockaddrStorage>,
    sending: MultiHeaders<SockaddrStorage>,
    /// For packets that leave from an address that is given with them, where the carrier hears every address; and that which stands for all.
    sending_via: Option<(MultiHeaders<SockaddrStorage>, IpAddr)>,
    /// Room for what the kernel says about a single message.
    control: Vec<u8>,
    /// How many messages the next call asks for: more while they come.
    asked: usize,
    /// Whether the kernel cuts runs of packets.
    cuts: bool,
    /// Runs that it refused since it last cut one.
    refused_runs: u8,
    /// Whether the kernel joins packets.
    joins: bool,
    /// The network device was once reported to be down.
    was_down: bool,
    /// The log says that packets leave from another address than was called.
    told_source: bool,
}

/// How many messages came, and whether there may be more.
pub(super) struct Received {
    pub(super) count: usize,
    pub(super) more: bool,
}

impl Received {
    const fn nothing(more: bool) -> Self {
        Self { count: 0, more }
    }
}

/// How packets leave: through which socket, what stands in front of each, their address if the socket is not connected with it, and from which own
/// address if the system does not choose it.
#[derive(Clone, Copy)]
struct Exit<'a> {
    carrier: &'a Carrier,
    header: &'a [u8],
    address: Option<SockaddrStorage>,
    source: Option<Source>,
}

impl<'a> Socket<'a> {
    pub(super) fn new(carrier: &'a Carrier, direct: Option<&'a Carrier>) -> Self {
        let (cuts, mut joins) = carrier.start_offload();
        if let Some(direct) = direct {
            joins &= direct.start_offload().1;
            direct.start_own_addresses();
        }
        let every = carrier.start_own_addresses();
        let via = |own| {
            let room = Source::new(own).room();
            (MultiHeaders::preallocate(BATCH, Some(room)), own)
        };
        Self {
            carrier,
            direct: direct.map(Direct::new),
            receiving: MultiHeaders::preallocate(BATCH, None),
            sending: MultiHeaders::preallocate(BATCH, None),
            sending_via: every.map(via),
            control: control_room(),
            asked: FEWEST,
            cuts,
            refused_runs: 0,
            joins,
            was_down: false,
            told_source: false,
        }
    }

    /// Buffers for what this socket receives.
    pub(super) fn messages(&self) -> Messages {
        let (count, room) = if self.joins { JOINED } else { (BATCH, BUFFER) };
        Messages::new(count, room)
    }

    /// Whether the kernel cuts runs of packets, and whether it joins them.
    pub(super) fn offload(&self) -> (bool, bool) {
        (self.cuts, self.joins)
    }

    /// Fails if the network device is gone for good. The system says that it is down, and only later forgets it.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.was_down && self.carrier.is_gone() {
            let text = "the network device of the untrusted side is gone";
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        Ok(())
    }

    /// The sockets that packets come through.
    pub(super) fn entrances(&self) -> impl Iterator<Item = &'a Carrier> + use<'a> {
        let direct = self.direct.as_ref().map(Direct::carrier);
        iter::once(self.carrier).chain(direct)
    }

    /// Whether what comes through the second entrance is to wait for what came through the first one before.
    pub(super) fn is_fresh(&self) -> bool {
        self.direct.as_ref().is_some_and(Direct::is_fresh)
    }

    /// Ends that.
    pub(super) fn was_waited_for(&mut self) {
        if let Some(direct) = &mut self.direct {
            direct.was_waited_for();
        }
    }

    /// Looks whether packets to the peer still leave from the right address, which is due once a second.
    pub(super) fn check_source(&mut self) {
        if let Some(direct) = &mut self.direct {
            direct.check_source();
        }
    }

    /// Takes one message. Whether there are more is left to the next wait, which tells it for less than a call in vain.
    pub(super) fn receive_one(
        &mut self,
        entrance: &Carrier,
        messages: &mut Messages,
    ) -> io::Result<Received> {
        let mut header = [0; ETHERNET_HEADER];
        let (mut bodies, meta) = messages.parts();
        let (Some(body), Some(meta)) = (bodies.next(), meta.first_mut()) else {
            return Ok(Received::nothing(false));
        };
        let mut slices = [&mut header[..self.carrier.header_len()], body].map(IoSliceMut::new);
        let came = recvmsg::<SockaddrStorage>(
            entrance.as_fd().as_raw_fd(),
            &mut slices,
            self.is_told().then_some(&mut self.control),
            MsgFlags::MSG_DONTWAIT,
        )
        .map(|message| Came::new(&message));
        match came {
            Ok(came) => {
                *meta = came.meta(self.carrier, &header);
                Ok(Received {
                    count: 1,
                    more: false,
                })
            }
            Err(error) => self.none_came(error),
        }
    }

    /// Whether the kernel says something about each message.
    fn is_told(&self) -> bool {
        self.joins || self.sending_via.is_some()
    }

    /// What an error of a receiving call means.
    fn none_came(&mut self, error: Errno) -> io::Result<Received> {
        match error {
            Errno::EAGAIN | Errno::EINTR => Ok(Received::nothing(false)),
            Errno::EBADF | Errno::ENOTSOCK => Err(error.into()),
            Errno::ENETDOWN => {
                self.was_down = true;
                Ok(Received::nothing(true))
            }
            // An error that the network reported for an earlier packet.
            _ => Ok(Received::nothing(true)),
        }
    }

    /// Fills the buffers with the messages that wait.
    pub(super) fn receive(
        &mut self,
        entrance: &Carrier,
        messages: &mut Messages,
    ) -> io::Result<Received> {
        let asked = self.asked.min(messages.count());
        let header_len = self.carrier.header_len();
        let mut headers = [[0; ETHERNET_HEADER]; BATCH];
        // The kernel shortens the room for control data to what it used, and this call's headers cannot be mended: new ones.
        let mut fresh = self
            .is_told()
            .then(|| MultiHeaders::preallocate(asked, Some(control_room())));
        let (bodies, meta) = messages.parts();
        let came = {
            let mut parts = headers.iter_mut().zip(bodies);
            let mut slices: [[IoSliceMut<'_>; 2]; BATCH] = std::array::from_fn(|_| {
                let (header, body) = parts
                    .next()
                    .map_or_else(Default::default, |(header, body)| {
                        (&mut header[..header_len], body)
                    });
                [header, body].map(IoSliceMut::new)
            });
            let received = recvmmsg(
                entrance.as_fd().as_raw_fd(),
                fresh.as_mut().unwrap_or(&mut self.receiving),
                slices.iter_mut().take(asked),
                MsgFlags::MSG_DONTWAIT,
                None,
            );
            let received = match received {
                Ok(received) => received,
                Err(error) => return self.none_came(error),
            };
            received
                .map(|message| Came::new(&message))
                .collect::<ArrayVec<_, BATCH>>()
        };
        let count = came.len();
        // By reference: to move the whole array would take longer than a packet.
        for (i, came) in came.iter().enumerate() {
            meta[i] = came.meta(self.carrier, &headers[i]);
        }
        let more = count == asked;
        self.asked = if more {
            (asked * 4).min(messages.count())
        } else {
            asked.min(2 * count).max(FEWEST)
        };
        Ok(Received { count, more })
    }

    /// Sends what was sealed and gives how many packets the system refused.
    pub(super) fn send(&mut self, to: Address, packets: &[Outgoing<'_>]) -> u64 {
        if let [packet] = packets {
            let sent = packet
                .packet()
                .map_or(true, |packet| self.send_alone(to, packet));
            return u64::from(!sent);
        }
        let sealed = packets.iter().filter_map(|packet| packet.packet().ok());
        let sealed: ArrayVec<&[u8], BATCH> = sealed.take(BATCH).collect();
        let Some((header, address)) = self.carrier.way_to(to) else {
            return sealed.len() as u64;
        };
        let plain = Exit {
            carrier: self.carrier,
            header: &header[..self.carrier.header_len()],
            address,
            source: self.source_for(to),
        };
        let mut exit = self.lead(to, sealed.len()).map_or(plain, |carrier| Exit {
            carrier,
            address: None,
            source: None,
            ..plain
        });
        let (mut begin, mut at, mut refused) = (0, 0, 0);
        while self.cuts && at < sealed.len() {
            let run = run_len(&sealed[at..]);
            if run > 1 {
                refused += self.send_each(to, &mut exit, &sealed[begin..at]);
                refused += self.send_run(to, &mut exit, &sealed[at..at + run]);
                begin = at + run;
            }
            at += run;
        }
        refused + self.send_each(to, &mut exit, &sealed[begin..])
    }

    /// The own address that packets to there are to leave from. None but one of this socket's kind has room with them.
    fn source_for(&self, to: Address) -> Option<Source> {
        let (_, every) = self.sending_via.as_ref()?;
        let own = to.own().filter(|own| own.is_ipv4() == every.is_ipv4());
        own.map(Source::new)
    }

    /// The connected socket, if it leads to where so many packets go.
    fn lead(&mut self, to: Address, packets: usize) -> Option<&'a Carrier> {
        self.direct
            .as_mut()
            .and_then(|direct| direct.lead(to, packets))
    }

    /// Sends a sealed packet; false if the system refuses it.
    fn send_alone(&mut self, to: Address, packet: &[u8]) -> bool {
        let leads = self.lead(to, 1).is_some();
        match self
            .direct
            .as_mut()
            .filter(|_| leads)
            .map(|d| d.send(packet))
        {
            Some(Ok(())) => true,
            Some(Err(Refused::NoRoom)) => false,
            Some(Err(Refused::Here)) | None => self.send_one(to, packet),
        }
    }

    /// Sends packets of one size as one message.
    fn send_run(&mut self, to: Address, exit: &mut Exit<'_>, run: &[&[u8]]) -> u64 {
        let size = run.first().map_or(0, |packet| packet.len()) as u16;
        let slices: ArrayVec<IoSlice<'_>, BATCH> = run.iter().map(|p| IoSlice::new(p)).collect();
        let cut = ControlMessage::UdpGsoSegments(&size);
        let source = exit.source;
        let source = source.iter().map(Source::control);
        let controls: ArrayVec<_, 2> = iter::once(cut).chain(source).collect();
        let sent = sendmsg(
            exit.carrier.as_fd().as_raw_fd(),
            &slices,
            &controls,
            MsgFlags::MSG_DONTWAIT,
            exit.address.as_ref(),
        );
        match sent {
            Ok(_) => {
                self.refused_runs = 0;
                return 0;
            }
            // The address that they are to leave from may be gone, which the first of them will tell.
            Err(Errno::EINVAL) if exit.address.is_none() => {}
            Err(error @ Errno::EINVAL) if exit.source.is_some() => {
                let refused = self.send_each(to, exit, run);
                if refused == 0 && exit.source.is_some() {
                    self.not_cut(error);
                }
                return refused;
            }
            Err(error @ (Errno::EIO | Errno::EINVAL | Errno::EOPNOTSUPP)) => self.not_cut(error),
            // Too large for the way in one piece, or no room for all: each for itself may pass.
            Err(_) => {}
        }
        self.send_each(to, exit, run)
    }

    /// Either this run was too large for the way as it is now, and the next may pass; or the network device behind the route cannot have
    /// its checksums made, or the kernel does not know the option, and none will.
    fn not_cut(&mut self, error: Errno) {
        self.refused_runs += 1;
        if self.refused_runs >= REFUSED_RUNS {
            tracing::info!(%error, "runs of packets are not cut by the kernel on this way; each goes alone");
            self.cuts = false;
        }
    }

    /// Sends each packet as a message of its own. An exit whose source the system refuses has none from then on.
    fn send_each(&mut self, to: Address, exit: &mut Exit<'_>, packets: &[&[u8]]) -> u64 {
        let Exit {
            carrier,
            header,
            address,
            ..
        } = *exit;
        let slices: ArrayVec<[IoSlice<'_>; 2], BATCH> = packets
            .iter()
            .map(|packet| [header, packet].map(IoSlice::new))
            .collect();
        let addresses: ArrayVec<_, BATCH> = packets.iter().map(|_| address).collect();
        let (mut done, mut refused) = (0, 0);
        while done < packets.len() {
            let source = exit.source;
            let (headers, control) = match (&mut self.sending_via, &source) {
                (Some((headers, _)), Some(source)) => (headers, Some(source.control())),
                _ => (&mut self.sending, None),
            };
            let sent = sendmmsg(
                carrier.as_fd().as_raw_fd(),
                headers,
                &slices[done..],
                &addresses[done..],
                control.as_slice(),
                MsgFlags::MSG_DONTWAIT,
            )
            .map(Iterator::count);
            match sent {
                Ok(sent) if sent > 0 => done += sent,
                Err(Errno::EINTR) => {}
                // The first of them was refused; the others may pass.
                failed => {
                    let error = failed.err().unwrap_or(Errno::EAGAIN);
                    refused += u64::from(!self.passes_after(error, to, exit, packets[done]));
                    done += 1;
                }
            }
        }
        refused
    }

    /// Whether a packet that was refused by this exit passes through the first socket, or from an address that the system chooses.
    fn passes_after(
        &mut self,
        error: Errno,
        to: Address,
        exit: &mut Exit<'_>,
        packet: &[u8],
    ) -> bool {
        match (&mut self.direct, to.udp()) {
            (Some(direct), Some(_)) if exit.address.is_none() => {
                direct.failed(error) == Refused::Here && self.send_one(to, packet)
            }
            (_, Some(place)) if exit.source.is_some() && is_gone(error) => {
                exit.source = None;
                self.tell_source(to);
                self.send_plain(place, packet)
            }
            _ => false,
        }
    }

    /// Says in the log, once, that the system sends from another address than was called.
    fn tell_source(&mut self, to: Address) {
        if !mem::replace(&mut self.told_source, true)
            && let Some(own) = to.own()
        {
            tracing::info!(%own, %to, "this address was called and is gone: packets leave from another one");
        }
    }

    /// Sends a single packet; false if the system refuses it.
    pub(super) fn send_one(&self, to: Address, packet: &[u8]) -> bool {
        let Some((header, address)) = self.carrier.way_to(to) else {
            return false;
        };
        if let Address::Udp(place) = to {
            return self.send_plain(place, packet);
        }
        let slices = [&header[..self.carrier.header_len()], packet].map(IoSlice::new);
        let source = self.source_for(to);
        let control: ArrayVec<_, 1> = source.iter().map(Source::control).collect();
        let (fd, flags) = (self.carrier.as_fd().as_raw_fd(), MsgFlags::MSG_DONTWAIT);
        match (
            sendmsg(fd, &slices, &control, flags, address.as_ref()),
            to.udp(),
        ) {
            (Ok(_), _) => true,
            (Err(error), Some(place)) if source.is_some() && is_gone(error) => {
                self.send_plain(place, packet)
            }
            _ => false,
        }
    }

    /// Sends a packet from an address that the system chooses; false if it refuses.
    fn send_plain(&self, to: SocketAddr, packet: &[u8]) -> bool {
        sendto(self.carrier, packet, SendFlags::DONTWAIT, &to).is_ok()
    }
}

/// Whether the system may have refused a packet because it has the address no more that it was to leave from.
const fn is_gone(error: Errno) -> bool {
    matches!(
        error,
        Errno::EINVAL | Errno::EADDRNOTAVAIL | Errno::ENETUNREACH
    )
}

/// Room for what the kernel says about a message: the size of the packets that it was joined from, and the own address that it came to.
fn control_room() -> Vec<u8> {
    cmsg_space!(i32, libc::in6_pktinfo)
}

/// A message as the system gave it.
struct Came {
    /// Bytes, the header that this side's code reads among them.
    len: usize,
    from: Option<SockaddrStorage>,
    /// The size of the packets that it was joined from. `None`: it is one packet.
    packet_len: Option<usize>,
    /// The own address that it came to, if that was asked for.
    to: Option<IpAddr>,
}

impl Came {
    fn new(message: &RecvMsg<'_, '_, SockaddrStorage>) -> Self {
        let mut came = Self {
            len: message.bytes,
            from: message.address,
            packet_len: None,
            to: None,
        };
        for control in message.cmsgs().into_iter().flatten() {
            if let ControlMessageOwned::UdpGroSegments(len) = control {
                came.packet_len = usize::try_from(len).ok().filter(|&len| len > 0);
            } else {
                came.to = came.to.or(own_address::came_to(&control));
            }
        }
        came
    }

    /// What is to be said about it.
    fn meta(&self, carrier: &Carrier, header: &[u8; ETHERNET_HEADER]) -> Meta {
        let body = self.len.checked_sub(carrier.header_len());
        let from = body.and_then(|_| carrier.sender(header, self.from));
        let len = body.unwrap_or(0);
        Meta {
            len,
            packet_len: self.packet_len.unwrap_or(len),
            from: from.map(|from| from.via(self.to)),
        }
    }
}

/// How many of the first packets one message can be cut into: all of one size, but that the last may be shorter.
fn run_len(packets: &[&[u8]]) -> usize {
    let size = packets.first().map_or(0, |packet| packet.len());
    let same = packets.iter().take_while(|packet| packet.len() == size);
    let same = same.take(LONGEST_RUN / size.max(1)).count().max(1);
    let shorter = |packet: &&[u8]| packet.len() < size && (same + 1) * size <= LONGEST_RUN;
    same + usize::from(packets.get(same).is_some_and(shorter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::direct;
    use crate::{packet::OVERHEAD, wire::HEADER_LEN};
    use std::{
        net::{SocketAddr, UdpSocket},
        time::Duration,
    };

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

    fn exit_to(carrier: &Carrier, to: SocketAddr) -> Exit<'_> {
        Exit {
            carrier,
            header: &[],
            address: Some(to.into()),
            source: None,
        }
    }

    /// Sends packets of these sizes of frames from one socket to another and gives in how many messages they came.
    fn exchange(address: &str, sizes: &[usize], offload: [bool; 2]) -> usize {
        let sockets = [(); 2].map(|()| UdpSocket::bind(address).unwrap());
        let [from, to] = [0, 1].map(|i| Address::Udp(sockets[i].local_addr().unwrap()));
        let mut offload = offload.into_iter();
        let [a, b] = sockets.map(|socket| {
            socket.set_nonblocking(true).unwrap();
            Carrier::from(socket).with_offload(offload.next().unwrap())
        });
        let mut bytes: Vec<Vec<u8>> = (1..)
            .zip(sizes)
            .map(|(i, size)| vec![i as u8; OVERHEAD + size])
            .collect();
        let mut packets = sealed_like(&mut bytes);
        packets[3].result = Err(crate::wire::LocalDrop::Size);
        let mut receiving = Socket::new(&b, None);
        let mut messages = receiving.messages();
        assert_eq!(Socket::new(&a, None).send(to, &packets), 0);
        assert!(Socket::new(&a, None).send_one(to, b"one more"));
        std::thread::sleep(Duration::from_millis(20));
        let sent = packets.iter().filter_map(|packet| packet.packet().ok());
        let mut sent = sent.chain([&b"one more"[..]]);
        let mut calls = 0;
        loop {
            let received = receiving.receive(&b, &mut messages).unwrap();
            calls += received.count;
            for packet in messages.incoming(received.count) {
                let expected = sent.next().expect("nothing comes that was not sent");
                assert!(*packet.packet == *expected, "as it was sent");
                assert_eq!(packet.from, from);
            }
            if !received.more {
                break;
            }
        }
        assert_eq!(sent.next(), None, "everything came");
        assert_eq!(receiving.receive(&b, &mut messages).unwrap().count, 0);
        calls
    }

    #[test]
    fn carries_a_batch_with_lengths_and_addresses() {
        let (same, mixed): (Vec<_>, Vec<_>) = (0..50).map(|i| (1200, 20 + i * 30)).unzip();
        let mut runs = vec![700; 20];
        runs.extend([100, 700, 700, 20]);
        runs.extend(vec![9600; 8]);
        for address in ["127.0.0.1:0", "[::1]:0"] {
            if UdpSocket::bind(address).is_err() {
                continue;
            }
            for offload in [[false; 2], [true, false], [false, true], [true; 2]] {
                assert_eq!(exchange(address, &mixed, offload), 50);
                let joined = offload == [true; 2];
                let of_same = exchange(address, &same, offload);
                assert_eq!(of_same, if joined { 2 } else { 50 });
                // Two runs with a short end, two of what fits into an IP packet, and the single one.
                let of_runs = exchange(address, &runs, offload);
                assert_eq!(of_runs, if joined { 5 } else { 32 });
            }
        }
    }

    #[test]
    fn finds_runs_that_one_message_can_be_cut_into() {
        let len = |sizes: &[usize]| {
            let packets: Vec<_> = sizes.iter().map(|&size| vec![0; size]).collect();
            let packets: Vec<_> = packets.iter().map(Vec::as_slice).collect();
            run_len(&packets)
        };
        assert_eq!(len(&[5, 5, 5, 4, 5]), 4);
        assert_eq!(len(&[5, 5, 5, 6, 5]), 3);
        assert_eq!((len(&[5, 4, 4]), len(&[5, 6]), len(&[5])), (2, 1, 1));
        assert_eq!(len(&[9632; 20]), 6, "at most 65,000 bytes");
        assert_eq!(len(&[10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 1]), 6);
    }

    #[test]
    fn a_run_that_the_kernel_does_not_cut_goes_packet_by_packet() {
        let sockets = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
        let to = sockets[1].local_addr().unwrap();
        let [a, b] = sockets.map(Carrier::from);
        let packets = vec![vec![1; 9000]; 9];
        let packets: Vec<_> = packets.iter().map(Vec::as_slice).collect();
        // More than fits into an IP packet.
        assert_eq!(
            Socket::new(&a, None).send_run(to.into(), &mut exit_to(&a, to), &packets),
            0
        );
        std::thread::sleep(Duration::from_millis(20));
        let mut receiving = Socket::new(&b, None);
        let mut messages = receiving.messages();
        let received = receiving.receive(&b, &mut messages).unwrap().count;
        let rest = receiving.receive(&b, &mut messages).unwrap().count;
        assert_eq!((received, received + rest), (FEWEST, 9));
    }

    #[test]
    fn a_run_refused_now_and_then_does_not_end_the_cutting_of_others() {
        let sockets = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
        let to = sockets[1].local_addr().unwrap();
        let [a, _b] = sockets.map(|socket| Carrier::from(socket).with_offload(true));
        let mut socket = Socket::new(&a, None);
        if !socket.offload().0 {
            return;
        }
        let run = [[1; 100]; 3];
        let run: Vec<_> = run.iter().map(<[u8; 100]>::as_slice).collect();
        for _ in 0..3 {
            for _ in 0..7 {
                socket.not_cut(Errno::EINVAL);
            }
            assert!(socket.offload().0);
            // One that the kernel cuts shows that it does.
            assert_eq!(socket.send_run(to.into(), &mut exit_to(&a, to), &run), 0);
        }
        for error in [Errno::EIO, Errno::EINVAL].iter().cycle().take(8) {
            socket.not_cut(*error);
        }
        assert!(
            !socket.offload().0,
            "what never works is not tried for ever"
        );
    }

    /// The numbers of the packets that came, in their order.
    fn came(peer: &UdpSocket) -> Vec<u8> {
        let mut packet = [0; 100];
        std::iter::from_fn(|| peer.recv(&mut packet).ok().map(|_| packet[0])).collect()
    }

    #[test]
    fn packets_in_a_row_pass_through_the_connected_socket_and_without_it() {
        for any in ["127.0.0.1:0", "0.0.0.0:0", "[::1]:0", "[::]:0"] {
            let Ok(socket) = UdpSocket::bind(any) else {
                continue;
            };
            socket.set_nonblocking(true).unwrap();
            let own = socket.local_addr().unwrap();
            let mut near = own;
            if own.ip().is_unspecified() {
                near.set_ip(if own.is_ipv4() {
                    std::net::Ipv4Addr::LOCALHOST.into()
                } else {
                    std::net::Ipv6Addr::LOCALHOST.into()
                });
            }
            let carrier = Carrier::from(socket);
            let second = direct::beside(&carrier).expect("a second socket");
            let mut sending = Socket::new(&carrier, Some(&second));
            let peers = [(); 2].map(|()| UdpSocket::bind((near.ip(), 0)).unwrap());
            let mut messages = sending.messages();
            for peer in &peers {
                peer.set_nonblocking(true).unwrap();
                peer.connect(near).unwrap();
            }
            // Each peer in turn, as one that moves, until the way leads there and beyond.
            for (number, peer) in (1..).zip(&peers) {
                let to = Address::Udp(peer.local_addr().unwrap());
                let mut expected = Vec::new();
                for _ in 0..6 {
                    let mut bytes = vec![vec![number; OVERHEAD + 40]; 20];
                    bytes[7].pop();
                    let mut packets = sealed_like(&mut bytes);
                    assert_eq!(sending.send(to, &packets), 0);
                    packets.truncate(1);
                    assert_eq!(sending.send(to, &packets), 0);
                    expected.extend([number; 21]);
                }
                std::thread::sleep(Duration::from_millis(20));
                // They come from the gateway's address: no others get through to a connected peer.
                assert_eq!(came(peer), expected, "{any}");
                assert!(sending.lead(to, 0).is_some(), "{any}");
            }
            // Both peers are heard, each through a socket of its own.
            for (peer, entrance) in peers.iter().zip([&carrier, &second]) {
                let far = Carrier::from(peer.try_clone().unwrap());
                let mut far = Socket::new(&far, None);
                let mut bytes = vec![vec![7; OVERHEAD + 40]; 3];
                assert_eq!(far.send(near.into(), &sealed_like(&mut bytes)), 0);
                std::thread::sleep(Duration::from_millis(20));
                let count = sending.receive(entrance, &mut messages).unwrap().count;
                let joined = far.offload().0 && sending.offload().1;
                assert_eq!(count, if joined { 1 } else { 3 }, "{any}");
                let from: Vec<_> = messages.incoming(count).map(|packet| packet.from).collect();
                assert_eq!(from, [Address::Udp(peer.local_addr().unwrap()); 3]);
            }
        }
    }

    /// A run, packets of other sizes, and one alone, all with this first byte. Gives how many there were.
    fn send_all_kinds(sending: &mut Socket<'_>, to: Address, first: u8) -> usize {
        let sizes = [60, 60, 60, 40, 50, 70];
        let mut bytes: Vec<_> = sizes.map(|size| vec![first; OVERHEAD + size]).into();
        let packets = sealed_like(&mut bytes);
        assert_eq!(sending.send(to, &packets), 0);
        assert_eq!(sending.send(to, &packets[..1]), 0);
        assert!(sending.send_one(to, &[first]));
        std::thread::sleep(Duration::from_millis(20));
        sizes.len() + 2
    }

    #[test]
    fn answers_leave_from_the_address_that_was_called() {
        for (any, called) in [
            ("0.0.0.0:0", "127.0.0.2"),
            ("[::]:0", "127.0.0.2"),
            ("[::]:0", "::1"),
        ] {
            let called: IpAddr = called.parse().unwrap();
            let Ok(socket) = UdpSocket::bind(any) else {
                continue;
            };
            socket.set_nonblocking(true).unwrap();
            let called = SocketAddr::new(called, socket.local_addr().unwrap().port());
            let near = if called.is_ipv4() {
                "127.0.0.1:0"
            } else {
                "[::1]:0"
            };
            let carrier = Carrier::from(socket);
            for has_second in [false, true] {
                let second = has_second.then(|| direct::beside(&carrier)).flatten();
                let mut sending = Socket::new(&carrier, second.as_ref());
                // Connected, it hears what comes from the address that it has called alone.
                let peer = UdpSocket::bind(near).unwrap();
                peer.connect(called).unwrap();
                peer.set_nonblocking(true).unwrap();
                let mut messages = sending.messages();
                let mut froms = Vec::new();
                for call in 0..3 {
                    peer.send(b"hello").unwrap();
                    std::thread::sleep(Duration::from_millis(20));
                    for entrance in sending.entrances().collect::<Vec<_>>() {
                        let count = if call == 0 {
                            sending.receive_one(entrance, &mut messages).unwrap().count
                        } else {
                            sending.receive(entrance, &mut messages).unwrap().count
                        };
                        froms.extend(messages.incoming(count).map(|packet| packet.from));
                    }
                    let from = froms[call];
                    let own = from.own().map(|own| own.to_canonical());
                    assert_eq!(own, Some(called.ip()), "{any}");
                    for _ in 0..5 {
                        let sent = send_all_kinds(&mut sending, from, 7);
                        assert_eq!(came(&peer), vec![7; sent], "{any} {called}");
                    }
                }
                let peer = UdpSocket::bind(near).unwrap();
                peer.set_nonblocking(true).unwrap();
                let to = peer.local_addr().unwrap();
                let to = match (to.ip(), any) {
                    (IpAddr::V4(ip), "[::]:0") => (ip.to_ipv6_mapped(), to.port()).into(),
                    _ => to,
                };
                // For an address that went away, or one of the other kind, the system chooses another one.
                for gone in ["192.0.2.9", "2001:db8::9"] {
                    let to = Address::UdpVia(to, gone.parse().unwrap());
                    let sent = send_all_kinds(&mut sending, to, 8);
                    assert_eq!(came(&peer), vec![8; sent], "{any} {called} {gone}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_lost_where_the_connected_socket_refuses_a_packet() {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_nonblocking(true).unwrap();
        let carrier = Carrier::from(socket);
        let second = direct::beside(&carrier).unwrap();
        let mut sending = Socket::new(&carrier, Some(&second));
        let peer = UdpSocket::bind("127.0.0.1:0").unwrap();
        let place = peer.local_addr().unwrap();
        let to = Address::Udp(place);
        assert!(sending.lead(to, 100).is_some());
        drop(peer);
        let mut bytes = vec![vec![1; OVERHEAD + 40]; 3];
        let packets = sealed_like(&mut bytes);
        // The kernel says of every other packet that the port of the one before was closed.
        for _ in 0..5 {
            assert_eq!(sending.send(to, &packets), 0);
            assert_eq!(sending.send(to, &packets[..1]), 0);
        }
        assert!(
            sending.lead(to, 0).is_some(),
            "the way is as good as before"
        );
        let peer = UdpSocket::bind(place).unwrap();
        peer.set_nonblocking(true).unwrap();
        assert_eq!(sending.send(to, &packets), 0);
        assert_eq!(sending.send(to, &packets[..1]), 0);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(came(&peer).len(), 4);
        // A socket that has lost its way: what it refuses passes through the other one.
        for count in [1, 3] {
            assert!(sending.lead(to, 100).is_some());
            rustix::net::connect_unspec(&second).unwrap();
            assert_eq!(sending.send(to, &packets[..count]), 0);
            std::thread::sleep(Duration::from_millis(20));
            assert_eq!(came(&peer).len(), count);
            assert!(sending.lead(to, 0).is_none());
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
            assert_eq!(Socket::new(&carrier, None).send(to, &packets), 5);
            assert!(!Socket::new(&carrier, None).send_one(to, b"packet"));
        }
    }
}
