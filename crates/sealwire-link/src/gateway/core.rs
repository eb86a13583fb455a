// SPDX-License-Identifier: Apache-2.0
//! What a gateway carries packets for: one peer, or the many of a hub.

use super::{Address, Erasures, Failures};
use crate::{
    endpoint::Out,
    packet::{Incoming, Outgoing, Ways},
    session::Keys,
    wire::Kind,
};
use std::time::Duration;

/// What the gateway around a core has counted, and how long it runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct System {
    pub(super) failures: Failures,
    pub(super) erasures: Erasures,
    pub(super) uptime: Duration,
}

/// Takes sealed packets and the address that they go to.
pub(super) type Sealed<'a> = &'a mut dyn FnMut(Address, &[Outgoing<'_>]);

/// Rules, sessions and reports of one peer or many. The gateway does the input and output.
pub(super) trait Core: Send {
    /// What the device carries.
    fn kind(&self) -> Kind;
    /// Does what other threads asked for. False: the run is to end.
    fn obey(&mut self, system: System) -> bool;
    /// Erases every session.
    fn erase(&mut self);
    /// Does what is due.
    fn poll(&mut self, now: Duration, send: Out<'_, Address>);
    /// When something is due next.
    fn deadline(&self) -> Duration;
    /// When something is due next after a single packet or frame, for less than [`Core::deadline`] takes; `known` was the answer before, and the new
    /// one may be too early.
    fn deadline_after_one(&self, _known: Duration) -> Duration {
        self.deadline()
    }
    /// Judges a batch of packets, which then wait for their keys.
    fn begin_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, Address>],
        keys: &mut Keys,
    );
    /// Has the last word about packets that were opened.
    fn finish_receive(
        &mut self,
        now: Duration,
        packets: &mut [Incoming<'_, Address>],
        keys: &Keys,
        send: Out<'_, Address>,
    );
    /// Spends packet numbers on a batch of frames, which then wait for their keys.
    fn begin_seal(
        &mut self,
        now: Duration,
        frames: &mut [Outgoing<'_>],
        keys: &mut Keys,
        send: Sealed<'_>,
    );
    /// Counts frames that were sealed, refuses those whose session was erased meanwhile, and says where the others go.
    fn finish_seal(&mut self, frames: &mut [Outgoing<'_>], keys: &Keys, ways: &mut Ways<Address>);
    /// Logs what a person should know. True if a report is due at once.
    fn tell_changes(&mut self) -> bool;
    /// Brings what other threads see up to date.
    fn report(&mut self, system: System);
}
