// SPDX-License-Identifier: Apache-2.0
//! What every mode must be able to do with a key, and what follows from that for all of them: the check of lengths, the
//! comparison of tags, the wiping of what is not authentic, and batches.

use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::error::Error;
use crate::gf::wipe;
use core::fmt;
use subtle::ConstantTimeEq;

/// The longest tag of any mode, in bytes.
const MAX_TAG: usize = 64;

/// A mode with its key. Lengths are values; nonce and tag have the right ones when `encrypt` and `decrypt` are called.
pub trait Mode {
    /// In bytes, 1 to 64.
    fn tag_len(&self) -> usize;

    /// Encrypts `buffer` and writes the tag.
    ///
    /// # Errors
    /// About `ad`, or a message too long for the mode; nothing is written then.
    fn encrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// Decrypts `buffer`, authentic or not, and writes the tag that it ought to have; `given` is the one that came. A mode that
    /// checks before it decrypts may leave what is not authentic as it is, and write any other tag than `given`.
    ///
    /// # Errors
    /// About `ad`, or a message too long for the mode; nothing is written then.
    fn decrypt(
        &self,
        nonce: &[u8],
        ad: Ad<'_>,
        buffer: &mut [u8],
        given: &[u8],
        expected: &mut [u8],
    ) -> Result<(), Error>;

    /// Associated data for later use with the same key.
    ///
    /// # Errors
    /// [`Error::NoSessionAd`] if nothing can be computed ahead.
    fn session_ad(&self, _ad: &[u8]) -> Result<SessionAd, Error> {
        Err(Error::NoSessionAd)
    }

    /// Decrypts `buffer`; its output is wiped if the tag is wrong. No mode can return anything else.
    ///
    /// # Errors
    /// [`Error::InvalidTag`], and those of `decrypt`.
    fn open(&self, nonce: &[u8], ad: Ad<'_>, buffer: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        let mut expected = [0; MAX_TAG];
        let expected = &mut expected[..self.tag_len()];
        self.decrypt(nonce, ad, buffer, tag, expected)?;
        judge(buffer, expected, tag)
    }

    /// Whether nonce and tag have the right lengths.
    ///
    /// # Errors
    /// [`Error::Length`]
    fn check_packet(&self, nonce_len: usize, nonce: &[u8], tag_len: usize) -> Result<(), Error> {
        Error::check_len("nonce", nonce.len(), nonce_len)?;
        Error::check_len("tag", tag_len, self.tag_len())
    }

    /// Seals every packet, and returns how many succeeded: one after the other, unless the mode works on several at once.
    fn seal_batch(&self, nonce_len: usize, packets: &mut [SealPacket<'_>]) -> usize {
        one_by_one(self, nonce_len, packets)
    }

    /// Opens every packet, and returns how many were authentic: one after the other, unless the mode works on several at once.
    fn open_batch(&self, nonce_len: usize, packets: &mut [OpenPacket<'_>]) -> usize {
        one_by_one(self, nonce_len, packets)
    }
}

/// A packet of a batch, to be sealed or opened.
pub(crate) trait Packet {
    /// Whether it is to be opened.
    const OPEN: bool;

    /// What the mode works on, and what waits for its end.
    fn parts(&mut self) -> (Input<'_>, Outcome<'_>);

    /// Bytes of the text.
    fn text_len(&self) -> usize;
}

/// What a mode works on.
pub(crate) struct Input<'a> {
    pub(crate) nonce: &'a [u8],
    pub(crate) ad: Ad<'a>,
    pub(crate) text: &'a mut [u8],
    /// The tag that came with the text, if it is to be opened.
    pub(crate) given: Option<&'a [u8]>,
}

/// Where a packet's tag is, and where its result goes.
pub(crate) struct Outcome<'a> {
    tag: Tag<'a>,
    result: &'a mut Result<(), Error>,
}

/// A tag that is to be made, or compared.
enum Tag<'a> {
    Made(&'a mut [u8]),
    Given(&'a [u8]),
}

impl Tag<'_> {
    const fn len(&self) -> usize {
        match self {
            Self::Made(tag) => tag.len(),
            Self::Given(tag) => tag.len(),
        }
    }
}

impl Packet for SealPacket<'_> {
    const OPEN: bool = false;

    fn parts(&mut self) -> (Input<'_>, Outcome<'_>) {
        let input = Input {
            nonce: self.nonce,
            ad: self.ad,
            text: self.buffer,
            given: None,
        };
        let outcome = Outcome {
            tag: Tag::Made(self.tag),
            result: &mut self.result,
        };
        (input, outcome)
    }

    fn text_len(&self) -> usize {
        self.buffer.len()
    }
}

impl Packet for OpenPacket<'_> {
    const OPEN: bool = true;

    fn parts(&mut self) -> (Input<'_>, Outcome<'_>) {
        let input = Input {
            nonce: self.nonce,
            ad: self.ad,
            text: self.buffer,
            given: Some(self.tag),
        };
        let outcome = Outcome {
            tag: Tag::Given(self.tag),
            result: &mut self.result,
        };
        (input, outcome)
    }

    fn text_len(&self) -> usize {
        self.buffer.len()
    }
}

/// Every packet of a batch counts as not processed before any of them begins, whatever its result said: a batch that ends
/// early leaves none that looks done.
pub(crate) fn none_processed(packets: &mut [impl Packet]) {
    for packet in packets {
        *packet.parts().1.result = Err(Error::NotProcessed);
    }
}

/// Bytes of a batch's texts on average.
pub(crate) fn mean_len(packets: &[impl Packet]) -> usize {
    let bytes: usize = packets.iter().map(Packet::text_len).sum();
    bytes / packets.len().max(1)
}

/// Begins a packet of a batch with `start`, which must fail only about the associated data. `None` if it was refused, which
/// its result says then.
pub(crate) fn begin<'p, P: Packet, T>(
    mode: &(impl Mode + ?Sized),
    nonce_len: usize,
    packet: &'p mut P,
    start: impl FnOnce(Input<'p>) -> Result<T, Error>,
) -> Option<(T, Outcome<'p>)> {
    let (input, outcome) = packet.parts();
    let started = mode
        .check_packet(nonce_len, input.nonce, outcome.tag.len())
        .and_then(|()| start(input));
    match started {
        Ok(started) => Some((started, outcome)),
        Err(error) => {
            *outcome.result = Err(error);
            None
        }
    }
}

/// A batch whose packets go one after the other.
pub(crate) fn one_by_one<P: Packet>(
    mode: &(impl Mode + ?Sized),
    nonce_len: usize,
    packets: &mut [P],
) -> usize {
    none_processed(packets);
    let mut good = 0;
    for packet in packets {
        let (
            Input {
                nonce, ad, text, ..
            },
            Outcome { tag, result },
        ) = packet.parts();
        *result = mode
            .check_packet(nonce_len, nonce, tag.len())
            .and_then(|()| match tag {
                Tag::Made(tag) => mode.encrypt(nonce, ad, text, tag),
                Tag::Given(tag) => mode.open(nonce, ad, text, tag),
            });
        good += usize::from(result.is_ok());
    }
    good
}

impl Outcome<'_> {
    /// Ends the packet: `end` writes the tag and gives the text. True if the packet is sealed, or opened and authentic.
    pub(crate) fn settle<'a>(self, end: impl FnOnce(&mut [u8]) -> &'a mut [u8]) -> bool {
        *self.result = match self.tag {
            Tag::Made(tag) => {
                end(tag);
                Ok(())
            }
            Tag::Given(tag) => judge_end(tag, end),
        };
        self.result.is_ok()
    }
}

/// Whether both are the same, in a time that only their lengths decide. Eight bytes at once: the slices' own `ct_eq` goes
/// through them one by one, which takes longer than a block of AES.
pub(crate) fn equal(x: &[u8], y: &[u8]) -> bool {
    let ((x8, x_rest), (y8, y_rest)) = (x.as_chunks(), y.as_chunks());
    let mut differences = 0_u64;
    for (x, y) in x8.iter().zip(y8) {
        differences |= u64::from_ne_bytes(*x) ^ u64::from_ne_bytes(*y);
    }
    x.len() == y.len() && bool::from(differences.ct_eq(&0) & x_rest.ct_eq(y_rest))
}

/// Wipes `buffer` unless the two tags are equal.
///
/// # Errors
/// [`Error::InvalidTag`]
fn judge(buffer: &mut [u8], expected: &mut [u8], tag: &[u8]) -> Result<(), Error> {
    let authentic = equal(expected, tag);
    wipe(expected);
    if authentic {
        Ok(())
    } else {
        wipe(buffer);
        Err(Error::InvalidTag)
    }
}

/// Wipes the text unless its tag is `tag`; `decrypted` writes the tag that is expected and gives the text.
///
/// # Errors
/// [`Error::InvalidTag`]
fn judge_end<'a>(
    tag: &[u8],
    decrypted: impl FnOnce(&mut [u8]) -> &'a mut [u8],
) -> Result<(), Error> {
    let mut expected = [0; MAX_TAG];
    let expected = &mut expected[..tag.len()];
    let buffer = decrypted(expected);
    judge(buffer, expected, tag)
}

/// A mode over its primitive as a type, before key, nonce and tag lengths are chosen.
pub trait Family {
    /// The mode with a key.
    type Keyed: Mode + Clone;
    /// The shortest and the longest key, nonce and tag, in bytes.
    const SIZES: [(usize, usize); 3];
    /// Sets a key up.
    fn keyed(key: &[u8], tag_len: usize) -> Self::Keyed;
    /// Writes the canonical name for sizes in bits.
    ///
    /// # Errors
    /// The errors of `f`.
    fn name(f: &mut fmt::Formatter<'_>, key: usize, nonce: usize, tag: usize) -> fmt::Result;
}

/// Families whose associated data can be hashed ahead: their `session_ad` never fails.
#[diagnostic::on_unimplemented(
    message = "this mode takes in associated data together with the message and cannot hash it ahead",
    note = "give the bytes with every message"
)]
pub trait HashesAd: Family {}

#[cfg(test)]
mod tests {
    use super::{
        Family, Input, MAX_TAG, Outcome, Packet, begin, equal, none_processed, one_by_one,
    };
    use crate::{
        aes::Aes128,
        batch::{OpenPacket, SealPacket},
        compress::Sha512,
        drive,
        error::Error,
        omd, otr, together,
    };
    use core::slice;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// What a packet's result says while it is in work, and in the end if its tag is `tag`.
    fn results<P: Packet>(
        mut packet: P,
        tag: u8,
        result: fn(&P) -> Result<(), Error>,
    ) -> [Result<(), Error>; 2] {
        let mode = otr::Core::<Aes128>::new(&[0; 16], otr::Form::Parallel, 16);
        none_processed(slice::from_mut(&mut packet));
        begin(&mode, 12, &mut packet, |_| Ok(())).expect("all lengths are right");
        let in_work = result(&packet);
        let (_, outcome) = begin(&mode, 12, &mut packet, |_| Ok(())).expect("as before");
        let good = outcome.settle(|expected| {
            expected.fill(tag);
            &mut []
        });
        assert_eq!(good, result(&packet).is_ok());
        [in_work, result(&packet)]
    }

    #[test]
    fn a_packet_counts_as_not_processed_until_its_tag_is_made_or_checked() {
        let nonce = [0; 12];
        let in_work = Err(Error::NotProcessed);
        for (tag, end) in [(7, Ok(())), (8, Err(Error::InvalidTag))] {
            let mut packet = OpenPacket::new(&nonce, b"", &mut [], &[7; 16]);
            packet.result = Ok(());
            assert_eq!(results(packet, tag, |p| p.result), [in_work, end]);
        }
        let mut made = [0; 16];
        let mut packet = SealPacket::new(&nonce, b"", &mut [], &mut made);
        packet.result = Ok(());
        assert_eq!(results(packet, 7, |p| p.result), [in_work, Ok(())]);
        assert_eq!(made, [7; 16]);
    }

    /// A packet that ends the batch when it is begun: when its parts are asked for so many times more.
    struct Trap<'a> {
        packet: SealPacket<'a>,
        ends_at: Option<u32>,
    }

    impl Packet for Trap<'_> {
        const OPEN: bool = false;

        fn parts(&mut self) -> (Input<'_>, Outcome<'_>) {
            self.ends_at = self
                .ends_at
                .map(|left| left.checked_sub(1).expect("the end"));
            self.packet.parts()
        }

        fn text_len(&self) -> usize {
            self.packet.text_len()
        }
    }

    #[test]
    fn a_batch_that_ends_early_leaves_no_old_result() {
        let omd = <omd::Mode<Sha512, omd::V2> as Family>::keyed(&[1; 64], 16);
        let otr = <otr::Mode<otr::Aes128, otr::Parallel> as Family>::keyed(&[1; 16], 16);
        // More than any mode has under way at once.
        const PACKETS: usize = 40;
        let (mut buffers, mut tags) = ([[0; 3]; PACKETS], [[0; 16]; PACKETS]);
        for way in 0..3 {
            let mut packets: [Trap<'_>; PACKETS] = {
                let mut parts = buffers.iter_mut().zip(&mut tags);
                core::array::from_fn(|index| {
                    let (buffer, tag) = parts.next().expect("as many");
                    let mut packet = SealPacket::new(&[2; 12], b"", buffer, tag);
                    packet.result = Ok(());
                    let ends_at = (index == 20).then_some(1);
                    Trap { packet, ends_at }
                })
            };
            let batch = AssertUnwindSafe(|| match way {
                0 => drive::batch(&omd, 12, &mut packets),
                1 => together::batch(&otr, 12, &mut packets),
                _ => one_by_one(&otr, 12, &mut packets),
            });
            assert!(catch_unwind(batch).is_err());
            let none = Err(Error::NotProcessed);
            let results = packets.iter().map(|packet| packet.packet.result);
            assert_eq!(
                results.clone().skip(20).find(|result| *result != none),
                None
            );
            assert!(results.clone().take(20).any(|result| result.is_ok()));
        }
    }

    #[test]
    fn tags_are_equal_if_every_bit_is() {
        let tag: [u8; MAX_TAG] = core::array::from_fn(|i| (37 * i) as u8);
        for len in 0..=MAX_TAG {
            assert!(equal(&tag[..len], &tag[..len]));
            for bit in 0..8 * len {
                let mut other = tag;
                other[bit / 8] ^= 1 << (bit % 8);
                assert!(
                    !equal(&tag[..len], &other[..len]),
                    "bit {bit} of {len} bytes"
                );
            }
            for other in (0..=MAX_TAG).filter(|&other| other != len) {
                assert!(
                    !equal(&tag[..len], &tag[..other]),
                    "{len} and {other} bytes"
                );
            }
        }
    }
}
