// SPDX-License-Identifier: Apache-2.0
//! `schemes`: a table of what there is.

use super::{Outcome, SchemesArgs, input::cannot};
use sealwire::mac::{self, MacScheme};
use sealwire::scheme::{Scheme, schemes};
use sealwire_link::suite::Suite;
use serde::Serialize;
use std::io::{self, Write};

/// One scheme. All lengths are in bytes.
#[derive(Serialize)]
struct Row {
    /// `aead`
    kind: &'static str,
    name: String,
    alias: Option<&'static str>,
    /// Code in sealed files and on the link, in hexadecimal.
    suite: Option<String>,
    key_len: usize,
    nonce_len: usize,
    tag_len: usize,
    block_len: usize,
    ad_block_len: usize,
    experimental: bool,
}

/// One MAC. All lengths are in bytes.
#[derive(Serialize)]
struct MacRow {
    /// `mac`
    kind: &'static str,
    name: &'static str,
    alias: Option<&'static str>,
    key_len: usize,
    /// Unless another one is asked for.
    tag_len: usize,
    tag_len_min: usize,
    /// `null`: any.
    tag_len_max: Option<usize>,
    block_len: usize,
    /// `null`: any.
    message_len_max: Option<usize>,
    experimental: bool,
}

impl MacRow {
    fn new(scheme: &MacScheme) -> Self {
        let (min, max) = scheme.tag_lens();
        Self {
            kind: "mac",
            name: scheme.name(),
            alias: scheme.alias(),
            key_len: scheme.key_len(),
            tag_len: scheme.tag_len(),
            tag_len_min: min,
            tag_len_max: (max != usize::MAX).then_some(max),
            block_len: scheme.block_len(),
            message_len_max: scheme.max_message_len(),
            experimental: scheme.experimental(),
        }
    }
}

impl Row {
    fn new(scheme: &Scheme) -> Self {
        Self {
            kind: "aead",
            name: scheme.name().to_owned(),
            alias: scheme.alias(),
            suite: Suite::by_name(scheme.name()).map(|suite| format!("{:02x}", suite.code)),
            key_len: scheme.key_len(),
            nonce_len: scheme.nonce_len(),
            tag_len: scheme.tag_len(),
            block_len: scheme.block_len(),
            ad_block_len: scheme.ad_block_len(),
            experimental: scheme.experimental(),
        }
    }
}

pub(super) fn run(args: &SchemesArgs) -> Outcome {
    let rows: Vec<_> = schemes().map(|scheme| Row::new(&scheme)).collect();
    let macs: Vec<_> = mac::schemes().map(|scheme| MacRow::new(&scheme)).collect();
    let mut out = io::stdout().lock();
    let written = if args.json {
        json(&mut out, &rows, &macs)
    } else {
        table(&mut out, &rows, &macs)
    };
    written.map_err(|error| cannot("write", "standard output", &error))
}

fn json(out: &mut impl Write, rows: &[Row], macs: &[MacRow]) -> io::Result<()> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Any<'a> {
        Aead(&'a Row),
        Mac(&'a MacRow),
    }
    let all = rows.iter().map(Any::Aead).chain(macs.iter().map(Any::Mac));
    serde_json::to_writer_pretty(&mut *out, &all.collect::<Vec<_>>())?;
    writeln!(out)
}

fn table(out: &mut impl Write, rows: &[Row], macs: &[MacRow]) -> io::Result<()> {
    writeln!(
        out,
        "sizes in bytes; suite is the code in sealed files and on the link"
    )?;
    writeln!(
        out,
        "{:<28} {:<15} suite  key nonce  tag block ad-block",
        "name", "alias"
    )?;
    for row in rows {
        writeln!(
            out,
            "{:<28} {:<15} {:>5} {:>4} {:>5} {:>4} {:>5} {:>8}{}",
            row.name,
            row.alias.unwrap_or("-"),
            row.suite.as_deref().unwrap_or("-"),
            row.key_len,
            row.nonce_len,
            row.tag_len,
            row.block_len,
            row.ad_block_len,
            if row.experimental {
                "  experimental"
            } else {
                ""
            },
        )?;
    }
    writeln!(
        out,
        "\nfor authentication alone (sealwire mac); tag 1+ is any length from one byte on"
    )?;
    writeln!(
        out,
        "{:<28} {:<15} {:>10} {:>10} {:>5}",
        "name", "alias", "key", "tag", "block"
    )?;
    for mac in macs {
        let tag = match mac.tag_len_max {
            None => format!("{}+", mac.tag_len_min),
            Some(max) if mac.tag_len_min == max => max.to_string(),
            Some(max) => format!("{} to {max}", mac.tag_len_min),
        };
        writeln!(
            out,
            "{:<28} {:<15} {:>10} {:>10} {:>5}{}",
            mac.name,
            mac.alias.unwrap_or("-"),
            mac.key_len,
            tag,
            mac.block_len,
            if mac.experimental {
                "  experimental"
            } else {
                ""
            },
        )?;
    }
    Ok(())
}
