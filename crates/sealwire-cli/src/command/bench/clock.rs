// SPDX-License-Identifier: Apache-2.0
//! Time in core cycles, whatever the clock rate is at the moment.

use super::Messages;
use std::hint::black_box;
use std::time::Instant;

/// A slice of measurement lasts at least so long, unless one call takes longer.
const SLICE: f64 = 150_000.0; // ns: short enough to fall between interruptions

/// Steps of the chain that a cycle is measured with.
const STEPS: u32 = 10_000;

/// What one call took.
#[derive(Clone, Copy)]
pub(super) struct Time {
    pub(super) nanoseconds: f64,
    pub(super) cycles: f64,
}

/// What the call takes.
pub(super) fn time(call: &mut dyn FnMut()) -> Time {
    in_cycles(|| {
        let mut calls = 1_u32;
        loop {
            let start = Instant::now();
            for _ in 0..calls {
                call();
            }
            let elapsed = start.elapsed().as_nanos() as f64;
            if elapsed >= SLICE {
                break elapsed / f64::from(calls);
            }
            calls = (f64::from(calls) * (1.2 * SLICE / elapsed.max(1.0)).clamp(1.5, 100.0)).ceil()
                as u32;
        }
    })
}

/// What one opening takes: all places are sealed, then the clock runs while all are opened, again and again.
pub(super) fn time_openings(messages: &mut dyn Messages, places: usize) -> Time {
    in_cycles(|| {
        let reading = reading();
        let (mut elapsed, mut openings) = (0.0, 0);
        while elapsed < SLICE {
            for place in 0..places {
                messages.seal(place);
            }
            let start = Instant::now();
            for place in 0..places {
                messages.open(place);
            }
            elapsed += (start.elapsed().as_nanos() as f64 - reading).max(0.0);
            openings += places;
        }
        elapsed / openings as f64
    })
}

/// Nanoseconds that the clock shows when nothing was done: the least of several.
fn reading() -> f64 {
    let readings = (0..32).map(|_| Instant::now().elapsed().as_nanos());
    readings.min().unwrap_or(0) as f64
}

/// Measures a core cycle, the call, and a cycle again: the clock rate may have changed meanwhile.
fn in_cycles(call: impl FnOnce() -> f64) -> Time {
    let before = cycle();
    let nanoseconds = call();
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
    use std::time::Duration;

    /// Its sealing takes three times as long as its opening, and none of it may count.
    struct Waits {
        sealed: Vec<bool>,
    }

    impl Messages for Waits {
        fn seal(&mut self, place: usize) {
            self.sealed[place] = true;
            wait(30);
        }

        fn open(&mut self, place: usize) {
            assert!(self.sealed[place], "{place} is opened twice");
            self.sealed[place] = false;
            wait(10);
        }
    }

    fn wait(microseconds: u64) {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(microseconds) {}
    }

    #[test]
    fn an_opening_is_timed_without_its_sealing() {
        for places in [1, 3] {
            let mut messages = Waits {
                sealed: vec![false; places],
            };
            let times = (0..50).map(|_| time_openings(&mut messages, places).nanoseconds);
            let least = times.fold(f64::INFINITY, f64::min);
            assert!((9_900.0..15_000.0).contains(&least), "{places}: {least} ns");
        }
    }

    #[test]
    fn interrupted_chains_do_not_lengthen_a_cycle() {
        assert_eq!(least([31.0, 20.0, 58.0]).to_bits(), 20.0_f64.to_bits());
    }
}
