// SPDX-License-Identifier: Apache-2.0
//! What `--version` says: the release, the commit that it was built from, and the instructions that this machine's processor gives it.

use sealwire::compress::Path;
use std::sync::OnceLock;

pub(super) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let release = env!("CARGO_PKG_VERSION");
        let path = Path::current();
        match option_env!("SEALWIRE_COMMIT") {
            Some(commit) => format!("{release} (commit {commit}, {path} on this machine)"),
            None => format!("{release} ({path} on this machine)"),
        }
    })
}
