// SPDX-License-Identifier: Apache-2.0
//! Giving up root.

use super::Failure;
use nix::unistd::{User, getuid, setgid, setgroups, setuid};

/// A user to become, looked up before anything is opened.
pub(super) struct Target(Option<User>);

impl Target {
    /// Finds the user, if one is named.
    pub(super) fn find(name: Option<&str>) -> Result<Self, Failure> {
        let Some(name) = name else {
            return Ok(Self(None));
        };
        let user = User::from_name(name)
            .map_err(|error| format!("[run] user: cannot look up \"{name}\": {error}"))?
            .ok_or_else(|| format!("[run] user: there is no user \"{name}\" here"))?;
        if user.uid.is_root() {
            return Err("[run] user: give one that is not root".into());
        }
        Ok(Self(Some(user)))
    }

    /// Becomes the user, for good and with every thread: the capabilities of root go with it.
    pub(super) fn become_it(&self) -> Result<(), Failure> {
        match &self.0 {
            Some(user) if getuid().is_root() => {
                let change = || {
                    setgroups(&[])?;
                    setgid(user.gid)?;
                    setuid(user.uid)
                };
                change().map_err(|error| format!("cannot become user {}: {error}", user.name))?;
                // The way back must be closed.
                if setuid(nix::unistd::ROOT).is_ok() || getuid() != user.uid {
                    return Err(format!("cannot give up root for user {}", user.name).into());
                }
                tracing::info!(user = %user.name, "root was given up");
            }
            Some(user) if getuid() == user.uid => {}
            Some(user) => {
                return Err(format!(
                    "[run] user is {}, but only root can change to it: start as root, or as that user",
                    user.name
                )
                .into());
            }
            None if getuid().is_root() => {
                tracing::warn!("running as root; name a [run] user to give it up");
            }
            None => {}
        }
        Ok(())
    }
}
