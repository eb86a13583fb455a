// SPDX-License-Identifier: Apache-2.0
//! Sessions through a Noise channel, for ends that take loaded sessions and make no handshake: a channel of its own, beside the link.
//!
//! `Noise_KK_25519_ChaChaPoly_BLAKE2s`: both ends know the other's public key before. Every session gets a channel of its own with
//! fresh ephemeral keys, so the link has forward secrecy then, at 128 bits. Four messages, each one datagram with one byte and its sender's id in front, by which an end with many
//! peers finds whose it is:
//!
//! | byte | from | Noise | payload |
//! |---|---|---|---|
//! | `18` | initiator | `e, es, ss` | 8 bytes: its time, in microseconds since 1970 |
//! | `19` | responder | `e, ee, se` | none |
//! | `1a` | initiator | transport | key i->r, key r->i, salt i->r, salt r->i, sid_i, sid_r |
//! | `1b` | responder | transport | one byte `00`: the session is loaded |
//!
//! The prologue is `ctx(ff, 00000000)`: version, suite, kind and ids of the link. The responder loads first, then the initiator.
//! [`Caller`] and [`Listener`] do no input or output, [`Channel`] runs one of them over UDP.
//!
//! ```
//! use sealwire_link::{noise::{Caller, Listener, StaticKeys}, schedule::{Identity, system_random}, suite::Suite, wire::Kind};
//! use std::time::Duration;
//!
//! let suite = Suite::by_name("omd-sha512").unwrap();
//! let (a, b) = (1u64.to_be_bytes(), 2u64.to_be_bytes());
//! let (own, other) = ([5; 32], [6; 32]); // in real use: random, and each end knows its own only
//! let public = |private: &[u8; 32]| StaticKeys::public_of(private);
//! let left = Identity::new(suite, a, b, Kind::Ethernet)?;
//! let right = Identity::new(suite, b, a, Kind::Ethernet)?;
//! let mut caller = Caller::new(left, StaticKeys::new(&own, public(&other)?)?, system_random());
//! let mut listener = Listener::new(right, StaticKeys::new(&other, public(&own)?)?);
//!
//! // A wire without delay.
//! let (now, mut loaded) = (Duration::ZERO, Vec::new());
//! let mut to_right = Vec::new();
//! caller.poll(now, true, 1_000_000, &mut |packet| to_right.push(packet.to_vec()));
//! while let Some(packet) = to_right.pop() {
//!     let mut back = Vec::new();
//!     let _ = listener.receive(now, &packet, false, &mut |keys| { loaded.push(keys); true }, &mut |packet| back.push(packet.to_vec()));
//!     for packet in back {
//!         loaded.extend(caller.receive(now, &packet, &mut |packet| to_right.push(packet.to_vec())).unwrap());
//!     }
//! }
//! assert_eq!(loaded.len(), 2, "one for each end");
//! # Ok::<(), sealwire_link::Error>(())
//! ```

mod caller;
mod channel;
mod kk;
mod listener;
mod socket;

pub use caller::Caller;
pub use channel::{Channel, Counts, Family, Tally, Target};
pub use listener::{Listener, Source};

use crate::{
    Error,
    schedule::{Id, Identity},
};
use std::time::Duration;
use zeroize::Zeroizing;

/// Bytes of a private or a public key.
pub const KEY_LEN: usize = 32;
/// Bytes that no datagram of the channel exceeds.
pub const MAX_DATAGRAM: usize = 512;

/// First bytes of the four messages: version 1 of the wire format, types 8 to 11.
const FIRST: u8 = 0x18;
const SECOND: u8 = 0x19;
const SESSION: u8 = 0x1a;
const LOADED: u8 = 0x1b;
/// Bytes in front of every Noise message: type and the sender's id.
const FRONT: usize = 1 + size_of::<Id>();
/// Bytes of the first two messages, front, ephemeral key, payload and tag, and of the last one, whose payload is one byte.
const FIRST_LEN: usize = FRONT + KEY_LEN + 8 + TAG_LEN;
const SECOND_LEN: usize = FRONT + KEY_LEN + TAG_LEN;
const LOADED_LEN: usize = FRONT + 1 + TAG_LEN;
const TAG_LEN: usize = 16;
/// A message is sent again after this long.
const RESEND: Duration = Duration::from_millis(250);
/// A channel that has not loaded its session after this long is given up.
const PATIENCE: Duration = Duration::from_secs(2);

/// This end's private key and the other's public one. The private one is wiped when dropped, and lies in memory of its own, so that
/// none stays behind where this is moved from.
pub struct StaticKeys {
    private: Box<Zeroizing<[u8; KEY_LEN]>>,
    peer: [u8; KEY_LEN],
    psk: Option<Box<Zeroizing<[u8; KEY_LEN]>>>,
}

impl StaticKeys {
    /// Takes both keys. The private one is 32 random bytes.
    ///
    /// # Errors
    ///
    /// [`Error::NoisePeer`] if the other's public key is this end's own, or no key: a point of low order gives every end the same secret.
    pub fn new(private: &[u8; KEY_LEN], peer: [u8; KEY_LEN]) -> Result<Self, Error> {
        if Self::public_of(private)? == peer {
            return Err(Error::NoisePeer);
        }
        kk::exchange(private, &peer).map_err(|_| Error::NoisePeer)?;
        Ok(Self {
            private: Box::new(Zeroizing::new(*private)),
            peer,
            psk: None,
        })
    }

    /// Takes a key that both ends share, besides: then nobody without it gets a word in, and who breaks the curve alone some day reads nothing.
    /// [`Ends::channel_key`](crate::schedule::Ends::channel_key) derives it from the link's.
    #[must_use]
    pub fn with_psk(self, psk: &[u8; KEY_LEN]) -> Self {
        Self {
            psk: Some(Box::new(Zeroizing::new(*psk))),
            ..self
        }
    }

    /// The public key that belongs to a private one.
    ///
    /// # Errors
    ///
    /// None: every 32 bytes are a private key.
    pub fn public_of(private: &[u8; KEY_LEN]) -> Result<[u8; KEY_LEN], Error> {
        Ok(kk::public_of(private))
    }

    /// This end's public key, for the other end's configuration.
    ///
    /// # Errors
    ///
    /// The errors of [`StaticKeys::public_of`].
    pub fn public(&self) -> Result<[u8; KEY_LEN], Error> {
        Self::public_of(&self.private)
    }
}

/// A datagram with room for a Noise message of this length behind its front.
fn datagram(kind: u8, sender: Id, message_len: usize) -> Vec<u8> {
    let mut bytes = vec![0; FRONT + message_len];
    write_front(&mut bytes, kind, sender);
    bytes
}

/// What stands in front of every Noise message.
fn write_front(datagram: &mut [u8], kind: u8, sender: Id) {
    datagram[0] = kind;
    datagram[1..FRONT].copy_from_slice(&sender);
}

/// Type, sender's id and Noise message of a datagram. Nothing of it is proved; the id is in the channel's prologue, so that no message opens under
/// another.
fn parts(datagram: &[u8]) -> Result<(u8, Id, &[u8]), Refusal> {
    let (&kind, rest) = datagram.split_first().ok_or(Refusal::Format)?;
    let (&sender, message) = rest.split_first_chunk().ok_or(Refusal::Format)?;
    Ok((kind, sender, message))
}

/// Why a sender that is not the peer is not heard.
fn not_the_peer(identity: &Identity, sender: Id) -> Refusal {
    if sender == identity.local() {
        Refusal::OwnId
    } else {
        Refusal::Peer
    }
}

/// Why a datagram of the channel was dropped. Nothing is said to its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The datagram is none of the messages that this end takes now, or has not the length of its message.
    #[error("type or length")]
    Format,
    /// The message was not made by the other end for this channel.
    #[error("auth")]
    Auth,
    /// A first message that is older than all that are open, while no place is free; or from an unknown address, and older than the one
    /// that loaded the live session.
    #[error("stale")]
    Stale,
    /// More first messages than an end looks at in a second, or more answers to one.
    #[error("overload")]
    Overload,
    /// The session was not taken.
    #[error("not taken")]
    NotTaken,
    /// The message came to an initiator from another address than the one that it calls.
    #[error("address")]
    Address,
    /// The message names a sender that is no peer of this end.
    #[error("peer")]
    Peer,
    /// The message names this end's own id as its sender's: both ends have one id, or somebody sends this end's messages back.
    #[error("own id")]
    OwnId,
}

impl Refusal {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Format,
        Self::Auth,
        Self::Stale,
        Self::Overload,
        Self::NotTaken,
        Self::Address,
        Self::Peer,
        Self::OwnId,
    ];

    /// Its name in counters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Auth => "auth",
            Self::Stale => "stale",
            Self::Overload => "overload",
            Self::NotTaken => "not_taken",
            Self::Address => "address",
            Self::Peer => "peer",
            Self::OwnId => "own_id",
        }
    }
}
