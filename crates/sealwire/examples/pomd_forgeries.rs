// SPDX-License-Identifier: Apache-2.0
//! Two forgeries against p-OMD, carried out and explained: `cargo run -p sealwire --example pomd_forgeries`.
//!
//! Both are accepted by the library's p-OMD, and neither gets anywhere with OMD or SIV-OMD. The exit code is 0 only if all
//! of that is so.
//!
//! 1. A nonce is used twice: Ashur and Mennink, ePrint 2015/175. Two sealed messages, one forgery.
//! 2. Unverified plaintext gets out: one sealed message, one look at what a decryption made of a wrong tag, one forgery.
//!    No nonce is used twice in sealing.
//!
//! The forger has no key. What it may call is in the traits [`Sealer`] and [`Opener`] and, for the second forgery, in
//! [`Leaky`].

use sealwire::compress::{sha256, sha512};
use sealwire::{DynAead, scheme};
use std::process::ExitCode;

/// What a forger can see of the end that seals: it chooses texts, and sees what goes over the wire.
trait Sealer {
    fn seal(&self, nonce: &[u8], ad: &[u8], message: &[u8]) -> Sealed;
}

/// What a forger can see of the end that opens: whether a packet is taken, and as which message.
trait Opener {
    fn open(&self, nonce: &[u8], ad: &[u8], sealed: &Sealed) -> Option<Vec<u8>>;
}

/// A device with a fault: it shows what it decrypted before it looks at the tag.
trait Leaky {
    fn decrypt_unverified(&self, nonce: &[u8], ad: &[u8], ciphertext: &[u8]) -> Vec<u8>;
}

/// A packet on the wire, without its nonce and associated data.
#[derive(Clone)]
struct Sealed {
    ciphertext: Vec<u8>,
    tag: Vec<u8>,
}

impl Sealer for DynAead {
    fn seal(&self, nonce: &[u8], ad: &[u8], message: &[u8]) -> Sealed {
        let mut ciphertext = message.to_vec();
        let mut tag = vec![0; self.scheme().tag_len()];
        self.seal_in_place_detached(nonce, ad, &mut ciphertext, &mut tag)
            .expect("the lengths are the scheme's");
        Sealed { ciphertext, tag }
    }
}

impl Opener for DynAead {
    fn open(&self, nonce: &[u8], ad: &[u8], sealed: &Sealed) -> Option<Vec<u8>> {
        let mut buffer = sealed.ciphertext.clone();
        self.open_in_place_detached(nonce, ad, &mut buffer, &sealed.tag)
            .ok()
            .map(|()| buffer)
    }
}

fn xor(x: &[u8], y: &[u8]) -> Vec<u8> {
    x.iter().zip(y).map(|(a, b)| a ^ b).collect()
}

/// Bytes that stand for any the forger likes.
fn some(label: u8, len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| label ^ (i as u8).wrapping_mul(29))
        .collect()
}

/// What a forger brings to the opening end.
struct Forgery {
    nonce: Vec<u8>,
    ad: Vec<u8>,
    sealed: Sealed,
    /// The message that it is meant to become.
    message: Vec<u8>,
    /// The associated data of everything that was really sealed.
    asked: Vec<Vec<u8>>,
}

impl Forgery {
    /// Whether it is what it must be: accepted as a packet that nobody sealed, or refused.
    fn ends(&self, expected: &str, opener: &impl Opener) -> bool {
        let taken = opener.open(&self.nonce, &self.ad, &self.sealed);
        match expected {
            "accepted" => taken.as_ref() == Some(&self.message) && !self.asked.contains(&self.ad),
            _ => taken.is_none(),
        }
    }
}

/// Two sealed messages with one nonce.
///
/// p-OMD mixes the associated data block A1 into the chaining value before message block M is encrypted, and A2 after it:
///
/// ```text
/// H = F(A1 + mask, <tau>)      C = M + H      tag = F(H + A2 + mask', M)
/// ```
///
/// Whoever knows M sees H = C + M. The tag depends on H + A2 only, so that a change of H can be made good in A2.
fn with_a_repeated_nonce(sealer: &impl Sealer, n: usize, nonce_len: usize) -> Forgery {
    let (nonce, message) = (some(1, nonce_len), some(2, n));
    let (a1, a1_other, a2) = (some(3, n), some(4, n), some(5, n));
    let asked = vec![[&a1[..], &a2].concat(), [&a1_other[..], &a2].concat()];

    let first = sealer.seal(&nonce, &asked[0], &message);
    let second = sealer.seal(&nonce, &asked[1], &message);
    // M is the same, so that C + C' is H + H'.
    let difference = xor(&first.ciphertext, &second.ciphertext);
    Forgery {
        nonce,
        ad: [&a1_other[..], &xor(&a2, &difference)].concat(),
        sealed: Sealed {
            ciphertext: second.ciphertext,
            tag: first.tag,
        },
        message,
        asked,
    }
}

/// One sealed message, and one decryption that was seen although its tag could not be right.
fn with_unverified_plaintext(
    sealer: &impl Sealer,
    device: &impl Leaky,
    n: usize,
    nonce_len: usize,
) -> Forgery {
    let (nonce, message) = (some(1, nonce_len), some(2, n));
    let (a1, a1_other, a2) = (some(3, n), some(4, n), some(5, n));
    let asked = vec![[&a1[..], &a2].concat()];

    let first = sealer.seal(&nonce, &asked[0], &message);
    let h = xor(&first.ciphertext, &message);
    // The device is asked about another A1. It will refuse the packet, but the forger sees C + H'.
    let seen = device.decrypt_unverified(&nonce, &[&a1_other[..], &a2].concat(), &first.ciphertext);
    let h_other = xor(&first.ciphertext, &seen);
    Forgery {
        nonce,
        ad: [&a1_other[..], &xor(&a2, &xor(&h, &h_other))].concat(),
        sealed: Sealed {
            ciphertext: xor(&message, &h_other),
            tag: first.tag,
        },
        message,
        asked,
    }
}

/// p-OMD, OMD v2 and SIV-OMD (parallel) cut down to one message block and the decryption of it, without any check of the
/// tag. The library has no such call; this is the fault of a device, built here from the compression function.
struct LeakyDevice {
    scheme: &'static str,
    /// n bytes
    key: Vec<u8>,
    tag_len: usize,
    nonce_len: usize,
}

impl LeakyDevice {
    /// F_K(h, data)
    fn f(&self, h: &[u8], data: &[u8]) -> Vec<u8> {
        let block = [&self.key, data].concat();
        match self.key.len() {
            32 => sha256(h.try_into().unwrap(), block[..].try_into().unwrap()).to_vec(),
            _ => sha512(h.try_into().unwrap(), block[..].try_into().unwrap()).to_vec(),
        }
    }

    /// 2^k · x
    fn times_two_to_the(&self, k: u32, x: &[u8]) -> Vec<u8> {
        let reduction: u16 = if x.len() == 32 { 0x425 } else { 0x125 };
        let mut x = x.to_vec();
        for _ in 0..k {
            let carry = x[0] >> 7;
            for i in 0..x.len() {
                x[i] = x[i] << 1 | x.get(i + 1).map_or(0, |next| next >> 7);
            }
            let n = x.len();
            x[n - 2] ^= carry * (reduction >> 8) as u8;
            x[n - 1] ^= carry * reduction as u8;
        }
        x
    }

    fn tau(&self) -> Vec<u8> {
        let mut tau = vec![0; self.key.len()];
        let at = tau.len() - 2;
        tau[at..].copy_from_slice(&(8 * self.tag_len as u16).to_be_bytes());
        tau
    }

    /// The key stream of the first message block; `tag` is the one that came with the packet.
    fn first_key_stream(&self, nonce: &[u8], ad: &[u8], tag: &[u8]) -> Vec<u8> {
        let n = self.key.len();
        let zero = vec![0; n];
        let mut padded = nonce.to_vec();
        padded.push(0x80);
        padded.resize(n, 0);
        match self.scheme {
            // F(A1 + Delta_{N,1,0}, <tau>) with Delta_{N,1,0} = F(N || 10*, 0) + 16 L*, L* = F(0, 0)
            "p-OMD" => {
                let l0 = self.times_two_to_the(4, &self.f(&zero, &zero));
                let delta = xor(&self.f(&padded, &zero), &l0);
                self.f(&xor(&delta, &ad[..n]), &self.tau())
            }
            // F(Delta_{N,1}, <tau>) with Delta_{N,1} = F(N || 10*, 0) + 4 L*, L* = F(0, <tau>): no AD in it
            "OMD" => {
                let l0 = self.times_two_to_the(2, &self.f(&zero, &self.tau()));
                self.f(&xor(&self.f(&padded, &zero), &l0), &self.tau())
            }
            // F((T || 0*) + 16 L* + 6 L*, N || 10*): the tag is in it
            _ => {
                let l = self.f(&zero, &self.tau());
                let [l2, l4, l16] = [1, 2, 4].map(|k| self.times_two_to_the(k, &l));
                let mut start = tag.to_vec();
                start.resize(n, 0);
                self.f(&xor(&start, &xor(&l16, &xor(&l2, &l4))), &padded)
            }
        }
    }

    /// The fault is only worth showing if the device decrypts as the library does.
    fn agrees_with(&self, aead: &DynAead) -> bool {
        let n = self.key.len();
        let (nonce, ad, message) = (some(8, self.nonce_len), some(9, 2 * n), some(10, n));
        let sealed = Sealer::seal(aead, &nonce, &ad, &message);
        xor(
            &sealed.ciphertext,
            &self.first_key_stream(&nonce, &ad, &sealed.tag),
        ) == message
    }
}

impl Leaky for LeakyDevice {
    fn decrypt_unverified(&self, nonce: &[u8], ad: &[u8], ciphertext: &[u8]) -> Vec<u8> {
        // The forger does not know the right tag; any will do, the device does not look.
        let tag = some(7, self.tag_len);
        xor(ciphertext, &self.first_key_stream(nonce, ad, &tag))
    }
}

struct Outcome {
    all_as_expected: bool,
}

impl Outcome {
    /// Says what happened, and remembers whether it is what ought to.
    fn expect(&mut self, what: &str, happened: bool) {
        println!("{} {what}", if happened { "PASS" } else { "FAIL" });
        self.all_as_expected &= happened;
    }
}

/// Whether everything went as it says.
pub fn run() -> bool {
    let mut outcome = Outcome {
        all_as_expected: true,
    };
    println!("{}", EXPLANATION.trim());
    for (function, n) in [("sha256", 32), ("sha512", 64)] {
        println!("\nOver {function}, blocks of {n} bytes, tags of 32 bytes:\n");
        for (mode, prefix, suffix) in [
            ("p-OMD", "pomd", ""),
            ("OMD", "omd", "v2"),
            ("SIV-OMD", "sivomdp", ""),
        ] {
            let name = format!("{prefix}{function}k{}n96tau256{suffix}", 8 * n);
            let scheme = scheme::find(&name).expect("a legal name");
            // The same key for all of them, so that the mode is the only difference. Never do that in earnest.
            let key = some(0x5a, n);
            let aead = scheme.with_key(&key).expect("n bytes");
            let device = LeakyDevice {
                scheme: mode,
                key,
                tag_len: scheme.tag_len(),
                nonce_len: scheme.nonce_len(),
            };
            let verdict = if mode == "p-OMD" {
                "accepted"
            } else {
                "refused"
            };
            let nonce_len = scheme.nonce_len();

            let forgery = with_a_repeated_nonce(&aead, n, nonce_len);
            outcome.expect(
                &format!("{mode}: forgery from a repeated nonce is {verdict}"),
                forgery.ends(verdict, &aead),
            );
            outcome.expect(
                &format!("{mode}: the leaky device decrypts as the library does"),
                device.agrees_with(&aead),
            );
            let forgery = with_unverified_plaintext(&aead, &device, n, nonce_len);
            outcome.expect(
                &format!("{mode}: forgery from unverified plaintext is {verdict}"),
                forgery.ends(verdict, &aead),
            );
        }
    }
    println!("{}", CONCLUSION.trim_end());
    outcome.all_as_expected
}

fn main() -> ExitCode {
    if run() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

const EXPLANATION: &str = "
Two forgeries against p-OMD

A forgery is a packet that nobody with the key ever sealed, and that the far end takes as genuine. Below, the forger
never has the key. The packet has two blocks of associated data, A1 and A2 (think of a packet header), and one block
of message, M. p-OMD makes ciphertext and tag like this (F: keyed compression function, +: exclusive or):

    H   = F(A1 + mask, tag length)      scrambles header block A1
    C   = M + H                         encrypts
    tag = F(H + A2 + mask', M)          takes in header block A2

Whoever knows M and sees C knows H = C + M. And the tag looks at H and A2 only through their sum: if H changes by some
known amount, the same change in A2 cancels it and the old tag is right again.

1. A nonce is used twice. The forger has (A1, A2, M) and (A1', A2, M) sealed under one nonce and gets C, tag and C'. It
   sends header (A1', A2 + C + C'), ciphertext C', and the first packet's tag.

2. Unverified plaintext gets out. Every nonce is used once. The forger has (A1, A2, M) sealed, then hands a device
   the header (A1', A2) with ciphertext C and any tag. The device refuses, but has already shown C + H', say because it
   streams its output while it checks. That gives H', and with it the header and the ciphertext for the old tag.";

const CONCLUSION: &str = "
What follows for p-OMD: never use a nonce twice, and hold every byte back until the tag is checked. This library does the
latter, and so must hardware; the device above is a fault that we built. The proof of p-OMD covers neither situation.

What does not follow: that OMD survives a repeated nonce. These tricks fail because OMD hashes associated data apart from
the message, but the sum of three tags under one nonce is a fourth. Of the three, only SIV-OMD is meant to
tolerate it, and SIV-OMD is experimental.";
