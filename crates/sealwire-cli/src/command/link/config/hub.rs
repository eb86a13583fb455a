// SPDX-License-Identifier: Apache-2.0
//! `[[peer]]` sections: a hub's peers, each with its key and what belongs to it.

use super::{
    Address, Around, Config, EndId, Failure, KeepAliveText, PublicKey, Sessions, Side, check_peer,
    quiet, static_keys, texts,
};
use sealwire_link::{
    endpoint::Timers,
    gateway::{self, Mac},
    hub::{Hub, MAX_PEERS, PeerSetup, Prefix},
    noise::{KEY_LEN, StaticKeys},
    schedule::{Ends, Id, Identity, Psk, Role},
    suite::Suite,
    wire::{Kind, Version},
};
use serde::Deserialize;
use std::{
    collections::HashMap,
    fmt::{self, Write},
    net::{IpAddr, SocketAddr},
    ops::Deref,
    path::{Path, PathBuf},
};
use zeroize::Zeroizing;

/// One peer as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PeerEntry {
    id: EndId,
    name: Option<PeerName>,
    /// Of the pre-shared key, unless sessions come through the Noise channel.
    key_file: Option<PathBuf>,
    /// The peer's public key: its sessions come through the Noise channel.
    peer_key: Option<PublicKey>,
    /// Where the peer's Noise channel listens, at its endpoint: the port after that of its link, unless it is named.
    noise_port: Option<u16>,
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

impl Place {
    fn port(&self) -> u16 {
        match self {
            Self::Known(address) => address.port(),
            Self::Named(_, port) => *port,
        }
    }

    /// The address, if it is one.
    pub(in super::super) fn known(&self) -> Option<SocketAddr> {
        match self {
            Self::Known(address) => Some(*address),
            Self::Named(..) => None,
        }
    }

    /// The port after this one, at the same place.
    pub(super) fn next(&self) -> Option<Self> {
        let port = self.port().checked_add(1)?;
        Some(match self {
            Self::Known(address) => Self::Known(SocketAddr::new(address.ip(), port)),
            Self::Named(host, _) => Self::Named(host.clone(), port),
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(address) => address.fmt(f),
            Self::Named(host, port) => write!(f, "{host}:{port}"),
        }
    }
}

/// Where a peer's sessions come from.
pub(in super::super) enum PeerSessions {
    /// Both ends hold a pre-shared key.
    Handshake(Ends),
    /// The initiator draws them and sends them through a Noise channel.
    Noise {
        /// Whether a pre-shared key is mixed in.
        has_psk: bool,
        identity: Identity,
        keys: StaticKeys,
        /// Of the peer's channel, if this end knows where the peer is.
        port: Option<u16>,
    },
}

impl PeerSessions {
    fn identity(&self) -> &Identity {
        match self {
            Self::Handshake(ends) => ends.identity(),
            Self::Noise { identity, .. } => identity,
        }
    }

    /// What becomes of recorded traffic if a key is stolen later.
    fn secrecy(&self) -> &'static str {
        match self {
            Self::Handshake(_) => Sessions::PSK_SECRECY,
            Self::Noise { has_psk, .. } => Sessions::noise_secrecy(*has_psk),
        }
    }
}

/// One peer that can be run.
pub(in super::super) struct HubPeer<'a> {
    pub(in super::super) name: String,
    pub(in super::super) sessions: PeerSessions,
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
    /// Where the Noise channel listens, if there is one.
    pub(in super::super) noise: Option<SocketAddr>,
    /// This end's public key for it.
    own_key: Option<[u8; KEY_LEN]>,
}

impl PeerEntry {
    fn name(&self) -> String {
        match &self.name {
            Some(PeerName(name)) => name.clone(),
            None => format!("{:x}", u64::from_be_bytes(self.id.0)),
        }
    }

    /// Checks one peer and reads its key. `private` is this end's for the Noise channel.
    fn check<'a>(
        &'a self,
        config: &Config,
        around: &Around<'_>,
        private: Option<&[u8; KEY_LEN]>,
    ) -> Result<HubPeer<'a>, Failure> {
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
        let sessions = self
            .sessions(config, around, private)
            .map_err(|failure| wrong(failure.message.unwrap_or_default()))?;
        match (sessions.identity().role(), &self.endpoint, around.side) {
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
            sessions,
            timers,
            place: self.endpoint.as_ref(),
            networks: self.allowed_ips.iter().map(|ips| ips.0).collect(),
            name,
        })
    }

    /// Where the peer's sessions come from, its keys read.
    fn sessions(
        &self,
        config: &Config,
        around: &Around<'_>,
        private: Option<&[u8; KEY_LEN]>,
    ) -> Result<PeerSessions, Failure> {
        let link = &config.link;
        let said = |error: sealwire_link::Error| Failure::from(error.to_string());
        let Some(peer_key) = self.peer_key else {
            if self.noise_port.is_some() {
                return Err("noise-port is for a peer with a peer-key".into());
            }
            let ends = Ends::new(
                link.suite.0,
                self.psk(config)?,
                link.id.0,
                self.id.0,
                around.kind,
            );
            return Ok(PeerSessions::Handshake(
                ends.map_err(said)?.with_version(link.version.0),
            ));
        };
        let Some(private) = private else {
            return Err("peer-key needs [noise] with key-file, this end's own private key".into());
        };
        let psk = self.key_file.is_some().then(|| self.psk(config));
        let psk = psk.transpose()?;
        let identity = Identity::new(link.suite.0, link.id.0, self.id.0, around.kind)
            .map_err(said)?
            .with_version(link.version.0);
        let next = |place: &Place| place.port().checked_add(1);
        let port = match (self.noise_port, &self.endpoint) {
            (None, Some(place)) => Some(next(place).ok_or(
                "noise-port is missing: without it this is the port after that of endpoint, which has none here",
            )?),
            (port, _) => port,
        };
        if port == Some(0) {
            return Err("noise-port must be 1 to 65535".into());
        }
        Ok(PeerSessions::Noise {
            has_psk: psk.is_some(),
            keys: static_keys(private, peer_key, &identity, psk)
                .map_err(|error| format!("peer-key: {error}"))?,
            identity,
            port,
        })
    }

    fn psk(&self, config: &Config) -> Result<Psk, Failure> {
        match &self.key_file {
            Some(file) => config.psk_of(file),
            None => Err("key-file or peer-key is missing: name the pre-shared key, or the peer's public key for sessions through [noise]".into()),
        }
    }

    /// Whether a new pre-shared key can be put in place while the gateway runs. One that is mixed into a Noise channel is read once, at the start.
    fn is_renewable(&self) -> bool {
        self.peer_key.is_none()
    }
}

impl Config {
    /// Peers whose pre-shared key can be renewed, by their numbers.
    pub(in super::super) fn renewable_peers(&self) -> impl Iterator<Item = usize> {
        let peers = self.peer.iter().enumerate();
        peers
            .filter(|(_, entry)| entry.is_renewable())
            .map(|(number, _)| number)
    }

    /// What the peers are called.
    pub(in super::super) fn peer_names(&self) -> Vec<String> {
        self.peer.iter().map(PeerEntry::name).collect()
    }

    /// Addresses that the peers have, as far as the configuration names them.
    pub(in super::super) fn known_peers(&self) -> Vec<IpAddr> {
        let of_hub = self.peer.iter().map(|entry| &entry.endpoint);
        let channel = self.noise.as_ref().map(|noise| &noise.peer);
        let places = of_hub
            .chain([&self.untrusted.peer])
            .chain(channel)
            .flatten();
        let known = places.filter_map(Place::known);
        known.map(|address| address.ip()).collect()
    }

    /// Reads a peer's key file again.
    pub(in super::super) fn peer_psk(&self, number: usize) -> Result<Psk, Failure> {
        let entry = self.peer.get(number);
        entry
            .ok_or_else(|| "there is no such peer".into())
            .and_then(|entry| entry.psk(self))
    }

    /// Key files that are read again for new keys.
    pub(super) fn peer_key_files(&self) -> impl Iterator<Item = &Path> {
        let peers = self.peer.iter().filter(|entry| entry.is_renewable());
        peers.filter_map(|entry| entry.key_file.as_deref())
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
                config
                    .noise
                    .as_ref()
                    .is_some_and(|noise| noise.peer_key.is_some()),
                "[noise] peer-key: each [[peer]] has its own peer-key",
            ),
            (
                config
                    .noise
                    .as_ref()
                    .is_some_and(|noise| noise.peer.is_some()),
                "[noise] peer: a [[peer]] has an endpoint, and a noise-port where it is not the next",
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
        let (mut noise, mut private) = (None, None);
        if let Some(section) = &config.noise {
            if config.peer.iter().all(|entry| entry.peer_key.is_none()) {
                return Err("[noise] is for peers with a peer-key, and no [[peer]] has one".into());
            }
            noise = Some(section.listen(untrusted, side)?);
            private = Some(section.private(config)?);
        }
        let private: Option<&[u8; KEY_LEN]> = private.as_deref().map(Zeroizing::deref);
        let own_key = private.map(StaticKeys::public_of).transpose();
        let own_key = own_key.map_err(|error| error.to_string())?;
        let mut public: HashMap<[u8; KEY_LEN], String> = HashMap::new();
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
            let file = entry.key_file.as_deref();
            if let Some(other) = file.and_then(|file| files.insert(file, name.clone())) {
                return Err(format!("[[peer]] {name}: {other} has this key-file already; no two links may share a key").into());
            }
            let key = entry.peer_key.map(|key| key.0);
            if let Some(other) = key.and_then(|key| public.insert(key, name.clone())) {
                return Err(format!("[[peer]] {name}: {other} has this peer-key already; each peer has a key pair of its own").into());
            }
            peers.push(entry.check(config, &around, private)?);
        }
        Ok(Self {
            around,
            suite: link.suite.0,
            version: link.version.0,
            id: link.id.0,
            peers,
            noise,
            own_key,
        })
    }

    /// Refuses two peers with one id or one network, as the hub itself does when an end starts.
    pub(in super::super) fn check_together(&self) -> Result<(), Failure> {
        let mut hub = Hub::new(self.suite, self.id, self.around.kind, self.version);
        for peer in &self.peers {
            let identity = *peer.sessions.identity();
            let setup = PeerSetup::loaded(identity, peer.timers, peer.address());
            hub.add(&peer.name, setup, &peer.networks)
                .map_err(|error| format!("[[peer]] {}: {error}", peer.name))?;
        }
        Ok(())
    }

    /// Peers that are looked up, and where they are.
    pub(in super::super) fn names(&self) -> impl Iterator<Item = (&str, &str, u16)> {
        self.peers.iter().filter_map(|peer| match peer.place {
            Some(Place::Named(host, port)) => Some((&*peer.name, &**host, *port)),
            _ => None,
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
        line(
            "role",
            match self.peers.len() {
                1 => "hub of one peer".to_owned(),
                peers => format!("hub of {peers} peers"),
            },
        );
        self.around.describe(&mut line);
        let secrecy: Vec<&str> = self
            .peers
            .iter()
            .map(|peer| peer.sessions.secrecy())
            .collect();
        let is_one = secrecy.windows(2).all(|pair| pair[0] == pair[1]);
        match (is_one, secrecy.first()) {
            (true, Some(secrecy)) => line("secrecy", (*secrecy).into()),
            _ => line("secrecy", "each peer's own, below".into()),
        }
        if let (Some(listen), Some(own)) = (self.noise, self.own_key) {
            line("noise", format!("UDP {listen}"));
            line("own key", base16ct::lower::encode_string(&own));
        }
        for peer in &self.peers {
            let calls = match (peer.sessions.identity().role(), peer.place) {
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
            let secrecy = match is_one {
                true => String::new(),
                false => format!("; {}", peer.sessions.secrecy()),
            };
            line(
                "peer",
                format!("{}: {calls}; {networks}{quiet}{secrecy}", peer.name),
            );
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
