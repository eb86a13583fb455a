// SPDX-License-Identifier: Apache-2.0
//! The ids of sessions that were loaded lately, so that none of them is loaded again once it is no longer live.

use crate::wire::SessionId;
use arrayvec::ArrayVec;

/// How many ids are remembered. A new session has one of them by chance once in 2^26 times.
pub const RECENT: usize = 64;

/// The last [`RECENT`] ids.
#[derive(Default)]
pub(super) struct Recent {
    ids: ArrayVec<SessionId, RECENT>,
    /// Where the next id goes when there is no room left: the oldest one's place.
    next: usize,
}

impl Recent {
    pub(super) fn has(&self, session: SessionId) -> bool {
        self.ids.contains(&session)
    }

    /// Remembers an id, and forgets the oldest one if there is no room left.
    pub(super) fn add(&mut self, session: SessionId) {
        if self.ids.try_push(session).is_err() {
            self.ids[self.next] = session;
            self.next = (self.next + 1) % RECENT;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_exactly_the_last_ids() {
        let id = |i: usize| (i as u32).to_be_bytes();
        let mut recent = Recent::default();
        for last in 0..3 * RECENT {
            assert!(!recent.has(id(last)));
            recent.add(id(last));
            for i in 0..=last {
                assert_eq!(recent.has(id(i)), i + RECENT > last, "{i} after {last}");
            }
        }
    }
}
