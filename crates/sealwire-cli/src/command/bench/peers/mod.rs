// SPDX-License-Identifier: Apache-2.0
//! Calls of other libraries, in place, tag apart, as ours.

mod libaegis;
mod openssl;
mod ring_like;
mod rust_crypto;

use super::{Call, Case, Op};
use ::openssl::cipher::Cipher;
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use chacha20poly1305::ChaCha20Poly1305;

const NONCE: [u8; 12] = [0; 12];

pub(super) fn cases(bytes: usize, ad: usize) -> Vec<(Case, Call)> {
    let mut cases = Vec::new();
    cases.extend(rust_crypto::cases::<Aes128Gcm>("aes-128-gcm", bytes, ad));
    cases.extend(rust_crypto::cases::<Aes256Gcm>("aes-256-gcm", bytes, ad));
    cases.extend(rust_crypto::cases::<ChaCha20Poly1305>(
        "chacha20-poly1305",
        bytes,
        ad,
    ));
    for (name, algorithm) in [
        ("aes-128-gcm", &::ring::aead::AES_128_GCM),
        ("aes-256-gcm", &::ring::aead::AES_256_GCM),
        ("chacha20-poly1305", &::ring::aead::CHACHA20_POLY1305),
    ] {
        cases.extend(ring_like::ring::cases(name, algorithm, bytes, ad));
    }
    for (name, algorithm) in [
        ("aes-128-gcm", &aws_lc_rs::aead::AES_128_GCM),
        ("aes-256-gcm", &aws_lc_rs::aead::AES_256_GCM),
    ] {
        cases.extend(ring_like::aws_lc::cases(name, algorithm, bytes, ad));
    }
    for (name, cipher) in [
        ("aes-128-ocb", Cipher::aes_128_ocb()),
        ("aes-128-gcm", Cipher::aes_128_gcm()),
    ] {
        cases.extend(openssl::cases(name, cipher, bytes, ad));
    }
    cases.extend(libaegis::cases(bytes, ad));
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
