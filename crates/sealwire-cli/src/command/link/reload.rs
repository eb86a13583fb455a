// SPDX-License-Identifier: Apache-2.0
//! A new pre-shared key in a running end: its file is read again, and what came of it is said.

use super::{Failure, config::Config};
use sealwire_link::gateway::{Handle, Renewal};
use std::sync::Arc;

/// What reads the key file again when it is told to.
#[derive(Clone)]
pub(super) struct Reload {
    config: Arc<Config>,
    handle: Handle,
}

impl Reload {
    pub(super) fn new(config: Arc<Config>, handle: Handle) -> Self {
        Self { config, handle }
    }

    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Puts the key of the key file in place. Says what is there then, or why the old key stays, which is logged and counted.
    pub(super) fn run(&self, renewal: Renewal) -> Result<String, String> {
        if self.config.has_channel() {
            let text = "there is no pre-shared key to renew; for a new [noise] key, restart";
            tracing::info!("{text}");
            return Err(text.into());
        }
        let psk = self.config.psk().map_err(|Failure { message, .. }| {
            self.handle.key_failed();
            message.unwrap_or_default()
        });
        let set = psk.and_then(|psk| {
            let set = self.handle.set_psk(psk, renewal);
            set.map_err(|error| error.to_string())
        });
        set.map(|key| key.to_string())
            .inspect_err(|error| tracing::error!(%error, "the old pre-shared key stays"))
    }
}
