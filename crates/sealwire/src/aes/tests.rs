// SPDX-License-Identifier: Apache-2.0
//! Every engine against the examples of FIPS 197, and everything an engine can do against the `aes` crate and numbers.

use super::*;
use crate::cpu::Path;
use crate::gf::double;
use aes::cipher::Array;
use hex_literal::hex;
use std::vec::Vec;

/// Does a task on one engine after the other that this CPU has; the path of the process is not touched.
fn on_every_engine<A: Cipher, T: Task<A>>(key: &[u8], task: impl Fn(Path) -> T) -> Vec<T::Output> {
    let key = Key::<A>::new(key);
    let paths = Path::ALL.iter().copied().filter(|path| path.available());
    paths.map(|path| key.run_on(path, task(path))).collect()
}

/// E of one block.
struct One([u8; 16]);

impl<A: Cipher> Task<A> for One {
    type Output = [u8; 16];

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> [u8; 16] {
        engine.write(engine.block(engine.read(&self.0)))
    }
}

#[test]
fn examples_of_fips_197() {
    let key: Vec<u8> = (0..32).collect();
    let plain = || One(hex!("00112233445566778899aabbccddeeff"));
    for block in on_every_engine::<Aes128, _>(&key[..16], |_| plain()) {
        assert_eq!(block, hex!("69c4e0d86a7b0430d8cdb78070b4c55a"));
    }
    for block in on_every_engine::<Aes256, _>(&key, |_| plain()) {
        assert_eq!(block, hex!("8ea2b7ca516745bfeafc49904b496089"));
    }
    for block in on_every_engine::<Aes192, _>(&key[..24], |_| plain()) {
        assert_eq!(block, hex!("dda97ca4864cdfe06eaf70a0ec0d7191"));
    }
}

#[test]
fn inverse_examples_of_fips_197() {
    let key: Vec<u8> = (0..32).collect();
    let plain = hex!("00112233445566778899aabbccddeeff");
    let cipher = || One(hex!("69c4e0d86a7b0430d8cdb78070b4c55a"));
    for block in on_every_engine::<Inverse<Aes128>, _>(&key[..16], |_| cipher()) {
        assert_eq!(block, plain);
    }
    let cipher = || One(hex!("dda97ca4864cdfe06eaf70a0ec0d7191"));
    for block in on_every_engine::<Inverse<Aes192>, _>(&key[..24], |_| cipher()) {
        assert_eq!(block, plain);
    }
    let cipher = || One(hex!("8ea2b7ca516745bfeafc49904b496089"));
    for block in on_every_engine::<Inverse<Aes256>, _>(&key, |_| cipher()) {
        assert_eq!(block, plain);
    }
}

/// Bytes without a pattern.
fn bytes<const N: usize>(seed: u32) -> [u8; N] {
    let mut x = seed.wrapping_mul(0x9e37_79b9) | 1;
    core::array::from_fn(|_| {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x as u8
    })
}

fn number(seed: u32) -> u128 {
    u128::from_be_bytes(bytes(seed))
}

/// Everything that an engine can do, for vectors of any number of lanes up to 4.
struct Everything<'a> {
    path: Path,
    expected: &'a dyn Fn(u128) -> u128,
}

impl<A: Cipher> Task<A> for Everything<'_> {
    type Output = (Path, &'static str);

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) -> (Path, &'static str) {
        self.blocks(engine);
        self.encryption::<E, 1>(engine);
        self.encryption::<E, 4>(engine);
        self.encryption::<E, 8>(engine);
        self.lanes(engine);
        self.texts(engine);
        self.powers(engine);
        (self.path, E::NAME)
    }
}

/// Which steps were taken.
struct Steps(Vec<usize>);

impl Work for Steps {
    const STEPS: usize = 9;

    fn step(&mut self, i: usize) {
        self.0.push(i);
    }
}

/// Blocks as numbers, and vectors as lists of them.
fn block<E: Engine>(engine: E, x: E::Block) -> u128 {
    u128::from_be_bytes(engine.write(x))
}

fn vector<E: Engine>(engine: E, seed: u32) -> (E::Vector, Vec<u128>) {
    let text = bytes::<64>(seed);
    let blocks = text.as_chunks().0.iter().map(|x| u128::from_be_bytes(*x));
    (engine.load(&text), blocks.take(E::LANES).collect())
}

fn lanes<E: Engine>(engine: E, x: E::Vector) -> Vec<u128> {
    (0..E::LANES)
        .map(|i| block(engine, engine.lane(&[x], i)))
        .collect()
}

fn sums(x: &[u128], y: &[u128]) -> Vec<u128> {
    x.iter().zip(y).map(|(x, y)| x ^ y).collect()
}

fn repeated_doubling(x: u128, times: u32) -> u128 {
    let mut x = x.to_be_bytes();
    (0..times).for_each(|_| double(&mut x, number::REDUCTION.into()));
    u128::from_be_bytes(x)
}

impl Everything<'_> {
    fn blocks<E: Engine>(&self, engine: E) {
        let path = self.path;
        for seed in 0..50 {
            let x = engine.read(&bytes(seed));
            assert_eq!(block(engine, x), number(seed), "{path}");
            let y = engine.plus(x, engine.read(&bytes(seed + 1)));
            assert_eq!(block(engine, y), number(seed) ^ number(seed + 1), "{path}");
            for power in 1..16 {
                let expected = repeated_doubling(number(seed), power);
                assert_eq!(
                    block(engine, engine.times(x, power)),
                    expected,
                    "{path} {power}"
                );
            }
            for len in 0..=16 {
                let mut padded = bytes::<16>(seed);
                padded[len..].fill(0);
                let some = engine.read_some(&bytes::<16>(seed)[..len]);
                assert_eq!(engine.write(some), padded, "{path} {len}");
                if let Some(end) = padded.get_mut(len) {
                    *end = 0x80;
                }
                assert_eq!(engine.write(engine.pad(x, len)), padded, "{path} {len}");
                let mut written = bytes::<40>(seed + 2);
                let mut expected = written;
                expected[7..7 + len].copy_from_slice(&bytes::<16>(seed)[..len]);
                engine.write_some(x, &mut written[7..7 + len]);
                assert_eq!(written, expected, "{path} {len}");
            }
        }
    }

    fn encryption<E: Engine, const N: usize>(&self, engine: E) {
        let path = self.path;
        let mut x: [_; N] = core::array::from_fn(|i| engine.read(&bytes(i as u32)));
        engine.each(&mut x);
        for (i, x) in x.into_iter().enumerate() {
            let expected = (self.expected)(number(i as u32));
            assert_eq!(block(engine, x), expected, "{path} {N}");
        }
        let x: [_; N] = core::array::from_fn(|i| vector(engine, i as u32));
        let before: [_; N] = core::array::from_fn(|i| vector(engine, 100 + i as u32));
        let after: [_; N] = core::array::from_fn(|i| vector(engine, 200 + i as u32));
        let mut encrypted = x.clone().map(|(x, _)| x);
        engine.blocks(
            &mut encrypted,
            &before.clone().map(|(x, _)| x),
            &after.clone().map(|(x, _)| x),
        );
        for i in 0..N {
            let inputs = sums(&x[i].1, &before[i].1).into_iter();
            let outputs: Vec<_> = inputs.map(self.expected).collect();
            let expected = sums(&outputs, &after[i].1);
            assert_eq!(lanes(engine, encrypted[i]), expected, "{path} {N}");
        }
        let mut beside = x.map(|(x, _)| x);
        let mut steps = Steps(Vec::new());
        engine.blocks_beside(
            &mut beside,
            &before.map(|(x, _)| x),
            &after.map(|(x, _)| x),
            &mut steps,
        );
        assert_eq!(steps.0, [0, 1, 2, 3, 4, 5, 6, 7, 8], "{path} {N}");
        for (x, y) in encrypted.into_iter().zip(beside) {
            assert_eq!(lanes(engine, x), lanes(engine, y), "{path} {N}");
        }
    }

    fn lanes<E: Engine>(&self, engine: E) {
        let path = self.path;
        let zeros = std::vec![0; E::LANES];
        assert_eq!(lanes(engine, engine.zero()), zeros, "{path}");
        let ((x, xs), (y, ys)) = (vector(engine, 1), vector(engine, 2));
        assert_eq!(lanes(engine, engine.sum(x, y)), sums(&xs, &ys), "{path}");
        let sum = xs.iter().fold(0, |sum, x| sum ^ x);
        assert_eq!(block(engine, engine.fold(x)), sum, "{path}");
        for count in 0..=E::LANES {
            let kept = [&xs[..count], &zeros[count..]].concat();
            assert_eq!(lanes(engine, engine.keep(x, count)), kept, "{path} {count}");
        }
        let next = [&xs[1..], &ys[..1]].concat();
        assert_eq!(lanes(engine, engine.following(x, y)), next, "{path}");
        let last = E::LANES - 1;
        let before = [&xs[last..], &ys[..last]].concat();
        assert_eq!(lanes(engine, engine.preceding(x, y)), before, "{path}");
        let same = std::vec![xs[last]; E::LANES];
        assert_eq!(lanes(engine, engine.last(x)), same, "{path}");
        let numbers = engine.masks(x);
        let blocks = |x| lanes(engine, engine.masks(x));
        let times = |power: fn(usize) -> u32| -> Vec<_> {
            let xs = xs.iter().enumerate();
            xs.map(|(i, x)| repeated_doubling(*x, power(i))).collect()
        };
        assert_eq!(blocks(engine.twice(numbers)), times(|_| 1), "{path}");
        let spaced = engine.spaced(numbers, 4);
        assert_eq!(blocks(spaced), times(|i| 4 * i as u32), "{path}");
        self.carried::<E, 0>(engine);
        self.carried::<E, 1>(engine);
        self.carried::<E, 2>(engine);
        self.carried::<E, 4>(engine);
        self.columns::<E, 1>(engine);
        self.columns::<E, 2>(engine);
        self.columns::<E, 4>(engine);
        let many: [_; 8] = core::array::from_fn(|i| vector(engine, 300 + i as u32));
        let vectors = many.clone().map(|(x, _)| x);
        let all = many.iter().flat_map(|(_, xs)| xs);
        for (i, x) in all.enumerate() {
            assert_eq!(block(engine, engine.lane(&vectors, i)), *x, "{path} {i}");
        }
    }

    fn carried<E: Engine, const POWER: usize>(&self, engine: E) {
        let (x, xs) = vector(engine, 1);
        let first = engine.masks(engine.spread(engine.read(&bytes(400))));
        let mut next = number(400);
        let expected: Vec<_> = xs
            .iter()
            .map(|x| {
                let before = next;
                next = repeated_doubling(before, POWER as u32) ^ x;
                before
            })
            .collect();
        let found = engine.masks(engine.carried::<POWER>(first, engine.masks(x)));
        assert_eq!(lanes(engine, found), expected, "{} {POWER}", self.path);
    }

    fn columns<E: Engine, const N: usize>(&self, engine: E) {
        let path = self.path;
        let given: [_; N] = core::array::from_fn(|i| vector(engine, 500 + i as u32));
        let all: Vec<_> = given.iter().flat_map(|(_, xs)| xs).copied().collect();
        let mut x = given.map(|(x, _)| x);
        engine.to_columns(&mut x);
        for (i, x) in x.iter().enumerate() {
            let expected: Vec<_> = (0..E::LANES).map(|lane| all[N * lane + i]).collect();
            assert_eq!(lanes(engine, *x), expected, "{path} {N}");
        }
        engine.out_of_columns(&mut x);
        let back: Vec<_> = x.iter().flat_map(|x| lanes(engine, *x)).collect();
        assert_eq!(back, all, "{path} {N}");
    }

    fn texts<E: Engine>(&self, engine: E) {
        let path = self.path;
        let text = bytes::<128>(5);
        let blocks: Vec<_> = text
            .as_chunks()
            .0
            .iter()
            .map(|x| u128::from_be_bytes(*x))
            .collect();
        let zeros = std::vec![0; E::LANES];
        let every_other = |first: usize, count: usize| {
            let taken: Vec<_> = blocks
                .iter()
                .skip(first)
                .step_by(2)
                .copied()
                .take(count)
                .collect();
            [&taken, &zeros[count..]].concat()
        };
        let full = 32 * E::LANES;
        for count in 0..=E::LANES {
            let pairs = engine
                .load_some_pairs(&text[..32 * count])
                .map(|x| lanes(engine, x));
            assert_eq!(
                pairs,
                [every_other(0, count), every_other(1, count)],
                "{path} {count}"
            );
            let some = lanes(engine, engine.load_some(&text[..16 * count]));
            assert_eq!(
                some,
                [&blocks[..count], &zeros[count..]].concat(),
                "{path} {count}"
            );
            let mut stored = bytes::<200>(6);
            let mut expected = stored;
            expected[9..9 + 32 * count].copy_from_slice(&text[..32 * count]);
            let pairs = engine.load_pairs(&text[..full]);
            engine.store_pairs(pairs, &mut stored[9..9 + 32 * count]);
            assert_eq!(stored, expected, "{path} {count}");
        }
    }

    fn powers<E: Engine>(&self, engine: E) {
        let path = self.path;
        let power = |x, first: usize| -> Vec<_> {
            (first..first + E::LANES)
                .map(|power| repeated_doubling(x, power as u32))
                .collect()
        };
        for seed in 0..50 {
            let x = number(seed);
            for first in 0..=16 - E::LANES {
                let powers = engine.powers(engine.read(&bytes(seed)), first);
                let lanes = |x| lanes(engine, engine.masks(x));
                assert_eq!(lanes(powers), power(x, first), "{path} {first}");
                let moved = lanes(engine.times_bytes::<1>(powers));
                assert_eq!(moved, power(x, first + 8), "{path} {first}");
                let moved = lanes(engine.times_bytes::<2>(powers));
                assert_eq!(moved, power(x, first + 16), "{path} {first}");
            }
        }
    }
}

/// The engine that a path has on this CPU.
fn meant(path: Path) -> &'static str {
    match path {
        Path::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Path::Avx512 if crate::cpu::has_avx512_vaes() => "VAES, 512 bits",
        #[cfg(target_arch = "x86_64")]
        Path::Avx2Vaes => "VAES, 256 bits",
        #[cfg(target_arch = "x86_64")]
        _ if crate::cpu::has_aes() => "AES-NI",
        #[cfg(target_arch = "aarch64")]
        _ if crate::cpu::has_aes() => "NEON",
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        _ => "portable",
    }
}

#[test]
fn all_engines_do_the_same() {
    fn check<A: Cipher>(key: &[u8]) -> Vec<(Path, &'static str)> {
        let cipher = A::Portable::new_from_slice(key).unwrap();
        let expected = |x: u128| {
            let mut block = [Array(x.to_be_bytes())];
            A::portable(&cipher, &mut block);
            u128::from_be_bytes(block[0].0)
        };
        let expected = &expected;
        on_every_engine::<A, _>(key, |path| Everything { path, expected })
    }
    let engines = check::<Aes128>(&bytes::<16>(7));
    assert_eq!(check::<Aes192>(&bytes::<24>(9)), engines);
    assert_eq!(check::<Aes256>(&bytes::<32>(8)), engines);
    assert_eq!(check::<Inverse<Aes128>>(&bytes::<16>(7)), engines);
    assert_eq!(check::<Inverse<Aes192>>(&bytes::<24>(9)), engines);
    assert_eq!(check::<Inverse<Aes256>>(&bytes::<32>(8)), engines);
    for (path, name) in engines {
        assert_eq!(name, meant(path), "{path}");
    }
}

#[test]
fn powers_are_repeated_doublings() {
    for seed in 0..200_u128 {
        let first = (seed << 121) ^ (seed * 0x1234_5678_9abc_def1);
        for power in 0..16 {
            let expected = repeated_doubling(first, power);
            assert_eq!(times_power(first, power), expected);
        }
        assert_eq!(number::half(times_power(first, 1)), first);
    }
}
