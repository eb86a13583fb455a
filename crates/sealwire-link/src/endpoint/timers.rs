// SPDX-License-Identifier: Apache-2.0
//! The times of the specification.

use super::slots::Slot;
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

/// A session that carries nothing yet is renewed after this long, if not later for its own time.
pub(super) const IDLE: Duration = Duration::from_secs(600);
/// So long a responder answers keep-alives in a new session: its first answer may have been lost.
pub(super) const PROOF: Duration = Duration::from_secs(1);

/// When an end says something though it has nothing to carry. Both ends need the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KeepAlive {
    /// As the wire format says it for every end: a keep-alive after 250 ms without another packet, always. An end in RTL knows no other way.
    #[default]
    Prompt,
    /// As [`KeepAlive::Off`], and a keep-alive after this long without another packet, so that address translations and firewalls on
    /// the way keep the path open, and a peer that is gone is missed.
    Every(Duration),
    /// A frame is answered after 250 ms at the latest, by another or by a keep-alive; an initiator whose frame was not answered
    /// after 750 ms starts a handshake; a responder whose frame finds no session asks for one. Else nothing is said. A session's time begins with
    /// its first frame.
    Off,
}

/// When sessions are renewed and erased. Both ends may differ: the initiator's rekey counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timers {
    rekey: Duration,
    max_age: Duration,
    rekey_packets: u64,
    keep_alive: KeepAlive,
}

impl Default for Timers {
    /// A new session after 120 s, an end to every session after 180 s.
    fn default() -> Self {
        Self {
            rekey: Duration::from_secs(120),
            max_age: Duration::from_secs(180),
            rekey_packets: u64::MAX,
            keep_alive: KeepAlive::Prompt,
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

    /// Says when keep-alives are sent.
    ///
    /// # Errors
    ///
    /// [`Error::Timers`] if they are to come more often than once a second or less than once in ten minutes.
    pub fn with_keep_alive(self, keep_alive: KeepAlive) -> Result<Self, Error> {
        if let KeepAlive::Every(pause) = keep_alive
            && !(Duration::from_secs(1)..=IDLE).contains(&pause)
        {
            return Err(Error::Timers(
                "keep-alives must be at least 1 and at most 600 seconds apart",
            ));
        }
        Ok(Self { keep_alive, ..self })
    }

    /// When keep-alives are sent.
    pub fn keep_alive(&self) -> KeepAlive {
        self.keep_alive
    }

    /// When a session is to be renewed for its age.
    pub(super) fn renews_at(&self, slot: &Slot) -> Duration {
        self.end_of(slot, self.rekey)
    }

    /// When a session is erased for its age.
    pub(super) fn dies_at(&self, slot: &Slot) -> Duration {
        if slot.heard {
            self.end_of(slot, self.max_age)
        } else {
            slot.born + self.max_age
        }
    }

    /// `age` after the session's birth; where nothing is said without need, after its first frame, or some time after its birth.
    fn end_of(&self, slot: &Slot, age: Duration) -> Duration {
        if self.keep_alive == KeepAlive::Prompt {
            return slot.born + age;
        }
        let unused = slot.born + age.max(IDLE + age.saturating_sub(self.rekey));
        slot.used_at.map_or(unused, |used| unused.min(used + age))
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
