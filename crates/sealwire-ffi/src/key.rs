// SPDX-License-Identifier: Apache-2.0
//! Keys and hashed associated data as opaque objects.

use crate::failure::Failure;
use crate::guard::guard;
use crate::memory::{Range, place};
use crate::scheme::by_name;
use crate::{sealwire_scheme, sealwire_status};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::ptr;
use sealwire::{DynAead, Error, SessionAd};
use zeroize::Zeroize;

/// A scheme with a key.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_key(pub(crate) DynAead);

impl sealwire_key {
    /// The library checks too; here nothing has been written yet.
    pub(crate) fn check_nonce(&self, nonce: Range) -> Result<(), Failure> {
        exactly("nonce", nonce, self.0.scheme().nonce_len())
    }

    pub(crate) fn check_tag(&self, tag: Range) -> Result<(), Failure> {
        exactly("tag", tag, self.0.scheme().tag_len())
    }
}

fn exactly(parameter: &'static str, range: Range, len: usize) -> Result<(), Failure> {
    if range.len() == len {
        return Ok(());
    }
    Err(Failure::Library(Error::Length {
        parameter,
        given: range.len(),
        min: len,
        max: len,
    }))
}

/// Associated data that was hashed once under one key, for any number of messages. It is secret.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_session_ad(pub(crate) SessionAd);

/// Sets a scheme up with a key of exactly its key_len bytes, chosen at random and used with no other scheme. `scheme`
/// is a canonical name or an alias. The library keeps its own copy of what it needs; sealwire_key_free wipes it.
///
/// SEALWIRE_UNKNOWN_SCHEME, SEALWIRE_WRONG_LENGTH, SEALWIRE_NULL_POINTER; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_key_new(
    scheme: *const c_char,
    key: *const u8,
    key_len: usize,
    out: *mut *mut sealwire_key,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: NULL or a string, as the header asks.
            let scheme = unsafe { by_name(scheme) }?;
            let key = Range::new("key", key, key_len)?;
            // SAFETY: as the header asks.
            let key = scheme.with_key(unsafe { key.get() })?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(Box::into_raw(Box::new(sealwire_key(key)))) };
            Ok(())
        },
        || (),
    )
}

/// Wipes a key with everything derived from it, and frees it. NULL is allowed and does nothing. No other thread may be
/// using the key, and nobody may use it afterwards.
///
/// # Safety
/// See "Pointers" at the top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_key_free(key: *mut sealwire_key) {
    // SAFETY: NULL or from `sealwire_key_new` and given up here, as the header asks.
    unsafe { free(key) };
}

/// The scheme that a key was made for.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_key_scheme(
    key: *const sealwire_key,
    scheme: *mut sealwire_scheme,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            place("scheme", scheme)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { scheme.write(key.0.scheme().into()) };
            Ok(())
        },
        || (),
    )
}

/// Hashes associated data once for any number of messages under this key: give the result as `session` of a packet. It
/// is worth while where associated data is long, or the same for a whole session.
///
/// SEALWIRE_NO_SESSION for p-OMD, which takes in associated data together with the message; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_session_ad_new(
    key: *const sealwire_key,
    ad: *const u8,
    ad_len: usize,
    out: *mut *mut sealwire_session_ad,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            let ad = Range::new("ad", ad, ad_len)?;
            // SAFETY: as the header asks.
            let session = key.0.with_session_ad(unsafe { ad.get() })?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(Box::into_raw(Box::new(sealwire_session_ad(session)))) };
            Ok(())
        },
        || (),
    )
}

/// Wipes and frees a session's associated data. NULL is allowed and does nothing. It may outlive its key.
///
/// # Safety
/// See "Pointers" at the top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_session_ad_free(session: *mut sealwire_session_ad) {
    // SAFETY: NULL or from `sealwire_session_ad_new` and given up here, as the header asks.
    unsafe { free(session) };
}

/// # Safety
/// `object` is NULL or from `Box::into_raw`, and given up here.
pub(crate) unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        let room = object.cast::<MaybeUninit<T>>();
        // SAFETY: the caller's promise. Between dropping the object and freeing its memory nothing reads it, and bytes
        // that may have no value are only written.
        unsafe {
            object.drop_in_place();
            // The object wiped its secrets; bytes that it did not use hold what happened to be there when it was moved in.
            core::slice::from_raw_parts_mut(room.cast::<MaybeUninit<u8>>(), size_of::<T>())
                .zeroize();
            drop(Box::from_raw(room));
        }
    }
}

/// # Safety
/// `object` is NULL or lives longer than 'a and is not changed meanwhile.
pub(crate) unsafe fn borrow<'a, T>(name: &'static str, object: *const T) -> Result<&'a T, Failure> {
    place(name, object)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { &*object })
}

/// # Safety
/// `object` is NULL or lives longer than 'a and nobody else uses it meanwhile.
pub(crate) unsafe fn borrow_mut<'a, T>(
    name: &'static str,
    object: *mut T,
) -> Result<&'a mut T, Failure> {
    place(name, object)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { &mut *object })
}
