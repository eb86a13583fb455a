// SPDX-License-Identifier: Apache-2.0
//! The three handshake messages: 16 bytes of header, the sender's id (8), its random value (n/2), a MAC (16).
//!
//! ```
//! use sealwire_link::{handshake::{Fields, Message}, schedule::Identity, suite::Suite, wire::{Kind, PacketType}};
//!
//! let suite = Suite::by_code(1).unwrap();
//! let caller = Identity::new(suite, [1; 8], [2; 8], Kind::Ethernet).unwrap();
//! let hello = Message::new(&caller, PacketType::Hello, [0; 4], 5, &[7; 32], [9; 16]);
//! let fields = Fields::read(hello.as_bytes(), suite).unwrap();
//! assert_eq!((fields.id, fields.random, fields.mac), (&[1; 8], &[7; 32][..], &[9; 16]));
//! ```

use crate::{
    schedule::{Id, Identity, MAC_LEN},
    suite::{MAX_BLOCK, Suite},
    wire::{HEADER_LEN, Header, PacketType, SessionId, handshake_len},
};
use arrayvec::ArrayVec;

/// The longest handshake message in bytes.
pub const MAX_MESSAGE: usize = HEADER_LEN + 8 + MAX_BLOCK / 2 + MAC_LEN;

/// A handshake message as it stands on the wire. Nothing of it is secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message(ArrayVec<u8, MAX_MESSAGE>);

impl Message {
    /// Joins the parts of a message of this end. `random` is cut to the suite's [`Suite::random_len`] bytes; `number` is 0 but in a hello
    /// of version 2.
    pub fn new(
        identity: &Identity,
        packet_type: PacketType,
        session: SessionId,
        number: u64,
        random: &[u8],
        mac: [u8; MAC_LEN],
    ) -> Self {
        let suite = identity.suite();
        let header = Header {
            version: identity.version(),
            packet_type,
            suite: suite.code,
            length: handshake_len(suite) as u16, // at most 56
            session,
            number,
        };
        Self(
            header
                .to_bytes()
                .iter()
                .chain(&identity.local())
                .chain(random.iter().take(suite.random_len()))
                .chain(&mac)
                .copied()
                .collect(),
        )
    }

    /// The bytes to send.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// What stands behind the header of a handshake message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fields<'a> {
    /// The sender's id.
    pub id: &'a Id,
    /// The sender's random value R.
    pub random: &'a [u8],
    /// The MAC, not yet checked.
    pub mac: &'a [u8; MAC_LEN],
}

impl<'a> Fields<'a> {
    /// Reads the fields of a whole packet, padding allowed, or `None` if it is too short. The header is the caller's to check.
    pub fn read(packet: &'a [u8], suite: &Suite) -> Option<Self> {
        let (id, rest) = packet.get(HEADER_LEN..)?.split_first_chunk()?;
        let (random, rest) = rest.split_at_checked(suite.random_len())?;
        Some(Self {
            id,
            random,
            mac: rest.first_chunk()?,
        })
    }
}
