// SPDX-License-Identifier: Apache-2.0
//! `man`: manual pages, from the words of `--help`.

use super::{
    Cli, Outcome,
    input::{cannot, shown},
};
use clap::CommandFactory;
use std::path::Path;

pub(super) fn write(folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| cannot("make", &shown(folder), &error))?;
    // The version of this machine's instructions does not belong on a page.
    let command = Cli::command().version(env!("CARGO_PKG_VERSION"));
    clap_mangen::generate_to(command, folder)
        .map_err(|error| cannot("write manual pages to", &shown(folder), &error))
}
