// SPDX-License-Identifier: Apache-2.0
//! Batches of modes that work on several messages at once: those over AES do the first calls of all of them together and the last ones, for
//! which each message waits and a CPU has room; those over Ascon go side by side in the lanes of vector registers.

use crate::aes::put_head;
use crate::error::Error;
use crate::mode::{Input, Mode, Outcome, Packet, begin, none_processed};
use core::array::from_fn;

/// How many messages go through in one piece of work.
const MANY: usize = 16;

/// How many calls of AES go together.
pub(crate) const TOGETHER: usize = 8;

/// A mode that takes several messages at once.
pub(crate) trait Together: Mode {
    /// One message on its way.
    type Message<'a>: Message<'a>;

    /// Puts a packet into a message that is empty.
    ///
    /// # Errors
    /// About the associated data only.
    fn put<'a>(&self, input: Input<'a>, message: &mut Self::Message<'a>) -> Result<(), Error>;

    /// Seals or opens all of them.
    fn process(&self, open: bool, messages: &mut [Self::Message<'_>]);
}

/// One message. What it holds is written where it stays: a secret that is moved leaves copies.
pub(crate) trait Message<'a>: Sized {
    /// Without a packet.
    fn empty() -> Self;

    /// In the end the tag, or more bytes than it has.
    fn tag(&self) -> &[u8; 16];

    /// The text.
    fn text(&mut self) -> &mut [u8];
}

/// Seals or opens every packet, and returns how many succeeded.
pub(crate) fn batch<M: Together, P: Packet>(
    mode: &M,
    nonce_len: usize,
    packets: &mut [P],
) -> usize {
    none_processed(packets);
    let mut good = 0;
    for packets in packets.chunks_mut(MANY) {
        let mut outcomes: [Option<Outcome<'_>>; MANY] = from_fn(|_| None);
        let mut messages: [M::Message<'_>; MANY] = from_fn(|_| Message::empty());
        let mut count = 0;
        for packet in packets {
            let message = &mut messages[count];
            let begun = begin(mode, nonce_len, packet, |input| mode.put(input, message));
            if let Some(((), outcome)) = begun {
                outcomes[count] = Some(outcome);
                count += 1;
            }
        }
        let messages = &mut messages[..count];
        mode.process(P::OPEN, messages);
        for (message, outcome) in messages.iter_mut().zip(&mut outcomes) {
            good += usize::from(outcome.take().is_some_and(|outcome| {
                outcome.settle(|tag| {
                    put_head(u128::from_be_bytes(*message.tag()), tag);
                    message.text()
                })
            }));
        }
    }
    good
}
