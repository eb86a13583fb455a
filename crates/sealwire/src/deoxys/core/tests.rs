// SPDX-License-Identifier: Apache-2.0
//! Answers of the specification on every kind of instructions, and all lengths around the borders of vectors and spans against single
//! calls of the cipher.

use super::*;
use crate::cpu::Path;
use hex_literal::hex;
use std::vec::Vec;

const KEY: [u8; 32] = hex!("101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f");

fn core(mode: Mode, version: Version, key_len: usize) -> Core {
    let variant = Variant {
        mode,
        version,
        key_len,
    };
    Core::new(&KEY[..key_len], variant)
}

/// Bytes without a pattern.
fn bytes(len: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_u32;
    core::iter::repeat_with(|| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x as u8
    })
    .take(len)
    .collect()
}

/// A single block by the definition of the cipher: AES's rounds from its S-box, the tweakey moved round by round.
mod definition {
    use super::Version;

    const H: [usize; 16] = [1, 6, 11, 12, 5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8];

    fn times(mut x: u8, mut y: u8) -> u8 {
        let mut product = 0;
        while y > 0 {
            if y & 1 == 1 {
                product ^= x;
            }
            x = (x << 1) ^ ((x >> 7) * 0x1b);
            y >>= 1;
        }
        product
    }

    fn substitute(x: u8) -> u8 {
        // x^254 is the inverse, and of zero it is zero.
        let inverse = (0..253).fold(x, |power, _| times(power, x));
        (0..5).fold(0x63, |sum, turn| sum ^ inverse.rotate_left(turn))
    }

    fn moved(word: [u8; 16], version: Version) -> [u8; 16] {
        let mut out = [0; 16];
        for (i, h) in H.into_iter().enumerate() {
            match version {
                Version::V141 => out[h] = word[i],
                Version::V143 => out[i] = word[h],
            }
        }
        out
    }

    pub(super) fn encipher(key: &[u8], version: Version, tweak: u128, x: [u8; 16]) -> [u8; 16] {
        let sbox: Vec<u8> = (0..=255).map(substitute).collect();
        let mut words: Vec<[u8; 16]> = Vec::new();
        words.push(tweak.to_be_bytes());
        words.push(*key.last_chunk().unwrap());
        if key.len() == 32 {
            words.push(*key.first_chunk().unwrap());
        }
        let rounds = if key.len() == 32 { 16 } else { 14 };
        let (mut x, mut constant) = (x, 0x2f);
        for round in 0..=rounds {
            if round > 0 {
                let s = x.map(|byte| sbox[usize::from(byte)]);
                for i in 0..16 {
                    let at = |row: usize| s[(i / 4 * 4 + 4 * row + row) % 16];
                    let row = i % 4;
                    x[i] = times(at(row), 2)
                        ^ times(at((row + 1) % 4), 3)
                        ^ at((row + 2) % 4)
                        ^ at((row + 3) % 4);
                }
            }
            for i in 0..16 {
                x[i] ^= words.iter().fold(0, |sum, word| sum ^ word[i])
                    ^ match i {
                        0..4 => 1 << i,
                        4..8 => constant,
                        _ => 0,
                    };
            }
            constant = times(constant, 2);
            for (i, word) in words.iter_mut().enumerate() {
                *word = moved(*word, version).map(|x| match i {
                    0 => x,
                    1 => x << 1 | (x >> 7 ^ x >> 5) & 1,
                    _ => x >> 1 | (x ^ x >> 6) << 7,
                });
            }
        }
        x
    }

    use std::vec::Vec;
}

/// Both directions of the cipher over a string, and its sum and its key stream, on one kind of instructions.
struct Strings<'a> {
    key: &'a Key,
    tweak: u128,
    plain: &'a [u8],
    enciphered: &'a [u8],
}

fn sum(data: &[u8]) -> [u8; 16] {
    let mut all = [0; 16];
    data.as_chunks::<16>()
        .0
        .iter()
        .for_each(|x| xor(&mut all, x));
    all
}

impl Task for Strings<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Rounds>(self, cpu: R) {
        let (key, tweak) = (self.key, self.tweak);
        for blocks in (0..70).chain([255, 256, 257, 290, 511, 512, 513, 530]) {
            let (plain, expected) = (&self.plain[..16 * blocks], &self.enciphered[..16 * blocks]);
            let mut text = plain.to_vec();
            let name = R::NAME;
            let of_plain = cipher::text(cpu, key, tweak, &mut text, false);
            assert_eq!(of_plain, sum(plain), "{name} {blocks}");
            assert!(text == expected, "{name} {blocks}");
            let of_plain = cipher::text(cpu, key, tweak, &mut text, true);
            assert_eq!(of_plain, sum(plain), "{name} {blocks}");
            assert!(text == plain, "{name} {blocks}");
            let hashed = cipher::hash(cpu, key, tweak, plain);
            assert_eq!(hashed, sum(expected), "{name} {blocks}");
        }
    }
}

fn paths() -> impl Iterator<Item = Path> {
    Path::ALL.iter().copied().filter(|path| path.available())
}

#[test]
fn strings_are_single_blocks_by_the_definition() {
    let plain = bytes(16 * 530);
    // The last bits of the tweak are zero, as the number of a block wants them.
    let tweak = u128::from_be_bytes(hex!("a3c1e5f70918b6d4425364758697a000")) >> 12 << 12;
    for (version, key_len) in [
        (Version::V141, 16),
        (Version::V143, 16),
        (Version::V143, 32),
        (Version::V141, 32),
    ] {
        let enciphered: Vec<u8> = plain
            .as_chunks::<16>()
            .0
            .iter()
            .enumerate()
            .flat_map(|(i, x)| {
                definition::encipher(&KEY[..key_len], version, tweak ^ i as u128, *x)
            })
            .collect();
        let key = Key::new(&KEY[..key_len], version);
        for path in paths() {
            cipher::run_on(
                path,
                Strings {
                    key: &key,
                    tweak,
                    plain: &plain,
                    enciphered: &enciphered,
                },
            );
        }
    }
}

/// A key stream of every length.
struct Streams<'a> {
    key: &'a Key,
    tweak: u128,
    stream: &'a [u8],
}

impl Task for Streams<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Rounds>(self, cpu: R) {
        let block = [7; 16];
        for len in (0..600).chain(4090..4110) {
            let mut text = bytes(len);
            let expected: Vec<u8> = text.iter().zip(self.stream).map(|(x, y)| x ^ y).collect();
            cipher::stream(cpu, self.key, self.tweak, &block, &mut text);
            assert!(text == expected, "{} {len}", R::NAME);
        }
    }
}

#[test]
fn key_streams_of_every_length() {
    let key = Key::new(&KEY[..16], Version::V143);
    let tweak = 0xd5 << 120;
    let stream: Vec<u8> = (0..260)
        .flat_map(|i| definition::encipher(&KEY[..16], Version::V143, tweak ^ i, [7; 16]))
        .collect();
    for path in paths() {
        cipher::run_on(
            path,
            Streams {
                key: &key,
                tweak,
                stream: &stream,
            },
        );
    }
}

#[test]
fn a_session_is_the_keys_own() {
    let one = core(Mode::One, Version::V143, 16);
    let other = core(Mode::One, Version::V143, 32);
    let session = mode::Mode::session_ad(&one, b"associated data").unwrap();
    for len in [0, 1, 16, 40] {
        let (mut text, mut tag) = (bytes(len), [0; 16]);
        let (mut again, mut tag_again) = (bytes(len), [0; 16]);
        let by_session = one.one(&[1; 8], Ad::Session(&session), &mut text, None, &mut tag);
        assert_eq!(by_session, Ok(()));
        one.one(
            &[1; 8],
            Ad::Bytes(b"associated data"),
            &mut again,
            None,
            &mut tag_again,
        )
        .unwrap();
        assert_eq!((text, tag), (again, tag_again));
        let foreign = other.one(&[1; 8], Ad::Session(&session), &mut [], None, &mut tag);
        assert_eq!(foreign, Err(Error::ForeignSessionAd));
    }
}

#[test]
fn answers_of_the_specification() {
    let ad = hex!("000102030405060708090a0b0c0d0e0f10");
    let one = core(Mode::One, Version::V143, 16);
    let mut text = hex!("ee8f487e01f5a101dee6cfd5915d6b5b2c5b6305c782bc7e727bd08096e4208216");
    let sealed = hex!("09af865850abc0bce7d35f664a63e41b1475d0385e31a6551edf69ea9f2f8b8ed4");
    let tag = hex!("9326c6c2a0b7f065e591eb9050169603");
    let nonce = hex!("2021222324252627");
    let plain = text;
    let mut made = [0; 16];
    one.one(&nonce, Ad::Bytes(&ad), &mut text, None, &mut made)
        .unwrap();
    assert_eq!((text, made), (sealed, tag));
    let mut expected = [0; 16];
    one.one(&nonce, Ad::Bytes(&ad), &mut text, Some(&tag), &mut expected)
        .unwrap();
    assert_eq!((text, expected), (plain, tag));
}
