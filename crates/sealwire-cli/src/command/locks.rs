// SPDX-License-Identifier: Apache-2.0
//! What files are sealed and opened with: a key file, recipients and identities, or a passphrase.

use super::{
    Failure, LockArgs, UnlockArgs,
    input::{Input, key, quoted},
};
use sealwire_file::{
    Identity, Key, KeyFileError, Lock, MAX_RECIPIENTS, Passphrase, Purpose, Recipient, Unlock,
};
use std::{
    fs::Metadata,
    io::{self, Read},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use zeroize::Zeroizing;

/// The longest passphrase that is read, in bytes.
const MAX_PASSPHRASE: u64 = 1024;

/// What was given, and the files that it came from.
pub(super) struct Given<T> {
    pub(super) with: T,
    inputs: Vec<Input>,
}

/// What is given to seal with.
pub(super) enum ToSeal {
    Key(Key),
    Recipients(Vec<Recipient>),
    Passphrase(Passphrase),
}

/// What is given to open with.
pub(super) enum ToOpen {
    AnyOf {
        keys: Vec<Key>,
        identities: Vec<Identity>,
    },
    Passphrase(Passphrase),
}

impl ToSeal {
    pub(super) fn lock(&self) -> Lock<'_> {
        match self {
            Self::Key(key) => key.into(),
            Self::Recipients(recipients) => recipients[..].into(),
            Self::Passphrase(passphrase) => passphrase.into(),
        }
    }
}

impl ToOpen {
    pub(super) fn unlock(&self) -> Unlock<'_> {
        match self {
            Self::AnyOf { keys, identities } => Unlock::AnyOf { keys, identities },
            Self::Passphrase(passphrase) => passphrase.into(),
        }
    }
}

impl<T> Given<T> {
    /// The name of the file on disk that this is, if it is one of those that were given.
    pub(super) fn file_named(&self, metadata: &Metadata) -> Option<&str> {
        let input = self.inputs.iter().find(|input| input.is(metadata))?;
        Some(&input.name)
    }

    /// How messages call what was given.
    pub(super) fn name(&self) -> String {
        if self.inputs.is_empty() {
            return "the passphrase".into();
        }
        let names: Vec<_> = self.inputs.iter().map(|input| &*input.name).collect();
        names.join(", ")
    }
}

impl LockArgs {
    /// As a shell takes them.
    pub(super) fn words(&self) -> String {
        let mut words = Vec::new();
        let mut push = |option: &str, files: &[PathBuf]| {
            words.extend(
                files
                    .iter()
                    .map(|file| format!("{option} {}", quoted(file))),
            );
        };
        push("-k", self.key.as_slice());
        push("-r", &self.recipient);
        push("-R", &self.recipients_file);
        push("--passphrase-file", self.passphrase_file.as_slice());
        if self.passphrase {
            words.push("-p".into());
        }
        words.join(" ")
    }

    pub(super) fn read(&self) -> Result<Given<ToSeal>, Failure> {
        if let Some(path) = &self.key {
            let (key, input) = key(path)?;
            for_files(&key, &input, "make one with `sealwire keygen`")?;
            return Ok(Given {
                with: ToSeal::Key(key),
                inputs: vec![input],
            });
        }
        if self.recipient.is_empty() && self.recipients_file.is_empty() {
            let (passphrase, inputs) = passphrase(self.passphrase_file.as_deref(), true)?;
            return Ok(Given {
                with: ToSeal::Passphrase(passphrase),
                inputs,
            });
        }
        if self.recipient.len() > MAX_RECIPIENTS {
            return Err(Failure::usage(format!(
                "{} recipients were given, a file is sealed to {MAX_RECIPIENTS} at most",
                self.recipient.len()
            )));
        }
        let made = "make one with `sealwire recipient`, from an identity";
        let one = format!("{made}; a file with many goes with -R");
        let (mut recipients, mut inputs) =
            all(&self.recipient, "recipient file ", &one, |input| {
                Recipient::read(input)
            })?;
        let (lists, more) = all(&self.recipients_file, "recipients file ", made, |input| {
            Recipient::read_list(input)
        })?;
        recipients.extend(lists.into_iter().flatten());
        inputs.extend(more);
        Ok(Given {
            with: ToSeal::Recipients(recipients),
            inputs,
        })
    }
}

impl UnlockArgs {
    pub(super) fn read(&self) -> Result<Given<ToOpen>, Failure> {
        if self.key.is_empty() && self.identity.is_empty() {
            let (passphrase, inputs) = passphrase(self.passphrase_file.as_deref(), false)?;
            return Ok(Given {
                with: ToOpen::Passphrase(passphrase),
                inputs,
            });
        }
        let (mut keys, mut inputs) = (Vec::new(), Vec::new());
        for path in &self.key {
            let (key, input) = key(path)?;
            for_files(&key, &input, "give the key that the file was sealed with")?;
            keys.push(key);
            inputs.push(input);
        }
        let made = "give the file that `sealwire identity` made";
        let (identities, more) = all(&self.identity, "identity file ", made, |input| {
            let identity = Identity::read(&mut *input)?;
            input.warn_if_others_can_read();
            Ok(identity)
        })?;
        inputs.extend(more);
        Ok(Given {
            with: ToOpen::AnyOf { keys, identities },
            inputs,
        })
    }
}

/// Refuses a key for something else.
fn for_files(key: &Key, input: &Input, advice: &str) -> Result<(), Failure> {
    key.check_purpose(Purpose::File)
        .map_err(|error| format!("{}: {error}; {advice}", input.name).into())
}

/// Reads every file of a kind.
fn all<T>(
    paths: &[impl AsRef<Path>],
    role: &str,
    advice: &str,
    read: impl Fn(&mut Input) -> Result<T, KeyFileError>,
) -> Result<(Vec<T>, Vec<Input>), Failure> {
    let mut inputs = Vec::new();
    let mut items = Vec::new();
    for path in paths {
        let mut input = Input::open(path.as_ref(), role, "a file")?;
        let item =
            read(&mut input).map_err(|error| format!("{}: {error}; {advice}", input.name))?;
        items.push(item);
        inputs.push(input);
    }
    Ok((items, inputs))
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

/// Takes the passphrase from the file, or asks at the terminal, twice if a file is to be sealed with it.
fn passphrase(file: Option<&Path>, is_new: bool) -> Result<(Passphrase, Vec<Input>), Failure> {
    let (bytes, inputs) = match file {
        Some(path) => {
            let (bytes, input) = from_file(path)?;
            (bytes, vec![input])
        }
        None => {
            let typed = ask("Passphrase: ")?;
            Passphrase::new(typed.as_bytes()).map_err(|error| error.to_string())?;
            if is_new && *typed != *ask("Once more: ")? {
                return Err("the two passphrases differ; nothing was sealed"
                    .to_owned()
                    .into());
            }
            (Zeroizing::new(typed.as_bytes().to_vec()), Vec::new())
        }
    };
    let passphrase = Passphrase::new(&bytes).map_err(|error| error.to_string())?;
    Ok((passphrase, inputs))
}

/// So long the process may take to end by a signal.
const SIGNAL_PATIENCE: Duration = Duration::from_secs(5);

fn ask(prompt: &str) -> Result<Zeroizing<String>, Failure> {
    rpassword::prompt_password(prompt)
        .map(Zeroizing::new)
        .map_err(|error| match error.kind() {
            // Ctrl-C came as a character, and the signal was sent for it, which ends this process from another thread.
            io::ErrorKind::Interrupted => {
                thread::sleep(SIGNAL_PATIENCE);
                "interrupted".to_owned().into()
            }
            io::ErrorKind::UnexpectedEof => "no passphrase was typed".to_owned().into(),
            _ => format!(
                "there is no terminal to ask for the passphrase at: {error}; use --passphrase-file"
            )
            .into(),
        })
}

/// The first line, without its end.
fn from_file(path: &Path) -> Result<(Zeroizing<Vec<u8>>, Input), Failure> {
    let mut input = Input::open(path, "passphrase file ", "a file with one line")?;
    input.warn_if_others_can_read();
    let name = input.name.clone();
    let mut text = Zeroizing::new(Vec::with_capacity(MAX_PASSPHRASE as usize + 1));
    input
        .by_ref()
        .take(MAX_PASSPHRASE + 1)
        .read_to_end(&mut text)
        .map_err(|error| super::input::cannot("read", &name, &error))?;
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() as u64 > MAX_PASSPHRASE {
        return Err(format!("{name}: its line is longer than {MAX_PASSPHRASE} bytes").into());
    }
    if line.is_empty() {
        return Err(format!("{name}: its first line is empty; write the passphrase there").into());
    }
    Ok((Zeroizing::new(line.to_vec()), input))
}
