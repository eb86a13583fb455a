// SPDX-License-Identifier: Apache-2.0
//! Throughput of sealing on this machine, one thread: `cargo run --release -p sealwire --example speed [SCHEME...]`.

use std::hint::black_box;
use std::time::{Duration, Instant};

const SIZES: [usize; 6] = [64, 256, 1500, 4096, 16384, 1 << 20];

fn main() -> Result<(), sealwire::Error> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["omd-sha512", "omd-blake2b", "omd-sha256"]
            .map(String::from)
            .to_vec();
    }
    println!("Gbit/s, session AD, message bytes:{:?}", SIZES);
    for name in names {
        let scheme = sealwire::scheme::find(&name)?;
        let aead = scheme.with_key(&vec![1; scheme.key_len()])?;
        let session = aead.with_session_ad(&[2; 32])?;
        let (mut nonce, mut tag) = (vec![0_u8; scheme.nonce_len()], vec![0; scheme.tag_len()]);
        print!("{name:30}");
        for size in SIZES {
            let mut buffer = vec![0; size];
            let mut best = Duration::MAX;
            let calls = (1 << 19) / size + 1;
            for _ in 0..20 {
                let start = Instant::now();
                for _ in 0..calls {
                    nonce[0] = nonce[0].wrapping_add(1);
                    aead.seal_in_place_detached(
                        &nonce,
                        &session,
                        black_box(&mut buffer),
                        &mut tag,
                    )?;
                }
                best = best.min(start.elapsed());
            }
            print!("{:9.3}", (8 * size * calls) as f64 / best.as_nanos() as f64);
        }
        println!();
    }
    Ok(())
}
