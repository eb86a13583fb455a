// SPDX-License-Identifier: Apache-2.0
//! Passphrases: Argon2id (RFC 9106) makes a key of one, at a cost that the file names.

use crate::Error;
use argon2::{Algorithm, Argon2, Params, Version};
use zeroize::Zeroizing;

/// What it costs to try a passphrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    pub(crate) memory_log2: u8,
    pub(crate) passes: u8,
    pub(crate) lanes: u8,
}

impl Default for Cost {
    /// The second recommended choice of RFC 9106, section 4: 64 MiB, three passes, four lanes.
    fn default() -> Self {
        Self {
            memory_log2: 16,
            passes: 3,
            lanes: 4,
        }
    }
}

impl Cost {
    /// 2^`memory_log2` KiB of memory (3 to 20, that is 1 GiB), 1 to 16 passes over it, 1 to 16 lanes of at least 8 KiB.
    ///
    /// # Errors
    ///
    /// [`Error::Cost`] for anything else: who opens a file must not be made to work for days by its header.
    pub fn new(memory_log2: u8, passes: u8, lanes: u8) -> Result<Self, Error> {
        let is_allowed = (3..=20).contains(&memory_log2)
            && (1..=16).contains(&passes)
            && (1..=16).contains(&lanes)
            && 8 * u32::from(lanes) <= 1 << memory_log2;
        if is_allowed {
            Ok(Self {
                memory_log2,
                passes,
                lanes,
            })
        } else {
            Err(Error::Cost {
                memory_log2,
                passes,
                lanes,
            })
        }
    }

    /// Memory in KiB.
    pub fn memory_kib(&self) -> u32 {
        1 << self.memory_log2
    }

    /// Passes over the memory.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Lanes.
    pub fn lanes(&self) -> u8 {
        self.lanes
    }
}

/// A passphrase, wiped when dropped. Its bytes count as they are: no spelling is made equal to another.
pub struct Passphrase {
    bytes: Zeroizing<Vec<u8>>,
    cost: Cost,
}

impl Passphrase {
    /// Takes a passphrase.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyPassphrase`].
    pub fn new(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            return Err(Error::EmptyPassphrase);
        }
        Ok(Self {
            bytes: Zeroizing::new(bytes.to_vec()),
            cost: Cost::default(),
        })
    }

    /// Seal at this cost. Opening takes the cost that the file names.
    #[must_use]
    pub fn cost(self, cost: Cost) -> Self {
        Self { cost, ..self }
    }

    pub(crate) fn own_cost(&self) -> Cost {
        self.cost
    }

    /// Argon2id version 1.3 without secret and associated data, 64 bytes.
    pub(crate) fn stretch(
        &self,
        cost: Cost,
        salt: &[u8; 16],
    ) -> Result<Zeroizing<[u8; 64]>, Error> {
        let mut out = Zeroizing::new([0; 64]);
        Params::new(
            cost.memory_kib(),
            cost.passes.into(),
            cost.lanes.into(),
            Some(out.len()),
        )
        .and_then(|params| {
            Argon2::new(Algorithm::Argon2id, Version::V0x13, params).hash_password_into(
                &self.bytes,
                salt,
                out.as_mut_slice(),
            )
        })
        .map_err(|error| Error::Argon2(error.to_string()))?;
        Ok(out)
    }
}
