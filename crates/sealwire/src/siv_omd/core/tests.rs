// SPDX-License-Identifier: Apache-2.0
//! Calls and masks of the mode against its definition in `docs/schemes/siv-omd.md`.

use super::*;
use crate::record::{Recorded, calls, mask, sum};
use std::vec::Vec;

const N: usize = 32;

fn seal(core: &Core<Recorded>, ad: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut buffer = message.to_vec();
    let mut tag = std::vec![0; core.tag_len()];
    core.encrypt(&[1; 12], ad.into(), buffer.as_mut_slice(), &mut tag)
        .unwrap();
    (buffer, tag)
}

#[test]
fn one_pass_for_the_tag_and_one_for_the_ciphertext() {
    for serial in [false, true] {
        calls();
        let core = Core::<Recorded>::new(&[7; 32], serial, 32);
        let set_up = calls();
        assert_eq!(set_up.len(), 1, "one call a key");
        assert_eq!(set_up[0].data[30..], [1, 0], "L* = F_K(0, 256)");
        let l_star = set_up[0].result;
        for ad_len in [0, 1, 63, 64, 65, 128, 200] {
            for message_len in [0, 1, 31, 32, 33, 64, 65, 160] {
                let (ad, message) = (std::vec![4; ad_len], std::vec![5; message_len]);
                let (ciphertext, tag) = seal(&core, &ad, &message);
                let made = calls();
                let (a, m) = (ad_len.div_ceil(2 * N), message_len.div_ceil(2 * N));
                assert_eq!(made.len(), a + m + 1 + message_len.div_ceil(N));

                // The sum of both XOR MACs enters the tag's call, whose result is the tag and the start of the encryption.
                let macs = made[..a + m]
                    .iter()
                    .fold([0; N], |x, call| sum(&x, &call.result));
                let made_tag = &made[a + m];
                assert_eq!(made_tag.h, sum(&macs, &mask(1, 5, &l_star)));
                assert_eq!(made_tag.data[..13], [&[1; 12][..], &[0x80]].concat());
                assert_eq!(made_tag.result[..], tag);

                let mut h: [u8; N] = tag.clone().try_into().unwrap();
                for (i, call) in (1..).zip(&made[a + m + 1..]) {
                    let j = if serial { 7 } else { 6 };
                    assert_eq!(call.h, sum(&h, &mask(i, j, &l_star)));
                    let start = N * (i as usize - 1);
                    for at in start..message_len.min(start + N) {
                        assert_eq!(ciphertext[at], message[at] ^ call.result[at - start]);
                    }
                    if serial {
                        h = call.result;
                        assert!(i == 1 || call.data == [5; N]);
                    } else {
                        assert_eq!(call.data, made_tag.data);
                    }
                }
                // Full and partial blocks have masks of their own.
                for (blocks, len, [full, partial]) in [
                    (&made[..a], ad_len, [1, 2]),
                    (&made[a..a + m], message_len, [3, 4]),
                ] {
                    let text = if full == 1 { 4 } else { 5 };
                    for (i, call) in (1..).zip(blocks) {
                        let here = len - 2 * N * (i as usize - 1);
                        let j = if here >= 2 * N { full } else { partial };
                        let left: [u8; N] = core::array::from_fn(|k| match k.cmp(&here) {
                            core::cmp::Ordering::Less => text,
                            core::cmp::Ordering::Equal => 0x80,
                            core::cmp::Ordering::Greater => 0,
                        });
                        assert_eq!(call.h, sum(&left, &mask(i, j, &l_star)));
                    }
                }
            }
        }
    }
}

#[test]
fn cached_associated_data_saves_its_calls() {
    let core = Core::<Recorded>::new(&[7; 32], false, 16);
    let (ciphertext, tag) = seal(&core, &[4; 1000], b"message");
    let session = core.session_ad(&[4; 1000]).unwrap();
    calls();
    let mut buffer = *b"message";
    let mut again = [0; 16];
    core.encrypt(
        &[1; 12],
        (&session).into(),
        buffer.as_mut_slice(),
        &mut again,
    )
    .unwrap();
    assert_eq!(calls().len(), 3);
    assert_eq!((&buffer[..], &again[..]), (&ciphertext[..], &tag[..]));
}
