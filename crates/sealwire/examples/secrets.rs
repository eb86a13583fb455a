// SPDX-License-Identifier: Apache-2.0
//! Whether a branch or an address depends on a secret, by valgrind (the method of ctgrind: Langley, 2010).
//!
//! Memcheck reports every branch and every address that undefined memory decides. So keys, associated data and messages are marked as
//! undefined, and every scheme and MAC seals and opens, one message and nine, right tags and wrong ones, on every set of instructions that
//! valgrind has. Ciphertexts and tags are public once they are sealed, and so is the verdict on a tag: valgrind leaves out the statements that
//! branch on it (`verdicts`), and no other. A branch and a look-up leak on purpose and must be found.
//!
//!     CARGO_PROFILE_RELEASE_DEBUG=line-tables-only cargo run --release -p sealwire --example secrets
//!
//! The program runs itself in valgrind. Without valgrind it says so and passes.

use std::process::ExitCode;

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() -> ExitCode {
    println!("skipped: valgrind is asked on x86-64 and Linux only");
    ExitCode::SUCCESS
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() -> ExitCode {
    if valgrind::runs() {
        return inside::main();
    }
    let program = std::env::current_exe().expect("this program");
    let suppressions = program.with_extension("supp");
    std::fs::write(&suppressions, verdicts()).expect("room beside this program");
    let status = std::process::Command::new("valgrind")
        .args(["--quiet", "--error-limit=no", "--num-callers=20"])
        .arg(format!("--suppressions={}", suppressions.display()))
        .arg(program)
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: valgrind is not installed (make test-tools)");
            ExitCode::SUCCESS
        }
        Err(error) => panic!("valgrind does not start: {error}"),
    }
}

/// Where a verdict decides: on a tag, and on whether hashed associated data belongs to the key. Statements are found by their text.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn verdicts() -> String {
    macro_rules! statement {
        ($file:literal, $text:literal) => {{
            let line = include_str!(concat!("../src/", $file))
                .lines()
                .position(|line| line.contains($text));
            let line = 1 + line.expect(concat!("no verdict in ", $file));
            format!("src:{}:{line}", $file)
        }};
    }
    [
        statement!("mode.rs", "if authentic {"),
        statement!("batch.rs", "if bool::from(self.owner"),
        // The operator `?` on what the latter returns.
        "fun:branch<&?u8?, sealwire::error::Error>".to_owned(),
        // The crate aes-gcm compares tags itself; what this function calls is not left out.
        "fun:decrypt_inout_detached<aes::*".to_owned(),
    ]
    .map(|frames| format!("{{\nverdict\nMemcheck:Cond\n{frames}\n}}\n"))
    .concat()
}

/// What a program may ask of the valgrind that it runs in (`valgrind.h`, `memcheck.h`).
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod valgrind {
    const RUNNING_ON_VALGRIND: usize = 0x1001;
    const COUNT_ERRORS: usize = 0x1201;
    const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
    const MAKE_MEM_DEFINED: usize = 0x4d43_0002;

    /// 0 if no valgrind is there to answer.
    #[allow(unsafe_code)]
    fn request(code: usize, address: usize, len: usize) -> usize {
        let arguments = [code, address, len, 0, 0, 0];
        let mut answer = 0;
        // SAFETY: the rotations add up to 128 bits and leave rdi as it was, and the exchange does nothing. Valgrind reads
        // the arguments and changes what it knows about memory, not the memory.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") arguments.as_ptr(), inout("rdx") answer,
            );
        }
        answer
    }

    pub fn runs() -> bool {
        request(RUNNING_ON_VALGRIND, 0, 0) != 0
    }

    /// Errors so far.
    pub fn errors() -> usize {
        request(COUNT_ERRORS, 0, 0)
    }

    pub fn hide<T: ?Sized>(secret: &mut T) {
        request(MAKE_MEM_UNDEFINED, address(secret), size_of_val(secret));
    }

    pub fn show<T: ?Sized>(public: &mut T) {
        request(MAKE_MEM_DEFINED, address(public), size_of_val(public));
    }

    /// The compiler must take what lies there for changed.
    fn address<T: ?Sized>(of: &mut T) -> usize {
        std::ptr::from_mut(of).expose_provenance()
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod inside {
    use super::valgrind::{errors, hide, show};
    use sealwire::compress::{Path, force_path};
    use sealwire::mac::{self, MacScheme, TagMessage, VerifyMessage};
    use sealwire::{Error, OpenPacket, Scheme, SealPacket, scheme};
    use std::hint::black_box;
    use std::process::ExitCode;

    /// Lengths of messages in bytes: around blocks of 8, 16, 32, 40, 64 and 128 bytes, and more than all lanes take at once.
    const LENGTHS: [usize; 9] = [0, 1, 16, 31, 40, 64, 75, 129, 1100];

    pub fn main() -> ExitCode {
        let mut good = true;
        let mut check = |name: &str, path: &str, leaks: bool, run: &dyn Fn()| {
            let before = errors();
            run();
            let found = errors() - before;
            if leaks != (found > 0) {
                good = false;
                println!("{name}, {path}: {found} branches and addresses, WRONG");
            }
        };
        check("planted branch", "any path", true, &|| {
            planted(|secret| {
                if secret & 1 == 0 {
                    black_box(3)
                } else {
                    black_box(5)
                }
            })
        });
        check("planted look-up", "any path", true, &|| {
            planted(|secret| black_box(&TABLE)[usize::from(secret)])
        });
        let paths: Vec<_> = Path::ALL.iter().filter(|path| path.available()).collect();
        for &&path in &paths {
            force_path(Some(path));
            let name = path.to_string();
            for scheme in scheme::schemes() {
                check(scheme.name(), &name, false, &|| aead(&scheme));
            }
            for scheme in mac::schemes() {
                check(scheme.name(), &name, false, &|| keyed_mac(scheme));
            }
        }
        let paths = paths
            .iter()
            .map(|path| path.to_string())
            .collect::<Vec<_>>()
            .join(", ");
        let (schemes, macs) = (scheme::schemes().len(), mac::schemes().len());
        println!(
            "{schemes} schemes, {macs} MACs on {paths}: {}",
            if good {
                "no leak but the planted ones"
            } else {
                "LEAKS"
            }
        );
        if good {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }

    static TABLE: [u8; 256] = [7; 256];

    /// Something secret decides.
    fn planted(leak: impl Fn(u8) -> u8) {
        let mut secret = [1];
        hide(&mut secret);
        black_box(leak(black_box(secret[0])));
    }

    /// A secret of this many bytes.
    fn secret(len: usize) -> Vec<u8> {
        let mut secret = vec![0x5a; len];
        hide(&mut secret[..]);
        secret
    }

    /// A verdict is public once the caller has it.
    fn verdict<T>(mut verdict: T) -> T {
        show(&mut verdict);
        verdict
    }

    fn aead(scheme: &Scheme) {
        let cipher = scheme
            .with_key(&secret(scheme.key_len()))
            .expect("the length");
        let nonce = &[3; 64][..scheme.nonce_len()];
        let ad = secret(21);
        let mut sealed: Vec<_> = LENGTHS
            .iter()
            .map(|&len| (secret(len), vec![0; scheme.tag_len()]))
            .collect();
        for (buffer, tag) in &mut sealed {
            cipher
                .seal_in_place_detached(nonce, &ad[..], buffer, tag)
                .expect("legal");
            show(&mut buffer[..]);
            show(&mut tag[..]);
        }
        for wrong in [0, 1] {
            for (buffer, tag) in &sealed {
                let (mut buffer, mut tag) = (buffer.clone(), tag.clone());
                tag[0] ^= wrong;
                let opened =
                    verdict(cipher.open_in_place_detached(nonce, &ad[..], &mut buffer, &tag));
                assert_eq!(
                    opened,
                    if wrong == 0 {
                        Ok(())
                    } else {
                        Err(Error::InvalidTag)
                    }
                );
            }
        }

        let session = scheme
            .caches_ad()
            .then(|| cipher.with_session_ad(&ad).expect("the scheme can"));
        let ad = || {
            session
                .as_ref()
                .map_or(sealwire::Ad::Bytes(&ad), sealwire::Ad::from)
        };
        let mut sealed: Vec<_> = LENGTHS
            .iter()
            .map(|&len| (secret(len), vec![0; scheme.tag_len()]))
            .collect();
        let mut packets: Vec<_> = sealed
            .iter_mut()
            .map(|(buffer, tag)| SealPacket::new(nonce, ad(), buffer, tag))
            .collect();
        assert_eq!(verdict(cipher.seal_batch(&mut packets)), LENGTHS.len());
        drop(packets);
        for (buffer, tag) in &mut sealed {
            show(&mut buffer[..]);
            show(&mut tag[..]);
        }
        sealed[4].1[0] ^= 1;
        let mut packets: Vec<_> = sealed
            .iter_mut()
            .map(|(buffer, tag)| OpenPacket::new(nonce, ad(), buffer, tag))
            .collect();
        assert_eq!(verdict(cipher.open_batch(&mut packets)), LENGTHS.len() - 1);
    }

    fn keyed_mac(scheme: MacScheme) {
        let mac = scheme
            .with_key(&secret(scheme.key_len()))
            .expect("the length");
        let most = scheme.max_message_len().unwrap_or(usize::MAX);
        let messages: Vec<_> = LENGTHS.iter().map(|&len| secret(len.min(most))).collect();
        let mut tags = vec![vec![0; scheme.tag_len()]; messages.len()];
        for wrong in [0, 1] {
            for (message, tag) in messages.iter().zip(&mut tags) {
                mac.tag(message, tag).expect("legal");
                show(&mut tag[..]);
                tag[0] ^= wrong;
                let verified = verdict(mac.verify(message, tag));
                assert_eq!(
                    verified,
                    if wrong == 0 {
                        Ok(())
                    } else {
                        Err(Error::InvalidTag)
                    }
                );
            }
        }
        let mut batch: Vec<_> = messages
            .iter()
            .zip(&mut tags)
            .map(|(message, tag)| TagMessage::new(message, tag))
            .collect();
        assert_eq!(verdict(mac.tag_batch(&mut batch)), messages.len());
        drop(batch);
        tags.iter_mut().for_each(|tag| show(&mut tag[..]));
        tags[4][0] ^= 1;
        let mut batch: Vec<_> = messages
            .iter()
            .zip(&tags)
            .map(|(message, tag)| VerifyMessage::new(message, tag))
            .collect();
        assert_eq!(verdict(mac.verify_batch(&mut batch)), messages.len() - 1);
    }
}
