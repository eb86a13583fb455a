// SPDX-License-Identifier: Apache-2.0
//! Both ciphers with a key: associated data, text and lengths go through the state one after the other.

use super::rounds::{Rounds, Task, run};
use super::state::{L128, L256, State};
use crate::batch::Ad;
use crate::error::Error;
use crate::gf::wipe;
use crate::mode;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A scheme of the family: which state, and how long the tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Length of key and nonce in bytes: 16 of AEGIS-128L, 32 of AEGIS-256.
    pub(super) key_len: usize,
    /// In bytes, 16 or 32.
    pub(super) tag_len: usize,
}

impl Variant {
    /// The canonical name.
    pub(super) const fn name(self) -> &'static str {
        match (self.key_len, self.tag_len) {
            (16, 16) => "aegis128ltau128",
            (16, _) => "aegis128ltau256",
            (_, 16) => "aegis256tau128",
            (_, _) => "aegis256tau256",
        }
    }

    /// Bytes that the state takes in at a time.
    pub(super) const fn rate(self) -> usize {
        match self.key_len {
            16 => 32,
            _ => 16,
        }
    }
}

/// AEGIS with a key.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Core {
    key: [u8; 32],
    #[zeroize(skip)]
    variant: Variant,
}

/// One message, and in the end its tag.
struct Message<'a> {
    core: &'a Core,
    open: bool,
    nonce: &'a [u8],
    ad: &'a [u8],
    text: &'a mut [u8],
    tag: &'a mut [u8],
}

impl Task for Message<'_> {
    #[inline(always)]
    fn run<R: Rounds>(self, cpu: R) {
        match (self.core.variant.key_len, self.open) {
            (16, false) => self.through::<R, L128<R::Block>, 2, false>(cpu),
            (16, true) => self.through::<R, L128<R::Block>, 2, true>(cpu),
            (_, false) => self.through::<R, L256<R::Block>, 1, false>(cpu),
            (_, true) => self.through::<R, L256<R::Block>, 1, true>(cpu),
        }
    }
}

/// The first blocks of a string that has as many.
#[inline(always)]
fn read<R: Rounds, const W: usize>(cpu: R, bytes: &[u8]) -> [R::Block; W] {
    let (blocks, _) = bytes.as_chunks();
    let mut read = [cpu.read(&blocks[0]); W];
    for i in 1..W {
        read[i] = cpu.read(&blocks[i]);
    }
    read
}

#[inline(always)]
fn write<R: Rounds, const W: usize>(cpu: R, x: [R::Block; W], bytes: &mut [u8]) {
    for (bytes, x) in bytes.as_chunks_mut().0.iter_mut().zip(x) {
        *bytes = cpu.write(x);
    }
}

/// Bytes filled with zeros up to two blocks.
struct Filled([u8; 32]);

impl Filled {
    #[inline(always)]
    fn new(bytes: &[u8]) -> Self {
        let mut filled = Self([0; 32]);
        filled.0[..bytes.len()].copy_from_slice(bytes);
        filled
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

/// From blocks that come in, which the stream is added to, those that go out; the state takes in the plaintext.
#[inline(always)]
fn blocks<R: Rounds, S: State<R, W>, const W: usize, const OPEN: bool>(
    cpu: R,
    state: &mut S,
    given: [R::Block; W],
) -> [R::Block; W] {
    let stream = state.stream(cpu);
    let mut made = stream;
    for i in 0..W {
        made[i] = cpu.sum(made[i], given[i]);
    }
    state.update(cpu, given);
    if OPEN {
        state.add(cpu, stream);
    }
    made
}

impl Message<'_> {
    #[inline(always)]
    fn through<R: Rounds, S: State<R, W>, const W: usize, const OPEN: bool>(self, cpu: R) {
        let Self {
            core,
            nonce,
            ad,
            text,
            tag,
            ..
        } = self;
        let lengths = [ad.len(), text.len()].map(|len| (len as u64).wrapping_mul(8).to_le_bytes());
        let mut state = S::start(cpu, core.key.as_chunks().0, nonce.as_chunks().0);

        let parts = ad.chunks_exact(16 * W);
        let rest = parts.remainder();
        for part in parts {
            state.update(cpu, read(cpu, part));
        }
        if !rest.is_empty() {
            state.update(cpu, read(cpu, &Filled::new(rest).0));
        }

        let mut parts = text.chunks_exact_mut(16 * W);
        for part in &mut parts {
            let made = blocks::<R, S, W, OPEN>(cpu, &mut state, read(cpu, part));
            write(cpu, made, part);
        }
        let rest = parts.into_remainder();
        if !rest.is_empty() {
            let mut filled = Filled::new(rest);
            if OPEN {
                // The state takes in zeros behind the end of the plaintext, not what the stream is there.
                let mut stream = Filled([0; 32]);
                write(cpu, state.stream(cpu), &mut stream.0);
                for (byte, stream) in filled.0.iter_mut().zip(&stream.0).take(rest.len()) {
                    *byte ^= stream;
                }
                state.update(cpu, read(cpu, &filled.0));
            } else {
                let given = read(cpu, &filled.0);
                let made = blocks::<R, S, W, OPEN>(cpu, &mut state, given);
                write(cpu, made, &mut filled.0);
            }
            rest.copy_from_slice(&filled.0[..rest.len()]);
        }

        let mut end = [0; 16];
        end.as_chunks_mut().0.copy_from_slice(&lengths);
        let end = cpu.sum(cpu.read(&end), state.end());
        for _ in 0..7 {
            state.update(cpu, [end; W]);
        }
        let [short, first, second] = state.tags(cpu);
        if tag.len() == 16 {
            write(cpu, [short], tag);
        } else {
            write(cpu, [first, second], tag);
        }
    }
}

impl Core {
    /// The key must have the variant's length.
    pub(crate) fn new(key: &[u8], variant: Variant) -> Self {
        let mut core = Self {
            key: [0; 32],
            variant,
        };
        core.key[..key.len()].copy_from_slice(key);
        core
    }
}

impl mode::Mode for Core {
    fn tag_len(&self) -> usize {
        self.variant.tag_len
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        run(Message {
            core: self,
            open: false,
            nonce,
            ad: ad.bytes()?,
            text: buffer,
            tag,
        });
        Ok(())
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        run(Message {
            core: self,
            open: true,
            nonce,
            ad: ad.bytes()?,
            text: buffer,
            tag: expected,
        });
        Ok(())
    }
}
