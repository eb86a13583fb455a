// SPDX-License-Identifier: Apache-2.0
//! Packets in the caller's buffers, sealed and opened in place, many in one call.
//!
//! Nothing here allocates: a caller keeps its buffers and makes an [`Outgoing`] or [`Incoming`] over each for one call.

use crate::{
    Error,
    suite::MAX_TAG,
    wire::{DropCause, HEADER_LEN, Header, LocalDrop},
};
use arrayvec::ArrayVec;
use std::ops::Range;
use zeroize::Zeroize;

/// How many packets one round of a batch takes. Longer slices are taken in several rounds.
pub const BATCH: usize = 64;

/// Room that a buffer needs besides the frame, in bytes: header in front, longest tag behind.
pub const OVERHEAD: usize = HEADER_LEN + MAX_TAG;

/// A frame on its way out. It lies in the buffer behind room for a header, and has room for a tag behind it.
#[derive(Debug)]
pub struct Outgoing<'a> {
    pub(crate) buffer: &'a mut [u8],
    pub(crate) frame_len: usize,
    pub(crate) result: Result<usize, LocalDrop>,
    /// The key of its batch that it is sealed with, and its packet number.
    pub(crate) waits: Option<(u8, u64)>,
    /// Whom a hub seals it for. An end with one peer does not look at it.
    pub(crate) lane: u32,
}

impl<'a> Outgoing<'a> {
    /// A frame of `frame_len` bytes that begins at byte [`HEADER_LEN`] of the buffer.
    ///
    /// # Errors
    ///
    /// [`Error::Room`] if the buffer is shorter than `frame_len` and [`OVERHEAD`] together.
    pub fn new(buffer: &'a mut [u8], frame_len: usize) -> Result<Self, Error> {
        let needed = frame_len.saturating_add(OVERHEAD);
        if buffer.len() < needed {
            return Err(Error::Room {
                given: buffer.len(),
                needed,
            });
        }
        Ok(Self {
            buffer,
            frame_len,
            result: Err(LocalDrop::NoSession),
            waits: None,
            lane: 0,
        })
    }

    /// The packet to send.
    ///
    /// # Errors
    ///
    /// Why there is none. Before the call that seals: [`LocalDrop::NoSession`].
    pub fn packet(&self) -> Result<&[u8], LocalDrop> {
        self.result.map(|len| &self.buffer[..len])
    }
}

/// Where sealed frames of a batch go that stand together for one peer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way<A> {
    /// The peer's address.
    pub(crate) to: A,
    /// Which frames of the batch.
    pub(crate) frames: Range<usize>,
}

/// The ways of all frames of a batch.
pub(crate) type Ways<A> = ArrayVec<Way<A>, BATCH>;

/// What became of a packet from the untrusted side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A frame for the trusted side.
    Frame,
    /// Nothing to deliver: a keep-alive, or a message too short for a frame. It only shows life.
    KeepAlive,
    /// A handshake message that was in order.
    Handshake,
    /// A frame in order whose source is not the peer that it came from, as a hub finds it: not for delivery.
    Refused,
    /// Not in order, and why.
    Dropped(DropCause),
}

/// What a packet that came in waits for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Stage {
    /// Nothing: its verdict stands, or it was not looked at.
    #[default]
    Settled,
    /// Data that waits for a key of its batch, and once opened for its session's last word.
    Data(Header, u8),
    /// A handshake message that waits for its turn.
    Handshake(Header),
}

/// A packet that came in, with the address it came from.
#[derive(Debug)]
pub struct Incoming<'a, A> {
    pub(crate) packet: &'a mut [u8],
    pub(crate) from: A,
    /// Where the message lies, once the verdict is [`Verdict::Frame`].
    pub(crate) frame_len: usize,
    pub(crate) verdict: Verdict,
    pub(crate) stage: Stage,
    /// Which peer of a hub it is led to. An end with one peer does not look at it.
    pub(crate) lane: u32,
}

impl<'a, A> Incoming<'a, A> {
    /// A packet as it came.
    pub fn new(packet: &'a mut [u8], from: A) -> Self {
        Self {
            packet,
            from,
            frame_len: 0,
            verdict: Verdict::Dropped(DropCause::Overload),
            stage: Stage::Settled,
            lane: 0,
        }
    }

    /// Drops it; nothing of it is to be delivered.
    pub(crate) fn refuse(&mut self, cause: DropCause) {
        self.frame_len = 0;
        self.verdict = Verdict::Dropped(cause);
        self.stage = Stage::Settled;
    }

    /// Drops it after it was opened, and wipes what came out.
    pub(crate) fn wipe(&mut self, cause: DropCause) {
        self.packet[HEADER_LEN..HEADER_LEN + self.frame_len].zeroize();
        self.refuse(cause);
    }

    /// What became of it. Before the call that judges: dropped.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The frame to deliver, if the packet brought one.
    pub fn frame(&self) -> Option<&[u8]> {
        (self.verdict == Verdict::Frame)
            .then(|| &self.packet[HEADER_LEN..HEADER_LEN + self.frame_len])
    }
}
