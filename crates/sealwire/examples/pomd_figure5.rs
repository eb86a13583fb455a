// SPDX-License-Identifier: Apache-2.0
//! Time of sealing by OMD and p-OMD over SHA-512 for the grid of figure 5 of the p-OMD paper, as CSV: message and
//! associated data of 64 to 4096 bytes, nothing cached. `cargo run --release -p sealwire --example pomd_figure5`.
//!
//! The paper takes the median of 91 means of 200 calls. Here the grid is walked many times, and the figure of a point is
//! the smallest mean: other work on the machine, which comes and goes, does not show.

use std::hint::black_box;
use std::time::Instant;

const STEP: usize = 64;
const LONGEST: usize = 4096;
const CALLS: u32 = 4;
const WALKS: usize = 60;
const KEYS: usize = 501;

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<(), sealwire::Error> {
    let schemes = [("omd", "omd-sha512"), ("pomd", "pomd-sha512")];
    println!("# SPDX-License-Identifier: Apache-2.0");
    println!("# cargo run --release -p sealwire --example pomd_figure5");
    println!(
        "# method: smallest of {WALKS} means of {CALLS} calls, one packet, one thread, wall clock"
    );
    println!("# cpu: {}", cpu());
    for (mode, name) in schemes {
        let scheme = sealwire::scheme::find(name)?;
        let key = vec![1; scheme.key_len()];
        let mut times = Vec::with_capacity(KEYS);
        for _ in 0..KEYS {
            let start = Instant::now();
            black_box(scheme.with_key(black_box(&key))?);
            times.push(start.elapsed().as_secs_f64() * 1e9);
        }
        println!("# {mode} key set-up: {:.0} ns", median(times));
    }
    let ad = vec![2; LONGEST];
    let mut buffer = vec![0; LONGEST];
    let points: Vec<(usize, usize)> = (STEP..=LONGEST)
        .step_by(STEP)
        .flat_map(|m| (0..=m).step_by(STEP).map(move |a| (m, a)))
        .collect();
    let mut best = vec![f64::INFINITY; schemes.len() * points.len()];
    for _ in 0..WALKS {
        for (place, (_, name)) in schemes.iter().enumerate() {
            let scheme = sealwire::scheme::find(name)?;
            let aead = scheme.with_key(&vec![1; scheme.key_len()])?;
            let (nonce, mut tag) = (vec![0; scheme.nonce_len()], vec![0; scheme.tag_len()]);
            // Once for nothing: code and key come into the caches.
            aead.seal_in_place_detached(&nonce, &ad[..], &mut buffer, &mut tag)?;
            for (point, &(m, a)) in points.iter().enumerate() {
                let start = Instant::now();
                for _ in 0..CALLS {
                    // The same nonce again: only the time matters, and nothing leaves this program.
                    let text = black_box(&mut buffer[..m]);
                    aead.seal_in_place_detached(&nonce, black_box(&ad[..a]), text, &mut tag)?;
                }
                let mean = start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS);
                let kept = &mut best[place * points.len() + point];
                *kept = kept.min(mean);
            }
        }
    }
    println!("mode,message_bytes,ad_bytes,ns");
    for ((mode, _), times) in schemes.iter().zip(best.chunks(points.len())) {
        for ((m, a), time) in points.iter().zip(times) {
            println!("{mode},{m},{a},{time:.1}");
        }
    }
    Ok(())
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    model.map_or_else(
        || "unknown".to_owned(),
        |text| text.trim_start_matches([' ', '\t', ':']).to_owned(),
    )
}
