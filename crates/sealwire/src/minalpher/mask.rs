// SPDX-License-Identifier: Apache-2.0
//! Masks: elements of GF((2^8)^32), whose multiples by y follow one another from block to block.

use crate::gf::wipe;
use zeroize::Zeroize;

/// The most masks that `follow` writes.
pub(super) const MOST: usize = 128;

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

    /// The bytes of a mask from as many of the stream of `follow`, and the other way.
    #[inline(always)]
    fn corrected(bytes: &[u8; 32]) -> [u8; 32] {
        let mut mask = *bytes;
        let (words, _) = bytes.as_chunks();
        let top = u64::from_be_bytes(words[0]) >> 40;
        let last = u64::from_be_bytes(words[3]) ^ top ^ top >> 8;
        mask[24..].copy_from_slice(&last.to_be_bytes());
        mask
    }

    /// Writes this mask and those that follow, each of them y times the one before, and gives the next one.
    ///
    /// All but the last three bytes of a mask are a piece of one stream, in which every byte is the sum of those 29 and 30 places
    /// before it and x times that 32 places before it; to the last three bytes, sums of the first three are added.
    #[inline(always)]
    pub(super) fn follow(self, masks: &mut [[u8; 32]]) -> Self {
        let mut stream = [0; 32 + MOST + 8];
        self.fill(&mut stream, masks.len());
        for (i, mask) in masks.iter_mut().enumerate() {
            *mask = Self::corrected(stream[i..].first_chunk().expect("32 bytes"));
        }
        let next = stream[masks.len()..].first_chunk().expect("32 bytes");
        let next = Self::new(&Self::corrected(next));
        wipe(&mut stream);
        next
    }

    /// Writes the stream from this mask to the one `count` places behind it.
    #[inline(always)]
    fn fill<const LEN: usize>(self, stream: &mut [u8; LEN], count: usize) {
        stream[..32].copy_from_slice(&Self::corrected(&self.plus(&[0; 32])));
        for i in (0..count).step_by(8) {
            let [a, b, c] = [0, 2, 3].map(|from| {
                let bytes = stream[i + from..].first_chunk().expect("8 bytes");
                u64::from_le_bytes(*bytes)
            });
            let carries = a >> 7 & 0x0101_0101_0101_0101;
            let times_x = (a << 1 & 0xfefe_fefe_fefe_fefe) ^ (0xa3 * carries);
            stream[i + 32..i + 40].copy_from_slice(&(times_x ^ b ^ c).to_le_bytes());
        }
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

/// What a stream has: the first mask, a byte for each that follows, and what is read behind them.
pub(super) const STREAM: usize = 32 + MOST + 32;

/// The stream that `Mask::follow` makes masks of, for whoever makes them in registers.
pub(super) struct Stream(pub(super) [u8; STREAM]);

impl Stream {
    #[inline(always)]
    pub(super) const fn new() -> Self {
        Self([0; STREAM])
    }

    /// From a mask to the one `count` places behind it.
    #[inline(always)]
    pub(super) fn fill(&mut self, first: Mask, count: usize) {
        first.fill(&mut self.0, count);
    }

    /// Mask `number` of the stream.
    #[inline(always)]
    pub(super) fn mask(&self, number: usize) -> Mask {
        let mask = self.0[number..].first_chunk().expect("32 bytes");
        Mask::new(&Mask::corrected(mask))
    }
}

impl Drop for Stream {
    #[inline(always)]
    fn drop(&mut self) {
        wipe(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Mask};
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

    #[test]
    fn masks_that_follow_are_multiples_by_y() {
        for count in [0, 1, 7, 8, 9, 63, MOST] {
            let start = core::array::from_fn(|i| (i * 89 + count + 200) as u8);
            let mut masks = [[0; 32]; MOST];
            let next = Mask::new(&start).follow(&mut masks[..count]);
            let mut expected = Mask::new(&start);
            for mask in &masks[..count] {
                assert_eq!(*mask, expected.plus(&[0; 32]));
                expected = expected.times_y();
            }
            assert_eq!(next.plus(&[0; 32]), expected.plus(&[0; 32]));
            assert_eq!(masks[count..], [[0; 32]; MOST][count..]);
        }
    }
}
