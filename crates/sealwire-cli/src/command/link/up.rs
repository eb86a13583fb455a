// SPDX-License-Identifier: Apache-2.0
//! `link up`: shuts the process, opens everything, gives up root, runs.

mod hub;

use super::{
    super::input::plain,
    Failure, Outcome,
    config::{Around, Checked, Config, LogFormat, LogLevel, Place, Sessions, Side},
    free::once_free,
    harden, metrics, names,
    network::{self, Undo},
    privileges::Target,
    refused,
    reload::{Reload, Running},
    serve::{self, StatusSocket},
};
use nix::unistd::{User, getuid};
use sealwire_link::{
    endpoint::Endpoint,
    gateway::{self, Carrier, ChannelHandle as _, Gateway, Renewal, SyncDevice},
    noise::Channel,
    schedule::system_random,
};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};
use std::{
    fs::DirBuilder,
    io,
    net::{SocketAddr, TcpListener, UdpSocket},
    os::unix::fs::DirBuilderExt,
    sync::{Arc, mpsc},
    thread,
};
use tracing::level_filters::LevelFilter;

/// Bytes that the socket may hold in each direction: some milliseconds of a fast link.
const SOCKET_BUFFER: usize = 4 << 20;

pub(super) fn run(config: &Arc<Config>) -> Outcome {
    start_log(config);
    let user = Target::find(config.user())?;
    harden::at_start(config.threads())?;
    if config.is_hub() {
        return hub::run(config, &user);
    }
    let checked = Checked::new(config)?;
    let carrier = open_carrier(config, &checked.around)?;
    let identity = *checked.sessions.identity();
    let noise = match &checked.sessions {
        Sessions::Noise { listen, .. } => Some(open_channel(*listen)?),
        Sessions::Handshake(_) => None,
    };
    let opened = Opened::new(config, &checked.around)?;
    tracing::info!(
        device = checked.around.device,
        mtu = checked.around.mtu,
        listen = %checked.around.side,
        suite = identity.suite().alias,
        version = identity.version() as u8,
        role = ?identity.role(),
        sessions = if noise.is_some() { "Noise channel" } else { "handshake" },
        "gateway starts"
    );
    match &checked.sessions {
        Sessions::Handshake(_) => tracing::warn!("{}", checked.sessions.secrecy()),
        Sessions::Noise { .. } => tracing::info!("{}", checked.sessions.secrecy()),
    }
    let said = |error: sealwire_link::Error| error.to_string();
    let (timers, peer, named) = (checked.timers, checked.peer, checked.named);
    let is_ipv4 = checked.around.side.is_ipv4();
    let mut channel = None;
    let mut endpoint = match checked.sessions {
        Sessions::Handshake(ends) => {
            if named.is_some() {
                Endpoint::without_address(ends, timers, system_random()).map_err(said)?
            } else {
                Endpoint::new(ends, timers, peer, system_random()).map_err(said)?
            }
        }
        Sessions::Noise {
            keys, peer: called, ..
        } => {
            // An end that calls a name hears later where it is.
            let called = called.as_ref().and_then(Place::known);
            channel = noise.map(Channel::of_many);
            if let Some(channel) = &mut channel {
                channel
                    .add(0, identity, keys, called, system_random())
                    .map_err(said)?;
            }
            Endpoint::loaded(identity, timers, peer)
        }
    };
    if checked.pin_peer {
        endpoint.pin_peer().map_err(said)?;
    }
    let Opened {
        device,
        asked,
        undo,
    } = opened;
    let (calls, called) = mpsc::channel();
    let (gateway, mut handle) =
        gateway::calling(device, carrier, endpoint, calls).map_err(|error| error.to_string())?;
    user.become_it()?;
    harden::shut()?;
    if !config.has_channel() {
        check_key_again(config, config.psk().map(drop))?;
    }
    if channel.is_some() {
        handle = handle.with_channel();
    }
    let reload = Reload::new(Arc::clone(config), handle.clone());
    let counted = handle.clone();
    let channel = move || {
        if named.is_some() {
            let told = handle.clone();
            let look = move || names::look_up(&[named], is_ipv4, &called, &told);
            thread::Builder::new().name("names".into()).spawn(look)?;
        }
        let Some(channel) = channel else {
            return Ok(());
        };
        let handle = handle.clone();
        spawn_channel(move || handle.run_channel(channel))
    };
    serve_and_run(config, gateway, asked, reload, channel)?;
    drop(undo);
    let counters = counted.report().counters;
    tracing::info!(
        sealed = counters.sealed,
        delivered = counters.delivered,
        balance = counters.balance(),
        "gateway ends"
    );
    Ok(())
}

/// The socket of the untrusted side, with large buffers.
fn open_carrier(config: &Config, around: &Around<'_>) -> Result<Carrier, Failure> {
    let carrier = once_free(|| around.side.open()).map_err(|error| {
        let needed = match around.side {
            Side::Ethernet(_) => "root or CAP_NET_RAW",
            Side::Udp(_) => refused::LOW_PORT,
        };
        refused::address(&around.side.asked_by(), needed, &error)
    })?;
    let carrier = carrier.with_offload(config.offload());
    // As far as the system allows: packets pass through smaller ones, too.
    let _ = carrier.set_buffers(SOCKET_BUFFER, SOCKET_BUFFER);
    Ok(carrier)
}

/// What is opened with the rights of the start.
struct Opened {
    device: SyncDevice,
    asked: Asked,
    /// Runs the `down` commands when it is dropped.
    undo: Undo,
}

/// Where a running gateway is asked and told.
struct Asked {
    signals: Signals,
    status: Option<StatusSocket>,
    metrics: Option<TcpListener>,
}

impl Opened {
    /// Opens status socket, metrics and device, and gives the device what the configuration says.
    fn new(config: &Config, around: &Around<'_>) -> Result<Self, Failure> {
        // Before the socket is there: a signal in the middle of the start would end the process with its socket left behind. It is
        // obeyed once the gateway runs.
        let signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
            .map_err(|error| format!("signals cannot be watched: {}", plain(&error)))?;
        let status = open_status(config)?;
        let metrics = config.metrics().map(metrics::open).transpose()?;
        let asked = Asked {
            signals,
            status,
            metrics,
        };
        let (mtu, threads) = (Some(around.mtu), config.threads());
        let open = || gateway::open_device(around.device, around.kind, mtu, around.mac, threads);
        let device = once_free(open).map_err(|error| refused::device(around.device, &error))?;
        let undo = Undo::prepare(config.hooks(), around.device)?;
        if let Some(warning) = config.network().takes_in(&config.known_peers()) {
            tracing::warn!("{warning}");
        }
        config.network().set(around.device)?;
        network::run_up(config.hooks(), around.device)?;
        Ok(Self {
            device,
            asked,
            undo,
        })
    }
}

/// Answers questions and signals while the gateway runs. `start` starts what else runs beside it.
fn serve_and_run<R: Running>(
    config: &Config,
    gateway: Gateway,
    asked: Asked,
    running: R,
    start: impl FnOnce() -> io::Result<()>,
) -> Outcome {
    let Asked {
        signals,
        status,
        metrics,
    } = asked;
    // Its file goes when all is over.
    let (listener, _file) = status
        .map(|StatusSocket { listener, file }| (listener, file))
        .unzip();
    let serving = || {
        start()?;
        if let Some(listener) = listener {
            serve::serve_status(listener, running.clone(), config.unit())?;
        }
        if let Some(listener) = metrics {
            let running = running.clone();
            metrics::serve(listener, move || running.metrics())?;
        }
        Ok::<_, io::Error>(())
    };
    serving().map_err(|error| format!("cannot start: {}", plain(&error)))?;
    thread::scope(|scope| {
        let watching = signals.handle();
        scope.spawn(|| obey(signals, &running));
        let ended = gateway.run();
        watching.close();
        ended
    })
    .map_err(|error| format!("the gateway ended: {}", plain(&error)))?;
    Ok(())
}

/// The status socket. One that the configuration does not name is made where it can be: an end without root may have no right to.
fn open_status(config: &Config) -> Result<Option<StatusSocket>, Failure> {
    let path = config.status_socket();
    if config.names_status_socket() {
        return serve::open_status(&path).map(Some);
    }
    if let Some(folder) = path.parent() {
        // If it is there or cannot be made, the socket's own error says all.
        let _ = DirBuilder::new().mode(0o755).create(folder);
        serve::remove_dead(folder);
    }
    match serve::open_status(&path) {
        Ok(listener) => Ok(Some(listener)),
        Err(failure) => {
            let error = failure.message.unwrap_or_default();
            tracing::warn!(
                error,
                "nobody can ask for the status: name a [run] status-socket in a folder of this user"
            );
            Ok(None)
        }
    }
}

/// The socket of the Noise channel.
pub(super) fn open_channel(listen: SocketAddr) -> Result<UdpSocket, Failure> {
    let asked_by = format!("[noise] listen {listen}");
    once_free(|| UdpSocket::bind(listen))
        .map_err(|error| refused::address(&asked_by, refused::LOW_PORT, &error))
}

/// Runs the Noise channel in a thread of its own.
fn spawn_channel(run: impl FnOnce() -> io::Result<()> + Send + 'static) -> io::Result<()> {
    let run = move || {
        if let Err(error) = run() {
            let error = plain(&error);
            tracing::error!(error, "the Noise channel ended; no new sessions come");
        }
    };
    thread::Builder::new().name("noise".into()).spawn(run)?;
    Ok(())
}

/// Reads the key file once more, as a new key will be: what this process may not read any longer could never be renewed.
fn check_key_again(config: &Config, read: Outcome) -> Outcome {
    read.map_err(|failure| {
        let error = failure.message.unwrap_or_default();
        let user = config.user().map_or_else(own_name, str::to_owned);
        format!(
            "{error}; as user {user} this end must be able to read its key file again, or it could take no new key: give that user the file (chown) and the right to search the folders above it"
        )
        .into()
    })
}

/// The name of the user that this process runs as, or its number.
fn own_name() -> String {
    let uid = getuid();
    let user = User::from_uid(uid).ok().flatten();
    user.map_or_else(|| uid.to_string(), |user| user.name)
}

/// Ends the gateway or renews its key when a signal says so.
fn obey(mut signals: Signals, running: &impl Running) {
    for signal in signals.forever() {
        if signal != SIGHUP {
            running.stop();
            return;
        }
        // It says and counts what came of it.
        let _ = running.renew(Renewal::Smooth);
    }
}

pub(super) fn start_log(config: &Config) {
    let (level, format) = config.log();
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}
