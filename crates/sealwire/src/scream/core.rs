// SPDX-License-Identifier: Apache-2.0
//! The mode with a key: every block of associated data and text, and the sum of the text, goes through the cipher under a tweak of
//! its own, so that as many go through at once as there are lanes.

use super::cipher::{self, Tweakeys};
use crate::batch::Ad;
use crate::error::Error;
use crate::gf::{wipe, xor};
use crate::mode;
use crate::slices::{MAX_LANES, Slices, Task, run};
use core::ops::Range;
use zeroize::{Zeroize, ZeroizeOnDrop, optimization_barrier};

/// Length of a key in bytes.
pub(super) const KEY_LEN: usize = 16;

/// Length of a nonce in bytes.
pub(super) const NONCE_LEN: usize = 11;

/// Length of a tag in bytes.
pub(super) const TAG_LEN: usize = 16;

/// The longest string in bytes: the number of a block has 32 bits in the tweak.
const MAX_LEN: u64 = (1 << 36) - 1;

/// What the last byte of a tweak says.
mod control {
    pub(super) const TEXT: u8 = 0;
    pub(super) const AD: u8 = 2;
    pub(super) const LAST_AD: u8 = 4;
    pub(super) const PADDED_AD: u8 = 6;

    /// The sum of a text, by its length: how many bytes its last block has if it is not whole.
    pub(super) const fn tag(text_len: usize) -> u8 {
        16 * (text_len % 16) as u8 + 1
    }
}

/// SCREAM with a key.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Core {
    key: [u8; 16],
    #[zeroize(skip)]
    steps: usize,
}

/// One message. Whole groups of its text go through the cipher as they lie there. The other blocks are counted through: associated
/// data, whole blocks of the text unless they are opened, what is left of the text, and the sum of the text.
struct Message<'a> {
    core: &'a Core,
    open: bool,
    nonce: &'a [u8],
    ad: &'a [u8],
    text: &'a mut [u8],
    /// Blocks of the text that have gone through as groups.
    done: usize,
    /// Of the plaintext.
    sum: [u8; 16],
    tag: &'a mut [u8],
}

/// What a block is of.
enum Part {
    Ad(usize),
    Text(usize),
    Rest,
    Sum,
}

/// Tweaks and blocks of a group.
struct Group {
    tweaks: [[u8; 16]; MAX_LANES],
    blocks: [[u8; 16]; MAX_LANES],
}

impl Group {
    const fn new() -> Self {
        Self {
            tweaks: [[0; 16]; MAX_LANES],
            blocks: [[0; 16]; MAX_LANES],
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        wipe(self.blocks.as_flattened_mut());
    }
}

/// Adds blocks to a sum, four at a time, so that the compiler takes vectors for them.
#[inline(always)]
fn add_all(sum: &mut [u8; 16], blocks: &[[u8; 16]]) {
    let mut words = [0; 8];
    let (fours, rest) = blocks.as_chunks::<4>();
    for four in fours {
        for (word, bytes) in words.iter_mut().zip(four.as_flattened().as_chunks().0) {
            *word ^= u64::from_ne_bytes(*bytes);
        }
    }
    for half in words.as_chunks::<2>().0 {
        let [low, high] = half.map(u64::to_ne_bytes);
        xor(&mut sum[..8], &low);
        xor(&mut sum[8..], &high);
    }
    words.zeroize();
    for block in rest {
        xor(sum, block);
    }
}

/// Bytes filled with zeros.
#[inline(always)]
fn filled(bytes: &[u8]) -> [u8; 16] {
    let mut block = [0; 16];
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

impl Message<'_> {
    /// How many blocks come before the text's whole ones, before its rest, and before its sum.
    #[inline(always)]
    fn ends(&self) -> [usize; 3] {
        let ad = self.ad.len().div_ceil(16);
        let whole = self.text.len() / 16 - self.done;
        let text = ad + if self.open { 0 } else { whole };
        [
            ad,
            text,
            text + usize::from(!self.text.len().is_multiple_of(16)),
        ]
    }

    #[inline(always)]
    fn part(&self, number: usize) -> Part {
        let [ad, text, rest] = self.ends();
        if number < ad {
            Part::Ad(number)
        } else if number < text {
            Part::Text(self.done + number - ad)
        } else if number < rest {
            Part::Rest
        } else {
            Part::Sum
        }
    }

    #[inline(always)]
    fn tweak(&self, number: usize, control: u8) -> [u8; 16] {
        let mut tweak = [0; 16];
        tweak[..11].copy_from_slice(self.nonce);
        tweak[11..15].copy_from_slice(&(number as u32).to_be_bytes());
        tweak[15] = control;
        tweak
    }

    /// The tweak and the block that go into the cipher.
    #[inline(always)]
    fn given(&self, part: &Part) -> [[u8; 16]; 2] {
        let whole = self.text.len() / 16;
        match *part {
            Part::Ad(i) => {
                let data = &self.ad[16 * i..];
                if let Some(block) = data.first_chunk() {
                    let last = data.len() == 16;
                    let control = if last { control::LAST_AD } else { control::AD };
                    [self.tweak(i, control), *block]
                } else {
                    let mut block = filled(data);
                    block[data.len()] = 0x80;
                    [self.tweak(i, control::PADDED_AD), block]
                }
            }
            Part::Text(i) => {
                let (blocks, _) = self.text.as_chunks();
                [self.tweak(i, control::TEXT), blocks[i]]
            }
            Part::Rest => {
                let mut block = [0; 16];
                block[15] = 8 * (self.text.len() % 16) as u8;
                [self.tweak(whole, control::TEXT), block]
            }
            Part::Sum => [self.tweak(whole, control::tag(self.text.len())), self.sum],
        }
    }

    /// Takes what came out of the cipher.
    #[inline(always)]
    fn made(&mut self, part: &Part, block: &[u8; 16]) {
        match *part {
            Part::Ad(_) | Part::Sum => xor(self.tag, block),
            Part::Text(i) => self.text.as_chunks_mut().0[i] = *block,
            Part::Rest => {
                let (_, rest) = self.text.as_chunks_mut::<16>();
                xor(rest, block);
                if self.open {
                    xor(&mut self.sum, rest);
                }
            }
        }
    }

    /// Enciphers or deciphers as many whole blocks of the text as fill groups, and adds the plaintext to the sum. Their tweaks differ
    /// in the number of the block alone, and within a group in its last byte alone.
    #[inline(always)]
    fn groups<S: Slices, const DECIPHER: bool>(
        &mut self,
        cpu: S,
        subkeys: &mut Tweakeys<S::Vector>,
    ) {
        let Core { key, steps } = self.core;
        let mut lanes = [[0; 16]; MAX_LANES];
        for (lane, block) in lanes.iter_mut().enumerate() {
            block[0] = lane as u8;
        }
        let mut x = [cpu.every(0); 16];
        cpu.load(&lanes, &mut x);
        let numbers = x[0];
        let mut tweaks = [cpu.every(0); 16];
        for (tweak, byte) in tweaks.iter_mut().zip(self.nonce) {
            *tweak = cpu.every(*byte);
        }
        tweaks[15] = cpu.every(control::TEXT);
        for group in self.text.as_chunks_mut().0.chunks_exact_mut(S::LANES) {
            for (tweak, byte) in tweaks[11..15]
                .iter_mut()
                .zip((self.done as u32).to_be_bytes())
            {
                *tweak = cpu.every(byte);
            }
            tweaks[14] = cpu.sum(tweaks[14], numbers);
            cipher::tweakeys(cpu, key, &tweaks, subkeys);
            if !DECIPHER {
                add_all(&mut self.sum, group);
            }
            cpu.load(group, &mut x);
            cipher::crypt::<S, DECIPHER>(cpu, *steps, subkeys, &mut x);
            cpu.store(&x, group);
            if DECIPHER {
                add_all(&mut self.sum, group);
            }
            self.done += S::LANES;
        }
    }

    /// Enciphers the blocks of these numbers.
    #[inline(always)]
    fn forward<S: Slices>(
        &mut self,
        cpu: S,
        group: &mut Group,
        subkeys: &mut Tweakeys<S::Vector>,
        numbers: Range<usize>,
    ) {
        for first in numbers.clone().step_by(S::LANES) {
            let count = (numbers.end - first).min(S::LANES);
            for lane in 0..count {
                let part = self.part(first + lane);
                [group.tweaks[lane], group.blocks[lane]] = self.given(&part);
            }
            let Core { key, steps } = self.core;
            cipher::blocks::<S, false>(cpu, key, *steps, &group.tweaks, &mut group.blocks, subkeys);
            for lane in 0..count {
                let part = self.part(first + lane);
                self.made(&part, &group.blocks[lane]);
            }
        }
    }

    /// Deciphers the whole blocks that are left of the text, and adds them to the sum.
    #[inline(always)]
    fn backward<S: Slices>(
        &mut self,
        cpu: S,
        group: &mut Group,
        subkeys: &mut Tweakeys<S::Vector>,
    ) {
        let whole = self.text.len() / 16;
        for first in (self.done..whole).step_by(S::LANES) {
            let count = (whole - first).min(S::LANES);
            for lane in 0..count {
                group.tweaks[lane] = self.tweak(first + lane, control::TEXT);
            }
            let text = &mut self.text.as_chunks_mut().0[first..first + count];
            group.blocks[..count].copy_from_slice(text);
            let Core { key, steps } = self.core;
            cipher::blocks::<S, true>(cpu, key, *steps, &group.tweaks, &mut group.blocks, subkeys);
            text.copy_from_slice(&group.blocks[..count]);
            for block in text {
                xor(&mut self.sum, block);
            }
        }
    }
}

impl Task for Message<'_> {
    #[inline(always)]
    fn run<S: Slices>(mut self, cpu: S) {
        let mut group = Group::new();
        let mut subkeys = [[cpu.every(0); 16]; 3];
        self.tag.fill(0);
        if self.open {
            self.groups::<S, true>(cpu, &mut subkeys);
        } else {
            self.groups::<S, false>(cpu, &mut subkeys);
        }
        let [_, text, rest] = self.ends();
        if self.open {
            self.backward(cpu, &mut group, &mut subkeys);
            // The sum is known when the rest is: without a rest, at once.
            let first = if rest == text { 0 } else { rest };
            self.forward(cpu, &mut group, &mut subkeys, 0..first);
            self.forward(cpu, &mut group, &mut subkeys, first..rest + 1);
        } else {
            let (blocks, part) = self.text.as_chunks();
            add_all(&mut self.sum, &blocks[self.done..]);
            xor(&mut self.sum, part);
            self.forward(cpu, &mut group, &mut subkeys, 0..rest + 1);
        }
        wipe(&mut self.sum);
        subkeys = [[cpu.every(0); 16]; 3];
        optimization_barrier(&subkeys);
    }
}

/// Whether the number of every block fits into its tweak.
fn legal(parameter: &'static str, len: usize) -> Result<(), Error> {
    if len as u64 > MAX_LEN {
        return Err(Error::Length {
            parameter,
            given: len,
            min: 0,
            max: MAX_LEN as usize,
        });
    }
    Ok(())
}

impl Core {
    /// The key must have 16 bytes.
    pub(crate) fn new(key: &[u8], steps: usize) -> Self {
        let mut core = Self {
            key: [0; 16],
            steps,
        };
        core.key.copy_from_slice(key);
        core
    }

    /// Encrypts `text`, or decrypts it if `open`, and writes the tag.
    fn one(
        &self,
        open: bool,
        nonce: &[u8],
        ad: Ad<'_>,
        text: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let ad = ad.bytes()?;
        legal("associated data", ad.len())?;
        legal("message", text.len())?;
        run(Message {
            core: self,
            open,
            nonce,
            ad,
            text,
            done: 0,
            sum: [0; 16],
            tag,
        });
        Ok(())
    }
}

impl mode::Mode for Core {
    fn tag_len(&self) -> usize {
        TAG_LEN
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.one(false, nonce, ad, buffer, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.one(true, nonce, ad, buffer, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Check values of the cipher alone, with 10 steps and 12: tweak and block zero, and both 00 01 ..
    #[test]
    fn the_cipher_alone() {
        struct Alone<'a>(&'a [u8; 16], usize, [u8; 16], &'a mut [u8; 16]);
        impl Task for Alone<'_> {
            fn run<S: Slices>(self, cpu: S) {
                let mut group = Group::new();
                (group.tweaks[0], group.blocks[0]) = (self.2, self.2);
                let mut subkeys = [[cpu.every(0); 16]; 3];
                let Group { tweaks, blocks } = &mut group;
                cipher::blocks::<S, false>(cpu, self.0, self.1, tweaks, blocks, &mut subkeys);
                *self.3 = blocks[0];
                cipher::blocks::<S, true>(cpu, self.0, self.1, tweaks, blocks, &mut subkeys);
                assert_eq!(blocks[0], self.2);
            }
        }
        let counting = core::array::from_fn(|i| i as u8);
        for (steps, given, expected) in [
            (10, [0; 16], 0xf2279cb39f24b2330a1397796764617e_u128),
            (10, counting, 0xfbbede9adacda43f3a3318260051ab9b),
            (12, [0; 16], 0x3e9b95b0047fb2fb84a37f56ee1efc4f),
            (12, counting, 0x83771daa71e92eb9b22899cd6628634b),
        ] {
            let mut made = [0; 16];
            run(Alone(&counting, steps, given, &mut made));
            assert_eq!(made, expected.to_be_bytes());
        }
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn a_string_whose_numbers_would_repeat_is_refused() {
        assert!(legal("message", MAX_LEN as usize).is_ok());
        let error = legal("message", MAX_LEN as usize + 1).unwrap_err();
        assert!(std::format!("{error}").contains("allowed 0 to 68719476735 bytes"));
    }
}
