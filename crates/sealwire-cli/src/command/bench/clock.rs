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
    /// Without the cycles that a part of it took, at its own clock rate, whatever that of the part was; a measurement that is disturbed
    /// can make the part more than all.
    pub(super) fn less(self, part: Self) -> Self {
        let cycles = (self.cycles - part.cycles).max(1.0);
        Self {
            nanoseconds: cycles * self.nanoseconds / self.cycles,
            cycles,
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
    // The clock rate may have changed meanwhile.
    let cycle = before.min(cycle());
    Time {
        nanoseconds,
        cycles: nanoseconds / cycle,
    }
}

/// Nanoseconds of one core cycle, by chains in which every addition and every exclusive or waits for the one before, a cycle each.
fn cycle() -> f64 {
    least([chain(), chain(), chain()]) / f64::from(8 * STEPS)
}

/// What a chain takes when it is left alone: the least, not the median. An interruption only makes a chain longer, and one that is
/// too long makes the call seem to take fewer cycles. What is held against a bar is the least of the repetitions, which would pick
/// just that one: with medians of three chains, 150 repetitions of a call of known length came out up to 28 % too short on a machine under
/// load, with the least 0.5 % at most (docs/library-speed.md).
fn least(chains: [f64; 3]) -> f64 {
    chains.into_iter().fold(f64::INFINITY, f64::min)
}

/// Nanoseconds of one chain. The compiler does not know the operands and cannot shorten it.
fn chain() -> f64 {
    let (a, b) = black_box((0x1234_5679_u64, 0x9abc_def1_u64));
    let mut x = black_box(1_u64);
    let start = Instant::now();
    for _ in 0..STEPS {
        x = (x.wrapping_add(a) ^ b).wrapping_add(a) ^ b;
        x = (x.wrapping_add(a) ^ b).wrapping_add(a) ^ b;
    }
    black_box(x);
    start.elapsed().as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_of_cycles() {
        let time = |nanoseconds, cycles| Time {
            nanoseconds,
            cycles,
        };
        let left = time(300.0, 900.0).less(time(400.0, 600.0)); // the part at half the clock rate
        assert_eq!(left.cycles.to_bits(), 300.0_f64.to_bits());
        assert_eq!(left.nanoseconds.to_bits(), 100.0_f64.to_bits());
        let nothing = time(300.0, 900.0).less(time(300.0, 1000.0));
        assert!(nothing.cycles > 0.0 && nothing.nanoseconds > 0.0);
    }

    #[test]
    fn interrupted_chains_do_not_lengthen_a_cycle() {
        assert_eq!(least([31.0, 20.0, 58.0]).to_bits(), 20.0_f64.to_bits());
    }
}
