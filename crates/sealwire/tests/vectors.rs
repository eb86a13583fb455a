// SPDX-License-Identifier: Apache-2.0
//! Every known answer, through the dynamic and the typed interface.
#![cfg(feature = "std")]
#![allow(missing_docs)]

use sealwire::aead::{AeadInOut, Key, KeyInit, Nonce, Tag};
use sealwire::aegis::*;
use sealwire::ascon_aead::*;
use sealwire::colm::Colm0;
use sealwire::copa::Aes128Copa;
use sealwire::deoxys::*;
use sealwire::gcm::*;
use sealwire::kat::{self, Body};
use sealwire::minalpher::Minalpher;
use sealwire::ocb::*;
use sealwire::omd::*;
use sealwire::otr::*;
use sealwire::pomd::*;
use sealwire::scream::*;
use sealwire::siv_omd::*;
use std::path::{Path, PathBuf};

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// Every registered scheme's file, and that of its long messages where there is one.
fn files() -> Vec<PathBuf> {
    sealwire::scheme::schemes()
        .flat_map(|s| [format!("{s}.rsp"), format!("{s}.long.rsp")])
        .map(|name| vectors().join(name))
        .filter(|file| file.exists() || !file.to_string_lossy().ends_with(".long.rsp"))
        .collect()
}

#[test]
fn every_file_in_the_folder_belongs_to_a_registered_scheme() {
    let mut found: Vec<_> = std::fs::read_dir(vectors())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "rsp"))
        .filter(|p| {
            let text = std::fs::read_to_string(p).unwrap();
            let first = text
                .lines()
                .find_map(|line| line.strip_prefix("# Scheme = "));
            first.is_some_and(|name| sealwire::scheme::find(name).is_ok())
        })
        .collect();
    let mut expected = files();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// The designers' vectorised code of version 2 treats empty associated data and an empty message as a partial block. Its
/// answers are kept as evidence; every one of them differs from ours, in the tag only.
#[test]
fn empty_inputs_follow_the_reference_and_not_the_vectorised_code() {
    let mut records = 0;
    for entry in std::fs::read_dir(vectors().join("omd-v2-empty")).unwrap() {
        let report = kat::check_file(entry.unwrap().path(), None).unwrap();
        assert_eq!(report.passed, 0, "{}", report.scheme);
        assert!(report.failures.iter().all(|f| f.cause == kat::Cause::Tag));
        records += report.failures.len();
    }
    assert!(records > 0);
}

/// Seals and opens every record of a type's file through the traits of the `aead` crate.
fn typed<A: AeadInOut + KeyInit>(scheme: &str) {
    let text = std::fs::read_to_string(vectors().join(format!("{scheme}.rsp"))).unwrap();
    let file = kat::parse(&text).unwrap();
    assert!(file.records.len() >= 160);
    for record in &file.records {
        let Body::Full {
            nonce,
            ad,
            plaintext,
            sealed,
        } = &record.body
        else {
            panic!("{scheme}: not the full form");
        };
        let cipher = A::new(&Key::<A>::try_from(&record.key[..]).unwrap());
        let nonce = Nonce::<A>::try_from(&nonce[..]).unwrap();
        // Zeros fill the tags of AES-COPA and Minalpher up.
        let mut sealed = sealed.clone();
        sealed.resize(plaintext.len() + Tag::<A>::default().len(), 0);
        let (ciphertext, tag) = sealed.split_at(plaintext.len());

        let mut buffer = plaintext.clone();
        let made = cipher
            .encrypt_inout_detached(&nonce, ad, buffer.as_mut_slice().into())
            .unwrap();
        assert_eq!(
            (&buffer[..], &made[..]),
            (ciphertext, tag),
            "{scheme} {}",
            record.count
        );

        let tag = Tag::<A>::try_from(tag).unwrap();
        cipher
            .decrypt_inout_detached(&nonce, ad, buffer.as_mut_slice().into(), &tag)
            .unwrap();
        assert_eq!(&buffer, plaintext, "{scheme} {}", record.count);
    }
}

macro_rules! typed_tests {
    ($($test:ident $alias:ident $scheme:literal;)*) => {$(
        #[test]
        fn $test() {
            typed::<$alias>($scheme);
        }
    )*};
}

typed_tests! {
    sha256k128n96tau64v1 OmdSha256K128N96Tau64V1 "omdsha256k128n96tau64v1";
    sha256k128n96tau64v2 OmdSha256K128N96Tau64V2 "omdsha256k128n96tau64v2";
    sha256k128n96tau96v1 OmdSha256K128N96Tau96V1 "omdsha256k128n96tau96v1";
    sha256k128n96tau96v2 OmdSha256K128N96Tau96V2 "omdsha256k128n96tau96v2";
    sha256k128n96tau128v1 OmdSha256K128N96Tau128V1 "omdsha256k128n96tau128v1";
    sha256k128n96tau128v2 OmdSha256K128N96Tau128V2 "omdsha256k128n96tau128v2";
    sha256k192n104tau128v1 OmdSha256K192N104Tau128V1 "omdsha256k192n104tau128v1";
    sha256k192n104tau128v2 OmdSha256K192N104Tau128V2 "omdsha256k192n104tau128v2";
    sha256k256n104tau160v1 OmdSha256K256N104Tau160V1 "omdsha256k256n104tau160v1";
    sha256k256n104tau160v2 OmdSha256K256N104Tau160V2 "omdsha256k256n104tau160v2";
    sha256k256n248tau256v1 OmdSha256K256N248Tau256V1 "omdsha256k256n248tau256v1";
    sha256k256n248tau256v2 OmdSha256K256N248Tau256V2 "omdsha256k256n248tau256v2";
    sha512k128n128tau128v1 OmdSha512K128N128Tau128V1 "omdsha512k128n128tau128v1";
    sha512k128n128tau128v2 OmdSha512K128N128Tau128V2 "omdsha512k128n128tau128v2";
    sha512k256n256tau256v1 OmdSha512K256N256Tau256V1 "omdsha512k256n256tau256v1";
    sha512k256n256tau256v2 OmdSha512K256N256Tau256V2 "omdsha512k256n256tau256v2";
    sha512k512n256tau256v1 OmdSha512K512N256Tau256V1 "omdsha512k512n256tau256v1";
    sha512k512n256tau256v2 OmdSha512K512N256Tau256V2 "omdsha512k512n256tau256v2";
    sha512k512n256tau512v1 OmdSha512K512N256Tau512V1 "omdsha512k512n256tau512v1";
    blake2bk256n128tau128v2 OmdBlake2bK256N128Tau128V2 "omdblake2bk256n128tau128v2";
    blake2bk512n256tau256v2 OmdBlake2bK512N256Tau256V2 "omdblake2bk512n256tau256v2";
    blake2bk512n256tau512v1 OmdBlake2bK512N256Tau512V1 "omdblake2bk512n256tau512v1";
    pomd_sha256k128n96tau128 POmdSha256K128N96Tau128 "pomdsha256k128n96tau128";
    pomd_sha256k256n248tau256 POmdSha256K256N248Tau256 "pomdsha256k256n248tau256";
    pomd_sha512k512n256tau256 POmdSha512K512N256Tau256 "pomdsha512k512n256tau256";
    pomd_blake2bk512n256tau256 POmdBlake2bK512N256Tau256 "pomdblake2bk512n256tau256";
    sivomdp_sha256k256n96tau256 ExperimentalSivOmdPSha256 "sivomdpsha256k256n96tau256";
    sivomdp_sha512k512n256tau256 ExperimentalSivOmdPSha512 "sivomdpsha512k512n256tau256";
    sivomdp_blake2bk512n256tau256 ExperimentalSivOmdPBlake2b "sivomdpblake2bk512n256tau256";
    sivomds_sha256k256n96tau256 ExperimentalSivOmdSSha256 "sivomdssha256k256n96tau256";
    sivomds_sha512k512n256tau256 ExperimentalSivOmdSSha512 "sivomdssha512k512n256tau256";
    aes128otrpv3 Aes128OtrP "aes128otrpv3";
    aes128otrsv3 Aes128OtrS "aes128otrsv3";
    aes128otrcv3 Aes128OtrC "aes128otrcv3";
    aes256otrpv3 Aes256OtrP "aes256otrpv3";
    aes256otrsv3 Aes256OtrS "aes256otrsv3";
    aes256otrcv3 Aes256OtrC "aes256otrcv3";
    asconaead128 AsconAead128 "asconaead128";
    ascon128v12 Ascon128 "ascon128v12";
    deoxysi128 DeoxysI128 "deoxysi128v143";
    deoxysi256 DeoxysI256 "deoxysi256v143";
    deoxysii128 DeoxysII128 "deoxysii128v143";
    deoxysii256 DeoxysII256 "deoxysii256v143";
    deoxysi128v141 DeoxysI128V141 "deoxysi128v141";
    deoxysii128v141 DeoxysII128V141 "deoxysii128v141";
    colm0 Colm0 "colm0v1";
    minalpher Minalpher "minalpherv11";
    scream10 Scream10 "scream10v3";
    scream12 Scream12 "scream12v3";
    copa Aes128Copa "aescopav2";
    aes128gcm Aes128Gcm "aes128gcmv1";
    aes256gcm Aes256Gcm "aes256gcmv1";
    aegis128l128 Aegis128L "aegis128ltau128";
    aegis128l256 Aegis128LTag256 "aegis128ltau256";
    aegis256_128 Aegis256 "aegis256tau128";
    aegis256_256 Aegis256Tag256 "aegis256tau256";
    aes128ocb128 Aes128Ocb "aeadaes128ocbtaglen128v1";
    aes128ocb96 Aes128OcbTag96 "aeadaes128ocbtaglen96v1";
    aes128ocb64 Aes128OcbTag64 "aeadaes128ocbtaglen64v1";
    aes192ocb128 Aes192Ocb "aeadaes192ocbtaglen128v1";
    aes192ocb96 Aes192OcbTag96 "aeadaes192ocbtaglen96v1";
    aes192ocb64 Aes192OcbTag64 "aeadaes192ocbtaglen64v1";
    aes256ocb128 Aes256Ocb "aeadaes256ocbtaglen128v1";
    aes256ocb96 Aes256OcbTag96 "aeadaes256ocbtaglen96v1";
    aes256ocb64 Aes256OcbTag64 "aeadaes256ocbtaglen64v1";
}
