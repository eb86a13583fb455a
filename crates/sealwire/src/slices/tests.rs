// SPDX-License-Identifier: Apache-2.0

use super::{MAX_LANES, Matrix, SUBSTITUTES, Slices, Task, run_on};
use crate::cpu::Path;

/// Does it on every path that the CPU can take.
fn on_every_path(task: impl Task + Copy) {
    for path in Path::ALL.iter().copied().filter(|path| path.available()) {
        run_on(path, task);
    }
}

/// Blocks whose bytes are all different in their neighbourhood.
fn blocks() -> [[u8; 16]; MAX_LANES] {
    core::array::from_fn(|block| core::array::from_fn(|i| (block * 37 + i * 101 + block * i) as u8))
}

/// A block of bytes, and what each of them becomes.
#[derive(Clone, Copy)]
struct Bytes;

impl Task for Bytes {
    fn run<S: Slices>(self, cpu: S) {
        let given = blocks();
        let mut x = [cpu.every(0); 16];
        cpu.load(&given, &mut x);
        let mut back = [[0; 16]; MAX_LANES];
        cpu.store(&x, &mut back);
        assert_eq!(back[..S::LANES], given[..S::LANES], "{}", S::NAME);

        // What is done with vector k is done with byte k of every block.
        for k in 0..16 {
            let mut changed = x;
            changed[k] = cpu.sum(x[k], cpu.every(0x5a));
            cpu.store(&changed, &mut back);
            for (back, given) in back.iter().zip(&given).take(S::LANES) {
                let mut expected = *given;
                expected[k] ^= 0x5a;
                assert_eq!(*back, expected, "{} {k}", S::NAME);
            }
        }

        let (a, b) = (x[3], x[7]);
        let [high, low] = cpu.nibbles(a);
        let mut made = [cpu.every(0); 16];
        made[0] = cpu.both(a, b);
        made[1] = cpu.either(a, b);
        made[2] = high;
        made[3] = low;
        made[4] = cpu.joined([high, low]);
        made[5] = cpu.substituted(low);
        cpu.store(&made, &mut back);
        for (back, given) in back.iter().zip(&given).take(S::LANES) {
            let (a, b) = (given[3], given[7]);
            let expected = [
                a & b,
                a | b,
                a >> 4,
                a & 15,
                a,
                SUBSTITUTES[usize::from(a & 15)],
            ];
            assert_eq!(back[..6], expected, "{}", S::NAME);
        }
    }
}

#[test]
fn every_byte_of_every_block_is_worked_on() {
    on_every_path(Bytes);
}

/// Products with a matrix, by its definition.
#[derive(Clone, Copy)]
struct Products([u16; 16]);

impl Task for Products {
    fn run<S: Slices>(self, cpu: S) {
        let matrix = Matrix::new(self.0);
        let given = blocks();
        let mut x = [cpu.every(0); 16];
        cpu.load(&given, &mut x);
        for i in 0..8 {
            [x[2 * i], x[2 * i + 1]] = cpu.product(&matrix, [x[2 * i], x[2 * i + 1]]);
        }
        let mut made = [[0; 16]; MAX_LANES];
        cpu.store(&x, &mut made);
        for (made, given) in made.iter().zip(&given).take(S::LANES) {
            for i in 0..8 {
                let word = u16::from_le_bytes([given[2 * i], given[2 * i + 1]]);
                let bits = (0..16).filter(|bit| word >> bit & 1 == 1);
                let product = bits.fold(0, |sum, bit| sum ^ self.0[bit]);
                assert_eq!(made[2 * i..][..2], product.to_le_bytes(), "{}", S::NAME);
            }
        }
    }
}

#[test]
fn products_follow_the_definition() {
    let images = core::array::from_fn(|i| (i as u16 + 1).wrapping_mul(40503).rotate_left(i as u32));
    on_every_path(Products(images));
    on_every_path(Products(Matrix::transposed(images)));
    let twice = Matrix::transposed(Matrix::transposed(images));
    assert_eq!(twice, images);
    assert_ne!(Matrix::transposed(images), images);
}
