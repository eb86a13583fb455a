// SPDX-License-Identifier: Apache-2.0
//! What is left of a message when the memory for its tag cannot be had.
#![allow(missing_docs, unsafe_code)]

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use sealwire_ffi::*;
use std::alloc::{GlobalAlloc, Layout, System};

/// A length that nothing else asks for.
const TAG_LEN: usize = 12_347;

static REFUSE: AtomicBool = AtomicBool::new(false);

/// The system's memory, but on demand no `TAG_LEN` bytes.
struct Scarce;

// SAFETY: as the system's allocator, which may refuse at any time.
unsafe impl GlobalAlloc for Scarce {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() == TAG_LEN && REFUSE.load(Relaxed) {
            return null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise; all memory is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static MEMORY: Scarce = Scarce;

#[test]
fn a_message_goes_on_when_there_is_no_room_for_its_tag() {
    let (mut mac, mut message) = (null_mut(), null_mut());
    let mut tags = [vec![0; TAG_LEN], vec![0; TAG_LEN]];
    let [once, pieces] = &mut tags;
    // SAFETY: strings, bytes and places as long as they say.
    unsafe {
        let name = c"ascon-prf".as_ptr();
        let status = sealwire_mac_new(name, [7; 16].as_ptr(), 16, TAG_LEN, &raw mut mac);
        assert_eq!(status, sealwire_status::Ok);
        let status = sealwire_mac_tag(mac, b"words".as_ptr(), 5, once.as_mut_ptr(), TAG_LEN);
        assert_eq!(status, sealwire_status::Ok);
        let status = sealwire_mac_begin(mac, &raw mut message);
        assert_eq!(status, sealwire_status::Ok);
        let status = sealwire_mac_update(message, b"words".as_ptr(), 5);
        assert_eq!(status, sealwire_status::Ok);
        REFUSE.store(true, Relaxed);
        let status = sealwire_mac_finish(message, pieces.as_mut_ptr(), TAG_LEN);
        REFUSE.store(false, Relaxed);
        assert_eq!(status, sealwire_status::NoMemory);
        assert!(pieces.iter().all(|byte| *byte == 0));
        let status = sealwire_mac_finish(message, pieces.as_mut_ptr(), TAG_LEN);
        assert_eq!(status, sealwire_status::Ok);
        sealwire_mac_message_free(message);
        sealwire_mac_free(mac);
    }
    assert!(once == pieces, "the message was lost");
}
