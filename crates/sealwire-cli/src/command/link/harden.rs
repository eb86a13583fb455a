// SPDX-License-Identifier: Apache-2.0
//! What keeps keys in this process's memory: no core dumps, no tracing, no swap.

use super::{super::input::plain, Failure};
use rustix::{
    mm::{MlockAllFlags, mlockall},
    process::{DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit},
};

/// Descriptors that a gateway with one thread has open at most, with room. Each thread more has two.
const DESCRIPTORS: u64 = 64;

/// Does for a gateway what can be done before anything secret is read: [`for_keys`], and a look at what it will need.
pub(super) fn at_start(threads: usize) -> Result<(), Failure> {
    let open = getrlimit(Resource::Nofile).current;
    let needed = DESCRIPTORS + 2 * (threads as u64 - 1);
    if open.is_some_and(|open| open < needed) {
        return Err(format!(
            "{} open files are allowed, too few for a gateway; say `ulimit -n {needed}` or LimitNOFILE={needed}",
            open.unwrap_or_default()
        )
        .into());
    }
    for_keys()
}

/// Does what can be done before any key is read or drawn. Only what would leave it without protection that it can have is an error; what
/// the system does not allow is said in the log.
pub(super) fn for_keys() -> Result<(), Failure> {
    if getrlimit(Resource::Core).maximum != Some(0) {
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        setrlimit(Resource::Core, none).map_err(|error| {
            format!(
                "core dumps cannot be switched off: {}",
                plain(&error.into())
            )
        })?;
    }
    shut()?;
    lock_memory();
    Ok(())
}

/// Shuts the process to debuggers and core dumps. A change of user opens it again.
pub(super) fn shut() -> Result<(), Failure> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(|error| {
        let why = plain(&error.into());
        format!("core dumps and tracing cannot be switched off: {why}").into()
    })
}

/// Keeps all memory out of swap. With a limit nothing is locked: what is beyond it could not be had at all, and the gateway would end.
fn lock_memory() {
    let unlimited = Rlimit {
        current: None,
        maximum: None,
    };
    let is_free = getrlimit(Resource::Memlock).current.is_none()
        || setrlimit(Resource::Memlock, unlimited).is_ok();
    // Pages as they are used, not the whole of every stack.
    let flags = MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT;
    let locked = is_free && mlockall(flags).is_ok();
    if locked {
        tracing::info!(
            "memory is locked: keys do not go to swap; the image of a hibernation holds them still"
        );
    } else {
        tracing::warn!(
            "memory is not locked, keys may go to swap: say `ulimit -l unlimited` or LimitMEMLOCK=infinity, or encrypt the swap"
        );
    }
}
