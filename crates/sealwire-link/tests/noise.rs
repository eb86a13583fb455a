// SPDX-License-Identifier: Apache-2.0
//! The Noise channel: one session a channel, nothing from anybody else, nothing twice.
#![cfg(feature = "noise")]

mod support;

use hex_literal::hex;
use sealwire_link::{
    Error,
    endpoint::{Endpoint, Timers},
    noise::{
        Caller, Channel, Counts, Listener, MAX_DATAGRAM, Refusal, Source, StaticKeys, Tally, Target,
    },
    packet::{Incoming, Verdict},
    schedule::{Identity, Role, system_random},
    session::SessionKeys,
    suite::{SUITES, Suite},
    wire::Kind,
};
use std::{
    net::{SocketAddr, UdpSocket},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use support::{Dice, I, R, ms};

const KEYS: [[u8; 32]; 3] = [[11; 32], [22; 32], [33; 32]];

fn identity(suite: &'static Suite, role: Role) -> Identity {
    let (local, peer) = if role == Role::Initiator {
        (I, R)
    } else {
        (R, I)
    };
    ends(suite, local, peer, Kind::Ethernet)
}

fn ends(suite: &'static Suite, local: u64, peer: u64, kind: Kind) -> Identity {
    Identity::new(suite, local.to_be_bytes(), peer.to_be_bytes(), kind).unwrap()
}

fn keys(own: usize, peer: usize) -> StaticKeys {
    StaticKeys::new(&KEYS[own], StaticKeys::public_of(&KEYS[peer]).unwrap()).unwrap()
}

/// Both sides, with what they sent and loaded.
struct Pair {
    caller: Caller,
    listener: Listener,
    up: bool,
    takes: bool,
    loaded: [Vec<SessionKeys>; 2],
}

impl Pair {
    fn new(suite: &'static Suite) -> Self {
        Self::with(
            identity(suite, Role::Initiator),
            identity(suite, Role::Responder),
            keys(0, 1),
            keys(1, 0),
        )
    }

    fn with(left: Identity, right: Identity, mine: StaticKeys, yours: StaticKeys) -> Self {
        Self {
            caller: Caller::new(left, mine, system_random()),
            listener: Listener::new(right, yours),
            up: false,
            takes: true,
            loaded: [Vec::new(), Vec::new()],
        }
    }

    /// What the caller sends when a session is wanted.
    fn poll(&mut self, now: Duration, time: u64) -> Vec<Vec<u8>> {
        let mut sent = Vec::new();
        self.caller
            .poll(now, true, time, &mut |bytes| sent.push(bytes.to_vec()));
        sent
    }

    fn give_listener(&mut self, now: Duration, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Refusal> {
        self.give_listener_from(Source::Stranger, now, bytes)
    }

    fn give_listener_from(
        &mut self,
        source: Source,
        now: Duration,
        bytes: &[u8],
    ) -> Result<Vec<Vec<u8>>, Refusal> {
        let (mut sent, loaded, takes) = (Vec::new(), &mut self.loaded[1], self.takes);
        let mut load = |keys| {
            if takes {
                loaded.push(keys);
            }
            takes
        };
        let done =
            self.listener
                .receive_from(now, source, bytes, self.up, &mut load, &mut |bytes| {
                    sent.push(bytes.to_vec());
                });
        assert!(
            done.is_ok() || sent.is_empty(),
            "no answer to what is dropped"
        );
        done.map(|_| sent)
    }

    fn give_caller(&mut self, now: Duration, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Refusal> {
        let mut sent = Vec::new();
        let done = self
            .caller
            .receive(now, bytes, &mut |bytes| sent.push(bytes.to_vec()));
        done.map(|keys| {
            self.loaded[0].extend(keys);
            sent
        })
    }

    /// The four messages of a channel without a fault.
    fn run(&mut self, now: Duration, time: u64) -> [Vec<u8>; 4] {
        let first = self.poll(now, time).remove(0);
        let second = self.give_listener(now, &first).unwrap().remove(0);
        let session = self.give_caller(now, &second).unwrap().remove(0);
        let answer = self.give_listener(now, &session).unwrap().remove(0);
        assert!(self.give_caller(now, &answer).unwrap().is_empty());
        [first, second, session, answer]
    }

    fn counts(&self) -> [usize; 2] {
        [self.loaded[0].len(), self.loaded[1].len()]
    }
}

fn suite() -> &'static Suite {
    Suite::by_code(2).unwrap()
}

#[test]
fn brings_both_ends_of_every_suite_the_same_fresh_session() {
    for suite in SUITES {
        let mut pair = Pair::new(suite);
        let mut ends = [Role::Initiator, Role::Responder]
            .map(|role| Endpoint::loaded(identity(suite, role), Timers::default(), ()));
        assert!(ends[0].wants_session() && !ends[1].wants_session());
        let mut ids = Vec::new();
        for round in 0..3 {
            let now = ms(10_000 * round);
            let messages = pair.run(now, 1000 + round);
            assert!(messages.iter().all(|message| message.len() <= MAX_DATAGRAM));
            assert!(
                messages[1].len() <= messages[0].len() && messages[3].len() < messages[2].len()
            );
            for end in [1, 0] {
                ends[end].load(now, pair.loaded[end].remove(0)).unwrap();
            }
            assert!(!ends[0].wants_session(), "one that waits to be heard");
            let mut wire = Vec::new();
            ends[0].poll(now, &mut |(), packet| wire.push((1, packet.to_vec())));
            while let Some((to, mut packet)) = wire.pop() {
                let mut batch = [Incoming::new(&mut packet, ())];
                ends[to].receive(now, &mut batch, &mut |(), said| {
                    wire.push((1 - to, said.to_vec()));
                });
                assert_eq!(batch[0].verdict(), Verdict::KeepAlive);
            }
            let [a, b] = [0, 1].map(|end| ends[end].status().cur.unwrap());
            assert_eq!((a.to_peer, a.from_peer), (b.from_peer, b.to_peer));
            ids.push(a.to_peer);
        }
        ids.dedup();
        assert_eq!(ids.len(), 3);
    }
}

#[test]
fn hears_nobody_without_the_right_keys() {
    let right = || identity(suite(), Role::Responder);
    let left = || identity(suite(), Role::Initiator);
    let mut wrong = vec![
        (
            "caller's key",
            Pair::with(left(), right(), keys(2, 1), keys(1, 0)),
        ),
        (
            "listener's key",
            Pair::with(left(), right(), keys(0, 1), keys(2, 0)),
        ),
        (
            "other listener meant",
            Pair::with(left(), right(), keys(0, 2), keys(1, 0)),
        ),
    ];
    let other = Suite::by_code(1).unwrap();
    for (what, left) in [
        ("suite", ends(other, I, R, Kind::Ethernet)),
        ("kind", ends(suite(), I, R, Kind::Ip)),
        ("id", ends(suite(), I, R + 1, Kind::Ethernet)),
    ] {
        wrong.push((what, Pair::with(left, right(), keys(0, 1), keys(1, 0))));
    }
    for (what, mut pair) in wrong {
        for try_ in 0..3 {
            for message in pair.poll(ms(250 * try_), 5) {
                let answer = pair.give_listener(ms(250 * try_), &message);
                assert_eq!(answer, Err(Refusal::Auth), "{what}");
            }
        }
        assert_eq!(pair.counts(), [0, 0], "{what}");
    }
    // A listener that takes the caller's beginning, and lacks the key: whoever has only heard it, or answers for another caller.
    let mut pair = Pair::new(suite());
    let first = pair.poll(ms(1000), 5).remove(0);
    let mut wrong = vec![(
        "beginning of another channel",
        Pair::new(suite()).poll(ms(0), 6).remove(0),
        Pair::new(suite()),
    )];
    for (what, mine, yours) in [
        ("another listener", keys(0, 2), keys(2, 0)),
        ("another caller's", keys(2, 1), keys(1, 2)),
    ] {
        let (left, right) = (left(), right());
        let mut other = Pair::with(left, right, mine, yours);
        wrong.push((what, other.poll(ms(0), 5).remove(0), other));
    }
    for (what, theirs, mut other) in wrong {
        let answer = other.give_listener(ms(1001), &theirs).unwrap().remove(0);
        assert_eq!((answer[0], answer.len()), (0x19, 57));
        let heard = pair.give_caller(ms(1002), &answer);
        assert_eq!(heard, Err(Refusal::Auth), "{what}");
    }
    let second = pair.give_listener(ms(1003), &first).unwrap().remove(0);
    assert_eq!(pair.give_caller(ms(1004), &second).unwrap().len(), 1);
    let own = StaticKeys::public_of(&KEYS[0]).unwrap();
    assert!(StaticKeys::new(&KEYS[0], own).is_err());
    // The points of low order, canonical or not, with which every private key gives the same secret.
    for point in [
        hex!("0000000000000000000000000000000000000000000000000000000000000000"),
        hex!("0100000000000000000000000000000000000000000000000000000000000000"),
        hex!("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
        hex!("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
        hex!("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        hex!("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        hex!("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    ] {
        let refused = StaticKeys::new(&KEYS[0], point).err();
        assert_eq!(refused, Some(Error::NoisePeer));
    }
}

#[test]
fn a_replayed_message_loads_nothing() {
    let mut pair = Pair::new(suite());
    let old = pair.run(ms(0), 100);
    let new = pair.run(ms(5000), 200);
    assert_eq!(pair.counts(), [2, 2]);
    pair.up = true;
    for (bytes, expected) in [
        (&old[0], Err(Refusal::Stale)),
        (&new[0], Err(Refusal::Stale)),
        (&old[2], Err(Refusal::Auth)),
        // The answer may have been lost: it is given again, and nothing is loaded.
        (&new[2], Ok(vec![new[3].clone()])),
        // It says itself that it comes from this end.
        (&old[1], Err(Refusal::OwnId)),
    ] {
        assert_eq!(pair.give_listener(ms(5001), bytes), expected);
    }
    // Without a live session an old beginning is answered, but leads nowhere.
    pair.up = false;
    assert_eq!(pair.give_listener(ms(5002), &old[0]).unwrap().len(), 1);
    assert_eq!(pair.give_listener(ms(5002), &old[2]), Err(Refusal::Auth));
    let replay = |pair: &mut Pair, now, taken: u8| {
        for bytes in old.iter().chain(&new) {
            let expected = match bytes[0] {
                kind if kind == taken => Refusal::Auth, // one that the caller waits for, of another channel
                0x18 | 0x1a => Refusal::OwnId,          // its own
                _ => Refusal::Format,
            };
            assert_eq!(pair.give_caller(now, bytes), Err(expected));
        }
    };
    replay(&mut pair, ms(5003), 0);
    assert_eq!(pair.counts(), [2, 2]);
    // In every state of a channel of the caller's own, which goes on.
    let first = pair.poll(ms(8000), 300).remove(0);
    replay(&mut pair, ms(8001), 0x19);
    let second = pair.give_listener(ms(8002), &first).unwrap().remove(0);
    let session = pair.give_caller(ms(8003), &second).unwrap().remove(0);
    replay(&mut pair, ms(8004), 0x1b);
    let answer = pair.give_listener(ms(8005), &session).unwrap().remove(0);
    pair.give_caller(ms(8006), &answer).unwrap();
    assert_eq!(pair.counts(), [3, 3]);
}

#[test]
fn a_caller_whose_clock_is_behind_is_heard_where_it_is_known() {
    let mut pair = Pair::new(suite());
    let recorded = pair.run(ms(0), 1_000_000);
    pair.up = true;
    // Restarted with a clock that begins at zero, while the other end's session lives.
    let again = Caller::new(
        identity(suite(), Role::Initiator),
        keys(0, 1),
        system_random(),
    );
    pair.caller = again;
    let first = pair.poll(ms(3000), 5).remove(0);
    assert_eq!(pair.give_listener(ms(3000), &first), Err(Refusal::Stale));
    // A recorded beginning from there is answered, leads nowhere, and leaves room.
    for bytes in [&recorded[0], &first] {
        let heard = pair.give_listener_from(Source::Known, ms(3001), bytes);
        assert_eq!(heard.unwrap().len(), 1);
    }
    let second = pair
        .give_listener_from(Source::Known, ms(3002), &first)
        .unwrap()
        .remove(0);
    let session = pair.give_caller(ms(3003), &second).unwrap().remove(0);
    let answer = pair.give_listener(ms(3004), &session).unwrap().remove(0);
    pair.give_caller(ms(3005), &answer).unwrap();
    assert_eq!(pair.counts(), [2, 2]);
    // What it has loaded is loaded once.
    assert_eq!(
        pair.give_listener(ms(3006), &recorded[2]),
        Err(Refusal::Auth)
    );
}

#[test]
fn recorded_beginnings_do_not_displace_the_callers_own() {
    let mut pair = Pair::new(suite());
    let recorded: Vec<_> = (1..=6u64)
        .map(|i| pair.run(ms(3000 * i), 100 * i)[0].clone())
        .collect();
    // No session lives; the recorded ones come before and after the genuine one.
    let (before, after) = recorded.split_at(2);
    for bytes in before {
        assert_eq!(pair.give_listener(ms(30_000), bytes).unwrap().len(), 1);
    }
    let first = pair.poll(ms(30_001), 700).remove(0);
    let second = pair.give_listener(ms(30_002), &first).unwrap().remove(0);
    for bytes in after {
        assert!(pair.give_listener(ms(30_003), bytes).is_ok());
    }
    assert_eq!(
        pair.give_listener(ms(30_004), &before[0]),
        Err(Refusal::Stale),
        "four places, all of later ones"
    );
    let session = pair.give_caller(ms(30_005), &second).unwrap().remove(0);
    let answer = pair.give_listener(ms(30_006), &session).unwrap().remove(0);
    pair.give_caller(ms(30_007), &answer).unwrap();
    assert_eq!(pair.counts(), [7, 7]);
}

#[test]
fn what_is_cut_changed_or_garbage_is_dropped_and_the_channel_goes_on() {
    let mut dice = Dice(7);
    let mut pair = Pair::new(suite());
    let now = ms(0);
    let first = pair.poll(now, 1).remove(0);
    // One changed bit in every byte, every shorter length, some longer ones.
    let mutants = |message: &[u8], dice: &mut Dice| {
        let mut all: Vec<Vec<u8>> = (0..message.len())
            .map(|at| {
                let mut changed = message.to_vec();
                changed[at] ^= 1 << dice.below(8);
                changed
            })
            .collect();
        all.extend((0..message.len()).map(|len| message[..len].to_vec()));
        all.extend([1, 16, 300].map(|more| [message, &vec![0; more]].concat()));
        all.push((0..message.len()).map(|_| dice.next() as u8).collect());
        all
    };
    // Each window has its own budget of first messages and of answers.
    let spread = |i: usize| ms(i as u64 * 100);
    for (i, mutant) in mutants(&first, &mut dice).iter().enumerate() {
        assert!(
            pair.give_listener(spread(i), mutant).is_err(),
            "first, mutant {i}"
        );
    }
    let now = ms(100_000);
    let second = pair.give_listener(now, &first).unwrap().remove(0);
    for (i, mutant) in mutants(&second, &mut dice).iter().enumerate() {
        let heard = pair.give_caller(now + spread(i), mutant);
        assert!(!matches!(heard, Ok(_) | Err(Refusal::Overload)));
    }
    let session = pair.give_caller(now, &second).unwrap().remove(0);
    for mutant in mutants(&session, &mut dice) {
        assert!(pair.give_listener(now, &mutant).is_err());
    }
    assert_eq!(pair.counts(), [0, 0]);
    let answer = pair.give_listener(now, &session).unwrap().remove(0);
    for mutant in mutants(&answer, &mut dice) {
        assert!(pair.give_caller(now, &mutant).is_err());
    }
    assert_eq!(pair.counts(), [0, 1], "the responder first");
    pair.give_caller(now, &answer).unwrap();
    assert_eq!(pair.counts(), [1, 1]);
}

#[test]
fn lost_messages_are_sent_again_and_a_channel_without_answer_is_given_up() {
    let mut pair = Pair::new(suite());
    let first = pair.poll(ms(0), 1);
    assert!(pair.poll(ms(249), 1).is_empty());
    assert_eq!(pair.poll(ms(250), 1), first, "the same bytes");
    let second = pair.give_listener(ms(251), &first[0]).unwrap();
    let again = pair.give_listener(ms(252), &first[0]).unwrap();
    assert_eq!(again, second, "one channel, however often it is asked for");
    let session = pair.give_caller(ms(253), &second[0]).unwrap();
    assert_eq!(pair.poll(ms(503), 1), session);
    let answer = pair.give_listener(ms(504), &session[0]).unwrap();
    assert_eq!(pair.give_listener(ms(505), &session[0]).unwrap(), answer);
    assert_eq!(pair.counts(), [0, 1]);
    // No answer comes: after two seconds another channel, with another session.
    assert_eq!(pair.poll(ms(2252), 1), session);
    let other = pair.poll(ms(2253), 1);
    assert!(other.len() == 1 && other != first);
    assert_eq!(pair.give_caller(ms(2254), &answer[0]), Err(Refusal::Format));
    pair.up = true;
    let second = pair.give_listener(ms(2255), &other[0]).unwrap();
    let fresh = pair.give_caller(ms(2256), &second[0]).unwrap();
    assert_ne!(fresh, session);
    let answer = pair.give_listener(ms(2257), &fresh[0]).unwrap();
    pair.give_caller(ms(2258), &answer[0]).unwrap();
    assert_eq!(pair.counts(), [1, 2]);
}

#[test]
fn a_session_that_is_not_taken_is_not_acknowledged() {
    let mut pair = Pair::new(suite());
    pair.takes = false;
    let first = pair.poll(ms(0), 1).remove(0);
    let second = pair.give_listener(ms(0), &first).unwrap().remove(0);
    let session = pair.give_caller(ms(0), &second).unwrap().remove(0);
    assert_eq!(pair.give_listener(ms(0), &session), Err(Refusal::NotTaken));
    assert_eq!(
        pair.give_listener(ms(0), &session),
        Err(Refusal::Auth),
        "no second try"
    );
    assert_eq!(pair.counts(), [0, 0]);
}

/// A datagram that nobody sealed, under the name of an end.
fn forged(kind: u8, sender: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![kind; len];
    bytes[1..9].copy_from_slice(&sender.to_be_bytes());
    bytes
}

#[test]
fn a_flood_of_beginnings_is_bounded_and_ends() {
    let mut pair = Pair::new(suite());
    let flood = forged(0x18, I, 65);
    let looked_at = (0..1000)
        .filter(|_| pair.give_listener(ms(10), &flood) != Err(Refusal::Overload))
        .count();
    assert_eq!(looked_at, 20);
    pair.run(ms(1010), 1);
    assert_eq!(pair.counts(), [1, 1]);
}

#[test]
fn a_flood_of_beginnings_does_not_keep_a_known_caller_off() {
    let forged = [(0x18, 65), (0x19, 57), (0x1a, 209)].map(|(kind, len)| forged(kind, I, len));
    let mut pair = Pair::new(suite());
    let mut looked_at = 0;
    for second in 1..=3 {
        // Before each message of the genuine channel, far more than a second's looks.
        let mut flood = |pair: &mut Pair, now| {
            for _ in 0..100 {
                let judged = pair.give_listener(now, &forged[0]);
                looked_at += usize::from(judged == Err(Refusal::Auth));
                assert!(pair.give_listener(now, &forged[1]).is_err());
                assert!(pair.give_listener(now, &forged[2]).is_err());
            }
        };
        let now = ms(1000 * second);
        flood(&mut pair, now);
        let mut to_listener = pair.poll(now, second);
        for step in 0..2 {
            flood(&mut pair, now + ms(step));
            let message = to_listener.remove(0);
            let answer = pair.give_listener_from(Source::Known, now + ms(step), &message);
            to_listener = pair.give_caller(now, &answer.unwrap()[0]).unwrap();
        }
        assert_eq!(pair.counts(), [second as usize; 2]);
    }
    assert_eq!(looked_at, 3 * 20);
    // The known address has a bound, too: who forges it is no stranger.
    let looked_at = (0..100)
        .filter(|_| {
            let judged = pair.give_listener_from(Source::Known, ms(9000), &forged[0]);
            judged == Err(Refusal::Auth)
        })
        .count();
    assert_eq!(looked_at, 20);
}

#[test]
fn a_flood_of_answers_costs_little_and_the_genuine_one_is_heard() {
    let mut pair = Pair::new(suite());
    let forged = forged(0x19, R, 57);
    // A forged answer in each half of a millisecond; the genuine ones, which need 20 ms, do not come in the first second.
    let (mut looked_at, mut wire) = (0, Vec::new());
    for half in 0..4000 {
        let now = Duration::from_micros(500 * half);
        for message in pair.poll(now, 1) {
            for answer in pair.give_listener(now, &message).unwrap_or_default() {
                wire.push((now + ms(20), answer));
            }
        }
        let judged = pair.give_caller(now, &forged);
        looked_at += usize::from(judged == Err(Refusal::Auth));
        while wire.first().is_some_and(|(at, _)| *at <= now) {
            let (_, answer) = wire.remove(0);
            if now < ms(1000) {
                continue;
            }
            for message in pair.give_caller(now, &answer).unwrap_or_default() {
                for answer in pair.give_listener(now, &message).unwrap_or_default() {
                    wire.push((now + ms(20), answer));
                }
            }
        }
    }
    assert!(pair.counts()[1] >= 1, "within the time of one channel");
    assert!(
        (500..=2 * 522).contains(&looked_at),
        "{looked_at} in two seconds"
    );
}

/// An end that wants sessions, for as long as a test lets it, and whose sessions a test erases.
struct Wants {
    finished: Arc<AtomicBool>,
    erased: Arc<AtomicBool>,
    loaded: usize,
}

impl Target for Wants {
    fn wants_session(&mut self, peer: usize) -> bool {
        assert_eq!(peer, 0);
        self.loaded == 0
    }

    fn is_up(&mut self, _: usize) -> bool {
        false
    }

    fn load(&mut self, _: usize, _: SessionKeys) -> bool {
        self.loaded += 1;
        true
    }

    fn is_finished(&mut self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }

    fn forgets(&mut self) -> bool {
        self.erased.swap(false, Ordering::Relaxed)
    }
}

/// A channel that runs over UDP, and what it counted once it is told to end.
struct Running {
    finished: Arc<AtomicBool>,
    erased: Arc<AtomicBool>,
    counts: Arc<Mutex<Tally>>,
    thread: thread::JoinHandle<()>,
}

impl Running {
    fn new(role: Role, socket: UdpSocket, peer: Option<SocketAddr>) -> Self {
        let keys = if role == Role::Initiator {
            keys(0, 1)
        } else {
            keys(1, 0)
        };
        let identity = identity(suite(), role);
        let channel = Channel::new(identity, keys, socket, peer, system_random()).unwrap();
        let [finished, erased] = [(); 2].map(|()| Arc::<AtomicBool>::default());
        let counts = Arc::<Mutex<Tally>>::default();
        let mut target = Wants {
            finished: Arc::clone(&finished),
            erased: Arc::clone(&erased),
            loaded: 0,
        };
        let counted = Arc::clone(&counts);
        let thread = thread::spawn(move || channel.run(&mut target, &counted).unwrap());
        Self {
            finished,
            erased,
            counts,
            thread,
        }
    }

    fn counts(&self) -> Counts {
        self.counts.lock().unwrap().all
    }

    fn end(self) -> Counts {
        self.finished.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
        self.counts.lock().unwrap().all
    }
}

fn wait_until(mut it_is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !it_is_so() {
        assert!(began.elapsed() < ms(10_000), "waits in vain");
        thread::sleep(ms(1));
    }
}

fn socket(address: &str) -> UdpSocket {
    let socket = UdpSocket::bind(address).unwrap();
    socket.set_read_timeout(Some(ms(5000))).unwrap();
    socket
}

#[test]
fn the_caller_hears_only_whom_it_calls() {
    let [mine, theirs, stranger] = [(); 3].map(|()| socket("127.0.0.1:0"));
    let to = mine.local_addr().unwrap();
    let running = Running::new(Role::Initiator, mine, theirs.local_addr().ok());
    let mut listener = Listener::new(identity(suite(), Role::Responder), keys(1, 0));
    let mut buffer = [0; MAX_DATAGRAM];
    let (mut loaded, mut strangers) = (0, 0);
    while loaded == 0 {
        let len = theirs.recv(&mut buffer).unwrap();
        let mut said = Vec::new();
        let mut load = |_| {
            loaded += 1;
            true
        };
        let mut say = |bytes: &[u8]| said.push(bytes.to_vec());
        listener
            .receive(ms(0), &buffer[..len], false, &mut load, &mut say)
            .unwrap();
        for answer in said {
            // Good, but from elsewhere.
            stranger.send_to(&answer, to).unwrap();
            strangers += 1;
            wait_until(|| running.counts().dropped(Refusal::Address) == strangers);
            theirs.send_to(&answer, to).unwrap();
        }
    }
    wait_until(|| running.counts().loaded == 1);
    let counts = running.end();
    assert!(strangers >= 2 && counts.taken == 2);
}

#[test]
fn what_waits_since_before_an_erasure_loads_nothing() {
    let mut buffer = [0; MAX_DATAGRAM];
    let mut hear = |socket: &UdpSocket| {
        let len = socket.recv(&mut buffer).unwrap();
        buffer[..len].to_vec()
    };

    // The caller waits for the last message, and it comes right after the erasure.
    let [mine, theirs] = [(); 2].map(|()| socket("127.0.0.1:0"));
    let to = mine.local_addr().unwrap();
    let running = Running::new(Role::Initiator, mine, theirs.local_addr().ok());
    let mut listener = Listener::new(identity(suite(), Role::Responder), keys(1, 0));
    let (mut sent, mut loaded) = (0, false);
    while !loaded {
        let message = hear(&theirs);
        let mut say = |bytes: &[u8]| {
            loaded = bytes[0] == 0x1b;
            running.erased.store(loaded, Ordering::Relaxed);
            theirs.send_to(bytes, to).unwrap();
            sent += 1;
        };
        listener
            .receive(ms(0), &message, false, &mut |_| true, &mut say)
            .unwrap();
    }
    wait_until(|| running.counts().received == sent);
    let counts = running.end();
    assert_eq!((counts.loaded, counts.taken), (0, 1));

    // The responder waits for the session.
    let [mine, theirs] = [(); 2].map(|()| socket("127.0.0.1:0"));
    let to = theirs.local_addr().unwrap();
    let running = Running::new(Role::Responder, theirs, None);
    let mut caller = Caller::new(
        identity(suite(), Role::Initiator),
        keys(0, 1),
        system_random(),
    );
    caller.poll(ms(0), true, 1, &mut |bytes| {
        mine.send_to(bytes, to).unwrap();
    });
    let answer = hear(&mine);
    running.erased.store(true, Ordering::Relaxed);
    let mut say = |bytes: &[u8]| {
        mine.send_to(bytes, to).unwrap();
    };
    caller.receive(ms(0), &answer, &mut say).unwrap();
    wait_until(|| running.counts().received == 2);
    let counts = running.end();
    assert_eq!((counts.loaded, counts.dropped(Refusal::Auth)), (0, 1));
}

/// A channel to a responder from this address, whose first message comes right after a flood from another. True if it was answered at once.
fn calls_in_a_flood(
    running: &Running,
    to: SocketAddr,
    caller: &mut Caller,
    mine: &UdpSocket,
) -> bool {
    let stranger = socket("127.0.0.2:0");
    let before = running.counts();
    for _ in 0..120 {
        stranger.send_to(&forged(0x18, I, 65), to).unwrap();
    }
    wait_until(|| running.counts().received == before.received + 120);
    let overload = |counts: Counts| counts.dropped(Refusal::Overload);
    let time = before.received; // later with every call
    caller.poll(ms(10_000 * time), true, time, &mut |bytes| {
        mine.send_to(bytes, to).unwrap();
    });
    wait_until(|| running.counts().received == before.received + 121);
    // A second may have ended under way, with another 20 looks.
    assert!(overload(running.counts()) >= overload(before) + 20);
    running.counts().taken > before.taken
}

#[test]
fn the_responder_keeps_looks_for_where_its_caller_is() {
    let mut buffer = [0; MAX_DATAGRAM];
    for configured in [false, true] {
        let [mine, theirs] = [(); 2].map(|()| socket("127.0.0.1:0"));
        let to = theirs.local_addr().unwrap();
        let peer = mine.local_addr().ok().filter(|_| configured);
        let running = Running::new(Role::Responder, theirs, peer);
        let mut caller = Caller::new(
            identity(suite(), Role::Initiator),
            keys(0, 1),
            system_random(),
        );
        if !configured {
            // It proves itself once; then its address is known.
            let mut say = |bytes: &[u8]| {
                mine.send_to(bytes, to).unwrap();
            };
            caller.poll(ms(0), true, 0, &mut say);
            for _ in 0..2 {
                let len = mine.recv(&mut buffer).unwrap();
                caller.receive(ms(0), &buffer[..len], &mut say).unwrap();
            }
            wait_until(|| running.counts().loaded == 1);
        }
        for _ in 0..2 {
            assert!(calls_in_a_flood(&running, to, &mut caller, &mine));
        }
        running.end();
    }
}

#[test]
fn writes_the_words_of_the_load_port() {
    let bytes: Vec<u8> = (0..184).collect();
    for suite in SUITES {
        let len = SessionKeys::bytes_len(suite);
        let keys = SessionKeys::from_bytes(suite, &bytes[..len]).unwrap();
        let words = keys.load_words().unwrap();
        let port: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        // Each part where the link's registers have it, and zeros behind those that are shorter.
        let mut rest = &bytes[..len];
        for (at, part, room) in [
            (0, suite.key_len, 64),
            (64, suite.key_len, 64),
            (128, suite.salt_len, 24),
            (152, suite.salt_len, 24),
            (176, 4, 4),
            (180, 4, 4),
        ] {
            let (mine, after) = rest.split_at(part);
            rest = after;
            assert_eq!(&port[at..at + part], mine, "{} at {at}", suite.alias);
            assert!(port[at + part..at + room].iter().all(|&byte| byte == 0));
        }
    }
}

/// Three peers of one end behind one socket. The first two call; the third is called, and its address is said later.
struct Many {
    finished: Arc<AtomicBool>,
    loaded: Arc<Mutex<Vec<usize>>>,
    third: Arc<Mutex<Option<SocketAddr>>>,
}

impl Target for Many {
    fn wants_session(&mut self, peer: usize) -> bool {
        peer == 30 && !self.loaded.lock().unwrap().contains(&30)
    }

    fn is_up(&mut self, peer: usize) -> bool {
        self.loaded.lock().unwrap().contains(&peer)
    }

    fn load(&mut self, peer: usize, _: SessionKeys) -> bool {
        self.loaded.lock().unwrap().push(peer);
        true
    }

    fn address(&mut self, peer: usize) -> Option<SocketAddr> {
        self.third.lock().unwrap().filter(|_| peer == 30)
    }

    fn is_finished(&mut self) -> bool {
        self.finished.load(Ordering::Relaxed)
    }
}

#[test]
fn one_socket_leads_each_datagram_to_its_peer() {
    const OWN_ID: u64 = 100;
    let [ids, third_id] = [[OWN_ID - 2, OWN_ID - 1], [OWN_ID + 1; 2]];
    let private = |number: u8| [number + 40; 32];
    let pair = |own: u8, other: u8| {
        let other = StaticKeys::public_of(&private(other)).unwrap();
        StaticKeys::new(&private(own), other).unwrap()
    };
    let of = |local, peer| ends(suite(), local, peer, Kind::Ip);
    let mine = socket("127.0.0.1:0");
    let to = mine.local_addr().unwrap();
    let mut channel = Channel::of_many(mine);
    assert!(channel.is_empty());
    for (number, peer) in [(10, ids[0]), (20, ids[1]), (30, third_id[0])] {
        let keys = pair(0, number as u8);
        channel
            .add(number, of(OWN_ID, peer), keys, None, system_random())
            .unwrap();
    }
    let again = channel.add(40, of(OWN_ID, ids[0]), pair(0, 4), None, system_random());
    assert_eq!(again, Err(Error::PeerTwice));
    let (finished, loaded, third) = <(Arc<AtomicBool>, Arc<Mutex<Vec<_>>>, Arc<_>)>::default();
    let tally = Arc::<Mutex<Tally>>::default();
    let mut target = Many {
        finished: Arc::clone(&finished),
        loaded: Arc::clone(&loaded),
        third: Arc::clone(&third),
    };
    let counts = Arc::clone(&tally);
    let running = thread::spawn(move || channel.run(&mut target, &counts).unwrap());

    // Each caller under its own id and key is heard, and its session is its own.
    let mut buffer = [0; MAX_DATAGRAM];
    let mut call = |local: u64, key: u8, answers: bool| {
        let from = socket("127.0.0.1:0");
        from.set_read_timeout(Some(ms(if answers { 5000 } else { 200 })))
            .unwrap();
        let mut say = |bytes: &[u8]| {
            from.send_to(bytes, to).unwrap();
        };
        let mut caller = Caller::new(of(local, OWN_ID), pair(key, 0), system_random());
        caller.poll(ms(0), true, 1, &mut say);
        let mut is_loaded = false;
        for _ in 0..2 {
            let Ok(len) = from.recv(&mut buffer) else {
                break;
            };
            is_loaded |= caller
                .receive(ms(0), &buffer[..len], &mut say)
                .unwrap()
                .is_some();
        }
        assert_eq!(is_loaded, answers, "id {local}, key {key}");
    };
    call(ids[1], 20, true);
    call(ids[0], 10, true);
    assert_eq!(*loaded.lock().unwrap(), [20, 10]);
    // Another peer's id with one's own key, and an id that is nobody's.
    call(ids[0], 20, false);
    call(OWN_ID - 7, 10, false);
    // An end with the id of this one, which no peer has.
    let twin = socket("127.0.0.1:0");
    twin.send_to(&forged(0x18, OWN_ID, 56), to).unwrap();
    wait_until(|| tally.lock().unwrap().all.dropped(Refusal::OwnId) == 1);
    let seen = tally.lock().unwrap().clone();
    assert_eq!(seen.peers[&10].dropped(Refusal::Auth), 1);
    assert_eq!(seen.peers[&20].dropped(Refusal::Auth), 0);
    assert_eq!(seen.all.dropped(Refusal::Peer), 1);
    let sum = |count: fn(&Counts) -> u64| seen.peers.values().map(count).sum::<u64>();
    assert_eq!(seen.all.received, sum(|c| c.received) + 2);
    assert_eq!((seen.all.loaded, sum(|c| c.loaded)), (2, 2));

    // The third is called once its address is known.
    let theirs = socket("127.0.0.1:0");
    *third.lock().unwrap() = theirs.local_addr().ok();
    let mut listener = Listener::new(of(third_id[0], OWN_ID), pair(30, 0));
    for _ in 0..2 {
        let len = theirs.recv(&mut buffer).unwrap();
        let mut say = |bytes: &[u8]| {
            theirs.send_to(bytes, to).unwrap();
        };
        listener
            .receive(ms(0), &buffer[..len], false, &mut |_| true, &mut say)
            .unwrap();
    }
    wait_until(|| loaded.lock().unwrap().contains(&30));
    finished.store(true, Ordering::Relaxed);
    running.join().unwrap();
}
