// SPDX-License-Identifier: Apache-2.0
//! Every scheme on arbitrary sizes: opening inverts sealing, a batch is its messages, every set of instructions gives the
//! same, and one wrong bit in a tag is refused with an empty-handed result.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use sealwire::compress::{Path, force_path};
use sealwire::scheme::find;
use sealwire::{Error, OpenPacket, SealPacket};

#[derive(Arbitrary, Debug)]
struct Input {
    function: u8,
    mode: u8,
    sizes: [u8; 3],
    key: [u8; 64],
    flip: (u8, u16),
    messages: Vec<(Vec<u8>, Vec<u8>)>,
}

/// A name of a mode over a compression function, and the lengths of key, nonce and tag.
fn omd(input: &Input) -> (String, [usize; 3]) {
    let (function, n) =
        [("sha256", 32), ("sha512", 64), ("blake2b", 64)][usize::from(input.function % 3)];
    let (mode, version) = [
        ("omd", "v1"),
        ("omd", "v2"),
        ("pomd", ""),
        ("sivomdp", ""),
        ("sivomds", ""),
    ][usize::from(input.mode % 13)];
    let [key, nonce, tag] = input.sizes.map(usize::from);
    let (key, nonce, tag) = (key % n + 1, nonce % (n - 1) + 1, tag % n + 1);
    let (k, n, t) = (8 * key, 8 * nonce, 8 * tag);
    let name = format!("{mode}{function}k{k}n{n}tau{t}{version}");
    (name, [key, nonce, tag])
}

/// A name of a form of AES-OTR, and the lengths of key, nonce and tag.
fn otr(input: &Input) -> (String, [usize; 3]) {
    let form = ['p', 's', 'c'][usize::from(input.function % 3)];
    let [key, nonce, tag] = input.sizes.map(usize::from);
    let (key, nonce, tag) = ([16, 32][key % 2], nonce % 15 + 1, tag % 16 + 1);
    let (k, n, t) = (8 * key, 8 * nonce, 8 * tag);
    let name = match (n, t) {
        (96, 128) => format!("aes{k}otr{form}v3"),
        _ => format!("aes{k}otr{form}v3n{n}tau{t}"),
    };
    (name, [key, nonce, tag])
}

/// A name of Deoxys, and the lengths of key, nonce and tag.
fn deoxys(input: &Input) -> (String, [usize; 3]) {
    let (mode, nonce) = [("i", 8), ("ii", 15)][usize::from(input.function % 2)];
    let (sizes, key) =
        [("128v143", 16), ("256v143", 32), ("128v141", 16)][usize::from(input.sizes[0] % 3)];
    (format!("deoxys{mode}{sizes}"), [key, nonce, 16])
}

/// A name of OCB, and the lengths of key, nonce and tag.
fn ocb(input: &Input) -> (String, [usize; 3]) {
    let key = [16, 24, 32][usize::from(input.sizes[0] % 3)];
    let tag = [8, 12, 16][usize::from(input.sizes[2] % 3)];
    let (k, t) = (8 * key, 8 * tag);
    (format!("aeadaes{k}ocbtaglen{t}v1"), [key, 12, tag])
}

/// A name of AES-GCM, and the lengths of key, nonce and tag.
fn gcm(input: &Input) -> (String, [usize; 3]) {
    let key = [16, 32][usize::from(input.sizes[0] % 2)];
    (format!("aes{}gcmv1", 8 * key), [key, 12, 16])
}

/// A name of COLM or AES-COPA, and the lengths of key, nonce and tag.
fn chained(input: &Input) -> (String, [usize; 3]) {
    let (name, nonce, tag) =
        [("colm0v1", 8, 16), ("aescopav2", 16, 33)][usize::from(input.function % 2)];
    (name.into(), [16, nonce, tag])
}

/// A name of AEGIS, and the lengths of key, nonce and tag.
fn aegis(input: &Input) -> (String, [usize; 3]) {
    let (size, key) = [("128l", 16), ("256", 32)][usize::from(input.sizes[0] % 2)];
    let tag = [16, 32][usize::from(input.sizes[2] % 2)];
    (format!("aegis{size}tau{}", 8 * tag), [key, key, tag])
}

/// A name of SCREAM or Minalpher, and the lengths of key, nonce and tag.
fn sliced(input: &Input) -> (String, [usize; 3]) {
    let (name, nonce, tag) = [
        ("scream10v3", 11, 16),
        ("scream12v3", 11, 16),
        ("minalpherv11", 13, 48),
    ][usize::from(input.function % 3)];
    (name.into(), [16, nonce, tag])
}

/// A name of an AEAD of Ascon, and the lengths of key, nonce and tag.
fn ascon(input: &Input) -> (String, [usize; 3]) {
    let name = ["asconaead128", "ascon128v12"][usize::from(input.function % 2)];
    (name.into(), [16, 16, 16])
}

fuzz_target!(|input: Input| {
    let (name, [key, nonce, tag]) = match input.mode % 14 {
        0..5 => omd(&input),
        5 | 6 => otr(&input),
        7 => deoxys(&input),
        8 => ocb(&input),
        9 => gcm(&input),
        10 => chained(&input),
        11 => aegis(&input),
        12 => sliced(&input),
        _ => ascon(&input),
    };
    let scheme = find(&name).expect("legal sizes");
    // Blocks of the heap as long as what they hold, so that AddressSanitizer sees a read of one byte more.
    let messages: Vec<_> = input
        .messages
        .into_iter()
        .take(20)
        .map(|(message, ad)| (message.into_boxed_slice(), ad.into_boxed_slice()))
        .collect();
    let nonces: Vec<_> = (0..messages.len()).map(|i| vec![i as u8; nonce]).collect();

    let mut first: Option<Vec<Vec<u8>>> = None;
    for path in Path::ALL.iter().filter(|path| path.available()) {
        force_path(Some(*path));
        let cipher = scheme.with_key(&input.key[..key]).expect("the length");
        let sealed: Vec<_> = messages
            .iter()
            .zip(&nonces)
            .map(|((message, ad), nonce)| cipher.seal(nonce, &**ad, message).expect("legal"))
            .collect();

        let mut buffers: Vec<_> = messages
            .iter()
            .map(|(message, _)| message.to_vec())
            .collect();
        let mut tags = vec![vec![0; tag]; messages.len()];
        let mut packets: Vec<_> = buffers
            .iter_mut()
            .zip(&mut tags)
            .zip(messages.iter().zip(&nonces))
            .map(|((buffer, tag), ((_, ad), nonce))| SealPacket::new(nonce, &**ad, buffer, tag))
            .collect();
        assert_eq!(cipher.seal_batch(&mut packets), messages.len());
        for ((buffer, tag), sealed) in buffers.iter().zip(&tags).zip(&sealed) {
            assert_eq!([&buffer[..], tag].concat(), *sealed);
        }

        // One of them with a wrong bit in its tag; short tags may be hit by chance in no case with one bit.
        let forged = (!tags.is_empty()).then(|| usize::from(input.flip.0) % tags.len());
        if let Some(forged) = forged {
            let bit = usize::from(input.flip.1) % (8 * tag);
            tags[forged][bit / 8] ^= 1 << (bit % 8);
        }
        let mut packets: Vec<_> = buffers
            .iter_mut()
            .zip(&tags)
            .zip(messages.iter().zip(&nonces))
            .map(|((buffer, tag), ((_, ad), nonce))| OpenPacket::new(nonce, &**ad, buffer, tag))
            .collect();
        let good = cipher.open_batch(&mut packets);
        // In SIV-OMD the tag decides the plaintext, so that another tag may fit by chance: once in 2^tau.
        if tag >= 4 || !name.starts_with("siv") {
            assert_eq!(good + usize::from(forged.is_some()), messages.len());
            for (i, packet) in packets.iter().enumerate() {
                if Some(i) == forged {
                    assert_eq!(packet.result, Err(Error::InvalidTag));
                    assert!(packet.buffer.iter().all(|byte| *byte == 0));
                } else {
                    assert_eq!(*packet.buffer, *messages[i].0);
                }
            }
        }
        assert_eq!(
            *first.get_or_insert_with(|| sealed.clone()),
            sealed,
            "{path}"
        );
    }
    force_path(None);
});
