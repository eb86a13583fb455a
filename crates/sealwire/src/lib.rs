// SPDX-License-Identifier: Apache-2.0
//! Authenticated encryption built from compression functions.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod batch;
pub mod compress;
mod error;
mod gf;
#[cfg(feature = "std")]
pub mod kat;
pub mod omd;
pub mod scheme;

pub use aead;
pub use batch::{Ad, OpenPacket, SealPacket};
pub use error::{Error, Label};
pub use omd::SessionAd;
pub use scheme::{DynAead, Scheme};
