// SPDX-License-Identifier: Apache-2.0
//! The OpenSSL of this system, through EVP: one context for all messages, so that each costs a nonce and no key set-up.

use super::{Call, Case, NONCE, Op, case};
use openssl::cipher::CipherRef;
use openssl::cipher_ctx::CipherCtx;

/// What EVP may write beyond the text, as it says.
const ROOM: usize = 32;

/// Sealing or opening: nonce, associated data, text in place, end.
fn message(ctx: &mut CipherCtx, data: &[u8], text: &mut [u8], len: usize) {
    ctx.cipher_update(data, None).expect("associated data");
    let done = ctx.cipher_update_inplace(text, len).expect("the text");
    ctx.cipher_final(&mut text[done..]).expect("a right tag");
}

pub(super) fn cases(
    name: &str,
    cipher: &'static CipherRef,
    bytes: usize,
    ad: usize,
) -> [(Case, Call); 2] {
    const PEER: &str = "OpenSSL";
    let new = |ctx: CipherCtx| (ctx, vec![0xa5; ad], vec![0x5a; bytes + ROOM], [0; 16]);
    let key = vec![0; cipher.key_length()];
    let encryption = || {
        let mut ctx = CipherCtx::new().expect("memory");
        ctx.encrypt_init(Some(cipher), Some(&key), None)
            .expect("a key of the right length");
        ctx
    };
    let seal_once = move |ctx: &mut CipherCtx, data: &[u8], text: &mut [u8], tag: &mut [u8; 16]| {
        ctx.encrypt_init(None, None, Some(&NONCE))
            .expect("a nonce of 96 bits");
        message(ctx, data, text, bytes);
        ctx.tag(tag).expect("a tag of 128 bits");
    };
    let (mut ctx, data, mut text, mut tag) = new(encryption());
    let seal = move || seal_once(&mut ctx, &data, &mut text, &mut tag);

    let (mut ctx, data, mut text, mut tag) = new(encryption());
    let mut opening = CipherCtx::new().expect("memory");
    opening
        .decrypt_init(Some(cipher), Some(&key), None)
        .expect("a key of the right length");
    let both = move || {
        seal_once(&mut ctx, &data, &mut text, &mut tag);
        opening
            .decrypt_init(None, None, Some(&NONCE))
            .expect("a nonce of 96 bits");
        opening.set_tag(&tag).expect("a tag of 128 bits");
        message(&mut opening, &data, &mut text, bytes);
    };
    [
        (case(PEER, name, Op::Seal, bytes, ad), Box::new(seal)),
        (case(PEER, name, Op::Open, bytes, ad), Box::new(both)),
    ]
}
