// SPDX-License-Identifier: Apache-2.0
//! Where the bytes go. A file is written under a temporary name beside its final one, made durable, and renamed as the last
//! step; until then nothing is to be seen under the final name. Pipes and devices are written as the bytes come.

use super::{
    Failure,
    input::{cannot, is_dash, shown},
    interrupt,
};
use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, ErrorKind, IsTerminal, Write},
    os::{
        fd::AsFd,
        unix::fs::{MetadataExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// What may happen to the output.
pub(super) struct Policy {
    /// Replace an existing file.
    pub(super) force: bool,
    /// Permissions of a new file, of which the umask takes its share.
    pub(super) mode: u32,
    /// The group that `mode` speaks of; a file of another group gets nothing from it.
    pub(super) group: Option<u32>,
    /// A replaced file gets `mode`, too. Otherwise it keeps those of its permissions that `mode` has.
    pub(super) is_secret: bool,
    /// Refuse to write to a terminal, because the bytes are not text.
    pub(super) binary: bool,
    /// What chooses another output, behind the advice to do so: nothing where an argument without an option names it.
    pub(super) option: &'static str,
}

impl Policy {
    /// For a secret in text, which nobody but the owner may read.
    pub(super) fn secret(force: bool) -> Self {
        Self {
            force,
            mode: 0o600,
            group: None,
            is_secret: true,
            binary: false,
            option: "",
        }
    }
}

/// An output that is being written.
pub(super) enum Output {
    /// Standard output, a pipe or a device.
    Stream {
        file: File,
        name: String,
        /// Whether it took a byte.
        has_bytes: bool,
    },
    /// A file that is not there yet.
    File(Unfinished),
}

/// A file under its temporary name. Dropping it removes the file.
pub(super) struct Unfinished {
    temporary: Option<NamedTempFile>,
    target: PathBuf,
    force: bool,
}

/// Where the output would go, checked but not begun.
pub(super) enum Place {
    Stdout(File),
    Device(PathBuf),
    File {
        target: PathBuf,
        replaces: Option<Metadata>,
    },
}

impl Place {
    /// Finds out what the path is and whether it may be written. Writes nothing.
    pub(super) fn find(path: &Path, policy: &Policy) -> Result<Self, Failure> {
        if is_dash(path) {
            if policy.binary && io::stdout().is_terminal() {
                return Err(Failure::usage(
                    "will not write binary data to the terminal; give a file with -o, or use a pipe",
                ));
            }
            // Without the standard library's line buffer.
            let file = io::stdout()
                .as_fd()
                .try_clone_to_owned()
                .map_err(|e| cannot("write", "standard output", &e))?;
            return Ok(Self::Stdout(file.into()));
        }
        let (name, option) = (shown(path), policy.option);
        let metadata = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            // A link that leads nowhere exists, too.
            Err(error) if error.kind() == ErrorKind::NotFound => fs::symlink_metadata(path).ok(),
            Err(error) => return Err(cannot("write", &name, &error)),
        };
        match metadata {
            None => match folder(path) {
                missing if fs::metadata(missing).is_err_and(|e| e.kind() == ErrorKind::NotFound) => {
                    Err(format!(
                        "cannot write {name}: there is no folder {}; make it first, or write elsewhere{option}",
                        shown(missing)
                    )
                    .into())
                }
                _ => Ok(Self::File {
                    target: path.to_owned(),
                    replaces: None,
                }),
            },
            Some(metadata) if metadata.is_dir() => {
                Err(format!("{name} is a directory; give a file name{option}").into())
            }
            Some(metadata) if metadata.is_file() || metadata.is_symlink() => {
                if !policy.force {
                    return Err(format!(
                        "{name} already exists; use --force to replace it, or another name"
                    )
                    .into());
                }
                // A symbolic link stays, and what it points to is replaced.
                let target = fs::canonicalize(path).map_err(|error| {
                    let to = fs::read_link(path).unwrap_or_default();
                    match error.kind() {
                        ErrorKind::NotFound => Failure::from(format!(
                            "{name} is a symbolic link to {}, which is not there; remove the link, or write elsewhere{option}",
                            shown(&to)
                        )),
                        _ => cannot("write", &name, &error),
                    }
                })?;
                Ok(Self::File {
                    target,
                    replaces: Some(metadata),
                })
            }
            Some(_) => Ok(Self::Device(path.to_owned())),
        }
    }

    /// What is on disk at this place now.
    pub(super) fn metadata(&self) -> Option<Metadata> {
        match self {
            Self::Stdout(file) => file.metadata().ok(),
            Self::Device(_) => None,
            Self::File { replaces, .. } => replaces.clone(),
        }
    }

    /// Begins to write.
    pub(super) fn begin(self, policy: &Policy) -> Result<Output, Failure> {
        match self {
            Self::Stdout(file) => Ok(Output::Stream {
                file,
                name: "standard output".into(),
                has_bytes: false,
            }),
            Self::Device(path) => {
                let name = shown(&path);
                match OpenOptions::new().write(true).open(&path) {
                    Ok(file) => Ok(Output::Stream {
                        file,
                        name,
                        has_bytes: false,
                    }),
                    Err(error) => Err(cannot("open", &name, &error)),
                }
            }
            Self::File { target, replaces } => {
                let mut unfinished = interrupt::unfinished();
                let temporary = tempfile::Builder::new()
                    .prefix(".sealwire-")
                    .suffix(".unfinished")
                    .permissions(Permissions::from_mode(policy.mode))
                    .tempfile_in(folder(&target))
                    .map_err(|error| cannot("write", &shown(&target), &error))?;
                *unfinished = Some(temporary.path().to_owned());
                let output = Unfinished {
                    temporary: Some(temporary),
                    target,
                    force: policy.force,
                };
                drop(unfinished);
                if !policy.is_secret {
                    let limited = limit(output.file(), policy, replaces.as_ref());
                    limited.map_err(|error| cannot("write", &shown(&output.target), &error))?;
                }
                Ok(Output::File(output))
            }
        }
    }
}

/// Takes permissions from a new file: who could not read the file that it replaces cannot read it, nor a group that the
/// policy does not speak of.
fn limit(file: &File, policy: &Policy, replaces: Option<&Metadata>) -> io::Result<()> {
    let made = file.metadata()?;
    let mut mode = match replaces {
        Some(old) if old.is_file() => old.mode() & policy.mode,
        _ => made.mode(),
    };
    if policy.group.is_some_and(|group| group != made.gid()) {
        mode &= !0o070;
    }
    file.set_permissions(Permissions::from_mode(mode & 0o777))
}

fn folder(target: &Path) -> &Path {
    target
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

impl Output {
    /// How messages call it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Stream { name, .. } => name.clone(),
            Self::File(file) => shown(&file.target),
        }
    }

    /// True if something was written that stays, whatever comes.
    pub(super) fn keeps_bytes(&self) -> bool {
        matches!(
            self,
            Self::Stream {
                has_bytes: true,
                ..
            }
        )
    }

    /// Gives a file its final name, after its bytes reached the disk.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let name = self.name();
        match self {
            Self::Stream { .. } => Ok(()),
            Self::File(file) => file.finish().map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => {
                    format!("{name} appeared meanwhile; use --force to replace it, or another name")
                        .into()
                }
                _ => cannot("write", &name, &error),
            }),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream {
                file, has_bytes, ..
            } => {
                let count = file.write(bytes)?;
                *has_bytes |= count > 0;
                Ok(count)
            }
            Self::File(file) => file.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // nothing is buffered
    }
}

impl Unfinished {
    fn file(&self) -> &File {
        self.temporary
            .as_ref()
            .expect("only finish and drop take the file away")
            .as_file()
    }

    fn finish(mut self) -> io::Result<()> {
        self.file().sync_all()?;
        let mut unfinished = interrupt::unfinished();
        let temporary = self.temporary.take().expect("finish comes once");
        let renamed = if self.force {
            temporary.persist(&self.target)
        } else {
            temporary.persist_noclobber(&self.target)
        };
        *unfinished = None;
        renamed.map_err(|error| error.error)?;
        // The new name is durable once its folder is; some file systems cannot do this, and the file is complete anyway.
        let _ = File::open(folder(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            let mut unfinished = interrupt::unfinished();
            drop(temporary);
            *unfinished = None;
        }
    }
}
