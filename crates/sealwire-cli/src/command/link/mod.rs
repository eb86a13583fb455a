// SPDX-License-Identifier: Apache-2.0
//! `link`: one end of an encrypted link between two networks, on Linux.

mod board;
mod config;
mod free;
mod harden;
mod here;
mod hub_report;
mod load;
mod metrics;
mod names;
mod network;
mod noise_key;
mod privileges;
mod refused;
mod reload;
mod serve;
mod up;

use super::{
    Failure, KeyUse, KeygenArgs, Outcome,
    input::{plain, shown},
    interrupt, is_quiet, keygen, say, scheme_names,
};
use clap::{Args, Subcommand};
use config::{Checked, CheckedHub, Config};
use privileges::Target;
use sealwire_link::suite::Suite;
use serde_json::Value;
use std::{
    io::{self, Read, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

/// Join two networks over an untrusted one
///
/// Each end runs `sealwire link up` with a configuration file: a TAP or TUN device on the trusted side, UDP or a plain
/// Ethernet card on the other. Frames travel sealed; whatever was not sealed by the other end is dropped and counted.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link keygen office.key                 then copy it to the other end, by a safe way
  sealwire link check office.toml                 says what is wrong, or what will be done
  sudo sealwire link up office.toml
  sealwire link status office.toml
  sealwire link rekey office.toml                 after a new key file

docs/link.md leads from nothing to a running link.")]
pub(super) struct LinkArgs {
    #[command(subcommand)]
    command: LinkCommand,
}

#[derive(Subcommand)]
enum LinkCommand {
    Up(UpArgs),
    Down(DownArgs),
    Check(CheckArgs),
    #[command(alias = "show")]
    Status(StatusArgs),
    Rekey(RekeyArgs),
    #[command(alias = "genpsk")]
    Keygen(LinkKeygenArgs),
    #[command(alias = "genkey")]
    NoiseKey(NoiseKeyArgs),
    Pubkey(PubkeyArgs),
    Load(LoadArgs),
    Board(BoardArgs),
}

/// Run this end of the link until it is told to stop
///
/// Needs the right to make network devices (root, or CAP_NET_ADMIN); root is given up once everything is open, for the `user` in
/// the configuration. SIGTERM and SIGINT end it, SIGHUP makes it read the key file anew, as `sealwire link rekey` does.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sudo sealwire link up /etc/sealwire/office.toml")]
struct UpArgs {
    /// Configuration file
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
}

/// End a running end
///
/// Asks it at its status socket and waits until its device is gone. A service is not ended so, for it would be started anew: the
/// answer says what to type. Only root may ask, and the user that started the end.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sudo sealwire link down /etc/sealwire/office.toml")]
struct DownArgs {
    /// Configuration file of the running end; it names the socket to ask at
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
}

/// Check a configuration file and the key that it names
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link check office.toml")]
struct CheckArgs {
    /// Configuration file
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
}

/// Show state and counters of a running end
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link status office.toml
  sealwire link status --json office.toml | jq .counters")]
struct StatusArgs {
    /// Configuration file of the running end; it names the socket to ask at
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// Write one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Make a running end read its key file anew
///
/// The running session goes on, the end that calls begins a handshake under the new key at once, and the end that is called takes the
/// old key, too, for the time of [rekey] after-seconds: tell that end first, then no frame is lost. The answer is the new key's
/// fingerprint, the same at both ends. Only root may ask, and the user that started the end.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link rekey office.toml
  sealwire link rekey --now office.toml           the old key may be in other hands")]
struct RekeyArgs {
    /// Configuration file of the running end; it names the socket to ask at
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// Erase the live sessions and the old key: nothing passes until the other end has the new key, too
    #[arg(long)]
    now: bool,
}

/// Make a pre-shared key for a link
///
/// Both ends need the same key file, and no other link may use it. Never use a key for files here, nor this one for files.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link keygen office.key
  sealwire link keygen --suite omd-sha256 - | ssh branch 'umask 077; cat > office.key'")]
struct LinkKeygenArgs {
    /// Key file to write; - for standard output
    #[arg(value_name = "KEYFILE")]
    keyfile: PathBuf,
    /// Suite of the link: it says the length
    #[arg(short, long, value_name = "NAME", default_value = "omd-blake2b", value_parser = scheme_names::suite(), hide_possible_values = true)]
    suite: &'static Suite,
    /// Replace the key file if it exists
    #[arg(short, long)]
    force: bool,
}

/// Make a private key for the Noise channel and say its public key
///
/// Each end makes its own and keeps it; the public key goes into the other end's configuration, as [noise] peer-key.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link noise-key office.noise-key")]
struct NoiseKeyArgs {
    /// Key file to write
    #[arg(value_name = "KEYFILE")]
    keyfile: PathBuf,
    /// Replace the key file if it exists
    #[arg(short, long)]
    force: bool,
}

/// Say the public key of a private key for the Noise channel
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link pubkey office.noise-key
  ssh branch sudo cat /etc/sealwire/office.noise-key | sealwire link pubkey")]
struct PubkeyArgs {
    /// Key file, as `sealwire link noise-key` writes it; - for standard input
    #[arg(value_name = "KEYFILE", default_value = "-")]
    keyfile: PathBuf,
}

/// Bring one session through the Noise channel for an RTL end
///
/// Takes the part of the gateway that CONFIG describes, but only in the Noise channel, and writes the session as the words of the
/// RTL link's load port: one word a line, 8 hexadecimal digits, in the order of their addresses. The other end is `sealwire link
/// up` with [noise]. Whoever has the words can read and forge everything in that session: load them once, then erase them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire link load office.toml --words session.words
  sealwire link load office.toml --words - | load-registers")]
struct LoadArgs {
    /// Configuration file with [noise]
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// File to write, readable by its owner only; - for standard output
    #[arg(short, long, value_name = "FILE")]
    words: PathBuf,
    /// Replace the file if it exists
    #[arg(short, long)]
    force: bool,
    /// Seconds to wait for the other end
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    timeout: u64,
}

/// Bring sessions through the Noise channel to a board, until told to stop
///
/// Takes the part of the gateway that CONFIG describes, but only in the Noise channel, and gives the board at PORT each session at its
/// console: the first one, and new ones as `sealwire link up` would have them. The board has no pre-shared key then, and its link has
/// forward secrecy. The other end is `sealwire link up` with [noise]. The serial line carries each session's keys: it needs to be as
/// safe as the board itself.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire-lab board provision --port /dev/ttyUSB1 --id 1 --peer-id 2 --peer-mac 3c:ec:ef:12:34:56
  sealwire link board board.toml --port /dev/ttyUSB1

docs/board.md has both ends' configurations.")]
struct BoardArgs {
    /// Configuration file with [noise]
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// Serial line of the board's console
    #[arg(short, long, value_name = "PORT")]
    port: PathBuf,
}

pub(super) fn run(args: LinkArgs) -> Outcome {
    match args.command {
        LinkCommand::Up(args) => up::run(&Arc::new(Config::load(&args.config)?)),
        LinkCommand::Down(args) => down(&Config::load(&args.config)?),
        LinkCommand::Check(args) => check(&Config::load(&args.config)?),
        LinkCommand::Status(args) => status(&Config::load(&args.config)?, args.json),
        LinkCommand::Rekey(args) => rekey(&Config::load(&args.config)?, args.now),
        LinkCommand::Keygen(args) => {
            harden::for_keys()?;
            interrupt::install()?;
            keygen::run(&KeygenArgs {
                keyfile: Some(args.keyfile),
                output: None,
                suite: KeyUse::Link(args.suite),
                force: args.force,
            })
        }
        LinkCommand::NoiseKey(args) => {
            harden::for_keys()?;
            noise_key::run(&args.keyfile, args.force)
        }
        LinkCommand::Pubkey(args) => {
            harden::for_keys()?;
            noise_key::public(&args.keyfile)
        }
        LinkCommand::Board(args) => board::run(&Config::load(&args.config)?, &args.port),
        LinkCommand::Load(args) => {
            harden::for_keys()?;
            let timeout = Duration::from_secs(args.timeout);
            load::run(
                &Config::load(&args.config)?,
                &args.words,
                args.force,
                timeout,
            )
        }
    }
}

fn check(config: &Config) -> Outcome {
    let (mut said, warnings);
    if config.is_hub() {
        let hub = CheckedHub::new(config)?;
        hub.check_together()?;
        said = hub.describe();
        warnings = here::warnings(config, &hub.around.side);
        for (peer, host, port) in hub.names() {
            let now = names::now(host, port, hub.around.side.is_ipv4());
            said.push_str(&format!("look-up  {peer}: {now}\n"));
        }
    } else {
        let end = Checked::new(config)?;
        said = end.describe();
        warnings = here::warnings(config, &end.around.side);
        if let Some(named) = &end.named {
            let now = names::now(&named.host, named.port, end.around.side.is_ipv4());
            said.push_str(&format!("look-up  {now}\n"));
        }
    }
    config.network().check_bridge()?;
    for warning in warnings.iter().filter(|_| !is_quiet()) {
        say(&format!("warning: {warning}"));
    }
    if let Target::User(user) = Target::find(config.user())? {
        config.check_key_owner(&user)?;
    }
    print!("{said}");
    Ok(())
}

fn status(config: &Config, json: bool) -> Outcome {
    print!("{}", ask(config, if json { "json" } else { "text" })?);
    Ok(())
}

fn down(config: &Config) -> Outcome {
    let socket = config.status_socket();
    let asked = serve::SocketFile::id(&socket);
    // The connection ends with the process.
    let answer = ask(config, "down");
    // Who may end it may have rights that the end itself gave up.
    match (&answer, asked) {
        (Ok(answer), Ok(id)) if answer == serve::ENDS => serve::remove_ended(&socket, id),
        _ => serve::remove_if_dead(&socket),
    }
    match answer?.as_str() {
        serve::ENDS => Ok(()),
        answer => Err(answer.trim_end().into()),
    }
}

fn rekey(config: &Config, now: bool) -> Outcome {
    let answer = ask(config, if now { "rekey now" } else { "rekey" })?;
    if let Some(warning) = other_peers(config).filter(|_| !is_quiet()) {
        say(&format!("warning: {warning}"));
    }
    match answer.strip_prefix(serve::RENEWED) {
        Some(key) => print!("pre-shared key in place, fingerprint {key}"),
        None => return Err(answer.trim_end().into()),
    }
    Ok(())
}

/// What a running hub does not know of the peers in its configuration: it reads that once, at its start.
fn other_peers(config: &Config) -> Option<String> {
    if !config.is_hub() {
        return None;
    }
    let report: Value = serde_json::from_str(&ask(config, "json").ok()?).ok()?;
    let peers = report["peers"].as_array().into_iter().flatten();
    let names = peers.filter_map(|peer| peer["name"].as_str().map(str::to_owned));
    let running: Vec<String> = names.collect();
    difference(&running, &config.peer_names(), &config.unit())
}

/// What is to be said of peers that a running hub has, and that its configuration names.
fn difference(running: &[String], written: &[String], unit: &str) -> Option<String> {
    let missing = |of: &[String], from: &[String]| {
        let names = of.iter().filter(|name| !from.contains(name));
        names.cloned().collect::<Vec<_>>().join(", ")
    };
    let (added, removed) = (missing(written, running), missing(running, written));
    let mut what = Vec::new();
    if !added.is_empty() {
        what.push(format!("it does not know {added}, added since its start"));
    }
    if !removed.is_empty() {
        what.push(format!(
            "it still serves {removed}, taken out since its start"
        ));
    }
    (!what.is_empty()).then(|| {
        format!(
            "the running end has other peers than the configuration: {}; restart it: `sealwire link down`, then `up`; of a service, `systemctl restart {unit}`",
            what.join("; ")
        )
    })
}

/// Longest wait for an answer: an end that goes down waits for its `down` commands.
const PATIENCE: Duration = Duration::from_secs(15);

/// What a running end answers to a question.
fn ask(config: &Config, question: &str) -> Result<String, Failure> {
    let path = config.status_socket();
    let ask = || {
        let mut stream = UnixStream::connect(&path)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(format!("{question}\n").as_bytes())?;
        stream.shutdown(Shutdown::Write)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok::<_, io::Error>(answer)
    };
    ask().map_err(|error| Failure::from(unanswered(config, &error)))
}

/// Why there was no answer, and what to do.
fn unanswered(config: &Config, error: &io::Error) -> String {
    if let Some(long) = refused::long_socket(&config.status_socket()) {
        return long;
    }
    let (path, why) = (shown(&config.status_socket()), plain(error));
    match error.kind() {
        io::ErrorKind::PermissionDenied => format!(
            "this user may not ask at {path}: {why}; ask as root, or as the user that started this end"
        ),
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => format!(
            "this end is not up: nobody answers at {path}; `sealwire link up` starts it, and the log says why it ended (of a service, `journalctl -u {}`)",
            config.unit()
        ),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => format!(
            "no answer at {path} within {} s: this end hangs, or is ending; its log says more (of a service, `journalctl -u {}`)",
            PATIENCE.as_secs(),
            config.unit()
        ),
        _ => format!(
            "no answer at {path}: {why}; check [run] status-socket in the configuration, which must be that of the running end"
        ),
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_that_has_other_peers_than_its_configuration_is_to_be_restarted() {
        let names = |names: &[&str]| names.iter().copied().map(str::to_owned).collect::<Vec<_>>();
        let said = |running: &[&str], written: &[&str]| {
            difference(&names(running), &names(written), "sealwire@hub")
        };
        assert_eq!(said(&["a", "b"], &["b", "a"]), None);
        let added = said(&["a"], &["a", "b", "c"]).unwrap();
        assert!(
            added.contains("does not know b, c, added") && !added.contains("serves"),
            "{added}"
        );
        assert!(added.contains("systemctl restart sealwire@hub"), "{added}");
        let removed = said(&["a", "b"], &["a"]).unwrap();
        assert!(
            removed.contains("still serves b,") && !removed.contains("not know"),
            "{removed}"
        );
    }

    #[test]
    fn who_gets_no_answer_is_told_what_to_do() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("office.toml");
        let text = "[link]\nid = \"1\"\npeer-id = \"2\"\nsuite = \"omd-blake2b\"\n[trusted]\ndevice = \"t\"\n[untrusted]\n";
        std::fs::write(&path, text).unwrap();
        let config = Config::load(&path)
            .map_err(|failure| failure.message)
            .unwrap();
        let said = |kind: io::ErrorKind| unanswered(&config, &kind.into());
        assert!(said(io::ErrorKind::PermissionDenied).contains("ask as root"));
        for kind in [io::ErrorKind::NotFound, io::ErrorKind::ConnectionRefused] {
            let said = said(kind);
            assert!(
                said.contains("is not up") && said.contains("sealwire@office"),
                "{said}"
            );
        }
        for kind in [io::ErrorKind::TimedOut, io::ErrorKind::WouldBlock] {
            let said = said(kind);
            assert!(
                said.starts_with("no answer at /run/sealwire/office.sock within 15 s")
                    && said.contains("sealwire@office"),
                "{said}"
            );
        }
        // As the system has it, with its number: that the path leads through a file.
        let said = unanswered(&config, &io::Error::from_raw_os_error(20));
        assert!(
            said.ends_with("must be that of the running end") && !said.contains("os error"),
            "{said}"
        );
    }
}
