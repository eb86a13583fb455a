// SPDX-License-Identifier: Apache-2.0
//! The compression functions of SHA-256 and SHA-512 (FIPS 180-4, sections 6.2.2 and 6.4.2) in lanes.

use super::words::{Kernel, Words, each};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// FIPS 180-4, section 4.2.3: fractional parts of the cube roots of the first eighty primes.
pub(super) const K512: [u64; 80] = [
    0x428a_2f98_d728_ae22,
    0x7137_4491_23ef_65cd,
    0xb5c0_fbcf_ec4d_3b2f,
    0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538,
    0x59f1_11f1_b605_d019,
    0x923f_82a4_af19_4f9b,
    0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242,
    0x1283_5b01_4570_6fbe,
    0x2431_85be_4ee4_b28c,
    0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f,
    0x80de_b1fe_3b16_96b1,
    0x9bdc_06a7_25c7_1235,
    0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2,
    0xefbe_4786_384f_25e3,
    0x0fc1_9dc6_8b8c_d5b5,
    0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275,
    0x4a74_84aa_6ea6_e483,
    0x5cb0_a9dc_bd41_fbd4,
    0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab,
    0xa831_c66d_2db4_3210,
    0xb003_27c8_98fb_213f,
    0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2,
    0xd5a7_9147_930a_a725,
    0x06ca_6351_e003_826f,
    0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc,
    0x2e1b_2138_5c26_c926,
    0x4d2c_6dfc_5ac4_2aed,
    0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de,
    0x766a_0abb_3c77_b2a8,
    0x81c2_c92e_47ed_aee6,
    0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364,
    0xa81a_664b_bc42_3001,
    0xc24b_8b70_d0f8_9791,
    0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218,
    0xd699_0624_5565_a910,
    0xf40e_3585_5771_202a,
    0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8,
    0x1e37_6c08_5141_ab53,
    0x2748_774c_df8e_eb99,
    0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63,
    0x4ed8_aa4a_e341_8acb,
    0x5b9c_ca4f_7763_e373,
    0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc,
    0x78a5_636f_4317_2f60,
    0x84c8_7814_a1f0_ab72,
    0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28,
    0xa450_6ceb_de82_bde9,
    0xbef9_a3f7_b2c6_7915,
    0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c,
    0xd186_b8c7_21c0_c207,
    0xeada_7dd6_cde0_eb1e,
    0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba,
    0x0a63_7dc5_a2c8_98a6,
    0x113f_9804_bef9_0dae,
    0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84,
    0x32ca_ab7b_40c7_2493,
    0x3c9e_be0a_15c9_bebc,
    0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6,
    0x597f_299c_fc65_7e2a,
    0x5fcb_6fab_3ad6_faec,
    0x6c44_198c_4a47_5817,
];

/// FIPS 180-4, section 4.2.2: their first 32 bits, for the first 64 primes.
pub(super) const K256: [u32; 64] = {
    let mut k = [0; 64];
    let mut i = 0;
    while i < k.len() {
        k[i] = (K512[i] >> 32) as u32;
        i += 1;
    }
    k
};

/// What follows from the key, which fills the first half of every block.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Schedule<W: Zeroize> {
    /// K[t] + W[t] of rounds 0 to 7
    pub(super) with_constants: [W; 8],
    /// W[t] + sigma0(W[t + 1]) for t = 0 to 6: the key's part of W[16] to W[22]
    pub(super) early: [W; 7],
    /// W[7]
    last: W,
}

macro_rules! kernel {
    ($name:ident, $word:ty, $n:literal, $k:ident,
     [$a0:literal, $a1:literal, $a2:literal], [$e0:literal, $e1:literal, $e2:literal],
     [$s0:literal, $s1:literal, $s2:literal], [$t0:literal, $t1:literal, $t2:literal]) => {
        /// A compression function of SHA-2.
        pub enum $name {}

        impl Kernel for $name {
            type Word = $word;
            type Row = [u8; $n];
            type Schedule = Schedule<$word>;
            const FEWEST_LANES: usize = 4;

            fn schedule(key: &[u8; $n]) -> Schedule<$word> {
                let (bytes, _) = key.as_chunks();
                let w: [$word; 8] = core::array::from_fn(|t| <$word>::from_be_bytes(bytes[t]));
                let small = |x: $word| x.rotate_right($s0) ^ x.rotate_right($s1) ^ x >> $s2;
                Schedule {
                    with_constants: core::array::from_fn(|t| w[t].wrapping_add($k[t])),
                    early: core::array::from_fn(|t| w[t].wrapping_add(small(w[t + 1]))),
                    last: w[7],
                }
            }

            #[inline(always)]
            fn order<V: Words<L, Word = $word>, const L: usize>(word: V) -> V {
                word.big_endian()
            }

            #[inline(always)]
            fn call<V: Words<L, Word = $word>, const L: usize>(
                key: &Schedule<$word>,
                chain: [V; 8],
                data: [V; 8],
            ) -> [V; 8] {
                let splat = |word| chain[0].splat(word);
                let mut w = [splat(key.last); 16];
                w[8..].copy_from_slice(&data);
                let mut s = chain;
                let (k, _) = $k.as_chunks::<16>();
                each!(I in [0 1 2 3 4 5 6 7] {
                    Self::round(&mut s, splat(key.with_constants[I]), I);
                });
                each!(I in [8 9 10 11 12 13 14 15] {
                    Self::round(&mut s, w[I].add(splat(k[0][I])), I);
                });
                each!(I in [0 1 2 3 4 5 6] {
                    w[I] = splat(key.early[I]).add(w[I + 9]).add(Self::large(w[(I + 14) % 16]));
                    Self::round(&mut s, w[I].add(splat(k[1][I])), I);
                });
                each!(I in [7 8 9 10 11 12 13 14 15] {
                    Self::expand(&mut w, I);
                    Self::round(&mut s, w[I].add(splat(k[1][I])), I);
                });
                for k in &k[2..] {
                    each!(I in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
                        Self::expand(&mut w, I);
                        Self::round(&mut s, w[I].add(splat(k[I])), I);
                    });
                }
                for (word, chain) in s.iter_mut().zip(chain) {
                    *word = word.add(chain);
                }
                s
            }
        }

        impl $name {
            /// Round i, `kw` = K + W. The words a to h are not moved: word j is what was word j - 1 before.
            #[inline(always)]
            fn round<V: Words<L, Word = $word>, const L: usize>(s: &mut [V; 8], kw: V, i: usize) {
                let at = |j: usize| (j + 16 - i) % 8;
                let (a, b, c, d, e, f, g, h) = (at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
                let sum = s[e].rotate::<$e0>().xor3(s[e].rotate::<$e1>(), s[e].rotate::<$e2>());
                let t = s[h].add(kw).add(s[e].choose(s[f], s[g])).add(sum);
                let sum = s[a].rotate::<$a0>().xor3(s[a].rotate::<$a1>(), s[a].rotate::<$a2>());
                s[d] = s[d].add(t);
                s[h] = t.add(s[a].majority(s[b], s[c])).add(sum);
            }

            /// Word i of the message schedule becomes the one sixteen rounds later.
            #[inline(always)]
            fn expand<V: Words<L>, const L: usize>(w: &mut [V; 16], i: usize) {
                let x = w[(i + 1) % 16];
                let small = x.rotate::<$s0>().xor3(x.rotate::<$s1>(), x.shift_right::<$s2>());
                w[i] = w[i].add(small).add(w[(i + 9) % 16]).add(Self::large(w[(i + 14) % 16]));
            }

            /// sigma1 of the standard
            #[inline(always)]
            fn large<V: Words<L>, const L: usize>(x: V) -> V {
                x.rotate::<$t0>().xor3(x.rotate::<$t1>(), x.shift_right::<$t2>())
            }
        }
    };
}

kernel!(
    Sha512,
    u64,
    64,
    K512,
    [28, 34, 39],
    [14, 18, 41],
    [1, 8, 7],
    [19, 61, 6]
);
kernel!(
    Sha256,
    u32,
    32,
    K256,
    [2, 13, 22],
    [6, 11, 25],
    [7, 18, 3],
    [17, 19, 10]
);
