// SPDX-License-Identifier: Apache-2.0
//! An interrupted run leaves nothing behind: on SIGINT, SIGQUIT, SIGTERM and SIGHUP the unfinished file is removed, then the signal
//! ends the process as it would have done.

use super::Failure;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ},
    iterator::Signals,
    low_level::emulate_default_handler,
};
use std::{
    fs,
    io::{IsTerminal, Write, stderr},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    thread,
};

/// The unfinished file, if there is one. Whoever creates, renames or removes it holds the lock.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Locks the name of the unfinished file. Set it in the same critical section that creates or finishes the file.
pub(super) fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts to watch for signals.
pub(super) fn install() -> Result<(), Failure> {
    let watch = || {
        // A file size limit is to be a write error, not a sudden end.
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        let mut ending = vec![SIGINT, SIGQUIT, SIGTERM];
        if !hangup_is_ignored() {
            ending.push(SIGHUP);
        }
        let mut signals = Signals::new(ending)?;
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for signal in signals.forever() {
                    // The lock is kept to the end: nothing is renamed after this point.
                    let unfinished = unfinished();
                    let consequence = match &*unfinished {
                        Some(path) => {
                            let _ = fs::remove_file(path);
                            "the output was not written"
                        }
                        None => "not finished",
                    };
                    let newline = if stderr().is_terminal() { "\n" } else { "" };
                    let _ = writeln!(stderr(), "{newline}sealwire: interrupted; {consequence}");
                    let _ = emulate_default_handler(signal);
                }
            })
    };
    watch()
        .map(drop)
        .map_err(|error| format!("cannot watch for signals: {error}").into())
}

/// True if this process was started to survive the end of its terminal, as `nohup` does.
fn hangup_is_ignored() -> bool {
    let ignored = |status: String| {
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    let mask = fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(ignored)
        .unwrap_or(0);
    mask >> (SIGHUP - 1) & 1 == 1
}
