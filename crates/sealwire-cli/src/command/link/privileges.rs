// SPDX-License-Identifier: Apache-2.0
//! Giving up root.

use super::{super::input::plain, Failure};
use nix::unistd::{User, getuid, setgid, setgroups, setuid};

/// Who the gateway is to be, looked up before anything is opened.
pub(super) enum Target {
    /// A user to become.
    User(User),
    /// Root, by the configuration's word.
    Root,
    /// Whoever started it.
    Same,
}

impl Target {
    /// Finds the user, if one is named. Root stays only when it is named.
    pub(super) fn find(name: Option<&str>) -> Result<Self, Failure> {
        let Some(name) = name else {
            if getuid().is_root() {
                return Err("[run] user is missing: name the user to become once everything is open, for example \"sealwire\" (useradd --system sealwire), or say \"root\" to stay root".into());
            }
            return Ok(Self::Same);
        };
        let user = User::from_name(name)
            .map_err(|error| {
                let why = plain(&error.into());
                format!("[run] user: cannot look up \"{name}\": {why}")
            })?
            .ok_or_else(|| format!("[run] user: there is no user \"{name}\" here; `useradd --system {name}` makes it"))?;
        Ok(if user.uid.is_root() {
            Self::Root
        } else {
            Self::User(user)
        })
    }

    /// Becomes the user, for good and with every thread: the capabilities of root go with it.
    pub(super) fn become_it(&self) -> Result<(), Failure> {
        match self {
            Self::User(user) if getuid().is_root() => {
                let change = || {
                    setgroups(&[])?;
                    setgid(user.gid)?;
                    setuid(user.uid)
                };
                change().map_err(|error| {
                    let why = plain(&error.into());
                    format!("cannot become user {}: {why}", user.name)
                })?;
                // The way back must be closed.
                if setuid(nix::unistd::ROOT).is_ok() || getuid() != user.uid {
                    return Err(format!("cannot give up root for user {}", user.name).into());
                }
                tracing::info!(user = %user.name, "root was given up");
            }
            Self::User(user) if getuid() == user.uid => {}
            Self::User(user) => {
                return Err(format!(
                    "[run] user is {}, but only root can change to it: start as root, or as that user",
                    user.name
                )
                .into());
            }
            Self::Root if getuid().is_root() => {
                tracing::warn!("running as root, as [run] user says");
            }
            Self::Root => {
                return Err("[run] user is root, but only root can stay root: start as root, or leave the line out".into());
            }
            Self::Same => {}
        }
        Ok(())
    }
}
