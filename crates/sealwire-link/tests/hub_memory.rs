// SPDX-License-Identifier: Apache-2.0
//! What a hub's peers take of the heap: an allocator counts what is allocated within calls of the hub.
// An allocator cannot be written without.
#![allow(unsafe_code)]

use sealwire_link::{
    endpoint::{Endpoint, KeepAlive, Timers},
    hub::{Hub, PeerSetup},
    packet::Incoming,
    schedule::{Ends, Psk, system_random},
    suite::{SUITES, Suite},
    wire::{Kind, Version},
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    collections::VecDeque,
    sync::atomic::{AtomicIsize, Ordering},
    time::Duration,
};

thread_local! {
    /// Of the thread that calls the hub alone: the test's harness allocates beside it.
    static COUNTS: Cell<bool> = const { Cell::new(false) };
}
static LIVE: AtomicIsize = AtomicIsize::new(0);

struct Count;

// SAFETY: everything is the system's allocator.
unsafe impl GlobalAlloc for Count {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTS.get() {
            LIVE.fetch_add(layout.size() as isize, Ordering::Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if COUNTS.get() {
            LIVE.fetch_sub(layout.size() as isize, Ordering::Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNT: Count = Count;

/// Counts what this call of the hub allocates and frees.
fn counted<T>(call: impl FnOnce() -> T) -> T {
    COUNTS.set(true);
    let result = call();
    COUNTS.set(false);
    result
}

const PEERS: u64 = 200;

/// Bytes a peer before its first session, and with one that is idle.
fn measure(suite: &'static Suite) -> [isize; 2] {
    LIVE.store(0, Ordering::Relaxed);
    let timers = Timers::default().with_keep_alive(KeepAlive::Off).unwrap();
    let ends = |local: u64, peer: u64, number: u64| {
        let key = vec![number as u8 + 1; suite.block_len()];
        let [local, peer] = [local, peer].map(u64::to_be_bytes);
        let psk = Psk::new(suite, &key).unwrap();
        Ends::new(suite, psk, local, peer, Kind::Ip).unwrap()
    };
    let hub_id = 0xff00;
    let mut hub = counted(|| {
        let mut hub: Hub<u64> = Hub::new(
            suite,
            u64::to_be_bytes(hub_id),
            Kind::Ip,
            Version::default(),
        );
        for number in 0..PEERS {
            let setup = PeerSetup::psk(ends(hub_id, number + 1, number), timers, None);
            let network = format!("10.0.0.{number}/32").parse().unwrap();
            hub.add(&format!("peer{number}"), setup, &[network])
                .unwrap();
        }
        hub
    });
    let before = LIVE.load(Ordering::Relaxed) / PEERS as isize;
    for number in 0..PEERS {
        let mut spoke = Endpoint::new(
            ends(number + 1, hub_id, number),
            timers,
            Some(0),
            system_random(),
        )
        .unwrap();
        // To the hub, or to the peer: packets in their order.
        let mut wire = VecDeque::new();
        spoke.poll(Duration::ZERO, &mut |_, packet| {
            wire.push_back((true, packet.to_vec()));
        });
        while let Some((to_hub, mut packet)) = wire.pop_front() {
            let mut send = |_, packet: &[u8]| {
                let counting = COUNTS.replace(false);
                wire.push_back((!to_hub, packet.to_vec()));
                COUNTS.set(counting);
            };
            let from = if to_hub { number } else { 0 };
            let mut batch = [Incoming::new(&mut packet, from)];
            if to_hub {
                counted(|| hub.receive(Duration::ZERO, &mut batch, &mut send));
            } else {
                spoke.receive(Duration::ZERO, &mut batch, &mut send);
            }
        }
        assert!(spoke.is_up());
    }
    // The random values of the handshakes are gone after a while.
    counted(|| hub.poll(Duration::from_secs(20), &mut |_, _| {}));
    assert!(hub.peers().all(|peer| peer.endpoint().is_up()));
    let after = LIVE.load(Ordering::Relaxed) / PEERS as isize;
    counted(|| drop(hub));
    assert_eq!(LIVE.load(Ordering::Relaxed), 0, "all of it is counted");
    [before, after]
}

/// 1,000 idle peers are to cost 20 MB at most, the program itself included.
#[test]
fn a_peer_takes_little_memory() {
    for suite in SUITES {
        let (name, [before, after]) = (suite.alias, measure(suite));
        println!("{name}: {before} bytes a peer without a session, {after} with one");
        assert!(before <= 1700, "{name}: {before}");
        // OCB keeps a mask for each number of trailing zeros of a block's number, in both directions.
        let most = if name.starts_with("ocb") { 8500 } else { 6000 };
        assert!(after <= most, "{name}: {after}");
    }
}
