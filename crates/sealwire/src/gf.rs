// SPDX-License-Identifier: Apache-2.0
//! Doubling in GF(2^8n), on byte strings whose first byte is the most significant (OMD, section "Notation").

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
pub(crate) fn xor(x: &mut [u8], y: &[u8]) {
    for (a, b) in x.iter_mut().zip(y) {
        *a ^= b;
    }
}
