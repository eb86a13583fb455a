// SPDX-License-Identifier: Apache-2.0
//! Two ends that say nothing without need.

mod support;

use sealwire_link::{
    endpoint::{KeepAlive, Timers},
    suite::Suite,
    wire::LocalDrop,
};
use std::time::Duration;
use support::{Pair, frame, ms, poll, receive, restarted, seal, timers};

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Packets of both ends so far.
fn said(pair: &Pair) -> u64 {
    pair.i.counters().untrusted_out + pair.r.counters().untrusted_out
}

/// What two ends with sessions may say in an hour in which nothing is carried.
const IDLE_HOURS: [(KeepAlive, u64); 2] = [
    (KeepAlive::Off, 60),
    (
        KeepAlive::Every(Duration::from_secs(25)),
        2 * 3600 / 25 + 60,
    ),
];

/// An hour in which nothing is carried. `pass` lets a second pass and gives what went between the ends beside the link's packets.
fn idle_hour(mut pair: Pair, most: u64, mut pass: impl FnMut(&mut Pair) -> u64) {
    let (before, mut packets) = (said(&pair), 0);
    for second in 0..3600 {
        packets += pass(&mut pair);
        assert!(pair.i.is_heard() && pair.r.is_heard(), "after {second} s");
    }
    packets += said(&pair) - before;
    assert!(packets <= most, "{packets} of {most}");
    assert!(
        pair.i.counters().sessions_taken >= 5,
        "they are renewed still"
    );
    // It works at once after the pause.
    pair.carry(true);
    pair.carry(false);
    pair.check_balance();
}

#[test]
fn an_idle_hour_takes_a_packet_a_minute_at_most() {
    for (keep_alive, most) in IDLE_HOURS {
        idle_hour(Pair::keeping(keep_alive), most, |pair| {
            pair.run(seconds(1));
            0
        });
    }
    let mut prompt = Pair::keeping(KeepAlive::Prompt);
    let before = said(&prompt);
    prompt.run(seconds(10));
    assert!(said(&prompt) - before >= 70);
}

/// Sessions of ends with key pairs, which come through a Noise channel.
#[cfg(feature = "noise")]
mod channel {
    use super::support::{I, R};
    use super::*;
    use sealwire_link::{
        endpoint::Endpoint,
        noise::{Caller, KEY_LEN, Listener, StaticKeys},
        schedule::{Identity, system_random},
        wire::Kind,
    };

    /// Both sides of the channel, on a perfect wire.
    struct Channel {
        caller: Caller,
        listener: Listener,
    }

    impl Channel {
        /// A channel, and ends without sessions.
        fn new(keep_alive: KeepAlive) -> (Self, Pair) {
            let mut pair = Pair::with(Suite::by_code(1).unwrap(), timers(keep_alive));
            let [left, right] = [(I, R), (R, I)].map(|(own, peer)| {
                let (own, peer) = (own.to_be_bytes(), peer.to_be_bytes());
                Identity::new(Suite::by_code(1).unwrap(), own, peer, Kind::Ethernet).unwrap()
            });
            pair.i = Endpoint::loaded(left, timers(keep_alive), ());
            pair.r = Endpoint::loaded(right, timers(keep_alive), ());
            let keys = |own: u8, peer: u8| {
                let peer = StaticKeys::public_of(&[peer; KEY_LEN]).unwrap();
                StaticKeys::new(&[own; KEY_LEN], peer).unwrap()
            };
            let channel = Self {
                caller: Caller::new(left, keys(1, 2), system_random()),
                listener: Listener::new(right, keys(2, 1)),
            };
            (channel, pair)
        }

        /// Lets a second pass and gives the channel's datagrams in it.
        fn pass(&mut self, pair: &mut Pair) -> u64 {
            let mut datagrams = 0;
            for _ in 0..20 {
                pair.run(ms(50));
                let now = pair.now;
                let mut to_listener = Vec::new();
                let wanted = pair.i.wants_session();
                let time = now.as_micros() as u64;
                self.caller.poll(now, wanted, time, &mut |bytes| {
                    to_listener.push(bytes.to_vec())
                });
                while let Some(bytes) = to_listener.pop() {
                    let mut to_caller = Vec::new();
                    let up = pair.r.is_up();
                    let mut load = |keys| pair.r.load(now, keys).is_ok();
                    self.listener
                        .receive(now, &bytes, up, &mut load, &mut |bytes| {
                            to_caller.push(bytes.to_vec());
                        })
                        .unwrap();
                    datagrams += 1;
                    for bytes in to_caller {
                        let mut say = |bytes: &[u8]| to_listener.push(bytes.to_vec());
                        if let Some(keys) = self.caller.receive(now, &bytes, &mut say).unwrap() {
                            pair.i.load(now, keys).unwrap();
                        }
                        datagrams += 1;
                    }
                }
            }
            datagrams
        }
    }

    #[test]
    fn an_idle_hour_takes_a_packet_a_minute_at_most_renewals_included() {
        for (keep_alive, most) in IDLE_HOURS {
            let (mut channel, mut pair) = Channel::new(keep_alive);
            assert_eq!(channel.pass(&mut pair), 4, "the messages of one session");
            assert!(pair.i.is_up() && pair.r.is_up());
            let mut beside = 0;
            idle_hour(pair, most, |pair| {
                let datagrams = channel.pass(pair);
                beside += datagrams;
                datagrams
            });
            assert!(beside >= 4 * 5, "sessions were renewed through the channel");
        }
    }
}

#[test]
fn a_frame_is_answered_once_after_250_ms() {
    for from_initiator in [true, false] {
        let mut pair = Pair::keeping(KeepAlive::Off);
        pair.run(seconds(5));
        pair.carry(from_initiator);
        let before = said(&pair);
        pair.run(ms(240));
        assert_eq!(said(&pair), before);
        pair.run(ms(20));
        assert_eq!(said(&pair), before + 1);
        pair.run(seconds(5));
        assert_eq!(said(&pair), before + 1, "the answer is not answered");
        // Frames that go back are answer enough.
        for _ in 0..20 {
            pair.carry(true);
            pair.carry(false);
            pair.run(ms(100));
        }
        let keep_alives = pair.i.counters().keep_alives_out + pair.r.counters().keep_alives_out;
        pair.run(ms(200));
        let after = pair.i.counters().keep_alives_out + pair.r.counters().keep_alives_out;
        assert!(after <= keep_alives + 1);
    }
}

#[test]
fn an_unanswered_frame_finds_a_peer_that_has_restarted() {
    let mut pair = Pair::keeping(KeepAlive::Off);
    pair.run(seconds(5));
    pair.r = restarted(KeepAlive::Off);
    pair.run(seconds(5));
    assert!(pair.i.is_heard() && !pair.r.is_up(), "nobody has asked");
    let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    assert!(receive(&mut pair.r, pair.now, &packet).frame.is_none());
    pair.run(ms(740));
    assert!(!pair.r.is_up());
    pair.run(ms(30));
    assert!(pair.i.is_heard() && pair.r.is_up());
    pair.carry(true);
    pair.carry(false);
}

#[test]
fn a_keep_alive_finds_a_peer_that_has_restarted_too() {
    let every = KeepAlive::Every(seconds(25));
    let mut pair = Pair::keeping(every);
    pair.run(seconds(30));
    pair.r = restarted(every);
    pair.run(seconds(52));
    assert!(pair.r.is_up() && pair.i.is_heard());
}

#[test]
fn is_heard_no_longer_when_frames_get_no_answer() {
    for from_initiator in [true, false] {
        let mut pair = Pair::keeping(KeepAlive::Off);
        pair.run(seconds(5));
        let end = if from_initiator {
            &mut pair.i
        } else {
            &mut pair.r
        };
        seal(end, pair.now, &frame(60)).unwrap();
        let _ = poll(end, pair.now + ms(1990));
        assert!(end.is_heard());
        let _ = poll(end, pair.now + ms(2010));
        assert!(end.is_up() && !end.is_heard());
    }
}

#[test]
fn a_session_is_renewed_and_erased_by_the_time_of_its_first_frame() {
    let mut pair = Pair::keeping(KeepAlive::Off);
    let session = |pair: &Pair| pair.i.status().cur.map(|slot| slot.to_peer);
    let first = session(&pair);
    pair.run(seconds(300));
    assert_eq!(session(&pair), first, "nothing was carried in it");
    pair.carry(false);
    pair.run(seconds(119));
    assert_eq!(session(&pair), first);
    pair.run(seconds(2));
    assert_ne!(session(&pair), first, "120 s after its first frame");
    // Without the peer neither end keeps it longer than 180 s from then on.
    pair.carry(true);
    pair.run(seconds(1));
    let now = pair.now;
    let end = &mut pair.r;
    for (age, lives) in [(178, true), (181, false)] {
        let _ = poll(end, now + seconds(age));
        assert_eq!(end.is_up(), lives, "after {age} s");
        let sealed = seal(end, now + seconds(age), &frame(60));
        assert_eq!(sealed.is_ok(), lives);
        assert!(lives || sealed == Err(LocalDrop::NoSession));
    }
}

#[test]
fn a_first_answer_that_is_lost_comes_again() {
    let mut pair = Pair::with(Suite::by_code(1).unwrap(), timers(KeepAlive::Off));
    let hello = poll(&mut pair.i, pair.now).remove(0);
    let reply = receive(&mut pair.r, pair.now, &hello).said.remove(0);
    for packet in receive(&mut pair.i, pair.now, &reply).said {
        // The keep-alive that answers is lost.
        let _ = receive(&mut pair.r, pair.now, &packet);
    }
    assert!(pair.r.is_up() && !pair.i.is_up());
    pair.run(ms(500));
    assert!(pair.i.is_up());
    assert_eq!(
        pair.i.counters().sessions_installed,
        1,
        "in the same session"
    );
}

#[test]
fn keep_alives_come_neither_too_often_nor_too_seldom() {
    for (pause, allowed) in [
        (ms(999), false),
        (seconds(1), true),
        (seconds(600), true),
        (ms(600_001), false),
    ] {
        let timers = Timers::default().with_keep_alive(KeepAlive::Every(pause));
        assert_eq!(timers.is_ok(), allowed, "{pause:?}");
    }
}
