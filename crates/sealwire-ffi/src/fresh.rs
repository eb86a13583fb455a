// SPDX-License-Identifier: Apache-2.0
//! Fresh keys and nonces.

use crate::failure::Failure;
use crate::guard::guard;
use crate::memory::Range;
use crate::sealwire_status;

/// Fills `out` with random bytes of the operating system: a key, or a nonce of 24 bytes or more. A shorter nonce is better
/// counted (sealwire_nonce_next), because random ones repeat after some 2^(bits/2) messages.
///
/// SEALWIRE_IO_FAILED if the system has none; `out` holds zeros then.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_random(out: *mut u8, len: usize) -> sealwire_status {
    guard(
        || {
            let out = Range::new("out", out, len)?;
            // SAFETY: as the header asks; clearing gives values to bytes that had none.
            let room = unsafe {
                out.clear();
                out.get_mut()
            };
            getrandom::fill(room).map_err(|error| {
                room.fill(0);
                Failure::File(sealwire_file::Error::Random(error))
            })
        },
        || (),
    )
}

/// Counts a nonce up by one, as a number whose last byte is the lowest.
///
/// SEALWIRE_NOT_ALLOWED after the last nonce: nothing is written, and the key must not be used any longer.
///
/// # Safety
/// See "Pointers" at the top.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sealwire_nonce_next(nonce: *mut u8, len: usize) -> sealwire_status {
    guard(
        || {
            // SAFETY: as the header asks.
            let nonce = unsafe { Range::new("nonce", nonce, len)?.get_mut() };
            if nonce.iter().all(|&byte| byte == 0xff) {
                return Err(Failure::option("this was the last nonce: make a new key"));
            }
            for byte in nonce.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
            Ok(())
        },
        || (),
    )
}
