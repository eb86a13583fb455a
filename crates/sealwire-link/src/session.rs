// SPDX-License-Identifier: Apache-2.0
//! Packets under one session: sealing with fresh packet numbers, opening by the receive rules.
//!
//! A nonce is the direction's salt and the packet number. A [`Sender`] counts the numbers up and is never copied, and a
//! [`Session`] consumes this end's random value, so one pair of key and nonce seals at most one packet.

mod keyed;

pub(crate) use keyed::Keys;

use crate::{
    Error,
    packet::{BATCH, Incoming, OVERHEAD, Outgoing, Stage, Verdict},
    replay::ReplayWindow,
    schedule::{Direction, Ends, Identity, OwnRandom, Role},
    suite::Suite,
    wire::{
        Accepts, DropCause, HEADER_LEN, Header, LocalDrop, MAX_FRAME, MIN_FRAME, PacketType,
        SessionId,
    },
};
use keyed::Keyed;
use std::{ops::RangeInclusive, slice, sync::Arc};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Lengths of a frame in bytes.
const FRAME: RangeInclusive<usize> = MIN_FRAME..=MAX_FRAME;

/// The message of a keep-alive.
const KEEP_ALIVE: [u8; 1] = [0];

/// Both directions of one session. Take it apart to seal and open in different threads.
pub struct Session {
    /// From here to the peer.
    pub sender: Sender,
    /// From the peer to here.
    pub receiver: Receiver,
}

impl Session {
    /// Opens the session that this end's random value and the peer's belong to. The own value is consumed: it must never
    /// open a second session.
    ///
    /// # Errors
    ///
    /// [`Error::RandomLength`] or [`Error::ZeroSession`] if the peer's value cannot be an honest end's.
    pub fn derive(ends: &Ends, own: OwnRandom, peer: &[u8]) -> Result<Self, Error> {
        if peer.starts_with(&[0; 4]) {
            return Err(Error::ZeroSession);
        }
        let derived = match ends.role() {
            Role::Initiator => ends.derive(own.as_bytes(), peer)?,
            Role::Responder => ends.derive(peer, own.as_bytes())?,
        };
        let (out, back) = match ends.role() {
            Role::Initiator => (derived.to_responder, derived.to_initiator),
            Role::Responder => (derived.to_initiator, derived.to_responder),
        };
        Self::new(ends.suite(), out, back)
    }

    /// Opens a session whose keys, salts and ids were made elsewhere.
    ///
    /// # Errors
    ///
    /// [`Error::Cipher`], which the lengths that [`SessionKeys::from_bytes`] has checked rule out.
    pub fn load(identity: &Identity, keys: SessionKeys) -> Result<Self, Error> {
        let direction = |to, key, salt, session| Direction {
            key,
            salt,
            session,
            ad: identity.associated_data(to, session),
            version: identity.version(),
        };
        let to_responder = direction(Role::Responder, keys.key_ir, keys.salt_ir, keys.session_r);
        let to_initiator = direction(Role::Initiator, keys.key_ri, keys.salt_ri, keys.session_i);
        match identity.role() {
            Role::Initiator => Self::new(identity.suite(), to_responder, to_initiator),
            Role::Responder => Self::new(identity.suite(), to_initiator, to_responder),
        }
    }

    fn new(suite: &'static Suite, out: Direction, back: Direction) -> Result<Self, Error> {
        Ok(Self {
            sender: Sender {
                sealing: Keyed::new(suite, out)?,
                next: 0,
            },
            receiver: Receiver {
                opening: Keyed::new(suite, back)?,
                window: ReplayWindow::new(),
            },
        })
    }
}

/// Keys, salts and session ids of a session that was agreed upon outside the link, through a secure channel. Loading consumes
/// the value: a session is never loaded twice. Wiped when dropped.
pub struct SessionKeys {
    suite: u8,
    key_ir: Zeroizing<Vec<u8>>,
    key_ri: Zeroizing<Vec<u8>>,
    salt_ir: Zeroizing<Vec<u8>>,
    salt_ri: Zeroizing<Vec<u8>>,
    session_i: SessionId,
    session_r: SessionId,
}

impl SessionKeys {
    /// Length in bytes of what [`SessionKeys::from_bytes`] takes.
    pub const fn bytes_len(suite: &Suite) -> usize {
        2 * (suite.key_len + suite.salt_len + 4)
    }

    /// Reads key i->r, key r->i, salt i->r, salt r->i, session id of the initiator, session id of the responder, one behind the
    /// other. Every byte must be random and fresh: the safety of the session rests on it.
    ///
    /// # Errors
    ///
    /// [`Error::SessionPart`] if the length is not [`SessionKeys::bytes_len`], [`Error::ZeroSession`] if a session id is zero,
    /// [`Error::OneKey`] if both directions have one key.
    pub fn from_bytes(suite: &Suite, bytes: &[u8]) -> Result<Self, Error> {
        let needed = Self::bytes_len(suite);
        if bytes.len() != needed {
            return Err(Error::SessionPart {
                part: "keys, salts and ids",
                given: bytes.len(),
                needed,
            });
        }
        let mut rest = bytes;
        let mut take = |len| {
            let (part, after) = rest.split_at(len);
            rest = after;
            Zeroizing::new(part.to_vec())
        };
        let (key_ir, key_ri) = (take(suite.key_len), take(suite.key_len));
        let (salt_ir, salt_ri) = (take(suite.salt_len), take(suite.salt_len));
        let mut id = || *take(4).first_chunk().expect("4 bytes were taken");
        let (session_i, session_r) = (id(), id());
        if session_i == [0; 4] || session_r == [0; 4] {
            return Err(Error::ZeroSession);
        }
        // Both directions count their packets from 0: under one key the salts alone would keep their nonces apart.
        if bool::from(key_ir.ct_eq(&key_ri)) {
            return Err(Error::OneKey);
        }
        Ok(Self {
            suite: suite.code,
            key_ir,
            key_ri,
            salt_ir,
            salt_ri,
            session_i,
            session_r,
        })
    }

    /// The words of the RTL link's load port, in the order of their addresses: keys i->r and r->i, salts i->r and r->i, sid_i, sid_r, the
    /// first byte of each in a word's lowest bits. A key has 64 bytes there and a salt 24: shorter ones are followed by zeros, which the link
    /// ignores. They are the session's secrets.
    ///
    /// # Errors
    ///
    /// [`Error::LoadPort`] for a suite whose keys or salts are longer than that.
    pub fn load_words(&self) -> Result<Zeroizing<[u32; LOAD_WORDS]>, Error> {
        let parts: [(&[u8], usize); 6] = [
            (&self.key_ir, LOAD_KEY),
            (&self.key_ri, LOAD_KEY),
            (&self.salt_ir, LOAD_SALT),
            (&self.salt_ri, LOAD_SALT),
            (&self.session_i, 4),
            (&self.session_r, 4),
        ];
        let mut words = Zeroizing::new([0; LOAD_WORDS]);
        let mut at = 0;
        for (part, room) in parts {
            if part.len() > room {
                return Err(Error::LoadPort(self.suite));
            }
            for (i, &byte) in (at..).zip(part) {
                words[i / 4] |= u32::from(byte) << (8 * (i % 4));
            }
            at += room;
        }
        Ok(words)
    }

    /// The session id that the end of this role receives under.
    pub fn session_of(&self, role: Role) -> SessionId {
        match role {
            Role::Initiator => self.session_i,
            Role::Responder => self.session_r,
        }
    }
}

/// Bytes of a key and of a salt in the RTL link's load port.
const LOAD_KEY: usize = 64;
const LOAD_SALT: usize = 24;
/// Words of the RTL link's load port for one session.
pub const LOAD_WORDS: usize = (2 * LOAD_KEY + 2 * LOAD_SALT + 2 * size_of::<SessionId>()) / 4;

/// The sending half of a session.
pub struct Sender {
    sealing: Arc<Keyed>,
    next: u64,
}

impl Sender {
    /// Session id that the packets carry: the peer's.
    pub fn session(&self) -> SessionId {
        self.sealing.session
    }

    /// The packet number that the next packet gets: the count of numbers spent.
    pub fn next_number(&self) -> u64 {
        self.next
    }

    /// Spends all packet numbers below this one.
    #[cfg(test)]
    pub(crate) fn skip_to(&mut self, number: u64) {
        self.next = self.next.max(number);
    }

    /// Whether all packet numbers are spent.
    pub fn is_used_up(&self) -> bool {
        self.next >= self.sealing.suite.max_packets
    }

    /// Seals a frame of 14 to 9600 bytes and writes the packet into `packet`, replacing what was there.
    ///
    /// A packet number is spent by every call that gets past the size check, whatever becomes of the packet.
    ///
    /// # Errors
    ///
    /// [`Error::FrameSize`], or [`Error::SessionUsedUp`] when all packet numbers are spent.
    pub fn seal(&mut self, frame: &[u8], packet: &mut Vec<u8>) -> Result<(), Error> {
        if !FRAME.contains(&frame.len()) {
            return Err(Error::FrameSize(frame.len()));
        }
        self.seal_alone(frame, packet)
    }

    /// Seals a keep-alive, which shows the peer that this end lives and holds the keys.
    ///
    /// # Errors
    ///
    /// [`Error::SessionUsedUp`] when all packet numbers are spent.
    pub fn keep_alive(&mut self, packet: &mut Vec<u8>) -> Result<(), Error> {
        self.seal_alone(&KEEP_ALIVE, packet)
    }

    /// A message alone is a batch of one.
    fn seal_alone(&mut self, message: &[u8], packet: &mut Vec<u8>) -> Result<(), Error> {
        packet.clear();
        packet.resize(message.len() + OVERHEAD, 0);
        packet[HEADER_LEN..][..message.len()].copy_from_slice(message);
        let mut alone = Outgoing::new(packet, message.len())?;
        self.seal_round(slice::from_mut(&mut alone), &(1..=MAX_FRAME));
        let sealed = alone.result;
        packet.truncate(sealed.unwrap_or(0));
        match sealed {
            Ok(_) => Ok(()),
            Err(LocalDrop::Size) => Err(Error::FrameSize(message.len())),
            Err(LocalDrop::UsedUp) => Err(Error::SessionUsedUp),
            Err(LocalDrop::NoSession) => Err(Error::Cipher(sealwire::Error::NotProcessed)),
        }
    }

    /// Seals every frame of the slice in place; each says what became of it. Allocates nothing.
    pub fn seal_batch(&mut self, packets: &mut [Outgoing<'_>]) {
        for round in packets.chunks_mut(BATCH) {
            self.seal_round(round, &FRAME);
        }
    }

    /// Seals messages of these sizes, at most [`BATCH`] of them.
    fn seal_round(&mut self, round: &mut [Outgoing<'_>], sizes: &RangeInclusive<usize>) {
        let mut keys = Keys::default();
        self.number_round(round, sizes, &mut keys);
        keys.seal(round);
    }

    /// Spends a block of packet numbers on the frames of one round, at most [`BATCH`] of them, which then wait for their key. True if any has a number.
    pub(crate) fn number(&mut self, round: &mut [Outgoing<'_>], keys: &mut Keys) -> bool {
        self.number_round(round, &FRAME, keys)
    }

    fn number_round(
        &mut self,
        round: &mut [Outgoing<'_>],
        sizes: &RangeInclusive<usize>,
        keys: &mut Keys,
    ) -> bool {
        let first = self.next;
        let key = keys.number_of(&self.sealing);
        for packet in round {
            packet.waits = None;
            packet.result = Err(if !sizes.contains(&packet.frame_len) {
                LocalDrop::Size
            } else if self.is_used_up() {
                LocalDrop::UsedUp
            } else {
                let number = self.begin(packet.buffer, packet.frame_len);
                packet.waits = key.map(|key| (key, number));
                LocalDrop::NoSession
            });
        }
        self.next > first
    }

    /// Whether the key that a frame got with its number is this sender's.
    pub(crate) fn has_sealed(&self, frame: &Outgoing<'_>, keys: &Keys) -> bool {
        let key = frame.waits.map(|(key, _)| key);
        key.is_some_and(|key| keys.is(key, &self.sealing))
    }

    /// Spends the next packet number on a message and writes its header.
    fn begin(&mut self, packet: &mut [u8], message_len: usize) -> u64 {
        let suite = self.sealing.suite;
        let number = self.next;
        self.next += 1;
        let header = Header {
            version: self.sealing.version,
            packet_type: PacketType::Data,
            suite: suite.code,
            length: (message_len + suite.tag_len) as u16, // at most 9600 + 32
            session: self.sealing.session,
            number,
        };
        packet[..HEADER_LEN].copy_from_slice(&header.to_bytes());
        number
    }
}

/// The receiving half of a session.
pub struct Receiver {
    opening: Arc<Keyed>,
    window: ReplayWindow,
}

impl Receiver {
    /// Session id that packets for this half carry: this end's.
    pub fn session(&self) -> SessionId {
        self.opening.session
    }

    /// The highest accepted packet number + 1, 0 at the start.
    pub fn next_number(&self) -> u64 {
        self.window.next()
    }

    fn judge(&self, header: &Header) -> Result<(), DropCause> {
        if header.session != self.opening.session {
            return Err(DropCause::Session);
        }
        if header.number >= self.opening.suite.max_packets {
            return Err(DropCause::Number);
        }
        if !self.window.is_fresh(header.number) {
            return Err(DropCause::Replay);
        }
        Ok(())
    }

    /// Judges a data packet by the receive rules, in their order, and opens it in place: a batch of one. Only a packet that
    /// passes every rule gives a frame. Of any other nothing is delivered; if its tag was wrong, its body is wiped. The
    /// verdict says the first rule that failed, under which the packet is to be counted and dropped in silence.
    pub fn open<A>(&mut self, packet: &mut Incoming<'_, A>) {
        let header = Header::parse(
            packet.packet,
            self.opening.suite,
            self.opening.version,
            Accepts::DataOnly,
        );
        let mut keys = Keys::default();
        match header.and_then(|header| self.wait(&header, &mut keys).map(|key| (header, key))) {
            Ok((header, key)) => {
                packet.stage = Stage::Data(header, key);
                keys.open(slice::from_mut(packet));
                self.accept(&keys, packet);
            }
            Err(cause) => packet.refuse(cause),
        }
    }

    /// Receive rules 3 (the session) and 4 for a data packet whose header was read; gives the number of the key that it waits for.
    ///
    /// # Errors
    ///
    /// The first rule that failed.
    pub(crate) fn wait(&self, header: &Header, keys: &mut Keys) -> Result<u8, DropCause> {
        self.judge(header)?;
        keys.number_of(&self.opening).ok_or(DropCause::Overload)
    }

    /// Receive rule 6, in one step with marking the number, for a packet that was opened: this is what counts when copies are in work
    /// together. False if nothing of it is to be delivered: its tag is wrong; the packet was accepted before; or the session that it was opened in is no
    /// longer this one. What was opened is wiped then.
    pub(crate) fn accept<A>(&mut self, keys: &Keys, packet: &mut Incoming<'_, A>) -> bool {
        let Stage::Data(header, key) = std::mem::take(&mut packet.stage) else {
            return false;
        };
        let cause = match packet.verdict {
            Verdict::Dropped(_) => return false,
            _ if !keys.is(key, &self.opening) => DropCause::Session,
            _ if !self.window.mark(header.number) => DropCause::Replay,
            _ => return true,
        };
        packet.wipe(cause);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        schedule::tests::{check_ends, check_randoms},
        suite::SUITES,
        wire::Version,
    };
    use hex_literal::hex;
    use proptest::prelude::*;

    fn own(suite: &Suite, bytes: &[u8]) -> OwnRandom {
        OwnRandom::draw_with(suite, &[], |to| {
            to.copy_from_slice(bytes);
            Ok(())
        })
        .unwrap()
    }

    /// Initiator and responder of the specification's setting.
    fn pair(suite: &'static Suite) -> (Session, Session) {
        pair_in(Version::Two, suite)
    }

    fn pair_in(version: Version, suite: &'static Suite) -> (Session, Session) {
        let (r_i, r_r) = check_randoms(suite);
        let end = |role, mine: &[u8], theirs: &[u8]| {
            let ends = check_ends(suite, role).with_version(version);
            Session::derive(&ends, own(suite, mine), theirs).unwrap()
        };
        (
            end(Role::Initiator, &r_i, &r_r),
            end(Role::Responder, &r_r, &r_i),
        )
    }

    fn suite() -> &'static Suite {
        Suite::by_code(1).unwrap()
    }

    fn sealed(sender: &mut Sender, frame: &[u8]) -> Vec<u8> {
        let mut packet = vec![0xee; 3];
        sender.seal(frame, &mut packet).unwrap();
        packet
    }

    /// What becomes of a packet, and the frame that it brought.
    fn open(receiver: &mut Receiver, packet: &mut [u8]) -> (Verdict, Option<Vec<u8>>) {
        let mut packet = Incoming::new(packet, ());
        receiver.open(&mut packet);
        (packet.verdict(), packet.frame().map(<[u8]>::to_vec))
    }

    /// A packet brings this frame.
    fn brings(frame: &[u8]) -> (Verdict, Option<Vec<u8>>) {
        (Verdict::Frame, Some(frame.to_vec()))
    }

    /// A packet is dropped for this cause and brings nothing.
    const fn drops(cause: DropCause) -> (Verdict, Option<Vec<u8>>) {
        (Verdict::Dropped(cause), None)
    }

    const SHOWS_LIFE: (Verdict, Option<Vec<u8>>) = (Verdict::KeepAlive, None);

    /// Two sessions of one id: what was opened by the one's key is nothing to the other, whose window stays as it is.
    #[test]
    fn a_packet_counts_in_the_session_that_opened_it_only() {
        let session = |role, byte| {
            let mut bytes = vec![byte; SessionKeys::bytes_len(suite())];
            bytes[0] = 0;
            let mut keys = SessionKeys::from_bytes(suite(), &bytes).unwrap();
            (keys.session_i, keys.session_r) = ([7; 4], [8; 4]);
            Session::load(check_ends(suite(), role).identity(), keys).unwrap()
        };
        let mut sender = session(Role::Initiator, 1).sender;
        let mut receivers = [1, 2].map(|byte| session(Role::Responder, byte).receiver);
        let mut packet = sealed(&mut sender, &frame(60));
        let mut incoming = Incoming::new(&mut packet, ());
        let mut keys = Keys::default();
        let (version, accepts) = (Version::Two, Accepts::DataOnly);
        let header = Header::parse(incoming.packet, suite(), version, accepts).unwrap();
        incoming.stage = Stage::Data(header, receivers[0].wait(&header, &mut keys).unwrap());
        keys.open(slice::from_mut(&mut incoming));
        assert_eq!(incoming.verdict(), Verdict::Frame);
        assert!(!receivers[1].accept(&keys, &mut incoming));
        assert_eq!(incoming.verdict(), Verdict::Dropped(DropCause::Session));
        assert_eq!(receivers[1].next_number(), 0);
        assert!(packet[HEADER_LEN..][..60].iter().all(|&byte| byte == 0));
    }

    fn frame(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 7 + 3) as u8).collect()
    }

    #[test]
    fn first_keep_alives_are_the_check_values_of_version_1() {
        let checks: [(u8, &[u8]); 5] = [
            (
                0x01,
                &hex!(
                    "10010021c0c1c2c30000000000000000bde63c66ebc2e9a2475e07be521323d60e5532a382b7ccab8a1cce75484affc013"
                ),
            ),
            (
                0x02,
                &hex!(
                    "10020021c0c1c2c30000000000000000bffe5e109de9ef826d7c5d8f8696f21d2b54f05dd31c8b962224506b69f24a0ba7"
                ),
            ),
            (
                0x05,
                &hex!("10050015c0c1c2c300000000000000000317e3b8b71f3758f88596a2dea9743ef3624de707"),
            ),
            (
                0x11,
                &hex!("10110011c0c1c2c300000000000000000be973386f7f1792038cf63a5650d253c4"),
            ),
            (
                0x12,
                &hex!("10120011c0c1c2c30000000000000000cbc9206b9c54b977332d4b9317baf0f359"),
            ),
        ];
        for (code, expected) in checks {
            let (mut initiator, mut responder) =
                pair_in(Version::One, Suite::by_code(code).unwrap());
            let mut packet = Vec::new();
            initiator.sender.keep_alive(&mut packet).unwrap();
            assert_eq!(packet, expected, "suite {code:02x}");
            assert_eq!(open(&mut responder.receiver, &mut packet), SHOWS_LIFE);
        }
    }

    #[test]
    fn later_packets_and_the_way_back_agree_with_the_model_in_version_1() {
        // Keep-alive r->i with number 0, and a frame of 60 bytes i->r with number 0102030405.
        let checks: [(u8, &[u8], &[u8]); 3] = [
            (
                0x01,
                &hex!(
                    "10010021a0a1a2a300000000000000006bb6fdfff8490b807a7b2cba411328e8043356c2ab9bd3091b67bca4af0cd1f494"
                ),
                &hex!(
                    "1001005cc0c1c2c3000000010203040524470bcfb563239dea938abab3a82d59df562fd242302d7bd4369c76f5df63e166745661"
                    "8e7346126cc416cc5737b7dfadb8c43bfcdc41792c3038e30614c6a492312c743b565417b936fd7c26c74a35f1859abbfb48de66448446a2"
                ),
            ),
            (
                0x02,
                &hex!(
                    "10020021a0a1a2a30000000000000000141aa27f7d58664898e7a447b13df48a6ab4f71fe0d4de5faec417f1c2c0724c08"
                ),
                &hex!(
                    "1002005cc0c1c2c300000001020304059df2e174f58db0a65a1652f395e8bb9b7f23d79e160b0992e374d1a3672118d0df574ef8"
                    "ca80108d13f61217187aece069df307425bef7c6da483322d1819cecbdc27bb6c250e0c7b25b00b8f744bff78b2b4d8ff794b7d8e6a2c785"
                ),
            ),
            (
                0x05,
                &hex!("10050015a0a1a2a30000000000000000b2a1db8bd3e45d8d6549f2a19f2100f50f6986da29"),
                &hex!(
                    "10050050c0c1c2c300000001020304055a2654aeeb871c828c67209e696080159699d1e3b544413787e0dc20ff68cd8e9abafc3b"
                    "375ef58f463be8491191fffa2a410bcbfdd59a18c2cf0995bf76dd39fc87dbe224c44ba5ef1c372fc2d9a21a"
                ),
            ),
        ];
        for (code, back, later) in checks {
            let (mut initiator, mut responder) =
                pair_in(Version::One, Suite::by_code(code).unwrap());
            let mut packet = Vec::new();
            responder.sender.keep_alive(&mut packet).unwrap();
            assert_eq!(packet, back, "suite {code:02x}");
            assert_eq!(open(&mut initiator.receiver, &mut packet), SHOWS_LIFE);
            initiator.sender.next = 0x0102030405;
            assert_eq!(
                sealed(&mut initiator.sender, &frame(60)),
                later,
                "suite {code:02x}"
            );
        }
    }

    #[test]
    fn carries_frames_of_every_size_both_ways_in_every_suite() {
        for suite in SUITES {
            let (mut a, mut b) = pair(suite);
            for len in (MIN_FRAME..=300).chain([1500, 1514, 9599, MAX_FRAME]) {
                let frame = frame(len);
                for (from, to) in [
                    (&mut a.sender, &mut b.receiver),
                    (&mut b.sender, &mut a.receiver),
                ] {
                    let mut packet = sealed(from, &frame);
                    assert_eq!(packet.len(), HEADER_LEN + len + suite.tag_len);
                    assert_eq!(open(to, &mut packet), brings(&frame));
                }
            }
        }
    }

    #[test]
    fn seals_no_frame_of_another_size_and_spends_no_number_on_it() {
        let (mut a, _) = pair(suite());
        let mut packet = Vec::new();
        for len in [0, 1, 13, 9601] {
            assert_eq!(
                a.sender.seal(&frame(len), &mut packet),
                Err(Error::FrameSize(len))
            );
        }
        assert_eq!(a.sender.next_number(), 0);
    }

    #[test]
    fn counts_packet_numbers_up_and_stops_at_the_last() {
        for suite in SUITES {
            let (mut a, mut b) = pair(suite);
            for number in 0..3_u64 {
                let packet = sealed(&mut a.sender, &frame(60));
                assert_eq!(packet[8..16], number.to_be_bytes());
            }
            a.sender.next = suite.max_packets - 1;
            let mut last = sealed(&mut a.sender, &frame(60));
            let mut beyond = last.clone();
            beyond[8..16].copy_from_slice(&suite.max_packets.to_be_bytes());
            assert_eq!(
                open(&mut b.receiver, &mut beyond),
                drops(DropCause::Number),
                "{}",
                suite.alias
            );
            assert_eq!(open(&mut b.receiver, &mut last), brings(&frame(60)));
            let mut packet = Vec::new();
            assert_eq!(
                a.sender.seal(&frame(60), &mut packet),
                Err(Error::SessionUsedUp)
            );
            assert_eq!(a.sender.keep_alive(&mut packet), Err(Error::SessionUsedUp));
            assert!(packet.is_empty() && a.sender.next_number() == suite.max_packets);
        }
    }

    /// Opens a packet after a change and says why it was dropped.
    fn dropped(change: impl FnOnce(&mut Vec<u8>)) -> DropCause {
        let (mut a, mut b) = pair(suite());
        let mut packet = sealed(&mut a.sender, &frame(60));
        change(&mut packet);
        let (Verdict::Dropped(cause), None) = open(&mut b.receiver, &mut packet) else {
            panic!("the changed packet must not open");
        };
        assert_eq!(
            b.receiver.window.next(),
            0,
            "a dropped packet leaves the window alone"
        );
        cause
    }

    #[test]
    fn drops_and_names_the_cause() {
        assert_eq!(dropped(|p| p.truncate(15)), DropCause::Short);
        assert_eq!(dropped(|p| p.truncate(100)), DropCause::Short);
        assert_eq!(dropped(|p| p[0] = 0x10), DropCause::Version);
        assert_eq!(dropped(|p| p[0] = 0x21), DropCause::Type);
        assert_eq!(dropped(|p| p[1] = 2), DropCause::Suite);
        assert_eq!(dropped(|p| p[3] = 32), DropCause::Length);
        assert_eq!(dropped(|p| p[4] ^= 1), DropCause::Session);
        assert_eq!(dropped(|p| p[4..8].fill(0)), DropCause::Session);
        assert_eq!(
            dropped(|p| p[8..16].copy_from_slice(&(1u64 << 48).to_be_bytes())),
            DropCause::Number
        );
        assert_eq!(dropped(|p| p[15] = 1), DropCause::Auth);
    }

    #[test]
    fn drops_every_flipped_bit_and_wipes_the_text() {
        for suite in SUITES {
            let (mut a, mut b) = pair(suite);
            let packet = sealed(&mut a.sender, &frame(20));
            for bit in 0..packet.len() * 8 {
                let mut changed = packet.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                let (Verdict::Dropped(cause), None) = open(&mut b.receiver, &mut changed) else {
                    panic!("a flipped bit must not pass");
                };
                if cause == DropCause::Auth {
                    let length = usize::from(u16::from_be_bytes([changed[2], changed[3]]));
                    let text_end = HEADER_LEN + length - suite.tag_len;
                    assert!(
                        changed[HEADER_LEN..text_end].iter().all(|&byte| byte == 0),
                        "bit {bit}"
                    );
                }
            }
            assert_eq!(
                open(&mut b.receiver, &mut packet.clone()),
                brings(&frame(20))
            );
        }
    }

    /// Frames of many sizes in one call become the packets that they become alone, whether the scheme works on several at once or not.
    /// When such packets come in together, a changed packet and a copy are dropped, and the others bring their frames.
    #[test]
    fn a_batch_is_as_many_packets_alone_in_every_suite() {
        for suite in SUITES {
            let ((mut batched, mut b), (mut alone, _)) = (pair(suite), pair(suite));
            let frames: Vec<_> = (0..BATCH + 7).map(|i| frame(14 + 41 * i)).collect();
            let mut buffers: Vec<_> = frames
                .iter()
                .map(|frame| [&[0; HEADER_LEN][..], frame, &[0; OVERHEAD - HEADER_LEN]].concat())
                .collect();
            let outgoing = buffers.iter_mut().zip(&frames);
            let mut outgoing: Vec<_> = outgoing
                .map(|(buffer, frame)| Outgoing::new(buffer, frame.len()).unwrap())
                .collect();
            batched.sender.seal_batch(&mut outgoing);
            let mut packets: Vec<_> = outgoing
                .iter()
                .map(|packet| packet.packet().unwrap().to_vec())
                .collect();
            for (packet, frame) in packets.iter().zip(&frames) {
                assert_eq!(*packet, sealed(&mut alone.sender, frame), "{}", suite.alias);
            }
            packets.truncate(BATCH);
            let last = packets[3].len() - 1;
            packets[3][last] ^= 1;
            packets[9] = packets[8].clone();
            let mut incoming: Vec<_> = packets
                .iter_mut()
                .map(|packet| Incoming::new(packet, ()))
                .collect();
            let mut keys = Keys::default();
            for packet in &mut incoming {
                let header =
                    Header::parse(packet.packet, suite, Version::Two, Accepts::DataOnly).unwrap();
                packet.stage = Stage::Data(header, b.receiver.wait(&header, &mut keys).unwrap());
            }
            keys.open(&mut incoming);
            for (i, packet) in incoming.iter_mut().enumerate() {
                b.receiver.accept(&keys, packet);
                let expected = match i {
                    3 => Verdict::Dropped(DropCause::Auth),
                    9 => Verdict::Dropped(DropCause::Replay),
                    _ => Verdict::Frame,
                };
                assert_eq!(packet.verdict(), expected, "{}, packet {i}", suite.alias);
                assert_eq!(packet.frame().is_some(), expected == Verdict::Frame);
                if expected == Verdict::Frame {
                    assert_eq!(packet.frame().unwrap(), frames[i]);
                } else {
                    let text = &packet.packet[HEADER_LEN..][..60];
                    assert!(text.iter().all(|&byte| byte == 0), "wiped");
                }
            }
        }
    }

    #[test]
    fn drops_replays_and_takes_reordered_packets() {
        let (mut a, mut b) = pair(suite());
        const W: usize = crate::replay::WINDOW as usize;
        let packets: Vec<_> = (0..2 * W + 2)
            .map(|i| sealed(&mut a.sender, &frame(60 + i)))
            .collect();
        let mut open = |i: usize| open(&mut b.receiver, &mut packets[i].clone());
        let replayed = drops(DropCause::Replay);
        assert_eq!(open(W + 1), brings(&frame(60 + W + 1)));
        assert_eq!(open(W + 1), replayed);
        assert_eq!(open(2), brings(&frame(60 + 2)));
        assert_eq!(open(2), replayed);
        assert_eq!(open(1), replayed, "W + 2 - 1 is too old");
        assert_eq!(open(2 * W + 1), brings(&frame(60 + 2 * W + 1)));
        assert_eq!(open(W + 2), brings(&frame(60 + W + 2)));
        assert_eq!(open(W), replayed);
    }

    #[test]
    fn drops_its_own_packets_and_those_of_another_session() {
        let (mut a, mut b) = pair(suite());
        assert_eq!(
            open(&mut a.receiver, &mut sealed(&mut a.sender, &frame(60))),
            drops(DropCause::Session)
        );
        let mut reflected = sealed(&mut a.sender, &frame(60));
        reflected[4..8].copy_from_slice(&a.receiver.session());
        assert_eq!(
            open(&mut a.receiver, &mut reflected),
            drops(DropCause::Auth)
        );
        // A session with the same ids has other keys.
        let (mut r_i, r_r) = check_randoms(suite());
        r_i[31] ^= 1;
        let mut other = Session::derive(
            &check_ends(suite(), Role::Initiator),
            own(suite(), &r_i),
            &r_r,
        )
        .unwrap();
        assert_eq!(
            open(&mut b.receiver, &mut sealed(&mut other.sender, &frame(60))),
            drops(DropCause::Auth)
        );
    }

    #[test]
    fn never_delivers_a_message_that_is_no_frame() {
        let (mut a, mut b) = pair(suite());
        for len in 1..MIN_FRAME {
            let mut packet = Vec::new();
            a.sender.seal_alone(&frame(len), &mut packet).unwrap();
            assert_eq!(open(&mut b.receiver, &mut packet), SHOWS_LIFE);
        }
    }

    #[test]
    fn ignores_ethernet_padding() {
        let (mut a, mut b) = pair(suite());
        let mut packet = sealed(&mut a.sender, &frame(14));
        packet.extend([0xa5; 46]);
        assert_eq!(open(&mut b.receiver, &mut packet), brings(&frame(14)));
    }

    #[test]
    fn refuses_a_peer_value_that_no_honest_end_sends() {
        let derive = |peer: &[u8]| {
            let (r_i, _) = check_randoms(suite());
            Session::derive(
                &check_ends(suite(), Role::Initiator),
                own(suite(), &r_i),
                peer,
            )
            .err()
        };
        assert_eq!(derive(&[0; 32]), Some(Error::ZeroSession));
        assert_eq!(
            derive(&[1; 31]),
            Some(Error::RandomLength {
                given: 31,
                needed: 32
            })
        );
    }

    proptest! {
        #[test]
        fn survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), likely in any::<bool>()) {
            let (_, mut b) = pair(suite());
            let mut bytes = bytes;
            if likely && bytes.len() >= 16 {
                let body = (bytes.len() - 16) as u16;
                bytes[..2].copy_from_slice(&[0x20, 1]);
                bytes[2..4].copy_from_slice(&body.to_be_bytes());
                bytes[4..8].copy_from_slice(&b.receiver.session());
                bytes[8..10].fill(0);
            }
            let (verdict, frame) = open(&mut b.receiver, &mut bytes);
            prop_assert!(matches!(verdict, Verdict::Dropped(_)) && frame.is_none());
        }
    }
}
