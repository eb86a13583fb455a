// SPDX-License-Identifier: Apache-2.0
//! The numbers of an initiator's hellos: they grow, over restarts too, so that the responder can refuse a recorded one.

use crate::wire::Version;
use std::time::{SystemTime, UNIX_EPOCH};

/// Tells a time of which later readings are greater, over restarts too: nanoseconds since 1970, unless the caller has another.
pub type WallClock = Box<dyn FnMut() -> u64 + Send>;

/// Numbers for hellos. Where the clock stands still or goes back they count on.
pub(super) struct HelloNumbers {
    clock: WallClock,
    last: u64,
}

impl Default for HelloNumbers {
    fn default() -> Self {
        Self::new(Box::new(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            since.map_or(0, |since| {
                u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
            })
        }))
    }
}

impl HelloNumbers {
    pub(super) const fn new(clock: WallClock) -> Self {
        Self { clock, last: 0 }
    }

    /// The number of the next hello: 0 in version 1, which has none.
    pub(super) fn next(&mut self, version: Version) -> u64 {
        if version == Version::One {
            return 0;
        }
        self.last = (self.clock)().max(self.last.saturating_add(1));
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grow_whatever_the_clock_does() {
        let mut readings = [5, 9, 9, 3, 20, u64::MAX].into_iter();
        let mut numbers = HelloNumbers::new(Box::new(move || readings.next().unwrap()));
        assert_eq!(numbers.next(Version::One), 0);
        let given = [(); 6].map(|()| numbers.next(Version::Two));
        assert_eq!(given, [5, 9, 10, 11, 20, u64::MAX]);
    }

    #[test]
    fn are_the_systems_time_unless_told_otherwise() {
        let now = HelloNumbers::default().next(Version::Two);
        let later = HelloNumbers::default().next(Version::Two);
        assert!(now > 1_700_000_000_000_000_000 && later >= now);
    }
}
