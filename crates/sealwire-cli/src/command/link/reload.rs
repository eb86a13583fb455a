// SPDX-License-Identifier: Apache-2.0
//! What a running end answers and does when it is asked; of it, a new pre-shared key: its file is read again, and what came of it is said.

use super::{Failure, config::Config, serve};
use sealwire_link::gateway::{Handle, Renewal};
use std::{
    io::{self, Write},
    sync::Arc,
};

/// A running end, as signals, the status socket and the page of metrics see it.
pub(super) trait Running: Clone + Send + Sync + 'static {
    /// Ends it.
    fn stop(&self);
    /// Lines for people.
    fn text(&self) -> String;
    /// Writes all of it as one object.
    fn write_json(&self, to: &mut dyn Write) -> io::Result<()>;
    /// The text that Prometheus reads.
    fn metrics(&self) -> String;
    /// Reads key files again. Says what is there then, or why an old key stays, which is logged.
    fn renew(&self, renewal: Renewal) -> Result<String, String>;
}

/// Says that keys for the Noise channel are read once, at the start.
pub(super) fn nothing_to_renew() -> String {
    let text = "nothing to renew: this end has key pairs and no pre-shared key; for a new [noise] key, restart";
    tracing::info!("{text}");
    text.into()
}

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
}

impl Running for Reload {
    fn stop(&self) {
        self.handle.stop();
    }

    fn text(&self) -> String {
        self.handle.report().text()
    }

    fn write_json(&self, to: &mut dyn Write) -> io::Result<()> {
        Ok(serde_json::to_writer_pretty(
            to,
            &serve::to_json(&self.handle.report()),
        )?)
    }

    fn metrics(&self) -> String {
        self.handle.report().prometheus()
    }

    fn renew(&self, renewal: Renewal) -> Result<String, String> {
        if self.config.has_channel() {
            return Err(nothing_to_renew());
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
            .map_err(|error| format!("the old pre-shared key stays: {error}"))
    }
}
