// SPDX-License-Identifier: Apache-2.0
//! The boundary: a result becomes a status, and a panic does not get out.

use crate::failure::{Failure, report};
use crate::sealwire_status;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a call. `wipe` clears its outputs if it panicked: what it had written by then is nobody's business.
pub(crate) fn guard(
    call: impl FnOnce() -> Result<(), Failure>,
    wipe: impl FnOnce(),
) -> sealwire_status {
    // Nothing that a panic left half done is seen again: keys do not change, and the outputs are wiped.
    let result = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        wipe();
        Err(Failure::Panic)
    });
    match result {
        Ok(()) => sealwire_status::Ok,
        Err(failure) => report(&failure),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sealwire_last_error;
    use core::ffi::CStr;

    #[test]
    fn a_panic_becomes_a_status_and_wipes() {
        let mut wiped = false;
        let status = guard(|| panic!("on purpose, to be caught"), || wiped = true);
        assert_eq!(status, sealwire_status::Internal);
        assert!(wiped);
        // SAFETY: the function returns a string.
        let message = unsafe { CStr::from_ptr(sealwire_last_error()) };
        assert_eq!(message, c"internal error: please report it");
    }
}
