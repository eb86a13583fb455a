// SPDX-License-Identifier: Apache-2.0
//! The states of AEGIS-128L and AEGIS-256 (RFC 10032, sections 2 and 3), which take in two blocks at a time and one.

use super::rounds::Rounds;

/// The first numbers of Fibonacci's modulo 256, and those behind them.
const C0: [u8; 16] = [
    0x00, 0x01, 0x01, 0x02, 0x03, 0x05, 0x08, 0x0d, 0x15, 0x22, 0x37, 0x59, 0x90, 0xe9, 0x79, 0x62,
];
const C1: [u8; 16] = [
    0xdb, 0x3d, 0x18, 0x55, 0x6d, 0xc2, 0x2f, 0xf1, 0x20, 0x11, 0x31, 0x42, 0x73, 0xb5, 0x28, 0xdd,
];

/// A state that takes in `W` blocks of a string at a time.
pub(super) trait State<R: Rounds, const W: usize>: Sized {
    /// From a key and a nonce of the right lengths.
    fn start(cpu: R, key: &[[u8; 16]], nonce: &[[u8; 16]]) -> Self;

    /// What is added to the next blocks of the message.
    fn stream(&self, cpu: R) -> [R::Block; W];

    /// Takes in blocks. What a block is added to joins it behind the round, whose last step is the addition of a key: the first
    /// block of a state then waits for itself by one addition, and not by a whole round.
    fn update(&mut self, cpu: R, blocks: [R::Block; W]);

    /// Has the last update have taken in the sum of its blocks and these: a block that is known late holds up no round.
    fn add(&mut self, cpu: R, blocks: [R::Block; W]);

    /// The block that both lengths are added to in the end.
    fn end(&self) -> R::Block;

    /// The short tag, and both halves of the long one.
    fn tags(&self, cpu: R) -> [R::Block; 3];
}

/// The sum of several blocks.
#[inline(always)]
fn sum<R: Rounds>(cpu: R, blocks: &[R::Block]) -> R::Block {
    let mut sum = blocks[0];
    for block in &blocks[1..] {
        sum = cpu.sum(sum, *block);
    }
    sum
}

/// Every block becomes a round of the block before it under itself; the first follows the last.
#[inline(always)]
fn stir<R: Rounds, const N: usize>(cpu: R, state: &mut [R::Block; N], keys: &[R::Block; N]) {
    // Not by a rotation of the array, which would go through memory.
    let mut before = [state[N - 1]; N];
    before[1..].copy_from_slice(&state[..N - 1]);
    cpu.rounds(&mut before, keys);
    *state = before;
}

/// Of AEGIS-128L.
pub(super) struct L128<B>([B; 8]);

impl<R: Rounds> State<R, 2> for L128<R::Block> {
    #[inline(always)]
    fn start(cpu: R, key: &[[u8; 16]], nonce: &[[u8; 16]]) -> Self {
        let [key, nonce] = [&key[0], &nonce[0]].map(|bytes| cpu.read(bytes));
        let [c0, c1] = [&C0, &C1].map(|bytes| cpu.read(bytes));
        let both = cpu.sum(key, nonce);
        let [key_c0, key_c1] = [cpu.sum(key, c0), cpu.sum(key, c1)];
        let mut state = Self([both, c1, c0, c1, both, key_c0, key_c1, key_c0]);
        for _ in 0..10 {
            state.update(cpu, [nonce, key]);
        }
        state
    }

    #[inline(always)]
    fn stream(&self, cpu: R) -> [R::Block; 2] {
        let s = &self.0;
        [
            sum(cpu, &[s[1], s[6], cpu.both(s[2], s[3])]),
            sum(cpu, &[s[2], s[5], cpu.both(s[6], s[7])]),
        ]
    }

    #[inline(always)]
    fn update(&mut self, cpu: R, blocks: [R::Block; 2]) {
        let mut keys = self.0;
        [keys[0], keys[4]] = blocks;
        let late = [self.0[0], self.0[4]];
        stir(cpu, &mut self.0, &keys);
        self.add(cpu, late);
        cpu.together(&mut self.0);
    }

    #[inline(always)]
    fn add(&mut self, cpu: R, blocks: [R::Block; 2]) {
        let s = &mut self.0;
        [s[0], s[4]] = [cpu.sum(s[0], blocks[0]), cpu.sum(s[4], blocks[1])];
    }

    #[inline(always)]
    fn end(&self) -> R::Block {
        self.0[2]
    }

    #[inline(always)]
    fn tags(&self, cpu: R) -> [R::Block; 3] {
        let s = &self.0;
        [sum(cpu, &s[..7]), sum(cpu, &s[..4]), sum(cpu, &s[4..])]
    }
}

/// Of AEGIS-256.
pub(super) struct L256<B>([B; 6]);

impl<R: Rounds> State<R, 1> for L256<R::Block> {
    #[inline(always)]
    fn start(cpu: R, key: &[[u8; 16]], nonce: &[[u8; 16]]) -> Self {
        let [k0, k1] = [&key[0], &key[1]].map(|bytes| cpu.read(bytes));
        let [n0, n1] = [&nonce[0], &nonce[1]].map(|bytes| cpu.read(bytes));
        let [c0, c1] = [&C0, &C1].map(|bytes| cpu.read(bytes));
        let both = [cpu.sum(k0, n0), cpu.sum(k1, n1)];
        let mut state = Self([both[0], both[1], c1, c0, cpu.sum(k0, c0), cpu.sum(k1, c1)]);
        for _ in 0..4 {
            for block in [k0, k1, both[0], both[1]] {
                state.update(cpu, [block]);
            }
        }
        state
    }

    #[inline(always)]
    fn stream(&self, cpu: R) -> [R::Block; 1] {
        let s = &self.0;
        [sum(cpu, &[s[1], s[4], s[5], cpu.both(s[2], s[3])])]
    }

    #[inline(always)]
    fn update(&mut self, cpu: R, blocks: [R::Block; 1]) {
        let mut keys = self.0;
        [keys[0]] = blocks;
        let late = [self.0[0]];
        stir(cpu, &mut self.0, &keys);
        self.add(cpu, late);
    }

    #[inline(always)]
    fn add(&mut self, cpu: R, blocks: [R::Block; 1]) {
        self.0[0] = cpu.sum(self.0[0], blocks[0]);
    }

    #[inline(always)]
    fn end(&self) -> R::Block {
        self.0[3]
    }

    #[inline(always)]
    fn tags(&self, cpu: R) -> [R::Block; 3] {
        let s = &self.0;
        [sum(cpu, s), sum(cpu, &s[..3]), sum(cpu, &s[3..])]
    }
}
