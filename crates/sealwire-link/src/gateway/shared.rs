// SPDX-License-Identifier: Apache-2.0
//! What the threads of a gateway share: the core under a lock, held before and after the cryptography of a batch of packets and not during it.

use super::{
    Erasures, Failures, Waker,
    clock::Clock,
    copies::Copies,
    core::{Core, System},
    in_words,
};
use crate::wire::Kind;
use std::{
    io,
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// The core and what was counted around it.
pub(super) struct State {
    pub(super) core: Box<dyn Core>,
    clock: Clock,
    /// What the clock showed last.
    latest: Duration,
    failures: Failures,
    erasures: Erasures,
}

impl State {
    /// The core's clock. Read under the lock, so that it never runs backwards for the core.
    pub(super) fn now(&mut self) -> Duration {
        self.latest = self.clock.now();
        self.latest
    }

    /// What the core's clock showed when any thread last read it, for what follows that reading within microseconds.
    pub(super) fn latest(&self) -> Duration {
        self.latest
    }

    pub(super) fn system(&self, now: Duration) -> System {
        System {
            failures: self.failures,
            erasures: self.erasures,
            uptime: now,
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
    /// cannot be news of a copy. True if it erased. Reads the clock.
    pub(super) fn erase_if_exposed(&mut self, copies: Option<&Copies>) -> bool {
        let copied = copies.is_some_and(Copies::came);
        let (now, slept) = self.clock.look();
        self.latest = now;
        if !copied && !slept {
            return false;
        }
        self.core.erase();
        if copied {
            self.erasures.copies += 1;
            tracing::warn!("this machine is a copy of another: sessions erased");
        } else {
            self.erasures.sleeps += 1;
            tracing::warn!("this machine was suspended: sessions erased");
        }
        true
    }
}

/// The state, and what ends every thread.
pub(super) struct Shared {
    state: Mutex<State>,
    kind: Kind,
    copies: Option<Copies>,
    is_over: AtomicBool,
    /// Of the thread that leads.
    waker: Waker,
    /// What the others wait at, and what wakes them all.
    stop: (UnixStream, UnixStream),
}

/// Held by every thread for as long as it runs. Ends the others when that one ends, by a panic, too: the kernel would go on to lead packets to a thread that is gone.
struct Ending<'a>(&'a Shared);

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
            .inspect_err(|error| {
                let error = in_words(error);
                tracing::warn!(error, "the kernel's events cannot be heard");
            })
            .ok();
        tracing::info!(
            copies = copies.is_some() && Copies::are_told(),
            "the kernel tells when this machine is a copy"
        );
        Self::with(core, waker, Clock::new(), copies)
    }

    /// With what says that the machine slept, and what says that it is a copy.
    pub(super) fn with(
        core: Box<dyn Core>,
        waker: Waker,
        clock: Clock,
        copies: Option<Copies>,
    ) -> io::Result<Self> {
        Ok(Self {
            kind: core.kind(),
            state: Mutex::new(State {
                core,
                clock,
                latest: Duration::ZERO,
                failures: Failures::default(),
                erasures: Erasures::default(),
            }),
            copies,
            is_over: AtomicBool::new(false),
            waker,
            stop: UnixStream::pair()?,
        })
    }

    /// Fails when a thread panicked under the lock: what it left half done, such as the numbers of a batch, is not gone on with.
    pub(super) fn lock(&self) -> io::Result<MutexGuard<'_, State>> {
        self.state.lock().map_err(|_| panicked())
    }

    /// Runs `lead` in this thread and each of `follow` in one of its own. When one of them ends, all are to end: they find
    /// [`Shared::is_over`] true, and what they wait at is woken. Gives the first error; a panic of a follower is one.
    pub(super) fn run<W: FnOnce() -> io::Result<()> + Send>(
        &self,
        lead: impl FnOnce() -> io::Result<()>,
        follow: impl Iterator<Item = W>,
    ) -> io::Result<()> {
        thread::scope(|scope| {
            let ending = Ending(self);
            let start = |(number, work): (usize, W)| {
                let run = move || {
                    let _ending = Ending(self);
                    work()
                };
                thread::Builder::new()
                    .name(format!("packets {number}"))
                    .spawn_scoped(scope, run)
            };
            let (mut threads, mut done) = (Vec::new(), Ok(()));
            for started in (2..).zip(follow).map(start) {
                match started {
                    Ok(thread) => threads.push(thread),
                    Err(error) => {
                        done = Err(error);
                        break;
                    }
                }
            }
            let done = done.and_then(|()| lead());
            drop(ending);
            // All are joined, whatever one of them says: a panic that is not taken here is one of the scope.
            let ends = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err(panicked())));
            let ends: Vec<_> = ends.chain([done]).collect();
            ends.into_iter().collect()
        })
    }

    /// What the device carries.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// The kernel's word of copies, which the first thread that hears it acts upon under the lock.
    pub(super) fn copies(&self) -> Option<&Copies> {
        self.copies.as_ref()
    }

    /// What can be read once the run is over.
    pub(super) fn stopped(&self) -> &UnixStream {
        &self.stop.0
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

fn panicked() -> io::Error {
    io::Error::other("a thread of the gateway panicked")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        endpoint::Out,
        gateway::{Address, core::Sealed},
        packet::{Incoming, Outgoing, Ways},
        session::Keys,
    };
    use std::io::Read;

    /// A core that is asked for nothing.
    struct Idle;

    #[rustfmt::skip]
    impl Core for Idle {
        fn kind(&self) -> Kind { Kind::Ip }
        fn obey(&mut self, _: System) -> bool { unreachable!() }
        fn erase(&mut self) { unreachable!() }
        fn poll(&mut self, _: Duration, _: Out<'_, Address>) { unreachable!() }
        fn deadline(&self) -> Duration { unreachable!() }
        fn begin_receive(&mut self, _: Duration, _: &mut [Incoming<'_, Address>], _: &mut Keys) { unreachable!() }
        fn finish_receive(&mut self, _: Duration, _: &mut [Incoming<'_, Address>], _: &Keys, _: Out<'_, Address>) { unreachable!() }
        fn begin_seal(&mut self, _: Duration, _: &mut [Outgoing<'_>], _: &mut Keys, _: Sealed<'_>) { unreachable!() }
        fn finish_seal(&mut self, _: &mut [Outgoing<'_>], _: &Keys, _: &mut Ways<Address>) { unreachable!() }
        fn tell_changes(&mut self) -> bool { unreachable!() }
        fn report(&mut self, _: System) { unreachable!() }
    }

    /// Runs the thread that leads, one that waits and one that does this. Gives what the run says, and the state that the threads had.
    fn run(last: impl FnOnce(&Shared) + Send) -> (io::Result<()>, Shared) {
        let (wake, waker) = Waker::pair().unwrap();
        wake.set_nonblocking(false).unwrap();
        let shared = Shared::new(Box::new(Idle), waker).unwrap();
        let wait = |mut at: &UnixStream| {
            let _ = at.read(&mut [0])?;
            assert!(shared.is_over());
            Ok(())
        };
        type Work<'a> = Box<dyn FnOnce() -> io::Result<()> + Send + 'a>;
        let follow: [Work<'_>; 2] = [
            Box::new(|| wait(shared.stopped())),
            Box::new(|| {
                last(&shared);
                Ok(())
            }),
        ];
        let said = shared.run(|| wait(&wake), follow.into_iter());
        (said, shared)
    }

    #[test]
    fn a_thread_that_ends_ends_the_others() {
        let (said, shared) = run(|_| {});
        assert!(said.is_ok() && shared.lock().is_ok());
    }

    #[test]
    fn a_thread_that_panics_ends_the_others_with_an_error() {
        let (said, shared) = run(|_| panic!("planted"));
        let expected = "a thread of the gateway panicked";
        assert_eq!(said.unwrap_err().to_string(), expected);
        assert!(shared.lock().is_ok(), "the state is whole");
    }

    #[test]
    fn nobody_works_on_with_what_a_panic_left_half_done() {
        let (said, shared) = run(|shared| {
            let _state = shared.lock().unwrap();
            panic!("planted");
        });
        let expected = "a thread of the gateway panicked";
        assert_eq!(said.unwrap_err().to_string(), expected);
        assert_eq!(shared.lock().err().unwrap().to_string(), expected);
    }
}
