// SPDX-License-Identifier: Apache-2.0
//! Schemes by name, chosen while the program runs.
//!
//! A canonical name states everything, sizes in bits:
//!
//! | name | scheme |
//! |---|---|
//! | `omdsha512k512n256tau256v2` | OMD over SHA-512's compression function, key 512, nonce 256, tag 256, version 2 |
//! | `pomdsha512k512n256tau256` | p-OMD, the same sizes |
//! | `aes128otrpv3` | AES-OTR version 3, key 128, nonce 96, tag 128, associated data in the form P; S and C in the others |
//! | `aes256otrsv3n104tau64` | the same with key 256, nonce 104, tag 64 and form S |
//! | `sivomdpsha512k512n256tau256` | SIV-OMD with parallel encryption, experimental; `sivomds` is the serial form |
//!
//! Every such name with legal sizes resolves, published or not: with n the length of the chaining value (32 bytes for
//! sha256, 64 for sha512 and blake2b), a key of 1 to n bytes, a nonce of 1 to n - 1 bytes and a tag of 1 to n bytes; for
//! AES-OTR, a nonce of 1 to 15 bytes and a tag of 1 to 16, where a name without sizes means 12 and 16. The
//! modes would allow sizes in bits and an empty tag; this library takes whole bytes and no empty tag, because an empty
//! tag authenticates nothing. A forgery succeeds with probability 2^-tau at least: the link takes no tag under 16 bytes,
//! and neither should a new design.
//!
//! Use a key with one scheme only. Some of them make the same secrets of the same key.

use crate::aes::{Aes128, Aes256};
use crate::batch::{Ad, OpenPacket, SealPacket, SessionAd};
use crate::compress::{Blake2b, Compress, Sha256, Sha512};
use crate::error::{Error, Label};
use crate::limits::{Bound, Form, Limits, Traffic, exp2};
use crate::mode::Mode;
use crate::{omd, otr, pomd, siv_omd};
use core::fmt;
use core::str::FromStr;
use zeroize::ZeroizeOnDrop;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The schemes that have a name of their own, by canonical name.
const NAMES: [&str; 37] = [
    "omdsha256k128n96tau64v1",
    "omdsha256k128n96tau64v2",
    "omdsha256k128n96tau96v1",
    "omdsha256k128n96tau96v2",
    "omdsha256k128n96tau128v1",
    "omdsha256k128n96tau128v2",
    "omdsha256k192n104tau128v1",
    "omdsha256k192n104tau128v2",
    "omdsha256k256n104tau160v1",
    "omdsha256k256n104tau160v2",
    "omdsha256k256n248tau256v1",
    "omdsha256k256n248tau256v2",
    "omdsha512k128n128tau128v1",
    "omdsha512k128n128tau128v2",
    "omdsha512k256n256tau256v1",
    "omdsha512k256n256tau256v2",
    "omdsha512k512n256tau256v1",
    "omdsha512k512n256tau256v2",
    "omdsha512k512n256tau512v1",
    "omdblake2bk256n128tau128v2",
    "omdblake2bk512n256tau256v2",
    "omdblake2bk512n256tau512v1",
    "pomdsha256k128n96tau128",
    "pomdsha256k256n248tau256",
    "pomdsha512k512n256tau256",
    "pomdblake2bk512n256tau256",
    "sivomdpsha256k256n96tau256",
    "sivomdpsha512k512n256tau256",
    "sivomdpblake2bk512n256tau256",
    "sivomdssha256k256n96tau256",
    "sivomdssha512k512n256tau256",
    "aes128otrpv3",
    "aes128otrsv3",
    "aes128otrcv3",
    "aes256otrpv3",
    "aes256otrsv3",
    "aes256otrcv3",
];

const ALIASES: [(&str, &str); 17] = [
    ("omd-sha512", "omdsha512k512n256tau256v2"),
    ("omd-blake2b", "omdblake2bk512n256tau256v2"),
    ("omd-sha256", "omdsha256k256n104tau160v2"),
    ("pomd-sha512", "pomdsha512k512n256tau256"),
    ("pomd-blake2b", "pomdblake2bk512n256tau256"),
    ("pomd-sha256", "pomdsha256k256n248tau256"),
    ("sivomdp-sha512", "sivomdpsha512k512n256tau256"),
    ("sivomdp-blake2b", "sivomdpblake2bk512n256tau256"),
    ("sivomdp-sha256", "sivomdpsha256k256n96tau256"),
    ("sivomds-sha512", "sivomdssha512k512n256tau256"),
    ("sivomds-sha256", "sivomdssha256k256n96tau256"),
    ("otr-aes128-p", "aes128otrpv3"),
    ("otr-aes128-s", "aes128otrsv3"),
    ("otr-aes128-c", "aes128otrcv3"),
    ("otr-aes256-p", "aes256otrpv3"),
    ("otr-aes256-s", "aes256otrsv3"),
    ("otr-aes256-c", "aes256otrcv3"),
];

/// The mode of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Family {
    Omd { version: u8 },
    Pomd,
    SivOmd { serial: bool },
    Otr { form: otr::Form },
}

/// The compression function or block cipher of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Primitive {
    Sha256,
    Sha512,
    Blake2b,
    Aes128,
    Aes256,
}

impl Primitive {
    /// What a call gives, in bytes: n of a compression function.
    const fn block_len(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha512 | Self::Blake2b => 64,
            Self::Aes128 | Self::Aes256 => 16,
        }
    }

    /// What a call takes in of associated data, in bytes.
    const fn ad_block_len(self) -> usize {
        match self {
            Self::Sha256 | Self::Sha512 | Self::Blake2b => 2 * self.block_len(),
            Self::Aes128 | Self::Aes256 => self.block_len(),
        }
    }
}

/// A scheme with all its sizes. Obtained from [`find`] or [`schemes`], so that it is always legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scheme {
    name: Label,
    family: Family,
    primitive: Primitive,
    key_len: usize,
    nonce_len: usize,
    tag_len: usize,
}

/// The registered schemes: all published parameter sets of OMD, those of the link and of the hardware paper, and those of
/// p-OMD, SIV-OMD and AES-OTR that have known answers.
pub fn schemes() -> impl ExactSizeIterator<Item = Scheme> + Clone {
    NAMES
        .iter()
        .map(|name| find(name).expect("registered names are legal"))
}

/// The scheme with this canonical name or alias.
///
/// # Errors
/// [`Error::UnknownScheme`] if the name follows no known form, [`Error::SchemeSize`] if one of its sizes is not legal.
pub fn find(name: &str) -> Result<Scheme, Error> {
    let canonical = ALIASES
        .iter()
        .find(|(alias, _)| *alias == name)
        .map_or(name, |a| a.1);
    parse_otr(canonical)
        .or_else(|| parse_omd(canonical))
        .unwrap_or(Err(Error::UnknownScheme(Label::new(name))))
}

/// `None` if the name does not follow the grammar
/// (omd|pomd|sivomdp|sivomds)(sha256|sha512|blake2b)k<bits>n<bits>tau<bits>, with v(1|2) at the end for omd only.
fn parse_omd(name: &str) -> Option<Result<Scheme, Error>> {
    let (family, rest) = [
        ("omd", Family::Omd { version: 0 }),
        ("pomd", Family::Pomd),
        ("sivomdp", Family::SivOmd { serial: false }),
        ("sivomds", Family::SivOmd { serial: true }),
    ]
    .into_iter()
    .find_map(|(prefix, family)| Some((family, name.strip_prefix(prefix)?)))?;
    let (primitive, rest) = [
        ("sha256k", Primitive::Sha256),
        ("sha512k", Primitive::Sha512),
        ("blake2bk", Primitive::Blake2b),
    ]
    .into_iter()
    .find_map(|(prefix, primitive)| Some((primitive, rest.strip_prefix(prefix)?)))?;
    let (key, rest) = rest.split_once('n')?;
    let (nonce, mut tag) = rest.split_once("tau")?;
    let mut family = family;
    if let Family::Omd { version } = &mut family {
        let (digits, number) = tag.split_once('v')?;
        *version = match number {
            "1" => 1,
            "2" => 2,
            _ => return None,
        };
        tag = digits;
    }
    let [key, nonce, tag] = [number(key)?, number(nonce)?, number(tag)?];
    let n = 8 * primitive.block_len();
    Some((|| {
        Ok(Scheme {
            name: Label::new(name),
            family,
            primitive,
            key_len: legal("key", key, n)?,
            nonce_len: legal("nonce", nonce, n - 8)?,
            tag_len: legal("tag", tag, n)?,
        })
    })())
}

/// `None` if the name does not follow the grammar aes(128|256)otr(p|s|c)v3, with n<bits>tau<bits> at the end for sizes
/// other than the published ones.
fn parse_otr(name: &str) -> Option<Result<Scheme, Error>> {
    let (primitive, rest) = [
        ("aes128otr", Primitive::Aes128),
        ("aes256otr", Primitive::Aes256),
    ]
    .into_iter()
    .find_map(|(prefix, primitive)| Some((primitive, name.strip_prefix(prefix)?)))?;
    let (form, sizes) = [otr::Form::Parallel, otr::Form::Serial, otr::Form::Chained]
        .into_iter()
        .find_map(|form| Some((form, rest.strip_prefix(form.letter())?.strip_prefix("v3")?)))?;
    let (nonce, tag) = if sizes.is_empty() {
        otr::PUBLISHED
    } else {
        let (nonce, tag) = sizes.strip_prefix('n')?.split_once("tau")?;
        // One name for each scheme
        Some((number(nonce)?, number(tag)?)).filter(|sizes| *sizes != otr::PUBLISHED)?
    };
    Some((|| {
        Ok(Scheme {
            name: Label::new(name),
            family: Family::Otr { form },
            primitive,
            key_len: match primitive {
                Primitive::Aes128 => 16,
                _ => 32,
            },
            nonce_len: legal("nonce", nonce, 8 * otr::MAX_NONCE)?,
            tag_len: legal("tag", tag, 8 * otr::MAX_TAG)?,
        })
    })())
}

/// A decimal number of one to four digits without a leading zero, so that each scheme has one name.
fn number(digits: &str) -> Option<usize> {
    let canonical =
        digits.bytes().all(|b| b.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if canonical && digits.len() <= 4 {
        digits.parse().ok()
    } else {
        None
    }
}

/// The size in bytes.
fn legal(parameter: &'static str, bits: usize, max: usize) -> Result<usize, Error> {
    if bits.is_multiple_of(8) && (8..=max).contains(&bits) {
        Ok(bits / 8)
    } else {
        Err(Error::SchemeSize {
            parameter,
            given: bits,
            min: 8,
            max,
        })
    }
}

impl Scheme {
    /// The canonical name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The short name, if the scheme has one.
    #[must_use]
    pub fn alias(&self) -> Option<&'static str> {
        ALIASES
            .iter()
            .find(|(_, name)| *name == self.name())
            .map(|a| a.0)
    }

    /// Key length in bytes.
    #[must_use]
    pub const fn key_len(&self) -> usize {
        self.key_len
    }

    /// Nonce length in bytes.
    #[must_use]
    pub const fn nonce_len(&self) -> usize {
        self.nonce_len
    }

    /// Tag length in bytes. A sealed message is as long as the message and its tag.
    #[must_use]
    pub const fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// Length of a message block in bytes: one call of the compression function or block cipher each. In SIV-OMD, the pass
    /// that makes the tag adds half a call.
    #[must_use]
    pub const fn block_len(&self) -> usize {
        self.primitive.block_len()
    }

    /// Length of a block of associated data in bytes: one call of the compression function each. In p-OMD this holds for
    /// what is longer than the message; the rest takes no call of its own.
    #[must_use]
    pub const fn ad_block_len(&self) -> usize {
        self.primitive.ad_block_len()
    }

    /// Whether the construction has no published specification and analysis.
    #[must_use]
    pub const fn experimental(&self) -> bool {
        matches!(self.family, Family::SivOmd { .. })
    }

    /// Whether associated data can be hashed ahead, that is, whether [`DynAead::with_session_ad`] succeeds.
    #[must_use]
    pub const fn caches_ad(&self) -> bool {
        !matches!(self.family, Family::Pomd)
    }

    /// How many such packets one key may protect, and how many forgeries may be tried, so that an attacker's advantage stays
    /// under `advantage` (between 0 and 1). No more packets than there are nonces, where none may repeat: of SIV-OMD alone a
    /// nonce may. Nonces drawn at random repeat far earlier.
    #[must_use]
    pub fn limits(&self, packets: &Traffic, advantage: f64) -> Limits {
        let form = match self.family {
            Family::Omd { .. } | Family::Pomd => Form::Omd,
            Family::SivOmd { .. } => Form::SivOmd,
            Family::Otr { .. } => Form::Otr,
        };
        let bound = Bound {
            form,
            bits: 8 * self.block_len() as i32,
            tag_bits: 8 * self.tag_len as i32,
        };
        let mut limits = bound.limits(self.calls(packets), advantage);
        if !matches!(self.family, Family::SivOmd { .. }) {
            let nonces = exp2(8 * self.nonce_len as i32);
            limits.sealed = limits.sealed.min(nonces);
            limits.both = limits.both.min(nonces);
        }
        limits
    }

    /// Calls of the primitive that a packet takes, without those that serve all packets of a key.
    fn calls(&self, packets: &Traffic) -> u64 {
        let (block, ad_block) = (self.block_len() as u64, self.ad_block_len() as u64);
        let Traffic { packet_len, ad_len } = *packets;
        let blocks = packet_len.div_ceil(block);
        match self.family {
            Family::Omd { .. } => 2 + blocks + ad_len.div_ceil(ad_block),
            Family::Pomd => {
                2 + blocks
                    + ad_len
                        .saturating_sub(
                            packet_len
                                .div_ceil(block)
                                .saturating_add(1)
                                .saturating_mul(block),
                        )
                        .div_ceil(ad_block)
            }
            Family::SivOmd { .. } => {
                1 + blocks + packet_len.div_ceil(ad_block) + ad_len.div_ceil(ad_block)
            }
            // The first mask and the tag; the first mask of the associated data, and in form C its tag.
            Family::Otr { form } => {
                let ad = match form {
                    _ if ad_len == 0 => 0,
                    otr::Form::Parallel | otr::Form::Serial => 1,
                    otr::Form::Chained => 2,
                };
                2 + blocks.max(1) + ad_len.div_ceil(ad_block) + ad
            }
        }
    }

    /// Sets the scheme up with a key.
    ///
    /// # Errors
    /// [`Error::Length`] if the key does not have [`key_len`](Self::key_len) bytes.
    pub fn with_key(&self, key: &[u8]) -> Result<DynAead, Error> {
        Error::check_len("key", key.len(), self.key_len)?;
        Ok(DynAead {
            scheme: *self,
            keyed: Keyed::new(self, key),
        })
    }
}

impl FromStr for Scheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        find(name)
    }
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scheme({})", self.name)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// A mode with a key, over what the name says.
#[derive(Clone)]
enum Keyed {
    Sha256(Moded<Sha256>),
    Sha512(Moded<Sha512>),
    Blake2b(Moded<Blake2b>),
    Aes128(otr::Core<Aes128>),
    Aes256(otr::Core<Aes256>),
}

/// A mode over a compression function, with a key.
#[derive(Clone)]
enum Moded<F: Compress> {
    Omd(omd::Core<F>),
    Pomd(pomd::Core<F>),
    SivOmd(siv_omd::Core<F>),
}

impl Keyed {
    fn new(scheme: &Scheme, key: &[u8]) -> Self {
        let tag_len = scheme.tag_len;
        match (scheme.primitive, scheme.family) {
            (Primitive::Aes128, Family::Otr { form }) => {
                Self::Aes128(otr::Core::new(key, form, tag_len))
            }
            (Primitive::Aes256, Family::Otr { form }) => {
                Self::Aes256(otr::Core::new(key, form, tag_len))
            }
            (Primitive::Sha256, family) => Self::Sha256(Moded::new(family, key, tag_len)),
            (Primitive::Sha512, family) => Self::Sha512(Moded::new(family, key, tag_len)),
            (Primitive::Blake2b, family) => Self::Blake2b(Moded::new(family, key, tag_len)),
            (Primitive::Aes128 | Primitive::Aes256, _) => {
                unreachable!("names give AES to AES-OTR only")
            }
        }
    }

    fn mode(&self) -> &dyn Mode {
        match self {
            Self::Sha256(moded) => moded.mode(),
            Self::Sha512(moded) => moded.mode(),
            Self::Blake2b(moded) => moded.mode(),
            Self::Aes128(core) => core,
            Self::Aes256(core) => core,
        }
    }
}

impl<F: Compress> Moded<F> {
    fn new(family: Family, key: &[u8], tag_len: usize) -> Self {
        match family {
            Family::Omd { version } => Self::Omd(omd::Core::new(key, version, tag_len)),
            Family::Pomd => Self::Pomd(pomd::Core::new(key, tag_len)),
            Family::SivOmd { serial } => Self::SivOmd(siv_omd::Core::new(key, serial, tag_len)),
            Family::Otr { .. } => unreachable!("names give AES-OTR to AES only"),
        }
    }

    fn mode(&self) -> &dyn Mode {
        match self {
            Self::Omd(core) => core,
            Self::Pomd(core) => core,
            Self::SivOmd(core) => core,
        }
    }
}

/// A scheme with a key. The key and everything derived from it is wiped when this is dropped.
#[derive(Clone)]
pub struct DynAead {
    scheme: Scheme,
    keyed: Keyed,
}

impl DynAead {
    /// The scheme.
    #[must_use]
    pub const fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// Encrypts `buffer` in place and writes the tag to `tag`. A nonce must never serve twice under one key.
    ///
    /// # Errors
    /// [`Error::Length`] for a nonce or tag of the wrong length, [`Error::ForeignSessionAd`] if `ad` was made with
    /// another key, [`Error::NoSessionAd`] if the scheme has no use for a [`SessionAd`]. `buffer` and `tag` are unchanged
    /// then.
    pub fn seal_in_place_detached<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let ad = ad.into();
        let mode = self.keyed.mode();
        mode.check_packet(self.scheme.nonce_len, nonce, tag)?;
        mode.encrypt(nonce, ad, buffer, tag)
    }

    /// Decrypts `buffer` in place if the tag is right.
    ///
    /// # Errors
    /// [`Error::InvalidTag`], and `buffer` is zeros. [`Error::Length`] for a nonce or tag of the wrong length,
    /// [`Error::ForeignSessionAd`] if `ad` was made with another key: `buffer` is unchanged then.
    pub fn open_in_place_detached<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        buffer: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let ad = ad.into();
        let mode = self.keyed.mode();
        mode.check_packet(self.scheme.nonce_len, nonce, tag)?;
        mode.open(nonce, ad, buffer, tag)
    }

    /// Encrypts `plaintext` and returns ciphertext || tag.
    ///
    /// # Errors
    /// As [`seal_in_place_detached`](Self::seal_in_place_detached).
    #[cfg(feature = "alloc")]
    pub fn seal<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        plaintext: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let mut out = Vec::with_capacity(plaintext.len() + self.scheme.tag_len);
        out.extend_from_slice(plaintext);
        out.resize(plaintext.len() + self.scheme.tag_len, 0);
        let (buffer, tag) = out.split_at_mut(plaintext.len());
        self.seal_in_place_detached(nonce, ad, buffer, tag)?;
        Ok(out)
    }

    /// Checks and decrypts ciphertext || tag.
    ///
    /// # Errors
    /// [`Error::InvalidTag`] if it is not authentic, [`Error::Length`] for a nonce of the wrong length or an input
    /// shorter than the tag, [`Error::ForeignSessionAd`] if `ad` was made with another key.
    #[cfg(feature = "alloc")]
    pub fn open<'a>(
        &self,
        nonce: &[u8],
        ad: impl Into<Ad<'a>>,
        sealed: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let tag_len = self.scheme.tag_len;
        let Some(len) = sealed.len().checked_sub(tag_len) else {
            return Err(Error::Length {
                parameter: "sealed message",
                given: sealed.len(),
                min: tag_len,
                max: usize::MAX,
            });
        };
        let (ciphertext, tag) = sealed.split_at(len);
        let mut out = Vec::from(ciphertext);
        self.open_in_place_detached(nonce, ad, &mut out, tag)?;
        Ok(out)
    }

    /// Hashes associated data once for any number of packets under this key.
    ///
    /// # Errors
    /// [`Error::NoSessionAd`] for p-OMD, which takes in associated data together with the message: nothing could be
    /// saved. [`Scheme::caches_ad`] says so beforehand.
    pub fn with_session_ad(&self, ad: &[u8]) -> Result<SessionAd, Error> {
        self.keyed.mode().session_ad(ad)
    }

    /// Seals every packet of the slice and returns how many succeeded; each packet holds its own result.
    pub fn seal_batch(&self, packets: &mut [SealPacket<'_>]) -> usize {
        self.keyed.mode().seal_batch(self.scheme.nonce_len, packets)
    }

    /// Opens every packet of the slice and returns how many were authentic; each packet holds its own result.
    #[must_use = "packets that failed have been wiped"]
    pub fn open_batch(&self, packets: &mut [OpenPacket<'_>]) -> usize {
        self.keyed.mode().open_batch(self.scheme.nonce_len, packets)
    }
}

impl fmt::Debug for DynAead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynAead({}, ..)", self.scheme)
    }
}

impl ZeroizeOnDrop for DynAead {}
