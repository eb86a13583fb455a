// SPDX-License-Identifier: Apache-2.0
//! `link board`: sessions through the Noise channel for a board, which takes them at its console.

mod console;

use super::{
    super::input::plain,
    Failure, Outcome,
    config::{Checked, Config, Sessions},
    harden, load,
    privileges::Target as User,
    up::{open_channel, start_log},
};
use console::{Console, Unanswered};
use sealwire_link::{
    endpoint::Timers,
    noise::{Channel, Tally, Target},
    schedule::{Identity, system_random},
    session::{LOAD_WORDS, SessionKeys},
};
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use zeroize::Zeroizing;

/// How long the board is left alone between two questions for its state, at least.
const PAUSE: Duration = Duration::from_millis(250);
/// And at least so many times as long as its last answer took: most of the time the line waits for a session.
const REST: u32 = 4;
/// A peer that was not heard for so long is gone: it says something every 250 ms.
const SILENCE: Duration = Duration::from_secs(1);
/// How long a new session may take to be heard in.
const PROOF: Duration = Duration::from_secs(2);

pub(super) fn run(config: &Config, port: &Path) -> Outcome {
    start_log(config);
    let user = User::find(config.user())?;
    harden::for_keys()?;
    let Checked {
        sessions, timers, ..
    } = Checked::new(config)?;
    let identity = *sessions.identity();
    let Sessions::Noise {
        keys, listen, peer, ..
    } = sessions
    else {
        return Err(load::NO_NOISE.into());
    };
    let peer = load::called(peer.as_ref(), listen)?;
    let socket = open_channel(listen)?;
    let channel = Channel::new(identity, keys, socket, peer, system_random())
        .map_err(|error| error.to_string())?;
    let mut board = Board::new(Console::open(port)?, identity, timers)?;
    user.become_it()?;
    harden::shut()?;
    tracing::info!(port = board.console.name(), %listen, role = ?identity.role(), "brings sessions to the board");
    let counts = Mutex::new(Tally::default());
    channel
        .run(&mut board, &counts)
        .map_err(|error| format!("the Noise channel ended: {}", plain(&error)))?;
    for line in counts.into_inner().unwrap_or_default().all.lines() {
        tracing::info!("{line}");
    }
    board.failure.map_or(Ok(()), Err)
}

/// What the board says of itself.
#[derive(Default)]
struct State {
    runs: bool,
    boot: u64,
    is_up: bool,
    age: Duration,
    sealed: u64,
    heard: u64,
}

/// The board as the channel sees it.
struct Board {
    console: Console,
    identity: Identity,
    timers: Timers,
    state: State,
    asked_at: Instant,
    pause: Duration,
    /// When the board was last asked and more packets of the other end had come than before.
    heard_at: Instant,
    loaded_at: Option<Instant>,
    /// The board lost its sessions, which the channel has yet to hear.
    lost: bool,
    /// What was said last of a board that does not run, so that it is said once.
    said: Option<String>,
    failure: Option<Failure>,
    stops: Arc<AtomicBool>,
}

impl Board {
    fn new(console: Console, identity: Identity, timers: Timers) -> Result<Self, Failure> {
        let stops = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register(signal, Arc::clone(&stops))
                .map_err(|error| format!("signals cannot be watched: {}", plain(&error)))?;
        }
        let now = Instant::now();
        let mut board = Self {
            console,
            identity,
            timers,
            state: State::default(),
            asked_at: now,
            pause: PAUSE,
            heard_at: now,
            loaded_at: None,
            lost: false,
            said: None,
            failure: None,
            stops,
        };
        board.ask();
        board.failure.take().map_or(Ok(board), Err)
    }

    /// Asks for the state, unless that was done just now.
    fn look(&mut self) {
        if self.asked_at.elapsed() >= self.pause {
            self.ask();
        }
    }

    fn ask(&mut self) {
        let began = Instant::now();
        let told = self.console.ask(b"status");
        let told = told.and_then(|lines| State::read(&lines, &self.identity));
        self.pause = PAUSE;
        let state = match told {
            Ok(state) => {
                self.pause = PAUSE.max(REST * began.elapsed());
                if self.said.take().is_some() {
                    tracing::info!("the board runs");
                }
                state
            }
            Err(unanswered) => {
                self.say(unanswered);
                State::default()
            }
        };
        self.asked_at = Instant::now();
        if state.heard > self.state.heard {
            self.heard_at = self.asked_at;
        }
        // Another boot, or none: the link's sessions are gone, and so is what they were drawn for.
        if state.boot != self.state.boot {
            self.lost = true;
            self.loaded_at = None;
        }
        self.state = state;
    }

    /// Says once what stands in the way, and keeps what ends all.
    fn say(&mut self, unanswered: Unanswered) {
        let why = match unanswered {
            Unanswered::Ends(failure) => {
                self.failure = Some(failure);
                return;
            }
            Unanswered::Silent(why) => why.to_owned(),
            Unanswered::Refused(why) => why,
        };
        if self.said.as_ref() != Some(&why) {
            tracing::warn!("the board at {}: {why}", self.console.name());
            self.said = Some(why);
        }
    }

    /// Whether a session that was loaded may still be heard in for the first time.
    fn waits(&self) -> bool {
        self.loaded_at
            .is_some_and(|loaded| loaded.elapsed() < PROOF)
    }
}

impl Target for Board {
    fn wants_session(&mut self, _: usize) -> bool {
        self.look();
        let State {
            runs,
            is_up,
            age,
            sealed,
            ..
        } = self.state;
        let most = self
            .timers
            .rekey_packets()
            .min(self.identity.suite().rekey_packets());
        let is_due = !is_up
            || age >= self.timers.rekey()
            || sealed >= most
            || self.asked_at.duration_since(self.heard_at) >= SILENCE;
        runs && is_due && !self.waits()
    }

    fn is_up(&mut self, _: usize) -> bool {
        self.look();
        self.state.is_up
    }

    fn load(&mut self, _: usize, keys: SessionKeys) -> bool {
        let taken = command(&keys).and_then(|command| self.console.ask(&command));
        match taken {
            Ok(_) => {
                tracing::info!("the board has a new session");
                self.loaded_at = Some(Instant::now());
                self.said = None;
                true
            }
            Err(unanswered) => {
                self.say(unanswered);
                false
            }
        }
    }

    fn forgets(&mut self) -> bool {
        self.look();
        std::mem::take(&mut self.lost)
    }

    fn is_finished(&mut self) -> bool {
        self.failure.is_some() || self.stops.load(Ordering::Relaxed)
    }
}

/// The console's command for a session.
fn command(keys: &SessionKeys) -> Result<Zeroizing<Vec<u8>>, Unanswered> {
    const NAME: &[u8] = b"session ";
    let words = keys
        .load_words()
        .map_err(|error| Unanswered::Ends(error.to_string().into()))?;
    // Room for everything from the start: what grows would leave copies behind.
    let mut bytes = Zeroizing::new([0; 4 * LOAD_WORDS]);
    for (place, word) in bytes.chunks_exact_mut(4).zip(words.iter()) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    let check = crc32fast::hash(&*bytes).to_be_bytes();
    let (digits, check_digits) = (2 * bytes.len(), 2 * check.len());
    let mut text = Zeroizing::new(vec![b' '; NAME.len() + digits + 1 + check_digits]);
    text[..NAME.len()].copy_from_slice(NAME);
    let mut put = |bytes: &[u8], at: usize| {
        base16ct::lower::encode(bytes, &mut text[at..][..2 * bytes.len()])
            .map(drop)
            .expect("there is room for two digits a byte");
    };
    put(&*bytes, NAME.len());
    put(&check, NAME.len() + digits + 1);
    Ok(text)
}

impl State {
    /// Reads the lines of a status, from a board that is this identity's end.
    fn read(lines: &[String], identity: &Identity) -> Result<Self, Unanswered> {
        let pairs: HashMap<&str, &str> = lines
            .iter()
            .filter_map(|line| line.split_once(' '))
            .collect();
        let text = |name| {
            pairs
                .get(name)
                .copied()
                .ok_or(Unanswered::Silent(console::NO_BOARD))
        };
        let number = |name| {
            let number = text(name)?.parse::<u64>();
            number.map_err(|_| Unanswered::Silent(console::NO_BOARD))
        };
        let state = text("state")?;
        if state != "runs" {
            return Err(Unanswered::Refused(format!(
                "it does not run, it says: {state}; `sealwire-lab board provision` without --key-file makes it take sessions"
            )));
        }
        if number("handshake")? != 0 {
            return Err(Unanswered::Ends(
                "the board has a pre-shared key and makes its sessions by handshake, without forward secrecy; `sealwire-lab board provision` without --key-file takes the key away".into(),
            ));
        }
        let hex = |id: [u8; 8]| format!("{:016x}", u64::from_be_bytes(id));
        let ids = format!("{} {}", hex(identity.local()), hex(identity.peer()));
        if text("ids")? != ids {
            return Err(Unanswered::Ends(
                format!(
                    "the board has the ids {}, the configuration {ids}",
                    text("ids")?
                )
                .into(),
            ));
        }
        if number("suite")? != u64::from(identity.suite().code) {
            return Err(Unanswered::Ends(
                format!(
                    "the board has suite {:02x}, the configuration {}",
                    number("suite")?,
                    identity.suite().alias
                )
                .into(),
            ));
        }
        Ok(Self {
            runs: true,
            boot: number("boot")?,
            is_up: number("session")? == 1,
            age: Duration::from_millis(number("age")?),
            sealed: number("sealed")?,
            heard: number("heard")?,
        })
    }
}
