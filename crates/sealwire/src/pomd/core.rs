// SPDX-License-Identifier: Apache-2.0
//! The mode itself. Section and case names are the paper's.

use crate::batch::Ad;
use crate::compress::Compress;
use crate::key::{First, Key, Origin, Work, blocks, pad};
use crate::mode::Mode;
use crate::{Error, SessionAd};
use aead::inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

/// p-OMD with a key.
pub struct Core<F: Compress>(Key<F>);

/// How the blocks of one message are laid out over the calls (section 4, PARTITION). All of it is public.
struct Layout {
    /// l, the number of message blocks.
    l: u64,
    /// The number of masked calls, the last of which gives the tag.
    total: u64,
    /// j of that call.
    j_final: u8,
}

impl Layout {
    /// `beside` bytes of associated data go with the message, `after` bytes follow it.
    fn new(n: usize, message: usize, beside: usize, after: usize) -> Self {
        let l = message.div_ceil(n);
        let message_cut = u8::from(!message.is_multiple_of(n));
        let ad_cut = u8::from(!after.is_multiple_of(2 * n) || !beside.is_multiple_of(n));
        let j_final = if l == 0 && beside == 0 {
            3 // F
        } else if l == 0 || after > 0 {
            12 + message_cut + 2 * ad_cut // C, D, E
        } else if beside.div_ceil(n) == l + 1 {
            4 + message_cut + 2 * ad_cut // A
        } else {
            8 + message_cut + 2 * ad_cut // B
        };
        Self {
            l: l as u64,
            total: (l + 1 + after.div_ceil(2 * n)) as u64,
            j_final,
        }
    }

    /// j of masked call i, which takes a block of associated data or none.
    fn j(&self, i: u64, with_ad: bool) -> u8 {
        if i == self.total {
            self.j_final
        } else if self.l == 0 || i > self.l + 1 {
            2
        } else {
            u8::from(!with_ad)
        }
    }
}

impl<F: Compress> Core<F> {
    const N: usize = Key::<F>::N;

    /// `key` has 1 to n bytes, `tag_len` is 1 to n.
    pub(crate) fn new(key: &[u8], tag_len: usize) -> Self {
        Self(Key::new(key, tag_len, Origin::Zero, First::Sixteen))
    }

    /// Encrypts or decrypts the buffer and writes the tag.
    fn run<const OPEN: bool>(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let Ad::Bytes(ad) = ad else {
            return Err(Error::NoSessionAd);
        };
        let n = Self::N;
        let room = (buffer.len().div_ceil(n) + 1) * n;
        let (beside, after) = ad.split_at(room.min(ad.len()));
        let layout = Layout::new(n, buffer.len(), beside.len(), after.len());

        // Delta_{N,0,0}
        let mut work = self.0.work();
        pad(&mut work.h, nonce);
        work.call();
        work.delta = work.h.clone();
        work.h.fill(0);

        // Call i takes message block i - 1; the first one takes the tag length instead.
        self.0.put_tau(&mut work);
        let mut beside = beside.chunks(n);
        let mut i = 1;
        for block in blocks(buffer, n) {
            self.step(&mut work, &layout, i, beside.next());
            work.exchange::<OPEN>(block);
            i += 1;
        }
        self.step(&mut work, &layout, i, beside.next());
        for block in after.chunks(2 * n) {
            i += 1;
            work.absorb(block);
            self.masked_call(&mut work, i, layout.j(i, true));
        }
        tag.copy_from_slice(&work.h[..tag.len()]);
        Ok(())
    }

    /// Masked call i beside the message, with a block of associated data if there is one.
    fn step(&self, work: &mut Work<F>, layout: &Layout, i: u64, ad: Option<&[u8]>) {
        if let Some(block) = ad {
            work.absorb_left(block);
        }
        self.masked_call(work, i, layout.j(i, ad.is_some()));
    }

    /// h becomes F_K(h + Delta_{N,i,j}, data).
    fn masked_call(&self, work: &mut Work<F>, i: u64, j: u8) {
        self.0.add_l(&mut work.delta, i);
        self.0.masked_call(work, j);
    }
}

impl<F: Compress> Mode for Core<F> {
    fn tag_len(&self) -> usize {
        self.0.tag_len()
    }

    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<false>(nonce, ad, buffer, tag)
    }

    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: InOutBuf<'_, '_, u8>,
        _given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error> {
        self.run::<true>(nonce, ad, buffer, expected)
    }

    fn session_ad(&self, _ad: &[u8]) -> Result<SessionAd, Error> {
        Err(Error::NoSessionAd)
    }
}

impl<F: Compress> Clone for Core<F> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<F: Compress> ZeroizeOnDrop for Core<F> {}

#[cfg(test)]
mod tests;
