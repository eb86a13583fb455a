// SPDX-License-Identifier: Apache-2.0
//! A hub and its peers on a wire without delay, with real keys and real packets.

use super::*;
use crate::{packet::Verdict, schedule::system_random, suite::SUITES};

/// Where each end is on the wire: the hub at 0, its peers at their ids.
type At = u64;

const HUB: u64 = 0xff00;

fn suite() -> &'static Suite {
    Suite::by_code(0x11).unwrap()
}

/// One link's ends, seen from `local`. Every pair has a key of its own, the first id's in the name of both.
fn ends(suite: &'static Suite, local: u64, peer: u64, kind: Kind) -> Ends {
    let spoke = if local == HUB { peer } else { local };
    let mut key = vec![0x5a; suite.block_len()];
    key[..8].copy_from_slice(&spoke.to_be_bytes());
    let psk = Psk::new(suite, &key).unwrap();
    Ends::new(suite, psk, local.to_be_bytes(), peer.to_be_bytes(), kind).unwrap()
}

fn timers() -> Timers {
    Timers::default()
        .with_keep_alive(crate::endpoint::KeepAlive::Off)
        .unwrap()
}

fn networks(id: u64) -> Vec<Prefix> {
    vec![format!("10.0.{}.0/24", id & 0xff).parse().unwrap()]
}

struct Wire {
    hub: Hub<At>,
    spokes: HashMap<At, Endpoint<At>>,
    now: Duration,
    /// Packets under way: from, to, bytes.
    sent: Vec<(At, At, Vec<u8>)>,
    /// Frames that left at the hub and at the spokes.
    at_hub: Vec<Vec<u8>>,
    at_spokes: Vec<(At, Vec<u8>)>,
}

impl Wire {
    fn new(kind: Kind, ids: &[u64]) -> Self {
        Self::in_suite(suite(), kind, ids)
    }

    fn in_suite(suite: &'static Suite, kind: Kind, ids: &[u64]) -> Self {
        let mut hub = Hub::new(suite, HUB.to_be_bytes(), kind, Version::Two);
        let mut spokes = HashMap::new();
        for &id in ids {
            let own = if kind == Kind::Ip {
                networks(id)
            } else {
                Vec::new()
            };
            let address = (id > HUB).then_some(id);
            let setup = PeerSetup::psk(ends(suite, HUB, id, kind), timers(), address);
            hub.add(&format!("spoke {id}"), setup, &own).unwrap();
            let spoke = Endpoint::new(
                ends(suite, id, HUB, kind),
                timers(),
                Some(0),
                system_random(),
            );
            spokes.insert(id, spoke.unwrap());
        }
        Self {
            hub,
            spokes,
            now: Duration::ZERO,
            sent: Vec::new(),
            at_hub: Vec::new(),
            at_spokes: Vec::new(),
        }
    }

    /// Lets everything that is under way arrive, in batches at the hub.
    fn settle(&mut self) {
        let (now, sent) = (self.now, &mut self.sent);
        self.hub
            .poll(now, &mut |to, packet| sent.push((0, to, packet.to_vec())));
        for (id, spoke) in &mut self.spokes {
            spoke.poll(now, &mut |to, packet| sent.push((*id, to, packet.to_vec())));
        }
        while !self.sent.is_empty() {
            let (mut to_hub, to_spokes): (Vec<_>, Vec<_>) = std::mem::take(&mut self.sent)
                .into_iter()
                .partition(|(_, to, _)| *to == 0);
            let sent = &mut self.sent;
            let mut batch: Vec<_> = to_hub
                .iter_mut()
                .map(|(from, _, p)| Incoming::new(p, *from))
                .collect();
            self.hub.receive(now, &mut batch, &mut |to, packet| {
                sent.push((0, to, packet.to_vec()))
            });
            self.at_hub
                .extend(batch.iter().filter_map(|p| p.frame().map(<[u8]>::to_vec)));
            for (from, to, mut packet) in to_spokes {
                let spoke = self.spokes.get_mut(&to).expect("nothing goes elsewhere");
                let mut batch = [Incoming::new(&mut packet, from)];
                spoke.receive(now, &mut batch, &mut |to_hub, p| {
                    sent.push((to, to_hub, p.to_vec()))
                });
                self.at_spokes
                    .extend(batch[0].frame().map(|frame| (to, frame.to_vec())));
            }
        }
        assert!(self.hub.balances());
        assert!(self.spokes.values().all(|spoke| spoke.counters().balance()));
    }

    /// Frames of the hub's trusted side, in one call.
    fn take_from_hub(&mut self, frames: &[Vec<u8>]) {
        let mut buffers: Vec<_> = frames.iter().map(|frame| buffer(frame)).collect();
        let mut batch: Vec<_> = buffers
            .iter_mut()
            .zip(frames)
            .map(|(b, f)| Outgoing::new(b, f.len()).unwrap())
            .collect();
        let sent = &mut self.sent;
        self.hub.seal(self.now, &mut batch, &mut |to, sealed| {
            sent.extend(
                sealed
                    .iter()
                    .filter_map(|p| Some((0, to, p.packet().ok()?.to_vec()))),
            );
        });
    }

    /// A frame of a spoke's trusted side.
    fn take_from_spoke(&mut self, id: u64, frame: &[u8]) {
        let mut bytes = buffer(frame);
        let mut batch = [Outgoing::new(&mut bytes, frame.len()).unwrap()];
        let spoke = self.spokes.get_mut(&id).unwrap();
        let to = spoke.seal(self.now, &mut batch).unwrap();
        // Without a session there is none.
        if let Ok(packet) = batch[0].packet() {
            self.sent.push((id, to, packet.to_vec()));
        }
    }

    /// A packet from anywhere, and what the hub says to it.
    fn inject(&mut self, from: At, packet: &[u8]) -> Verdict {
        let mut packet = packet.to_vec();
        let mut batch = [Incoming::new(&mut packet, from)];
        let sent = &mut self.sent;
        self.hub.receive(self.now, &mut batch, &mut |to, packet| {
            sent.push((0, to, packet.to_vec()))
        });
        let verdict = batch[0].verdict();
        assert!(batch[0].frame().is_none() || verdict == Verdict::Frame);
        assert!(self.hub.balances());
        verdict
    }

    /// The hub's end of the link with a spoke.
    fn end_of(&self, id: u64) -> &Endpoint<At> {
        let name = format!("spoke {id}");
        let mut peers = self.hub.peers();
        peers.find(|peer| peer.name() == name).unwrap().endpoint()
    }

    fn counters(&self, id: u64) -> &crate::endpoint::Counters {
        self.end_of(id).counters()
    }

    /// Whether the links with these spokes have a session that both ends know.
    fn are_up<const N: usize>(&self, ids: [u64; N]) -> [bool; N] {
        ids.map(|id| self.end_of(id).is_up() && self.spokes[&id].is_up())
    }
}

fn buffer(frame: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; OVERHEAD + frame.len()];
    bytes[HEADER_LEN..][..frame.len()].copy_from_slice(frame);
    bytes
}

/// An IP packet from one network to another, with a number in it.
fn ip(from: u8, to: u8, number: u16) -> Vec<u8> {
    let mut packet = vec![0x45; 60];
    packet[12..20].copy_from_slice(&[10, 0, from, 1, 10, 0, to, 1]);
    packet[20..22].copy_from_slice(&number.to_be_bytes());
    packet
}

/// A frame between cards named by their last byte; 0xff is everybody.
fn frame(to: u8, from: u8) -> Vec<u8> {
    let mut frame = vec![0; 60];
    (frame[0], frame[5], frame[6], frame[11]) = (2, to, 2, from);
    if to == 0xff {
        frame[..6].fill(0xff);
    }
    frame
}

#[test]
fn an_end_with_the_hub_s_own_id_is_dropped_counted_and_known_by_where_it_calls_from() {
    let mut wire = Wire::new(Kind::Ip, &[1]);
    wire.settle();
    assert_eq!(
        (wire.hub.counters().own_ids, wire.hub.namesake()),
        (0, None)
    );
    // It calls whom it takes for its peer, which has a larger id.
    let calling = ends(suite(), HUB, HUB + 1, Kind::Ip);
    let mut namesake = Endpoint::new(calling, timers(), Some(0), system_random()).unwrap();
    let mut hello = Vec::new();
    namesake.poll(Duration::ZERO, &mut |_, packet| hello = packet.to_vec());
    let mut stranger = hello.clone();
    stranger[HEADER_LEN + 7] ^= 1;
    let short = hello[..HEADER_LEN + 7].to_vec();
    for (mut packet, count) in [(hello, 1), (stranger, 1), (short, 1)] {
        let mut batch = [Incoming::new(&mut packet, 77)];
        wire.hub
            .receive(wire.now, &mut batch, &mut |_, _| panic!("an answer"));
        assert!(matches!(batch[0].verdict, Verdict::Dropped(_)));
        assert_eq!(wire.hub.counters().own_ids, count);
        assert_eq!(wire.hub.namesake(), Some(77));
    }
    assert!(wire.hub.balances());
}

#[test]
fn leads_frames_to_their_peers_and_back_in_their_order() {
    for suite in SUITES {
        leads_frames_in(suite);
    }
}

fn leads_frames_in(suite: &'static Suite) {
    let mut wire = Wire::in_suite(suite, Kind::Ip, &[1, 2, 3]);
    wire.settle();
    assert!(wire.hub.peers().all(|peer| peer.endpoint().is_up()));
    let frames: Vec<_> = (0..60).map(|n| ip(200, 1 + (n % 3) as u8, n)).collect();
    wire.take_from_hub(&frames);
    wire.settle();
    for id in 1..=3 {
        let came: Vec<_> = wire
            .at_spokes
            .iter()
            .filter(|(at, _)| *at == id)
            .map(|(_, f)| f.clone())
            .collect();
        let sent: Vec<_> = frames
            .iter()
            .filter(|f| u64::from(f[18]) == id)
            .cloned()
            .collect();
        assert_eq!(came, sent, "each its own, in order");
        assert_eq!(wire.counters(id).sealed, 20);
    }
    for n in 0..30 {
        wire.take_from_spoke(1 + u64::from(n % 3), &ip(1 + (n % 3) as u8, 200, n));
    }
    wire.settle();
    for id in 1..=3 {
        let came: Vec<_> = wire
            .at_hub
            .iter()
            .filter(|f| f[14] == id)
            .map(|f| f[21])
            .collect();
        assert_eq!(
            came,
            (0..30).filter(|n| n % 3 == id - 1).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_peer_cannot_speak_for_another() {
    let mut wire = Wire::new(Kind::Ip, &[1, 2]);
    wire.settle();
    for (frame, is_own) in [
        (ip(1, 200, 0), true),
        (ip(2, 200, 1), false),
        (ip(7, 200, 2), false),
        (vec![0x45; 19], false),
        (vec![0; 60], false),
    ] {
        let before = wire.counters(1).clone();
        wire.at_hub.clear();
        wire.take_from_spoke(1, &frame);
        wire.settle();
        let after = wire.counters(1);
        assert_eq!(wire.at_hub.len(), usize::from(is_own));
        assert_eq!(after.delivered - before.delivered, u64::from(is_own));
        assert_eq!(after.source_drops - before.source_drops, u64::from(!is_own));
        assert_eq!(
            after.delivered_bytes - before.delivered_bytes,
            if is_own { 60 } else { 0 }
        );
    }
}

#[test]
fn a_frame_for_nobody_is_counted_and_goes_nowhere() {
    let mut wire = Wire::new(Kind::Ip, &[1, 2]);
    wire.settle();
    wire.take_from_hub(&[ip(200, 9, 0), vec![0x45; 19], vec![0; 60], ip(200, 2, 1)]);
    assert_eq!(wire.sent.len(), 1);
    assert_eq!(wire.hub.counters().no_peer, 3);
    wire.settle();
    assert_eq!(wire.at_spokes.len(), 1);
}

#[test]
fn packets_that_belong_to_no_peer_are_dropped_by_cause() {
    let mut wire = Wire::new(Kind::Ip, &[1]);
    let mut hello = Vec::new();
    let spoke = wire.spokes.get_mut(&1).unwrap();
    spoke.poll(Duration::ZERO, &mut |_, packet| hello = packet.to_vec());
    let changed = |at: usize, to: u8| {
        let mut packet = hello.clone();
        packet[at] = to;
        packet
    };
    let sequel = [
        (hello[..15].to_vec(), DropCause::Short),
        (hello[..20].to_vec(), DropCause::Short),
        (Vec::new(), DropCause::Short),
        (changed(0, 0x11), DropCause::Version),
        (changed(0, 0x24), DropCause::Type),
        (changed(0, 0x20), DropCause::Session),
        (changed(0, 0x22), DropCause::Session),
        (changed(0, 0x23), DropCause::Session),
        (changed(23, 9), DropCause::Peer),
        // From here on the peer's own end judges.
        (changed(1, 0x12), DropCause::Suite),
        (changed(30, hello[30] ^ 1), DropCause::Auth),
    ];
    for (packet, cause) in sequel {
        assert_eq!(wire.inject(1, &packet), Verdict::Dropped(cause));
    }
    assert_eq!(wire.hub.counters().drops.iter().sum::<u64>(), 9);
    assert!(wire.sent.is_empty(), "nothing is said to anybody");
    assert_eq!(wire.inject(1, &hello), Verdict::Handshake);
    assert_eq!(wire.inject(1, &hello), Verdict::Dropped(DropCause::Stale));
}

#[test]
fn one_peers_key_opens_no_other_peers_session() {
    let mut wire = Wire::new(Kind::Ip, &[1, 2]);
    // Spoke 2 with its own key under the id of spoke 1.
    let mut key = vec![0x5a; suite().block_len()];
    key[..8].copy_from_slice(&2_u64.to_be_bytes());
    let psk = Psk::new(suite(), &key).unwrap();
    let stolen = Ends::new(
        suite(),
        psk,
        1_u64.to_be_bytes(),
        HUB.to_be_bytes(),
        Kind::Ip,
    )
    .unwrap();
    let mut stranger = Endpoint::new(stolen, timers(), Some(0), system_random()).unwrap();
    let mut hello = Vec::new();
    stranger.poll(Duration::ZERO, &mut |_, packet| hello = packet.to_vec());
    assert_eq!(wire.inject(2, &hello), Verdict::Dropped(DropCause::Auth));
    wire.settle();
    // A packet of one session under the id of the other.
    wire.take_from_spoke(1, &ip(1, 200, 0));
    wire.take_from_spoke(2, &ip(2, 200, 0));
    let (mut one, two) = (wire.sent[0].2.clone(), wire.sent[1].2.clone());
    one[4..8].copy_from_slice(&two[4..8]);
    assert_eq!(wire.inject(1, &one), Verdict::Dropped(DropCause::Auth));
    assert_eq!(wire.counters(2).dropped(DropCause::Auth), 1);
}

#[test]
fn learns_where_cards_are_and_floods_what_it_does_not_know() {
    let mut wire = Wire::new(Kind::Ethernet, &[1, 2, 3]);
    wire.settle();
    wire.take_from_hub(&[frame(0xff, 9)]);
    wire.settle();
    let mut reached: Vec<_> = wire.at_spokes.drain(..).map(|(at, _)| at).collect();
    reached.sort_unstable();
    assert_eq!(reached, [1, 2, 3]);
    wire.take_from_spoke(2, &frame(9, 22));
    wire.settle();
    wire.take_from_hub(&[frame(22, 9)]);
    wire.settle();
    assert_eq!(
        wire.at_spokes
            .drain(..)
            .map(|(at, _)| at)
            .collect::<Vec<_>>(),
        [2]
    );
    // Another peer's card, and one of the trusted side.
    for from in [22, 9] {
        wire.take_from_spoke(1, &frame(9, from));
    }
    wire.settle();
    assert_eq!((wire.counters(1).source_drops, wire.at_hub.len()), (2, 1));
    wire.take_from_hub(&[frame(9, 8)]);
    assert_eq!(
        (wire.hub.counters().no_peer, wire.hub.counters().copies),
        (1, 3)
    );
}

#[test]
fn follows_a_peer_that_moves_and_calls_one_where_it_is_said_to_be() {
    let mut wire = Wire::new(Kind::Ip, &[1, HUB + 5]);
    assert!(wire.hub.take_calls().is_empty());
    wire.settle();
    assert_eq!(
        wire.hub.take_calls(),
        [1],
        "this end calls it and asks where it is"
    );
    assert!(wire.hub.peers().all(|peer| peer.endpoint().is_up()));
    // The caller comes from elsewhere.
    wire.take_from_spoke(1, &ip(1, 200, 0));
    let packet = wire.sent.pop().unwrap().2;
    assert_eq!(wire.inject(77, &packet), Verdict::Frame);
    assert_eq!(wire.hub.peer(0).unwrap().endpoint().peer(), Some(77));
    assert_eq!(wire.counters(1).peer_moves, 1);
    // The called one is elsewhere.
    wire.hub.set_peer(1, 78);
    wire.hub.set_peer(0, 79);
    wire.hub.set_peer(99, 79);
    assert_eq!(
        wire.hub.peer(0).unwrap().endpoint().peer(),
        Some(77),
        "a responder follows by itself"
    );
    wire.take_from_hub(&[ip(200, 5, 0)]);
    assert_eq!(wire.sent.pop().map(|(_, to, _)| to), Some(78));
}

#[test]
fn refuses_peers_that_cannot_be_told_apart() {
    let kind = Kind::Ip;
    let mut hub: Hub<At> = Hub::new(suite(), HUB.to_be_bytes(), kind, Version::Two);
    let setup = |id| PeerSetup::psk(ends(suite(), HUB, id, kind), timers(), None);
    assert_eq!(hub.add("one", setup(1), &networks(1)), Ok(0));
    assert_eq!(
        hub.add("two", setup(1), &networks(2)),
        Err(Refusal::Id("one".into()))
    );
    let taken = networks(1)[0];
    assert_eq!(
        hub.add("two", setup(2), &[taken]),
        Err(Refusal::Network("one".into(), taken))
    );
    assert_eq!(hub.add("two", setup(2), &[]), Err(Refusal::Networks));
    let other = PeerSetup::psk(ends(suite(), HUB + 1, 2, kind), timers(), None);
    assert_eq!(hub.add("two", other, &networks(2)), Err(Refusal::Identity));
    let other = PeerSetup::psk(ends(suite(), HUB, 2, Kind::Ethernet), timers(), None);
    assert_eq!(hub.add("two", other, &networks(2)), Err(Refusal::Identity));
    assert_eq!(
        hub.add("two", setup(2), &networks(2)),
        Ok(1),
        "what was refused left nothing behind"
    );
}

#[test]
fn is_due_when_its_earliest_peer_is_and_sleeps_between() {
    let mut wire = Wire::new(Kind::Ip, &[1, 2]);
    wire.settle();
    // The random values of both, and what the handshakes owe, are over after a while.
    while wire.now < Duration::from_secs(15) {
        let next = wire.now + Duration::from_millis(250);
        wire.now = next.max(wire.hub.deadline().min(Duration::from_secs(15)));
        wire.settle();
    }
    assert!(
        wire.hub.due.len() <= 4,
        "no entries are heaped up: {}",
        wire.hub.due.len()
    );
    let idle = wire.hub.deadline().saturating_sub(wire.now);
    assert!(idle > Duration::from_secs(60), "idle for {idle:?}");
    wire.take_from_spoke(1, &ip(1, 200, 0));
    wire.settle();
    let answer = wire.hub.deadline().saturating_sub(wire.now);
    assert!(answer <= Duration::from_millis(250), "a frame is answered");
}

#[test]
fn groups_and_keeps_the_order_within() {
    let mut items = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
    group(&mut items, |(key, _)| *key);
    assert_eq!(items, [(1, 'b'), (1, 'e'), (2, 'd'), (3, 'a'), (3, 'c')]);
}

mod histories {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// Whatever comes in whatever order, changed or not: totals balance, and every frame that leaves is its sender's.
        #[test]
        fn nothing_leaves_for_another(steps in proptest::collection::vec((0u8..6, 1u8..4, 1u8..5, any::<u16>()), 1..60)) {
            let mut wire = Wire::new(Kind::Ip, &[1, 2, 3]);
            wire.settle();
            for (what, from, to, at) in steps {
                match what {
                    0 => wire.take_from_hub(&[ip(200, to, at)]),
                    1 => {
                        let mut packet = ip(to, 200, at);
                        packet[30] = from;
                        wire.take_from_spoke(u64::from(from), &packet);
                    }
                    2 => wire.settle(),
                    3 => {
                        if let Some((from, 0, packet)) = wire.sent.last().cloned() {
                            wire.inject(from, &packet);
                        }
                    }
                    4 => {
                        if let Some((sender, 0, mut packet)) = wire.sent.last().cloned() {
                            let at = usize::from(at) % packet.len();
                            packet[at] ^= 1 << (from % 8);
                            prop_assert_ne!(wire.inject(sender, &packet), Verdict::Frame);
                        }
                    }
                    _ => wire.now += Duration::from_millis(u64::from(at)),
                }
            }
            wire.now += Duration::from_secs(1);
            wire.settle();
            for (at, frame) in &wire.at_spokes {
                prop_assert_eq!(u64::from(frame[18]), *at);
            }
            for frame in &wire.at_hub {
                prop_assert_eq!(frame[14], frame[30]);
            }
        }
    }
}

mod threads;

#[test]
fn a_hub_that_lost_its_sessions_asks_the_peer_that_a_frame_is_for() {
    let mut wire = Wire::new(Kind::Ip, &[1, 2]);
    wire.settle();
    assert_eq!(wire.are_up([1, 2]), [true, true]);
    wire.now += Duration::from_secs(5);
    wire.hub.erase();
    wire.take_from_hub(&[ip(9, 2, 1)]);
    wire.settle();
    assert_eq!(wire.are_up([1, 2]), [false, false]);
    wire.now += Duration::from_millis(250);
    wire.settle();
    assert_eq!(wire.are_up([1, 2]), [false, true]);
}

#[test]
fn a_hub_calls_the_peer_that_lost_its_sessions_and_asks() {
    let ids = [HUB + 2, HUB + 3];
    let mut wire = Wire::new(Kind::Ip, &ids);
    wire.settle();
    assert_eq!(wire.are_up(ids), [true, true]);
    wire.now += Duration::from_secs(5);
    wire.spokes.get_mut(&ids[1]).unwrap().erase();
    wire.take_from_spoke(ids[1], &ip(3, 9, 1));
    wire.settle();
    assert_eq!(wire.are_up(ids), [true, false]);
    assert_eq!(wire.counters(ids[1]).dropped(DropCause::Session), 1);
    let due = wire.now + Duration::from_millis(250);
    assert!(wire.hub.deadline() <= due, "the hub's clock is set by it");
    wire.now = due;
    wire.settle();
    assert_eq!(wire.are_up(ids), [true, true]);
    assert_eq!(wire.counters(ids[0]).sessions_taken, 1);
    assert_eq!(wire.counters(ids[1]).sessions_taken, 2);
}

/// The peers that heed a request from a place, by their ids.
fn heeding(wire: &mut Wire, from: At, ids: &[u64]) -> Vec<u64> {
    let before: Vec<_> = ids
        .iter()
        .map(|id| wire.end_of(*id).clues().requests)
        .collect();
    let request = [&[0x20, 0x11, 0, 17][..], &[0; 12 + 17]].concat();
    assert_eq!(
        wire.inject(from, &request),
        Verdict::Dropped(DropCause::Session)
    );
    let heeds =
        |(id, before): (&u64, u64)| (wire.end_of(*id).clues().requests != before).then_some(*id);
    ids.iter().zip(before).filter_map(heeds).collect()
}

#[test]
fn a_request_is_led_by_where_the_called_peer_is() {
    // The hub calls the last two, and 1 calls it.
    let ids = [1, HUB + 2, HUB + 3];
    let [caller, one, other] = ids;
    let mut wire = Wire::new(Kind::Ip, &ids);
    // Another that calls it was heard at 7 once.
    let waiting = PeerSetup::psk(ends(suite(), HUB, 4, Kind::Ip), timers(), Some(7));
    wire.hub.add("spoke 4", waiting, &networks(4)).unwrap();
    wire.settle();
    assert_eq!(heeding(&mut wire, 7, &[4]), []);
    assert_eq!(heeding(&mut wire, one, &ids), [one]);
    assert_eq!(heeding(&mut wire, other, &ids), [other]);
    assert_eq!(heeding(&mut wire, caller, &ids), [], "it is not called");
    let strangers = |wire: &Wire| wire.hub.counters().drops[DropCause::Session as usize];
    assert_eq!(strangers(&wire), 2);
    // They move, by turns to one place.
    wire.hub.set_peer(1, 7);
    assert_eq!(heeding(&mut wire, one, &ids), []);
    wire.hub.set_peer(2, 7);
    assert_eq!(heeding(&mut wire, 7, &ids), [one]);
    wire.hub.set_peer(2, other);
    assert_eq!(heeding(&mut wire, 7, &ids), [one]);
    wire.hub.set_peer(1, one);
    wire.hub.set_peer(2, 7);
    assert_eq!(heeding(&mut wire, 7, &ids), [other]);
    assert_eq!(heeding(&mut wire, other, &ids), []);
    assert_eq!(heeding(&mut wire, one, &ids), [one]);
    assert_eq!(strangers(&wire), 4);
    let mut reply = [&[0x22, 0x11, 0, 56][..], &[0; 12 + 56]].concat();
    assert_eq!(
        wire.inject(one, &reply),
        Verdict::Dropped(DropCause::Session)
    );
    reply[0] = 0x23;
    assert_eq!(
        wire.inject(one, &reply),
        Verdict::Dropped(DropCause::Session)
    );
    assert_eq!(strangers(&wire), 6, "they are no requests");
}
