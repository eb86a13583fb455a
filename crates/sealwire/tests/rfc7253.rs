// SPDX-License-Identifier: Apache-2.0
//! The answers that RFC 7253, appendix A, prints for OCB, on every path.
#![cfg(feature = "std")]
#![allow(missing_docs)]

mod support;

use hex_literal::hex;
use sealwire::compress::Path;
use sealwire::scheme::find;
use support::on_every_path;

fn nonce(number: u32) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[8..].copy_from_slice(&number.to_be_bytes());
    nonce
}

/// 385 messages of 0 to 127 bytes, and one tag over all that they were sealed to.
fn iterated(key_bits: usize, tag_bits: usize) -> Vec<u8> {
    let scheme = find(&format!("aeadaes{key_bits}ocbtaglen{tag_bits}v1")).unwrap();
    let mut key = vec![0; key_bits / 8];
    *key.last_mut().unwrap() = tag_bits as u8;
    let aead = scheme.with_key(&key).unwrap();
    let mut all = Vec::new();
    for i in 0..128 {
        let s = vec![0; i as usize];
        for (n, ad, text) in [(1, &s[..], &s[..]), (2, &[], &s), (3, &s, &[])] {
            let sealed = aead.seal(&nonce(3 * i + n), ad, text).unwrap();
            assert_eq!(aead.open(&nonce(3 * i + n), ad, &sealed).unwrap(), text);
            all.extend(sealed);
        }
    }
    aead.seal(&nonce(385), &all, &[]).unwrap()
}

#[test]
fn iterated_answers() {
    on_every_path(|_| {
        assert_eq!(iterated(128, 128), hex!("67E944D23256C5E0B6C61FA22FDF1EA2"));
        assert_eq!(iterated(192, 128), hex!("F673F2C3E7174AAE7BAE986CA9F29E17"));
        assert_eq!(iterated(256, 128), hex!("D90EB8E9C977C88B79DD793D7FFA161C"));
        assert_eq!(iterated(128, 96), hex!("77A3D8E73589158D25D01209"));
        assert_eq!(iterated(192, 96), hex!("05D56EAD2752C86BE6932C5E"));
        assert_eq!(iterated(256, 96), hex!("5458359AC23B0CBA9E6330DD"));
        assert_eq!(iterated(128, 64), hex!("192C9B7BD90BA06A"));
        assert_eq!(iterated(192, 64), hex!("0066BC6E0EF34E24"));
        assert_eq!(iterated(256, 64), hex!("7D4EA5D445501CBE"));
    });
}

/// Messages around the borders of groups of vectors, and across the block from which on an offset is not kept, are what
/// the portable code makes of them, and open.
#[test]
fn every_path_agrees_at_every_length() {
    let aead = find("ocb-aes128").unwrap().with_key(&[7; 16]).unwrap();
    let text: Vec<u8> = (0..(2 << 20) + 4096_u32)
        .map(|i| (i.wrapping_mul(i) >> 7) as u8)
        .collect();
    let lengths: Vec<usize> = (0..600).chain([(1 << 20) + 5, (2 << 20) + 300]).collect();
    let seal = |len: usize| {
        aead.seal(&nonce(len as u32), &text[..len.min(700)], &text[..len])
            .unwrap()
    };
    let mut portable = Vec::new();
    on_every_path(|path| {
        if path == Path::Portable {
            portable = lengths.iter().map(|len| seal(*len)).collect();
        }
        for (len, sealed) in lengths.iter().zip(&portable) {
            assert!(seal(*len) == *sealed, "{len}");
            let opened = aead.open(&nonce(*len as u32), &text[..(*len).min(700)], sealed);
            assert!(opened.unwrap() == text[..*len], "{len}");
        }
    });
}
