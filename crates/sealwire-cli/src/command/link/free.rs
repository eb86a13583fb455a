// SPDX-License-Identifier: Apache-2.0
//! An address or a device that another process lets go of: the system takes about a second to end one that was killed.

use super::super::input::plain;
use std::{
    io::{self, ErrorKind},
    thread,
    time::{Duration, Instant},
};

/// So long an end waits for what another process has still.
const PATIENCE: Duration = Duration::from_secs(3);
const AGAIN: Duration = Duration::from_millis(100);

/// Opens something as soon as nobody else has it.
pub(super) fn once_free<T>(mut open: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let began = Instant::now();
    let mut waits = false;
    loop {
        match open() {
            Err(error) if is_taken(&error) && began.elapsed() < PATIENCE => {
                if !std::mem::replace(&mut waits, true) {
                    let (seconds, error) = (PATIENCE.as_secs(), plain(&error));
                    tracing::info!(
                        error,
                        "waits up to {seconds} s for another process to let go"
                    );
                }
                thread::sleep(AGAIN);
            }
            opened => return opened,
        }
    }
}

fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::ResourceBusy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;

    #[test]
    fn what_is_let_go_of_is_opened_and_what_is_kept_is_refused_in_the_end() {
        let holder = UdpSocket::bind("127.0.0.1:0").unwrap();
        let address = holder.local_addr().unwrap();
        let leaver = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            drop(holder);
        });
        let kept = once_free(|| UdpSocket::bind(address)).unwrap();
        leaver.join().unwrap();
        let began = Instant::now();
        let refused = once_free(|| UdpSocket::bind(address)).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::AddrInUse);
        assert!(began.elapsed() >= PATIENCE);
        drop(kept);
        let mut tries = 0;
        let other = once_free(|| {
            tries += 1;
            Err::<(), _>(io::Error::from(ErrorKind::PermissionDenied))
        });
        assert!(other.is_err());
        assert_eq!(tries, 1, "no waiting mends that");
    }
}
