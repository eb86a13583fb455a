// SPDX-License-Identifier: Apache-2.0
//! The permutation and the masks against their definitions.

use super::roll::{roll, sequence, window};
use super::*;

/// Published constants of the permutation of zero.
#[test]
fn the_permutation_of_zero() {
    for (rounds, expected) in [
        (
            Rounds::Twelve,
            [
                0x78ea_7ae5_cfeb_b108,
                0x9b9b_fb85_13b5_60f7,
                0x6937_f83e_03d1_1a50,
                0x3fe5_3f36_f2c1_178c,
                0x045d_648e_4def_12c9,
            ],
        ),
        (
            Rounds::Eight,
            [
                0x1418_f8af_721a_a830,
                0xa542_5f1f_8cb3_1388,
                0xa01e_f761_bf8e_1652,
                0xf01f_dabf_8c8a_82b4,
                0x0168_260b_adf7_6a06,
            ],
        ),
        (
            Rounds::Six,
            [
                0x160c_84f2_0faa_d4f1,
                0x2149_5b1b_0ae3_3eef,
                0xe037_7d04_e23a_914b,
                0x2b23_4815_98ff_a8ea,
                0x649a_f379_ba83_cd30,
            ],
        ),
    ] {
        let mut state = [0; 5];
        permute(&mut state, rounds);
        assert_eq!(state, expected);
    }
}

/// The S-box as the specification tabulates it, x0 being the highest bit of the index.
#[test]
fn substitution_is_the_table() {
    const TABLE: [u8; 32] = [
        0x04, 0x0b, 0x1f, 0x14, 0x1a, 0x15, 0x09, 0x02, 0x1b, 0x05, 0x08, 0x12, 0x1d, 0x03, 0x06,
        0x1c, 0x1e, 0x13, 0x07, 0x0e, 0x00, 0x0d, 0x11, 0x18, 0x10, 0x0c, 0x01, 0x19, 0x16, 0x0a,
        0x0f, 0x17,
    ];
    let x: [u64; 5] = core::array::from_fn(|i| {
        (0..32)
            .filter(|v| v >> (4 - i) & 1 == 1)
            .map(|v| 1 << v)
            .sum()
    });
    let y = round::mix(round::substitute(x, 0));
    for (value, expected) in TABLE.iter().enumerate() {
        let got = (0..5).fold(0, |got, i| got << 1 | (y[i] >> value & 1) as u8);
        assert_eq!(got, *expected, "{value:#x}");
    }
}

/// Multiplication by x, bit by bit from the polynomial.
fn times_x(w: Words) -> Words {
    let carry = w[4] >> 63;
    let mut out = [0; 5];
    for i in 0..5 {
        out[i] = w[i] << 1 | i.checked_sub(1).map_or(0, |below| w[below] >> 63);
    }
    out[0] ^= carry * 0b11011;
    out
}

#[test]
fn rolling_multiplies_by_x_to_the_64() {
    let start = [
        0x0123_4567_89ab_cdef,
        0xfedc_ba98_7654_3210,
        0x0f1e_2d3c_4b5a_6978,
        0x8796_a5b4_c3d2_e1f0,
        0xdead_beef_cafe_babe,
    ];
    assert_eq!(
        roll(start)[..2],
        [0x7c40_dab2_a71d_b1d2, 0x0123_4567_89ab_cde5]
    );
    let mut expected = start;
    let mut mask = start;
    let s: [u64; 40] = sequence(start);
    for j in 0..36 {
        assert_eq!(window(&s, j), mask, "window {j}");
        for _ in 0..64 {
            expected = times_x(expected);
        }
        mask = roll(mask);
        assert_eq!(mask, expected, "step {j}");
    }
}
