// SPDX-License-Identifier: Apache-2.0
//! Messages on their way through a mode: one alone, or many at once, a message in each lane of the compression function
//! and the next one in its place when it ends.

use crate::batch::Ad;
use crate::compress::Compress;
use crate::key::{Key, MOST, Straight, Work};
use crate::mode::{Mode, judge_end};
use crate::{Error, OpenPacket, SealPacket};
use core::array::from_fn;

/// What a mode does with one message between two calls of F_K.
pub(crate) trait Job<F: Compress> {
    /// Takes the result of the last call in `work`, none the first time, and puts the inputs of the next there; false
    /// when there is none.
    fn advance(&mut self, key: &Key<F>, work: &mut Work<F>) -> bool;

    /// After the end: the tag, and the text.
    fn end(&mut self, tag: &mut [u8]) -> &mut [u8];

    /// After a call: how many blocks may be treated as [`Straight`] says.
    fn straight(&self) -> usize {
        0
    }

    /// The number that goes with the first of them.
    fn number(&self) -> u64 {
        0
    }

    /// j of the multiple j·L* in all their masks.
    fn multiple(&self) -> u8 {
        0
    }

    /// The text of so many of them and the associated data beside it, if there is any; they count as done then.
    fn take(&mut self, _blocks: usize) -> (&mut [u8], &[u8]) {
        (&mut [], &[])
    }
}

/// A mode that works through its messages as jobs.
pub(crate) trait Jobs<F: Compress>: Mode {
    /// One message.
    type Job<'a>: Job<F>;

    fn key(&self) -> &Key<F>;

    /// Encryption of `text` in place, or decryption if the tag that came with it is given.
    ///
    /// # Errors
    /// About `ad` only.
    fn job<'a>(
        &self,
        nonce: &'a [u8],
        ad: Ad<'a>,
        text: &'a mut [u8],
        given: Option<&'a [u8]>,
    ) -> Result<Self::Job<'a>, Error>;
}

/// Sends one message through.
pub(crate) fn one<F: Compress>(key: &Key<F>, open: bool, job: &mut impl Job<F>) {
    let mut work = Work::new();
    while job.advance(key, &mut work) {
        key.call(&mut work);
        let blocks = job.straight();
        let jobs = core::iter::once(&mut *job);
        straight(key, open, core::slice::from_mut(&mut work), blocks, jobs);
    }
}

/// [`Mode::seal_batch`], a packet a lane.
pub(crate) fn seal_batch<F: Compress, M: Jobs<F>>(
    mode: &M,
    nonce_len: usize,
    packets: &mut [SealPacket<'_>],
) -> usize {
    let mut sealed = 0;
    let begun = packets.iter_mut().filter_map(|p| {
        let job = mode
            .check_packet(nonce_len, p.nonce, p.tag)
            .and_then(|()| mode.job(p.nonce, p.ad, p.buffer, None));
        p.result = job.as_ref().map(|_| ()).map_err(Clone::clone);
        Some((job.ok()?, &mut *p.tag))
    });
    many(mode.key(), false, begun, |mut job, tag| {
        job.end(tag);
        sealed += 1;
    });
    sealed
}

/// [`Mode::open_batch`], a packet a lane.
pub(crate) fn open_batch<F: Compress, M: Jobs<F>>(
    mode: &M,
    nonce_len: usize,
    packets: &mut [OpenPacket<'_>],
) -> usize {
    let mut opened = 0;
    let begun = packets.iter_mut().filter_map(|p| {
        let job = mode
            .check_packet(nonce_len, p.nonce, p.tag)
            .and_then(|()| mode.job(p.nonce, p.ad, p.buffer, Some(p.tag)));
        p.result = job.as_ref().map(|_| ()).map_err(Clone::clone);
        Some((job.ok()?, (p.tag, &mut p.result)))
    });
    many(mode.key(), true, begun, |mut job, (tag, result)| {
        *result = judge_end(tag, |expected| job.end(expected));
        opened += usize::from(result.is_ok());
    });
    opened
}

/// Sends many messages through; `done` is called with each job at its end, and with what was given beside it.
fn many<F: Compress, J: Job<F>, T>(
    key: &Key<F>,
    open: bool,
    mut jobs: impl Iterator<Item = (J, T)>,
    mut done: impl FnMut(J, T),
) {
    let mut works: [Work<F>; MOST] = from_fn(|_| Work::new());
    let works = &mut works[..F::LANES];
    let mut running: [Option<(J, T)>; MOST] = from_fn(|_| None);
    let running = &mut running[..F::LANES];
    let mut active = 0;
    // The next job that has a call to make, after its first step
    let mut next = |work: &mut Work<F>, done: &mut dyn FnMut(J, T)| loop {
        let (mut job, beside) = jobs.next()?;
        work.clear();
        if job.advance(key, work) {
            return Some((job, beside));
        }
        done(job, beside);
    };
    for place in 0..works.len() {
        running[place] = next(&mut works[place], &mut done);
        if running[place].is_none() {
            break;
        }
        active += 1;
    }
    while active > 0 {
        key.calls(works, active);
        let running_jobs = || running[..active].iter().flatten();
        let blocks = running_jobs().map(|(job, _)| job.straight()).min();
        straight(
            key,
            open,
            &mut works[..active],
            blocks.unwrap_or(0),
            running[..active].iter_mut().flatten().map(|(job, _)| job),
        );
        let mut lane = 0;
        while lane < active {
            let (job, _) = running[lane].as_mut().expect("a job in every active lane");
            if job.advance(key, &mut works[lane]) {
                lane += 1;
                continue;
            }
            let (job, beside) = running[lane].take().expect("it has just been there");
            done(job, beside);
            running[lane] = next(&mut works[lane], &mut done);
            if running[lane].is_some() {
                lane += 1;
            } else {
                // The last job comes here, and its turn with it.
                active -= 1;
                running.swap(lane, active);
                works.swap(lane, active);
            }
        }
    }
}

/// So many blocks in the middle of all messages without a look at each.
fn straight<'a, F: Compress, J: Job<F> + 'a>(
    key: &Key<F>,
    open: bool,
    works: &mut [Work<F>],
    blocks: usize,
    jobs: impl Iterator<Item = &'a mut J>,
) {
    if blocks == 0 || !key.has_lanes(works.len()) {
        return;
    }
    let mut numbers = [0; MOST];
    let mut multiples = [0; MOST];
    let mut texts: [&mut [u8]; MOST] = from_fn(|_| <&mut [u8]>::default());
    let mut ads: [&[u8]; MOST] = [&[]; MOST];
    for (lane, job) in jobs.enumerate() {
        numbers[lane] = job.number();
        multiples[lane] = job.multiple();
        (texts[lane], ads[lane]) = job.take(blocks);
        key.add_multiple(&mut works[lane].delta, multiples[lane]);
    }
    let lanes = works.len();
    key.straight(Straight {
        works,
        texts: &mut texts[..lanes],
        ads: &ads[..lanes],
        numbers: &numbers[..lanes],
        blocks,
        open,
    });
    for (work, multiple) in works.iter_mut().zip(multiples) {
        key.add_multiple(&mut work.delta, multiple);
    }
}
