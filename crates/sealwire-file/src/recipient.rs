// SPDX-License-Identifier: Apache-2.0
//! Who receives a file: a public key of X25519 (RFC 7748) and one of ML-KEM-768 (FIPS 203), of which an attacker must break both.

use crate::{
    KeyFileError, KeyId, Purpose,
    header::MAX_RECIPIENTS,
    kdf::Prk,
    keytext::{self, Fields, KeyText, MAX_FILE, lines},
};
use curve25519_dalek::montgomery::MontgomeryPoint;
use ml_kem::{
    B32, Decapsulate, KeyExport, KeyInit, Seed,
    ml_kem_768::{Ciphertext, DecapsulationKey, EncapsulationKey},
};
use std::io::Read;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const POINT: usize = 32;
const KEM_KEY: usize = 1184;
const KEM_TEXT: usize = 1088;
/// Bytes of a public key.
pub(crate) const PUBLIC_LEN: usize = POINT + KEM_KEY;
/// Bytes of what carries a shared secret: an X25519 point and an ML-KEM ciphertext.
pub(crate) const CARRIER_LEN: usize = POINT + KEM_TEXT;

/// Longest list of recipients that is read, in bytes: as many files as a sealed file has recipients.
pub(crate) const MAX_LIST: u64 = MAX_RECIPIENTS as u64 * MAX_FILE;

/// Both shared secrets: that of ML-KEM, then that of X25519.
type Shared = Zeroizing<[u8; 64]>;

/// The public key of one who receives files.
#[derive(Clone)]
pub struct Recipient {
    bytes: [u8; PUBLIC_LEN],
    kem: EncapsulationKey,
}

impl Recipient {
    fn from_bytes(bytes: &[u8]) -> Result<Self, KeyFileError> {
        let bytes: [u8; PUBLIC_LEN] = bytes
            .try_into()
            .map_err(|_| KeyFileError::Recipient("one has 1216 bytes"))?;
        // A point of small order gives the same secret to all the world.
        if shared_point(&[0x5a; 32], bytes.first_chunk().expect("32 bytes")).is_none() {
            return Err(KeyFileError::Recipient("its X25519 point has small order"));
        }
        let kem = bytes[POINT..].try_into().expect("1184 bytes");
        let kem = EncapsulationKey::new(&kem)
            .map_err(|_| KeyFileError::Recipient("its ML-KEM-768 key is not in canonical form"))?;
        Ok(Self { bytes, kem })
    }

    /// Reads a recipient file.
    ///
    /// # Errors
    ///
    /// A [`KeyFileError`] that says what is wrong with the file.
    pub fn read(input: impl Read) -> Result<Self, KeyFileError> {
        Self::of_text(&KeyText::read(input)?)
    }

    fn of_text(text: &KeyText) -> Result<Self, KeyFileError> {
        refuse_other(text, Purpose::Recipient)?;
        let recipient = Self::from_bytes(&text.bytes)?;
        check_id(text, recipient.id())?;
        Ok(recipient)
    }

    /// Reads a list of recipients: recipient files one after the other, or the lines of digits alone, one a recipient, with comment lines
    /// that begin with `#` wherever they help.
    ///
    /// # Errors
    ///
    /// A [`KeyFileError`] that says what is wrong, and in which line.
    pub fn read_list(input: impl Read) -> Result<Vec<Self>, KeyFileError> {
        // Somebody's secret keys may be given by mistake: they are wiped, and a text that does not grow leaves no copies.
        let mut text = Zeroizing::new(Vec::with_capacity(MAX_LIST as usize + 1));
        input.take(MAX_LIST + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MAX_LIST {
            return Err(KeyFileError::ListTooLong);
        }
        let mut recipients = Vec::new();
        // Fields belong to the digits that follow them.
        let (mut fields, mut last_field) = (Fields::default(), None);
        for (number, line) in lines(&text) {
            if fields.take(number, line)? {
                last_field = Some(number);
                continue;
            }
            last_field = None;
            let Fields { purpose, id } = std::mem::take(&mut fields);
            let bytes =
                base16ct::mixed::decode_vec(line).map_err(|_| KeyFileError::Digits(number))?;
            let text = KeyText {
                purpose: purpose.or(Some(Purpose::Recipient)),
                id,
                bytes: Zeroizing::new(bytes),
            };
            let in_line = |error| KeyFileError::InLine {
                line: number,
                error: Box::new(error),
            };
            recipients.push(Self::of_text(&text).map_err(in_line)?);
        }
        match last_field {
            Some(number) => Err(KeyFileError::LoneField(number)),
            None if recipients.is_empty() => Err(KeyFileError::NoRecipients),
            None => Ok(recipients),
        }
    }

    /// The text of the recipient file, which is no secret.
    pub fn to_text(&self) -> String {
        let comment = "sealwire recipient: whoever has this file can seal files to its owner. It is no secret, but it must be the right one.";
        let id = self.id().to_string();
        keytext::write(comment, Some(Purpose::Recipient), &id, &self.bytes).to_string()
    }

    /// The short name that recipient and identity share.
    pub fn id(&self) -> KeyId {
        KeyId::derive(Purpose::Recipient, &self.bytes)
    }

    /// What people compare to know that they have one recipient: 20 bytes, of which nobody finds a second recipient. The id is too short for that.
    pub fn fingerprint(&self) -> [u8; 20] {
        *Prk::extract(b"sealwire fingerprint", &self.bytes).expand(b"sealwire fingerprint\0", &[])
    }

    pub(crate) fn as_bytes(&self) -> &[u8; PUBLIC_LEN] {
        &self.bytes
    }

    /// A fresh shared secret, and what carries it to the recipient. Both inputs are fresh random bytes.
    pub(crate) fn share(&self, private: &[u8; 32], seed: &[u8; 32]) -> ([u8; CARRIER_LEN], Shared) {
        let point = MontgomeryPoint::mul_base_clamped(*private).to_bytes();
        let theirs = self.bytes.first_chunk().expect("32 bytes");
        let by_point = shared_point(private, theirs).expect("checked when it was read");
        // By reference: a copy of the seed would not be wiped.
        let (text, by_kem) = self.kem.encapsulate_deterministic(<&B32>::from(seed));
        let by_kem = Zeroizing::new(by_kem);
        let mut carrier = [0; CARRIER_LEN];
        carrier[..POINT].copy_from_slice(&point);
        carrier[POINT..].copy_from_slice(&text);
        (carrier, join(&by_kem, &by_point))
    }
}

/// The private key of one who receives files, wiped when dropped.
#[derive(Clone)]
pub struct Identity {
    seed: Zeroizing<[u8; 32]>,
    private: Zeroizing<[u8; 32]>,
    kem: DecapsulationKey,
    recipient: Recipient,
}

impl Identity {
    /// A new identity from the operating system's random bytes.
    ///
    /// # Errors
    ///
    /// [`KeyFileError::Random`] if the system has none.
    pub fn generate() -> Result<Self, KeyFileError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut_slice()).map_err(KeyFileError::Random)?;
        Ok(Self::from_seed(&seed))
    }

    pub(crate) fn from_seed(seed: &[u8; 32]) -> Self {
        let prk = Prk::extract(b"sealwire identity", seed);
        let private = prk.expand::<32>(b"x25519\0", &[]);
        let kem_seed = prk.expand::<64>(b"ml-kem-768\0", &[]);
        // By reference: a copy of the seed would not be wiped. The crate wipes the one that it keeps.
        let kem = DecapsulationKey::new(<&Seed>::from(&*kem_seed));
        let mut bytes = [0; PUBLIC_LEN];
        bytes[..POINT].copy_from_slice(&MontgomeryPoint::mul_base_clamped(*private).to_bytes());
        bytes[POINT..].copy_from_slice(&kem.encapsulation_key().to_bytes());
        Self {
            seed: Zeroizing::new(*seed),
            private,
            recipient: Recipient {
                bytes,
                kem: kem.encapsulation_key().clone(),
            },
            kem,
        }
    }

    /// Reads an identity file.
    ///
    /// # Errors
    ///
    /// A [`KeyFileError`] that says what is wrong with the file.
    pub fn read(input: impl Read) -> Result<Self, KeyFileError> {
        let text = KeyText::read(input)?;
        refuse_other(&text, Purpose::Identity)?;
        let seed = text.bytes[..]
            .try_into()
            .map_err(|_| KeyFileError::IdentityLength(text.bytes.len()))?;
        let identity = Self::from_seed(seed);
        check_id(&text, identity.recipient.id())?;
        Ok(identity)
    }

    /// The text of the identity file.
    pub fn to_text(&self) -> Zeroizing<String> {
        let comment = "sealwire identity: whoever has this file can open what was sealed to its recipient; keep it secret.";
        let id = self.recipient.id().to_string();
        keytext::write(comment, Some(Purpose::Identity), &id, self.seed.as_slice())
    }

    /// The public key that belongs to it.
    pub fn recipient(&self) -> &Recipient {
        &self.recipient
    }

    /// The secret that a carrier brings. A carrier that is not for this identity gives another one, or none.
    pub(crate) fn receive(&self, carrier: &[u8; CARRIER_LEN]) -> Option<Shared> {
        let by_point = shared_point(&self.private, carrier.first_chunk().expect("32 bytes"))?;
        let text = Ciphertext::try_from(&carrier[POINT..]).expect("1088 bytes");
        let by_kem = Zeroizing::new(self.kem.decapsulate(&text));
        Some(join(&by_kem, &by_point))
    }
}

fn join(by_kem: &[u8], by_point: &[u8; 32]) -> Shared {
    let mut shared = Zeroizing::new([0; 64]);
    shared[..32].copy_from_slice(by_kem);
    shared[32..].copy_from_slice(by_point);
    shared
}

/// X25519; `None` for a point of small order.
fn shared_point(private: &[u8; 32], public: &[u8; 32]) -> Option<Zeroizing<[u8; 32]>> {
    let point = Zeroizing::new(MontgomeryPoint(*public).mul_clamped(*private));
    let shared = Zeroizing::new(point.to_bytes());
    (!bool::from(shared.ct_eq(&[0; 32]))).then_some(shared)
}

/// Such files always say what they are: a key for files has as many bytes as an identity.
fn refuse_other(text: &KeyText, wanted: Purpose) -> Result<(), KeyFileError> {
    match text.purpose {
        Some(given) if given == wanted => Ok(()),
        Some(given) => Err(KeyFileError::OtherPurpose { given, wanted }),
        None => Err(KeyFileError::NoPurpose(wanted.word())),
    }
}

fn check_id(text: &KeyText, right: KeyId) -> Result<(), KeyFileError> {
    match text.id.map(KeyId) {
        Some(given) if given != right => Err(KeyFileError::OtherId { given, right }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value is that of HMAC and SHA-512 of Python's library.
    #[test]
    fn a_fingerprint_is_as_documented_and_that_of_one_recipient() {
        let [one, other] = [1, 2].map(|byte| Identity::from_seed(&[byte; 32]));
        let digits = base16ct::lower::encode_string(&one.recipient().fingerprint());
        assert_eq!(digits, "bf226bbee091722ecc63bd9620de073029215d32");
        assert_ne!(
            one.recipient().fingerprint(),
            other.recipient().fingerprint()
        );
    }
}
