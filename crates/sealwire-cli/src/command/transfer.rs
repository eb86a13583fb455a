// SPDX-License-Identifier: Apache-2.0
//! `seal` and `open`: from an input through the sealed-file format to an output.

use super::{
    Failure, OpenArgs, Outcome, Paths, SealArgs,
    input::{Input, cannot, is_dash, key},
    output::{Output, Place, Policy},
    progress::Progress,
};
use sealwire_file::{Error, Key, Options};
use std::path::{Path, PathBuf};

/// What sealed files are called by default.
const EXTENSION: &str = "sealed";

pub(super) fn seal(args: &SealArgs) -> Outcome {
    let default = || {
        let mut name = args.paths.input.clone().into_os_string();
        name.push(".");
        name.push(EXTENSION);
        Ok(name.into())
    };
    let options = Options::default()
        .suite(args.suite)
        .chunk_size(args.chunk_size)
        .map_err(|e| e.to_string())?;
    transfer(
        &args.paths,
        default,
        true,
        |key, input, output, progress| {
            let file = input.again()?;
            let threads = args.paths.threads();
            sealwire_file::seal_on_threads(key, &options, threads, file, output, |done| {
                progress.at(done)
            })
        },
    )
}

pub(super) fn open(args: &OpenArgs) -> Outcome {
    let input = &args.paths.input;
    let default = || match input.extension() {
        Some(extension) if extension == EXTENSION => Ok(input.with_extension("")),
        _ => Err(Failure::usage(format!(
            "{} does not end in .{EXTENSION}; say with -o where to write",
            input.display()
        ))),
    };
    transfer(
        &args.paths,
        default,
        false,
        |key, input, output, progress| {
            let file = input.again()?;
            let threads = args.paths.threads();
            sealwire_file::open_on_threads(key, threads, file, output, |done| progress.at(done))
        },
    )
}

fn transfer(
    paths: &Paths,
    default_output: impl FnOnce() -> Result<PathBuf, Failure>,
    binary: bool,
    run: impl FnOnce(&Key, &Input, &mut Output, &Progress) -> Result<u64, Error>,
) -> Outcome {
    let output_path = match &paths.output {
        Some(path) => path.clone(),
        None if is_dash(&paths.input) => "-".into(),
        None => default_output()?,
    };
    let policy = Policy {
        force: paths.force,
        private: false,
        binary,
    };
    let (key, key_input) = key(&paths.key)?;
    let input = Input::open(&paths.input)?;
    check_different(&input, &key_input, &output_path)?;
    let place = Place::find(&output_path, &policy)?;
    if let Some(metadata) = place.metadata() {
        // Standard output may be redirected into the input.
        if input.is(&metadata) {
            return Err(same_file(&input));
        }
    }
    let mut output = place.begin(&policy)?;
    let progress = Progress::new(input.len(), is_dash(&output_path));
    let result = run(&key, &input, &mut output, &progress);
    drop(progress);
    match result {
        Ok(_) => output.finish(),
        Err(error) => Err(explain(&error, &input, &key_input, &output)),
    }
}

/// The output must be neither the input nor the key, even with --force.
fn check_different(input: &Input, key: &Input, output: &Path) -> Outcome {
    match std::fs::metadata(output) {
        Ok(metadata) if input.is(&metadata) => Err(same_file(input)),
        Ok(metadata) if key.is(&metadata) => Err(format!(
            "the output is the key file {}; choose another with -o",
            key.name
        )
        .into()),
        _ => Ok(()),
    }
}

fn same_file(input: &Input) -> Failure {
    format!(
        "the output is the input, {}; choose another with -o",
        input.name
    )
    .into()
}

/// What went wrong and what to do, in one line.
fn explain(error: &Error, input: &Input, key: &Input, output: &Output) -> Failure {
    let (name, key) = (&input.name, &key.name);
    let consequence = if output.is_stream() {
        "what was written so far is genuine but not complete, discard it and get a good copy of the file"
    } else {
        "nothing was written, get a good copy of the file"
    };
    match error {
        Error::Read(error) => cannot("read", name, error),
        Error::Write(error) => cannot("write", &output.name(), error),
        Error::KeyLength { alias, .. } => format!(
            "{key}: {error}; use the right key, or make one with `sealwire keygen --suite {alias}`"
        )
        .into(),
        Error::KeyPurpose(error) => {
            format!("{key}: {error}; make one with `sealwire keygen`").into()
        }
        Error::WrongKey | Error::OtherKey { .. } => {
            format!("{name}: {error}; check that {key} is the key it was sealed with").into()
        }
        Error::Damaged(_) | Error::Truncated(_) | Error::Extended(_) => {
            format!("{name}: {error}; {consequence}").into()
        }
        Error::Magic => format!("{name}: {error}; check the name").into(),
        Error::Version(_) | Error::Suite(_) => {
            format!("{name}: {error}; use a newer sealwire, or get a good copy").into()
        }
        Error::ShortHeader { .. } | Error::HeaderChunkSize(_) | Error::Reserved => {
            format!("{name}: {error}; get a good copy of the file").into()
        }
        _ => format!("{name}: {error}").into(),
    }
}
