// SPDX-License-Identifier: Apache-2.0
//! ring and aws-lc-rs, whose calls have the same names but for one argument.

macro_rules! ring_like {
    ($module:ident, $library:ident, $peer:literal, |$tag:ident, $text:ident| $($arguments:expr),*) => {
        pub(super) mod $module {
            use super::super::{Call, Case, NONCE, Op, case};
            use $library::aead::{Aad, Algorithm, LessSafeKey, Nonce, UnboundKey};

            pub(in super::super) fn cases(
                name: &str,
                algorithm: &'static Algorithm,
                bytes: usize,
                ad: usize,
            ) -> [(Case, Call); 2] {
                let new = || {
                    let key = vec![0; algorithm.key_len()];
                    let key = UnboundKey::new(algorithm, &key).expect("a key of the right length");
                    (LessSafeKey::new(key), vec![0xa5; ad], vec![0x5a; bytes])
                };
                let nonce = || Nonce::assume_unique_for_key(NONCE);
                let (key, data, mut text) = new();
                let seal = move || {
                    let _tag = key
                        .seal_in_place_separate_tag(nonce(), Aad::from(&data), &mut text)
                        .expect("short enough");
                };
                let (key, data, mut $text) = new();
                let both = move || {
                    let $tag = key
                        .seal_in_place_separate_tag(nonce(), Aad::from(&data), &mut $text)
                        .expect("short enough");
                    key.open_in_place_separate_tag(nonce(), Aad::from(&data), $($arguments),*)
                        .expect("it was sealed with this key");
                };
                [
                    (case($peer, name, Op::Seal, bytes, ad), Box::new(seal)),
                    (case($peer, name, Op::Open, bytes, ad), Box::new(both)),
                ]
            }
        }
    };
}

ring_like!(ring, ring, "ring", |tag, text| tag, &mut text, 0..);
ring_like!(
    aws_lc,
    aws_lc_rs,
    "AWS-LC",
    |tag, text| tag.as_ref(),
    &mut text
);
