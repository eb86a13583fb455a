// SPDX-License-Identifier: Apache-2.0
//! `info`: what a sealed file, a key file or a list of recipients says of itself, without any secret.

use super::{
    Failure, InfoArgs, Outcome,
    input::{Input, cannot, shown},
    say,
};
use sealwire_file::{Error, Header, Identity, Key, KeyFileError, Purpose, Recipient, Way};
use serde::Serialize;
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// The longest file that may be a key file.
const MAX_KEY_FILE: u64 = 4096;

#[derive(Serialize)]
struct Info {
    file: String,
    /// Absent if it is neither.
    #[serde(flatten)]
    what: Option<What>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum What {
    SealedFile {
        version: u8,
        suite: &'static str,
        chunk_bytes: usize,
        opens_with: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        key_id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        recipients: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        passphrase_cost: Option<String>,
        header_bytes: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        chunks: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text_bytes: Option<u64>,
    },
    KeyFile {
        /// Absent if the file does not say.
        purpose: Option<&'static str>,
        /// That of its purpose; of a key that does not say, its id as a key for files.
        id: String,
        /// Of an identity or a recipient: what people compare.
        #[serde(skip_serializing_if = "Option::is_none")]
        fingerprint: Option<String>,
        key_bytes: usize,
    },
    RecipientList {
        recipients: Vec<Listed>,
    },
}

/// A recipient of a list.
#[derive(Serialize)]
struct Listed {
    id: String,
    fingerprint: String,
}

pub(super) fn run(args: &InfoArgs) -> Outcome {
    let broken = |error: io::Error| cannot("write", "standard output", &error);
    let mut out = io::stdout().lock();
    let mut rows = Vec::new();
    let mut failed = 0;
    for path in &args.files {
        let file = path.to_string_lossy().into_owned();
        let looked = Input::open(path, "", "a file").and_then(look);
        let row = match looked {
            Ok(what) => Info {
                file,
                what: Some(what),
                error: None,
            },
            Err(failure) => {
                failed += 1;
                let message = failure.message.unwrap_or_default();
                say(&message);
                Info {
                    file,
                    what: None,
                    error: Some(message),
                }
            }
        };
        if !args.json {
            row.print(&shown(path), &mut out).map_err(broken)?;
        }
        rows.push(row);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &rows).map_err(|error| broken(error.into()))?;
        writeln!(out).map_err(broken)?;
    }
    if failed == 0 {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

fn look(mut input: Input) -> Result<What, Failure> {
    let name = input.name.clone();
    let len = input.len();
    // A key file is read whole and wiped; of a sealed file this is the beginning.
    let mut start = Zeroizing::new(Vec::with_capacity(MAX_KEY_FILE as usize + 1));
    input
        .by_ref()
        .take(MAX_KEY_FILE)
        .read_to_end(&mut start)
        .map_err(|error| cannot("read", &name, &error))?;
    match Header::read((&start[..]).chain(&mut input)) {
        Ok(header) => Ok(sealed_file(&header, len)),
        Err(Error::Magic) => key_file(&start)
            .or_else(|error| match list((&start[..]).chain(input)) {
                Err(wrong @ KeyFileError::InLine { .. }) => Err(wrong),
                other => other.map_err(|_| error),
            })
            .map_err(|error| {
                format!("{name}: this is neither a sealed file nor a key file, nor a list of recipients: {error}")
                    .into()
            }),
        Err(error) => Err(format!("{name}: {error}; get a good copy of the file").into()),
    }
}

fn sealed_file(header: &Header, len: Option<u64>) -> What {
    let contents = len.and_then(|len| header.contents(len));
    What::SealedFile {
        version: header.version(),
        suite: header.suite().alias,
        chunk_bytes: header.chunk_len(),
        opens_with: match header.way() {
            Way::Recipients(_) => "identity",
            Way::Passphrase(_) => "passphrase",
            _ => "key",
        },
        key_id: header.key_id().map(|id| id.to_string()),
        recipients: match header.way() {
            Way::Recipients(count) => Some(count),
            _ => None,
        },
        passphrase_cost: match header.way() {
            Way::Passphrase(cost) => Some(format!(
                "{} KiB, {}, {}",
                cost.memory_kib(),
                count(cost.passes().into(), "pass", "passes"),
                count(cost.lanes().into(), "lane", "lanes")
            )),
            _ => None,
        },
        header_bytes: header.len(),
        chunks: contents.map(|(_, chunks)| chunks),
        text_bytes: contents.map(|(text, _)| text),
    }
}

fn key_file(text: &[u8]) -> Result<What, KeyFileError> {
    let of = |purpose, recipient: &Recipient, key_bytes| What::KeyFile {
        purpose: Some(Purpose::word(purpose)),
        id: recipient.id().to_string(),
        fingerprint: Some(grouped(&recipient.fingerprint())),
        key_bytes,
    };
    match Key::read(text) {
        Ok(key) => Ok(What::KeyFile {
            purpose: key.purpose().map(Purpose::word),
            id: key.id(key.purpose().unwrap_or(Purpose::File)).to_string(),
            fingerprint: None,
            key_bytes: key.as_bytes().len(),
        }),
        Err(KeyFileError::OtherPurpose {
            given: given @ Purpose::Identity,
            ..
        }) => Ok(of(given, Identity::read(text)?.recipient(), 32)),
        Err(KeyFileError::OtherPurpose {
            given: given @ Purpose::Recipient,
            ..
        }) => Ok(of(given, &Recipient::read(text)?, 1216)),
        Err(error) => Err(error),
    }
}

/// Who is on a list of recipients. Of a file that is none the error says so, but for one with a wrong recipient in a line.
fn list(text: impl Read) -> Result<What, KeyFileError> {
    let recipients = Recipient::read_list(text)?;
    let listed = |recipient: &Recipient| Listed {
        id: recipient.id().to_string(),
        fingerprint: grouped(&recipient.fingerprint()),
    };
    Ok(What::RecipientList {
        recipients: recipients.iter().map(listed).collect(),
    })
}

/// Four digits at a time, as people read them to each other.
fn grouped(bytes: &[u8]) -> String {
    let groups: Vec<_> = bytes
        .chunks(2)
        .map(base16ct::lower::encode_string)
        .collect();
    groups.join(" ")
}

/// A number with its noun.
fn count(number: u64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

impl Info {
    fn print(&self, name: &str, out: &mut impl Write) -> io::Result<()> {
        match &self.what {
            None => Ok(()),
            Some(What::KeyFile {
                purpose,
                id,
                fingerprint,
                key_bytes,
            }) => {
                writeln!(out, "{name}: key file")?;
                let purpose = purpose.unwrap_or("not said, so it serves for anything");
                writeln!(out, "  purpose     {purpose}")?;
                writeln!(out, "  id          {id}")?;
                if let Some(fingerprint) = fingerprint {
                    writeln!(out, "  fingerprint {fingerprint}")?;
                }
                writeln!(out, "  key         {key_bytes} bytes")
            }
            Some(What::RecipientList { recipients }) => {
                let count = count(recipients.len() as u64, "recipient", "recipients");
                writeln!(out, "{name}: list of {count}")?;
                for recipient in recipients {
                    writeln!(out, "  id          {}", recipient.id)?;
                    writeln!(out, "  fingerprint {}", recipient.fingerprint)?;
                }
                Ok(())
            }
            Some(What::SealedFile {
                version,
                suite,
                chunk_bytes,
                opens_with,
                key_id,
                recipients,
                passphrase_cost,
                chunks,
                text_bytes,
                ..
            }) => {
                writeln!(out, "{name}: sealed file, not verified")?;
                writeln!(out, "  format      version {version}")?;
                writeln!(out, "  suite       {suite}")?;
                let with = match (key_id, recipients, passphrase_cost) {
                    (Some(id), _, _) => format!("key {id}"),
                    (_, Some(1), _) => "the identity of its one recipient".into(),
                    (_, Some(count), _) => format!("the identity of any of {count} recipients"),
                    (_, _, Some(cost)) => format!("a passphrase, at {cost}"),
                    _ => format!("a {opens_with} that is not named"),
                };
                writeln!(out, "  opens with  {with}")?;
                writeln!(out, "  chunks      of {chunk_bytes} bytes")?;
                match (text_bytes, chunks) {
                    (Some(text), Some(chunks)) => {
                        let text = count(*text, "byte", "bytes");
                        let chunks = count(*chunks, "chunk", "chunks");
                        writeln!(out, "  text        {text} in {chunks}")
                    }
                    _ => writeln!(out, "  text        of unknown length, or cut short"),
                }
            }
        }
    }
}
