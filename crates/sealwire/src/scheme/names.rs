// SPDX-License-Identifier: Apache-2.0
//! The names of schemes, and what they say.

use super::definition::{BlockCipher, Construction, Function, OmdMode, Scheme};
use super::fixed;
use crate::error::{Error, Label};
use crate::otr;
use core::str::FromStr;

/// Schemes of the families whose sizes are free that have known answers: canonical name, and the short one.
const NAMED: &[(&str, Option<&str>)] = &[
    ("omdsha256k128n96tau64v1", None),
    ("omdsha256k128n96tau64v2", None),
    ("omdsha256k128n96tau96v1", None),
    ("omdsha256k128n96tau96v2", None),
    ("omdsha256k128n96tau128v1", None),
    ("omdsha256k128n96tau128v2", None),
    ("omdsha256k192n104tau128v1", None),
    ("omdsha256k192n104tau128v2", None),
    ("omdsha256k256n104tau160v1", None),
    ("omdsha256k256n104tau160v2", Some("omd-sha256")),
    ("omdsha256k256n248tau256v1", None),
    ("omdsha256k256n248tau256v2", None),
    ("omdsha512k128n128tau128v1", None),
    ("omdsha512k128n128tau128v2", None),
    ("omdsha512k256n256tau256v1", None),
    ("omdsha512k256n256tau256v2", None),
    ("omdsha512k512n256tau256v1", None),
    ("omdsha512k512n256tau256v2", Some("omd-sha512")),
    ("omdsha512k512n256tau512v1", None),
    ("omdblake2bk256n128tau128v2", None),
    ("omdblake2bk512n256tau256v2", Some("omd-blake2b")),
    ("omdblake2bk512n256tau512v1", None),
    ("pomdsha256k128n96tau128", None),
    ("pomdsha256k256n248tau256", Some("pomd-sha256")),
    ("pomdsha512k512n256tau256", Some("pomd-sha512")),
    ("pomdblake2bk512n256tau256", Some("pomd-blake2b")),
    ("sivomdpsha256k256n96tau256", Some("sivomdp-sha256")),
    ("sivomdpsha512k512n256tau256", Some("sivomdp-sha512")),
    ("sivomdpblake2bk512n256tau256", Some("sivomdp-blake2b")),
    ("sivomdssha256k256n96tau256", Some("sivomds-sha256")),
    ("sivomdssha512k512n256tau256", Some("sivomds-sha512")),
    ("aes128otrpv3", Some("otr-aes128-p")),
    ("aes128otrsv3", Some("otr-aes128-s")),
    ("aes128otrcv3", Some("otr-aes128-c")),
    ("aes256otrpv3", Some("otr-aes256-p")),
    ("aes256otrsv3", Some("otr-aes256-s")),
    ("aes256otrcv3", Some("otr-aes256-c")),
];

/// The registered schemes: all published parameter sets of OMD, those of the link and of the hardware paper, and those of
/// p-OMD, SIV-OMD and AES-OTR that have known answers, and every scheme without free sizes.
pub fn schemes() -> impl ExactSizeIterator<Item = Scheme> + Clone {
    (0..registered().count()).map(|index| {
        let (name, _) = registered().nth(index).expect("one for every index");
        find(name).expect("registered names are legal")
    })
}

/// Canonical name and short one of every registered scheme.
fn registered() -> impl Iterator<Item = (&'static str, Option<&'static str>)> + Clone {
    let fixed = fixed::all().map(|scheme| (scheme.name, scheme.alias));
    NAMED.iter().copied().chain(fixed)
}

/// The scheme with this canonical name or alias.
///
/// # Errors
/// [`Error::UnknownScheme`] if the name follows no known form, [`Error::SchemeSize`] if one of its sizes is not legal.
pub fn find(name: &str) -> Result<Scheme, Error> {
    let canonical = registered()
        .find(|(_, alias)| *alias == Some(name))
        .map_or(name, |scheme| scheme.0);
    parse_otr(canonical)
        .or_else(|| parse_omd(canonical))
        .or_else(|| find_fixed(canonical))
        .unwrap_or(Err(Error::UnknownScheme(Label::new(name))))
}

impl Scheme {
    /// The short name, if the scheme has one.
    #[must_use]
    pub fn alias(&self) -> Option<&'static str> {
        registered()
            .find(|(name, _)| *name == self.name())
            .and_then(|scheme| scheme.1)
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

/// `None` if no module's table has the name.
fn find_fixed(name: &str) -> Option<Result<Scheme, Error>> {
    let fixed = fixed::all().find(|scheme| scheme.name == name)?;
    Some(Ok(Scheme {
        name: Label::new(name),
        construction: Construction::Fixed(fixed),
        key_len: fixed.key_len,
        nonce_len: fixed.nonce_len,
        tag_len: fixed.tag_len,
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
