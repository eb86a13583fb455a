// SPDX-License-Identifier: Apache-2.0
//! What a scheme is: its construction and its sizes.

use super::fixed::Fixed;
use crate::error::Label;
use crate::limits::{Bound, Form, Limits, Traffic, exp2};
use crate::otr;
use core::fmt;
use core::hash::{Hash, Hasher};

/// What a scheme is made of. Every value is a scheme.
#[derive(Clone, Copy, Debug)]
pub(super) enum Construction {
    /// A mode over a compression function.
    Compression { mode: OmdMode, function: Function },
    /// AES-OTR.
    Otr {
        form: otr::Form,
        cipher: BlockCipher,
    },
    /// A scheme that its module's table describes.
    Fixed(&'static Fixed),
}

/// A mode over a compression function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OmdMode {
    Omd { version: u8 },
    Pomd,
    SivOmd { serial: bool },
}

/// A compression function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Function {
    Sha256,
    Sha512,
    Blake2b,
}

/// AES with keys of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BlockCipher {
    Aes128,
    Aes256,
}

impl Function {
    /// n, in bytes.
    pub(super) const fn block_len(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha512 | Self::Blake2b => 64,
        }
    }
}

impl BlockCipher {
    /// Length of a key in bytes.
    pub(super) const fn key_len(self) -> usize {
        match self {
            Self::Aes128 => 16,
            Self::Aes256 => 32,
        }
    }
}

/// Length of a block of AES in bytes.
const AES_BLOCK: usize = 16;

impl Construction {
    /// What a call gives, in bytes: n of a compression function.
    pub(super) const fn block_len(self) -> usize {
        match self {
            Self::Compression { function, .. } => function.block_len(),
            Self::Otr { .. } => AES_BLOCK,
            Self::Fixed(fixed) => fixed.block_len,
        }
    }

    /// What a call takes in of associated data, in bytes.
    const fn ad_block_len(self) -> usize {
        match self {
            Self::Compression { function, .. } => 2 * function.block_len(),
            Self::Otr { .. } => AES_BLOCK,
            Self::Fixed(fixed) => fixed.block_len,
        }
    }

    /// Whether it is ours, without a published specification and analysis.
    const fn is_siv(self) -> bool {
        matches!(
            self,
            Self::Compression {
                mode: OmdMode::SivOmd { .. },
                ..
            }
        )
    }

    /// Whether its bound holds though nonces repeat.
    const fn outlives_nonces(self) -> bool {
        match self {
            Self::Fixed(fixed) => fixed.outlives_nonces,
            _ => self.is_siv(),
        }
    }
}

/// A scheme with all its sizes. Obtained from [`find`](super::find) or [`schemes`](super::schemes), so that it is always legal.
#[derive(Clone, Copy)]
pub struct Scheme {
    pub(super) name: Label,
    pub(super) construction: Construction,
    pub(super) key_len: usize,
    pub(super) nonce_len: usize,
    pub(super) tag_len: usize,
}

impl Scheme {
    /// The canonical name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
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

    /// Length of the designers' ciphertext of a message of `len` bytes, tag and all. Of AES-COPA and Minalpher it is less than `len` and
    /// the tag, which zeros fill up.
    #[must_use]
    pub fn published_len(&self, len: usize) -> usize {
        let zeros = match self.construction {
            Construction::Fixed(fixed) => (fixed.zeros)(len),
            _ => 0,
        };
        len.saturating_add(self.tag_len - zeros)
    }

    /// Length of a message block in bytes: one call of the compression function or block cipher each. In SIV-OMD, the pass
    /// that makes the tag adds half a call, in Deoxys-II a call; COLM_0, AES-COPA and Minalpher have two a block.
    #[must_use]
    pub const fn block_len(&self) -> usize {
        self.construction.block_len()
    }

    /// Length of a block of associated data in bytes: one call of the compression function each. In p-OMD this holds for
    /// what is longer than the message; the rest takes no call of its own.
    #[must_use]
    pub const fn ad_block_len(&self) -> usize {
        self.construction.ad_block_len()
    }

    /// Whether the construction has no published specification and analysis.
    #[must_use]
    pub const fn experimental(&self) -> bool {
        self.construction.is_siv()
    }

    /// Whether associated data can be hashed ahead, that is, whether [`DynAead::with_session_ad`](super::DynAead::with_session_ad) succeeds.
    #[must_use]
    pub const fn caches_ad(&self) -> bool {
        match self.construction {
            Construction::Compression { mode, .. } => !matches!(mode, OmdMode::Pomd),
            Construction::Otr { .. } => true,
            Construction::Fixed(fixed) => fixed.caches_ad,
        }
    }

    /// How many such packets one key may protect, and how many forgeries may be tried, so that an attacker's advantage stays
    /// under `advantage` (between 0 and 1). No more packets than there are nonces, where none may repeat: of SIV-OMD and
    /// Deoxys-II alone a nonce may. Nonces drawn at random repeat far earlier.
    #[must_use]
    pub fn limits(&self, packets: &Traffic, advantage: f64) -> Limits {
        let form = match self.construction {
            Construction::Compression { mode, .. } => match mode {
                OmdMode::Omd { .. } | OmdMode::Pomd => Form::Omd,
                OmdMode::SivOmd { .. } => Form::SivOmd,
            },
            Construction::Otr { .. } => Form::Otr,
            Construction::Fixed(fixed) => fixed.form,
        };
        let bits = match self.construction {
            Construction::Fixed(fixed) => fixed.bits,
            _ => 8 * self.block_len() as i32,
        };
        let bound = Bound {
            form,
            bits,
            tag_bits: 8 * self.tag_len as i32,
        };
        let mut limits = bound.limits(self.calls(packets), advantage);
        if !self.construction.outlives_nonces() {
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
        let ad_blocks = ad_len.div_ceil(ad_block);
        match self.construction {
            Construction::Compression { mode, .. } => match mode {
                OmdMode::Omd { .. } => 2 + blocks + ad_blocks,
                OmdMode::Pomd => {
                    let beside = blocks.saturating_add(1).saturating_mul(block);
                    2 + blocks + ad_len.saturating_sub(beside).div_ceil(ad_block)
                }
                OmdMode::SivOmd { .. } => 1 + blocks + packet_len.div_ceil(ad_block) + ad_blocks,
            },
            // The first mask and the tag; the first mask of the associated data, and in form C its tag.
            Construction::Otr { form, .. } => {
                let ad = match form {
                    _ if ad_len == 0 => 0,
                    otr::Form::Parallel | otr::Form::Serial => 1,
                    otr::Form::Chained => 2,
                };
                2 + blocks.max(1) + ad_blocks + ad
            }
            Construction::Fixed(fixed) => (fixed.calls)(packets),
        }
    }
}

/// A canonical name belongs to one scheme.
impl PartialEq for Scheme {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Scheme {}

impl Hash for Scheme {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
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
