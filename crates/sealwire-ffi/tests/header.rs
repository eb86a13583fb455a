// SPDX-License-Identifier: Apache-2.0
//! The committed header is what the source says.
#![cfg(not(miri))]

use std::path::Path;

/// `SEALWIRE_WRITE_HEADER=1 cargo test -p sealwire-ffi --test header` writes it anew.
#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_crate(root)
        .generate()
        .unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = String::from_utf8(made).unwrap();
    // Rust's section on safety means nothing to a reader of C: the header's top says it for all functions.
    let made = made.replace("\n # Safety\n See \"Pointers\" at the top.\n", "");
    let made = made.replace("SEALWIRE_STATUS_", "SEALWIRE_");
    let path = root.join("include/sealwire.h");
    if std::env::var_os("SEALWIRE_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "include/sealwire.h is stale: run SEALWIRE_WRITE_HEADER=1 cargo test -p sealwire-ffi --test header"
    );
}

/// build.rs cannot read the constant.
#[test]
fn the_name_for_the_loader_has_the_abi_version() {
    let build = include_str!("../build.rs");
    let soname = format!("libsealwire.so.{}\"", sealwire_ffi::SEALWIRE_ABI_VERSION);
    assert!(build.contains(&soname));
}
