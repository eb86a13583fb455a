// SPDX-License-Identifier: Apache-2.0
//! `seal`, `open` and `verify`: from inputs through the sealed-file format to outputs or verdicts.

use super::{
    Failure, OpenArgs, Outcome, Paths, SealArgs, VerifyArgs,
    input::{Input, cannot, is_dash, is_directory, quoted, shown},
    locks::Given,
    output::{Output, Place, Policy},
    progress::Progress,
    say,
};
use sealwire_file::{Error, Options};
use serde::Serialize;
use std::{
    collections::HashSet,
    fs,
    io::{self, Write},
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

/// What sealed files are called by default.
const EXTENSION: &str = "sealed";

/// What takes the place of a directory where sealed files are read.
const SEALED_FILE: &str = "a file that `sealwire seal` made";

pub(super) fn seal(args: &SealArgs) -> Outcome {
    let default = |input: &Path| {
        let mut name = input.as_os_str().to_owned();
        name.push(".");
        name.push(EXTENSION);
        Ok(name.into())
    };
    let mut options = Options::default()
        .suite(args.suite)
        .chunk_size(args.chunk_size)
        .map_err(|e| e.to_string())?;
    if args.no_key_id {
        options = options.without_key_id();
    }
    let threads = args.paths.threads.count();
    each(
        &args.paths,
        || args.lock.read(),
        default,
        |name| {
            let folder = name.trim_end_matches('/');
            format!(
                "a file, or pack it: tar c {} | sealwire seal {} - -o {}",
                quoted(Path::new(folder)),
                args.lock.words(),
                quoted(Path::new(&format!("{folder}.tar.sealed")))
            )
        },
        true,
        |given, input, output, progress| {
            // What is seen to be too long is refused now, not after a day's work.
            input.len().map_or(Ok(()), |len| options.check_len(len))?;
            let file = input.again()?;
            let lock = given.with.lock();
            sealwire_file::seal_on_threads(lock, &options, threads, file, output, |done| {
                progress.at(done)
            })
        },
    )
}

pub(super) fn open(args: &OpenArgs) -> Outcome {
    let default = |input: &Path| match input.extension() {
        Some(extension) if extension == EXTENSION => Ok(input.with_extension("")),
        _ if input.is_dir() => Err(is_directory(&shown(input), SEALED_FILE)),
        _ => Err(Failure::usage(format!(
            "{} does not end in .{EXTENSION}, so that its output has no name; give one with -o",
            shown(input)
        ))),
    };
    let threads = args.paths.threads.count();
    each(
        &args.paths,
        || args.lock.read(),
        default,
        |_| SEALED_FILE.to_owned(),
        false,
        |given, input, output, progress| {
            let file = input.again()?;
            let unlock = given.with.unlock();
            sealwire_file::open_on_threads(unlock, threads, file, output, |done| progress.at(done))
        },
    )
}

/// Works on one input after another. One that fails does not keep the others back.
fn each<T>(
    paths: &Paths,
    read: impl FnOnce() -> Result<Given<T>, Failure>,
    default_output: impl Fn(&Path) -> Result<PathBuf, Failure>,
    wanted: impl Fn(&str) -> String,
    binary: bool,
    run: impl Fn(&Given<T>, &Input, &mut Output, &Progress) -> Result<u64, Error>,
) -> Outcome {
    let inputs = &paths.inputs;
    let outputs = outputs(paths, default_output)?;
    let given = read()?;
    let mut failures = Vec::new();
    for (input, output) in inputs.iter().zip(&outputs) {
        let opened = Input::open(input, "", &wanted(&shown(input)));
        let moved =
            opened.and_then(|input| transfer(&given, &input, output, paths.force, binary, &run));
        if let Err(failure) = moved {
            if inputs.len() == 1 {
                return Err(failure);
            }
            failures.extend(failure.message);
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    for message in failures {
        say(&message);
    }
    Err(Failure::said())
}

/// Where each input's result goes: beside it, into a folder, or to the one place that was named.
fn outputs(
    paths: &Paths,
    beside: impl Fn(&Path) -> Result<PathBuf, Failure>,
) -> Result<Vec<PathBuf>, Failure> {
    let (inputs, output) = (&paths.inputs, paths.output.as_deref());
    let has_dash = inputs.iter().any(|path| is_dash(path));
    if inputs.len() > 1 && has_dash {
        return Err(Failure::usage("standard input goes with no other input"));
    }
    let (folder, output) = match output {
        Some(path) if path.is_dir() && !is_dash(path) && !has_dash => (Some(path), None),
        Some(path) if path.as_os_str().as_bytes().ends_with(b"/") && !path.exists() => {
            let name = shown(path);
            return Err(format!("there is no folder {name}; make it first").into());
        }
        Some(path) if inputs.len() > 1 => {
            let name = shown(path);
            return Err(Failure::usage(format!(
                "{name} is no folder, and several files go to no one file: give a folder that exists with -o, or nothing, so that each goes beside its input"
            )));
        }
        output => (None, output),
    };
    let to = |input: &PathBuf| match (output, folder) {
        (Some(path), _) => Ok(path.to_owned()),
        (None, None) if is_dash(input) => Ok("-".into()),
        (None, None) => beside(input),
        (None, Some(folder)) => {
            let beside = beside(input)?;
            Ok(beside
                .file_name()
                .map_or_else(|| folder.to_owned(), |name| folder.join(name)))
        }
    };
    let outputs = inputs.iter().map(to).collect::<Result<Vec<_>, _>>()?;
    let same = |a: &Path, b: &Path| {
        let id = |path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino()));
        id(a).is_ok_and(|a| id(b).is_ok_and(|b| a == b))
    };
    // With --force it would be replaced before it is read.
    let is_input = |to: &&PathBuf| inputs.len() > 1 && inputs.iter().any(|input| same(input, to));
    if let Some(input) = outputs.iter().find(is_input) {
        let name = shown(input);
        return Err(Failure::usage(format!(
            "{name} is an input and would be written; choose another place with -o"
        )));
    }
    let mut known = HashSet::new();
    match outputs.iter().find(|path| !known.insert(*path)) {
        // With --force the second would replace the first.
        Some(twice) => Err(Failure::usage(format!(
            "two inputs would both go to {}; give them in two calls, each with a folder of its own",
            shown(twice)
        ))),
        None => Ok(outputs),
    }
}

fn transfer<T>(
    given: &Given<T>,
    input: &Input,
    output_path: &Path,
    force: bool,
    binary: bool,
    run: impl Fn(&Given<T>, &Input, &mut Output, &Progress) -> Result<u64, Error>,
) -> Outcome {
    let policy = Policy {
        force,
        mode: input.mode_of_output(),
        group: input.group(),
        is_secret: false,
        binary,
        option: " with -o",
    };
    check_different(input, given, output_path)?;
    let place = Place::find(output_path, &policy)?;
    if let Some(metadata) = place.metadata() {
        // Standard output may be redirected into the input.
        if input.is(&metadata) {
            return Err(same_file(input));
        }
    }
    let mut output = place.begin(&policy)?;
    let progress = Progress::new(input.len(), is_dash(output_path));
    let result = run(given, input, &mut output, &progress);
    drop(progress);
    let consequence = if output.keeps_bytes() {
        "what was written so far is genuine but not complete, discard it and get a good copy of the file"
    } else {
        "nothing was written, get a good copy of the file"
    };
    match result {
        Ok(_) => output.finish(),
        Err(Error::Write(error)) => Err(cannot("write", &output.name(), &error)),
        Err(error) => Err(explain(&error, input, &given.name(), consequence)),
    }
}

/// The output must be neither the input nor what was given to work with, even with --force.
fn check_different<T>(input: &Input, given: &Given<T>, output: &Path) -> Outcome {
    let Ok(metadata) = std::fs::metadata(output) else {
        return Ok(());
    };
    if input.is(&metadata) {
        return Err(same_file(input));
    }
    match given.file_named(&metadata) {
        Some(name) => Err(format!("the output is the {name}; choose another with -o").into()),
        None => Ok(()),
    }
}

fn same_file(input: &Input) -> Failure {
    format!(
        "the output is the input, {}; choose another with -o",
        input.name
    )
    .into()
}

/// What went wrong and what to do, in one line. `with` is what was given to work with.
fn explain(error: &Error, input: &Input, with: &str, consequence: &str) -> Failure {
    let name = &input.name;
    let advice = match error {
        Error::Read(error) => return cannot("read", name, error),
        Error::KeyLength { alias, .. } => {
            return format!("{with}: {error}; use the right key, or make one with `sealwire keygen --suite {alias}`").into();
        }
        Error::NoKey { .. } => format!("give the one that it was sealed with, none is: {with}"),
        Error::WrongKey | Error::OtherKey { .. } => {
            format!("check that {with} is what it was sealed with")
        }
        Error::NotARecipient | Error::NoIdentity { .. } => format!("check {with}"),
        Error::WrongPassphrase => "type it as it was typed for sealing".into(),
        Error::Argon2(_) => {
            "it takes as much memory as `sealwire info` says of the file, 64 MiB for sealing; free some, or raise the limit (ulimit -v)".into()
        }
        Error::OtherWay { needed, .. } => match &needed[..] {
            "a passphrase" => "use --passphrase".into(),
            "a key file" => "use --key".into(),
            _ => "use --identity".into(),
        },
        Error::Damaged(_) | Error::Truncated(_) | Error::Extended(_) => consequence.into(),
        Error::Magic => "check the name".into(),
        Error::Version(_) | Error::Suite(_) | Error::Way(_) => {
            "use a newer sealwire, or get a good copy".into()
        }
        Error::ShortHeader { .. }
        | Error::HeaderChunkSize(_)
        | Error::HeaderPurpose(_)
        | Error::StanzaLength { .. }
        | Error::Cost { .. }
        | Error::Reserved => "get a good copy of the file".into(),
        _ => return format!("{name}: {error}").into(),
    };
    format!("{name}: {error}; {advice}").into()
}

/// The verdict on one file.
#[derive(Serialize)]
struct Verdict {
    file: String,
    authentic: bool,
    /// Plaintext bytes; absent if the file is not authentic.
    #[serde(skip_serializing_if = "Option::is_none")]
    text_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(super) fn verify(args: &VerifyArgs) -> Outcome {
    if args.inputs.iter().filter(|path| is_dash(path)).count() > 1 {
        return Err(Failure::usage("standard input can be given once"));
    }
    let given = args.lock.read()?;
    let broken = |error: io::Error| cannot("write", "standard output", &error);
    let mut out = io::stdout().lock();
    let mut verdicts = Vec::new();
    for path in &args.inputs {
        // The line begins with the name.
        let checked = Input::open_called(path, "it".to_owned(), SEALED_FILE).and_then(|input| {
            let progress = Progress::new(input.len(), false);
            let (unlock, threads) = (given.with.unlock(), args.threads.count());
            input
                .again()
                .and_then(|file| {
                    let sink = io::sink();
                    sealwire_file::open_on_threads(unlock, threads, file, sink, |n| progress.at(n))
                })
                .map_err(|error| {
                    explain(&error, &input, &given.name(), "get a good copy of the file")
                })
        });
        let name = path.to_string_lossy().into_owned();
        let verdict = match checked {
            Ok(len) => Verdict {
                file: name,
                authentic: true,
                text_bytes: Some(len),
                reason: None,
            },
            Err(failure) => {
                let reason = failure.message.unwrap_or_default();
                Verdict {
                    reason: Some(reason.strip_prefix("it: ").unwrap_or(&reason).to_owned()),
                    file: name,
                    authentic: false,
                    text_bytes: None,
                }
            }
        };
        if !args.json {
            match &verdict.reason {
                None => writeln!(out, "{}: OK", shown(path)),
                Some(reason) => writeln!(out, "{}: FAILED, {reason}", shown(path)),
            }
            .map_err(broken)?;
        }
        verdicts.push(verdict);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &verdicts).map_err(|error| broken(error.into()))?;
        writeln!(out).map_err(broken)?;
    }
    match verdicts.iter().filter(|verdict| !verdict.authentic).count() {
        0 => Ok(()),
        bad => Err(format!("{bad} of {} not authentic", verdicts.len()).into()),
    }
}
