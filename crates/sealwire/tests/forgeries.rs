// SPDX-License-Identifier: Apache-2.0
//! The example `pomd_forgeries` runs, and everything in it happens as it says.
#![cfg(feature = "std")]
#![allow(missing_docs)]

#[allow(dead_code)]
#[path = "../examples/pomd_forgeries.rs"]
mod example;

#[test]
fn both_forgeries_are_accepted_by_p_omd_and_by_no_other_mode() {
    assert!(example::run());
}
