// SPDX-License-Identifier: Apache-2.0
//! SHA-2's compression functions, with the hash built on top of them, against the published examples and the hash
//! crate, and the trait against the plain functions. BLAKE2b's hash needs counter and flag: its test is beside it.

use super::*;
use aead::common::array::Array;
use hex_literal::hex;
use sha2::Digest;
use std::vec::Vec;

const IV_256: [u8; 32] = hex!("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19");
const IV_512: [u8; 64] = hex!(
    "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1"
    "510e527fade682d19b05688c2b3e6c1f1f83d9abfb41bd6b5be0cd19137e2179"
);

/// FIPS 180-4, sections 5.1 and 6: padding to whole blocks with a length field of an eighth of a block, then one call a
/// block.
fn hash<const N: usize, const B: usize>(
    compress: fn(&[u8; N], &[u8; B]) -> [u8; N],
    iv: [u8; N],
    data: &[u8],
) -> [u8; N] {
    let mut padded = data.to_vec();
    padded.push(0x80);
    padded.resize((data.len() + 1 + B / 8).next_multiple_of(B) - 8, 0);
    padded.extend((8 * data.len() as u64).to_be_bytes());
    padded
        .as_chunks()
        .0
        .iter()
        .fold(iv, |h, block| compress(&h, block))
}

#[test]
fn hashes_abc_as_published() {
    assert_eq!(
        hash(sha256, IV_256, b"abc"),
        hex!("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    );
    assert_eq!(
        hash(sha512, IV_512, b"abc"),
        hex!(
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        )
    );
}

#[test]
fn hashes_every_length_as_the_sha2_crate() {
    for len in 0..300 {
        let data: Vec<u8> = (0..len).map(|i| (i * 7 + 3) as u8).collect();
        assert_eq!(
            hash(sha256, IV_256, &data),
            sha2::Sha256::digest(&data).0,
            "{len}"
        );
        assert_eq!(
            hash(sha512, IV_512, &data),
            sha2::Sha512::digest(&data).0,
            "{len}"
        );
    }
}

/// F' of the three, chaining value 00 01 .. and block 80 81 .., from an independent model.
#[test]
fn byte_order_of_chaining_value_and_block() {
    fn check<F: Compress>(first: [u8; 8]) {
        let mut h = Chain::<F>::from_fn(|i| i as u8);
        F::compress(&mut h, &Block::<F>::from_fn(|i| 128 + i as u8));
        assert_eq!(h[..8], first, "{}", F::NAME);
    }
    check::<Sha256>(hex!("be5c8651baf09879"));
    check::<Sha512>(hex!("ac43e5539daa759b"));
    check::<Blake2b>(hex!("ed93fc72fcc52c24"));
}

#[test]
fn trait_and_plain_functions_agree() {
    let h = core::array::from_fn(|i| 3 * i as u8);
    let block = core::array::from_fn(|i| 200 - i as u8);
    let mut chain = Array(h);
    Blake2b::compress(&mut chain, &Array(block));
    assert_eq!(chain.0, blake2b(&h, &block));
    let mut chain = Array(h);
    Sha512::compress(&mut chain, &Array(block));
    assert_eq!(chain.0, sha512(&h, &block));
    let h = core::array::from_fn(|i| 3 * i as u8);
    let block = core::array::from_fn(|i| 200 - i as u8);
    let mut chain = Array(h);
    Sha256::compress(&mut chain, &Array(block));
    assert_eq!(chain.0, sha256(&h, &block));
}
