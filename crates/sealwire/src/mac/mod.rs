// SPDX-License-Identifier: Apache-2.0
//! Message authentication with Ascon-p: the designers' Ascon-PRF family, and five **experimental** instances of
//! full-state keyed sponge, Ascon-PRF and Farfalle for hardware (`docs/schemes/ascon-macs.md`).
//!
//! | names | blocks of bytes | rounds | what to know |
//! |---|---|---|---|
//! | `asconmacv13`, `asconprfv13` | 32 | 12 | Ascon-MAC and -PRF (Dobraunig, Eichlseder, Mendel, Schläffer, ePrint 2021/1574) with words and initial values in the manner of SP 800-232; that document itself has no MAC |
//! | `asconmacav13`, `asconprfav13` | 40 | 8 | their a-forms |
//! | `asconprfsv13` | 16 at most | 12 | Ascon-PRFshort: one call |
//! | the same with `v12` | | | words and initial values of Ascon v1.2, as in the paper |
//! | `fsks64`, `fsks128` | 40 | 12 | experimental: full-state keyed sponge |
//! | `asconprf192`, `asconprf64` | 24, 8 | 8, 6 | experimental |
//! | `asconfarfalle` | 40 | 6 | experimental, parallel: by far the fastest for long messages; 64-bit security is claimed |
//!
//! Keys have 16 bytes, tags 16; the PRFs give any length, Ascon-PRFshort 1 to 16. A key serves one scheme.
//!
//! # By type, with the traits of the `digest` crate
//!
//! ```
//! use sealwire::digest::{KeyInit, Mac};
//! use sealwire::mac::AsconMac;
//!
//! let mut mac = AsconMac::new(&[0x42; 16].into()); // a real key is 16 random bytes
//! mac.update(b"attack ");
//! mac.update(b"at dawn");
//! let tag = mac.finalize().into_bytes();
//!
//! let mac = AsconMac::new(&[0x42; 16].into()).chain_update(b"attack at dawn");
//! assert!(mac.verify(&tag).is_ok()); // in constant time
//! ```
//!
//! # By name
//!
//! ```
//! let mac = sealwire::mac::find("fsks-128")?.with_key(&[0x42; 16])?;
//! let mut tag = [0; 16];
//! mac.tag(b"attack at dawn", &mut tag)?;
//! mac.verify(b"attack at dawn", &tag)?;
//! let error = mac.verify(b"attack at noon", &tag).unwrap_err();
//! assert_eq!(error.to_string(), "authentication failed");
//!
//! let long = sealwire::mac::find("ascon-prf")?.with_tag_len(64)?.with_key(&[0x42; 16])?;
//! let mut output = [0; 64];
//! long.tag(b"salt", &mut output)?;
//! # Ok::<(), sealwire::Error>(())
//! ```
//!
//! # Many messages a call
//!
//! ```
//! use sealwire::mac::{TagMessage, VerifyMessage};
//!
//! let mac = sealwire::mac::find("ascon-mac")?.with_key(&[0x42; 16])?;
//! let (mut t1, mut t2) = ([0; 16], [0; 16]);
//! let mut messages = [TagMessage::new(b"first", &mut t1), TagMessage::new(b"second", &mut t2)];
//! assert_eq!(mac.tag_batch(&mut messages), 2);
//! let mut messages = [VerifyMessage::new(b"first", &t1), VerifyMessage::new(b"third", &t2)];
//! assert_eq!(mac.verify_batch(&mut messages), 1);
//! assert!(messages[1].result.is_err());
//! # Ok::<(), sealwire::Error>(())
//! ```

mod batch;
mod instance;
mod keyed;
mod scheme;
mod typed;

pub use batch::{TagMessage, VerifyMessage};
pub use keyed::{DynMac, MacMessage};
pub use scheme::{MacScheme, find, schemes};
pub use typed::*;
