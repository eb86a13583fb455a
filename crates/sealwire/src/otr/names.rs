// SPDX-License-Identifier: Apache-2.0
//! The published parameter sets by name: nonces of 12 bytes, tags of 16.

use super::family::{Chained, Otr, Parallel, Serial};
use crate::aes::{Aes128, Aes256};
use aead::consts::{U12, U16, U32};

/// `aes128otrpv3`, `otr-aes128-p`: key 16, nonce 12, tag 16 bytes.
pub type Aes128OtrP = Otr<Aes128, Parallel, U16, U12, U16>;
/// `aes128otrsv3`, `otr-aes128-s`: key 16, nonce 12, tag 16 bytes.
pub type Aes128OtrS = Otr<Aes128, Serial, U16, U12, U16>;
/// `aes128otrcv3`, `otr-aes128-c`: key 16, nonce 12, tag 16 bytes.
pub type Aes128OtrC = Otr<Aes128, Chained, U16, U12, U16>;
/// `aes256otrpv3`, `otr-aes256-p`: key 32, nonce 12, tag 16 bytes.
pub type Aes256OtrP = Otr<Aes256, Parallel, U32, U12, U16>;
/// `aes256otrsv3`, `otr-aes256-s`: key 32, nonce 12, tag 16 bytes.
pub type Aes256OtrS = Otr<Aes256, Serial, U32, U12, U16>;
/// `aes256otrcv3`, `otr-aes256-c`: key 32, nonce 12, tag 16 bytes.
pub type Aes256OtrC = Otr<Aes256, Chained, U32, U12, U16>;
