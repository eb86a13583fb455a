// SPDX-License-Identifier: Apache-2.0
//! The times of the specification.

use crate::Error;
use std::time::Duration;

/// A hello, a confirm or a knock is sent again after this long.
pub(super) const RESEND: Duration = Duration::from_millis(250);
/// A keep-alive is sent when nothing was sealed for this long.
pub(super) const KEEP_ALIVE: Duration = Duration::from_millis(250);
/// An initiator that hears no good data packet for this long starts a handshake.
pub(super) const SILENCE: Duration = Duration::from_millis(750);
/// A peer that was not heard for this long, while it sends keep-alives, is not there.
pub(super) const HEARD: Duration = Duration::from_secs(2);
/// A confirm without success is given up after this long.
pub(super) const CONFIRM: Duration = Duration::from_millis(500);
/// The session before the current one is erased after this long.
pub(super) const OLD_SESSION: Duration = Duration::from_secs(2);

/// When sessions are renewed and erased. Both ends may differ: the initiator's rekey counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timers {
    rekey: Duration,
    max_age: Duration,
    rekey_packets: u64,
}

impl Default for Timers {
    /// A new session after 120 s, an end to every session after 180 s.
    fn default() -> Self {
        Self {
            rekey: Duration::from_secs(120),
            max_age: Duration::from_secs(180),
            rekey_packets: u64::MAX,
        }
    }
}

impl Timers {
    /// T_rekey and T_max.
    ///
    /// # Errors
    ///
    /// [`Error::Timers`] unless T_rekey is at least 4 s and T_max at least T_rekey + 4 s, and at most 7 days.
    pub fn new(rekey: Duration, max_age: Duration) -> Result<Self, Error> {
        if rekey < Duration::from_secs(4) {
            return Err(Error::Timers("the rekey time must be at least 4 seconds"));
        }
        if max_age < rekey.saturating_add(Duration::from_secs(4)) {
            return Err(Error::Timers(
                "the session's longest age must be at least 4 seconds more than the rekey time",
            ));
        }
        if max_age > Duration::from_secs(7 * 24 * 3600) {
            return Err(Error::Timers(
                "the session's longest age must be at most 7 days",
            ));
        }
        Ok(Self {
            rekey,
            max_age,
            ..Self::default()
        })
    }

    /// Renews the session also when this many packets were sent or received in it. The suite's own limit,
    /// [`Suite::rekey_packets`](crate::suite::Suite::rekey_packets), always holds.
    ///
    /// Rekeys that follow one another faster than packets can overtake each other on the way lose those that are late.
    #[must_use]
    pub fn with_rekey_packets(self, packets: u64) -> Self {
        Self {
            rekey_packets: packets.max(1),
            ..self
        }
    }

    /// T_rekey.
    pub fn rekey(&self) -> Duration {
        self.rekey
    }

    /// T_max.
    pub fn max_age(&self) -> Duration {
        self.max_age
    }

    /// Packets after which the session is renewed, unless the suite asks for it earlier.
    pub fn rekey_packets(&self) -> u64 {
        self.rekey_packets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_to_the_least_times() {
        let timers = |rekey, max| {
            Timers::new(Duration::from_millis(rekey), Duration::from_millis(max)).is_ok()
        };
        assert!(timers(4000, 8000) && timers(120_000, 180_000));
        assert!(!timers(3999, 180_000) && !timers(4000, 7999) && !timers(4000, 604_800_001));
    }
}
