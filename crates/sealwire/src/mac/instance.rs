// SPDX-License-Identifier: Apache-2.0
//! What the schemes are: their parameters, and the first word of the state that is made of them.

use crate::ascon::{Absorb, Order, Rate};

/// A scheme's constants.
pub(super) struct Instance {
    pub(super) name: &'static str,
    pub(super) alias: Option<&'static str>,
    pub(super) kind: Kind,
    /// Whether no specification but ours fixes it, or nobody has analysed it.
    pub(super) experimental: bool,
}

/// How a tag is made.
pub(super) enum Kind {
    /// Ascon-PRF's structure: absorb blocks as `absorb` says, squeeze `squeeze` words at a time.
    Sponge {
        iv: u64,
        absorb: Absorb,
        squeeze: usize,
        /// Whether the output may have any length; else it has 16 bytes.
        prf: bool,
    },
    /// Ascon-PRFshort: message and tag of at most 16 bytes, one call of the permutation.
    Short { order: Order },
    /// Ascon-Farfalle.
    Farfalle,
}

/// Rounds of the first and the last call of a sponge.
pub(super) const OUTER: usize = 12;

/// Bits of the key.
const KEY_BITS: u64 = 128;

/// Bits of a tag whose length is fixed.
const TAG_BITS: u64 = 128;

/// The initial value of Ascon v1.2 (ePrint 2021/1574): k, r_o, 2^7 + a, a - b, t. The block length is not in it.
const fn iv_v12(squeeze: usize, inner: usize, tag_bits: u64) -> u64 {
    KEY_BITS << 56
        | (64 * squeeze as u64) << 48
        | (0x80 | OUTER as u64) << 40
        | ((OUTER - inner) as u64) << 32
        | tag_bits
}

/// The initial value in the manner of SP 800-232, as the designers' code has it: variant, a and b, t, r_i, r_o. All
/// parameters are in it, so that no two schemes share one.
const fn iv_v13(variant: u64, rate: Rate, squeeze: usize, inner: usize, tag_bits: u64) -> u64 {
    variant
        | (OUTER as u64) << 16
        | (inner as u64) << 20
        | tag_bits << 24
        | (8 * rate as u64) << 40
        | (8 * squeeze as u64) << 48
}

const MAC: u64 = 5;
const PRF: u64 = 6;
/// The variant of Ascon-PRFshort.
const SHORT: u64 = 7;

/// The first word of Ascon-PRFshort for lengths in bytes, at most 16.
pub(super) const fn iv_short(order: Order, message_len: usize, tag_len: usize) -> u64 {
    let (message_bits, tag_bits) = (8 * message_len as u64, 8 * tag_len as u64);
    match order {
        Order::Big => {
            KEY_BITS << 56 | message_bits << 48 | (0x40 | OUTER as u64) << 40 | tag_bits << 32
        }
        Order::Little => SHORT | (OUTER as u64) << 16 | tag_bits << 24 | message_bits << 48,
    }
}

/// Ascon-PRF or, with `prf` false, Ascon-MAC, of the version with big-endian words or of the other.
const fn sponge(order: Order, prf: bool, rate: Rate, squeeze: usize, inner: usize) -> Kind {
    let (variant, tag_bits) = if prf { (PRF, 0) } else { (MAC, TAG_BITS) };
    Kind::Sponge {
        iv: match order {
            Order::Big => iv_v12(squeeze, inner, tag_bits),
            Order::Little => iv_v13(variant, rate, squeeze, inner, tag_bits),
        },
        absorb: Absorb {
            rate,
            order,
            rounds: inner,
        },
        squeeze,
        prf,
    }
}

const fn standard(name: &'static str, alias: Option<&'static str>, kind: Kind) -> Instance {
    Instance {
        name,
        alias,
        kind,
        experimental: false,
    }
}

const fn experimental(name: &'static str, alias: &'static str, kind: Kind) -> Instance {
    Instance {
        name,
        alias: Some(alias),
        kind,
        experimental: true,
    }
}

/// All schemes, the default first.
pub(super) static INSTANCES: [Instance; 15] = [
    standard(
        "asconmacv13",
        Some("ascon-mac"),
        sponge(Order::Little, false, Rate::Four, 2, 12),
    ),
    standard(
        "asconmacav13",
        Some("ascon-maca"),
        sponge(Order::Little, false, Rate::Five, 2, 8),
    ),
    standard(
        "asconprfv13",
        Some("ascon-prf"),
        sponge(Order::Little, true, Rate::Four, 2, 12),
    ),
    standard(
        "asconprfav13",
        Some("ascon-prfa"),
        sponge(Order::Little, true, Rate::Five, 2, 8),
    ),
    standard(
        "asconprfsv13",
        Some("ascon-prfs"),
        Kind::Short {
            order: Order::Little,
        },
    ),
    standard(
        "asconmacv12",
        None,
        sponge(Order::Big, false, Rate::Four, 2, 12),
    ),
    standard(
        "asconmacav12",
        None,
        sponge(Order::Big, false, Rate::Five, 2, 8),
    ),
    standard(
        "asconprfv12",
        None,
        sponge(Order::Big, true, Rate::Four, 2, 12),
    ),
    standard(
        "asconprfav12",
        None,
        sponge(Order::Big, true, Rate::Five, 2, 8),
    ),
    standard("asconprfsv12", None, Kind::Short { order: Order::Big }),
    experimental(
        "fsks64",
        "fsks-64",
        sponge(Order::Little, false, Rate::Five, 1, 12),
    ),
    experimental(
        "fsks128",
        "fsks-128",
        sponge(Order::Little, false, Rate::Five, 2, 12),
    ),
    experimental(
        "asconprf192",
        "ascon-prf-192",
        sponge(Order::Little, false, Rate::Three, 2, 8),
    ),
    experimental(
        "asconprf64",
        "ascon-prf-64",
        sponge(Order::Little, false, Rate::One, 2, 6),
    ),
    experimental("asconfarfalle", "ascon-farfalle", Kind::Farfalle),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Initial values as they are printed; the known answers prove those that have any.
    #[test]
    fn initial_values() {
        for (name, expected) in [
            ("asconprfv12", 0x8080_8c00_0000_0000),
            ("asconmacv12", 0x8080_8c00_0000_0080),
            ("asconprfav12", 0x8080_8c04_0000_0000),
            ("asconmacav12", 0x8080_8c04_0000_0080),
            ("asconmacv13", 0x0010_2000_80cc_0005),
            ("asconprfv13", 0x0010_2000_00cc_0006),
            ("asconmacav13", 0x0010_2800_808c_0005),
            ("asconprfav13", 0x0010_2800_008c_0006),
            ("fsks64", 0x0008_2800_80cc_0005),
            ("fsks128", 0x0010_2800_80cc_0005),
            ("asconprf192", 0x0010_1800_808c_0005),
            ("asconprf64", 0x0010_0800_806c_0005),
        ] {
            let instance = INSTANCES.iter().find(|i| i.name == name).unwrap();
            let Kind::Sponge { iv, .. } = instance.kind else {
                panic!("{name} is a sponge");
            };
            assert_eq!(iv, expected, "{name}: {iv:016x}");
        }
    }
}
