// SPDX-License-Identifier: Apache-2.0
//! Which peer an inner IP address belongs to: by the longest of the prefixes that the peers were given.

use std::{collections::HashMap, fmt, net::IpAddr, str::FromStr};

/// An IP network: an address and the length of its prefix. Bits behind the prefix are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prefix {
    network: IpAddr,
    len: u8,
}

impl Prefix {
    /// The network of this address; `None` if the prefix is longer than the address.
    pub fn new(address: IpAddr, len: u8) -> Option<Self> {
        let network = match address {
            IpAddr::V4(v4) if len <= 32 => {
                IpAddr::V4((((u64::from(v4.to_bits()) >> (32 - len)) << (32 - len)) as u32).into())
            }
            IpAddr::V6(v6) if len <= 128 => IpAddr::V6((v6.to_bits() & mask(len)).into()),
            _ => return None,
        };
        Some(Self { network, len })
    }

    /// Whether the address lies in this network.
    pub fn contains(&self, address: IpAddr) -> bool {
        Self::new(address, self.len) == Some(*self)
    }

    /// The network's first address.
    pub fn network(&self) -> IpAddr {
        self.network
    }

    /// Bits of the prefix.
    pub fn bits(&self) -> u8 {
        self.len
    }
}

/// The first bits of 128.
const fn mask(len: u8) -> u128 {
    match len {
        0 => 0,
        _ => u128::MAX << (128 - len),
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.len)
    }
}

/// Text that is no [`Prefix`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "no IP network: an address, a slash and the number of its fixed bits are needed, and zeros in all others"
)]
pub struct NoPrefix;

impl FromStr for Prefix {
    type Err = NoPrefix;

    fn from_str(text: &str) -> Result<Self, NoPrefix> {
        let (address, len) = text.split_once('/').ok_or(NoPrefix)?;
        let address: IpAddr = address.parse().map_err(|_| NoPrefix)?;
        let is_number = !len.is_empty() && len.bytes().all(|b| b.is_ascii_digit());
        let len = len.parse().ok().filter(|_| is_number).ok_or(NoPrefix)?;
        Self::new(address, len)
            .filter(|prefix| prefix.network == address)
            .ok_or(NoPrefix)
    }
}

/// Prefixes with the peer that each belongs to. A look-up takes one probe for each length of prefix that there is, however many peers.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    v4: Lengths,
    v6: Lengths,
}

/// The networks of one family by their prefixes' length, the longest first.
#[derive(Debug, Default)]
struct Lengths(Vec<(u8, HashMap<IpAddr, u32>)>);

impl Prefixes {
    /// Gives a network to a peer, unless another has it already.
    pub(super) fn add(&mut self, prefix: Prefix, peer: u32) {
        let Lengths(lengths) = match prefix.network {
            IpAddr::V4(_) => &mut self.v4,
            IpAddr::V6(_) => &mut self.v6,
        };
        let at = lengths.partition_point(|(len, _)| *len > prefix.len);
        if lengths.get(at).is_none_or(|(len, _)| *len != prefix.len) {
            lengths.insert(at, (prefix.len, HashMap::new()));
        }
        lengths[at].1.entry(prefix.network).or_insert(peer);
    }

    /// Who has exactly this network.
    pub(super) fn exact(&self, prefix: Prefix) -> Option<u32> {
        let Lengths(lengths) = match prefix.network {
            IpAddr::V4(_) => &self.v4,
            IpAddr::V6(_) => &self.v6,
        };
        let (_, networks) = lengths.iter().find(|(len, _)| *len == prefix.len)?;
        networks.get(&prefix.network).copied()
    }

    /// Whose address this is.
    pub(super) fn owner(&self, address: IpAddr) -> Option<u32> {
        let Lengths(lengths) = match address {
            IpAddr::V4(_) => &self.v4,
            IpAddr::V6(_) => &self.v6,
        };
        lengths.iter().find_map(|(len, networks)| {
            let network = Prefix::new(address, *len)?.network;
            networks.get(&network).copied()
        })
    }
}

/// Source and destination of an IP packet; `None` if it is too short for a header, or of no known version.
pub(super) fn addresses(packet: &[u8]) -> Option<(IpAddr, IpAddr)> {
    match packet.first()? >> 4 {
        4 if packet.len() >= 20 => {
            let source: [u8; 4] = packet[12..16].try_into().ok()?;
            let destination: [u8; 4] = packet[16..20].try_into().ok()?;
            Some((source.into(), destination.into()))
        }
        6 if packet.len() >= 40 => {
            let source: [u8; 16] = packet[8..24].try_into().ok()?;
            let destination: [u8; 16] = packet[24..40].try_into().ok()?;
            Some((source.into(), destination.into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn prefix(text: &str) -> Prefix {
        text.parse().unwrap()
    }

    #[test]
    fn takes_networks_as_they_are_written_only() {
        for good in [
            "10.5.0.0/16",
            "0.0.0.0/0",
            "10.9.8.7/32",
            "fd00::/8",
            "::/0",
            "::1/128",
        ] {
            assert_eq!(prefix(good).to_string(), good);
        }
        for bad in [
            "",
            "10.5.0.0",
            "10.5.0.1/16",
            "10.0.0.0/33",
            "fd00::1/64",
            "::/129",
            "10.0.0.0/+8",
            "10.0.0.0/",
            "x/8",
        ] {
            assert_eq!(bad.parse::<Prefix>(), Err(NoPrefix), "{bad}");
        }
    }

    #[test]
    fn the_longest_prefix_says_whose_an_address_is() {
        let mut prefixes = Prefixes::default();
        for (text, peer) in [
            ("10.0.0.0/8", 1),
            ("10.5.0.0/16", 2),
            ("10.5.6.7/32", 3),
            ("fd00::/8", 1),
            ("::/0", 4),
        ] {
            prefixes.add(prefix(text), peer);
        }
        for (address, owner) in [
            ("10.1.1.1", Some(1)),
            ("10.5.1.1", Some(2)),
            ("10.5.6.7", Some(3)),
            ("11.0.0.1", None),
            ("fd12::1", Some(1)),
            ("2001:db8::1", Some(4)),
        ] {
            assert_eq!(prefixes.owner(address.parse().unwrap()), owner, "{address}");
        }
        prefixes.add(prefix("10.5.0.0/16"), 1);
        assert_eq!(
            prefixes.exact(prefix("10.5.0.0/16")),
            Some(2),
            "one network has one owner"
        );
        assert_eq!(prefixes.exact(prefix("10.5.0.0/17")), None);
    }

    proptest! {
        #[test]
        fn a_look_up_agrees_with_a_scan(
            networks in proptest::collection::vec((0u32..16, 0u8..=32, 0u32..8), 0..20),
            address in 0u32..16,
        ) {
            let ip = |bits: u32| IpAddr::V4((bits << 28).into());
            let mut prefixes = Prefixes::default();
            let mut all: Vec<(Prefix, u32)> = Vec::new();
            for (bits, len, peer) in networks {
                let prefix = Prefix::new(ip(bits), len).unwrap();
                if prefixes.exact(prefix).is_none() {
                    all.push((prefix, peer));
                }
                prefixes.add(prefix, peer);
            }
            let longest = all.iter().filter(|(p, _)| p.contains(ip(address))).max_by_key(|(p, _)| p.bits());
            prop_assert_eq!(prefixes.owner(ip(address)), longest.map(|(_, peer)| *peer));
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = addresses(&bytes);
        }
    }

    #[test]
    fn reads_both_families() {
        let mut v4 = [0x45; 20];
        v4[12..20].copy_from_slice(&[10, 0, 0, 1, 10, 0, 0, 2]);
        let (from, to) = addresses(&v4).unwrap();
        assert_eq!(
            (from.to_string(), to.to_string()),
            ("10.0.0.1".into(), "10.0.0.2".into())
        );
        assert!(addresses(&v4[..19]).is_none() && addresses(&[0x50; 60]).is_none());
        let mut v6 = [0x60; 40];
        v6[8..40].fill(0);
        (v6[23], v6[39]) = (1, 2);
        let (from, to) = addresses(&v6).unwrap();
        assert_eq!(
            (from.to_string(), to.to_string()),
            ("::1".into(), "::2".into())
        );
        assert!(addresses(&v6[..39]).is_none() && addresses(&[]).is_none());
    }
}
