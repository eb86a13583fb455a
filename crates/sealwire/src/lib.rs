// SPDX-License-Identifier: Apache-2.0
//! Authenticated encryption: the modes OMD and p-OMD over the compression functions of SHA-256, SHA-512 and BLAKE2b, and
//! AES-OTR, OCB, AES-GCM, AEGIS, Deoxys, COLM, AES-COPA, Minalpher, SCREAM and the AEADs of Ascon.
//!
//! | module | mode | what to know |
//! |---|---|---|
//! | [`omd`] | OMD, versions 1 and 2 | the choice where nothing speaks against it |
//! | [`otr`] | AES-OTR, version 3 | no AES decryption, so that small devices can follow; fast where the CPU has AES instructions; keys of 128 or 256 bits, short nonces |
//! | [`deoxys`] | Deoxys-I, Deoxys-II, version 1.43 | a tweak for every block, so that the bound does not wear off; Deoxys-II: a repeated nonce does little harm, two passes |
//! | [`ocb`] | OCB (RFC 7253) | the standard of one pass; keys of 128, 192 or 256 bits |
//! | [`colm`] | COLM_0 | two calls a block; a repeated nonce shows only how far two messages begin alike; ciphertext and tag are the designers' ciphertext |
//! | [`copa`] | AES-COPA, version 2 | COLM's elder, with a tag of 33 bytes |
//! | [`minalpher`] | Minalpher, version 1.1 | a permutation of 32 bytes between masks, and a MAC of the ciphertext; a tag of 48 bytes; not in use |
//! | [`scream`] | SCREAM, version 3 | **historical**: weak keys, not for use |
//! | [`gcm`] | AES-GCM (NIST SP 800-38D) | what every other library has, for peers without the rest; keys of 128 or 256 bits |
//! | [`aegis`] | AEGIS-128L, AEGIS-256 (RFC 10032) | the fastest for short messages where the CPU has AES instructions; nonces of 16 or 32 bytes; a few messages under one nonce give its state away |
//! | [`pomd`] | p-OMD | associated data almost free; forgeries if a nonce repeats or unverified plaintext gets out |
//! | [`siv_omd`] | SIV-OMD, **experimental** | a repeated nonce does little harm; two passes; our own construction, not analysed |
//! | [`ascon_aead`] | Ascon-AEAD128 (NIST SP 800-232), Ascon-128 | small and free of tables; one call after the other |
//! | [`mac`] | MACs over [Ascon-p](ascon) | Ascon-PRF and its family; five more are **experimental** |
//!
//! # One message
//!
//! The types implement the traits of the [`aead`] crate, so that a user of `aes-gcm` changes one type name:
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use sealwire::aead::{Aead, KeyInit, Payload};
//! use sealwire::omd::OmdSha512;
//!
//! let cipher = OmdSha512::new(&[0x42; 64].into()); // a real key is 64 random bytes
//! let nonce = [0; 32].into(); // never twice with the same key
//! let sealed = cipher.encrypt(&nonce, Payload { msg: b"attack at dawn", aad: b"to: field" })?;
//! assert_eq!(sealed.len(), 14 + 32);
//! let opened = cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to: field" })?;
//! assert_eq!(opened, b"attack at dawn");
//! # }
//! # Ok::<(), sealwire::aead::Error>(())
//! ```
//!
//! # A scheme by name, in place, the tag apart
//!
//! ```
//! let scheme = sealwire::scheme::find("omd-blake2b")?;
//! let cipher = scheme.with_key(&[0x42; 64])?;
//! let nonce = [0; 32];
//! let (mut buffer, mut tag) = (*b"attack at dawn", [0; 32]);
//! cipher.seal_in_place_detached(&nonce, b"header", &mut buffer, &mut tag)?;
//! cipher.open_in_place_detached(&nonce, b"header", &mut buffer, &tag)?;
//! assert_eq!(&buffer, b"attack at dawn");
//!
//! tag[0] ^= 1;
//! let error = cipher.open_in_place_detached(&nonce, b"header", &mut buffer, &tag).unwrap_err();
//! assert_eq!(error.to_string(), "authentication failed");
//! assert_eq!(buffer, [0; 14]); // a failed open leaves nothing behind
//! # Ok::<(), sealwire::Error>(())
//! ```
//!
//! # A session: associated data hashed once, many packets a call
//!
//! ```
//! use sealwire::{OpenPacket, SealPacket};
//!
//! let cipher = sealwire::scheme::find("omd-sha256")?.with_key(&[0x42; 32])?;
//! let session = cipher.with_session_ad(b"gateway 1 to gateway 2")?;
//! let (n1, n2) = ([1; 13], [2; 13]);
//! let (mut p1, mut p2) = (*b"first packet", *b"the second packet");
//! let (mut t1, mut t2) = ([0; 20], [0; 20]);
//! let sealed = cipher.seal_batch(&mut [
//!     SealPacket::new(&n1, &session, &mut p1, &mut t1),
//!     SealPacket::new(&n2, &session, &mut p2, &mut t2),
//! ]);
//! assert_eq!(sealed, 2);
//!
//! t2[3] ^= 0x10;
//! let mut packets =
//!     [OpenPacket::new(&n1, &session, &mut p1, &t1), OpenPacket::new(&n2, &session, &mut p2, &t2)];
//! assert_eq!(cipher.open_batch(&mut packets), 1);
//! assert!(packets[0].result.is_ok() && packets[1].result.is_err());
//! assert_eq!(&p1, b"first packet");
//! # Ok::<(), sealwire::Error>(())
//! ```
//!
//! # What holds everywhere
//!
//! * Sizes that a scheme does not allow are errors that name the parameter, what was given and what is allowed.
//! * Opening decrypts, compares the tag in constant time, and wipes the buffer if it is wrong. Nothing unverified is
//!   returned.
//! * No branch and no memory index depends on a secret.
//! * Keys, everything derived from them and the chaining values of a call are wiped when they are dropped. Not wiped are
//!   working values of a call that belong in vector registers (AES-OTR, OCB, AEGIS, Deoxys, COLM, AES-COPA, Minalpher, SCREAM: state, masks and blocks on their way), with what the
//!   compiler spills of them. Copies that it or the crates `sha2` and `aes-gcm` make on the stack and in registers are beyond the crate's
//!   reach.
//! * A nonce must not serve twice under one key: in OMD and p-OMD that reveals the difference of two messages' first
//!   blocks and costs authenticity.
//! * A key serves one scheme.
//! * Vector instructions ([`compress::Path`]) are chosen while the program runs; the results are the same with all of them.
//!   They are the only `unsafe` code. Without the default features the crate needs neither `std` nor an allocator.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `alloc` | through `std` | calls that return a `Vec` |
//! | `std` | yes | known-answer files, module `kat`; the environment variable `SEALWIRE_PATH`; extensions of the CPU that a program was not compiled for, of AArch64 and VAES without AVX-512, are found |
//! | `getrandom` | no | random keys and nonces through the `aead` traits |
#![no_std]
#![deny(unsafe_code, clippy::undocumented_unsafe_blocks)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod aegis;
pub mod aes;
pub mod ascon;
pub mod ascon_aead;
pub mod batch;
mod chained;
pub mod colm;
pub mod compress;
pub mod copa;
mod cpu;
pub mod deoxys;
mod drive;
mod error;
pub mod gcm;
mod gf;
#[cfg(feature = "std")]
pub mod kat;
mod key;
pub mod limits;
pub mod mac;
pub mod minalpher;
mod mode;
pub mod ocb;
pub mod omd;
pub mod otr;
pub mod pomd;
#[cfg(test)]
mod record;
pub mod scheme;
pub mod scream;
pub mod siv_omd;
mod slices;
mod together;
mod typed;

/// The guide's examples in Rust are tests.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../../../docs/choose.md")]
mod guide {}

/// The examples of the page of AES-OTR run as tests.
#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../../../docs/schemes/otr.md")]
mod otr_page {}

pub use aead;
pub use batch::{Ad, OpenPacket, SealPacket, SessionAd};
pub use digest;
pub use error::{Error, Label};
pub use scheme::{DynAead, Scheme};
pub use typed::Typed;
