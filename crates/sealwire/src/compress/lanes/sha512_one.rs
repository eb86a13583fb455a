// SPDX-License-Identifier: Apache-2.0
//! SHA-512 on one string for x86-64: the message schedule two words at a time in vector registers, beside the rounds in the
//! general ones, because either alone would wait for its execution ports.

use super::sha2::{K512, Schedule};
use crate::compress::function::{Call, Compress, OneRun};
use aead::consts::U64;
use core::arch::x86_64::*;
use core::hint::black_box;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// h becomes F'(h, key || data). `VL`: with the instructions that AVX-512VL adds.
///
/// # Safety
/// The CPU has AVX2, BMI1 and BMI2, and AVX-512VL if `VL`.
#[inline(always)]
pub(super) unsafe fn call<F, const VL: bool>(key: &Schedule<u64>, call: &mut Call<F>)
where
    F: Compress<ChainSize = U64>,
{
    // SAFETY: the caller's promise.
    unsafe {
        let data = order(read(&call.data.0));
        let h = compress::<VL>(key, &mut Sums([0; 16]), words(&call.h.0), data);
        write(&mut call.h.0, order(pairs(h)));
    }
}

/// Does what [`Run`](crate::compress::function::Run) says for one lane.
///
/// # Safety
/// The condition of `call` holds.
#[inline(always)]
pub(super) unsafe fn run<F, const VL: bool>(key: &Schedule<u64>, run: OneRun<'_, F>)
where
    F: Compress<ChainSize = U64>,
{
    let addend = run.addend.as_chunks().0;
    let texts = run.text.as_chunks_mut().0.iter_mut();
    let mut h = words(&run.h.0);
    let mut mask = words(&run.mask.0);
    let mut sums = Sums([0; 16]);
    for (block, (text, increment)) in texts.zip(run.increments).enumerate() {
        // SAFETY: the caller's promise.
        let data = unsafe {
            let before = read(text);
            let mut after = order(pairs(h));
            for (after, before) in after.iter_mut().zip(before) {
                *after = _mm_xor_si128(*after, before);
            }
            write(text, after);
            order(if run.open { after } else { before })
        };
        for (mask, increment) in mask.iter_mut().zip(words(&increment.0)) {
            *mask ^= increment;
        }
        for (h, mask) in h.iter_mut().zip(mask) {
            *h ^= mask;
        }
        if let Some(addend) = addend.get(block) {
            for (h, addend) in h.iter_mut().zip(words(addend)) {
                *h ^= addend;
            }
        }
        // SAFETY: the caller's promise.
        h = unsafe { compress::<VL>(key, &mut sums, h, data) };
    }
    // SAFETY: the caller's promise.
    unsafe {
        write(&mut run.h.0, order(pairs(h)));
        write(&mut run.mask.0, order(pairs(mask)));
    }
}

/// A round; the names of the words move, not the words.
macro_rules! round {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident $kw:expr) => {
        let sum = $e.rotate_right(14) ^ $e.rotate_right(18) ^ $e.rotate_right(41);
        let choice = ($e & $f) ^ (!$e & $g);
        let t = $h.wrapping_add($kw).wrapping_add(choice).wrapping_add(sum);
        $d = $d.wrapping_add(t);
        let sum = $a.rotate_right(28) ^ $a.rotate_right(34) ^ $a.rotate_right(39);
        let majority = (($a ^ $b) & ($b ^ $c)) ^ $b;
        $h = t.wrapping_add(majority).wrapping_add(sum);
    };
}

/// Sixteen rounds, and after every two the words `next` makes for the same two of the next sixteen.
macro_rules! rounds {
    ([$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident] $kw:ident, $next:ident) => {
        round!($a $b $c $d $e $f $g $h $kw.0[0]);
        round!($h $a $b $c $d $e $f $g $kw.0[1]);
        $next!(0);
        round!($g $h $a $b $c $d $e $f $kw.0[2]);
        round!($f $g $h $a $b $c $d $e $kw.0[3]);
        $next!(1);
        round!($e $f $g $h $a $b $c $d $kw.0[4]);
        round!($d $e $f $g $h $a $b $c $kw.0[5]);
        $next!(2);
        round!($c $d $e $f $g $h $a $b $kw.0[6]);
        round!($b $c $d $e $f $g $h $a $kw.0[7]);
        $next!(3);
        round!($a $b $c $d $e $f $g $h $kw.0[8]);
        round!($h $a $b $c $d $e $f $g $kw.0[9]);
        $next!(4);
        round!($g $h $a $b $c $d $e $f $kw.0[10]);
        round!($f $g $h $a $b $c $d $e $kw.0[11]);
        $next!(5);
        round!($e $f $g $h $a $b $c $d $kw.0[12]);
        round!($d $e $f $g $h $a $b $c $kw.0[13]);
        $next!(6);
        round!($c $d $e $f $g $h $a $b $kw.0[14]);
        round!($b $c $d $e $f $g $h $a $kw.0[15]);
        $next!(7);
    };
}

/// K + W of sixteen rounds, on their way from vector registers to the general ones.
#[derive(Zeroize, ZeroizeOnDrop)]
#[repr(align(64))]
struct Sums([u64; 16]);

impl Sums {
    #[inline(always)]
    fn put(&mut self, i: usize, pair: __m128i) {
        let words = &mut self.0.as_chunks_mut::<2>().0[i];
        // SAFETY: two words have the 16 bytes that are written.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), pair) };
    }
}

/// F'(chain, key || data); `data` in pairs of words.
///
/// # Safety
/// The condition of `call` holds.
#[inline(always)]
unsafe fn compress<const VL: bool>(
    key: &Schedule<u64>,
    kw: &mut Sums,
    chain: [u64; 8],
    data: [__m128i; 4],
) -> [u64; 8] {
    // SAFETY: the caller's promise.
    unsafe {
        let (k, _) = K512.as_chunks::<16>();
        let mut w = [_mm_setzero_si128(); 8];
        for i in 0..4 {
            let sum = pair(&key.with_constants, i);
            kw.put(i, sum);
            w[i] = _mm_sub_epi64(sum, pair(&k[0], i));
            w[i + 4] = data[i];
            kw.put(i + 4, _mm_add_epi64(data[i], pair(&k[0], i + 4)));
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = chain;
        for k in &k[1..] {
            // The sums pass through memory, which the compiler would replace by slower moves between registers.
            let kw = black_box(&mut *kw);
            macro_rules! next {
                ($i:literal) => {
                    w[$i] = expand::<VL>(
                        w[$i],
                        w[($i + 1) % 8],
                        [w[($i + 4) % 8], w[($i + 5) % 8]],
                        w[($i + 7) % 8],
                    );
                    kw.put($i, _mm_add_epi64(w[$i], pair(k, $i)));
                };
            }
            rounds!([a b c d e f g h] kw, next);
        }
        let kw = black_box(kw);
        macro_rules! nothing {
            ($i:literal) => {};
        }
        rounds!([a b c d e f g h] kw, nothing);
        let mut result = [a, b, c, d, e, f, g, h];
        for (word, chain) in result.iter_mut().zip(chain) {
            *word = word.wrapping_add(chain);
        }
        result
    }
}

/// Two words of the message schedule, from those sixteen and fourteen rounds before, from eight to five, and the last two.
///
/// # Safety
/// The condition of `call` holds.
#[inline(always)]
unsafe fn expand<const VL: bool>(
    old: __m128i,
    after: __m128i,
    [eight, six]: [__m128i; 2],
    last: __m128i,
) -> __m128i {
    // SAFETY: the caller's promise.
    unsafe {
        let fifteen = _mm_alignr_epi8::<8>(after, old);
        let seven = _mm_alignr_epi8::<8>(six, eight);
        let small = if VL {
            _mm_ternarylogic_epi64::<0x96>(
                _mm_ror_epi64::<1>(fifteen),
                _mm_ror_epi64::<8>(fifteen),
                _mm_srli_epi64::<7>(fifteen),
            )
        } else {
            let by_8 = _mm_set_epi64x(0x080f_0e0d_0c0b_0a09, 0x0007_0605_0403_0201);
            let by_1 = _mm_xor_si128(_mm_srli_epi64::<1>(fifteen), _mm_slli_epi64::<63>(fifteen));
            _mm_xor_si128(
                _mm_xor_si128(by_1, _mm_shuffle_epi8(fifteen, by_8)),
                _mm_srli_epi64::<7>(fifteen),
            )
        };
        let large = if VL {
            _mm_ternarylogic_epi64::<0x96>(
                _mm_ror_epi64::<19>(last),
                _mm_ror_epi64::<61>(last),
                _mm_srli_epi64::<6>(last),
            )
        } else {
            let by_19 = _mm_xor_si128(_mm_srli_epi64::<19>(last), _mm_slli_epi64::<45>(last));
            let by_61 = _mm_xor_si128(_mm_srli_epi64::<61>(last), _mm_slli_epi64::<3>(last));
            _mm_xor_si128(_mm_xor_si128(by_19, by_61), _mm_srli_epi64::<6>(last))
        };
        _mm_add_epi64(_mm_add_epi64(_mm_add_epi64(old, seven), small), large)
    }
}

/// Words 2i and 2i + 1.
#[inline(always)]
fn pair<const N: usize>(words: &[u64; N], i: usize) -> __m128i {
    let pair = &words.as_chunks::<2>().0[i];
    // SAFETY: two words have the 16 bytes that are read.
    unsafe { _mm_loadu_si128(pair.as_ptr().cast()) }
}

/// Words of big-endian bytes.
#[inline(always)]
fn words(bytes: &[u8; 64]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_be_bytes(*bytes);
    }
    words
}

#[inline(always)]
fn pairs(words: [u64; 8]) -> [__m128i; 4] {
    // SAFETY: every x86-64 CPU has the instructions.
    unsafe {
        let mut pairs = [_mm_setzero_si128(); 4];
        for (pair, [low, high]) in pairs.iter_mut().zip(words.as_chunks().0) {
            *pair = _mm_set_epi64x(high.cast_signed(), low.cast_signed());
        }
        pairs
    }
}

/// From words to big-endian bytes, or back.
///
/// # Safety
/// The condition of `call` holds.
#[inline(always)]
unsafe fn order(mut pairs: [__m128i; 4]) -> [__m128i; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let bytes = _mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607);
        for pair in &mut pairs {
            *pair = _mm_shuffle_epi8(*pair, bytes);
        }
        pairs
    }
}

#[inline(always)]
fn read(bytes: &[u8; 64]) -> [__m128i; 4] {
    let at = bytes.as_ptr().cast::<__m128i>();
    // SAFETY: the four have the 64 bytes.
    unsafe {
        [
            _mm_loadu_si128(at),
            _mm_loadu_si128(at.add(1)),
            _mm_loadu_si128(at.add(2)),
            _mm_loadu_si128(at.add(3)),
        ]
    }
}

#[inline(always)]
fn write(bytes: &mut [u8; 64], pairs: [__m128i; 4]) {
    let at = bytes.as_mut_ptr().cast::<__m128i>();
    for (i, pair) in pairs.into_iter().enumerate() {
        // SAFETY: the four have the 64 bytes.
        unsafe { _mm_storeu_si128(at.add(i), pair) };
    }
}
