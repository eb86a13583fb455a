// SPDX-License-Identifier: Apache-2.0
//! `kat --supercop`: SUPERCOP's checksums of 64 random cases, which its designers' and other people's codes share.
//!
//! SUPERCOP (bench.cr.yp.to) draws lengths, keys, nonces and texts from Salsa20 under a fixed key, and folds every ciphertext,
//! every plaintext that comes back and an empty string into a state of 64 bytes with the function under Salsa20. What it
//! publishes for a scheme, `checksumsmall`, is the first half of that state.

use salsa20::{
    Salsa20,
    cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
};
use sealwire::{DynAead, scheme};

/// Scheme and published checksum.
pub(super) const PUBLISHED: &[(&str, &str)] = &[
    (
        "aeadaes128ocbtaglen128v1",
        "cb8cba1cf52a3bc5e1d52b7099e86bdeac735588d69a1d23bbcd546e2f18df65",
    ),
    (
        "aescopav2",
        "44da7fb3d954d6d13704ac07e704a2d226acb414f62c619b876dc1606df92c10",
    ),
    (
        "deoxysi128v141",
        "9fbe8bdf47c93c36089905618e505dc86582bb38c7d08ac8362dfc0e021205d2",
    ),
    (
        "deoxysii128v141",
        "93bae1c800587ae79014659517516ff77553be35982d7850e870dbbfb7d35711",
    ),
    (
        "minalpherv11",
        "77f63256d89075deeb069e101f4a92a400c34f710ab6a07e1981da535a6dacda",
    ),
    (
        "scream10v3",
        "22b87a0d426bc88e5147f9e85724dc3571a7e9391e125766a13e9d0908b00719",
    ),
    (
        "scream12v3",
        "df7facfb88126955e3220c36173f6866887be065954c4695bef5cc5d1dbc49bf",
    ),
];

const CASES: usize = 64;
const LONGEST: u64 = 128; // of a text and of its associated data, in bytes

/// The checksum that the library gives, in hexadecimal; an error says which case failed, and how.
pub(super) fn checksum(name: &str) -> Result<String, String> {
    let scheme = scheme::find(name).map_err(|error| error.to_string())?;
    let mut drawn = Drawn { streams: 0 };
    let mut sum = Checksum([0; 64]);
    for case in 0..CASES {
        let text_len = drawn.number() % (LONGEST + 1);
        let ad_len = drawn.number() % (LONGEST + 1);
        let text = drawn.bytes(text_len as usize);
        let ad = drawn.bytes(ad_len as usize);
        drawn.bytes(0); // secret message number
        let nonce = drawn.bytes(scheme.nonce_len());
        let key = drawn.bytes(scheme.key_len());
        let failed = |error| format!("case {case}: {error}");
        let aead = scheme.with_key(&key).map_err(failed)?;
        let sealed = aead.seal(&nonce, &ad, &text).map_err(failed)?;
        sum.add(&sealed[..scheme.published_len(text.len())]);
        sum.add(&aead.open(&nonce, &ad, &sealed).map_err(failed)?);
        sum.add(&[]);
        for _ in 0..3 {
            refuses(&aead, &nonce, &ad, &sealed, drawn.number(), drawn.number())
                .map_err(|()| format!("case {case}: a forgery passed"))?;
        }
    }
    Ok(base16ct::lower::encode_string(&sum.0[..32]))
}

/// Whether one changed byte of what was sealed is refused.
fn refuses(
    aead: &DynAead,
    nonce: &[u8],
    ad: &[u8],
    sealed: &[u8],
    at: u64,
    by: u64,
) -> Result<(), ()> {
    let mut forged = sealed.to_vec();
    let at = (at % forged.len() as u64) as usize;
    forged[at] ^= (1 + by % 255) as u8;
    match aead.open(nonce, ad, &forged) {
        Ok(_) => Err(()),
        Err(_) => Ok(()),
    }
}

/// The function under Salsa20: key and 16 bytes to 64.
fn salsa20(key: &[u8; 32], input: &[u8; 16]) -> [u8; 64] {
    let (nonce, counter) = input.split_first_chunk::<8>().expect("16 bytes");
    let counter = u64::from_le_bytes(counter.try_into().expect("8 bytes"));
    let mut cipher = Salsa20::new(key.into(), nonce.into());
    cipher.seek(u128::from(counter) * 64);
    let mut block = [0; 64];
    cipher.apply_keystream(&mut block);
    block
}

/// Random strings, each from a stream of its own.
struct Drawn {
    streams: u64,
}

impl Drawn {
    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        let key = b"generate inputs for test vectors";
        Salsa20::new(key.into(), &self.streams.to_le_bytes().into()).apply_keystream(&mut bytes);
        self.streams += 1;
        bytes
    }

    fn number(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes(8).try_into().expect("8 bytes"))
    }
}

struct Checksum([u8; 64]);

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let (blocks, rest) = bytes.as_chunks::<16>();
        for block in blocks {
            self.step(block);
        }
        let mut last = [0; 16];
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 1;
        self.0[0] ^= 1;
        self.step(&last);
    }

    fn step(&mut self, block: &[u8; 16]) {
        let key = self.0.first_chunk().expect("64 bytes");
        self.0 = salsa20(key, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_checksum_comes_out() {
        for (name, published) in PUBLISHED {
            assert_eq!(checksum(name).as_deref(), Ok(*published), "{name}");
        }
    }

    #[test]
    fn a_sum_tells_lengths_and_bytes_apart() {
        let sum = |parts: &[&[u8]]| {
            let mut sum = Checksum([0; 64]);
            parts.iter().for_each(|part| sum.add(part));
            sum.0
        };
        assert_ne!(sum(&[b"ab"]), sum(&[b"a", b"b"]));
        assert_ne!(sum(&[&[0; 16]]), sum(&[&[0; 15]]));
        assert_ne!(sum(&[]), sum(&[b""]));
    }
}
