// SPDX-License-Identifier: Apache-2.0
//! Keys out of a secret: HKDF (RFC 5869) over HMAC-SHA-512. Everything that version 2 derives is one block of it.

use hkdf::Hkdf;
use sha2::Sha512;
use zeroize::Zeroizing;

/// What HKDF extracts from a secret.
pub(crate) struct Prk(Hkdf<Sha512>);

impl Prk {
    pub(crate) fn extract(salt: &[u8], secret: &[u8]) -> Self {
        Self(Hkdf::new(Some(salt), secret))
    }

    /// N bytes, 64 at most, for a label and what is bound to them.
    pub(crate) fn expand<const N: usize>(
        &self,
        label: &[u8],
        context: &[&[u8]],
    ) -> Zeroizing<[u8; N]> {
        const { assert!(N <= 64, "one block of SHA-512") };
        let mut out = Zeroizing::new([0; N]);
        let info: Vec<&[u8]> = [label].iter().chain(context).copied().collect();
        self.0
            .expand_multi_info(&info, out.as_mut_slice())
            .expect("64 bytes are one block of 255");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 5869 has SHA-256 and SHA-1 only. One block over SHA-512 is two calls of HMAC by its definition, computed here by the
    /// definition of HMAC over the hash.
    #[test]
    fn one_block_is_what_the_definition_says() {
        use sha2::Digest;
        let hash = |parts: &[&[u8]]| {
            let mut state = Sha512::new();
            parts.iter().for_each(|part| state.update(part));
            state.finalize().to_vec()
        };
        let hmac = |key: &[u8], message: &[&[u8]]| {
            let mut block = [0; 128];
            block[..key.len()].copy_from_slice(key);
            let (inner, outer) = (block.map(|b| b ^ 0x36), block.map(|b| b ^ 0x5c));
            hash(&[&outer, &hash(&[&inner[..], &message.concat()])])
        };
        let expected = hmac(&hmac(b"salt", &[b"secret"]), &[b"label", b"context", &[1]]);
        let prk = Prk::extract(b"salt", b"secret");
        assert_eq!(prk.expand::<64>(b"label", &[b"con", b"text"])[..], expected);
        assert_eq!(
            prk.expand::<20>(b"label", &[b"context"])[..],
            expected[..20]
        );
    }
}
