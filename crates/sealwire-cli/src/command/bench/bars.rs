// SPDX-License-Identifier: Apache-2.0
//! What the library sets out to reach, in core cycles a byte, on a CPU with AVX-512, VAES and the SHA instructions.

use super::{Call, Case, macs, ours};
use sealwire::compress::{Path, force_path};
use sealwire::mac;
use sealwire::scheme::find;

struct Bar {
    scheme: &'static str,
    bytes: usize,
    batch: usize,
    path: &'static str,
    bar: f64,
    /// What the compression function, the permutation or the block cipher alone takes.
    kernel: f64,
}

const fn bar(
    scheme: &'static str,
    bytes: usize,
    batch: usize,
    path: &'static str,
    bar: f64,
    kernel: f64,
) -> Bar {
    Bar {
        scheme,
        bytes,
        batch,
        path,
        bar,
        kernel,
    }
}

const BARS: [Bar; 20] = [
    bar("omd-sha512", 16384, 1, "avx512", 10.7, 9.25),
    bar("omd-sha512", 16384, 8, "avx512", 2.35, 2.14),
    bar("omd-sha512", 1500, 8, "avx512", 2.55, 2.14),
    bar("omd-sha512", 16384, 4, "avx2", 6.4, 5.87),
    bar("omd-sha256", 16384, 1, "avx512", 5.0, 4.41),
    bar("omd-sha256", 16384, 2, "avx512", 3.9, 3.52),
    bar("omd-sha256", 16384, 16, "avx512", 1.95, 1.68),
    bar("omd-blake2b", 16384, 1, "avx512", 7.0, 6.1),
    bar("omd-blake2b", 16384, 8, "avx512", 1.55, 1.36),
    bar("fsks-64", 16384, 1, "avx512", 4.7, 3.3),
    bar("fsks-128", 16384, 1, "avx512", 4.7, 3.3),
    bar("fsks-64", 16384, 8, "avx512", 0.75, 0.49),
    bar("fsks-128", 16384, 8, "avx512", 0.75, 0.49),
    bar("ascon-farfalle", 16384, 1, "avx512", 0.40, 0.25),
    bar("otr-aes128-p", 1 << 20, 1, "avx512", 0.17, 0.156),
    bar("otr-aes128-p", 16384, 1, "avx512", 0.20, 0.156),
    bar("otr-aes128-p", 4096, 1, "avx512", 0.27, 0.156),
    bar("otr-aes128-p", 1500, 1, "avx512", 0.43, 0.156),
    bar("otr-aes128-p", 1500, 16, "avx512", 0.33, 0.156),
    bar("otr-aes128-p", 16384, 1, "avx2", 0.48, 0.3125),
];

/// What p-OMD over each function may take with associated data as long as the message, without being 1.
const FREE_AD: f64 = 1.05;

/// Schemes and messages a call that this is measured with.
const WITH_AD: [(&str, usize); 6] = [
    ("pomd-sha256", 1),
    ("pomd-sha256", 16),
    ("pomd-sha512", 1),
    ("pomd-sha512", 8),
    ("pomd-blake2b", 1),
    ("pomd-blake2b", 8),
];

/// Every case that has a bar and that this CPU can run, and p-OMD with and without associated data.
pub(super) fn cases() -> Vec<(Case, Call)> {
    let mut cases = Vec::new();
    for bar in &BARS {
        let path = Path::ALL.iter().find(|path| path.to_string() == bar.path);
        let Some(path) = path.filter(|path| path.available()) else {
            continue;
        };
        let mut found = Vec::new();
        if let Ok(scheme) = mac::find(bar.scheme) {
            found.extend(macs::case(&scheme, bar.bytes, bar.batch));
        } else if let Ok(scheme) = find(bar.scheme) {
            found.extend(ours::cases(&scheme, bar.bytes, bar.batch, 0));
        }
        for (mut case, mut call) in found {
            case.path = Some(path.to_string());
            let forced = move || {
                let usual = Path::current();
                force_path(Some(*path));
                call();
                force_path(Some(usual));
            };
            cases.push((case, Box::new(forced) as Call));
        }
    }
    for (name, batch) in WITH_AD {
        let scheme = find(name).expect("a scheme of the library");
        for ad in [0, 16384] {
            cases.extend(ours::cases(&scheme, 16384, batch, ad));
        }
    }
    cases
}

/// With associated data as long as the message, beside the same without: the ratio and whether it is small enough.
pub(super) fn verdict_on_ad<'a>(
    case: &Case,
    cpb: f64,
    mut others: impl Iterator<Item = (&'a Case, f64)>,
) -> Option<String> {
    let (_, without) = others.find(|(other, _)| {
        case.ad == case.bytes
            && case.peer.is_none()
            && case.scheme.starts_with("pomd-")
            && other.ad == 0
            && (
                &other.scheme,
                other.op,
                other.bytes,
                other.batch,
                &other.path,
            ) == (&case.scheme, case.op, case.bytes, case.batch, &case.path)
    })?;
    let ratio = cpb / without;
    let verdict = if ratio <= FREE_AD {
        "reached"
    } else {
        "missed"
    };
    Some(format!("<= {FREE_AD} x without AD: {ratio:.3} {verdict}"))
}

/// The bar of this case, the limit that its compression function sets, and whether the bar is reached.
pub(super) fn verdict(case: &Case, cpb: f64) -> Option<String> {
    let bar = BARS.iter().find(|bar| {
        case.peer.is_none()
            && case.ad == 0
            && (bar.scheme, bar.bytes, bar.batch) == (&case.scheme, case.bytes, case.batch)
            && case.path.as_deref() == Some(bar.path)
    })?;
    let verdict = if cpb <= bar.bar { "reached" } else { "missed" };
    Some(format!("<= {} {verdict} (kernel {})", bar.bar, bar.kernel))
}
