// SPDX-License-Identifier: Apache-2.0
//! What a running end answers to `status`, `rekey` and `down`, over a Unix socket.

use super::{Failure, free::once_free, refused, reload::Running};
use nix::{
    sys::socket::{getsockopt, sockopt},
    unistd::getuid,
};
use sealwire_link::gateway::{Address, Renewal, Report};
use sealwire_link::{
    endpoint::SlotStatus,
    noise::{Counts, Refusal},
    schedule::Role,
    wire::{DropCause, LocalDrop},
};
use serde_json::{Map, Value, json};
use std::{
    env, fs,
    io::{self, BufWriter, ErrorKind, Read, Write},
    os::{
        fd::IntoRawFd,
        unix::{
            fs::{FileTypeExt, MetadataExt, PermissionsExt},
            net::{UnixListener, UnixStream},
        },
    },
    path::{Path, PathBuf},
    process, thread,
    time::Duration,
};

/// The status socket.
#[derive(Debug)]
pub(super) struct StatusSocket {
    pub(super) listener: UnixListener,
    pub(super) file: SocketFile,
}

/// The socket's file, which goes when this is dropped: whichever way the end ends, also in its start, nothing stays that looks like one that
/// runs. An end that gave up root may have no right to remove it: `link down`, or the next start of any end, does then.
#[derive(Debug)]
pub(super) struct SocketFile {
    path: PathBuf,
    /// Device and number of the file. Another end may have put its own in place meanwhile.
    id: (u64, u64),
}

impl SocketFile {
    /// Which file it is.
    pub(super) fn id(path: &Path) -> io::Result<(u64, u64)> {
        let metadata = fs::symlink_metadata(path)?;
        Ok((metadata.dev(), metadata.ino()))
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if Self::id(&self.path).is_ok_and(|id| id == self.id) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens the status socket. One that a dead process left behind is replaced, one that answers is not.
pub(super) fn open_status(path: &Path) -> Result<StatusSocket, Failure> {
    let bind = || match UnixListener::bind(path) {
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            if UnixStream::connect(path).is_ok() {
                return Err(io::Error::new(
                    ErrorKind::AddrInUse,
                    "another gateway answers there already",
                ));
            }
            // Anything else of this name is somebody's file.
            if !fs::symlink_metadata(path)?.file_type().is_socket() {
                return Err(io::Error::new(
                    ErrorKind::AlreadyExists,
                    "there is a file of this name that is no socket; it is left alone",
                ));
            }
            fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        other => other,
    };
    let opened = once_free(bind).and_then(|listener| {
        let file = SocketFile {
            path: path.to_owned(),
            id: SocketFile::id(path)?,
        };
        fs::set_permissions(path, fs::Permissions::from_mode(0o660))?;
        Ok(StatusSocket { listener, file })
    });
    Ok(opened.map_err(|error| refused::status_socket(path, &error))?)
}

/// Removes the socket of an end that has ended, if it is still this one and nobody listens there: the end may have had no right to.
pub(super) fn remove_ended(path: &Path, id: (u64, u64)) {
    if UnixStream::connect(path).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused) {
        drop(SocketFile {
            path: path.to_owned(),
            id,
        });
    }
}

/// So old is a socket that its end has long begun to listen at it.
const SETTLED: Duration = Duration::from_secs(10);

/// Removes the status sockets in a folder that ends have left behind which had no right to remove them, or no time.
pub(super) fn remove_dead(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        if path
            .extension()
            .is_some_and(|extension| extension == "sock")
        {
            remove_if_dead(&path);
        }
    }
}

/// Removes a settled socket at which nobody listens. A younger one may be that of an end in its start, which binds before it listens.
pub(super) fn remove_if_dead(path: &Path) {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return;
    };
    let made = metadata.modified().ok();
    let is_old = made
        .and_then(|made| made.elapsed().ok())
        .is_some_and(|old| old >= SETTLED);
    if !metadata.file_type().is_socket() || !is_old {
        return;
    }
    remove_ended(path, (metadata.dev(), metadata.ino()));
}

/// What the answer to `rekey` begins with if the new key is in place; its fingerprint follows.
pub(super) const RENEWED: &str = "renewed ";

/// The answer to `down` if this end ends now.
pub(super) const ENDS: &str = "ends\n";

/// Answers questions, in a thread of its own. `unit` is what a service manager calls this end.
pub(super) fn serve_status(
    listener: UnixListener,
    running: impl Running,
    unit: String,
) -> io::Result<()> {
    let answer = move |mut stream: UnixStream| {
        let patience = Some(Duration::from_secs(1));
        stream.set_read_timeout(patience)?;
        stream.set_write_timeout(patience)?;
        let mut asked = String::new();
        Read::by_ref(&mut stream)
            .take(16)
            .read_to_string(&mut asked)?;
        let text = match asked.trim() {
            "json" => {
                let mut to = BufWriter::new(&mut stream);
                running.write_json(&mut to)?;
                to.write_all(b"\n")?;
                return to.flush();
            }
            "rekey" => renew(&stream, &running, Renewal::Smooth),
            "rekey now" => renew(&stream, &running, Renewal::Now),
            "down" => match refuse_to_end(&stream, &unit) {
                Some(why) => why,
                None => {
                    stream.write_all(ENDS.as_bytes())?;
                    // Who asked hears the end of the connection when all is over.
                    let _kept = stream.into_raw_fd();
                    running.stop();
                    return Ok(());
                }
            },
            _ => running.text(),
        };
        stream.write_all(text.as_bytes())
    };
    thread::Builder::new()
        .name("status".into())
        .spawn(move || {
            for stream in listener.incoming() {
                match stream.map(&answer) {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => {
                        tracing::debug!(%error, "a question about the status was not answered");
                    }
                    // No descriptor or no memory: not again at once.
                    Err(_) => thread::sleep(Duration::from_millis(100)),
                }
            }
        })?;
    Ok(())
}

/// Whether root or the own user asks; others that may open the socket may look only. The own user can open it where it has started
/// this end: of one that was started as root, the socket stays root's.
fn may_command(stream: &UnixStream) -> bool {
    let asks = getsockopt(stream, sockopt::PeerCredentials);
    asks.is_ok_and(|asks| asks.uid() == 0 || asks.uid() == getuid().as_raw())
}

/// Why this end does not end when it is asked to. A service manager starts anew what ends by itself.
fn refuse_to_end(stream: &UnixStream, unit: &str) -> Option<String> {
    let service = env::var("SYSTEMD_EXEC_PID").is_ok_and(|pid| pid == process::id().to_string());
    if !may_command(stream) {
        Some("only root and the user that started this end may end it\n".into())
    } else if service {
        Some(format!(
            "this end runs as a service, which would start it anew: `systemctl stop {unit}` ends it\n"
        ))
    } else {
        None
    }
}

/// Puts a new key in place.
fn renew(stream: &UnixStream, running: &impl Running, renewal: Renewal) -> String {
    let renewed = if may_command(stream) {
        running.renew(renewal)
    } else {
        Err("only root and the user that started this end may renew its key".into())
    };
    match renewed {
        Ok(key) => format!("{RENEWED}{key}\n"),
        Err(error) => format!("{error}\n"),
    }
}

/// The report as one object.
pub(super) fn to_json(report: &Report) -> Value {
    let c = &report.counters;
    json!({
        "up": report.up,
        "advice": report.advice,
        "scheme": report.scheme,
        "role": match report.role { Role::Initiator => "initiator", Role::Responder => "responder" },
        "state": report.status.state,
        "peer": report.peer.map(|peer| peer.to_string()),
        "peer_calls": report.peer.and_then(Address::own).map(|own| own.to_canonical().to_string()),
        "key": report.key.map(|key| json!({
            "fingerprint": key.to_string(),
            "since_seconds": key.since_seconds(),
            "renewals": key.renewals,
            "failures": report.key_failures,
        })),
        "uptime_seconds": report.uptime.as_secs_f64(),
        "silence_seconds": report.status.silence.as_secs_f64(),
        "current_session": report.status.cur.as_ref().map(slot_json),
        "other_session": report.status.alt.as_ref().map(slot_json),
        "noise_channel": report.channel.as_ref().map(channel_json),
        "erasures": { "copy": report.erasures.copies, "sleep": report.erasures.sleeps },
        "counters": {
            "trusted_in": c.trusted_in,
            "sealed": c.sealed,
            "trusted_drops": by_cause(&mut LocalDrop::ALL.iter().map(|cause| (cause.name(), c.trusted_dropped(*cause)))),
            "untrusted_in": c.untrusted_in,
            "delivered": c.delivered,
            "delivered_bytes": c.delivered_bytes,
            "keep_alives_in": c.keep_alives_in,
            "handshakes_in": c.handshakes_in,
            "untrusted_drops": by_cause(&mut DropCause::ALL.iter().map(|cause| (cause.name(), c.dropped(*cause)))),
            "source_drops": c.source_drops,
            "untrusted_out": c.untrusted_out,
            "keep_alives_out": c.keep_alives_out,
            "handshakes_out": c.handshakes_out,
            "sessions_installed": c.sessions_installed,
            "sessions_taken": c.sessions_taken,
            "unsent": report.failures.unsent,
            "undelivered": report.failures.undelivered,
            "foreign": report.failures.foreign,
        },
    })
}

/// What came through the Noise channel.
pub(super) fn channel_json(channel: &Counts) -> Value {
    json!({
        "received": channel.received,
        "taken": channel.taken,
        "sessions_loaded": channel.loaded,
        "failed_starts": channel.failed_starts,
        "drops": by_cause(&mut Refusal::ALL.iter().map(|cause| (cause.name(), channel.dropped(*cause)))),
    })
}

/// Counts by the names of their causes.
pub(super) fn by_cause(counts: &mut dyn Iterator<Item = (&'static str, u64)>) -> Value {
    let counts = counts.map(|(name, count)| (name.to_owned(), json!(count)));
    Value::Object(counts.collect::<Map<_, _>>())
}

fn slot_json(slot: &SlotStatus) -> Value {
    json!({
        "age_seconds": slot.age.as_secs_f64(),
        "sent": slot.sent,
        "received": slot.received,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_dead_socket_and_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("end.sock");
        fs::write(&path, "somebody's").unwrap();
        let said = |failure: Failure| failure.message.unwrap_or_default();
        let error = open_status(&path).map_err(said).unwrap_err();
        assert!(error.contains("left alone"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "somebody's");
        fs::remove_file(&path).unwrap();
        drop(UnixListener::bind(&path).unwrap());
        assert!(path.exists(), "a dead process's");
        let live = open_status(&path).map_err(said).unwrap();
        let error = open_status(&path).map_err(said).unwrap_err();
        assert!(error.contains("another gateway"), "{error}");
        drop(live);
    }

    #[test]
    fn what_dead_ends_left_behind_is_removed_and_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        let dead = |name: &str| drop(UnixListener::bind(at(name)).unwrap());
        dead("dead.sock");
        dead("young.sock");
        dead("dead.other");
        let live = UnixListener::bind(at("live.sock")).unwrap();
        fs::write(at("file.sock"), "somebody's").unwrap();
        std::os::unix::fs::symlink(at("dead.other"), at("link.sock")).unwrap();
        let aged = [
            "dead.sock",
            "dead.other",
            "live.sock",
            "file.sock",
            "link.sock",
        ]
        .map(at);
        let touch = process::Command::new("touch")
            .args(["-h", "-d", "1 minute ago"])
            .args(aged)
            .status();
        assert!(touch.unwrap().success());
        remove_dead(folder.path());
        let mut left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let expected = [
            "dead.other",
            "file.sock",
            "link.sock",
            "live.sock",
            "young.sock",
        ];
        assert_eq!(left, expected);
        drop(live);
        remove_dead(&at("nowhere"));
    }

    #[test]
    fn a_socket_goes_with_its_end_and_no_other_does() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("end.sock");
        let said = |failure: Failure| failure.message.unwrap_or_default();
        drop(open_status(&path).map_err(said).unwrap());
        assert!(!path.exists());
        let mine = open_status(&path).map_err(said).unwrap();
        // Somebody else's in its place.
        fs::rename(&path, folder.path().join("kept")).unwrap();
        let others = UnixListener::bind(&path).unwrap();
        drop(mine);
        assert!(path.exists(), "it is not this end's");
        drop(others);
    }
}
