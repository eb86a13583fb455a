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
    /// The cipher refused its input. With the sizes of the suite table this does not happen.
    #[error("the cipher refused its input: {0}")]
    Cipher(#[from] sealwire::Error),
}
