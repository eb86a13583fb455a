// SPDX-License-Identifier: Apache-2.0
//! Tests on every path.

use sealwire::compress::{Path, force_path};
use std::sync::{Mutex, PoisonError};

/// Does the same on every path that the CPU can take, the portable one first. The forced path belongs to the process: one test
/// of a program at a time.
pub fn on_every_path(mut test: impl FnMut(Path)) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let paths = || Path::ALL.iter().copied().filter(|path| path.available());
    for path in paths() {
        force_path(Some(path));
        assert_eq!(Path::current(), path);
        test(path);
    }
    force_path(None);
    if std::env::var_os("SEALWIRE_PATH").is_none() {
        assert_eq!(Some(Path::current()), paths().next_back(), "the best one");
    }
}
