// SPDX-License-Identifier: Apache-2.0
//! Which of two ways serves for one call, or for two. CPUs with the same instructions differ in how long they take for
//! them: what vector registers gain on one maker's is lost on another's. The first call measures both ways, for some tens
//! of microseconds.

use crate::cpu::Path;
use core::arch::x86_64::_rdtsc;
use core::sync::atomic::{AtomicU8, Ordering};

const UNKNOWN: u8 = 0;
const KERNEL: u8 = 1;
const OTHER: u8 = 2;

/// How often each way is measured: the least counts, which is free of interruptions and of a vector unit that wakes up.
const ROUNDS: usize = 40;
/// Calls that are measured together: fewer are not long beside reading the clock.
const CALLS: usize = 3;

/// A choice between a kernel in vector registers and another way.
pub(super) struct Choice(AtomicU8);

impl Choice {
    pub(super) const fn new() -> Self {
        Self(AtomicU8::new(UNKNOWN))
    }

    /// Whether the kernel serves; `None` before it was measured. Where somebody has named the path its kernel does, so that it can be
    /// tested and measured.
    #[inline]
    pub(super) fn known(&self) -> Option<bool> {
        if Path::is_named() {
            return Some(true);
        }
        match self.0.load(Ordering::Relaxed) {
            UNKNOWN => None,
            known => Some(known == KERNEL),
        }
    }

    /// Whether the kernel takes at most so many eighths of the time of the other way: measures it, and keeps that.
    #[cold]
    pub(super) fn measure(
        &self,
        eighths: u64,
        mut kernel: impl FnMut(),
        mut other: impl FnMut(),
    ) -> bool {
        let mut least = [u64::MAX; 2];
        for _ in 0..ROUNDS {
            least[0] = least[0].min(time(&mut kernel));
            least[1] = least[1].min(time(&mut other));
        }
        let faster = least[0].saturating_mul(8) <= least[1].saturating_mul(eighths);
        let found = if faster { KERNEL } else { OTHER };
        self.0.store(found, Ordering::Relaxed);
        faster
    }
}

/// Ticks of the clock for some calls.
fn time(call: &mut impl FnMut()) -> u64 {
    // SAFETY: every x86-64 has this instruction.
    let start = unsafe { _rdtsc() };
    for _ in 0..CALLS {
        call();
    }
    // SAFETY: every x86-64 has this instruction.
    unsafe { _rdtsc() }.wrapping_sub(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;
    use core::hint::black_box;

    /// Takes long in proportion.
    fn work(steps: u64) {
        (0..steps).for_each(|step| _ = black_box(step));
    }

    #[test]
    fn the_faster_way_is_found_and_kept() {
        let cases = [
            (8, 300, 3000),
            (8, 3000, 300),
            (4, 3000, 4000),
            (4, 1000, 4000),
        ];
        for (eighths, kernel, general) in cases {
            let choice = Choice::new();
            assert_eq!(choice.0.load(Ordering::Relaxed), UNKNOWN);
            let calls = Cell::new(0);
            let count = |steps| {
                calls.set(calls.get() + 1);
                work(steps);
            };
            let found = choice.measure(eighths, || count(kernel), || count(general));
            assert_eq!(found, 8 * kernel < eighths * general);
            assert_eq!(calls.get(), 2 * ROUNDS * CALLS);
            let kept = if found { KERNEL } else { OTHER };
            assert_eq!(choice.0.load(Ordering::Relaxed), kept);
            assert_eq!(choice.known(), Some(found || Path::is_named()));
        }
    }
}
