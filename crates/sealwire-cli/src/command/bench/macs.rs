// SPDX-License-Identifier: Apache-2.0
//! Calls of this library's MACs.

use super::{Case, Op, Subject, Work};
use sealwire::compress::Path;
use sealwire::mac::{MacScheme, TagMessage};

/// Making tags; checking them costs the same and a comparison. Nothing where messages may not be so long.
pub(super) fn subject(scheme: &MacScheme, bytes: usize, batch: usize) -> Option<Subject> {
    if scheme.max_message_len().is_some_and(|max| bytes > max) {
        return None;
    }
    let key: Vec<_> = (0..scheme.key_len()).map(|i| i as u8).collect();
    let mac = scheme.with_key(&key).expect("a key of the scheme's length");
    let texts = vec![vec![0x5a; bytes]; batch];
    let mut tags = vec![vec![0; scheme.tag_len()]; batch];
    let call = move || {
        if let ([text], [tag]) = (&texts[..], &mut tags[..]) {
            return mac.tag(text, tag).expect("lengths are the scheme's");
        }
        let messages = texts.iter().zip(&mut tags);
        let mut messages: Vec<_> = messages
            .map(|(text, tag)| TagMessage::new(text, tag))
            .collect();
        assert_eq!(mac.tag_batch(&mut messages), messages.len());
    };
    let case = Case {
        scheme: scheme.alias().unwrap_or(scheme.name()).to_owned(),
        op: Op::Tag,
        bytes,
        batch,
        ad: 0,
        path: Some(Path::current().to_string()),
        peer: None,
    };
    Some(Subject::new(case, Work::Call(Box::new(call))))
}
