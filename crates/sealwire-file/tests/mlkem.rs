// SPDX-License-Identifier: Apache-2.0
//! ML-KEM-768 as the crate that recipients rely on has it, against published answers.
//!
//! The answers are those of `TestAccumulated` in Go's `crypto/mlkem` for FIPS 203: hashes over key generation, encapsulation and the
//! rejection of a random ciphertext, many times over. One stream of SHAKE128 gives seed, message and ciphertext of each round; another
//! one takes in public key, ciphertext, secret, and the secret of the rejection.
#![allow(missing_docs)]

use ml_kem::{
    B32, Decapsulate, KeyExport, KeyInit, Seed,
    ml_kem_768::{Ciphertext, DecapsulationKey},
};
use shake::{
    Shake128,
    digest::{ExtendableOutput, Update, XofReader},
};

fn accumulated(rounds: usize) -> String {
    let mut input = Shake128::default().finalize_xof();
    let mut output = Shake128::default();
    for _ in 0..rounds {
        let (mut seed, mut message, mut random) = ([0; 64], [0; 32], [0; 1088]);
        input.read(&mut seed);
        input.read(&mut message);
        input.read(&mut random);
        let private = DecapsulationKey::new(<&Seed>::from(&seed));
        let public = private.encapsulation_key();
        let (text, secret) = public.encapsulate_deterministic(<&B32>::from(&message));
        assert_eq!(private.decapsulate(&text), secret);
        let random = Ciphertext::from(random);
        output.update(&public.to_bytes());
        output.update(&text);
        output.update(&secret);
        output.update(&private.decapsulate(&random));
    }
    let mut hash = [0; 32];
    output.finalize_xof().read(&mut hash);
    base16ct::lower::encode_string(&hash)
}

#[test]
fn a_hundred_published_answers() {
    assert_eq!(
        accumulated(100),
        "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415"
    );
}

#[test]
#[ignore = "a hundred times as long: cargo test --release -p sealwire-file -- --ignored"]
fn ten_thousand_published_answers() {
    assert_eq!(
        accumulated(10_000),
        "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc"
    );
}
