// SPDX-License-Identifier: Apache-2.0
//! A matrix of 16 by 16 bits, in the forms that the instructions want.

/// A matrix over GF(2).
pub(crate) struct Matrix {
    /// What bit i adds, as its low and its high byte in 16 places.
    pub(super) columns: [[u128; 2]; 16],
    /// For GFNI: the part from each byte to each byte, as [to][from].
    #[cfg(target_arch = "x86_64")]
    pub(super) parts: [[u64; 2]; 2],
    /// What nibble n adds to each byte, as [to][n].
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub(super) nibbles: [[[u8; 16]; 4]; 2],
}

impl Matrix {
    /// From what each bit becomes, the least significant first.
    pub(crate) const fn new(images: [u16; 16]) -> Self {
        let mut columns = [[0; 2]; 16];
        let mut i = 0;
        while i < 16 {
            let [low, high] = images[i].to_le_bytes();
            columns[i] = [
                u128::from_ne_bytes([low; 16]),
                u128::from_ne_bytes([high; 16]),
            ];
            i += 1;
        }
        Self {
            columns,
            #[cfg(target_arch = "x86_64")]
            parts: parts(&images),
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            nibbles: nibbles(&images),
        }
    }

    /// What each bit becomes under the transposed matrix.
    pub(crate) const fn transposed(images: [u16; 16]) -> [u16; 16] {
        let mut transposed = [0; 16];
        let mut i = 0;
        while i < 256 {
            transposed[i % 16] |= (images[i / 16] >> (i % 16) & 1) << (i / 16);
            i += 1;
        }
        transposed
    }
}

/// The row of bit i of a byte is byte 7 - i of the number that GFNI takes.
#[cfg(target_arch = "x86_64")]
const fn parts(images: &[u16; 16]) -> [[u64; 2]; 2] {
    let mut parts = [[0; 2]; 2];
    let mut i = 0;
    while i < 256 {
        let (from, to) = (i / 16, i % 16);
        let bit = (images[from] >> to & 1) as u64;
        parts[to / 8][from / 8] |= bit << (8 * (7 - to % 8) + from % 8);
        i += 1;
    }
    parts
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const fn nibbles(images: &[u16; 16]) -> [[[u8; 16]; 4]; 2] {
    let mut nibbles = [[[0; 16]; 4]; 2];
    let mut i = 0;
    while i < 64 {
        let (nibble, value) = (i / 16, i % 16);
        let mut sum = 0;
        let mut bit = 0;
        while bit < 4 {
            if value >> bit & 1 == 1 {
                sum ^= images[4 * nibble + bit];
            }
            bit += 1;
        }
        let [low, high] = sum.to_le_bytes();
        nibbles[0][nibble][value] = low;
        nibbles[1][nibble][value] = high;
        i += 1;
    }
    nibbles
}
