// SPDX-License-Identifier: Apache-2.0
//! Doubling in GF(2^8n), on byte strings whose first byte is the most significant (OMD, section "Notation").

use zeroize::optimization_barrier;

/// x becomes 2·x. `reduction` holds the low 16 coefficients of the field polynomial. No branch or index depends on x.
pub(crate) fn double(x: &mut [u8], reduction: u16) {
    let carry_out = 0u16.wrapping_sub(u16::from(x[0] >> 7));
    let mut carry = 0;
    for byte in x.iter_mut().rev() {
        let next = *byte >> 7;
        *byte = *byte << 1 | carry;
        carry = next;
    }
    let [high, low] = (reduction & carry_out).to_be_bytes();
    let n = x.len();
    x[n - 2] ^= high;
    x[n - 1] ^= low;
}

/// x becomes x + y; the shorter one decides how many bytes.
#[inline(always)] // most lengths are known where it is called
pub(crate) fn xor(x: &mut [u8], y: &[u8]) {
    for (a, b) in x.iter_mut().zip(y) {
        *a ^= b;
    }
}

/// x becomes zero, and the compiler does not leave it out.
#[inline(always)]
pub(crate) fn wipe(x: &mut [u8]) {
    x.fill(0);
    optimization_barrier(x);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2·x by the definition: a shift of the whole number and a conditional reduction.
    fn reference(x: [u8; 64], n: usize, reduction: u16) -> [u8; 64] {
        let mut bits: [u8; 512] = core::array::from_fn(|i| x[i / 8] >> (7 - i % 8) & 1);
        let carry = bits[0];
        bits.copy_within(1..8 * n, 0);
        bits[8 * n - 1] = 0;
        for i in 0..16 {
            bits[8 * n - 1 - i] ^= carry & (reduction >> i & 1) as u8;
        }
        let mut out = [0; 64];
        for (i, bit) in bits[..8 * n].iter().enumerate() {
            out[i / 8] |= bit << (7 - i % 8);
        }
        out
    }

    #[test]
    fn doubling_follows_the_definition() {
        for (n, reduction) in [(32, 0x425), (64, 0x125)] {
            for seed in 0..=255u8 {
                let mut x = [0; 64];
                for (i, byte) in x[..n].iter_mut().enumerate() {
                    *byte = seed.wrapping_mul(i as u8 | 1).rotate_left(i as u32) ^ seed;
                }
                let expected = reference(x, n, reduction);
                double(&mut x[..n], reduction);
                assert_eq!(x, expected);
            }
        }
    }

    #[test]
    fn the_top_bit_alone_becomes_the_polynomial() {
        let mut x = [0; 32];
        x[0] = 0x80;
        double(&mut x, 0x425);
        assert_eq!(x[..30], [0; 30]);
        assert_eq!(x[30..], [0x04, 0x25]);
    }
}
