// SPDX-License-Identifier: Apache-2.0
//! What a running hub tells about itself and its peers.

use super::serve::{by_cause, channel_json, to_json};
use sealwire_link::{
    gateway::{HubReport, PeerReport},
    wire::DropCause,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};
use std::fmt::Write;

/// Lines for people: the hub, then a line for each peer.
pub(super) fn text(report: &HubReport) -> String {
    let c = &report.counters;
    let up = report.peers.iter().filter(|peer| peer.report.up).count();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:22}{value}");
    };
    line("peers up", format!("{up} of {}", report.peers.len()));
    line("scheme", report.scheme.into());
    line("uptime", format!("{} s", report.uptime.as_secs()));
    line(
        "untrusted in",
        format!("{} packets = of the peers + drops", c.untrusted_in),
    );
    for cause in DropCause::ALL {
        let count = c.drops[cause as usize];
        if count > 0 {
            line("", format!("{count} {}", cause.name()));
        }
    }
    line(
        "trusted in",
        format!(
            "{} frames + {} copies = of the peers + {} copied + {} for no peer",
            c.trusted_in, c.copies, c.to_all, c.no_peer
        ),
    );
    let names = std::iter::once("Noise channel").chain(std::iter::repeat(""));
    let channel = report.channel.iter().flat_map(|channel| channel.lines());
    for (name, text) in names.zip(channel) {
        line(name, text);
    }
    line(
        "refused by the system",
        format!(
            "{} packets, {} frames",
            report.failures.unsent, report.failures.undelivered
        ),
    );
    line(
        "not for this end",
        format!("{} frames", report.failures.foreign),
    );
    line(
        "sessions erased",
        format!(
            "{} times as a copy, {} times after a sleep",
            report.erasures.copies, report.erasures.sleeps
        ),
    );
    line("balance", if report.balances { "yes" } else { "NO" }.into());
    if let Some(advice) = &report.advice {
        line("advice", advice.clone());
    }
    let _ = writeln!(
        text,
        "\n{:32} {:5} {:24} {:>8} {:>10} {:>10} {:>8} {:>8}",
        "peer", "link", "address", "sessions", "sealed", "delivered", "drops", "source"
    );
    for PeerReport { name, report } in &report.peers {
        let c = &report.counters;
        let address = report
            .peer
            .map_or_else(|| "not known yet".into(), |peer| peer.to_string());
        let link = if report.up { "up" } else { "down" };
        let drops: u64 = c.drops.iter().chain(&c.trusted_drops).sum();
        let _ = writeln!(
            text,
            "{name:32} {link:5} {address:24} {:>8} {:>10} {:>10} {drops:>8} {:>8}",
            c.sessions_taken, c.sealed, c.delivered, c.source_drops
        );
    }
    for PeerReport { name, report } in &report.peers {
        if let Some(advice) = &report.advice {
            let _ = writeln!(text, "\n{name}: {advice}");
        }
    }
    text
}

/// All of it as one object. Of a thousand peers it is written one by one: together they would take more room than the hub.
pub(super) struct Json<'a>(pub(super) &'a HubReport);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut whole = to.serialize_map(None)?;
        for (key, value) in own_json(self.0).as_object().into_iter().flatten() {
            whole.serialize_entry(key, value)?;
        }
        whole.serialize_entry("peers", &Peers(&self.0.peers))?;
        whole.end()
    }
}

struct Peers<'a>(&'a [PeerReport]);

impl Serialize for Peers<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|peer| {
            let mut object = to_json(&peer.report);
            object["name"] = json!(peer.name);
            object
        }))
    }
}

/// What is the hub's own.
fn own_json(report: &HubReport) -> Value {
    let c = &report.counters;
    json!({
        "scheme": report.scheme,
        "uptime_seconds": report.uptime.as_secs_f64(),
        "balances": report.balances,
        "advice": report.advice,
        "noise_channel": report.channel.as_ref().map(channel_json),
        "erasures": { "copy": report.erasures.copies, "sleep": report.erasures.sleeps },
        "counters": {
            "untrusted_in": c.untrusted_in,
            "untrusted_drops": by_cause(&mut DropCause::ALL.iter().map(|cause| (cause.name(), c.drops[*cause as usize]))),
            "trusted_in": c.trusted_in,
            "no_peer": c.no_peer,
            "to_all": c.to_all,
            "copies": c.copies,
            "unsent": report.failures.unsent,
            "undelivered": report.failures.undelivered,
            "foreign": report.failures.foreign,
        },
    })
}

/// The text that Prometheus reads: what the hub counted, and of each peer what a person watches.
pub(super) fn metrics(report: &HubReport) -> String {
    let (c, f) = (&report.counters, &report.failures);
    let mut page = String::with_capacity(4096 + 1024 * report.peers.len());
    let mut family = |name: &str, kind: &str, help: &str, values: Vec<(String, u64)>| {
        let _ = writeln!(
            page,
            "# HELP sealwire_{name} {help}\n# TYPE sealwire_{name} {kind}"
        );
        for (labels, value) in values {
            let _ = writeln!(page, "sealwire_{name}{labels} {value}");
        }
    };
    let one = |value| vec![(String::new(), value)];
    let causes = DropCause::ALL.map(|cause| {
        (
            format!("{{cause=\"{}\"}}", cause.name()),
            c.drops[cause as usize],
        )
    });
    family(
        "uptime_seconds",
        "gauge",
        "time since the start",
        one(report.uptime.as_secs()),
    );
    family(
        "hub_untrusted_in_total",
        "counter",
        "packets from the untrusted side",
        one(c.untrusted_in),
    );
    family(
        "hub_untrusted_drops_total",
        "counter",
        "packets that belong to no peer, by cause",
        causes.to_vec(),
    );
    family(
        "hub_trusted_in_total",
        "counter",
        "frames from the trusted side",
        one(c.trusted_in),
    );
    family(
        "hub_no_peer_total",
        "counter",
        "frames from the trusted side for which there is no peer",
        one(c.no_peer),
    );
    family(
        "hub_copies_total",
        "counter",
        "copies of frames for every peer",
        one(c.copies),
    );
    family(
        "unsent_total",
        "counter",
        "packets that the socket refused",
        one(f.unsent),
    );
    family(
        "undelivered_total",
        "counter",
        "frames that the device refused",
        one(f.undelivered),
    );
    family(
        "foreign_total",
        "counter",
        "frames from the untrusted side that are not for this end",
        one(f.foreign),
    );
    for (name, help, values) in report.channel.iter().flat_map(|channel| channel.families()) {
        family(name, "counter", help, values);
    }
    type Value = fn(&sealwire_link::gateway::Report) -> u64;
    let of_peers: [(&str, &str, &str, Value); 9] = [
        (
            "peer_up",
            "gauge",
            "1 while frames can be sealed and the peer is heard",
            |r| u64::from(r.up),
        ),
        (
            "peer_sessions_total",
            "counter",
            "sessions that became the current one",
            |r| r.counters.sessions_taken,
        ),
        ("peer_sealed_total", "counter", "frames sealed", |r| {
            r.counters.sealed
        }),
        (
            "peer_trusted_drops_total",
            "counter",
            "frames that were not sealed",
            |r| r.counters.trusted_drops.iter().sum(),
        ),
        (
            "peer_untrusted_in_total",
            "counter",
            "packets led to the peer's end",
            |r| r.counters.untrusted_in,
        ),
        ("peer_delivered_total", "counter", "frames delivered", |r| {
            r.counters.delivered
        }),
        (
            "peer_untrusted_drops_total",
            "counter",
            "packets that were dropped",
            |r| r.counters.drops.iter().sum(),
        ),
        (
            "peer_source_drops_total",
            "counter",
            "frames whose source is not the peer's",
            |r| r.counters.source_drops,
        ),
        (
            "peer_moves_total",
            "counter",
            "times that the peer was at another address than before",
            |r| r.counters.peer_moves,
        ),
    ];
    for (name, kind, help, value) in of_peers {
        let peers = report.peers.iter();
        let values = peers.map(|peer| (format!("{{peer=\"{}\"}}", peer.name), value(&peer.report)));
        family(name, kind, help, values.collect());
    }
    page
}
