// SPDX-License-Identifier: Apache-2.0
//! Word of the kernel that this machine is a copy: a snapshot that was started again, or a clone.

use nix::{
    errno::Errno,
    sys::socket::{
        AddressFamily, NetlinkAddr, SockFlag, SockProtocol, SockType, bind, recvfrom, socket,
    },
};
use std::{
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    path::Path,
};

/// What the kernel says when the virtual machine has another generation id.
const NEW_GENERATION: &[u8] = b"NEW_VMGENID=1";
/// The multicast group of the kernel's own events.
const KERNEL: u32 = 1;
/// Where the kernel shows that it knows a generation id.
const DRIVERS: [&str; 2] = [
    "/sys/bus/acpi/drivers/vmgenid",
    "/sys/bus/platform/drivers/vmgenid",
];

/// The kernel's events.
pub(super) struct Copies {
    events: OwnedFd,
}

impl Copies {
    pub(super) fn watch() -> io::Result<Self> {
        let events = socket(
            AddressFamily::Netlink,
            SockType::Datagram,
            SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK,
            SockProtocol::NetlinkKObjectUEvent,
        )?;
        bind(events.as_raw_fd(), &NetlinkAddr::new(0, KERNEL))?;
        Ok(Self { events })
    }

    /// Whether the kernel knows the machine's generation at all.
    pub(super) fn are_told() -> bool {
        DRIVERS.iter().any(|path| Path::new(path).exists())
    }

    /// Whether the machine has become a copy since this was last asked.
    pub(super) fn came(&self) -> bool {
        let mut came = false;
        let mut event = [0; 8192];
        loop {
            match recvfrom::<NetlinkAddr>(self.events.as_raw_fd(), &mut event) {
                // Any process may send here; the kernel's port is 0.
                Ok((len, from)) => {
                    came |= from.is_some_and(|from| from.pid() == 0)
                        && is_new_generation(&event[..len]);
                }
                Err(Errno::EINTR) => {}
                // Events were lost: it may have been among them.
                Err(Errno::ENOBUFS) => came = true,
                Err(_) => return came,
            }
        }
    }
}

impl AsFd for Copies {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.events.as_fd()
    }
}

fn is_new_generation(event: &[u8]) -> bool {
    event
        .split(|&byte| byte == 0)
        .any(|part| part == NEW_GENERATION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::socket::{MsgFlags, sendto};

    #[test]
    fn knows_the_event_of_a_new_generation() {
        let event =
            b"change@/devices/vmgenid\0ACTION=change\0SUBSYSTEM=acpi\0NEW_VMGENID=1\0SEQNUM=7\0";
        assert!(is_new_generation(event));
        for other in [
            &b"change@/devices/x\0ACTION=change\0SYNTH_ARG_NEW_VMGENID=1\0"[..],
            b"change@/NEW_VMGENID=1\0NEW_VMGENID=10\0",
            b"",
        ] {
            assert!(!is_new_generation(other));
        }
    }

    #[test]
    fn believes_the_kernel_alone() {
        let Ok(copies) = Copies::watch() else { return };
        assert!(!copies.came());
        let Ok(sender) = Copies::watch() else { return };
        let event = b"change@/x\0NEW_VMGENID=1\0";
        // Needs a privilege; without it nothing is sent, and nothing believed either.
        let _ = sendto(
            sender.events.as_raw_fd(),
            event,
            &NetlinkAddr::new(0, KERNEL),
            MsgFlags::empty(),
        );
        assert!(!copies.came());
    }
}
