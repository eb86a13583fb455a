// SPDX-License-Identifier: Apache-2.0
//! What a compression function is, and the byte strings that go into its calls and come out of them: one call, and many
//! in a row.

use crate::gf::xor;
use aead::common::array::{Array, ArraySize};
use zeroize::optimization_barrier;

/// A chaining value of `F`.
pub type Chain<F> = Array<u8, <F as Compress>::ChainSize>;
/// A block of `F`, twice as long as a chaining value.
pub type Block<F> = Array<u8, <F as Compress>::BlockSize>;

/// A compression function with a chaining value of n bytes and blocks of 2n bytes.
pub trait Compress: Sized {
    /// n.
    type ChainSize: ArraySize;
    /// 2n.
    type BlockSize: ArraySize;
    /// The function's name inside scheme names.
    const NAME: &'static str;
    /// The low 16 coefficients of the polynomial that defines GF(2^8n) for this n.
    const REDUCTION: u16;

    /// h becomes F'(h, block).
    fn compress(h: &mut Chain<Self>, block: &Block<Self>);

    /// What follows from the first half of the block, the key; wiped when it is dropped.
    #[doc(hidden)]
    type Schedule: Clone;

    /// How many of so many streams of calls are worth driving side by side, at least one.
    #[doc(hidden)]
    fn width(_streams: usize) -> usize {
        1
    }

    /// The fewest packets of 8n bytes or less on average that lanes are faster for than single calls.
    #[doc(hidden)]
    fn fewest_short() -> usize {
        0
    }

    #[doc(hidden)]
    fn schedule(key: &Chain<Self>) -> Self::Schedule;

    /// In the first `active` elements h becomes F'(h, key || data); the others may be overwritten.
    #[doc(hidden)]
    fn calls(key: &Self::Schedule, calls: &mut [Call<Self>], active: usize);

    /// Does what [`Run`] says, for any number of lanes.
    #[doc(hidden)]
    fn run(key: &Self::Schedule, run: Run<'_, '_, Self>) {
        run.stepwise(key);
    }
}

/// The inputs of one call that are not the key, and its result in place of the first. Both are secrets, wiped when the
/// call is dropped.
#[repr(align(64))] // vector registers load each string at once
pub struct Call<F: Compress> {
    /// The chaining value.
    pub(crate) h: Chain<F>,
    /// The second half of the block.
    pub(crate) data: Chain<F>,
}

/// How many calls a [`Run`] has in a row at most.
pub(crate) const RUN: usize = 32;

/// Calls in a row, as many in each of several lanes. Each call exchanges h with a whole block of text, that is, the text
/// becomes text + h; then the mask becomes mask + increment, and h becomes F'(h + mask + addend, key || plaintext).
pub struct Run<'a, 'text, F: Compress> {
    /// A lane each; the data does not matter. What stands behind the last lane may be overwritten.
    pub(crate) calls: &'a mut [Call<F>],
    /// The mask of each lane.
    pub(crate) masks: &'a mut [Chain<F>],
    /// What is added to the masks, of which the first `blocks` count; lanes may share theirs.
    pub(crate) increments: &'a [&'a [&'a Chain<F>; RUN]],
    /// The text of each lane, `blocks` whole blocks.
    pub(crate) texts: &'a mut [&'text mut [u8]],
    /// What is added to h alone: as many blocks, or empty.
    pub(crate) addends: &'a [&'text [u8]],
    /// From 1 to [`RUN`].
    pub(crate) blocks: usize,
    /// Whether the text is ciphertext, so that what it becomes is the plaintext.
    pub(crate) open: bool,
}

/// A [`Run`] of one lane.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "kernels for one call")
)]
pub(crate) struct OneRun<'a, F: Compress> {
    pub(crate) h: &'a mut Chain<F>,
    pub(crate) mask: &'a mut Chain<F>,
    pub(crate) increments: &'a [&'a Chain<F>],
    pub(crate) text: &'a mut [u8],
    pub(crate) addend: &'a [u8],
    pub(crate) open: bool,
}

impl<F: Compress> Call<F> {
    /// All zeros.
    pub(crate) fn new() -> Self {
        Self {
            h: Array::default(),
            data: Array::default(),
        }
    }

    /// Encrypts or decrypts a block of 1 to n bytes with h; the data becomes its plaintext, padded.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, block: &mut [u8], open: bool) {
        if open {
            xor(block, &self.h);
            self.fill(block);
        } else {
            self.fill(block);
            xor(block, &self.h);
        }
    }

    /// The data becomes these bytes, padded if they are fewer than n.
    #[inline(always)]
    pub(crate) fn fill(&mut self, bytes: &[u8]) {
        // A length that the compiler knows saves a call.
        if bytes.len() == self.data.len() {
            self.data.copy_from_slice(bytes);
        } else {
            pad(&mut self.data, bytes);
        }
    }

    /// h becomes h + these bytes, at most n.
    #[inline(always)]
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if let Some(bytes) = bytes.get(..self.h.len()) {
            xor(&mut self.h, bytes);
        } else {
            xor(&mut self.h, bytes);
        }
    }
}

impl<'text, F: Compress> Run<'_, 'text, F> {
    /// How many lanes there are.
    pub(crate) fn lanes(&self) -> usize {
        self.masks.len()
    }

    /// Cuts the first `lanes` lanes off.
    pub(crate) fn cut(&mut self, lanes: usize) -> Run<'_, 'text, F> {
        let (increments, addends) = (self.increments, self.addends);
        let cut = Run {
            calls: self.calls.split_off_mut(..lanes).unwrap_or_default(),
            masks: self.masks.split_off_mut(..lanes).unwrap_or_default(),
            increments: &increments[..lanes],
            texts: self.texts.split_off_mut(..lanes).unwrap_or_default(),
            addends: &addends[..lanes],
            blocks: self.blocks,
            open: self.open,
        };
        self.increments = &increments[lanes..];
        self.addends = &addends[lanes..];
        cut
    }

    /// The run's only lane, if it has one.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "kernels for one call")
    )]
    pub(crate) fn one(&mut self) -> Option<OneRun<'_, F>> {
        let ([call, ..], [mask], [increments], [text], [addend]) = (
            &mut *self.calls,
            &mut *self.masks,
            self.increments,
            &mut *self.texts,
            self.addends,
        ) else {
            return None;
        };
        Some(OneRun {
            h: &mut call.h,
            mask,
            increments: &increments[..self.blocks],
            text,
            addend,
            open: self.open,
        })
    }

    /// The run, a call in all lanes at a time.
    pub(crate) fn stepwise(self, key: &F::Schedule) {
        let n = size_of::<Chain<F>>();
        let lanes = self.lanes();
        for block in 0..self.blocks {
            for (lane, call) in self.calls[..lanes].iter_mut().enumerate() {
                call.exchange(&mut self.texts[lane][block * n..][..n], self.open);
                xor(&mut self.masks[lane], self.increments[lane][block]);
                xor(&mut call.h, &self.masks[lane]);
                xor(
                    &mut call.h,
                    self.addends[lane].get(block * n..).unwrap_or(&[]),
                );
            }
            F::calls(key, self.calls, lanes);
        }
    }
}

/// `block` becomes `data` || 80 00 .. 00, or `data` if that is as long.
fn pad(block: &mut [u8], data: &[u8]) {
    let (head, rest) = block.split_at_mut(data.len());
    head.copy_from_slice(data);
    if let Some((first, rest)) = rest.split_first_mut() {
        *first = 0x80;
        rest.fill(0);
    }
}

impl<F: Compress> Drop for Call<F> {
    fn drop(&mut self) {
        self.h.fill(0);
        self.data.fill(0);
        optimization_barrier(self);
    }
}
