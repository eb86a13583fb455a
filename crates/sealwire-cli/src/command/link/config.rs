// SPDX-License-Identifier: Apache-2.0
//! The configuration file of one end: TOML, every mistake named with its line and what is allowed.

use super::{
    super::{
        input::{lines_without_controls, plain, shown},
        scheme_names::to_suite,
    },
    Failure,
    names::Named,
    network::{Prefix, Route},
    refused,
};
use hub::PeerEntry;
pub(super) use hub::{CheckedHub, HubPeer, PeerSessions, Place};
use nix::unistd::{User, getuid};
use sealwire_file::{Key, KeyFileError, Purpose};
use sealwire_link::{
    endpoint::{KeepAlive, Timers},
    gateway::{self, Carrier, Mac, device_mtu},
    noise::{KEY_LEN, StaticKeys},
    schedule::{Ends, Id, Identity, Psk, Role},
    suite::Suite,
    wire::{Kind, MAX_FRAME, Version},
};
use serde::Deserialize;
use std::{
    ffi::OsStr,
    fmt::{self, Write},
    fs, io,
    net::SocketAddr,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};
use zeroize::Zeroizing;

mod hub;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    link: Link,
    trusted: Trusted,
    untrusted: Untrusted,
    noise: Option<Noise>,
    /// Of a hub.
    #[serde(default)]
    peer: Vec<PeerEntry>,
    #[serde(default)]
    rekey: Rekey,
    #[serde(default)]
    run: Run,
    #[serde(default)]
    hooks: Hooks,
    /// Where the file lies: relative paths start beside it.
    #[serde(skip)]
    path: PathBuf,
}

/// What a configuration cannot do without, and what to write.
const MISSING: [(&str, &str); 7] = [
    (
        "link",
        "write a section [link] with id, peer-id, suite and, but for key pairs, key-file",
    ),
    (
        "trusted",
        "write a section [trusted] with device, the name that the gateway's own device gets: device = \"seal0\"",
    ),
    (
        "untrusted",
        "write a section [untrusted] with listen, an address and a UDP port: listen = \"0.0.0.0:4500\"; or with device, for bare Ethernet",
    ),
    (
        "id",
        "write the id of an end, up to 16 hexadecimal digits, in [link] this end's and in [[peer]] the other's: id = \"1\"",
    ),
    (
        "suite",
        "write the suite, the same at both ends: suite = \"omd-blake2b\"; `sealwire schemes` says which are suites",
    ),
    (
        "device",
        "write the name that the gateway's own device gets, up to 15 characters: device = \"seal0\"",
    ),
    (
        "key-file",
        "write the name of the file with this end's private key, which `sealwire link noise-key` makes",
    ),
];

/// What to write where the parser misses a field.
fn what_is_missing(message: &str) -> Option<&'static str> {
    let is_it = |(field, _): &&(&str, &str)| message.contains(&format!("missing field `{field}`"));
    MISSING.iter().find(is_it).map(|(_, words)| *words)
}

/// Whether this process runs as the user of this name.
fn is_user(name: &str) -> bool {
    matches!(User::from_name(name), Ok(Some(user)) if user.uid == getuid())
}

/// What is to be given in place of a file that cannot be read as a configuration.
const NEEDED: &str =
    "what is needed is an end's configuration file, such as /etc/sealwire/office.toml";

/// Where status sockets are that the configuration does not name.
pub(super) const SOCKETS: &str = "/run/sealwire";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Link {
    id: EndId,
    /// Unless the end is a hub.
    peer_id: Option<EndId>,
    suite: SuiteName,
    /// Of the wire format.
    #[serde(default)]
    version: VersionNumber,
    #[serde(default)]
    keep_alive: Option<KeepAliveText>,
    /// Of the pre-shared key, unless sessions come through the Noise channel.
    key_file: Option<PathBuf>,
}

/// Sessions come through a Noise channel in place of handshakes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Noise {
    /// The port after that of the link, unless it is named.
    listen: Option<Address>,
    /// Unless the end is a hub.
    peer: Option<Place>,
    key_file: PathBuf,
    /// Unless the end is a hub.
    peer_key: Option<PublicKey>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Trusted {
    device: DeviceName,
    #[serde(default)]
    carries: Carries,
    mtu: Option<u16>,
    /// Of a TAP device.
    mac: Option<MacText>,
    #[serde(default = "default_path_mtu")]
    path_mtu: u16,
    #[serde(default)]
    addresses: Vec<Prefix>,
    #[serde(default)]
    routes: Vec<Route>,
    bridge: Option<DeviceName>,
}

/// What the device gets besides a name. Its fields are those of [`Trusted`].
pub(super) struct Network<'a>(&'a Trusted);

impl Network<'_> {
    pub(super) fn addresses(&self) -> &[Prefix] {
        &self.0.addresses
    }

    pub(super) fn routes(&self) -> &[Route] {
        &self.0.routes
    }

    pub(super) fn bridge(&self) -> Option<&str> {
        self.0.bridge.as_ref().map(|name| name.0.as_str())
    }

    /// Refuses what no device can have.
    fn check(&self) -> Result<(), Failure> {
        let Some(bridge) = self.bridge() else {
            return Ok(());
        };
        if self.0.carries == Carries::Ip {
            return Err(
                "[trusted] bridge is for carries = \"ethernet\": a bridge joins Ethernets".into(),
            );
        }
        if !self.addresses().is_empty() || !self.routes().is_empty() {
            return Err(format!("[trusted] has bridge and addresses or routes: in a bridge these belong to {bridge} itself").into());
        }
        Ok(())
    }
}

/// Commands around the device, for a shell, with the rights that the gateway has at its start.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Hooks {
    /// When the device is there, with its addresses and routes.
    pub(super) up: Vec<String>,
    /// When the device is gone.
    pub(super) down: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Untrusted {
    /// Over UDP.
    listen: Option<Address>,
    peer: Option<Place>,
    /// Over Ethernet.
    device: Option<DeviceName>,
    peer_mac: Option<MacText>,
    /// Whether the end that answers keeps to that address.
    #[serde(default)]
    pin_peer: bool,
    /// Whether the kernel may cut and join packets.
    #[serde(default = "yes")]
    offload: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Rekey {
    after_seconds: u64,
    max_age_seconds: u64,
    after_packets: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Run {
    user: Option<String>,
    status_socket: Option<PathBuf>,
    metrics: Option<Address>,
    log: LogLevel,
    log_format: LogFormat,
    threads: Threads,
}

impl Default for Rekey {
    fn default() -> Self {
        Self {
            after_seconds: 120,
            max_age_seconds: 180,
            after_packets: None,
        }
    }
}

const fn yes() -> bool {
    true
}

const fn default_path_mtu() -> u16 {
    1500
}

/// What the device carries.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Carries {
    /// Ethernet frames, by a TAP device.
    #[default]
    Ethernet,
    /// IP packets, by a TUN device.
    Ip,
}

/// How much is logged.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum LogLevel {
    Error,
    Warn,
    #[default]
    Info,
    Debug,
}

/// How log lines look.
#[derive(Deserialize, Clone, Copy, Default, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum LogFormat {
    #[default]
    Text,
    Json,
}

/// An id: 1 to 16 hexadecimal digits, not all zero.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "String")]
struct EndId(Id);

impl TryFrom<String> for EndId {
    type Error = String;

    fn try_from(digits: String) -> Result<Self, String> {
        let legal =
            (1..=16).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let value = u64::from_str_radix(&digits, 16).ok().filter(|_| legal);
        match value {
            Some(value) if value != 0 => Ok(Self(value.to_be_bytes())),
            _ => Err(format!(
                "\"{digits}\" is no id: give 1 to 16 hexadecimal digits that are not all zero, for example \"1\" or \"a37f\""
            )),
        }
    }
}

/// A suite by name.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "String")]
struct SuiteName(&'static Suite);

impl TryFrom<String> for SuiteName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        to_suite(&name)
            .map(Self)
            .map_err(|error| format!("the suite \"{name}\" is unknown: {error}"))
    }
}

/// A version of the wire format, by its number.
#[derive(Deserialize, Clone, Copy, Default)]
#[serde(try_from = "u8")]
struct VersionNumber(Version);

impl TryFrom<u8> for VersionNumber {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Version::from_number(number).map(Self).ok_or_else(|| {
            format!("there is no version {number} of the wire format; there are 2 and, for ends that know no other, 1")
        })
    }
}

/// How many threads carry packets. Each has buffers and a stack of some 5 MB, which are locked in memory.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "ThreadsText")]
struct Threads(usize);

impl Threads {
    const MOST: usize = 64;
}

impl Default for Threads {
    fn default() -> Self {
        Self(1)
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "threads is a number from 1 to 64")]
enum ThreadsText {
    Number(i64),
}

impl TryFrom<ThreadsText> for Threads {
    type Error = String;

    fn try_from(ThreadsText::Number(number): ThreadsText) -> Result<Self, String> {
        let legal = usize::try_from(number).ok();
        let legal = legal.filter(|number| (1..=Self::MOST).contains(number));
        legal.map(Self).ok_or_else(|| {
            format!("threads cannot be {number}; allowed are 1 to {}, not more than the machine has cores to spare", Self::MOST)
        })
    }
}

/// When keep-alives are sent: a word or a number of seconds.
#[derive(Deserialize, Clone, Copy)]
#[serde(
    untagged,
    expecting = "keep-alive is \"off\", a number of seconds from 1 to 600, or \"prompt\""
)]
enum KeepAliveText {
    Word(KeepAliveWord),
    Seconds(u64),
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum KeepAliveWord {
    Off,
    Prompt,
}

impl KeepAliveText {
    fn chosen(self) -> KeepAlive {
        match self {
            Self::Word(KeepAliveWord::Off) => KeepAlive::Off,
            Self::Word(KeepAliveWord::Prompt) => KeepAlive::Prompt,
            Self::Seconds(seconds) => KeepAlive::Every(Duration::from_secs(seconds)),
        }
    }
}

impl Link {
    /// What both ends do, as `text` says or without being told: an end that knows version 1 only takes silence for a lost peer.
    fn keep_alive(&self, text: Option<KeepAliveText>) -> Result<KeepAlive, Failure> {
        let chosen = match text {
            None if self.version.0 == Version::One => KeepAlive::Prompt,
            None => KeepAlive::Off,
            Some(text) => text.chosen(),
        };
        if self.version.0 == Version::One && chosen != KeepAlive::Prompt {
            return Err("[link] keep-alive must be \"prompt\" with version = 1: such an end takes 750 ms of silence for a lost peer".into());
        }
        Ok(chosen)
    }
}

/// The other end's public key for the Noise channel: 64 hexadecimal digits.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "String")]
struct PublicKey([u8; KEY_LEN]);

impl TryFrom<String> for PublicKey {
    type Error = String;

    fn try_from(digits: String) -> Result<Self, String> {
        let mut key = [0; KEY_LEN];
        match base16ct::mixed::decode(&digits, &mut key) {
            Ok(decoded) if decoded.len() == KEY_LEN => Ok(Self(key)),
            _ => Err(format!(
                "this is no public key: give the 64 hexadecimal digits that `sealwire link noise-key` or `check` says at the other end, here are {} characters",
                digits.len()
            )),
        }
    }
}

/// The address of a network card.
#[derive(Deserialize, Clone, Copy)]
#[serde(try_from = "String")]
struct MacText(Mac);

impl TryFrom<String> for MacText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
            .map(Self)
            .map_err(|error| format!("\"{text}\": {error}, for example \"02:00:5e:10:00:01\""))
    }
}

/// A device's name, as Linux allows it.
#[derive(Deserialize, Clone)]
#[serde(try_from = "String")]
struct DeviceName(String);

impl TryFrom<String> for DeviceName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let legal = (1..=15).contains(&name.len())
            && name
                .bytes()
                .all(|b| b.is_ascii_graphic() && b != b'/' && b != b':' && b != b'%')
            && name != "."
            && name != "..";
        if legal {
            return Ok(Self(name));
        }
        Err(format!(
            "\"{name}\" is no device name: give 1 to 15 letters, digits, '-' or '_', for example \"seal0\""
        ))
    }
}

/// An address with a port.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "String")]
struct Address(SocketAddr);

impl TryFrom<String> for Address {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Self).map_err(|_| {
            format!("\"{text}\" is no address with port: write for example \"192.0.2.7:4500\" or \"[2001:db8::7]:4500\"")
        })
    }
}

impl Config {
    /// Reads a file. Of the key only the name is looked at.
    pub(super) fn load(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| {
            let (why, advice) = match error.kind() {
                io::ErrorKind::PermissionDenied => (
                    plain(&error),
                    "say it with `sudo`, or as a user that may read it",
                ),
                io::ErrorKind::InvalidData => ("it is not text in UTF-8".to_owned(), NEEDED),
                _ => (plain(&error), NEEDED),
            };
            format!("cannot read {}: {why}; {advice}", shown(path))
        })?;
        let mut config =
            Self::parse(&text).map_err(|error| format!("{}: {}", shown(path), error.trim_end()))?;
        config.check_writers(path)?;
        path.clone_into(&mut config.path);
        Ok(config)
    }

    /// What the file says now.
    pub(super) fn read_again(&self) -> Result<Self, Failure> {
        Self::load(&self.path)
    }

    /// Where relative paths start.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The file's name without its ending.
    fn name(&self) -> &OsStr {
        self.path.file_stem().unwrap_or_default()
    }

    fn parse(text: &str) -> Result<Self, String> {
        // The message quotes the file, which may hold anything.
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let said = lines_without_controls(&error.to_string());
            match what_is_missing(error.message()) {
                Some(words) => format!("{}\n{words}", said.trim_end()),
                None => said,
            }
        })
    }

    /// Commands of a file that others can write would give them the rights of who starts the gateway.
    fn check_writers(&self, path: &Path) -> Result<(), Failure> {
        if self.hooks.up.is_empty() && self.hooks.down.is_empty() {
            return Ok(());
        }
        let metadata =
            fs::metadata(path).map_err(|error| format!("{}: {}", shown(path), plain(&error)))?;
        let is_own = metadata.uid() == 0 || metadata.uid() == getuid().as_raw();
        if is_own && metadata.mode() & 0o022 == 0 {
            return Ok(());
        }
        Err(format!(
            "{}: [hooks] are run with this end's rights, so nobody else may write the file: say `chmod go-w`, and give it to the user that starts the end",
            shown(path)
        )
        .into())
    }

    pub(super) fn hooks(&self) -> &Hooks {
        &self.hooks
    }

    /// What the device gets besides a name.
    pub(super) fn network(&self) -> Network<'_> {
        Network(&self.trusted)
    }

    /// Where `status` asks: like the key file's, a relative path starts beside the configuration, wherever either command is given.
    pub(super) fn status_socket(&self) -> PathBuf {
        match &self.run.status_socket {
            Some(path) => self.folder().join(path),
            None => {
                let mut name = self.name().to_owned();
                name.push(".sock");
                Path::new(SOCKETS).join(name)
            }
        }
    }

    /// What systemd calls this end.
    pub(super) fn unit(&self) -> String {
        format!("sealwire@{}", self.name().display())
    }

    /// Whether the configuration names the status socket, which an end does not start without then.
    pub(super) fn names_status_socket(&self) -> bool {
        self.run.status_socket.is_some()
    }

    /// Whether this user will be able to read the key files again once root is given up: nobody but their owner can.
    pub(super) fn check_key_owner(&self, user: &User) -> Result<(), Failure> {
        // With the channel, the pre-shared key is read once, at the start.
        let own = self
            .link
            .key_file
            .as_deref()
            .filter(|_| !self.has_channel());
        for file in own.into_iter().chain(self.peer_key_files()) {
            let path = self.folder().join(file);
            let owner = fs::metadata(&path).map(|metadata| metadata.uid());
            let is_other = owner.is_ok_and(|owner| owner != user.uid.as_raw());
            if is_other && !user.uid.is_root() {
                return Err(format!(
                    "key file {}: user {} could not read it again for a new key: say `chown {} {}`",
                    shown(&path),
                    user.name,
                    user.name,
                    shown(&path)
                )
                .into());
            }
        }
        Ok(())
    }

    /// Whether it describes many peers.
    pub(super) fn is_hub(&self) -> bool {
        !self.peer.is_empty()
    }

    pub(super) fn kind(&self) -> Kind {
        match self.trusted.carries {
            Carries::Ethernet => Kind::Ethernet,
            Carries::Ip => Kind::Ip,
        }
    }

    fn timers(&self, keep_alive: Option<KeepAliveText>) -> Result<Timers, Failure> {
        let (seconds, rekey) = (Duration::from_secs, &self.rekey);
        let mut timers = Timers::new(seconds(rekey.after_seconds), seconds(rekey.max_age_seconds))
            .map_err(|error| format!("[rekey] after-seconds, max-age-seconds: {error}"))?;
        match rekey.after_packets {
            Some(packets) if packets < 100 => {
                return Err("[rekey] after-packets must be at least 100".into());
            }
            Some(packets) => timers = timers.with_rekey_packets(packets),
            None => {}
        }
        Ok(timers
            .with_keep_alive(self.link.keep_alive(keep_alive)?)
            .map_err(|error| format!("[link] or [[peer]]: {error}"))?)
    }

    /// The trusted device's name.
    pub(super) fn device(&self) -> &str {
        &self.trusted.device.0
    }

    pub(super) fn metrics(&self) -> Option<SocketAddr> {
        self.run.metrics.map(|address| address.0)
    }

    pub(super) fn user(&self) -> Option<&str> {
        self.run.user.as_deref()
    }

    pub(super) fn log(&self) -> (LogLevel, LogFormat) {
        (self.run.log, self.run.log_format)
    }

    /// Threads that carry packets.
    pub(super) fn threads(&self) -> usize {
        self.run.threads.0
    }

    /// Refuses several threads where one gets all packets.
    fn check_threads(&self, side: Side<'_>) -> Result<(), Failure> {
        let threads = self.threads();
        let why = match side {
            _ if threads == 1 => return Ok(()),
            Side::Ethernet(_) => "UDP: over bare Ethernet one thread gets all packets",
            Side::Udp(_) if !self.is_hub() => {
                "a hub, which has [[peer]] sections: one thread gets all packets of a peer"
            }
            Side::Udp(_) => return Ok(()),
        };
        Err(format!("[run] threads = {threads} is for {why}").into())
    }

    pub(super) fn offload(&self) -> bool {
        self.untrusted.offload
    }

    /// Whether sessions, of a hub those of some peers, come through the Noise channel.
    pub(super) fn has_channel(&self) -> bool {
        self.noise.is_some()
    }

    /// Reads the file of the pre-shared key.
    pub(super) fn psk(&self) -> Result<Psk, Failure> {
        let Some(file) = &self.link.key_file else {
            return Err(
                "[link] key-file is missing: name the pre-shared key, or add [noise] for sessions without one"
                    .into(),
            );
        };
        self.psk_of(file)
    }

    fn psk_of(&self, file: &Path) -> Result<Psk, Failure> {
        let key = self.key(
            file,
            Purpose::Link,
            "`sealwire link keygen`, the same for both ends",
        )?;
        let cannot = |error: &dyn fmt::Display| format!("key file {}: {error}", shown(file));
        Ok(Psk::new(self.link.suite.0, key.as_bytes()).map_err(|error| cannot(&error))?)
    }

    /// Reads a key file, which nobody but its owner may be able to read.
    fn key(&self, file: &Path, purpose: Purpose, made_with: &str) -> Result<Key, Failure> {
        let path = self.folder().join(file);
        let cannot = |error: &dyn fmt::Display| format!("key file {}: {error}", shown(&path));
        let file = fs::File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => {
                let advice = match self.user() {
                    // Root was given up, as the configuration says.
                    Some(user) if is_user(user) => "only its owner can read it",
                    _ => "only its owner can read it: say it with `sudo`",
                };
                format!("{}; {advice}", cannot(&plain(&error)))
            }
            _ => format!("{}; make one with {made_with}", cannot(&plain(&error))),
        })?;
        let metadata = file.metadata().map_err(|e| cannot(&plain(&e)))?;
        if metadata.is_dir() {
            let error = cannot(&"it is a directory");
            return Err(format!("{error}; give a file, and make one with {made_with}").into());
        }
        let mode = metadata.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(cannot(&format!(
                "others can read it (mode {:o}); say `chmod 600`, and make a new key if anybody may have read it",
                mode & 0o777
            ))
            .into());
        }
        let key = Key::read(file).map_err(|error| match &error {
            KeyFileError::Read(error) => cannot(&plain(error)),
            error => cannot(error),
        })?;
        key.check_purpose(purpose)
            .map_err(|error| format!("{}; make one with {made_with}", cannot(&error)))?;
        Ok(key)
    }
}

impl Noise {
    /// Where the channel listens.
    fn listen(&self, untrusted: &Untrusted, side: Side<'_>) -> Result<SocketAddr, Failure> {
        let listen = self
            .listen
            .map_or_else(|| next_port(untrusted.listen), Ok)?
            .0;
        if listen.port() == 0 || side.udp() == Some(listen) {
            return Err(
                "[noise] listen needs a port of its own that the other end can know".into(),
            );
        }
        Ok(listen)
    }

    /// Reads the private key.
    fn private(&self, config: &Config) -> Result<Box<Zeroizing<[u8; KEY_LEN]>>, Failure> {
        let key = config.key(
            &self.key_file,
            Purpose::Noise,
            "`sealwire link noise-key`, one for each end",
        )?;
        let private: &[u8; KEY_LEN] = key.as_bytes().try_into().map_err(|_| {
            format!(
                "key file {}: it holds {} bytes, a key for the Noise channel has {KEY_LEN}; make one with `sealwire link noise-key`",
                shown(&self.key_file),
                key.as_bytes().len()
            )
        })?;
        Ok(Box::new(Zeroizing::new(*private)))
    }

    /// Checks what belongs together and reads the private key.
    fn check(
        &self,
        config: &Config,
        identity: Identity,
        side: Side<'_>,
    ) -> Result<Sessions, Failure> {
        let untrusted = &config.untrusted;
        let Some(peer_key) = self.peer_key else {
            return Err("[noise] peer-key is missing: name the other end's public key, which `sealwire link check` says there as \"own key\"".into());
        };
        let listen = self.listen(untrusted, side)?;
        let peer = match (&self.peer, &untrusted.peer) {
            (None, Some(place)) if self.listen.is_none() => {
                Some(place.next().ok_or_else(no_next_port)?)
            }
            (peer, _) => peer.clone(),
        };
        if let Some(Place::Named(host, _)) = &peer
            && !matches!(&untrusted.peer, Some(Place::Named(other, _)) if other == host)
        {
            return Err("[noise] peer can be a name only where [untrusted] peer has the same one: both are looked up at once; give an address".into());
        }
        check_peer("noise", listen, peer.as_ref().and_then(Place::known))?;
        if identity.role() == Role::Initiator && peer.is_none() {
            return Err("[untrusted] peer is missing: this end has the smaller id, so it calls the other and must know where it is ([noise] peer, where that is another address)".into());
        }
        let psk = config.link.key_file.as_deref();
        let psk = psk.map(|file| config.psk_of(file)).transpose()?;
        let has_psk = psk.is_some();
        let keys = static_keys(&**self.private(config)?, peer_key, &identity, psk)
            .map_err(|error| format!("[noise] peer-key: {error}"))?;
        Ok(Sessions::Noise {
            has_psk,
            identity,
            keys,
            listen,
            peer,
        })
    }
}

/// The keys of a channel between these ends, a pre-shared one mixed in if there is one.
fn static_keys(
    private: &[u8; KEY_LEN],
    peer_key: PublicKey,
    identity: &Identity,
    psk: Option<Psk>,
) -> Result<StaticKeys, sealwire_link::Error> {
    let keys = StaticKeys::new(private, peer_key.0)?;
    let Some(psk) = psk else { return Ok(keys) };
    let (id, peer_id) = (identity.local(), identity.peer());
    let ends = Ends::new(identity.suite(), psk, id, peer_id, identity.kind())?
        .with_version(identity.version());
    Ok(keys.with_psk(&ends.channel_key()))
}

/// The address with the port after this one.
fn next_port(address: Option<Address>) -> Result<Address, Failure> {
    let address = address.map(|address| address.0);
    let next = address.and_then(|a| Some(SocketAddr::new(a.ip(), a.port().checked_add(1)?)));
    next.map(Address).ok_or_else(no_next_port)
}

fn no_next_port() -> Failure {
    "[noise] listen is missing: without it this is the UDP port after that of [untrusted], which has none here".into()
}

/// How the untrusted side is reached.
#[derive(Clone, Copy)]
pub(super) enum Side<'a> {
    Udp(SocketAddr),
    /// All packets of our EtherType at this device.
    Ethernet(&'a str),
}

impl Side<'_> {
    pub(super) fn open(&self) -> io::Result<Carrier> {
        match self {
            Self::Udp(listen) => Carrier::udp(*listen),
            Self::Ethernet(device) => Carrier::ethernet(device),
        }
    }

    /// The line of the configuration that asks for it.
    pub(super) fn asked_by(&self) -> String {
        match self {
            Self::Udp(listen) => format!("[untrusted] listen {listen}"),
            Self::Ethernet(device) => format!("[untrusted] device {device}"),
        }
    }

    /// The family of addresses, over UDP.
    pub(super) fn is_ipv4(&self) -> Option<bool> {
        self.udp().map(|listen| listen.is_ipv4())
    }

    fn udp(&self) -> Option<SocketAddr> {
        match self {
            Self::Udp(listen) => Some(*listen),
            Self::Ethernet(_) => None,
        }
    }
}

impl fmt::Display for Side<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Udp(listen) => write!(f, "UDP {listen}"),
            Self::Ethernet(device) => {
                write!(
                    f,
                    "Ethernet {device}, EtherType 0x{:04X}",
                    gateway::ETHERTYPE
                )
            }
        }
    }
}

impl Untrusted {
    /// Checks that one of the two ways is described, and no part of the other.
    fn side(&self) -> Result<(Side<'_>, Option<gateway::Address>), Failure> {
        match (self.listen, &self.device) {
            (Some(Address(listen)), None) => {
                if self.peer_mac.is_some() {
                    return Err("[untrusted] peer-mac is for Ethernet; over UDP it is peer".into());
                }
                let peer = self.peer.as_ref().and_then(Place::known);
                if listen.port() == 0 {
                    return Err(
                        "[untrusted] listen needs a port that the other end can know, not 0".into(),
                    );
                }
                check_peer("untrusted", listen, peer)?;
                Ok((Side::Udp(listen), peer.map(Into::into)))
            }
            (None, Some(DeviceName(device))) => {
                if self.peer.is_some() {
                    return Err("[untrusted] peer is for UDP; over Ethernet it is peer-mac".into());
                }
                Ok((
                    Side::Ethernet(device),
                    self.peer_mac.map(|mac| mac.0.into()),
                ))
            }
            (None, None) => {
                Err("[untrusted] is empty: give listen for UDP, or device for Ethernet".into())
            }
            (Some(_), Some(_)) => Err(
                "[untrusted] has listen and device: give listen for UDP, or device for Ethernet"
                    .into(),
            ),
        }
    }
}

/// Refuses what no other end can have as its address.
fn check_peer(part: &str, listen: SocketAddr, peer: Option<SocketAddr>) -> Result<(), Failure> {
    let Some(peer) = peer else { return Ok(()) };
    if peer.is_ipv4() != listen.is_ipv4() {
        return Err(format!("[{part}] listen and peer must be both IPv4 or both IPv6").into());
    }
    let ip = peer.ip();
    let nobody = peer.port() == 0 || ip.is_unspecified() || ip.is_multicast();
    if nobody || peer == listen {
        return Err(format!(
            "[{part}] peer must be the address and port of the other end, not {peer}"
        )
        .into());
    }
    Ok(())
}

/// Where sessions come from.
pub(super) enum Sessions {
    /// Both ends hold a pre-shared key.
    Handshake(Ends),
    /// The initiator draws them and sends them through a Noise channel.
    Noise {
        /// Whether a pre-shared key is mixed in.
        has_psk: bool,
        identity: Identity,
        keys: StaticKeys,
        listen: SocketAddr,
        peer: Option<Place>,
    },
}

impl Sessions {
    /// What becomes of recorded traffic under a pre-shared key alone.
    const PSK_SECRECY: &'static str = "no forward secrecy: who gets the pre-shared key one day opens all that was recorded before; [noise] with a key pair at each end has it";

    /// What becomes of recorded traffic if a key is stolen later.
    pub(super) fn secrecy(&self) -> &'static str {
        match self {
            Self::Noise { has_psk, .. } => Self::noise_secrecy(*has_psk),
            Self::Handshake(_) => Self::PSK_SECRECY,
        }
    }

    fn noise_secrecy(has_psk: bool) -> &'static str {
        if has_psk {
            "forward secrecy by key pairs, the pre-shared key mixed in"
        } else {
            "forward secrecy by key pairs"
        }
    }

    pub(super) fn identity(&self) -> &Identity {
        match self {
            Self::Handshake(ends) => ends.identity(),
            Self::Noise { identity, .. } => identity,
        }
    }
}

/// What an end has around its peer or its peers.
pub(super) struct Around<'a> {
    config: &'a Config,
    pub(super) side: Side<'a>,
    pub(super) device: &'a str,
    pub(super) kind: Kind,
    pub(super) mtu: u16,
    /// Of a TAP device.
    pub(super) mac: Option<Mac>,
    timers: Timers,
}

impl<'a> Around<'a> {
    /// Checks what no single value shows. `own_mac` is the TAP device's address unless one is named.
    fn new(config: &'a Config, side: Side<'a>, own_mac: Mac) -> Result<Self, Failure> {
        let Config { link, trusted, .. } = config;
        let kind = config.kind();
        config.network().check()?;
        config.check_threads(side)?;
        if let Some(long) = refused::long_socket(&config.status_socket())
            && config.names_status_socket()
        {
            return Err(long.into());
        }
        if matches!(side, Side::Ethernet(device) if device == trusted.device.0) {
            return Err("[trusted] device is made by this end, [untrusted] device is there already: they need different names".into());
        }
        let fits = device_mtu(trusted.path_mtu, kind, link.suite.0.tag_len, side.udp());
        let mtu = trusted.mtu.unwrap_or(fits);
        let most = MAX_FRAME as u16 - if kind == Kind::Ethernet { 14 } else { 0 };
        if !(68..=most).contains(&mtu) {
            return Err(format!("[trusted] mtu would be {mtu}; allowed are 68 to {most}").into());
        }
        let mac = match (kind, trusted.mac) {
            (Kind::Ethernet, named) => Some(named.map_or(own_mac, |MacText(mac)| mac)),
            (Kind::Ip, None) => None,
            (Kind::Ip, Some(_)) => {
                return Err("[trusted] mac is for carries = \"ethernet\"; a device that carries IP packets has no such address".into());
            }
        };
        Ok(Self {
            config,
            side,
            device: &trusted.device.0,
            kind,
            mtu,
            mac,
            timers: config.timers(link.keep_alive)?,
        })
    }

    /// What will be done, in words, but for the peers.
    fn describe(&self, line: &mut dyn FnMut(&str, String)) {
        let config = self.config;
        line("listen", self.side.to_string());
        let device = match self.kind {
            Kind::Ethernet => "TAP",
            Kind::Ip => "TUN",
        };
        line(
            "device",
            self.mac.map_or_else(
                || format!("{device} {}, MTU {}", self.device, self.mtu),
                |mac| format!("{device} {}, MTU {}, address {mac}", self.device, self.mtu),
            ),
        );
        let network = config.network();
        for (name, values) in [
            ("address", texts(network.addresses())),
            ("route", texts(network.routes())),
            (
                "bridge",
                network.bridge().map(str::to_owned).into_iter().collect(),
            ),
            ("up", config.hooks.up.clone()),
            ("down", config.hooks.down.clone()),
            (
                "threads",
                Some(config.threads())
                    .filter(|threads| *threads > 1)
                    .iter()
                    .map(usize::to_string)
                    .collect(),
            ),
        ] {
            for value in values {
                line(name, value);
            }
        }
        line(
            "rekey",
            format!(
                "after {} s, sessions end after {} s",
                self.timers.rekey().as_secs(),
                self.timers.max_age().as_secs()
            ),
        );
        line("quiet", quiet(self.timers.keep_alive()));
        line(
            "user",
            config
                .user()
                .unwrap_or("not changed; as root it must be named")
                .into(),
        );
        line("status", shown(&config.status_socket()));
    }
}

/// When keep-alives are sent, in words.
fn quiet(keep_alive: KeepAlive) -> String {
    match keep_alive {
        KeepAlive::Off => {
            "no keep-alives, a packet a minute at most while nothing is carried".into()
        }
        KeepAlive::Every(pause) => format!("a keep-alive every {} s", pause.as_secs()),
        KeepAlive::Prompt => "no: a keep-alive every 250 ms".into(),
    }
}

/// A configuration with one peer that can be run.
pub(super) struct Checked<'a> {
    pub(super) around: Around<'a>,
    pub(super) sessions: Sessions,
    pub(super) timers: Timers,
    pub(super) peer: Option<gateway::Address>,
    /// In place of an address, of an end that calls.
    pub(super) named: Option<Named>,
    pub(super) pin_peer: bool,
}

impl<'a> Checked<'a> {
    /// Checks what no single value shows, and reads the key.
    pub(super) fn new(config: &'a Config) -> Result<Self, Failure> {
        let Config {
            link, untrusted, ..
        } = config;
        let Some(peer_id) = link.peer_id else {
            return Err("[link] peer-id is missing: name the other end, or describe several in [[peer]] sections".into());
        };
        if link.id == peer_id {
            return Err("[link] id and peer-id are the same; the two ends need different ones, and each names the other's as peer-id".into());
        }
        let (suite, version, kind) = (link.suite.0, link.version.0, config.kind());
        let (side, peer) = untrusted.side()?;
        let identity = Identity::new(suite, link.id.0, peer_id.0, kind)
            .map_err(|error| format!("[link] {error}"))?
            .with_version(version);
        let around = Around::new(config, side, Mac::of_device(&identity))?;
        if matches!(untrusted.peer, Some(Place::Named(..))) && identity.role() == Role::Responder {
            return Err("[untrusted] peer must be an address: this end has the larger id, so the other calls and its name is not looked up".into());
        }
        let sessions = match &config.noise {
            Some(noise) => noise.check(config, identity, side)?,
            None => Sessions::Handshake(
                Ends::new(suite, config.psk()?, link.id.0, peer_id.0, kind)
                    .map_err(|error| format!("[link] {error}"))?
                    .with_version(version),
            ),
        };
        if untrusted.pin_peer && identity.role() == Role::Initiator {
            return Err("[untrusted] pin-peer is for the end that answers; this end has the smaller id, calls its peer and keeps to that address always".into());
        }
        let needs_peer = identity.role() == Role::Initiator || untrusted.pin_peer;
        if peer.is_none() && untrusted.peer.is_none() && needs_peer {
            let key = match side {
                Side::Udp(_) => "peer",
                Side::Ethernet(_) => "peer-mac",
            };
            let why = if untrusted.pin_peer {
                "pin-peer keeps this end to its peer's address"
            } else {
                "this end has the smaller id, so it calls the other and must know where it is"
            };
            return Err(format!("[untrusted] {key} is missing: {why}").into());
        }
        let noise_port = match &sessions {
            Sessions::Noise {
                peer: Some(Place::Named(_, port)),
                ..
            } => Some(*port),
            _ => None,
        };
        let named = match &untrusted.peer {
            Some(Place::Named(host, port)) => Some(Named {
                host: host.clone(),
                port: *port,
                noise_port,
            }),
            _ => None,
        };
        Ok(Self {
            timers: around.timers,
            around,
            sessions,
            peer,
            named,
            pin_peer: untrusted.pin_peer,
        })
    }

    /// What will be done, in words.
    pub(super) fn describe(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name:9}{value}");
        };
        let identity = self.sessions.identity();
        let suite = identity.suite();
        line(
            "suite",
            format!("{:02x} {} ({})", suite.code, suite.alias, suite.scheme),
        );
        line(
            "version",
            match identity.version() {
                Version::One => "1: a recorded hello is answered again".into(),
                Version::Two => "2".into(),
            },
        );
        line(
            "role",
            match (identity.role(), self.peer) {
                _ if self.around.config.has_channel() => match identity.role() {
                    Role::Initiator => "initiator: draws the sessions".into(),
                    Role::Responder => "responder: waits for sessions".into(),
                },
                (Role::Initiator, _) => "initiator: this end calls the other".into(),
                (Role::Responder, _) if self.pin_peer => {
                    "responder: waits to be called, by its peer's address alone".into()
                }
                (Role::Responder, None) => "responder: waits to be called, from anywhere".into(),
                (Role::Responder, Some(_)) => {
                    "responder: waits to be called, first by its peer's address; follows it if it moves".into()
                }
            },
        );
        if let Some(peer) = self.peer {
            line("peer", peer.to_string());
        }
        if let Some(Named { host, port, .. }) = &self.named {
            line("peer", format!("{host}:{port}, looked up for each call"));
        }
        self.around.describe(&mut line);
        line("secrecy", self.sessions.secrecy().into());
        if let Sessions::Noise {
            keys, listen, peer, ..
        } = &self.sessions
        {
            let does = match identity.role() {
                Role::Initiator => "calls",
                Role::Responder => "is called by",
            };
            let peer = peer
                .as_ref()
                .map_or_else(String::new, |peer| format!(", {does} {peer}"));
            line("noise", format!("UDP {listen}{peer}"));
            let public = keys
                .public()
                .map(|key| base16ct::lower::encode_string(&key));
            line("own key", public.unwrap_or_default());
        }
        line("key", "readable, right length".into());
        text
    }
}

fn texts(values: &[impl fmt::Display]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::OpenOptionsExt;
    use tempfile::TempDir;

    const GOOD: &str = r#"
[link]
id = "1"
peer-id = "2"
suite = "omd-blake2b"
key-file = "link.key"

[trusted]
device = "seal0"

[untrusted]
listen = "192.0.2.1:4500"
peer = "192.0.2.2:4500"
"#;

    /// What is said about a configuration beside a good key.
    fn checked(text: &str) -> Result<String, String> {
        checked_with(text, &"ab".repeat(64), 0o600)
    }

    fn checked_with(text: &str, key: &str, mode: u32) -> Result<String, String> {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("link.key");
        let mut options = fs::OpenOptions::new();
        let mut file = options
            .write(true)
            .create(true)
            .mode(mode)
            .open(path)
            .unwrap();
        std::io::Write::write_all(&mut file, key.as_bytes()).unwrap();
        file.set_permissions(fs::Permissions::from_mode(mode))
            .unwrap();
        let path = folder.path().join("link.toml");
        fs::write(&path, text).unwrap();
        let message = |failure: Failure| failure.message.unwrap_or_default();
        let config = Config::load(&path).map_err(message)?;
        let checked = Checked::new(&config).map_err(message)?;
        Ok(checked.describe())
    }

    fn complaint(from: &str, to: &str) -> String {
        let text = GOOD.replace(from, to);
        assert_ne!(text, GOOD, "the change changes nothing");
        checked(&text).expect_err("must be refused")
    }

    #[test]
    fn speaks_version_2_unless_told_otherwise() {
        assert!(checked(GOOD).unwrap().contains("version  2\n"));
        let with = |version: &str| {
            let line = format!("suite = \"omd-blake2b\"\nversion = {version}");
            checked(&GOOD.replace("suite = \"omd-blake2b\"", &line))
        };
        assert!(with("2").unwrap().contains("version  2\n"));
        let older = with("1").unwrap();
        assert!(older.contains("version  1: a recorded hello is answered again"));
        for wrong in ["0", "3", "17"] {
            let said = with(wrong).expect_err("must be refused");
            assert!(
                said.contains(&format!("there is no version {wrong}")),
                "{said}"
            );
        }
        assert!(with("\"2\"").is_err() && with("-1").is_err());
    }

    #[test]
    fn says_what_will_be_done() {
        let said = checked(GOOD).unwrap();
        assert!(said.contains("02 omd-blake2b") && said.contains("initiator"));
        assert!(
            said.contains("status   /run/sealwire/link.sock\n"),
            "{said}"
        );
        let named = checked(&format!("{GOOD}\n[run]\nstatus-socket = \"end.sock\"\n")).unwrap();
        assert!(named.contains("/end.sock\n") && !named.contains("/run/sealwire"));
        assert!(said.contains("TAP seal0, MTU 1410") && said.contains("192.0.2.2:4500"));
        let other = GOOD
            .replace("id = \"1\"", "id = \"3\"")
            .replace("peer = \"192.0.2.2:4500\"", "")
            .replace("device", "carries = \"ip\"\ndevice");
        let said = checked(&other).unwrap();
        assert!(said.contains("responder: waits to be called, from anywhere"));
        assert!(said.contains("TUN seal0, MTU 1424"));
        let pinned = GOOD
            .replace("id = \"1\"", "id = \"3\"")
            .replace("peer = \"192", "pin-peer = true\npeer = \"192");
        assert!(
            checked(&pinned)
                .unwrap()
                .contains("by its peer's address alone")
        );
        let nobody = pinned.replace("peer = \"192.0.2.2:4500\"", "");
        let said = checked(&nobody).expect_err("must be refused");
        assert!(said.contains("peer is missing: pin-peer"), "{said}");
        let caller = complaint("peer = \"192", "pin-peer = true\npeer = \"192");
        assert!(caller.contains("for the end that answers"), "{caller}");
    }

    #[test]
    fn a_device_keeps_its_address_over_restarts() {
        let derived = checked(GOOD).unwrap();
        assert!(
            derived.contains("MTU 1410, address 06:0c:d9:d9:3a:25\n"),
            "{derived}"
        );
        let with = |line: &str| checked(&GOOD.replace("device", &format!("{line}\ndevice")));
        let chosen = with("mac = \"02:00:5e:10:00:07\"").unwrap();
        assert!(chosen.contains("address 02:00:5e:10:00:07\n"), "{chosen}");
        for (wrong, expected) in [
            ("mac = \"01:00:5e:00:00:01\"", "one network card"),
            ("mac = \"00:00:00:00:00:00\"", "one network card"),
            (
                "carries = \"ip\"\nmac = \"02:00:5e:10:00:07\"",
                "has no such address",
            ),
        ] {
            let said = with(wrong).expect_err("must be refused");
            assert!(said.contains(expected), "{wrong}: {said}");
        }
        assert!(!with("carries = \"ip\"").unwrap().contains("address"));
    }

    #[test]
    fn is_quiet_unless_told_otherwise_or_the_other_end_may_be_in_rtl() {
        let with = |lines: &str| {
            let lines = format!("{lines}\nsuite = \"omd-blake2b\"");
            checked(&GOOD.replace("suite = \"omd-blake2b\"", &lines))
        };
        for (lines, expected) in [
            ("", "quiet    no keep-alives"),
            ("keep-alive = \"off\"", "quiet    no keep-alives"),
            ("keep-alive = 25", "quiet    a keep-alive every 25 s\n"),
            ("keep-alive = \"prompt\"", "every 250 ms"),
            ("version = 1", "every 250 ms"),
            ("version = 1\nkeep-alive = \"prompt\"", "every 250 ms"),
        ] {
            let said = with(lines).unwrap();
            assert!(said.contains(expected), "{lines}: {said}");
        }
        for (lines, expected) in [
            ("version = 1\nkeep-alive = \"off\"", "must be \"prompt\""),
            ("version = 1\nkeep-alive = 25", "must be \"prompt\""),
            ("keep-alive = 0", "at least 1 and at most 600"),
            ("keep-alive = 601", "at least 1 and at most 600"),
            ("keep-alive = -1", "keep-alive is \"off\""),
            ("keep-alive = \"on\"", "keep-alive is \"off\""),
        ] {
            let said = with(lines).expect_err("must be refused");
            assert!(said.contains(expected), "{lines}: {said}");
        }
    }

    #[test]
    fn describes_the_network_and_refuses_what_contradicts_itself() {
        let with = |lines: &str| checked(&GOOD.replace("device", &format!("{lines}\ndevice")));
        let said = with(
            "addresses = [\"10.99.0.1/24\", \"fd00::1/64\"]\nroutes = [\"10.5.0.0/16 via 10.99.0.2\"]",
        )
        .unwrap();
        assert!(
            said.contains("address  10.99.0.1/24\naddress  fd00::1/64\n"),
            "{said}"
        );
        assert!(said.contains("route    10.5.0.0/16 via 10.99.0.2\n"));
        assert!(with("bridge = \"br0\"").unwrap().contains("bridge   br0\n"));
        for (wrong, expected) in [
            (
                "addresses = [\"10.99.0.1\"]",
                "for example \"10.99.0.1/24\"",
            ),
            ("routes = [\"default\"]", "is no route"),
            ("bridge = \"br0\"\ncarries = \"ip\"", "joins Ethernets"),
            (
                "bridge = \"br0\"\naddresses = [\"10.9.0.1/8\"]",
                "belong to br0",
            ),
            ("bridge = \"a/b\"", "no device name"),
        ] {
            let said = with(wrong).expect_err("must be refused");
            assert!(said.contains(expected), "{wrong}: {said}");
        }
    }

    #[test]
    fn runs_no_commands_of_a_file_that_others_can_write() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("link.toml");
        fs::write(&path, format!("{GOOD}\n[hooks]\ndown = [\"true\"]\n")).unwrap();
        let load = |mode| {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            Config::load(&path)
                .map(drop)
                .map_err(|failure| failure.message.unwrap_or_default())
        };
        assert_eq!(load(0o644), Ok(()));
        for mode in [0o664, 0o646, 0o602] {
            assert!(
                load(mode).is_err_and(|said| said.contains("chmod go-w")),
                "{mode:o}"
            );
        }
        // Without commands it is the owner's own affair.
        fs::write(&path, GOOD).unwrap();
        assert_eq!(load(0o666), Ok(()));
    }

    #[test]
    fn takes_ethernet_in_place_of_udp() {
        let text = GOOD
            .replace("listen = \"192.0.2.1:4500\"", "device = \"eth1\"")
            .replace(
                "peer = \"192.0.2.2:4500\"",
                "peer-mac = \"02:00:5e:10:00:02\"",
            );
        let said = checked(&text).unwrap();
        assert!(said.contains("Ethernet eth1, EtherType 0x88B5"), "{said}");
        assert!(said.contains("02:00:5e:10:00:02") && said.contains("MTU 1438"));
        for (from, to, expected) in [
            ("device = \"eth1\"", "", "is empty"),
            ("device = \"eth1\"", "device = \"seal0\"", "different names"),
            (
                "device = \"eth1\"",
                "device = \"eth1\"\nlisten = \"192.0.2.1:1\"",
                "listen and device",
            ),
            (
                "device = \"eth1\"",
                "device = \"eth1\"\npeer = \"192.0.2.2:1\"",
                "peer is for UDP",
            ),
            (
                "peer-mac = \"02:00:5e:10:00:02\"",
                "",
                "peer-mac is missing",
            ),
            ("02:00:5e:10:00:02", "ff:ff:ff:ff:ff:ff", "one network card"),
        ] {
            let wrong = text.replace(from, to);
            assert_ne!(wrong, text);
            let said = checked(&wrong).expect_err("must be refused");
            assert!(said.contains(expected), "{to}: {said}");
        }
        assert!(
            complaint("peer =", "peer-mac = \"02:00:5e:10:00:02\"\npeer =")
                .contains("is for Ethernet")
        );
    }

    #[test]
    fn names_the_line_and_what_is_allowed() {
        for (from, to, expected) in [
            ("id = \"1\"", "id = \"0\"", "line 3"),
            ("id = \"1\"", "id = \"xyz\"", "1 to 16 hexadecimal digits"),
            ("id = \"1\"", "id = \"+1\"", "1 to 16 hexadecimal digits"),
            (
                "omd-blake2b",
                "omd-md5",
                "there are omd-sha512, omd-blake2b",
            ),
            ("seal0", "a/b", "no device name"),
            ("192.0.2.1:4500", "192.0.2.1", "192.0.2.7:4500"),
            ("suite", "siute", "unknown field `siute`"),
            (
                "[trusted]",
                "[trusted]\ncarries = \"ipx\"",
                "unknown variant",
            ),
            ("device = \"seal0\"", "", "missing field `device`"),
        ] {
            let said = complaint(from, to);
            assert!(said.contains(expected), "{to}: {said}");
            assert!(said.contains("link.toml"), "{said}");
        }
    }

    #[test]
    fn checks_what_no_single_value_shows() {
        for (from, to, expected) in [
            ("peer-id = \"2\"", "peer-id = \"1\"", "are the same"),
            ("peer = \"192.0.2.2:4500\"", "", "peer is missing"),
            (
                "peer = \"192.0.2.2:4500\"",
                "peer = \"[::1]:4500\"",
                "both IPv4",
            ),
            ("192.0.2.1:4500", "192.0.2.1:0", "not 0"),
            ("192.0.2.2:4500", "192.0.2.2:0", "of the other end"),
            ("192.0.2.2:4500", "0.0.0.0:4500", "of the other end"),
            ("192.0.2.2:4500", "224.0.0.1:4500", "of the other end"),
            ("192.0.2.2:4500", "192.0.2.1:4500", "of the other end"),
            ("device", "mtu = 9600\ndevice", "68 to 9586"),
            ("device", "path-mtu = 100\ndevice", "mtu would be 10"),
            (
                "[trusted]",
                "[rekey]\nafter-seconds = 3\n[trusted]",
                "at least 4 seconds",
            ),
            (
                "[trusted]",
                "[rekey]\nafter-seconds = 178\n[trusted]",
                "4 seconds more",
            ),
            (
                "[trusted]",
                "[rekey]\nafter-packets = 5\n[trusted]",
                "at least 100",
            ),
            ("link.key", "other.key", "sealwire link keygen"),
        ] {
            let said = complaint(from, to);
            assert!(said.contains(expected), "{to}: {said}");
        }
    }

    #[test]
    fn an_end_that_calls_may_name_its_peer() {
        let named = |text: &str| text.replace("192.0.2.2:4500", "branch.example.net:4500");
        let said = checked(&named(GOOD)).unwrap();
        assert!(
            said.contains("peer     branch.example.net:4500, looked up for each call\n"),
            "{said}"
        );
        let other = GOOD
            .replace("peer-id = \"2\"", "peer-id = \"0\"")
            .replace("id = \"1\"", "id = \"3\"")
            .replace("peer-id = \"0\"", "peer-id = \"1\"");
        checked(&other).unwrap();
        let said = checked(&named(&other)).unwrap_err();
        assert!(
            said.contains("[untrusted] peer must be an address"),
            "{said}"
        );
        for bad in [
            "branch.example.net",
            "branch.example.net:0",
            "-x:4500",
            "a b:4500",
            "1.2.3:4500",
        ] {
            let said = complaint("192.0.2.2:4500", bad);
            assert!(said.contains("no name or address with port"), "{said}");
        }
        let key = "ab".repeat(32);
        let said = checked_noise(&|text| named(&text), &key).unwrap();
        assert!(said.contains("calls 192.0.2.2:4501"), "{said}");
        let both = |text: &str| named(text).replace("192.0.2.2:4501", "branch.example.net:4600");
        let said = checked_noise(&|text| both(&text), &key).unwrap();
        assert!(said.contains("calls branch.example.net:4600"), "{said}");
        let next = |text: String| {
            named(&text)
                .replace("listen = \"192.0.2.1:4501\"\n", "")
                .replace("peer = \"192.0.2.2:4501\"\n", "")
        };
        let said = checked_noise(&next, &key).unwrap();
        assert!(said.contains("calls branch.example.net:4501"), "{said}");
        let alone = |text: String| text.replace("192.0.2.2:4501", "branch.example.net:4501");
        let said = checked_noise(&alone, &key).unwrap_err();
        assert!(
            said.contains("[noise] peer can be a name only where"),
            "{said}"
        );
    }

    /// A configuration with the Noise channel, and what is said about it.
    fn checked_noise(change: &dyn Fn(String) -> String, key: &str) -> Result<String, String> {
        let text = GOOD.replace("key-file = \"link.key\"\n", "")
            + r#"
[noise]
listen = "192.0.2.1:4501"
peer = "192.0.2.2:4501"
key-file = "link.key"
peer-key = "8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f"
"#;
        checked_with(&change(text), key, 0o600)
    }

    #[test]
    fn takes_a_noise_channel_in_place_of_the_shared_key() {
        let key = "ab".repeat(32);
        let said = checked_noise(&|text| text, &key).unwrap();
        assert!(said.contains("initiator: draws the sessions"), "{said}");
        assert!(said.contains("192.0.2.1:4501, calls 192.0.2.2:4501"));
        let own = said
            .lines()
            .find(|line| line.starts_with("own key"))
            .unwrap();
        let own = own.rsplit(' ').next().unwrap();
        assert!(
            own.len() == 64 && !said.contains(&key),
            "the public key only"
        );
        let refused = |from: &str, to: &str| {
            let change = |text: String| {
                assert!(text.contains(from), "{from}");
                text.replacen(from, to, 1)
            };
            checked_noise(&change, &key).expect_err("must be refused")
        };
        let peer_key = "8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f";
        for (from, to, expected) in [
            // The pre-shared key of 64 bytes and the private one of 32 are different files.
            (
                "suite =",
                "key-file = \"link.key\"\nsuite =",
                "needs exactly 64",
            ),
            ("192.0.2.1:4501", "192.0.2.1:4500", "a port of its own"),
            ("192.0.2.1:4501", "192.0.2.1:0", "a port of its own"),
            (
                "peer = \"192.0.2.2:4501\"",
                "",
                "[untrusted] peer is missing",
            ),
            (
                "peer = \"192.0.2.2:4501\"",
                "peer = \"[::1]:1\"",
                "both IPv4",
            ),
            ("peer = \"192.0.2.2:4500\"", "", "must know where it is"),
            (peer_key, own, "this end's own"),
            (peer_key, &"0".repeat(64), "not a key"),
            (peer_key, "8f40", "64 hexadecimal digits"),
            ("link.key", "none.key", "sealwire link noise-key"),
            ("peer-key", "public-key", "unknown field `public-key`"),
        ] {
            let said = refused(from, to);
            assert!(said.contains(expected), "{to}: {said}");
        }
        let short = |text: String| {
            let text = text.replace(
                "listen = \"192.0.2.1:4501\"\npeer = \"192.0.2.2:4501\"\n",
                "",
            );
            assert!(!text.contains("4501"));
            text
        };
        let said = checked_noise(&short, &key).unwrap();
        assert!(
            said.contains("192.0.2.1:4501, calls 192.0.2.2:4501"),
            "{said}"
        );
        assert!(said.contains("secrecy  forward secrecy by key pairs\n"));
        let last = checked_noise(
            &|text| short(text).replace("192.0.2.1:4500", "192.0.2.1:65535"),
            &key,
        );
        assert!(last.is_err_and(|said| said.contains("[noise] listen is missing")));
        assert!(
            checked(GOOD)
                .unwrap()
                .contains("secrecy  no forward secrecy: ")
        );
        let long = checked_noise(&|text| text, &"ab".repeat(64)).expect_err("a shared key");
        assert!(long.contains("it holds 64 bytes"), "{long}");
        assert!(
            complaint("key-file = \"link.key\"", "").contains("key-file is missing"),
            "one of the two is needed"
        );
    }

    /// A hub with two peers, and what is said about it.
    fn checked_hub(from: &str, to: &str) -> Result<String, String> {
        const HUB: &str = r#"
[link]
id = "ff00"
suite = "omd-blake2b"
[trusted]
device = "seal0"
carries = "ip"
[untrusted]
listen = "192.0.2.1:4500"
[[peer]]
name = "branch"
id = "1"
key-file = "branch.key"
allowed-ips = ["10.99.0.2/32", "fd05::/64"]
[[peer]]
id = "ff01"
key-file = "office.key"
allowed-ips = ["10.99.0.3/32"]
endpoint = "office.example.net:4500"
keep-alive = 25
"#;
        assert!(HUB.contains(from), "{from}");
        let folder = TempDir::new().unwrap();
        for (name, bytes) in [
            ("branch.key", 64),
            ("office.key", 64),
            ("hub.noise-key", 32),
        ] {
            let path = folder.path().join(name);
            fs::write(&path, "ab".repeat(bytes)).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        let path = folder.path().join("hub.toml");
        fs::write(&path, HUB.replacen(from, to, 1)).unwrap();
        let message = |failure: Failure| failure.message.unwrap_or_default();
        let config = Config::load(&path).map_err(message)?;
        assert!(config.is_hub());
        let checked = CheckedHub::new(&config).map_err(message)?;
        checked.check_together().map_err(message)?;
        Ok(checked.describe())
    }

    #[test]
    fn describes_the_peers_of_a_hub() {
        let said = checked_hub("", "").unwrap();
        for line in [
            "role     hub of 2 peers\n",
            "peer     branch: calls, from anywhere; 10.99.0.2/32, fd05::/64\n",
            "peer     ff01: called at office.example.net:4500, looked up for each call; 10.99.0.3/32; quiet: a keep-alive every 25 s\n",
            "TUN seal0, MTU 1424\n",
        ] {
            assert!(said.contains(line), "{line}: {said}");
        }
        let known = checked_hub("office.example.net", "192.0.2.9").unwrap();
        assert!(known.contains("called at 192.0.2.9:4500;"), "{known}");
        let first = checked_hub("id = \"1\"", "id = \"1\"\nendpoint = \"192.0.2.8:1\"").unwrap();
        assert!(first.contains("calls, from 192.0.2.8:1 first"), "{first}");
    }

    const BRANCH: &str = "[[peer]]\nname = \"branch\"\nid = \"1\"\nkey-file = \"branch.key\"";
    const BRANCH_PUBLIC: &str = "8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f";

    /// The first peer with a public key, and these lines more.
    fn with_pair(noise: &str, peer: &str) -> String {
        let peer_key = format!("peer-key = \"{BRANCH_PUBLIC}\"");
        format!("{noise}\n[[peer]]\nname = \"branch\"\nid = \"1\"\n{peer_key}\n{peer}")
    }

    #[test]
    fn takes_a_key_pair_for_each_peer_of_a_hub() {
        const NOISE: &str = "[noise]\nkey-file = \"hub.noise-key\"";
        let said = checked_hub(BRANCH, &with_pair(NOISE, "")).unwrap();
        for line in [
            "secrecy  each peer's own, below\n",
            "noise    UDP 192.0.2.1:4501\n",
            "own key  ",
            "calls, from anywhere; 10.99.0.2/32, fd05::/64; forward secrecy by key pairs\n",
            "every 25 s; no forward secrecy: ",
        ] {
            assert!(said.contains(line), "{line}: {said}");
        }
        let mixed = checked_hub(BRANCH, &with_pair(NOISE, "key-file = \"branch.key\"")).unwrap();
        assert!(mixed.contains("the pre-shared key mixed in"), "{mixed}");
        let own = said.lines().find(|line| line.starts_with("own key"));
        let own = own.and_then(|line| line.rsplit(' ').next()).unwrap();
        for (to, expected) in [
            (with_pair("", ""), "needs [noise] with key-file"),
            (format!("{NOISE}\n{BRANCH}"), "no [[peer]] has one"),
            (
                with_pair(&format!("{NOISE}\npeer-key = \"{own}\""), ""),
                "there is no [noise] peer-key",
            ),
            (
                with_pair(&format!("{NOISE}\npeer = \"192.0.2.3:1\""), ""),
                "there is no [noise] peer",
            ),
            (
                with_pair(&format!("{NOISE}\nlisten = \"192.0.2.1:4500\""), ""),
                "a port of its own",
            ),
            (
                with_pair(NOISE, "").replace(BRANCH_PUBLIC, own),
                "[[peer]] branch: peer-key: the other end's public key is this end's own",
            ),
            (with_pair(NOISE, "noise-port = 0"), "1 to 65535"),
            (
                with_pair(NOISE, "endpoint = \"192.0.2.3:65535\""),
                "noise-port is missing",
            ),
            (
                format!(
                    "{}\nallowed-ips = [\"10.1.0.0/16\"]\n[[peer]]\nid = \"3\"\npeer-key = \"{BRANCH_PUBLIC}\"",
                    with_pair(NOISE, "")
                ),
                "branch has this peer-key already",
            ),
            (
                with_pair(&NOISE.replace("hub", "none"), ""),
                "sealwire link noise-key",
            ),
            (
                BRANCH.replace("key-file = \"branch.key\"", "noise-port = 7"),
                "noise-port is for a peer with a peer-key",
            ),
            (
                BRANCH.replace("key-file = \"branch.key\"", ""),
                "key-file or peer-key is missing",
            ),
        ] {
            let said = checked_hub(BRANCH, &to).expect_err("must be refused");
            assert!(said.contains(expected), "{to}: {said}");
        }
    }

    #[test]
    fn refuses_peers_of_a_hub_that_do_not_fit() {
        for (from, to, expected) in [
            (
                "id = \"1\"",
                "id = \"ff00\"",
                "[[peer]] branch: id is this end's own",
            ),
            (
                "id = \"ff01\"",
                "name = \"branch\"\nid = \"ff01\"",
                "are called branch",
            ),
            (
                "office.key",
                "branch.key",
                "branch has this key-file already",
            ),
            ("office.key", "none.key", "[[peer]] ff01: key file"),
            (
                "allowed-ips = [\"10.99.0.3/32\"]",
                "",
                "allowed-ips is missing",
            ),
            ("10.99.0.3/32", "10.99.0.3/24", "zeros in all others"),
            ("10.99.0.3/32", "10.99.0.3", "no IP network"),
            ("carries = \"ip\"", "", "allowed-ips is for carries"),
            (
                "endpoint = \"office.example.net:4500\"",
                "",
                "endpoint is missing",
            ),
            (
                "office.example.net:4500",
                "office.example.net",
                "no name or address with port",
            ),
            (
                "office.example.net:4500",
                "office:0",
                "no name or address with port",
            ),
            (
                "office.example.net:4500",
                "999.1.1.1:4500",
                "no name or address with port",
            ),
            ("office.example.net:4500", "[::1]:4500", "both IPv4"),
            (
                "id = \"1\"",
                "id = \"1\"\nendpoint = \"branch.example:1\"",
                "must be an address",
            ),
            (
                "name = \"branch\"",
                "name = \"a b\"",
                "is no name of a peer",
            ),
            ("keep-alive = 25", "keep-alive = 601", "at most 600"),
            (
                "id = \"1\"",
                "id = \"ff01\"\nendpoint = \"192.0.2.8:1\"",
                "[[peer]] ff01: branch has this id already",
            ),
            (
                "10.99.0.3/32",
                "10.99.0.2/32",
                "[[peer]] ff01: 10.99.0.2/32 belongs to branch already",
            ),
            (
                "id = \"ff00\"",
                "id = \"ff00\"\npeer-id = \"1\"",
                "there is no [link] peer-id",
            ),
            (
                "id = \"ff00\"",
                "id = \"ff00\"\nkey-file = \"x\"",
                "there is no [link] key-file",
            ),
            (
                "listen =",
                "peer = \"192.0.2.2:1\"\nlisten =",
                "there is no [untrusted] peer",
            ),
            (
                "listen =",
                "pin-peer = true\nlisten =",
                "there is no [untrusted] pin-peer",
            ),
        ] {
            let said = checked_hub(from, to).expect_err("must be refused");
            assert!(said.contains(expected), "{to}: {said}");
        }
        assert!(complaint("peer-id = \"2\"", "").contains("in [[peer]] sections"));
    }

    #[test]
    fn takes_several_threads_for_a_hub_over_udp_only() {
        let listen = "listen = \"192.0.2.1:4500\"";
        let with = |side: &str, number: &str| {
            checked_hub(listen, &format!("{side}\n[run]\nthreads = {number}"))
        };
        let said = with(listen, "4").unwrap();
        assert!(said.contains("threads  4\n"), "{said}");
        assert!(!with(listen, "1").unwrap().contains("threads"));
        for number in ["0", "65", "-1"] {
            let said = with(listen, number).expect_err("must be refused");
            let expected = format!("threads cannot be {number}; allowed are 1 to 64");
            assert!(said.contains(&expected), "{said}");
        }
        for text in ["\"two\"", "1.5", "[2]"] {
            let said = with(listen, text).expect_err("must be refused");
            let expected = "threads is a number from 1 to 64";
            assert!(said.contains(expected), "{text}: {said}");
        }
        let said = with("device = \"eth1\"", "2").expect_err("must be refused");
        assert!(said.contains("[run] threads = 2 is for UDP"), "{said}");
        let said = checked(&format!("{GOOD}[run]\nthreads = 2")).expect_err("must be refused");
        assert!(said.contains("[run] threads = 2 is for a hub"), "{said}");
    }

    #[test]
    fn what_the_file_holds_cannot_command_a_terminal() {
        for value in ["\u{1b}[31mred", "\u{9b}2J", "\u{202e}0laes", "a\\u001b[2Jb"] {
            let said = complaint("seal0", value);
            let is_safe = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
            assert!(said.chars().all(is_safe), "{said:?}");
            assert!(said.lines().count() > 1, "lines stay lines");
        }
    }

    #[test]
    fn refuses_keys_that_are_no_secret_or_do_not_fit() {
        let key = "ab".repeat(64);
        let refused = |key: &str, mode| checked_with(GOOD, key, mode).expect_err("must be refused");
        assert!(refused(&key, 0o640).contains("chmod 600"));
        assert!(refused(&"ab".repeat(32), 0o600).contains("needs exactly 64"));
        assert!(refused("zz", 0o600).contains("hexadecimal digits"));
        assert!(
            !refused("zz", 0o600).contains("zz"),
            "no bytes of the key in a message"
        );
    }
}
