// SPDX-License-Identifier: Apache-2.0
//! A board's console at a serial line: one command, the lines of its answer. The commands: docs/firmware.md.

use super::{
    super::super::input::{plain, shown},
    Failure,
};
use rustix::{
    fs::{FlockOperation, Mode, OFlags, fcntl_setfl, flock, open},
    io::Errno,
    termios::{
        ControlModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush,
        tcgetattr, tcsetattr,
    },
};
use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
    time::{Duration, Instant},
};

const BAUD: u32 = 115_200;
/// How long an answer may take, beginning and all: a board that is simulated takes some seconds.
const PATIENCE: Duration = Duration::from_secs(8);
/// Tenths of a second that a read waits.
const READ_WAIT: u8 = 1;
/// Of a line that a board says, and of those that an answer has. What is longer may be a command that comes back, with a key in it.
const LONGEST: usize = 100;
const MOST_LINES: usize = 100;
/// A line that is no command, whatever somebody left half written in front of it, and what is said to it.
const NOTHING: &[u8] = b"\x01\n";
const REFUSED: &str = "error line of no command";

/// The serial line, which nobody else has meanwhile.
pub(super) struct Console {
    port: File,
    name: String,
}

/// Why there is no answer to go by.
pub(super) enum Unanswered {
    /// It will never come: the line is gone, or the board is another end.
    Ends(Failure),
    /// Nothing comes in time, or nothing that a board says.
    Silent(&'static str),
    /// The board cannot do what it was asked for, and says why.
    Refused(String),
}

impl Console {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let name = shown(path).to_string();
        let failed = |what: &str, hint: &str| format!("{name}: {what}; {hint}");
        // Without waiting for a carrier, which a console has not.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let port = open(path, flags, Mode::empty()).map_err(|error| {
            failed(
                &plain(&error.into()),
                "is the board connected, and may you use the port (group dialout)?",
            )
        })?;
        let mut settings = tcgetattr(&port).map_err(|_| {
            failed(
                "it is no serial line",
                "give that of the board's console, such as /dev/ttyUSB1",
            )
        })?;
        flock(&port, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
            Errno::WOULDBLOCK => failed("another program has it", "end that one first"),
            error => failed(&plain(&error.into()), "it cannot be locked"),
        })?;
        set_up(&mut settings)
            .and_then(|()| tcsetattr(&port, OptionalActions::Now, &settings))
            .and_then(|()| fcntl_setfl(&port, OFlags::empty()))
            .map_err(|error| {
                failed(
                    &plain(&error.into()),
                    "it does not take 115200 bits a second",
                )
            })?;
        Ok(Self {
            port: port.into(),
            name,
        })
    }

    /// The lines of the answer but the last.
    pub(super) fn ask(&mut self, command: &[u8]) -> Result<Vec<String>, Unanswered> {
        let until = Instant::now() + PATIENCE;
        tcflush(&self.port, QueueSelector::IFlush).map_err(|error| self.gone(&error.into()))?;
        self.write(NOTHING)?;
        let mut came = Vec::new();
        for _ in 0..MOST_LINES {
            if self.line(&mut came, until)? == REFUSED {
                self.write(command)?;
                self.write(b"\n")?;
                return self.answer(&mut came, until);
            }
        }
        Err(Unanswered::Silent(NO_BOARD))
    }

    fn answer(&mut self, came: &mut Vec<u8>, until: Instant) -> Result<Vec<String>, Unanswered> {
        let mut lines = Vec::new();
        while lines.len() < MOST_LINES {
            let line = self.line(came, until)?;
            if line == "ok" {
                return Ok(lines);
            }
            if let Some(why) = line.strip_prefix("error ") {
                return Err(Unanswered::Refused(why.to_owned()));
            }
            lines.push(line);
        }
        Err(Unanswered::Silent(NO_BOARD))
    }

    /// The next line, of letters that a terminal shows as they are.
    fn line(&mut self, came: &mut Vec<u8>, until: Instant) -> Result<String, Unanswered> {
        loop {
            if let Some(end) = came.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = came.drain(..=end).collect();
                let line = line[..end].trim_ascii();
                let is_plain = line.iter().all(|byte| (b' '..=b'~').contains(byte));
                return match std::str::from_utf8(line) {
                    Ok(line) if is_plain && line.len() <= LONGEST => Ok(line.to_owned()),
                    _ => Err(Unanswered::Silent(NO_BOARD)),
                };
            }
            if came.len() > LONGEST {
                return Err(Unanswered::Silent(NO_BOARD));
            }
            if Instant::now() >= until {
                return Err(Unanswered::Silent(
                    "it does not answer: is the board on, and is this the port of its console?",
                ));
            }
            let mut buffer = [0; LONGEST];
            match self.port.read(&mut buffer) {
                Ok(len) => came.extend_from_slice(&buffer[..len]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.gone(&error)),
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Unanswered> {
        self.port
            .write_all(bytes)
            .map_err(|error| self.gone(&error))
    }

    fn gone(&self, error: &io::Error) -> Unanswered {
        Unanswered::Ends(
            format!(
                "{}: {}; is the board still connected?",
                self.name,
                plain(error)
            )
            .into(),
        )
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

pub(super) const NO_BOARD: &str =
    "what it says is not what a board says, or it gives back what is sent to it";

/// 8N1, nothing translated, and reads that come back.
fn set_up(settings: &mut Termios) -> rustix::io::Result<()> {
    settings.make_raw();
    settings.control_modes |= ControlModes::CLOCAL | ControlModes::CREAD;
    settings.control_modes &= !(ControlModes::CSTOPB | ControlModes::CRTSCTS);
    settings.special_codes[SpecialCodeIndex::VMIN] = 0;
    settings.special_codes[SpecialCodeIndex::VTIME] = READ_WAIT;
    settings.set_speed(BAUD)
}
