// SPDX-License-Identifier: Apache-2.0
//! What files are sealed and opened with.

use super::options::suite;
use crate::failure::Failure;
use crate::guard::guard;
use crate::key::{borrow, free};
use crate::memory::{Range, place};
use crate::sealwire_status;
use core::ffi::c_char;
use core::ptr;
use sealwire_file::{
    Cost, Identity, Key, KeyFileError, Lock, Passphrase, Purpose, Recipient, Unlock,
};
use zeroize::Zeroizing;

/// What sealed files are sealed or opened with: a key, a passphrase, an identity or a recipient.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct sealwire_file_key(pub(super) Kind);

pub(super) enum Kind {
    Key(Key),
    Passphrase(Passphrase),
    Identity(Box<Identity>),
    Recipient(Box<Recipient>),
}

/// # Safety
/// `out` was checked, and can be written.
unsafe fn give(out: *mut *mut sealwire_file_key, kind: Kind) {
    // SAFETY: the caller's promise.
    unsafe { out.write(Box::into_raw(Box::new(sealwire_file_key(kind)))) };
}

/// Makes a fresh random key for files of this suite, such as "otr-aes256-p", the one of NULL.
///
/// SEALWIRE_UNKNOWN_SCHEME if no suite of sealed files has this name; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_key_generate(
    suite: *const c_char,
    out: *mut *mut sealwire_file_key,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: NULL or a string, as the header asks.
            let key = Key::generate(unsafe { self::suite(suite) }?)?;
            // SAFETY: checked above.
            unsafe { give(out, Kind::Key(key)) };
            Ok(())
        },
        || (),
    )
}

/// Makes a fresh random identity, the private key of one who receives files. sealwire_file_recipient_of has its public key.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_identity_generate(
    out: *mut *mut sealwire_file_key,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            let identity = Identity::generate()?;
            // SAFETY: checked above.
            unsafe { give(out, Kind::Identity(Box::new(identity))) };
            Ok(())
        },
        || (),
    )
}

/// The public key of an identity, to seal files to its owner. SEALWIRE_NOT_ALLOWED if `identity` is none.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_recipient_of(
    identity: *const sealwire_file_key,
    out: *mut *mut sealwire_file_key,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            // SAFETY: NULL or a key, as the header asks.
            let Kind::Identity(identity) = &unsafe { borrow("identity", identity) }?.0 else {
                return Err(Failure::option("only an identity has a recipient"));
            };
            let recipient = Box::new(identity.recipient().clone());
            // SAFETY: checked above.
            unsafe { give(out, Kind::Recipient(recipient)) };
            Ok(())
        },
        || (),
    )
}

/// Takes a passphrase of `len` bytes, one at least; no zero byte and no end of a line belongs to it unless it is to count.
/// A file that is sealed with it costs 2^`memory_log2` KiB of memory (3 to 20), `passes` and `lanes` (1 to 16) of Argon2id to
/// try one; three zeros stand for 64 MiB, 3 passes and 4 lanes. Opening takes what the file names.
///
/// SEALWIRE_NOT_ALLOWED for any other cost or an empty passphrase; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_passphrase_new(
    passphrase: *const u8,
    len: usize,
    memory_log2: u8,
    passes: u8,
    lanes: u8,
    out: *mut *mut sealwire_file_key,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            let passphrase = Range::new("passphrase", passphrase, len)?;
            let cost = match (memory_log2, passes, lanes) {
                (0, 0, 0) => Cost::default(),
                _ => Cost::new(memory_log2, passes, lanes)
                    .map_err(|error| Failure::Option(error.to_string()))?,
            };
            // SAFETY: as the header asks.
            let passphrase = Passphrase::new(unsafe { passphrase.get() })?.cost(cost);
            // SAFETY: checked above.
            unsafe { give(out, Kind::Passphrase(passphrase)) };
            Ok(())
        },
        || (),
    )
}

/// Reads the text of a key file, an identity file or a recipient file of the command `sealwire`, or of
/// sealwire_file_key_text.
///
/// SEALWIRE_BAD_KEY_TEXT if it is none; then `*out` is NULL.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_key_from_text(
    text: *const u8,
    len: usize,
    out: *mut *mut sealwire_file_key,
) -> sealwire_status {
    guard(
        || {
            place("out", out)?;
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { out.write(ptr::null_mut()) };
            let text = Range::new("text", text, len)?;
            // SAFETY: as the header asks.
            let text = unsafe { text.get() };
            let kind = match Key::read(text) {
                Ok(key) => Kind::Key(key),
                Err(KeyFileError::OtherPurpose {
                    given: Purpose::Identity,
                    ..
                }) => Kind::Identity(Box::new(Identity::read(text)?)),
                Err(KeyFileError::OtherPurpose {
                    given: Purpose::Recipient,
                    ..
                }) => Kind::Recipient(Box::new(Recipient::read(text)?)),
                Err(error) => return Err(error.into()),
            };
            // SAFETY: checked above.
            unsafe { give(out, kind) };
            Ok(())
        },
        || (),
    )
}

/// Writes the text of the key file, the identity file or the recipient file to `buffer`, ended by a zero byte; `*len`
/// becomes its length without that byte. 4096 bytes are always enough room. The text of a key or an identity is secret.
///
/// SEALWIRE_SHORT_OUTPUT if there is not enough room; `*len` is set then, too. SEALWIRE_NOT_ALLOWED for a passphrase, which
/// has no text.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_key_text(
    key: *const sealwire_file_key,
    buffer: *mut c_char,
    buffer_len: usize,
    len: *mut usize,
) -> sealwire_status {
    guard(
        || {
            // SAFETY: NULL or a key, as the header asks.
            let key = unsafe { borrow("key", key) }?;
            place("len", len)?;
            let buffer = Range::new("buffer", buffer.cast::<u8>().cast_const(), buffer_len)?;
            let text = match &key.0 {
                Kind::Key(key) => key.to_text(),
                Kind::Identity(identity) => identity.to_text(),
                Kind::Recipient(recipient) => Zeroizing::new(recipient.to_text()),
                Kind::Passphrase(_) => {
                    return Err(Failure::option("a passphrase has no text of a key file"));
                }
            };
            // SAFETY: checked; the header asks for a place that can be written.
            unsafe { len.write(text.len()) };
            let needed = text.len() + 1;
            if buffer.len() < needed {
                return Err(Failure::ShortOutput {
                    given: buffer.len(),
                    needed,
                });
            }
            let text = Range::new("text", text.as_ptr(), text.len())?;
            let (room, end) = (buffer.first(text.len()), buffer.skip(text.len()).first(1));
            // SAFETY: there is room for the text and a zero byte, as was just checked.
            unsafe {
                room.copy_from(text);
                end.clear();
            }
            Ok(())
        },
        || (),
    )
}

/// Wipes and frees a key, passphrase, identity or recipient. NULL is allowed and does nothing. Writers and readers that were
/// made with it go on.
///
/// # Safety
/// See "Pointers" at the top.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_file_key_free(key: *mut sealwire_file_key) {
    // SAFETY: NULL or from this library and given up here, as the header asks.
    unsafe { free(key) };
}

/// Several keys of the caller's, one at least.
///
/// # Safety
/// `keys` holds `count` pointers that are NULL or keys, which live longer than 'a.
pub(super) unsafe fn all<'a>(
    keys: *const *const sealwire_file_key,
    count: usize,
) -> Result<Vec<&'a Kind>, Failure> {
    if count == 0 {
        return Err(Failure::option("count is 0, one key or more is needed"));
    }
    place("keys", keys)?;
    Range::new(
        "keys",
        keys.cast(),
        count.saturating_mul(size_of::<usize>()),
    )?;
    (0..count)
        // SAFETY: the caller's promise.
        .map(|i| Ok(&unsafe { borrow("keys", keys.add(i).read()) }?.0))
        .collect()
}

/// Every key, or the rule that the keys break when one is of another kind.
fn of_one_kind<T>(
    keys: impl Iterator<Item = Option<T>>,
    rule: &'static str,
) -> Result<Vec<T>, Failure> {
    keys.collect::<Option<_>>()
        .ok_or_else(|| Failure::option(rule))
}

/// What a file is sealed with.
pub(super) enum OwnLock<'a> {
    Key(&'a Key),
    Passphrase(&'a Passphrase),
    Recipients(Vec<Recipient>),
}

impl<'a> OwnLock<'a> {
    pub(super) fn new(keys: &[&'a Kind]) -> Result<Self, Failure> {
        match keys {
            [Kind::Key(key)] => return Ok(Self::Key(key)),
            [Kind::Passphrase(passphrase)] => return Ok(Self::Passphrase(passphrase)),
            _ => {}
        }
        let recipients = keys.iter().map(|kind| match kind {
            Kind::Recipient(recipient) => Some((**recipient).clone()),
            _ => None,
        });
        of_one_kind(
            recipients,
            "a file is sealed with one key, with one passphrase, or to recipients alone",
        )
        .map(Self::Recipients)
    }

    pub(super) fn get(&self) -> Lock<'_> {
        match self {
            Self::Key(key) => Lock::Key(key),
            Self::Passphrase(passphrase) => Lock::Passphrase(passphrase),
            Self::Recipients(recipients) => Lock::Recipients(recipients),
        }
    }
}

/// What a file is opened with.
pub(super) enum OwnUnlock<'a> {
    Key(&'a Key),
    Passphrase(&'a Passphrase),
    Identities(Vec<Identity>),
}

impl<'a> OwnUnlock<'a> {
    pub(super) fn new(keys: &[&'a Kind]) -> Result<Self, Failure> {
        match keys {
            [Kind::Key(key)] => return Ok(Self::Key(key)),
            [Kind::Passphrase(passphrase)] => return Ok(Self::Passphrase(passphrase)),
            _ => {}
        }
        let identities = keys.iter().map(|kind| match kind {
            Kind::Identity(identity) => Some((**identity).clone()),
            _ => None,
        });
        of_one_kind(
            identities,
            "a file is opened with one key, with one passphrase, or with identities alone",
        )
        .map(Self::Identities)
    }

    pub(super) fn get(&self) -> Unlock<'_> {
        match self {
            Self::Key(key) => Unlock::Key(key),
            Self::Passphrase(passphrase) => Unlock::Passphrase(passphrase),
            Self::Identities(identities) => Unlock::Identities(identities),
        }
    }
}
