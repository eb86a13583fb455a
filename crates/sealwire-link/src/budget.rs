// SPDX-License-Identifier: Apache-2.0
//! A bound on what is done in a window of time for packets that anybody may have sent.

use std::time::Duration;

/// Allows a fixed number of looks in each window of time, whose end nobody has to wait for.
pub(crate) struct Budget {
    looks: u32,
    window: Duration,
    /// The window that the last look was in.
    current: u128,
    spent: u32,
}

impl Budget {
    pub(crate) const fn new(looks: u32, window: Duration) -> Self {
        Self {
            looks,
            window,
            current: 0,
            spent: 0,
        }
    }

    /// Whether one more may be looked at now.
    pub(crate) fn take(&mut self, now: Duration) -> bool {
        let current = now.as_nanos() / self.window.as_nanos().max(1);
        if current != self.current {
            (self.current, self.spent) = (current, 0);
        }
        let left = self.spent < self.looks;
        self.spent += u32::from(left);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_window_has_its_own_looks() {
        let mut budget = Budget::new(3, Duration::from_millis(10));
        let mut taken = |ms| {
            (0..9)
                .filter(|_| budget.take(Duration::from_millis(ms)))
                .count()
        };
        assert_eq!((taken(0), taken(9)), (3, 0));
        assert_eq!((taken(10), taken(19), taken(1000)), (3, 0, 3));
    }
}
