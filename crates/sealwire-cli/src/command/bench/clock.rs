// SPDX-License-Identifier: Apache-2.0
//! Time in core cycles, whatever the clock rate is at the moment.

use std::hint::black_box;
use std::time::Instant;

/// A slice of measurement lasts at least so long, unless one call takes longer.
const SLICE: f64 = 150_000.0; // ns: short enough to fall between interruptions

/// Steps of the chain that a cycle is measured with.
const STEPS: u32 = 10_000;

/// What one call took.
#[derive(Clone, Copy, Default)]
pub(super) struct Time {
    pub(super) nanoseconds: f64,
    pub(super) cycles: f64,
}

impl Time {
    /// Without what a part of it took; a measurement that is disturbed can make that more than all.
    pub(super) fn less(self, part: Self) -> Self {
        Self {
            nanoseconds: (self.nanoseconds - part.nanoseconds).max(1.0),
            cycles: (self.cycles - part.cycles).max(1.0),
        }
    }
}

/// Measures a core cycle, then the call.
pub(super) fn time(call: &mut dyn FnMut()) -> Time {
    let before = cycle();
    let mut calls = 1_u32;
    let nanoseconds = loop {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        let elapsed = start.elapsed().as_nanos() as f64;
        if elapsed >= SLICE {
            break elapsed / f64::from(calls);
        }
        calls =
            (f64::from(calls) * (1.2 * SLICE / elapsed.max(1.0)).clamp(1.5, 100.0)).ceil() as u32;
    };
    // The clock rate may have changed meanwhile; an interruption only makes the chain longer.
    let cycle = before.min(cycle());
    Time {
        nanoseconds,
        cycles: nanoseconds / cycle,
    }
}

/// Nanoseconds of one core cycle: a chain in which every addition and every exclusive or waits for the one before, a cycle
/// each. The compiler does not know the operands and cannot shorten it.
fn cycle() -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let (a, b) = black_box((0x1234_5679_u64, 0x9abc_def1_u64));
        let mut x = black_box(1_u64);
        let start = Instant::now();
        for _ in 0..STEPS {
            x = (x.wrapping_add(a) ^ b).wrapping_add(a) ^ b;
            x = (x.wrapping_add(a) ^ b).wrapping_add(a) ^ b;
        }
        black_box(x);
        least = least.min(start.elapsed().as_nanos() as f64);
    }
    least / f64::from(8 * STEPS)
}
