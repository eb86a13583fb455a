// SPDX-License-Identifier: Apache-2.0
//! Sessions that come to a gateway from another thread, which may have drawn them before the last erasure.

use crate::session::SessionKeys;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Keys that serve only as long as nothing is erased: a copy of this machine may hold older ones, too.
pub(super) struct Fresh {
    keys: SessionKeys,
    /// How many erasures the giver knew of when it drew them.
    erasures: u64,
}

impl Fresh {
    pub(super) fn unless_erased_since(self, erasures: u64) -> Option<SessionKeys> {
        (self.erasures == erasures).then_some(self.keys)
    }
}

/// How often a gateway erased its sessions, and of how many erasures one thread beside it knows.
#[derive(Clone, Default)]
pub(super) struct Erased {
    count: Arc<AtomicU64>,
    known: u64,
}

impl Erased {
    /// An erasure has happened.
    pub(super) fn add(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// Erasures so far.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Whether there was an erasure since this was last asked.
    pub(super) fn is_news(&mut self) -> bool {
        let count = self.count();
        std::mem::replace(&mut self.known, count) != count
    }

    /// Keys that were drawn after the last erasure that is known.
    pub(super) fn fresh(&self, keys: SessionKeys) -> Fresh {
        Fresh {
            keys,
            erasures: self.known,
        }
    }

    /// Keys that are drawn now.
    pub(super) fn fresh_now(&self, keys: SessionKeys) -> Fresh {
        Fresh {
            keys,
            erasures: self.count(),
        }
    }
}
