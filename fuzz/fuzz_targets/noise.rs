// SPDX-License-Identifier: Apache-2.0
//! Both sides of the Noise channel, and datagrams that the input changes, repeats and makes up.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sealwire_link::{
    noise::{Caller, Listener, StaticKeys},
    schedule::Identity,
    suite::SUITES,
    wire::Kind,
};
use std::time::Duration;

const KEYS: [[u8; 32]; 2] = [[11; 32], [22; 32]];

fuzz_target!(|input: &[u8]| {
    let Some((&suite, mut input)) = input.split_first() else {
        return;
    };
    let suite = &SUITES[usize::from(suite) % SUITES.len()];
    let public = KEYS.map(|key| StaticKeys::public_of(&key).unwrap());
    let keys = |own: usize| StaticKeys::new(&KEYS[own], public[1 - own]).unwrap();
    let identity = |local: u64, peer: u64| {
        Identity::new(
            suite,
            local.to_be_bytes(),
            peer.to_be_bytes(),
            Kind::Ethernet,
        )
        .unwrap()
    };
    let mut count = 0u8;
    let random = Box::new(move |bytes: &mut [u8]| {
        count = count.wrapping_add(1);
        bytes.fill(count.max(1));
        Ok(())
    });
    let mut caller = Caller::new(identity(1, 2), keys(0), random);
    let mut listener = Listener::new(identity(2, 1), keys(1));
    let mut now = Duration::ZERO;
    let mut made: Vec<Vec<u8>> = Vec::new();
    let mut loaded = [0u32; 2];
    for step in 0..32u64 {
        let Some((&operation, rest)) = input.split_first() else {
            break;
        };
        input = rest;
        let mut take = || {
            let (&byte, rest) = input.split_first().unwrap_or((&0, &[]));
            input = rest;
            byte
        };
        let newest = made.last().cloned();
        let datagram = match operation & 7 {
            0 => {
                now += Duration::from_millis(u64::from(take()) * 10);
                caller.poll(now, true, 1000 + step, &mut |sent| made.push(sent.to_vec()));
                continue;
            }
            1..=3 => newest,
            4 => made.get(usize::from(take()) % made.len().max(1)).cloned(),
            5 => {
                let at = usize::from(take()) % made.len().max(1);
                made.get(at).cloned().map(|mut datagram| {
                    let (place, value, cut) = (usize::from(take()), take(), take());
                    let len = datagram.len();
                    datagram[place % len] = value;
                    datagram.truncate(if cut < 100 { len } else { usize::from(cut) });
                    datagram
                })
            }
            _ => {
                let len = (usize::from(take()) * 2).min(input.len());
                let (datagram, rest) = input.split_at(len);
                let datagram = datagram.to_vec();
                input = rest;
                Some(datagram)
            }
        };
        let Some(datagram) = datagram else { continue };
        let known = made.contains(&datagram);
        let mut said = Vec::new();
        let done = if operation & 0x80 == 0 {
            let mut load = |_| {
                loaded[1] += 1;
                true
            };
            listener
                .receive(
                    now,
                    &datagram,
                    operation & 0x40 != 0,
                    &mut load,
                    &mut |sent| {
                        said.push(sent.to_vec());
                    },
                )
                .is_ok()
        } else {
            let keys = caller.receive(now, &datagram, &mut |sent| said.push(sent.to_vec()));
            loaded[0] += u32::from(matches!(keys, Ok(Some(_))));
            keys.is_ok()
        };
        assert!(known || !done, "only what the other side has made is taken");
        assert!(done || said.is_empty(), "no answer to what is dropped");
        assert!(
            loaded[0] <= loaded[1],
            "the responder first, each session once"
        );
        made.extend(said);
    }
});
