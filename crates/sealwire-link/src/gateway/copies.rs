// SPDX-License-Identifier: Apache-2.0
//! Word of the kernel that this machine is a copy: a snapshot that was started again, or a clone.

use nix::{
    errno::Errno,
    sys::socket::{
        AddressFamily, NetlinkAddr, SockFlag, SockProtocol, SockType, bind, recvfrom, socket,
    },
};
use std::{
    fs, io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    path::Path,
};

/// What the kernel says when the virtual machine has another generation id.
const NEW_GENERATION: &[u8] = b"NEW_VMGENID=1";
/// The multicast group of the kernel's own events.
const KERNEL: u32 = 1;
/// The folder of the driver that hears of a new generation. A kernel before 6.10 has it elsewhere, and its driver says nothing here.
const DRIVER: &str = "/sys/bus/platform/drivers/vmgenid";
/// Which user namespace this process is in.
const NAMESPACE: &str = "/proc/self/ns/user";
/// What the link says in the first user namespace (PROC_USER_INIT_INO): the kernel sends its events to the networks of that one only.
const FIRST_NAMESPACE: &str = "user:[4026531837]";

/// The kernel's events.
pub(super) struct Copies {
    events: OwnedFd,
    /// Whether the sender of an event is believed.
    believes: fn(Option<NetlinkAddr>) -> bool,
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
        // Any process may send here; the kernel's port is 0.
        let is_kernel = |from: Option<NetlinkAddr>| from.is_some_and(|from| from.pid() == 0);
        Ok(Self::from_socket(events, is_kernel))
    }

    /// Events that come to this socket, which does not block.
    pub(super) fn from_socket(events: OwnedFd, believes: fn(Option<NetlinkAddr>) -> bool) -> Self {
        Self { events, believes }
    }

    /// Whether this process would hear of a copy: the machine has a device that its generation is read from, and the kernel's events
    /// come here.
    pub(super) fn are_told() -> bool {
        let namespace = fs::read_link(NAMESPACE);
        namespace.is_ok_and(|namespace| namespace == Path::new(FIRST_NAMESPACE))
            && has_device(Path::new(DRIVER))
    }

    /// Whether the machine has become a copy since this was last asked.
    pub(super) fn came(&self) -> bool {
        let mut came = false;
        let mut event = [0; 8192];
        loop {
            match recvfrom::<NetlinkAddr>(self.events.as_raw_fd(), &mut event) {
                Ok((len, from)) => {
                    came |= (self.believes)(from) && is_new_generation(&event[..len]);
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

/// Whether the driver of this folder has a device: each stands there as a link to the device's folder, beside the driver's own files.
/// Without one the driver is in the kernel, and nobody tells it anything.
fn has_device(driver: &Path) -> bool {
    fs::read_dir(driver).is_ok_and(|entries| {
        let mut names = entries.flatten().map(|entry| entry.path());
        names.any(|path| {
            let is_module = path.file_name().is_some_and(|name| name == "module");
            !is_module && path.is_symlink() && path.is_dir()
        })
    })
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
    fn a_driver_without_a_device_tells_nothing() {
        let folder = std::env::temp_dir().join(format!("sealwire-driver-{}", std::process::id()));
        let make = |name: &str| fs::create_dir_all(folder.join(name)).unwrap();
        assert!(!has_device(&folder.join("driver")), "no such driver");
        for name in ["driver", "devices/VMGENCTR:00", "module"] {
            make(name);
        }
        let driver = folder.join("driver");
        for file in ["bind", "unbind", "uevent"] {
            fs::write(driver.join(file), "").unwrap();
        }
        let link = |to: &str, name: &str| {
            std::os::unix::fs::symlink(folder.join(to), driver.join(name)).unwrap();
        };
        link("module", "module");
        assert!(!has_device(&driver), "nothing is bound to it");
        link("devices/VMGENCTR:00", "VMGENCTR:00");
        assert!(has_device(&driver));
        fs::remove_dir_all(folder).unwrap();
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
