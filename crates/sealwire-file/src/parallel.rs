// SPDX-License-Identifier: Apache-2.0
//! Sealing and opening on several threads, chunks in batches.
//!
//! One thread reads, `threads` threads seal or open what was read, and the caller writes in the order of the file. A worker
//! takes as many chunks as wait for it, up to a batch: a fast input gives full batches, a slow one gets each chunk done as it
//! comes. Buffers go round, so memory is bounded whatever the length of the input.

use super::{
    Error, Options,
    chunks::ChunkCipher,
    pieces::{read_full, read_some},
    setup::Setup,
};
use crate::{Lock, Unlock};
use sealwire::{OpenPacket, SealPacket};
use sealwire_link::suite::{ScheduleFn, Suite};
use std::{
    collections::BTreeMap,
    io::{Read, Write},
    mem::{replace, swap},
    num::NonZeroUsize,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};
use zeroize::Zeroizing;

/// Chunks of a batch: as many as any set of vector instructions has lanes for with the words of the suite.
fn batch_of(suite: &Suite) -> usize {
    if suite.schedule == ScheduleFn::Sha256 {
        16
    } else {
        8
    }
}

/// Bytes of chunks that are held at once, but for two chunks at least; opening holds one batch a thread more.
pub(super) const MAX_HELD: usize = 32 << 20;

/// Room for a chunk and its tag. Wiped when dropped.
type Buffer = Zeroizing<Vec<u8>>;

/// What one run holds: chunks read and not yet written, threads, chunks of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) buffers: usize,
    pub(super) threads: usize,
    pub(super) batch: usize,
}

impl Plan {
    pub(super) fn new(suite: &Suite, threads: NonZeroUsize, sealed_chunk_len: usize) -> Self {
        let batch = batch_of(suite);
        let most = threads.get().saturating_mul(2 * batch);
        let buffers = (MAX_HELD / sealed_chunk_len).clamp(2, most);
        let threads = threads.get().min(buffers);
        Self {
            buffers,
            threads,
            batch: (buffers / (2 * threads)).clamp(1, batch),
        }
    }
}

/// A chunk on its way: `len` bytes of plaintext or of ciphertext and tag.
struct Chunk {
    index: u64,
    last: bool,
    len: usize,
    buffer: Buffer,
}

/// What a thread tells the caller.
enum Report {
    Done(Vec<(u64, Result<Chunk, Error>)>),
    /// The thread ends with a panic.
    Panicked,
}

/// Where a thread reports. The caller learns of a panic, too: it would wait for ever for what the thread had in its hands.
struct Reports(Sender<Report>);

impl Drop for Reports {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Report::Panicked);
        }
    }
}

/// Does what [`super::seal`] does, with the work of the cipher on `threads` threads.
///
/// A thread of its own reads the input. After an error that another place found it lives until the input gives something.
///
/// # Errors
///
/// Those of [`super::seal`]. The first in the order of the file is given, whichever was found first.
pub fn seal_on_threads<'a>(
    lock: impl Into<Lock<'a>>,
    options: &Options,
    threads: NonZeroUsize,
    input: impl Read + Send + 'static,
    output: impl Write,
    progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let setup = Setup::fresh(lock.into(), options)?;
    seal_setup_on_threads(&setup, threads, input, output, progress)
}

/// Kept inside the crate, as a salt that repeats gives away plaintext.
pub(super) fn seal_setup_on_threads(
    setup: &Setup,
    threads: NonZeroUsize,
    input: impl Read + Send + 'static,
    mut output: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let cipher = Arc::new(ChunkCipher::new(setup)?);
    output.write_all(&setup.header).map_err(Error::Write)?;
    let mut done = 0;
    let (chunk_len, tag_len) = (setup.chunk_len, cipher.tag_len);
    let plan = Plan::new(setup.suite, threads, chunk_len + tag_len);
    let line = Line::start(plan, chunk_len, chunk_len + tag_len, input, || {
        let cipher = Arc::clone(&cipher);
        move |chunks| seal_batch(&cipher, chunks)
    })?;
    line.collect(|chunk| {
        let sealed = &chunk.buffer[..chunk.len];
        output.write_all(sealed).map_err(Error::Write)?;
        done += (chunk.len - tag_len) as u64;
        progress(done);
        Ok(())
    })?;
    output.flush().map_err(Error::Write)?;
    Ok(done)
}

/// Does what [`super::open`] does, with the work of the cipher on `threads` threads.
///
/// A thread of its own reads the input. After an error that another place found it lives until the input gives something.
///
/// # Errors
///
/// Those of [`super::open`]. The first in the order of the file is given, whichever was found first, and no chunk after it
/// comes out.
pub fn open_on_threads<'a>(
    unlock: impl Into<Unlock<'a>>,
    threads: NonZeroUsize,
    mut input: impl Read + Send + 'static,
    mut output: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<u64, Error> {
    let setup = Setup::read(unlock.into(), &mut input)?;
    let cipher = Arc::new(ChunkCipher::new(&setup)?);
    let mut done = 0;
    let sealed_len = setup.chunk_len + cipher.tag_len;
    let plan = Plan::new(setup.suite, threads, sealed_len);
    let line = Line::start(plan, sealed_len, sealed_len, input, || {
        let cipher = Arc::clone(&cipher);
        let mut spare = Vec::new();
        move |chunks| open_batch(&cipher, chunks, &mut spare)
    })?;
    line.collect(|chunk| {
        let text = &chunk.buffer[..chunk.len];
        output.write_all(text).map_err(Error::Write)?;
        // A reader at the other end of a pipe gets the chunk now.
        output.flush().map_err(Error::Write)?;
        done += text.len() as u64;
        progress(done);
        Ok(())
    })?;
    Ok(done)
}

/// Seals the chunks in their buffers.
fn seal_batch(cipher: &ChunkCipher, mut chunks: Vec<Chunk>) -> Vec<(u64, Result<Chunk, Error>)> {
    let nonces: Vec<_> = chunks
        .iter()
        .map(|chunk| {
            let j = cipher.chunk_number(chunk.index)?;
            Ok(cipher.nonce(j, chunk.last))
        })
        .collect();
    let mut packets: Vec<_> = chunks
        .iter_mut()
        .zip(&nonces)
        .filter_map(|(chunk, nonce)| {
            let (text, rest) = chunk.buffer.split_at_mut(chunk.len);
            let tag = &mut rest[..cipher.tag_len];
            Some(SealPacket::new(nonce.as_ref().ok()?, &cipher.ad, text, tag))
        })
        .collect();
    cipher.cipher.seal_batch(&mut packets);
    let results: Vec<_> = packets.into_iter().map(|packet| packet.result).collect();
    let mut results = results.into_iter();
    let outcome = |mut chunk: Chunk, nonce: Result<Vec<u8>, Error>| {
        nonce?;
        results.next().expect("a result for each nonce")?;
        chunk.len += cipher.tag_len;
        Ok(chunk)
    };
    settle(chunks, nonces, outcome)
}

/// Opens the chunks. The sealed bytes stay as they are until the verdict, which names the fault by them; so the text comes
/// into buffers of `spare`, which take the place of those given.
fn open_batch(
    cipher: &ChunkCipher,
    chunks: Vec<Chunk>,
    spare: &mut Vec<Buffer>,
) -> Vec<(u64, Result<Chunk, Error>)> {
    let nonces: Vec<_> = chunks
        .iter()
        .map(|chunk| {
            let j = cipher.number_of_sealed(chunk.index, chunk.len)?;
            Ok(cipher.nonce(j, chunk.last))
        })
        .collect();
    for chunk in &chunks[spare.len().min(chunks.len())..] {
        spare.push(Zeroizing::new(vec![0; chunk.buffer.len()]));
    }
    let mut packets: Vec<_> = chunks
        .iter()
        .zip(&nonces)
        .zip(spare.iter_mut())
        .filter_map(|((chunk, nonce), text)| {
            let nonce = nonce.as_ref().ok()?;
            let sealed = &chunk.buffer[..chunk.len];
            let (ciphertext, tag) = sealed.split_at(chunk.len - cipher.tag_len);
            let text = &mut text[..ciphertext.len()];
            text.copy_from_slice(ciphertext);
            Some(OpenPacket::new(nonce, &cipher.ad, text, tag))
        })
        .collect();
    let _ = cipher.cipher.open_batch(&mut packets);
    let results: Vec<_> = packets.into_iter().map(|packet| packet.result).collect();
    let mut results = results.into_iter();
    let mut texts = spare.iter_mut();
    let outcome = |mut chunk: Chunk, nonce: Result<Vec<u8>, Error>| {
        let text = texts.next().expect("a buffer for each chunk");
        nonce?;
        if results.next().expect("a result for each nonce").is_err() {
            return Err(cipher.fault(chunk.index, chunk.last, &chunk.buffer[..chunk.len]));
        }
        swap(text, &mut chunk.buffer);
        chunk.len -= cipher.tag_len;
        Ok(chunk)
    };
    settle(chunks, nonces, outcome)
}

/// Each chunk's outcome beside its index. A chunk that comes to nothing is wiped.
fn settle(
    chunks: Vec<Chunk>,
    nonces: Vec<Result<Vec<u8>, Error>>,
    mut outcome: impl FnMut(Chunk, Result<Vec<u8>, Error>) -> Result<Chunk, Error>,
) -> Vec<(u64, Result<Chunk, Error>)> {
    let both = chunks.into_iter().zip(nonces);
    both.map(|(chunk, nonce)| (chunk.index, outcome(chunk, nonce)))
        .collect()
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    thread::Builder::new().spawn(work).map_err(Error::Thread)
}

/// The threads of one run, and what comes from them.
struct Line {
    threads: Vec<JoinHandle<()>>,
    reports: Receiver<Report>,
    free: Sender<Vec<Buffer>>,
}

impl Line {
    /// Starts a thread that cuts the input into pieces of `piece_len` bytes, in buffers of `buffer_len`, and workers, each
    /// with work of its own.
    fn start<W>(
        plan: Plan,
        piece_len: usize,
        buffer_len: usize,
        input: impl Read + Send + 'static,
        work: impl Fn() -> W,
    ) -> Result<Self, Error>
    where
        W: FnMut(Vec<Chunk>) -> Vec<(u64, Result<Chunk, Error>)> + Send + 'static,
    {
        let (jobs, waiting) = channel();
        let (report, reports) = channel();
        let (free, returned) = channel();
        let buffers = Buffers {
            returned,
            at_hand: Vec::new(),
            unmade: plan.buffers,
            len: buffer_len,
        };
        let failures = Reports(report.clone());
        let reading = move || cut(input, piece_len, buffers, &jobs, &failures);
        let mut threads = vec![spawn(reading)?];
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..plan.threads {
            let (waiting, reports) = (Arc::clone(&waiting), Reports(report.clone()));
            let mut work = work();
            threads.push(spawn(move || {
                while let Some(chunks) = take(&waiting, plan.batch) {
                    if reports.0.send(Report::Done(work(chunks))).is_err() {
                        break;
                    }
                }
            })?);
        }
        Ok(Self {
            threads,
            reports,
            free,
        })
    }

    /// Hands every chunk to `put` in the order of the file, up to the last chunk or the first error.
    fn collect(self, mut put: impl FnMut(&Chunk) -> Result<(), Error>) -> Result<(), Error> {
        let mut early = BTreeMap::new();
        let mut next = 0;
        let mut last = false;
        while let (false, Ok(Report::Done(outcomes))) = (last, self.reports.recv()) {
            early.extend(outcomes);
            let mut written = Vec::new();
            while let Some(outcome) = early.remove(&next) {
                let chunk = outcome?;
                put(&chunk)?;
                next += 1;
                last = chunk.last;
                written.push(chunk.buffer);
            }
            let _ = self.free.send(written); // the reading thread may have ended
        }
        drop((self.free, self.reports));
        for thread in self.threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        assert!(last, "threads end after the last chunk or with a panic");
        Ok(())
    }
}

/// Up to `most` chunks that wait, one at least; `None` after the last.
fn take(waiting: &Mutex<Receiver<Chunk>>, most: usize) -> Option<Vec<Chunk>> {
    let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let first = waiting.recv().ok()?;
    Some(
        [first]
            .into_iter()
            .chain(waiting.try_iter().take(most - 1))
            .collect(),
    )
}

/// Buffers for what is read: new ones up to a number, then those that were written.
struct Buffers {
    returned: Receiver<Vec<Buffer>>,
    at_hand: Vec<Buffer>,
    unmade: usize,
    len: usize,
}

impl Buffers {
    /// `None` if the caller needs no more.
    fn next(&mut self) -> Option<Buffer> {
        self.at_hand.extend(self.returned.try_iter().flatten());
        while self.at_hand.is_empty() {
            if self.unmade > 0 {
                self.unmade -= 1;
                return Some(Zeroizing::new(vec![0; self.len]));
            }
            self.at_hand = self.returned.recv().ok()?;
        }
        self.at_hand.pop()
    }
}

/// Cuts the input into pieces of `len` bytes; only the last is shorter, and only that of an empty input is empty. A full
/// piece goes on as soon as the input gave a byte after it, or ended.
fn cut(
    mut input: impl Read,
    len: usize,
    mut buffers: Buffers,
    jobs: &Sender<Chunk>,
    failures: &Reports,
) {
    let Some(mut buffer) = buffers.next() else {
        return;
    };
    let mut filled = 0;
    for index in 0.. {
        let piece = match read_full(&mut input, &mut buffer[filled..len]) {
            Ok(count) if filled + count < len => Ok((filled + count, None)),
            Ok(_) => {
                let Some(mut next) = buffers.next() else {
                    return;
                };
                // What follows tells whether this piece is the last. One read gives it on as early as can be.
                read_some(&mut input, &mut next[..len]).map(|count| {
                    filled = count;
                    (len, (count > 0).then_some(next))
                })
            }
            Err(error) => Err(error),
        };
        let (piece_len, following) = match piece {
            Ok(piece) => piece,
            Err(error) => {
                let outcome = (index, Err(Error::Read(error)));
                let _ = failures.0.send(Report::Done(vec![outcome]));
                return;
            }
        };
        let last = following.is_none();
        let chunk = Chunk {
            index,
            last,
            len: piece_len,
            buffer: replace(&mut buffer, following.unwrap_or_default()),
        };
        if jobs.send(chunk).is_err() || last {
            return;
        }
    }
}
