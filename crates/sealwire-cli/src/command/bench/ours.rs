// SPDX-License-Identifier: Apache-2.0
//! Calls of this library.

use super::{Case, Op, Subject, Work, places};
use sealwire::compress::Path;
use sealwire::scheme::Scheme;
use sealwire::{DynAead, OpenPacket, SealPacket};

/// Messages of a batch, all under nonces of their own. The key serves the measurement alone, and nothing that is sealed
/// with it leaves.
struct Messages {
    aead: DynAead,
    nonces: Vec<Vec<u8>>,
    ad: Vec<u8>,
    places: Vec<Place>,
}

struct Place {
    texts: Vec<Vec<u8>>,
    tags: Vec<Vec<u8>>,
}

impl Messages {
    fn new(scheme: &Scheme, bytes: usize, batch: usize, ad: usize) -> Self {
        let key: Vec<_> = (0..scheme.key_len()).map(|i| i as u8).collect();
        let place = || Place {
            texts: vec![vec![0x5a; bytes]; batch],
            tags: vec![vec![0; scheme.tag_len()]; batch],
        };
        Self {
            aead: scheme.with_key(&key).expect("a key of the scheme's length"),
            nonces: (0..batch)
                .map(|i| {
                    let mut nonce = vec![0; scheme.nonce_len()];
                    nonce[..2].copy_from_slice(&(i as u16).to_be_bytes());
                    nonce
                })
                .collect(),
            ad: vec![0xa5; ad],
            places: (0..places(bytes, batch)).map(|_| place()).collect(),
        }
    }
}

impl super::Messages for Messages {
    fn seal(&mut self, place: usize) {
        let (aead, nonces, ad) = (&self.aead, &self.nonces, &self.ad);
        let Place { texts, tags } = &mut self.places[place];
        if let ([nonce], [text], [tag]) = (&nonces[..], &mut texts[..], &mut tags[..]) {
            aead.seal_in_place_detached(nonce, ad, text, tag)
                .expect("lengths are the scheme's");
            return;
        }
        let mut packets: Vec<_> = nonces
            .iter()
            .zip(texts.iter_mut().zip(tags))
            .map(|(nonce, (text, tag))| SealPacket::new(nonce, ad, text, tag))
            .collect();
        assert_eq!(aead.seal_batch(&mut packets), packets.len());
    }

    fn open(&mut self, place: usize) {
        let (aead, nonces, ad) = (&self.aead, &self.nonces, &self.ad);
        let Place { texts, tags } = &mut self.places[place];
        if let ([nonce], [text], [tag]) = (&nonces[..], &mut texts[..], &tags[..]) {
            aead.open_in_place_detached(nonce, ad, text, tag)
                .expect("it was sealed with this key");
            return;
        }
        let mut packets: Vec<_> = nonces
            .iter()
            .zip(texts.iter_mut().zip(tags))
            .map(|(nonce, (text, tag))| OpenPacket::new(nonce, ad, text, tag))
            .collect();
        assert_eq!(aead.open_batch(&mut packets), packets.len());
    }
}

pub(super) fn subject(scheme: &Scheme, bytes: usize, batch: usize, ad: usize) -> Subject {
    let case = Case {
        scheme: scheme.alias().unwrap_or(scheme.name()).to_owned(),
        op: Op::Seal,
        bytes,
        batch,
        ad,
        path: Some(Path::current().to_string()),
        peer: None,
    };
    Subject::new(
        case,
        Work::Messages(Box::new(Messages::new(scheme, bytes, batch, ad))),
    )
}
