// SPDX-License-Identifier: Apache-2.0
//! Names of peers, which are looked up when the peer is called.

use super::super::input::plain;
use sealwire_link::gateway::{Address, Handle, HubHandle};
use std::{
    collections::VecDeque,
    net::{SocketAddr, ToSocketAddrs},
    sync::mpsc::Receiver,
};

/// A peer with a name, and the port of its Noise channel if it has one at that name.
#[derive(Clone)]
pub(super) struct Named {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) noise_port: Option<u16>,
}

/// Who is told where a peer is now.
pub(super) trait Told: Send + 'static {
    fn set_peer(&self, number: usize, address: Address);
    fn set_channel_peer(&self, number: usize, address: SocketAddr);
}

impl Told for HubHandle {
    fn set_peer(&self, number: usize, address: Address) {
        self.set_peer(number, address);
    }

    fn set_channel_peer(&self, number: usize, address: SocketAddr) {
        self.set_channel_peer(number, address);
    }
}

/// The one peer has number 0.
impl Told for Handle {
    fn set_peer(&self, _: usize, address: Address) {
        self.set_peer(address);
    }

    fn set_channel_peer(&self, _: usize, address: SocketAddr) {
        self.set_channel_peer(address);
    }
}

pub(super) const fn at_port(address: SocketAddr, port: u16) -> SocketAddr {
    SocketAddr::new(address.ip(), port)
}

/// The addresses of a name, of this family if one is given; one at least.
pub(super) fn addresses(
    host: &str,
    port: u16,
    is_ipv4: Option<bool>,
) -> Result<Vec<SocketAddr>, String> {
    let found = (host, port)
        .to_socket_addrs()
        .map_err(|error| format!("the peer's name leads nowhere: {}", plain(&error)))?;
    let found: Vec<SocketAddr> = found
        .filter(|address| is_ipv4.is_none_or(|is_ipv4| address.is_ipv4() == is_ipv4))
        .collect();
    if found.is_empty() {
        return Err("the peer's name has no address of this socket's family".into());
    }
    Ok(found)
}

/// What a look-up gives now, in words.
pub(super) fn now(host: &str, port: u16, is_ipv4: Option<bool>) -> String {
    match addresses(host, port, is_ipv4) {
        Ok(found) => format!("{host}:{port} is {} now", found[0]),
        Err(error) => format!("{host}:{port}: {error}; check the name, and the name server here"),
    }
}

/// Looks up the names of peers that are called, for as long as the gateway runs.
pub(super) fn look_up(
    names: &[Option<Named>],
    is_ipv4: Option<bool>,
    called: &Receiver<usize>,
    told: &impl Told,
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
        let Some(Some(Named {
            host,
            port,
            noise_port,
        })) = names.get(number)
        else {
            continue;
        };
        let found = match addresses(host, *port, is_ipv4) {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(host, "{error}");
                continue;
            }
        };
        // Of several addresses, the one that is in use stays.
        let before = known[number];
        let address = before
            .filter(|before| found.contains(before))
            .unwrap_or(found[0]);
        if before != Some(address) {
            tracing::info!(host, %address, "peer's address");
        }
        known[number] = Some(address);
        told.set_peer(number, Address::Udp(address));
        if let Some(port) = noise_port {
            told.set_channel_peer(number, at_port(address, *port));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_a_name_leads_and_when_it_leads_nowhere() {
        assert_eq!(
            now("localhost", 4500, Some(true)),
            "localhost:4500 is 127.0.0.1:4500 now"
        );
        let said = now("no-such-host.invalid", 4500, None);
        assert!(
            said.contains("leads nowhere") && said.contains("check the name"),
            "{said}"
        );
    }
}
