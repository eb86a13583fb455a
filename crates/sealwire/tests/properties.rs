// SPDX-License-Identifier: Apache-2.0
//! Properties of every legal parameter set, on random inputs.
#![cfg(feature = "std")]
#![allow(missing_docs)]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use sealwire::scheme::find;
use sealwire::{Ad, DynAead, Error, OpenPacket, SealPacket};

/// Any legal scheme, published or not, with a key and a nonce.
fn setting() -> impl Strategy<Value = (DynAead, Vec<u8>)> {
    prop_oneof![3 => omd(), 2 => otr()]
}

fn otr() -> impl Strategy<Value = (DynAead, Vec<u8>)> {
    (
        prop_oneof![Just(16_usize), Just(32)],
        prop_oneof![Just('p'), Just('s'), Just('c')],
        vec(any::<u8>(), 32),
        vec(any::<u8>(), 1..=15),
        1..=16_usize,
    )
        .prop_map(|(key_len, form, key, nonce, tag)| {
            let (k, n, t) = (8 * key_len, 8 * nonce.len(), 8 * tag);
            let name = match (n, t) {
                (96, 128) => format!("aes{k}otr{form}v3"),
                _ => format!("aes{k}otr{form}v3n{n}tau{t}"),
            };
            (
                find(&name).unwrap().with_key(&key[..key_len]).unwrap(),
                nonce,
            )
        })
}

fn omd() -> impl Strategy<Value = (DynAead, Vec<u8>)> {
    prop_oneof![
        Just(("sha256", 32)),
        Just(("sha512", 64)),
        Just(("blake2b", 64))
    ]
    .prop_flat_map(|(function, n)| {
        (
            Just(function),
            vec(any::<u8>(), 1..=n),
            vec(any::<u8>(), 1..n),
            1..=n,
            prop_oneof![
                Just(("omd", "v1")),
                Just(("omd", "v2")),
                Just(("pomd", "")),
                Just(("sivomdp", "")),
                Just(("sivomds", "")),
            ],
        )
    })
    .prop_map(|(function, key, nonce, tag, (family, suffix))| {
        let (k, n, t) = (8 * key.len(), 8 * nonce.len(), 8 * tag);
        let scheme = find(&format!("{family}{function}k{k}n{n}tau{t}{suffix}")).unwrap();
        (scheme.with_key(&key).unwrap(), nonce)
    })
}

/// Texts around the block sizes and beyond.
fn text() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..400)
}

/// Tags that a random forgery does not hit.
fn strong(aead: &DynAead) -> bool {
    aead.scheme().tag_len() >= 8
}

fn flip(data: &mut [u8], at: &Index) {
    let bit = at.index(8 * data.len());
    data[bit / 8] ^= 1 << (bit % 8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn opening_inverts_sealing((aead, nonce) in setting(), ad in text(), message in text()) {
        let sealed = aead.seal(&nonce, &ad, &message).unwrap();
        prop_assert_eq!(sealed.len(), message.len() + aead.scheme().tag_len());
        prop_assert_eq!(aead.open(&nonce, &ad, &sealed).unwrap(), message);
    }

    #[test]
    fn any_flipped_bit_is_refused(
        (aead, nonce) in setting().prop_filter("tag too short", |s| strong(&s.0)),
        ad in text(), message in text(), at in any::<Index>(),
    ) {
        let sealed = aead.seal(&nonce, &ad, &message).unwrap();

        let mut wrong = sealed.clone();
        flip(&mut wrong, &at);
        let (buffer, tag) = wrong.split_at_mut(message.len());
        prop_assert_eq!(aead.open_in_place_detached(&nonce, &ad, buffer, tag), Err(Error::InvalidTag));
        prop_assert!(buffer.iter().all(|&b| b == 0));

        let mut wrong = nonce.clone();
        flip(&mut wrong, &at);
        prop_assert_eq!(aead.open(&wrong, &ad, &sealed), Err(Error::InvalidTag));

        if !ad.is_empty() {
            let mut wrong = ad.clone();
            flip(&mut wrong, &at);
            prop_assert_eq!(aead.open(&nonce, &wrong, &sealed), Err(Error::InvalidTag));
        }
    }

    #[test]
    fn cut_or_extended_texts_are_refused(
        (aead, nonce) in setting().prop_filter("tag too short", |s| strong(&s.0)),
        ad in text(), message in text(), cut in any::<Index>(), more in vec(any::<u8>(), 1..130),
    ) {
        let sealed = aead.seal(&nonce, &ad, &message).unwrap();
        prop_assert!(aead.open(&nonce, &ad, &sealed[..cut.index(sealed.len())]).is_err());
        prop_assert!(aead.open(&nonce, &ad, &[&sealed[..], &more].concat()).is_err());
        prop_assert!(aead.open(&nonce, &[&ad[..], &more].concat(), &sealed).is_err());
        // Padding is unambiguous: an explicit 80 or 00 byte is not an implicit one.
        for byte in [0x80, 0] {
            prop_assert!(aead.open(&nonce, &[&ad[..], &[byte]].concat(), &sealed).is_err());
        }
    }

    #[test]
    fn batch_and_session_ad_equal_single_calls(
        (aead, nonce) in setting(), ad in text(), messages in vec(text(), 0..6), cached in any::<bool>(),
    ) {
        let session = aead.with_session_ad(&ad).ok();
        prop_assert_eq!(session.is_some(), aead.scheme().caches_ad());
        // Where nothing can be cached, the bytes themselves take the place.
        let session: Ad<'_> = session.as_ref().filter(|_| cached).map_or(Ad::from(&ad), Ad::from);
        let expected: Vec<_> = messages.iter().map(|m| aead.seal(&nonce, &ad, m).unwrap()).collect();
        let mut sealed: Vec<_> = messages.iter().map(|m| {
            let mut buffer = m.clone();
            buffer.resize(m.len() + aead.scheme().tag_len(), 0);
            buffer
        }).collect();
        let mut packets: Vec<_> = sealed.iter_mut().zip(&messages).map(|(buffer, m)| {
            let (buffer, tag) = buffer.split_at_mut(m.len());
            SealPacket::new(&nonce, session, buffer, tag)
        }).collect();
        prop_assert_eq!(aead.seal_batch(&mut packets), messages.len());
        prop_assert_eq!(&sealed, &expected);

        let mut packets: Vec<_> = sealed.iter_mut().zip(&messages).map(|(buffer, m)| {
            let (buffer, tag) = buffer.split_at_mut(m.len());
            if cached { OpenPacket::new(&nonce, &ad, buffer, tag) } else { OpenPacket::new(&nonce, session, buffer, tag) }
        }).collect();
        prop_assert_eq!(aead.open_batch(&mut packets), messages.len());
        prop_assert!(packets.iter().zip(&messages).all(|(p, m)| p.buffer == m));
    }

    #[test]
    fn no_name_makes_find_panic(name in ".{0,60}", tail in "[a-z0-9]{0,40}") {
        let _ = find(&name);
        let _ = find(&format!("omd{tail}"));
        let _ = find(&format!("pomd{tail}"));
        let _ = find(&format!("aes128otr{tail}"));
        let _ = find(&format!("aes256otrpv3n{tail}"));
        let _ = find(&format!("sivomdp{tail}"));
        let _ = find(&format!("omdsha256k{tail}n96tau64v1"));
        let _ = find(&format!("pomdsha256k128n96tau{tail}"));
    }

    #[test]
    fn no_text_makes_the_file_parser_panic(text in "([A-Za-z]{0,8} ?= ?[0-9A-Fa-f]{0,9}\n{0,2}|#.{0,9}\n|.{0,9}\n){0,20}") {
        let _ = sealwire::kat::parse(&text);
        let _ = sealwire::kat::check_text("omdsha256k128n96tau64v1.rsp".as_ref(), &text, None);
    }
}
