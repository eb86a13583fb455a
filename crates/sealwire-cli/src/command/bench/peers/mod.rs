// SPDX-License-Identifier: Apache-2.0
//! Calls of other libraries, in place, tag apart, as ours.

mod libaegis;
mod openssl;
mod ring_like;
mod rust_crypto;

use super::{Case, Messages, Op, Subject, Work, places};
use ::openssl::cipher::Cipher;
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use chacha20poly1305::ChaCha20Poly1305;

const NONCE: [u8; 12] = [0; 12];

pub(super) fn subjects(bytes: usize, ad: usize) -> Vec<Subject> {
    let mut subjects = Vec::new();
    subjects.extend([
        rust_crypto::subject::<Aes128Gcm>("aes-128-gcm", bytes, ad),
        rust_crypto::subject::<Aes256Gcm>("aes-256-gcm", bytes, ad),
        rust_crypto::subject::<ChaCha20Poly1305>("chacha20-poly1305", bytes, ad),
    ]);
    for (name, algorithm) in [
        ("aes-128-gcm", &::ring::aead::AES_128_GCM),
        ("aes-256-gcm", &::ring::aead::AES_256_GCM),
        ("chacha20-poly1305", &::ring::aead::CHACHA20_POLY1305),
    ] {
        subjects.push(ring_like::ring::subject(name, algorithm, bytes, ad));
    }
    for (name, algorithm) in [
        ("aes-128-gcm", &aws_lc_rs::aead::AES_128_GCM),
        ("aes-256-gcm", &aws_lc_rs::aead::AES_256_GCM),
    ] {
        subjects.push(ring_like::aws_lc::subject(name, algorithm, bytes, ad));
    }
    for (name, cipher) in [
        ("aes-128-ocb", Cipher::aes_128_ocb()),
        ("aes-128-gcm", Cipher::aes_128_gcm()),
    ] {
        subjects.push(openssl::subject(name, cipher, bytes, ad));
    }
    subjects.push(libaegis::subject(bytes, ad));
    subjects
}

fn subject(
    peer: &'static str,
    scheme: &str,
    bytes: usize,
    ad: usize,
    messages: impl Messages + 'static,
) -> Subject {
    let case = Case {
        scheme: scheme.to_owned(),
        op: Op::Seal,
        bytes,
        batch: 1,
        ad,
        path: None,
        peer: Some(peer),
    };
    Subject::new(case, Work::Messages(Box::new(messages)))
}

/// Texts of one message each, with so much room behind them, and their tags.
fn texts<T: Default>(bytes: usize, room: usize) -> Vec<(Vec<u8>, T)> {
    let text = || (vec![0x5a; bytes + room], T::default());
    (0..places(bytes, 1)).map(|_| text()).collect()
}
