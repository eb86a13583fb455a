// SPDX-License-Identifier: Apache-2.0
//! `identity` and `recipient`: the private and the public key of one who receives files.

use super::{
    IdentityArgs, Outcome, RecipientArgs,
    input::{Input, cannot},
    output::{Place, Policy},
};
use sealwire_file::Identity;
use std::{io::Write, path::Path};

pub(super) fn identity(args: &IdentityArgs) -> Outcome {
    let policy = Policy::secret(args.force);
    let place = Place::find(&args.file, &policy)?;
    let identity = Identity::generate().map_err(|error| error.to_string())?;
    write(place, &policy, identity.to_text().as_bytes())
}

pub(super) fn recipient(args: &RecipientArgs) -> Outcome {
    let mut input = Input::open(&args.identity, "identity file ", "a file")?;
    let identity = Identity::read(&mut input)
        .map_err(|error| format!("{}: {error}; make one with `sealwire identity`", input.name))?;
    let policy = Policy {
        force: args.force,
        mode: 0o666,
        group: None,
        is_secret: false,
        binary: false,
        option: " with -o",
    };
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let place = Place::find(output, &policy)?;
    if place.metadata().is_some_and(|metadata| input.is(&metadata)) {
        return Err(format!("the output is the {}; choose another with -o", input.name).into());
    }
    write(place, &policy, identity.recipient().to_text().as_bytes())
}

/// Writes a short text to its place.
pub(super) fn write(place: Place, policy: &Policy, text: &[u8]) -> Outcome {
    let mut output = place.begin(policy)?;
    output
        .write_all(text)
        .map_err(|error| cannot("write", &output.name(), &error))?;
    output.finish()
}
