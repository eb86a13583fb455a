// SPDX-License-Identifier: Apache-2.0
//! The functions of the C interface called with raw pointers, small enough for Miri: `cargo +nightly miri test -p
//! sealwire-ffi`. In C the same is tested at length.
#![allow(missing_docs, unsafe_code)]

use core::ptr::{null, null_mut};
use sealwire_ffi::*;

const NONCE: [u8; 32] = [7; 32];

fn key(scheme: &core::ffi::CStr, len: usize) -> *mut sealwire_key {
    let secret = vec![3; len];
    let mut key = null_mut();
    // SAFETY: everything is as long as it says.
    let status = unsafe { sealwire_key_new(scheme.as_ptr(), secret.as_ptr(), len, &raw mut key) };
    assert_eq!(status, sealwire_status::Ok);
    key
}

/// Output that has no value before the call, over and beside the input.
#[test]
fn one_message_in_one_buffer_and_in_two() {
    for (scheme, len) in [
        (c"omd-sha256", 32),
        (c"pomd-blake2b", 64),
        (c"sivomdp-sha512", 64),
    ] {
        let key = key(scheme, len);
        let mut sizes = core::mem::MaybeUninit::uninit();
        // SAFETY: a key and a place.
        assert_eq!(
            unsafe { sealwire_key_scheme(key, sizes.as_mut_ptr()) },
            sealwire_status::Ok
        );
        // SAFETY: written by the call.
        let sizes: sealwire_scheme = unsafe { sizes.assume_init() };
        let message = [9u8; 70];
        let total = message.len() + sizes.tag_len;
        let mut sealed = Vec::<u8>::with_capacity(total);
        let mut n = 0;
        // SAFETY: the capacity is `total`; the call writes all of it.
        unsafe {
            let status = sealwire_seal(
                key,
                NONCE.as_ptr(),
                sizes.nonce_len,
                null(),
                0,
                message.as_ptr(),
                message.len(),
                sealed.as_mut_ptr(),
                total,
                &raw mut n,
            );
            assert_eq!((status, n), (sealwire_status::Ok, total));
            sealed.set_len(total);
        }
        // Over itself, one byte to the left.
        let mut room = vec![0; total + 1];
        room[1..].copy_from_slice(&sealed);
        // SAFETY: both ranges lie in `room`, through one pointer.
        let status = unsafe {
            let start = room.as_mut_ptr();
            sealwire_open(
                key,
                NONCE.as_ptr(),
                sizes.nonce_len,
                null(),
                0,
                start.add(1),
                total,
                start,
                total,
                &raw mut n,
            )
        };
        assert_eq!((status, n), (sealwire_status::Ok, 70));
        assert_eq!(room[..70], message);
        // SAFETY: from `sealwire_key_new`, once.
        unsafe { sealwire_key_free(key) };
    }
}

#[test]
fn a_batch_with_a_session_a_forgery_and_an_overlap() {
    let key = key(c"omd-sha512", 64);
    let mut session = null_mut();
    // SAFETY: a key, bytes, a place.
    let status = unsafe { sealwire_session_ad_new(key, b"ad".as_ptr(), 2, &raw mut session) };
    assert_eq!(status, sealwire_status::Ok);
    let nonces: [[u8; 32]; 3] = core::array::from_fn(|i| [i as u8; 32]);
    let mut texts = [[5u8; 66]; 3];
    let mut tags = [[0u8; 32]; 3];
    let [t0, t1, t2] = &mut texts;
    let [g0, g1, g2] = &mut tags;
    let mut packets: Vec<_> = nonces
        .iter()
        .zip([(t0, g0), (t1, g1), (t2, g2)])
        .map(|(nonce, (text, tag))| sealwire_packet {
            nonce: nonce.as_ptr(),
            nonce_len: 32,
            ad: null(),
            ad_len: 0,
            session,
            buffer: text.as_mut_ptr(),
            buffer_len: 66,
            tag: tag.as_mut_ptr(),
            tag_len: 32,
            status: sealwire_status::NotProcessed,
        })
        .collect();
    let mut good = 0;
    // SAFETY: packets as the header asks.
    let status = unsafe { sealwire_seal_batch(key, packets.as_mut_ptr(), 3, &raw mut good) };
    assert_eq!((status, good), (sealwire_status::Ok, 3));
    let tag = packets[1].tag;
    packets[1].tag = packets[0].buffer;
    // SAFETY: packets as the header asks, but for their overlap, which is tested.
    let status = unsafe { sealwire_open_batch(key, packets.as_mut_ptr(), 3, &raw mut good) };
    assert_eq!((status, good), (sealwire_status::Overlap, 0));
    packets[1].tag = tag;
    // SAFETY: a byte of the tag.
    unsafe { *packets[1].tag ^= 1 };
    // SAFETY: packets as the header asks.
    let status = unsafe { sealwire_open_batch(key, packets.as_mut_ptr(), 3, &raw mut good) };
    assert_eq!((status, good), (sealwire_status::InvalidTag, 2));
    // SAFETY: made above, freed once.
    unsafe {
        sealwire_session_ad_free(session);
        sealwire_key_free(key);
    }
    assert_eq!(texts, [[5; 66], [0; 66], [5; 66]]);
}
