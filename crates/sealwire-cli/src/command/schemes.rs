// SPDX-License-Identifier: Apache-2.0
//! `schemes`: a table of what there is.

use super::{Outcome, SchemesArgs, input::cannot};
use sealwire::scheme::{Scheme, schemes};
use sealwire_link::suite::Suite;
use serde::Serialize;
use std::io::{self, Write};

/// One scheme. All lengths are in bytes.
#[derive(Serialize)]
struct Row {
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

impl Row {
    fn new(scheme: &Scheme) -> Self {
        Self {
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
    let mut out = io::stdout().lock();
    let written = if args.json {
        json(&mut out, &rows)
    } else {
        table(&mut out, &rows)
    };
    written.map_err(|error| cannot("write", "standard output", &error))
}

fn json(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, rows)?;
    writeln!(out)
}

fn table(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
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
    Ok(())
}
