// SPDX-License-Identifier: Apache-2.0
//! Gives the shared library its name for the loader: libsealwire.so.ABI, as `make install-c` installs it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        // The number is SEALWIRE_ABI_VERSION's; a test compares them.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libsealwire.so.1");
    }
}
