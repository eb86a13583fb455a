// SPDX-License-Identifier: Apache-2.0
//! Where the bytes come from: a file, a pipe or standard input; and the key file.

use super::{Failure, is_quiet, say};
use sealwire_file::{Error, Key, KeyFileError, Purpose};
use std::{
    fs::{File, Metadata},
    io::{self, ErrorKind, Read},
    os::{
        fd::AsFd,
        unix::{ffi::OsStrExt, fs::MetadataExt},
    },
    path::Path,
};

/// An opened input with what is known of it.
pub(super) struct Input {
    pub(super) file: File,
    /// How messages call it.
    pub(super) name: String,
    /// The name alone.
    path: String,
    metadata: Metadata,
}

impl Input {
    /// Opens a file, or takes standard input for `-`. `role` stands before the name in messages; `wanted` says what to give in place
    /// of a directory.
    pub(super) fn open(path: &Path, role: &str, wanted: &str) -> Result<Self, Failure> {
        let name = if is_dash(path) {
            "standard input".to_owned()
        } else {
            format!("{role}{}", shown(path))
        };
        Self::open_called(path, name, wanted)
    }

    /// As [`Self::open`], with another name in messages.
    pub(super) fn open_called(path: &Path, name: String, wanted: &str) -> Result<Self, Failure> {
        let file = if is_dash(path) {
            // Without the standard library's buffer, which would keep a copy of the plaintext.
            io::stdin().as_fd().try_clone_to_owned().map(File::from)
        } else {
            File::open(path)
        };
        let file = file.map_err(|error| cannot("open", &name, &error))?;
        let metadata = file
            .metadata()
            .map_err(|error| cannot("read", &name, &error))?;
        if metadata.is_dir() {
            return Err(is_directory(&name, wanted));
        }
        Ok(Self {
            file,
            name,
            path: shown(path),
            metadata,
        })
    }

    /// The file for a thread of its own. It has one position with this one.
    pub(super) fn again(&self) -> Result<File, Error> {
        self.file.try_clone().map_err(Error::Read)
    }

    /// Length in bytes, if it is known beforehand.
    pub(super) fn len(&self) -> Option<u64> {
        self.metadata.is_file().then_some(self.metadata.len())
    }

    /// Permissions of what is made of it: nobody can read that who cannot read this.
    pub(super) fn mode_of_output(&self) -> u32 {
        if self.metadata.is_file() {
            self.metadata.mode() & 0o666 | 0o600
        } else {
            0o666
        }
    }

    /// The group that these permissions speak of.
    pub(super) fn group(&self) -> Option<u32> {
        self.metadata.is_file().then(|| self.metadata.gid())
    }

    /// Says when others can read a secret.
    pub(super) fn warn_if_others_can_read(&self) {
        let is_open = self.metadata.is_file() && self.metadata.mode() & 0o077 != 0;
        // Standard input has no name to give chmod.
        if is_open && self.path != "-" && !is_quiet() {
            say(&format!(
                "warning: {} can be read by others; run: chmod 600 {}",
                self.name, self.path
            ));
        }
    }

    /// True if the other is the same file on disk.
    pub(super) fn is(&self, other: &Metadata) -> bool {
        self.metadata.is_file()
            && (self.metadata.dev(), self.metadata.ino()) == (other.dev(), other.ino())
    }
}

/// The refusal of a directory.
pub(super) fn is_directory(name: &str, wanted: &str) -> Failure {
    format!("{name} is a directory; give {wanted}").into()
}

/// Reads the key file and says when others can read it too.
pub(super) fn key(path: &Path) -> Result<(Key, Input), Failure> {
    let input = Input::open(path, "key file ", "the file that `sealwire keygen` made")?;
    let name = &input.name;
    let key = Key::read((&input.file).by_ref()).map_err(|error| {
        let advice = match error {
            KeyFileError::OtherPurpose {
                given: Purpose::Identity,
                ..
            } => "it opens with -i, and what `sealwire recipient` makes of it seals with -r",
            _ => "a key file is what `sealwire keygen` makes",
        };
        format!("{name}: {error}; {advice}")
    })?;
    input.warn_if_others_can_read();
    Ok((key, input))
}

/// The name as lines for people have it: control characters, which could command a terminal, characters that turn the direction of
/// writing, which make a name read as another one, and bytes that are no text are escaped.
pub(super) fn shown(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(&without_controls(chunk.valid()));
        for byte in chunk.invalid() {
            name.push_str(&format!("\\x{byte:02x}"));
        }
    }
    name
}

/// The name as a word of a shell's command, for people to copy.
pub(super) fn quoted(path: &Path) -> String {
    let name = shown(path);
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._+,:@%-".contains(c);
    let name = if name.starts_with('-') {
        format!("./{name}")
    } else {
        name
    };
    if !name.is_empty() && name.chars().all(plain) {
        name
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}

/// Characters that are no controls of a terminal and yet change how a line reads: those that turn the direction of writing, and
/// ends of lines and paragraphs.
const TURNING: [char; 14] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202b}', '\u{202c}',
    '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// Several lines, each as [`without_controls`] has it.
pub(super) fn lines_without_controls(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(without_controls).collect();
    lines.join("\n")
}

/// The text with its control characters escaped, and with those that make it read as another one.
pub(super) fn without_controls(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        if char.is_control() || TURNING.contains(&char) {
            safe.extend(char.escape_default());
        } else {
            safe.push(char);
        }
    }
    safe
}

/// True for `-`.
pub(super) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What the system refused to do, with what can be done.
pub(super) fn cannot(verb: &str, name: &str, error: &io::Error) -> Failure {
    let advice = match error.kind() {
        // A path through a file, or one whose names are too long.
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidFilename => {
            "check the path"
        }
        ErrorKind::IsADirectory => "give a file",
        ErrorKind::PermissionDenied => "check its permissions",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space or write elsewhere",
        ErrorKind::FileTooLarge => {
            "the file size limit is reached; raise it (ulimit -f) or write elsewhere"
        }
        ErrorKind::BrokenPipe => "the reading program ended early",
        ErrorKind::ReadOnlyFilesystem => "write elsewhere",
        _ => "check the file and the disk",
    };
    format!("cannot {verb} {name}: {}; {advice}", plain(error)).into()
}

/// The system's message without its number.
pub(super) fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}
