// SPDX-License-Identifier: Apache-2.0
//! Where a thread waits for something to do. The kernel keeps what is waited for between waits, as a packet that comes alone costs two of them.

use nix::{
    errno::Errno,
    sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags},
};
use std::{io, os::fd::BorrowedFd, time::Duration};

/// As many places as one wait can have.
const MAX_PLACES: usize = 8;

/// What is waited for.
pub(super) struct Wait(Epoll);

/// What ended a wait.
#[derive(Clone, Copy)]
pub(super) struct Ready {
    /// A bit for each place.
    places: u64,
    /// A signal came.
    pub(super) was_interrupted: bool,
}

impl Ready {
    /// Whether there is something to read, or an error, at the place of this number.
    pub(super) fn at(self, place: usize) -> bool {
        self.places >> place & 1 == 1
    }
}

impl Wait {
    /// For what can be read at one of these places, which must stay open as long.
    pub(super) fn new<'a>(places: impl IntoIterator<Item = BorrowedFd<'a>>) -> io::Result<Self> {
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        for (bit, place) in places.into_iter().enumerate() {
            assert!(bit < MAX_PLACES, "no place is left out in silence");
            epoll.add(place, EpollEvent::new(EpollFlags::EPOLLIN, 1 << bit))?;
        }
        Ok(Self(epoll))
    }

    /// Waits for so long at most, a part of a millisecond counting as a whole one.
    pub(super) fn wait(&self, longest: Duration) -> io::Result<Ready> {
        let milliseconds = longest.as_nanos().div_ceil(1_000_000);
        let milliseconds = u16::try_from(milliseconds).unwrap_or(u16::MAX);
        let mut events = [EpollEvent::empty(); MAX_PLACES];
        let (count, was_interrupted) = match self.0.wait(&mut events, milliseconds) {
            Ok(count) => (count, false),
            Err(Errno::EINTR) => (0, true),
            Err(error) => return Err(error.into()),
        };
        let places = events.iter().take(count).map(EpollEvent::data);
        Ok(Ready {
            places: places.fold(0, |all, place| all | place),
            was_interrupted,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{io::Write, os::fd::AsFd, os::unix::net::UnixStream, time::Instant};

    #[test]
    fn says_which_place_has_something_until_it_is_read() {
        let [(near, mut far), (other, gone)] = [(); 2].map(|()| UnixStream::pair().unwrap());
        let wait = Wait::new([other.as_fd(), near.as_fd()]).unwrap();
        let began = Instant::now();
        let ready = wait.wait(Duration::from_micros(1500)).unwrap();
        assert!(!ready.at(0) && !ready.at(1));
        assert!(began.elapsed() >= Duration::from_micros(1500));
        far.write_all(&[1]).unwrap();
        for _ in 0..2 {
            let ready = wait.wait(Duration::from_secs(60)).unwrap();
            assert!(!ready.at(0) && ready.at(1));
        }
        drop(gone);
        let ready = wait.wait(Duration::from_secs(60)).unwrap();
        assert!(ready.at(0) && ready.at(1), "an end that is gone, too");
    }
}
