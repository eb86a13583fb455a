// SPDX-License-Identifier: Apache-2.0
//! `link up` with many peers.

use super::{
    super::{
        Failure, Outcome,
        config::{CheckedHub, Config, HubPeer, Place},
        harden, hub_report,
        privileges::Target,
        reload::Running,
    },
    Opened, check_key_again, open_carrier, serve_and_run,
};
use sealwire_link::{
    gateway::{self, Address, HubHandle, Renewal},
    hub::{Hub, PeerSetup},
};
use serde_json::Value;
use std::{
    collections::VecDeque,
    net::{SocketAddr, ToSocketAddrs},
    sync::{
        Arc,
        mpsc::{Receiver, channel},
    },
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
    } = checked;
    let carrier = open_carrier(config, &around)?;
    let opened = Opened::new(config, &around)?;
    tracing::info!(
        device = around.device,
        mtu = around.mtu,
        listen = %around.side,
        suite = suite.alias,
        version = version as u8,
        peers = peers.len(),
        "gateway starts"
    );
    let mut hub = Hub::new(suite, id, around.kind, version);
    let mut names = Vec::new();
    for peer in peers {
        let address = peer.address();
        let HubPeer {
            name,
            ends,
            timers,
            place,
            networks,
        } = peer;
        names.push(match place {
            Some(Place::Named(host, port)) => Some((host.clone(), *port)),
            _ => None,
        });
        hub.add(&name, PeerSetup::psk(ends, timers, address), &networks)
            .map_err(|error| format!("[[peer]] {name}: {error}"))?;
    }
    let (count, is_ipv4) = (names.len(), around.side.is_ipv4());
    let Opened {
        device,
        status,
        metrics,
        undo,
    } = opened;
    let (calls, called) = channel();
    let (gateway, handle) =
        gateway::hub(device, carrier, hub, calls).map_err(|error| error.to_string())?;
    user.become_it()?;
    harden::shut()?;
    for number in 0..count {
        check_key_again(config, config.peer_psk(number).map(drop))?;
    }
    let running = RunningHub {
        config: Arc::clone(config),
        handle: handle.clone(),
        count,
    };
    let look_up = move || {
        let look = move || look_up(&names, is_ipv4, &called, &handle);
        thread::Builder::new().name("names".into()).spawn(look)?;
        Ok(())
    };
    serve_and_run(config, gateway, status, metrics, running, look_up)?;
    drop(undo);
    tracing::info!("gateway ends");
    Ok(())
}

/// Looks up the names of peers that are called, for as long as the gateway runs.
fn look_up(
    names: &[Option<(String, u16)>],
    is_ipv4: Option<bool>,
    called: &Receiver<usize>,
    handle: &HubHandle,
) {
    let mut known: Vec<Option<SocketAddr>> = vec![None; names.len()];
    // Each peer once, however often it is asked for while a look-up takes its time.
    let mut waiting = VecDeque::new();
    while let Some(number) = waiting.pop_front().or_else(|| called.recv().ok()) {
        for other in called.try_iter() {
            if !waiting.contains(&other) {
                waiting.push_back(other);
            }
        }
        let Some(Some((host, port))) = names.get(number) else {
            continue;
        };
        let found = match (host.as_str(), *port).to_socket_addrs() {
            Ok(found) => found.filter(|a| is_ipv4.is_none_or(|is_ipv4| a.is_ipv4() == is_ipv4)),
            Err(error) => {
                tracing::warn!(host, %error, "the peer's name leads nowhere");
                continue;
            }
        };
        let found: Vec<SocketAddr> = found.collect();
        // Of several addresses, the one that is in use stays.
        let before = known[number];
        let address = before
            .filter(|before| found.contains(before))
            .or(found.first().copied());
        let Some(address) = address else {
            tracing::warn!(
                host,
                "the peer's name has no address of this socket's family"
            );
            continue;
        };
        if before != Some(address) {
            tracing::info!(host, %address, "peer's address");
        }
        known[number] = Some(address);
        handle.set_peer(number, Address::Udp(address));
    }
}

/// A running hub, as signals, the status socket and the page of metrics see it.
#[derive(Clone)]
struct RunningHub {
    config: Arc<Config>,
    handle: HubHandle,
    count: usize,
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

    fn json(&self) -> Value {
        self.handle.report().map_or_else(
            |error| Value::String(error.to_string()),
            |report| hub_report::json(&report),
        )
    }

    fn metrics(&self) -> String {
        self.handle
            .report()
            .map_or_else(|_| String::new(), |report| hub_report::metrics(&report))
    }

    /// One peer after the other: a key file that is wrong keeps no other from being renewed.
    fn renew(&self, renewal: Renewal) -> Result<String, String> {
        let mut failed = Vec::new();
        let mut keys = Vec::new();
        for number in 0..self.count {
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
            Ok(keys.join(" "))
        } else {
            Err(failed.join("; "))
        }
    }
}
