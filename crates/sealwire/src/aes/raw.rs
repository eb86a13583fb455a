// SPDX-License-Identifier: Apache-2.0
//! AES without a mode, for measurements: what the modes are held against.

use super::{Aes128, Engine, Key, Task};
use core::fmt;

/// AES-128 block by block, with the instructions that the modes take. It hides nothing but single blocks: equal ones stay equal.
pub struct RawAes128(Key<Aes128>);

impl RawAes128 {
    /// With a key.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self(Key::new(key))
    }

    /// Enciphers every whole block in place.
    pub fn encipher(&self, blocks: &mut [u8]) {
        self.0.run(Blocks(blocks));
    }
}

impl fmt::Debug for RawAes128 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawAes128").finish_non_exhaustive()
    }
}

/// Eight vectors at once.
struct Blocks<'a>(&'a mut [u8]);

impl Task<Aes128> for Blocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Engine>(self, engine: E) {
        const MOST: usize = 8;
        let width = 16 * E::LANES;
        let zeros = [engine.zero(); MOST];
        let mut groups = self.0.chunks_exact_mut(MOST * width);
        for group in &mut groups {
            let mut x = zeros;
            for (i, part) in group.chunks_exact(width).enumerate() {
                x[i] = engine.load(part);
            }
            engine.blocks(&mut x, &zeros, &zeros);
            for (i, part) in group.chunks_exact_mut(width).enumerate() {
                engine.store(x[i], part);
            }
        }
        for block in groups.into_remainder().as_chunks_mut().0 {
            *block = engine.write(engine.block(engine.read(block)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RawAes128;
    use hex_literal::hex;

    /// FIPS 197, appendix B.
    #[test]
    fn every_block_is_that_of_the_standard() {
        let raw = RawAes128::new(&hex!("2b7e151628aed2a6abf7158809cf4f3c"));
        let given = hex!("3243f6a8885a308d313198a2e0370734");
        let made = hex!("3925841d02dc09fbdc118597196a0b32");
        for count in [0, 1, 7, 8, 31, 32, 33, 70] {
            let mut blocks = [[0; 16]; 71];
            blocks[..count].fill(given);
            raw.encipher(blocks[..count].as_flattened_mut());
            assert!(
                blocks[..count].iter().all(|block| *block == made),
                "{count}"
            );
            assert_eq!(blocks[count..], [[0; 16]; 71][count..]);
        }
    }
}
