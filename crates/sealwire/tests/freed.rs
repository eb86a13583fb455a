// SPDX-License-Identifier: Apache-2.0
//! What a call that fails leaves in memory that it gives back: an allocator looks for the plaintext in every freed block.
#![cfg(feature = "alloc")]
// An allocator cannot be written without.
#![allow(unsafe_code)]

use sealwire::{Error, scheme::find};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering},
};

const TEXT: &[u8; 40] = b"a plaintext that nobody but us shall see";

/// Freed blocks that hold the text.
static FOUND: AtomicUsize = AtomicUsize::new(0);

struct Watch;

// SAFETY: everything is the system's allocator; freed blocks are read before they go.
unsafe impl GlobalAlloc for Watch {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise. Zeroed, so that all of a freed block may be read.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block is the caller's until it is given to the system below, and was zeroed at first.
        let bytes = unsafe { std::slice::from_raw_parts(block, layout.size()) };
        if bytes.windows(TEXT.len()).any(|window| window == TEXT) {
            FOUND.fetch_add(1, Ordering::SeqCst);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static WATCH: Watch = Watch;

#[test]
fn a_failed_seal_leaves_no_plaintext() {
    let [ours, other] =
        [7u8, 8].map(|byte| find("otr-aes128-p").unwrap().with_key(&[byte; 16]).unwrap());
    let foreign = other.with_session_ad(b"header").unwrap();
    let before = FOUND.load(Ordering::SeqCst);
    let failed = ours.seal(&[0; 12], &foreign, TEXT);
    assert!(matches!(failed, Err(Error::ForeignSessionAd)));
    assert_eq!(FOUND.load(Ordering::SeqCst), before);
    drop(TEXT.to_vec());
    assert_eq!(
        FOUND.load(Ordering::SeqCst),
        before + 1,
        "the search finds what it is for"
    );
}
