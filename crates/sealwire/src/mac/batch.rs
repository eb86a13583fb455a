// SPDX-License-Identifier: Apache-2.0
//! Many messages under one key: a message a lane, and the next one in its place when it ends.

use super::instance::{Kind, OUTER};
use super::keyed::{DynMac, Output, end_sponge, pad};
use crate::ascon::{Absorb, MAX_LANES, Words, absorb, absorb_lanes, lanes, permute_words};
use crate::error::Error;
use crate::gf::wipe;
use zeroize::Zeroize;

/// One message of a [`DynMac::tag_batch`] call.
#[derive(Debug)]
pub struct TagMessage<'a> {
    /// The message.
    pub message: &'a [u8],
    /// Receives the tag, exactly the scheme's tag length.
    pub tag: &'a mut [u8],
    /// [`Error::NotProcessed`] until the call has set it.
    pub result: Result<(), Error>,
}

/// One message of a [`DynMac::verify_batch`] call.
#[derive(Debug)]
pub struct VerifyMessage<'a> {
    /// The message.
    pub message: &'a [u8],
    /// The tag to check, exactly the scheme's tag length.
    pub tag: &'a [u8],
    /// [`Error::NotProcessed`] until the call has set it; [`Error::InvalidTag`] if the message is not authentic.
    pub result: Result<(), Error>,
}

impl<'a> TagMessage<'a> {
    /// A message that has not been processed.
    pub const fn new(message: &'a [u8], tag: &'a mut [u8]) -> Self {
        Self {
            message,
            tag,
            result: Err(Error::NotProcessed),
        }
    }
}

impl<'a> VerifyMessage<'a> {
    /// A message that has not been processed.
    pub const fn new(message: &'a [u8], tag: &'a [u8]) -> Self {
        Self {
            message,
            tag,
            result: Err(Error::NotProcessed),
        }
    }
}

impl DynMac {
    /// Writes the tags of many messages and returns how many succeeded; each holds its own result. Messages share the
    /// lanes of the vector registers, eight are the right number; Ascon-Farfalle fills the lanes with one.
    pub fn tag_batch(&self, messages: &mut [TagMessage<'_>]) -> usize {
        tags(self, messages);
        messages.iter().filter(|m| m.result.is_ok()).count()
    }

    /// Checks the tags of many messages and returns how many were right; each holds its own result.
    #[must_use = "messages that failed are not authentic"]
    pub fn verify_batch(&self, messages: &mut [VerifyMessage<'_>]) -> usize {
        tags(self, messages);
        messages.iter().filter(|m| m.result.is_ok()).count()
    }
}

/// What is done with a message's tag.
trait Job<'a> {
    fn message(&self) -> &'a [u8];
    fn tag_len(&self) -> usize;
    fn refuse(&mut self, error: Error);
    /// The message alone.
    fn alone(&mut self, mac: &DynMac);
    /// The tag was made in a lane.
    fn end(&mut self, output: Output);
}

impl<'a> Job<'a> for TagMessage<'a> {
    fn message(&self) -> &'a [u8] {
        self.message
    }

    fn tag_len(&self) -> usize {
        self.tag.len()
    }

    fn refuse(&mut self, error: Error) {
        self.result = Err(error);
    }

    fn alone(&mut self, mac: &DynMac) {
        self.result = mac.tag(self.message, self.tag);
    }

    fn end(&mut self, output: Output) {
        output.write(self.tag);
        self.result = Ok(());
    }
}

impl<'a> Job<'a> for VerifyMessage<'a> {
    fn message(&self) -> &'a [u8] {
        self.message
    }

    fn tag_len(&self) -> usize {
        self.tag.len()
    }

    fn refuse(&mut self, error: Error) {
        self.result = Err(error);
    }

    fn alone(&mut self, mac: &DynMac) {
        self.result = mac.verify(self.message, self.tag);
    }

    fn end(&mut self, output: Output) {
        let authentic = bool::from(output.equals(self.tag));
        self.result = authentic.then_some(()).ok_or(Error::InvalidTag);
    }
}

/// The fewest messages that the lanes are faster for than one after the other.
const WORTH: usize = 2;
/// The fewest bytes that [`WORTH`] messages have together where the lanes are faster; more messages may be of any length.
const WORTH_BYTES: usize = 256;

/// Whether the lanes are faster for these messages than one after the other.
fn worth<'a>(jobs: &[impl Job<'a>]) -> bool {
    let bytes = || jobs.iter().map(|job| job.message().len()).sum::<usize>();
    jobs.len() > WORTH || jobs.len() == WORTH && bytes() >= WORTH_BYTES
}

/// Does all jobs.
fn tags<'a, J: Job<'a>>(mac: &DynMac, jobs: &mut [J]) {
    // A batch that ends early leaves no message that looks done.
    jobs.iter_mut()
        .for_each(|job| job.refuse(Error::NotProcessed));
    let width = lanes();
    match mac.scheme().instance().kind {
        Kind::Sponge {
            absorb, squeeze, ..
        } if width >= WORTH && worth(jobs) => {
            let mut sponges = Sponges {
                how: absorb,
                squeeze,
                states: [[0; 5]; MAX_LANES],
                rests: [&[]; MAX_LANES],
                jobs: [None; MAX_LANES],
                width,
            };
            sponges.run(mac, mac.start(), jobs);
            sponges.states.zeroize();
        }
        _ => jobs.iter_mut().for_each(|job| job.alone(mac)),
    }
}

/// Messages in their lanes.
struct Sponges<'a> {
    how: Absorb,
    squeeze: usize,
    states: [Words; MAX_LANES],
    /// What is to be absorbed yet.
    rests: [&'a [u8]; MAX_LANES],
    /// Which job is in the lane.
    jobs: [Option<usize>; MAX_LANES],
    width: usize,
}

impl<'a> Sponges<'a> {
    fn run<J: Job<'a>>(&mut self, mac: &DynMac, start: &Words, jobs: &mut [J]) {
        let mut next = 0;
        loop {
            next = self.fill(mac, start, jobs, next);
            let active = (0..self.width).filter(|lane| self.jobs[*lane].is_some());
            if active.clone().count() < WORTH {
                break;
            }
            let block_len = self.how.block_len();
            let blocks = active
                .clone()
                .map(|lane| self.rests[lane].len() / block_len);
            let blocks = blocks.min().unwrap_or(0);
            if blocks > 0 {
                // An idle lane works on any other one's message, and nobody asks what comes out.
                let any = active
                    .clone()
                    .next()
                    .map_or(&[][..], |lane| self.rests[lane]);
                for lane in (0..self.width).filter(|lane| self.jobs[*lane].is_none()) {
                    self.rests[lane] = any;
                }
                absorb_lanes(
                    self.how,
                    &mut self.states[..self.width],
                    &self.rests[..self.width],
                    blocks,
                );
                for rest in &mut self.rests[..self.width] {
                    *rest = &rest[blocks * block_len..];
                }
            }
            self.end(jobs);
        }
        // What is alone goes on where it is.
        for lane in 0..self.width {
            if self.jobs[lane].is_some() {
                let rest = self.rests[lane];
                let whole = rest.len() - rest.len() % self.how.block_len();
                absorb(self.how, &mut self.states[lane], &rest[..whole]);
                self.rests[lane] = &rest[whole..];
            }
        }
        self.end(jobs);
    }

    /// Puts the next jobs into empty lanes, and says which one is the first that found none.
    fn fill<J: Job<'a>>(
        &mut self,
        mac: &DynMac,
        start: &Words,
        jobs: &mut [J],
        mut next: usize,
    ) -> usize {
        for lane in 0..self.width {
            while self.jobs[lane].is_none() {
                let Some(job) = jobs.get_mut(next) else {
                    return next;
                };
                match Error::check_len("tag", job.tag_len(), mac.scheme().tag_len()) {
                    Ok(()) => {
                        self.jobs[lane] = Some(next);
                        self.rests[lane] = job.message();
                        self.states[lane] = *start;
                    }
                    Err(error) => job.refuse(error),
                }
                next += 1;
            }
        }
        next
    }

    /// Ends the messages that have no whole block left, and empties their lanes.
    fn end<J: Job<'a>>(&mut self, jobs: &mut [J]) {
        let block_len = self.how.block_len();
        let ends = |lane: usize, sponges: &Self| {
            sponges.jobs[lane].is_some() && sponges.rests[lane].len() < block_len
        };
        let count = (0..self.width).filter(|lane| ends(*lane, self)).count();
        let mut states = self.states;
        for (lane, state) in states.iter_mut().enumerate().take(self.width) {
            if ends(lane, self) {
                let mut buffer = [0; 40];
                let rest = self.rests[lane];
                buffer[..rest.len()].copy_from_slice(rest);
                pad(self.how.order, &mut buffer, rest.len());
                end_sponge(self.how.order, state, &buffer);
                wipe(&mut buffer);
                if count < WORTH {
                    permute_words(state, OUTER);
                }
            }
        }
        if count >= WORTH {
            // A block of zeros absorbed is the permutation alone.
            let outer = Absorb {
                rounds: OUTER,
                ..self.how
            };
            absorb_lanes(
                outer,
                &mut states[..self.width],
                &[&[0; 40][..]; MAX_LANES][..self.width],
                1,
            );
        }
        for (lane, state) in states.into_iter().enumerate().take(self.width) {
            if ends(lane, self)
                && let Some(job) = self.jobs[lane].take()
            {
                jobs[job].end(Output::sponge(state, self.how, self.squeeze));
                self.rests[lane] = &[];
            }
        }
        states.zeroize();
    }
}
