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
    let new = || {
        let ctx = CipherCtx::new().expect("memory");
        (ctx, vec![0xa5; ad], vec![0x5a; bytes + ROOM])
    };
    let key = vec![0; cipher.key_length()];
    let mut tag = [0; 16];

    let seal_once = move |ctx: &mut CipherCtx, data: &[u8], text: &mut [u8], tag: &mut [u8; 16]| {
        ctx.encrypt_init(None, None, Some(&NONCE))
            .expect("a nonce of 96 bits");
        message(ctx, data, text, bytes);
        ctx.tag(tag).expect("a tag of 128 bits");
    };
    let (mut ctx, data, mut text) = new();
    ctx.encrypt_init(Some(cipher), Some(&key), None)
        .expect("a key of the right length");
    let (mut other, other_data, mut sealed) = new();
    other
        .encrypt_init(Some(cipher), Some(&key), None)
        .expect("a key of the right length");
    seal_once(&mut other, &other_data, &mut sealed, &mut tag);
    let mut unused = [0; 16];
    let seal = move || seal_once(&mut ctx, &data, &mut text, &mut unused);

    let (mut ctx, data, mut text) = new();
    ctx.decrypt_init(Some(cipher), Some(&key), None)
        .expect("a key of the right length");
    let open = move || {
        text[..bytes].copy_from_slice(&sealed[..bytes]);
        ctx.decrypt_init(None, None, Some(&NONCE))
            .expect("a nonce of 96 bits");
        ctx.set_tag(&tag).expect("a tag of 128 bits");
        message(&mut ctx, &data, &mut text, bytes);
    };
    [
        (case(PEER, name, Op::Seal, bytes, ad), Box::new(seal)),
        (case(PEER, name, Op::Open, bytes, ad), Box::new(open)),
    ]
}
