// SPDX-License-Identifier: Apache-2.0
//! The mode with a key: blocks between masks, enciphered by the permutation and, as ciphertext, summed for the tag.

use super::mask::Mask;
use super::permutation::{self, permute, room};
use super::rows;
use crate::batch::{Ad, SessionAd};
use crate::error::Error;
use crate::gf::{wipe, xor};
use crate::mode;
use crate::slices::{MAX_LANES, Slices, Task, Whole, run};
use zeroize::{Zeroize, ZeroizeOnDrop, optimization_barrier};

/// Length of a key in bytes.
pub(super) const KEY_LEN: usize = 16;

/// Length of a nonce in bytes.
pub(super) const NONCE_LEN: usize = 13;

/// A block, and the designers' tag.
pub(super) const TAG_LEN: usize = BLOCK + 16;

/// Length of a block in bytes.
const BLOCK: usize = 32;

/// What a mask is for.
mod flag {
    pub(super) const AD: u8 = 0x00;
    pub(super) const TEXT: u8 = 0x40;
    /// Not of the specification: what a session is recognised by.
    pub(super) const OWNER: u8 = 0xff;
}

/// Minalpher with a key.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Core {
    key: [u8; KEY_LEN],
    /// The first mask of associated data.
    ad: Mask,
}

/// Room for as many blocks as go through the permutation side by side, cut into halves.
struct Lanes<S: Slices> {
    cpu: S,
    halves: [[[u8; 16]; MAX_LANES]; 2],
    states: [[[[S::Vector; 8]; 4]; 2]; 2],
}

impl<S: Slices> Lanes<S> {
    #[inline(always)]
    fn new(cpu: S) -> Self {
        Self {
            cpu,
            halves: [[[0; 16]; MAX_LANES]; 2],
            states: room(cpu),
        }
    }

    #[inline(always)]
    fn wipe(&mut self) {
        for half in &mut self.halves {
            wipe(half.as_flattened_mut());
        }
        self.states = room(self.cpu);
        optimization_barrier(&self.states);
    }
}

/// So many blocks are worked on as they are; more of them side by side.
const fn few<S: Slices>() -> usize {
    S::LANES / 4
}

/// The most that `few` gives.
const MOST_FEW: usize = MAX_LANES / 4;

/// What a group of N blocks needs: the blocks themselves twice, and two masks of each.
struct Room<const N: usize> {
    blocks: [[u8; BLOCK]; N],
    others: [[u8; BLOCK]; N],
    masks: [[[u8; BLOCK]; 2]; N],
}

impl<const N: usize> Room<N> {
    #[inline(always)]
    const fn new() -> Self {
        Self {
            blocks: [[0; BLOCK]; N],
            others: [[0; BLOCK]; N],
            masks: [[[0; BLOCK]; 2]; N],
        }
    }
}

impl<const N: usize> Drop for Room<N> {
    #[inline(always)]
    fn drop(&mut self) {
        wipe(self.blocks.as_flattened_mut());
        wipe(self.others.as_flattened_mut());
        wipe(self.masks.as_flattened_mut().as_flattened_mut());
    }
}

/// The sum of both goes into the latter, in halves, as stores of blocks come.
#[inline(always)]
pub(super) fn add(block: &[u8; BLOCK], sum: &mut [u8; BLOCK]) {
    let (block, _) = block.as_chunks();
    for (sum, block) in sum.as_chunks_mut().0.iter_mut().zip(block) {
        *sum = plus(sum, block);
    }
}

/// The sum of half a block and another.
#[inline(always)]
fn plus(x: &[u8; 16], y: &[u8; 16]) -> [u8; 16] {
    (u128::from_ne_bytes(*x) ^ u128::from_ne_bytes(*y)).to_ne_bytes()
}

/// Adds all blocks to a sum.
#[inline(always)]
fn add_all(blocks: &[[u8; BLOCK]], sum: &mut [u8; BLOCK]) {
    let mut words = [0_u64; 4];
    for block in blocks {
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word ^= u64::from_ne_bytes(*bytes);
        }
    }
    for (word, bytes) in words.iter_mut().zip(sum.as_chunks_mut().0) {
        *word ^= u64::from_ne_bytes(*bytes);
        *bytes = word.to_ne_bytes();
    }
    words.zeroize();
}

/// Every block becomes E of itself under its mask, or the inverse. The masks are every STRIDE-th. Without lanes, blocks are few.
#[inline(always)]
fn encipher<S: Slices, const INVERSE: bool, const STRIDE: usize>(
    cpu: S,
    lanes: &mut Option<&mut Lanes<S>>,
    blocks: &mut [[u8; BLOCK]],
    masks: &[[u8; BLOCK]],
) {
    if let Some(lanes) = lanes {
        let [low, high] = &mut lanes.halves;
        for (i, block) in blocks.iter().enumerate() {
            let (block, _) = block.as_chunks();
            let (mask, _) = masks[STRIDE * i].as_chunks();
            [low[i], high[i]] = [plus(&block[0], &mask[0]), plus(&block[1], &mask[1])];
        }
        permute::<S, INVERSE>(cpu, [low, high], &mut lanes.states);
        for (i, block) in blocks.iter_mut().enumerate() {
            let (block, _) = block.as_chunks_mut();
            let (mask, _) = masks[STRIDE * i].as_chunks();
            [block[0], block[1]] = [plus(&low[i], &mask[0]), plus(&high[i], &mask[1])];
        }
        return;
    }
    for (blocks, masks) in blocks.chunks_mut(4).zip(masks.chunks(4 * STRIDE)) {
        if blocks.len() == 1 {
            together::<S, INVERSE, STRIDE, 1>(cpu, blocks, masks);
        } else {
            together::<S, INVERSE, STRIDE, 4>(cpu, blocks, masks);
        }
    }
}

/// At most N blocks, one after the other in the program, so that a CPU works on all of them at once.
#[inline(always)]
fn together<S: Slices, const INVERSE: bool, const STRIDE: usize, const N: usize>(
    cpu: S,
    blocks: &mut [[u8; BLOCK]],
    masks: &[[u8; BLOCK]],
) {
    let cpu = cpu.whole();
    let mut x = [cpu.read(&[0; BLOCK]); N];
    for (i, block) in blocks.iter().enumerate().take(N) {
        x[i] = cpu.plus(cpu.read(block), cpu.read(&masks[STRIDE * i]));
    }
    permutation::few::<S::Whole, INVERSE, N>(cpu, &mut x);
    for (i, block) in blocks.iter_mut().enumerate().take(N) {
        cpu.write(cpu.plus(x[i], cpu.read(&masks[STRIDE * i])), block);
    }
}

/// What becomes of one block.
#[inline(always)]
fn one<S: Slices>(cpu: S, block: &[u8; BLOCK], mask: Mask) -> [u8; BLOCK] {
    let mut made = [*block];
    let mut masks = [mask.plus(&[0; BLOCK])];
    together::<S, false, 1, 1>(cpu, &mut made, &masks);
    wipe(masks.as_flattened_mut());
    made[0]
}

/// The first mask for a flag and a nonce: what key, flag and nonce are, and become.
#[inline(always)]
fn first_mask<S: Slices>(cpu: S, key: &[u8; KEY_LEN], flag: u8, nonce: &[u8]) -> Mask {
    let mut given = [0; BLOCK];
    given[..16].copy_from_slice(key);
    given[16] = flag;
    given[19..].copy_from_slice(nonce);
    let mut made = one(cpu, &given, Mask::default());
    add(&given, &mut made);
    let mask = Mask::new(&made);
    wipe(&mut given);
    wipe(&mut made);
    mask
}

/// The first bytes of a block, padded with 80 00 ..
fn pad(part: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    block[..part.len()].copy_from_slice(part);
    block[part.len()] = 0x80;
    block
}

/// The first mask for a flag and a nonce of zeros.
struct FirstMask<'a> {
    key: &'a [u8; KEY_LEN],
    flag: u8,
    mask: &'a mut Mask,
}

impl Task for FirstMask<'_> {
    #[inline(always)]
    fn run<S: Slices>(self, cpu: S) {
        *self.mask = first_mask(cpu, self.key, self.flag, &[0; NONCE_LEN]);
    }
}

/// Associated data alone: the sum of its blocks, the last of which goes through the permutation with the sum of the others.
struct AdAlone<'a> {
    mask: Mask,
    ad: &'a [u8],
    sum: &'a mut [u8; BLOCK],
}

impl Task for AdAlone<'_> {
    #[inline(always)]
    fn run<S: Slices>(self, cpu: S) {
        let Self { mask, ad, sum } = self;
        let (blocks, last) = ad.split_at((ad.len() - 1) / BLOCK * BLOCK);
        let (mut blocks, _) = blocks.as_chunks::<BLOCK>();
        *sum = [0; BLOCK];
        // The last block's mask is that of the block before it times y + 1.
        let mut next = mask;
        if let Some(rows) = cpu.rows() {
            let whole;
            (whole, blocks) = blocks.split_at(blocks.len() / rows::GROUP * rows::GROUP);
            next = rows::all_data(rows, whole, next, sum);
        }
        if blocks.len() > few::<S>() {
            let mut lanes = Lanes::new(cpu);
            let mut room = Room::<MAX_LANES>::new();
            while blocks.len() > few::<S>() {
                let group;
                (group, blocks) = blocks.split_at(blocks.len().min(S::LANES));
                next = sum_of(cpu, &mut Some(&mut lanes), &mut room, group, next, sum);
            }
            lanes.wipe();
        }
        if !blocks.is_empty() {
            let mut room = Room::<MOST_FEW>::new();
            next = sum_of(cpu, &mut None, &mut room, blocks, next, sum);
        }
        let mask = next.times_y_plus_1();
        let mask = if let Some(whole) = last.first_chunk::<BLOCK>() {
            add(whole, sum);
            mask
        } else {
            add(&pad(last), sum);
            mask.times_y_plus_1()
        };
        *sum = one(cpu, sum, mask);
    }
}

/// Adds to `sum` what the blocks of a group become under the masks that follow `mask`, and gives the mask of the last.
#[inline(always)]
fn sum_of<S: Slices, const N: usize>(
    cpu: S,
    lanes: &mut Option<&mut Lanes<S>>,
    room: &mut Room<N>,
    group: &[[u8; BLOCK]],
    mask: Mask,
    sum: &mut [u8; BLOCK],
) -> Mask {
    let count = group.len();
    let masks = &mut room.masks.as_flattened_mut()[..=count];
    mask.follow(masks);
    let last = Mask::new(&masks[count]);
    let blocks = &mut room.blocks[..count];
    blocks.copy_from_slice(group);
    encipher::<S, false, 1>(cpu, lanes, blocks, &masks[1..]);
    add_all(blocks, sum);
    last
}

/// One message.
struct Message<'a> {
    core: &'a Core,
    open: bool,
    nonce: &'a [u8],
    /// That of the associated data; later that of the ciphertext, too, and at last the tag.
    sum: &'a mut [u8; BLOCK],
    text: &'a mut [u8],
    /// The last block: of the plaintext with its padding, or of the ciphertext. It becomes the other.
    last: &'a mut [u8; BLOCK],
}

impl Task for Message<'_> {
    #[inline(always)]
    fn run<S: Slices>(mut self, cpu: S) {
        let mut next = first_mask(cpu, &self.core.key, flag::TEXT, self.nonce).times_y();
        // The last block is one more.
        let blocks = self.text.len() / BLOCK + 1;
        let mut done = 0;
        if let Some(rows) = cpu.rows() {
            let (text, _) = self.text.as_chunks_mut::<BLOCK>();
            done = text.len() / rows::GROUP * rows::GROUP;
            next = rows::all_text(rows, &mut text[..done], self.open, next, self.sum);
        }
        if blocks - done > few::<S>() {
            let mut lanes = Lanes::new(cpu);
            let mut room = Room::<MAX_LANES>::new();
            while blocks - done > few::<S>() {
                let count = (blocks - done).min(S::LANES);
                next = self.group(cpu, &mut Some(&mut lanes), &mut room, done, count, next);
                done += count;
            }
            lanes.wipe();
        }
        if done < blocks {
            let mut room = Room::<MOST_FEW>::new();
            next = self.group(cpu, &mut None, &mut room, done, blocks - done, next);
        }
        next.zeroize();
    }
}

impl Message<'_> {
    /// Blocks from number `first` on under masks from `next` on, those of enciphering and of the sum in turn; gives the next mask.
    #[inline(always)]
    fn group<S: Slices, const N: usize>(
        &mut self,
        cpu: S,
        lanes: &mut Option<&mut Lanes<S>>,
        room: &mut Room<N>,
        first: usize,
        count: usize,
        next: Mask,
    ) -> Mask {
        let Room {
            blocks,
            others,
            masks,
        } = room;
        let masks = &mut masks.as_flattened_mut()[..2 * count];
        let next = next.follow(masks);
        let (text, _) = self.text.as_chunks_mut::<BLOCK>();
        let text = &mut text[first..];
        // All but the last block of the message go into the sum under masks of their own.
        let summed = count.min(text.len());
        let text = &mut text[..summed];
        blocks[..summed].copy_from_slice(text);
        if summed < count {
            blocks[summed] = *self.last;
        }
        let blocks = &mut blocks[..count];
        let others = &mut others[..count];
        let plain = if self.open {
            others.copy_from_slice(blocks);
            encipher::<S, true, 2>(cpu, lanes, others, masks);
            others
        } else {
            encipher::<S, false, 2>(cpu, lanes, blocks, masks);
            &mut *blocks
        };
        text.copy_from_slice(&plain[..summed]);
        if summed < count {
            *self.last = plain[summed];
            add(&blocks[summed], self.sum);
        }
        let blocks = &mut blocks[..summed];
        if summed > 0 {
            encipher::<S, false, 2>(cpu, lanes, blocks, &masks[1..]);
            add_all(blocks, self.sum);
        }
        if summed < count {
            let mask = Mask::new(&masks[2 * summed]).times_y_plus_1();
            *self.sum = one(cpu, self.sum, mask);
        }
        next
    }
}

impl Core {
    /// The key must have 16 bytes.
    pub(crate) fn new(key: &[u8]) -> Self {
        let mut core = Self {
            key: [0; KEY_LEN],
            ad: Mask::default(),
        };
        core.key.copy_from_slice(key);
        run(FirstMask {
            key: &core.key,
            flag: flag::AD,
            mask: &mut core.ad,
        });
        core
    }

    /// What a session is recognised by: a mask that the mode itself has no use for.
    fn owner(&self, owner: &mut [u8; BLOCK]) {
        let mut mask = Mask::default();
        run(FirstMask {
            key: &self.key,
            flag: flag::OWNER,
            mask: &mut mask,
        });
        *owner = mask.plus(&[0; BLOCK]);
    }

    /// Of no data the sum is what it was, zero.
    fn hash(&self, ad: &[u8], sum: &mut [u8; BLOCK]) {
        if !ad.is_empty() {
            run(AdAlone {
                mask: self.ad,
                ad,
                sum,
            });
        }
    }

    /// The sum of associated data, which the nonce has no part in.
    fn ad(&self, ad: Ad<'_>, sum: &mut [u8; BLOCK]) -> Result<(), Error> {
        match ad {
            Ad::Bytes(bytes) => self.hash(bytes, sum),
            Ad::Session(session) => {
                let mut owner = [0; BLOCK];
                self.owner(&mut owner);
                let found = session.get(&owner);
                wipe(&mut owner);
                sum.copy_from_slice(found?);
            }
        }
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
        let mut sum = [0; BLOCK];
        self.ad(ad, &mut sum)?;
        let (_, rest) = buffer.as_chunks::<BLOCK>();
        let len = rest.len();
        let mut last = pad(rest);
        run(Message {
            core: self,
            open: false,
            nonce,
            sum: &mut sum,
            text: buffer,
            last: &mut last,
        });
        let (_, rest) = buffer.as_chunks_mut::<BLOCK>();
        rest.copy_from_slice(&last[..len]);
        tag.fill(0);
        tag[..BLOCK - len].copy_from_slice(&last[len..]);
        tag[BLOCK - len..TAG_LEN - len].copy_from_slice(&sum[..16]);
        wipe(&mut sum);
        Ok(())
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        let mut sum = [0; BLOCK];
        self.ad(ad, &mut sum)?;
        let (_, rest) = buffer.as_chunks::<BLOCK>();
        let len = rest.len();
        let mut last = [0; BLOCK];
        last[..len].copy_from_slice(rest);
        last[len..].copy_from_slice(&given[..BLOCK - len]);
        run(Message {
            core: self,
            open: true,
            nonce,
            sum: &mut sum,
            text: buffer,
            last: &mut last,
        });
        let (_, rest) = buffer.as_chunks_mut::<BLOCK>();
        rest.copy_from_slice(&last[..len]);
        // What came, with what padding ought to be in place of what it is.
        let padding = &pad(&last[..len])[len..];
        xor(&mut last[len..], padding);
        expected.fill(0);
        expected[..BLOCK - len].copy_from_slice(&given[..BLOCK - len]);
        xor(&mut expected[..BLOCK - len], &last[len..]);
        expected[BLOCK - len..TAG_LEN - len].copy_from_slice(&sum[..16]);
        wipe(&mut last);
        wipe(&mut sum);
        Ok(())
    }

    fn session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        let [mut owner, mut sum] = [[0; BLOCK]; 2];
        self.owner(&mut owner);
        self.hash(ad, &mut sum);
        let session = SessionAd::new(&sum, &owner);
        wipe(&mut owner);
        wipe(&mut sum);
        Ok(session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hex_literal::hex;

    /// Check values of the permutation, and of the first mask.
    #[test]
    fn the_permutation_alone() {
        struct Alone;
        impl Task for Alone {
            fn run<S: Slices>(self, cpu: S) {
                let counting: [u8; BLOCK] = core::array::from_fn(|i| i as u8);
                for (block, expected) in [
                    (
                        [0; BLOCK],
                        hex!("1AF06C27314D424B86E9A08BD5717A71F01A276C4D314B42E9868BA071D5717A"),
                    ),
                    (
                        counting,
                        hex!("43591FCC2A1E1A8E308F15180D8867C96747312F54338E06669ADBCEAFAA3F29"),
                    ),
                ] {
                    assert_eq!(one(cpu, &block, Mask::default()), expected, "{}", S::NAME);
                    // As many as there are lanes, and one, two and five as they are.
                    let mut room = Lanes::new(cpu);
                    for (count, mut lanes) in
                        [(S::LANES, Some(&mut room)), (1, None), (2, None), (5, None)]
                    {
                        let mut blocks = [block; MAX_LANES];
                        let masks = [[0; BLOCK]; MAX_LANES];
                        let blocks = &mut blocks[..count];
                        encipher::<S, false, 1>(cpu, &mut lanes, blocks, &masks);
                        assert!(blocks.iter().all(|block| *block == expected), "{}", S::NAME);
                        encipher::<S, true, 1>(cpu, &mut lanes, blocks, &masks);
                        assert!(blocks.iter().all(|made| *made == block), "{}", S::NAME);
                    }
                }
                let key = core::array::from_fn(|i| i as u8);
                let mask = first_mask(cpu, &key, flag::TEXT, &counting[..NONCE_LEN]);
                assert_eq!(
                    mask.plus(&[0; BLOCK]),
                    hex!("109897B940D3471E753B921FF76598A317B468FE9DE4EA0CBDE2B07C16EE96F5"),
                );
            }
        }
        run(Alone);
    }
}
