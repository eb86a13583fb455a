// SPDX-License-Identifier: Apache-2.0
//! libaegis, the C library of AEGIS' designers, in the crate `aegis`.

use super::{Messages, Subject, texts};
use ::aegis::aegis128l::Aegis128L;

const TAG: usize = 16;

struct Aegis {
    data: Vec<u8>,
    texts: Vec<(Vec<u8>, [u8; TAG])>,
}

/// What the crate calls a cipher has its nonce in it, and serves one message.
fn cipher() -> Aegis128L<TAG> {
    Aegis128L::new(&[0; 16], &[0; 16])
}

impl Messages for Aegis {
    fn seal(&mut self, place: usize) {
        let (text, tag) = &mut self.texts[place];
        *tag = cipher().encrypt_in_place(text, &self.data);
    }

    fn open(&mut self, place: usize) {
        let (text, tag) = &mut self.texts[place];
        cipher()
            .decrypt_in_place(text, tag, &self.data)
            .expect("it was sealed with this key");
    }
}

pub(super) fn subject(bytes: usize, ad: usize) -> Subject {
    let messages = Aegis {
        data: vec![0xa5; ad],
        texts: texts(bytes, 0),
    };
    super::subject("libaegis", "aegis-128l", bytes, ad, messages)
}
