// SPDX-License-Identifier: Apache-2.0
//! What the library does with wrong sizes, wrong names, forgeries and keys that do not match.
#![cfg(feature = "std")]
#![allow(missing_docs)]

use sealwire::aead::{Aead, KeyInit, Payload};
use sealwire::otr::{Aes128OtrC, Aes128OtrP, Aes256OtrS};
use sealwire::scheme::{find, schemes};
use sealwire::{DynAead, Error, OpenPacket, SealPacket, SessionAd};
use zeroize::ZeroizeOnDrop;

fn aead(name: &str) -> DynAead {
    let scheme = find(name).unwrap();
    let key: Vec<u8> = (0..scheme.key_len() as u8).collect();
    scheme.with_key(&key).unwrap()
}

#[test]
fn secrets_are_wiped_on_drop_and_shared_between_threads() {
    fn check<T: ZeroizeOnDrop + Send + Sync + Clone + core::fmt::Debug>() {}
    check::<DynAead>();
    check::<SessionAd>();
    check::<sealwire::omd::OmdSha512>();
    check::<sealwire::omd::OmdBlake2b>();
    check::<sealwire::otr::Aes256OtrC>();
    fn stream<T: ZeroizeOnDrop + Send + Sync + core::fmt::Debug>() {}
    stream::<sealwire::otr::SealStream<'_>>();
}

#[test]
fn debug_output_holds_no_secret() {
    let aead = aead("omd-sha256");
    assert_eq!(
        format!("{aead:?}"),
        "DynAead(omdsha256k256n104tau160v2, ..)"
    );
    assert_eq!(
        format!("{:?}", aead.with_session_ad(b"context").unwrap()),
        "SessionAd { .. }"
    );
    let typed = <sealwire::omd::OmdSha256 as sealwire::aead::KeyInit>::new(&[7; 32].into());
    assert_eq!(format!("{typed:?}"), "omdsha256k256n104tau160v2 { .. }");
}

#[test]
fn names_and_aliases_resolve() {
    let scheme = find("omd-sha512").unwrap();
    assert_eq!(scheme.name(), "omdsha512k512n256tau256v2");
    assert_eq!(scheme.alias(), Some("omd-sha512"));
    assert_eq!(
        (scheme.key_len(), scheme.nonce_len(), scheme.tag_len()),
        (64, 32, 32)
    );
    assert_eq!((scheme.block_len(), scheme.ad_block_len()), (64, 128));
    assert!(!scheme.experimental());
    assert_eq!(
        find("omd-blake2b").unwrap().name(),
        "omdblake2bk512n256tau256v2"
    );
    assert_eq!(
        find("omd-sha256").unwrap().name(),
        "omdsha256k256n104tau160v2"
    );
    assert_eq!(find("omdsha256k128n96tau64v1").unwrap().alias(), None);

    // Not published, but legal.
    let scheme: sealwire::Scheme = "omdsha256k8n8tau8v1".parse().unwrap();
    assert_eq!(
        (scheme.key_len(), scheme.nonce_len(), scheme.tag_len()),
        (1, 1, 1)
    );
    assert_eq!((scheme.block_len(), scheme.ad_block_len()), (32, 64));
    find("omdblake2bk504n504tau512v2").unwrap();

    let all: Vec<_> = schemes().collect();
    assert!(all.len() >= 45);
    for scheme in &all {
        assert_eq!(find(scheme.name()).unwrap(), *scheme);
        assert_eq!(scheme.to_string(), scheme.name());
    }
    let mut names: Vec<_> = all.iter().map(|s| s.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
    let mut aliases: Vec<_> = all.iter().filter_map(|s| s.alias()).collect();
    for scheme in &all {
        if let Some(alias) = scheme.alias() {
            assert_eq!(find(alias).unwrap(), *scheme);
        }
    }
    let count = aliases.len();
    aliases.sort_unstable();
    aliases.dedup();
    assert!(count >= 23 && aliases.len() == count);
}

#[test]
fn illegal_names_say_what_is_wrong() {
    let message = |name: &str| find(name).unwrap_err().to_string();
    for (name, expected) in [
        (
            "omdsha256k264n96tau64v2",
            "wrong key size in the scheme name: given 264 bits, allowed 8 to 256 bits in whole bytes",
        ),
        (
            "omdsha256k128n256tau64v2",
            "wrong nonce size in the scheme name: given 256 bits, allowed 8 to 248 bits in whole bytes",
        ),
        (
            "omdsha512k512n504tau0v1",
            "wrong tag size in the scheme name: given 0 bits, allowed 8 to 512 bits in whole bytes",
        ),
        (
            "omdblake2bk100n96tau64v2",
            "wrong key size in the scheme name: given 100 bits, allowed 8 to 512 bits in whole bytes",
        ),
    ] {
        assert_eq!(message(name), expected);
    }
    for name in [
        "",
        "omd",
        "aes-gcm",
        "omdsha1k128n96tau64v1",
        "omdsha256k128n96tau64v3",
        "omdsha256k128n96tau64v",
        "omdsha256k128n96tau64v22",
        "omdsha256k0128n96tau64v2",
        "omdsha256k+128n96tau64v2",
        "omdsha256k128n96tau64v2 ",
        "OMDSHA256K128N96TAU64V2",
        "omdsha256k99999999999999999999n96tau64v2",
        "omdsha256kn96tau64v2",
        "omd-sha5122",
    ] {
        assert!(matches!(find(name), Err(Error::UnknownScheme(_))), "{name}");
    }
    assert!(message("aes-gcm").starts_with("unknown scheme `aes-gcm`: allowed are "));
    // A long or foreign name is cut, never split inside a character.
    let long = message(&"ü".repeat(100));
    assert!(long.contains("`üüüüüüüüüüüüüüüüüüüüüü..`"), "{long}");
}

#[test]
fn wrong_lengths_name_parameter_given_and_allowed() {
    let scheme = find("omd-sha512").unwrap();
    assert_eq!(
        scheme.with_key(&[0; 63]).unwrap_err().to_string(),
        "wrong key length: given 63 bytes, allowed 64 bytes"
    );
    let aead = aead("omd-sha512");
    let (mut buffer, mut tag) = ([5; 10], [6; 32]);
    let mut seal = |nonce: usize, tag_len: usize| {
        aead.seal_in_place_detached(&[0; 40][..nonce], b"", &mut buffer, &mut tag[..tag_len])
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        seal(31, 32),
        "wrong nonce length: given 31 bytes, allowed 32 bytes"
    );
    assert_eq!(
        seal(33, 32),
        "wrong nonce length: given 33 bytes, allowed 32 bytes"
    );
    assert_eq!(
        seal(0, 32),
        "wrong nonce length: given 0 bytes, allowed 32 bytes"
    );
    assert_eq!(
        seal(32, 31),
        "wrong tag length: given 31 bytes, allowed 32 bytes"
    );
    assert_eq!(
        (buffer, tag),
        ([5; 10], [6; 32]),
        "refused calls change nothing"
    );

    let mut open = |nonce: usize, tag: usize| {
        aead.open_in_place_detached(&[0; 40][..nonce], b"", &mut buffer, &[0; 40][..tag])
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        open(12, 32),
        "wrong nonce length: given 12 bytes, allowed 32 bytes"
    );
    // A short tag must never be compared over its own length only.
    assert_eq!(
        open(32, 0),
        "wrong tag length: given 0 bytes, allowed 32 bytes"
    );
    assert_eq!(
        open(32, 33),
        "wrong tag length: given 33 bytes, allowed 32 bytes"
    );
    assert_eq!(buffer, [5; 10]);
    assert_eq!(
        aead.open(&[0; 32], b"", &[0; 31]).unwrap_err().to_string(),
        "wrong sealed message length: given 31 bytes, allowed 32 bytes or more"
    );
    assert_eq!(aead.open(&[0; 32], b"", &[0; 32]), Err(Error::InvalidTag));
}

#[test]
fn a_forgery_leaves_zeros_and_no_plaintext() {
    for name in [
        "omd-sha512",
        "omd-blake2b",
        "omd-sha256",
        "pomd-sha512",
        "pomd-blake2b",
        "pomd-sha256",
        "sivomdp-sha256",
        "sivomds-sha512",
        "otr-aes128-p",
        "otr-aes256-s",
        "otr-aes128-c",
    ] {
        let aead = aead(name);
        let nonce = vec![1; aead.scheme().nonce_len()];
        for len in [1, 31, 32, 63, 64, 65, 200] {
            let message = vec![0xa5; len];
            let sealed = aead.seal(&nonce, b"ad", &message).unwrap();
            let (ciphertext, tag) = sealed.split_at(len);
            for wrong in 0..tag.len() * 8 {
                let mut tag = tag.to_vec();
                tag[wrong / 8] ^= 1 << (wrong % 8);
                let mut buffer = ciphertext.to_vec();
                let result = aead.open_in_place_detached(&nonce, b"ad", &mut buffer, &tag);
                assert_eq!(result, Err(Error::InvalidTag), "{name} {len} {wrong}");
                assert_eq!(buffer, vec![0; len], "{name} {len} {wrong}");
            }
        }
    }
}

#[test]
fn message_of_another_length_key_version_or_tag_length_is_refused() {
    let aead_v2 = aead("omdsha512k512n256tau256v2");
    let sealed = aead_v2.seal(&[9; 32], b"", &[1; 100]).unwrap();
    assert!(aead_v2.open(&[9; 32], b"", &sealed).is_ok());
    assert_eq!(
        aead_v2.open(&[9; 32], b"", &sealed[..131]),
        Err(Error::InvalidTag)
    );
    assert_eq!(
        aead_v2.open(&[9; 32], b"", &sealed[1..]),
        Err(Error::InvalidTag)
    );
    assert_eq!(
        aead_v2.open(&[9; 32], b"", &[&sealed[..], &[0]].concat()),
        Err(Error::InvalidTag)
    );
    for other in [
        "omdsha512k512n256tau256v1",
        "omdsha512k504n256tau256v2",
        "omd-blake2b",
    ] {
        assert_eq!(
            aead(other).open(&[9; 32], b"", &sealed),
            Err(Error::InvalidTag),
            "{other}"
        );
    }
    // The tag length is part of what is computed: a tag of 16 bytes is not the head of one of 32.
    let short = aead("omdsha512k512n256tau128v1");
    let long = aead("omdsha512k512n256tau256v1")
        .seal(&[9; 32], b"", &[1; 100])
        .unwrap();
    assert_eq!(
        short.open(&[9; 32], b"", &long[..116]),
        Err(Error::InvalidTag)
    );
}

#[test]
fn session_ad_equals_plain_ad() {
    for scheme in schemes().filter(|s| s.caches_ad()) {
        let aead = aead(scheme.name());
        let nonce = vec![3; scheme.nonce_len()];
        for ad_len in [0, 1, 32, 63, 64, 65, 127, 128, 129, 300] {
            let ad = vec![0x5a; ad_len];
            let session = aead.with_session_ad(&ad).unwrap();
            let sealed = aead.seal(&nonce, &session, b"message").unwrap();
            assert_eq!(
                sealed,
                aead.seal(&nonce, &ad, b"message").unwrap(),
                "{scheme} {ad_len}"
            );
            assert_eq!(aead.open(&nonce, &session, &sealed).unwrap(), b"message");
            let other = aead.with_session_ad(&vec![0x5b; ad_len + 1]).unwrap();
            assert_eq!(aead.open(&nonce, &other, &sealed), Err(Error::InvalidTag));
        }
    }
}

#[test]
fn session_ad_of_another_key_is_refused_before_anything_happens() {
    let aead_1 = aead("omd-sha512");
    let aead_2 = aead_1.scheme().with_key(&[0xee; 64]).unwrap();
    for foreign in [
        aead_2.with_session_ad(b"context").unwrap(),
        aead("omd-blake2b").with_session_ad(b"context").unwrap(),
        aead("omd-sha256").with_session_ad(b"context").unwrap(),
    ] {
        let (mut buffer, mut tag) = ([1; 5], [2; 32]);
        assert_eq!(
            aead_1.seal_in_place_detached(&[0; 32], &foreign, &mut buffer, &mut tag),
            Err(Error::ForeignSessionAd)
        );
        assert_eq!(
            aead_1.open_in_place_detached(&[0; 32], &foreign, &mut buffer, &tag),
            Err(Error::ForeignSessionAd)
        );
        assert_eq!((buffer, tag), ([1; 5], [2; 32]));
    }
    let small = aead("omd-sha256");
    let foreign = aead_1.with_session_ad(b"context").unwrap();
    assert_eq!(
        small.seal(&[0; 13], &foreign, b"x"),
        Err(Error::ForeignSessionAd)
    );
}

#[test]
fn batch_reports_each_packet_by_itself() {
    let aead = aead("omd-blake2b");
    let session = aead.with_session_ad(b"session").unwrap();
    let nonces: Vec<[u8; 32]> = (0..7).map(|i| [i; 32]).collect();
    let mut buffers: Vec<Vec<u8>> = (0..7).map(|i| vec![i; 40 * usize::from(i)]).collect();
    let mut tags = vec![[0; 32]; 7];

    let mut packets: Vec<_> = (nonces.iter().zip(&mut buffers).zip(&mut tags).enumerate())
        .map(|(i, ((nonce, buffer), tag))| match i {
            0..3 => SealPacket::new(nonce, &session, buffer, tag),
            3 => SealPacket::new(&nonce[1..], b"own", buffer, tag),
            _ => SealPacket::new(nonce, b"own", buffer, tag),
        })
        .collect();
    assert!(packets.iter().all(|p| p.result == Err(Error::NotProcessed)));
    assert_eq!(aead.seal_batch(&mut packets), 6);
    for (i, packet) in packets.iter().enumerate() {
        assert_eq!(packet.result.is_ok(), i != 3);
    }
    assert_eq!(buffers[3], [3; 120], "a refused packet is unchanged");

    for i in [0, 1, 2, 4, 5, 6] {
        let ad: &[u8] = if i < 3 { b"session" } else { b"own" };
        let single = aead.seal(&nonces[i], ad, &vec![i as u8; 40 * i]).unwrap();
        assert_eq!([&buffers[i][..], &tags[i]].concat(), single);
    }

    tags[2][31] ^= 1;
    buffers[5][0] ^= 0x80;
    let mut packets: Vec<_> = (nonces.iter().zip(&mut buffers).zip(&tags).enumerate())
        .map(|(i, ((nonce, buffer), tag))| match i {
            0..3 => OpenPacket::new(nonce, &session, buffer, tag),
            _ => OpenPacket::new(nonce, b"own", buffer, tag),
        })
        .collect();
    assert!(packets.iter().all(|p| p.result == Err(Error::NotProcessed)));
    assert_eq!(aead.open_batch(&mut packets), 4);
    let results: Vec<_> = packets.iter().map(|p| p.result).collect();
    let failed = Err(Error::InvalidTag);
    assert_eq!(
        results,
        [Ok(()), Ok(()), failed, failed, Ok(()), failed, Ok(())]
    );
    for (i, buffer) in buffers.iter().enumerate() {
        let expected = if results[i].is_ok() { i as u8 } else { 0 };
        assert_eq!(*buffer, vec![expected; 40 * i]);
    }
    assert_eq!(aead.seal_batch(&mut []), 0);
}

/// A message of 65537 blocks and a tail, where the offset table ends; the answer is the reference model's.
#[test]
fn message_longer_than_the_offset_table() {
    use sha2::Digest;
    let aead = aead("omdsha256k256n248tau256v2");
    let nonce: Vec<u8> = (0..31).collect();
    let message = sealwire::kat::rule(65537 * 32 + 5);
    let sealed = aead.seal(&nonce, b"", &message).unwrap();
    assert_eq!(
        sha2::Sha256::digest(&sealed).0,
        hex_literal::hex!("a88d5413f1bcd7e69ac2caf4c941fa65e03030c478d905c4fe63cc6aa6111758")
    );
    assert!(aead.open(&nonce, b"", &sealed).unwrap() == message);
}

/// p-OMD takes in associated data together with the message, Ascon behind the nonce, the hash of AES-GCM before the
/// message, AES-COPA in one string with the nonce.
#[test]
fn a_scheme_without_session_ad_says_so() {
    let refuses = |name: &str| {
        [
            "pomd",
            "ascon",
            "aes128gcm",
            "aes256gcm",
            "aescopa",
            "aegis",
            "scream",
        ]
        .iter()
        .any(|mode| name.starts_with(mode))
    };
    assert!(schemes().all(|s| s.caches_ad() != refuses(s.name())));
    let session = aead("omd-sha512").with_session_ad(b"context").unwrap();
    for scheme in schemes().filter(|s| !s.caches_ad()) {
        let aead = aead(scheme.name());
        assert_eq!(
            aead.with_session_ad(b"context").unwrap_err().to_string(),
            "the scheme takes in associated data together with the message: give its bytes with every message"
        );
        let nonce = vec![0; scheme.nonce_len()];
        let (mut buffer, mut tag) = ([1; 5], vec![2; scheme.tag_len()]);
        assert_eq!(
            aead.seal_in_place_detached(&nonce, &session, &mut buffer, &mut tag),
            Err(Error::NoSessionAd)
        );
        assert_eq!(
            aead.open_in_place_detached(&nonce, &session, &mut buffer, &tag),
            Err(Error::NoSessionAd)
        );
        assert_eq!((buffer, tag), ([1; 5], vec![2; scheme.tag_len()]));
    }
}

#[test]
fn names_of_the_later_modes_resolve() {
    for (alias, name) in [
        ("pomd-sha512", "pomdsha512k512n256tau256"),
        ("pomd-blake2b", "pomdblake2bk512n256tau256"),
        ("pomd-sha256", "pomdsha256k256n248tau256"),
        ("sivomdp-sha512", "sivomdpsha512k512n256tau256"),
        ("sivomdp-blake2b", "sivomdpblake2bk512n256tau256"),
        ("sivomdp-sha256", "sivomdpsha256k256n96tau256"),
        ("sivomds-sha512", "sivomdssha512k512n256tau256"),
        ("sivomds-sha256", "sivomdssha256k256n96tau256"),
    ] {
        let scheme = find(alias).unwrap();
        assert_eq!((scheme.name(), scheme.alias()), (name, Some(alias)));
        assert_eq!(scheme.experimental(), name.starts_with("siv"));
    }
    for name in ["pomdsha512k8n8tau8", "sivomdsblake2bk504n504tau512"] {
        assert_eq!(find(name).unwrap().name(), name, "not published, but legal");
    }
    for name in [
        "pomdsha512k512n256tau256v2",
        "sivomdsha512k512n256tau256",
        "sivomdpsha512k512n256tau256v1",
        "omdsha512k512n256tau256",
        "pomd",
        "sivomd-sha512",
    ] {
        assert!(matches!(find(name), Err(Error::UnknownScheme(_))), "{name}");
    }
    assert_eq!(
        find("pomdsha256k128n256tau128").unwrap_err().to_string(),
        "wrong nonce size in the scheme name: given 256 bits, allowed 8 to 248 bits in whole bytes"
    );
}

/// Lengths that a nonce may have, and those next to them.
#[test]
fn nonce_length_edges() {
    for (family, suffix) in [
        ("omd", "v2"),
        ("pomd", ""),
        ("sivomdp", ""),
        ("sivomds", ""),
    ] {
        for (function, n) in [("sha256", 32), ("sha512", 64), ("blake2b", 64)] {
            let mut seen = Vec::new();
            for len in [1, 2, n - 2, n - 1] {
                let bits = 8 * len;
                let aead = aead(&format!("{family}{function}k128n{bits}tau128{suffix}"));
                let sealed = aead.seal(&vec![0; len], b"ad", &[7; 100]).unwrap();
                assert_eq!(aead.open(&vec![0; len], b"ad", &sealed).unwrap(), [7; 100]);
                assert!(aead.seal(&vec![0; len + 1], b"ad", b"").is_err());
                assert!(aead.seal(&vec![0; len - 1], b"ad", b"").is_err());
                seen.push(sealed);
            }
            // Padding tells nonces of zeros of different lengths apart.
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), 4, "{family}{function}");
            for len in [0, n] {
                let name = format!("{family}{function}k128n{}tau128{suffix}", 8 * len);
                assert!(matches!(find(&name), Err(Error::SchemeSize { .. })));
            }
        }
    }
}

/// SIV-OMD: the tag starts the encryption, and equal inputs alone give equal outputs.
#[test]
fn siv_omd_is_deterministic_and_tolerates_a_repeated_nonce() {
    for scheme in schemes().filter(|s| s.experimental()) {
        let aead = aead(scheme.name());
        let nonce = vec![1; scheme.nonce_len()];
        let message = vec![9; 3 * scheme.block_len() + 5];
        let sealed = aead.seal(&nonce, b"ad", &message).unwrap();
        assert_eq!(sealed, aead.seal(&nonce, b"ad", &message).unwrap());
        // One changed bit anywhere in message or associated data, same nonce: nothing of the output stays.
        let mut other = message.clone();
        *other.last_mut().unwrap() ^= 1;
        for changed in [
            aead.seal(&nonce, b"ad", &other).unwrap(),
            aead.seal(&nonce, b"aD", &message).unwrap(),
        ] {
            for (a, b) in sealed.chunks(16).zip(changed.chunks(16)) {
                assert!(a.len() < 8 || a != b, "{scheme}");
            }
        }
        // The received tag is the starting value: a wrong one garbles everything, and nothing of it comes out.
        let (ciphertext, tag) = sealed.split_at(message.len());
        for bit in 0..8 * tag.len() {
            let mut tag = tag.to_vec();
            tag[bit / 8] ^= 1 << (bit % 8);
            let mut buffer = ciphertext.to_vec();
            let result = aead.open_in_place_detached(&nonce, b"ad", &mut buffer, &tag);
            assert_eq!(result, Err(Error::InvalidTag));
            assert_eq!(buffer, vec![0; message.len()]);
        }
    }
}

/// OMD version 2 and SIV-OMD have the same L* under the same key: their cached associated data must not mix.
#[test]
fn session_ad_of_another_mode_is_refused() {
    let omd = aead("omdsha512k512n256tau256v2");
    let siv = aead("sivomdpsha512k512n256tau256");
    let of_omd = omd.with_session_ad(b"context").unwrap();
    let of_siv = siv.with_session_ad(b"context").unwrap();
    assert_eq!(
        siv.seal(&[0; 32], &of_omd, b"x"),
        Err(Error::ForeignSessionAd)
    );
    assert_eq!(
        omd.seal(&[0; 32], &of_siv, b"x"),
        Err(Error::ForeignSessionAd)
    );
}

/// What a repeated nonce costs OMD: its tag is a sum of a part for the message and one for the associated data.
#[test]
fn omd_with_a_repeated_nonce_is_forgeable_too() {
    let aead = aead("omd-sha512");
    let seal = |ad: &[u8], message: &[u8]| aead.seal(&[0; 32], ad, message).unwrap();
    let [a, b, c] = [seal(b"1", b"old"), seal(b"2", b"old"), seal(b"1", b"new")];
    let mut forged = c.clone();
    for i in 3..forged.len() {
        forged[i] ^= a[i] ^ b[i];
    }
    assert_eq!(aead.open(&[0; 32], b"2", &forged).unwrap(), b"new");
}

fn otr(form: char, bits: usize, nonce: usize, tag: usize) -> String {
    match (nonce, tag) {
        (12, 16) => format!("aes{bits}otr{form}v3"),
        _ => format!("aes{bits}otr{form}v3n{}tau{}", 8 * nonce, 8 * tag),
    }
}

#[test]
fn names_of_aes_otr_resolve() {
    for bits in [128, 256] {
        for form in ['p', 's', 'c'] {
            let scheme = find(&format!("otr-aes{bits}-{form}")).unwrap();
            assert_eq!(scheme.name(), otr(form, bits, 12, 16));
            let sizes = (scheme.key_len(), scheme.nonce_len(), scheme.tag_len());
            assert_eq!(sizes, (bits / 8, 12, 16));
            assert_eq!((scheme.block_len(), scheme.ad_block_len()), (16, 16));
            assert!(scheme.caches_ad() && !scheme.experimental());
        }
    }
    let typed = sealwire::otr::Aes256OtrC::new(&[7; 32].into());
    assert_eq!(format!("{typed:?}"), "aes256otrcv3 { .. }");
    for name in [
        "aes128otrpv3n96tau128", // the short name's
        "aes128otrpv2",
        "aes192otrpv3",
        "aes128otrxv3",
        "aes128otrpv3n104",
        "aes128otrpv3tau64",
        "aes128otrpv3n0104tau64",
        "otr-aes128",
        "otr",
    ] {
        assert!(matches!(find(name), Err(Error::UnknownScheme(_))), "{name}");
    }
    for (name, expected) in [
        (
            "aes128otrpv3n128tau128",
            "wrong nonce size in the scheme name: given 128 bits, allowed 8 to 120 bits in whole bytes",
        ),
        (
            "aes256otrsv3n96tau136",
            "wrong tag size in the scheme name: given 136 bits, allowed 8 to 128 bits in whole bytes",
        ),
        (
            "aes256otrcv3n0tau128",
            "wrong nonce size in the scheme name: given 0 bits, allowed 8 to 120 bits in whole bytes",
        ),
    ] {
        assert_eq!(find(name).unwrap_err().to_string(), expected);
    }
}

/// Every legal size seals and opens, and the sizes are part of what is computed: a short tag is not the head of a long one,
/// and nonces of zeros of different lengths give different ciphertexts.
#[test]
fn aes_otr_takes_every_legal_nonce_and_tag_length() {
    for form in ['p', 's', 'c'] {
        let mut seen = Vec::new();
        for nonce in 1..=15 {
            for tag in [1, 4, 8, 12, 15, 16] {
                let aead = aead(&otr(form, 128, nonce, tag));
                let sealed = aead.seal(&vec![0; nonce], b"ad", &[7; 100]).unwrap();
                assert_eq!(sealed.len(), 100 + tag);
                assert_eq!(
                    aead.open(&vec![0; nonce], b"ad", &sealed).unwrap(),
                    [7; 100]
                );
                assert!(aead.seal(&vec![0; nonce + 1], b"ad", b"").is_err());
                assert!(aead.seal(&vec![0; nonce - 1], b"ad", b"").is_err());
                seen.push(sealed[..100].to_vec());
            }
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 15 * 6, "{form}");
    }
}

/// The three forms make different things of the same associated data under the same key.
#[test]
fn session_ad_of_another_form_is_refused() {
    let forms = ["otr-aes128-p", "otr-aes128-s", "otr-aes128-c"].map(aead);
    for (i, one) in forms.iter().enumerate() {
        let session = one.with_session_ad(b"context").unwrap();
        for (j, other) in forms.iter().enumerate() {
            let result = other.seal(&[0; 12], &session, b"x");
            assert_eq!(result == Err(Error::ForeignSessionAd), i != j);
        }
    }
    let other_key = forms[0].scheme().with_key(&[0xee; 16]).unwrap();
    let session = other_key.with_session_ad(b"context").unwrap();
    assert_eq!(
        forms[0].seal(&[0; 12], &session, b"x"),
        Err(Error::ForeignSessionAd)
    );
}

/// What a repeated nonce costs AES-OTR with associated data in the form P: as OMD's, its tag is a sum.
#[test]
fn aes_otr_p_with_a_repeated_nonce_is_forgeable() {
    let aead = aead("otr-aes128-p");
    let seal = |ad: &[u8], message: &[u8]| aead.seal(&[0; 12], ad, message).unwrap();
    let [a, b, c] = [seal(b"1", b"old"), seal(b"2", b"old"), seal(b"1", b"new")];
    let mut forged = c.clone();
    for i in 3..forged.len() {
        forged[i] ^= a[i] ^ b[i];
    }
    assert_eq!(aead.open(&[0; 12], b"2", &forged).unwrap(), b"new");
}

#[test]
fn a_stream_gives_what_one_call_gives() {
    let message: Vec<u8> = (0..3000_u32).map(|i| (i * 7) as u8).collect();
    macro_rules! check {
        ($($cipher:ident $key:literal)*) => {$({
            let cipher = $cipher::new(&[3; $key].into());
            let nonce = [9; 12].into();
            let session = cipher.with_session_ad(b"header");
            for len in (0..100).chain([511, 512, 513, 544, 1500, 3000]) {
                let message = &message[..len];
                let payload = Payload { msg: message, aad: b"header" };
                let expected = cipher.encrypt(&nonce, payload).unwrap();
                for piece in [1, 7, 16, 31, 32, 33, 64, 1000, 3000] {
                    let mut sealed = vec![0xcc; 3];
                    let mut stream = match piece {
                        7 => cipher.seal_stream(&nonce, &session),
                        _ => cipher.seal_stream(&nonce, b"header"),
                    }.unwrap();
                    for piece in message.chunks(piece) {
                        stream.update(&[], &mut sealed);
                        stream.update(piece, &mut sealed);
                    }
                    stream.finish(&mut sealed);
                    assert!(sealed[3..] == expected, "{len} {piece}");
                    assert_eq!(sealed[..3], [0xcc; 3]);
                }
            }
            let other = $cipher::new(&[4; $key].into()).with_session_ad(b"header");
            assert!(matches!(cipher.seal_stream(&nonce, &other), Err(Error::ForeignSessionAd)));
        })*};
    }
    check!(Aes128OtrP 16 Aes256OtrS 32 Aes128OtrC 16);
}
