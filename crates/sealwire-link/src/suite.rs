// SPDX-License-Identifier: Apache-2.0
//! The suites: which scheme seals the packets, with which sizes. A suite is configured at both ends, never negotiated.

use crate::wire::MAX_FRAME;
use sealwire::limits::{Limits, Traffic, exp2};
use sealwire::{Ad, SessionAd, compress, scheme};
use zeroize::Zeroizing;

/// The largest n of a schedule function in bytes.
pub const MAX_BLOCK: usize = 64;
/// The longest nonce of a suite in bytes.
pub const MAX_NONCE: usize = 32;
/// The longest tag of a suite in bytes.
pub const MAX_TAG: usize = 32;

/// What an attacker may gain against the packets of one key, by the scheme's proof.
pub const ADVANTAGE: f64 = exp2(-50);

/// The schedule function F': n bytes of chaining value and a block of 2n bytes give n bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScheduleFn {
    /// The SHA-256 compression function, n = 32.
    Sha256,
    /// The SHA-512 compression function, n = 64.
    Sha512,
    /// The BLAKE2b compression function with t = 0 and f = 0, n = 64.
    Blake2b,
}

impl ScheduleFn {
    /// n, in bytes: the length of the chaining value, of the result, and of the pre-shared key.
    pub const fn block_len(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha512 | Self::Blake2b => 64,
        }
    }

    /// F'(h, left || right): the first n bytes of what is returned, zeros after them. The three inputs are at most n bytes;
    /// shorter ones are filled with zero bytes on the right.
    ///
    /// # Panics
    ///
    /// If an input is longer than n bytes. Callers in this project pass fixed lengths.
    pub fn compress(self, h: &[u8], left: &[u8], right: &[u8]) -> Zeroizing<[u8; MAX_BLOCK]> {
        match self {
            Self::Sha256 => call::<32, 64>(compress::sha256, h, left, right),
            Self::Sha512 => call::<64, 128>(compress::sha512, h, left, right),
            Self::Blake2b => call::<64, 128>(compress::blake2b, h, left, right),
        }
    }
}

fn call<const N: usize, const B: usize>(
    f: fn(&[u8; N], &[u8; B]) -> [u8; N],
    h: &[u8],
    left: &[u8],
    right: &[u8],
) -> Zeroizing<[u8; MAX_BLOCK]> {
    assert!(left.len() <= N, "the left half has at most n bytes");
    let mut chain = Zeroizing::new([0; N]);
    let mut block = Zeroizing::new([0; B]);
    chain[..h.len()].copy_from_slice(h);
    block[..left.len()].copy_from_slice(left);
    block[N..N + right.len()].copy_from_slice(right);
    let mut result = Zeroizing::new([0; MAX_BLOCK]);
    result[..N].copy_from_slice(&*Zeroizing::new(f(&chain, &block)));
    result
}

/// One suite. All lengths are in bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Suite {
    /// The code in byte 1 of every packet.
    pub code: u8,
    /// Canonical name of the scheme.
    pub scheme: &'static str,
    /// Short name of the scheme.
    pub alias: &'static str,
    /// Key of the scheme.
    pub key_len: usize,
    /// Salt: the scheme's nonce without the 8 bytes of the packet number.
    pub salt_len: usize,
    /// Tag, called t in the specification.
    pub tag_len: usize,
    /// The schedule function F'.
    pub schedule: ScheduleFn,
    /// N_max: packet numbers run from 0 to this minus 1.
    pub max_packets: u64,
}

/// Every suite this version knows.
pub static SUITES: &[Suite] = &[
    Suite {
        code: 0x01,
        scheme: "omdsha512k512n256tau256v2",
        alias: "omd-sha512",
        key_len: 64,
        salt_len: 24,
        tag_len: 32,
        schedule: ScheduleFn::Sha512,
        max_packets: 1 << 48,
    },
    Suite {
        code: 0x02,
        scheme: "omdblake2bk512n256tau256v2",
        alias: "omd-blake2b",
        key_len: 64,
        salt_len: 24,
        tag_len: 32,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 48,
    },
    Suite {
        code: 0x03,
        scheme: "pomdsha512k512n256tau256",
        alias: "pomd-sha512",
        key_len: 64,
        salt_len: 24,
        tag_len: 32,
        schedule: ScheduleFn::Sha512,
        max_packets: 1 << 48,
    },
    Suite {
        code: 0x04,
        scheme: "pomdblake2bk512n256tau256",
        alias: "pomd-blake2b",
        key_len: 64,
        salt_len: 24,
        tag_len: 32,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 48,
    },
    Suite {
        code: 0x05,
        scheme: "omdsha256k256n104tau160v2",
        alias: "omd-sha256",
        key_len: 32,
        salt_len: 5,
        tag_len: 20,
        schedule: ScheduleFn::Sha256,
        max_packets: 1 << 48,
    },
    Suite {
        code: 0x11,
        scheme: "aes128otrpv3",
        alias: "otr-aes128-p",
        key_len: 16,
        salt_len: 4,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 28,
    },
    Suite {
        code: 0x12,
        scheme: "aes256otrpv3",
        alias: "otr-aes256-p",
        key_len: 32,
        salt_len: 4,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 28,
    },
    Suite {
        code: 0x21,
        scheme: "aeadaes128ocbtaglen128v1",
        alias: "ocb-aes128",
        key_len: 16,
        salt_len: 4,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 28,
    },
    Suite {
        code: 0x22,
        scheme: "aeadaes256ocbtaglen128v1",
        alias: "ocb-aes256",
        key_len: 32,
        salt_len: 4,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 28,
    },
    Suite {
        code: 0x31,
        scheme: "aes128gcmv1",
        alias: "gcm-aes128",
        key_len: 16,
        salt_len: 4,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 30,
    },
    Suite {
        code: 0x32,
        scheme: "aes256gcmv1",
        alias: "gcm-aes256",
        key_len: 32,
        salt_len: 4,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 30,
    },
    Suite {
        code: 0x41,
        scheme: "aegis128ltau128",
        alias: "aegis-128l",
        key_len: 16,
        salt_len: 8,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 48,
    },
    Suite {
        code: 0x42,
        scheme: "aegis256tau128",
        alias: "aegis-256",
        key_len: 32,
        salt_len: 24,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 48,
    },
    Suite {
        code: 0x51,
        scheme: "asconaead128",
        alias: "ascon-aead128",
        key_len: 16,
        salt_len: 8,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 40,
    },
    Suite {
        code: 0x61,
        scheme: "deoxysii128v143",
        alias: "deoxys-ii-128",
        key_len: 16,
        salt_len: 7,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 27,
    },
    Suite {
        code: 0x62,
        scheme: "deoxysii256v143",
        alias: "deoxys-ii-256",
        key_len: 32,
        salt_len: 7,
        tag_len: 16,
        schedule: ScheduleFn::Blake2b,
        max_packets: 1 << 27,
    },
];

impl Suite {
    /// The suite with this code, or `None`.
    pub fn by_code(code: u8) -> Option<&'static Self> {
        SUITES.iter().find(|suite| suite.code == code)
    }

    /// The suite of a scheme, by canonical name or alias, or `None`.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        SUITES
            .iter()
            .find(|suite| suite.scheme == name || suite.alias == name)
    }

    /// n, in bytes: block of the schedule function, and length of the pre-shared key or file key.
    pub const fn block_len(&self) -> usize {
        self.schedule.block_len()
    }

    /// Length of one end's random value R, in bytes: n/2.
    pub const fn random_len(&self) -> usize {
        self.block_len() / 2
    }

    /// Length of the scheme's nonce in bytes: salt and packet number.
    pub const fn nonce_len(&self) -> usize {
        self.salt_len + 8
    }

    /// Packets, sent or received, after which the initiator makes new keys: half of the packet numbers, or what the
    /// scheme's proof allows for frames of the largest size and as many forgeries at [`ADVANTAGE`], if that is less. The
    /// other half of the numbers is for the time that the handshake takes.
    pub fn rekey_packets(&self) -> u64 {
        (self.max_packets / 2).min(self.limits().both as u64)
    }

    /// What one key may protect at most, with frames of the largest size.
    fn limits(&self) -> Limits {
        let packets = Traffic {
            packet_len: MAX_FRAME as u64,
            ad_len: 32,
        };
        scheme::find(self.scheme)
            .expect("suites have schemes")
            .limits(&packets, ADVANTAGE)
    }

    /// The scheme under a key of [`Suite::key_len`] bytes.
    ///
    /// # Errors
    ///
    /// The library's error if the key has another length.
    pub fn cipher(&self, key: &[u8]) -> Result<scheme::DynAead, sealwire::Error> {
        scheme::find(self.scheme)?.with_key(key)
    }
}

/// Associated data that many packets share: hashed once where the scheme can, which p-OMD, AES-GCM, AEGIS and Ascon-AEAD128 cannot.
pub struct SharedAd(Held);

enum Held {
    Hashed(SessionAd),
    Plain(Vec<u8>),
}

impl SharedAd {
    /// Takes associated data for packets under this cipher's key.
    ///
    /// # Errors
    ///
    /// The errors of [`scheme::DynAead::with_session_ad`], but for the one that says that the scheme cannot hash ahead.
    pub fn new(cipher: &scheme::DynAead, ad: &[u8]) -> Result<Self, sealwire::Error> {
        match cipher.with_session_ad(ad) {
            Ok(hashed) => Ok(Self(Held::Hashed(hashed))),
            Err(sealwire::Error::NoSessionAd) => Ok(Self(Held::Plain(ad.to_vec()))),
            Err(error) => Err(error),
        }
    }
}

impl<'a> From<&'a SharedAd> for Ad<'a> {
    fn from(shared: &'a SharedAd) -> Self {
        match &shared.0 {
            Held::Hashed(hashed) => hashed.into(),
            Held::Plain(bytes) => bytes.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_agrees_with_its_scheme() {
        for suite in SUITES {
            let scheme = scheme::find(suite.scheme).unwrap();
            assert_eq!(scheme.key_len(), suite.key_len, "{}", suite.scheme);
            assert_eq!(scheme.nonce_len(), suite.nonce_len(), "{}", suite.scheme);
            assert_eq!(scheme.tag_len(), suite.tag_len, "{}", suite.scheme);
            assert_eq!(scheme::find(suite.alias).unwrap().name(), suite.scheme);
        }
    }

    /// New keys come before the proof asks for them, so that half of the packet numbers decides, as in the RTL; and even a
    /// session that is never renewed seals no more than privacy allows.
    #[test]
    fn every_suite_is_renewed_within_its_proof() {
        for suite in SUITES {
            let limits = suite.limits();
            assert_eq!(
                suite.rekey_packets(),
                suite.max_packets / 2,
                "{}",
                suite.scheme
            );
            assert!(
                suite.rekey_packets() as f64 <= limits.both,
                "{}",
                suite.scheme
            );
            assert!(
                suite.max_packets as f64 <= limits.sealed,
                "{}",
                suite.scheme
            );
            let is_greatest = suite.max_packets as f64 > limits.both;
            assert!(
                suite.max_packets == 1 << 48 || is_greatest,
                "{} could have twice as many",
                suite.scheme
            );
        }
    }

    #[test]
    fn a_suite_with_more_numbers_than_its_proof_allows_is_renewed_earlier() {
        let weak = Suite {
            scheme: "omdsha256k128n96tau64v2",
            max_packets: 1 << 48,
            ..*Suite::by_code(5).unwrap()
        };
        assert_eq!(weak.rekey_packets(), 1 << 14); // 2^14 forgeries of tags of 64 bits
    }

    #[test]
    fn every_suite_keeps_the_rules_for_suites() {
        for (i, suite) in SUITES.iter().enumerate() {
            assert!(
                suite.salt_len <= suite.random_len()
                    && (16..=MAX_TAG).contains(&suite.tag_len)
                    && suite.nonce_len() <= MAX_NONCE
                    && suite.block_len() <= MAX_BLOCK
                    && suite.key_len <= suite.block_len()
            );
            assert!(SUITES[..i].iter().all(|other| other.code != suite.code));
            assert_eq!(Suite::by_code(suite.code), Some(suite));
            assert_eq!(Suite::by_name(suite.alias), Some(suite));
        }
        assert_eq!(Suite::by_code(0), None);
    }
}
