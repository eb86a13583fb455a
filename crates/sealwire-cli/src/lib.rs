// SPDX-License-Identifier: Apache-2.0
//! What the `sealwire` command is made of and other programs can use: the [sealed-file format](sealfile) over any
//! `Read` and `Write`, and [key files](keyfile).
//!
//! ```
//! use sealwire_cli::{keyfile::Key, sealfile};
//! use sealwire_link::suite::Suite;
//!
//! let key = Key::generate(Suite::by_name("omd-sha512").unwrap())?;
//! let (mut sealed, mut opened) = (Vec::new(), Vec::new());
//! sealfile::seal(&key, &sealfile::Options::default(), &b"hello"[..], &mut sealed, |_| {})?;
//! sealfile::open(&key, &sealed[..], &mut opened, |_| {})?;
//! assert_eq!(opened, b"hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod keyfile;
pub mod sealfile;
