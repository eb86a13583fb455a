// SPDX-License-Identifier: Apache-2.0
//! Masks: elements of GF((2^8)^32), whose multiples by y follow one another from block to block.

use zeroize::Zeroize;

/// 32 bytes, the first one the coefficient of y^31, as four numbers whose first byte is the most significant.
#[derive(Clone, Copy, Default, Zeroize)]
pub(super) struct Mask([u64; 4]);

impl Mask {
    pub(super) fn new(bytes: &[u8; 32]) -> Self {
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        Self(words)
    }

    /// The mask plus a block.
    #[inline(always)]
    pub(super) fn plus(self, block: &[u8; 32]) -> [u8; 32] {
        let mut sum = [0; 32];
        for i in 0..4 {
            let (blocks, _) = block.as_chunks();
            let word = self.0[i] ^ u64::from_be_bytes(blocks[i]);
            sum.as_chunks_mut().0[i] = word.to_be_bytes();
        }
        sum
    }

    /// y times this: y^32 is y^3 + y^2 + x, and x^8 is x^7 + x^5 + x + 1.
    #[inline(always)]
    pub(super) fn times_y(self) -> Self {
        let [a, b, c, d] = self.0;
        let out = a >> 56;
        let times_x = (out << 1 & 0xff) ^ (0xa3 * (out >> 7));
        Self([
            a << 8 | b >> 56,
            b << 8 | c >> 56,
            c << 8 | d >> 56,
            d << 8 ^ out << 24 ^ out << 16 ^ times_x,
        ])
    }

    /// y + 1 times this.
    #[inline(always)]
    pub(super) fn times_y_plus_1(self) -> Self {
        let mut product = self.times_y();
        for i in 0..4 {
            product.0[i] ^= self.0[i];
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::Mask;
    use hex_literal::hex;

    /// The check values of the field.
    #[test]
    fn multiples_by_y() {
        let counting = core::array::from_fn(|i| i as u8);
        let product = Mask::new(&counting).times_y().plus(&[0; 32]);
        assert_eq!(
            product,
            hex!("0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F00")
        );
        let mut top = [0; 32];
        top[0] = 0x80;
        let product = Mask::new(&top).times_y().plus(&[0; 32]);
        assert_eq!(product[..28], [0; 28]);
        assert_eq!(product[28..], hex!("808000A3"));
        let product = Mask::new(&top).times_y_plus_1().plus(&[0; 32]);
        assert_eq!((product[0], &product[28..]), (0x80, &hex!("808000A3")[..]));
    }
}
