// SPDX-License-Identifier: Apache-2.0
//! One message on its way through the mode. Section and case names are the paper's.

use crate::compress::{Chain, Compress};
use crate::drive::{self, Block, Left, Step, Steps, halves};
use crate::gf::wipe;
use crate::key::Key;

/// How the blocks of one message are laid out over the calls (section 4, PARTITION). All of it is public.
struct Layout {
    /// l, the number of message blocks.
    l: u64,
    /// The number of masked calls, the last of which gives the tag.
    total: u64,
    /// j of that call.
    j_final: u8,
}

impl Layout {
    /// `beside` bytes of associated data go with the message, `after` bytes follow it.
    fn new(n: usize, message: usize, beside: usize, after: usize) -> Self {
        let l = message.div_ceil(n);
        let message_cut = u8::from(!message.is_multiple_of(n));
        let ad_cut = u8::from(!after.is_multiple_of(2 * n) || !beside.is_multiple_of(n));
        let j_final = if l == 0 && beside == 0 {
            3 // F
        } else if l == 0 || after > 0 {
            12 + message_cut + 2 * ad_cut // C, D, E
        } else if beside.div_ceil(n) == l + 1 {
            4 + message_cut + 2 * ad_cut // A
        } else {
            8 + message_cut + 2 * ad_cut // B
        };
        Self {
            l: l as u64,
            total: (l + 1 + after.div_ceil(2 * n)) as u64,
            j_final,
        }
    }

    /// j of masked call i, which takes a block of associated data or none.
    fn j(&self, i: u64, with_ad: bool) -> u8 {
        if i == self.total {
            self.j_final
        } else if self.l == 0 || i > self.l + 1 {
            2
        } else {
            u8::from(!with_ad)
        }
    }
}

/// Encryption or decryption of `text` in place.
pub struct Message<'a, F: Compress> {
    nonce: &'a [u8],
    text: &'a mut [u8],
    /// Associated data that is still to go beside the message, at most a block a call.
    beside: &'a [u8],
    /// What follows the message, two blocks a call.
    after: &'a [u8],
    layout: Layout,
    /// Masked calls that were made; before them there is the nonce's, before that nothing.
    calls: Option<u64>,
    tag: Chain<F>,
}

impl<'a, F: Compress> Message<'a, F> {
    pub(super) fn new(nonce: &'a [u8], ad: &'a [u8], text: &'a mut [u8]) -> Self {
        let n = Key::<F>::N;
        let room = (text.len().div_ceil(n) + 1) * n;
        let (beside, after) = ad.split_at(room.min(ad.len()));
        let layout = Layout::new(n, text.len(), beside.len(), after.len());
        Self {
            nonce,
            text,
            beside,
            after,
            layout,
            calls: None,
            tag: Chain::<F>::default(),
        }
    }

    /// Multiple and rest of the mask of call i, which is beside the message, with a block of associated data if there is
    /// one.
    fn beside(&mut self, i: u64) -> (u8, Left<'a>) {
        let (block, rest) = self.beside.split_at(self.beside.len().min(Key::<F>::N));
        self.beside = rest;
        let left = if block.is_empty() {
            Left::Nothing
        } else {
            Left::Padded(block)
        };
        (self.layout.j(i, !block.is_empty()), left)
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
        let Some(calls) = self.calls else {
            self.calls = Some(0);
            offset.fill(0);
            return Some(Step {
                multiple: 0,
                left: Left::Padded(self.nonce),
                block: Block::First(Key::<F>::zeros()),
            });
        };
        if calls == self.layout.total {
            self.tag.copy_from_slice(result);
            return None;
        }
        // The nonce's result is Delta_{N,0,0}.
        if calls == 0 {
            offset.copy_from_slice(result);
        }
        let i = calls + 1;
        self.calls = Some(i);
        key.add_l(offset, i);
        if calls > self.layout.l {
            let (block, rest) = self.after.split_at(self.after.len().min(2 * n));
            self.after = rest;
            let (left, right) = halves::<F>(block);
            return Some(Step {
                multiple: self.layout.j(i, true),
                left: Left::Padded(left),
                block: Block::Next(right),
            });
        }
        let (multiple, left) = self.beside(i);
        // Call i takes message block i - 1; the first one takes the tag length in its place.
        let block = if calls == 0 {
            Block::First(key.tau())
        } else {
            let rest = &mut self.text[(calls - 1) as usize * n..];
            let len = rest.len().min(n);
            Block::Text(&mut rest[..len])
        };
        Some(Step {
            multiple,
            left,
            block,
        })
    }

    fn texts(&self) -> usize {
        let Some(calls @ 1..) = self.calls else {
            return 0;
        };
        // Neither the last block of the message nor a short one of the associated data
        let middle = self.layout.l.saturating_sub(calls) as usize;
        let full = if self.beside.is_empty() {
            middle
        } else {
            self.beside.len() / Key::<F>::N
        };
        middle.min(full).min(Key::<F>::in_table(calls + 1))
    }

    fn multiple(&self) -> u8 {
        u8::from(self.beside.is_empty())
    }

    fn number(&self) -> u64 {
        self.calls.map_or(0, |calls| calls + 1)
    }

    fn take(&mut self, blocks: usize) -> (&mut [u8], &[u8]) {
        let len = blocks * Key::<F>::N;
        let calls = self.calls.unwrap_or(1);
        self.calls = Some(calls + blocks as u64);
        let (block, rest) = self.beside.split_at(self.beside.len().min(len));
        self.beside = rest;
        let at = (calls - 1) as usize * Key::<F>::N;
        (&mut self.text[at..at + len], block)
    }
}

impl<F: Compress> drive::Message<F> for Message<'_, F> {
    fn end(&mut self, tag: &mut [u8]) -> &mut [u8] {
        tag.copy_from_slice(&self.tag[..tag.len()]);
        self.text
    }
}

impl<F: Compress> Drop for Message<'_, F> {
    fn drop(&mut self) {
        wipe(&mut self.tag);
    }
}
