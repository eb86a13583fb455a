// SPDX-License-Identifier: Apache-2.0
//! The keys of a file: from its header and what it is sealed or opened with.

use crate::{
    Error, Key, Lock, Options, Purpose, Recipient, Unlock, Way,
    header::{COMMITMENT_LEN, Header, ID, MAGIC, MAX_RECIPIENTS, PROLOGUE_LEN},
    kdf::Prk,
    wrap::{self, Random, Secret},
};
use sealwire_link::suite::Suite;
use std::io::Read;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// What the chunks are sealed with.
pub(crate) struct Setup {
    pub(crate) suite: &'static Suite,
    /// Plaintext bytes of a chunk.
    pub(crate) chunk_len: usize,
    /// The whole header.
    pub(crate) header: Vec<u8>,
    /// The header's part that is the associated data of every chunk.
    pub(crate) ad: Vec<u8>,
    pub(crate) file_key: Zeroizing<Vec<u8>>,
}

/// Random bytes of the operating system.
fn system(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(Error::Random)
}

impl Setup {
    /// A new file with a salt from the operating system.
    pub(crate) fn fresh(lock: Lock<'_>, options: &Options) -> Result<Self, Error> {
        Self::create(lock, options, &mut system)
    }

    /// A new file with these random bytes, which must be fresh.
    pub(crate) fn create(
        lock: Lock<'_>,
        options: &Options,
        random: &mut Random<'_>,
    ) -> Result<Self, Error> {
        let mut header = vec![0; PROLOGUE_LEN];
        header[..8].copy_from_slice(MAGIC);
        let (suite, purpose) = (options.suite.code, Purpose::File.code());
        header[8..12].copy_from_slice(&[2, suite, options.chunk_log2, purpose]);
        random(&mut header[32..])?;
        let mut set = |way: u8, stanzas_len: usize| {
            header[12] = way;
            let len = u16::try_from(stanzas_len).expect("55 recipients at most");
            header[14..16].copy_from_slice(&len.to_be_bytes());
        };
        let mut stanzas = Vec::new();
        let prk = match lock {
            Lock::Key(key) => {
                check_key(key, options.suite)?;
                set(1, 0);
                if options.names_key {
                    header[ID].copy_from_slice(key.id(Purpose::File).as_bytes());
                }
                Prk::extract(&header[32..], key.as_bytes())
            }
            Lock::Recipients(given) => {
                let mut recipients: Vec<&Recipient> = Vec::new();
                for recipient in given {
                    let is_same = |known: &&Recipient| known.as_bytes() == recipient.as_bytes();
                    if !recipients.iter().any(is_same) {
                        recipients.push(recipient);
                    }
                }
                if recipients.is_empty() || recipients.len() > MAX_RECIPIENTS {
                    return Err(Error::Recipients(recipients.len()));
                }
                set(2, recipients.len() * wrap::RECIPIENT_LEN);
                let secret = secret(random)?;
                let prologue = header.first_chunk().expect("64 bytes");
                for recipient in recipients {
                    stanzas.extend(wrap::for_recipient(prologue, recipient, &secret, random)?);
                }
                Prk::extract(&header[32..], secret.as_slice())
            }
            Lock::Passphrase(passphrase) => {
                set(3, wrap::STRETCHED_LEN);
                let secret = secret(random)?;
                let prologue = header.first_chunk().expect("64 bytes");
                stanzas = wrap::for_passphrase(prologue, passphrase, &secret, random)?;
                Prk::extract(&header[32..], secret.as_slice())
            }
        };
        header.extend(stanzas);
        let commitment = commitment(&prk, &header);
        let file_key = file_key(&prk, &header, options.suite);
        header.extend(commitment.as_slice());
        Ok(Self {
            suite: options.suite,
            chunk_len: 1 << options.chunk_log2,
            ad: commitment.to_vec(),
            header,
            file_key,
        })
    }

    /// The file whose header comes next in the input. Nothing of the header is believed before its commitment was checked, or its
    /// MAC in version 1.
    pub(crate) fn read(unlock: Unlock<'_>, input: &mut impl Read) -> Result<Self, Error> {
        let header = Header::read(input)?;
        let suite = header.suite();
        let (file_key, ad) = match header.way() {
            Way::Key => by_keys(&header, unlock)?,
            _ => committed(&header, &unlocked(&header, unlock)?)?,
        };
        Ok(Self {
            suite,
            chunk_len: header.chunk_len(),
            header: header.bytes,
            ad,
            file_key,
        })
    }
}

fn secret(random: &mut Random<'_>) -> Result<Secret, Error> {
    let mut secret = Secret::default();
    random(secret.as_mut_slice())?;
    Ok(secret)
}

/// The file key, and the associated data of every chunk.
type Opened = (Zeroizing<Vec<u8>>, Vec<u8>);

/// Opens a header of version 2 with what its keys come from.
fn committed(header: &Header, prk: &Prk) -> Result<Opened, Error> {
    let (bound, given) = header.bytes.split_at(header.len() - COMMITMENT_LEN);
    if !bool::from(commitment(prk, bound).ct_eq(given)) {
        return Err(Error::WrongKey);
    }
    Ok((file_key(prk, bound, header.suite()), given.to_vec()))
}

/// Opens a header with one key.
fn by_key(header: &Header, key: &Key) -> Result<Opened, Error> {
    check_key(key, header.suite())?;
    if header.version() == 1 {
        return Ok((version_1(key, header)?, header.bytes.clone()));
    }
    let given = key.id(Purpose::File);
    match header.key_id() {
        Some(named) if named != given => Err(Error::OtherKey { named, given }),
        _ => committed(header, &Prk::extract(header.salt(), key.as_bytes())),
    }
}

/// Opens a header with that key of several which it names, or with the first that fits.
fn by_keys(header: &Header, unlock: Unlock<'_>) -> Result<Opened, Error> {
    let keys = match unlock.keys() {
        [] => return Err(other_way(header, unlock)),
        [key] => return by_key(header, key),
        keys => keys,
    };
    for key in keys {
        key.check_purpose(Purpose::File)
            .map_err(Error::KeyPurpose)?;
    }
    let named = header.key_id();
    for key in keys {
        let opened = by_key(header, key);
        // Of the key that the header names, the error says more than that none fits.
        if opened.is_ok() || named == Some(key.id(Purpose::File)) {
            return opened;
        }
    }
    Err(Error::NoKey {
        named,
        given: keys.iter().map(|key| key.id(Purpose::File)).collect(),
    })
}

/// What the keys of a file for recipients or with a passphrase come from.
fn unlocked(header: &Header, unlock: Unlock<'_>) -> Result<Prk, Error> {
    let (prologue, stanzas) = (header.prologue(), header.stanzas());
    let secret = match (header.way(), unlock) {
        (Way::Recipients(_), Unlock::Identities(_) | Unlock::AnyOf { .. })
            if !unlock.identities().is_empty() || unlock.keys().is_empty() =>
        {
            let identities = unlock.identities();
            identities
                .iter()
                .find_map(|identity| wrap::by_identity(prologue, stanzas, identity))
                .ok_or_else(|| no_identity(unlock))?
        }
        (Way::Passphrase(cost), Unlock::Passphrase(passphrase)) => {
            wrap::by_passphrase(prologue, stanzas, cost, passphrase)?
                .ok_or(Error::WrongPassphrase)?
        }
        _ => return Err(other_way(header, unlock)),
    };
    Ok(Prk::extract(header.salt(), secret.as_slice()))
}

fn other_way(header: &Header, unlock: Unlock<'_>) -> Error {
    Error::OtherWay {
        needed: header.way().to_string(),
        given: unlock.kind(),
    }
}

fn no_identity(unlock: Unlock<'_>) -> Error {
    match unlock {
        Unlock::AnyOf { identities, .. } if identities.len() > 1 => Error::NoIdentity {
            given: identities.iter().map(|one| one.recipient().id()).collect(),
        },
        _ => Error::NotARecipient,
    }
}

fn check_key(key: &Key, suite: &Suite) -> Result<(), Error> {
    key.check_purpose(Purpose::File)
        .map_err(Error::KeyPurpose)?;
    let (given, needed) = (key.as_bytes().len(), suite.block_len());
    if given != needed {
        return Err(Error::KeyLength {
            alias: suite.alias,
            given,
            needed,
        });
    }
    Ok(())
}

fn commitment(prk: &Prk, bound: &[u8]) -> Zeroizing<[u8; COMMITMENT_LEN]> {
    prk.expand(b"sealwire file commitment\0", &[bound])
}

fn file_key(prk: &Prk, bound: &[u8], suite: &Suite) -> Zeroizing<Vec<u8>> {
    let key = prk.expand::<64>(b"sealwire file key\0", &[bound]);
    Zeroizing::new(key[..suite.key_len].to_vec())
}

/// The file key of version 1: E(1), where E(c) = F'(salt || zeros, K || header[0, 15) || c || zeros), and E(2) is the header MAC.
fn version_1(key: &Key, header: &Header) -> Result<Zeroizing<Vec<u8>>, Error> {
    let output = |c| {
        let mut message = [0; 16];
        message[..15].copy_from_slice(&header.bytes[..15]);
        message[15] = c;
        let schedule = header.suite().schedule;
        schedule.compress(header.salt(), key.as_bytes(), &message)
    };
    if !bool::from(output(2)[..16].ct_eq(&header.bytes[48..])) {
        return Err(Error::WrongKey);
    }
    Ok(Zeroizing::new(output(1)[..header.suite().key_len].to_vec()))
}
