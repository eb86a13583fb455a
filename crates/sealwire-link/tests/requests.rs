// SPDX-License-Identifier: Apache-2.0
//! A responder that has lost its sessions asks to be called.

mod support;

use sealwire_link::{
    endpoint::{Endpoint, KeepAlive},
    packet::{Incoming, Verdict},
    schedule::{Ends, Identity, system_random},
    session::SessionKeys,
    suite::Suite,
    wire::{DropCause, Kind, LocalDrop},
};
use std::time::Duration;
use support::{
    Dice, I, Pair, R, cause, end_with, frame, ms, poll, psk, receive, restarted, seal, timers,
};

const EVERY: KeepAlive = KeepAlive::Every(Duration::from_secs(25));

fn suite() -> &'static Suite {
    Suite::by_code(1).unwrap()
}

/// A pair with a session, five seconds after anything was said.
fn pair(keep_alive: KeepAlive) -> Pair {
    let mut pair = Pair::keeping(keep_alive);
    pair.run(Duration::from_secs(5));
    pair
}

/// A frame that finds no session.
fn miss(end: &mut Endpoint<()>, now: Duration) {
    assert_eq!(seal(end, now, &frame(60)), Err(LocalDrop::NoSession));
}

/// A request as it stands on the wire, under suite 01: header, and zeros as long as a keep-alive's message and tag.
fn request() -> Vec<u8> {
    [&[0x20, 0x01, 0x00, 33][..], &[0; 12 + 33]].concat()
}

fn handshakes(end: &Endpoint<()>) -> u64 {
    end.counters().handshakes_out
}

#[test]
fn a_responder_that_restarts_and_has_traffic_is_called() {
    for keep_alive in [KeepAlive::Off, EVERY] {
        let mut pair = pair(keep_alive);
        pair.r = restarted(keep_alive);
        miss(&mut pair.r, pair.now);
        assert!(pair.r.deadline() <= pair.now, "the request is due");
        pair.run(ms(100));
        miss(&mut pair.r, pair.now);
        pair.run(ms(140));
        assert_eq!(handshakes(&pair.r), 1);
        assert_eq!(pair.i.counters().dropped(DropCause::Session), 1);
        assert_eq!(pair.i.clues().requests, 1);
        assert!(!pair.r.is_up());
        pair.run(ms(30));
        assert!(pair.r.is_up() && pair.i.is_heard());
        pair.carry(false);
        let before = handshakes(&pair.r);
        pair.run(Duration::from_secs(3));
        assert_eq!(handshakes(&pair.r), before, "not for a frame of before");
        pair.r.erase();
        let after = pair.now + Duration::from_secs(3);
        assert!(poll(&mut pair.r, after).is_empty(), "nor later");
        pair.check_balance();
    }
}

#[test]
fn a_request_is_a_packet_of_no_session_and_is_said_four_times_for_a_frame() {
    let mut end = restarted(KeepAlive::Off);
    let at = |after: u64| ms(1_000_000 + after);
    assert!(poll(&mut end, at(0)).is_empty(), "nothing was missed");
    miss(&mut end, at(0));
    for time in [0, 250, 500, 750] {
        assert!(time == 0 || poll(&mut end, at(time - 1)).is_empty());
        assert!(end.deadline() <= at(time));
        assert_eq!(poll(&mut end, at(time)), [request()]);
    }
    assert!(poll(&mut end, at(5000)).is_empty());
    // Frames that are missed all the time lead to no more than that.
    for time in (6000..7000).step_by(10) {
        miss(&mut end, at(time));
        let _ = poll(&mut end, at(time));
    }
    assert_eq!(handshakes(&end), 4 + 4);
    assert!(end.counters().balance());
}

#[test]
fn who_has_no_reason_asks_nobody() {
    let now = ms(1_000_000);
    let asks = |mut end: Endpoint<()>| {
        miss(&mut end, now);
        poll(&mut end, now).contains(&request())
    };
    assert!(asks(restarted(EVERY)));
    assert!(
        !asks(restarted(KeepAlive::Prompt)),
        "it is missed by itself"
    );
    let initiator = end_with(suite(), I, R, timers(KeepAlive::Off), Dice(9).source());
    assert!(!asks(initiator), "it calls");
    let (own, peer) = (R.to_be_bytes(), I.to_be_bytes());
    let ends = Ends::new(suite(), psk(suite()), own, peer, Kind::Ethernet).unwrap();
    let nowhere = Endpoint::new(ends, timers(KeepAlive::Off), None, system_random());
    assert!(!asks(nowhere.unwrap()), "it knows no address");

    let mut end = restarted(KeepAlive::Off);
    assert_eq!(seal(&mut end, now, &frame(13)), Err(LocalDrop::Size));
    assert!(poll(&mut end, now).is_empty(), "no frame");

    // A session that is installed and not yet proved comes from the peer's call.
    let mut called = Pair::with(suite(), timers(KeepAlive::Off));
    let hello = poll(&mut called.i, called.now).remove(0);
    let reply = receive(&mut called.r, called.now, &hello).said.remove(0);
    let confirm = receive(&mut called.i, called.now, &reply).said.remove(0);
    let taken = receive(&mut called.r, called.now, &confirm).verdict;
    assert_eq!(taken, Verdict::Handshake);
    miss(&mut called.r, called.now);
    assert!(!poll(&mut called.r, called.now).contains(&request()));
    // Nor is it made up for when that session has ended.
    called.run(ms(500));
    assert!(called.r.is_up());
    called.r.erase();
    let later = called.now + Duration::from_secs(3);
    assert!(!poll(&mut called.r, later).contains(&request()));
}

#[test]
fn a_request_changes_nothing_while_the_peer_is_heard() {
    let mut pair = pair(KeepAlive::Off);
    let before = handshakes(&pair.i);
    pair.carry(false);
    pair.run(ms(450));
    let _ = receive(&mut pair.i, pair.now, &request());
    pair.run(ms(1000));
    assert_eq!(handshakes(&pair.i), before, "it was heard 450 ms before");
    // Sent by somebody else, in the middle of traffic.
    for _ in 0..200 {
        pair.carry(false);
        let dropped = cause(&mut pair.i, pair.now + ms(50), &request());
        assert_eq!(dropped, Some(DropCause::Session));
        pair.run(ms(100));
    }
    assert_eq!(handshakes(&pair.i), before);
    // One that is heeded is taken back by anything valid.
    pair.run(Duration::from_secs(2));
    let _ = receive(&mut pair.i, pair.now, &request());
    pair.now += ms(100);
    pair.carry(false);
    pair.run(Duration::from_secs(3));
    assert_eq!(handshakes(&pair.i), before);
    pair.check_balance();
}

/// An initiator's frame is unanswered for so long when a request comes, and the handshake begins so long after that.
fn a_frame_and_a_request_lead_to_a_handshake(unanswered: Duration, later: Duration) {
    let mut pair = pair(KeepAlive::Off);
    let before = handshakes(&pair.i);
    seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    pair.run(unanswered);
    let _ = receive(&mut pair.i, pair.now, &request());
    pair.run(later - ms(10));
    assert_eq!(handshakes(&pair.i), before);
    pair.run(ms(20));
    assert!(handshakes(&pair.i) > before);
}

#[test]
fn a_request_does_not_put_off_what_a_frame_without_an_answer_leads_to() {
    a_frame_and_a_request_lead_to_a_handshake(ms(600), ms(150));
}

#[test]
fn a_frame_without_an_answer_does_not_put_off_what_a_request_leads_to() {
    a_frame_and_a_request_lead_to_a_handshake(ms(50), ms(250));
}

#[test]
fn a_request_while_the_peer_is_called_holds_off_no_later_one() {
    let mut pair = pair(KeepAlive::Off);
    seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    pair.now += ms(760);
    assert_eq!(
        poll(&mut pair.i, pair.now).len(),
        1,
        "a hello, which is lost"
    );
    let _ = receive(&mut pair.i, pair.now, &request());
    pair.run(Duration::from_secs(2));
    assert_eq!(pair.i.counters().sessions_taken, 2);
    pair.r = restarted(KeepAlive::Off);
    miss(&mut pair.r, pair.now);
    pair.run(ms(300));
    assert!(pair.r.is_up());
}

#[test]
fn a_responder_heeds_no_request() {
    let mut pair = pair(KeepAlive::Off);
    let _ = receive(&mut pair.r, pair.now, &request());
    pair.run(Duration::from_secs(3));
    assert!(pair.r.is_heard(), "it asked nothing");
}

#[test]
fn requests_are_told_from_other_packets_of_no_session() {
    let mut pair = pair(KeepAlive::Off);
    let mut of_another = request();
    of_another[4] = 1;
    let mut reply = [&[0x22, 0x01, 0x00, 56][..], &[0; 12 + 56]].concat();
    for packet in [&of_another, &reply] {
        let dropped = cause(&mut pair.i, pair.now, packet);
        assert_eq!(dropped, Some(DropCause::Session));
    }
    reply[15] = 1;
    let _ = receive(&mut pair.i, pair.now, &reply);
    assert_eq!(pair.i.clues().requests, 0);
    for end in [&mut pair.i, &mut pair.r] {
        let _ = receive(end, pair.now, &request());
        assert_eq!(end.clues().requests, 1);
    }
}

#[test]
fn a_flood_of_requests_begins_a_handshake_in_five_seconds_at_most() {
    for (keep_alive, most) in [(KeepAlive::Off, 12), (KeepAlive::Prompt, 0)] {
        let mut pair = pair(keep_alive);
        let before = pair.i.counters().sessions_taken;
        for _ in 0..6000 {
            let _ = receive(&mut pair.i, pair.now, &request());
            pair.run(ms(10));
        }
        let taken = pair.i.counters().sessions_taken - before;
        let least = most * 3 / 4;
        assert!((least..=most).contains(&taken), "{taken} of {most}");
        assert!(pair.i.is_heard() && pair.r.is_up());
        pair.check_balance();
    }
}

#[test]
fn only_a_packet_from_the_peers_address_under_no_session_is_a_request() {
    let now = ms(1_000_000);
    let [own, peer] = [I, R].map(u64::to_be_bytes);
    let loaded = || {
        let identity = Identity::new(suite(), own, peer, Kind::Ethernet).unwrap();
        let mut end = Endpoint::loaded(identity, timers(KeepAlive::Off), 7);
        // The peer's end shows that it has the session.
        let mut other = Endpoint::loaded(
            Identity::new(suite(), peer, own, Kind::Ethernet).unwrap(),
            timers(KeepAlive::Off),
            7,
        );
        let bytes: Vec<u8> = (1..).take(SessionKeys::bytes_len(suite())).collect();
        for end in [&mut other, &mut end] {
            let keys = SessionKeys::from_bytes(suite(), &bytes).unwrap();
            end.load(now, keys).unwrap();
        }
        let mut wire = Vec::new();
        end.poll(now, &mut |_, packet| wire.push(packet.to_vec()));
        let mut answers = Vec::new();
        for packet in &mut wire {
            let mut batch = [Incoming::new(packet, 7)];
            other.receive(now, &mut batch, &mut |_, packet| {
                answers.push(packet.to_vec());
            });
        }
        for packet in &mut answers {
            end.receive(now, &mut [Incoming::new(packet, 7)], &mut |_, _| {});
        }
        assert!(end.is_up() && !end.wants_session());
        end
    };
    let changed = |at: usize| {
        let mut packet = request();
        packet[at] ^= 1;
        packet
    };
    for (packet, from, wants) in [
        (request(), 7, true),
        (request(), 8, false),
        (changed(4), 7, false),
        (changed(7), 7, false),
        (changed(15), 7, false),
        (changed(3), 7, false),
        (changed(1), 7, false),
        (changed(0), 7, false),
        (request()[..16].to_vec(), 7, false),
    ] {
        let mut end = loaded();
        let later = now + Duration::from_secs(5);
        let mut bytes = packet.clone();
        end.receive(
            later,
            &mut [Incoming::new(&mut bytes, from)],
            &mut |_, _| {},
        );
        end.poll(later + ms(249), &mut |_, _| {});
        assert!(!end.wants_session());
        end.poll(later + ms(251), &mut |_, _| {});
        assert_eq!(end.wants_session(), wants, "{packet:?} from {from}");
    }
}
