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
/// So many messages speak for a cause: a single one may be damaged or forged.
const SEVERAL: u64 = 2;

/// The most likely cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    SameId,
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
            untrusted_in: report.counters.untrusted_in,
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
    advice: Option<String>,
    /// The peer is one of many, of which some are away.
    of_many: bool,
}

impl Adviser {
    /// For one of a hub's peers: that it does not call is no news.
    pub(super) fn of_many() -> Self {
        Self {
            of_many: true,
            ..Self::default()
        }
    }

    /// The advice that holds now.
    pub(super) fn advice(&self) -> Option<&str> {
        self.advice.as_deref()
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
        let cause = Self::cause(&self.marks, report);
        // These speak for themselves, with a session or without: a new key may be at one end only.
        let is_plain = matches!(cause, Cause::SameId | Cause::OtherKey);
        let is_away = self.of_many && cause == Cause::NotCalled;
        if (!is_missing && !is_plain) || is_away {
            // Single packets that are far apart in time are no cause.
            if now.saturating_sub(self.marked_at) >= CHANGE {
                self.mark(report);
            }
            if is_well
                && self
                    .told
                    .is_none_or(|(_, at)| now.saturating_sub(at) >= REPEAT)
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
            return None;
        }
        self.told = Some((cause, now));
        self.advice = Some(Self::words(cause, report));
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
            _ if after.untrusted_in > before.untrusted_in => Cause::Unknown,
            _ if report.role == Role::Initiator => Cause::Unanswered,
            _ => Cause::NotCalled,
        }
    }

    fn words(cause: Cause, report: &Report) -> String {
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
            frames => format!(" ({frames} frames dropped without a session so far)"),
        };
        match cause {
            Cause::SameId => format!(
                "both ends have the id {id}: give them different ones, and each the other's as peer-id; if they are different, somebody sends this end's own messages back"
            ),
            Cause::OtherKey => format!(
                "the other end holds another pre-shared key, its handshake messages have a wrong MAC ({key}): give both ends one key file, then say `sealwire link rekey` or restart, and compare the fingerprints in `sealwire link status`; if they are equal, somebody forges messages"
            ),
            Cause::OtherChannelKey => format!(
                "the Noise channel's messages do not fit: peer-key here must be what `sealwire link check` calls \"own key\" at the other end, and the other way round, with one suite, the ids {id} and {peer_id} crosswise, and the same pre-shared key (key-file beside peer-key, or in [link]) or none at both ends"
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
        let cases: [(Role, Change<'_>, &str); 11] = [
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
