// SPDX-License-Identifier: Apache-2.0
//! `link up` with many peers.

use super::{
    super::{
        super::input::plain,
        Failure, Outcome,
        config::{CheckedHub, Config, HubPeer, PeerSessions, Place},
        difference, harden, hub_report,
        names::{Named, at_port, look_up},
        privileges::Target,
        refused,
        reload::{Running, nothing_to_renew},
    },
    Opened, check_key_again, open_carrier, open_channel, serve_and_run, spawn_channel,
};
use sealwire_link::{
    gateway::{self, Carrier, ChannelHandle as _, HubHandle, Renewal},
    hub::{Hub, PeerSetup},
    noise::Channel,
    schedule::system_random,
};
use std::{
    fmt::Display,
    io::{self, Write},
    sync::{Arc, mpsc::channel},
    thread,
};

pub(super) fn run(config: &Arc<Config>, user: &Target) -> Outcome {
    let checked = CheckedHub::new(config)?;
    let CheckedHub {
        around,
        suite,
        version,
        id,
        peers,
        noise,
        ..
    } = checked;
    let carrier = open_carrier(config, &around)?;
    let threads = config.threads();
    let cores = thread::available_parallelism().map_or(threads, Into::into);
    if threads > cores {
        tracing::warn!(
            threads,
            cores,
            "[run] threads are more than there are cores: packets wait for threads that wait"
        );
    }
    let more = (1..threads).map(|_| carrier.another());
    let more: Vec<Carrier> = more.collect::<io::Result<_>>().map_err(|error| {
        let asked_by = around.side.asked_by();
        format!("[run] threads = {threads}: {asked_by}: {}", plain(&error))
    })?;
    let mut noise_channel = match noise {
        Some(listen) => Some(Channel::of_many(open_channel(listen)?)),
        None => None,
    };
    let opened = Opened::new(config, &around)?;
    tracing::info!(
        device = around.device,
        mtu = around.mtu,
        listen = %around.side,
        suite = suite.alias,
        version = version as u8,
        peers = peers.len(),
        threads,
        "gateway starts"
    );
    let mut hub = Hub::new(suite, id, around.kind, version);
    let mut names = Vec::new();
    for (number, peer) in peers.into_iter().enumerate() {
        let address = peer.address();
        let HubPeer {
            name,
            sessions,
            timers,
            place,
            networks,
        } = peer;
        let wrong = |error: &dyn Display| format!("[[peer]] {name}: {error}");
        let (setup, noise_port) = match sessions {
            PeerSessions::Handshake(ends) => (PeerSetup::psk(ends, timers, address), None),
            PeerSessions::Noise {
                identity,
                keys,
                port,
                ..
            } => {
                if let Some(channel) = &mut noise_channel {
                    let called = match place {
                        Some(Place::Known(known)) => port.map(|port| at_port(*known, port)),
                        _ => None,
                    };
                    channel
                        .add(number, identity, keys, called, system_random())
                        .map_err(|error| wrong(&error))?;
                }
                (PeerSetup::loaded(identity, timers, address), port)
            }
        };
        names.push(match place {
            Some(Place::Named(host, port)) => Some(Named {
                host: host.clone(),
                port: *port,
                noise_port,
            }),
            _ => None,
        });
        hub.add(&name, setup, &networks)
            .map_err(|error| wrong(&error))?;
    }
    let is_ipv4 = around.side.is_ipv4();
    let Opened {
        device,
        asked,
        undo,
    } = opened;
    let (calls, called) = channel();
    let (mut gateway, mut handle) =
        gateway::hub(device, carrier, hub, calls).map_err(|error| error.to_string())?;
    for carrier in more {
        gateway.add_thread(carrier).map_err(|error| {
            let why = refused::device(around.device, &error);
            format!("[run] threads = {threads}: {why}")
        })?;
    }
    if noise_channel.is_some() {
        handle = handle.with_channel();
    }
    user.become_it()?;
    harden::shut()?;
    for number in config.renewable_peers() {
        check_key_again(config, config.peer_psk(number).map(drop))?;
    }
    let running = RunningHub {
        config: Arc::clone(config),
        handle: handle.clone(),
    };
    let beside = move || {
        if let Some(channel) = noise_channel {
            let handle = handle.clone();
            spawn_channel(move || handle.run_channel(channel))?;
        }
        let look = move || look_up(&names, is_ipv4, &called, &handle);
        thread::Builder::new().name("names".into()).spawn(look)?;
        Ok(())
    };
    serve_and_run(config, gateway, asked, running, beside)?;
    drop(undo);
    tracing::info!("gateway ends");
    Ok(())
}

/// A running hub, as signals, the status socket and the page of metrics see it.
#[derive(Clone)]
struct RunningHub {
    config: Arc<Config>,
    handle: HubHandle,
}

impl RunningHub {
    /// Says in the log which peers a restart would bring or take: the configuration is read once, at the start.
    fn warn_of_other_peers(&self) {
        // A user without the right to read the file may run the hub; whoever asks by `sealwire link rekey` is told then.
        let Ok(now) = self.config.read_again() else {
            return;
        };
        let (running, written) = (self.config.peer_names(), now.peer_names());
        if let Some(warning) = difference(&running, &written, &self.config.unit()) {
            tracing::warn!("{warning}");
        }
    }
}

impl Running for RunningHub {
    fn stop(&self) {
        self.handle.stop();
    }

    fn text(&self) -> String {
        self.handle.report().map_or_else(
            |error| format!("{error}\n"),
            |report| hub_report::text(&report),
        )
    }

    fn write_json(&self, to: &mut dyn Write) -> io::Result<()> {
        match self.handle.report() {
            Ok(report) => Ok(serde_json::to_writer_pretty(
                to,
                &hub_report::Json(&report),
            )?),
            Err(error) => Ok(serde_json::to_writer_pretty(to, &error.to_string())?),
        }
    }

    fn metrics(&self) -> String {
        self.handle
            .report()
            .map_or_else(|_| String::new(), |report| hub_report::metrics(&report))
    }

    /// One peer after the other: a key file that is wrong keeps no other from being renewed.
    fn renew(&self, renewal: Renewal) -> Result<String, String> {
        self.warn_of_other_peers();
        let mut failed = Vec::new();
        let mut keys = Vec::new();
        if self.config.renewable_peers().next().is_none() {
            return Err(nothing_to_renew());
        }
        for number in self.config.renewable_peers() {
            let psk = self
                .config
                .peer_psk(number)
                .map_err(|Failure { message, .. }| message.unwrap_or_default());
            let set = psk.and_then(|psk| {
                let set = self.handle.set_psk(number, psk, renewal);
                set.map_err(|error| error.to_string())
            });
            match set {
                Ok(key) => keys.push(key.to_string()),
                Err(error) => {
                    tracing::error!(%error, "an old pre-shared key stays");
                    failed.push(error);
                }
            }
        }
        if failed.is_empty() {
            Ok(keys.join(", "))
        } else {
            let failed = failed.join("; ");
            Err(format!("the old pre-shared key stays: {failed}"))
        }
    }
}
