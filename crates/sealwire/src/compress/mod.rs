// SPDX-License-Identifier: Apache-2.0
//! Compression functions F'(H, B) over byte strings: n bytes of chaining value, 2n bytes of block, n bytes of result.
//!
//! No initial value, no padding and no length block belongs to F'; the final feed-forward does. Running time depends
//! on nothing but the function.
//!
//! ```
//! // The first block of SHA-256("abc") is its only one.
//! let iv = hex_literal::hex!("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19");
//! let mut block = [0; 64];
//! block[..4].copy_from_slice(b"abc\x80");
//! block[63] = 24;
//! let hash = sealwire::compress::sha256(&iv, &block);
//! assert_eq!(hash[..4], [0xba, 0x78, 0x16, 0xbf]);
//! ```

mod blake2b;
mod function;
mod lanes;
mod sha256;
mod sha2_crate;
mod sha512;

pub use blake2b::{Blake2b, blake2b};
pub use function::{Block, Chain, Compress};
pub use sha256::{Sha256, sha256};
pub use sha512::{Sha512, sha512};

pub(crate) use function::{Call, RUN, Run};

pub use crate::cpu::{Path, force_path};

#[cfg(test)]
mod tests;
