// SPDX-License-Identifier: Apache-2.0
//! Many peers of one hub in one process, over one UDP socket: what a hub needs when it is measured or tested.
//!
//! `spokes HUB:PORT HUB_ID COUNT FOLDER SECONDS`: peers 1 to COUNT call the hub under the keys FOLDER/1.key and so on (hexadecimal digits,
//! suite omd-blake2b, IP, no keep-alives), then stay for some seconds and answer. It says `up COUNT` once all have sessions.

use sealwire_link::{
    endpoint::{Endpoint, KeepAlive, Timers},
    packet::Incoming,
    schedule::{Ends, Psk, system_random},
    suite::Suite,
    wire::{HEADER_LEN, Kind},
};
use std::{
    collections::HashMap,
    error::Error,
    net::{SocketAddr, UdpSocket},
    time::{Duration, Instant},
};

/// Peers that call at one time: the hub's socket holds so many hellos.
const AT_ONCE: usize = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [hub, hub_id, count, folder, seconds] = &words[..] else {
        return Err("spokes HUB:PORT HUB_ID COUNT FOLDER SECONDS".into());
    };
    let hub: SocketAddr = hub.parse()?;
    let (hub_id, count) = (u64::from_str_radix(hub_id, 16)?, count.parse::<u64>()?);
    let suite = Suite::by_name("omd-blake2b").ok_or("no such suite")?;
    let timers = Timers::default().with_keep_alive(KeepAlive::Off)?;
    let mut spokes = Vec::new();
    for id in 1..=count {
        let text = std::fs::read_to_string(format!("{folder}/{id}.key"))?;
        let digits = text.trim().as_bytes();
        let pairs = digits
            .chunks_exact(2)
            .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?));
        let key = pairs.collect::<Result<Vec<u8>, Box<dyn Error>>>()?;
        let ids = [id, hub_id].map(u64::to_be_bytes);
        let ends = Ends::new(suite, Psk::new(suite, &key)?, ids[0], ids[1], Kind::Ip)?;
        spokes.push(Endpoint::new(ends, timers, Some(hub), system_random())?);
    }
    let socket = UdpSocket::bind(if hub.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" })?;
    socket.set_read_timeout(Some(Duration::from_millis(10)))?;
    let began = Instant::now();
    let (mut leads_to, mut told, mut ends_at) = (HashMap::new(), false, None);
    let mut buffer = [0; 2048];
    while ends_at.is_none_or(|at| began.elapsed() < at) {
        let now = began.elapsed();
        let mut calling = 0;
        for (i, spoke) in spokes.iter_mut().enumerate() {
            calling += usize::from(!spoke.is_up());
            if calling <= AT_ONCE && spoke.deadline() <= now {
                spoke.poll(now, &mut |to, packet| drop(socket.send_to(packet, to)));
                leads_to.extend(spoke.sessions().map(|id| (id, i)));
            }
        }
        if calling == 0 && !told {
            println!("up {count} after {:.1} s", now.as_secs_f64());
            (told, ends_at) = (true, Some(now + Duration::from_secs(seconds.parse()?)));
            socket.set_read_timeout(Some(Duration::from_millis(100)))?;
        }
        while let Ok((len, from)) = socket.recv_from(&mut buffer) {
            let session = buffer[..len].first_chunk::<HEADER_LEN>();
            let session = session.map(|header| [header[4], header[5], header[6], header[7]]);
            let Some(&i) = session.and_then(|session| leads_to.get(&session)) else {
                continue;
            };
            let mut batch = [Incoming::new(&mut buffer[..len], from)];
            spokes[i].receive(began.elapsed(), &mut batch, &mut |to, packet| {
                drop(socket.send_to(packet, to))
            });
            if told {
                break;
            }
        }
    }
    Ok(())
}
