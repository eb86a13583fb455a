// SPDX-License-Identifier: Apache-2.0
//! To which peer a session id leads. Every id is chosen by this end or checked by it, and leads to one peer only.

use crate::{Error, endpoint::Random, schedule::system_random, wire::SessionId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// How often a random value is drawn while the id in it leads to somebody already.
const DRAWS: usize = 16;

/// The table, which the random sources of all peers look into.
#[derive(Clone, Default)]
pub(super) struct Sessions(Arc<Mutex<HashMap<SessionId, u32>>>);

impl Sessions {
    /// The peer whose packets carry this id.
    pub(super) fn peer_of(&self, session: SessionId) -> Option<u32> {
        self.lock().get(&session).copied()
    }

    /// Takes a peer's ids out that it no longer has, and puts in the new ones.
    pub(super) fn replace(&self, peer: u32, before: &[SessionId], after: &[SessionId]) {
        let mut table = self.lock();
        for id in before.iter().filter(|id| !after.contains(id)) {
            if table.get(id) == Some(&peer) {
                table.remove(id);
            }
        }
        for id in after {
            // An id that leads to somebody else stays theirs: `random` and `Hub::load` see to it that there is none.
            table.entry(*id).or_insert(peer);
        }
    }

    /// Random bytes for one peer's values, the first four of which lead to nobody yet.
    pub(super) fn random(&self) -> Random {
        self.random_of(system_random())
    }

    fn random_of(&self, mut source: Random) -> Random {
        let table = self.clone();
        Box::new(move |bytes| {
            for _ in 0..DRAWS {
                source(bytes)?;
                let id = bytes.first_chunk().ok_or(Error::Random)?;
                if table.peer_of(*id).is_none() {
                    return Ok(());
                }
            }
            Err(Error::Random)
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_to_one_peer_until_that_has_it_no_more() {
        let sessions = Sessions::default();
        sessions.replace(1, &[], &[[1; 4], [2; 4]]);
        sessions.replace(2, &[], &[[2; 4], [3; 4]]);
        assert_eq!(
            [1, 2, 3, 4].map(|b| sessions.peer_of([b; 4])),
            [Some(1), Some(1), Some(2), None]
        );
        sessions.replace(2, &[[2; 4], [3; 4]], &[]);
        sessions.replace(1, &[[1; 4], [2; 4]], &[[2; 4]]);
        assert_eq!(
            [1, 2, 3].map(|b| sessions.peer_of([b; 4])),
            [None, Some(1), None]
        );
    }

    #[test]
    fn a_value_whose_id_is_taken_is_drawn_again() {
        let sessions = Sessions::default();
        sessions.replace(1, &[], &[[1; 4]]);
        let mut next = [1, 1, 7].into_iter();
        let mut random = sessions.random_of(Box::new(move |bytes| {
            bytes.fill(next.next().unwrap_or(1));
            Ok(())
        }));
        let mut bytes = [0; 32];
        assert_eq!((random(&mut bytes), bytes), (Ok(()), [7; 32]));
        assert_eq!(
            random(&mut bytes),
            Err(Error::Random),
            "never one that is taken"
        );
    }
}
