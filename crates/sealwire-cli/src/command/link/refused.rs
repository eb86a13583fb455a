// SPDX-License-Identifier: Apache-2.0
//! What the system refuses to an end, in words that say what helps.

use super::{
    super::input::{plain, shown},
    Failure,
};
use rustix::io::Errno;
use std::{
    io::{self, ErrorKind},
    path::Path,
};

/// Bytes that the path of a socket may have: `sun_path` of `sockaddr_un`, without its end.
const LONGEST_SOCKET: usize = 107;

/// Why nobody can listen at an address that the configuration names. `needed` are the rights without which nobody may.
pub(super) fn address(asked_by: &str, needed: &str, error: &io::Error) -> Failure {
    let why = plain(error);
    let advice = match Errno::from_io_error(error) {
        Some(Errno::ADDRINUSE) => {
            "another process listens there, or this end is up already, which `sealwire link status` says"
        }
        Some(Errno::ADDRNOTAVAIL) => {
            "no device of this machine has this address; name one that `ip address` shows, or 0.0.0.0 or [::] for all"
        }
        Some(Errno::AFNOSUPPORT) => {
            "this machine has no addresses of this family; name one of the other"
        }
        Some(Errno::ACCESS | Errno::PERM) => {
            return format!("{asked_by}: {why}; this needs {needed}").into();
        }
        // The library's own words say it all.
        None => return format!("{asked_by}: {why}").into(),
        _ => "check the address with `ip address`",
    };
    format!("{asked_by}: {why}; {advice}").into()
}

/// Rights for the low ports, which the system keeps for itself.
pub(super) const LOW_PORT: &str = "a port from 1024 on, or root or CAP_NET_BIND_SERVICE";

/// Why the trusted device cannot be made.
pub(super) fn device(name: &str, error: &io::Error) -> String {
    let why = plain(error);
    let advice = match Errno::from_io_error(error) {
        Some(Errno::ACCESS | Errno::PERM) => "this needs root or CAP_NET_ADMIN",
        Some(Errno::NOENT | Errno::NODEV | Errno::NXIO) => {
            "is there a /dev/net/tun? `modprobe tun` makes it, and a container needs to be given it"
        }
        Some(Errno::BUSY) => {
            "another process has it, or this end is up already, which `sealwire link status` says"
        }
        Some(Errno::INVAL) => {
            "a device of another kind has this name already (`ip link show` lists all); choose another name"
        }
        _ => "`ip link show` and the kernel's log (`dmesg`) say more",
    };
    format!("[trusted] device {name}: {why}; {advice}")
}

/// What is wrong with a path that no socket can have.
pub(super) fn long_socket(path: &Path) -> Option<String> {
    let len = path.as_os_str().len();
    (len > LONGEST_SOCKET).then(|| {
        format!(
            "[run] status-socket {}: the path has {len} bytes, that of a socket at most {LONGEST_SOCKET}; name a shorter one",
            shown(path)
        )
    })
}

/// Why the status socket cannot be made.
pub(super) fn status_socket(path: &Path, error: &io::Error) -> String {
    if let Some(long) = long_socket(path) {
        return long;
    }
    let why = plain(error);
    let advice = match error.kind() {
        ErrorKind::NotFound => "it needs a folder that exists; make it, or name another path",
        ErrorKind::NotADirectory => "it needs a folder to be in; name another path",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "name a path in a folder that this user may write to"
        }
        ErrorKind::AddrInUse => "`sealwire link down` ends that one",
        ErrorKind::AlreadyExists => "name another path",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "free some space, or name another path"
        }
        _ => "name another path",
    };
    format!("[run] status-socket {}: {why}; {advice}", shown(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the system refuses with this number.
    fn refused(error: Errno) -> io::Error {
        error.into()
    }

    #[test]
    fn what_the_system_refuses_is_said_without_its_number_and_with_what_helps() {
        let at = |error| {
            let said = address("[untrusted] listen 192.0.2.1:80", LOW_PORT, &refused(error));
            said.message.unwrap()
        };
        let made = |error| device("seal0", &refused(error));
        let opened = |error| status_socket(Path::new("end.sock"), &refused(error));
        for (said, advice) in [
            (at(Errno::ADDRINUSE), "sealwire link status"),
            (at(Errno::ADDRNOTAVAIL), "`ip address` shows, or 0.0.0.0"),
            (at(Errno::AFNOSUPPORT), "one of the other"),
            (at(Errno::ACCESS), "a port from 1024 on"),
            (at(Errno::NOBUFS), "check the address"),
            (made(Errno::PERM), "root or CAP_NET_ADMIN"),
            (made(Errno::NOENT), "modprobe tun"),
            (made(Errno::BUSY), "sealwire link status"),
            (made(Errno::INVAL), "choose another name"),
            (made(Errno::NOBUFS), "`dmesg`"),
            (opened(Errno::NOENT), "a folder that exists"),
            (opened(Errno::NOTDIR), "a folder to be in"),
            (opened(Errno::ACCESS), "may write to"),
            (opened(Errno::NOSPC), "free some space"),
            (opened(Errno::LOOP), "another path"),
        ] {
            assert!(said.contains(advice), "{advice}: {said}");
            assert!(said.starts_with('['), "{said}");
            assert!(!said.contains("os error"), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }

    #[test]
    fn the_library_s_own_words_stay_as_they_are() {
        let own = io::Error::new(
            ErrorKind::NotFound,
            "there is no network device of this name",
        );
        let said = address("[untrusted] device eth9", "root or CAP_NET_RAW", &own);
        let said = said.message.unwrap();
        assert_eq!(
            said,
            "[untrusted] device eth9: there is no network device of this name"
        );
    }

    #[test]
    fn a_path_that_no_socket_can_have_is_counted() {
        let path = |len: usize| "s".repeat(len);
        assert_eq!(long_socket(Path::new(&path(LONGEST_SOCKET))), None);
        let folder = tempfile::TempDir::new().unwrap();
        let taken = folder
            .path()
            .join(path(LONGEST_SOCKET - folder.path().as_os_str().len() - 1));
        std::os::unix::net::UnixListener::bind(&taken).unwrap();
        let said = long_socket(Path::new(&path(LONGEST_SOCKET + 1))).unwrap();
        assert!(
            said.contains("has 108 bytes, that of a socket at most 107"),
            "{said}"
        );
    }
}
