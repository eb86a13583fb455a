// SPDX-License-Identifier: Apache-2.0
//! Schemes by name, chosen while the program runs.
//!
//! A canonical name states everything, sizes in bits:
//!
//! | name | scheme |
//! |---|---|
//! | `omdsha512k512n256tau256v2` | OMD over SHA-512's compression function, key 512, nonce 256, tag 256, version 2 |
//! | `pomdsha512k512n256tau256` | p-OMD, the same sizes |
//! | `aes128otrpv3` | AES-OTR version 3, key 128, nonce 96, tag 128, associated data in the form P; S and C in the others |
//! | `aes256otrsv3n104tau64` | the same with key 256, nonce 104, tag 64 and form S |
//! | `aeadaes128ocbtaglen128v1` | OCB of RFC 7253, key 128, tag 128; keys of 192 and 256, tags of 96 and 64 in the others |
//! | `aegis128ltau128` | AEGIS-128L, key 128, nonce 128, tag 128; AEGIS-256 and tags of 256 in the others |
//! | `colm0v1` | COLM_0, key 128, nonce 64, tag 128 |
//! | `aescopav2` | AES-COPA version 2, key 128, nonce 128, tag 264 |
//! | `minalpherv11` | Minalpher version 1.1, key 128, nonce 104, tag 384 |
//! | `scream10v3` | SCREAM version 3 with 10 steps, key 128, nonce 88, tag 128; 12 steps in the other; historical |
//! | `deoxysii128v143` | Deoxys-II version 1.43, key 128, nonce 120, tag 128; Deoxys-I, keys of 256 and version 1.41 in the others |
//! | `sivomdpsha512k512n256tau256` | SIV-OMD with parallel encryption, experimental; `sivomds` is the serial form |
//!
//! Every such name with legal sizes resolves, published or not: with n the length of the chaining value (32 bytes for
//! sha256, 64 for sha512 and blake2b), a key of 1 to n bytes, a nonce of 1 to n - 1 bytes and a tag of 1 to n bytes; for
//! AES-OTR, a nonce of 1 to 15 bytes and a tag of 1 to 16, where a name without sizes means 12 and 16. The
//! modes would allow sizes in bits and an empty tag; this library takes whole bytes and no empty tag, because an empty
//! tag authenticates nothing. A forgery succeeds with probability 2^-tau at least: the link takes no tag under 16 bytes,
//! and neither should a new design.
//!
//! Use a key with one scheme only. Some of them make the same secrets of the same key.

mod definition;
mod fixed;
mod keyed;
mod names;

pub use definition::Scheme;
pub(crate) use fixed::{Fixed, WITHOUT_ZEROS};
pub use keyed::DynAead;
pub(crate) use keyed::Keyed;
pub use names::{find, schemes};
