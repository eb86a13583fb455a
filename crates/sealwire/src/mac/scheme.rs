// SPDX-License-Identifier: Apache-2.0
//! MACs by name, chosen while the program runs.

use super::instance::{INSTANCES, Instance, Kind};
use crate::error::{Error, Label};
use crate::limits::{Bound, Form, Limits};
use core::fmt;
use core::str::FromStr;

/// A MAC with the length of its tags. Obtained from [`find`] or [`schemes`], so that it is always legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MacScheme {
    number: usize,
    tag_len: usize,
}

/// Bytes of a key.
pub(super) const KEY_LEN: usize = 16;

/// Bits of Ascon-p's state.
const STATE_BITS: i32 = 320;

/// A longer tag is no harder to guess than one of this many bits, as far as limits can say.
const MAX_TAG_BITS: i32 = 1000;

/// Bytes of a tag, unless another length was asked for.
pub(super) const TAG_LEN: usize = 16;

/// All MACs with tags of 16 bytes, the default first.
pub fn schemes() -> impl ExactSizeIterator<Item = MacScheme> + Clone {
    (0..INSTANCES.len()).map(|number| MacScheme {
        number,
        tag_len: TAG_LEN,
    })
}

/// The MAC with this canonical name or alias, with tags of 16 bytes.
///
/// # Errors
/// [`Error::UnknownMac`]
pub fn find(name: &str) -> Result<MacScheme, Error> {
    schemes()
        .find(|scheme| scheme.name() == name || scheme.alias() == Some(name))
        .ok_or(Error::UnknownMac(Label::new(name)))
}

impl MacScheme {
    pub(super) fn instance(&self) -> &'static Instance {
        &INSTANCES[self.number]
    }

    /// The canonical name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.instance().name
    }

    /// The short name, if the scheme has one.
    #[must_use]
    pub fn alias(&self) -> Option<&'static str> {
        self.instance().alias
    }

    /// Key length in bytes.
    #[must_use]
    pub const fn key_len(&self) -> usize {
        KEY_LEN
    }

    /// Tag length in bytes.
    #[must_use]
    pub const fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// Length of a message block in bytes: one call of the permutation each.
    #[must_use]
    pub fn block_len(&self) -> usize {
        match self.instance().kind {
            Kind::Sponge { absorb, .. } => absorb.block_len(),
            Kind::Short { .. } => 16,
            Kind::Farfalle => 40,
        }
    }

    /// The longest message in bytes; `None`: any.
    #[must_use]
    pub fn max_message_len(&self) -> Option<usize> {
        matches!(self.instance().kind, Kind::Short { .. }).then_some(16)
    }

    /// Whether the instance is ours, its initial value and what else the literature leaves open chosen by us, or has
    /// not been analysed.
    #[must_use]
    pub fn experimental(&self) -> bool {
        self.instance().experimental
    }

    /// The shortest and the longest tag in bytes.
    #[must_use]
    pub fn tag_lens(&self) -> (usize, usize) {
        match self.instance().kind {
            Kind::Sponge { prf: true, .. } => (1, usize::MAX),
            Kind::Short { .. } => (1, 16),
            Kind::Sponge { .. } | Kind::Farfalle => (TAG_LEN, TAG_LEN),
        }
    }

    /// This scheme with tags of another length. The PRFs give any: a longer tag of theirs begins with the shorter
    /// ones, while Ascon-PRFshort's has nothing in common with them. A forgery of t bytes succeeds with probability
    /// 2^-8t.
    ///
    /// # Errors
    /// [`Error::Length`] if the scheme has no tags of this length.
    pub fn with_tag_len(&self, tag_len: usize) -> Result<Self, Error> {
        let (min, max) = self.tag_lens();
        if (min..=max).contains(&tag_len) {
            Ok(Self { tag_len, ..*self })
        } else {
            Err(Error::Length {
                parameter: "tag",
                given: tag_len,
                min,
                max,
            })
        }
    }

    /// How many messages of `message_len` bytes one key may serve, and how many forgeries may be tried, so that the advantage
    /// of an attacker who computes Ascon-p `work` times stays under `advantage` (between 0 and 1). `None` for
    /// Ascon-Farfalle, of which no bound is known, and for messages longer than [`max_message_len`](Self::max_message_len).
    #[must_use]
    pub fn limits(&self, message_len: u64, advantage: f64, work: f64) -> Option<Limits> {
        if let Some(max) = self.max_message_len()
            && message_len > max as u64
        {
            return None;
        }
        // Ascon-PRFshort is bounded as a sponge of one call, whose key serves once more.
        let (squeeze, calls) = match self.instance().kind {
            Kind::Sponge { squeeze, .. } => (
                squeeze,
                1 + message_len / self.block_len() as u64
                    + (self.tag_len as u64).div_ceil(8 * squeeze as u64),
            ),
            Kind::Short { .. } => (2, 1),
            Kind::Farfalle => return None,
        };
        let form = Form::Sponge {
            capacity: STATE_BITS - 64 * squeeze as i32,
            work,
        };
        let bound = Bound {
            form,
            bits: STATE_BITS,
            tag_bits: i32::try_from(self.tag_len)
                .map_or(MAX_TAG_BITS, |len| len.saturating_mul(8).min(MAX_TAG_BITS)),
        };
        Some(bound.limits(calls, advantage))
    }
}

impl FromStr for MacScheme {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        find(name)
    }
}

impl fmt::Debug for MacScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MacScheme({})", self.name())
    }
}

impl fmt::Display for MacScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
