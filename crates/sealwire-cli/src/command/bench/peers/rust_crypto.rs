// SPDX-License-Identifier: Apache-2.0
//! The crates of RustCrypto.

use super::{Messages, NONCE, Subject, texts};
use aead::{AeadInOut, Key, KeyInit, Nonce, Tag};

struct Aead<A: AeadInOut> {
    cipher: A,
    nonce: Nonce<A>,
    data: Vec<u8>,
    texts: Vec<(Vec<u8>, Tag<A>)>,
}

impl<A: AeadInOut> Messages for Aead<A> {
    fn seal(&mut self, place: usize) {
        let (text, tag) = &mut self.texts[place];
        *tag = self
            .cipher
            .encrypt_inout_detached(&self.nonce, &self.data, text.as_mut_slice().into())
            .expect("short enough");
    }

    fn open(&mut self, place: usize) {
        let (text, tag) = &mut self.texts[place];
        self.cipher
            .decrypt_inout_detached(&self.nonce, &self.data, text.as_mut_slice().into(), tag)
            .expect("it was sealed with this key");
    }
}

pub(super) fn subject<A: AeadInOut + KeyInit + 'static>(
    name: &str,
    bytes: usize,
    ad: usize,
) -> Subject {
    let messages = Aead {
        cipher: A::new(&Key::<A>::default()),
        nonce: Nonce::<A>::try_from(&NONCE[..]).expect("96 bits"),
        data: vec![0xa5; ad],
        texts: texts(bytes, 0),
    };
    super::subject("RustCrypto", name, bytes, ad, messages)
}
