// SPDX-License-Identifier: Apache-2.0
//! What the kernels need of a vector register.

/// A word of the compression function for each of `L` lanes.
///
/// The methods use instructions that not every CPU has. A value is the proof that this one has them: the first one comes
/// from `load`, which is unsafe for that reason, and every other method takes one.
pub trait Words<const L: usize>: Copy {
    /// `u32` or `u64`
    type Word: Copy;
    /// A string of n bytes, eight words.
    type Row;

    /// One word for all lanes; `self` is the proof only.
    fn splat(self, word: Self::Word) -> Self;
    /// One row for all lanes; `self` is the proof only.
    fn spread(self, row: &Self::Row) -> [Self; 8];
    fn add(self, y: Self) -> Self;
    fn xor(self, y: Self) -> Self;
    fn xor3(self, y: Self, z: Self) -> Self;
    /// Bits of y where x has ones, of z elsewhere.
    fn choose(self, y: Self, z: Self) -> Self;
    /// Bits as most of the three have them.
    fn majority(self, y: Self, z: Self) -> Self;
    /// Rotation to the right.
    fn rotate<const COUNT: i32>(self) -> Self;
    /// x + y in GF(2), rotated to the right.
    #[inline(always)]
    fn xor_rotate<const COUNT: i32>(self, y: Self) -> Self {
        self.xor(y).rotate::<COUNT>()
    }
    fn shift_right<const COUNT: u32>(self) -> Self;
    /// From words of big-endian bytes as they were loaded to their values, or back.
    fn big_endian(self) -> Self;
    /// From words of little-endian bytes as they were loaded to their values, or back.
    fn little_endian(self) -> Self;
    /// Word i of all lanes in vector i, of one row for each lane. Which lane goes where in the vectors is not said.
    ///
    /// # Safety
    /// The CPU has the instructions of this vector, and the n bytes of every row may be read.
    unsafe fn load(rows: [*const Self::Row; L]) -> [Self; 8];
    /// The inverse of `load`.
    ///
    /// # Safety
    /// The n bytes of every row may be written.
    unsafe fn store(words: [Self; 8], rows: [*mut Self::Row; L]);
}

/// A compression function on the lanes of a vector.
pub trait Kernel {
    /// `u32` or `u64`
    type Word: Copy;
    /// A string of n bytes.
    type Row;
    /// What follows from the key half of the block.
    type Schedule;
    /// Vectors of fewer lanes take more instructions than as many calls in general registers.
    const FEWEST_LANES: usize;

    /// Sets a key up.
    fn schedule(key: &Self::Row) -> Self::Schedule;

    /// From words as they were loaded to their values, or back.
    fn order<V: Words<L, Word = Self::Word>, const L: usize>(word: V) -> V;

    /// F'(chain, key || data) in every lane.
    fn call<V: Words<L, Word = Self::Word>, const L: usize>(
        key: &Self::Schedule,
        chain: [V; 8],
        data: [V; 8],
    ) -> [V; 8];
}

/// Defines methods that are one intrinsic each, for a vector that is a tuple struct.
#[cfg(target_arch = "x86_64")]
macro_rules! by {
    ($($name:ident($($y:ident),*) $intrinsic:expr;)*) => {
        $(#[inline(always)]
        fn $name(self $(, $y: Self)*) -> Self {
            // SAFETY: `self` is here, so the CPU has the instructions.
            Self(unsafe { $intrinsic(self.0 $(, $y.0)*) })
        })*
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use by;

/// Statements for all the indices, written out: every word's index is a constant to the compiler, which spends minutes on
/// the same in loops.
macro_rules! each {
    ($i:ident in [$($value:literal)*] $body:block) => {
        $({
            const $i: usize = $value;
            $body
        })*
    };
}
pub(super) use each;
