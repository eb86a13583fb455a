// SPDX-License-Identifier: Apache-2.0
//! Where a thread waits for something to do. The kernel keeps what is waited for between waits, as a packet that comes alone costs two of them.

use rustix::{
    event::{Timespec, epoll},
    io::Errno,
    time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create,
        timerfd_settime,
    },
};
use std::{
    io,
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::Duration,
};

/// As many places as one wait can have.
const MAX_PLACES: usize = 8;
/// The bit of the timer, behind those of the places.
const TIMER: u64 = 1 << MAX_PLACES;
const NOT_AT_ALL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// What is waited for.
pub(super) struct Wait {
    epoll: OwnedFd,
    /// Ends a wait in which nothing comes. A time limit of the wait itself would make the kernel set a timer, and take it back, for each packet.
    timer: OwnedFd,
    /// When the timer goes off, on the caller's clock, if it is set.
    ends: Option<Duration>,
}

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
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let add = |place: BorrowedFd<'_>, bit| {
            epoll::add(
                &epoll,
                place,
                epoll::EventData::new_u64(bit),
                epoll::EventFlags::IN,
            )
        };
        for (bit, place) in places.into_iter().enumerate() {
            assert!(bit < MAX_PLACES, "no place is left out in silence");
            add(place, 1 << bit)?;
        }
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC)?;
        add(timer.as_fd(), TIMER)?;
        Ok(Self {
            epoll,
            timer,
            ends: None,
        })
    }

    /// Waits from `now` on for so long at most. It may end earlier without anything being ready: the timer stays as an earlier wait set it, unless
    /// that is too late for this one.
    pub(super) fn wait(&mut self, now: Duration, longest: Duration) -> io::Result<Ready> {
        let limit = longest.is_zero().then_some(&NOT_AT_ALL);
        if limit.is_none() {
            self.end_by(now.saturating_add(longest), longest)?;
        }
        let mut room = [MaybeUninit::uninit(); MAX_PLACES + 1];
        let (events, was_interrupted) = match epoll::wait(&self.epoll, &mut room, limit) {
            Ok((events, _)) => (&*events, false),
            Err(Errno::INTR) => (&[][..], true),
            Err(error) => return Err(error.into()),
        };
        let places = events.iter().map(|event| event.data.u64());
        let places = places.fold(0, |all, place| all | place);
        if places & TIMER != 0 {
            // It is not read: to set it anew makes it wait again.
            self.ends = None;
        }
        Ok(Ready {
            places,
            was_interrupted,
        })
    }

    /// Sets the timer if it would go off after this time, which is so far away.
    fn end_by(&mut self, end: Duration, away: Duration) -> io::Result<()> {
        if self.ends.is_none_or(|ends| end < ends) {
            let once = Itimerspec {
                it_interval: NOT_AT_ALL,
                it_value: away.try_into().map_err(|_| Errno::INVAL)?,
            };
            timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &once)?;
            self.ends = Some(end);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Write},
        os::unix::net::UnixStream,
        time::Instant,
    };

    #[test]
    fn says_which_place_has_something_until_it_is_read() {
        let [(near, mut far), (other, gone)] = [(); 2].map(|()| UnixStream::pair().unwrap());
        let mut wait = Wait::new([other.as_fd(), near.as_fd()]).unwrap();
        let minute = Duration::from_secs(60);
        far.write_all(&[1]).unwrap();
        for _ in 0..2 {
            let ready = wait.wait(Duration::ZERO, minute).unwrap();
            assert!(!ready.at(0) && ready.at(1));
        }
        drop(gone);
        let ready = wait.wait(Duration::ZERO, minute).unwrap();
        assert!(ready.at(0) && ready.at(1), "an end that is gone, too");
    }

    #[test]
    fn ends_when_the_time_is_over_and_not_later_for_an_earlier_wait() {
        let mut wait = Wait::new([]).unwrap();
        let ms = Duration::from_millis;
        // Two in a row: a timer that has gone off does not end the next wait.
        for now in [ms(1000), ms(1002)] {
            let began = Instant::now();
            wait.wait(now, Duration::from_micros(1500)).unwrap();
            let took = began.elapsed();
            assert!(
                took >= Duration::from_micros(1500) && took < ms(5000),
                "{took:?}"
            );
        }
        // A timer that would go off in a minute, set by a wait that something else has ended.
        let (near, mut far) = UnixStream::pair().unwrap();
        let mut wait = Wait::new([near.as_fd()]).unwrap();
        far.write_all(&[1]).unwrap();
        assert!(wait.wait(ms(0), ms(60_000)).unwrap().at(0));
        assert_eq!({ &near }.read(&mut [0]).unwrap(), 1);
        let began = Instant::now();
        assert!(!wait.wait(ms(1), ms(20)).unwrap().at(0));
        let took = began.elapsed();
        assert!(took >= ms(20) && took < ms(5000), "{took:?}");
        let began = Instant::now();
        wait.wait(ms(30), Duration::ZERO).unwrap();
        assert!(began.elapsed() < ms(1000), "no time, no wait");
    }

    #[test]
    fn a_packet_does_not_set_the_timer() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let mut wait = Wait::new([near.as_fd()]).unwrap();
        far.write_all(&[1]).unwrap();
        let ms = Duration::from_millis;
        for now in (0..200).step_by(10) {
            // Each would allow more than the first.
            assert!(wait.wait(ms(now), ms(500)).unwrap().at(0));
            assert_eq!(wait.ends, Some(ms(500)));
        }
        assert!(wait.wait(ms(200), ms(250)).unwrap().at(0));
        assert_eq!(wait.ends, Some(ms(450)), "one that allows less does");
    }
}
