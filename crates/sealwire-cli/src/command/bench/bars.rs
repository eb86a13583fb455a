// SPDX-License-Identifier: Apache-2.0
//! What the library sets out to reach, in core cycles a byte, on a CPU with AVX-512 and the SHA instructions.

use super::Case;

struct Bar {
    scheme: &'static str,
    bytes: usize,
    batch: usize,
    path: &'static str,
    bar: f64,
    /// What the compression function or the permutation alone takes.
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

const BARS: [Bar; 14] = [
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
];

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
