// SPDX-License-Identifier: Apache-2.0
//! One message on its way through the mode.

use crate::compress::{Chain, Compress};
use crate::drive::{self, Block, Left, Step, Steps, mac_step};
use crate::gf::{wipe, xor};
use crate::key::Key;

/// The masks of the associated data: a short block keeps the offset of the block before, and adds L*.
pub(super) const fn ad_mask(full: bool) -> (bool, u8) {
    if full { (true, 0) } else { (false, 1) }
}

/// The step whose result is awaited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// None: the message has not begun.
    Nothing,
    /// A block of the associated data.
    Ad,
    /// The first one with the nonce, whose result makes Delta_{N,1,0}.
    Nonce,
    /// The tag length's, or a message block's.
    Text,
}

/// Encryption or decryption of `text` in place; in the end `sum` begins with the tag.
pub(crate) struct Message<'a, F: Compress> {
    nonce: &'a [u8],
    ad: &'a [u8],
    text: &'a mut [u8],
    sum: Chain<F>,
    awaited: Awaited,
    /// Blocks that are done, of the associated data and then of the text.
    blocks: u64,
}

impl<'a, F: Compress> Message<'a, F> {
    /// `sum` is the keyed hash of associated data that comes before `ad`, or zero.
    pub(super) fn new(nonce: &'a [u8], sum: Chain<F>, ad: &'a [u8], text: &'a mut [u8]) -> Self {
        Self {
            nonce,
            ad,
            text,
            sum,
            awaited: Awaited::Nothing,
            blocks: 0,
        }
    }
}

impl<F: Compress> Steps<F> for Message<'_, F> {
    fn step<'s>(
        &'s mut self,
        key: &'s Key<F>,
        result: &Chain<F>,
        offset: &mut Chain<F>,
    ) -> Option<Step<'s>> {
        let n = Key::<F>::N;
        match self.awaited {
            Awaited::Nothing => offset.fill(0),
            Awaited::Ad => xor(&mut self.sum, result),
            Awaited::Nonce => {
                offset.copy_from_slice(result);
                xor(offset, key.first());
                self.awaited = Awaited::Text;
                return Some(Step {
                    multiple: 0,
                    left: Left::Nothing,
                    block: Block::First(key.tau()),
                });
            }
            Awaited::Text => {
                let at = (self.blocks as usize * n).min(self.text.len());
                let rest = &mut self.text[at..];
                if rest.is_empty() {
                    xor(&mut self.sum, result);
                    return None;
                }
                self.blocks += 1;
                let len = rest.len();
                // The last block keeps the offset of the block before and adds its own.
                let multiple = if len > n {
                    key.add_l(offset, self.blocks + 1);
                    0
                } else if len == n {
                    2
                } else {
                    3
                };
                return Some(Step {
                    multiple,
                    left: Left::Nothing,
                    block: Block::Text(&mut rest[..n.min(len)]),
                });
            }
        }
        if let Some(block) = self.ad.chunks(2 * n).next() {
            self.ad = &self.ad[block.len()..];
            self.blocks += 1;
            self.awaited = Awaited::Ad;
            Some(mac_step(key, offset, ad_mask, self.blocks, block))
        } else {
            self.blocks = 0;
            self.awaited = Awaited::Nonce;
            offset.fill(0);
            Some(Step {
                multiple: 0,
                left: Left::Padded(self.nonce),
                block: Block::First(Key::<F>::zeros()),
            })
        }
    }

    fn texts(&self) -> usize {
        if self.awaited == Awaited::Text {
            let blocks = self.text.len().div_ceil(Key::<F>::N);
            let middle = blocks.saturating_sub(self.blocks as usize + 1);
            middle.min(Key::<F>::in_table(Steps::<F>::number(self)))
        } else {
            0
        }
    }

    fn number(&self) -> u64 {
        self.blocks + 2
    }

    fn take(&mut self, blocks: usize) -> (&mut [u8], &[u8]) {
        let n = Key::<F>::N;
        let at = self.blocks as usize * n;
        self.blocks += blocks as u64;
        (&mut self.text[at..at + blocks * n], &[])
    }
}

impl<F: Compress> drive::Message<F> for Message<'_, F> {
    fn end(&mut self, tag: &mut [u8]) -> &mut [u8] {
        tag.copy_from_slice(&self.sum[..tag.len()]);
        self.text
    }
}

impl<F: Compress> Drop for Message<'_, F> {
    fn drop(&mut self) {
        wipe(&mut self.sum);
    }
}
