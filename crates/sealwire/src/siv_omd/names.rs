// SPDX-License-Identifier: Apache-2.0
//! The parameter sets by name. The name gives the sizes of key, nonce and tag in bits.

use super::family::{ExperimentalSivOmd, Parallel, Serial};
use crate::compress::{Blake2b, Sha256, Sha512};
use aead::consts::{U12, U32, U64};

/// Experimental. `sivomdp-sha512`, `sivomdpsha512k512n256tau256`: key 64, nonce 32, tag 32 bytes.
pub type ExperimentalSivOmdPSha512 = ExperimentalSivOmd<Sha512, Parallel, U64, U32, U32>;
/// Experimental. `sivomdp-blake2b`, `sivomdpblake2bk512n256tau256`: key 64, nonce 32, tag 32 bytes.
pub type ExperimentalSivOmdPBlake2b = ExperimentalSivOmd<Blake2b, Parallel, U64, U32, U32>;
/// Experimental. `sivomdp-sha256`, `sivomdpsha256k256n96tau256`: key 32, nonce 12, tag 32 bytes.
pub type ExperimentalSivOmdPSha256 = ExperimentalSivOmd<Sha256, Parallel, U32, U12, U32>;
/// Experimental. `sivomds-sha512`, `sivomdssha512k512n256tau256`: key 64, nonce 32, tag 32 bytes.
pub type ExperimentalSivOmdSSha512 = ExperimentalSivOmd<Sha512, Serial, U64, U32, U32>;
/// Experimental. `sivomds-sha256`, `sivomdssha256k256n96tau256`: key 32, nonce 12, tag 32 bytes.
pub type ExperimentalSivOmdSSha256 = ExperimentalSivOmd<Sha256, Serial, U32, U12, U32>;
