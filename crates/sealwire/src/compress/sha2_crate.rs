// SPDX-License-Identifier: Apache-2.0
//! What the modes do with a compression function of the `sha2` crate, which knows some CPUs' own instructions for it: one call after
//! the other, and in a run the state stays in words from call to call.

use super::function::{Call, Run};
use super::{Sha256, Sha512};
use sha2::block_api::{compress256, compress512};
use zeroize::Zeroize;

macro_rules! one_by_one {
    ($name:ident, $function:ident, $word:ident, $n:literal, $block:literal, $compress:ident) => {
        pub(super) mod $name {
            use super::*;

            /// h becomes F'(h, block).
            pub(in crate::compress) fn compress(h: &mut [u8; $n], block: &[u8; $block]) {
                let mut state = [0; 8];
                to_words(&mut state, h);
                $compress(&mut state, core::slice::from_ref(block));
                to_bytes(h, &state);
                state.zeroize();
            }

            /// h becomes F'(h, key || data) in all of `calls`.
            pub(in crate::compress) fn calls(key: &[u8; $n], calls: &mut [Call<$function>]) {
                let mut block = [0; $block];
                block[..$n].copy_from_slice(key);
                for call in calls {
                    block[$n..].copy_from_slice(&call.data);
                    compress(&mut call.h.0, &block);
                }
                block.zeroize();
            }

            /// Does what [`Run`] says.
            pub(in crate::compress) fn run(key: &[u8; $n], run: Run<'_, '_, $function>) {
                let mut block = [0; $block];
                block[..$n].copy_from_slice(key);
                let mut state = [0; 8];
                let lanes = run.lanes();
                for (lane, call) in run.calls[..lanes].iter_mut().enumerate() {
                    let addend = run.addends[lane].as_chunks().0;
                    let mask = &mut run.masks[lane].0;
                    to_words(&mut state, &call.h.0);
                    let texts = run.texts[lane].as_chunks_mut().0.iter_mut();
                    for (i, (text, increment)) in texts.zip(run.increments[lane]).enumerate() {
                        let mut h = [0; $n];
                        to_bytes(&mut h, &state);
                        let result = xor(text, &h);
                        block[$n..].copy_from_slice(if run.open { &result } else { &*text });
                        *text = result;
                        *mask = xor(mask, &increment.0);
                        // Only this and the function itself wait for the last result.
                        let sum = addend.get(i).map_or(*mask, |addend| xor(mask, addend));
                        for (word, bytes) in state.iter_mut().zip(sum.as_chunks().0) {
                            *word ^= $word::from_be_bytes(*bytes);
                        }
                        $compress(&mut state, core::slice::from_ref(&block));
                    }
                    to_bytes(&mut call.h.0, &state);
                }
                block.zeroize();
                state.zeroize();
            }

            fn xor(x: &[u8; $n], y: &[u8; $n]) -> [u8; $n] {
                core::array::from_fn(|i| x[i] ^ y[i])
            }

            fn to_words(state: &mut [$word; 8], h: &[u8; $n]) {
                for (word, bytes) in state.iter_mut().zip(h.as_chunks().0) {
                    *word = $word::from_be_bytes(*bytes);
                }
            }

            fn to_bytes(h: &mut [u8; $n], state: &[$word; 8]) {
                for (bytes, word) in h.as_chunks_mut().0.iter_mut().zip(state) {
                    *bytes = word.to_be_bytes();
                }
            }
        }
    };
}

one_by_one!(sha256, Sha256, u32, 32, 64, compress256);
one_by_one!(sha512, Sha512, u64, 64, 128, compress512);
