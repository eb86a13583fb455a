// SPDX-License-Identifier: Apache-2.0
//! Batches of modes that work on several messages at once: those over AES do the first calls of all of them together and the last ones, for
//! which each message waits and a CPU has room; those over Ascon go side by side in the lanes of vector registers.

use crate::aes::put_head;
use crate::batch::Ad;
use crate::error::Error;
use crate::mode::{Input, Mode, Outcome, Packet, begin, none_processed};
use core::array::from_fn;
use core::slice;

/// How many messages go through in one piece of work.
const MANY: usize = 16;

/// A batch of so many messages or fewer has a piece of work of this size: room for [`MANY`] takes time, too.
const FEW: usize = 4;

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

/// One message; it begins without a packet. What it holds is written where it stays: a secret that is moved leaves copies.
pub(crate) trait Message<'a>: Default {
    /// In the end the tag, or more bytes than it has.
    fn tag(&self) -> &[u8; 16];

    /// The text.
    fn text(&mut self) -> &mut [u8];
}

/// Seals or opens one message and writes its tag.
///
/// # Errors
/// About the associated data only; nothing is written then.
#[inline(always)]
pub(crate) fn one<M: Together>(
    mode: &M,
    open: bool,
    nonce: &[u8],
    ad: Ad<'_>,
    text: &mut [u8],
    tag: &mut [u8],
) -> Result<(), Error> {
    let input = Input {
        nonce,
        ad,
        text,
        given: None,
    };
    let mut message = M::Message::default();
    mode.put(input, &mut message)?;
    mode.process(open, slice::from_mut(&mut message));
    write_tag(&message, tag);
    Ok(())
}

#[inline(always)]
fn write_tag<'a>(message: &impl Message<'a>, tag: &mut [u8]) {
    put_head(u128::from_be_bytes(*message.tag()), tag);
}

/// Seals or opens every packet, and returns how many succeeded.
pub(crate) fn batch<M: Together, P: Packet>(
    mode: &M,
    nonce_len: usize,
    packets: &mut [P],
) -> usize {
    none_processed(packets);
    if packets.len() <= FEW {
        pieces::<_, _, FEW>(mode, nonce_len, packets)
    } else {
        pieces::<_, _, MANY>(mode, nonce_len, packets)
    }
}

/// A batch in pieces of `N` packets.
fn pieces<M: Together, P: Packet, const N: usize>(
    mode: &M,
    nonce_len: usize,
    packets: &mut [P],
) -> usize {
    let mut good = 0;
    for packets in packets.chunks_mut(N) {
        let mut outcomes: [Option<Outcome<'_>>; N] = from_fn(|_| None);
        let mut messages: [M::Message<'_>; N] = from_fn(|_| Default::default());
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
                    write_tag(message, tag);
                    message.text()
                })
            }));
        }
    }
    good
}
