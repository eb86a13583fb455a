// SPDX-License-Identifier: Apache-2.0
//! How much one key may protect: from a scheme's proof and an advantage that an attacker may have, the number of packets
//! that may be sealed and of forgeries that may be tried.
//!
//! ```
//! use sealwire::limits::{Traffic, exp2};
//!
//! let scheme = sealwire::scheme::find("omd-sha256")?;
//! let packets = Traffic { packet_len: 1500, ad_len: 0 };
//! let limits = scheme.limits(&packets, exp2(-50));
//! assert_eq!(limits.calls, 49); // 47 blocks and 2 more
//! assert!(limits.sealed > exp2(96) && limits.sealed < exp2(97));
//! # Ok::<(), sealwire::Error>(())
//! ```
//!
//! Left out, because they depend on the attacker's means alone: the search for the key, and the distance of the compression
//! function or block cipher from a random one. All bounds are for one key; an attacker of u keys gains a factor of u at most.
//! `docs/limits.md` explains each formula and says how sure its source is.

/// 2^`exponent`, from -1022 to 1023.
#[must_use]
pub const fn exp2(exponent: i32) -> f64 {
    assert!(exponent >= -1022 && exponent <= 1023);
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The packets that a key protects, all alike. Lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Plaintext of a packet, or message under a MAC.
    pub packet_len: u64,
    /// Associated data of a packet; none under a MAC.
    pub ad_len: u64,
}

/// What may be done with one key. Counts are real numbers, because some are beyond 2^64; those under 2^53 are whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// What the numbers come from.
    pub formula: Formula,
    /// Calls of the primitive that a packet takes.
    pub calls: u64,
    /// Packets that may be sealed, forgeries left aside (privacy). Under a MAC, tags that may be made.
    pub sealed: f64,
    /// Forgeries that may be tried where nothing is sealed (authenticity).
    pub forged: f64,
    /// Packets that may be sealed while as many forgeries are tried: privacy and authenticity each stay in the bound.
    pub both: f64,
}

/// How an attacker's advantage grows, s being the calls of the primitive over all packets and forgeries, l the calls for the
/// longest one, q the packets (and forgeries, for authenticity), v the forgeries and t the tag's bits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// OMD and p-OMD: 3 s^2 / 2^n; authenticity also v l / 2^n + v / 2^t.
    Omd,
    /// OCB: 6 s^2 / 2^n; authenticity also v / 2^t. No more than 2^48 blocks.
    Ocb,
    /// COLM and AES-COPA: 39 s^2 / 2^n; authenticity also v / 2^n, the tag being a block whatever else is in it.
    Chained,
    /// AES-GCM with nonces of 96 bits: (s + 1)^2 / 2^(n+1); authenticity also v l / 2^t.
    Gcm,
    /// SIV-OMD: 3 s^2 / 2^n + q^2 / 2^n + q^2 / 2^(t+1); authenticity also v / 2^t.
    SivOmd,
    /// AES-OTR: 6 s^2 / 2^n; authenticity also v / 2^t.
    Otr,
    /// Ascon-p keyed by its whole state, c = `capacity` bits unseen: qN / 2^c + 32 N / 2^c + q^2 / 2^(c+1) + (2 qs + s^2) / 2^n +
    /// N / 2^k for an attacker who computes Ascon-p N times; authenticity also v / 2^t.
    Sponge { capacity: i32, work: f64 },
    /// Ascon's AEADs and AEGIS: what their specification allows under one key, 2^`blocks` calls, and no claim beyond; authenticity also v / 2^t.
    Duplex {
        blocks: i32,
        formula: [&'static str; 2],
    },
    /// Deoxys-I: 0; authenticity v / 2^t.
    OnePass,
    /// Minalpher: 4 s^2 / 2^n + 4 s N / 2^n for an attacker who computes the permutation N = 2^`MINALPHER_WORK` times; authenticity also
    /// v / 2^128, the tag being 128 bits whatever else is in it.
    Minalpher,
    /// SCREAM: what Deoxys-I has, for a key that is not weak.
    Scream,
    /// Deoxys-II, nonces repeated or not: 4 s^2 / 2^n; authenticity also v / 2^t.
    TwoPasses,
}

impl Form {
    /// NIST SP 800-232: 2^54 bytes under one key.
    pub(crate) const STANDARD_DUPLEX: Self = Self::Duplex {
        blocks: 50,
        formula: [
            "0 while s <= 2^50",
            "NIST SP 800-232: 2^54 bytes under one key, nonces and what is opened included, from memory; no bound is printed there",
        ],
    };
    /// AEGIS, which has no proof: 2^64 updates under one key.
    pub(crate) const AEGIS: Self = Self::Duplex {
        blocks: 64,
        formula: [
            "0 while s <= 2^64",
            "no bound is printed in RFC 10032, and 2^64 is our choice; the known biases of the key stream need 2^152 blocks and more, from memory",
        ],
    };
    /// Ascon version 1.2: 2^64 blocks under one key.
    pub(crate) const V12_DUPLEX: Self = Self::Duplex {
        blocks: 64,
        formula: [
            "0 while s <= 2^64",
            "Ascon version 1.2: 2^64 blocks under one key, from memory; no bound is printed there",
        ],
    };
}

/// What a scheme's limits come from. In the formulas q is the packets, and for authenticity forgeries too, v the forgeries, l the
/// calls of the primitive for one, s = q l, n and t the bits of [`bits`](Self::bits) and of the tag, N the calls that the
/// attacker makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formula {
    /// n: bits of the chaining value, block or permutation.
    pub bits: u32,
    /// Bound of the advantage against privacy.
    pub privacy: &'static str,
    /// What authenticity adds to it.
    pub forgery: &'static str,
    /// Where the bound is from, and how sure that is.
    pub source: &'static str,
}

/// A scheme's bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) form: Form,
    /// n: bits of the chaining value, block or state.
    pub(crate) bits: i32,
    /// t: bits of the tag.
    pub(crate) tag_bits: i32,
}

/// Bits of the key of the MACs.
const MAC_KEY_BITS: i32 = 128;

/// log2 of how often the attacker computes Minalpher's permutation.
const MINALPHER_WORK: i32 = 64;

impl Bound {
    /// The advantage against privacy, or that of telling tags from random ones.
    fn privacy(&self, s: f64, q: f64) -> f64 {
        let n = self.bits;
        match self.form {
            Form::Omd => 3.0 * s * s * exp2(-n),
            Form::Otr => 6.0 * s * s * exp2(-n),
            Form::Ocb if s > exp2(48) => 1.0,
            Form::Ocb => 6.0 * s * s * exp2(-n),
            Form::Chained => 39.0 * s * s * exp2(-n),
            Form::Gcm => (s + 1.0) * (s + 1.0) * exp2(-n - 1),
            Form::SivOmd => (3.0 * s * s + q * q) * exp2(-n) + q * q * exp2(-self.tag_bits - 1),
            Form::Sponge { capacity, work } => {
                (q * work + 32.0 * work + q * q / 2.0) * exp2(-capacity)
                    + (2.0 * q * s + s * s) * exp2(-n)
                    + work * exp2(-MAC_KEY_BITS)
            }
            Form::Duplex { blocks, .. } => f64::from(u8::from(s > exp2(blocks))),
            Form::OnePass | Form::Scream => 0.0,
            Form::Minalpher => 4.0 * s * (s + exp2(MINALPHER_WORK)) * exp2(-n),
            Form::TwoPasses => 4.0 * s * s * exp2(-n),
        }
    }

    fn formula(&self) -> Formula {
        let (privacy, forgery, source) = match self.form {
            Form::Omd => (
                "3 s^2 / 2^n",
                "v l / 2^n + v / 2^t",
                "p-OMD paper, theorem 1; it says that OMD's bound is the same",
            ),
            Form::SivOmd => (
                "3 s^2 / 2^n + q^2 / 2^n + q^2 / 2^(t+1)",
                "v / 2^t",
                "a sketch of ours, not a proof: SIV's composition over OMD's masks",
            ),
            Form::Otr => (
                "6 s^2 / 2^n",
                "v / 2^t",
                "Minematsu, Eurocrypt 2014, the constant 6 from memory; version 3 claims the bounds of version 2",
            ),
            Form::Ocb => (
                "6 s^2 / 2^n while s <= 2^48",
                "v / 2^t",
                "Krovetz and Rogaway, FSE 2011, the constant 6 from memory; RFC 7253, section 5: 2^48 blocks under one key",
            ),
            Form::Chained => (
                "39 s^2 / 2^n",
                "v / 2^n",
                "Andreeva and others, Asiacrypt 2013: COPA, 39 (blocks + packets)^2 / 2^n, from memory, every call taken for a block; the same \
                 assumed of COLM, its successor",
            ),
            Form::Gcm => (
                "(s + 1)^2 / 2^(n+1)",
                "v l / 2^t",
                "Iwata, Ohashi and Minematsu, Crypto 2012, for nonces of 96 bits, from memory; blocks of associated data count as calls here",
            ),
            Form::Duplex {
                formula: [privacy, source],
                ..
            } => (privacy, "v / 2^t", source),
            Form::OnePass => (
                "0",
                "v / 2^t",
                "Krovetz and Rogaway, FSE 2011, the theorem on ThetaCB3, whose form Deoxys-I has, from memory; Deoxys-BC taken as ideal",
            ),
            Form::Minalpher => (
                "4 s (s + 2^64) / 2^n",
                "v / 2^128",
                "a birthday bound of a permutation between masks that an attacker computes 2^64 times, the constant ours and no proof; the designers \
                 claim 128 bits, from memory",
            ),
            Form::Scream => (
                "0",
                "v / 2^t",
                "as Deoxys-I, for the cipher taken as ideal, which it is not: of 2^128 keys 2^96 are weak (Todo, Leander, Sasaki 2016), from \
                 memory; not for use",
            ),
            Form::TwoPasses => (
                "4 s^2 / 2^n",
                "v / 2^t",
                "a birthday bound after Peyrin and Seurin, Crypto 2016, that holds though nonces repeat, the constant ours and no proof; \
                 with fresh nonces the designers claim far more",
            ),
            Form::Sponge { .. } => (
                "(q N + 32 N + q^2 / 2) / 2^c + (2 q s + s^2) / 2^n + N / 2^128",
                "v / 2^t",
                "Mennink 2023, theorem 1, second-hand, for one user; Ascon-p taken as ideal, c = n less the bits squeezed a call",
            ),
        };
        Formula {
            bits: self.bits.unsigned_abs(),
            privacy,
            forgery,
            source,
        }
    }

    fn authenticity(&self, s: f64, q: f64, v: f64, l: f64) -> f64 {
        let tags = v * exp2(-self.tag_bits);
        let forgery = match self.form {
            Form::Omd => v * l * exp2(-self.bits) + tags,
            Form::Gcm => l * tags,
            Form::Chained => v * exp2(-self.bits),
            Form::Minalpher => v * exp2(-128),
            Form::Otr
            | Form::Ocb
            | Form::SivOmd
            | Form::Sponge { .. }
            | Form::Duplex { .. }
            | Form::OnePass
            | Form::Scream
            | Form::TwoPasses => tags,
        };
        self.privacy(s, q + v) + forgery
    }

    /// The limits for packets that take `calls` calls each.
    pub(crate) fn limits(&self, calls: u64, advantage: f64) -> Limits {
        let l = calls as f64;
        Limits {
            formula: self.formula(),
            calls,
            sealed: largest(|q| self.privacy(q * l, q) <= advantage),
            forged: largest(|v| self.authenticity(v * l, 0.0, v, l) <= advantage),
            both: largest(|q| {
                self.privacy(q * l, q) <= advantage
                    && self.authenticity(2.0 * q * l, q, q, l) <= advantage
            }),
        }
    }
}

/// The largest count, up to 2^300, that fits; whole if it is under 2^53. What fits must fit for all that is less.
fn largest(fits: impl Fn(f64) -> bool) -> f64 {
    let mut sum = 0.0;
    let mut step = exp2(300);
    while step >= 1.0 && sum + step != sum {
        if fits(sum + step) {
            sum += step;
        }
        step /= 2.0;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{mac, scheme};

    fn omd(bits: i32) -> Bound {
        Bound {
            form: Form::Omd,
            bits,
            tag_bits: 256,
        }
    }

    #[test]
    fn powers_of_two() {
        assert_eq!(exp2(0), 1.0);
        assert_eq!(exp2(-50), 1.0 / (1u64 << 50) as f64);
        assert_eq!(exp2(63), (1u64 << 63) as f64);
    }

    /// The numbers that the sources print for 2^-50.
    #[test]
    fn agrees_with_published_figures() {
        for (bits, calls) in [(256, 102.2), (512, 230.2)] {
            assert!((omd(bits).limits(1, exp2(-50)).sealed.log2() - calls).abs() < 0.05);
        }
        let otr = Bound {
            form: Form::Otr,
            bits: 128,
            tag_bits: 128,
        };
        assert!((otr.limits(1, exp2(-50)).sealed.log2() - 37.7).abs() < 0.05);
    }

    #[test]
    fn tags_limit_forgeries() {
        let bound = |tag_bits| Bound {
            tag_bits,
            ..omd(256)
        };
        for tag_bits in [64, 96, 128] {
            let limits = bound(tag_bits).limits(24, exp2(-50));
            assert!((limits.forged.log2() - f64::from(tag_bits - 50)).abs() < 0.01);
            assert!(limits.both <= limits.forged && limits.both <= limits.sealed);
        }
    }

    #[test]
    fn the_largest_count_fits_and_one_more_does_not() {
        for most in [0.0, 1.0, 2.0, 3.0, 1000.0, 123_456_789.0, exp2(52) - 1.0] {
            assert_eq!(largest(|count| count <= most), most);
        }
    }

    /// Longer packets, more associated data and a smaller advantage never allow more.
    #[test]
    fn limits_fall_with_lengths_and_with_the_advantage() {
        let few = |scheme: &scheme::Scheme, packet_len, ad_len, advantage| {
            scheme
                .limits(&Traffic { packet_len, ad_len }, exp2(advantage))
                .both
        };
        for scheme in scheme::schemes() {
            let mut last = f64::INFINITY;
            for len in [0, 1, 64, 1500, 9600, 1 << 20] {
                let now = few(&scheme, len, 0, -50);
                assert!(
                    now <= last && few(&scheme, len, 4096, -50) <= now,
                    "{scheme}"
                );
                assert!(few(&scheme, len, 0, -60) <= now, "{scheme}");
                last = now;
            }
        }
    }

    /// The largest lengths do not overflow.
    #[test]
    fn takes_every_length() {
        let all = Traffic {
            packet_len: u64::MAX,
            ad_len: u64::MAX,
        };
        for scheme in scheme::schemes() {
            assert!(scheme.limits(&all, exp2(-50)).calls > 1 << 50, "{scheme}");
        }
    }

    /// A bound holds while nonces are fresh, and there are only so many of them.
    #[test]
    fn no_more_packets_than_nonces() {
        let packets = Traffic {
            packet_len: 64,
            ad_len: 0,
        };
        for (name, fatal) in [
            ("omdsha256k128n8tau256v2", true),
            ("pomdsha512k512n8tau256", true),
            ("aes128otrpv3n8tau128", true),
            ("sivomdpsha256k256n8tau256", false),
        ] {
            let limits = scheme::find(name).unwrap().limits(&packets, exp2(-50));
            assert_eq!(limits.sealed == 256.0, fatal, "{name}");
            assert_eq!(limits.both == 256.0, fatal, "{name}");
            assert!(limits.forged > 256.0, "{name}");
        }
    }

    /// A tweak for every block leaves the tag and the nonces as Deoxys-I's only limits; Deoxys-II has the block's, but needs no nonces.
    #[test]
    fn deoxys_is_limited_by_its_nonces_or_by_its_block() {
        let packets = Traffic {
            packet_len: 1500,
            ad_len: 20,
        };
        for (name, calls, sealed, forged) in [
            ("deoxys-i-128", 1 + 94 + 2, 64.0, 78.0),
            (
                "deoxys-ii-256",
                1 + 2 * 94 + 2,
                38.0 - 191_f64.log2(),
                38.0 - 191_f64.log2(),
            ),
        ] {
            let limits = scheme::find(name).unwrap().limits(&packets, exp2(-50));
            assert_eq!(limits.calls, calls, "{name}");
            assert!((limits.sealed.log2() - sealed).abs() < 0.01, "{name}");
            assert!((limits.forged.log2() - forged).abs() < 0.01, "{name}");
        }
    }

    /// A forgery under AES-GCM gains with the length of what is forged.
    #[test]
    fn gcm_has_the_birthday_bound_and_fewer_forgeries_for_longer_packets() {
        let scheme = scheme::find("gcm-aes256").unwrap();
        for (packet_len, calls) in [(16, 2.0_f64), (1 << 20, 65_537.0)] {
            let packets = Traffic {
                packet_len,
                ad_len: 0,
            };
            let sealed = scheme.limits(&packets, exp2(-50)).sealed;
            assert!((sealed.log2() - (39.5 - calls.log2())).abs() < 0.01);
            // So short a tag leaves the birthday bound behind.
            let bound = Bound {
                form: Form::Gcm,
                bits: 128,
                tag_bits: 64,
            };
            let forged = bound.limits(calls as u64, exp2(-50)).forged;
            assert!((forged - exp2(14) / calls).abs() <= 1.0);
        }
    }

    /// What is not sure is said where the numbers are.
    #[test]
    fn sources_say_how_sure_they_are() {
        let packets = Traffic {
            packet_len: 64,
            ad_len: 0,
        };
        let otr = scheme::find("otr-aes128-p").unwrap();
        let source = otr.limits(&packets, exp2(-50)).formula.source;
        assert!(source.contains("from memory"));
        let deoxys = scheme::find("deoxys-ii-128").unwrap();
        let source = deoxys.limits(&packets, exp2(-50)).formula.source;
        assert!(source.contains("no proof"));
        let mac = mac::find("ascon-mac").unwrap();
        let limits = mac.limits(64, exp2(-50), exp2(64)).unwrap();
        assert!(limits.formula.source.contains("second-hand"));
    }

    #[test]
    fn every_mac_but_the_one_without_a_bound_has_limits_for_what_it_takes() {
        for scheme in mac::schemes() {
            let limits = scheme.limits(1500, exp2(-50), exp2(64));
            let short = scheme.max_message_len() == Some(16);
            assert_eq!(limits.is_none(), short || scheme.name() == "asconfarfalle");
            if short {
                assert!(scheme.limits(16, exp2(-50), exp2(64)).is_some());
                assert!(scheme.limits(17, exp2(-50), exp2(64)).is_none());
            }
            // The attacker's own work is all of the advantage then.
            let none = scheme.limits(16, exp2(-50), exp2(79));
            assert!(none.is_none_or(|limits| limits.sealed == 0.0));
        }
    }
}
