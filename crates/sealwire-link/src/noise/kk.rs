// SPDX-License-Identifier: Apache-2.0
//! `Noise_KK_25519_ChaChaPoly_BLAKE2s`, or `Noise_KKpsk0_...` where both ends hold a pre-shared key, too: the handshake of two messages,
//! and one message each way under its keys.
//!
//! Own code over kept primitives, because the Noise libraries leave chaining keys and private keys in memory that they give back. Here
//! no block of the heap that is given back holds a secret. Copies on the stack are not all wiped: moves leave some, and so do HMAC's pads
//! and the curve's scalars. `snow` is the model that the tests hold this against.

use super::{KEY_LEN, Refusal, StaticKeys, TAG_LEN};
use crate::{
    Error,
    schedule::{Identity, Role},
};
use blake2::{Blake2s256, Digest};
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, Tag};
use curve25519_dalek::montgomery::MontgomeryPoint;
use hmac::{Mac, SimpleHmac};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// The protocol's name, as Noise writes it.
const PROTOCOL: &str = "Noise_KK_25519_ChaChaPoly_BLAKE2s";
/// Its name with a pre-shared key.
const PSK_PROTOCOL: &str = "Noise_KKpsk0_25519_ChaChaPoly_BLAKE2s";

type Secret = Zeroizing<[u8; KEY_LEN]>;

/// The public key of a private one.
pub(super) fn public_of(private: &[u8; KEY_LEN]) -> [u8; KEY_LEN] {
    MontgomeryPoint::mul_base_clamped(*private).to_bytes()
}

/// A point that gives every private key the same secret is refused.
pub(super) fn exchange(private: &[u8; KEY_LEN], public: &[u8; KEY_LEN]) -> Result<Secret, Refusal> {
    let point = Zeroizing::new(MontgomeryPoint(*public).mul_clamped(*private));
    let shared = Zeroizing::new(point.to_bytes());
    if bool::from(shared.ct_eq(&[0; KEY_LEN])) {
        return Err(Refusal::Auth);
    }
    Ok(shared)
}

/// The running hash, the chaining key and the cipher's key of a handshake.
#[derive(Clone)]
struct Symmetric {
    hash: [u8; KEY_LEN],
    chaining: Secret,
    key: Secret,
    number: u64,
}

impl Symmetric {
    fn new(protocol: &str) -> Self {
        // The names are longer than a hash, so their hashes stand for them.
        let hash: [u8; KEY_LEN] = Blake2s256::digest(protocol).into();
        Self {
            hash,
            chaining: Zeroizing::new(hash),
            key: Zeroizing::default(),
            number: 0,
        }
    }

    fn mix_hash(&mut self, data: &[u8]) {
        let mut hasher = Blake2s256::new();
        hasher.update(self.hash);
        hasher.update(data);
        self.hash = hasher.finalize().into();
    }

    fn mix_key(&mut self, input: &[u8]) {
        [self.chaining, self.key, _] = derive(&self.chaining, input);
        self.number = 0;
    }

    /// Takes a pre-shared key into the keys and into the hash.
    fn mix_key_and_hash(&mut self, input: &[u8]) {
        let [chaining, hash, key] = derive(&self.chaining, input);
        self.chaining = chaining;
        self.mix_hash(hash.as_slice());
        self.key = key;
        self.number = 0;
    }

    fn seal(&mut self, text: &mut [u8], tag: &mut [u8; TAG_LEN]) -> Result<(), Refusal> {
        seal(&self.key, self.number, &self.hash, text, tag)?;
        self.number += 1;
        self.mix_hash(&[&*text, tag].concat());
        Ok(())
    }

    fn open(&mut self, text: &mut [u8], tag: &[u8; TAG_LEN]) -> Result<(), Refusal> {
        let sealed = [&*text, tag].concat();
        open(&self.key, self.number, &self.hash, text, tag)?;
        self.number += 1;
        self.mix_hash(&sealed);
        Ok(())
    }
}

/// HKDF with three outputs, of which the first two are those of HKDF with two.
fn derive(chaining: &[u8; KEY_LEN], input: &[u8]) -> [Secret; 3] {
    let hash = |key: &[u8; KEY_LEN], parts: &[&[u8]]| -> Secret {
        let mut mac = <SimpleHmac<Blake2s256> as KeyInit>::new_from_slice(key)
            .expect("HMAC takes keys of every length");
        for part in parts {
            mac.update(part);
        }
        Zeroizing::new(mac.finalize().into_bytes().into())
    };
    let extracted = hash(chaining, &[input]);
    let first = hash(&extracted, &[&[1]]);
    let second = hash(&extracted, &[first.as_slice(), &[2]]);
    let third = hash(&extracted, &[second.as_slice(), &[3]]);
    [first, second, third]
}

fn nonce(number: u64) -> Nonce {
    let mut nonce = Nonce::default();
    nonce[4..].copy_from_slice(&number.to_le_bytes());
    nonce
}

fn seal(
    key: &[u8; KEY_LEN],
    number: u64,
    ad: &[u8],
    text: &mut [u8],
    tag: &mut [u8; TAG_LEN],
) -> Result<(), Refusal> {
    let cipher = ChaCha20Poly1305::new(key.into());
    let made = cipher.encrypt_inout_detached(&nonce(number), ad, text.into());
    *tag = made.map_err(|_| Refusal::Auth)?.into();
    Ok(())
}

fn open(
    key: &[u8; KEY_LEN],
    number: u64,
    ad: &[u8],
    text: &mut [u8],
    tag: &[u8; TAG_LEN],
) -> Result<(), Refusal> {
    let cipher = ChaCha20Poly1305::new(key.into());
    let tag = Tag::from(*tag);
    cipher
        .decrypt_inout_detached(&nonce(number), ad, text.into(), &tag)
        .map_err(|_| Refusal::Auth)
}

/// A handshake. The ephemeral key serves one, and is gone with it.
pub(super) struct Handshake {
    role: Role,
    symmetric: Symmetric,
    /// Whether a pre-shared key is in it: then public ephemeral keys enter the keys, too.
    has_psk: bool,
    ephemeral: Secret,
    /// The other end's ephemeral key, once it has come.
    theirs: [u8; KEY_LEN],
}

impl Handshake {
    /// A handshake from its beginning, in memory that it does not leave.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the system gives no random bytes.
    pub(super) fn new(keys: &StaticKeys, identity: &Identity) -> Result<Box<Self>, Error> {
        let mut symmetric = Symmetric::new(match keys.psk {
            Some(_) => PSK_PROTOCOL,
            None => PROTOCOL,
        });
        symmetric.mix_hash(&identity.context(0xff, [0; 4]));
        let (own, peer) = (keys.public()?, keys.peer);
        let (first, second) = match identity.role() {
            Role::Initiator => (own, peer),
            Role::Responder => (peer, own),
        };
        symmetric.mix_hash(&first);
        symmetric.mix_hash(&second);
        // The first token of the first message, at either end.
        if let Some(psk) = &keys.psk {
            symmetric.mix_key_and_hash(psk.as_slice());
        }
        let mut handshake = Box::new(Self {
            role: identity.role(),
            symmetric,
            has_psk: keys.psk.is_some(),
            ephemeral: Zeroizing::default(),
            theirs: [0; KEY_LEN],
        });
        getrandom::fill(handshake.ephemeral.as_mut_slice()).map_err(|_| Error::Random)?;
        Ok(handshake)
    }

    /// This end's message: the ephemeral key, then the payload, which is sealed in place, then the tag.
    pub(super) fn write(&mut self, keys: &StaticKeys, message: &mut [u8]) -> Result<(), Refusal> {
        let (public, rest) = message.split_first_chunk_mut().ok_or(Refusal::Format)?;
        let (text, tag) = rest.split_last_chunk_mut().ok_or(Refusal::Format)?;
        *public = public_of(&self.ephemeral);
        self.symmetric.mix_hash(public);
        if self.has_psk {
            self.symmetric.mix_key(public);
        }
        let exchanges = match self.role {
            // es, ss
            Role::Initiator => [
                exchange(&self.ephemeral, &keys.peer)?,
                exchange(&keys.private, &keys.peer)?,
            ],
            // ee, se
            Role::Responder => [
                exchange(&self.ephemeral, &self.theirs)?,
                exchange(&self.ephemeral, &keys.peer)?,
            ],
        };
        for shared in &exchanges {
            self.symmetric.mix_key(shared.as_slice());
        }
        self.symmetric.seal(text, tag)
    }

    /// The other end's message; its payload is opened in place. A message that is refused changes nothing here.
    pub(super) fn read<'m>(
        &mut self,
        keys: &StaticKeys,
        message: &'m mut [u8],
    ) -> Result<&'m [u8], Refusal> {
        let (public, rest) = message.split_first_chunk_mut().ok_or(Refusal::Format)?;
        let (text, tag) = rest.split_last_chunk_mut().ok_or(Refusal::Format)?;
        let mut symmetric = self.symmetric.clone();
        symmetric.mix_hash(public);
        if self.has_psk {
            symmetric.mix_key(public);
        }
        let exchanges = match self.role {
            // es, ss
            Role::Responder => [
                exchange(&keys.private, public)?,
                exchange(&keys.private, &keys.peer)?,
            ],
            // ee, se
            Role::Initiator => [
                exchange(&self.ephemeral, public)?,
                exchange(&keys.private, public)?,
            ],
        };
        for shared in &exchanges {
            symmetric.mix_key(shared.as_slice());
        }
        symmetric.open(text, tag)?;
        self.theirs = *public;
        // The old values and those of the trial are wiped as they are dropped.
        self.symmetric.clone_from(&symmetric);
        Ok(text)
    }

    /// The keys for what follows both messages.
    pub(super) fn split(&self) -> Transport {
        let [to_responder, to_initiator, _] = derive(&self.symmetric.chaining, &[]);
        let (to_responder, to_initiator) = (Box::new(to_responder), Box::new(to_initiator));
        let (send, receive) = match self.role {
            Role::Initiator => (to_responder, to_initiator),
            Role::Responder => (to_initiator, to_responder),
        };
        Transport {
            send: Some(send),
            receive,
        }
    }
}

/// One message each way. The keys lie in memory of their own, so that they do not stay behind where this is moved from.
pub(super) struct Transport {
    send: Option<Box<Secret>>,
    receive: Box<Secret>,
}

impl Transport {
    /// Seals this end's only message in place; its last bytes are the tag.
    pub(super) fn write(&mut self, message: &mut [u8]) -> Result<(), Refusal> {
        let (text, tag) = message.split_last_chunk_mut().ok_or(Refusal::Format)?;
        let key = self.send.take().ok_or(Refusal::NotTaken)?;
        seal(&key, 0, &[], text, tag)
    }

    /// Opens the other end's only message in place. One that is refused is left as it came.
    pub(super) fn read<'m>(&self, message: &'m mut [u8]) -> Result<&'m [u8], Refusal> {
        let (text, tag) = message.split_last_chunk_mut().ok_or(Refusal::Format)?;
        open(&self.receive, 0, &[], text, tag)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{suite::Suite, wire::Kind};
    use snow::{Builder, HandshakeState, TransportState};

    const OWN: [u8; KEY_LEN] = [5; KEY_LEN];
    const OTHER: [u8; KEY_LEN] = [6; KEY_LEN];

    fn identity(role: Role) -> Identity {
        let (a, b) = (1u64.to_be_bytes(), 2u64.to_be_bytes());
        let suite = Suite::by_code(1).unwrap();
        match role {
            Role::Initiator => Identity::new(suite, a, b, Kind::Ethernet).unwrap(),
            Role::Responder => Identity::new(suite, b, a, Kind::Ethernet).unwrap(),
        }
    }

    /// Our end of a role, and the library's of the other.
    fn ends(
        role: Role,
        psk: Option<[u8; KEY_LEN]>,
    ) -> (StaticKeys, Box<Handshake>, HandshakeState) {
        let mut keys = StaticKeys::new(&OWN, public_of(&OTHER)).unwrap();
        if let Some(psk) = &psk {
            keys = keys.with_psk(psk);
        }
        let ours = Handshake::new(&keys, &identity(role)).unwrap();
        let (prologue, public) = (identity(role).context(0xff, [0; 4]), public_of(&OWN));
        let protocol = psk.map_or(PROTOCOL, |_| PSK_PROTOCOL);
        let mut builder = Builder::new(protocol.parse().unwrap());
        if let Some(psk) = &psk {
            builder = builder.psk(0, psk).unwrap();
        }
        let builder = builder
            .local_private_key(&OTHER)
            .and_then(|builder| builder.remote_public_key(&public))
            .and_then(|builder| builder.prologue(&prologue))
            .unwrap();
        let theirs = match role {
            Role::Initiator => builder.build_responder(),
            Role::Responder => builder.build_initiator(),
        };
        (keys, ours, theirs.unwrap())
    }

    /// Our handshake message with this payload.
    fn write(ours: &mut Handshake, keys: &StaticKeys, payload: &[u8]) -> Vec<u8> {
        let mut message = vec![0; KEY_LEN + payload.len() + TAG_LEN];
        message[KEY_LEN..][..payload.len()].copy_from_slice(payload);
        ours.write(keys, &mut message).unwrap();
        message
    }

    fn talk(ours: &mut Transport, mut theirs: TransportState) {
        let mut message = *b"what we say                 ";
        ours.write(&mut message).unwrap();
        assert_eq!(ours.write(&mut [0; 40]), Err(Refusal::NotTaken), "once");
        let mut heard = [0; 64];
        let len = theirs.read_message(&message, &mut heard).unwrap();
        assert_eq!(&heard[..len], b"what we say ");
        let mut said = [0; 64];
        let len = theirs.write_message(b"what they say", &mut said).unwrap();
        for wrong in 0..len {
            said[wrong] ^= 1;
            let before = said;
            assert_eq!(ours.read(&mut said[..len]), Err(Refusal::Auth));
            assert_eq!(said, before);
            said[wrong] ^= 1;
        }
        assert_eq!(ours.read(&mut said[..len]).unwrap(), b"what they say");
    }

    const PSKS: [Option<[u8; KEY_LEN]>; 2] = [None, Some([7; KEY_LEN])];

    #[test]
    fn understands_the_library_as_initiator() {
        PSKS.into_iter().for_each(initiate);
    }

    fn initiate(psk: Option<[u8; KEY_LEN]>) {
        let (keys, mut ours, mut theirs) = ends(Role::Initiator, psk);
        let first = write(&mut ours, &keys, b"the time");
        let mut heard = [0; 64];
        let len = theirs.read_message(&first, &mut heard).unwrap();
        assert_eq!(&heard[..len], b"the time");
        let mut second = vec![0; 64];
        let len = theirs.write_message(b"", &mut second).unwrap();
        second.truncate(len);
        for wrong in 0..len {
            let mut forged = second.clone();
            forged[wrong] ^= 1;
            assert_eq!(ours.read(&keys, &mut forged), Err(Refusal::Auth));
        }
        assert_eq!(ours.read(&keys, &mut second).unwrap(), b"");
        talk(&mut ours.split(), theirs.into_transport_mode().unwrap());
    }

    #[test]
    fn understands_the_library_as_responder() {
        PSKS.into_iter().for_each(respond);
    }

    fn respond(psk: Option<[u8; KEY_LEN]>) {
        let (keys, mut ours, mut theirs) = ends(Role::Responder, psk);
        let mut first = vec![0; 64];
        let len = theirs.write_message(b"the time", &mut first).unwrap();
        first.truncate(len);
        assert_eq!(ours.read(&keys, &mut first).unwrap(), b"the time");
        let second = write(&mut ours, &keys, b"");
        assert_eq!(theirs.read_message(&second, &mut [0; 64]).unwrap(), 0);
        talk(&mut ours.split(), theirs.into_transport_mode().unwrap());
    }

    #[test]
    fn hears_nobody_with_another_pre_shared_key_or_none() {
        let keys = |psk: Option<[u8; KEY_LEN]>| {
            let keys = StaticKeys::new(&OWN, public_of(&OTHER)).unwrap();
            psk.iter().fold(keys, |keys, psk| keys.with_psk(psk))
        };
        let psks = [None, Some([7; KEY_LEN]), Some([8; KEY_LEN])];
        for (ours, theirs) in psks.iter().flat_map(|a| psks.iter().map(move |b| (a, b))) {
            let (_, _, mut caller) = ends(Role::Responder, *theirs);
            let mut first = vec![0; 64];
            let len = caller.write_message(b"the time", &mut first).unwrap();
            let keys = keys(*ours);
            let mut handshake = Handshake::new(&keys, &identity(Role::Responder)).unwrap();
            let heard = handshake.read(&keys, &mut first[..len]).is_ok();
            assert_eq!(heard, ours == theirs, "{ours:?} {theirs:?}");
        }
    }

    #[test]
    fn refuses_points_that_give_everybody_the_same_secret() {
        // Of order 2 and of order 4.
        for point in [0, 1] {
            let mut low = [0; KEY_LEN];
            low[0] = point;
            assert!(exchange(&OWN, &low).is_err());
        }
        let (keys, mut ours, _) = ends(Role::Responder, None);
        assert_eq!(ours.read(&keys, &mut [0; 56]), Err(Refusal::Auth));
    }
}
