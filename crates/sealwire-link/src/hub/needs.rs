// SPDX-License-Identifier: Apache-2.0
//! What a peer needs of who loads its sessions, told from the hub's thread to theirs.

use crate::endpoint::Endpoint;
use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

const WANTS: u8 = 1;
const UP: u8 = 2;

/// Says whether a peer's end needs a session, and whether it has one. As new as the last thing that the hub did for this peer; the hub has
/// something to do at the moment when a session comes to be needed.
#[derive(Debug, Clone, Default)]
pub struct Needs(Arc<AtomicU8>);

impl Needs {
    /// Whether a session is to be loaded, as [`Endpoint::wants_session`] says.
    pub fn wants_session(&self) -> bool {
        self.0.load(Ordering::Relaxed) & WANTS != 0
    }

    /// Whether frames can be sealed.
    pub fn is_up(&self) -> bool {
        self.0.load(Ordering::Relaxed) & UP != 0
    }

    pub(super) fn set<A: Copy + PartialEq>(&self, end: &Endpoint<A>) {
        let bits = if end.wants_session() { WANTS } else { 0 } | if end.is_up() { UP } else { 0 };
        if self.0.load(Ordering::Relaxed) != bits {
            self.0.store(bits, Ordering::Relaxed);
        }
    }
}
