// SPDX-License-Identifier: Apache-2.0
//! `--path`: a set of instructions that the library takes instead of its own choice.

use super::Failure;
use sealwire::compress::{Path, force_path};

/// What an argument names.
pub(super) fn parse(name: &str) -> Result<Path, String> {
    Path::ALL
        .iter()
        .copied()
        .find(|path| path.to_string() == name)
        .ok_or_else(|| {
            let known: Vec<_> = Path::ALL.iter().map(Path::to_string).collect();
            format!("there are {}", known.join(", "))
        })
}

/// The whole process takes the path from now on, if one is given.
pub(super) fn force(path: Option<Path>) -> Result<(), Failure> {
    if let Some(path) = path {
        if !path.available() {
            return Err(Failure::usage(format!(
                "this CPU lacks instructions that the path {path} needs"
            )));
        }
        force_path(Some(path));
    }
    Ok(())
}
