// SPDX-License-Identifier: Apache-2.0
//! `keygen`: a new key file.

use super::{
    KeyUse, KeygenArgs, Outcome,
    input::cannot,
    output::{Place, Policy},
};
use sealwire_file::Key;
use std::io::Write;

pub(super) fn run(args: &KeygenArgs) -> Outcome {
    let path = args
        .keyfile
        .as_ref()
        .or(args.output.as_ref())
        .expect("the parser asks for one of them");
    let policy = Policy {
        force: args.force,
        private: true,
        binary: false,
    };
    let place = Place::find(path, &policy)?;
    let key = match args.suite {
        KeyUse::File(suite) => Key::generate(suite),
        KeyUse::Link(suite) => Key::generate_for_link(suite),
        KeyUse::Mac => Key::generate_for_mac(),
    };
    let key = key.map_err(|error| error.to_string())?;
    let mut output = place.begin(&policy)?;
    output
        .write_all(key.to_text().as_bytes())
        .map_err(|error| cannot("write", &output.name(), &error))?;
    output.finish()
}
