// SPDX-License-Identifier: Apache-2.0
//! The inputs of the calls, and one message on its way through them as part of a batch.

use crate::compress::{Chain, Compress};
use crate::gf::{wipe, xor};
use crate::jobs;
use crate::key::{Key, Work, pad};

/// The multiple of L* in the mask says what a call is for.
pub(super) mod tweak {
    /// Full and partial block of associated data.
    pub const AD: [u8; 2] = [1, 2];
    /// Full and partial block of the message on its way to the tag.
    pub const MESSAGE: [u8; 2] = [3, 4];
    pub const TAG: u8 = 5;
    pub const PARALLEL: u8 = 6;
    pub const SERIAL: u8 = 7;
}

/// Takes delta on to block i of an XOR MAC (counted from 1; whether it is full) and gives j of its mask j·L*.
pub(super) fn mac_mask<F: Compress>(
    [full, partial]: [u8; 2],
) -> impl Fn(&Key<F>, &mut Chain<F>, u64, bool) -> u8 {
    move |key, delta, i, is_full| {
        key.add_l(delta, i);
        if is_full { full } else { partial }
    }
}

/// The inputs of the call that makes the tag; `sum` is that of both XOR MACs.
pub(super) fn begin_tag<F: Compress>(
    key: &Key<F>,
    work: &mut Work<F>,
    nonce: &[u8],
    sum: &Chain<F>,
) {
    work.h.copy_from_slice(sum);
    pad(&mut work.data, nonce);
    work.delta.fill(0);
    key.add_l(&mut work.delta, 1);
    key.mask(work, tweak::TAG);
}

/// The inputs of the first call that encrypts, and of all others in the parallel form, but for the mask.
pub(super) fn begin_text<F: Compress>(work: &mut Work<F>, nonce: &[u8], tag: &[u8]) {
    work.h.fill(0);
    work.h[..tag.len()].copy_from_slice(tag);
    pad(&mut work.data, nonce);
}

/// What the calls of one stretch work on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Ad,
    Message,
    Tag,
    Text,
    End,
}

/// Encryption or decryption of `text` in place.
pub struct Job<'a, F: Compress> {
    serial: bool,
    nonce: &'a [u8],
    ad: &'a [u8],
    text: &'a mut [u8],
    /// The tag that came with the text if it is to be decrypted; the text comes first then.
    given: Option<&'a [u8]>,
    /// Of both XOR MACs, and the tag once that is made.
    sum: Chain<F>,
    /// Of the call whose result is awaited, if there is one, and of the next one.
    awaited: Option<Stage>,
    stage: Stage,
    /// Blocks of this stage that are done or on their way.
    blocks: usize,
}

impl<'a, F: Compress> Job<'a, F> {
    /// `sum` is the XOR MAC of associated data that comes before `ad`, or zero.
    pub(super) fn new(
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
            awaited: None,
            stage: if given.is_some() {
                Stage::Text
            } else {
                Stage::Ad
            },
            blocks: 0,
        }
    }

    /// Takes in the result of the last call.
    fn finish(&mut self, key: &Key<F>, work: &mut Work<F>) {
        match self.awaited {
            Some(Stage::Ad | Stage::Message) => xor(&mut self.sum, &work.h),
            Some(Stage::Tag) => {
                self.sum.fill(0);
                let tag = key.tag_len();
                self.sum[..tag].copy_from_slice(&work.h[..tag]);
            }
            Some(Stage::Text) => {
                let n = Key::<F>::N;
                let rest = &mut self.text[(self.blocks - 1) * n..];
                let len = rest.len().min(n);
                if self.serial {
                    work.exchange(&mut rest[..len], self.given.is_some());
                } else {
                    xor(&mut rest[..len], &work.h);
                }
            }
            Some(Stage::End) | None => {}
        }
    }

    /// Puts the inputs of the stage's next call into `work`; false if there is none.
    fn begin(&mut self, key: &Key<F>, work: &mut Work<F>) -> bool {
        let n = Key::<F>::N;
        let first = self.blocks == 0;
        let (data, size, tweaks) = match self.stage {
            Stage::Ad => (self.ad, 2 * n, tweak::AD),
            Stage::Message => (&*self.text, 2 * n, tweak::MESSAGE),
            Stage::Text => (&*self.text, n, [0; 2]),
            Stage::Tag if first => {
                begin_tag(key, work, self.nonce, &self.sum);
                self.blocks = 1;
                return true;
            }
            Stage::Tag | Stage::End => return false,
        };
        let Some(block) = data.chunks(size).nth(self.blocks) else {
            return false;
        };
        let i = self.blocks as u64 + 1;
        if first {
            work.delta.fill(0);
        }
        if self.stage == Stage::Text {
            key.add_l(&mut work.delta, i);
            if first || !self.serial {
                let tag = self.given.unwrap_or(&self.sum[..key.tag_len()]);
                begin_text(work, self.nonce, tag);
            }
            let tweak = if self.serial {
                tweak::SERIAL
            } else {
                tweak::PARALLEL
            };
            key.mask(work, tweak);
        } else {
            key.begin_mac(work, block, i, mac_mask(tweaks));
        }
        self.blocks += 1;
        true
    }

    /// Sealing makes the tag first, opening decrypts first.
    fn next_stage(&self) -> Stage {
        match (self.stage, self.given) {
            (Stage::Ad, _) => Stage::Message,
            (Stage::Message, _) => Stage::Tag,
            (Stage::Tag, None) => Stage::Text,
            (Stage::Text, Some(_)) => Stage::Ad,
            (Stage::Tag, Some(_)) | (Stage::Text, None) | (Stage::End, _) => Stage::End,
        }
    }
}

impl<F: Compress> jobs::Job<F> for Job<'_, F> {
    fn advance(&mut self, key: &Key<F>, work: &mut Work<F>) -> bool {
        self.finish(key, work);
        while !self.begin(key, work) {
            if self.stage == Stage::End {
                return false;
            }
            self.stage = self.next_stage();
            self.blocks = 0;
        }
        self.awaited = Some(self.stage);
        true
    }

    fn end(&mut self, tag: &mut [u8]) -> &mut [u8] {
        tag.copy_from_slice(&self.sum[..tag.len()]);
        self.text
    }
}

impl<F: Compress> Drop for Job<'_, F> {
    fn drop(&mut self) {
        wipe(&mut self.sum);
    }
}
