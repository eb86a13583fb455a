// SPDX-License-Identifier: Apache-2.0
//! What stands in an end's way on this machine as it is now: warnings, since a configuration may be checked where it is not used.

use super::{
    config::{Config, SOCKETS, Side},
    refused,
};
use rustix::io::Errno;
use sealwire_link::wire::Kind;
use std::{
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket},
    path::Path,
};

/// Everything that this machine says of a configuration.
pub(super) fn warnings(config: &Config, side: &Side<'_>) -> Vec<String> {
    let peers = config.known_peers();
    let is_ours = peers.iter().copied().find(|peer| is_ours(*peer));
    let is_ours = is_ours.map(|peer| {
        format!("peer {peer} is an address of this machine, or one for all of a network: it must be one of the other end's")
    });
    let socket = config.names_status_socket().then(|| config.status_socket());
    let socket = socket.and_then(|path| no_folder(&path));
    let (network, device) = (config.network(), config.device());
    let (loops, taken) = (network.takes_in(&peers), network.taken(device));
    [
        untrusted(side),
        trusted(device, config.kind()),
        is_ours,
        socket,
        loops,
        taken,
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Why nobody could listen on the untrusted side, whatever its port.
fn untrusted(side: &Side<'_>) -> Option<String> {
    match side {
        Side::Udp(listen) => {
            let mut any_port = *listen;
            any_port.set_port(0);
            UdpSocket::bind(any_port)
                .err()
                .and_then(|error| refused::address(&side.asked_by(), "", &error).message)
        }
        Side::Ethernet(device) => {
            let is_there = Path::new("/sys/class/net").join(device).exists();
            (!is_there).then(|| {
                let by = side.asked_by();
                format!("{by}: this machine has no such device; name one that `ip link` shows")
            })
        }
    }
}

/// Why the gateway's own device cannot be made: one of another kind has its name.
fn trusted(name: &str, kind: Kind) -> Option<String> {
    // Of linux/if_tun.h.
    let own = match kind {
        Kind::Ip => 1,
        Kind::Ethernet => 2,
    };
    let device = Path::new("/sys/class/net").join(name);
    let flags = fs::read_to_string(device.join("tun_flags")).unwrap_or_default();
    let flags = u32::from_str_radix(flags.trim().trim_start_matches("0x"), 16).unwrap_or(0);
    let is_other = device.exists() && flags & 3 != own;
    is_other.then(|| refused::device(name, &Errno::INVAL.into()))
}

/// Whether something else than the loopback device has this address, at which both ends may be tried on one machine.
fn is_ours(peer: IpAddr) -> bool {
    !peer.to_canonical().is_loopback() && binds(peer) && !binds_any(peer)
}

fn binds(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

/// Whether this machine lets programs listen at addresses of this family that it does not have: here, one kept for documents.
fn binds_any(like: IpAddr) -> bool {
    binds(match like {
        IpAddr::V4(_) => Ipv4Addr::new(192, 0, 2, 255).into(),
        IpAddr::V6(_) => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0xff).into(),
    })
}

/// Why the status socket cannot be made. The folder of all of them comes with the service.
fn no_folder(socket: &Path) -> Option<String> {
    let parent = socket.parent().filter(|parent| *parent != Path::new(""));
    let folder = parent.unwrap_or(Path::new("."));
    let error = match fs::metadata(folder) {
        _ if folder == Path::new(SOCKETS) => return None,
        Ok(metadata) if metadata.is_dir() => return None,
        Ok(_) => Errno::NOTDIR.into(),
        Err(error) => error,
    };
    Some(refused::status_socket(socket, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_this_machine_does_not_have() {
        let side = |listen: &str| Side::Udp(listen.parse().unwrap());
        for there in ["127.0.0.1:1", "0.0.0.0:4500"] {
            assert_eq!(untrusted(&side(there)), None);
        }
        if binds_any(Ipv4Addr::UNSPECIFIED.into()) {
            return;
        }
        let said = untrusted(&side("192.0.2.1:4500")).unwrap();
        assert!(
            said.contains("[untrusted] listen 192.0.2.1:4500: ") && said.contains("`ip address`")
        );
        assert_eq!(untrusted(&Side::Ethernet("lo")), None);
        let said = untrusted(&Side::Ethernet("no-such")).unwrap();
        assert!(said.contains("[untrusted] device no-such: "), "{said}");
    }

    #[test]
    fn a_name_of_a_device_of_another_kind_is_taken() {
        assert_eq!(trusted("no-such", Kind::Ip), None);
        let said = trusted("lo", Kind::Ethernet).unwrap();
        assert!(said.contains("[trusted] device lo: ") && said.contains("another name"));
    }

    #[test]
    fn a_peer_is_not_this_machine() {
        assert!(!is_ours("192.0.2.1".parse().unwrap()) && !is_ours("127.0.0.1".parse().unwrap()));
        // The address that packets to elsewhere leave from, if there is one.
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        if socket.connect("192.0.2.1:9").is_ok() {
            let own = socket.local_addr().unwrap().ip();
            assert_ne!(is_ours(own), binds_any(own));
        }
    }

    #[test]
    fn a_socket_needs_a_folder() {
        for fine in ["/end.sock", "end.sock", "/run/sealwire/end.sock"] {
            assert_eq!(no_folder(Path::new(fine)), None);
        }
        let said = no_folder(Path::new("/dev/null/end.sock")).unwrap();
        assert!(said.contains("Not a directory"), "{said}");
        let said = no_folder(Path::new("/no/where/end.sock")).unwrap();
        assert!(
            said.contains("[run] status-socket /no/where/end.sock: "),
            "{said}"
        );
    }
}
