// SPDX-License-Identifier: Apache-2.0
//! What another thread asks of the gateway: either it is done and answered, or it is given up and never done.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    time::Duration,
};

/// The gateway's end.
pub(super) struct Request<T> {
    decided: Arc<AtomicBool>,
    answer: SyncSender<T>,
}

/// The end of who asks.
pub(super) struct Asked<T> {
    decided: Arc<AtomicBool>,
    answer: Receiver<T>,
}

/// Both ends.
pub(super) fn request<T>() -> (Request<T>, Asked<T>) {
    let decided = Arc::<AtomicBool>::default();
    let (sender, receiver) = sync_channel(1);
    let request = Request {
        decided: Arc::clone(&decided),
        answer: sender,
    };
    let asked = Asked {
        decided,
        answer: receiver,
    };
    (request, asked)
}

impl<T> Request<T> {
    /// What answers, if this is to be done still; then who asked waits for the answer. `None` if it was given up.
    pub(super) fn take(self) -> Option<SyncSender<T>> {
        let was_decided = self.decided.swap(true, Ordering::AcqRel);
        (!was_decided).then_some(self.answer)
    }
}

impl<T> Asked<T> {
    /// The answer. `None` if nobody has taken this up within `patience`: then nobody does so later either.
    pub(super) fn wait(self, patience: Duration) -> Option<T> {
        match self.answer.recv_timeout(patience) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) if self.decided.swap(true, Ordering::AcqRel) => {
                self.answer.recv().ok()
            }
            Err(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    const SHORT: Duration = Duration::from_millis(10);

    #[test]
    fn what_was_given_up_is_not_done() {
        let (request, asked) = request::<u8>();
        assert_eq!(asked.wait(SHORT), None);
        assert!(request.take().is_none());
    }

    #[test]
    fn what_was_taken_up_is_waited_for() {
        let (request, asked) = request();
        let answer = request.take().expect("it is asked still");
        let gateway = thread::spawn(move || {
            thread::sleep(10 * SHORT);
            answer.try_send(7)
        });
        assert_eq!(asked.wait(SHORT), Some(7));
        assert_eq!(gateway.join().expect("it answers"), Ok(()));
    }

    #[test]
    fn a_gateway_that_has_ended_is_not_waited_for() {
        let (request, asked) = request::<u8>();
        drop(request);
        assert_eq!(asked.wait(Duration::from_secs(3600)), None);
    }
}
