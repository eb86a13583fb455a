// SPDX-License-Identifier: Apache-2.0
//! The `sealwire` command.
fn main() {}
