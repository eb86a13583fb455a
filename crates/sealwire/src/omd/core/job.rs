// SPDX-License-Identifier: Apache-2.0
//! One message on its way through the mode.

use crate::compress::{Chain, Compress};
use crate::gf::{wipe, xor};
use crate::jobs;
use crate::key::{Key, Work, pad};

/// Takes delta on to block i of the associated data (counted from 1; whether it is full) and gives j of its mask j·L*.
pub(super) fn ad_mask<F: Compress>(key: &Key<F>, delta: &mut Chain<F>, i: u64, full: bool) -> u8 {
    if full {
        key.add_l(delta, i);
    }
    u8::from(!full)
}

/// The call whose result is awaited.
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
pub(crate) struct Job<'a, F: Compress> {
    nonce: &'a [u8],
    ad: &'a [u8],
    text: &'a mut [u8],
    open: bool,
    sum: Chain<F>,
    awaited: Awaited,
    /// Blocks that are done, of the associated data and then of the text.
    blocks: u64,
}

impl<'a, F: Compress> Job<'a, F> {
    /// `sum` is the keyed hash of associated data that comes before `ad`, or zero.
    pub(super) fn new(
        nonce: &'a [u8],
        sum: Chain<F>,
        ad: &'a [u8],
        text: &'a mut [u8],
        open: bool,
    ) -> Self {
        Self {
            nonce,
            ad,
            text,
            open,
            sum,
            awaited: Awaited::Nothing,
            blocks: 0,
        }
    }

    /// The blocks of the text, the last one short or not.
    fn last(&self) -> u64 {
        self.text.len().div_ceil(Key::<F>::N) as u64
    }
}

impl<F: Compress> jobs::Job<F> for Job<'_, F> {
    fn advance(&mut self, key: &Key<F>, work: &mut Work<F>) -> bool {
        let n = Key::<F>::N;
        match self.awaited {
            Awaited::Nothing => {}
            Awaited::Ad => xor(&mut self.sum, &work.h),
            Awaited::Nonce => {
                xor(&mut work.h, key.first());
                work.delta.copy_from_slice(&work.h);
                key.put_tau(work);
                self.awaited = Awaited::Text;
                return true;
            }
            Awaited::Text => {
                let at = (self.blocks as usize * n).min(self.text.len());
                let rest = &mut self.text[at..];
                if rest.is_empty() {
                    xor(&mut self.sum, &work.h);
                    return false;
                }
                let len = rest.len();
                let block = &mut rest[..n.min(len)];
                let full = block.len() == n;
                work.exchange(block, self.open);
                self.blocks += 1;
                // The last block keeps the offset of the block before and adds its own.
                let own = if len > n {
                    key.add_l(&mut work.delta, self.blocks + 1);
                    0
                } else if full {
                    2
                } else {
                    3
                };
                key.mask(work, own);
                return true;
            }
        }
        if let Some(block) = self
            .ad
            .get(..(2 * n).min(self.ad.len()))
            .filter(|block| !block.is_empty())
        {
            self.ad = &self.ad[block.len()..];
            self.blocks += 1;
            key.begin_mac(work, block, self.blocks, ad_mask);
            self.awaited = Awaited::Ad;
        } else {
            self.blocks = 0;
            work.clear();
            pad(&mut work.h, self.nonce);
            self.awaited = Awaited::Nonce;
        }
        true
    }

    fn end(&mut self, tag: &mut [u8]) -> &mut [u8] {
        tag.copy_from_slice(&self.sum[..tag.len()]);
        self.text
    }

    fn straight(&self) -> usize {
        if self.awaited == Awaited::Text {
            let middle = self.last().saturating_sub(self.blocks + 1) as usize;
            middle.min(Key::<F>::in_table(self.number()))
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

impl<F: Compress> Drop for Job<'_, F> {
    fn drop(&mut self) {
        wipe(&mut self.sum);
    }
}
