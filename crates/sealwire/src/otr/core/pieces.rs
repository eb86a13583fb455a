// SPDX-License-Identifier: Apache-2.0
//! A message in pieces: its beginning, its middle and its end by themselves.

use super::Core;
use super::form::Form;
use super::text::State;
use crate::aes::{Cipher, Engine, Task};
use crate::batch::Ad;
use crate::error::Error;

/// What it needs of the key.
pub(in crate::otr) trait Sealing: Send + Sync {
    fn tag_len(&self) -> usize;
    /// Seals whole chunks that are not the last.
    fn chunks(&self, state: &mut State, text: &mut [u8]);
    /// Seals the last ones and gives the tag, untruncated.
    fn end(&self, state: &State, text: &mut [u8], ta: &[u8; 16]) -> [u8; 16];
}

impl<A: Cipher> Sealing for Core<A> {
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn chunks(&self, state: &mut State, text: &mut [u8]) {
        self.key.run(Chunks(state, text));
    }

    fn end(&self, state: &State, text: &mut [u8], ta: &[u8; 16]) -> [u8; 16] {
        let form = self.form;
        self.key.run(End {
            form,
            state,
            text,
            ta,
        })
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

/// The end of a message in pieces; gives the tag.
struct End<'a> {
    form: Form,
    state: &'a State,
    text: &'a mut [u8],
    ta: &'a [u8; 16],
}

impl<A: Cipher> Task<A> for End<'_> {
    type Output = [u8; 16];

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> [u8; 16] {
        let te = engine.block(self.state.end(engine, self.text, false));
        engine.write(self.form.tag(engine, te, engine.read(self.ta)))
    }
}

/// The first mask of a message in pieces.
pub(super) struct Begin<'a> {
    pub(super) form: Form,
    /// Formatted
    pub(super) nonce: &'a [u8; 16],
    pub(super) ta: &'a [u8; 16],
    pub(super) state: &'a mut State,
}

impl<A: Cipher> Task<A> for Begin<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        let ta = engine.read(self.ta);
        let start = self.form.start(engine, engine.read(self.nonce), ta);
        let encrypted = engine.block(start);
        self.state.mask = engine.write(self.form.first_mask(engine, encrypted, ta));
    }
}

impl<A: Cipher> Core<A> {
    /// A message in pieces: the state before its first chunk, and TA, which were zero.
    pub(in crate::otr) fn begin(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        state: &mut State,
        ta: &mut [u8; 16],
    ) -> Result<(), Error> {
        self.ta(ad, ta)?;
        self.key.run(Begin {
            form: self.form,
            nonce: &self.format(nonce),
            ta,
            state,
        });
        Ok(())
    }
}
