// SPDX-License-Identifier: Apache-2.0
//! `mac`: tags of files and pipes, made and checked. Lists of tags look like those of `sha256sum`.

use super::{
    Failure, MacArgs, Outcome,
    input::{Input, cannot, is_dash, key, quoted, shown},
    progress::Progress,
    say,
};
use sealwire::mac::{DynMac, MacMessage};
use sealwire_file::Purpose;
use serde::Serialize;
use std::{
    ffi::OsStr,
    fmt::Display,
    io::{self, Read, Write},
    os::unix::ffi::OsStrExt,
    path::Path,
};
use zeroize::Zeroizing;

/// Bytes that are read at a time.
const PIECE: usize = 256 << 10;

/// The longest list of tags that is read, in bytes.
const MAX_LIST: u64 = 64 << 20;

/// The longest output of a PRF that is asked for, in bytes.
const MAX_TAG: usize = 1 << 20;

/// What came out for one file.
#[derive(Serialize)]
struct Row {
    file: String,
    /// Hexadecimal digits; absent if the tag was checked.
    tag: Option<String>,
    /// Absent if the tag was made; false also where `reason` stands.
    authentic: Option<bool>,
    /// Why the file of a list could not be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

pub(super) fn run(args: &MacArgs) -> Outcome {
    let (key, key_input) = key(&args.key)?;
    let scheme = args
        .scheme
        .with_tag_len(args.tag_bytes.unwrap_or(args.scheme.tag_len()))
        .map_err(|error| Failure::usage(error.to_string()))?;
    if scheme.tag_len() > MAX_TAG {
        return Err(Failure::usage(format!(
            "tags have {MAX_TAG} bytes at most here"
        )));
    }
    let unfit = |error: &dyn Display| {
        let (key, suite) = (&key_input.name, args.scheme.alias());
        let suite = suite.unwrap_or(args.scheme.name());
        format!("{key}: {error}; make one with `sealwire keygen --suite {suite}`")
    };
    key.check_purpose(Purpose::Mac)
        .map_err(|error| unfit(&error))?;
    let mac = scheme
        .with_key(key.as_bytes())
        .map_err(|error| unfit(&error))?;
    let mut report = Report {
        out: io::stdout().lock(),
        json: args.json,
        rows: Vec::new(),
    };
    if args.files.iter().filter(|file| is_dash(file)).count() > 1 {
        return Err(Failure::usage("standard input can be given once"));
    }
    if let Some(tag) = &args.tag {
        let tag = digits(tag.as_bytes())
            .ok_or_else(|| Failure::usage("--tag: write the tag as pairs of hexadecimal digits"))?;
        for file in &args.files {
            let alone = args.files.len() == 1;
            let name = if alone {
                name(file)
            } else {
                IN_LINE.to_owned()
            };
            match check(&mac, file, name, &tag) {
                Ok(authentic) => report.checked(file, authentic)?,
                Err(failure) if alone => return Err(failure),
                Err(failure) => report.unchecked(file, failure)?,
            }
        }
    } else if args.verify {
        for list in &args.files {
            if let Err(error) = verify_list(&mac, list, &mut report) {
                // What the lists before it gave is not lost.
                report.write()?;
                return Err(error);
            }
        }
    } else {
        for file in &args.files {
            match make(&mac, file, scheme.tag_len()) {
                Ok(tag) => report.made(file, tag)?,
                Err(failure) if args.files.len() == 1 => return Err(failure),
                Err(failure) => report.not_made(file, failure),
            }
        }
    }
    report.end()
}

/// The tag of a file, in digits.
fn make(mac: &DynMac, file: &Path, tag_len: usize) -> Result<String, Failure> {
    if has_controls(file) {
        return Err(format!(
            "{}: a list of tags cannot hold a name with control characters; give the file as -",
            shown(file)
        )
        .into());
    }
    let mut tag = vec![0; tag_len];
    read(mac, file, name(file))?
        .finish(&mut tag)
        .map_err(|error| explain(&name(file), &error))?;
    Ok(base16ct::lower::encode_string(&tag))
}

/// What a reason calls a file whose name its line begins with.
const IN_LINE: &str = "it";

/// What a message calls a file that nothing before it names.
fn name(file: &Path) -> String {
    if is_dash(file) {
        "standard input".to_owned()
    } else {
        shown(file)
    }
}

/// The message of a file or of standard input, which errors call `name`.
fn read(mac: &DynMac, path: &Path, name: String) -> Result<MacMessage, Failure> {
    let wanted = format!(
        "the files in it, or pack it: tar c {} | sealwire mac -k KEYFILE -",
        quoted(path)
    );
    let mut input = Input::open_called(path, name, &wanted)?;
    let progress = Progress::new(input.len(), false);
    let mut message = mac.begin();
    let mut piece = Zeroizing::new(vec![0; PIECE]);
    let mut done = 0;
    loop {
        match input.file.read(&mut piece) {
            Ok(0) => return Ok(message),
            Ok(count) => {
                message.update(&piece[..count]);
                done += count as u64;
                progress.at(done);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cannot("read", &input.name, &error)),
        }
    }
}

/// Whether the tag is that of the file.
fn check(mac: &DynMac, file: &Path, name: String, tag: &[u8]) -> Result<bool, Failure> {
    match read(mac, file, name.clone())?.verify(tag) {
        Ok(()) => Ok(true),
        Err(sealwire::Error::InvalidTag) => Ok(false),
        Err(error) => Err(explain(&name, &error)),
    }
}

fn explain(name: &str, error: &sealwire::Error) -> Failure {
    format!("{name}: {error}").into()
}

/// Checks every file of a list.
fn verify_list(mac: &DynMac, list: &Path, report: &mut Report<impl Write>) -> Outcome {
    let input = Input::open(list, "", "a list of tags, as `sealwire mac` writes it")?;
    let name = &input.name;
    let mut text = Vec::new();
    (&input.file)
        .take(MAX_LIST + 1)
        .read_to_end(&mut text)
        .map_err(|error| cannot("read", name, &error))?;
    if text.len() as u64 > MAX_LIST {
        return Err(
            format!("{name}: longer than {MAX_LIST} bytes, so it is no list of tags").into(),
        );
    }
    let lines: Vec<_> = (1..)
        .zip(text.split(|byte| *byte == b'\n'))
        .map(|(number, line)| (number, line.strip_suffix(b"\r").unwrap_or(line)))
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| (number, entry(line)))
        .collect();
    let wrong = "a line must read `TAG  FILE`, as `sealwire mac` writes it; for one tag use --tag";
    // Nothing would be checked: that must not look like success.
    match lines.first() {
        None => return Err(format!("{name}: holds no tag").into()),
        Some((number, _)) if lines.iter().all(|(_, entry)| entry.is_none()) => {
            return Err(format!("{name}:{number}: {wrong}").into());
        }
        Some(_) => {}
    }
    for (number, entry) in lines {
        if let Some((tag, file)) = entry {
            let file = Path::new(OsStr::from_bytes(file));
            match check(mac, file, IN_LINE.to_owned(), &tag) {
                Ok(authentic) => report.checked(file, authentic)?,
                Err(failure) => report.unchecked(file, failure)?,
            }
        } else {
            report.unchecked(
                Path::new(&format!("{name}:{number}")),
                wrong.to_owned().into(),
            )?;
        }
    }
    Ok(())
}

/// Whether the name has control characters: it would break a line, or command the terminal that shows the list.
fn has_controls(file: &Path) -> bool {
    let chunks = file.as_os_str().as_bytes().utf8_chunks();
    chunks
        .flat_map(|chunk| chunk.valid().chars())
        .any(char::is_control)
}

/// Tag and name of a line.
fn entry(line: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let end = line.iter().position(|byte| *byte == b' ')?;
    let (tag, name) = line.split_at(end);
    let name = name.strip_prefix(b"  ").or(name.strip_prefix(b" *"))?;
    (!name.is_empty()).then_some((digits(tag)?, name))
}

fn digits(text: &[u8]) -> Option<Vec<u8>> {
    base16ct::mixed::decode_vec(text)
        .ok()
        .filter(|tag| !tag.is_empty())
}

/// Lines as they come, or one JSON array at the end.
struct Report<W> {
    out: W,
    json: bool,
    rows: Vec<Row>,
}

impl<W: Write> Report<W> {
    fn made(&mut self, file: &Path, tag: String) -> Outcome {
        self.line(&[tag.as_bytes(), b"  ", file.as_os_str().as_bytes()])?;
        self.rows.push(Row {
            file: file.display().to_string(),
            tag: Some(tag),
            authentic: None,
            reason: None,
        });
        Ok(())
    }

    fn checked(&mut self, file: &Path, authentic: bool) -> Outcome {
        let verdict = if authentic { &b": OK"[..] } else { b": FAILED" };
        self.line(&[shown(file).as_bytes(), verdict])?;
        self.rows.push(Row {
            file: file.display().to_string(),
            tag: None,
            authentic: Some(authentic),
            reason: None,
        });
        Ok(())
    }

    /// A file that could not be checked: the others are checked all the same. The line begins with the file's name, so the reason leaves it out.
    fn unchecked(&mut self, file: &Path, failure: Failure) -> Outcome {
        let reason = failure.message.unwrap_or_default();
        let subject = format!("{IN_LINE}: ");
        let reason = reason.strip_prefix(&subject).unwrap_or(&reason).to_owned();
        let name = shown(file);
        self.line(&[name.as_bytes(), b": NOT CHECKED, ", reason.as_bytes()])?;
        self.rows.push(Row {
            file: file.display().to_string(),
            tag: None,
            authentic: Some(false),
            reason: Some(reason),
        });
        Ok(())
    }

    /// A file whose tag could not be made: the others get theirs. A list of tags has no line for it, so the reason is said beside it.
    fn not_made(&mut self, file: &Path, failure: Failure) {
        let reason = failure.message.unwrap_or_default();
        say(&reason);
        self.rows.push(Row {
            file: file.display().to_string(),
            tag: None,
            authentic: None,
            reason: Some(reason),
        });
    }

    fn line(&mut self, parts: &[&[u8]]) -> Outcome {
        if self.json {
            return Ok(());
        }
        let mut line = parts.concat();
        line.push(b'\n');
        self.out.write_all(&line).map_err(|error| broken(&error))
    }

    fn write(&mut self) -> Outcome {
        if self.json {
            serde_json::to_writer_pretty(&mut self.out, &self.rows)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(self.out))
                .map_err(|error| broken(&error))?;
        }
        self.out.flush().map_err(|error| broken(&error))
    }

    fn end(mut self) -> Outcome {
        self.write()?;
        let rows = self.rows.len();
        let with_reason = || self.rows.iter().filter(|row| row.reason.is_some());
        let unchecked = with_reason().filter(|row| row.authentic.is_some()).count();
        let unmade = with_reason().count() - unchecked;
        let bad = self.rows.iter().filter(|row| row.authentic == Some(false));
        let mut said = Vec::new();
        match bad.count() - unchecked {
            0 => {}
            failed => said.push(format!(
                "{failed} of {rows} not authentic: wrong tag, key or scheme, or the file was changed"
            )),
        }
        if unchecked > 0 {
            said.push(format!(
                "{unchecked} of {rows} could not be checked: see the reasons"
            ));
        }
        if unmade > 0 {
            said.push(format!("{unmade} of {rows} have no tag: see the reasons"));
        }
        if said.is_empty() {
            Ok(())
        } else {
            Err(said.join("; ").into())
        }
    }
}

fn broken(error: &io::Error) -> Failure {
    cannot("write", "standard output", error)
}
