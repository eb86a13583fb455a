// SPDX-License-Identifier: Apache-2.0
//! Every engine against the examples of FIPS 197 and against the portable one.

use super::*;
use crate::gf::double;
use hex_literal::hex;
use std::vec::Vec;

/// Runs a test on one engine after the other that this CPU can take; the path of the process is not touched.
fn engines<A: Cipher>(key: &[u8], mut test: impl FnMut(&str, &dyn Fn(u128) -> u128)) {
    let portable = A::Portable::new_from_slice(key).unwrap();
    let engine = super::portable::Portable::<A>(&portable);
    test("portable", &|x| engine.block(x));
    #[cfg(target_arch = "x86_64")]
    if let Some(rounds) = aesni::RoundKeys::new::<A>(key) {
        // SAFETY: there are round keys, so the CPU has AES-NI.
        let engine = unsafe { aesni::AesNi::<A>::new(&rounds) };
        test("aesni", &|x| engine.block(x));
    }
}

#[test]
fn examples_of_fips_197() {
    let key: Vec<u8> = (0..32).collect();
    let plain = u128::from_be_bytes(hex!("00112233445566778899aabbccddeeff"));
    engines::<Aes128>(&key[..16], |engine, block| {
        let expected = u128::from_be_bytes(hex!("69c4e0d86a7b0430d8cdb78070b4c55a"));
        assert_eq!(block(plain), expected, "{engine}");
    });
    engines::<Aes256>(&key, |engine, block| {
        let expected = u128::from_be_bytes(hex!("8ea2b7ca516745bfeafc49904b496089"));
        assert_eq!(block(plain), expected, "{engine}");
    });
}

#[test]
fn powers_are_repeated_doublings() {
    for seed in 0..200_u128 {
        let mut x = ((seed << 121) ^ (seed * 0x1234_5678_9abc_def1)).to_be_bytes();
        let first = u128::from_be_bytes(x);
        for power in 0..16 {
            assert_eq!(times_power(first, power), u128::from_be_bytes(x));
            double(&mut x, number::REDUCTION.into());
        }
    }
}

#[test]
fn short_blocks_are_padded() {
    assert_eq!(from_short(&[]), 0x80 << 120);
    assert_eq!(from_short(&[1, 2]), 0x0001_0280 << 104);
    assert_eq!(from_short(&[0xff; 16]), u128::MAX);
    let bytes: [u8; 16] = core::array::from_fn(|i| (7 * i) as u8 + 0x11);
    for len in 0..=16 {
        let mut padded = [0; 16];
        padded[..len].copy_from_slice(&bytes[..len]);
        if let Some(end) = padded.get_mut(len) {
            *end = 0x80;
        }
        assert_eq!(from_short(&bytes[..len]).to_be_bytes(), padded);

        let block: [u8; 16] = core::array::from_fn(|i| (29 * i) as u8 ^ 0xe3);
        let mut sum = bytes;
        add_head(&mut sum[..len], u128::from_be_bytes(block));
        for i in 0..16 {
            assert_eq!(
                sum[i],
                bytes[i] ^ if i < len { block[i] } else { 0 },
                "{len}"
            );
        }
    }
}
