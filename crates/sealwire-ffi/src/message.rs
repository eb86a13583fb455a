// SPDX-License-Identifier: Apache-2.0
//! One message a call.

use crate::failure::Failure;
use crate::guard::guard;
use crate::key::{borrow, sealwire_key};
use crate::memory::{Range, place};
use crate::sealwire_status;
use core::cell::Cell;
use sealwire::Error;

/// The longest tag of any scheme.
const MAX_TAG: usize = 64;

/// Encrypts a message and writes ciphertext || tag, msg_len + tag_len bytes. A nonce must never serve twice under one
/// key.
///
/// `out` has room for `out_room` bytes; `*out_len` (may be NULL) becomes the number written, 0 after a failure. `out` may
/// be `msg` or overlap it; it must not overlap `nonce` or `ad`.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_seal(
    key: *const sealwire_key,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    msg: *const u8,
    msg_len: usize,
    out: *mut u8,
    out_room: usize,
    out_len: *mut usize,
) -> sealwire_status {
    // SAFETY: NULL or a place that can be written, as the header asks.
    unsafe { put_len(out_len, 0) };
    let begun = Cell::new(None);
    guard(
        || {
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            let nonce = Range::new("nonce", nonce, nonce_len)?;
            let ad = Range::new("ad", ad, ad_len)?;
            let msg = Range::new("msg", msg, msg_len)?;
            key.check_nonce(nonce)?;
            let needed = room(out_room, msg_len.checked_add(key.0.scheme().tag_len()))?;
            let out = Range::new("out", out, needed)?;
            out.apart(&[nonce, ad])?;
            begun.set(Some(out));
            // SAFETY: as the header asks; `out` is written before a slice is made of it, and overlaps no other slice.
            let (nonce, ad, buffer, tag) = unsafe {
                out.first(msg_len).copy_from(msg);
                let tag = out.skip(msg_len);
                tag.clear();
                (
                    nonce.get(),
                    ad.get(),
                    out.first(msg_len).get_mut(),
                    tag.get_mut(),
                )
            };
            key.0.seal_in_place_detached(nonce, ad, buffer, tag)?;
            // SAFETY: NULL or a place that can be written, as the header asks.
            unsafe { put_len(out_len, needed) };
            Ok(())
        },
        // SAFETY: only after the range was checked, and no slice lives any more.
        || begun.get().iter().for_each(|out| unsafe { out.clear() }),
    )
}

/// Checks ciphertext || tag and writes the message, sealed_len - tag_len bytes.
///
/// SEALWIRE_INVALID_TAG if it is not authentic or too short to be: the first sealed_len - tag_len bytes of `out` are zeros
/// then, never plaintext. `*out_len` (may be NULL) becomes the number of bytes of the message, 0 after a failure. `out` may
/// be `sealed` or overlap it; it must not overlap `nonce` or `ad`.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_open(
    key: *const sealwire_key,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    sealed: *const u8,
    sealed_len: usize,
    out: *mut u8,
    out_room: usize,
    out_len: *mut usize,
) -> sealwire_status {
    // SAFETY: NULL or a place that can be written, as the header asks.
    unsafe { put_len(out_len, 0) };
    let begun = Cell::new(None);
    guard(
        || {
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            let nonce = Range::new("nonce", nonce, nonce_len)?;
            let ad = Range::new("ad", ad, ad_len)?;
            let sealed = Range::new("sealed", sealed, sealed_len)?;
            key.check_nonce(nonce)?;
            let tag_len = key.0.scheme().tag_len();
            // Too short to be authentic: the caller need not tell this from any other forgery.
            let msg_len = sealed_len.checked_sub(tag_len).ok_or(Error::InvalidTag)?;
            room(out_room, Some(msg_len))?;
            let out = Range::new("out", out, msg_len)?;
            out.apart(&[nonce, ad])?;
            begun.set(Some(out));
            let mut tag = [0; MAX_TAG];
            let tag = &mut tag[..tag_len];
            // SAFETY: as the header asks; the tag is copied before `out`, which may lie over it, is written.
            let (nonce, ad, buffer) = unsafe {
                tag.copy_from_slice(sealed.skip(msg_len).get());
                out.copy_from(sealed.first(msg_len));
                (nonce.get(), ad.get(), out.get_mut())
            };
            key.0.open_in_place_detached(nonce, ad, buffer, tag)?;
            // SAFETY: NULL or a place that can be written, as the header asks.
            unsafe { put_len(out_len, msg_len) };
            Ok(())
        },
        // SAFETY: only after the range was checked, and no slice lives any more.
        || begun.get().iter().for_each(|out| unsafe { out.clear() }),
    )
}

/// Encrypts a message and writes its ciphertext, `len` bytes, and its tag, `tag_len` bytes, to two places. A nonce must
/// never serve twice under one key.
///
/// `ciphertext` may be `msg` or overlap it; `ciphertext` and `tag` must overlap neither each other nor `nonce` or `ad`.
/// `tag` must not overlap `msg`.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_seal_detached(
    key: *const sealwire_key,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    msg: *const u8,
    len: usize,
    ciphertext: *mut u8,
    tag: *mut u8,
    tag_len: usize,
) -> sealwire_status {
    let begun = Cell::new(None);
    guard(
        || {
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            let nonce = Range::new("nonce", nonce, nonce_len)?;
            let ad = Range::new("ad", ad, ad_len)?;
            let msg = Range::new("msg", msg, len)?;
            let out = Range::new("ciphertext", ciphertext, len)?;
            let tag = Range::new("tag", tag, tag_len)?;
            key.check_nonce(nonce)?;
            key.check_tag(tag)?;
            out.apart(&[nonce, ad, tag])?;
            tag.apart(&[nonce, ad, msg])?;
            begun.set(Some([out, tag]));
            // SAFETY: as the header asks; both are written before slices are made of them, and overlap no other slice.
            let (nonce, ad, buffer, tag) = unsafe {
                out.copy_from(msg);
                tag.clear();
                (nonce.get(), ad.get(), out.get_mut(), tag.get_mut())
            };
            Ok(key.0.seal_in_place_detached(nonce, ad, buffer, tag)?)
        },
        || {
            for range in begun.get().into_iter().flatten() {
                // SAFETY: only after the ranges were checked, and no slice lives any more.
                unsafe { range.clear() };
            }
        },
    )
}

/// Checks ciphertext and tag and writes the message, `len` bytes.
///
/// SEALWIRE_INVALID_TAG if they are not authentic: `msg` holds `len` zeros then, never plaintext. `msg` may be `ciphertext`
/// or overlap it; it must not overlap `nonce`, `ad` or `tag`.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_open_detached(
    key: *const sealwire_key,
    nonce: *const u8,
    nonce_len: usize,
    ad: *const u8,
    ad_len: usize,
    ciphertext: *const u8,
    len: usize,
    tag: *const u8,
    tag_len: usize,
    msg: *mut u8,
) -> sealwire_status {
    let begun = Cell::new(None);
    guard(
        || {
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            let nonce = Range::new("nonce", nonce, nonce_len)?;
            let ad = Range::new("ad", ad, ad_len)?;
            let ciphertext = Range::new("ciphertext", ciphertext, len)?;
            let tag = Range::new("tag", tag, tag_len)?;
            let out = Range::new("msg", msg, len)?;
            key.check_nonce(nonce)?;
            key.check_tag(tag)?;
            out.apart(&[nonce, ad, tag])?;
            begun.set(Some(out));
            // SAFETY: as the header asks; `out` overlaps no other slice.
            let (nonce, ad, buffer, tag) = unsafe {
                out.copy_from(ciphertext);
                (nonce.get(), ad.get(), out.get_mut(), tag.get())
            };
            Ok(key.0.open_in_place_detached(nonce, ad, buffer, tag)?)
        },
        // SAFETY: only after the range was checked, and no slice lives any more.
        || begun.get().iter().for_each(|out| unsafe { out.clear() }),
    )
}

/// How many bytes the output takes, if there is room for them.
fn room(given: usize, needed: Option<usize>) -> Result<usize, Failure> {
    let needed = needed.ok_or(Failure::TooLong("msg"))?;
    if given < needed {
        Err(Failure::ShortOutput { given, needed })
    } else {
        Ok(needed)
    }
}

/// # Safety
/// `place` is NULL or can be written.
unsafe fn put_len(out: *mut usize, len: usize) {
    if place("out_len", out).is_ok() {
        // SAFETY: the caller's promise.
        unsafe { out.write(len) };
    }
}
