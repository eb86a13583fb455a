// SPDX-License-Identifier: Apache-2.0
//! What a gateway, its handles and a Noise channel in a thread beside it share.

use super::fresh::{Erased, Fresh};
use crate::{
    noise::{self, Channel, Tally},
    session::SessionKeys,
};
use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// Counts of the channel, erasures of the gateway, and whether that has ended.
#[derive(Clone, Default)]
pub struct Beside {
    counts: Arc<Mutex<Tally>>,
    /// Whether reports tell of a channel.
    has_channel: bool,
    /// As this copy knows of them.
    erased: Erased,
    ended: Arc<AtomicBool>,
}

impl Beside {
    pub(super) fn new(ended: Arc<AtomicBool>) -> Self {
        Self {
            ended,
            ..Self::default()
        }
    }

    /// What the channel counted so far, whether reports tell of it or not.
    pub(super) fn tally<T>(&self, read: impl FnOnce(&Tally) -> T) -> T {
        read(&self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What reports tell of the channel.
    pub(super) fn told<T>(&self, read: impl FnOnce(&Tally) -> T) -> Option<T> {
        self.has_channel.then(|| self.tally(read))
    }

    /// All sessions were erased.
    pub(super) fn erase(&self) {
        self.erased.add();
    }

    /// How often all sessions were erased.
    pub(super) fn erasures(&self) -> u64 {
        self.erased.count()
    }

    /// Keys that are drawn now.
    pub(super) fn fresh_now(&self, keys: SessionKeys) -> Fresh {
        self.erased.fresh_now(keys)
    }

    /// Keys that were drawn after the last erasure that [`Beside::forgets`] told of.
    pub(super) fn fresh(&self, keys: SessionKeys) -> Fresh {
        self.erased.fresh(keys)
    }

    /// Whether there was an erasure since this was last asked.
    pub(super) fn forgets(&mut self) -> bool {
        self.erased.is_news()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// A handle of a gateway whose sessions may come through a Noise channel.
pub trait ChannelHandle: noise::Target + Sized {
    /// What the handle shares with a channel.
    fn beside(&mut self) -> &mut Beside;

    /// Makes the reports of this handle tell of a Noise channel.
    #[must_use]
    fn with_channel(mut self) -> Self {
        self.beside().has_channel = true;
        self
    }

    /// Brings sessions through a Noise channel until the gateway has ended. To be called in a thread of its own, on a handle that
    /// [`ChannelHandle::with_channel`] has made. The channel's numbers of peers are the hub's.
    ///
    /// # Errors
    ///
    /// The operating system's, when it cannot use the socket.
    fn run_channel(mut self, channel: Channel) -> io::Result<()> {
        let counts = Arc::clone(&self.beside().counts);
        channel.run(&mut self, &counts)
    }
}
