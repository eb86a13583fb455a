// SPDX-License-Identifier: Apache-2.0
//! What dropped handshake messages and requests for a call say about the other end. Nothing of it is authentic: it is for people only.

use crate::{
    schedule::{Id, Identity},
    wire::{DropCause, HEADER_LEN, PacketType},
};

/// What was seen since the start in packets that were dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Clues {
    /// Messages with the peer's id and a wrong MAC: the other end holds another key.
    pub wrong_macs: u64,
    /// Hellos that name this end's own id as their sender's.
    pub own_ids: u64,
    /// The id that the last hello from neither end named.
    pub stranger: Option<Id>,
    /// Requests for a call: the other end has no session either.
    pub requests: u64,
}

impl Clues {
    /// Looks at a packet that was dropped for this cause.
    pub(super) fn note(&mut self, identity: &Identity, packet: &[u8], cause: DropCause) {
        let is_handshake = packet
            .first()
            .is_some_and(|first| first & 15 != PacketType::Data as u8);
        match cause {
            DropCause::Auth if is_handshake => self.wrong_macs += 1,
            // An initiator takes no hello at all, a responder none of this id.
            DropCause::Type | DropCause::Peer => {
                let is_hello = packet.first().is_some_and(|first| {
                    *first == (identity.version() as u8) << 4 | PacketType::Hello as u8
                });
                let id = packet
                    .get(HEADER_LEN..)
                    .and_then(|rest| rest.first_chunk::<8>());
                let Some(id) = id.filter(|_| is_hello) else {
                    return;
                };
                if *id == identity.local() {
                    self.own_ids += 1;
                } else if *id != identity.peer() {
                    self.stranger = Some(*id);
                }
            }
            _ => {}
        }
    }
}
