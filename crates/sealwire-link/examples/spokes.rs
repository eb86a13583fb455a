// SPDX-License-Identifier: Apache-2.0
//! Many peers of one hub in one process, over one UDP socket: what a hub needs when it is measured or tested.
//!
//! `spokes HUB:PORT HUB_ID COUNT FOLDER SECONDS`: peers 1 to COUNT call the hub under the keys FOLDER/1.key and so on (hexadecimal digits,
//! suite omd-blake2b, IP, no keep-alives), then stay for some seconds and answer. It says `up COUNT` once all have sessions.
//!
//! With the hub's public key as a last word the keys are private ones, and the sessions come through the hub's Noise channel at the next port.

use sealwire_link::{
    endpoint::{Endpoint, KeepAlive, Timers},
    noise::{Caller, MAX_DATAGRAM, StaticKeys},
    packet::Incoming,
    schedule::{Ends, Identity, Psk, system_random},
    session::SessionKeys,
    suite::Suite,
    wire::{HEADER_LEN, Kind},
};
use std::{
    collections::HashMap,
    error::Error,
    net::{SocketAddr, UdpSocket},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Peers that call at one time: the hub's socket holds so many hellos.
const AT_ONCE: usize = 50;
/// How long a peer tries to get a session through the channel.
const PATIENCE: Duration = Duration::from_secs(5);

/// The Noise channel of one peer after the other: an answer does not say which of the hub's peers it is for.
struct Channel {
    socket: UdpSocket,
    hub: SocketAddr,
    callers: Vec<Caller>,
}

impl Channel {
    fn session(&mut self, i: usize, began: Instant) -> Result<SessionKeys, Box<dyn Error>> {
        let (caller, first) = (&mut self.callers[i], began.elapsed());
        let mut buffer = [0; MAX_DATAGRAM];
        let mut send = |bytes: &[u8]| drop(self.socket.send_to(bytes, self.hub));
        while began.elapsed() - first < PATIENCE {
            let time = SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros() as u64;
            caller.poll(began.elapsed(), true, time, &mut send);
            let Ok(len) = self.socket.recv(&mut buffer) else {
                continue;
            };
            // A late answer to an earlier peer does not open.
            if let Ok(Some(keys)) = caller.receive(began.elapsed(), &buffer[..len], &mut send) {
                return Ok(keys);
            }
        }
        Err(format!("no session for peer {} through the channel", i + 1).into())
    }
}

fn bytes_of(digits: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let pairs = digits.trim().as_bytes().chunks_exact(2);
    pairs
        .map(|pair| Ok(u8::from_str_radix(std::str::from_utf8(pair)?, 16)?))
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let ([hub, hub_id, count, folder, seconds], rest) = words
        .split_first_chunk()
        .ok_or("spokes HUB:PORT HUB_ID COUNT FOLDER SECONDS [PUBLIC_KEY]")?;
    let hub: SocketAddr = hub.parse()?;
    let (hub_id, count) = (u64::from_str_radix(hub_id, 16)?, count.parse::<u64>()?);
    let suite = Suite::by_name("omd-blake2b").ok_or("no such suite")?;
    let timers = Timers::default().with_keep_alive(KeepAlive::Off)?;
    let any = if hub.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let public = rest.first().map(|digits| bytes_of(digits)).transpose()?;
    let (mut spokes, mut callers) = (Vec::new(), Vec::new());
    for id in 1..=count {
        let key = bytes_of(&std::fs::read_to_string(format!("{folder}/{id}.key"))?)?;
        let ids = [id, hub_id].map(u64::to_be_bytes);
        spokes.push(if let Some(public) = &public {
            let keys = StaticKeys::new(key[..].try_into()?, public[..].try_into()?)?;
            let identity = Identity::new(suite, ids[0], ids[1], Kind::Ip)?;
            callers.push(Caller::new(identity, keys, system_random()));
            Endpoint::loaded(identity, timers, hub)
        } else {
            let ends = Ends::new(suite, Psk::new(suite, &key)?, ids[0], ids[1], Kind::Ip)?;
            Endpoint::new(ends, timers, Some(hub), system_random())?
        });
    }
    let mut channel = Channel {
        socket: UdpSocket::bind(any)?,
        hub: SocketAddr::new(hub.ip(), hub.port() + 1),
        callers,
    };
    channel
        .socket
        .set_read_timeout(Some(Duration::from_millis(50)))?;
    let socket = UdpSocket::bind(any)?;
    socket.set_read_timeout(Some(Duration::from_millis(10)))?;
    let began = Instant::now();
    let (mut leads_to, mut told, mut ends_at) = (HashMap::new(), false, None);
    let mut buffer = [0; 2048];
    while ends_at.is_none_or(|at| began.elapsed() < at) {
        let now = began.elapsed();
        let (mut calling, mut loaded) = (0, 0);
        for (i, spoke) in spokes.iter_mut().enumerate() {
            calling += usize::from(!spoke.is_up());
            if loaded < AT_ONCE && public.is_some() && spoke.wants_session() {
                spoke.load(began.elapsed(), channel.session(i, began)?)?;
                loaded += 1;
            }
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
