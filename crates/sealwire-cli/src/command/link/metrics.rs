// SPDX-License-Identifier: Apache-2.0
//! The page of metrics: HTTP for whoever can reach the port, so one request a connection, few connections, and none for long.

use super::{Failure, free::once_free, refused};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::{
    io::{self, ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    os::fd::AsFd,
    thread,
    time::{Duration, Instant},
};

/// Connections at one time. One more ends the oldest: who holds connections open keeps nobody out, and takes no descriptors that the
/// gateway needs. A flood of new ones ends each before its answer, and so does keep others out.
const VISITORS: usize = 16;
/// A connection ends after this long, whatever it waits for.
const PATIENCE: Duration = Duration::from_secs(2);
/// Bytes that a request may have, and bytes behind it that are read away, so that the answer is not lost to a reset.
const REQUEST: usize = 4096;
/// Header fields that a request may have.
const FIELDS: usize = 64;
/// The listener rests this long when the system gives no connection, for want of descriptors or memory.
const BACK_OFF: Duration = Duration::from_millis(100);

/// Opens the port for metrics.
pub(super) fn open(address: SocketAddr) -> Result<TcpListener, Failure> {
    let asked_by = format!("[run] metrics {address}");
    if !address.ip().to_canonical().is_loopback() {
        tracing::warn!(
            %address,
            "[run] metrics is not a loopback address: whoever reaches it can read the counters; there is no access control"
        );
    }
    once_free(|| TcpListener::bind(address))
        .map_err(|error| refused::address(&asked_by, refused::LOW_PORT, &error))
}

/// Answers `GET /metrics` with what `text` gives, in a thread of its own.
pub(super) fn serve(
    listener: TcpListener,
    text: impl Fn() -> String + Send + 'static,
) -> io::Result<()> {
    serve_for(listener, PATIENCE, text)
}

/// Answers with this patience for each connection.
fn serve_for(
    listener: TcpListener,
    patience: Duration,
    text: impl Fn() -> String + Send + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    thread::Builder::new()
        .name("metrics".into())
        .spawn(move || {
            let mut page = Page {
                listener,
                text,
                patience,
                visitors: Vec::with_capacity(VISITORS),
                rests_until: Instant::now(),
            };
            loop {
                page.turn();
            }
        })?;
    Ok(())
}

struct Page<T> {
    listener: TcpListener,
    text: T,
    patience: Duration,
    /// The oldest first.
    visitors: Vec<Visitor>,
    rests_until: Instant,
}

impl<T: Fn() -> String> Page<T> {
    /// Waits for something to do, and does it.
    fn turn(&mut self) {
        let now = Instant::now();
        self.visitors.retain(|visitor| now < visitor.ends_at);
        let is_resting = now < self.rests_until;
        let first = self.visitors.first().map(|visitor| visitor.ends_at);
        let due = first
            .into_iter()
            .chain(is_resting.then_some(self.rests_until))
            .min();
        let mut fds: Vec<_> = self
            .visitors
            .iter()
            .map(|visitor| PollFd::new(visitor.stream.as_fd(), visitor.awaits()))
            .collect();
        if !is_resting {
            fds.push(PollFd::new(self.listener.as_fd(), PollFlags::POLLIN));
        }
        // One millisecond more than is left, so that nothing is due a moment too early and the loop does not spin.
        let wait = due.map_or(PollTimeout::NONE, |due| {
            let left = due.saturating_duration_since(now) + Duration::from_millis(1);
            PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)
        });
        if poll(&mut fds, wait).is_err() {
            drop(fds);
            thread::sleep(BACK_OFF);
            return;
        }
        let ready: Vec<_> = fds.iter().map(|fd| fd.any().unwrap_or(true)).collect();
        drop(fds);
        let (mut ready, calls) = (ready.iter(), ready.len() > self.visitors.len());
        let text = &self.text;
        self.visitors
            .retain_mut(|visitor| ready.next() != Some(&true) || visitor.go_on(text).is_ok());
        if calls && ready.next() == Some(&true) {
            self.accept();
        }
    }

    fn accept(&mut self) {
        match self.listener.accept() {
            Ok((stream, _)) => {
                if self.visitors.len() >= VISITORS {
                    self.visitors.remove(0);
                }
                self.visitors.extend(Visitor::new(stream, self.patience));
            }
            Err(error) if is_quiet(&error) || error.kind() == ErrorKind::ConnectionAborted => {}
            Err(error) => {
                tracing::debug!(%error, "no connection for the metrics");
                self.rests_until = Instant::now() + BACK_OFF;
            }
        }
    }
}

/// One connection: its request is read, then answered, then what follows is read away until the other side closes.
struct Visitor {
    stream: TcpStream,
    ends_at: Instant,
    state: State,
}

enum State {
    Asks(Vec<u8>),
    Answered { answer: Vec<u8>, sent: usize },
    Leaves { read: usize },
}

impl Visitor {
    fn new(stream: TcpStream, patience: Duration) -> Option<Self> {
        stream.set_nonblocking(true).ok()?;
        Some(Self {
            stream,
            ends_at: Instant::now() + patience,
            state: State::Asks(Vec::new()),
        })
    }

    fn awaits(&self) -> PollFlags {
        match self.state {
            State::Asks(_) | State::Leaves { .. } => PollFlags::POLLIN,
            State::Answered { .. } => PollFlags::POLLOUT,
        }
    }

    /// Goes as far as the other side lets it. An error is the end of the connection.
    fn go_on(&mut self, text: &impl Fn() -> String) -> io::Result<()> {
        let done = loop {
            match &mut self.state {
                State::Asks(request) => {
                    let mut bytes = [0; 1024];
                    match self.stream.read(&mut bytes) {
                        Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                        Ok(len) => request.extend_from_slice(&bytes[..len]),
                        Err(error) => break error,
                    }
                    if let Some(answer) = answer_to(request, text) {
                        self.state = State::Answered { answer, sent: 0 };
                    }
                }
                State::Answered { answer, sent } if *sent < answer.len() => {
                    match self.stream.write(&answer[*sent..]) {
                        Ok(0) => return Err(ErrorKind::WriteZero.into()),
                        Ok(len) => *sent += len,
                        Err(error) => break error,
                    }
                }
                State::Answered { .. } => {
                    self.stream.shutdown(Shutdown::Write)?;
                    self.state = State::Leaves { read: 0 };
                }
                State::Leaves { read } => match self.stream.read(&mut [0; 1024]) {
                    Ok(len) if len > 0 && *read < REQUEST => *read += len,
                    Ok(_) => return Err(ErrorKind::UnexpectedEof.into()),
                    Err(error) => break error,
                },
            }
        };
        if is_quiet(&done) { Ok(()) } else { Err(done) }
    }
}

/// The whole answer to a request, once all of it is there.
fn answer_to(request: &[u8], text: &impl Fn() -> String) -> Option<Vec<u8>> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut parsed = httparse::Request::new(&mut fields);
    let (status, body) = match parsed.parse(request) {
        Ok(httparse::Status::Partial) if request.len() < REQUEST => return None,
        Ok(httparse::Status::Complete(_)) => match (parsed.method, parsed.path) {
            (Some("GET"), Some("/metrics")) => ("200 OK", text()),
            _ => ("404 Not Found", "the metrics are at /metrics\n".to_owned()),
        },
        _ => ("400 Bad Request", "this is no HTTP request\n".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    Some([head, body].concat().into_bytes())
}

fn is_quiet(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &[u8] = b"GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n";

    fn page(text: &str) -> SocketAddr {
        patient_page(text, PATIENCE)
    }

    fn patient_page(text: &str, patience: Duration) -> SocketAddr {
        let listener = open("127.0.0.1:0".parse().unwrap()).map_err(|failure| failure.message);
        let listener = listener.unwrap();
        let address = listener.local_addr().unwrap();
        let text = text.to_owned();
        serve_for(listener, patience, move || text.clone()).unwrap();
        address
    }

    fn visit(address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).unwrap();
        let patience = Some(Duration::from_secs(10));
        stream.set_read_timeout(patience).unwrap();
        stream
    }

    fn ask(address: SocketAddr, question: &[u8]) -> String {
        let mut stream = visit(address);
        stream.write_all(question).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn answers_each_connection_once() {
        let address = page("up 1\n");
        let answer = ask(address, &QUESTION.repeat(3));
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("\r\nContent-Length: 5\r\n"));
        assert!(answer.ends_with("\r\n\r\nup 1\n") && answer.matches("HTTP/1.1").count() == 1);
        for (question, status) in [
            (&b"GET / HTTP/1.1\r\n\r\n"[..], "404"),
            (b"POST /metrics HTTP/1.1\r\n\r\n", "404"),
            (b"\0\x01garbage\r\n\r\n", "400"),
            (&[b'A'; REQUEST], "400"),
        ] {
            let answer = ask(address, question);
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status} ")),
                "{answer}"
            );
        }
    }

    #[test]
    fn a_client_that_reads_nothing_holds_up_nobody() {
        // More than the system keeps for one connection.
        let text = "x".repeat(32 << 20);
        let idle_at = |address| {
            let mut idle = visit(address);
            idle.write_all(QUESTION).unwrap();
            thread::sleep(Duration::from_millis(100));
            idle
        };
        // However slow the machine is, the patience is longer: who waited for the idle one would wait for its end.
        let patience = Duration::from_secs(60);
        let address = patient_page(&text, patience);
        let idle = idle_at(address);
        let began = Instant::now();
        assert!(ask(address, QUESTION).len() > text.len());
        assert!(
            began.elapsed() < patience,
            "at once, not when the other has ended"
        );
        drop(idle);
        let mut idle = idle_at(patient_page(&text, Duration::from_millis(50)));
        let mut rest = Vec::new();
        let cut = idle.read_to_end(&mut rest).is_err() || rest.len() < text.len();
        assert!(cut, "its time is over");
    }

    #[test]
    fn idle_connections_are_few_and_end() {
        let address = page("up 1\n");
        let mut idle: Vec<_> = (0..200).map(|_| visit(address)).collect();
        assert!(ask(address, QUESTION).ends_with("up 1\n"), "served at once");
        let is_open = |stream: &mut TcpStream| {
            stream.set_nonblocking(true).unwrap();
            stream.read(&mut [0]).is_err_and(|error| is_quiet(&error))
        };
        let open = idle
            .iter_mut()
            .filter_map(|s| is_open(s).then_some(()))
            .count();
        assert!(open < 16, "{open} are held");
        thread::sleep(PATIENCE + Duration::from_millis(200));
        assert!(!idle.iter_mut().any(is_open), "nobody stays");
        assert!(ask(address, QUESTION).ends_with("up 1\n"));
    }
}
