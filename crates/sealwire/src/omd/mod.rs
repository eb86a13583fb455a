// SPDX-License-Identifier: Apache-2.0
//! OMD (offset Merkle-Damgård; Cogliani, Maimut, Naccache, Portella do Canto, Reyhanitabar, Vaudenay, Vizár; CAESAR
//! candidate, versions 1 and 2): a nonce-based AEAD mode of a compression function.
//!
//! With F_K(H, M) = F'(H, K || M), a block of n bytes and offsets made by doubling in GF(2^8n), sealing a message of l
//! blocks with associated data of a double blocks takes l + a + 2 calls of F', and setting a key up takes one. The
//! associated data's calls do not depend on the nonce: [`Typed::with_session_ad`](crate::Typed::with_session_ad) makes them once.
//!
//! Empty associated data and an empty message take no call of their own, as in the designers' reference code of both
//! versions; their vectorised code of version 2 treats them as a partial block.

mod core;
mod family;
mod names;

pub use family::{Mode, Omd, V1, V2, Version};
pub use names::*;

pub(crate) use self::core::Core;
