// SPDX-License-Identifier: Apache-2.0
//! `[[peer]]` sections: a hub's peers, each with its key and what belongs to it.

use super::{
    Address, Around, Config, EndId, Failure, KeepAliveText, Sessions, Side, check_peer, quiet,
    texts,
};
use sealwire_link::{
    endpoint::Timers,
    gateway::{self, Mac},
    hub::{MAX_PEERS, Prefix},
    schedule::{Ends, Id, Psk, Role},
    suite::Suite,
    wire::{Kind, Version},
};
use serde::Deserialize;
use std::{
    collections::HashMap,
    fmt::Write,
    net::SocketAddr,
    path::{Path, PathBuf},
};

/// One peer as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PeerEntry {
    id: EndId,
    name: Option<PeerName>,
    key_file: PathBuf,
    #[serde(default)]
    allowed_ips: Vec<AllowedIps>,
    endpoint: Option<Place>,
    keep_alive: Option<KeepAliveText>,
}

/// What a peer is called in reports.
#[derive(Deserialize, Clone, PartialEq, Eq, Hash)]
#[serde(try_from = "String")]
struct PeerName(String);

impl TryFrom<String> for PeerName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let is_legal = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
        if (1..=32).contains(&name.len()) && name.bytes().all(is_legal) {
            return Ok(Self(name));
        }
        Err(format!(
            "\"{name}\" is no name of a peer: give 1 to 32 letters, digits, '-', '_' or '.', for example \"branch\""
        ))
    }
}

/// A network of a peer.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "String")]
struct AllowedIps(Prefix);

impl TryFrom<String> for AllowedIps {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self).map_err(|error| {
            format!("\"{text}\" is {error}, for example \"10.99.0.2/32\" or \"fd05::/64\"")
        })
    }
}

/// Where a peer is: an address, or a name that is looked up whenever the peer is called.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(try_from = "String")]
pub(in super::super) enum Place {
    Known(SocketAddr),
    Named(String, u16),
}

impl TryFrom<String> for Place {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if let Ok(Address(address)) = Address::try_from(text.clone()) {
            return Ok(Self::Known(address));
        }
        let is_host = |host: &str| {
            (1..=253).contains(&host.len())
                && !host.starts_with(['-', '.'])
                && host
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
                && !host.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        };
        let named = text.rsplit_once(':').and_then(|(host, port)| {
            let is_number = port.bytes().all(|b| b.is_ascii_digit());
            let port = port.parse().ok().filter(|port| is_number && *port != 0)?;
            is_host(host).then(|| Self::Named(host.to_owned(), port))
        });
        named.ok_or_else(|| {
            format!("\"{text}\" is no name or address with port: write for example \"branch.example.net:4500\", \"192.0.2.7:4500\" or \"[2001:db8::7]:4500\"")
        })
    }
}

/// One peer that can be run.
pub(in super::super) struct HubPeer<'a> {
    pub(in super::super) name: String,
    pub(in super::super) ends: Ends,
    pub(in super::super) timers: Timers,
    pub(in super::super) place: Option<&'a Place>,
    pub(in super::super) networks: Vec<Prefix>,
}

/// A configuration with many peers that can be run.
pub(in super::super) struct CheckedHub<'a> {
    pub(in super::super) around: Around<'a>,
    pub(in super::super) suite: &'static Suite,
    pub(in super::super) version: Version,
    pub(in super::super) id: Id,
    pub(in super::super) peers: Vec<HubPeer<'a>>,
}

impl PeerEntry {
    fn name(&self) -> String {
        match &self.name {
            Some(PeerName(name)) => name.clone(),
            None => format!("{:x}", u64::from_be_bytes(self.id.0)),
        }
    }

    /// Checks one peer and reads its key.
    fn check<'a>(&'a self, config: &Config, around: &Around<'_>) -> Result<HubPeer<'a>, Failure> {
        let name = self.name();
        let wrong = |what: String| -> Failure { format!("[[peer]] {name}: {what}").into() };
        let link = &config.link;
        if self.id == link.id {
            return Err(wrong("id is this end's own; each end needs its own".into()));
        }
        match around.kind {
            Kind::Ip if self.allowed_ips.is_empty() => {
                return Err(wrong("allowed-ips is missing: with carries = \"ip\" nothing passes but between these networks".into()));
            }
            Kind::Ethernet if !self.allowed_ips.is_empty() => {
                return Err(wrong("allowed-ips is for carries = \"ip\"; where Ethernet is carried, addresses are learnt".into()));
            }
            _ => {}
        }
        let psk = self
            .psk(config)
            .map_err(|failure| wrong(failure.message.unwrap_or_default()))?;
        let ends = Ends::new(link.suite.0, psk, link.id.0, self.id.0, around.kind)
            .map_err(|error| wrong(error.to_string()))?
            .with_version(link.version.0);
        match (ends.role(), &self.endpoint, around.side) {
            (_, Some(_), Side::Ethernet(_)) => {
                return Err(wrong("endpoint is for UDP".into()));
            }
            (Role::Initiator, None, _) => {
                return Err(wrong("endpoint is missing: this end has the smaller id, so it calls the peer and must know where it is".into()));
            }
            (Role::Responder, Some(Place::Named(..)), _) => {
                return Err(wrong("endpoint must be an address: this end has the larger id, so the peer calls and its name is not looked up".into()));
            }
            (_, Some(Place::Known(address)), Side::Udp(listen)) => {
                check_peer(&format!("[peer] {name}"), listen, Some(*address))?;
            }
            _ => {}
        }
        let timers = config
            .timers(self.keep_alive.or(link.keep_alive))
            .map_err(|failure| wrong(failure.message.unwrap_or_default()))?;
        Ok(HubPeer {
            ends,
            timers,
            place: self.endpoint.as_ref(),
            networks: self.allowed_ips.iter().map(|ips| ips.0).collect(),
            name,
        })
    }

    fn psk(&self, config: &Config) -> Result<Psk, Failure> {
        config.psk_of(&self.key_file)
    }
}

impl Config {
    /// Reads a peer's key file again.
    pub(in super::super) fn peer_psk(&self, number: usize) -> Result<Psk, Failure> {
        let entry = self.peer.get(number);
        entry
            .ok_or_else(|| "there is no such peer".into())
            .and_then(|entry| entry.psk(self))
    }

    /// Key files of all peers.
    pub(super) fn peer_key_files(&self) -> impl Iterator<Item = &Path> {
        self.peer.iter().map(|entry| entry.key_file.as_path())
    }
}

impl<'a> CheckedHub<'a> {
    /// Checks what no single value shows, and reads the keys.
    pub(in super::super) fn new(config: &'a Config) -> Result<Self, Failure> {
        let Config {
            link, untrusted, ..
        } = config;
        for (is_there, what) in [
            (
                link.peer_id.is_some(),
                "[link] peer-id: each [[peer]] has an id",
            ),
            (
                link.key_file.is_some(),
                "[link] key-file: each [[peer]] has its own key-file",
            ),
            (
                config.noise.is_some(),
                "[noise]: the peers of a hub have a pre-shared key each",
            ),
            (
                untrusted.peer.is_some(),
                "[untrusted] peer: a [[peer]] has an endpoint",
            ),
            (
                untrusted.peer_mac.is_some(),
                "[untrusted] peer-mac: the peers of a hub call it",
            ),
            (
                untrusted.pin_peer,
                "[untrusted] pin-peer: it is for one peer",
            ),
        ] {
            if is_there {
                return Err(format!("with [[peer]] sections there is no {what}").into());
            }
        }
        if config.peer.len() > MAX_PEERS {
            return Err(format!(
                "{} [[peer]] sections; at most {MAX_PEERS} are allowed",
                config.peer.len()
            )
            .into());
        }
        let (side, _) = untrusted.side()?;
        let around = Around::new(config, side, Mac::of_hub(link.id.0))?;
        let mut files: HashMap<&Path, String> = HashMap::new();
        let mut names: HashMap<String, ()> = HashMap::new();
        let mut peers = Vec::new();
        for entry in &config.peer {
            let name = entry.name();
            if names.insert(name.clone(), ()).is_some() {
                return Err(format!(
                    "two [[peer]] sections are called {name}; give each a name of its own"
                )
                .into());
            }
            if let Some(other) = files.insert(&entry.key_file, name.clone()) {
                return Err(format!("[[peer]] {name}: {other} has this key-file already; no two links may share a key").into());
            }
            peers.push(entry.check(config, &around)?);
        }
        Ok(Self {
            around,
            suite: link.suite.0,
            version: link.version.0,
            id: link.id.0,
            peers,
        })
    }

    /// What will be done, in words.
    pub(in super::super) fn describe(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:9}{value}");
        };
        let suite = self.suite;
        line(
            "suite",
            format!("{:02x} {} ({})", suite.code, suite.alias, suite.scheme),
        );
        line("version", (self.version as u8).to_string());
        line("role", format!("hub of {} peers", self.peers.len()));
        self.around.describe(&mut line);
        line("secrecy", Sessions::PSK_SECRECY.into());
        for peer in &self.peers {
            let calls = match (peer.ends.role(), peer.place) {
                (Role::Initiator, Some(Place::Known(address))) => format!("called at {address}"),
                (Role::Initiator, Some(Place::Named(host, port))) => {
                    format!("called at {host}:{port}, looked up for each call")
                }
                (Role::Responder, Some(Place::Known(address))) => {
                    format!("calls, from {address} first")
                }
                _ => "calls, from anywhere".into(),
            };
            let networks = match &peer.networks[..] {
                [] => "addresses are learnt".into(),
                networks => texts(networks).join(", "),
            };
            let keep_alive = peer.timers.keep_alive();
            let quiet = if keep_alive == self.around.timers.keep_alive() {
                String::new()
            } else {
                format!("; quiet: {}", quiet(keep_alive))
            };
            line("peer", format!("{}: {calls}; {networks}{quiet}", peer.name));
        }
        line("keys", "readable, right length".into());
        text
    }
}

/// Where a peer's packets go at the start.
impl HubPeer<'_> {
    pub(in super::super) fn address(&self) -> Option<gateway::Address> {
        match self.place {
            Some(Place::Known(address)) => Some((*address).into()),
            _ => None,
        }
    }
}
