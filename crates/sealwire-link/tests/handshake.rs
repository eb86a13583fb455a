// SPDX-License-Identifier: Apache-2.0
//! The rules of handshake, sessions and rekey, one behaviour a test.

mod support;

use proptest::prelude::*;
use sealwire_link::{
    Error,
    endpoint::{Endpoint, HANDSHAKE_QUEUE, REPLIES_A_SECOND, Timers},
    handshake::Message,
    packet::{Incoming, Verdict},
    schedule::{Ends, Identity, Psk},
    session::SessionKeys,
    suite::{SUITES, Suite},
    wire::{DropCause, Kind, LocalDrop, PacketType, Version},
};
use support::{Dice, I, Pair, R, cause, end_of, end_with, frame, ms, poll, receive, seal};

fn suite() -> &'static Suite {
    Suite::by_code(1).unwrap()
}

/// Hello, hello-reply, confirm and first keep-alive of a new pair, the initiator in CONFIRM, the responder not yet told.
fn until_confirm(pair: &mut Pair) -> [Vec<u8>; 4] {
    let hello = poll(&mut pair.i, pair.now).remove(0);
    let reply = receive(&mut pair.r, pair.now, &hello).said.remove(0);
    let mut said = receive(&mut pair.i, pair.now, &reply).said;
    let (keep_alive, confirm) = (said.pop().unwrap(), said.pop().unwrap());
    assert!(said.is_empty());
    [hello, reply, confirm, keep_alive]
}

fn state(end: &Endpoint<()>) -> &'static str {
    end.status().state
}

#[test]
fn opens_a_session_and_carries_frames_both_ways() {
    for suite in SUITES {
        let mut pair = Pair::with(suite, Timers::default());
        assert_eq!((state(&pair.i), state(&pair.r)), ("idle", "responder"));
        pair.settle();
        assert_eq!(state(&pair.i), "idle");
        for len in [14, 60, 1500, 9600] {
            let packet = seal(&mut pair.i, pair.now, &frame(len)).unwrap();
            assert_eq!(
                receive(&mut pair.r, pair.now, &packet).frame,
                Some(frame(len))
            );
            let packet = seal(&mut pair.r, pair.now, &frame(len)).unwrap();
            assert_eq!(
                receive(&mut pair.i, pair.now, &packet).frame,
                Some(frame(len))
            );
        }
        let counters = pair.i.counters();
        assert_eq!((counters.handshakes_out, counters.handshakes_in), (2, 1));
        assert_eq!((counters.sealed, counters.delivered), (4, 4));
        assert_eq!(counters.delivered_bytes, 14 + 60 + 1500 + 9600);
        pair.check_balance();
    }
}

#[test]
fn seals_nothing_under_keys_that_the_peer_has_not_shown_to_hold() {
    let mut pair = Pair::new();
    let [_, _, confirm, keep_alive] = until_confirm(&mut pair);
    let no_session = Err(LocalDrop::NoSession);
    assert_eq!(seal(&mut pair.i, pair.now, &frame(60)), no_session);
    receive(&mut pair.r, pair.now, &confirm);
    assert_eq!(seal(&mut pair.r, pair.now, &frame(60)), no_session);
    assert!(pair.r.status().alt.is_some() && !pair.r.is_up());
    let said = receive(&mut pair.r, pair.now, &keep_alive).said;
    assert!(
        pair.r.is_up(),
        "the keep-alive shows that the initiator holds the keys"
    );
    assert_eq!(said.len(), 1, "the responder answers at once");
    assert_eq!(seal(&mut pair.i, pair.now, &frame(60)), no_session);
    receive(&mut pair.i, pair.now, &said[0]);
    assert!(seal(&mut pair.i, pair.now, &frame(60)).is_ok());
    assert_eq!(pair.i.counters().trusted_dropped(LocalDrop::NoSession), 2);
    pair.check_balance();
}

#[test]
fn drops_frames_of_another_size() {
    let mut pair = Pair::up();
    for len in [0, 13, 9601, 20_000] {
        assert_eq!(
            seal(&mut pair.i, pair.now, &frame(len)),
            Err(LocalDrop::Size)
        );
    }
    assert_eq!(pair.i.counters().trusted_dropped(LocalDrop::Size), 4);
    pair.check_balance();
}

#[test]
fn repeats_the_hello_every_250_ms_with_a_greater_number() {
    let mut pair = Pair::new();
    let hello = poll(&mut pair.i, pair.now);
    assert_eq!(hello.len(), 1);
    let mut last = number_of(&hello[0]);
    for step in 1..=2500 {
        let said = poll(&mut pair.i, pair.now + ms(step));
        assert_eq!(said.len(), usize::from(step % 250 == 0), "after {step} ms");
        for again in said {
            let number = number_of(&again);
            assert!(number > last, "after {step} ms");
            last = number;
            assert_eq!(
                (&again[..8], &again[16..56]),
                (&hello[0][..8], &hello[0][16..56])
            );
            assert_ne!(again[56..], hello[0][56..], "the MAC covers the number");
        }
    }
}

#[test]
fn repeats_the_same_hello_in_version_1() {
    let mut i = end_of(
        Version::One,
        suite(),
        I,
        R,
        Timers::default(),
        Dice(1).source(),
    );
    let hello = poll(&mut i, ms(0));
    assert_eq!((hello.len(), number_of(&hello[0])), (1, 0));
    assert_eq!(poll(&mut i, ms(250)), hello);
}

/// Bytes 8 to 15 of a packet.
fn number_of(packet: &[u8]) -> u64 {
    u64::from_be_bytes(*packet[8..16].first_chunk().unwrap())
}

#[test]
fn repeats_the_confirm_and_then_begins_anew() {
    let mut pair = Pair::new();
    let [hello, reply, confirm, keep_alive] = until_confirm(&mut pair);
    assert_eq!(state(&pair.i), "confirm");
    assert!(poll(&mut pair.i, pair.now + ms(249)).is_empty());
    let again = poll(&mut pair.i, pair.now + ms(250));
    assert_eq!(again[0], confirm);
    assert_ne!(again[1], keep_alive, "a keep-alive is never sealed twice");
    assert_eq!(again[1][4..8], keep_alive[4..8]);
    assert!(poll(&mut pair.i, pair.now + ms(499)).is_empty());
    let anew = poll(&mut pair.i, pair.now + ms(500));
    assert_eq!(state(&pair.i), "hello");
    assert!(anew.len() == 1 && anew[0] != hello, "a fresh random value");
    assert_eq!(
        cause(&mut pair.i, pair.now, &reply),
        Some(DropCause::Session)
    );
    // The old session stays in `alt`: a late answer in it still ends the handshake.
    receive(&mut pair.r, pair.now, &confirm);
    let late = receive(&mut pair.r, pair.now, &keep_alive).said.remove(0);
    assert_eq!(
        receive(&mut pair.i, pair.now + ms(510), &late).verdict,
        Verdict::KeepAlive
    );
    assert!(pair.i.is_up() && state(&pair.i) == "idle");
}

/// A hello of this number under the key of the tests, with an R of its own.
fn hello_of(number: u64) -> Vec<u8> {
    hello_under(support::psk(suite()), number)
}

fn hello_under(psk: Psk, number: u64) -> Vec<u8> {
    let (local, peer) = (I.to_be_bytes(), R.to_be_bytes());
    let ends = Ends::new(suite(), psk, local, peer, Kind::Ethernet).unwrap();
    let mut r = [0; 32];
    Dice(number).source()(&mut r).unwrap();
    let mac = ends.hello_mac(&r, number).unwrap();
    let hello = Message::new(ends.identity(), PacketType::Hello, [0; 4], number, &r, mac);
    hello.as_bytes().to_vec()
}

#[test]
fn ten_thousand_replays_of_a_hello_get_no_answer() {
    let mut pair = Pair::new();
    let hello = poll(&mut pair.i, pair.now).remove(0);
    let reply = receive(&mut pair.r, pair.now, &hello).said;
    assert!(reply.len() == 1 && reply[0].len() <= hello.len());
    let before = pair.r.status();
    for _ in 0..10_000 {
        let again = receive(&mut pair.r, pair.now, &hello);
        assert_eq!(again.verdict, Verdict::Dropped(DropCause::Stale));
        assert!(again.said.is_empty());
    }
    let after = pair.r.status();
    assert_eq!((after.cur, after.alt), (before.cur, before.alt));
    let counters = pair.r.counters();
    let stale = counters.dropped(DropCause::Stale);
    assert_eq!((stale, counters.handshakes_out), (10_000, 1));
    pair.check_balance();
}

#[test]
fn answers_hellos_of_growing_numbers_only() {
    let mut pair = Pair::new();
    let [zero, one, four, five, six] = [0, 1, 4, 5, 6].map(hello_of);
    // Another R under a number that was taken: the number counts, not the message.
    let mut caller = end_with(suite(), I, R, Timers::default(), Dice(99).source())
        .with_wall_clock(Box::new(|| 5));
    let other_five = poll(&mut caller, ms(0)).remove(0);
    assert_eq!(number_of(&other_five), 5);
    for (hello, expected) in [
        (&zero, Some(DropCause::Stale)),
        (&one, None),
        (&five, None),
        (&other_five, Some(DropCause::Stale)),
        (&five, Some(DropCause::Stale)),
        (&four, Some(DropCause::Stale)),
        (&six, None),
        (&six, Some(DropCause::Stale)),
    ] {
        let reaction = receive(&mut pair.r, pair.now, hello);
        let verdict = expected.map_or(Verdict::Handshake, Verdict::Dropped);
        assert_eq!(reaction.verdict, verdict, "number {}", number_of(hello));
        assert_eq!(reaction.said.len(), usize::from(expected.is_none()));
    }
    pair.check_balance();
}

#[test]
fn a_number_without_its_mac_raises_nothing() {
    let mut pair = Pair::new();
    let [five, six] = [5, 6].map(hello_of);
    let mut forged = five.clone();
    forged[8..16].fill(0xff);
    let mut damaged = hello_of(u64::MAX);
    *damaged.last_mut().unwrap() ^= 1;
    for bad in [&forged, &damaged] {
        assert_eq!(cause(&mut pair.r, pair.now, bad), Some(DropCause::Auth));
    }
    for good in [&five, &six] {
        assert_eq!(cause(&mut pair.r, pair.now, good), None);
    }
}

#[test]
fn hellos_beyond_the_budget_are_surplus_and_make_older_ones_stale() {
    let mut pair = Pair::new();
    let recorded: Vec<_> = (1..=20).map(hello_of).collect();
    let most = REPLIES_A_SECOND as usize;
    for (i, hello) in recorded[..18].iter().enumerate() {
        let reaction = receive(&mut pair.r, pair.now, hello);
        let surplus = Verdict::Dropped(DropCause::Surplus);
        assert_eq!(
            reaction.verdict,
            if i < most {
                Verdict::Handshake
            } else {
                surplus
            }
        );
        assert_eq!(reaction.said.len(), usize::from(i < most));
    }
    // The initiator's own finds the budget spent, and is the last that the recorded ones keep off.
    let mut said = poll(&mut pair.i, pair.now);
    let surplus = Some(DropCause::Surplus);
    assert_eq!(cause(&mut pair.r, pair.now, &said.remove(0)), surplus);
    for hello in &recorded[18..] {
        let stale = Some(DropCause::Stale);
        assert_eq!(cause(&mut pair.r, pair.now + ms(1000), hello), stale);
    }
    pair.run(ms(1000));
    assert!(pair.i.is_up() && pair.r.is_up());
    pair.check_balance();
}

#[test]
fn version_1_answers_a_replayed_hello_but_within_the_budget() {
    let end = |local, peer| {
        let random = Dice(local).source();
        end_of(
            Version::One,
            suite(),
            local,
            peer,
            Timers::default(),
            random,
        )
    };
    let (mut i, mut r) = (end(I, R), end(R, I));
    let hello = poll(&mut i, ms(0)).remove(0);
    for second in 0..3 {
        let replies = (0..100).map(|_| receive(&mut r, ms(1000 * second), &hello).said.len());
        assert_eq!(replies.sum::<usize>(), REPLIES_A_SECOND as usize);
    }
    let surplus = r.counters().dropped(DropCause::Surplus);
    assert_eq!(surplus, 3 * (100 - u64::from(REPLIES_A_SECOND)));
}

/// Neither takes anything of the other's, though key, ids and suite are the same.
#[test]
fn ends_of_two_versions_do_not_meet() {
    for (version, other) in [(Version::One, Version::Two), (Version::Two, Version::One)] {
        let end = |version, local, peer| {
            let random = Dice(local).source();
            end_of(version, suite(), local, peer, Timers::default(), random)
        };
        let (mut i, mut r) = (end(version, I, R), end(other, R, I));
        let mut hello = poll(&mut i, ms(0)).remove(0);
        assert_eq!(cause(&mut r, ms(0), &hello), Some(DropCause::Version));
        // Nor with the other version's number in the header, and none in the hello.
        hello[0] = (other as u8) << 4 | 1;
        hello[8..16].fill(0);
        assert_eq!(cause(&mut r, ms(0), &hello), Some(DropCause::Auth));
        assert_eq!((r.counters().handshakes_out, r.is_up()), (0, false));
    }
}

#[test]
fn after_a_restart_a_recorded_hello_is_answered_once_and_leads_nowhere() {
    let mut pair = Pair::new();
    let [hello, reply, confirm, keep_alive] = until_confirm(&mut pair);
    receive(&mut pair.r, pair.now, &confirm);
    receive(&mut pair.r, pair.now, &keep_alive);
    pair.r = end_with(suite(), R, I, Timers::default(), Dice(50).source());
    let again = receive(&mut pair.r, pair.now, &hello);
    assert_eq!((again.verdict, again.said.len()), (Verdict::Handshake, 1));
    assert_ne!(again.said[0], reply, "another R_r");
    let stale = Some(DropCause::Stale);
    assert_eq!(cause(&mut pair.r, pair.now, &hello), stale);
    let session = Some(DropCause::Session);
    assert_eq!(cause(&mut pair.r, pair.now, &confirm), session);
    assert_eq!(cause(&mut pair.r, pair.now, &keep_alive), session);
    assert_eq!(pair.r.counters().sessions_installed, 0);
    pair.run(ms(2000));
    assert!(pair.i.is_up() && pair.r.is_up());
}

#[test]
fn a_restarted_initiator_is_heard_unless_its_clock_is_behind() {
    let at = |time: u64| {
        let i = end_with(suite(), I, R, Timers::default(), Dice(time).source());
        i.with_wall_clock(Box::new(move || time))
    };
    let mut pair = Pair::new();
    for (time, heard) in [(1_000, true), (2_000, true), (500, false), (2_001, true)] {
        pair.i = at(time);
        pair.run(ms(1000));
        assert_eq!(pair.i.is_up(), heard, "at {time}");
    }
}

#[test]
fn each_key_has_its_own_mark() {
    let mut pair = Pair::new();
    let [five, six] = [5, 6].map(hello_of);
    assert_eq!(cause(&mut pair.r, pair.now, &five), None);
    // The key before keeps its mark while it is taken beside the new one, which begins at 0.
    pair.r
        .set_psk(Psk::new(suite(), &[9; 64]).unwrap())
        .unwrap();
    assert_eq!(cause(&mut pair.r, pair.now, &five), Some(DropCause::Stale));
    assert_eq!(cause(&mut pair.r, pair.now, &six), None);
    pair.i = end_with(suite(), I, R, Timers::default(), Dice(8).source())
        .with_wall_clock(Box::new(|| 1));
    pair.i
        .set_psk(Psk::new(suite(), &[9; 64]).unwrap())
        .unwrap();
    pair.run(ms(1000));
    assert!(pair.i.is_up() && pair.r.is_up());
}

#[test]
fn a_key_that_is_given_again_keeps_its_mark_while_it_is_held() {
    let key = |name: u8| match name {
        b'a' => support::psk(suite()),
        other => Psk::new(suite(), &[other; 64]).unwrap(),
    };
    let (stale, auth) = (Some(DropCause::Stale), Some(DropCause::Auth));
    let mut pair = Pair::new();
    // The key that is given, when, and a hello: its key and its number.
    for (given, at, (name, number), expected) in [
        (b'a', 0, (b'a', 5), None),
        // There and back, with a hello under either key.
        (b'b', 0, (b'b', 3), None),
        (b'a', 0, (b'a', 5), stale),
        (b'a', 0, (b'b', 3), stale),
        (b'a', 0, (b'a', 6), None),
        // What came while it was the key before counts, too.
        (b'b', 0, (b'a', 7), None),
        (b'a', 0, (b'a', 7), stale),
        // A third key begins at 0. The one that it put out does so when it comes again.
        (b'c', 0, (b'c', 1), None),
        (b'a', 0, (b'a', 7), stale),
        (b'b', 0, (b'b', 1), None),
        // T_rekey after the last change the key before is held no more.
        (b'b', 119_000, (b'a', 7), stale),
        (b'b', 121_000, (b'a', 8), auth),
        (b'a', 121_000, (b'a', 1), None),
    ] {
        pair.r.set_psk(key(given)).unwrap();
        let said = cause(&mut pair.r, ms(at), &hello_under(key(name), number));
        let [given, name] = [given, name].map(char::from);
        assert_eq!(said, expected, "{given} given, {name} {number} at {at} ms");
    }
}

#[test]
fn a_random_value_opens_one_session() {
    let mut pair = Pair::new();
    let [hello, reply, confirm, _] = until_confirm(&mut pair);
    assert_eq!(
        receive(&mut pair.r, pair.now, &confirm).verdict,
        Verdict::Handshake
    );
    assert_eq!(
        cause(&mut pair.r, pair.now, &confirm),
        Some(DropCause::Session)
    );
    assert_eq!(cause(&mut pair.r, pair.now, &hello), Some(DropCause::Stale));
    let newer = hello_of(u64::MAX);
    let other = receive(&mut pair.r, pair.now, &newer).said.remove(0);
    assert_ne!(other[24..56], reply[24..56], "the responder drew anew");
    assert_eq!(
        cause(&mut pair.i, pair.now, &reply),
        Some(DropCause::Session)
    );
    assert_eq!(pair.r.counters().sessions_installed, 1);
    pair.check_balance();
}

#[test]
fn a_replayed_confirm_of_an_old_session_changes_nothing() {
    let mut pair = Pair::new();
    let [_, _, confirm, keep_alive] = until_confirm(&mut pair);
    receive(&mut pair.r, pair.now, &confirm);
    pair.i = end_with(suite(), I, R, Timers::default(), Dice(77).source());
    pair.settle();
    let before = pair.r.status();
    assert_eq!(
        cause(&mut pair.r, pair.now, &confirm),
        Some(DropCause::Session)
    );
    assert_eq!(
        cause(&mut pair.r, pair.now, &keep_alive),
        Some(DropCause::Session)
    );
    assert_eq!(pair.r.status(), before);
}

#[test]
fn names_the_first_rule_that_a_handshake_message_breaks() {
    // Each change breaks one rule more, the earliest last; byte positions are those of the message table.
    let mut pair = Pair::new();
    let [hello, _, confirm, _] = until_confirm(&mut pair);
    let mut fresh = Pair::new();
    fresh.i.poll(fresh.now, &mut |(), _| {});
    let reply = receive(&mut fresh.r, fresh.now, &hello).said.remove(0);
    for (to_responder, message) in [(true, &hello), (true, &confirm), (false, &reply)] {
        let end = if to_responder {
            &mut pair.r
        } else {
            &mut fresh.i
        };
        let is_hello = message[0] == 0x21;
        let mut message = message.clone();
        let last = message.len() - 1;
        message.push(0); // padding
        let mut breaks = |at: usize, value: u8, expected| {
            message[at] ^= value;
            assert_eq!(cause(end, pair.now, &message), Some(expected), "byte {at}");
        };
        breaks(last, 1, DropCause::Auth);
        breaks(
            15,
            1,
            if is_hello {
                DropCause::Auth
            } else {
                DropCause::Number
            },
        );
        breaks(23, 1, DropCause::Peer);
        breaks(4, 1, DropCause::Session);
        breaks(3, 1, DropCause::Length);
        breaks(1, 2, DropCause::Suite);
        breaks(0, 0x0c, DropCause::Type);
        breaks(0, 0xf0, DropCause::Version);
        assert_eq!(cause(end, pair.now, &message[..40]), Some(DropCause::Short));
    }
    assert!(receive(&mut pair.r, pair.now, &confirm).verdict == Verdict::Handshake);
    assert!(receive(&mut fresh.i, fresh.now, &reply).verdict == Verdict::Handshake);
}

#[test]
fn no_flipped_bit_in_a_handshake_message_passes() {
    let mut pair = Pair::new();
    let [hello, _, confirm, _] = until_confirm(&mut pair);
    let mut fresh = Pair::new();
    fresh.i.poll(fresh.now, &mut |(), _| {});
    let reply = receive(&mut fresh.r, fresh.now, &hello).said.remove(0);
    let before = (pair.r.status(), fresh.i.status());
    for (to_responder, message) in [(true, &hello), (true, &confirm), (false, &reply)] {
        let end = if to_responder {
            &mut pair.r
        } else {
            &mut fresh.i
        };
        for bit in 0..message.len() * 8 {
            let mut changed = message.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let reaction = receive(end, pair.now, &changed);
            assert!(matches!(reaction.verdict, Verdict::Dropped(_)), "bit {bit}");
            assert!(reaction.said.is_empty());
        }
    }
    assert_eq!((pair.r.status(), fresh.i.status()), before);
}

#[test]
fn drops_what_is_reflected() {
    let mut pair = Pair::new();
    let [hello, reply, confirm, keep_alive] = until_confirm(&mut pair);
    for packet in [&hello, &confirm] {
        assert_eq!(cause(&mut pair.i, pair.now, packet), Some(DropCause::Type));
    }
    assert_eq!(cause(&mut pair.r, pair.now, &reply), Some(DropCause::Type));
    assert_eq!(
        cause(&mut pair.i, pair.now, &keep_alive),
        Some(DropCause::Session)
    );
}

#[test]
fn stays_in_touch_with_keep_alives_and_without_new_handshakes() {
    let mut pair = Pair::up();
    let before = pair.i.counters().handshakes_out;
    let (a, b) = (
        pair.i.counters().keep_alives_out,
        pair.r.counters().keep_alives_out,
    );
    pair.run(ms(10_000));
    let sent = pair.i.counters().keep_alives_out - a;
    assert!((39..=41).contains(&sent), "{sent} in 10 s");
    let sent = pair.r.counters().keep_alives_out - b;
    assert!((39..=41).contains(&sent), "{sent} in 10 s");
    assert_eq!(pair.i.counters().handshakes_out, before);
    pair.check_balance();
}

#[test]
fn sends_no_keep_alive_while_frames_flow() {
    let mut pair = Pair::up();
    let before = pair.i.counters().keep_alives_out;
    for _ in 0..200 {
        pair.run(ms(20));
        let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
        receive(&mut pair.r, pair.now, &packet);
    }
    assert_eq!(pair.i.counters().keep_alives_out, before);
}

#[test]
fn rekeys_by_age_and_keeps_the_old_session_for_two_seconds() {
    let mut pair = Pair::up();
    let old = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    let older = seal(&mut pair.i, pair.now, &frame(61)).unwrap();
    let first = pair.i.status().cur.unwrap();
    pair.run(ms(119_990));
    assert_eq!(pair.i.status().cur.unwrap().to_peer, first.to_peer);
    pair.run(ms(10));
    let second = pair.i.status().cur.unwrap();
    assert!(second.to_peer != first.to_peer && second.from_peer != first.from_peer);
    assert_eq!(pair.i.status().alt.unwrap().to_peer, first.to_peer);
    pair.run(ms(1_900));
    // A late packet of the old session is taken, once.
    assert_eq!(cause(&mut pair.r, pair.now, &old), None);
    assert_eq!(cause(&mut pair.r, pair.now, &old), Some(DropCause::Replay));
    pair.run(ms(100));
    assert_eq!(pair.i.status().alt, None);
    assert_eq!(
        cause(&mut pair.r, pair.now, &older),
        Some(DropCause::Session)
    );
    pair.check_balance();
}

#[test]
fn a_frame_that_a_rekey_overtakes_is_delivered() {
    let mut pair = Pair::up();
    pair.run(ms(119_990));
    let (late, old) = (
        seal(&mut pair.i, pair.now, &frame(60)).unwrap(),
        pair.i.status().cur.unwrap().to_peer,
    );
    pair.run(ms(1_500));
    assert_ne!(pair.i.status().cur.unwrap().to_peer, old);
    assert_eq!(receive(&mut pair.r, pair.now, &late).frame, Some(frame(60)));
}

#[test]
fn rekeys_by_packet_number_sent_or_received() {
    for from_initiator in [true, false] {
        let mut pair = Pair::with(suite(), Timers::default().with_rekey_packets(50));
        pair.settle();
        let first = pair.i.status().cur.unwrap();
        for _ in 0..50 {
            let (from, to) = if from_initiator {
                (&mut pair.i, &mut pair.r)
            } else {
                (&mut pair.r, &mut pair.i)
            };
            let packet = seal(from, pair.now, &frame(60)).unwrap();
            assert!(receive(to, pair.now, &packet).frame.is_some());
        }
        pair.settle();
        assert_ne!(pair.i.status().cur.unwrap().to_peer, first.to_peer);
        assert_eq!(pair.i.counters().sessions_taken, 2);
    }
}

#[test]
fn erases_every_session_at_its_longest_age() {
    let mut pair = Pair::up();
    let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    // The initiator is gone; the responder must not go on for ever.
    let mut age = 0;
    while age < 180_000 {
        assert!(pair.r.is_up(), "after {age} ms");
        age += 100;
        poll(&mut pair.r, pair.now + ms(age));
    }
    assert!(!pair.r.is_up());
    let now = pair.now + ms(age);
    assert_eq!(
        seal(&mut pair.r, now, &frame(60)),
        Err(LocalDrop::NoSession)
    );
    assert_eq!(cause(&mut pair.r, now, &packet), Some(DropCause::Session));
}

#[test]
fn an_old_session_opens_nothing_even_if_nobody_polls() {
    let mut pair = Pair::up();
    let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    let late = pair.now + ms(180_000);
    assert_eq!(cause(&mut pair.r, late, &packet), Some(DropCause::Session));
    assert_eq!(
        seal(&mut pair.i, late, &frame(60)),
        Err(LocalDrop::NoSession)
    );
}

#[test]
fn recovers_when_either_end_restarts() {
    for restart in [I, R] {
        let mut pair = Pair::up();
        pair.run(ms(5_000));
        let end = end_with(
            suite(),
            restart,
            I + R - restart,
            Timers::default(),
            Dice(99).source(),
        );
        if restart == I {
            pair.i = end;
        } else {
            pair.r = end;
        }
        pair.run(ms(1_100));
        assert_eq!(
            pair.i.status().cur.unwrap().to_peer,
            pair.r.status().cur.unwrap().from_peer
        );
        let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
        assert!(receive(&mut pair.r, pair.now, &packet).frame.is_some());
        pair.check_balance();
    }
}

#[test]
fn a_new_key_counts_from_the_next_handshake() {
    let mut pair = Pair::up();
    let other = || Psk::new(suite(), &[0x77; 64]).unwrap();
    let first = pair.i.status().cur.unwrap().to_peer;
    pair.i.set_psk(other()).unwrap();
    pair.r.set_psk(other()).unwrap();
    let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    assert!(
        receive(&mut pair.r, pair.now, &packet).frame.is_some(),
        "live sessions go on"
    );
    pair.run(ms(121_000));
    assert_ne!(pair.i.status().cur.unwrap().to_peer, first);
    let short = Psk::new(Suite::by_code(5).unwrap(), &[1; 32]).unwrap();
    assert!(matches!(
        pair.i.set_psk(short),
        Err(Error::KeyLength { .. })
    ));
    // With one end's key changed alone, no handshake passes once the old key's time is over, and the cause says so.
    pair.r
        .set_psk(Psk::new(suite(), &[0x78; 64]).unwrap())
        .unwrap();
    pair.run(ms(241_000));
    assert!(pair.r.counters().dropped(DropCause::Auth) > 0 && state(&pair.i) == "hello");
}

#[test]
fn a_new_key_restarts_a_handshake_under_way() {
    let mut pair = Pair::new();
    let hello = poll(&mut pair.i, pair.now);
    pair.i
        .set_psk(Psk::new(suite(), &[0x77; 64]).unwrap())
        .unwrap();
    pair.r
        .set_psk(Psk::new(suite(), &[0x77; 64]).unwrap())
        .unwrap();
    assert!(poll(&mut pair.r, pair.now).is_empty(), "its clock begins");
    pair.now += ms(120_000);
    assert_eq!(
        cause(&mut pair.r, pair.now, &hello[0]),
        Some(DropCause::Auth)
    );
    pair.settle();
    assert!(pair.i.is_up());
}

#[test]
fn keys_are_changed_at_one_end_after_the_other_without_a_loss() {
    let key = |byte| Psk::new(suite(), &[byte; 64]).unwrap();
    let mut pair = Pair::up();
    let named = |pair: &Pair| [&pair.i, &pair.r].map(|end| end.key_fingerprint().unwrap());
    let [before, same] = named(&pair);
    assert_eq!(before, same);
    pair.r.set_psk(key(0x77)).unwrap();
    let [i, r] = named(&pair);
    assert!(
        i == before && r != before,
        "whoever looks sees that the ends differ"
    );
    // The initiator comes back with the old key, as after a restart: it is taken until T_rekey is over.
    for (after, passes) in [(119_000, true), (2_000, false)] {
        pair.now += ms(after);
        pair.i = end_with(suite(), I, R, Timers::default(), Dice(after).source());
        pair.settle();
        assert_eq!(pair.i.is_up(), passes, "{after} ms later");
    }
    // It begins under the new key at once.
    pair.i.set_psk(key(0x77)).unwrap();
    pair.settle();
    assert!(pair.i.is_up() && named(&pair) == [r, r]);
    let first = pair.i.status().cur.unwrap().to_peer;
    pair.r.set_psk(key(0x78)).unwrap();
    pair.i.set_psk(key(0x78)).unwrap();
    pair.settle();
    assert_ne!(
        pair.i.status().cur.unwrap().to_peer,
        first,
        "not only after T_rekey"
    );
}

#[test]
fn the_present_key_again_changes_nothing() {
    let key = |byte| Psk::new(suite(), &[byte; 64]).unwrap();
    let mut pair = Pair::up();
    pair.r.set_psk(key(0x77)).unwrap();
    pair.now += ms(60_000);
    pair.r.set_psk(key(0x77)).unwrap();
    // The other end has the old key still, for as long as the first call said and no longer.
    for (after, passes) in [(59_000, true), (2_000, false)] {
        pair.now += ms(after);
        pair.i = end_with(suite(), I, R, Timers::default(), Dice(after).source());
        pair.settle();
        assert_eq!(pair.i.is_up(), passes, "{after} ms later");
    }
    // The end that calls begins once, for the new key, and not again for the same.
    pair.i.set_psk(key(0x77)).unwrap();
    pair.settle();
    let session = pair.i.status().cur.unwrap().to_peer;
    pair.i.set_psk(key(0x77)).unwrap();
    assert_eq!(state(&pair.i), "idle");
    pair.settle();
    assert_eq!(pair.i.status().cur.unwrap().to_peer, session);
}

#[test]
fn what_is_erased_serves_nobody() {
    let key = |byte| Psk::new(suite(), &[byte; 64]).unwrap();
    let mut pair = Pair::up();
    let late = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    pair.r.set_psk(key(0x77)).unwrap();
    pair.r.erase();
    assert_eq!(
        cause(&mut pair.r, pair.now, &late),
        Some(DropCause::Session)
    );
    assert_eq!(
        seal(&mut pair.r, pair.now, &frame(60)),
        Err(LocalDrop::NoSession)
    );
    let mut other = end_with(suite(), I, R, Timers::default(), Dice(9).source());
    let hello = poll(&mut other, pair.now).remove(0);
    let said = cause(&mut pair.r, pair.now, &hello);
    assert_eq!(said, Some(DropCause::Auth), "the old key is gone, too");
    pair.i.set_psk(key(0x77)).unwrap();
    pair.i.erase();
    assert!(!pair.i.is_up());
    pair.settle();
    assert!(pair.i.is_up() && pair.r.is_up());
    pair.check_balance();
}

#[test]
fn a_random_value_of_the_responder_lives_ten_seconds() {
    for (after, installs) in [(9_900, true), (10_000, false)] {
        let mut pair = Pair::new();
        let [_, _, confirm, _] = until_confirm(&mut pair);
        assert!(
            pair.r.deadline() <= pair.now + ms(10_000),
            "it is not forgotten"
        );
        pair.now += ms(after);
        let said = cause(&mut pair.r, pair.now, &confirm);
        assert_eq!(said, (!installs).then_some(DropCause::Session));
        assert_eq!(pair.r.status().alt.is_some(), installs);
    }
    // The next hello has another drawn.
    let mut pair = Pair::new();
    let [_, reply, ..] = until_confirm(&mut pair);
    let [newer, newest] = [u64::MAX - 1, u64::MAX].map(hello_of);
    for (hello, after, is_same) in [(newer, 0, true), (newest, 10_000, false)] {
        let said = receive(&mut pair.r, pair.now + ms(after), &hello).said;
        assert_eq!(
            said[0][24..56] == reply[24..56],
            is_same,
            "after {after} ms"
        );
    }
}

/// An end whose addresses are numbers.
fn end_at<A: Copy + PartialEq>(local: u64, peer: u64, to: Option<A>) -> Endpoint<A> {
    let ends = sealwire_link::schedule::Ends::new(
        suite(),
        support::psk(suite()),
        local.to_be_bytes(),
        peer.to_be_bytes(),
        Kind::Ethernet,
    );
    Endpoint::new(ends.unwrap(), Timers::default(), to, Dice(local).source()).unwrap()
}

#[test]
fn junk_takes_no_place_of_a_handshake_message() {
    let mut r = end_at(R, I, Some(7));
    // Each hello is newer than the one before, and no second has more of them than are answered.
    let mut number = 0;
    let mut next = |at: usize| {
        number += 1;
        let hello = hello_of(number);
        let mut junk = hello.clone();
        junk[at] ^= 1;
        (ms(100 * number), hello, junk)
    };
    // From elsewhere and wrong in its session or sender, or in what the MAC covers.
    for (at, from, served) in [(4, 5, 64), (16, 5, 64), (15, 5, 4), (60, 5, 4), (60, 7, 4)] {
        let mut answered = 0;
        for place in 0..64 {
            let (now, hello, junk) = next(at);
            let mut packets = vec![junk; 64];
            packets[place] = hello;
            let mut batch: Vec<_> = packets
                .iter_mut()
                .map(|packet| Incoming::new(packet, from))
                .collect();
            r.receive(now, &mut batch, &mut |_, _| answered += 1);
        }
        assert_eq!(answered, served, "byte {at}");
    }
    // Against what costs a MAC each, places are kept for the known address.
    for place in 0..64 {
        let (now, hello, junk) = next(60);
        let mut packets = vec![junk; 64];
        packets[place] = hello;
        let from = |k| if k == place { 7 } else { 5 };
        let mut batch: Vec<_> = (0..)
            .zip(&mut packets)
            .map(|(k, packet)| Incoming::new(packet, from(k)))
            .collect();
        let mut answered = 0;
        r.receive(now, &mut batch, &mut |_, _| answered += 1);
        assert_eq!(answered, 1, "place {place}");
        let overload = Verdict::Dropped(DropCause::Overload);
        let left = batch.iter().filter(|packet| packet.verdict() == overload);
        assert_eq!(left.count(), 64 - HANDSHAKE_QUEUE);
    }
    assert!(r.counters().balance());
}

#[test]
fn an_initiator_hears_answers_from_where_it_calls() {
    let (mut i, mut r) = (end_at(I, R, Some(9)), end_at(R, I, None));
    let mut wire = Vec::new();
    i.poll(ms(0), &mut |_, packet| wire.push(packet.to_vec()));
    let mut hello = wire.remove(0);
    r.receive(
        ms(0),
        &mut [Incoming::new(&mut hello, 1)],
        &mut |_, packet| {
            wire.push(packet.to_vec());
        },
    );
    let reply = wire.remove(0);
    for (from, expected) in [
        (8, Verdict::Dropped(DropCause::Peer)),
        (9, Verdict::Handshake),
    ] {
        let mut bytes = reply.clone();
        let mut batch = [Incoming::new(&mut bytes, from)];
        i.receive(ms(0), &mut batch, &mut |_, _| {});
        assert_eq!(batch[0].verdict(), expected, "from {from}");
    }
}

/// Brings a session up between an initiator at `at` and a responder; gives what the initiator sends then, a keep-alive each.
fn up_from<A: Copy + PartialEq>(i: &mut Endpoint<u16>, r: &mut Endpoint<A>, at: A) {
    let mut to_r = Vec::new();
    i.poll(ms(0), &mut |_, packet| to_r.push(packet.to_vec()));
    while let Some(mut packet) = to_r.pop() {
        let mut to_i = Vec::new();
        let mut batch = [Incoming::new(&mut packet, at)];
        r.receive(ms(0), &mut batch, &mut |_, packet| {
            to_i.push(packet.to_vec());
        });
        for mut packet in to_i {
            let mut batch = [Incoming::new(&mut packet, 9)];
            i.receive(ms(0), &mut batch, &mut |_, packet| {
                to_r.insert(0, packet.to_vec());
            });
        }
    }
    assert!(i.is_up() && r.is_up());
}

/// A keep-alive that the end sends at this time.
fn keep_alive(end: &mut Endpoint<u16>, at: u64) -> Vec<u8> {
    let mut said = Vec::new();
    end.poll(ms(at), &mut |_, packet| said.push(packet.to_vec()));
    said.remove(0)
}

fn take<A: Copy + PartialEq>(end: &mut Endpoint<A>, packet: &[u8], from: A) -> Verdict {
    let mut bytes = packet.to_vec();
    let mut batch = [Incoming::new(&mut bytes, from)];
    end.receive(ms(0), &mut batch, &mut |_, _| {});
    batch[0].verdict()
}

#[test]
fn a_responder_follows_the_newest_authentic_packet() {
    let (mut i, mut r) = (end_at(I, R, Some(9)), end_at(R, I, None));
    up_from(&mut i, &mut r, 1);
    assert_eq!((r.peer(), r.counters().peer_moves), (Some(1), 0));
    let [held_back, newest] = [300, 600].map(|at| keep_alive(&mut i, at));
    let mut forged = newest.clone();
    *forged.last_mut().unwrap() ^= 1;
    for (packet, from, verdict, peer) in [
        (&forged, 2, Verdict::Dropped(DropCause::Auth), 1),
        (&newest, 3, Verdict::KeepAlive, 3),
        (&newest, 4, Verdict::Dropped(DropCause::Replay), 3),
        (&held_back, 5, Verdict::KeepAlive, 3),
    ] {
        assert_eq!(take(&mut r, packet, from), verdict, "from {from}");
        assert_eq!(r.peer(), Some(peer), "after a packet from {from}");
    }
    assert_eq!(r.counters().peer_moves, 1);
    assert!(r.counters().balance());
}

#[test]
fn a_confirm_alone_moves_no_data() {
    let (mut i, mut r) = (end_at(I, R, Some(9)), end_at(R, I, None));
    up_from(&mut i, &mut r, 1);
    // The next handshake's confirm reaches the responder from elsewhere; its keep-alive comes from where the initiator is.
    let later = ms(120_000);
    let mut said = Vec::new();
    i.poll(later, &mut |_, packet| said.push(packet.to_vec()));
    let hello = said.iter().find(|packet| packet[0] == 0x21).unwrap();
    let mut reply = Vec::new();
    let mut bytes = hello.clone();
    r.receive(
        later,
        &mut [Incoming::new(&mut bytes, 1)],
        &mut |_, packet| reply = packet.to_vec(),
    );
    let mut said = Vec::new();
    i.receive(
        later,
        &mut [Incoming::new(&mut reply, 9)],
        &mut |_, packet| said.push(packet.to_vec()),
    );
    let [confirm, first] = <[_; 2]>::try_from(said).unwrap();
    for (packet, from, verdict, peer) in [
        (&confirm, 2, Verdict::Handshake, 1),
        (&first, 1, Verdict::KeepAlive, 1),
    ] {
        let mut bytes = packet.clone();
        let mut batch = [Incoming::new(&mut bytes, from)];
        r.receive(later, &mut batch, &mut |to, _| assert_eq!(to, 1));
        assert_eq!((batch[0].verdict(), r.peer()), (verdict, Some(peer)));
    }
    assert_eq!(r.counters().sessions_taken, 2);
}

#[test]
fn a_pinned_peer_stays_where_it_is() {
    assert!(end_at::<u16>(R, I, None).pin_peer().is_err());
    let (mut i, mut r) = (end_at(I, R, Some(9)), end_at(R, I, Some(1)));
    r.pin_peer().unwrap();
    let mut hello = Vec::new();
    i.poll(ms(0), &mut |_, packet| hello = packet.to_vec());
    assert_eq!(take(&mut r, &hello, 2), Verdict::Dropped(DropCause::Peer));
    let mut i = end_at(I, R, Some(9));
    up_from(&mut i, &mut r, 1);
    let packet = keep_alive(&mut i, 300);
    assert_eq!(take(&mut r, &packet, 2), Verdict::KeepAlive);
    assert_eq!((r.peer(), r.counters().peer_moves), (Some(1), 0));
}

/// An address, and something else that a packet from there says.
#[derive(Debug, Clone, Copy)]
struct Place(u16, char);

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

#[test]
fn a_responder_takes_more_than_the_place_from_the_newest_authentic_packet() {
    for pinned in [false, true] {
        let to = pinned.then_some(Place(1, 'z'));
        let (mut i, mut r) = (end_at(I, R, Some(9)), end_at(R, I, to));
        if pinned {
            r.pin_peer().unwrap();
        }
        up_from(&mut i, &mut r, Place(1, 'a'));
        assert_eq!(r.peer().unwrap().1, 'a');
        let [held_back, newest] = [300, 600].map(|at| keep_alive(&mut i, at));
        let mut forged = newest.clone();
        *forged.last_mut().unwrap() ^= 1;
        for (packet, said) in [(&forged, 'b'), (&newest, 'c'), (&held_back, 'd')] {
            take(&mut r, packet, Place(1, said));
        }
        assert_eq!(r.peer().unwrap().1, 'c');
        assert_eq!(r.counters().peer_moves, 0, "it is one place");
    }
}

#[test]
fn another_key_or_kind_or_peer_gets_no_answer() {
    let hello_of = |kind, key: u8, local: u64, peer: u64| {
        let ends = sealwire_link::schedule::Ends::new(
            suite(),
            Psk::new(suite(), &[key; 64]).unwrap(),
            local.to_be_bytes(),
            peer.to_be_bytes(),
            kind,
        )
        .unwrap();
        Endpoint::new(ends, Timers::default(), Some(()), Dice(3).source()).unwrap()
    };
    let mut responder = hello_of(Kind::Ethernet, 7, R, I);
    for (kind, key, local, expected) in [
        (Kind::Ethernet, 8, I, Some(DropCause::Auth)),
        (Kind::Ip, 7, I, Some(DropCause::Auth)),
        (Kind::Ethernet, 7, 0, None),
        (Kind::Ethernet, 7, I, None),
    ] {
        if local == 0 {
            let mut stranger = hello_of(kind, key, u64::MAX - 1, u64::MAX);
            let hello = poll(&mut stranger, ms(0)).remove(0);
            assert_eq!(cause(&mut responder, ms(0), &hello), Some(DropCause::Peer));
            continue;
        }
        let mut end = hello_of(kind, key, local, R);
        let hello = poll(&mut end, ms(0)).remove(0);
        assert_eq!(cause(&mut responder, ms(0), &hello), expected);
    }
}

#[test]
fn a_flood_of_hellos_never_holds_up_data() {
    let mut pair = Pair::up();
    let mut other = end_with(suite(), I, R, Timers::default(), Dice(5).source());
    let hello = poll(&mut other, pair.now).remove(0);
    let mut bytes: Vec<_> = (0..100).map(|_| hello.clone()).collect();
    let data = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    bytes.push(data);
    let mut batch: Vec<_> = bytes
        .iter_mut()
        .map(|packet| Incoming::new(packet, ()))
        .collect();
    let mut said = 0;
    pair.r.receive(pair.now, &mut batch, &mut |(), _| said += 1);
    assert_eq!(batch[100].verdict(), Verdict::Frame);
    let count = |verdict| {
        batch
            .iter()
            .filter(|packet| packet.verdict() == verdict)
            .count()
    };
    assert_eq!(count(Verdict::Handshake), 1);
    assert_eq!(
        count(Verdict::Dropped(DropCause::Stale)),
        HANDSHAKE_QUEUE - 1
    );
    assert_eq!(
        count(Verdict::Dropped(DropCause::Overload)),
        100 - HANDSHAKE_QUEUE
    );
    assert_eq!(said, 1);
    pair.check_balance();
}

#[test]
fn what_follows_its_handshake_message_in_one_batch_is_taken() {
    let mut pair = Pair::new();
    let [hello, _, confirm, keep_alive] = until_confirm(&mut pair);
    let early = keep_alive.clone();
    let mut forged = keep_alive.clone();
    forged[16] ^= 1;
    let mut unknown = keep_alive.clone();
    unknown[4] ^= 1;
    let mut bytes = vec![early, hello.clone(), confirm.clone(), forged, unknown];
    // Hellos between them, and more packets than one round takes.
    bytes.extend(vec![hello; 100]);
    bytes.extend([keep_alive.clone(), keep_alive, confirm]);
    let mut batch: Vec<_> = bytes
        .iter_mut()
        .map(|packet| Incoming::new(packet, ()))
        .collect();
    let mut said = Vec::new();
    pair.r.receive(pair.now, &mut batch, &mut |(), packet| {
        said.push(packet.to_vec());
    });
    let dropped = Verdict::Dropped;
    for (i, expected) in [
        (0, dropped(DropCause::Session)),
        (1, dropped(DropCause::Stale)),
        (2, Verdict::Handshake),
        (3, dropped(DropCause::Auth)),
        (4, dropped(DropCause::Session)),
        (5, dropped(DropCause::Stale)),
        (7, dropped(DropCause::Overload)),
        (105, Verdict::KeepAlive),
        (106, dropped(DropCause::Replay)),
        (107, dropped(DropCause::Overload)),
    ] {
        assert_eq!(batch[i].verdict(), expected, "packet {i}");
    }
    assert!(pair.r.is_up());
    let keep_alive = said.pop().unwrap();
    assert_eq!(keep_alive[0], 0x20, "the new session is said at once");
    assert_eq!(
        receive(&mut pair.i, pair.now, &keep_alive).verdict,
        Verdict::KeepAlive
    );
    assert!(pair.i.is_up() && pair.r.counters().balance());
}

#[test]
fn of_copies_in_one_batch_one_passes() {
    let mut pair = Pair::up();
    let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    let mut copies = vec![packet; 70];
    let mut batch: Vec<_> = copies
        .iter_mut()
        .map(|packet| Incoming::new(packet, ()))
        .collect();
    pair.r.receive(pair.now, &mut batch, &mut |(), _| {});
    let passed = batch
        .iter()
        .filter(|packet| packet.frame().is_some())
        .count();
    assert_eq!(passed, 1);
    drop(batch);
    let wiped = |packet: &Vec<u8>| packet[16..76].iter().all(|&byte| byte == 0);
    assert!(
        copies[1..64].iter().all(wiped),
        "what opened but may not leave is wiped"
    );
    assert_eq!(pair.r.counters().dropped(DropCause::Replay), 69);
}

#[test]
fn goes_on_when_the_clock_runs_back() {
    let mut pair = Pair::up();
    pair.now -= ms(900_000);
    pair.run(ms(1_000));
    assert!(pair.i.is_up() && pair.i.counters().sessions_taken == 1);
    pair.run(ms(121_000));
    assert_eq!(pair.i.counters().sessions_taken, 2);
}

#[test]
fn a_leap_of_the_clock_costs_one_handshake() {
    let mut pair = Pair::up();
    pair.now += ms(10_000_000);
    pair.settle();
    assert!(pair.i.is_up() && pair.r.is_up());
    assert_eq!(pair.i.counters().sessions_taken, 2);
}

#[test]
fn without_random_bytes_nothing_starts_and_nothing_breaks() {
    let mut pair = Pair::new();
    let mut fail = true;
    let mut dice = Dice(4).source();
    let random = move |bytes: &mut [u8]| {
        fail = !fail;
        if fail {
            dice(bytes)
        } else {
            Err(Error::Random)
        }
    };
    pair.i = end_with(suite(), I, R, Timers::default(), Box::new(random));
    assert!(poll(&mut pair.i, pair.now).is_empty());
    assert!(pair.i.deadline() > pair.now, "no busy loop");
    pair.run(ms(300));
    assert!(pair.i.is_up());
}

/// Polling at deadlines alone does all that frequent polling does.
#[test]
fn the_deadline_is_never_late() {
    let mut pair = Pair::new();
    let mut often = Pair::new();
    let end = pair.now + ms(400_000);
    while pair.now < end {
        pair.settle();
        let next = pair.i.deadline().min(pair.r.deadline());
        assert!(next > pair.now, "something due was not done");
        pair.now = next;
    }
    while often.now < pair.now {
        often.settle();
        often.now += ms(10);
    }
    assert_eq!(
        pair.i.counters().sessions_taken,
        often.i.counters().sessions_taken
    );
    assert_eq!(
        pair.i.counters().handshakes_out,
        often.i.counters().handshakes_out
    );
    let (a, b) = (
        pair.i.counters().keep_alives_out,
        often.i.counters().keep_alives_out,
    );
    assert!(a.abs_diff(b) < 10, "{a} and {b} keep-alives");
}

#[test]
fn data_goes_where_the_newest_good_packet_came_from() {
    let make = |local: u64, peer: u64, to| {
        let ends = sealwire_link::schedule::Ends::new(
            suite(),
            support::psk(suite()),
            local.to_be_bytes(),
            peer.to_be_bytes(),
            Kind::Ethernet,
        )
        .unwrap();
        Endpoint::<u16>::new(ends, Timers::default(), to, Dice(local).source())
    };
    assert_eq!(make(I, R, None).err(), Some(Error::NoPeer));
    let (mut i, mut r) = (make(I, R, Some(1000)).unwrap(), make(R, I, None).unwrap());
    let mut wire: Vec<(u16, Vec<u8>)> = Vec::new();
    i.poll(ms(0), &mut |to, packet| wire.push((to, packet.to_vec())));
    // Each packet of the initiator comes from another port, as behind an address translation that restarts.
    let mut port = 50;
    while !wire.is_empty() {
        for (to, mut packet) in std::mem::take(&mut wire) {
            let mut out = |to, packet: &[u8]| wire.push((to, packet.to_vec()));
            if to == 1000 {
                port += 1;
                let is_data = packet[0] == 0x20;
                r.receive(ms(0), &mut [Incoming::new(&mut packet, port)], &mut out);
                assert_eq!(r.peer().is_some(), port >= 53);
                if is_data {
                    assert_eq!(r.peer(), Some(port));
                }
            } else {
                assert!(to == port || r.peer() == Some(to));
                i.receive(ms(0), &mut [Incoming::new(&mut packet, 1000)], &mut out);
            }
        }
    }
    assert!(i.is_up() && r.is_up());
    assert_eq!((port, r.peer()), (53, Some(53)));
}

fn loaded(local: u64, peer: u64) -> Endpoint<()> {
    let (a, b) = (local.to_be_bytes(), peer.to_be_bytes());
    let identity = Identity::new(suite(), a, b, Kind::Ethernet).unwrap();
    Endpoint::loaded(identity, Timers::default(), ())
}

fn session_bytes(seed: u64) -> Vec<u8> {
    let mut bytes = vec![0; SessionKeys::bytes_len(suite())];
    Dice(seed).source()(&mut bytes).unwrap();
    bytes
}

#[test]
fn takes_loaded_sessions_by_the_same_rules() {
    let keys = |seed| SessionKeys::from_bytes(suite(), &session_bytes(seed)).unwrap();
    let mut pair = Pair::new();
    (pair.i, pair.r) = (loaded(I, R), loaded(R, I));
    pair.run(ms(1_000));
    assert_eq!(pair.i.counters().untrusted_out, 0);
    pair.r.load(pair.now, keys(1)).unwrap();
    assert!(
        poll(&mut pair.r, pair.now).is_empty(),
        "the responder waits"
    );
    pair.i.load(pair.now, keys(1)).unwrap();
    assert_eq!(
        seal(&mut pair.i, pair.now, &frame(60)),
        Err(LocalDrop::NoSession)
    );
    assert!(
        pair.i.deadline() <= pair.now && pair.r.deadline() > pair.now,
        "who polls an end when it is due makes the session known at once"
    );
    let knock = poll(&mut pair.i, pair.now);
    assert_eq!(knock.len(), 1);
    assert_eq!(pair.i.deadline(), pair.now + ms(250));
    assert_eq!(
        poll(&mut pair.i, pair.now + ms(250)).len(),
        1,
        "until the peer is heard"
    );
    receive(&mut pair.r, pair.now, &knock[0]);
    pair.run(ms(300));
    assert!(pair.i.is_up() && pair.r.is_up());
    let packet = seal(&mut pair.i, pair.now, &frame(60)).unwrap();
    assert_eq!(
        receive(&mut pair.r, pair.now, &packet).frame,
        Some(frame(60))
    );
    assert_eq!(pair.i.load(pair.now, keys(1)), Err(Error::SessionTaken));
    // The next one, without loss.
    pair.r.load(pair.now, keys(2)).unwrap();
    pair.i.load(pair.now, keys(2)).unwrap();
    let late = seal(&mut pair.i, pair.now, &frame(70)).unwrap();
    pair.run(ms(300));
    assert_eq!(pair.i.counters().sessions_taken, 2);
    assert_eq!(receive(&mut pair.r, pair.now, &late).frame, Some(frame(70)));
    // No handshakes here.
    let hello = poll(&mut Pair::new().i, pair.now).remove(0);
    assert_eq!(cause(&mut pair.r, pair.now, &hello), Some(DropCause::Type));
    pair.run(ms(181_000));
    assert!(!pair.i.is_up() && !pair.r.is_up(), "nobody renews them");
    for end in [&mut pair.i, &mut pair.r] {
        for old in [1, 2] {
            let again = end.load(pair.now, keys(old));
            assert_eq!(
                again,
                Err(Error::SessionTaken),
                "{old} is dead, but was loaded"
            );
        }
        assert_eq!(end.load(pair.now, keys(3)), Ok(()));
    }
    pair.check_balance();
}

#[test]
fn an_end_without_an_address_is_not_due_for_ever() {
    let identity = *loaded(I, R).identity();
    let mut end = Endpoint::<()>::loaded(identity, Timers::default(), None);
    let keys = SessionKeys::from_bytes(suite(), &session_bytes(1)).unwrap();
    end.load(ms(1_000), keys).unwrap();
    assert!(poll(&mut end, ms(1_000)).is_empty());
    assert!(end.deadline() > ms(1_000), "there is nobody to send to");
}

#[test]
fn refuses_sessions_that_cannot_be_loaded() {
    let bytes = session_bytes(1);
    let error = |bytes: &[u8]| SessionKeys::from_bytes(suite(), bytes).err();
    assert!(matches!(
        error(&bytes[1..]),
        Some(Error::SessionPart {
            given: 183,
            needed: 184,
            ..
        })
    ));
    for at in [bytes.len() - 8, bytes.len() - 4] {
        let mut zero = bytes.clone();
        zero[at..at + 4].fill(0);
        assert_eq!(error(&zero), Some(Error::ZeroSession));
    }
    let mut one_key = bytes.clone();
    one_key.copy_within(..suite().key_len, suite().key_len);
    assert_eq!(error(&one_key), Some(Error::OneKey));
    for at in [suite().key_len, 2 * suite().key_len - 1] {
        let mut other = one_key.clone();
        other[at] ^= 1;
        assert_eq!(error(&other), None, "byte {at} tells the keys apart");
    }
    let keys = SessionKeys::from_bytes(suite(), &bytes).unwrap();
    assert_eq!(Pair::new().i.load(ms(0), keys), Err(Error::Handshakes));
}

proptest! {
    /// No bytes crash an end in any state, change its slots, or make it say anything.
    #[test]
    fn survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..150), shape in 0u8..5, up in any::<bool>()) {
        let mut pair = if up { Pair::up() } else { Pair::new() };
        if !up {
            pair.i.poll(pair.now, &mut |(), _| {});
        }
        let mut bytes = bytes;
        if shape > 0 && bytes.len() >= 24 {
            let body = (bytes.len() - 16) as u16;
            bytes[0] = 0x20 | (shape - 1);
            bytes[1] = 1;
            let body = if shape > 1 { 56 } else { body };
            bytes.resize(16 + usize::from(body), 0);
            bytes[2..4].copy_from_slice(&body.to_be_bytes());
            bytes[4..16].fill(0);
            bytes[16..24].copy_from_slice(&1u64.to_be_bytes());
            if let Some(slot) = pair.r.status().cur.filter(|_| shape == 1) {
                bytes[4..8].copy_from_slice(&slot.from_peer);
                bytes[15] = 9;
            }
        }
        let before = (pair.i.status(), pair.r.status());
        for end in [&mut pair.i, &mut pair.r] {
            let reaction = receive(end, pair.now, &bytes);
            prop_assert!(matches!(reaction.verdict, Verdict::Dropped(_)));
            prop_assert!(reaction.said.is_empty() && reaction.frame.is_none());
        }
        prop_assert_eq!((pair.i.status(), pair.r.status()), before);
        pair.check_balance();
    }
}
