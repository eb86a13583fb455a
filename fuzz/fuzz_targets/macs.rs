// SPDX-License-Identifier: Apache-2.0
//! Every MAC on arbitrary messages: pieces and batches give the tag of the whole, every set of instructions the same one,
//! and one wrong bit is refused.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use sealwire::Error;
use sealwire::compress::{Path, force_path};
use sealwire::mac::{TagMessage, VerifyMessage, find, schemes};

#[derive(Arbitrary, Debug)]
struct Input {
    scheme: u8,
    tag_len: u8,
    key: [u8; 16],
    flip: (u8, u16),
    cuts: Vec<u16>,
    messages: Vec<Vec<u8>>,
    name: String,
}

fuzz_target!(|input: Input| {
    let _ = find(&input.name);
    let scheme = schemes()
        .nth(usize::from(input.scheme) % schemes().len())
        .expect("below their number");
    let scheme = scheme
        .with_tag_len(usize::from(input.tag_len))
        .unwrap_or(scheme);
    let most = scheme.max_message_len().unwrap_or(usize::MAX);
    // Blocks of the heap as long as what they hold, so that AddressSanitizer sees a read of one byte more.
    let messages: Vec<_> = input
        .messages
        .into_iter()
        .take(20)
        .map(Vec::into_boxed_slice)
        .collect();

    let mut first: Option<Vec<_>> = None;
    for path in Path::ALL.iter().filter(|path| path.available()) {
        force_path(Some(*path));
        let mac = scheme.with_key(&input.key).expect("the length");
        let mut results = Vec::new();
        for message in &messages {
            let mut tag = vec![0; scheme.tag_len()];
            let result = mac.tag(message, &mut tag);
            assert_eq!(result.is_ok(), message.len() <= most);
            // In pieces the message has the same tag.
            let mut running = mac.begin();
            let mut rest = &message[..];
            for cut in &input.cuts {
                let (piece, more) = rest.split_at(usize::from(*cut).min(rest.len()));
                running.update(piece);
                rest = more;
            }
            running.update(rest);
            assert_eq!(running.verify(&tag), result);
            results.push((result, tag));
        }

        let mut tags = vec![vec![0; scheme.tag_len()]; messages.len()];
        let mut jobs: Vec<_> = messages
            .iter()
            .zip(&mut tags)
            .map(|(message, tag)| TagMessage::new(message, tag))
            .collect();
        let good = mac.tag_batch(&mut jobs);
        assert_eq!(good, results.iter().filter(|r| r.0.is_ok()).count());
        for (tag, (_, expected)) in tags.iter().zip(&results) {
            assert_eq!(tag, expected);
        }

        let forged = (!tags.is_empty()).then(|| usize::from(input.flip.0) % tags.len());
        if let Some(forged) = forged {
            let bit = usize::from(input.flip.1) % (8 * scheme.tag_len());
            tags[forged][bit / 8] ^= 1 << (bit % 8);
        }
        let mut jobs: Vec<_> = messages
            .iter()
            .zip(&tags)
            .map(|(message, tag)| VerifyMessage::new(message, tag))
            .collect();
        let _ = mac.verify_batch(&mut jobs);
        for (i, (job, (result, _))) in jobs.iter().zip(&results).enumerate() {
            let expected = match result {
                Ok(()) if forged == Some(i) => Err(Error::InvalidTag),
                other => *other,
            };
            assert_eq!(job.result, expected);
        }
        assert_eq!(
            *first.get_or_insert_with(|| results.clone()),
            results,
            "{path}"
        );
    }
    force_path(None);
});
