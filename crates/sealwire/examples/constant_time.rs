// SPDX-License-Identifier: Apache-2.0
//! Whether running time shows secrets, by statistics (the method of dudect: Reparaz, Balasch, Verbauwhede, DATE 2017).
//!
//! Two classes of inputs that differ in secrets only are measured in random order; Welch's t-test says whether their times
//! differ, over all measurements and over those below each of several percentiles, because slow ones are mostly the
//! system's noise. |t| > 10 counts as a leak. One case leaks on purpose (a comparison that stops at the first difference) and
//! must be found: a test that cannot fail says nothing. Passing is no proof. Every scheme listed is measured on every
//! path of the CPU that has code of its own for it.
//!
//!     cargo run --release -p sealwire --example constant_time -- [MEASUREMENTS [NAME...]]
//!
//! 100000 measurements a case by default, 1000 at least; with names, only schemes whose names contain one of them.

use sealwire::compress::{Path, force_path};
use sealwire::mac::{self, DynMac, TagMessage};
use sealwire::scheme::find;
use sealwire::{DynAead, Error, SealPacket};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// What counts as evidence.
const LIMIT: f64 = 10.0;

/// Fewer measurements say nothing.
const LEAST: usize = 1000;

const AEADS: &[&str] = &[
    "omd-sha512",
    "omd-sha256",
    "omd-blake2b",
    "pomd-sha512",
    "sivomdp-sha512",
    "otr-aes128-p",
    "otr-aes128-s",
    "otr-aes128-c",
    "otr-aes256-s",
    "deoxys-i-128",
    "deoxys-ii-256",
    "ocb-aes128",
    "gcm-aes128",
    "colm-aes128",
    "copa-aes128",
    "aegis-128l",
    "aegis-256",
    "scream-10",
    "minalpher",
    "ascon-aead128",
];
const MACS: [&str; 4] = ["ascon-mac", "fsks-64", "ascon-prf-192", "ascon-farfalle"];

/// Measures a scheme and gives the largest |t|.
type Measure = fn(&str, usize, &mut Random) -> f64;

const OF_AEADS: [(&str, Measure); 6] = [
    ("wrong tag (first byte, last byte)", wrong_tag),
    ("message (fixed, random)", message),
    ("nine messages a call (fixed, random)", batch),
    ("key in use (fixed, random)", keys),
    ("key set-up (zeros, random)", set_up),
    ("forged plaintext (zeros, random)", forged),
];
const OF_MACS: [(&str, Measure); 5] = [
    ("wrong tag (first byte, last byte)", mac_wrong_tag),
    ("message (fixed, random)", mac_message),
    ("nine messages a call (fixed, random)", mac_batch),
    ("key in use (fixed, random)", mac_keys),
    ("key set-up (zeros, random)", mac_set_up),
];

fn main() -> ExitCode {
    let (count, wanted) = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("constant_time: {message}");
            return ExitCode::from(2);
        }
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut good = true;
    println!("{:<66} {:>9}", "case (classes)", "max |t|");
    let mut report = |name: &str, t: f64, leaks: bool| {
        let right = (t > LIMIT) == leaks;
        good &= right;
        let verdict = match (leaks, right) {
            (true, true) => "leaks, as it must",
            (true, false) => "NOT FOUND: the measurement is blind",
            (false, true) => "no evidence of a leak",
            (false, false) => "LEAKS",
        };
        println!("{name:<66} {t:>9.2}  {verdict}");
    };

    report(
        "control: early-exit comparison (first, last byte)",
        early_exit(count, &mut random),
        true,
    );
    let schemes = AEADS.iter().map(|alias| (alias, &OF_AEADS[..]));
    let schemes = schemes.chain(MACS.iter().map(|alias| (alias, &OF_MACS[..])));
    for (alias, cases) in schemes {
        if !(wanted.is_empty() || wanted.iter().any(|word| alias.contains(word.as_str()))) {
            continue;
        }
        for path in Path::ALL.iter().filter(|path| path.available()) {
            if !serves(*path, alias) {
                continue;
            }
            force_path(Some(*path));
            for (case, measure) in cases {
                let name = format!("{alias}, {path}: {case}");
                report(&name, measure(alias, count, &mut random), false);
            }
        }
    }
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Whether the path has code of its own for this scheme: the instructions for SHA-256 serve nothing else, and VAES on registers of 256
/// bits serves what enciphers block by block.
fn serves(path: Path, alias: &str) -> bool {
    let ciphers = ["otr-", "ocb-", "deoxys-", "copa-", "colm-"];
    match path.to_string().as_str() {
        "avx2-sha" => alias.contains("sha256"),
        "avx2-vaes" => ciphers.iter().any(|cipher| alias.starts_with(cipher)),
        _ => true,
    }
}

/// Measurements a case, and parts of names; an error if one of them is in no name.
fn arguments(mut words: impl Iterator<Item = String>) -> Result<(usize, Vec<String>), String> {
    let count = match words.next() {
        None => 100_000,
        Some(word) => match word.parse() {
            Ok(count) if count >= LEAST => count,
            _ => {
                return Err(format!(
                    "measurements a case come first, {LEAST} or more, not {word:?}"
                ));
            }
        },
    };
    let wanted: Vec<_> = words.collect();
    let names = [AEADS, &MACS].concat();
    match wanted
        .iter()
        .find(|word| !names.iter().any(|name| name.contains(word.as_str())))
    {
        Some(word) => Err(format!(
            "no scheme with {word:?} in its name; there are {}",
            names.join(", ")
        )),
        None => Ok((count, wanted)),
    }
}

/// A tag comparison as it must not be.
fn early_exit(count: usize, random: &mut Random) -> f64 {
    let secret: [u8; 64] = random.bytes();
    compare(
        count,
        random,
        |class, _| {
            let mut tag = secret;
            tag[if class { 63 } else { 0 }] ^= 1;
            tag
        },
        |tag| {
            let mut equal = 0;
            for _ in 0..8 {
                let (a, b) = (black_box(&secret), black_box(&*tag));
                equal += usize::from(a.iter().zip(b).take_while(|(x, y)| x == y).count() == 64);
            }
            equal
        },
    )
}

fn cipher(alias: &str, key: &[u8]) -> DynAead {
    let scheme = find(alias).expect("an alias");
    scheme
        .with_key(&key[..scheme.key_len()])
        .expect("the length")
}

/// A message that is sealed, with a wrong bit in the first or in the last byte of its tag.
fn wrong_tag(alias: &str, count: usize, random: &mut Random) -> f64 {
    let cipher = cipher(alias, &random.bytes::<64>());
    let nonce = [7; 64];
    let nonce = &nonce[..cipher.scheme().nonce_len()];
    let (mut buffer, mut right) = ([0x5a; 128], [0; 64]);
    let len = cipher.scheme().tag_len();
    cipher
        .seal_in_place_detached(nonce, b"ad", &mut buffer, &mut right[..len])
        .expect("legal");
    compare(
        count,
        random,
        |class, _| {
            let mut tag = right;
            tag[if class { len - 1 } else { 0 }] ^= 1;
            (tag, buffer)
        },
        |(tag, buffer)| {
            let result = cipher.open_in_place_detached(nonce, b"ad", buffer, &tag[..len]);
            assert_eq!(result, Err(Error::InvalidTag));
        },
    )
}

/// Sealing one known message, or a random one.
fn message(alias: &str, count: usize, random: &mut Random) -> f64 {
    let cipher = cipher(alias, &random.bytes::<64>());
    let (nonce, tag_len) = ([9; 64], cipher.scheme().tag_len());
    let nonce = &nonce[..cipher.scheme().nonce_len()];
    compare(
        count,
        random,
        |class, random| if class { random.bytes() } else { [0; 200] },
        |buffer| {
            let mut tag = [0; 64];
            cipher
                .seal_in_place_detached(nonce, b"ad", buffer, &mut tag[..tag_len])
                .expect("legal");
            tag
        },
    )
}

/// The same in a batch: lanes that are full, and one message that is alone.
fn batch(alias: &str, count: usize, random: &mut Random) -> f64 {
    let cipher = cipher(alias, &random.bytes::<64>());
    let (nonce, tag_len) = ([9; 64], cipher.scheme().tag_len());
    let nonce = &nonce[..cipher.scheme().nonce_len()];
    compare(
        count / 4,
        random,
        |class, random| [if class { random.bytes() } else { [0; 200] }; 9],
        |buffers| {
            let mut tags = [[0; 64]; 9];
            let mut packets: Vec<_> = buffers
                .iter_mut()
                .zip(&mut tags)
                .map(|(buffer, tag)| SealPacket::new(nonce, b"ad", buffer, &mut tag[..tag_len]))
                .collect();
            assert_eq!(cipher.seal_batch(&mut packets), 9);
            tags
        },
    )
}

/// Sealing the same message under a known key, or under one of many random ones.
fn keys(alias: &str, count: usize, random: &mut Random) -> f64 {
    let fixed = cipher(alias, &[0; 64]);
    let others: Vec<_> = (0..256)
        .map(|_| cipher(alias, &random.bytes::<64>()))
        .collect();
    let tag_len = fixed.scheme().tag_len();
    let nonce = [9; 64];
    let nonce = &nonce[..fixed.scheme().nonce_len()];
    compare(
        count,
        random,
        // A copy for each measurement: an object that stays where it is has a time of its own.
        |class, random| {
            let index = random.next() as usize % others.len();
            (
                if class { &others[index] } else { &fixed }.clone(),
                [0; 200],
            )
        },
        |(cipher, buffer)| {
            let mut tag = [0; 64];
            cipher
                .seal_in_place_detached(nonce, b"ad", buffer, &mut tag[..tag_len])
                .expect("legal");
            tag
        },
    )
}

/// L*, the doublings and their carries, the schedule.
fn set_up(alias: &str, count: usize, random: &mut Random) -> f64 {
    let scheme = find(alias).expect("an alias");
    compare(
        count / 4,
        random,
        |class, random| if class { random.bytes() } else { [0; 64] },
        |key| {
            scheme
                .with_key(&key[..scheme.key_len()])
                .expect("the length")
        },
    )
}

/// A forged ciphertext that decrypts to zeros, or to something random: what is never released must not show either.
fn forged(alias: &str, count: usize, random: &mut Random) -> f64 {
    let cipher = cipher(alias, &random.bytes::<64>());
    let nonce = [7; 64];
    let nonce = &nonce[..cipher.scheme().nonce_len()];
    let len = cipher.scheme().tag_len();
    let (mut zeros, mut tag) = ([0; 128], [0; 64]);
    cipher
        .seal_in_place_detached(nonce, b"ad", &mut zeros, &mut tag[..len])
        .expect("legal");
    tag[0] ^= 1;
    compare(
        count,
        random,
        |class, random| if class { random.bytes() } else { zeros },
        |buffer| {
            let result = cipher.open_in_place_detached(nonce, b"ad", buffer, &tag[..len]);
            assert_eq!(result, Err(Error::InvalidTag));
        },
    )
}

fn keyed_mac(alias: &str, key: &[u8; 16]) -> DynMac {
    let scheme = mac::find(alias).expect("an alias");
    scheme.with_key(key).expect("the length")
}

/// A tag with a wrong bit in the first or in the last byte.
fn mac_wrong_tag(alias: &str, count: usize, random: &mut Random) -> f64 {
    let mac = keyed_mac(alias, &random.bytes());
    let (message, mut right) = ([0x5a; 200], [0; 16]);
    mac.tag(&message, &mut right).expect("legal");
    compare(
        count,
        random,
        |class, _| {
            let mut tag = right;
            tag[if class { 15 } else { 0 }] ^= 1;
            tag
        },
        |tag| assert_eq!(mac.verify(&message, tag), Err(Error::InvalidTag)),
    )
}

/// The tag of one known message, or of a random one.
fn mac_message(alias: &str, count: usize, random: &mut Random) -> f64 {
    let mac = keyed_mac(alias, &random.bytes());
    compare(
        count,
        random,
        |class, random| if class { random.bytes() } else { [0; 400] },
        |message| {
            let mut tag = [0; 16];
            mac.tag(message, &mut tag).expect("legal");
            tag
        },
    )
}

/// The same in a batch: lanes that are full, and one message that is alone.
fn mac_batch(alias: &str, count: usize, random: &mut Random) -> f64 {
    let mac = keyed_mac(alias, &random.bytes());
    compare(
        count / 4,
        random,
        |class, random| if class { random.bytes() } else { [0; 200] },
        |message| {
            let mut tags = [[0; 16]; 9];
            let mut messages = tags.each_mut().map(|tag| TagMessage::new(message, tag));
            assert_eq!(mac.tag_batch(&mut messages), 9);
            tags
        },
    )
}

/// The tag of the same message under a known key, or under one of many random ones.
fn mac_keys(alias: &str, count: usize, random: &mut Random) -> f64 {
    let fixed = keyed_mac(alias, &[0; 16]);
    let others: Vec<_> = (0..256)
        .map(|_| keyed_mac(alias, &random.bytes()))
        .collect();
    compare(
        count,
        random,
        |class, random| {
            let index = random.next() as usize % others.len();
            if class { &others[index] } else { &fixed }.clone()
        },
        |mac| {
            let mut tag = [0; 16];
            mac.tag(&[0x5a; 200], &mut tag).expect("legal");
            tag
        },
    )
}

/// The permutation of the key.
fn mac_set_up(alias: &str, count: usize, random: &mut Random) -> f64 {
    compare(
        count / 4,
        random,
        |class, random| if class { random.bytes() } else { [0; 16] },
        |key| keyed_mac(alias, key),
    )
}

/// Measures `run` on inputs of two classes in random order and gives the largest |t|.
fn compare<I, O>(
    count: usize,
    random: &mut Random,
    make: impl Fn(bool, &mut Random) -> I,
    run: impl Fn(&mut I) -> O,
) -> f64 {
    const BATCH: usize = 512;
    let mut times: Vec<(bool, f64)> = Vec::with_capacity(count + BATCH);
    let mut warm = false;
    while times.len() < count {
        let mut inputs: Vec<_> = (0..BATCH)
            .map(|_| {
                let class = random.next() >> 63 == 1;
                (class, make(class, random))
            })
            .collect();
        for (class, input) in &mut inputs {
            let input = black_box(input);
            let begin = Instant::now();
            black_box(run(input));
            let time = begin.elapsed();
            times.push((*class, time.as_nanos() as f64));
        }
        if !warm {
            times.clear();
            warm = true;
        }
    }
    let mut sorted: Vec<_> = times.iter().map(|(_, time)| *time).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    [0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0]
        .iter()
        .map(|part| sorted[((sorted.len() - 1) as f64 * part) as usize])
        .map(|most| welch(times.iter().filter(|(_, time)| *time <= most)))
        .fold(0.0, f64::max)
}

/// |t| of Welch's test.
fn welch<'a>(times: impl Iterator<Item = &'a (bool, f64)>) -> f64 {
    let mut classes = [(0.0, 0.0, 0.0); 2]; // count, mean, sum of squares about the mean
    for (class, time) in times {
        let (n, mean, squares) = &mut classes[usize::from(*class)];
        *n += 1.0;
        let delta = time - *mean;
        *mean += delta / *n;
        *squares += delta * (time - *mean);
    }
    let [(n0, mean0, squares0), (n1, mean1, squares1)] = classes;
    if n0 < 2.0 || n1 < 2.0 {
        return 0.0;
    }
    let error = squares0 / (n0 - 1.0) / n0 + squares1 / (n1 - 1.0) / n1;
    let difference: f64 = mean0 - mean1;
    if difference == 0.0 {
        0.0
    } else {
        difference.abs() / error.sqrt()
    }
}

/// xorshift64*: inputs need not be secret here.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| (self.next() >> 32) as u8)
    }
}
