// SPDX-License-Identifier: Apache-2.0
//! A byte of a block number at each place of a subtweakey: public constants, and only the numbers of blocks, which are public, index them.

/// Blocks whose numbers have the upper three bits of a byte in common.
pub(super) const RUN: usize = 32;

/// A small number, at place `[place]`.
#[repr(align(64))]
pub(super) struct Numbers {
    /// 0 to 31
    pub(super) low: [[[u8; 16]; RUN]; 16],
    /// Multiples of 32 below 256
    pub(super) high: [[[u8; 16]; 8]; 16],
}

/// As they are.
pub(super) static FORWARD: Numbers = numbers(false);
/// After the inverse of MixColumns.
pub(super) static BACKWARD: Numbers = numbers(true);

const fn numbers(inverse: bool) -> Numbers {
    let mut all = Numbers {
        low: [[[0; 16]; RUN]; 16],
        high: [[[0; 16]; 8]; 16],
    };
    let mut place = 0;
    while place < 16 {
        let mut number = 0;
        while number < 256 {
            let block = at(place, number as u8, inverse);
            if number < RUN {
                all.low[place][number] = block;
            }
            if number % RUN == 0 {
                all.high[place][number / RUN] = block;
            }
            number += 1;
        }
        place += 1;
    }
    all
}

/// The block with this byte at this place.
const fn at(place: usize, byte: u8, inverse: bool) -> [u8; 16] {
    let mut block = [0; 16];
    if inverse {
        // The column of the inverse matrix that the byte is multiplied with.
        let column = [0x0e, 0x09, 0x0d, 0x0b];
        let mut row = 0;
        while row < 4 {
            block[place / 4 * 4 + (place + row) % 4] = times(byte, column[row]);
            row += 1;
        }
    } else {
        block[place] = byte;
    }
    block
}

/// The product in AES's field.
const fn times(x: u8, mut y: u8) -> u8 {
    let (mut power, mut product) = (x as u16, 0);
    while y > 0 {
        if y & 1 == 1 {
            product ^= power;
        }
        power <<= 1;
        if power > 0xff {
            power ^= 0x11b;
        }
        y >>= 1;
    }
    product as u8
}
