// SPDX-License-Identifier: Apache-2.0
//! Generic code written for the `aead` crate, as a user of AES-GCM has it, runs with another type name.
#![cfg(feature = "alloc")]
#![allow(missing_docs)]

use aes_gcm::Aes256Gcm;
use sealwire::aead::inout::InOutBuf;
use sealwire::aead::{Aead, AeadCore, AeadInOut, Key, KeyInit, Nonce, Payload};
use sealwire::omd::{OmdBlake2b, OmdSha256, OmdSha512, OmdSha512K512N256Tau512V1};
use sealwire::otr::{Aes128OtrP, Aes256OtrS};

fn user<A: KeyInit + AeadInOut + Aead>() {
    let key = Key::<A>::from_fn(|i| i as u8);
    let cipher = A::new(&key);
    assert!(A::new_from_slice(&key[1..]).is_err());
    let nonce = Nonce::<A>::from_fn(|i| 100 + i as u8);

    let sealed = cipher.encrypt(&nonce, b"no AD".as_slice()).unwrap();
    assert_eq!(cipher.decrypt(&nonce, sealed.as_slice()).unwrap(), b"no AD");

    fn payload(msg: &[u8]) -> Payload<'_, '_> {
        Payload {
            msg,
            aad: b"header",
        }
    }
    let mut sealed = cipher.encrypt(&nonce, payload(b"message")).unwrap();
    assert_eq!(
        cipher.decrypt(&nonce, payload(&sealed)).unwrap(),
        b"message"
    );
    assert!(
        cipher.decrypt(&nonce, sealed.as_slice()).is_err(),
        "the AD counts"
    );
    sealed[2] ^= 4;
    assert!(cipher.decrypt(&nonce, payload(&sealed)).is_err());
    assert!(
        cipher.decrypt(&nonce, payload(&sealed[..3])).is_err(),
        "shorter than a tag"
    );

    let mut buffer = b"in place".to_vec();
    cipher.encrypt_in_place(&nonce, b"", &mut buffer).unwrap();
    assert_eq!(
        buffer,
        cipher.encrypt(&nonce, b"in place".as_slice()).unwrap()
    );
    cipher.decrypt_in_place(&nonce, b"", &mut buffer).unwrap();
    assert_eq!(buffer, b"in place");
}

#[test]
fn one_type_name_is_all_that_changes() {
    user::<Aes256Gcm>();
    user::<OmdSha512>();
    user::<OmdBlake2b>();
    user::<OmdSha256>();
    user::<OmdSha512K512N256Tau512V1>();
    user::<Aes128OtrP>();
    user::<Aes256OtrS>();
}

/// Separate input and output buffers give what the in-place form gives, and a failure wipes the output only.
#[test]
fn from_one_buffer_to_another() {
    let cipher = OmdSha512::new(&[1; 64].into());
    let nonce = [2; 32].into();
    for len in [0, 1, 63, 64, 65, 128, 200] {
        let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
        let mut ciphertext = vec![0; len];
        let buffer = InOutBuf::new(&message, &mut ciphertext).unwrap();
        let mut tag = cipher
            .encrypt_inout_detached(&nonce, b"ad", buffer)
            .unwrap();
        let mut in_place = message.clone();
        let same = cipher
            .seal_in_place_detached(&nonce, b"ad", &mut in_place)
            .unwrap();
        assert_eq!((&ciphertext, tag), (&in_place, same));

        let mut out = vec![0xcc; len];
        let buffer = InOutBuf::new(&ciphertext, &mut out).unwrap();
        cipher
            .decrypt_inout_detached(&nonce, b"ad", buffer, &tag)
            .unwrap();
        assert_eq!(out, message);

        tag[0] ^= 1;
        let before = ciphertext.clone();
        let buffer = InOutBuf::new(&ciphertext, &mut out).unwrap();
        assert!(
            cipher
                .decrypt_inout_detached(&nonce, b"ad", buffer, &tag)
                .is_err()
        );
        assert_eq!(out, vec![0; len]);
        assert_eq!(ciphertext, before);
    }
}

#[test]
fn typed_session_ad_and_batch_equal_the_plain_calls() {
    let cipher = OmdSha256::new(&[1; 32].into());
    let nonce = [2; 13].into();
    let session = cipher.with_session_ad(b"context");
    let (mut a, mut b, mut c) = (*b"message", *b"message", *b"message");
    let tag = cipher
        .seal_in_place_detached(&nonce, b"context", &mut a)
        .unwrap();
    assert_eq!(
        cipher
            .seal_in_place_detached(&nonce, &session, &mut b)
            .unwrap(),
        tag
    );
    let mut tag_c = [0; 20];
    let mut packets = [sealwire::SealPacket::new(
        &nonce, &session, &mut c, &mut tag_c,
    )];
    assert_eq!(cipher.seal_batch(&mut packets), 1);
    assert_eq!((a, b, tag_c), (b, c, tag.0));

    let mut packets = [sealwire::OpenPacket::new(
        &nonce, b"context", &mut c, &tag_c,
    )];
    assert_eq!(cipher.open_batch(&mut packets), 1);
    cipher
        .open_in_place_detached(&nonce, &session, &mut a, &tag)
        .unwrap();
    assert_eq!((&a, &c), (b"message", b"message"));
    assert!(
        cipher
            .open_in_place_detached(&nonce, b"other", &mut b, &tag)
            .is_err()
    );
    assert_eq!(b, [0; 7]);
}

#[test]
fn sizes_are_those_of_the_name() {
    fn sizes<A: AeadCore + KeyInit>() -> (usize, usize, usize) {
        (
            Key::<A>::default().len(),
            Nonce::<A>::default().len(),
            sealwire::aead::Tag::<A>::default().len(),
        )
    }
    assert_eq!(sizes::<OmdSha512>(), (64, 32, 32));
    assert_eq!(sizes::<OmdBlake2b>(), (64, 32, 32));
    assert_eq!(sizes::<OmdSha256>(), (32, 13, 20));
    assert_eq!(sizes::<Aes128OtrP>(), (16, 12, 16));
    assert_eq!(sizes::<Aes256OtrS>(), (32, 12, 16));
}
