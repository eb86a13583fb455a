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
use sealwire_file::Key;
use sealwire_link::noise::{KEY_LEN, StaticKeys};
use std::{io::Write, path::Path};

pub(super) fn run(path: &Path, force: bool) -> Outcome {
    interrupt::install()?;
    let policy = Policy::secret(force);
    let place = Place::find(path, &policy)?;
    let key = Key::generate_for_noise().map_err(|error| error.to_string())?;
    let private: &[u8; KEY_LEN] = key.as_bytes().try_into().expect("32 bytes");
    let public =
        StaticKeys::public_of(private).map_err(|error| Failure::from(error.to_string()))?;
    let public = base16ct::lower::encode_string(&public);
    let mut output = place.begin(&policy)?;
    let comment =
        format!("# It stays at this end alone. Its public key, for the other end: {public}");
    output
        .write_all(key.to_text_with(&comment).as_bytes())
        .map_err(|error| cannot("write", &output.name(), &error))?;
    output.finish()?;
    if path != Path::new("-") {
        println!("public key, for [noise] peer-key at the other end: {public}");
    }
    Ok(())
}
