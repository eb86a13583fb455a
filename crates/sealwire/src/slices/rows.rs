// SPDX-License-Identifier: Apache-2.0
//! Eight blocks of 32 bytes in eight registers: a row of eight nibbles of every block a register, where the CPU moves bytes anywhere
//! within one.

/// Vectors of eight words of 8 bytes. A value exists only where the CPU has the instructions, so that all calls are safe.
///
/// A block has two matrices of four rows of eight nibbles. Its word k has row k of the first matrix, then that of the second.
pub(crate) trait Rows: Copy {
    type Vector: Copy;

    fn read(self, bytes: &[u8; 64]) -> Self::Vector;

    fn write(self, x: Self::Vector, bytes: &mut [u8; 64]);

    /// The bytes in every word.
    fn every(self, bytes: &[u8; 8]) -> Self::Vector;

    /// x + y
    fn sum(self, x: Self::Vector, y: Self::Vector) -> Self::Vector;

    /// x + y + z
    fn sum3(self, x: Self::Vector, y: Self::Vector, z: Self::Vector) -> Self::Vector;

    /// Byte i becomes byte `places[i]` where bit i of `kept` is set, and zero elsewhere.
    fn picked(self, x: Self::Vector, places: &[u8; 64], kept: u64) -> Self::Vector;

    /// Byte i of every word becomes byte `places[i]` of it.
    fn moved(self, x: Self::Vector, places: &[usize; 8]) -> Self::Vector;

    /// The S-box of Minalpher on bytes from 0 to 15.
    fn substituted(self, x: Self::Vector) -> Self::Vector;

    /// Four vectors of two blocks each become words 0 of all blocks, words 1, 2 and 3.
    fn turn(self, x: &mut [Self::Vector; 4]);

    /// Undoes `turn`.
    fn turn_back(self, x: &mut [Self::Vector; 4]);

    /// The nibbles of half of every word, the first or the second, as bytes: of a byte, the high one comes first.
    fn nibbles<const SECOND: bool>(self, x: Self::Vector) -> Self::Vector;

    /// Words from the nibbles of their halves.
    fn joined(self, halves: [Self::Vector; 2]) -> Self::Vector;
}

/// Of CPUs without such registers: there is no value.
#[derive(Clone, Copy)]
pub(crate) enum Nowhere {}

impl Rows for Nowhere {
    type Vector = ();

    fn read(self, _bytes: &[u8; 64]) {
        match self {}
    }

    fn write(self, _x: (), _bytes: &mut [u8; 64]) {
        match self {}
    }

    fn every(self, _bytes: &[u8; 8]) {
        match self {}
    }

    fn sum(self, _x: (), _y: ()) {
        match self {}
    }

    fn sum3(self, _x: (), _y: (), _z: ()) {
        match self {}
    }

    fn picked(self, _x: (), _places: &[u8; 64], _kept: u64) {
        match self {}
    }

    fn moved(self, _x: (), _places: &[usize; 8]) {
        match self {}
    }

    fn substituted(self, _x: ()) {
        match self {}
    }

    fn turn(self, _x: &mut [(); 4]) {
        match self {}
    }

    fn turn_back(self, _x: &mut [(); 4]) {
        match self {}
    }

    fn nibbles<const SECOND: bool>(self, _x: ()) {
        match self {}
    }

    fn joined(self, _halves: [(); 2]) {
        match self {}
    }
}
