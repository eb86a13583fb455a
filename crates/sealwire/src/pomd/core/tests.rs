// SPDX-License-Identifier: Apache-2.0
//! Every call of every case against the text of the paper: how many there are, what enters, and under which mask.

use super::*;
use crate::record::{Call, Recorded, calls, mask, sum};
use std::vec::Vec;

const N: usize = 32;

/// x || 10*, or x if it is full.
fn padded(x: &[u8], len: usize) -> Vec<u8> {
    let mut out = x.to_vec();
    if out.len() < len {
        out.push(0x80);
        out.resize(len, 0);
    }
    out
}

fn block(x: &[u8]) -> [u8; N] {
    padded(x, N).try_into().unwrap()
}

/// The case of figure 1 and the final j, from the sentences of section 4 ("Selection of the j component").
fn case_and_final_j(ad: usize, message: usize) -> (char, u64) {
    let (l, a) = (message.div_ceil(N), ad.div_ceil(N));
    let message_full = message.is_multiple_of(N);
    let pick = |first: u64, ad_full: bool| match (message_full, ad_full) {
        (true, true) => first,
        (false, true) => first + 1,
        (true, false) => first + 2,
        (false, false) => first + 3,
    };
    match (l, a) {
        (0, 0) => ('F', 3),
        (0, 1) => ('E', if ad == N { 12 } else { 14 }),
        (0, _) => ('D', pick(12, (ad - N).is_multiple_of(2 * N))),
        _ if a == l + 1 => ('A', pick(4, ad.is_multiple_of(N))),
        _ if a <= l => ('B', pick(8, ad.is_multiple_of(N))),
        _ => ('C', pick(12, (ad - (l + 1) * N).is_multiple_of(2 * N))),
    }
}

struct Setting {
    core: Core<Recorded>,
    l_star: [u8; N],
}

impl Setting {
    fn new(tag_len: usize) -> Self {
        calls();
        let core = Core::new(&[7; 20], tag_len);
        let made = calls();
        assert_eq!(made.len(), 1, "one call a key");
        assert_eq!(
            (made[0].h, made[0].data),
            ([0; N], [0; N]),
            "L* = F_K(0, 0)"
        );
        Self {
            core,
            l_star: made[0].result,
        }
    }

    /// Seals, and checks every call. Gives the j of all masked calls.
    fn check(&self, nonce: &[u8], ad: &[u8], message: &[u8]) -> Vec<u64> {
        let l = message.len().div_ceil(N);
        let (case, j_final) = case_and_final_j(ad.len(), message.len());
        let mut buffer = message.to_vec();
        let mut tag = std::vec![0; self.core.tag_len()];
        self.core
            .encrypt(nonce, ad.into(), buffer.as_mut_slice(), &mut tag)
            .unwrap();
        let made = calls();

        let after = ad.len().saturating_sub((l + 1) * N);
        let total = l + 1 + after.div_ceil(2 * N);
        assert_eq!(made.len(), 1 + total, "case {case}");
        let (first, masked) = made.split_first().unwrap();
        assert_eq!((first.h, first.data), (block(nonce), [0; N]));

        let mut h = [0; N];
        let mut js = Vec::new();
        for (i, call) in (1..).zip(masked) {
            let (left, right) = self.inputs(i, l, ad, message);
            assert_eq!(call.data, right, "case {case}, call {i}");
            let given = sum(&sum(&h, &left), &sum(&first.result, &call.h));
            let j = (0..16)
                .find(|&j| mask(i, j, &self.l_star) == given)
                .unwrap_or_else(|| panic!("case {case}, call {i}: no mask of this number"));
            js.push(j);
            h = call.result;
            let start = (i as usize - 1) * N;
            for at in start..message.len().min(start + N) {
                assert_eq!(buffer[at], message[at] ^ h[at - start]);
            }
        }
        assert_eq!(tag, h[..tag.len()], "the last result is the tag");
        let (last, internal) = js.split_last().unwrap();
        assert_eq!(*last, j_final, "case {case}");
        for (i, &j) in (1..).zip(internal) {
            let ad_blocks = ad.len().div_ceil(N);
            let expected = match (l, i) {
                (0, _) => 2,
                _ if i > l + 1 => 2,
                _ => u64::from(i > ad_blocks),
            };
            assert_eq!(j, expected, "case {case}, call {i}");
        }

        // Opening makes the same calls.
        let opened = self
            .core
            .open(nonce, ad.into(), buffer.as_mut_slice(), &tag);
        assert_eq!((opened, &buffer[..]), (Ok(()), message));
        let again: Vec<Call> = calls();
        assert!(again.iter().zip(&made).all(|(x, y)| x.result == y.result));
        assert_eq!(again.len(), made.len());
        js
    }

    /// What masked call i takes on the chaining side, beside h and the mask, and on the message side.
    fn inputs(&self, i: u64, l: usize, ad: &[u8], message: &[u8]) -> ([u8; N], [u8; N]) {
        let i = i as usize;
        if i > l + 1 {
            let start = (l + 1) * N + (i - l - 2) * 2 * N;
            let both = padded(&ad[start..ad.len().min(start + 2 * N)], 2 * N);
            return (block(&both[..N]), block(&both[N..]));
        }
        let start = (i - 1) * N;
        let left = if start < ad.len() {
            block(&ad[start..ad.len().min(start + N)])
        } else {
            [0; N]
        };
        let right = if i == 1 {
            let mut tau = [0; N];
            tau[N - 2..].copy_from_slice(&(8 * self.core.tag_len() as u16).to_be_bytes());
            tau
        } else {
            block(&message[start - N..message.len().min(start)])
        };
        (left, right)
    }
}

#[test]
fn every_call_of_every_case() {
    let setting = Setting::new(32);
    let lengths = [
        0, 1, 31, 32, 33, 63, 64, 65, 95, 96, 97, 127, 128, 129, 160, 161, 192, 224, 225, 256, 320,
    ];
    let mut finals = Vec::new();
    for ad_len in lengths {
        for message_len in lengths {
            let ad: Vec<u8> = (0..ad_len).map(|i| (i * 7 + ad_len) as u8).collect();
            let message: Vec<u8> = (0..message_len).map(|i| (i * 5 + 1) as u8).collect();
            let js = setting.check(&[9; 12], &ad, &message);
            let (case, _) = case_and_final_j(ad_len, message_len);
            finals.push((case, *js.last().unwrap()));
        }
    }
    finals.sort_unstable();
    finals.dedup();
    let expected = [
        ('A', 4),
        ('A', 5),
        ('A', 6),
        ('A', 7),
        ('B', 8),
        ('B', 9),
        ('B', 10),
        ('B', 11),
        ('C', 12),
        ('C', 13),
        ('C', 14),
        ('C', 15),
        ('D', 12),
        ('D', 14),
        ('E', 12),
        ('E', 14),
        ('F', 3),
    ];
    assert_eq!(
        finals, expected,
        "all cases and all final masks were reached"
    );
}

#[test]
fn nonces_and_tags_of_every_length() {
    for tag_len in [1, 8, 16, 31, 32] {
        let setting = Setting::new(tag_len);
        for nonce_len in 1..N {
            setting.check(&std::vec![3; nonce_len], &[1; 40], &[2; 40]);
        }
    }
}

/// The abstract's max(l, a) + 2 is exact where all associated data goes beside the message and leaves the last call
/// free; it is one too many if that call takes some, and more if associated data is left over. With a in blocks of n + m bits, in
/// which OMD counts, it is false.
#[test]
fn call_counts_against_the_abstract() {
    let setting = Setting::new(16);
    for l in 0..6 {
        for a in 0..14_usize {
            setting.check(&[1; 12], &std::vec![1; a * N], &std::vec![2; l * N]);
            let made = 1 + l + 1 + (a.saturating_sub(l + 1)).div_ceil(2);
            let claim = l.max(a) + 2;
            match case_and_final_j(a * N, l * N).0 {
                'B' | 'F' => assert_eq!(made, claim),
                'A' | 'E' => assert_eq!(made, claim - 1),
                _ => assert!(made < claim),
            }
        }
    }
    let (l, a) = (4, 10_usize);
    assert_eq!(1 + l + 1 + (a - l - 1).div_ceil(2), 9);
    assert_eq!(l.max(a.div_ceil(2)) + 2, 7);
}
