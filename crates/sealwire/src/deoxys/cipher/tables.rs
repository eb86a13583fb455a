// SPDX-License-Identifier: Apache-2.0
//! The last byte of a block number as it is in every subtweakey: public constants, and only the numbers of blocks, which are public,
//! index them.

use super::key::{MAX_KEYS, Version, places};

/// Blocks whose numbers have the upper three bits of a byte in common.
pub(super) const RUN: usize = 32;

/// Small numbers, by rounds.
#[repr(align(64))]
pub(super) struct Numbers {
    /// 0 to 31
    pub(super) low: [[[u8; 16]; RUN]; MAX_KEYS],
    /// Multiples of 32 below 256
    pub(super) high: [[[u8; 16]; 8]; MAX_KEYS],
}

impl Numbers {
    /// As the subtweakeys have them that encipher, or decipher: all but the first after the inverse of MixColumns.
    pub(super) const fn of(version: Version, decipher: bool) -> &'static Self {
        static V141: [Numbers; 2] = [numbers(Version::V141, false), numbers(Version::V141, true)];
        static V143: [Numbers; 2] = [numbers(Version::V143, false), numbers(Version::V143, true)];
        match (version, decipher) {
            (Version::V141, false) => &V141[0],
            (Version::V141, true) => &V141[1],
            (Version::V143, false) => &V143[0],
            (Version::V143, true) => &V143[1],
        }
    }
}

const fn numbers(version: Version, decipher: bool) -> Numbers {
    let places = places(version);
    let mut all = Numbers {
        low: [[[0; 16]; RUN]; MAX_KEYS],
        high: [[[0; 16]; 8]; MAX_KEYS],
    };
    let mut round = 0;
    while round < MAX_KEYS {
        let place = places[round] as usize;
        let inverse = decipher && round > 0;
        let mut number = 0;
        while number < RUN {
            all.low[round][number] = at(place, number as u8, inverse);
            number += 1;
        }
        let mut run = 0;
        while run < 8 {
            all.high[round][run] = at(place, (RUN * run) as u8, inverse);
            run += 1;
        }
        round += 1;
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
