// SPDX-License-Identifier: Apache-2.0
//! One thread of a gateway: wait, packets of the untrusted side, frames of the trusted side.

use super::{
    Carrier, Device, Failures, Side,
    buffers::{Frames, Messages},
    check_device,
    copies::Copies,
    flow,
    shared::{Shared, State},
    socket::{Received, Socket},
    wait::Wait,
};
use crate::{
    packet::{BATCH, Way, Ways},
    session::Keys,
};
use arrayvec::ArrayVec;
use std::{
    io::{self, Read},
    os::{fd::AsFd, unix::net::UnixStream},
    time::Duration,
};

#[cfg(test)]
mod tests;

/// Batches of at most this many packets take less room on the stack: one packet at a time is soonest done so.
const FEW: usize = 4;
/// Batches of each direction before timers and commands get their turn.
const ROUNDS: usize = 16;
/// How often the report is renewed at most, unless something changes: it takes as long as a packet.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// Longest wait for packets: the report's times stay fresh.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// How often it is looked where packets to the peer leave from.
const CHECK_SOURCE_EVERY: Duration = Duration::from_secs(1);

/// Everything that one thread works with.
pub(super) struct Plane<'a, D> {
    shared: &'a Shared,
    side: &'a Side<D>,
    /// The sides of all threads, whose queues of the device a frame may belong to.
    sides: &'a [Side<D>],
    socket: Socket<'a>,
    /// Since they were last added to those of all threads.
    failures: Failures,
    inbound: Messages,
    outbound: Frames,
    /// Frames that the device is asked for in a row.
    asked: usize,
    /// Whether one packet is expected from the untrusted side, and more are not.
    expects_packet: bool,
    /// Whether the pass is about a single packet or frame, as far as is known.
    is_lone: bool,
    /// Whether this is the thread that obeys and reports.
    pub(super) leads: bool,
    reported: Duration,
    source_checked: Duration,
    /// When the core has something to do, as it said last.
    due: Duration,
}

impl<'a, D: Device> Plane<'a, D> {
    pub(super) fn new(side: &'a Side<D>, sides: &'a [Side<D>], shared: &'a Shared) -> Self {
        let socket = Socket::new(&side.carrier, side.direct.as_ref());
        Self {
            inbound: socket.messages(),
            socket,
            side,
            sides,
            shared,
            failures: Failures::default(),
            outbound: Frames::new(),
            asked: BATCH,
            expects_packet: false,
            is_lone: false,
            leads: false,
            reported: Duration::ZERO,
            source_checked: Duration::ZERO,
            due: Duration::ZERO,
        }
    }

    /// Logs what the kernel does for this socket.
    pub(super) fn tell_offload(&self) {
        let (cuts, joins) = self.socket.offload();
        tracing::info!(cuts, joins, "packets of one size, by the kernel");
    }

    /// Carries packets until the gateway is over. `wake` ends a wait; the thread that leads reads what is in it.
    pub(super) fn run(&mut self, wake: &UnixStream) -> io::Result<()> {
        let entrances: ArrayVec<&Carrier, 2> = self.socket.entrances().collect();
        let places = [self.side.device.as_fd(), wake.as_fd()];
        let places = places
            .into_iter()
            .chain(entrances.iter().map(|e| e.as_fd()));
        let copies = self.shared.copies().map(AsFd::as_fd);
        let mut waiting = Wait::new(places.chain(copies))?;
        let (device_place, wake_place, first_entrance) = (0, 1, 2);
        let copies_place = first_entrance + entrances.len();
        let (mut device_ready, mut entrances_ready) = (true, [true, entrances.len() > 1]);
        let (mut device_was_ready, mut socket_was_ready) = (true, true);
        let (mut only_packets, mut may_be_copy) = (false, true);
        while self.begin_pass(only_packets, may_be_copy)? {
            (only_packets, may_be_copy) = (false, true);
            self.socket.check()?;
            for _ in 0..ROUNDS {
                if entrances_ready[0] {
                    entrances_ready[0] = self.receive(entrances[0])?;
                }
                if entrances_ready[1] && !(entrances_ready[0] && self.socket.is_fresh()) {
                    entrances_ready[1] = self.receive(entrances[1])?;
                }
                if device_ready {
                    device_ready = self.send()?;
                }
                if entrances_ready == [false; 2] && !device_ready {
                    break;
                }
            }
            self.socket.was_waited_for();
            let busy = entrances_ready != [false; 2] || device_ready;
            let (now, wait) = self.end_pass()?;
            if !busy {
                let ready = waiting.wait(now, wait)?;
                device_ready = ready.at(device_place);
                for (i, entrance) in entrances_ready.iter_mut().take(entrances.len()).enumerate() {
                    *entrance = ready.at(first_entrance + i);
                }
                let socket_ready = entrances_ready != [false; 2];
                only_packets = (socket_ready || device_ready) && !ready.at(wake_place);
                may_be_copy = ready.was_interrupted || ready.at(copies_place);
                // A frame that comes alone is followed by a packet or by silence, and a packet by a frame; those of one side after each
                // other come many at a time.
                self.asked = if device_ready && !device_was_ready {
                    1
                } else {
                    BATCH
                };
                self.expects_packet =
                    socket_ready && !socket_was_ready && entrances_ready != [true; 2];
                self.is_lone =
                    socket_ready != device_ready && (self.expects_packet || self.asked == 1);
                (device_was_ready, socket_was_ready) = (device_ready, socket_ready);
                if self.leads && ready.at(wake_place) {
                    while { wake }.read(&mut [0; 64]).is_ok_and(|n| n > 0) {}
                }
            }
        }
        Ok(())
    }

    /// Commands, exposure and timers. False: the run is to end. While this end waits, the kernel says whether there is something else than packets, or
    /// word of a copy: a packet that comes alone costs no look for them.
    fn begin_pass(&mut self, only_packets: bool, may_be_copy: bool) -> io::Result<bool> {
        if self.shared.is_over() {
            return Ok(false);
        }
        let mut state = self.shared.lock()?;
        state.add(&mut self.failures);
        if self.leads && !only_packets {
            let now = state.now();
            let system = state.system(now);
            if !state.core.obey(system) {
                state.core.report(system);
                return Ok(false);
            }
        }
        // Before anything is sealed or opened: a copy must not go on where its original does.
        let copies: Option<&Copies> = self.shared.copies().filter(|_| may_be_copy);
        let was_erased = state.erase_if_exposed(copies);
        let now = state.latest();
        if !only_packets || was_erased || now >= self.due {
            let (socket, failures) = (&self.socket, &mut self.failures);
            state.core.poll(now, &mut |to, packet| {
                failures.unsent += u64::from(!socket.send_one(to, packet));
            });
        }
        Ok(true)
    }

    /// Log and report. Gives what time it is and how long nothing is due.
    fn end_pass(&mut self) -> io::Result<(Duration, Duration)> {
        let mut state = self.shared.lock()?;
        state.add(&mut self.failures);
        let has_changed = state.core.tell_changes();
        let now = time(&mut state, self.is_lone);
        if self.leads && (has_changed || now >= self.reported + REPORT_EVERY) {
            let system = state.system(now);
            state.core.report(system);
            self.reported = now;
            if now >= self.source_checked + CHECK_SOURCE_EVERY {
                self.socket.check_source();
                self.source_checked = now;
            }
        }
        self.due = if self.is_lone {
            state.core.deadline_after_one(self.due)
        } else {
            state.core.deadline()
        };
        Ok((now, self.due.saturating_sub(now).min(LONGEST_WAIT)))
    }

    /// Takes a batch from the untrusted side. True if there may be more.
    fn receive(&mut self, entrance: &Carrier) -> io::Result<bool> {
        let Received { count, more } = if self.expects_packet {
            self.socket.receive_one(entrance, &mut self.inbound)
        } else {
            self.socket.receive(entrance, &mut self.inbound)
        }?;
        if count == 0 {
            return Ok(false);
        }
        self.failures.foreign += self.inbound.foreign(count);
        if self.inbound.packets(count) <= FEW {
            self.open::<FEW>(count)?;
        } else {
            self.open::<BATCH>(count)?;
        }
        Ok(more)
    }

    /// Opens what these messages hold and delivers it, `N` packets at a time.
    fn open<const N: usize>(&mut self, count: usize) -> io::Result<()> {
        let is_lone = self.is_lone;
        let (shared, socket, failures) = (self.shared, &self.socket, &mut self.failures);
        let mut packets = self.inbound.incoming(count);
        loop {
            let mut batch: ArrayVec<_, N> = packets.by_ref().take(N).collect();
            if batch.is_empty() {
                break;
            }
            let mut keys = Keys::default();
            let mut state = shared.lock()?;
            let now = time(&mut state, is_lone);
            state.core.begin_receive(now, &mut batch, &mut keys);
            drop(state);
            keys.open(&mut batch);
            let mut state = shared.lock()?;
            let now = time(&mut state, is_lone);
            state
                .core
                .finish_receive(now, &mut batch, &keys, &mut |to, packet| {
                    failures.unsent += u64::from(!socket.send_one(to, packet));
                });
            drop(state);
            // Not kept while the device takes its time.
            drop(keys);
            for packet in &batch {
                let Some(frame) = packet.frame() else {
                    continue;
                };
                let queue = flow::queue(frame, shared.kind(), self.sides.len());
                if let Err(error) = self.sides[queue].device.send(frame) {
                    failures.undelivered += 1;
                    check_device(&error)?;
                }
            }
        }
        Ok(())
    }

    /// Takes a batch of frames from the trusted side. True if there may be more.
    fn send(&mut self) -> io::Result<bool> {
        let mut count = 0;
        // Behind a single frame the next wait says whether there is another, as a call in vain would.
        let mut more = self.asked > 1;
        while count < self.asked {
            match self.side.device.recv(self.outbound.room(count)) {
                Ok(0) => {}
                Ok(len) => {
                    self.outbound.set_len(count, len);
                    count += 1;
                }
                Err(error) => {
                    check_device(&error)?;
                    more = false;
                    break;
                }
            }
        }
        match count {
            0 => {}
            1..=FEW => self.seal::<FEW>(count)?,
            _ => self.seal::<BATCH>(count)?,
        }
        Ok(more)
    }

    /// Seals the first frames, `N` at most, and sends them.
    fn seal<const N: usize>(&mut self, count: usize) -> io::Result<()> {
        let is_lone = self.is_lone;
        let (shared, socket, failures) = (self.shared, &mut self.socket, &mut self.failures);
        let mut batch = self.outbound.outgoing::<N>(count);
        let (mut keys, mut ways) = (Keys::default(), Ways::new());
        let mut state = shared.lock()?;
        let now = time(&mut state, is_lone);
        state
            .core
            .begin_seal(now, &mut batch, &mut keys, &mut |to, copy| {
                failures.unsent += socket.send(to, copy);
            });
        drop(state);
        keys.seal(&mut batch);
        shared
            .lock()?
            .core
            .finish_seal(&mut batch, &keys, &mut ways);
        drop(keys);
        // By reference: to move all that have room there would take longer than a packet.
        for Way { to, frames } in &ways {
            failures.unsent += socket.send(*to, &batch[frames.clone()]);
        }
        Ok(())
    }
}

/// The core's time. A pass with a single packet goes by the reading that it began with: to read the clock again and again takes as long as
/// sealing the packet.
fn time(state: &mut State, is_lone: bool) -> Duration {
    if is_lone { state.latest() } else { state.now() }
}
