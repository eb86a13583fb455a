// SPDX-License-Identifier: Apache-2.0
//! The one driver of all modes over a compression function.
//!
//! A mode is a stream of steps: each says a mask and a block, and is one call of F_K. Streams are independent of one
//! another, so that each has a lane of the compression function to itself, and the next one takes its place when it ends.
//! One message is a batch of one; blocks of one message that do not wait for one another are streams of one step.

use crate::compress::{Call, Chain, Compress, RUN, Run};
use crate::error::Error;
use crate::gf::{wipe, xor};
use crate::key::{Key, MacMask};
use crate::mode::{Input, Mode, Outcome, Packet, begin, mean_len, none_processed, one_by_one};
use core::array::from_fn;
use core::cell::RefCell;
use core::iter::once;
use core::marker::PhantomData;

/// The most lanes of any compression function.
const MAX_LANES: usize = 16;

/// A step: h becomes F_K(h + mask, data). The mask is the stream's running offset, a multiple of L*, and what is said
/// here.
pub(crate) struct Step<'a> {
    /// The multiple, below 16.
    pub(crate) multiple: u8,
    pub(crate) left: Left<'a>,
    pub(crate) block: Block<'a>,
}

/// What belongs to a mask beside offset and multiple.
pub(crate) enum Left<'a> {
    Nothing,
    /// Bytes that are padded.
    Padded(&'a [u8]),
    /// Bytes that zeros follow.
    Bytes(&'a [u8]),
}

/// What a step gives F_K beside its mask.
pub(crate) enum Block<'a> {
    /// h begins at zero; the data is these bytes, padded.
    First(&'a [u8]),
    /// h is the result of the step before; the data is these bytes, padded.
    Next(&'a [u8]),
    /// h is the result of the step before, and is exchanged with this text: the text becomes text + h, and the data its
    /// plaintext, padded.
    Text(&'a mut [u8]),
}

/// A stream of steps.
pub(crate) trait Steps<F: Compress> {
    /// Takes in the result of the step before, and gives the next step; `offset` becomes the running one. The first time,
    /// neither result nor offset are the stream's. `None` at the end.
    fn step<'s>(
        &'s mut self,
        key: &'s Key<F>,
        result: &Chain<F>,
        offset: &mut Chain<F>,
    ) -> Option<Step<'s>>;

    /// How many of the next steps take a whole block of text each, and an increment of the offset that the key has in its
    /// table, whatever the results are.
    fn texts(&self) -> usize {
        0
    }

    /// The multiple of L* in the masks of these steps.
    fn multiple(&self) -> u8 {
        0
    }

    /// The number whose L is the increment of the first of these steps; the numbers after it follow.
    fn number(&self) -> u64 {
        0
    }

    /// Counts so many of these steps as done. Gives their text, and what their masks have beside offset and multiple: as
    /// many blocks, or nothing.
    fn take(&mut self, _blocks: usize) -> (&mut [u8], &[u8]) {
        (&mut [], &[])
    }
}

/// A message on its way through a mode.
pub(crate) trait Message<F: Compress>: Steps<F> {
    /// After the end: the tag, and the text.
    fn end(&mut self, tag: &mut [u8]) -> &mut [u8];
}

/// A mode whose messages are streams of steps.
pub(crate) trait Streams<F: Compress>: Mode {
    /// One message.
    type Message<'a>: Message<F>;

    fn key(&self) -> &Key<F>;

    /// The message that seals or opens this.
    ///
    /// # Errors
    /// About the associated data only.
    fn message<'a>(&self, input: Input<'a>) -> Result<Self::Message<'a>, Error>;
}

/// A stream of a single step, which a function shared by all of them makes of `data`, with a running offset and the number
/// of the step, counted from 1.
struct Single<'r, 'd, D, F: Compress, G> {
    data: Option<D>,
    shared: &'r RefCell<Shared<F, G>>,
    step: PhantomData<Step<'d>>,
}

/// What goes from one single step to the next.
struct Shared<F: Compress, G> {
    offset: Chain<F>,
    number: u64,
    step: G,
}

impl<'d, D, F: Compress, G> Steps<F> for Single<'_, 'd, D, F, G>
where
    G: FnMut(&Key<F>, &mut Chain<F>, u64, D) -> Step<'d>,
{
    fn step<'s>(
        &'s mut self,
        key: &'s Key<F>,
        _result: &Chain<F>,
        offset: &mut Chain<F>,
    ) -> Option<Step<'s>> {
        let data = self.data.take()?;
        let shared = &mut *self.shared.borrow_mut();
        shared.number += 1;
        let step = (shared.step)(key, &mut shared.offset, shared.number, data);
        offset.copy_from_slice(&shared.offset);
        Some(step)
    }
}

impl<F: Compress, S: Steps<F>> Steps<F> for &mut S {
    fn step<'s>(
        &'s mut self,
        key: &'s Key<F>,
        result: &Chain<F>,
        offset: &mut Chain<F>,
    ) -> Option<Step<'s>> {
        (**self).step(key, result, offset)
    }

    fn texts(&self) -> usize {
        (**self).texts()
    }

    fn multiple(&self) -> u8 {
        (**self).multiple()
    }

    fn number(&self) -> u64 {
        (**self).number()
    }

    fn take(&mut self, blocks: usize) -> (&mut [u8], &[u8]) {
        (**self).take(blocks)
    }
}

/// Drives one stream to its end.
pub(crate) fn one<F: Compress>(key: &Key<F>, open: bool, steps: &mut impl Steps<F>) {
    drive::<F, _, _, 1>(key, open, once((steps, ())), |_, (), _| {});
}

/// Makes calls that do not wait for one another: `step` says each, of its data and with a running offset and its number,
/// counted from 1, as [`Steps::step`] does; `done` is called with each result, and with what was given beside the data.
pub(crate) fn independent<'d, F: Compress, D, T>(
    key: &Key<F>,
    calls: impl Iterator<Item = (D, T)>,
    step: impl FnMut(&Key<F>, &mut Chain<F>, u64, D) -> Step<'d>,
    mut done: impl FnMut(T, &Chain<F>),
) {
    let shared = RefCell::new(Shared {
        offset: Chain::<F>::default(),
        number: 0,
        step,
    });
    let streams = calls.map(|(data, beside)| {
        let single = Single {
            data: Some(data),
            shared: &shared,
            step: PhantomData,
        };
        (single, beside)
    });
    drive::<F, _, _, MAX_LANES>(key, false, streams, |_, beside, result| {
        done(beside, result);
    });
    wipe(&mut shared.borrow_mut().offset);
}

/// Adds to `sum` F_K(Left + mask, Right) of every double block of `data`, the last one padded if it is short; empty data
/// adds nothing.
pub(crate) fn xor_mac<F: Compress>(key: &Key<F>, data: &[u8], sum: &mut Chain<F>, mask: MacMask) {
    if data.is_empty() {
        return;
    }
    let blocks = data.chunks(2 * Key::<F>::N).map(|block| (block, ()));
    let step =
        |key: &Key<F>, offset: &mut Chain<F>, i, block| mac_step(key, offset, mask, i, block);
    independent(key, blocks, step, |(), result| xor(sum, result));
}

/// The step of an XOR MAC for its double block i of 1 to 2n bytes; `offset` is that of the block before.
pub(crate) fn mac_step<'d, F: Compress>(
    key: &Key<F>,
    offset: &mut Chain<F>,
    mask: MacMask,
    i: u64,
    block: &'d [u8],
) -> Step<'d> {
    let (advances, multiple) = mask(block.len() == 2 * Key::<F>::N);
    if advances {
        key.add_l(offset, i);
    }
    let (left, right) = halves::<F>(block);
    Step {
        multiple,
        left: Left::Padded(left),
        block: Block::First(right),
    }
}

/// The halves of a double block of 1 to 2n bytes, both to be padded.
pub(crate) fn halves<F: Compress>(block: &[u8]) -> (&[u8], &[u8]) {
    let n = Key::<F>::N;
    match block.split_at_checked(n) {
        Some(halves) => halves,
        None => (block, Key::<F>::zeros()),
    }
}

/// Seals or opens a batch, a packet a lane, and returns how many succeeded.
pub(crate) fn batch<F: Compress, M: Streams<F>, P: Packet>(
    mode: &M,
    nonce_len: usize,
    packets: &mut [P],
) -> usize {
    let short = mean_len(packets) <= 8 * Key::<F>::N;
    if short && packets.len() < F::fewest_short() || F::width(packets.len()) == 1 {
        return one_by_one(mode, nonce_len, packets);
    }
    none_processed(packets);
    let mut good = 0;
    let begun = packets
        .iter_mut()
        .filter_map(|packet| begin(mode, nonce_len, packet, |input| mode.message(input)));
    let done = |mut message: M::Message<'_>, outcome: Outcome<'_>, _: &Chain<F>| {
        good += usize::from(outcome.settle(|tag| message.end(tag)));
    };
    drive::<F, _, _, MAX_LANES>(mode.key(), P::OPEN, begun, done);
    good
}

/// Drives streams to their ends, up to `W` of them at once; `done` is called with each at its end, with what was given
/// beside it, and with its last result.
fn drive<F: Compress, S: Steps<F>, T, const W: usize>(
    key: &Key<F>,
    open: bool,
    mut streams: impl Iterator<Item = (S, T)>,
    mut done: impl FnMut(S, T, &Chain<F>),
) {
    let most = streams.size_hint().1.unwrap_or(W);
    let width = W.min(F::width(most));
    let mut calls: [Call<F>; W] = from_fn(|_| Call::new());
    let calls = &mut calls[..width];
    let mut offsets: [Chain<F>; W] = from_fn(|_| Chain::<F>::default());
    let offsets = &mut offsets[..width];
    let mut running: [Option<(S, T)>; W] = from_fn(|_| None);
    let running = &mut running[..width];
    // The next stream that has a step, prepared
    let mut next = |lane: Lane<'_, F>, done: &mut dyn FnMut(S, T, &Chain<F>)| loop {
        let (mut stream, beside) = streams.next()?;
        if prepare(key, open, &mut stream, lane.call, lane.offset) {
            return Some((stream, beside));
        }
        done(stream, beside, &lane.call.h);
    };
    let mut active = 0;
    while active < width {
        let lane = Lane {
            call: &mut calls[active],
            offset: &mut offsets[active],
        };
        running[active] = next(lane, &mut done);
        if running[active].is_none() {
            break;
        }
        active += 1;
    }
    while active > 0 {
        F::calls(key.schedule(), calls, active);
        texts::<F, S, T, W>(
            key,
            open,
            calls,
            &mut offsets[..active],
            &mut running[..active],
        );
        let mut at = 0;
        while at < active {
            let lane = Lane {
                call: &mut calls[at],
                offset: &mut offsets[at],
            };
            let more = running[at]
                .as_mut()
                .is_some_and(|(stream, _)| prepare(key, open, stream, lane.call, lane.offset));
            if more {
                at += 1;
                continue;
            }
            if let Some((stream, beside)) = running[at].take() {
                done(stream, beside, &lane.call.h);
            }
            running[at] = next(lane, &mut done);
            if running[at].is_some() {
                at += 1;
            } else {
                // The last stream comes here, and its turn with it.
                active -= 1;
                running.swap(at, active);
                calls.swap(at, active);
                offsets.swap(at, active);
            }
        }
    }
    offsets.iter_mut().for_each(|offset| wipe(offset));
}

/// A place for a stream.
struct Lane<'a, F: Compress> {
    call: &'a mut Call<F>,
    offset: &'a mut Chain<F>,
}

/// Puts the inputs of a stream's next step into `call`, which holds the result of the one before; false if there is none.
#[inline(always)]
pub(crate) fn prepare<F: Compress>(
    key: &Key<F>,
    open: bool,
    stream: &mut impl Steps<F>,
    call: &mut Call<F>,
    offset: &mut Chain<F>,
) -> bool {
    let Some(step) = stream.step(key, &call.h, offset) else {
        return false;
    };
    match step.block {
        Block::First(data) => {
            call.h.copy_from_slice(offset);
            call.fill(data);
        }
        Block::Next(data) => {
            xor(&mut call.h, offset);
            call.fill(data);
        }
        Block::Text(block) => {
            call.exchange(block, open);
            xor(&mut call.h, offset);
        }
    }
    key.add_multiple(&mut call.h, step.multiple);
    match step.left {
        Left::Nothing => {}
        Left::Padded(bytes) => {
            call.add(bytes);
            if let Some(end) = call.h.get_mut(bytes.len()) {
                *end ^= 0x80;
            }
        }
        Left::Bytes(bytes) => call.add(bytes),
    }
    true
}

/// Does the steps that take whole blocks of text in all streams, as many as every stream has. `calls` beyond the streams are
/// room for kernels.
fn texts<F: Compress, S: Steps<F>, T, const W: usize>(
    key: &Key<F>,
    open: bool,
    calls: &mut [Call<F>],
    offsets: &mut [Chain<F>],
    running: &mut [Option<(S, T)>],
) {
    let counts = running.iter().flatten().map(|(stream, _)| stream.texts());
    let mut left = counts.min().unwrap_or(0);
    if left == 0 {
        return;
    }
    let lanes = offsets.len();
    let mut multiples = [0; W];
    let streams = running.iter().flatten().zip(&mut *offsets);
    for (((stream, _), offset), multiple) in streams.zip(&mut multiples) {
        *multiple = stream.multiple();
        key.add_multiple(offset, *multiple);
    }
    // Streams whose numbers are the same share their increments.
    let mut numbers = [0; W];
    for (number, (stream, _)) in numbers.iter_mut().zip(running.iter().flatten()) {
        *number = stream.number();
    }
    let shared = numbers[..lanes].iter().all(|number| *number == numbers[0]);
    let mut rows = [[key.first(); RUN]; W];
    while left > 0 {
        let blocks = left.min(RUN);
        let distinct = if shared { 1 } else { lanes };
        for (row, number) in rows[..distinct].iter_mut().zip(&mut numbers) {
            key.entries(*number, &mut row[..blocks]);
            *number += blocks as u64;
        }
        let increments: [_; W] = from_fn(|lane| &rows[if shared { 0 } else { lane }]);
        let mut texts: [&mut [u8]; W] = from_fn(|_| <&mut [u8]>::default());
        let mut addends: [&[u8]; W] = [&[]; W];
        for (lane, (stream, _)) in running.iter_mut().flatten().enumerate() {
            (texts[lane], addends[lane]) = stream.take(blocks);
        }
        F::run(
            key.schedule(),
            Run {
                calls,
                masks: offsets,
                increments: &increments[..lanes],
                texts: &mut texts[..lanes],
                addends: &addends[..lanes],
                blocks,
                open,
            },
        );
        left -= blocks;
    }
    for (offset, multiple) in offsets.iter_mut().zip(multiples) {
        key.add_multiple(offset, multiple);
    }
}
