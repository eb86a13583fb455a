// SPDX-License-Identifier: Apache-2.0
//! When the name of a peer that is called is to be looked up: as the call begins, and again and again while nobody answers.

use crate::endpoint::Endpoint;
use std::time::Duration;

/// A peer without an answer is looked up again after this long.
const AGAIN: Duration = Duration::from_secs(5);

/// Of one peer.
#[derive(Default)]
pub(crate) struct LookUps {
    /// When its name was last asked for in this call.
    last: Option<Duration>,
}

impl LookUps {
    /// Whether the name is to be asked for now. To be called after each poll of the end.
    pub(crate) fn is_time<A: Copy + PartialEq>(
        &mut self,
        endpoint: &Endpoint<A>,
        now: Duration,
    ) -> bool {
        if !endpoint.is_calling() && !endpoint.wants_session() {
            self.last = None;
            return false;
        }
        let is_time = self
            .last
            .is_none_or(|last| now.saturating_sub(last) >= AGAIN);
        if is_time {
            self.last = Some(now);
        }
        is_time
    }

    /// When the end is to be polled next.
    pub(crate) fn deadline<A: Copy + PartialEq>(&self, endpoint: &Endpoint<A>) -> Duration {
        let due = endpoint.deadline();
        if endpoint.wants_session() {
            // The end itself has nothing to do until a session is loaded.
            return due.min(self.last.map_or(Duration::ZERO, |last| last + AGAIN));
        }
        due
    }
}
