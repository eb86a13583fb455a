// SPDX-License-Identifier: Apache-2.0
//! `limits`: how much one key may protect.

use super::{Failure, LimitsArgs, Outcome, input::cannot};
use sealwire::limits::{Limits, Traffic, exp2};
use sealwire::{mac, scheme};
use sealwire_link::suite::Suite;
use serde::Serialize;
use std::io::{self, Write};

/// The limits of one scheme. Counts are real numbers: some are beyond any integer type.
#[derive(Serialize)]
struct Row {
    scheme: String,
    alias: Option<&'static str>,
    experimental: bool,
    packet_bytes: u64,
    ad_bytes: u64,
    advantage: f64,
    /// Calls of Ascon-p that the attacker makes; only MACs.
    work: Option<f64>,
    tag_bits: usize,
    key_bits: usize,
    /// The rest is absent if no bound is known.
    #[serde(flatten)]
    bound: Option<Numbers>,
    /// Packets after which the link makes new keys, if the scheme has a suite.
    link_rekey_packets: Option<u64>,
}

#[derive(Serialize)]
struct Numbers {
    calls_per_packet: u64,
    block_bits: u32,
    sealed: f64,
    sealed_bytes: f64,
    forged: f64,
    both: f64,
    privacy: &'static str,
    forgery: &'static str,
    source: &'static str,
}

impl Numbers {
    fn new(limits: &Limits, packet_bytes: u64) -> Self {
        Self {
            calls_per_packet: limits.calls,
            block_bits: limits.formula.bits,
            sealed: limits.sealed,
            sealed_bytes: limits.sealed * packet_bytes as f64,
            forged: limits.forged,
            both: limits.both,
            privacy: limits.formula.privacy,
            forgery: limits.formula.forgery,
            source: limits.formula.source,
        }
    }
}

impl Row {
    fn aead(scheme: &scheme::Scheme, args: &LimitsArgs) -> Self {
        let packets = Traffic {
            packet_len: args.packet_bytes,
            ad_len: args.ad_bytes,
        };
        let limits = scheme.limits(&packets, args.advantage);
        Self {
            scheme: scheme.name().to_owned(),
            alias: scheme.alias(),
            experimental: scheme.experimental(),
            packet_bytes: args.packet_bytes,
            ad_bytes: args.ad_bytes,
            advantage: args.advantage,
            work: None,
            tag_bits: 8 * scheme.tag_len(),
            key_bits: 8 * scheme.key_len(),
            bound: Some(Numbers::new(&limits, args.packet_bytes)),
            link_rekey_packets: Suite::by_name(scheme.name()).map(Suite::rekey_packets),
        }
    }

    fn mac(scheme: &mac::MacScheme, args: &LimitsArgs) -> Self {
        // In a table of all, the longest message that a scheme takes.
        let longest = scheme.max_message_len().map_or(u64::MAX, |len| len as u64);
        let message_bytes = args.packet_bytes.min(longest);
        let limits = scheme.limits(message_bytes, args.advantage, args.work);
        Self {
            scheme: scheme.name().to_owned(),
            alias: scheme.alias(),
            experimental: scheme.experimental(),
            packet_bytes: message_bytes,
            ad_bytes: 0,
            advantage: args.advantage,
            work: Some(args.work),
            tag_bits: 8 * scheme.tag_len(),
            key_bits: 8 * scheme.key_len(),
            bound: limits.map(|limits| Numbers::new(&limits, message_bytes)),
            link_rekey_packets: None,
        }
    }
}

pub(super) fn run(args: &LimitsArgs) -> Outcome {
    let mut out = io::stdout().lock();
    let written = match &args.scheme {
        Some(name) => {
            let row = one(name, args)?;
            if args.json {
                json(&mut out, &row)
            } else {
                explain(&mut out, &row)
            }
        }
        None => {
            let rows: Vec<_> = scheme::schemes()
                .map(|scheme| Row::aead(&scheme, args))
                .chain(mac::schemes().map(|scheme| Row::mac(&scheme, args)))
                .collect();
            if args.json {
                json(&mut out, &rows)
            } else {
                table(&mut out, &rows, args)
            }
        }
    };
    written.map_err(|error| cannot("write", "standard output", &error))
}

fn one(name: &str, args: &LimitsArgs) -> Result<Row, Failure> {
    match scheme::find(name) {
        Ok(scheme) => Ok(Row::aead(&scheme, args)),
        Err(error) => {
            let Ok(found) = mac::find(name) else {
                return Err(Failure::usage(error.to_string()));
            };
            if args.ad_bytes > 0 {
                return Err(Failure::usage(format!(
                    "{name} is a MAC and has no associated data: leave --ad-bytes out"
                )));
            }
            if let Some(max) = found.max_message_len()
                && args.packet_bytes > max as u64
            {
                return Err(Failure::usage(format!(
                    "{name} takes messages of at most {max} bytes: give --packet-bytes {max} or less"
                )));
            }
            Ok(Row::mac(&found, args))
        }
    }
}

fn json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// A count as a power of two, or as it is if it is small.
fn power(count: f64) -> String {
    if count < 10_000.0 {
        format!("{count}")
    } else {
        format!("2^{:.1}", count.log2())
    }
}

fn table(out: &mut impl Write, rows: &[Row], args: &LimitsArgs) -> io::Result<()> {
    writeln!(
        out,
        "one key, packets of {} bytes, associated data of {}, advantage at most {}; MACs: attacker's work {}",
        args.packet_bytes,
        args.ad_bytes,
        power_of(args.advantage),
        power_of(args.work)
    )?;
    writeln!(
        out,
        "{:<28} {:<15} {:>12} {:>8} {:>8} {:>8} {:>8}",
        "name", "alias", "calls/packet", "sealed", "forged", "both", "rekey"
    )?;
    for row in rows {
        write!(out, "{:<28} {:<15} ", row.scheme, row.alias.unwrap_or("-"))?;
        match &row.bound {
            Some(numbers) => write!(
                out,
                "{:>12} {:>8} {:>8} {:>8} {:>8}",
                numbers.calls_per_packet,
                power(numbers.sealed),
                power(numbers.forged),
                power(numbers.both),
                row.link_rekey_packets
                    .map_or("-".into(), |packets| power(packets as f64)),
            )?,
            None => write!(out, "{:>12}", "no bound is known")?,
        }
        writeln!(
            out,
            "{}",
            if row.experimental {
                "  experimental"
            } else {
                ""
            }
        )?;
    }
    writeln!(
        out,
        "sealed: packets for privacy; forged: forgeries if nothing is sealed; both: packets with as many forgeries; rekey: the link's"
    )
}

/// A number that is a power of two, as one.
fn power_of(number: f64) -> String {
    let exponent = number.log2();
    if exponent == exponent.round() {
        format!("2^{exponent}")
    } else {
        format!("{number:e}")
    }
}

fn explain(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let experimental = if row.experimental {
        " (experimental)"
    } else {
        ""
    };
    let (packet, seal) = if row.work.is_some() {
        ("message", "tagged")
    } else {
        ("packet", "sealed")
    };
    writeln!(
        out,
        "{}{experimental}: one key, {packet}s of {} bytes{}, advantage at most {}",
        row.scheme,
        row.packet_bytes,
        if row.work.is_some() {
            String::new()
        } else {
            format!(" with {} of associated data", row.ad_bytes)
        },
        power_of(row.advantage)
    )?;
    let Some(n) = &row.bound else {
        return writeln!(
            out,
            "  no bound is known; 64 bits of security are claimed, for at most 2^64 blocks under a key"
        );
    };
    let advantage = power_of(row.advantage);
    writeln!(
        out,
        "  l = {} calls of the primitive for each, s = q l in all",
        n.calls_per_packet
    )?;
    if let Some(work) = row.work {
        writeln!(
            out,
            "  N = {} calls that the attacker makes (--work)",
            power_of(work)
        )?;
    }
    writeln!(
        out,
        "  {seal}: {} {packet}s, {} bytes",
        power(n.sealed),
        power(n.sealed_bytes)
    )?;
    writeln!(
        out,
        "      the largest q with {} <= {advantage}, n = {}",
        n.privacy, n.block_bits
    )?;
    writeln!(
        out,
        "  forged: {} tries, if nothing is {seal}",
        power(n.forged)
    )?;
    writeln!(
        out,
        "      the largest v with that, for q = v, + {} <= {advantage}, t = {}",
        n.forgery, row.tag_bits
    )?;
    writeln!(
        out,
        "  both: {} {packet}s while as many forgeries are tried",
        power(n.both)
    )?;
    if let Some(packets) = row.link_rekey_packets {
        writeln!(out, "  the link's rekey: {} packets", power(packets as f64))?;
        writeln!(
            out,
            "      half of the packet numbers, or `both` for frames of 9600 bytes if that is less"
        )?;
    }
    writeln!(out, "  source: {}", n.source)?;
    writeln!(
        out,
        "  not in it: {}how far the primitive is from an ideal one",
        if row.work.is_some() {
            String::new()
        } else {
            format!("the search for the key ({} bits), ", row.key_bits)
        }
    )
}

/// A probability, as `2^-50` or as a decimal fraction.
pub(super) fn parse_advantage(text: &str) -> Result<f64, String> {
    let value = match text.strip_prefix("2^-") {
        Some(exponent) => exponent
            .parse::<u16>()
            .ok()
            .filter(|exponent| (1..=1000).contains(exponent))
            .map(|exponent| exp2(-i32::from(exponent))),
        None => text.parse().ok(),
    };
    value
        .filter(|value| *value > 0.0 && *value < 1.0)
        .ok_or_else(|| "not a probability between 0 and 1; write for example 2^-50 or 1e-15".into())
}

/// A count of calls, as `2^64` or as a number.
pub(super) fn parse_work(text: &str) -> Result<f64, String> {
    let value = match text.strip_prefix("2^") {
        Some(exponent) => exponent
            .parse::<u16>()
            .ok()
            .filter(|exponent| *exponent <= 320)
            .map(|exponent| exp2(i32::from(exponent))),
        None => text.parse().ok(),
    };
    value
        .filter(|value| (0.0..=exp2(320)).contains(value))
        .ok_or_else(|| "not a number of calls; write for example 2^64".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_probabilities_and_work() {
        assert_eq!(parse_advantage("2^-50"), Ok(exp2(-50)));
        assert_eq!(parse_advantage("0.25"), Ok(0.25));
        for text in [
            "", "2^50", "2^-0", "2^-1001", "2^--5", "0", "1", "-0.5", "nan", "inf", "half",
        ] {
            assert!(parse_advantage(text).is_err(), "{text}");
        }
        assert_eq!(parse_work("2^64"), Ok(exp2(64)));
        assert_eq!(parse_work("1000"), Ok(1000.0));
        for text in ["", "2^-1", "2^321", "-1", "nan", "inf"] {
            assert!(parse_work(text).is_err(), "{text}");
        }
    }
}
