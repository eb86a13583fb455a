// SPDX-License-Identifier: Apache-2.0
//! What the library sets out to reach, on the CPUs that the bars were recorded on: in core cycles a byte, or in multiples of what
//! AES-128 without a mode takes in the same run with the same instructions.

use super::cpu::{Cpu, INTEL, ZEN3, ZEN5};
use super::{Case, Op, Subject, Work, macs, ours};
use sealwire::aes::RawAes128;
use sealwire::compress::Path;
use sealwire::mac;
use sealwire::scheme::find;

struct Bar {
    scheme: &'static str,
    op: Op,
    bytes: usize,
    batch: usize,
    path: &'static str,
    unit: Unit,
    bar: f64,
    /// What the compression function, the permutation or the block cipher alone takes.
    kernel: f64,
    /// CPUs that it was set for, or has been held against.
    on: &'static [Cpu<'static>],
}

const BOTH: &[Cpu] = &[INTEL, ZEN5];

impl Bar {
    fn is_on(&self, cpu: Option<&Cpu>) -> bool {
        cpu.is_some_and(|cpu| self.on.contains(cpu))
    }

    /// Whether both are of one measurement.
    fn measures(&self, other: &Self) -> bool {
        (self.scheme, self.op, self.bytes, self.batch, self.path)
            == (other.scheme, other.op, other.bytes, other.batch, other.path)
    }

    /// Whether it is of this measurement, or of the other direction of it.
    fn fits(&self, case: &Case) -> bool {
        case.peer.is_none()
            && case.ad == 0
            && (self.scheme, self.bytes, self.batch) == (&case.scheme, case.bytes, case.batch)
            && case.path.as_deref() == Some(self.path)
    }
}

/// What a bar is given in.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    /// Core cycles a byte
    Cycles,
    /// AES-128 without a mode
    Raw,
}

/// A bar in multiples of AES-128 without a mode.
const fn raw(scheme: &'static str, bytes: usize, path: &'static str, bar: f64, kernel: f64) -> Bar {
    Bar {
        scheme,
        op: Op::Seal,
        bytes,
        batch: 1,
        path,
        unit: Unit::Raw,
        bar,
        kernel,
        on: BOTH,
    }
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
        op: Op::Seal,
        bytes,
        batch,
        path,
        unit: Unit::Cycles,
        bar,
        kernel,
        on: BOTH,
    }
}

/// A bar in core cycles a byte for opening; without one, opening is held against [`OPENING`] times sealing.
const fn opening(bar: Bar) -> Bar {
    Bar {
        op: Op::Open,
        ..bar
    }
}

/// A bar of one CPU.
const fn only(on: &'static [Cpu<'static>], bar: Bar) -> Bar {
    Bar { on, ..bar }
}

/// What opening may take, sealing being 1.
const OPENING: f64 = 1.1;

const BARS: [Bar; 45] = [
    bar("omd-sha512", 16384, 1, "avx512", 10.7, 9.25),
    bar("omd-sha512", 16384, 8, "avx512", 2.35, 2.14),
    bar("omd-sha512", 1500, 8, "avx512", 2.55, 2.14),
    bar("omd-sha512", 16384, 4, "avx2", 6.4, 5.87),
    bar("omd-sha256", 16384, 1, "avx512", 5.0, 4.41),
    bar("omd-sha256", 16384, 2, "avx512", 3.9, 3.52),
    bar("omd-sha256", 16384, 16, "avx512", 1.95, 1.68),
    opening(bar("omd-sha256", 16384, 16, "avx512", 1.75, 1.68)),
    only(&[INTEL], bar("omd-blake2b", 16384, 1, "avx512", 5.6, 6.1)),
    only(&[ZEN5], bar("omd-blake2b", 16384, 1, "avx512", 5.6, 5.5)),
    bar("omd-blake2b", 16384, 8, "avx512", 1.45, 1.36),
    bar("fsks-64", 16384, 1, "avx512", 4.7, 3.3),
    bar("fsks-128", 16384, 1, "avx512", 4.7, 3.3),
    bar("fsks-64", 16384, 8, "avx512", 0.75, 0.49),
    bar("fsks-128", 16384, 8, "avx512", 0.75, 0.49),
    bar("ascon-farfalle", 16384, 1, "avx512", 0.40, 0.25),
    raw("otr-aes128-p", 1 << 20, "avx512", 1.2, 1.0),
    raw("otr-aes128-p", 16384, "avx512", 1.35, 1.0),
    bar("otr-aes128-p", 4096, 1, "avx512", 0.27, 0.156),
    bar("otr-aes128-p", 1500, 1, "avx512", 0.43, 0.156),
    bar("otr-aes128-p", 1500, 16, "avx512", 0.33, 0.156),
    bar("otr-aes128-p", 16384, 1, "avx2", 0.48, 0.3125),
    raw("ocb-aes128", 1 << 20, "avx512", 1.15, 1.06),
    raw("ocb-aes128", 16384, "avx512", 1.30, 1.06),
    raw("ocb-aes128", 1500, "avx512", 2.9, 1.06),
    raw("deoxys-i-128", 16384, "avx512", 1.9, 1.6),
    raw("deoxys-i-128", 1500, "avx512", 3.3, 1.6),
    raw("deoxys-ii-128", 16384, "avx512", 3.5, 2.8),
    raw("deoxys-ii-128", 1500, "avx512", 6.0, 2.8),
    raw("copa-aes128", 16384, "avx512", 3.0, 2.0),
    raw("colm-aes128", 16384, "avx512", 4.5, 2.0),
    only(&[ZEN5], bar("minalpher", 16384, 1, "avx512", 2.5, 1.5)),
    only(&[ZEN5], bar("scream-10", 16384, 1, "avx512", 2.0, 1.4)),
    bar("aegis-128l", 16384, 1, "avx512", 0.18, 0.13),
    bar("aegis-128l", 1500, 1, "avx512", 0.45, 0.13),
    only(&[ZEN5], bar("ocb-aes128", 16384, 1, "avx2", 0.36, 0.3125)),
    only(&[ZEN5], bar("deoxys-i-128", 16384, 1, "avx2", 0.65, 0.4375)),
    only(&[ZEN5], bar("deoxys-ii-128", 16384, 1, "avx2", 1.2, 0.875)),
    only(&[ZEN5], bar("copa-aes128", 16384, 1, "avx2", 0.85, 0.625)),
    only(&[ZEN5], bar("colm-aes128", 16384, 1, "avx2", 1.1, 0.625)),
    only(&[ZEN5], bar("minalpher", 16384, 1, "avx2", 4.95, 3.0)),
    only(&[ZEN5], bar("scream-10", 16384, 1, "avx2", 5.9, 3.0)),
    only(
        &[ZEN3],
        bar("omd-blake2b", 16384, 1, "avx2-vaes", 5.6, 5.25),
    ),
    only(&[ZEN3], raw("otr-aes128-p", 1 << 20, "avx2-vaes", 1.2, 1.0)),
    only(&[ZEN3], raw("otr-aes128-p", 16384, "avx2-vaes", 1.35, 1.0)),
];

/// What AES-128 without a mode is called, and how many bytes it is measured with.
const RAW: (&str, usize) = ("aes-128, raw", 16384);

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

/// Every case that has a bar on some CPU and that this one can run, and p-OMD with and without associated data.
pub(super) fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for path in Path::ALL.iter().filter(|path| path.available()) {
        let name = path.to_string();
        if BARS
            .iter()
            .any(|bar| bar.unit == Unit::Raw && bar.path == name)
        {
            subjects.push(on(path, raw_aes()));
        }
    }
    for (place, bar) in BARS.iter().enumerate() {
        // Two CPUs may have two bars for one measurement.
        if bar.op == Op::Open || BARS[..place].iter().any(|other| other.measures(bar)) {
            continue;
        }
        let path = Path::ALL.iter().find(|path| path.to_string() == bar.path);
        let Some(path) = path.filter(|path| path.available()) else {
            continue;
        };
        let mut found = Vec::new();
        if let Ok(scheme) = mac::find(bar.scheme) {
            found.extend(macs::subject(&scheme, bar.bytes, bar.batch));
        } else if let Ok(scheme) = find(bar.scheme) {
            found.push(ours::subject(&scheme, bar.bytes, bar.batch, 0));
        }
        subjects.extend(found.into_iter().map(|found| on(path, found)));
    }
    for (name, batch) in WITH_AD {
        let scheme = find(name).expect("a scheme of the library");
        for ad in [0, 16384] {
            subjects.push(ours::subject(&scheme, 16384, batch, ad));
        }
    }
    subjects
}

/// The case with the instructions of a path. The one that the library takes itself is not named: the library then measures which
/// kernels serve, as it does for its users.
fn on(path: &'static Path, mut subject: Subject) -> Subject {
    subject.case.path = Some(path.to_string());
    subject.forced = (*path != Path::current()).then_some(*path);
    subject
}

/// AES-128 without a mode.
fn raw_aes() -> Subject {
    let (scheme, bytes) = RAW;
    let aes = RawAes128::new(&[0x42; 16]);
    let mut blocks = vec![0x5a; bytes];
    let case = Case {
        scheme: scheme.to_owned(),
        op: Op::Seal,
        bytes,
        batch: 1,
        ad: 0,
        path: None,
        peer: None,
    };
    Subject::new(
        case,
        Work::Call(Box::new(move || aes.encipher(&mut blocks))),
    )
}

/// Whether a figure is not above its bar, in a word.
fn said(figure: f64, bar: f64) -> &'static str {
    if figure <= bar { "reached" } else { "missed" }
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
    let verdict = said(ratio, FREE_AD);
    Some(format!("<= {FREE_AD} x without AD: {ratio:.3} {verdict}"))
}

/// Whether the case has a bar, and none on this CPU.
pub(super) fn is_of_other_cpus(case: &Case, cpu: Option<&Cpu>) -> bool {
    let mut bars = BARS.iter().filter(|bar| bar.fits(case)).peekable();
    bars.peek().is_some() && !bars.any(|bar| bar.is_on(cpu))
}

/// Why so many figures have no bar beside them.
pub(super) fn said_of_other_cpus(count: usize, cpu: Option<&Cpu>) -> String {
    let this = cpu.map_or("an unknown CPU".to_owned(), Cpu::to_string);
    format!(
        "{count} figures without a bar have one on another CPU; this is {this}, bars are of {INTEL}, of {ZEN3} and of {ZEN5}"
    )
}

/// The bar of this case on this CPU, the limit that its compression function sets, and whether the bar is reached.
pub(super) fn verdict<'a>(
    case: &'a Case,
    cpu: Option<&Cpu>,
    cpb: f64,
    mut others: impl Iterator<Item = (&'a Case, f64)>,
) -> Option<String> {
    let fits = |bar: &&Bar| bar.fits(case) && bar.is_on(cpu);
    let same = |bar: &&Bar| (bar.op == Op::Open) == (case.op == Op::Open);
    let Some(bar) = BARS.iter().filter(fits).find(same) else {
        let has_bar = BARS.iter().any(|bar| fits(&bar));
        return has_bar
            .then(|| verdict_on_opening(case, cpb, others))
            .flatten();
    };
    if bar.unit == Unit::Cycles {
        let verdict = said(cpb, bar.bar);
        return Some(format!("<= {} {verdict} (kernel {})", bar.bar, bar.kernel));
    }
    // Without the measurement that it is a multiple of, there is nothing to say.
    let (_, raw) = others.find(|(other, _)| other.scheme == RAW.0 && other.path == case.path)?;
    let multiple = cpb / raw;
    let verdict = said(multiple, bar.bar);
    Some(format!(
        "<= {} x raw AES: {multiple:.2} {verdict} (kernel {})",
        bar.bar, bar.kernel
    ))
}

/// Opening what has a bar for sealing: the ratio and whether it is small enough.
fn verdict_on_opening<'a>(
    case: &'a Case,
    cpb: f64,
    mut others: impl Iterator<Item = (&'a Case, f64)>,
) -> Option<String> {
    let (_, sealing) = others.find(|(other, _)| other.seals_for(case))?;
    let ratio = cpb / sealing;
    let verdict = said(ratio, OPENING);
    Some(format!("<= {OPENING} x sealing: {ratio:.2} {verdict}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(path: &str, scheme: &str, op: Op) -> Case {
        Case {
            scheme: scheme.to_owned(),
            op,
            bytes: 16384,
            batch: 1,
            ad: 0,
            path: Some(path.to_owned()),
            peer: None,
        }
    }

    fn said_on(cpu: Option<&Cpu>, scheme: &str, op: Op) -> Option<String> {
        let sealing = case("avx512", scheme, Op::Seal);
        let this = case("avx512", scheme, op);
        verdict(&this, cpu, 6.0, [(&sealing, 6.0)].into_iter())
    }

    #[test]
    fn bars_of_a_zen_3_are_of_vaes_without_avx512() {
        let raw = case("avx2-vaes", RAW.0, Op::Seal);
        let said = |scheme| {
            let this = case("avx2-vaes", scheme, Op::Seal);
            verdict(&this, Some(&ZEN3), 6.0, [(&raw, 4.0)].into_iter()).unwrap()
        };
        assert_eq!(said("omd-blake2b"), "<= 5.6 missed (kernel 5.25)");
        let otr = "<= 1.35 x raw AES: 1.50 missed (kernel 1)";
        assert_eq!(said("otr-aes128-p"), otr);
    }

    #[test]
    fn a_bar_stands_only_on_the_cpus_that_it_is_of() {
        let blake = |cpu| said_on(cpu, "omd-blake2b", Op::Seal);
        assert_eq!(blake(Some(&INTEL)).unwrap(), "<= 5.6 missed (kernel 6.1)");
        assert_eq!(blake(Some(&ZEN5)).unwrap(), "<= 5.6 missed (kernel 5.5)");
        let other = Cpu::parse("vendor_id: AuthenticAMD\ncpu family: 25\nmodel: 17\n");
        for cpu in [None, other.as_ref(), Some(&ZEN3)] {
            for scheme in ["omd-blake2b", "omd-sha256", "ocb-aes128"] {
                for op in [Op::Seal, Op::Open] {
                    assert_eq!(said_on(cpu, scheme, op), None, "{scheme}");
                }
            }
        }
        assert_eq!(said_on(Some(&INTEL), "minalpher", Op::Seal), None);
        assert!(said_on(Some(&ZEN5), "minalpher", Op::Open).is_some());
    }

    #[test]
    fn a_cpu_without_bars_is_named() {
        let other = Cpu::parse("vendor_id: AuthenticAMD\ncpu family: 25\nmodel: 17\n");
        let said = said_of_other_cpus(3, other.as_ref());
        assert!(
            said.contains("this is AuthenticAMD family 25, model 17,"),
            "{said}"
        );
        let said = said_of_other_cpus(3, None);
        assert!(said.contains("this is an unknown CPU,"), "{said}");
    }

    #[test]
    fn nothing_is_measured_twice() {
        let subjects = subjects();
        for (place, Subject { case, .. }) in subjects.iter().enumerate() {
            let same = |Subject { case: other, .. }: &&Subject| {
                (
                    &other.scheme,
                    other.op,
                    other.bytes,
                    other.batch,
                    other.ad,
                    &other.path,
                ) == (
                    &case.scheme,
                    case.op,
                    case.bytes,
                    case.batch,
                    case.ad,
                    &case.path,
                )
            };
            assert!(
                !subjects[..place].iter().any(|other| same(&other)),
                "{}",
                case.scheme
            );
        }
    }
}
