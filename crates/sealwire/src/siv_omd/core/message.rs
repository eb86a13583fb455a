// SPDX-License-Identifier: Apache-2.0
//! The masks of the calls, and one message on its way through them as part of a batch.

use crate::compress::{Chain, Compress};
use crate::drive::{self, Block, Left, Step, Steps, mac_step};
use crate::gf::{wipe, xor};
use crate::key::Key;

/// The multiple of L* in the mask says what a call is for.
pub(super) mod tweak {
    pub const TAG: u8 = 5;
    pub const PARALLEL: u8 = 6;
    pub const SERIAL: u8 = 7;
}

/// The masks of the associated data.
pub(super) const fn ad_mask(full: bool) -> (bool, u8) {
    (true, if full { 1 } else { 2 })
}

/// The masks of the message on its way to the tag.
pub(super) const fn message_mask(full: bool) -> (bool, u8) {
    (true, if full { 3 } else { 4 })
}

/// Call i of the parallel encryption, which takes the nonce, and the tag in its mask; `offset` is that of the call before.
pub(super) fn parallel_step<'d, F: Compress>(
    key: &Key<F>,
    offset: &mut Chain<F>,
    i: u64,
    [nonce, tag]: [&'d [u8]; 2],
) -> Step<'d> {
    key.add_l(offset, i);
    Step {
        multiple: tweak::PARALLEL,
        left: Left::Bytes(tag),
        block: Block::First(nonce),
    }
}

/// What a stretch of calls works on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Ad,
    Message,
    Tag,
    Text,
}

/// The stages of sealing a message in a batch: the tag is made first.
pub(super) const SEAL: &[Stage] = &[Stage::Ad, Stage::Message, Stage::Tag, Stage::Text];
/// The stages of opening a message in a batch: the text is decrypted first.
pub(super) const OPEN: &[Stage] = &[Stage::Text, Stage::Ad, Stage::Message, Stage::Tag];

/// Encryption or decryption of `text` in place, or a part of it.
pub struct Message<'a, F: Compress> {
    serial: bool,
    nonce: &'a [u8],
    ad: &'a [u8],
    text: &'a mut [u8],
    /// The tag that the encryption begins with, if it is not made here.
    given: Option<&'a [u8]>,
    /// Of both XOR MACs, and the tag once that is made.
    sum: Chain<F>,
    /// The running stage and those to come.
    stages: &'static [Stage],
    /// Calls of the running stage that were made.
    calls: usize,
}

impl<'a, F: Compress> Message<'a, F> {
    /// `sum` is the XOR MAC of what comes before `ad`, or zero.
    pub(super) fn new(
        stages: &'static [Stage],
        serial: bool,
        nonce: &'a [u8],
        sum: Chain<F>,
        ad: &'a [u8],
        text: &'a mut [u8],
        given: Option<&'a [u8]>,
    ) -> Self {
        Self {
            serial,
            nonce,
            ad,
            text,
            given,
            sum,
            stages,
            calls: 0,
        }
    }

    /// How many calls the stage has.
    fn count(&self, stage: Stage) -> usize {
        let n = Key::<F>::N;
        match stage {
            Stage::Ad => self.ad.len().div_ceil(2 * n),
            Stage::Message => self.text.len().div_ceil(2 * n),
            Stage::Tag => 1,
            Stage::Text => self.text.len().div_ceil(n),
        }
    }

    /// Takes in the result of the stage's last call.
    fn finish(&mut self, key: &Key<F>, stage: Stage, result: &Chain<F>) {
        match stage {
            Stage::Ad | Stage::Message => xor(&mut self.sum, result),
            Stage::Tag => {
                self.sum.fill(0);
                let tag = key.tag_len();
                self.sum[..tag].copy_from_slice(&result[..tag]);
            }
            // The next call of the serial form exchanges its result with the text; the last one has no next.
            Stage::Text => {
                if !self.serial || self.calls == self.count(stage) {
                    xor(&mut self.text[(self.calls - 1) * Key::<F>::N..], result);
                }
            }
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
        let stage = loop {
            let (stage, later) = self.stages.split_first()?;
            if self.calls > 0 {
                self.finish(key, *stage, result);
            }
            if self.calls < self.count(*stage) {
                break *stage;
            }
            self.stages = later;
            self.calls = 0;
        };
        if self.calls == 0 {
            offset.fill(0);
        }
        let n = Key::<F>::N;
        let at = self.calls;
        self.calls += 1;
        let i = self.calls as u64;
        let mac = |offset, mask, data: &'s [u8]| {
            let block = &data[at * 2 * n..data.len().min((at + 1) * 2 * n)];
            mac_step(key, offset, mask, i, block)
        };
        Some(match stage {
            Stage::Ad => mac(offset, ad_mask, self.ad),
            Stage::Message => mac(offset, message_mask, self.text),
            Stage::Tag => {
                key.add_l(offset, 1);
                Step {
                    multiple: tweak::TAG,
                    left: Left::Bytes(&self.sum),
                    block: Block::First(self.nonce),
                }
            }
            Stage::Text if self.serial && at > 0 => {
                key.add_l(offset, i);
                Step {
                    multiple: tweak::SERIAL,
                    left: Left::Nothing,
                    block: Block::Text(&mut self.text[(at - 1) * n..at * n]),
                }
            }
            Stage::Text => {
                let tag = self.given.unwrap_or(&self.sum[..key.tag_len()]);
                let first = parallel_step(key, offset, i, [self.nonce, tag]);
                if self.serial {
                    Step {
                        multiple: tweak::SERIAL,
                        ..first
                    }
                } else {
                    first
                }
            }
        })
    }

    fn texts(&self) -> usize {
        match self.stages {
            [Stage::Text, ..] if self.serial && self.calls > 0 => {
                let more = self.count(Stage::Text) - self.calls;
                more.min(Key::<F>::in_table(self.calls as u64 + 1))
            }
            _ => 0,
        }
    }

    fn multiple(&self) -> u8 {
        tweak::SERIAL
    }

    fn number(&self) -> u64 {
        self.calls as u64 + 1
    }

    fn take(&mut self, blocks: usize) -> (&mut [u8], &[u8]) {
        let n = Key::<F>::N;
        let at = (self.calls - 1) * n;
        self.calls += blocks;
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
