// SPDX-License-Identifier: Apache-2.0
//! What a mode is written over.

/// Encryption under one key, and vectors of [`LANES`](Self::LANES) blocks. A value exists only where the CPU has the
/// instructions, so that all calls are safe.
pub(crate) trait Engine: Copy {
    /// So many blocks, each in its byte order; or as many numbers, where it is said.
    type Vector: Copy;
    const LANES: usize;

    /// E of a block.
    fn block(self, x: u128) -> u128;

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

    fn zero(self) -> Self::Vector;

    /// x + y
    fn sum(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// The sum of all lanes.
    fn fold(self, x: Self::Vector) -> u128;

    /// The first `count` lanes; the others become zero. `count` is public.
    fn keep(self, x: Self::Vector, count: usize) -> Self::Vector;

    /// The first LANES blocks of `text`, which has as many.
    fn load(self, text: &[u8]) -> Self::Vector;

    /// From 2·LANES blocks those with even index, and those with odd index.
    fn load_pairs(self, text: &[u8]) -> [Self::Vector; 2];

    /// The same of fewer blocks, but whole pairs; the lanes without become zero.
    fn load_some_pairs(self, text: &[u8]) -> [Self::Vector; 2];

    /// The reverse of both: as many pairs as fit.
    fn store_pairs(self, pairs: [Self::Vector; 2], text: &mut [u8]);

    /// Numbers: 2^(first + i) · x in lane i. No exponent is above 15.
    fn powers(self, x: u128, first: usize) -> Self::Vector;

    /// Every number times 2^(8·BYTES), BYTES 1 or 2.
    fn times_bytes<const BYTES: i32>(self, x: Self::Vector) -> Self::Vector;

    /// Numbers become blocks.
    fn masks(self, x: Self::Vector) -> Self::Vector;

    /// Lane i + 1 of x in lane i, and lane 0 of y in the last.
    fn following(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// A lane as a number; x holds blocks, and the lane is public.
    fn lane(self, x: Self::Vector, lane: usize) -> u128;

    /// E of every block.
    #[inline(always)]
    fn each(self, blocks: &mut [u128]) {
        for block in blocks {
            *block = self.block(*block);
        }
    }
}
