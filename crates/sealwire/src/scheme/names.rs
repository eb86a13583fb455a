// SPDX-License-Identifier: Apache-2.0
//! The names of schemes, and what they say.

use super::definition::{BlockCipher, Construction, Function, OmdMode, Scheme};
use crate::error::{Error, Label};
use crate::{ascon_aead, deoxys, otr};
use core::str::FromStr;

/// The schemes that have a name of their own, by canonical name.
const NAMES: [&str; 45] = [
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
    "asconaead128",
    "ascon128v12",
    "deoxysi128v143",
    "deoxysi256v143",
    "deoxysii128v143",
    "deoxysii256v143",
    "deoxysi128v141",
    "deoxysii128v141",
];

const ALIASES: [(&str, &str); 23] = [
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
    ("ascon-aead128", "asconaead128"),
    ("ascon-128", "ascon128v12"),
    ("deoxys-i-128", "deoxysi128v143"),
    ("deoxys-i-256", "deoxysi256v143"),
    ("deoxys-ii-128", "deoxysii128v143"),
    ("deoxys-ii-256", "deoxysii256v143"),
];

/// The registered schemes: all published parameter sets of OMD, those of the link and of the hardware paper, and those of
/// p-OMD, SIV-OMD, AES-OTR, Ascon and Deoxys that have known answers.
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
        .or_else(|| parse_ascon(canonical))
        .or_else(|| parse_deoxys(canonical))
        .unwrap_or(Err(Error::UnknownScheme(Label::new(name))))
}

impl Scheme {
    /// The short name, if the scheme has one.
    #[must_use]
    pub fn alias(&self) -> Option<&'static str> {
        ALIASES
            .iter()
            .find(|(_, name)| *name == self.name())
            .map(|alias| alias.0)
    }
}

impl FromStr for Scheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        find(name)
    }
}

/// `None` if the name does not follow the grammar
/// (omd|pomd|sivomdp|sivomds)(sha256|sha512|blake2b)k<bits>n<bits>tau<bits>, with v(1|2) at the end for omd only.
fn parse_omd(name: &str) -> Option<Result<Scheme, Error>> {
    let (mut mode, rest) = [
        ("omd", OmdMode::Omd { version: 0 }),
        ("pomd", OmdMode::Pomd),
        ("sivomdp", OmdMode::SivOmd { serial: false }),
        ("sivomds", OmdMode::SivOmd { serial: true }),
    ]
    .into_iter()
    .find_map(|(prefix, mode)| Some((mode, name.strip_prefix(prefix)?)))?;
    let (function, rest) = [
        ("sha256k", Function::Sha256),
        ("sha512k", Function::Sha512),
        ("blake2bk", Function::Blake2b),
    ]
    .into_iter()
    .find_map(|(prefix, function)| Some((function, rest.strip_prefix(prefix)?)))?;
    let (key, rest) = rest.split_once('n')?;
    let (nonce, mut tag) = rest.split_once("tau")?;
    if let OmdMode::Omd { version } = &mut mode {
        let (digits, number) = tag.split_once('v')?;
        *version = match number {
            "1" => 1,
            "2" => 2,
            _ => return None,
        };
        tag = digits;
    }
    let [key, nonce, tag] = [number(key)?, number(nonce)?, number(tag)?];
    let n = 8 * function.block_len();
    Some((|| {
        Ok(Scheme {
            name: Label::new(name),
            construction: Construction::Compression { mode, function },
            key_len: legal("key", key, n)?,
            nonce_len: legal("nonce", nonce, n - 8)?,
            tag_len: legal("tag", tag, n)?,
        })
    })())
}

/// `None` if the name does not follow the grammar aes(128|256)otr(p|s|c)v3, with n<bits>tau<bits> at the end for sizes
/// other than the published ones.
fn parse_otr(name: &str) -> Option<Result<Scheme, Error>> {
    let (cipher, rest) = [
        ("aes128otr", BlockCipher::Aes128),
        ("aes256otr", BlockCipher::Aes256),
    ]
    .into_iter()
    .find_map(|(prefix, cipher)| Some((cipher, name.strip_prefix(prefix)?)))?;
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
            construction: Construction::Otr { form, cipher },
            key_len: cipher.key_len(),
            nonce_len: legal("nonce", nonce, 8 * otr::MAX_NONCE)?,
            tag_len: legal("tag", tag, 8 * otr::MAX_TAG)?,
        })
    })())
}

/// `None` if it is no AEAD of Ascon: all their sizes are fixed.
fn parse_ascon(name: &str) -> Option<Result<Scheme, Error>> {
    let variants = [ascon_aead::Variant::Standard, ascon_aead::Variant::V12];
    let variant = variants
        .into_iter()
        .find(|variant| variant.name() == name)?;
    Some(Ok(Scheme {
        name: Label::new(name),
        construction: Construction::Ascon(variant),
        key_len: ascon_aead::LEN,
        nonce_len: ascon_aead::LEN,
        tag_len: ascon_aead::LEN,
    }))
}

/// `None` if it is no scheme of Deoxys: all their sizes are fixed.
fn parse_deoxys(name: &str) -> Option<Result<Scheme, Error>> {
    let variant = deoxys::VARIANTS.iter().find(|v| v.name() == name)?;
    Some(Ok(Scheme {
        name: Label::new(name),
        construction: Construction::Deoxys(*variant),
        key_len: variant.key_len,
        nonce_len: variant.nonce_len(),
        tag_len: deoxys::TAG_LEN,
    }))
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
