// SPDX-License-Identifier: Apache-2.0
//! What the threads of a gateway share: the core under a lock, held before and after the cryptography of a batch of packets and not during it.

use super::{
    Erasures, Failures, Waker,
    clock::Clock,
    copies::Copies,
    core::{Core, System},
};
use std::{
    io,
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The core and what was counted around it.
pub(super) struct State {
    pub(super) core: Box<dyn Core>,
    clock: Clock,
    failures: Failures,
    erasures: Erasures,
}

impl State {
    /// The core's clock. Read under the lock, so that it never runs backwards for the core.
    pub(super) fn now(&self) -> Duration {
        self.clock.now()
    }

    pub(super) fn system(&self) -> System {
        System {
            failures: self.failures,
            erasures: self.erasures,
            uptime: self.now(),
        }
    }

    /// Adds what a thread has counted since it last did so.
    pub(super) fn add(&mut self, failures: &mut Failures) {
        let new = std::mem::take(failures);
        self.failures.unsent += new.unsent;
        self.failures.undelivered += new.undelivered;
        self.failures.foreign += new.foreign;
    }

    /// Erases what a copy of this machine may hold, too, or what somebody may have read while it slept. `copies` is `None` where there
    /// cannot be news of a copy.
    pub(super) fn erase_if_exposed(&mut self, copies: Option<&Copies>) {
        let (copied, slept) = (copies.is_some_and(Copies::came), self.clock.has_slept());
        if !copied && !slept {
            return;
        }
        self.core.erase();
        if copied {
            self.erasures.copies += 1;
            tracing::warn!("this machine is a copy of another: sessions erased");
        } else {
            self.erasures.sleeps += 1;
            tracing::warn!("this machine was suspended: sessions erased");
        }
    }
}

/// The state, and what ends every thread.
pub(super) struct Shared {
    state: Mutex<State>,
    copies: Option<Copies>,
    is_over: AtomicBool,
    /// Of the thread that leads.
    waker: Waker,
    /// What the others wait at, and what wakes them all.
    stop: (UnixStream, UnixStream),
}

/// Ends every thread when the one that holds this does, by a panic, too: the kernel would go on to lead packets to a thread that is gone.
pub(super) struct Ending<'a>(&'a Shared);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.waker.wake();
        let _ = self.0.stop.1.shutdown(Shutdown::Both);
    }
}

impl Shared {
    pub(super) fn new(core: Box<dyn Core>, waker: Waker) -> io::Result<Self> {
        let copies = Copies::watch()
            .inspect_err(|error| tracing::warn!(%error, "the kernel's events cannot be heard"))
            .ok();
        tracing::info!(
            copies = copies.is_some() && Copies::are_told(),
            "the kernel tells when this machine is a copy"
        );
        Ok(Self {
            state: Mutex::new(State {
                core,
                clock: Clock::new(),
                failures: Failures::default(),
                erasures: Erasures::default(),
            }),
            copies,
            is_over: AtomicBool::new(false),
            waker,
            stop: UnixStream::pair()?,
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kernel's word of copies, which the first thread that hears it acts upon under the lock.
    pub(super) fn copies(&self) -> Option<&Copies> {
        self.copies.as_ref()
    }

    /// What can be read once the run is over.
    pub(super) fn stopped(&self) -> &UnixStream {
        &self.stop.0
    }

    /// To be held by every thread for as long as it runs.
    pub(super) fn ending(&self) -> Ending<'_> {
        Ending(self)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
