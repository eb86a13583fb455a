// SPDX-License-Identifier: Apache-2.0
//! Two ends that say nothing without need.

mod support;

use sealwire_link::{
    endpoint::{KeepAlive, Timers},
    suite::Suite,
    wire::LocalDrop,
};
use std::time::Duration;
use support::{Dice, I, Pair, R, end_with, frame, ms, poll, receive, seal};

fn timers(keep_alive: KeepAlive) -> Timers {
    Timers::default().with_keep_alive(keep_alive).unwrap()
}

fn pair(keep_alive: KeepAlive) -> Pair {
    let mut pair = Pair::with(Suite::by_code(1).unwrap(), timers(keep_alive));
    pair.settle();
    assert!(pair.i.is_up() && pair.r.is_up());
    pair
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Packets of both ends so far.
fn said(pair: &Pair) -> u64 {
    pair.i.counters().untrusted_out + pair.r.counters().untrusted_out
}

/// A frame from one end to the other, on a perfect wire.
fn carry(pair: &mut Pair, from_initiator: bool) {
    let (from, to) = if from_initiator {
        (&mut pair.i, &mut pair.r)
    } else {
        (&mut pair.r, &mut pair.i)
    };
    let packet = seal(from, pair.now, &frame(60)).expect("a session");
    assert!(receive(to, pair.now, &packet).frame.is_some());
}

#[test]
fn an_idle_hour_takes_a_packet_a_minute_at_most() {
    for (keep_alive, most) in [
        (KeepAlive::Off, 60),
        (KeepAlive::Every(seconds(25)), 2 * 3600 / 25 + 60),
    ] {
        let mut pair = pair(keep_alive);
        let before = said(&pair);
        for second in 0..3600 {
            pair.run(seconds(1));
            assert!(pair.i.is_heard() && pair.r.is_heard(), "after {second} s");
        }
        let packets = said(&pair) - before;
        assert!(packets <= most, "{keep_alive:?}: {packets}");
        assert!(
            pair.i.counters().sessions_taken >= 5,
            "they are renewed still"
        );
        // It works at once after the pause.
        carry(&mut pair, true);
        carry(&mut pair, false);
        pair.check_balance();
    }
    let mut prompt = pair(KeepAlive::Prompt);
    let before = said(&prompt);
    prompt.run(seconds(10));
    assert!(said(&prompt) - before >= 70);
}

#[test]
fn a_frame_is_answered_once_after_250_ms() {
    for from_initiator in [true, false] {
        let mut pair = pair(KeepAlive::Off);
        pair.run(seconds(5));
        carry(&mut pair, from_initiator);
        let before = said(&pair);
        pair.run(ms(240));
        assert_eq!(said(&pair), before);
        pair.run(ms(20));
        assert_eq!(said(&pair), before + 1);
        pair.run(seconds(5));
        assert_eq!(said(&pair), before + 1, "the answer is not answered");
        // Frames that go back are answer enough.
        for _ in 0..20 {
            carry(&mut pair, true);
            carry(&mut pair, false);
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
    let mut pair = pair(KeepAlive::Off);
    pair.run(seconds(5));
    pair.r = end_with(
        Suite::by_code(1).unwrap(),
        R,
        I,
        timers(KeepAlive::Off),
        Dice(9).source(),
    );
    pair.run(seconds(5));
    assert!(pair.i.is_heard() && !pair.r.is_up(), "nobody has asked");
    let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    assert!(receive(&mut pair.r, pair.now, &packet).frame.is_none());
    pair.run(ms(740));
    assert!(!pair.r.is_up());
    pair.run(ms(30));
    assert!(pair.i.is_heard() && pair.r.is_up());
    carry(&mut pair, true);
    carry(&mut pair, false);
}

#[test]
fn a_keep_alive_finds_a_peer_that_has_restarted_too() {
    let every = KeepAlive::Every(seconds(25));
    let mut pair = pair(every);
    pair.run(seconds(30));
    let suite = Suite::by_code(1).unwrap();
    pair.r = end_with(suite, R, I, timers(every), Dice(9).source());
    pair.run(seconds(52));
    assert!(pair.r.is_up() && pair.i.is_heard());
}

#[test]
fn is_heard_no_longer_when_frames_get_no_answer() {
    for from_initiator in [true, false] {
        let mut pair = pair(KeepAlive::Off);
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
    let mut pair = pair(KeepAlive::Off);
    let session = |pair: &Pair| pair.i.status().cur.map(|slot| slot.to_peer);
    let first = session(&pair);
    pair.run(seconds(300));
    assert_eq!(session(&pair), first, "nothing was carried in it");
    carry(&mut pair, false);
    pair.run(seconds(119));
    assert_eq!(session(&pair), first);
    pair.run(seconds(2));
    assert_ne!(session(&pair), first, "120 s after its first frame");
    // Without the peer neither end keeps it longer than 180 s from then on.
    carry(&mut pair, true);
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
