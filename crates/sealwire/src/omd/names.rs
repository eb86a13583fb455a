// SPDX-License-Identifier: Apache-2.0
//! The parameter sets by name. The name gives the sizes of key, nonce and tag in bits and the version.

use super::family::{Omd, V1, V2};
use crate::compress::{Blake2b, Sha256, Sha512};
use aead::consts::{U8, U12, U13, U16, U20, U24, U31, U32, U64};

/// `omdsha256k128n96tau64v1`: key 16, nonce 12, tag 8 bytes.
pub type OmdSha256K128N96Tau64V1 = Omd<Sha256, V1, U16, U12, U8>;
/// `omdsha256k128n96tau96v1`: key 16, nonce 12, tag 12 bytes.
pub type OmdSha256K128N96Tau96V1 = Omd<Sha256, V1, U16, U12, U12>;
/// `omdsha256k128n96tau128v1`: key 16, nonce 12, tag 16 bytes.
pub type OmdSha256K128N96Tau128V1 = Omd<Sha256, V1, U16, U12, U16>;
/// `omdsha256k192n104tau128v1`: key 24, nonce 13, tag 16 bytes.
pub type OmdSha256K192N104Tau128V1 = Omd<Sha256, V1, U24, U13, U16>;
/// `omdsha256k256n104tau160v1`: key 32, nonce 13, tag 20 bytes.
pub type OmdSha256K256N104Tau160V1 = Omd<Sha256, V1, U32, U13, U20>;
/// `omdsha256k256n248tau256v1`: key 32, nonce 31, tag 32 bytes.
pub type OmdSha256K256N248Tau256V1 = Omd<Sha256, V1, U32, U31, U32>;
/// `omdsha256k128n96tau64v2`: key 16, nonce 12, tag 8 bytes.
pub type OmdSha256K128N96Tau64V2 = Omd<Sha256, V2, U16, U12, U8>;
/// `omdsha256k128n96tau96v2`: key 16, nonce 12, tag 12 bytes.
pub type OmdSha256K128N96Tau96V2 = Omd<Sha256, V2, U16, U12, U12>;
/// `omdsha256k128n96tau128v2`: key 16, nonce 12, tag 16 bytes.
pub type OmdSha256K128N96Tau128V2 = Omd<Sha256, V2, U16, U12, U16>;
/// `omdsha256k192n104tau128v2`: key 24, nonce 13, tag 16 bytes.
pub type OmdSha256K192N104Tau128V2 = Omd<Sha256, V2, U24, U13, U16>;
/// `omdsha256k256n104tau160v2`: key 32, nonce 13, tag 20 bytes.
pub type OmdSha256K256N104Tau160V2 = Omd<Sha256, V2, U32, U13, U20>;
/// `omdsha256k256n248tau256v2`: key 32, nonce 31, tag 32 bytes.
pub type OmdSha256K256N248Tau256V2 = Omd<Sha256, V2, U32, U31, U32>;
/// `omdsha512k128n128tau128v1`: key 16, nonce 16, tag 16 bytes.
pub type OmdSha512K128N128Tau128V1 = Omd<Sha512, V1, U16, U16, U16>;
/// `omdsha512k256n256tau256v1`: key 32, nonce 32, tag 32 bytes.
pub type OmdSha512K256N256Tau256V1 = Omd<Sha512, V1, U32, U32, U32>;
/// `omdsha512k512n256tau256v1`: key 64, nonce 32, tag 32 bytes.
pub type OmdSha512K512N256Tau256V1 = Omd<Sha512, V1, U64, U32, U32>;
/// `omdsha512k128n128tau128v2`: key 16, nonce 16, tag 16 bytes.
pub type OmdSha512K128N128Tau128V2 = Omd<Sha512, V2, U16, U16, U16>;
/// `omdsha512k256n256tau256v2`: key 32, nonce 32, tag 32 bytes.
pub type OmdSha512K256N256Tau256V2 = Omd<Sha512, V2, U32, U32, U32>;
/// `omdsha512k512n256tau256v2`: key 64, nonce 32, tag 32 bytes.
pub type OmdSha512K512N256Tau256V2 = Omd<Sha512, V2, U64, U32, U32>;
/// `omdsha512k512n256tau512v1`: the hardware paper's system, key 64, nonce 32, tag 64 bytes.
pub type OmdSha512K512N256Tau512V1 = Omd<Sha512, V1, U64, U32, U64>;
/// `omdblake2bk256n128tau128v2`: key 32, nonce 16, tag 16 bytes.
pub type OmdBlake2bK256N128Tau128V2 = Omd<Blake2b, V2, U32, U16, U16>;
/// `omdblake2bk512n256tau256v2`: key 64, nonce 32, tag 32 bytes.
pub type OmdBlake2bK512N256Tau256V2 = Omd<Blake2b, V2, U64, U32, U32>;
/// `omdblake2bk512n256tau512v1`: the hardware paper's system, key 64, nonce 32, tag 64 bytes.
pub type OmdBlake2bK512N256Tau512V1 = Omd<Blake2b, V1, U64, U32, U64>;

/// `omd-sha512`: the 512-bit set of version 2, key 64, nonce 32, tag 32 bytes.
pub type OmdSha512 = OmdSha512K512N256Tau256V2;
/// `omd-blake2b`: as [`OmdSha512`] over BLAKE2b's compression function, key 64, nonce 32, tag 32 bytes.
pub type OmdBlake2b = OmdBlake2bK512N256Tau256V2;
/// `omd-sha256`: the link's small set of version 2, key 32, nonce 13, tag 20 bytes.
pub type OmdSha256 = OmdSha256K256N104Tau160V2;
