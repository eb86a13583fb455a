// SPDX-License-Identifier: Apache-2.0
//! The gateway's clock, which runs on while the machine sleeps.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Shorter sleeps are none: the clocks are read one after the other.
const LEAST: Duration = Duration::from_millis(1);

/// Time since the start by `CLOCK_BOOTTIME`: a session's age counts the time that the machine was suspended.
pub(super) struct Clock {
    began: Duration,
    slept: Sleep,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self {
            began: read(ClockId::Boottime),
            slept: Sleep::default(),
        }
    }

    pub(super) fn now(&self) -> Duration {
        read(ClockId::Boottime).saturating_sub(self.began)
    }

    /// Whether the machine was suspended since this was last asked.
    pub(super) fn has_slept(&mut self) -> bool {
        let before = read(ClockId::Monotonic);
        let boot = read(ClockId::Boottime);
        let after = read(ClockId::Monotonic);
        self.slept.grew(before, boot, after)
    }
}

fn read(clock: ClockId) -> Duration {
    // Neither part is below zero: both clocks begin with the machine.
    clock_gettime(clock).try_into().unwrap_or_default()
}

/// How long the machine was suspended since it began: the lead of the one clock over the other, which stands still meanwhile.
#[derive(Default)]
struct Sleep {
    /// The lead is not more than this. `None` before the first reading.
    most: Option<Duration>,
}

impl Sleep {
    /// Takes a reading of the lead, between two of the clock that stands still. However long the readings take, the lead lies between
    /// the two differences, so that a delay is not taken for a sleep.
    fn grew(&mut self, before: Duration, boot: Duration, after: Duration) -> bool {
        let (least, most) = (boot.saturating_sub(after), boot.saturating_sub(before));
        let grew = self.most.is_some_and(|known| least > known + LEAST);
        self.most = Some(match self.most {
            Some(known) if !grew => known.min(most),
            _ => most,
        });
        grew
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_a_sleep_from_a_delay() {
        let ms = Duration::from_millis;
        let mut sleep = Sleep::default();
        // The machine had slept 100 ms before the start; then readings with a delay of a second between two of them.
        for (before, boot, after, grew) in [
            (0, 100, 0, false),
            (10, 110, 11, false),
            (20, 1120, 1020, false),
            (2000, 2100, 3000, false),
            (4000, 4150, 4000, true),
            (4010, 4160, 4010, false),
            (5000, 9150, 9000, false),
            (9100, 9250, 9100, false),
            (9200, 9360, 9200, true),
        ] {
            let said = sleep.grew(ms(before), ms(boot), ms(after));
            assert_eq!(said, grew, "at {before} ms");
        }
    }

    #[test]
    fn runs_and_has_not_slept() {
        let mut clock = Clock::new();
        let began = clock.now();
        std::thread::sleep(Duration::from_millis(20));
        assert!(clock.now() >= began + Duration::from_millis(20));
        assert!((0..1000).all(|_| !clock.has_slept()));
    }
}
