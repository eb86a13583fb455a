// SPDX-License-Identifier: Apache-2.0
//! The gateway's clock, which runs on while the machine sleeps.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Shorter sleeps are none: the clocks are read one after the other.
const LEAST: Duration = Duration::from_millis(1);

/// Tells the time of one of the system's clocks.
type Read = Box<dyn Fn(ClockId) -> Duration + Send>;

/// Time since the start by `CLOCK_BOOTTIME`: a session's age counts the time that the machine was suspended.
pub(super) struct Clock {
    read: Read,
    began: Duration,
    slept: Sleep,
    /// When a sleep was last looked for.
    looked: Duration,
}

impl Clock {
    pub(super) fn new() -> Self {
        Self::reading(Box::new(read))
    }

    /// A clock of which these are the system's.
    pub(super) fn reading(read: Read) -> Self {
        Self {
            began: read(ClockId::Boottime),
            slept: Sleep::default(),
            looked: Duration::ZERO,
            read,
        }
    }

    pub(super) fn now(&self) -> Duration {
        (self.read)(ClockId::Boottime).saturating_sub(self.began)
    }

    /// What time it is, and whether the machine was suspended since this was last asked.
    pub(super) fn look(&mut self) -> (Duration, bool) {
        let mut boot = (self.read)(ClockId::Boottime);
        let mut has_slept = false;
        // A sleep shows in this clock as much as in its lead: where it has hardly moved, there was none that counts.
        if boot.saturating_sub(self.looked) >= LEAST {
            let before = (self.read)(ClockId::Monotonic);
            boot = (self.read)(ClockId::Boottime);
            let after = (self.read)(ClockId::Monotonic);
            has_slept = self.slept.grew(before, boot, after);
            self.looked = boot;
        }
        (boot.saturating_sub(self.began), has_slept)
    }
}

fn read(clock: ClockId) -> Duration {
    // Neither part is below zero: both clocks begin with the machine.
    clock_gettime(clock).try_into().unwrap_or_default()
}

/// How long the machine was suspended since it began: the lead of the one clock over the other, which stands still meanwhile.
#[derive(Default)]
struct Sleep {
    /// The lead is not more than this. `None` before the first reading.
    most: Option<Duration>,
}

impl Sleep {
    /// Takes a reading of the lead, between two of the clock that stands still. However long the readings take, the lead lies between
    /// the two differences, so that a delay is not taken for a sleep.
    fn grew(&mut self, before: Duration, boot: Duration, after: Duration) -> bool {
        let (least, most) = (boot.saturating_sub(after), boot.saturating_sub(before));
        let grew = self.most.is_some_and(|known| least > known + LEAST);
        self.most = Some(match self.most {
            Some(known) if !grew => known.min(most),
            _ => most,
        });
        grew
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        env,
        fs::OpenOptions,
        io::Write,
        process::Command,
        sync::{
            Arc,
            atomic::{AtomicU64, Ordering},
        },
        thread,
    };

    /// Set for a program that is to say what its clock shows.
    const SAYS: &str = "SEALWIRE_CLOCK_SAYS";
    /// So far ahead is `CLOCK_BOOTTIME`, and no other clock, in the child's time namespace, in seconds.
    const AHEAD: u64 = 1_000_000;

    /// Says so in the list, too, with which `make test` ends.
    fn skipped(reason: &str) {
        println!("skipped: {reason}");
        if let Some(list) = env::var_os("SEALWIRE_SKIPPED") {
            let test = thread::current().name().unwrap_or("a test").to_owned();
            let mut list = OpenOptions::new()
                .create(true)
                .append(true)
                .open(list)
                .unwrap();
            writeln!(list, "{reason}\t{test}").unwrap();
        }
    }

    #[test]
    fn tells_a_sleep_from_a_delay() {
        let ms = Duration::from_millis;
        let mut sleep = Sleep::default();
        // The machine had slept 100 ms before the start; then readings with a delay of a second between two of them.
        for (before, boot, after, grew) in [
            (0, 100, 0, false),
            (10, 110, 11, false),
            (20, 1120, 1020, false),
            (2000, 2100, 3000, false),
            (4000, 4150, 4000, true),
            (4010, 4160, 4010, false),
            (5000, 9150, 9000, false),
            (9100, 9250, 9100, false),
            (9200, 9360, 9200, true),
        ] {
            let said = sleep.grew(ms(before), ms(boot), ms(after));
            assert_eq!(said, grew, "at {before} ms");
        }
    }

    #[test]
    fn counts_the_time_asleep_and_tells_of_it() {
        let asleep = Arc::new(AtomicU64::new(7));
        let seen = Arc::clone(&asleep);
        let mut clock = Clock::reading(Box::new(move |clock| {
            let asleep = seen.load(Ordering::Relaxed);
            match clock {
                ClockId::Monotonic => Duration::from_secs(50),
                ClockId::Boottime => Duration::from_secs(50 + asleep),
                _ => panic!("{clock:?} is not asked"),
            }
        }));
        assert_eq!(clock.now(), Duration::ZERO);
        assert_eq!(clock.look(), (Duration::ZERO, false));
        asleep.store(10, Ordering::Relaxed);
        let later = Duration::from_secs(3);
        assert_eq!(clock.now(), later);
        assert_eq!(clock.look(), (later, true));
        assert_eq!(clock.look(), (later, false), "said once");
    }

    #[test]
    fn looks_for_a_sleep_when_there_can_have_been_one() {
        let nanos = Arc::new(AtomicU64::new(0));
        let reads = Arc::new(AtomicU64::new(0));
        let (slept, count) = (Arc::clone(&nanos), Arc::clone(&reads));
        let awake = Duration::from_secs(50);
        let mut clock = Clock::reading(Box::new(move |clock| {
            count.fetch_add(1, Ordering::Relaxed);
            match clock {
                ClockId::Boottime => awake + Duration::from_nanos(slept.load(Ordering::Relaxed)),
                _ => awake,
            }
        }));
        let mut look = |slept| {
            nanos.store(slept, Ordering::Relaxed);
            let before = reads.load(Ordering::Relaxed);
            let has_slept = clock.look().1;
            (has_slept, reads.load(Ordering::Relaxed) - before)
        };
        assert_eq!(look(0), (false, 4));
        for slept in (100_000..1_000_000).step_by(100_000) {
            assert_eq!(look(slept), (false, 1), "one reading for a packet");
        }
        assert_eq!(look(1_000_001), (true, 4), "many short ones are one");
        assert_eq!(look(3_000_000), (true, 4));
        assert_eq!(look(3_000_000), (false, 1));
    }

    /// The kernel's clocks, in a child for which one of them is ahead.
    #[test]
    fn the_clock_is_the_one_that_runs_on_while_the_machine_sleeps() {
        if env::var_os(SAYS).is_some() {
            let clock = Clock::new();
            println!(
                "{SAYS} {} {}",
                clock.began.as_nanos(),
                clock.now().as_nanos()
            );
            return;
        }
        let in_namespace = || {
            let mut command = Command::new("unshare");
            command.args(["--time", "--fork", "--boottime", &AHEAD.to_string()]);
            command
        };
        let may_be_had = in_namespace().arg("true").output();
        if !may_be_had.is_ok_and(|output| output.status.success()) {
            skipped("no time namespace can be made (root, util-linux 2.36 or later)");
            return;
        }
        let ahead = Duration::from_secs(AHEAD);
        let earliest = read(ClockId::Boottime) + ahead;
        let output = in_namespace()
            .arg(env::current_exe().unwrap())
            .args(["--exact", "--nocapture", thread::current().name().unwrap()])
            .env(SAYS, "")
            .output()
            .unwrap();
        let latest = read(ClockId::Boottime) + ahead;
        let said = String::from_utf8(output.stdout).unwrap();
        let words = said
            .split_whitespace()
            .skip_while(|&word| word != SAYS)
            .skip(1);
        let mut times = words.map_while(|word| word.parse().ok().map(Duration::from_nanos));
        let (began, now) = times.next().zip(times.next()).expect(&said);
        assert!((earliest..=latest).contains(&began), "{began:?}");
        assert!(now <= latest - earliest, "{now:?} after the start");
    }

    #[test]
    fn runs_and_has_not_slept() {
        let mut clock = Clock::new();
        let began = clock.now();
        thread::sleep(Duration::from_millis(20));
        assert!(clock.now() >= began + Duration::from_millis(20));
        assert!((0..1000).all(|_| !clock.look().1));
    }
}
