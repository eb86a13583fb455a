// SPDX-License-Identifier: Apache-2.0
//! What a running gateway tells about itself.

use super::Address;
use crate::{
    endpoint::{Clues, Counters, Endpoint, SlotStatus, Status},
    noise,
    schedule::{Fingerprint, Id, Role},
    wire::{DropCause, LocalDrop},
};
use std::{
    fmt::{self, Write},
    time::{Duration, SystemTime},
};

/// Packets that the operating system refused after the state machine let them pass, and those that never came so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    /// Packets that the socket refused, of [`Counters::untrusted_out`].
    pub unsent: u64,
    /// Frames that the device refused, of [`Counters::delivered`].
    pub undelivered: u64,
    /// What came from the untrusted side and is not for this end: of bare Ethernet, frames for another card, from a group or cut short. In
    /// no other counter.
    pub foreign: u64,
}

/// How often the sessions were erased because somebody else may hold their keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Erasures {
    /// The machine became a copy of another.
    pub copies: u64,
    /// The machine was suspended.
    pub sleeps: u64,
}

/// The pre-shared key in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyStatus {
    /// Names the key without telling it: two ends with equal fingerprints hold the same key.
    pub fingerprint: Fingerprint,
    /// When it was put in place.
    pub since: SystemTime,
    /// Keys that were put in place since the start, without the first.
    pub renewals: u64,
}

impl KeyStatus {
    /// What an endpoint holds now; `None` if it makes no handshakes.
    pub(super) fn new(endpoint: &Endpoint<Address>, renewals: u64) -> Option<Self> {
        Some(Self {
            fingerprint: endpoint.key_fingerprint()?,
            since: SystemTime::now(),
            renewals,
        })
    }

    /// Seconds since 1970 when it was put in place.
    pub fn since_seconds(&self) -> u64 {
        let since = self.since.duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs())
    }
}

/// The answer to a pre-shared key that was given to a running gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySet {
    /// The key that is in place.
    pub key: KeyStatus,
    /// False if it was in place before.
    pub is_new: bool,
}

/// The fingerprint, and whether the key is new.
impl fmt::Display for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let news = if self.is_new { "new" } else { "unchanged" };
        write!(f, "{} ({news})", self.key)
    }
}

/// The fingerprint in hexadecimal digits.
impl fmt::Display for KeyStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", u64::from_be_bytes(self.fingerprint))
    }
}

/// A gateway's counters and states at one moment.
#[derive(Debug, Clone)]
pub struct Report {
    /// Time since the start.
    pub uptime: Duration,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Which end this is.
    pub role: Role,
    /// This end's id.
    pub id: Id,
    /// The other end's.
    pub peer_id: Id,
    /// Whether frames can be sealed and the peer was heard of late.
    pub up: bool,
    /// Whether there is a session, heard of late or not.
    pub has_session: bool,
    /// Where data goes.
    pub peer: Option<Address>,
    /// States and slots.
    pub status: Status,
    /// The state machine's counters.
    pub counters: Counters,
    /// What dropped handshake messages say about the other end.
    pub clues: Clues,
    /// What is wrong, as far as this end can see, and what to do.
    pub advice: Option<String>,
    /// What the operating system refused, and what was not for this end.
    pub failures: Failures,
    /// How often the sessions were erased.
    pub erasures: Erasures,
    /// The pre-shared key, if this end makes handshakes.
    pub key: Option<KeyStatus>,
    /// New keys that could not be had or were refused.
    pub key_failures: u64,
    /// Whether this end waits for a session through the Noise channel.
    pub wants_session: bool,
    /// What came through the Noise channel, if there is one.
    pub channel: Option<noise::Counts>,
}

impl Report {
    /// Of an endpoint that holds this pre-shared key, whose fingerprint costs too much to be taken each time.
    pub(super) fn new(endpoint: &Endpoint<Address>, key: Option<KeyStatus>) -> Self {
        Self {
            uptime: Duration::ZERO,
            scheme: endpoint.identity().suite().scheme,
            role: endpoint.identity().role(),
            id: endpoint.identity().local(),
            peer_id: endpoint.identity().peer(),
            up: endpoint.is_heard(),
            has_session: endpoint.is_up(),
            peer: endpoint.peer(),
            status: endpoint.status(),
            counters: endpoint.counters().clone(),
            clues: *endpoint.clues(),
            advice: None,
            failures: Failures::default(),
            erasures: Erasures::default(),
            key,
            key_failures: 0,
            wants_session: endpoint.wants_session(),
            channel: None,
        }
    }

    pub(super) fn update(
        &mut self,
        endpoint: &Endpoint<Address>,
        failures: Failures,
        uptime: Duration,
    ) {
        self.uptime = uptime;
        self.up = endpoint.is_heard();
        self.has_session = endpoint.is_up();
        self.clues = *endpoint.clues();
        self.peer = endpoint.peer();
        self.status = endpoint.status();
        self.counters.clone_from(endpoint.counters());
        self.failures = failures;
        self.wants_session = endpoint.wants_session();
    }

    /// The text that Prometheus reads.
    pub fn prometheus(&self) -> String {
        let mut page = Page(String::with_capacity(4096));
        let c = &self.counters;
        let one = |value| [(String::new(), value)];
        page.family(
            "up",
            "gauge",
            "1 while frames can be sealed and the peer is heard",
            one(u64::from(self.up)),
        );
        page.family(
            "uptime_seconds",
            "gauge",
            "time since the start",
            one(self.uptime.as_secs()),
        );
        page.family(
            "info",
            "gauge",
            "scheme and role of this end",
            [(
                format!(
                    "{{scheme=\"{}\",role=\"{}\"}}",
                    self.scheme,
                    role_name(self.role)
                ),
                1,
            )],
        );
        page.family(
            "trusted_in_total",
            "counter",
            "frames from the trusted side",
            one(c.trusted_in),
        );
        page.family("sealed_total", "counter", "frames sealed", one(c.sealed));
        page.family(
            "trusted_drops_total",
            "counter",
            "frames from the trusted side that were not sealed, by cause",
            LocalDrop::ALL.map(|cause| (label("cause", cause.name()), c.trusted_dropped(cause))),
        );
        page.family(
            "untrusted_in_total",
            "counter",
            "packets from the untrusted side",
            one(c.untrusted_in),
        );
        page.family(
            "delivered_total",
            "counter",
            "frames delivered",
            one(c.delivered),
        );
        page.family(
            "delivered_bytes_total",
            "counter",
            "bytes of frames delivered",
            one(c.delivered_bytes),
        );
        page.family(
            "untrusted_drops_total",
            "counter",
            "packets from the untrusted side that were dropped, by cause",
            DropCause::ALL.map(|cause| (label("cause", cause.name()), c.dropped(cause))),
        );
        page.family(
            "untrusted_out_total",
            "counter",
            "packets for the untrusted side",
            one(c.untrusted_out),
        );
        page.family(
            "keep_alives_total",
            "counter",
            "keep-alives, by direction",
            [
                (label("direction", "in"), c.keep_alives_in),
                (label("direction", "out"), c.keep_alives_out),
            ],
        );
        page.family(
            "handshakes_total",
            "counter",
            "handshake messages in order and, out, requests for a call, by direction",
            [
                (label("direction", "in"), c.handshakes_in),
                (label("direction", "out"), c.handshakes_out),
            ],
        );
        page.family(
            "sessions_total",
            "counter",
            "sessions that became the current one",
            one(c.sessions_taken),
        );
        page.family(
            "peer_moves_total",
            "counter",
            "times that the peer came from another address than before",
            one(c.peer_moves),
        );
        page.family(
            "unsent_total",
            "counter",
            "packets that the socket refused",
            one(self.failures.unsent),
        );
        page.family(
            "undelivered_total",
            "counter",
            "frames that the device refused",
            one(self.failures.undelivered),
        );
        page.family(
            "foreign_total",
            "counter",
            "frames from the untrusted side that are not for this end",
            one(self.failures.foreign),
        );
        page.family(
            "erasures_total",
            "counter",
            "times that all sessions were erased, by cause",
            [
                (label("cause", "copy"), self.erasures.copies),
                (label("cause", "sleep"), self.erasures.sleeps),
            ],
        );
        if let Some(key) = &self.key {
            page.family(
                "key_info",
                "gauge",
                "fingerprint of the pre-shared key",
                [(label("fingerprint", &key.to_string()), 1)],
            );
            page.family(
                "key_since_seconds",
                "gauge",
                "when the pre-shared key was put in place, in seconds since 1970",
                one(key.since_seconds()),
            );
            page.family(
                "key_renewals_total",
                "counter",
                "pre-shared keys put in place since the start",
                one(key.renewals),
            );
            page.family(
                "key_failures_total",
                "counter",
                "new pre-shared keys that could not be read or were refused",
                one(self.key_failures),
            );
        }
        if let Some(channel) = &self.channel {
            for (name, help, values) in channel.families() {
                page.family(name, "counter", help, values);
            }
        }
        if let Some(cur) = &self.status.cur {
            page.family(
                "session_age_seconds",
                "gauge",
                "age of the current session",
                one(cur.age.as_secs()),
            );
        }
        page.0
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        let c = &self.counters;
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:22}{value}");
        };
        line("link", if self.up { "up".into() } else { "down".into() });
        if let Some(advice) = &self.advice {
            line("advice", advice.clone());
        }
        line("scheme", self.scheme.into());
        line(
            "role",
            format!("{}, state {}", role_name(self.role), self.status.state),
        );
        line(
            "peer",
            self.peer
                .map_or_else(|| "not known yet".into(), |peer| peer.to_string()),
        );
        line("uptime", format!("{} s", self.uptime.as_secs()));
        if let Some(key) = &self.key {
            let age = SystemTime::now().duration_since(key.since);
            line(
                "key",
                format!(
                    "{key}, in place for {} s; {} renewals, {} failed",
                    age.map_or(0, |age| age.as_secs()),
                    key.renewals,
                    self.key_failures
                ),
            );
        }
        line(
            "current session",
            self.status
                .cur
                .as_ref()
                .map_or_else(|| "none".into(), slot_text),
        );
        line(
            "other session",
            self.status
                .alt
                .as_ref()
                .map_or_else(|| "none".into(), slot_text),
        );
        line("sessions so far", c.sessions_taken.to_string());
        line(
            "trusted in",
            format!("{} frames = {} sealed + drops", c.trusted_in, c.sealed),
        );
        for cause in LocalDrop::ALL {
            line("", format!("{} {}", c.trusted_dropped(cause), cause.name()));
        }
        line(
            "untrusted in",
            format!(
                "{} packets = {} delivered + {} keep-alives + {} handshakes + drops",
                c.untrusted_in, c.delivered, c.keep_alives_in, c.handshakes_in
            ),
        );
        for cause in DropCause::ALL.iter().filter(|cause| c.dropped(**cause) > 0) {
            line("", format!("{} {}", c.dropped(*cause), cause.name()));
        }
        line(
            "untrusted out",
            format!(
                "{} packets = {} sealed + {} keep-alives + {} handshakes",
                c.untrusted_out, c.sealed, c.keep_alives_out, c.handshakes_out
            ),
        );
        if let Some(channel) = &self.channel {
            let names = std::iter::once("Noise channel").chain(std::iter::repeat(""));
            for (name, text) in names.zip(channel.lines()) {
                line(name, text);
            }
        }
        line(
            "refused by the system",
            format!(
                "{} packets, {} frames",
                self.failures.unsent, self.failures.undelivered
            ),
        );
        line(
            "not for this end",
            format!("{} frames", self.failures.foreign),
        );
        line(
            "sessions erased",
            format!(
                "{} times as a copy, {} times after a sleep",
                self.erasures.copies, self.erasures.sleeps
            ),
        );
        text
    }
}

fn slot_text(slot: &SlotStatus) -> String {
    format!(
        "{} s old, {} sent, {} received",
        slot.age.as_secs(),
        slot.sent,
        slot.received
    )
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Initiator => "initiator",
        Role::Responder => "responder",
    }
}

fn label(name: &str, value: &str) -> String {
    format!("{{{name}=\"{value}\"}}")
}

/// A page in Prometheus' text format.
struct Page(String);

impl Page {
    fn family(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        values: impl IntoIterator<Item = (String, u64)>,
    ) {
        let _ = writeln!(
            self.0,
            "# HELP sealwire_{name} {help}\n# TYPE sealwire_{name} {kind}"
        );
        for (labels, value) in values {
            let _ = writeln!(self.0, "sealwire_{name}{labels} {value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        endpoint::Timers,
        schedule::{system_random, tests::check_ends},
        suite::Suite,
    };

    fn report() -> Report {
        let ends = check_ends(Suite::by_code(1).unwrap(), Role::Initiator);
        let peer = Address::Udp("192.0.2.1:4500".parse().unwrap());
        let endpoint = Endpoint::new(ends, Timers::default(), Some(peer), system_random()).unwrap();
        let mut report = Report::new(&endpoint, KeyStatus::new(&endpoint, 0));
        report.counters.untrusted_in = 77;
        report.failures.foreign = 8;
        report.erasures.sleeps = 2;
        report.counters.drops[DropCause::Auth as usize] = 5;
        report
    }

    #[test]
    fn every_counter_stands_in_the_metrics_once() {
        let page = report().prometheus();
        assert!(page.contains("\nsealwire_untrusted_in_total 77\n"));
        assert!(page.contains("\nsealwire_untrusted_drops_total{cause=\"auth\"} 5\n"));
        assert!(page.contains("\nsealwire_foreign_total 8\n"));
        assert!(page.contains("\nsealwire_erasures_total{cause=\"copy\"} 0\n"));
        assert!(page.contains("\nsealwire_erasures_total{cause=\"sleep\"} 2\n"));
        assert!(page.contains(
            "sealwire_info{scheme=\"omdsha512k512n256tau256v2\",role=\"initiator\"} 1\n"
        ));
        let mut samples: Vec<_> = page
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_once(' ').unwrap().0)
            .collect();
        let count = samples.len();
        samples.sort();
        samples.dedup();
        assert_eq!((samples.len(), count), (count, 14 + 3 + 13 + 4 + 4 + 2));
    }

    #[test]
    fn the_text_names_only_causes_that_occurred() {
        let text = report().text();
        assert!(text.contains("5 auth") && !text.contains("replay"));
        assert!(text.contains("8 frames") && text.contains("2 times after a sleep"));
        assert!(text.starts_with("link                  down\n"));
    }
}
