// SPDX-License-Identifier: Apache-2.0
//! Message authentication codes.

use crate::batch::room;
use crate::failure::Failure;
use crate::guard::guard;
use crate::key::{borrow, borrow_mut, free};
use crate::memory::{Range, all_apart, place};
use crate::scheme::text;
use crate::sealwire_status;
use core::cell::Cell;
use core::ffi::{CStr, c_char};
use core::ptr;
use sealwire::Error;
use sealwire::mac::{DynMac, MacMessage, MacScheme, TagMessage, VerifyMessage, find, schemes};

/// A MAC with its sizes.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Copy, Debug)]
pub struct sealwire_mac_scheme {
    /// The canonical name, such as "asconmacv13", ended by a zero byte.
    pub name: [c_char; 48],
    /// The short name, such as "ascon-mac"; empty if there is none.
    pub alias: [c_char; 32],
    /// Bytes of a key.
    pub key_len: usize,
    /// Bytes of a tag, unless another length is asked for.
    pub tag_len: usize,
    /// The fewest bytes of a tag that can be asked for.
    pub min_tag_len: usize,
    /// The most bytes of a tag that can be asked for; SIZE_MAX: any number.
    pub max_tag_len: usize,
    /// Bytes of a message block.
    pub block_len: usize,
    /// The most bytes of a message; SIZE_MAX: any number.
    pub max_msg_len: usize,
    /// Whether the instance is our own choice or has not been analysed: for experiments only.
    pub experimental: bool,
}

impl From<&MacScheme> for sealwire_mac_scheme {
    fn from(scheme: &MacScheme) -> Self {
        let (min_tag_len, max_tag_len) = scheme.tag_lens();
        Self {
            name: text(scheme.name()),
            alias: text(scheme.alias().unwrap_or("")),
            key_len: scheme.key_len(),
            tag_len: scheme.tag_len(),
            min_tag_len,
            max_tag_len,
            block_len: scheme.block_len(),
            max_msg_len: scheme.max_message_len().unwrap_or(usize::MAX),
            experimental: scheme.experimental(),
        }
    }
}

/// Finds the MAC with this canonical name or alias. `name` ends with a zero byte.
///
/// SEALWIRE_UNKNOWN_SCHEME if there is none; then `*scheme` is not written.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_scheme_find(
    name: *const c_char,
    scheme: *mut sealwire_mac_scheme,
) -> sealwire_status {
    guard(
        || {
            place("scheme", scheme)?;
            // SAFETY: NULL or a string, as the header asks.
            let found = unsafe { by_name(name) }?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { scheme.write((&found).into()) };
            Ok(())
        },
        || (),
    )
}

/// The MACs one after the other: index 0, 1, .. until SEALWIRE_UNKNOWN_SCHEME.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_scheme_at(
    index: usize,
    scheme: *mut sealwire_mac_scheme,
) -> sealwire_status {
    guard(
        || {
            place("scheme", scheme)?;
            let found = schemes().nth(index).ok_or(Failure::NoScheme)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { scheme.write((&found).into()) };
            Ok(())
        },
        || (),
    )
}

/// # Safety
/// `name` is NULL or a string.
unsafe fn by_name(name: *const c_char) -> Result<MacScheme, Failure> {
    place("scheme name", name)?;
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    let name = name.to_str().map_err(|_| Failure::NoScheme)?;
    Ok(find(name)?)
}

/// A MAC with a key.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_mac(DynMac);

impl sealwire_mac {
    /// The library checks too; here nothing has been written yet.
    fn check_tag(&self, tag: Range) -> Result<(), Failure> {
        let len = self.0.scheme().tag_len();
        if tag.len() == len {
            return Ok(());
        }
        Err(Failure::Library(Error::Length {
            parameter: "tag",
            given: tag.len(),
            min: len,
            max: len,
        }))
    }
}

/// Sets a MAC up with a key of exactly its key_len bytes, chosen at random and used with no other scheme, and tags of
/// `tag_len` bytes: 16, or what the scheme allows. The library keeps its own copy; sealwire_mac_free wipes it.
///
/// SEALWIRE_UNKNOWN_SCHEME, SEALWIRE_WRONG_LENGTH, SEALWIRE_NULL_POINTER; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_new(
    scheme: *const c_char,
    key: *const u8,
    key_len: usize,
    tag_len: usize,
    out: *mut *mut sealwire_mac,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: NULL or a string, as the header asks.
            let scheme = unsafe { by_name(scheme) }?.with_tag_len(tag_len)?;
            let key = Range::new("key", key, key_len)?;
            // SAFETY: as the header asks.
            let mac = scheme.with_key(unsafe { key.get() })?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(Box::into_raw(Box::new(sealwire_mac(mac)))) };
            Ok(())
        },
        || (),
    )
}

/// Wipes a MAC's key with everything derived from it, and frees it. NULL is allowed and does nothing. No other thread may
/// be using it, and nobody may use it afterwards.
///
/// # Safety
/// See "Pointers" at the top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_free(mac: *mut sealwire_mac) {
    // SAFETY: NULL or from `sealwire_mac_new` and given up here, as the header asks.
    unsafe { free(mac) };
}

/// Writes the tag of a message. `tag` must not overlap `msg`.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_tag(
    mac: *const sealwire_mac,
    msg: *const u8,
    msg_len: usize,
    tag: *mut u8,
    tag_len: usize,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a MAC, as the header asks.
            let mac = unsafe { borrow("mac", mac) }?;
            let msg = Range::new("msg", msg, msg_len)?;
            let tag = Range::new("tag", tag, tag_len)?;
            mac.check_tag(tag)?;
            tag.apart(&[msg])?;
            // SAFETY: as the header asks.
            let mut message = mac.0.begin();
            // SAFETY: as the header asks.
            message.update(unsafe { msg.get() });
            // SAFETY: checked and apart from the message.
            unsafe { put_tag(message, room(tag.len())?, tag) }
        },
        || (),
    )
}

/// Checks the tag of a message in constant time: SEALWIRE_INVALID_TAG if it is another one's.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_verify(
    mac: *const sealwire_mac,
    msg: *const u8,
    msg_len: usize,
    tag: *const u8,
    tag_len: usize,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a MAC, as the header asks.
            let mac = unsafe { borrow("mac", mac) }?;
            let msg = Range::new("msg", msg, msg_len)?;
            let tag = Range::new("tag", tag, tag_len)?;
            mac.check_tag(tag)?;
            // SAFETY: as the header asks.
            Ok(unsafe { mac.0.verify(msg.get(), tag.get()) }?)
        },
        || (),
    )
}

/// A message that comes in pieces. It belongs to one thread at a time.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_mac_message {
    mac: sealwire_mac,
    message: MacMessage,
}

/// Begins a message that comes in pieces. It may outlive `mac`. sealwire_mac_message_free wipes it.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_begin(
    mac: *const sealwire_mac,
    out: *mut *mut sealwire_mac_message,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: NULL or a MAC, as the header asks.
            let mac = unsafe { borrow("mac", mac) }?;
            let message = Box::new(sealwire_mac_message {
                mac: sealwire_mac(mac.0.clone()),
                message: mac.0.begin(),
            });
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(Box::into_raw(message)) };
            Ok(())
        },
        || (),
    )
}

/// Makes a copy of a message, with what was taken in so far; both go on apart. sealwire_mac_message_free wipes it.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_message_copy(
    message: *const sealwire_mac_message,
    out: *mut *mut sealwire_mac_message,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: NULL or a message, as the header asks.
            let message = unsafe { borrow("message", message) }?;
            let copy = Box::new(sealwire_mac_message {
                mac: sealwire_mac(message.mac.0.clone()),
                message: message.message.clone(),
            });
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(Box::into_raw(copy)) };
            Ok(())
        },
        || (),
    )
}

/// Takes in the next piece of a message.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_update(
    message: *mut sealwire_mac_message,
    data: *const u8,
    data_len: usize,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a message, as the header asks.
            let message = unsafe { borrow_mut("message", message) }?;
            let data = Range::new("data", data, data_len)?;
            // SAFETY: as the header asks.
            message.message.update(unsafe { data.get() });
            Ok(())
        },
        || (),
    )
}

/// Ends a message and writes its tag. The object then is at the beginning of another message under the same key, also
/// after SEALWIRE_WRONG_LENGTH because the message was too long; after other failures it is as it was.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_finish(
    message: *mut sealwire_mac_message,
    tag: *mut u8,
    tag_len: usize,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a message, as the header asks.
            let message = unsafe { borrow_mut("message", message) }?;
            let tag = Range::new("tag", tag, tag_len)?;
            message.mac.check_tag(tag)?;
            // Before the message ends: without room it can be asked again.
            let made = room(tag.len())?;
            // SAFETY: checked; an object of the library's lies elsewhere.
            unsafe { put_tag(message.end(), made, tag) }
        },
        || (),
    )
}

/// Ends a message and checks its tag in constant time: SEALWIRE_INVALID_TAG if it is another one's. The object then is
/// where sealwire_mac_finish leaves it.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_finish_verify(
    message: *mut sealwire_mac_message,
    tag: *const u8,
    tag_len: usize,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a message, as the header asks.
            let message = unsafe { borrow_mut("message", message) }?;
            let tag = Range::new("tag", tag, tag_len)?;
            message.mac.check_tag(tag)?;
            // SAFETY: as the header asks.
            Ok(message.end().verify(unsafe { tag.get() })?)
        },
        || (),
    )
}

/// Wipes and frees a message. NULL is allowed and does nothing.
///
/// # Safety
/// See "Pointers" at the top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_message_free(message: *mut sealwire_mac_message) {
    // SAFETY: NULL or from `sealwire_mac_begin` and given up here, as the header asks.
    unsafe { free(message) };
}

impl sealwire_mac_message {
    /// The message as it is; another one takes its place.
    fn end(&mut self) -> MacMessage {
        core::mem::replace(&mut self.message, self.mac.0.begin())
    }
}

/// `made` has room for the tag.
///
/// # Safety
/// `tag` can be written and overlaps nothing that `message` reads.
unsafe fn put_tag(message: MacMessage, mut made: Vec<u8>, tag: Range) -> Result<(), Failure> {
    // Made elsewhere, so that nothing is written if it cannot be made.
    made.resize(tag.len(), 0);
    message.finish(&mut made)?;
    // SAFETY: the caller's promise.
    unsafe {
        tag.clear();
        tag.get_mut().copy_from_slice(&made);
    }
    Ok(())
}

/// One message of a batch.
#[repr(C)]
#[allow(non_camel_case_types, reason = "the name in C")]
#[derive(Clone, Copy, Debug)]
pub struct sealwire_mac_job {
    /// The message.
    pub msg: *const u8,
    /// Its bytes.
    pub msg_len: usize,
    /// sealwire_mac_tag_batch writes the tag here, sealwire_mac_verify_batch reads it.
    pub tag: *mut u8,
    /// Its bytes.
    pub tag_len: usize,
    /// How it went. Need not be set before.
    pub status: sealwire_status,
}

/// Writes the tags of `count` messages; `jobs[i].status` says how each went. A failed one does not stop the others. The
/// messages share the lanes of the vector registers; eight are the right number.
///
/// SEALWIRE_OK if all succeeded, else the status of the first that did not; `*good` (may be NULL) becomes the number that
/// succeeded. No tag may overlap another one, a message or `jobs`: then the whole call is refused with SEALWIRE_OVERLAP
/// and the jobs have SEALWIRE_NOT_PROCESSED. Messages may be shared.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_tag_batch(
    mac: *const sealwire_mac,
    jobs: *mut sealwire_mac_job,
    count: usize,
    good: *mut usize,
) -> sealwire_status {
    // SAFETY: as the header asks.
    unsafe { batch(mac, jobs, count, good, false) }
}

/// Checks the tags of `count` messages in constant time; `jobs[i].status` is SEALWIRE_INVALID_TAG where one is wrong.
/// Otherwise as sealwire_mac_tag_batch; tags are only read here, and may be shared.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_mac_verify_batch(
    mac: *const sealwire_mac,
    jobs: *mut sealwire_mac_job,
    count: usize,
    good: *mut usize,
) -> sealwire_status {
    // SAFETY: as the header asks.
    unsafe { batch(mac, jobs, count, good, true) }
}

/// A job whose pointers were checked.
struct Checked {
    index: usize,
    msg: Range,
    tag: Range,
}

impl Checked {
    fn new(mac: &sealwire_mac, index: usize, job: &sealwire_mac_job) -> Result<Self, Failure> {
        let tag = Range::new("tag", job.tag, job.tag_len)?;
        mac.check_tag(tag)?;
        Ok(Self {
            index,
            msg: Range::new("msg", job.msg, job.msg_len)?,
            tag,
        })
    }
}

/// # Safety
/// What the header asks.
unsafe fn batch(
    mac: *const sealwire_mac,
    jobs: *mut sealwire_mac_job,
    count: usize,
    good: *mut usize,
    verify: bool,
) -> sealwire_status {
    if place("good", good).is_ok() {
        // SAFETY: the header asks for a place that can be written.
        unsafe { good.write(0) };
    }
    let begun = Cell::new(Vec::<Range>::new());
    guard(
        || {
            // SAFETY: NULL or a MAC, as the header asks.
            let mac = unsafe { borrow("mac", mac) }?;
            if count == 0 {
                return Ok(());
            }
            place("jobs", jobs)?;
            let size = count
                .checked_mul(size_of::<sealwire_mac_job>())
                .ok_or(Failure::TooLong("jobs"))?;
            let array = Range::new("jobs", jobs.cast(), size)?;

            let set = |index: usize, status: sealwire_status| {
                // SAFETY: the field of an element of the array, which can be written; no reference to it exists.
                unsafe { (&raw mut (*jobs.add(index)).status).write(status) };
            };
            let mut first: Option<(usize, Failure)> = None;
            let mut checked = room(count)?;
            let mut written = room(count + 1)?;
            let mut read = room(2 * count)?;
            written.push(array);
            for index in 0..count {
                set(index, sealwire_status::NotProcessed);
                // SAFETY: an element of the array whose every field has a value now.
                let job = unsafe { jobs.add(index).read() };
                match Checked::new(mac, index, &job) {
                    Ok(job) => {
                        read.push(job.msg);
                        if verify { &mut read } else { &mut written }.push(job.tag);
                        checked.push(job);
                    }
                    Err(failure) => {
                        set(index, failure.status());
                        first.get_or_insert((index, failure));
                    }
                }
            }
            if let Err(failure) = all_apart(&mut written, &read) {
                (0..count).for_each(|index| set(index, sealwire_status::NotProcessed));
                return Err(failure);
            }

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
            if verify {
                let mut messages = room(checked.len())?;
                // SAFETY: as the header asks; nothing that is read is written.
                messages.extend(checked.iter().map(|job: &Checked| unsafe {
                    VerifyMessage::new(job.msg.get(), job.tag.get())
                }));
                let _ = mac.0.verify_batch(&mut messages);
                for (job, message) in checked.iter().zip(messages) {
                    judge(job.index, message.result);
                }
            } else {
                let mut outputs = room(checked.len())?;
                outputs.extend(checked.iter().map(|job: &Checked| job.tag));
                begun.set(outputs);
                let mut messages = room(checked.len())?;
                // SAFETY: as the header asks; a tag overlaps no other slice, and its bytes may have had no values.
                messages.extend(checked.iter().map(|job: &Checked| unsafe {
                    job.tag.clear();
                    TagMessage::new(job.msg.get(), job.tag.get_mut())
                }));
                mac.0.tag_batch(&mut messages);
                for (job, message) in checked.iter().zip(messages) {
                    judge(job.index, message.result);
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
