// SPDX-License-Identifier: Apache-2.0
//! A progress bar for long inputs, on standard error and only if that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stdout};

/// Shorter inputs are done before a bar could be read, in bytes.
const LONG: u64 = 16 << 20;

/// The bar, or nothing. Dropping it clears its line.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar for `len` bytes, or a count of bytes if the length is not known.
    pub(super) fn new(len: Option<u64>, output_is_stdout: bool) -> Self {
        let short = len.is_some_and(|len| len < LONG);
        // A bar between the lines of the plaintext would spoil both.
        if short || super::is_quiet() || (output_is_stdout && stdout().is_terminal()) {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::stderr());
        let form = if len.is_some() {
            "{wide_bar} {bytes}/{total_bytes} {binary_bytes_per_sec} {eta}"
        } else {
            "{spinner} {bytes} {binary_bytes_per_sec}"
        };
        bar.set_style(ProgressStyle::with_template(form).expect("the template is valid"));
        Self(Some(bar))
    }

    /// Shows how many bytes are done.
    pub(super) fn at(&self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(bytes);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
