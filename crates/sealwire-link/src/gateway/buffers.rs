// SPDX-License-Identifier: Apache-2.0
//! Buffers for one batch, allocated once.

use super::{BUFFER, carrier::Address};
use crate::{
    packet::{BATCH, Incoming, OVERHEAD, Outgoing},
    wire::HEADER_LEN,
};
use arrayvec::ArrayVec;
use std::io::IoSliceMut;

/// [`BATCH`] buffers with the length and the address of what they hold.
pub(super) struct Buffers {
    bytes: Vec<u8>,
    lens: [usize; BATCH],
    /// `None`: not for this end.
    from: [Option<Address>; BATCH],
}

impl Buffers {
    pub(super) fn new() -> Self {
        Self {
            bytes: vec![0; BATCH * BUFFER],
            lens: [0; BATCH],
            from: [None; BATCH],
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

    pub(super) fn set_packet(&mut self, index: usize, len: usize, from: Option<Address>) {
        self.lens[index] = len.min(BUFFER);
        self.from[index] = from;
    }

    /// All buffers, for a system call that fills them.
    pub(super) fn slices(&mut self) -> [IoSliceMut<'_>; BATCH] {
        let mut chunks = self.bytes.chunks_exact_mut(BUFFER);
        std::array::from_fn(|_| IoSliceMut::new(chunks.next().unwrap_or_default()))
    }

    /// Those of the first packets that are for this end, as they came.
    pub(super) fn incoming(&mut self, count: usize) -> ArrayVec<Incoming<'_, Address>, BATCH> {
        let meta = self.lens.iter().zip(&self.from).take(count);
        self.bytes
            .chunks_exact_mut(BUFFER)
            .zip(meta)
            .filter_map(|(buffer, (&len, &from))| Some(Incoming::new(&mut buffer[..len], from?)))
            .collect()
    }

    /// The first frames, to be sealed.
    pub(super) fn outgoing(&mut self, count: usize) -> ArrayVec<Outgoing<'_>, BATCH> {
        self.bytes
            .chunks_exact_mut(BUFFER)
            .zip(self.lens.iter().take(count))
            .filter_map(|(buffer, &len)| Outgoing::new(buffer, len).ok())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::MAX_FRAME;

    #[test]
    fn every_buffer_takes_a_frame_that_is_one_byte_too_long() {
        let mut buffers = Buffers::new();
        for index in 0..BATCH {
            assert_eq!(buffers.room(index).len(), MAX_FRAME + 1);
            buffers.room(index)[0] = index as u8;
            buffers.set_len(index, MAX_FRAME + 1);
        }
        assert_eq!(
            buffers.outgoing(BATCH).len(),
            BATCH,
            "none is lost uncounted"
        );
        for (index, slice) in buffers.slices().iter().enumerate() {
            assert_eq!((slice.len(), slice[HEADER_LEN]), (BUFFER, index as u8));
        }
        assert_eq!(buffers.incoming(3).len(), 0, "nothing came yet");
        let from = Address::Udp("192.0.2.1:9".parse().unwrap());
        buffers.set_packet(0, 20, Some(from));
        buffers.set_packet(1, 20, None);
        buffers.set_packet(2, BUFFER + 5, Some(from));
        let lens: Vec<_> = buffers.incoming(3).iter().map(|p| p.packet.len()).collect();
        assert_eq!(lens, [20, BUFFER]);
    }
}
