// SPDX-License-Identifier: Apache-2.0
//! The key schedule: from a pre-shared key, two ids and two random values to everything that a session needs.
//!
//! ```text
//! ctx(c, s) = "sealwire" || version || suite || c || kind || s || id_i || id_r        32 bytes
//! D(c, H)   = F'(H, PSK || ctx(c, 00000000) || zeros)                            n bytes
//! ```
//!
//! With X = R_i || R_r: key i->r = D(1, X), key r->i = D(2, X), both salts from D(3, X), reply MAC from D(4, X), confirm MAC from
//! D(5, X); hello MAC from D(0, R_i, the hello's number, zeros). The end with the smaller id is the initiator i, for good.

use crate::{
    Error,
    suite::{MAX_BLOCK, Suite},
    wire::{Kind, SessionId, Version},
};
use arrayvec::ArrayVec;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// An end's id: 8 bytes, not zero.
pub type Id = [u8; 8];

/// Length of a handshake MAC in bytes.
pub const MAC_LEN: usize = 16;

/// Names a pre-shared key in a link without telling anything of it.
pub type Fingerprint = [u8; 8];

/// The schedule's constant for the fingerprint.
const FINGERPRINT: u8 = 0xfe;

/// The schedule's constant for the Noise channel's pre-shared key.
const CHANNEL: u8 = 0xfd;

/// How often a random value is redrawn because its session id is taken. One draw fails with probability 2^-30.
const DRAWS: usize = 16;

/// A pre-shared key: n random bytes, never a passphrase. It serves one pair of ids and one suite. Wiped when dropped.
pub struct Psk(Zeroizing<Vec<u8>>);

impl Psk {
    /// Takes the key, which must have n bytes ([`Suite::block_len`]).
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] for any other length.
    pub fn new(suite: &Suite, key: &[u8]) -> Result<Self, Error> {
        if key.len() != suite.block_len() {
            return Err(Error::KeyLength {
                suite: suite.code,
                given: key.len(),
                needed: suite.block_len(),
            });
        }
        Ok(Self(Zeroizing::new(key.to_vec())))
    }

    fn for_suite(self, suite: &Suite) -> Result<Self, Error> {
        if self.0.len() == suite.block_len() {
            return Ok(self);
        }
        Err(Error::KeyLength {
            suite: suite.code,
            given: self.0.len(),
            needed: suite.block_len(),
        })
    }
}

/// Which end of the link this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The end with the smaller id. Only it starts handshakes.
    Initiator,
    /// The end with the larger id.
    Responder,
}

/// Who the two ends are and what they carry: everything of a link that is not secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    suite: &'static Suite,
    role: Role,
    initiator: Id,
    responder: Id,
    kind: Kind,
    version: Version,
}

impl Identity {
    /// Names the two ends. The smaller id is the initiator's.
    ///
    /// # Errors
    ///
    /// [`Error::Ids`] if an id is zero or both are the same.
    pub fn new(suite: &'static Suite, local: Id, peer: Id, kind: Kind) -> Result<Self, Error> {
        if local == peer || local == [0; 8] || peer == [0; 8] {
            return Err(Error::Ids);
        }
        let (role, initiator, responder) = if local < peer {
            (Role::Initiator, local, peer)
        } else {
            (Role::Responder, peer, local)
        };
        Ok(Self {
            suite,
            role,
            initiator,
            responder,
            kind,
            version: Version::default(),
        })
    }

    /// The link of these ends in another version of the wire format, which both must be configured for.
    #[must_use]
    pub fn with_version(self, version: Version) -> Self {
        Self { version, ..self }
    }

    /// The version of the wire format that both ends speak.
    pub fn version(&self) -> Version {
        self.version
    }

    /// What the link carries.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The suite of the link.
    pub fn suite(&self) -> &'static Suite {
        self.suite
    }

    /// Which end this is.
    pub fn role(&self) -> Role {
        self.role
    }

    /// This end's id.
    pub fn local(&self) -> Id {
        match self.role {
            Role::Initiator => self.initiator,
            Role::Responder => self.responder,
        }
    }

    /// The other end's id.
    pub fn peer(&self) -> Id {
        match self.role {
            Role::Initiator => self.responder,
            Role::Responder => self.initiator,
        }
    }

    /// ctx(c, s): the schedule's message with s zero, and the associated data with s the receiver's session id.
    pub(crate) fn context(&self, c: u8, session: SessionId) -> [u8; 32] {
        let mut context = [0; 32];
        context[..8].copy_from_slice(b"sealwire");
        context[8..12].copy_from_slice(&[self.version as u8, self.suite.code, c, self.kind as u8]);
        context[12..16].copy_from_slice(&session);
        context[16..24].copy_from_slice(&self.initiator);
        context[24..].copy_from_slice(&self.responder);
        context
    }

    /// Associated data of the packets from the initiator to the responder, and back.
    pub(crate) fn associated_data(&self, to: Role, session: SessionId) -> [u8; 32] {
        let c = match to {
            Role::Responder => 1,
            Role::Initiator => 2,
        };
        self.context(c, session)
    }
}

/// What both ends of a link hold before any session: the identity of the link and the pre-shared key.
pub struct Ends {
    identity: Identity,
    psk: Psk,
}

impl Ends {
    /// Joins the configuration of one end.
    ///
    /// # Errors
    ///
    /// [`Error::Ids`] if an id is zero or both are the same; [`Error::KeyLength`] if the key was made for another suite's length.
    pub fn new(
        suite: &'static Suite,
        psk: Psk,
        local: Id,
        peer: Id,
        kind: Kind,
    ) -> Result<Self, Error> {
        Ok(Self {
            identity: Identity::new(suite, local, peer, kind)?,
            psk: psk.for_suite(suite)?,
        })
    }

    /// The ends of a link in another version of the wire format ([`Identity::with_version`]).
    #[must_use]
    pub fn with_version(self, version: Version) -> Self {
        Self {
            identity: self.identity.with_version(version),
            ..self
        }
    }

    /// Puts another pre-shared key in place of the present one, which is wiped.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`] if the key was made for another suite's length; then the old key stays.
    pub fn set_psk(&mut self, psk: Psk) -> Result<(), Error> {
        self.replace_psk(psk).map(drop)
    }

    /// Puts another pre-shared key in place of the present one, and gives what there was; `None` if it is the present one.
    pub(crate) fn replace_psk(&mut self, psk: Psk) -> Result<Option<Self>, Error> {
        let psk = psk.for_suite(self.identity.suite)?;
        if bool::from(psk.0.ct_eq(&self.psk.0)) {
            return Ok(None);
        }
        Ok(Some(Self {
            identity: self.identity,
            psk: std::mem::replace(&mut self.psk, psk),
        }))
    }

    /// Whether these hold the pre-shared key that the others hold.
    pub(crate) fn has_key_of(&self, others: &Self) -> bool {
        self.psk.0.ct_eq(&others.psk.0).into()
    }

    /// What a person compares to see that both ends hold the same key: the same 8 bytes at both, of no use for anything else.
    pub fn fingerprint(&self) -> Fingerprint {
        let output = self.output(FINGERPRINT, &[0; MAX_BLOCK][..self.suite().block_len()]);
        *output.first_chunk().expect("n is at least 32")
    }

    /// What a Noise channel takes from the pre-shared key, of no use for anything else: D(fd, 0^n), its first 32 bytes.
    pub fn channel_key(&self) -> Zeroizing<[u8; 32]> {
        let output = self.output(CHANNEL, &[0; MAX_BLOCK][..self.suite().block_len()]);
        Zeroizing::new(*output.first_chunk().expect("n is at least 32"))
    }

    /// Who the ends are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The suite of the link.
    pub fn suite(&self) -> &'static Suite {
        self.identity.suite
    }

    /// Which end this is.
    pub fn role(&self) -> Role {
        self.identity.role
    }

    /// D(c, H).
    fn output(&self, c: u8, h: &[u8]) -> Zeroizing<[u8; MAX_BLOCK]> {
        self.identity
            .suite
            .schedule
            .compress(h, &self.psk.0, &self.identity.context(c, [0; 4]))
    }

    fn mac(&self, c: u8, h: &[u8]) -> [u8; MAC_LEN] {
        *self.output(c, h).first_chunk().expect("n is at least 32")
    }

    /// The MAC of a hello that carries R_i and this number, which is 0 in version 1.
    ///
    /// # Errors
    ///
    /// [`Error::RandomLength`] if the value does not have n/2 bytes.
    pub fn hello_mac(&self, r_i: &[u8], number: u64) -> Result<[u8; MAC_LEN], Error> {
        check_random(self.suite(), r_i)?;
        let h: ArrayVec<u8, MAX_BLOCK> = r_i.iter().copied().chain(number.to_be_bytes()).collect();
        Ok(self.mac(0, &h))
    }

    /// The MAC of a hello-reply.
    ///
    /// # Errors
    ///
    /// The errors of [`Ends::hello_mac`].
    pub fn reply_mac(&self, r_i: &[u8], r_r: &[u8]) -> Result<[u8; MAC_LEN], Error> {
        Ok(self.mac(4, self.join(r_i, r_r)?.as_slice()))
    }

    /// The MAC of a confirm.
    ///
    /// # Errors
    ///
    /// The errors of [`Ends::hello_mac`].
    pub fn confirm_mac(&self, r_i: &[u8], r_r: &[u8]) -> Result<[u8; MAC_LEN], Error> {
        Ok(self.mac(5, self.join(r_i, r_r)?.as_slice()))
    }

    /// X = R_i || R_r.
    fn join(&self, r_i: &[u8], r_r: &[u8]) -> Result<ArrayVec<u8, MAX_BLOCK>, Error> {
        check_random(self.suite(), r_i)?;
        check_random(self.suite(), r_r)?;
        Ok(r_i.iter().chain(r_r).copied().collect())
    }

    /// Keys, salts, session ids and associated data of the session that the two random values open. Kept inside the crate:
    /// only [`crate::session::Session::derive`], which consumes this end's random value, turns it into a session.
    pub(crate) fn derive(&self, r_i: &[u8], r_r: &[u8]) -> Result<Derived, Error> {
        let suite = self.suite();
        let x = self.join(r_i, r_r)?;
        let salts = self.output(3, &x);
        let direction = |to, c, salt_at: usize, receiver: &[u8]| {
            let session = *receiver
                .first_chunk()
                .expect("a random value has at least 16 bytes");
            Direction {
                key: Zeroizing::new(self.output(c, &x)[..suite.key_len].to_vec()),
                salt: Zeroizing::new(salts[salt_at..salt_at + suite.salt_len].to_vec()),
                session,
                ad: self.identity.associated_data(to, session),
                version: self.identity.version,
            }
        };
        Ok(Derived {
            to_responder: direction(Role::Responder, 1, 0, r_r),
            to_initiator: direction(Role::Initiator, 2, suite.random_len(), r_i),
        })
    }
}

/// What one direction of a session needs. Key and salt are wiped when dropped.
pub(crate) struct Direction {
    pub(crate) key: Zeroizing<Vec<u8>>,
    pub(crate) salt: Zeroizing<Vec<u8>>,
    /// The receiver's session id.
    pub(crate) session: SessionId,
    pub(crate) ad: [u8; 32],
    pub(crate) version: Version,
}

/// Both directions of a session.
pub(crate) struct Derived {
    pub(crate) to_responder: Direction,
    pub(crate) to_initiator: Direction,
}

fn check_random(suite: &Suite, r: &[u8]) -> Result<(), Error> {
    if r.len() == suite.random_len() {
        Ok(())
    } else {
        Err(Error::RandomLength {
            given: r.len(),
            needed: suite.random_len(),
        })
    }
}

/// This end's random value R: n/2 fresh bytes, whose first 4 are the session id that this end receives under.
///
/// The safety of each end rests on its own R never repeating, so there is no copy of it: opening a session consumes it.
pub struct OwnRandom(Vec<u8>);

impl OwnRandom {
    /// Draws a value from the operating system. `taken` are the ids of this end's live sessions, which are avoided.
    ///
    /// # Errors
    ///
    /// [`Error::Random`] if the system gives no random bytes.
    pub fn draw(suite: &Suite, taken: &[SessionId]) -> Result<Self, Error> {
        Self::draw_with(suite, taken, |bytes| {
            getrandom::fill(bytes).map_err(|_| Error::Random)
        })
    }

    /// Draws a value from another source, which must never give the same bytes twice, over restarts too.
    ///
    /// # Errors
    ///
    /// The source's error, or [`Error::Random`] if it gives only session ids that are zero or taken.
    pub fn draw_with(
        suite: &Suite,
        taken: &[SessionId],
        mut source: impl FnMut(&mut [u8]) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let mut bytes = vec![0; suite.random_len()];
        for _ in 0..DRAWS {
            source(&mut bytes)?;
            let drawn = Self(bytes);
            if drawn.session() != [0; 4] && !taken.contains(&drawn.session()) {
                return Ok(drawn);
            }
            bytes = drawn.0;
        }
        Err(Error::Random)
    }

    /// The bytes, to be sent to the peer: they are public.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// A copy of the bytes for the peer.
    pub fn to_vec(&self) -> Vec<u8> {
        self.0.clone()
    }

    /// The session id that this end will receive under.
    pub fn session(&self) -> SessionId {
        *self
            .0
            .first_chunk()
            .expect("a random value has at least 16 bytes")
    }
}

/// The operating system's random bytes, as a source for an [`crate::endpoint::Endpoint`].
pub fn system_random() -> crate::endpoint::Random {
    Box::new(|bytes| getrandom::fill(bytes).map_err(|_| Error::Random))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use hex_literal::hex;

    /// The setting of the specification's check values.
    pub(crate) fn check_ends(suite: &'static Suite, role: Role) -> Ends {
        let psk: Vec<u8> = (0..suite.block_len() as u8).collect();
        let (i, r) = (1u64.to_be_bytes(), 2u64.to_be_bytes());
        let (local, peer) = if role == Role::Initiator {
            (i, r)
        } else {
            (r, i)
        };
        Ends::new(
            suite,
            Psk::new(suite, &psk).unwrap(),
            local,
            peer,
            Kind::Ethernet,
        )
        .unwrap()
    }

    /// R_i = a0 a1 .., R_r = c0 c1 ..
    pub(crate) fn check_randoms(suite: &Suite) -> (Vec<u8>, Vec<u8>) {
        let from = |first: u8| (0..suite.random_len() as u8).map(|i| first + i).collect();
        (from(0xa0), from(0xc0))
    }

    struct Check {
        suite: u8,
        hello: [u8; 16],
        reply: [u8; 16],
        confirm: [u8; 16],
        keys: [[u8; 8]; 2],
        salts: [&'static [u8]; 2],
    }

    /// Values of the executable model.
    #[test]
    fn gives_the_noise_channel_a_key_of_its_own() {
        for (suite, expected) in [
            (
                0x01,
                hex!("5ee78686230a8e61f7975884793ea6a26df39bd676664bb57a3012d01c33fdf4"),
            ),
            (
                0x02,
                hex!("48fa0cbad3f253aae760c523ed2b37876e37a7fbc21e9ae81be85c06a53d16d6"),
            ),
            (
                0x05,
                hex!("c959d4f62fdb54a67972942a6e673bd6935db8505a919d2b992361ea645cab23"),
            ),
        ] {
            for role in [Role::Initiator, Role::Responder] {
                let ends = check_ends(Suite::by_code(suite).unwrap(), role);
                assert_eq!(*ends.channel_key(), expected);
                assert_ne!(ends.fingerprint(), expected[..8]);
            }
        }
    }

    const CHECKS: [Check; 5] = [
        Check {
            suite: 0x01,
            hello: hex!("721f33cf62181489d34f7149ade735d7"),
            reply: hex!("e4d435dbf61224fbf2e9971d95ccb1b3"),
            confirm: hex!("619a7f21b351015922ec9ecd28a043ae"),
            keys: [hex!("2a8a56b8b8d07f2c"), hex!("8cfe55553fddb3c1")],
            salts: [&hex!("5ce4f859202c0183"), &hex!("d46277865933bbbd")],
        },
        Check {
            suite: 0x02,
            hello: hex!("221d43b9418903f5f56403646ad5370a"),
            reply: hex!("4c8becc9754e8155cf6afe368a9732cb"),
            confirm: hex!("0edc06acbba6f3a8ffd92a91370e5955"),
            keys: [hex!("576e6fe32c6603bb"), hex!("2ccfc911995edce9")],
            salts: [&hex!("810a76264cb1a92e"), &hex!("edcbb3871bc2ab18")],
        },
        Check {
            suite: 0x05,
            hello: hex!("ad3698657f051f583c1b6fa4acdd82d9"),
            reply: hex!("a70d040602edd40ac8f15f8846eb042a"),
            confirm: hex!("a5cf2bb05ce36be2bda987b10c625120"),
            keys: [hex!("fdd2de2912d90af9"), hex!("3e72ea1d1e3dcda0")],
            salts: [&hex!("5e535b9eb3"), &hex!("d321592f32")],
        },
        Check {
            suite: 0x11,
            hello: hex!("92b318de82dc7ae7f34da83eb9cc7bef"),
            reply: hex!("d3c4b14b9b68f8b7b521465cf76deb50"),
            confirm: hex!("e43a8365a4dc1cb8b58d0148049ecc42"),
            keys: [hex!("c500f309e250c932"), hex!("9b5c4dbd43b0ed53")],
            salts: [&hex!("0da26d73"), &hex!("60668eb6")],
        },
        Check {
            suite: 0x12,
            hello: hex!("6dea9c93cee9ef5c444c44c7a14338ee"),
            reply: hex!("2fb08bdaa0b89da693749264109679de"),
            confirm: hex!("5cd582a5c1b2cbfaa30dcd5be4d0a3f4"),
            keys: [hex!("10a1cc3980df5443"), hex!("5334ef06e0e8f91a")],
            salts: [&hex!("ea81d701"), &hex!("97d8dc0e")],
        },
    ];

    #[test]
    fn gives_the_check_values_of_version_1_at_both_ends() {
        for check in &CHECKS {
            let suite = Suite::by_code(check.suite).unwrap();
            let (r_i, r_r) = check_randoms(suite);
            for role in [Role::Initiator, Role::Responder] {
                let ends = check_ends(suite, role).with_version(Version::One);
                assert_eq!(ends.role(), role);
                assert_eq!(
                    ends.hello_mac(&r_i, 0).unwrap(),
                    check.hello,
                    "suite {:02x}",
                    check.suite
                );
                assert_eq!(ends.reply_mac(&r_i, &r_r).unwrap(), check.reply);
                assert_eq!(ends.confirm_mac(&r_i, &r_r).unwrap(), check.confirm);
                let derived = ends.derive(&r_i, &r_r).unwrap();
                for (direction, (key, salt)) in [derived.to_responder, derived.to_initiator]
                    .iter()
                    .zip(check.keys.iter().zip(check.salts))
                {
                    assert_eq!(
                        (direction.key.len(), direction.salt.len()),
                        (suite.key_len, suite.salt_len)
                    );
                    assert!(direction.key.starts_with(key) && direction.salt.starts_with(salt));
                }
            }
        }
    }

    /// The table of docs/wire-format.md, whose values the executable model computes, too.
    #[test]
    fn gives_the_check_values_of_the_document() {
        let documents = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        if !documents.exists() {
            return; // the crate alone, outside the repository
        }
        let document = std::fs::read_to_string(documents.join("wire-format.md")).unwrap();
        let digits =
            |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
        let table = document
            .split_once("\n| suite | hello MAC |")
            .map(|(_, rest)| rest.split("\n\n").next().unwrap())
            .unwrap();
        let mut rows = 0;
        for row in table.lines().skip(2) {
            let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
            let suite = Suite::by_code(u8::from_str_radix(cells[0], 16).unwrap()).unwrap();
            let (r_i, r_r) = check_randoms(suite);
            let ends = check_ends(suite, Role::Initiator);
            let derived = ends.derive(&r_i, &r_r).unwrap();
            let both = |part: fn(&Direction) -> &[u8]| {
                let start = |way| digits(&part(way)[..part(way).len().min(8)]);
                let ways = [&derived.to_responder, &derived.to_initiator];
                ways.map(start).join(", ")
            };
            let expected = [
                digits(&ends.hello_mac(&r_i, 0xb0b1_b2b3_b4b5_b6b7).unwrap()),
                digits(&ends.reply_mac(&r_i, &r_r).unwrap()),
                digits(&ends.confirm_mac(&r_i, &r_r).unwrap()),
                both(|way| &way.key),
                both(|way| &way.salt),
            ];
            assert_eq!(cells[1..], expected, "{}", suite.alias);
            rows += 1;
        }
        // Suites 03 and 04 have the schedule of 01 and 02 and no rows.
        assert_eq!(rows, crate::suite::SUITES.len() - 2);
    }

    #[test]
    fn gives_the_associated_data() {
        let suite = Suite::by_code(1).unwrap();
        let (r_i, r_r) = check_randoms(suite);
        let derived = check_ends(suite, Role::Initiator)
            .derive(&r_i, &r_r)
            .unwrap();
        let to_responder = hex!("7365616c7769726502010100c0c1c2c300000000000000010000000000000002");
        assert_eq!(derived.to_responder.ad, to_responder);
        let to_initiator = hex!("7365616c7769726502010200a0a1a2a300000000000000010000000000000002");
        assert_eq!(derived.to_initiator.ad, to_initiator);
        assert_eq!(
            (derived.to_responder.session, derived.to_initiator.session),
            ([0xc0, 0xc1, 0xc2, 0xc3], [0xa0, 0xa1, 0xa2, 0xa3])
        );
    }

    #[test]
    fn every_input_changes_every_output() {
        let suite = Suite::by_code(1).unwrap();
        let (r_i, r_r) = check_randoms(suite);
        let key = |ends: &Ends| ends.derive(&r_i, &r_r).unwrap().to_responder.key.to_vec();
        let psk = || Psk::new(suite, &[5; 64]).unwrap();
        let (one, two, three) = (1u64.to_be_bytes(), 2u64.to_be_bytes(), 3u64.to_be_bytes());
        let base = key(&Ends::new(suite, psk(), one, two, Kind::Ethernet).unwrap());
        let other_psk = Psk::new(suite, &[6; 64]).unwrap();
        assert_ne!(
            base,
            key(&Ends::new(suite, other_psk, one, two, Kind::Ethernet).unwrap())
        );
        assert_ne!(
            base,
            key(&Ends::new(suite, psk(), one, three, Kind::Ethernet).unwrap())
        );
        assert_ne!(
            base,
            key(&Ends::new(suite, psk(), one, two, Kind::Ip).unwrap())
        );
        let older = Ends::new(suite, psk(), one, two, Kind::Ethernet).unwrap();
        assert_ne!(base, key(&older.with_version(Version::One)));
        assert_eq!(
            base,
            key(&Ends::new(suite, psk(), two, one, Kind::Ethernet).unwrap()),
            "the other end agrees"
        );
    }

    #[test]
    fn refuses_wrong_sizes_and_ids() {
        let suite = Suite::by_code(5).unwrap();
        for len in [0, 31, 33, 64] {
            let error = Psk::new(suite, &vec![1; len]).err().unwrap();
            assert_eq!(
                error,
                Error::KeyLength {
                    suite: 5,
                    given: len,
                    needed: 32
                }
            );
        }
        let psk = || Psk::new(suite, &[1; 32]).unwrap();
        let id = 9u64.to_be_bytes();
        for (a, b) in [(id, id), (id, [0; 8]), ([0; 8], id)] {
            assert_eq!(
                Ends::new(suite, psk(), a, b, Kind::Ethernet).err(),
                Some(Error::Ids)
            );
        }
        let other = Suite::by_code(1).unwrap();
        assert!(matches!(
            Ends::new(other, psk(), id, [1; 8], Kind::Ethernet).err(),
            Some(Error::KeyLength { .. })
        ));
        let ends = Ends::new(suite, psk(), id, [1; 8], Kind::Ethernet).unwrap();
        assert_eq!(
            ends.hello_mac(&[0; 15], 1),
            Err(Error::RandomLength {
                given: 15,
                needed: 16
            })
        );
        assert!(
            ends.reply_mac(&[0; 16], &[0; 17]).is_err()
                && ends.confirm_mac(&[0; 17], &[0; 16]).is_err()
        );
    }

    #[test]
    fn draws_again_while_the_session_id_is_zero_or_taken() {
        let suite = Suite::by_code(5).unwrap();
        let mut first_bytes = [[0; 4], [1; 4], [2; 4]].into_iter();
        let drawn = OwnRandom::draw_with(suite, &[[1; 4]], |bytes| {
            bytes[..4].copy_from_slice(&first_bytes.next().unwrap());
            Ok(())
        });
        assert_eq!(drawn.unwrap().session(), [2; 4]);
        assert_eq!(
            OwnRandom::draw_with(suite, &[], |_| Ok(())).err(),
            Some(Error::Random)
        );
        assert_ne!(
            OwnRandom::draw(suite, &[]).unwrap().as_bytes(),
            OwnRandom::draw(suite, &[]).unwrap().as_bytes()
        );
    }
}
