// SPDX-License-Identifier: Apache-2.0
//! What the Noise channel leaves in memory that it gives back: an allocator keeps a copy of every freed block, and everything in them
//! is tried as a secret of the channel.
#![cfg(feature = "noise")]
// An allocator cannot be written without.
#![allow(unsafe_code)]

use blake2::Blake2s256;
use chacha20poly1305::{AeadInOut, ChaCha20Poly1305, KeyInit, Nonce};
use hmac::{Mac, SimpleHmac};
use sealwire_link::{
    noise::{Caller, KEY_LEN, Listener, StaticKeys},
    schedule::Identity,
    suite::Suite,
    wire::Kind,
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    collections::BTreeSet,
    sync::Mutex,
    time::Duration,
};

/// Room for the freed blocks of one session.
const ROOM: usize = 1 << 20;

/// Secrets begin at multiples of this in their blocks, as the search supposes of those that take time to try.
const ALIGNED: usize = 4;

/// The freed blocks one behind the other, and how many bytes that are. `None`: they are not kept.
static FREED: Mutex<([u8; ROOM], Option<usize>)> = Mutex::new(([0; ROOM], None));

struct Watch;

// SAFETY: everything is the system's allocator; freed blocks are read before they go.
unsafe impl GlobalAlloc for Watch {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise. Zeroed, so that a block holds only what this program wrote into it.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // Waits for other threads that free a block; nothing is freed by who holds the lock.
        if let Ok(mut freed) = FREED.lock()
            && let (bytes, Some(len)) = &mut *freed
        {
            // SAFETY: the block is the caller's until it is given to the system below, and was zeroed at first.
            let block = unsafe { std::slice::from_raw_parts(block, layout.size()) };
            // A block without room is counted only, which `freed_by` refuses.
            if let Some(kept) = bytes.get_mut(*len..*len + block.len()) {
                kept.copy_from_slice(block);
            }
            // A secret in a block is where the search looks, however long the blocks before it are.
            *len += block.len().next_multiple_of(ALIGNED);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static WATCH: Watch = Watch;

/// Held by a test from its beginning to its end: what another frees meanwhile, copies of secrets among it, would be kept, too.
static TURN: Mutex<()> = Mutex::new(());

/// What was freed while `run` ran.
fn freed_by(run: impl FnOnce()) -> Vec<u8> {
    FREED.lock().unwrap().1 = Some(0);
    run();
    let mut freed = FREED.lock().unwrap();
    let len = freed.1.take().unwrap();
    let (bytes, _) = &*freed;
    bytes[..len].to_vec()
}

const OWN: [u8; KEY_LEN] = *b"a private key that has 32 bytes!";
const OTHER: [u8; KEY_LEN] = *b"the other end's, as long as that";
const SHARED: [u8; KEY_LEN] = *b"the key that both ends share, 32";
/// Every byte of a session's keys, and every byte behind them, is one of these: a key for each direction.
const DRAWN: [u8; 3] = [0xa7, 0xb8, 0xc9];

/// One session from making the keys to dropping everything, and the datagrams that an observer sees.
fn session(psk: Option<&[u8; KEY_LEN]>, wire: &mut Vec<Vec<u8>>) {
    let suite = Suite::by_name("omd-sha512").unwrap();
    let (a, b) = (1u64.to_be_bytes(), 2u64.to_be_bytes());
    let left = Identity::new(suite, a, b, Kind::Ethernet).unwrap();
    let right = Identity::new(suite, b, a, Kind::Ethernet).unwrap();
    let keys = |own: &_, peer: &_| {
        let keys = StaticKeys::new(own, StaticKeys::public_of(peer).unwrap()).unwrap();
        psk.into_iter().fold(keys, StaticKeys::with_psk)
    };
    let random = Box::new(move |bytes: &mut [u8]| {
        let parts = bytes.chunks_mut(suite.key_len).zip(DRAWN);
        parts.for_each(|(part, drawn)| part.fill(drawn));
        Ok(())
    });
    let mut caller = Box::new(Caller::new(left, keys(&OWN, &OTHER), random));
    let mut listener = Box::new(Listener::new(right, keys(&OTHER, &OWN)));
    let now = Duration::ZERO;
    let (mut loaded, mut to_right) = (Vec::new(), Vec::new());
    // A channel that is given up, then one that brings a session.
    caller.poll(now, true, 1, &mut |_| {});
    caller.forget();
    caller.poll(now, true, 2, &mut |packet| to_right.push(packet.to_vec()));
    while let Some(packet) = to_right.pop() {
        let mut back = Vec::new();
        let mut load = |keys| {
            loaded.push(keys);
            true
        };
        let mut send = |packet: &[u8]| back.push(packet.to_vec());
        listener
            .receive(now, &packet, false, &mut load, &mut send)
            .unwrap();
        wire.push(packet);
        for packet in back {
            loaded.extend(
                caller
                    .receive(now, &packet, &mut |packet| to_right.push(packet.to_vec()))
                    .unwrap(),
            );
            wire.push(packet);
        }
    }
    assert_eq!((loaded.len(), wire.len()), (2, 4));
}

fn chains_to(key: &[u8], input: &[u8]) -> [u8; KEY_LEN] {
    let mut mac = <SimpleHmac<Blake2s256> as KeyInit>::new_from_slice(key).unwrap();
    mac.update(input);
    mac.finalize().into_bytes().into()
}

/// Which secrets of the channel stand in these bytes.
fn secrets(bytes: &[u8], wire: &[Vec<u8>]) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let ephemerals = [&wire[0][9..][..KEY_LEN], &wire[1][9..][..KEY_LEN]];
    let opens = |key: &[u8]| {
        let (text, tag) = wire[2][9..].split_last_chunk::<16>().unwrap();
        let cipher = ChaCha20Poly1305::new_from_slice(key).unwrap();
        let mut text = text.to_vec();
        cipher
            .decrypt_inout_detached(
                &Nonce::default(),
                &[],
                text.as_mut_slice().into(),
                tag.into(),
            )
            .is_ok()
    };
    for (at, window) in bytes.windows(KEY_LEN).enumerate() {
        let window: &[u8; KEY_LEN] = window.try_into().unwrap();
        if *window == OWN || *window == OTHER {
            found.insert("a private key");
        }
        if *window == SHARED {
            found.insert("the pre-shared key");
        }
        if DRAWN.contains(&window[0]) && *window == [window[0]; KEY_LEN] {
            found.insert("a session key");
        }
        if at % ALIGNED != 0 || window.iter().filter(|&&byte| byte == 0).count() > 16 {
            continue;
        }
        if ephemerals.contains(&&StaticKeys::public_of(window).unwrap()[..]) {
            found.insert("an ephemeral key");
        }
        let extracted = chains_to(window, &[]);
        if opens(window) {
            found.insert("a key of the channel");
        }
        if opens(&chains_to(&extracted, &[1])) {
            found.insert("the chaining key");
        }
    }
    found
}

#[test]
fn no_secret_stays_in_freed_memory() {
    let _turn = TURN.lock();
    for psk in [None, Some(&SHARED)] {
        let mut wire = Vec::with_capacity(8);
        let freed = freed_by(|| session(psk, &mut wire));
        assert!(freed.len() > 1000, "{} bytes were freed", freed.len());
        let is_mixed_in = psk.is_some();
        assert_eq!(
            secrets(&freed, &wire),
            BTreeSet::new(),
            "pre-shared key: {is_mixed_in}"
        );
    }
}

#[test]
fn the_search_finds_what_it_is_for() {
    let _turn = TURN.lock();
    let ephemeral = b"the ephemeral key of one channel";
    let public = StaticKeys::public_of(ephemeral).unwrap();
    // A block of odd length stands before the last.
    let blocks = [
        OWN.to_vec(),
        SHARED.to_vec(),
        vec![DRAWN[0]; 64],
        vec![1; 3],
        ephemeral.to_vec(),
    ];
    let freed = freed_by(|| drop(blocks));
    let first = [&[0; 9], &public[..], &[0; 24]].concat();
    let wire = vec![first, vec![0; 57], vec![0; 209], vec![0; 26]];
    let expected = [
        "a private key",
        "a session key",
        "an ephemeral key",
        "the pre-shared key",
    ];
    assert_eq!(secrets(&freed, &wire), BTreeSet::from(expected));
}
