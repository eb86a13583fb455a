// SPDX-License-Identifier: Apache-2.0
//! What a mode is written over.

use core::ops::Range;

/// What is done beside blocks, in steps.
pub(crate) trait Work {
    /// At most nine, so that AES-128 has a round for each.
    const STEPS: usize;
    fn step(&mut self, i: usize);
}

impl Work for () {
    const STEPS: usize = 0;

    #[inline(always)]
    fn step(&mut self, _i: usize) {}
}

/// Encryption under one key, and vectors of [`LANES`](Self::LANES) blocks. A value exists only where the CPU has the
/// instructions, so that all calls are safe.
///
/// Lengths are public everywhere, contents nowhere.
pub(crate) trait Engine: Copy {
    /// One block, where the CPU likes it best: a way through memory or through general registers takes as long as two or
    /// three rounds.
    type Block: Copy;
    /// LANES blocks, each in its byte order; or as many numbers, where it is said.
    type Vector: Copy;
    const LANES: usize;
    #[cfg(test)]
    const NAME: &'static str;

    fn read(self, bytes: &[u8; 16]) -> Self::Block;

    fn write(self, x: Self::Block) -> [u8; 16];

    /// Up to 16 bytes, and zeros after them.
    fn read_some(self, bytes: &[u8]) -> Self::Block;

    /// Writes the first bytes of the block, as many as `bytes` has, up to 16.
    fn write_some(self, x: Self::Block, bytes: &mut [u8]);

    /// The first `len` bytes, padded with 80 00 .. if they are fewer than 16.
    fn pad(self, x: Self::Block, len: usize) -> Self::Block;

    /// x + y
    fn plus(self, x: Self::Block, y: Self::Block) -> Self::Block;

    /// 2^power · x, power from 1 to 15.
    fn times(self, x: Self::Block, power: u32) -> Self::Block;

    /// Every block becomes E of itself.
    fn each<const N: usize>(self, x: &mut [Self::Block; N]);

    /// E of a block.
    #[inline(always)]
    fn block(self, x: Self::Block) -> Self::Block {
        let mut x = [x];
        self.each(&mut x);
        x[0]
    }

    /// Every lane of `x` becomes E of itself + `before`, and `after` is added to that.
    ///
    /// Arrays of vectors are changed in place here and wherever they occur, in plain loops: as results of closures they
    /// would go through memory.
    fn blocks<const N: usize>(
        self,
        x: &mut [Self::Vector; N],
        before: &[Self::Vector; N],
        after: &[Self::Vector; N],
    );

    /// `blocks`, and all steps of `work`, which does not wait for them: between their rounds if the engine leaves the CPU something to
    /// do there, else before them.
    #[inline(always)]
    fn blocks_beside<W: Work, const N: usize>(
        self,
        x: &mut [Self::Vector; N],
        before: &[Self::Vector; N],
        after: &[Self::Vector; N],
        work: &mut W,
    ) {
        for i in 0..W::STEPS {
            work.step(i);
        }
        self.blocks(x, before, after);
    }

    /// Changes nothing, but what is done with any of them comes behind all of them in the program, where they are as many as a
    /// CPU keeps in flight: compilers put calls that wait for one another in a row, and so many blocks do not fit a CPU's window.
    fn together<const N: usize>(self, x: &mut [Self::Vector; N]);

    /// Changes nothing, but the compiler keeps the place in the program where x is made, among those of `here` and `together`, if
    /// the engine does work between rounds.
    #[inline(always)]
    fn here(self, x: Self::Vector) -> Self::Vector {
        x
    }

    fn zero(self) -> Self::Vector;

    /// x + y
    fn sum(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The sum of all lanes.
    fn fold(self, x: Self::Vector) -> Self::Block;

    /// The first `count` lanes; the others become zero.
    fn keep(self, x: Self::Vector, count: usize) -> Self::Vector;

    /// The first LANES blocks of `text`, which has as many.
    fn load(self, text: &[u8]) -> Self::Vector;

    /// The blocks of `text`, at most LANES; lanes without a block become zero.
    fn load_some(self, text: &[u8]) -> Self::Vector;

    /// The block in every lane.
    fn spread(self, x: Self::Block) -> Self::Vector;

    /// Stores as many blocks as `text` has room for, at most LANES.
    fn store(self, x: Self::Vector, text: &mut [u8]);

    /// From 2·LANES blocks those with even index, and those with odd index.
    fn load_pairs(self, text: &[u8]) -> [Self::Vector; 2];

    /// From at most LANES whole pairs of blocks those with even index, and those with odd index; lanes without a block
    /// become zero.
    fn load_some_pairs(self, text: &[u8]) -> [Self::Vector; 2];

    /// Stores as many pairs of blocks as `text` has room for, in the order in which `load_pairs` takes them.
    fn store_pairs(self, pairs: [Self::Vector; 2], text: &mut [u8]);

    /// Numbers: 2^(first + i) · x in lane i. No exponent is above 15.
    fn powers(self, x: Self::Block, first: usize) -> Self::Vector;

    /// Every number times 2^(8·BYTES), BYTES 1 or 2.
    fn times_bytes<const BYTES: i32>(self, x: Self::Vector) -> Self::Vector;

    /// Numbers become blocks.
    fn masks(self, x: Self::Vector) -> Self::Vector;

    /// Lane i + 1 of x in lane i, and lane 0 of y in the last.
    fn following(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The last lane of x in lane 0, and lane i of y in lane i + 1.
    fn preceding(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The last lane in every lane.
    fn last(self, x: Self::Vector) -> Self::Vector;

    /// From N · LANES blocks in their order to columns: lane i has blocks N·i to N·i + N - 1, one a vector.
    fn to_columns<const N: usize>(self, x: &mut [Self::Vector; N]);

    /// Undoes `to_columns`.
    fn out_of_columns<const N: usize>(self, x: &mut [Self::Vector; N]);

    /// Numbers: 2^(i · step) times lane i in lane i. No exponent is above 24.
    fn spaced(self, x: Self::Vector, step: usize) -> Self::Vector;

    /// Numbers, of columns: what comes before the first block of lane i, which is `first` in lane 0, a number in every lane, and else
    /// `ends` of the lane before plus 2^POWER times what comes before that. POWER is 0, 1, 2 or 4.
    fn carried<const POWER: usize>(self, first: Self::Vector, ends: Self::Vector) -> Self::Vector;

    /// Numbers: twice every one.
    fn twice(self, x: Self::Vector) -> Self::Vector;

    /// Block number `lane` of all the vectors, which hold blocks.
    fn lane<const N: usize>(self, x: &[Self::Vector; N], lane: usize) -> Self::Block;
}

/// Where vector i is in a text of `len` bytes, `lane` of them in each lane; the text may end within it or before it. `FULL` says that the
/// text holds it whole, which spares the compiler the checks of every vector.
#[inline(always)]
pub(crate) fn part<E: Engine, const FULL: bool>(lane: usize, len: usize, i: usize) -> Range<usize> {
    let width = lane * E::LANES;
    if FULL {
        i * width..(i + 1) * width
    } else {
        len.min(i * width)..len.min((i + 1) * width)
    }
}
