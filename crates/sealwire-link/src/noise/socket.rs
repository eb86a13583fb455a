// SPDX-License-Identifier: Apache-2.0
//! The channel's socket. On Linux what is answered leaves from the address that it came to.

#[cfg(target_os = "linux")]
use crate::own_address::{self, Source};
use std::{
    io,
    net::{IpAddr, SocketAddr, UdpSocket},
    time::Duration,
};

/// Where the other end is, and which of this machine's addresses it has called, if that is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) at: SocketAddr,
    own: Option<IpAddr>,
}

impl From<SocketAddr> for Place {
    fn from(at: SocketAddr) -> Self {
        Self { at, own: None }
    }
}

/// A UDP socket that waits for datagrams.
pub(super) struct Socket {
    socket: UdpSocket,
    /// Whether it hears every address, and is told which.
    #[cfg(target_os = "linux")]
    hears_all: bool,
}

impl Socket {
    pub(super) fn new(socket: UdpSocket) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            hears_all: own_address::ask(&socket).is_some(),
            socket,
        }
    }

    /// Makes each wait for a datagram end after this long.
    pub(super) fn set_patience(&self, patience: Duration) -> io::Result<()> {
        self.socket.set_nonblocking(false)?;
        self.socket.set_read_timeout(Some(patience))
    }

    /// Takes a datagram.
    pub(super) fn receive(&self, buffer: &mut [u8]) -> io::Result<(usize, Place)> {
        #[cfg(target_os = "linux")]
        if self.hears_all {
            return own_address::receive(&self.socket, buffer)
                .map(|(len, at, own)| (len, Place { at, own }));
        }
        self.socket
            .recv_from(buffer)
            .map(|(len, at)| (len, at.into()))
    }

    /// Sends a datagram. What is not sent is sent again later.
    pub(super) fn send(&self, message: &[u8], to: Place) {
        #[cfg(target_os = "linux")]
        if let Some(own) = to.own
            && own_address::send(&self.socket, message, to.at, Source::new(own)).is_ok()
        {
            return;
        }
        let _ = self.socket.send_to(message, to.at);
    }
}
