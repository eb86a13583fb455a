// SPDX-License-Identifier: Apache-2.0
//! Buffers for one batch, allocated once.

use super::{BUFFER, carrier::Address};
use crate::{
    packet::{BATCH, Incoming, OVERHEAD, Outgoing},
    wire::HEADER_LEN,
};
use arrayvec::ArrayVec;

/// Frames of the trusted side: [`BATCH`] buffers with the length of what they hold.
pub(super) struct Frames {
    bytes: Vec<u8>,
    lens: [usize; BATCH],
}

impl Frames {
    pub(super) fn new() -> Self {
        Self {
            bytes: vec![0; BATCH * BUFFER],
            lens: [0; BATCH],
        }
    }

    /// Where a frame goes: behind room for a header and before room for a tag.
    pub(super) fn room(&mut self, index: usize) -> &mut [u8] {
        let buffer = &mut self.bytes[index * BUFFER..][..BUFFER];
        &mut buffer[HEADER_LEN..BUFFER - (OVERHEAD - HEADER_LEN)]
    }

    pub(super) fn set_len(&mut self, index: usize, len: usize) {
        self.lens[index] = len;
    }

    /// The first frames, `N` at most, to be sealed.
    pub(super) fn outgoing<const N: usize>(&mut self, count: usize) -> ArrayVec<Outgoing<'_>, N> {
        self.bytes
            .chunks_exact_mut(BUFFER)
            .zip(self.lens.iter().take(count.min(N)))
            .filter_map(|(buffer, &len)| Outgoing::new(buffer, len).ok())
            .collect()
    }
}

/// What one message of the untrusted side brought.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meta {
    pub(super) len: usize,
    /// Bytes of each packet in it but the last, which may have fewer. Packets of one sender that the kernel has joined.
    pub(super) packet_len: usize,
    /// `None`: not for this end.
    pub(super) from: Option<Address>,
}

/// Messages of the untrusted side, each with one packet or with several that the kernel has joined.
pub(super) struct Messages {
    bytes: Vec<u8>,
    /// Bytes of one buffer.
    room: usize,
    meta: Vec<Meta>,
}

impl Messages {
    /// Room for `count` messages of `room` bytes.
    pub(super) fn new(count: usize, room: usize) -> Self {
        let nothing = Meta {
            len: 0,
            packet_len: 0,
            from: None,
        };
        Self {
            // Written to, so that the memory is there from the start and does not grow with the traffic.
            bytes: vec![1; count * room],
            room,
            meta: vec![nothing; count],
        }
    }

    pub(super) fn count(&self) -> usize {
        self.meta.len()
    }

    /// Each buffer, with what is to be said about it.
    pub(super) fn parts(&mut self) -> (impl Iterator<Item = &mut [u8]>, &mut [Meta]) {
        (self.bytes.chunks_exact_mut(self.room), &mut self.meta)
    }

    /// How many packets the first messages may hold.
    pub(super) fn packets(&self, count: usize) -> usize {
        let packets = |meta: &Meta| meta.len.div_ceil(meta.packet_len.max(1)).max(1);
        self.meta.iter().take(count).map(packets).sum()
    }

    /// How many of the first messages are not for this end.
    pub(super) fn foreign(&self, count: usize) -> u64 {
        let messages = self.meta.iter().take(count);
        messages.filter(|meta| meta.from.is_none()).count() as u64
    }

    /// The packets of the first messages that are for this end, as they came.
    pub(super) fn incoming(&mut self, count: usize) -> impl Iterator<Item = Incoming<'_, Address>> {
        let buffers = self.bytes.chunks_exact_mut(self.room);
        buffers
            .zip(&self.meta)
            .take(count)
            .filter_map(|(buffer, meta)| Some((buffer, meta, meta.from?)))
            .flat_map(|(buffer, meta, from)| {
                let len = meta.len.min(buffer.len());
                // An empty packet is one too.
                let empty = (len == 0).then_some(Default::default());
                let packets = buffer[..len].chunks_mut(meta.packet_len.max(1));
                let packets = empty.into_iter().chain(packets);
                packets.map(move |packet| Incoming::new(packet, from))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::MAX_FRAME;

    #[test]
    fn every_buffer_takes_a_frame_that_is_one_byte_too_long() {
        let mut frames = Frames::new();
        for index in 0..BATCH {
            assert_eq!(frames.room(index).len(), MAX_FRAME + 1);
            frames.set_len(index, MAX_FRAME + 1);
        }
        let count = frames.outgoing::<BATCH>(BATCH).len();
        assert_eq!(count, BATCH, "none is lost uncounted");
    }

    #[test]
    fn gives_each_packet_of_a_message_once() {
        let from = Some(Address::Udp("192.0.2.1:9".parse().unwrap()));
        let mut messages = Messages::new(6, 100);
        let (buffers, meta) = messages.parts();
        for (index, buffer) in buffers.enumerate() {
            buffer.fill(index as u8);
        }
        let what = |len, packet_len, from| Meta {
            len,
            packet_len,
            from,
        };
        meta.copy_from_slice(&[
            what(20, 20, from),
            what(20, 20, None),
            what(70, 30, from),
            what(0, 0, from),
            what(105, 100, from),
            what(9, 9, from),
        ]);
        assert_eq!((messages.packets(1), messages.packets(5)), (1, 8));
        assert_eq!((messages.foreign(1), messages.foreign(5)), (0, 1));
        let packets = messages.incoming(5);
        let came: Vec<_> = packets
            .map(|p| (p.packet.len(), p.packet.first().copied()))
            .collect();
        let expected = [(20, 0), (30, 2), (30, 2), (10, 2), (0, 9), (100, 4)]
            .map(|(len, first)| (len, (len > 0).then_some(first)));
        assert_eq!(came, expected);
    }
}
