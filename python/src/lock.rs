// SPDX-License-Identifier: Apache-2.0
//! When work is done without the interpreter lock, so that other threads run meanwhile.

use pyo3::Python;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Work on this many bytes and more is done without the interpreter lock, unless it was seen to be brief.
const LONG: usize = 4096;

/// Work on this many bytes and more is always done without the lock.
const LONGEST_LOCKED: usize = 64 << 10;

/// For work that takes less time, to give the lock away and take it again costs more than a percent, and a thread that waits for
/// the lock is not helped by it: between two switches Python itself holds the lock for milliseconds.
const BRIEF: Duration = Duration::from_micros(4);

/// Long work is done without the interpreter lock.
pub(crate) fn run<T: Send>(py: Python<'_>, len: usize, work: impl FnOnce() -> T + Send) -> T {
    if len < LONG { work() } else { py.detach(work) }
}

/// What is long for one key: schemes differ in speed by a hundred times, and processors do, too.
pub(crate) struct Brief {
    /// Work on fewer bytes has been seen to be brief.
    below: AtomicUsize,
}

impl Brief {
    pub(crate) const fn new() -> Self {
        Self {
            below: AtomicUsize::new(LONG),
        }
    }

    /// Long work is done without the interpreter lock, and timed where it may turn out to be brief.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        len: usize,
        work: impl FnOnce() -> T + Send,
    ) -> T {
        // Any value that is read serves: it decides about time only.
        if len < self.below.load(Ordering::Relaxed) {
            return work();
        }
        if len >= LONGEST_LOCKED {
            return py.detach(work);
        }
        let (result, time) = py.detach(|| {
            let begin = Instant::now();
            let result = work();
            (result, begin.elapsed())
        });
        if time < BRIEF {
            self.below.fetch_max(len + 1, Ordering::Relaxed);
        }
        result
    }
}
