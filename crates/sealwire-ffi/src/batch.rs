// SPDX-License-Identifier: Apache-2.0
//! Many packets a call.

use crate::failure::Failure;
use crate::guard::guard;
use crate::key::{borrow, sealwire_key, sealwire_session_ad};
use crate::memory::{Range, all_apart, place};
use crate::sealwire_status;
use core::cell::Cell;
use sealwire::{Ad, Error, OpenPacket, SealPacket};

/// One packet of a batch, worked on in place. Packets may differ in everything.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Copy, Debug)]
pub struct sealwire_packet {
    /// The nonce.
    pub nonce: *const u8,
    /// Its bytes: exactly the scheme's.
    pub nonce_len: usize,
    /// The associated data, unless there is a session.
    pub ad: *const u8,
    /// Its bytes; 0 with a session.
    pub ad_len: usize,
    /// Associated data that was hashed before, or NULL.
    pub session: *const sealwire_session_ad,
    /// Plaintext before sealing and after opening, ciphertext after sealing and before opening.
    pub buffer: *mut u8,
    /// Its bytes.
    pub buffer_len: usize,
    /// Sealing writes the tag here, opening reads it.
    pub tag: *mut u8,
    /// Its bytes: exactly the scheme's.
    pub tag_len: usize,
    /// How it went. Need not be set before.
    pub status: sealwire_status,
}

/// Seals `count` packets in place; `packets[i].status` says how each went. A failed packet does not stop the others. A
/// nonce must never serve twice under one key.
///
/// SEALWIRE_OK if all succeeded, else the status of the first that did not; `*good` (may be NULL) becomes the number that
/// succeeded. No buffer or tag may overlap another one, a nonce, an ad or `packets`: then the whole call is refused with
/// SEALWIRE_OVERLAP and the packets have SEALWIRE_NOT_PROCESSED. Nonces and ads may be shared.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_seal_batch(
    key: *const sealwire_key,
    packets: *mut sealwire_packet,
    count: usize,
    good: *mut usize,
) -> sealwire_status {
    // SAFETY: as the header asks.
    unsafe { batch(key, packets, count, good, false) }
}

/// Opens `count` packets in place; `packets[i].status` says how each went. A failed packet does not stop the others.
///
/// The buffer of a packet with SEALWIRE_INVALID_TAG holds zeros, never plaintext. Otherwise as sealwire_seal_batch; tags
/// are only read here, and may be shared.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_open_batch(
    key: *const sealwire_key,
    packets: *mut sealwire_packet,
    count: usize,
    good: *mut usize,
) -> sealwire_status {
    // SAFETY: as the header asks.
    unsafe { batch(key, packets, count, good, true) }
}

/// A packet whose pointers were checked.
struct Checked {
    index: usize,
    nonce: Range,
    ad: Range,
    session: *const sealwire_session_ad,
    buffer: Range,
    tag: Range,
}

impl Checked {
    fn new(key: &sealwire_key, index: usize, packet: &sealwire_packet) -> Result<Self, Failure> {
        if !packet.session.is_null() {
            place("session", packet.session)?;
            if packet.ad_len > 0 {
                return Err(Failure::BothAds);
            }
        }
        let nonce = Range::new("nonce", packet.nonce, packet.nonce_len)?;
        let tag = Range::new("tag", packet.tag, packet.tag_len)?;
        key.check_nonce(nonce)?;
        key.check_tag(tag)?;
        Ok(Self {
            index,
            nonce,
            ad: Range::new("ad", packet.ad, packet.ad_len)?,
            session: packet.session,
            buffer: Range::new("buffer", packet.buffer, packet.buffer_len)?,
            tag,
        })
    }

    /// # Safety
    /// What the header asks of packets.
    unsafe fn ad<'a>(&self) -> Ad<'a> {
        if self.session.is_null() {
            // SAFETY: the caller's promise.
            Ad::Bytes(unsafe { self.ad.get() })
        } else {
            // SAFETY: the caller's promise; checked to be a place.
            Ad::Session(unsafe { &(*self.session).0 })
        }
    }
}

/// # Safety
/// What the header asks.
unsafe fn batch(
    key: *const sealwire_key,
    packets: *mut sealwire_packet,
    count: usize,
    good: *mut usize,
    open: bool,
) -> sealwire_status {
    if place("good", good).is_ok() {
        // SAFETY: the header asks for a place that can be written.
        unsafe { good.write(0) };
    }
    let begun = Cell::new(Vec::<Range>::new());
    guard(
        || {
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            if count == 0 {
                return Ok(());
            }
            place("packets", packets)?;
            let size = count
                .checked_mul(size_of::<sealwire_packet>())
                .ok_or(Failure::TooLong("packets"))?;
            let array = Range::new("packets", packets.cast(), size)?;

            let set = |index: usize, status: sealwire_status| {
                // SAFETY: the field of an element of the array, which can be written; no reference to it exists.
                unsafe { (&raw mut (*packets.add(index)).status).write(status) };
            };
            let mut first: Option<(usize, Failure)> = None;
            let mut checked = room(count)?;
            let mut written = room(2 * count + 1)?;
            let mut read = room(3 * count)?;
            written.push(array);
            for index in 0..count {
                set(index, sealwire_status::NotProcessed);
                // SAFETY: an element of the array whose every field has a value now.
                let packet = unsafe { packets.add(index).read() };
                match Checked::new(key, index, &packet) {
                    Ok(packet) => {
                        written.push(packet.buffer);
                        read.extend([packet.nonce, packet.ad]);
                        if open { &mut read } else { &mut written }.push(packet.tag);
                        checked.push(packet);
                    }
                    Err(failure) => {
                        set(index, failure.status());
                        first.get_or_insert((index, failure));
                    }
                }
            }
            written.retain(|range| range.len() > 0);
            if let Err(failure) = all_apart(&mut written, &read) {
                (0..count).for_each(|index| set(index, sealwire_status::NotProcessed));
                return Err(failure);
            }

            let mut outputs = room(2 * count)?;
            outputs.extend(checked.iter().map(|p| p.buffer));
            if !open {
                outputs.extend(checked.iter().map(|p| p.tag));
            }
            begun.set(outputs);
            let mut done = 0;
            let mut judge = |index: usize, result: Result<(), Error>| match result {
                Ok(()) => {
                    done += 1;
                    set(index, sealwire_status::Ok);
                }
                Err(error) => {
                    set(index, Failure::from(error).status());
                    if first.as_ref().is_none_or(|(i, _)| index < *i) {
                        first = Some((index, error.into()));
                    }
                }
            };
            if open {
                let mut jobs = room(checked.len())?;
                for p in &checked {
                    // SAFETY: as the header asks; what is written overlaps no other slice.
                    jobs.push(unsafe {
                        OpenPacket::new(p.nonce.get(), p.ad(), p.buffer.get_mut(), p.tag.get())
                    });
                }
                let _ = key.0.open_batch(&mut jobs);
                for (p, job) in checked.iter().zip(jobs) {
                    judge(p.index, job.result);
                }
            } else {
                let mut jobs = room(checked.len())?;
                for p in &checked {
                    // SAFETY: as the header asks; what is written overlaps no other slice. A tag's bytes may have had no values.
                    jobs.push(unsafe {
                        p.tag.clear();
                        SealPacket::new(p.nonce.get(), p.ad(), p.buffer.get_mut(), p.tag.get_mut())
                    });
                }
                key.0.seal_batch(&mut jobs);
                for (p, job) in checked.iter().zip(jobs) {
                    judge(p.index, job.result);
                }
            }
            if place("good", good).is_ok() {
                // SAFETY: the header asks for a place that can be written.
                unsafe { good.write(done) };
            }
            first.map_or(Ok(()), |(_, failure)| Err(failure))
        },
        || {
            for range in begun.take() {
                // SAFETY: only after the ranges were checked, and no slice lives any more.
                unsafe { range.clear() };
            }
        },
    )
}

pub(crate) fn room<T>(count: usize) -> Result<Vec<T>, Failure> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(count)
        .map_err(|_| Failure::NoMemory)?;
    Ok(vec)
}
