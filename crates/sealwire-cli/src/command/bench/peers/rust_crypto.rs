// SPDX-License-Identifier: Apache-2.0
//! The crates of RustCrypto.

use super::{Call, Case, NONCE, Op, case};
use aead::{AeadInOut, Key, KeyInit, Nonce};

pub(super) fn cases<A: AeadInOut + KeyInit + 'static>(
    name: &str,
    bytes: usize,
    ad: usize,
) -> [(Case, Call); 2] {
    const PEER: &str = "RustCrypto";
    let nonce = Nonce::<A>::try_from(&NONCE[..]).expect("96 bits");
    let new = || {
        (
            A::new(&Key::<A>::default()),
            vec![0xa5; ad],
            vec![0x5a; bytes],
        )
    };
    let (cipher, data, mut text) = new();
    let sealing_nonce = nonce.clone();
    let seal = move || {
        cipher
            .encrypt_inout_detached(&sealing_nonce, &data, text.as_mut_slice().into())
            .expect("short enough");
    };
    let (cipher, data, mut text) = new();
    let both = move || {
        let tag = cipher
            .encrypt_inout_detached(&nonce, &data, text.as_mut_slice().into())
            .expect("short enough");
        cipher
            .decrypt_inout_detached(&nonce, &data, text.as_mut_slice().into(), &tag)
            .expect("it was sealed with this key");
    };
    [
        (case(PEER, name, Op::Seal, bytes, ad), Box::new(seal)),
        (case(PEER, name, Op::Open, bytes, ad), Box::new(both)),
    ]
}
