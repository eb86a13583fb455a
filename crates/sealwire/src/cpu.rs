// SPDX-License-Identifier: Apache-2.0
//! What the processor can do: asked once, and for all of the library, unless a test forces less.

use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions that the library is written for.
///
/// All give the same results; the library takes the last one that the CPU has. On x86-64 a kernel for single calls of SHA-512 or BLAKE2b
/// serves only if it is faster on the CPU at hand than general registers: the first such call measures both, and the first call with two
/// messages whether lanes serve for them, unless somebody has named the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Path {
    /// Any CPU.
    Portable,
    /// x86-64 with AVX2, BMI1 and BMI2: four lanes of 64 bits, eight of 32.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2 with the SHA instructions, which take SHA-256 two messages at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2Sha,
    /// AVX2 and the SHA instructions with VAES and carry-less multiplication of vectors: AES takes two blocks a register. Without the
    /// feature `std` only where the program is compiled for VAES.
    #[cfg(target_arch = "x86_64")]
    Avx2Vaes,
    /// x86-64 with AVX2, BMI1, BMI2 and AVX-512F, BW and VL: eight lanes of 64 bits, sixteen of 32; with the SHA
    /// instructions, if the CPU has them, for less than that.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AArch64 with NEON: two lanes of 64 bits, four of 32.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// NEON with the instructions for SHA-256.
    #[cfg(target_arch = "aarch64")]
    NeonSha2,
    /// NEON with the instructions for SHA-256, SHA-512 and SHA-3, of which Ascon and BLAKE2b take some, too.
    #[cfg(target_arch = "aarch64")]
    NeonSha3,
}

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(avx2, "avx2", "bmi1", "bmi2");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(sha, "sha", "avx");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(
    avx512, "avx2", "bmi1", "bmi2", "avx512f", "avx512bw", "avx512vl"
);
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(aesni, "aes", "pclmulqdq", "ssse3", "sse4.1", "avx", "avx2");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(
    avx512_vaes,
    "aes",
    "pclmulqdq",
    "avx2",
    "vaes",
    "vpclmulqdq",
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl"
);

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(
    gfni,
    "gfni",
    "avx2",
    "bmi1",
    "bmi2",
    "avx512f",
    "avx512bw",
    "avx512vl",
    "avx512vbmi"
);

/// Whether the CPU has GFNI and VBMI with AVX-512.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_gfni() -> bool {
    gfni::get()
}

/// Whether the CPU has an extension of AArch64. Without the standard library: whether the program was compiled for it, because
/// only the operating system knows more.
#[cfg(target_arch = "aarch64")]
macro_rules! has {
    ($extension:tt) => {{
        #[cfg(feature = "std")]
        let has = std::arch::is_aarch64_feature_detected!($extension);
        #[cfg(not(feature = "std"))]
        let has = cfg!(target_feature = $extension);
        // The kernels take the words of a register in the order of memory.
        cfg!(target_endian = "little") && has
    }};
}

/// Whether the CPU has VAES and carry-less multiplication of vectors, with 256 bits at least. Without the standard library: whether
/// the program was compiled for it, because `cpufeatures` takes them for a part of AVX-512.
#[cfg(target_arch = "x86_64")]
fn has_vaes() -> bool {
    #[cfg(feature = "std")]
    return std::arch::is_x86_feature_detected!("vaes")
        && std::arch::is_x86_feature_detected!("vpclmulqdq");
    #[cfg(not(feature = "std"))]
    return cfg!(all(target_feature = "vaes", target_feature = "vpclmulqdq"));
}

/// Whether the CPU has its own instructions for AES and for carry-less multiplication, and on x86-64 AVX2 too.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_aes() -> bool {
    aesni::get()
}

/// Whether the CPU has its own instructions for AES and for carry-less multiplication.
#[cfg(target_arch = "aarch64")]
pub(crate) fn has_aes() -> bool {
    has!("aes")
}

/// Whether the CPU has AVX2 and the SHA instructions, whichever path is in force.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_sha() -> bool {
    avx2::get() && sha::get()
}

/// Whether the CPU has VAES with AVX-512 and carry-less multiplication of vectors.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx512_vaes() -> bool {
    avx512_vaes::get()
}

/// The number of the path that is forced, counted from 1; 0: none.
static FORCED: AtomicU8 = AtomicU8::new(0);

/// The number of the best path that the CPU has, counted from 1; 0: nobody has looked.
static BEST: AtomicU8 = AtomicU8::new(0);

/// The number of the path that the environment names, counted from 2; 1: none; 0: nobody has looked.
#[cfg(feature = "std")]
static NAMED: AtomicU8 = AtomicU8::new(0);

/// The path that the environment variable `SEALWIRE_PATH` names, if the CPU can take it.
#[cfg(feature = "std")]
fn named() -> Option<Path> {
    let mut number = NAMED.load(Ordering::Relaxed);
    if number == 0 {
        let name = std::env::var("SEALWIRE_PATH").ok();
        let is_it = |path: &Path| {
            let same = |name: &std::string::String| *name == std::format!("{path}");
            name.as_ref().is_some_and(same) && path.available()
        };
        number = Path::ALL
            .iter()
            .position(is_it)
            .map_or(1, |place| place as u8 + 2);
        NAMED.store(number, Ordering::Relaxed);
    }
    Path::ALL.get(usize::from(number.wrapping_sub(2))).copied()
}

#[cfg(not(feature = "std"))]
fn named() -> Option<Path> {
    None
}

impl Path {
    /// All that this program was compiled for.
    pub const ALL: &'static [Self] = &[
        Self::Portable,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2Sha,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2Vaes,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
        #[cfg(target_arch = "aarch64")]
        Self::Neon,
        #[cfg(target_arch = "aarch64")]
        Self::NeonSha2,
        #[cfg(target_arch = "aarch64")]
        Self::NeonSha3,
    ];

    /// Whether the CPU can take it.
    #[must_use]
    pub fn available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::get(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Sha => has_sha(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes => has_sha() && has_aes() && has_vaes(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::get(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => has!("neon"),
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha2 => has!("neon") && has!("sha2"),
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3 => has!("neon") && has!("sha2") && has!("sha3"),
        }
    }

    /// The one that [`force_path`] or the environment has named.
    fn chosen() -> Option<Self> {
        let forced = usize::from(FORCED.load(Ordering::Relaxed));
        Self::ALL
            .get(forced.wrapping_sub(1))
            .copied()
            .or_else(named)
    }

    /// Whether [`force_path`] or the environment has named one.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_named() -> bool {
        Self::chosen().is_some()
    }

    /// The one in use: the one that [`force_path`] names, else the environment variable `SEALWIRE_PATH` (with the feature `std`; a
    /// name that this CPU has no path for counts for nothing), else the best that the CPU has.
    #[must_use]
    pub fn current() -> Self {
        if let Some(path) = Self::chosen() {
            return path;
        }
        Self::best()
    }

    /// The last one that the CPU can take. It is asked once: small messages would notice if it were asked in every call.
    fn best() -> Self {
        let mut number = BEST.load(Ordering::Relaxed);
        if number == 0 {
            let last = Self::ALL.iter().rposition(|path| path.available());
            number = last.map_or(1, |place| place as u8 + 1);
            BEST.store(number, Ordering::Relaxed);
        }
        let best = Self::ALL.get(usize::from(number) - 1);
        best.copied().unwrap_or(Self::Portable)
    }

    /// The path whose vectors of words this one has: a path may add to another one instructions for AES or SHA-256 alone.
    pub(crate) fn vectors(self) -> Self {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Sha | Self::Avx2Vaes => Self::Avx2,
            path => path,
        }
    }

    /// Whether SHA-256 has the instructions made for it.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn has_sha(self) -> bool {
        match self {
            Self::Portable | Self::Avx2 => false,
            Self::Avx2Sha | Self::Avx2Vaes => true,
            Self::Avx512 => sha::get(),
        }
    }

    /// Whether SHA-512 has the instructions made for it.
    pub(crate) fn has_sha512(self) -> bool {
        #[cfg(target_arch = "aarch64")]
        return self == Self::NeonSha3;
        #[cfg(not(target_arch = "aarch64"))]
        false
    }

    /// The instructions that it takes.
    const fn needs(self) -> &'static str {
        match self {
            Self::Portable => "nothing",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "AVX2, BMI1 and BMI2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Sha => "AVX2, BMI1, BMI2 and the SHA instructions",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes => {
                "AVX2, BMI1, BMI2, the SHA instructions, AES-NI, PCLMULQDQ, VAES and VPCLMULQDQ"
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "AVX2, BMI1, BMI2 and AVX-512F, BW and VL",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "NEON",
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha2 => "NEON and the instructions for SHA-256",
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3 => "NEON and the instructions for SHA-256, SHA-512 and SHA-3",
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Sha => "avx2-sha",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes => "avx2-vaes",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512",
            #[cfg(target_arch = "aarch64")]
            Self::Neon => "neon",
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha2 => "neon-sha2",
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3 => "neon-sha3",
        })
    }
}

/// For tests and measurements: the whole process takes this path from now on, or with `None` its own choice again.
///
/// # Panics
/// If the CPU cannot take the path. [`Path::available`] tells beforehand.
pub fn force_path(path: Option<Path>) {
    let number = path.map_or(0, |path| {
        let needs = path.needs();
        assert!(
            path.available(),
            "path {path} needs {needs}, which this CPU lacks: choose a path that is available"
        );
        path as u8 + 1
    });
    FORCED.store(number, Ordering::Relaxed);
}
