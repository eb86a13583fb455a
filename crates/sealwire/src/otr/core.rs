// SPDX-License-Identifier: Apache-2.0
//! The mode with a key: nonce, associated data, message and tag put together, for one message and for many.

use crate::aes::{Cipher, Engine, Key, Task, times_power};
use crate::batch::Ad;
use crate::mode::{Mode, judge_end};
use crate::{Error, OpenPacket, SealPacket, SessionAd};
use ad::Data;
use core::array::from_fn;
use text::State;
use zeroize::{Zeroize, ZeroizeOnDrop};

mod ad;
pub(super) mod text;

/// So many messages have their first calls and their last ones together.
const MANY: usize = 16;

/// How associated data is processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// ADP = P
    Parallel,
    /// ADP = S
    Serial,
    /// ADP = C
    Chained,
}

impl Form {
    /// The letter in scheme names.
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::Parallel => 'p',
            Self::Serial => 's',
            Self::Chained => 'c',
        }
    }

    /// What is encrypted to the first mask; `nonce` is formatted, `ta` the associated data's part.
    const fn start(self, nonce: u128, ta: u128) -> u128 {
        match self {
            Self::Chained => nonce ^ ta,
            Self::Parallel | Self::Serial => nonce,
        }
    }

    /// L, of what that gave.
    const fn first_mask(self, encrypted: u128, ta: u128) -> u128 {
        match self {
            Self::Serial => times_power(encrypted ^ ta, 1),
            Self::Parallel | Self::Chained => encrypted,
        }
    }

    /// The tag, of TE.
    const fn tag(self, te: u128, ta: u128) -> u128 {
        match self {
            Self::Parallel => te ^ ta,
            Self::Serial | Self::Chained => te,
        }
    }
}

/// AES-OTR with a key.
pub struct Core<A: Cipher> {
    key: Key<A>,
    /// Q = E(0)
    q: u128,
    form: Form,
    tag_len: usize,
}

/// One message before its nonce is encrypted, and in the end its tag.
struct Message<'a> {
    /// The formatted nonce, later the tag.
    block: u128,
    ad: Data<'a>,
    text: &'a mut [u8],
}

/// Messages on their way; at most `MANY`.
struct Messages<'a, 'text> {
    q: u128,
    form: Form,
    open: bool,
    messages: &'a mut [Message<'text>],
}

impl<A: Cipher> Task<A> for Messages<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self {
            q,
            form,
            open,
            messages,
        } = self;
        let (mut blocks, mut tas) = ([0; MANY], [0; MANY]);
        let (blocks, tas) = (&mut blocks[..messages.len()], &mut tas[..messages.len()]);
        for ((block, ta), m) in blocks.iter_mut().zip(&mut *tas).zip(&*messages) {
            *ta = m.ad.process(engine, form, q);
            *block = form.start(m.block, *ta);
        }
        engine.each(blocks);
        for ((block, ta), m) in blocks.iter_mut().zip(&*tas).zip(&mut *messages) {
            *block = text::whole(engine, form.first_mask(*block, *ta), m.text, open);
        }
        engine.each(blocks);
        for ((block, ta), m) in blocks.iter_mut().zip(&*tas).zip(messages) {
            m.block = form.tag(*block, *ta);
        }
        blocks.zeroize();
        tas.zeroize();
    }
}

/// What a message in pieces needs of the key.
pub(super) trait Sealing: Send + Sync {
    fn tag_len(&self) -> usize;
    /// Seals whole chunks that are not the last.
    fn chunks(&self, state: &mut State, text: &mut [u8]);
    /// Seals the last ones and gives the tag, untruncated.
    fn end(&self, state: State, text: &mut [u8], ta: u128) -> [u8; 16];
}

impl<A: Cipher> Sealing for Core<A> {
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn chunks(&self, state: &mut State, text: &mut [u8]) {
        self.key.run(Chunks(state, text));
    }

    fn end(&self, state: State, text: &mut [u8], ta: u128) -> [u8; 16] {
        self.form
            .tag(self.key.run(End(state, text)), ta)
            .to_be_bytes()
    }
}

/// Chunks of a message in pieces.
struct Chunks<'a>(&'a mut State, &'a mut [u8]);

impl<A: Cipher> Task<A> for Chunks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        self.0.chunks(engine, self.1, false);
    }
}

/// The end of a message in pieces; gives TE.
struct End<'a>(State, &'a mut [u8]);

impl<A: Cipher> Task<A> for End<'_> {
    type Output = u128;

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> u128 {
        engine.block(self.0.end(engine, self.1, false))
    }
}

/// Associated data ahead of a message.
struct AdAlone<'a> {
    q: u128,
    form: Form,
    ad: &'a [u8],
}

impl<A: Cipher> Task<A> for AdAlone<'_> {
    type Output = u128;

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> u128 {
        Data::Bytes(self.ad).process(engine, self.form, self.q)
    }
}

/// E of one block.
struct One(u128);

impl<A: Cipher> Task<A> for One {
    type Output = u128;

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> u128 {
        engine.block(self.0)
    }
}

impl<A: Cipher> Core<A> {
    /// `key` has the cipher's length, `tag_len` is 1 to 16.
    pub(crate) fn new(key: &[u8], form: Form, tag_len: usize) -> Self {
        let key = Key::new(key);
        Self {
            q: key.run(One(0)),
            key,
            form,
            tag_len,
        }
    }

    /// What a session is recognised by: the three forms make different things of the same data under the same key.
    const fn owner(&self) -> [u8; 16] {
        let power = match self.form {
            Form::Parallel => 0,
            Form::Serial => 1,
            Form::Chained => 2,
        };
        times_power(self.q, power).to_be_bytes()
    }

    /// Tag length in bits modulo 128 as seven bits, zeros, a one, and the nonce, which has 1 to 15 bytes.
    fn format(&self, nonce: &[u8]) -> u128 {
        let mut block = [0; 16];
        let (head, rest) = block.split_at_mut(16 - nonce.len());
        rest.copy_from_slice(nonce);
        head[0] = ((8 * self.tag_len % 128) << 1) as u8;
        head[head.len() - 1] |= 1;
        u128::from_be_bytes(block)
    }

    /// Nothing is done with the text yet.
    fn message<'a>(
        &self,
        nonce: &[u8],
        ad: Ad<'a>,
        text: &'a mut [u8],
    ) -> Result<Message<'a>, Error> {
        Ok(Message {
            block: self.format(nonce),
            ad: self.data(ad)?,
            text,
        })
    }

    /// A message in pieces: the state before its first chunk, and TA.
    pub(super) fn begin(&self, nonce: &[u8], ad: Ad<'_>) -> Result<(State, u128), Error> {
        let ta = match self.data(ad)? {
            Data::Bytes(ad) => self.process_ad(ad),
            Data::Done(ta) => ta,
        };
        let encrypted = self.key.run(One(self.form.start(self.format(nonce), ta)));
        Ok((State::new(self.form.first_mask(encrypted, ta)), ta))
    }

    fn process_ad(&self, ad: &[u8]) -> u128 {
        let (q, form) = (self.q, self.form);
        self.key.run(AdAlone { q, form, ad })
    }

    fn data<'a>(&self, ad: Ad<'a>) -> Result<Data<'a>, Error> {
        Ok(match ad {
            Ad::Bytes(bytes) => Data::Bytes(bytes),
            Ad::Session(session) => {
                let mut owner = self.owner();
                let ta = session.get(&owner);
                owner.zeroize();
                Data::Done(u128::from_be_bytes(
                    ta?.try_into().expect("a session of this key has a block"),
                ))
            }
        })
    }

    fn process(&self, open: bool, messages: &mut [Message<'_>]) {
        self.key.run(Messages {
            q: self.q,
            form: self.form,
            open,
            messages,
        });
    }

    fn one(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        text: &mut [u8],
        open: bool,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut message = self.message(nonce, ad, text)?;
        self.process(open, core::slice::from_mut(&mut message));
        message.put_tag(tag);
        Ok(())
    }
}

impl Message<'_> {
    fn put_tag(&self, tag: &mut [u8]) {
        tag.copy_from_slice(&self.block.to_be_bytes()[..tag.len()]);
    }
}

impl<A: Cipher> Mode for Core<A> {
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.one(nonce, ad, buffer, false, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.one(nonce, ad, buffer, true, expected)
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        let mut ta = self.process_ad(ad).to_be_bytes();
        let mut owner = self.owner();
        let session = SessionAd::new(&ta, &owner);
        ta.zeroize();
        owner.zeroize();
        Ok(session)
    }

    fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        let mut sealed = 0;
        for packets in packets.chunks_mut(MANY) {
            let mut begun: [Option<&mut [u8]>; MANY] = from_fn(|_| None);
            let mut messages = Batch::new();
            for p in packets {
                let message = self
                    .check_packet(nonce_len, p.nonce, p.tag)
                    .and_then(|()| self.message(p.nonce, p.ad, p.buffer));
                p.result = message.as_ref().map(|_| ()).map_err(Clone::clone);
                if let Ok(message) = message {
                    begun[messages.count] = Some(&mut *p.tag);
                    messages.push(message);
                }
            }
            self.process(false, messages.all());
            for (message, tag) in messages.all().iter().zip(begun.into_iter().flatten()) {
                message.put_tag(tag);
                sealed += 1;
            }
        }
        sealed
    }

    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        let mut opened = 0;
        for packets in packets.chunks_mut(MANY) {
            let mut begun: [Option<Given<'_>>; MANY] = from_fn(|_| None);
            let mut messages = Batch::new();
            for p in packets {
                let message = self
                    .check_packet(nonce_len, p.nonce, p.tag)
                    .and_then(|()| self.message(p.nonce, p.ad, p.buffer));
                p.result = message.as_ref().map(|_| ()).map_err(Clone::clone);
                if let Ok(message) = message {
                    begun[messages.count] = Some((p.tag, &mut p.result));
                    messages.push(message);
                }
            }
            self.process(true, messages.all());
            for (message, (tag, result)) in
                messages.all().iter_mut().zip(begun.into_iter().flatten())
            {
                *result = judge_end(tag, |expected| {
                    message.put_tag(expected);
                    &mut *message.text
                });
                opened += usize::from(result.is_ok());
            }
        }
        opened
    }
}

/// The tag that came with a message, and where its result goes.
type Given<'a> = (&'a [u8], &'a mut Result<(), Error>);

/// Up to `MANY` messages.
struct Batch<'a> {
    messages: [Message<'a>; MANY],
    count: usize,
}

impl<'a> Batch<'a> {
    fn new() -> Self {
        Self {
            messages: from_fn(|_| Message {
                block: 0,
                ad: Data::Done(0),
                text: &mut [],
            }),
            count: 0,
        }
    }

    fn push(&mut self, message: Message<'a>) {
        self.messages[self.count] = message;
        self.count += 1;
    }

    fn all(&mut self) -> &mut [Message<'a>] {
        &mut self.messages[..self.count]
    }
}

impl<A: Cipher> Clone for Core<A> {
    fn clone(&self) -> Self {
        Self {
            key: self.key.clone(),
            ..*self
        }
    }
}

impl<A: Cipher> Drop for Core<A> {
    fn drop(&mut self) {
        self.q.zeroize();
    }
}

impl<A: Cipher> ZeroizeOnDrop for Core<A> {}

impl Message<'_> {
    /// The tag, or the nonce under its key, and TA.
    fn wipe(&mut self) {
        self.block.zeroize();
        if let Data::Done(ta) = &mut self.ad {
            ta.zeroize();
        }
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        self.wipe();
    }
}

#[cfg(test)]
mod tests;
