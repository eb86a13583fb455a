// SPDX-License-Identifier: Apache-2.0
//! `link noise-key`: a private key for the Noise channel.

use super::{
    super::{
        input::cannot,
        interrupt,
        output::{Place, Policy},
    },
    Failure, Outcome,
};
use sealwire_link::noise::{KEY_LEN, StaticKeys};
use std::{io::Write, path::Path};
use zeroize::Zeroizing;

pub(super) fn run(path: &Path, force: bool) -> Outcome {
    interrupt::install()?;
    let policy = Policy {
        force,
        private: true,
        binary: false,
    };
    let place = Place::find(path, &policy)?;
    let mut private = Zeroizing::new([0; KEY_LEN]);
    getrandom::fill(private.as_mut_slice())
        .map_err(|error| format!("the operating system gave no random bytes: {error}"))?;
    let public =
        StaticKeys::public_of(&private).map_err(|error| Failure::from(error.to_string()))?;
    let public = base16ct::lower::encode_string(&public);
    let digits = Zeroizing::new(base16ct::lower::encode_string(private.as_slice()));
    let mut output = place.begin(&policy)?;
    let comment = format!(
        "# sealwire private key for the Noise channel; keep it secret, and at this end only.\n# Its public key, for the other end: {public}\n"
    );
    for text in [comment.as_str(), digits.as_str(), "\n"] {
        output
            .write_all(text.as_bytes())
            .map_err(|error| cannot("write", &output.name(), &error))?;
    }
    output.finish()?;
    if path != Path::new("-") {
        println!("public key, for [noise] peer-key at the other end: {public}");
    }
    Ok(())
}
