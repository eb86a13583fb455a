// SPDX-License-Identifier: Apache-2.0
//! Both modes with a key: sums of enciphered blocks, a tag of the sum, and text enciphered in place or by a key stream.

use super::cipher::{self, Key, Rounds, Task, Version};
use crate::batch::{Ad, SessionAd};
use crate::error::Error;
use crate::gf::{wipe, xor};
use crate::mode;

/// Length of a tag in bytes.
pub(crate) const TAG_LEN: usize = 16;

/// What the first four bits of a tweak say.
mod stage {
    pub(super) const TEXT: u128 = 0;
    /// Deoxys-I: the sum of whole blocks. Deoxys-II: the sum of all, which makes the tag.
    pub(super) const TAG: u128 = 1 << 124;
    pub(super) const AD: u128 = 2 << 124;
    pub(super) const LAST_TEXT: u128 = 4 << 124;
    /// Deoxys-I: the sum if the last block is not whole.
    pub(super) const LAST_TAG: u128 = 5 << 124;
    pub(super) const LAST_AD: u128 = 6 << 124;
    /// Not of the specification: what a session is recognised by.
    pub(super) const OWNER: u128 = 7 << 124;
}

/// Which mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Deoxys-I: one pass, for nonces that never repeat.
    One,
    /// Deoxys-II: two passes, and a repeated nonce does little harm.
    Two,
}

/// A scheme of the family: mode, version and length of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Which mode.
    pub(crate) mode: Mode,
    /// Which specification.
    pub(crate) version: Version,
    /// In bytes.
    pub(crate) key_len: usize,
}

impl Variant {
    /// Length of a nonce in bytes.
    pub(crate) const fn nonce_len(self) -> usize {
        match self.mode {
            Mode::One => 8,
            Mode::Two => 15,
        }
    }

    /// Whether its bound holds though nonces repeat.
    pub(crate) const fn outlives_nonces(self) -> bool {
        matches!(self.mode, Mode::Two)
    }

    /// The canonical name.
    pub(crate) const fn name(self) -> &'static str {
        match (self.mode, self.key_len, self.version) {
            (Mode::One, 16, Version::V143) => "deoxysi128v143",
            (Mode::One, _, Version::V143) => "deoxysi256v143",
            (Mode::Two, 16, Version::V143) => "deoxysii128v143",
            (Mode::Two, _, Version::V143) => "deoxysii256v143",
            (Mode::One, 16, Version::V141) => "deoxysi128v141",
            (Mode::One, _, Version::V141) => "deoxysi256v141",
            (Mode::Two, 16, Version::V141) => "deoxysii128v141",
            (Mode::Two, _, Version::V141) => "deoxysii256v141",
        }
    }
}

/// Deoxys with a key.
#[derive(Clone)]
pub struct Core {
    key: Key,
    mode: Mode,
}

/// One message, and in the end its tag.
struct Message<'a> {
    core: &'a Core,
    open: bool,
    nonce: &'a [u8],
    /// The sum of the associated data, later of all that the tag is made of, and at last the tag.
    sum: &'a mut [u8; 16],
    text: &'a mut [u8],
    /// The tag that came, under Deoxys-II.
    given: &'a [u8; 16],
}

/// The first bytes of a block, padded with 80 00 ..
fn pad(part: &[u8]) -> [u8; 16] {
    let mut block = [0; 16];
    block[..part.len()].copy_from_slice(part);
    block[part.len()] = 0x80;
    block
}

/// The sum of enciphered blocks, the last one padded if it is not whole.
#[inline(always)]
fn sum_of<R: Rounds>(cpu: R, key: &Key, [whole, last]: [u128; 2], data: &[u8]) -> [u8; 16] {
    let (blocks, rest) = data.split_at(data.len() / 16 * 16);
    let mut sum = cipher::hash(cpu, key, whole, blocks);
    if !rest.is_empty() {
        let number = (blocks.len() / 16) as u128;
        xor(&mut sum, &cipher::one(cpu, key, last ^ number, &pad(rest)));
    }
    sum
}

impl Task for Message<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Rounds>(self, cpu: R) {
        match self.core.mode {
            Mode::One => self.one_pass(cpu),
            Mode::Two => self.two_passes(cpu),
        }
    }
}

impl Message<'_> {
    #[inline(always)]
    fn one_pass<R: Rounds>(self, cpu: R) {
        let key = &self.core.key;
        let nonce = self.nonce.first_chunk().expect("a nonce of 8 bytes");
        let nonce = u128::from(u64::from_be_bytes(*nonce)) << 60;
        let (blocks, rest) = self.text.split_at_mut(self.text.len() / 16 * 16);
        let number = (blocks.len() / 16) as u128;
        let mut sum = cipher::text(cpu, key, stage::TEXT | nonce, blocks, self.open);
        let mut tweak = stage::TAG | nonce | number;
        if !rest.is_empty() {
            let last = stage::LAST_TEXT | nonce | number;
            let mut stream = cipher::one(cpu, key, last, &[0; 16]);
            let mut plain = [pad(rest), [0; 16]];
            xor(rest, &stream);
            plain[1] = pad(rest);
            xor(&mut sum, &plain[usize::from(self.open)]);
            wipe(plain.as_flattened_mut());
            wipe(&mut stream);
            tweak = stage::LAST_TAG | nonce | (number + 1);
        }
        xor(self.sum, &cipher::one(cpu, key, tweak, &sum));
        wipe(&mut sum);
    }

    #[inline(always)]
    fn two_passes<R: Rounds>(self, cpu: R) {
        let key = &self.core.key;
        let mut block = [0; 16];
        block[1..].copy_from_slice(self.nonce);
        if self.open {
            crypt(cpu, key, self.given, &block, self.text);
        }
        let tweaks = [stage::TEXT, stage::LAST_TEXT];
        xor(self.sum, &sum_of(cpu, key, tweaks, self.text));
        let tweak = stage::TAG | u128::from_be_bytes(block);
        *self.sum = cipher::one(cpu, key, tweak, self.sum);
        if !self.open {
            crypt(cpu, key, self.sum, &block, self.text);
        }
    }
}

/// The second pass of Deoxys-II: the tag, with its first bit set, is the tweak of a key stream made from the nonce.
#[inline(always)]
fn crypt<R: Rounds>(cpu: R, key: &Key, tag: &[u8; 16], nonce: &[u8; 16], text: &mut [u8]) {
    let tweak = u128::from_be_bytes(*tag) | 1 << 127;
    cipher::stream(cpu, key, tweak, nonce, text);
}

/// Associated data alone.
struct AdAlone<'a> {
    key: &'a Key,
    ad: &'a [u8],
    sum: &'a mut [u8; 16],
}

impl Task for AdAlone<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Rounds>(self, cpu: R) {
        *self.sum = sum_of(cpu, self.key, [stage::AD, stage::LAST_AD], self.ad);
    }
}

/// A block that this key alone makes.
struct Owner<'a>(&'a Key);

impl Task for Owner<'_> {
    type Output = [u8; 16];

    #[inline(always)]
    fn run<R: Rounds>(self, cpu: R) -> [u8; 16] {
        cipher::one(cpu, self.0, stage::OWNER, &[0; 16])
    }
}

impl Core {
    /// The key must have the variant's length.
    pub(crate) fn new(key: &[u8], variant: Variant) -> Self {
        Self {
            key: Key::new(key, variant.version),
            mode: variant.mode,
        }
    }

    /// The sum of associated data, which the nonce has no part in.
    fn ad(&self, ad: Ad<'_>, sum: &mut [u8; 16]) -> Result<(), Error> {
        ad.block(|| self.owner(), |ad, sum| self.hash(ad, sum), sum)
    }

    fn owner(&self) -> [u8; 16] {
        cipher::run(Owner(&self.key))
    }

    /// Of no data the sum is what it was, zero.
    fn hash(&self, ad: &[u8], sum: &mut [u8; 16]) {
        if !ad.is_empty() {
            cipher::run(AdAlone {
                key: &self.key,
                ad,
                sum,
            });
        }
    }

    /// Encrypts `text`, or decrypts it if a tag came with it, and writes the tag.
    fn one(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        text: &mut [u8],
        given: Option<&[u8]>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let mut sum = [0; 16];
        self.ad(ad, &mut sum)?;
        let open = given.is_some();
        let given = given.and_then(<[u8]>::first_chunk).unwrap_or(&[0; 16]);
        cipher::run(Message {
            core: self,
            open,
            nonce,
            sum: &mut sum,
            text,
            given,
        });
        tag.copy_from_slice(&sum);
        wipe(&mut sum);
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
        self.one(nonce, ad, buffer, None, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.one(nonce, ad, buffer, Some(given), expected)
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        Ok(SessionAd::of_block(self.owner(), |sum| self.hash(ad, sum)))
    }
}

#[cfg(test)]
mod tests;
