// SPDX-License-Identifier: Apache-2.0
//! The OpenSSL of this system, through EVP: one context for all messages of a direction, so that each costs a nonce and no key
//! set-up.

use super::{Messages, NONCE, Subject, texts};
use openssl::cipher::CipherRef;
use openssl::cipher_ctx::CipherCtx;

/// What EVP may write beyond the text, as it says.
const ROOM: usize = 32;

struct Evp {
    sealing: CipherCtx,
    opening: CipherCtx,
    data: Vec<u8>,
    texts: Vec<(Vec<u8>, [u8; 16])>,
}

/// Associated data, text in place, end.
fn message(ctx: &mut CipherCtx, data: &[u8], text: &mut [u8]) {
    let len = text.len() - ROOM;
    ctx.cipher_update(data, None).expect("associated data");
    let done = ctx.cipher_update_inplace(text, len).expect("the text");
    ctx.cipher_final(&mut text[done..]).expect("a right tag");
}

impl Messages for Evp {
    fn seal(&mut self, place: usize) {
        let (text, tag) = &mut self.texts[place];
        self.sealing
            .encrypt_init(None, None, Some(&NONCE))
            .expect("a nonce of 96 bits");
        message(&mut self.sealing, &self.data, text);
        self.sealing.tag(tag).expect("a tag of 128 bits");
    }

    fn open(&mut self, place: usize) {
        let (text, tag) = &mut self.texts[place];
        self.opening
            .decrypt_init(None, None, Some(&NONCE))
            .expect("a nonce of 96 bits");
        self.opening.set_tag(tag).expect("a tag of 128 bits");
        message(&mut self.opening, &self.data, text);
    }
}

pub(super) fn subject(name: &str, cipher: &'static CipherRef, bytes: usize, ad: usize) -> Subject {
    let key = vec![0; cipher.key_length()];
    let new = || CipherCtx::new().expect("memory");
    let (mut sealing, mut opening) = (new(), new());
    sealing
        .encrypt_init(Some(cipher), Some(&key), None)
        .expect("a key of the right length");
    opening
        .decrypt_init(Some(cipher), Some(&key), None)
        .expect("a key of the right length");
    let messages = Evp {
        sealing,
        opening,
        data: vec![0xa5; ad],
        texts: texts(bytes, ROOM),
    };
    super::subject("OpenSSL", name, bytes, ad, messages)
}
