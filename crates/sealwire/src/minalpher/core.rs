// SPDX-License-Identifier: Apache-2.0
//! The mode with a key: blocks between masks, enciphered by the permutation and, as ciphertext, summed for the tag.

use super::mask::Mask;
use super::permutation::{permute, room};
use crate::batch::{Ad, SessionAd};
use crate::error::Error;
use crate::gf::{wipe, xor};
use crate::mode;
use crate::slices::{MAX_LANES, Slices, Task, run};
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

/// Blocks of a group, cut into halves, and their masks.
struct Group<S: Slices> {
    cpu: S,
    halves: [[[u8; 16]; MAX_LANES]; 2],
    masks: [Mask; MAX_LANES],
    states: [[[[S::Vector; 8]; 4]; 2]; 2],
}

impl<S: Slices> Group<S> {
    #[inline(always)]
    fn new(cpu: S) -> Self {
        Self {
            cpu,
            halves: [[[0; 16]; MAX_LANES]; 2],
            masks: [Mask::default(); MAX_LANES],
            states: room(cpu),
        }
    }

    /// A block and its mask go into a lane.
    #[inline(always)]
    fn put(&mut self, lane: usize, block: &[u8; BLOCK], mask: Mask) {
        let sum = mask.plus(block);
        let (halves, _) = sum.as_chunks();
        [self.halves[0][lane], self.halves[1][lane]] = [halves[0], halves[1]];
        self.masks[lane] = mask;
    }

    /// What became of the block in a lane.
    #[inline(always)]
    fn get(&self, lane: usize) -> [u8; BLOCK] {
        let mut block = [0; BLOCK];
        block[..16].copy_from_slice(&self.halves[0][lane]);
        block[16..].copy_from_slice(&self.halves[1][lane]);
        self.masks[lane].plus(&block)
    }

    /// The permutation in all lanes, or its inverse.
    #[inline(always)]
    fn permute<const INVERSE: bool>(&mut self) {
        let [low, high] = &mut self.halves;
        permute::<S, INVERSE>(self.cpu, [low, high], &mut self.states);
    }

    /// What becomes of one block.
    #[inline(always)]
    fn one(&mut self, block: &[u8; BLOCK], mask: Mask) -> [u8; BLOCK] {
        self.put(0, block, mask);
        self.permute::<false>();
        self.get(0)
    }

    /// The first mask for a flag and a nonce: what key, flag and nonce are, and become.
    #[inline(always)]
    fn mask(&mut self, key: &[u8; KEY_LEN], flag: u8, nonce: &[u8]) -> Mask {
        let mut given = [0; BLOCK];
        given[..16].copy_from_slice(key);
        given[16] = flag;
        given[19..].copy_from_slice(nonce);
        let mut made = self.one(&given, Mask::default());
        xor(&mut made, &given);
        let mask = Mask::new(&made);
        wipe(&mut given);
        wipe(&mut made);
        mask
    }

    /// Adds to `sum` what blocks become under the masks that follow `mask`, and gives the mask of
    /// the last.
    #[inline(always)]
    fn sum(&mut self, blocks: &[[u8; BLOCK]], mut mask: Mask, sum: &mut [u8; BLOCK]) -> Mask {
        for blocks in blocks.chunks(S::LANES) {
            for (lane, block) in blocks.iter().enumerate() {
                mask = mask.times_y();
                self.put(lane, block, mask);
            }
            self.permute::<false>();
            for lane in 0..blocks.len() {
                xor(sum, &self.get(lane));
            }
        }
        mask
    }

    #[inline(always)]
    fn wipe(&mut self) {
        for half in &mut self.halves {
            wipe(half.as_flattened_mut());
        }
        self.masks.zeroize();
        self.states = room(self.cpu);
        optimization_barrier(&self.states);
    }
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
        let mut group = Group::new(cpu);
        *self.mask = group.mask(self.key, self.flag, &[0; NONCE_LEN]);
        group.wipe();
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
        let mut group = Group::new(cpu);
        let (blocks, last) = ad.split_at((ad.len() - 1) / BLOCK * BLOCK);
        *sum = [0; BLOCK];
        let mask = group.sum(blocks.as_chunks().0, mask, sum).times_y_plus_1();
        let mask = if let Some(whole) = last.first_chunk::<BLOCK>() {
            xor(sum, whole);
            mask
        } else {
            xor(sum, &pad(last));
            mask.times_y_plus_1()
        };
        *sum = group.one(sum, mask);
        group.wipe();
    }
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
    fn run<S: Slices>(self, cpu: S) {
        let Self {
            core,
            open,
            nonce,
            sum,
            text,
            last,
        } = self;
        let mut group = Group::new(cpu);
        let mut next = group.mask(&core.key, flag::TEXT, nonce).times_y();
        let (text, _) = text.as_chunks_mut::<BLOCK>();
        let whole = text.len();
        // The masks of enciphering and of the sum alternate.
        let mut masks = [[Mask::default(); 2]; MAX_LANES];
        let mut ciphertext = [[0; BLOCK]; MAX_LANES];
        for first in (0..=whole).step_by(S::LANES) {
            let count = (whole + 1 - first).min(S::LANES);
            for lane in 0..count {
                masks[lane] = [next, next.times_y()];
                next = masks[lane][1].times_y();
                ciphertext[lane] = *text.get(first + lane).unwrap_or(last);
                group.put(lane, &ciphertext[lane], masks[lane][0]);
            }
            if open {
                group.permute::<true>();
            } else {
                group.permute::<false>();
            }
            for (lane, ciphertext) in ciphertext.iter_mut().enumerate().take(count) {
                let made = group.get(lane);
                if !open {
                    *ciphertext = made;
                }
                *text.get_mut(first + lane).unwrap_or(last) = made;
            }
            // All but the last block of the message go into the sum under masks of their own.
            let summed = count.min(whole - first);
            if summed > 0 {
                for lane in 0..summed {
                    group.put(lane, &ciphertext[lane], masks[lane][1]);
                }
                group.permute::<false>();
                for lane in 0..summed {
                    xor(sum, &group.get(lane));
                }
            }
            if summed < count {
                xor(sum, &ciphertext[summed]);
                *sum = group.one(sum, masks[summed][0].times_y_plus_1());
            }
        }
        masks.zeroize();
        next.zeroize();
        group.wipe();
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
                let mut group = Group::new(cpu);
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
                    assert_eq!(group.one(&block, Mask::default()), expected, "{}", S::NAME);
                    group.permute::<true>();
                    assert_eq!(group.get(0), block, "{}", S::NAME);
                }
                let key = core::array::from_fn(|i| i as u8);
                let mask = group.mask(&key, flag::TEXT, &counting[..NONCE_LEN]);
                assert_eq!(
                    mask.plus(&[0; BLOCK]),
                    hex!("109897B940D3471E753B921FF76598A317B468FE9DE4EA0CBDE2B07C16EE96F5"),
                );
            }
        }
        run(Alone);
    }
}
