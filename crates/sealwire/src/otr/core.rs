// SPDX-License-Identifier: Apache-2.0
//! The mode with a key: nonce, associated data, message and tag put together, for one message and for many.

use crate::aes::{Cipher, Engine, Key, Task, head, times_power};
use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::error::Error;
use crate::gf::wipe;
use crate::mode::{Input, Mode, one_by_one};
use crate::together::{self, TOGETHER, Together};
use zeroize::{ZeroizeOnDrop, optimization_barrier};

mod ad;
mod form;
#[cfg(feature = "alloc")]
pub(super) mod pieces;
pub(super) mod text;

pub use form::Form;

/// AES-OTR with a key.
pub struct Core<A: Cipher> {
    key: Key<A>,
    /// Q = E(0)
    q: [u8; 16],
    form: Form,
    tag_len: usize,
}

/// One message before its nonce is encrypted, and in the end its tag.
#[derive(Default)]
pub struct Message<'a> {
    /// The formatted nonce, later the tag.
    block: [u8; 16],
    /// The associated data's part of the tag
    ta: [u8; 16],
    text: &'a mut [u8],
}

/// Messages on their way.
struct Messages<'a, 'text> {
    form: Form,
    open: bool,
    messages: &'a mut [Message<'text>],
}

impl<A: Cipher> Task<A> for Messages<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let Self {
            form,
            open,
            messages,
        } = self;
        for m in &mut *messages {
            let start = form.start(engine, engine.read(&m.block), engine.read(&m.ta));
            m.block = engine.write(start);
        }
        encrypt(engine, messages);
        for m in &mut *messages {
            let mask = form.first_mask(engine, engine.read(&m.block), engine.read(&m.ta));
            m.block = engine.write(text::whole(engine, mask, m.text, open));
        }
        encrypt(engine, messages);
        for m in messages {
            let tag = form.tag(engine, engine.read(&m.block), engine.read(&m.ta));
            m.block = engine.write(tag);
        }
    }
}

/// E of the block of every message.
#[inline(always)]
fn encrypt<E: Engine>(engine: E, messages: &mut [Message<'_>]) {
    if let [m] = messages {
        m.block = engine.write(engine.block(engine.read(&m.block)));
        return;
    }
    for messages in messages.chunks_mut(TOGETHER) {
        let zeros = [engine.read(&[0; 16]); TOGETHER];
        let mut x = zeros;
        for (x, m) in x.iter_mut().zip(&*messages) {
            *x = engine.read(&m.block);
        }
        engine.each(&mut x);
        for (x, m) in x.iter().zip(messages) {
            m.block = engine.write(*x);
        }
        x = zeros;
        optimization_barrier(&x);
    }
}

/// Associated data ahead of a message.
struct AdAlone<'a> {
    q: &'a [u8; 16],
    form: Form,
    ad: &'a [u8],
    ta: &'a mut [u8; 16],
}

impl<A: Cipher> Task<A> for AdAlone<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        *self.ta = ad::process(engine, self.form, self.q, self.ad);
    }
}

/// E(0)
struct Zero;

impl<A: Cipher> Task<A> for Zero {
    type Output = [u8; 16];

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> [u8; 16] {
        engine.write(engine.block(engine.read(&[0; 16])))
    }
}

impl<A: Cipher> Core<A> {
    /// `key` has the cipher's length, `tag_len` is 1 to 16.
    pub(crate) fn new(key: &[u8], form: Form, tag_len: usize) -> Self {
        let key = Key::new(key);
        Self {
            q: key.run(Zero),
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
        times_power(u128::from_be_bytes(self.q), power).to_be_bytes()
    }

    /// Tag length in bits modulo 128 as seven bits, zeros, a one, and the nonce, which has 1 to 15 bytes.
    fn format(&self, nonce: &[u8]) -> [u8; 16] {
        let bits = 8 * nonce.len();
        let tag_len = (8 * self.tag_len % 128) as u128;
        (tag_len << 121 | 1 << bits | head(nonce) >> (128 - bits)).to_be_bytes()
    }

    /// TA of bytes; it is zero if there are none.
    fn process_ad(&self, ad: &[u8], ta: &mut [u8; 16]) {
        if ad.is_empty() {
            *ta = [0; 16];
            return;
        }
        let (q, form) = (&self.q, self.form);
        self.key.run(AdAlone { q, form, ad, ta });
    }

    /// Writes TA where it is to stay: a secret that is returned leaves copies.
    fn ta(&self, ad: Ad<'_>, ta: &mut [u8; 16]) -> Result<(), Error> {
        ad.block(|| self.owner(), |ad, ta| self.process_ad(ad, ta), ta)
    }
}

impl<A: Cipher> Together for Core<A> {
    type Message<'a> = Message<'a>;

    fn put<'a>(&self, input: Input<'a>, message: &mut Message<'a>) -> Result<(), Error> {
        self.ta(input.ad, &mut message.ta)?;
        message.block = self.format(input.nonce);
        message.text = input.text;
        Ok(())
    }

    fn process(&self, open: bool, messages: &mut [Message<'_>]) {
        let form = self.form;
        self.key.run(Messages {
            form,
            open,
            messages,
        });
    }
}

impl<'a> together::Message<'a> for Message<'a> {
    fn tag(&self) -> &[u8; 16] {
        &self.block
    }

    fn text(&mut self) -> &mut [u8] {
        self.text
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
        together::one(self, false, nonce, ad, buffer, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        together::one(self, true, nonce, ad, buffer, expected)
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        Ok(SessionAd::of_block(self.owner(), |ta| {
            self.process_ad(ad, ta)
        }))
    }

    /// Sealing two together takes longer than one after the other; opening does not.
    fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        if packets.len() < 3 {
            one_by_one(self, nonce_len, packets)
        } else {
            together::batch(self, nonce_len, packets)
        }
    }

    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        together::batch(self, nonce_len, packets)
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
        wipe(&mut self.q);
    }
}

impl<A: Cipher> ZeroizeOnDrop for Core<A> {}

impl Drop for Message<'_> {
    /// The tag, or the nonce under its key, and TA.
    fn drop(&mut self) {
        wipe(&mut self.block);
        wipe(&mut self.ta);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
