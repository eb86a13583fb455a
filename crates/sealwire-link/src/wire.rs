// SPDX-License-Identifier: Apache-2.0
//! The 16-byte packet header and the causes for which a packet is dropped.
//!
//! | bytes | field |
//! |---|---|
//! | 0 | version (high nibble) and type |
//! | 1 | suite |
//! | 2..4 | length of what follows the header |
//! | 4..8 | session id of the receiver |
//! | 8..16 | packet number, or the number of a hello |
//!
//! Numbers are big-endian. Bytes beyond the stated length are Ethernet padding and ignored.

use crate::suite::Suite;

/// Length of the header in bytes.
pub const HEADER_LEN: usize = 16;
/// Shortest frame that the link carries, in bytes: two addresses and a type.
pub const MIN_FRAME: usize = 14;
/// Longest frame that the link carries, in bytes.
pub const MAX_FRAME: usize = 9600;

/// A session id: the first 4 bytes of the random value of the end that receives under it. Never zero.
pub type SessionId = [u8; 4];

/// Version of the wire format. Both ends are configured alike; it enters every key and MAC, and nothing of another version is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Version {
    /// Hellos have no number: a recorded one is answered again.
    One = 1,
    /// Hellos have numbers that grow, and an old one is not answered.
    #[default]
    Two = 2,
}

impl Version {
    /// The version of this number, if there is one.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => None,
        }
    }

    /// Whether a message of this type may have another packet number than 0.
    pub(crate) const fn numbers(self, packet_type: PacketType) -> bool {
        matches!(
            (self, packet_type),
            (_, PacketType::Data) | (Self::Two, PacketType::Hello)
        )
    }
}

/// What the link carries. Both ends are configured alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Whole Ethernet frames without the frame check sequence.
    Ethernet = 0,
    /// IP packets of a TUN device.
    Ip = 1,
}

/// The low nibble of byte 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PacketType {
    /// A sealed frame, or a keep-alive, which is a sealed single byte.
    Data = 0,
    /// First handshake message, initiator to responder.
    Hello = 1,
    /// Second handshake message, responder to initiator.
    HelloReply = 2,
    /// Third handshake message, initiator to responder.
    Confirm = 3,
}

impl PacketType {
    const fn from_nibble(nibble: u8) -> Option<Self> {
        match nibble {
            0 => Some(Self::Data),
            1 => Some(Self::Hello),
            2 => Some(Self::HelloReply),
            3 => Some(Self::Confirm),
            _ => None,
        }
    }
}

/// Which packet types an end takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Accepts {
    /// An end without handshake: only data.
    DataOnly,
    /// The end with the smaller id: data and hello-reply.
    Initiator,
    /// The end with the larger id: data, hello and confirm.
    Responder,
}

impl Accepts {
    const fn takes(self, packet_type: PacketType) -> bool {
        match packet_type {
            PacketType::Data => true,
            PacketType::HelloReply => matches!(self, Self::Initiator),
            PacketType::Hello | PacketType::Confirm => matches!(self, Self::Responder),
        }
    }
}

/// Why a packet from the untrusted side was dropped: the first rule that failed. Nothing is said to the sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{}", self.name())]
pub enum DropCause {
    /// No room for the whole packet.
    Overload,
    /// Under 16 bytes, or the length points beyond the end.
    Short,
    /// Not this link's version.
    Version,
    /// Unknown type, or one that this end does not take.
    Type,
    /// Not this link's suite.
    Suite,
    /// A length that no packet of this type has.
    Length,
    /// No such session.
    Session,
    /// A handshake packet of somebody else.
    Peer,
    /// A packet number that the type or the suite does not allow.
    Number,
    /// Accepted before, or too old to tell.
    Replay,
    /// The tag is wrong: forged, damaged, or sealed under another key.
    Auth,
    /// A hello whose number is not above that of an earlier one: recorded, or of a caller whose clock is behind.
    Stale,
    /// A hello beyond those that are answered in a second.
    Surplus,
}

impl DropCause {
    /// Every cause, in the order of the rules.
    pub const ALL: [Self; 13] = [
        Self::Overload,
        Self::Short,
        Self::Version,
        Self::Type,
        Self::Suite,
        Self::Length,
        Self::Session,
        Self::Peer,
        Self::Number,
        Self::Replay,
        Self::Auth,
        Self::Stale,
        Self::Surplus,
    ];

    /// The counter's name, as in the specification.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overload => "overload",
            Self::Short => "short",
            Self::Version => "version",
            Self::Type => "type",
            Self::Suite => "suite",
            Self::Length => "length",
            Self::Session => "session",
            Self::Peer => "peer",
            Self::Number => "number",
            Self::Replay => "replay",
            Self::Auth => "auth",
            Self::Stale => "stale",
            Self::Surplus => "surplus",
        }
    }
}

/// Why a frame from the trusted side was not sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{}", self.name())]
pub enum LocalDrop {
    /// Under 14 or over 9600 bytes.
    Size,
    /// No session that the peer has shown to hold.
    NoSession,
    /// All packet numbers of the session are spent.
    UsedUp,
}

impl LocalDrop {
    /// Every cause.
    pub const ALL: [Self; 3] = [Self::Size, Self::NoSession, Self::UsedUp];

    /// The counter's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::NoSession => "no_session",
            Self::UsedUp => "used_up",
        }
    }
}

/// A header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Version of the wire format.
    pub version: Version,
    /// Type of the packet.
    pub packet_type: PacketType,
    /// Code of the suite.
    pub suite: u8,
    /// Bytes after the header that belong to the packet.
    pub length: u16,
    /// Session id of the receiver.
    pub session: SessionId,
    /// Packet number; of a hello of version 2 its own number.
    pub number: u64,
}

impl Header {
    /// Reads the header of a whole packet and applies receive rules 1 and 2: the packet has the stated length (and perhaps
    /// padding), the link's version, a type that this end takes, the link's suite, and a length that the type allows.
    ///
    /// # Errors
    ///
    /// The cause under which the packet is to be counted.
    pub fn parse(
        packet: &[u8],
        suite: &Suite,
        version: Version,
        accepts: Accepts,
    ) -> Result<Self, DropCause> {
        let (header, rest) = packet
            .split_first_chunk::<HEADER_LEN>()
            .ok_or(DropCause::Short)?;
        let [first, code, l0, l1, s0, s1, s2, s3, number @ ..] = *header;
        let length = u16::from_be_bytes([l0, l1]);
        if usize::from(length) > rest.len() {
            return Err(DropCause::Short);
        }
        if first >> 4 != version as u8 {
            return Err(DropCause::Version);
        }
        let packet_type = PacketType::from_nibble(first & 15)
            .filter(|&t| accepts.takes(t))
            .ok_or(DropCause::Type)?;
        if code != suite.code {
            return Err(DropCause::Suite);
        }
        let allowed = match packet_type {
            PacketType::Data => suite.tag_len + 1..=suite.tag_len + MAX_FRAME,
            _ => handshake_len(suite)..=handshake_len(suite),
        };
        if !allowed.contains(&usize::from(length)) {
            return Err(DropCause::Length);
        }
        Ok(Self {
            version,
            packet_type,
            suite: code,
            length,
            session: [s0, s1, s2, s3],
            number: u64::from_be_bytes(number),
        })
    }

    /// The header as it stands on the wire.
    pub fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[0] = (self.version as u8) << 4 | self.packet_type as u8;
        bytes[1] = self.suite;
        bytes[2..4].copy_from_slice(&self.length.to_be_bytes());
        bytes[4..8].copy_from_slice(&self.session);
        bytes[8..].copy_from_slice(&self.number.to_be_bytes());
        bytes
    }
}

/// Length of a handshake message after the header in bytes: id, random value, MAC.
pub(crate) const fn handshake_len(suite: &Suite) -> usize {
    8 + suite.random_len() + 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::SUITES;
    use proptest::prelude::*;

    fn suite() -> &'static Suite {
        Suite::by_code(1).unwrap()
    }

    /// A header for `length` further bytes, and those bytes.
    fn packet(first: u8, code: u8, length: usize) -> Vec<u8> {
        let mut packet = vec![first, code];
        packet.extend((length as u16).to_be_bytes());
        packet.extend([1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 5]);
        packet.resize(HEADER_LEN + length, 0);
        packet
    }

    fn cause(packet: &[u8], accepts: Accepts) -> Option<DropCause> {
        Header::parse(packet, suite(), Version::Two, accepts).err()
    }

    #[test]
    fn takes_every_length_that_data_may_have() {
        let at_length = |n| cause(&packet(0x20, 1, n), Accepts::DataOnly);
        assert_eq!(at_length(32), Some(DropCause::Length));
        assert_eq!(at_length(33), None);
        assert_eq!(at_length(9632), None);
        assert_eq!(at_length(9633), Some(DropCause::Length));
        assert_eq!(at_length(0), Some(DropCause::Length));
    }

    #[test]
    fn ignores_padding_but_not_a_missing_end() {
        let mut bytes = packet(0x20, 1, 33);
        bytes.extend([0xff; 40]);
        assert_eq!(cause(&bytes, Accepts::DataOnly), None);
        for end in 0..HEADER_LEN + 33 {
            assert_eq!(
                cause(&bytes[..end], Accepts::DataOnly),
                Some(DropCause::Short),
                "{end} bytes"
            );
        }
    }

    #[test]
    fn takes_the_types_of_its_role() {
        use Accepts::{DataOnly, Initiator, Responder};
        for (accepts, types) in [
            (DataOnly, &[0][..]),
            (Initiator, &[0, 2]),
            (Responder, &[0, 1, 3]),
        ] {
            for nibble in 0..16 {
                let expected = (!types.contains(&nibble)).then_some(DropCause::Type);
                assert_eq!(
                    cause(&packet(0x20 | nibble, 1, 56), accepts),
                    expected,
                    "{accepts:?} type {nibble}"
                );
            }
        }
    }

    #[test]
    fn takes_handshakes_of_the_one_length() {
        for length in [55, 56, 57] {
            let expected = (length != 56).then_some(DropCause::Length);
            assert_eq!(
                cause(&packet(0x21, 1, length), Accepts::Responder),
                expected
            );
        }
    }

    #[test]
    fn names_the_first_rule_that_fails() {
        // Every later rule fails too.
        let mut bytes = packet(0x1f, 9, 3);
        assert_eq!(
            cause(&bytes[..HEADER_LEN + 2], Accepts::DataOnly),
            Some(DropCause::Short)
        );
        assert_eq!(cause(&bytes, Accepts::DataOnly), Some(DropCause::Version));
        bytes[0] = 0x2f;
        assert_eq!(cause(&bytes, Accepts::DataOnly), Some(DropCause::Type));
        bytes[0] = 0x20;
        assert_eq!(cause(&bytes, Accepts::DataOnly), Some(DropCause::Suite));
        bytes[1] = 1;
        assert_eq!(cause(&bytes, Accepts::DataOnly), Some(DropCause::Length));
    }

    #[test]
    fn takes_its_own_version_alone() {
        for version in [Version::One, Version::Two] {
            assert_eq!(Version::from_number(version as u8), Some(version));
            for nibble in 0..16 {
                let packet = packet(nibble << 4, 1, 33);
                let cause = Header::parse(&packet, suite(), version, Accepts::DataOnly).err();
                let expected = (nibble != version as u8).then_some(DropCause::Version);
                assert_eq!(cause, expected, "{version:?}, nibble {nibble}");
            }
        }
        assert_eq!(
            (Version::from_number(0), Version::from_number(3)),
            (None, None)
        );
    }

    #[test]
    fn every_cause_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = DropCause::ALL
            .iter()
            .map(|cause| cause.to_string())
            .collect();
        assert_eq!(names.len(), DropCause::ALL.len());
    }

    fn any_accepts() -> impl Strategy<Value = Accepts> {
        prop::sample::select(vec![
            Accepts::DataOnly,
            Accepts::Initiator,
            Accepts::Responder,
        ])
    }

    proptest! {
        #[test]
        fn survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), accepts in any_accepts(),
                              likely in any::<bool>(), suite in prop::sample::select(SUITES.iter().collect::<Vec<_>>())) {
            let mut bytes = bytes;
            if likely && bytes.len() >= 4 {
                let body = bytes.len().saturating_sub(HEADER_LEN) as u16;
                bytes[0] = 0x20 | bytes[0] & 3;
                bytes[1] = suite.code;
                bytes[2..4].copy_from_slice(&body.to_be_bytes());
            }
            if let Ok(header) = Header::parse(&bytes, suite, Version::Two, accepts) {
                prop_assert_eq!(&header.to_bytes()[..], &bytes[..HEADER_LEN]);
                prop_assert!(bytes.len() >= HEADER_LEN + usize::from(header.length));
            }
        }

        #[test]
        fn reads_what_it_builds(session: [u8; 4], number: u64, length in 33u16..=9632) {
            let header = Header { version: Version::Two, packet_type: PacketType::Data, suite: 1, length, session, number };
            let mut bytes = header.to_bytes().to_vec();
            bytes.resize(HEADER_LEN + usize::from(length), 7);
            prop_assert_eq!(Header::parse(&bytes, suite(), Version::Two, Accepts::DataOnly), Ok(header));
        }
    }
}
