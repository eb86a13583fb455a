// SPDX-License-Identifier: Apache-2.0
//! Large pages for large results. Memory that is new to a process comes from the kernel page by page, each at its first touch,
//! which takes several times as long as an encryption of the page.

// The kernel is told of memory by its pointer.
#![allow(unsafe_code)]
#![deny(clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]

/// What is shorter holds no large page for sure.
#[cfg(target_os = "linux")]
const LARGE: usize = 4 << 20;

/// Asks the kernel for large pages, which it gives where memory has not been touched yet and where it has them. Nothing comes of
/// a refusal.
///
/// # Safety
/// There are `len` bytes from `start`.
#[cfg(target_os = "linux")]
pub(crate) unsafe fn ask_for_large(start: *mut u8, len: usize) {
    use rustix::mm::{Advice, madvise};
    if len < LARGE {
        return;
    }
    // Advice is given in whole pages. The first and the last may hold what is not of these bytes, which the advice does not change.
    let page = rustix::param::page_size();
    let before = start.addr() % page;
    // SAFETY: the pages of memory that is there; the advice changes no byte.
    let _ = unsafe {
        madvise(
            start.wrapping_sub(before).cast(),
            before + len,
            Advice::LinuxHugepage,
        )
    };
}

/// Other kernels have no such advice.
///
/// # Safety
/// Always.
#[cfg(not(target_os = "linux"))]
pub(crate) unsafe fn ask_for_large(_start: *mut u8, _len: usize) {}
