// SPDX-License-Identifier: Apache-2.0
//! `link noise-key`: a private key for the Noise channel; `link pubkey`: its public key.

use super::{
    super::{
        input::{Input, cannot, is_dash},
        interrupt,
        output::{Place, Policy},
    },
    Outcome,
};
use sealwire_file::{Key, Purpose};
use sealwire_link::noise::{KEY_LEN, StaticKeys};
use std::{io::Write, path::Path};

pub(super) fn run(path: &Path, force: bool) -> Outcome {
    interrupt::install()?;
    let policy = Policy::secret(force);
    let place = Place::find(path, &policy)?;
    let key = Key::generate_for_noise().map_err(|error| error.to_string())?;
    let public = public_of(&key)?;
    let mut output = place.begin(&policy)?;
    let comment =
        format!("# It stays at this end alone. Its public key, for the other end: {public}");
    output
        .write_all(key.to_text_with(&comment).as_bytes())
        .map_err(|error| cannot("write", &output.name(), &error))?;
    output.finish()?;
    if !is_dash(path) {
        println!("public key, for [noise] peer-key at the other end: {public}");
    }
    Ok(())
}

pub(super) fn public(path: &Path) -> Outcome {
    let input = Input::open(path, "", "the file that `sealwire link noise-key` made")?;
    let key = Key::read(&input.file);
    let public = key
        .and_then(|key| key.check_purpose(Purpose::Noise).map(|()| key))
        .map_err(|error| error.to_string())
        .and_then(|key| public_of(&key))
        .map_err(|error| {
            let name = &input.name;
            format!("{name}: {error}; `sealwire link noise-key` makes the key of one end")
        })?;
    println!("{public}");
    Ok(())
}

fn public_of(key: &Key) -> Result<String, String> {
    let bytes = key.as_bytes();
    let private: &[u8; KEY_LEN] = bytes.try_into().map_err(|_| {
        let len = bytes.len();
        format!("it holds {len} bytes, a key for the Noise channel has {KEY_LEN}")
    })?;
    let public = StaticKeys::public_of(private).map_err(|error| error.to_string())?;
    Ok(base16ct::lower::encode_string(&public))
}
