// SPDX-License-Identifier: Apache-2.0
//! The `sealwire` command. Exit codes: 0 done, 1 failed, 2 wrong usage; ended by a signal, as the shell sees it.
#![forbid(unsafe_code)]

mod command;

use clap::Parser;
use command::{Cli, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| command::refuse(error));
    match command::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, message }) => {
            if let Some(message) = message {
                command::say(&message);
            }
            ExitCode::from(code)
        }
    }
}
