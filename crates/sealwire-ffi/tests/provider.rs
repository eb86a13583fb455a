// SPDX-License-Identifier: Apache-2.0
//! The OpenSSL provider (crates/sealwire-provider), built over the library that cargo has just built: through EVP in a C
//! program that knows it by configuration only, and through the `openssl` command.
#![cfg(all(target_os = "linux", not(miri)))]
#![allow(missing_docs)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{
    HERE, SANITIZERS, compile, known_answers, libraries, mac_answers, missing, run, skipped,
};
use tempfile::TempDir;

/// The module and the guide's configuration beside it, or `None` with a line that says why if OpenSSL's headers are missing.
fn provider(folder: &TempDir, flags: &str) -> Option<PathBuf> {
    let module = folder.path().join("sealwire.so");
    let output = Command::new(format!("{HERE}/../sealwire-provider/build.sh"))
        .arg(libraries())
        .arg(&module)
        .env("CFLAGS", flags)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(3) {
        skipped(said.trim());
        return None;
    }
    assert!(output.status.success(), "{said}");
    let configuration = folder.path().join("openssl.cnf");
    let guide = fs::read_to_string(format!("{HERE}/../../docs/openssl.md")).unwrap();
    let ini = guide
        .split("```ini\n")
        .nth(1)
        .expect("the guide shows a configuration");
    let ini = ini.split("```").next().unwrap();
    fs::write(&configuration, ini).unwrap();
    Some(configuration)
}

fn openssl(configuration: &Path, arguments: &str) -> Output {
    Command::new("openssl")
        .args(arguments.split_whitespace())
        .env("OPENSSL_CONF", configuration)
        .env("OPENSSL_MODULES", configuration.parent().unwrap())
        .output()
        .unwrap()
}

/// Known answers of every scheme, forgeries, and what is refused.
#[test]
fn evp_gives_the_known_answers_and_no_unverified_plaintext() {
    let folder = TempDir::new().unwrap();
    let Some(configuration) = provider(&folder, SANITIZERS) else {
        return;
    };
    let program = folder.path().join("evp");
    let source = PathBuf::from(format!("{HERE}/../sealwire-provider/tests/evp.c"));
    compile(&source, &format!("-lcrypto {SANITIZERS}"), &program);
    let (files, records) = known_answers(|file| !in_openssl(file));
    let said = run(Command::new(program)
        .args(files)
        .env("OPENSSL_CONF", &configuration)
        .env("OPENSSL_MODULES", folder.path()));
    assert_eq!(said, format!("{records} passed, 0 failed\n"));
}

/// Known answers of every MAC, a wrong tag, and what is refused.
#[test]
fn evp_mac_gives_the_known_answers() {
    let folder = TempDir::new().unwrap();
    let Some(configuration) = provider(&folder, SANITIZERS) else {
        return;
    };
    let program = folder.path().join("evp_mac");
    let source = PathBuf::from(format!("{HERE}/../sealwire-provider/tests/evp_mac.c"));
    compile(&source, &format!("-lcrypto {SANITIZERS}"), &program);
    let (files, records) = mac_answers();
    let said = run(Command::new(program)
        .args(files)
        .env("OPENSSL_CONF", &configuration)
        .env("OPENSSL_MODULES", folder.path()));
    assert_eq!(said, format!("{records} passed, 0 failed\n"));
}

#[test]
fn the_openssl_command_knows_the_ciphers() {
    if missing("openssl") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let Some(configuration) = provider(&folder, "") else {
        return;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let list = text(&openssl(&configuration, "list -cipher-algorithms").stdout);
    assert!(
        list.contains("{ omd-sha512, omdsha512k512n256tau256v2 } @ sealwire"),
        "{list}"
    );
    assert!(
        list.contains("aes-256-gcm") || list.contains("AES-256-GCM"),
        "the default provider stays"
    );

    // `openssl speed` carries an AEAD whose nonce has 12 bytes; `openssl enc` carries none at all.
    let speed = openssl(
        &configuration,
        "speed -evp omdsha256k128n96tau128v2 -aead -seconds 1 -bytes 1500",
    );
    let row = text(&speed.stdout);
    assert!(
        speed.status.success() && row.contains("omdsha256k128n96tau128v2"),
        "{row}"
    );
    let enc = openssl(&configuration, "enc -omd-sha512 -K 00 -in /dev/null");
    assert!(!enc.status.success());
    assert!(text(&enc.stderr).contains("AEAD ciphers not supported"));
}

/// Whether OpenSSL has the scheme itself, so that the provider leaves it out.
fn in_openssl(name: &str) -> bool {
    name.contains("gcm")
}

/// The file that the library's list gives, as rows of `(name, alias, experimental)`. `SEALWIRE_WRITE=1` writes it.
fn check_list(file: &str, list_name: &str, rows: Vec<(&str, Option<&str>, bool)>) {
    let path = format!("{HERE}/../sealwire-provider/{file}");
    let found = fs::read_to_string(&path).unwrap();
    let define = format!("#define {list_name}(X)");
    let (head, _) = found.split_once(&define).unwrap();
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(name, alias, experimental)| {
            let alias = alias.map_or(String::new(), |a| format!(":{a}"));
            let experimental = if experimental { "yes" } else { "no" };
            format!("    X({name}, \"{name}{alias}\", \"{experimental}\")")
        })
        .collect();
    let mut list = format!("{head}{define:<119}\\\n");
    for (i, row) in rows.iter().enumerate() {
        if i + 1 < rows.len() {
            list += &format!("{row:<119}\\\n");
        } else {
            list += &format!("{row}\n\n#endif\n");
        }
    }
    if std::env::var_os("SEALWIRE_WRITE").is_some() {
        fs::write(&path, &list).unwrap();
    } else {
        assert_eq!(found, list, "run with SEALWIRE_WRITE=1");
    }
}

#[test]
fn the_list_of_schemes_is_the_librarys() {
    let schemes: Vec<_> = sealwire::scheme::schemes()
        .filter(|scheme| !in_openssl(scheme.name()))
        .collect();
    let rows = schemes.iter();
    let rows = rows.map(|scheme| (scheme.name(), scheme.alias(), scheme.experimental()));
    check_list("schemes.h", "SCHEMES", rows.collect());
}

#[test]
fn the_list_of_macs_is_the_librarys() {
    let macs: Vec<_> = sealwire::mac::schemes().collect();
    let rows = macs.iter();
    let rows = rows.map(|mac| (mac.name(), mac.alias(), mac.experimental()));
    check_list("macs.h", "MACS", rows.collect());
}
