// SPDX-License-Identifier: Apache-2.0
//! `link up`: opens everything, gives up root, runs.

use super::{
    Failure, Outcome,
    config::{Checked, Config, LogFormat, LogLevel, Sessions, Side},
    metrics,
    privileges::Target,
    serve,
};
use nix::sys::socket::{setsockopt, sockopt};
use sealwire_link::{
    endpoint::Endpoint,
    gateway::{self, Carrier, Handle},
    noise::Channel,
    schedule::system_random,
};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};
use std::{
    fs, io,
    net::{SocketAddr, UdpSocket},
    thread,
};
use tracing::level_filters::LevelFilter;

/// Bytes that the socket may hold in each direction: some milliseconds of a fast link.
const SOCKET_BUFFER: usize = 4 << 20;

pub(super) fn run(config: &Config) -> Outcome {
    start_log(config);
    let checked = Checked::new(config)?;
    let user = Target::find(config.user())?;
    let carrier = checked.side.open().map_err(|error| {
        let hint = match (error.kind(), checked.side) {
            (io::ErrorKind::PermissionDenied, Side::Ethernet(_)) => {
                "; this needs root or CAP_NET_RAW"
            }
            _ => "",
        };
        format!("{}: {error}{hint}", checked.side.asked_by())
    })?;
    let carrier = carrier.with_offload(config.offload());
    enlarge(&carrier);
    let identity = *checked.sessions.identity();
    let noise = match &checked.sessions {
        Sessions::Noise { listen, .. } => Some(open_channel(*listen)?),
        Sessions::Handshake(_) => None,
    };
    let status = config
        .status_socket()
        .map(|path| serve::open_status(&path))
        .transpose()?;
    let metrics = config.metrics().map(metrics::open).transpose()?;
    let device =
        gateway::open_device(checked.device, checked.kind, Some(checked.mtu)).map_err(|error| {
            let hint = match error.kind() {
                io::ErrorKind::PermissionDenied => "; this needs root or CAP_NET_ADMIN",
                io::ErrorKind::NotFound => "; is there a /dev/net/tun?",
                _ => "",
            };
            format!("[trusted] device {}: {error}{hint}", checked.device)
        })?;
    tracing::info!(
        device = checked.device,
        mtu = checked.mtu,
        listen = %checked.side,
        suite = identity.suite().alias,
        role = ?identity.role(),
        sessions = if noise.is_some() { "Noise channel" } else { "handshake" },
        "gateway starts"
    );
    let said = |error: sealwire_link::Error| error.to_string();
    let (timers, peer) = (checked.timers, checked.peer);
    let mut channel = None;
    let endpoint = match checked.sessions {
        Sessions::Handshake(ends) => {
            Endpoint::new(ends, timers, peer, system_random()).map_err(said)?
        }
        Sessions::Noise {
            keys, peer: called, ..
        } => {
            let made = noise.map(|socket| {
                Channel::new(identity, keys, socket, called, system_random()).map_err(said)
            });
            channel = made.transpose()?;
            let peer = peer.ok_or_else(|| said(sealwire_link::Error::NoPeer))?;
            Endpoint::loaded(identity, timers, peer)
        }
    };
    let (gateway, mut handle) =
        gateway::new(device, carrier, endpoint).map_err(|error| error.to_string())?;
    user.become_it()?;
    if channel.is_some() {
        handle = handle.with_channel();
    }
    let serving = || {
        if let Some(channel) = channel {
            let handle = handle.clone();
            thread::Builder::new().name("noise".into()).spawn(move || {
                if let Err(error) = handle.run_channel(channel) {
                    tracing::error!(%error, "the Noise channel ended; no new sessions come");
                }
            })?;
        }
        if let Some(listener) = status {
            serve::serve_status(listener, handle.clone())?;
        }
        if let Some(listener) = metrics {
            let handle = handle.clone();
            metrics::serve(listener, move || handle.report().prometheus())?;
        }
        Signals::new([SIGINT, SIGTERM, SIGHUP])
    };
    let signals = serving().map_err(|error| format!("cannot start: {error}"))?;
    thread::scope(|scope| {
        let watching = signals.handle();
        let (watched, told) = (signals, handle.clone());
        scope.spawn(move || obey(watched, config, &told));
        let ended = gateway.run();
        watching.close();
        ended
    })
    .map_err(|error| format!("the gateway ended: {error}"))?;
    if let Some(path) = config.status_socket() {
        let _ = fs::remove_file(path);
    }
    let counters = handle.report().counters;
    tracing::info!(
        sealed = counters.sealed,
        delivered = counters.delivered,
        balance = counters.balance(),
        "gateway ends"
    );
    Ok(())
}

/// The socket of the Noise channel.
pub(super) fn open_channel(listen: SocketAddr) -> Result<UdpSocket, Failure> {
    Ok(UdpSocket::bind(listen).map_err(|error| format!("[noise] listen {listen}: {error}"))?)
}

/// Ends the gateway or renews its key when a signal says so.
fn obey(mut signals: Signals, config: &Config, handle: &Handle) {
    for signal in signals.forever() {
        if signal != SIGHUP {
            handle.stop();
            return;
        }
        if config.has_channel() {
            tracing::info!("there is no pre-shared key to renew; for a new [noise] key, restart");
            continue;
        }
        match config.psk() {
            Ok(psk) => handle.set_psk(psk),
            Err(Failure { message, .. }) => {
                let error = message.unwrap_or_default();
                tracing::error!(%error, "the old pre-shared key stays");
            }
        }
    }
}

/// Larger buffers than the system's usual ones, as far as it allows.
fn enlarge(socket: &Carrier) {
    if setsockopt(socket, sockopt::RcvBufForce, &SOCKET_BUFFER).is_err() {
        let _ = setsockopt(socket, sockopt::RcvBuf, &SOCKET_BUFFER);
    }
    if setsockopt(socket, sockopt::SndBufForce, &SOCKET_BUFFER).is_err() {
        let _ = setsockopt(socket, sockopt::SndBuf, &SOCKET_BUFFER);
    }
}

fn start_log(config: &Config) {
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
