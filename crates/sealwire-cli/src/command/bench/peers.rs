// SPDX-License-Identifier: Apache-2.0
//! Calls of other libraries, in place, tag apart, as ours.

use super::{Call, Case, Op};
use aead::{AeadInOut, Key, KeyInit, Nonce};
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use chacha20poly1305::ChaCha20Poly1305;
use ring::aead::{self as ring_aead, Aad, LessSafeKey, UnboundKey};

const NONCE: [u8; 12] = [0; 12];

pub(super) fn cases(bytes: usize, ad: usize) -> Vec<(Case, Call)> {
    let mut cases = Vec::new();
    cases.extend(rust_crypto::<Aes128Gcm>("aes-128-gcm", bytes, ad));
    cases.extend(rust_crypto::<Aes256Gcm>("aes-256-gcm", bytes, ad));
    cases.extend(rust_crypto::<ChaCha20Poly1305>(
        "chacha20-poly1305",
        bytes,
        ad,
    ));
    for (name, algorithm) in [
        ("aes-128-gcm", &ring_aead::AES_128_GCM),
        ("aes-256-gcm", &ring_aead::AES_256_GCM),
        ("chacha20-poly1305", &ring_aead::CHACHA20_POLY1305),
    ] {
        cases.extend(ring(name, algorithm, bytes, ad));
    }
    cases
}

fn case(peer: &'static str, scheme: &str, op: Op, bytes: usize, ad: usize) -> Case {
    Case {
        scheme: scheme.to_owned(),
        op,
        bytes,
        batch: 1,
        ad,
        path: None,
        peer: Some(peer),
    }
}

fn rust_crypto<A: AeadInOut + KeyInit + 'static>(
    name: &str,
    bytes: usize,
    ad: usize,
) -> [(Case, Call); 2] {
    const PEER: &str = "RustCrypto";
    let nonce = Nonce::<A>::try_from(&NONCE[..]).expect("96 bits");
    let new = || {
        (
            A::new(&Key::<A>::default()),
            vec![0xa5; ad],
            vec![0x5a; bytes],
        )
    };
    let (cipher, data, mut text) = new();
    let sealing_nonce = nonce.clone();
    let seal = move || {
        cipher
            .encrypt_inout_detached(&sealing_nonce, &data, text.as_mut_slice().into())
            .expect("short enough");
    };
    let (cipher, data, mut text) = new();
    let mut sealed = text.clone();
    let tag = cipher
        .encrypt_inout_detached(&nonce, &data, sealed.as_mut_slice().into())
        .expect("short enough");
    let open = move || {
        text.copy_from_slice(&sealed);
        cipher
            .decrypt_inout_detached(&nonce, &data, text.as_mut_slice().into(), &tag)
            .expect("it was sealed with this key");
    };
    [
        (case(PEER, name, Op::Seal, bytes, ad), Box::new(seal)),
        (case(PEER, name, Op::Open, bytes, ad), Box::new(open)),
    ]
}

fn ring(
    name: &str,
    algorithm: &'static ring_aead::Algorithm,
    bytes: usize,
    ad: usize,
) -> [(Case, Call); 2] {
    const PEER: &str = "ring";
    let new = || {
        let key = vec![0; algorithm.key_len()];
        let key = UnboundKey::new(algorithm, &key).expect("a key of the right length");
        (LessSafeKey::new(key), vec![0xa5; ad], vec![0x5a; bytes])
    };
    let nonce = || ring_aead::Nonce::assume_unique_for_key(NONCE);
    let (key, data, mut text) = new();
    let seal = move || {
        let _tag = key
            .seal_in_place_separate_tag(nonce(), Aad::from(&data), &mut text)
            .expect("short enough");
    };
    let (key, data, mut text) = new();
    let mut sealed = text.clone();
    let tag = key
        .seal_in_place_separate_tag(nonce(), Aad::from(&data), &mut sealed)
        .expect("short enough");
    let open = move || {
        text.copy_from_slice(&sealed);
        key.open_in_place_separate_tag(nonce(), Aad::from(&data), tag, &mut text, 0..)
            .expect("it was sealed with this key");
    };
    [
        (case(PEER, name, Op::Seal, bytes, ad), Box::new(seal)),
        (case(PEER, name, Op::Open, bytes, ad), Box::new(open)),
    ]
}
