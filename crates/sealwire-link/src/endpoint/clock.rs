// SPDX-License-Identifier: Apache-2.0
//! A clock that never runs backwards, whatever the caller's does.

use std::time::Duration;

/// Time as the state machine counts it: the sum of the caller's steps forward. A step back is taken as none, so that timers
/// neither hang until the caller's clock has caught up nor see an age below zero.
#[derive(Debug, Default)]
pub(super) struct Clock {
    now: Duration,
    callers: Option<Duration>,
}

impl Clock {
    /// Takes the caller's time. The first call sets where both clocks begin.
    pub(super) fn advance(&mut self, callers: Duration) -> Duration {
        let step = callers.saturating_sub(self.callers.unwrap_or(callers));
        self.callers = Some(callers);
        self.now = self.now.saturating_add(step);
        self.now
    }

    pub(super) fn now(&self) -> Duration {
        self.now
    }

    /// A time of this clock on the caller's.
    pub(super) fn to_callers(&self, at: Duration) -> Duration {
        self.callers
            .unwrap_or_default()
            .saturating_add(at.saturating_sub(self.now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_steps_forward_and_ignores_steps_back() {
        let s = Duration::from_secs;
        let mut clock = Clock::default();
        assert_eq!(clock.advance(s(1000)), s(0));
        assert_eq!(clock.advance(s(1003)), s(3));
        assert_eq!(clock.advance(s(10)), s(3));
        assert_eq!(clock.advance(s(12)), s(5));
        assert_eq!(clock.to_callers(s(7)), s(14));
        assert_eq!(clock.to_callers(s(1)), s(12), "what is past is due now");
        assert_eq!(clock.advance(Duration::MAX), Duration::MAX - s(12) + s(5));
        assert_eq!(clock.to_callers(Duration::MAX), Duration::MAX);
    }
}
