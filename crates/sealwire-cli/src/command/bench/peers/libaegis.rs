// SPDX-License-Identifier: Apache-2.0
//! libaegis, the C library of AEGIS' designers, in the crate `aegis`.

use super::{Call, Case, Op, case};
use ::aegis::aegis128l::Aegis128L;

const TAG: usize = 16;

pub(super) fn cases(bytes: usize, ad: usize) -> [(Case, Call); 2] {
    const PEER: &str = "libaegis";
    // What the crate calls a cipher has its nonce in it, and serves one message.
    let new = || Aegis128L::<TAG>::new(&[0; 16], &[0; 16]);
    let (data, mut text) = (vec![0xa5; ad], vec![0x5a; bytes]);
    let seal = move || {
        std::hint::black_box(new().encrypt_in_place(&mut text, &data));
    };
    let (data, mut text) = (vec![0xa5; ad], vec![0x5a; bytes]);
    let both = move || {
        let tag = new().encrypt_in_place(&mut text, &data);
        new()
            .decrypt_in_place(&mut text, &tag, &data)
            .expect("it was sealed with this key");
    };
    [
        (
            case(PEER, "aegis-128l", Op::Seal, bytes, ad),
            Box::new(seal),
        ),
        (
            case(PEER, "aegis-128l", Op::Open, bytes, ad),
            Box::new(both),
        ),
    ]
}
