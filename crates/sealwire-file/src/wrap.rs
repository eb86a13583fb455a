// SPDX-License-Identifier: Apache-2.0
//! Stanzas: the file's secret under a key that a recipient or a passphrase gives. Encrypt, then MAC, both by HKDF under one key
//! of one use: a stanza opens under one key only, but for collisions of the hash.

use crate::{
    Cost, Error, Identity, Passphrase, Recipient, header::PROLOGUE_LEN, kdf::Prk,
    recipient::CARRIER_LEN,
};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The secret that keys of the file come from.
pub(crate) type Secret = Zeroizing<[u8; 32]>;

/// Wrapped secret and its MAC.
const WRAPPED_LEN: usize = 64;
/// Bytes of a recipient's stanza.
pub(crate) const RECIPIENT_LEN: usize = CARRIER_LEN + WRAPPED_LEN;
/// Cost and salt of a passphrase.
const COST_LEN: usize = 4 + 16;
/// Bytes of a passphrase's stanza.
pub(crate) const STRETCHED_LEN: usize = COST_LEN + WRAPPED_LEN;

/// Where random bytes come from. Only known answers do not take them from the operating system.
pub(crate) type Random<'a> = dyn FnMut(&mut [u8]) -> Result<(), Error> + 'a;

/// A key of one use, and what it is bound to.
struct WrapKey<'a> {
    prk: Prk,
    context: [&'a [u8]; 3],
}

impl<'a> WrapKey<'a> {
    fn new(shared: &[u8; 64], context: [&'a [u8]; 3]) -> Self {
        Self {
            prk: Prk::extract(b"sealwire file wrap", shared),
            context,
        }
    }

    fn pad(&self, secret: &[u8; 32]) -> Secret {
        let mut pad = self.prk.expand(b"pad\0", &self.context);
        pad.iter_mut().zip(secret).for_each(|(pad, s)| *pad ^= s);
        pad
    }

    fn mac(&self, padded: &[u8; 32]) -> Zeroizing<[u8; 32]> {
        let [a, b, c] = self.context;
        self.prk.expand(b"mac\0", &[a, b, c, padded])
    }

    fn wrap(&self, secret: &Secret) -> [u8; WRAPPED_LEN] {
        let padded = self.pad(secret);
        let mut wrapped = [0; WRAPPED_LEN];
        wrapped[..32].copy_from_slice(padded.as_slice());
        wrapped[32..].copy_from_slice(self.mac(&padded).as_slice());
        wrapped
    }

    fn unwrap(&self, wrapped: &[u8]) -> Option<Secret> {
        let padded = wrapped.first_chunk().expect("64 bytes");
        let is_ours = bool::from(self.mac(padded).ct_eq(&wrapped[32..]));
        is_ours.then(|| self.pad(padded))
    }
}

/// The stanza of a recipient.
pub(crate) fn for_recipient(
    prologue: &[u8; PROLOGUE_LEN],
    recipient: &Recipient,
    secret: &Secret,
    random: &mut Random<'_>,
) -> Result<Vec<u8>, Error> {
    let mut private = Zeroizing::new([0; 32]);
    let mut seed = Zeroizing::new([0; 32]);
    random(private.as_mut_slice())?;
    random(seed.as_mut_slice())?;
    let (carrier, shared) = recipient.share(&private, &seed);
    let key = WrapKey::new(&shared, [prologue, &carrier, recipient.as_bytes()]);
    Ok([&carrier[..], &key.wrap(secret)].concat())
}

/// The secret, if one of the stanzas is for the identity.
pub(crate) fn by_identity(
    prologue: &[u8; PROLOGUE_LEN],
    stanzas: &[u8],
    identity: &Identity,
) -> Option<Secret> {
    stanzas.chunks_exact(RECIPIENT_LEN).find_map(|stanza| {
        let (carrier, wrapped) = stanza.split_first_chunk::<CARRIER_LEN>()?;
        let shared = identity.receive(carrier)?;
        let public = identity.recipient().as_bytes();
        WrapKey::new(&shared, [prologue, carrier, public]).unwrap(wrapped)
    })
}

/// The stanza of a passphrase.
pub(crate) fn for_passphrase(
    prologue: &[u8; PROLOGUE_LEN],
    passphrase: &Passphrase,
    secret: &Secret,
    random: &mut Random<'_>,
) -> Result<Vec<u8>, Error> {
    let cost = passphrase.own_cost();
    let mut head = [0; COST_LEN];
    head[..3].copy_from_slice(&[cost.memory_log2, cost.passes, cost.lanes]);
    random(&mut head[4..])?;
    let shared = passphrase.stretch(cost, head[4..].try_into().expect("16 bytes"))?;
    let key = WrapKey::new(&shared, [prologue, &head, &[]]);
    Ok([&head[..], &key.wrap(secret)].concat())
}

/// The secret, if the passphrase is right.
pub(crate) fn by_passphrase(
    prologue: &[u8; PROLOGUE_LEN],
    stanza: &[u8],
    cost: Cost,
    passphrase: &Passphrase,
) -> Result<Option<Secret>, Error> {
    let (head, wrapped) = stanza.split_at(COST_LEN);
    let shared = passphrase.stretch(cost, head[4..].try_into().expect("16 bytes"))?;
    Ok(WrapKey::new(&shared, [prologue, head, &[]]).unwrap(wrapped))
}
