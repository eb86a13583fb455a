// SPDX-License-Identifier: Apache-2.0
//! The Sealwire link in software, byte for byte the wire format of the RTL link.
//!
//! A link joins two trusted networks over an untrusted one. Each whole Ethernet frame (14 to 9600 bytes, without its
//! frame check sequence) travels as the message of one authenticated-encryption packet; see `docs/` for the wire format.
//!
//! | module | what it holds |
//! |---|---|
//! | [`suite`] | the table of suites: scheme, sizes, schedule function, packet limit |
//! | [`wire`] | the 16-byte header: parse and build, and the causes for which a packet is dropped |
//! | [`schedule`] | from a pre-shared key and two random values to session keys, salts and associated data |
//! | [`replay`] | the replay window of 2048 packets |
//! | [`session`] | sealing and opening packets under one session |
//! | [`packet`] | packets in the caller's buffers, many in one call |
//! | [`handshake`] | the three handshake messages |
//! | [`endpoint`] | one end as a state machine: handshake, session slots, rekey, receive rules, counters |
//! | [`hub`] | many peers behind one address: what leads a packet or a frame to its peer |
//! | `noise` | sessions through a Noise channel, for ends without handshake (feature `noise`) |
//! | `gateway` | the data plane between a network device and UDP or bare Ethernet (feature `gateway`, Linux) |
//!
//! To run a link, take an [`endpoint::Endpoint`] and give it time, random bytes and packets; the rest is what it is made of.
//!
//! There is no forward secrecy: who learns the pre-shared key can open recorded traffic.
//!
//! ```
//! use sealwire_link::{packet::Incoming, schedule::{Ends, OwnRandom, Psk}, session::Session, suite::Suite, wire::Kind};
//!
//! let suite = Suite::by_name("omd-sha512").unwrap();
//! let key = [7; 64]; // in real use: 64 random bytes that both ends hold
//! let (a, b) = (1u64.to_be_bytes(), 2u64.to_be_bytes());
//! let left = Ends::new(suite, Psk::new(suite, &key)?, a, b, Kind::Ethernet)?;
//! let right = Ends::new(suite, Psk::new(suite, &key)?, b, a, Kind::Ethernet)?;
//!
//! // Each end draws its own random value and learns the other's.
//! let (mine, yours) = (OwnRandom::draw(suite, &[])?, OwnRandom::draw(suite, &[])?);
//! let (to_left, to_right) = (yours.to_vec(), mine.to_vec());
//! let mut left = Session::derive(&left, mine, &to_left)?;
//! let mut right = Session::derive(&right, yours, &to_right)?;
//!
//! let frame = [0x42; 60];
//! let mut packet = Vec::new();
//! left.sender.seal(&frame, &mut packet)?;
//! let mut packet = Incoming::new(&mut packet, ());
//! right.receiver.open(&mut packet);
//! assert_eq!(packet.frame(), Some(&frame[..]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod endpoint;
#[cfg(all(feature = "gateway", target_os = "linux"))]
pub mod gateway;
pub mod handshake;
pub mod hub;
mod look_ups;
#[cfg(feature = "noise")]
pub mod noise;
#[cfg(all(feature = "noise", target_os = "linux"))]
mod own_address;
pub mod packet;
pub mod replay;
pub mod schedule;
pub mod session;
pub mod suite;
pub mod wire;

mod budget;
mod error;

pub use error::Error;
