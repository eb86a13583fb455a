// SPDX-License-Identifier: Apache-2.0
//! Cryptography of a batch, apart from the state of its sessions.
//!
//! Whoever holds a session gives each packet of a batch its number and its key: [`Keys`]. Sealing and opening then need nothing of the session, so
//! that threads which share one under a lock hold the lock only before and after. What is shared is never changed; it is wiped when the last batch that
//! holds it is done.

use crate::{
    packet::{BATCH, Incoming, Outgoing, Stage, Verdict},
    schedule::Direction,
    suite::{MAX_NONCE, SharedAd, Suite},
    wire::{DropCause, HEADER_LEN, MIN_FRAME, SessionId, Version},
};
use arrayvec::ArrayVec;
use sealwire::{DynAead, OpenPacket, SealPacket};
use std::sync::Arc;
use zeroize::{Zeroize, Zeroizing};

/// One direction, its cipher keyed and its associated data hashed once.
pub(super) struct Keyed {
    pub(super) suite: &'static Suite,
    cipher: DynAead,
    ad: SharedAd,
    salt: Zeroizing<Vec<u8>>,
    pub(super) session: SessionId,
    pub(super) version: Version,
}

impl Keyed {
    pub(super) fn new(
        suite: &'static Suite,
        direction: Direction,
    ) -> Result<Arc<Self>, sealwire::Error> {
        let cipher = suite.cipher(&direction.key)?;
        let ad = SharedAd::new(&cipher, &direction.ad)?;
        Ok(Arc::new(Self {
            suite,
            cipher,
            ad,
            salt: direction.salt,
            session: direction.session,
            version: direction.version,
        }))
    }

    /// Writes the nonce of a packet number and gives its length.
    fn nonce<'a>(&self, number: u64, room: &'a mut [u8; MAX_NONCE]) -> &'a [u8] {
        let (salt, len) = (self.salt.len(), self.suite.nonce_len());
        room[..salt].copy_from_slice(&self.salt);
        room[salt..len].copy_from_slice(&number.to_be_bytes());
        &room[..len]
    }

    /// Seals those frames of one round that wait for this key. None counts as sealed before the cipher has sealed it.
    fn seal(&self, key: u8, round: &mut [Outgoing<'_>]) {
        let is_own = |packet: &Outgoing<'_>| {
            packet.result.is_err() && packet.waits.is_some_and(|(own, _)| own == key)
        };
        let mut nonces = Nonces::new(round.len());
        for (packet, nonce) in round.iter().zip(nonces.iter_mut()) {
            if let Some((_, number)) = packet.waits.filter(|_| is_own(packet)) {
                self.nonce(number, nonce);
            }
        }
        let (nonce_len, tag_len) = (self.suite.nonce_len(), self.suite.tag_len);
        let end = |frame_len| HEADER_LEN + frame_len + tag_len;
        let mut batch = ArrayVec::<SealPacket<'_>, BATCH>::new();
        for (packet, nonce) in round.iter_mut().zip(nonces.iter()) {
            if is_own(packet) {
                let (text, tag) =
                    packet.buffer[HEADER_LEN..end(packet.frame_len)].split_at_mut(packet.frame_len);
                batch.push(SealPacket::new(&nonce[..nonce_len], &self.ad, text, tag));
            }
        }
        self.cipher.seal_batch(&mut batch);
        let sealed: ArrayVec<bool, BATCH> = batch.iter().map(|p| p.result.is_ok()).collect();
        drop(batch);
        // The sizes come from the suite table, which the tests hold against the schemes: the cipher refuses nothing.
        for (packet, sealed) in round.iter_mut().filter(|p| is_own(p)).zip(sealed) {
            if sealed {
                packet.result = Ok(end(packet.frame_len));
            }
        }
    }

    /// Rule 5 for those packets of one round that wait for this key: opens them in place. A packet that fails is dropped with its body
    /// wiped; the others wait for rule 6 before anything of them may be delivered.
    fn open<A>(&self, key: u8, round: &mut [Incoming<'_, A>]) {
        let suite = self.suite;
        let header_of = |packet: &Incoming<'_, A>| match packet.stage {
            Stage::Data(header, own) if own == key => Some(header),
            _ => None,
        };
        let mut nonces = Nonces::new(round.len());
        for (packet, nonce) in round.iter().zip(nonces.iter_mut()) {
            if let Some(header) = header_of(packet) {
                self.nonce(header.number, nonce);
            }
        }
        let mut batch = ArrayVec::<OpenPacket<'_>, BATCH>::new();
        for (packet, nonce) in round.iter_mut().zip(nonces.iter()) {
            if let Some(header) = header_of(packet) {
                let length = usize::from(header.length);
                let (text, tag) = packet.packet[HEADER_LEN..HEADER_LEN + length]
                    .split_at_mut(length - suite.tag_len);
                let nonce = &nonce[..suite.nonce_len()];
                batch.push(OpenPacket::new(nonce, &self.ad, text, tag));
            }
        }
        let _ = self.cipher.open_batch(&mut batch);
        let good: ArrayVec<bool, BATCH> = batch.iter().map(|p| p.result.is_ok()).collect();
        drop(batch);
        let waiting = round.iter_mut().filter_map(|packet| {
            let header = header_of(packet)?;
            Some((packet, header))
        });
        for ((packet, header), good) in waiting.zip(good) {
            packet.frame_len = usize::from(header.length) - suite.tag_len;
            packet.verdict = if !good {
                Verdict::Dropped(DropCause::Auth)
            } else if packet.frame_len < MIN_FRAME {
                Verdict::KeepAlive
            } else {
                Verdict::Frame
            };
        }
    }
}

/// Nonces of one round of a batch. They begin with the salt, so they are wiped.
/// Only those that are used are written: clearing and wiping room for all would take longer than a single packet.
struct Nonces(ArrayVec<[u8; MAX_NONCE], BATCH>);

impl Nonces {
    /// Room for this many, at most [`BATCH`].
    fn new(used: usize) -> Self {
        Self(std::iter::repeat_n([0; MAX_NONCE], used.min(BATCH)).collect())
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut [u8; MAX_NONCE]> {
        self.0.iter_mut()
    }

    fn iter(&self) -> impl Iterator<Item = &[u8; MAX_NONCE]> {
        self.0.iter()
    }
}

impl Drop for Nonces {
    fn drop(&mut self) {
        self.0.as_flattened_mut().zeroize();
    }
}

/// The keys that packets of one batch, at most [`BATCH`] of them, wait for. To be dropped with the batch: until then they are not wiped.
#[derive(Default)]
pub(crate) struct Keys(ArrayVec<Arc<Keyed>, BATCH>);

impl Keys {
    /// The number of a key in this batch. A peer has two sessions at most, and its packets come one after the other.
    pub(super) fn number_of(&mut self, key: &Arc<Keyed>) -> Option<u8> {
        let known = self.0.iter().rev().take(2);
        let back = known.map(|known| Arc::ptr_eq(known, key)).position(|is| is);
        match back {
            Some(back) => Some((self.0.len() - 1 - back) as u8), // at most BATCH
            None => {
                self.0.try_push(Arc::clone(key)).ok()?;
                Some((self.0.len() - 1) as u8)
            }
        }
    }

    /// Whether the key of this number is that one.
    pub(super) fn is(&self, number: u8, key: &Arc<Keyed>) -> bool {
        let known = self.0.get(usize::from(number));
        known.is_some_and(|known| Arc::ptr_eq(known, key))
    }

    /// What says whether keys are still in memory.
    #[cfg(test)]
    pub(crate) fn watch(&self) -> Vec<std::sync::Weak<impl Sized + use<>>> {
        self.0.iter().map(Arc::downgrade).collect()
    }

    /// Seals what has a number. Each frame says what became of it.
    pub(crate) fn seal(&self, frames: &mut [Outgoing<'_>]) {
        for part in frames.chunk_by_mut(|a, b| a.lane == b.lane) {
            let numbers = part.iter().filter_map(|frame| Some(frame.waits?.0));
            for (number, key) in self.between(ends(numbers)) {
                key.seal(number, part);
            }
        }
    }

    /// Opens what waits for a key. A tag that is right is not enough for a verdict: the session has the last word.
    pub(crate) fn open<A>(&self, packets: &mut [Incoming<'_, A>]) {
        for part in packets.chunk_by_mut(|a, b| a.lane == b.lane) {
            let numbers = part.iter().filter_map(|packet| match packet.stage {
                Stage::Data(_, number) => Some(number),
                _ => None,
            });
            for (number, key) in self.between(ends(numbers)) {
                key.open(number, part);
            }
        }
    }

    /// The keys from one number to another: those of one peer stand together.
    fn between(&self, ends: Option<(u8, u8)>) -> impl Iterator<Item = (u8, &Keyed)> {
        let numbers = ends.map(|(least, most)| least..=most);
        let numbers = numbers.into_iter().flatten();
        numbers.filter_map(|number| Some((number, &**self.0.get(usize::from(number))?)))
    }
}

/// The least and the greatest.
fn ends(numbers: impl Iterator<Item = u8>) -> Option<(u8, u8)> {
    numbers.fold(None, |ends, number| {
        let (least, most): (u8, u8) = ends.unwrap_or((number, number));
        Some((least.min(number), most.max(number)))
    })
}
