// SPDX-License-Identifier: Apache-2.0
//! The parameter sets by name. The name gives the sizes of key, nonce and tag in bits.

use super::family::POmd;
use crate::compress::{Blake2b, Sha256, Sha512};
use aead::consts::{U12, U16, U31, U32, U64};

/// `pomdsha256k128n96tau128`: key 16, nonce 12, tag 16 bytes.
pub type POmdSha256K128N96Tau128 = POmd<Sha256, U16, U12, U16>;
/// `pomdsha256k256n248tau256`: key 32, nonce 31, tag 32 bytes.
pub type POmdSha256K256N248Tau256 = POmd<Sha256, U32, U31, U32>;
/// `pomdsha512k512n256tau256`: the set that the paper measures, key 64, nonce 32, tag 32 bytes.
pub type POmdSha512K512N256Tau256 = POmd<Sha512, U64, U32, U32>;
/// `pomdblake2bk512n256tau256`: key 64, nonce 32, tag 32 bytes.
pub type POmdBlake2bK512N256Tau256 = POmd<Blake2b, U64, U32, U32>;

/// `pomd-sha512`: key 64, nonce 32, tag 32 bytes.
pub type POmdSha512 = POmdSha512K512N256Tau256;
/// `pomd-blake2b`: as [`POmdSha512`] over BLAKE2b's compression function, key 64, nonce 32, tag 32 bytes.
pub type POmdBlake2b = POmdBlake2bK512N256Tau256;
/// `pomd-sha256`: key 32, nonce 31, tag 32 bytes.
pub type POmdSha256 = POmdSha256K256N248Tau256;
