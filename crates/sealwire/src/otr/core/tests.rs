// SPDX-License-Identifier: Apache-2.0
//! Intermediate values of the mode: key 00 01 02 .., nonce 00 01 02 ... They come from an independent model that reproduces
//! the designers' published answers.

use super::pieces::{Begin, Sealing};
use super::text::State;
use super::*;
use crate::aes::{Aes128, Aes256};
use core::mem::ManuallyDrop;
use hex_literal::hex;
use std::vec::Vec;

const FORMS: [Form; 3] = [Form::Parallel, Form::Serial, Form::Chained];

struct Expected {
    nonce: [u8; 16],
    q: [u8; 16],
    /// of 00 01 02, in the three forms
    ta: [[u8; 16]; 3],
    /// in the form S, with that data
    first_mask: [u8; 16],
    /// in the form P, of an empty message
    te: [u8; 16],
}

fn check<A: Cipher>(expected: &Expected) {
    let bytes: Vec<u8> = (0..32).collect();
    for (form, ta) in FORMS.into_iter().zip(expected.ta) {
        let core = Core::<A>::new(&bytes[..A::BITS / 8], form, 16);
        assert_eq!(core.q, expected.q);
        assert_eq!(
            core.format(&bytes[..12]),
            hex!("00000001000102030405060708090A0B")
        );
        let process_ad = |ad: &[u8]| {
            let mut ta = [0xff; 16];
            core.process_ad(ad, &mut ta);
            ta
        };
        assert_eq!(process_ad(&bytes[..3]), ta, "{form:?}");
        assert_eq!(process_ad(&[]), [0; 16]);
        let nonce = core.format(&bytes[..12]);
        let mask = |ta| {
            let mut state = State::new([0; 16]);
            core.key.run(Begin {
                form,
                nonce: &nonce,
                ta: &ta,
                state: &mut state,
            });
            state.mask
        };
        match form {
            Form::Parallel => {
                assert_eq!(mask([0; 16]), expected.nonce);
                let state = State::new(expected.nonce);
                assert_eq!(core.end(&state, &mut [], &[0; 16]), expected.te);
            }
            Form::Serial => assert_eq!(mask(ta), expected.first_mask),
            Form::Chained => assert_eq!(mask([0; 16]), expected.nonce),
        }
    }
}

#[test]
fn aes128() {
    check::<Aes128>(&Expected {
        nonce: hex!("5305DF793C20ED35537E36DF74659ECE"),
        q: hex!("C6A13B37878F5B826F4F8162A1C8D879"),
        ta: [
            hex!("6F5820512B7D0F0E92C213EA279FF24F"),
            hex!("A1080EAC9B8AC581DC9C9B1F27833953"),
            hex!("13B31C7D5187AEE02559590767CBB2C5"),
        ],
        first_mask: hex!("E41BA3AB4F5451691FC55B80A7CD4FBD"),
        te: hex!("F780C1B3403B81E4A8BF86F3FD9DBACC"),
    });
}

#[test]
fn aes256() {
    check::<Aes256>(&Expected {
        nonce: hex!("4173A155F7D74F8E2C74670D4172D599"),
        q: hex!("F29000B62A499FD0A9F39A6ADD2E7780"),
        ta: [
            hex!("A50B1CC618854A8F3EA1AFD15A70C686"),
            hex!("F8EB625214112DA02BC16A228F621579"),
            hex!("1F00B4F90ACA8B7212A9E8439B0628F9"),
        ],
        first_mask: hex!("7331860FC78CC45C0F6A1A5F9C218147"),
        te: hex!("13DA78B27DE46EEA86F56C6BB0836D92"),
    });
}

/// The nonce's length and the tag's are part of the block: no two sets have one in common.
#[test]
fn every_nonce_and_tag_length_has_blocks_of_its_own() {
    let mut seen = Vec::new();
    for tag_len in 1..=16 {
        let core = Core::<Aes128>::new(&[0; 16], Form::Parallel, tag_len);
        for nonce_len in 1..=15 {
            let block = core.format(&[0; 15][..nonce_len]);
            assert_eq!(usize::from(block[0] >> 1), 8 * tag_len % 128);
            assert_eq!(block[15 - nonce_len] & 1, 1);
            seen.push(block);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 15 * 16);
}

#[test]
#[allow(unsafe_code)]
fn a_message_that_is_dropped_leaves_neither_tag_nor_associated_data() {
    let mut message = ManuallyDrop::new(Message {
        block: [1; 16],
        ta: [2; 16],
        text: &mut [],
    });
    // SAFETY: once; what is read of it afterwards are bytes, which any value suits.
    unsafe { ManuallyDrop::drop(&mut message) };
    assert_eq!(message.block, [0; 16]);
    assert_eq!(message.ta, [0; 16]);
}
