// SPDX-License-Identifier: Apache-2.0
//! `keygen`: a new key file.

use super::{
    KeyUse, KeygenArgs, Outcome,
    identity::write,
    output::{Place, Policy},
};
use sealwire_file::Key;

pub(super) fn run(args: &KeygenArgs) -> Outcome {
    let path = args
        .keyfile
        .as_ref()
        .or(args.output.as_ref())
        .expect("the parser asks for one of them");
    let policy = Policy::secret(args.force);
    let place = Place::find(path, &policy)?;
    let key = match args.suite {
        KeyUse::File(suite) => Key::generate(suite),
        KeyUse::Link(suite) => Key::generate_for_link(suite),
        KeyUse::Mac => Key::generate_for_mac(),
    };
    let key = key.map_err(|error| error.to_string())?;
    write(place, &policy, key.to_text().as_bytes())
}
