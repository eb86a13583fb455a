// SPDX-License-Identifier: Apache-2.0
//! ring and aws-lc-rs, whose calls have the same names but for one argument.

macro_rules! ring_like {
    ($module:ident, $library:ident, $peer:literal, |$tag:ident, $text:ident| $($arguments:expr),*) => {
        pub(super) mod $module {
            use super::super::{Messages, NONCE, Subject, texts};
            use $library::aead::{Aad, Algorithm, LessSafeKey, Nonce, Tag, UnboundKey};

            struct Aead {
                key: LessSafeKey,
                data: Vec<u8>,
                texts: Vec<(Vec<u8>, Option<Tag>)>,
            }

            fn nonce() -> Nonce {
                Nonce::assume_unique_for_key(NONCE)
            }

            impl Messages for Aead {
                fn seal(&mut self, place: usize) {
                    let (text, tag) = &mut self.texts[place];
                    let made = self
                        .key
                        .seal_in_place_separate_tag(nonce(), Aad::from(&self.data), text)
                        .expect("short enough");
                    *tag = Some(made);
                }

                fn open(&mut self, place: usize) {
                    let ($text, tag) = &mut self.texts[place];
                    let $tag = tag.take().expect("it was sealed");
                    self.key
                        .open_in_place_separate_tag(nonce(), Aad::from(&self.data), $($arguments),*)
                        .expect("it was sealed with this key");
                }
            }

            pub(in super::super) fn subject(
                name: &str,
                algorithm: &'static Algorithm,
                bytes: usize,
                ad: usize,
            ) -> Subject {
                let key = vec![0; algorithm.key_len()];
                let key = UnboundKey::new(algorithm, &key).expect("a key of the right length");
                let messages = Aead {
                    key: LessSafeKey::new(key),
                    data: vec![0xa5; ad],
                    texts: texts(bytes, 0),
                };
                super::super::subject($peer, name, bytes, ad, messages)
            }
        }
    };
}

ring_like!(ring, ring, "ring", |tag, text| tag, text, 0..);
ring_like!(aws_lc, aws_lc_rs, "AWS-LC", |tag, text| tag.as_ref(), text);
