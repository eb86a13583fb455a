// SPDX-License-Identifier: Apache-2.0
//! A vector register that holds one block, and the CPU's own instructions for AES: what this module, Deoxys and AEGIS are written
//! over where there are some.

/// Instructions on registers of one block. A value exists only where the CPU has them, so that all calls are safe.
///
/// A number is a block whose least significant byte comes first.
pub(crate) trait Register: Copy {
    type Block: Copy;
    #[cfg(test)]
    const NAME: &'static str;

    fn read(self, bytes: &[u8; 16]) -> Self::Block;

    fn write(self, x: Self::Block, bytes: &mut [u8; 16]);

    fn zero(self) -> Self::Block;

    /// x + y
    fn sum(self, x: Self::Block, y: Self::Block) -> Self::Block;

    /// The bits that both have.
    fn both(self, x: Self::Block, y: Self::Block) -> Self::Block;

    /// Every block becomes E of itself + `before`, and `after` is added to that: under the keys before the first round and after
    /// every one of `rounds`, or with the inverse of E under those of the equivalent inverse cipher (FIPS 197, section 5.3.5).
    fn encipher<const N: usize, const INVERSE: bool>(
        self,
        x: &mut [Self::Block; N],
        key: impl Fn(usize) -> Self::Block,
        rounds: usize,
        before: &[Self::Block; N],
        after: &[Self::Block; N],
    );

    /// SubBytes, ShiftRows, MixColumns, then the key is added.
    fn round(self, x: Self::Block, key: Self::Block) -> Self::Block;

    /// SubBytes, ShiftRows, then the key is added.
    fn last_round(self, x: Self::Block, key: Self::Block) -> Self::Block;

    /// The inverses of ShiftRows, SubBytes and MixColumns, then the key is added.
    fn inverse_round(self, x: Self::Block, key: Self::Block) -> Self::Block;

    /// The inverses of ShiftRows and SubBytes, then the key is added.
    fn inverse_last_round(self, x: Self::Block, key: Self::Block) -> Self::Block;

    /// The inverse of MixColumns.
    fn unmix(self, x: Self::Block) -> Self::Block;

    /// The S-box on each byte.
    fn substitute(self, word: u32) -> u32;

    /// Byte i becomes byte `places[i]`, which is below 16.
    fn picked(self, x: Self::Block, places: Self::Block) -> Self::Block;

    /// The last byte first: from a block to a number, or back.
    fn reversed(self, x: Self::Block) -> Self::Block;

    /// The number in general registers.
    fn to_number(self, x: Self::Block) -> u128;

    /// The register of a number in general registers.
    fn block_of(self, x: u128) -> Self::Block;

    /// Numbers: 2^power · x, power from 0 to 15.
    fn times(self, x: Self::Block, power: usize) -> Self::Block;

    /// Numbers: 2^(8·BYTES) · x, BYTES 1 or 2.
    fn times_bytes<const BYTES: i32>(self, x: Self::Block) -> Self::Block;

    /// Numbers: 2 · x
    fn twice(self, x: Self::Block) -> Self::Block;

    /// See [`Engine::together`](super::Engine::together).
    fn together<const N: usize>(self, x: &mut [Self::Block; N]);
}
