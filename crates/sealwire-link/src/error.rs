// SPDX-License-Identifier: Apache-2.0
//! What can go wrong at the trusted side: set-up and sealing. Packets from outside are dropped with a [`crate::wire::DropCause`].

/// A refusal at the trusted side. Every message says what was given and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The pre-shared key has the wrong length.
    #[error("the pre-shared key has {given} bytes, suite {suite:02x} needs exactly {needed}")]
    KeyLength {
        /// Code of the suite.
        suite: u8,
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// An identity is zero, or both are the same.
    #[error("the two ends' ids must be different and not zero")]
    Ids,
    /// A random value has the wrong length.
    #[error("the random value has {given} bytes, it needs exactly {needed}")]
    RandomLength {
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// The peer's random value begins with the session id 0, which no honest end sends.
    #[error("the peer's random value begins with session id 0")]
    ZeroSession,
    /// The source of random bytes failed, or gave only session ids that are taken.
    #[error("the operating system gave no usable random bytes")]
    Random,
    /// The frame cannot be carried.
    #[error("the frame has {0} bytes, the link carries {min} to {max}", min = crate::wire::MIN_FRAME, max = crate::wire::MAX_FRAME)]
    FrameSize(usize),
    /// All packet numbers of the session are used up.
    #[error("the session's packet numbers are used up, a new session is needed")]
    SessionUsedUp,
    /// The buffer has no room for header and tag around the frame.
    #[error("the buffer has {given} bytes, header, frame and tag need {needed}")]
    Room {
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// The timers contradict each other or the specification.
    #[error("{0}")]
    Timers(&'static str),
    /// A loaded session has a part of the wrong length.
    #[error("the session's {part} has {given} bytes, it needs exactly {needed}")]
    SessionPart {
        /// Which part.
        part: &'static str,
        /// Bytes given.
        given: usize,
        /// Bytes needed.
        needed: usize,
    },
    /// A loaded session has one key for both directions.
    #[error(
        "the session has one key for both directions: draw all its values anew, each direction needs a key of its own"
    )]
    OneKey,
    /// This end's session id of a loaded session belongs to a live session, or to one of the last that were loaded.
    #[error(
        "the session's id belongs to a live session or one of the last {} that were loaded: draw all its values anew, no \
         session is loaded twice",
        crate::endpoint::RECENT
    )]
    SessionTaken,
    /// An end with handshake makes its own sessions.
    #[error("this end makes its sessions by handshake and takes no loaded ones")]
    Handshakes,
    /// An end with loaded sessions has no pre-shared key.
    #[error("this end takes loaded sessions and has no pre-shared key")]
    NoKey,
    /// The gateway does not answer.
    #[error(
        "the gateway does not answer; it ends, or is stopped, and does not do later what was asked"
    )]
    NoAnswer,
    /// Nothing says where the peer is.
    #[error("the peer's address is not known: it must be configured when sessions are loaded")]
    NoPeer,
    /// Two peers of one Noise channel with one id.
    #[error("a peer with this id is there already")]
    PeerTwice,
    /// The peer's public key for the Noise channel cannot be one.
    #[error("the other end's public key is this end's own, or not a key")]
    NoisePeer,
    /// The Noise library failed. With the sizes used here this does not happen.
    #[error("the Noise channel could not be set up")]
    Noise,
    /// Keys or salts of this suite are longer than the RTL link's load port has room for.
    #[error("suite {0:02x} does not fit the load port of the RTL link")]
    LoadPort(u8),
    /// The cipher refused its input. With the sizes of the suite table this does not happen.
    #[error("the cipher refused its input: {0}")]
    Cipher(#[from] sealwire::Error),
}
