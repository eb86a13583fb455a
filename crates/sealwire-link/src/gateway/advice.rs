// SPDX-License-Identifier: Apache-2.0
//! Why no session comes, as far as this end can see, and what to do: for the log and for `status`.

use super::{Address, KeyStatus, Report};
use crate::{
    endpoint::Clues,
    noise::Refusal,
    schedule::{Id, Role},
    wire::{DropCause, LocalDrop},
};
use std::time::Duration;

/// An end without a session says so after this long.
const PATIENCE: Duration = Duration::from_secs(3);
/// An advice is given again after this long at the earliest, however many packets an attacker sends.
const REPEAT: Duration = Duration::from_secs(60);
/// An advice that differs from the last one comes after this long at the earliest.
const CHANGE: Duration = Duration::from_secs(10);
/// An advice that holds with a session, too, ends when what it speaks of did not come for this long.
const PAST: Duration = Duration::from_secs(20);
/// Sessions by turns from two addresses that speak for two ends, and the time in which they come.
const TURNS: u32 = 3;
const TURNS_WITHIN: Duration = Duration::from_secs(300);
/// So many messages speak for a cause: a single one may be damaged or forged.
const SEVERAL: u64 = 2;

/// The most likely cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    SameId,
    TwoEnds([Address; 2]),
    OtherKey,
    OtherChannelKey,
    StrangerId(Id),
    Version,
    Suite,
    Type,
    Stale,
    Unanswered,
    NotCalled,
    Unknown,
}

/// What was counted when the last advice was given. An own id that came through the Noise channel is a clue like one in a hello.
#[derive(Debug, Clone, Default)]
struct Marks {
    clues: Clues,
    drops: [u64; DropCause::ALL.len()],
    /// Packets that came, but for requests to be called: who sends those is in want of a session, too.
    untrusted_in: u64,
    channel_auth: u64,
}

impl Marks {
    fn of(report: &Report) -> Self {
        let dropped = |cause| report.channel.map_or(0, |channel| channel.dropped(cause));
        let mut clues = report.clues;
        clues.own_ids += dropped(Refusal::OwnId);
        Self {
            clues,
            drops: report.counters.drops,
            untrusted_in: (report.counters.untrusted_in).saturating_sub(clues.requests),
            channel_auth: dropped(Refusal::Auth) + dropped(Refusal::Peer),
        }
    }
}

/// Watches reports and says what is wrong, seldom enough for a log.
#[derive(Default)]
pub(super) struct Adviser {
    marks: Marks,
    marked_at: Duration,
    /// Since when a session is missing.
    missing_since: Option<Duration>,
    told: Option<(Cause, Duration)>,
    /// When a cause that speaks for itself was last seen.
    plain_at: Duration,
    advice: Option<String>,
    /// The peer is one of many, of which some are away.
    of_many: bool,
    turns: Turns,
}

/// Sessions that come from two addresses by turns, as those of two ends with one id and one key do. An end that moves comes from a new
/// address each time.
#[derive(Default)]
struct Turns {
    /// Where the last session came from, and the one before from elsewhere.
    last: Option<Address>,
    other: Option<Address>,
    count: u32,
    /// Since when turns are counted.
    since: Duration,
}

impl Turns {
    fn note(&mut self, now: Duration, address: Option<Address>) {
        if now.saturating_sub(self.since) >= TURNS_WITHIN {
            (self.count, self.since) = (0, now);
        }
        if address.is_none() || address == self.last {
            return;
        }
        self.count = if address == self.other {
            self.count + 1
        } else {
            0
        };
        (self.other, self.last) = (self.last, address);
    }

    /// The two addresses, if there were turns enough of late.
    fn between(&self, now: Duration) -> Option<[Address; 2]> {
        let is_late = now.saturating_sub(self.since) < TURNS_WITHIN;
        let is_told = is_late && self.count >= TURNS;
        self.last
            .zip(self.other)
            .filter(|_| is_told)
            .map(|(last, other)| [last, other])
    }
}

impl Adviser {
    /// For one of a hub's peers: that it does not call is no news.
    pub(super) fn of_many() -> Self {
        Self {
            of_many: true,
            ..Self::default()
        }
    }

    /// A session of the peer became the current one; its packets come from this address.
    pub(super) fn note_session(&mut self, now: Duration, address: Option<Address>) {
        self.turns.note(now, address);
    }

    /// The advice that holds now.
    pub(super) fn advice(&self) -> Option<&str> {
        self.advice.as_deref()
    }

    /// Whether a cause speaks for itself, with a session or without: a new key may be at one end only. So does what another end
    /// than the one with a session sends to a hub.
    fn is_plain(&self, cause: Cause) -> bool {
        matches!(cause, Cause::SameId | Cause::OtherKey | Cause::TwoEnds(_))
            || (self.of_many && cause == Cause::OtherChannelKey)
    }

    /// Looks at a report. Gives the advice if it is to be said.
    pub(super) fn watch(&mut self, report: &Report) -> Option<&str> {
        let now = report.uptime;
        let is_calling = matches!(report.status.state, "hello" | "confirm");
        let is_well = report.up && !is_calling;
        if is_well {
            self.missing_since = None;
        } else if self.missing_since.is_none() {
            self.missing_since = Some(now);
            // What came while all was well says nothing about why it is no longer.
            let clues = self.marks.clues;
            self.marks = Marks {
                clues,
                ..Marks::of(report)
            };
        }
        let is_missing = self
            .missing_since
            .is_some_and(|since| now.saturating_sub(since) >= PATIENCE);
        let cause = match self.turns.between(now) {
            Some(addresses) => Cause::TwoEnds(addresses),
            None => Self::cause(&self.marks, report),
        };
        let is_plain = self.is_plain(cause);
        if is_plain {
            self.plain_at = now;
        }
        let is_away = self.of_many && cause == Cause::NotCalled;
        if (!is_missing && !is_plain) || is_away {
            // Single packets that are far apart in time are no cause.
            if now.saturating_sub(self.marked_at) >= CHANGE {
                self.mark(report);
            }
            if (is_well || is_away)
                && self.told.is_none_or(|(last, _)| {
                    // What kept the link down does no longer; what is plain may come again.
                    !self.is_plain(last) || now.saturating_sub(self.plain_at) >= PAST
                })
            {
                self.advice = None;
            }
            return None;
        }
        let is_due = self.told.is_none_or(|(last, at)| {
            let pause = if last == cause { REPEAT } else { CHANGE };
            now.saturating_sub(at) >= pause
        });
        if !is_due {
            // It is said again later, and holds now.
            if is_plain && self.advice.is_none() {
                self.advice = Some(self.words(cause, report));
            }
            // What came once is not seen again.
            if (is_well || is_plain) && now.saturating_sub(self.marked_at) >= CHANGE {
                self.mark(report);
            }
            return None;
        }
        self.told = Some((cause, now));
        self.advice = Some(self.words(cause, report));
        self.mark(report);
        self.advice()
    }

    fn mark(&mut self, report: &Report) {
        self.marks = Marks::of(report);
        self.marked_at = report.uptime;
    }

    fn cause(before: &Marks, report: &Report) -> Cause {
        let after = Marks::of(report);
        let grew = |cause: DropCause| {
            after.drops[cause as usize].saturating_sub(before.drops[cause as usize]) >= SEVERAL
        };
        let several = |after: u64, before: u64| after.saturating_sub(before) >= SEVERAL;
        match after.clues.stranger {
            _ if several(after.clues.own_ids, before.clues.own_ids) => Cause::SameId,
            _ if several(after.clues.wrong_macs, before.clues.wrong_macs) => Cause::OtherKey,
            _ if several(after.channel_auth, before.channel_auth) => Cause::OtherChannelKey,
            Some(id) if grew(DropCause::Peer) || grew(DropCause::Type) => Cause::StrangerId(id),
            _ if grew(DropCause::Version) => Cause::Version,
            _ if grew(DropCause::Suite) => Cause::Suite,
            _ if grew(DropCause::Type) => Cause::Type,
            _ if grew(DropCause::Stale) => Cause::Stale,
            // With a session, packets of it come that answer no call.
            _ if !report.up && after.untrusted_in > before.untrusted_in => Cause::Unknown,
            _ if report.role == Role::Initiator => Cause::Unanswered,
            _ => Cause::NotCalled,
        }
    }

    fn words(&self, cause: Cause, report: &Report) -> String {
        let peer = report.peer.map_or_else(
            || "the other end".to_owned(),
            |peer: Address| peer.to_string(),
        );
        let key = report.key.as_ref().map_or_else(
            || "the keys of [noise] here".to_owned(),
            |key: &KeyStatus| format!("its fingerprint here is {key}"),
        );
        let [id, peer_id] = [report.id, report.peer_id].map(id_text);
        let lost = match report.counters.trusted_dropped(LocalDrop::NoSession) {
            0 => String::new(),
            1 => " (one frame dropped without a session so far)".to_owned(),
            frames => format!(" ({frames} frames dropped without a session so far)"),
        };
        // Of many ends, two may have one id by mistake.
        let or_namesake = if self.of_many {
            format!(
                "; or two ends have the id {peer_id}, of which only one fits here: give the other an id of its own"
            )
        } else {
            String::new()
        };
        match cause {
            Cause::TwoEnds([one, other]) => format!(
                "sessions come by turns from {one} and {other}: two ends have the id {peer_id} and one key; give each its own, an [link] id there and a [[peer]] section here. If it is one end, its address changes to and fro"
            ),
            Cause::SameId => format!(
                "both ends have the id {id}: give them different ones, and each the other's as peer-id; if they are different, somebody sends this end's own messages back"
            ),
            Cause::OtherKey => format!(
                "the other end holds another pre-shared key, its handshake messages have a wrong MAC ({key}): give both ends one key file, then say `sealwire link rekey` or restart, and compare the fingerprints in `sealwire link status`; if they are equal, somebody forges messages{or_namesake}"
            ),
            Cause::OtherChannelKey => format!(
                "the Noise channel's messages do not fit: peer-key here must be what `sealwire link check` calls \"own key\" at the other end, and the other way round, with one suite, version and `carries`, the ids {id} and {peer_id} crosswise, and the same pre-shared key (key-file beside peer-key, or in [link]) or none at both ends{or_namesake}"
            ),
            Cause::StrangerId(stranger) => format!(
                "an end with id {} calls, but peer-id is {peer_id} here: each end's peer-id must be the other's id",
                id_text(stranger)
            ),
            Cause::Version => "the other end speaks another version of the wire format: make [link] version the same at both ends".into(),
            Cause::Suite => "the other end has another suite: make [link] suite the same at both ends".into(),
            Cause::Type => "the other end takes no part in this end's way to sessions: give [noise] to both ends or to neither, and let one id be smaller at both ends' agreement".into(),
            Cause::Stale => "hellos come that are older than some that came before: the caller's clock was set back, or somebody sends recorded ones; set the clock, or restart this end".into(),
            Cause::Unanswered => format!(
                "no answer from {peer}{lost}: the other end does not run, cannot be reached (firewall, wrong peer), or holds another key, id, suite or version and drops these calls ({key}), or has [noise] where this end has none, or the other way round; its log and its `sealwire link status` say which"
            ),
            Cause::NotCalled => format!(
                "nobody calls this end{lost}: is the end with id {peer_id} running, does its peer lead here, and does a firewall let it through? Both ends having the id {id}, or [noise] at one end alone, would keep both waiting, too"
            ),
            Cause::Unknown => format!(
                "packets come from the untrusted side, but no session{lost}: the counters of `sealwire link status` at both ends say under which cause they are dropped"
            ),
        }
    }
}

/// Watches for ends that have a hub's own id. No peer of the hub is one, so that nothing of it shows at any peer.
#[derive(Default)]
pub(super) struct Namesakes {
    /// What was counted when it was last looked at.
    marked: u64,
    marked_at: Duration,
    /// When the last of several came.
    seen_at: Option<Duration>,
    told_at: Option<Duration>,
    advice: Option<String>,
}

impl Namesakes {
    /// The advice that holds now.
    pub(super) fn advice(&self) -> Option<&str> {
        self.advice.as_deref()
    }

    /// Looks at how many messages named the hub's own id so far, of which the last came from `from`. Gives the advice if it is to be said.
    pub(super) fn watch(
        &mut self,
        now: Duration,
        count: u64,
        id: Id,
        from: Option<Address>,
    ) -> Option<&str> {
        let is_past = |at: Duration, pause| now.saturating_sub(at) >= pause;
        let are_several = count.saturating_sub(self.marked) >= SEVERAL;
        // Single messages that are far apart in time are no cause.
        if are_several || is_past(self.marked_at, CHANGE) {
            (self.marked, self.marked_at) = (count, now);
        }
        if !are_several {
            if self.seen_at.is_none_or(|at| is_past(at, REPEAT)) {
                self.advice = None;
            }
            return None;
        }
        self.seen_at = Some(now);
        if self.told_at.is_some_and(|at| !is_past(at, REPEAT)) {
            return None;
        }
        self.told_at = Some(now);
        let (id, from) = (
            id_text(id),
            from.map_or_else(String::new, |from| format!(", from {from},")),
        );
        self.advice = Some(format!(
            "an end calls{from} that has this hub's id {id}: give it an id of its own, in [link] there and in its [[peer]] section here; if all are different, somebody sends this hub's own messages back"
        ));
        self.advice()
    }
}

/// An id as the configuration writes it.
fn id_text(id: Id) -> String {
    format!("\"{:x}\"", u64::from_be_bytes(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        endpoint::{Endpoint, Timers},
        schedule::{system_random, tests::check_ends},
        suite::Suite,
    };

    /// What happens to a report in a second.
    type Change<'a> = &'a dyn Fn(u64, &mut Report);

    /// Four packets a second are dropped for this cause.
    fn drops(cause: DropCause) -> impl Fn(u64, &mut Report) {
        move |_, report| report.counters.drops[cause as usize] += 4
    }

    fn report(role: Role) -> Report {
        let ends = check_ends(Suite::by_code(1).unwrap(), role);
        let peer = Address::Udp("192.0.2.1:4500".parse().unwrap());
        let endpoint = Endpoint::new(ends, Timers::default(), Some(peer), system_random()).unwrap();
        Report::new(&endpoint, KeyStatus::new(&endpoint, 0))
    }

    /// What is said of a report that changes once, second by second, and when.
    fn said(role: Role, seconds: u64, change: Change<'_>) -> Vec<(u64, String)> {
        let (mut adviser, mut report) = (Adviser::default(), report(role));
        let mut said = Vec::new();
        for second in 0..seconds {
            report.uptime = Duration::from_secs(second);
            change(second, &mut report);
            if let Some(advice) = adviser.watch(&report) {
                said.push((second, advice.to_owned()));
            }
        }
        said
    }

    #[test]
    fn names_the_cause_within_five_seconds_and_once_a_minute() {
        let through_channel = |cause: Refusal| {
            move |_, r: &mut Report| {
                r.channel.get_or_insert_default().drops[cause as usize] += 4;
            }
        };
        let cases: [(Role, Change<'_>, &str); 13] = [
            (
                Role::Responder,
                &|_, r| r.clues.wrong_macs += 4,
                "another pre-shared key",
            ),
            (
                Role::Initiator,
                &|_, r| r.clues.own_ids += 4,
                "both ends have the id \"1\"",
            ),
            (
                Role::Initiator,
                &through_channel(Refusal::OwnId),
                "both ends have the id \"1\"",
            ),
            (
                Role::Responder,
                &through_channel(Refusal::Peer),
                "the Noise channel's messages do not fit",
            ),
            (Role::Initiator, &|_, _| {}, "no answer from 192.0.2.1:4500"),
            (Role::Responder, &|_, _| {}, "nobody calls this end"),
            // The other end has no session and says so.
            (
                Role::Initiator,
                &|_, r| {
                    r.counters.untrusted_in += 1;
                    r.clues.requests += 1;
                },
                "no answer from 192.0.2.1:4500",
            ),
            (
                Role::Initiator,
                &|_, r| r.counters.untrusted_in += 1,
                "packets come from the untrusted side",
            ),
            (
                Role::Responder,
                &|second, r| {
                    drops(DropCause::Peer)(second, r);
                    r.clues.stranger = Some(7u64.to_be_bytes());
                },
                "an end with id \"7\" calls, but peer-id is \"1\"",
            ),
            (Role::Responder, &drops(DropCause::Suite), "[link] suite"),
            (
                Role::Responder,
                &drops(DropCause::Version),
                "[link] version",
            ),
            (Role::Responder, &drops(DropCause::Type), "[noise] to both"),
            (Role::Responder, &drops(DropCause::Stale), "set the clock"),
        ];
        for (role, change, expected) in cases {
            let said = said(role, 120, change);
            assert!(said[0].0 <= 5 && said[0].1.contains(expected), "{said:?}");
            assert_eq!(said.len(), 2, "{said:?}");
            assert!(said[1].0 - said[0].0 >= 60);
        }
    }

    #[test]
    fn says_nothing_of_a_link_that_is_well_or_of_single_packets() {
        let up = |_, r: &mut Report| {
            r.up = true;
            r.status.state = "idle";
        };
        assert_eq!(said(Role::Initiator, 200, &up), []);
        let damaged = |second, r: &mut Report| {
            up(second, r);
            r.clues.wrong_macs += u64::from(second % 15 == 0);
        };
        assert_eq!(said(Role::Responder, 200, &damaged), []);
        let short = |second, r: &mut Report| {
            up(second, r);
            r.up = second % 5 > 2;
        };
        assert_eq!(said(Role::Responder, 200, &short), []);
    }

    #[test]
    fn says_nothing_of_a_peer_of_many_that_is_away_and_something_of_one_with_another_key() {
        let (mut adviser, mut report) = (Adviser::of_many(), report(Role::Responder));
        for second in 0..100 {
            report.uptime = Duration::from_secs(second);
            assert_eq!(adviser.watch(&report), None);
        }
        for second in 100..105 {
            report.uptime = Duration::from_secs(second);
            report.clues.wrong_macs += 4;
            if let Some(advice) = adviser.watch(&report) {
                assert!(advice.contains("another pre-shared key"));
                return;
            }
        }
        panic!("not a word within five seconds");
    }

    #[test]
    fn names_two_ends_of_one_id_whose_sessions_come_by_turns() {
        let at = |last: u8| Some(Address::Udp(([192, 0, 2, last], 4500).into()));
        let up = || {
            let mut report = report(Role::Responder);
            (report.up, report.status.state) = (true, "idle");
            report
        };
        let said = |places: &[u8]| {
            let (mut adviser, mut report) = (Adviser::of_many(), up());
            let mut said = Vec::new();
            for (second, place) in (0..).zip(places) {
                report.uptime = Duration::from_secs(second);
                adviser.note_session(report.uptime, at(*place));
                said.extend(adviser.watch(&report).map(str::to_owned));
            }
            // Long after, nothing holds any more.
            report.uptime += TURNS_WITHIN;
            assert_eq!(adviser.watch(&report), None);
            assert_eq!(adviser.advice(), None);
            said
        };
        let two = said(&[7, 8, 7, 8, 7, 8, 7, 8]);
        assert_eq!(two.len(), 1, "{two:?}");
        for words in [
            "from 192.0.2.7:4500",
            "192.0.2.8:4500",
            "two ends have the id \"1\"",
        ] {
            assert!(two[0].contains(words), "{two:?}");
        }
        // One that moves, comes back once, or renews its session where it is.
        for places in [&[7, 8, 9, 10, 11, 12][..], &[7, 8, 7, 7, 7], &[7; 20]] {
            assert_eq!(said(places), [] as [&str; 0], "{places:?}");
        }
        // Turns that are far apart in time.
        let mut adviser = Adviser::of_many();
        for turn in 0..20 {
            let now = TURNS_WITHIN / 2 * turn;
            adviser.note_session(now, at(turn as u8 % 2));
            assert_eq!(adviser.turns.between(now), None);
        }
    }

    #[test]
    fn a_wrong_key_at_a_hub_may_be_that_of_another_end_with_the_id() {
        for (mut adviser, expected) in [(Adviser::of_many(), true), (Adviser::default(), false)] {
            let mut report = report(Role::Responder);
            assert_eq!(adviser.watch(&report), None);
            report.clues.wrong_macs += 4;
            let said = adviser.watch(&report).unwrap();
            assert!(said.contains("another pre-shared key"), "{said}");
            assert_eq!(said.contains("two ends have the id \"1\""), expected);
        }
    }

    #[test]
    fn names_an_end_that_has_the_hub_s_id_and_where_it_calls_from() {
        let from = Some(Address::Udp("192.0.2.7:4500".parse().unwrap()));
        let said = |seconds: u64, count: &dyn Fn(u64) -> u64| {
            let mut namesakes = Namesakes::default();
            let mut said = Vec::new();
            for second in 0..seconds {
                let now = Duration::from_secs(second);
                let id = 0xff00u64.to_be_bytes();
                if let Some(advice) = namesakes.watch(now, count(second), id, from) {
                    said.push((second, advice.to_owned()));
                }
            }
            (said, namesakes.advice().is_some())
        };
        let (steady, holds) = said(120, &|second| 4 * second);
        assert_eq!(steady.len(), 2, "once a minute: {steady:?}");
        assert!(steady[0].0 <= 2 && holds);
        let text = &steady[0].1;
        for words in [
            "calls, from 192.0.2.7:4500, that",
            "this hub's id \"ff00\"",
            "[[peer]]",
        ] {
            assert!(text.contains(words), "{text}");
        }
        // A call a second is one that is not answered; a single message now and then is somebody's mistake.
        assert!(!said(60, &|second| second).0.is_empty());
        assert_eq!(said(300, &|second| second / 15), (vec![], false));
        // It ends.
        let (once, holds) = said(200, &|second| 4 * second.min(30));
        assert_eq!((once.len(), holds), (1, false));
    }

    #[test]
    fn tells_of_a_key_that_only_one_end_has_while_the_old_session_lives() {
        let rekeyed = |second, r: &mut Report| {
            r.up = true;
            r.clues.wrong_macs += if second >= 100 { 4 } else { 0 };
        };
        let said = said(Role::Responder, 130, &rekeyed);
        assert_eq!(said.len(), 1);
        assert!((100..=105).contains(&said[0].0) && said[0].1.contains("another pre-shared key"));
    }

    #[test]
    fn a_call_that_nobody_answers_is_told_while_the_old_session_carries() {
        let rekeyed = |second, r: &mut Report| {
            r.up = true;
            r.status.state = if second >= 100 { "hello" } else { "idle" };
            r.counters.untrusted_in += 4;
        };
        let said = said(Role::Initiator, 130, &rekeyed);
        assert_eq!(said.len(), 1);
        assert!((100..=105).contains(&said[0].0) && said[0].1.contains("no answer from"));
    }

    #[test]
    fn a_hub_tells_of_another_end_with_the_id_of_one_that_is_up() {
        for (mut adviser, expected) in [(Adviser::of_many(), true), (Adviser::default(), false)] {
            let mut report = report(Role::Responder);
            report.up = true;
            report.status.state = "idle";
            assert_eq!(adviser.watch(&report), None);
            let channel = report.channel.get_or_insert_default();
            channel.drops[Refusal::Auth as usize] += 4;
            let said = adviser.watch(&report).unwrap_or_default();
            assert_eq!(said.contains("two ends have the id \"1\""), expected);
        }
    }

    #[test]
    fn an_advice_about_somebody_who_stopped_ends_and_is_said_once() {
        // Whether the peer itself has a session or not.
        for up in [true, false] {
            let (mut adviser, mut report) = (Adviser::of_many(), report(Role::Responder));
            report.up = up;
            report.status.state = "idle";
            let calls = |second: u64| matches!(second, 10..16 | 200..206 | 250..251);
            let (mut said, mut held) = (Vec::new(), Vec::new());
            for second in 0..260 {
                report.uptime = Duration::from_secs(second);
                let channel = report.channel.get_or_insert_default();
                channel.drops[Refusal::Auth as usize] += if calls(second) { 4 } else { 0 };
                said.extend(adviser.watch(&report).map(|_| second));
                held.extend(adviser.advice().map(|_| second));
            }
            let gaps: Vec<_> = held.windows(2).filter(|two| two[1] - two[0] > 1).collect();
            let [[first_end, second], [second_end, third]] = gaps[..] else {
                panic!("{up}: {held:?}");
            };
            assert!((10..=13).contains(&held[0]) && (35..=50).contains(first_end));
            assert!((200..=203).contains(second) && (225..=240).contains(second_end));
            assert_eq!(
                *third, 250,
                "it holds at once and is said when its time comes"
            );
            assert_eq!(said, [held[0], *second]);
        }
    }

    #[test]
    fn a_flood_of_changing_causes_fills_no_log() {
        let flood = |second: u64, r: &mut Report| {
            if second.is_multiple_of(2) {
                r.clues.wrong_macs += 1000;
            } else {
                r.clues.own_ids += 1000;
            }
        };
        assert!(said(Role::Responder, 600, &flood).len() <= 61);
    }
}
