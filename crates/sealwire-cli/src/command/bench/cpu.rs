// SPDX-License-Identifier: Apache-2.0
//! Which CPU this is: a bar says nothing about another one than it was recorded on.

use std::fmt;

/// A CPU as Linux names it on x86-64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cpu<'a> {
    vendor: &'a str,
    family: u32,
    model: u32,
}

/// The Xeon of docs/library-speed.md.
pub(super) const INTEL: Cpu = Cpu {
    vendor: "GenuineIntel",
    family: 6,
    model: 207,
};

/// The EPYC without AVX-512, a Zen 3, of docs/library-speed.md.
pub(super) const ZEN3: Cpu = Cpu {
    vendor: "AuthenticAMD",
    family: 25,
    model: 1,
};

/// The EPYC, a Zen 5, of docs/library-speed.md.
pub(super) const ZEN5: Cpu = Cpu {
    vendor: "AuthenticAMD",
    family: 26,
    model: 2,
};

impl<'a> Cpu<'a> {
    /// The first CPU of /proc/cpuinfo. Other architectures have other words there, and no bar.
    pub(super) fn parse(cpuinfo: &'a str) -> Option<Self> {
        let value = |wanted: &str| {
            let mut lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
            let (_, value) = lines.find(|(name, _)| name.trim() == wanted)?;
            Some(value.trim())
        };
        Some(Self {
            vendor: value("vendor_id")?,
            family: value("cpu family")?.parse().ok()?,
            model: value("model")?.parse().ok()?,
        })
    }
}

impl fmt::Display for Cpu<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} family {}, model {}",
            self.vendor, self.family, self.model
        )
    }
}

/// What the system says of its CPUs; nothing where it is no Linux.
pub(super) fn info() -> String {
    std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const XEON: &str = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\n\
        model name\t: Intel(R) Xeon(R) Processor\n\nprocessor\t: 1\nvendor_id\t: Other\n";

    #[test]
    fn the_first_cpu_is_read() {
        assert_eq!(Cpu::parse(XEON), Some(INTEL));
        assert_eq!(INTEL.to_string(), "GenuineIntel family 6, model 207");
    }

    #[test]
    fn what_names_no_cpu_is_none() {
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
        for text in ["", arm, &XEON.replace("207", "many")] {
            assert_eq!(Cpu::parse(text), None, "{text}");
        }
    }
}
