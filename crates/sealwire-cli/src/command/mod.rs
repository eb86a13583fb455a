// SPDX-License-Identifier: Apache-2.0
//! The command line: what can be typed, and which module does it.

mod bench;
mod identity;
mod info;
mod input;
mod interrupt;
mod kat;
mod keygen;
mod limits;
#[cfg(target_os = "linux")]
mod link;
mod locks;
mod mac;
mod manual;
mod output;
mod path;
mod progress;
mod scheme_names;
mod schemes;
mod supercop;
mod transfer;
mod version;

use clap::{
    Args, CommandFactory, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};
use clap_complete::Shell;
use sealwire::mac::MacScheme;
use sealwire_file::Options;
use sealwire_link::suite::Suite;
use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// Why the command ends without success.
pub struct Failure {
    /// Exit code: 1 failed, 2 wrong usage.
    pub code: u8,
    /// One line for standard error; `None` if everything was said.
    pub message: Option<String>,
}

impl Failure {
    fn usage(message: impl Into<String>) -> Self {
        Self {
            code: 2,
            message: Some(message.into()),
        }
    }

    fn said() -> Self {
        Self {
            code: 1,
            message: None,
        }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self {
            code: 1,
            message: Some(message),
        }
    }
}

type Outcome = Result<(), Failure>;

/// Whether neither progress nor warnings are to be shown.
static QUIET: AtomicBool = AtomicBool::new(false);

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Authenticated encryption: files and pipes, links between networks, known-answer checks.
#[derive(Parser)]
#[command(name = "sealwire", version = version::text(), arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Cli {
    /// Show neither progress nor warnings; errors are said all the same
    #[arg(short, long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  sealwire keygen my.key                          make a key, readable only by you
  sealwire seal -k my.key report.pdf              writes report.pdf.sealed
  sealwire open -k my.key report.pdf.sealed       checks it and writes report.pdf
  sealwire verify -k my.key *.sealed              checks files and writes nothing
  tar c photos | sealwire seal -k my.key - -o photos.tar.sealed
  sealwire open -k my.key photos.tar.sealed -o - | tar x
  sealwire link up office.toml                    this end of an encrypted link between two networks
  sealwire mac -k mac.key report.pdf              its authentication tag; --verify checks tags
  sealwire kat vectors/omd*.rsp                   check known answers

Exit codes: 0 done, 1 failed (one line on standard error says why), 2 wrong usage.";

#[derive(Subcommand)]
enum Command {
    #[command(alias = "encrypt")]
    Seal(SealArgs),
    #[command(alias = "decrypt")]
    Open(OpenArgs),
    Verify(VerifyArgs),
    Info(InfoArgs),
    Keygen(KeygenArgs),
    Identity(IdentityArgs),
    Recipient(RecipientArgs),
    Mac(MacArgs),
    #[cfg(target_os = "linux")]
    Link(link::LinkArgs),
    Kat(KatArgs),
    Schemes(SchemesArgs),
    Limits(LimitsArgs),
    Bench(bench::BenchArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

#[derive(Args)]
struct Paths {
    /// What to read, one or more; - for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Where to write: with one input a file, or - for standard output; or a folder that exists, for any number of inputs
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// Replace the output file if it exists
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Args)]
struct Threads {
    /// Threads of cryptography, from 1 to 256; as many as the process has cores if not given
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,
}

/// What to seal with.
#[derive(Args)]
#[group(required = true, multiple = true)]
struct LockArgs {
    /// Key file, as `sealwire keygen` writes it
    #[arg(short, long, value_name = "KEYFILE", conflicts_with_all = ["recipient", "recipients_file", "passphrase", "passphrase_file"])]
    key: Option<PathBuf>,
    /// Recipient file, as `sealwire recipient` writes it; may be given up to 55 times
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["passphrase", "passphrase_file"])]
    recipient: Vec<PathBuf>,
    /// File with many recipients: recipient files one after the other, or their lines of digits alone; # begins a comment. May be given more than once, and beside -r
    #[arg(short = 'R', long, value_name = "FILE", conflicts_with_all = ["passphrase", "passphrase_file"])]
    recipients_file: Vec<PathBuf>,
    /// Ask for a passphrase at the terminal
    #[arg(short, long, conflicts_with = "passphrase_file")]
    passphrase: bool,
    /// Take the passphrase from the first line of a file
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

/// What to open with.
#[derive(Args)]
#[group(required = true, multiple = true)]
struct UnlockArgs {
    /// Key file that the file was sealed with; may be given more than once, and beside identities: what fits is used
    #[arg(short, long, value_name = "KEYFILE", conflicts_with_all = ["passphrase", "passphrase_file"])]
    key: Vec<PathBuf>,
    /// Identity file of a recipient; may be given more than once, and beside key files
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["passphrase", "passphrase_file"])]
    identity: Vec<PathBuf>,
    /// Ask for a passphrase at the terminal
    #[arg(short, long, conflicts_with = "passphrase_file")]
    passphrase: bool,
    /// Take the passphrase from the first line of a file
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl Threads {
    fn count(&self) -> NonZeroUsize {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(cores)
    }
}

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(threads) if threads.get() <= 256 => Ok(threads),
        _ => Err("not a number of threads; write one from 1 to 256".into()),
    }
}

/// Seal a file or a pipe
///
/// The output is INPUT.sealed, or standard output if INPUT is -; who cannot read the input cannot read it. It appears under its name only when it is complete. Chunks are sealed on all cores, some MiB at a
/// time, so that files may be larger than memory.
#[derive(Args)]
#[command(
    override_usage = "sealwire seal [OPTIONS] <-k KEYFILE | -r FILE -R FILE | -p | --passphrase-file FILE> INPUT..."
)]
#[command(after_help = "\
Examples:
  sealwire seal -k my.key notes.txt                        writes notes.txt.sealed
  sealwire seal -k my.key notes.txt -o /backup/notes.sealed --force
  pg_dump db | sealwire seal -k my.key - > db.sealed
  sealwire seal -k my.key --suite omd-blake2b --chunk-size 1M disk.img
  sealwire seal -r ann.recipient -r bob.recipient plan.pdf   either can open it
  cat *.recipient > team && sealwire seal -R team plan.pdf    any of them can
  sealwire seal --passphrase diary.txt
  tar c photos | sealwire seal -k my.key - -o photos.tar.sealed      a directory

Suites: otr-aes256-p (default), otr-aes128-p, ocb-aes128, ocb-aes256, gcm-aes128, gcm-aes256, ascon-aead128, up to 1 TiB; deoxys-ii-128, deoxys-ii-256, up to 512 GiB; aegis-128l, aegis-256, omd-sha512, omd-blake2b, pomd-sha512, pomd-blake2b; all with a 64-byte key; omd-sha256 (32). `open` reads the suite from the file.")]
struct SealArgs {
    #[command(flatten)]
    lock: LockArgs,
    #[command(flatten)]
    paths: Paths,
    /// Leave the key's id out of the file, so that nobody sees which files belong to one key
    #[arg(long)]
    no_key_id: bool,
    /// Scheme to seal with
    #[arg(short, long, value_name = "NAME", default_value = Options::DEFAULT_SUITE, value_parser = scheme_names::suite(), hide_possible_values = true)]
    suite: &'static Suite,
    /// Plaintext bytes in a chunk: a power of two from 4K to 16M
    #[arg(long, value_name = "BYTES", default_value = "64K", value_parser = parse_chunk_size)]
    chunk_size: u64,
}

/// Open a sealed file: nothing comes out that was not checked
///
/// The output is INPUT without .sealed, or standard output if INPUT is -. Every chunk is checked before a byte of it is written. The output appears under its name only when everything was good.
/// To a pipe the checked chunks flow as they come; if the input turns out damaged or cut short, the exit code is 1 and what
/// was written is a true beginning, not the whole.
#[derive(Args)]
#[command(
    override_usage = "sealwire open [OPTIONS] <-k KEYFILE... -i FILE... | -p | --passphrase-file FILE> INPUT..."
)]
#[command(after_help = "\
Examples:
  sealwire open -k my.key notes.txt.sealed                 writes notes.txt
  sealwire open -k my.key backup.sealed -o restored.tar
  sealwire open -i ann.identity plan.pdf.sealed
  sealwire open -k new.key -k old.key -i ann.identity *.sealed     for each file what fits it
  sealwire open --passphrase diary.txt.sealed
  set -o pipefail; sealwire open -k my.key db.sealed -o - | psql db")]
struct OpenArgs {
    #[command(flatten)]
    lock: UnlockArgs,
    #[command(flatten)]
    paths: Paths,
}

/// Check sealed files and write nothing
///
/// Every chunk of every file is checked. A line for each says `FILE: OK` or `FILE: FAILED, why`.
#[derive(Args)]
#[command(
    override_usage = "sealwire verify [OPTIONS] <-k KEYFILE... -i FILE... | -p | --passphrase-file FILE> INPUT..."
)]
#[command(after_help = "\
Examples:
  sealwire verify -k my.key *.sealed
  sealwire verify -i ann.identity plan.pdf.sealed --json | jq '.[].authentic'

Exit codes: 0 all files are good, 1 one is not, 2 wrong usage.")]
struct VerifyArgs {
    #[command(flatten)]
    lock: UnlockArgs,
    /// Sealed files; - for standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Write a JSON array instead of lines
    #[arg(long)]
    json: bool,
}

/// Say what sealed files, key files and lists of recipients are, without opening anything
///
/// Of a sealed file: format, suite, what opens it, length. Of a key file: purpose and id, never the key. Of a list: id and fingerprint of each recipient. Nothing is verified: whoever can change a file can change what it says of itself.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire info report.pdf.sealed
  sealwire info my.key                                     purpose and id
  sealwire info team                                       who is on a list of recipients
  sealwire info --json *.sealed | jq -r '.[].key_id'")]
struct InfoArgs {
    /// Sealed files, key files or lists of recipients; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write a JSON array instead of text
    #[arg(long)]
    json: bool,
}

/// Make an identity: the private key of one who receives sealed files
///
/// Only you can read it. `sealwire recipient` makes the public key of it, which others seal to. What was sealed to a lost identity is lost.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire identity ann.identity
  sealwire recipient ann.identity -o ann.recipient")]
struct IdentityArgs {
    /// Identity file to write; - for standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the file if it exists; what was sealed to the old identity cannot be opened any more
    #[arg(short, long)]
    force: bool,
}

/// Write the public key of an identity, for others to seal files to
///
/// It is no secret, but it must reach the others unchanged: compare the fingerprint that `sealwire info` says at both places, all of it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire recipient ann.identity -o ann.recipient
  sealwire seal -r ann.recipient plan.pdf")]
struct RecipientArgs {
    /// Identity file
    #[arg(value_name = "IDENTITY")]
    identity: PathBuf,
    /// Recipient file to write; standard output if not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the recipient file if it exists
    #[arg(short, long)]
    force: bool,
}

/// Make a key file from the operating system's random bytes
///
/// Only you can read it. The file has a comment line and one line of hexadecimal digits. An existing file is never overwritten without --force: what
/// was sealed with a lost key is lost.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire keygen my.key
  sealwire keygen --suite omd-sha256 short.key
  sealwire keygen --suite ascon-mac mac.key                 for sealwire mac
  sealwire keygen - | ssh backup 'umask 077; cat > my.key'")]
struct KeygenArgs {
    /// Key file to write; - for standard output
    #[arg(
        value_name = "KEYFILE",
        required_unless_present = "output",
        conflicts_with = "output"
    )]
    keyfile: Option<PathBuf>,
    /// Key file to write, in place of KEYFILE
    #[arg(short, long, value_name = "KEYFILE")]
    output: Option<PathBuf>,
    /// Scheme that the key is for, a MAC or one that seals files: it says the length
    #[arg(short, long, value_name = "NAME", default_value = Options::DEFAULT_SUITE, value_parser = scheme_names::key_use(), hide_possible_values = true)]
    suite: KeyUse,
    /// Replace the key file if it exists; what was sealed with the old key cannot be opened any more
    #[arg(short, long)]
    force: bool,
}

/// Make or check the authentication tags of files and pipes
///
/// Each line of the output is `TAG  FILE`. With --verify the inputs are such lists, and every file that they name is checked against its tag; with --verify --tag the inputs are the files. Whoever has the key can make tags. A key serves one scheme.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire keygen --suite ascon-mac mac.key
  sealwire mac -k mac.key *.iso > tags                     one line a file
  sealwire mac -k mac.key --verify tags                    FILE: OK, FAILED or NOT CHECKED for every line
  tar c src | sealwire mac -k mac.key -                    of a pipe
  sealwire mac -k mac.key --verify --tag eb1af688825d66bf2d53e135f9323315 report.pdf
  sealwire mac -k mac.key --scheme ascon-prf --tag-bytes 64 salt

Schemes: ascon-mac (default), ascon-maca, ascon-prf, ascon-prfa, ascon-prfs (16 bytes at most),
asconmacv12 and so on. Experimental, not analysed: fsks-64, fsks-128, ascon-prf-192, ascon-prf-64,
ascon-farfalle (64-bit security).
Exit codes: 0 all tags made or right, 1 a tag is wrong or a file cannot be read, 2 wrong usage.")]
struct MacArgs {
    /// Key file, as `sealwire keygen --suite ascon-mac` writes it
    #[arg(short, long, value_name = "KEYFILE")]
    key: PathBuf,
    /// What to read; - for standard input
    #[arg(value_name = "INPUT", required = true)]
    files: Vec<PathBuf>,
    /// MAC to use
    #[arg(short, long, value_name = "NAME", default_value = "ascon-mac", value_parser = scheme_names::mac(), hide_possible_values = true)]
    scheme: MacScheme,
    /// Check tags instead of making them
    #[arg(long)]
    verify: bool,
    /// The tag that the inputs must have
    #[arg(long, value_name = "HEX", requires = "verify")]
    tag: Option<String>,
    /// Length of tags, where the scheme leaves a choice (ascon-prf, ascon-prfa, ascon-prfs)
    #[arg(long, value_name = "BYTES")]
    tag_bytes: Option<usize>,
    /// Write a JSON array instead of lines
    #[arg(long)]
    json: bool,
}

/// Check the library against known-answer files (.rsp)
///
/// A record passes if sealing gives the answer, opening gives the plaintext, and
/// a flipped bit in tag, ciphertext, associated data or nonce is refused; that of a MAC if the
/// tag is the answer, and a flipped bit in tag, message or key is refused.
///
/// The last line of standard output is `N passed, N failed`, and `, N unsupported` after it where files are for schemes that the library does not have. A file that cannot be read counts as one failure.
/// The exit code is 0 only if every record of every file passed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire kat vectors/omd*.rsp
  sealwire kat --scheme omd-sha512 answers.rsp
  sealwire kat vectors/ascon*.rsp vectors/fsks*.rsp
  sealwire kat --json vectors/omdsha512*.rsp | jq .failed
  sealwire kat --path portable vectors/*.rsp
  sealwire kat --supercop")]
struct KatArgs {
    /// Known-answer files
    #[arg(value_name = "FILE", required_unless_present = "supercop")]
    files: Vec<PathBuf>,
    /// Check the checksums that SUPERCOP publishes, of 64 random cases of each of seven schemes, instead of files
    #[arg(long, conflicts_with_all = ["files", "scheme"])]
    supercop: bool,
    /// Scheme to check, instead of the one that the file's header or name says
    #[arg(long, value_name = "NAME", value_parser = scheme_names::any(), hide_possible_values = true)]
    scheme: Option<String>,
    /// Instructions to check: portable; avx2, avx2-sha, avx2-vaes or avx512; neon, neon-sha2 or neon-sha3; the best that the CPU has if none is given
    #[arg(long, value_name = "PATH", value_parser = path::parse)]
    path: Option<sealwire::compress::Path>,
    /// Write one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// List the schemes with their sizes
///
/// Suite is the code in sealed files and on the link; only schemes with a suite seal files. Below are the MACs. Other names of the same form resolve too, for example omdsha512k384n192tau128v2.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire schemes
  sealwire schemes --json | jq -r '.[] | select(.suite) | .name'
  sealwire schemes --json | jq -r '.[] | select(.kind == \"mac\") | .name'")]
struct SchemesArgs {
    /// Write a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

/// Say how much one key may protect
///
/// From each scheme's proof: how many packets may be sealed and how many forgeries may be tried under one key, so that an attacker gains no more than the given advantage. Without --scheme, a
/// table of all. Nonces are taken to be counted: random ones repeat far earlier, with probability q^2 / 2^(bits+1) among q packets. docs/limits.md explains the formulas.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire limits --packet-bytes 1500
  sealwire limits --scheme omd-sha256 --packet-bytes 1500 --advantage 2^-50
  sealwire limits --scheme ascon-mac --packet-bytes 64 --work 2^70
  sealwire limits --scheme omd-sha512 --packet-bytes 9600 --json | jq .sealed")]
struct LimitsArgs {
    /// Scheme or MAC, by name or alias
    #[arg(short, long, value_name = "NAME", value_parser = scheme_names::any(), hide_possible_values = true)]
    scheme: Option<String>,
    /// Plaintext bytes of a packet, or bytes of a message under a MAC
    #[arg(long, value_name = "BYTES")]
    packet_bytes: u64,
    /// Associated data of a packet
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    ad_bytes: u64,
    /// What an attacker may gain: a probability, as 2^-50 or 1e-15
    #[arg(long, value_name = "P", default_value = "2^-50", value_parser = limits::parse_advantage)]
    advantage: f64,
    /// Calls of Ascon-p that an attacker makes; counts for MACs
    #[arg(long, value_name = "N", default_value = "2^64", value_parser = limits::parse_work)]
    work: f64,
    /// Write JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Write what a shell needs to complete this command's words
///
/// `make install` puts it where bash, zsh and fish look.
#[derive(Args)]
#[command(after_help = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  sealwire completions bash > ~/.local/share/bash-completion/completions/sealwire")]
struct CompletionsArgs {
    /// Shell to write for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Write the manual pages of this command and all of its parts
///
/// `make install` puts them where `man` looks.
#[derive(Args)]
#[command(after_help = "\
Examples:
  sealwire man ~/.local/share/man/man1
  man -M ~/.local/share/man sealwire-seal")]
struct ManArgs {
    /// Folder to write to, which is made if it is not there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

fn completions(shell: Shell) -> Outcome {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sealwire", &mut text);
    // Whoever reads may have enough.
    std::io::Write::write_all(&mut std::io::stdout().lock(), &text)
        .map_err(|error| format!("cannot write the completions: {error}").into())
}

/// Says something beside the results. Where standard error cannot be written there is nobody to tell.
pub fn say(message: &str) {
    let _ = writeln!(io::stderr(), "sealwire: {message}");
}

/// Says how to come to what a file is sealed or opened with, if that was left out.
fn advise(error: &mut clap::Error) {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return;
    }
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return;
    };
    let missing = missing.concat();
    let advice = if missing.contains("--recipient") {
        "`sealwire keygen my.key` makes a key for -k; -r takes the recipient file of who shall open it, and -p asks for a passphrase"
    } else if missing.contains("--identity") {
        "`sealwire info FILE` says what a file was sealed with: the key file for -k, the identity of a recipient for -i, or a passphrase, which -p asks for"
    } else {
        return;
    };
    error.insert(
        ContextKind::Suggested,
        ContextValue::StyledStrs(vec![advice.into()]),
    );
}

/// Says what is wrong with the arguments, or shows the help that they ask for, and ends.
pub fn refuse(mut error: clap::Error) -> ! {
    advise(&mut error);
    let is_plain = |arg: std::ffi::OsString| {
        let arg = arg.to_string_lossy();
        input::without_controls(&arg) == arg
    };
    // The arguments are said as they were given, beside colours that are wanted.
    if std::env::args_os().all(is_plain) {
        error.exit()
    }
    let said = input::lines_without_controls(&error.render().to_string());
    let _ = io::stderr().write_all(said.as_bytes());
    std::process::exit(error.exit_code())
}

/// Does what was typed.
pub fn run(cli: Cli) -> Outcome {
    QUIET.store(cli.quiet, Ordering::Relaxed);
    // A link ends in order when it is interrupted: it watches for signals itself.
    #[cfg(target_os = "linux")]
    let watches = matches!(cli.command, Command::Link(_));
    #[cfg(not(target_os = "linux"))]
    let watches = false;
    if !watches {
        interrupt::install()?;
    }
    match cli.command {
        Command::Seal(args) => transfer::seal(&args),
        Command::Open(args) => transfer::open(&args),
        Command::Verify(args) => transfer::verify(&args),
        Command::Info(args) => info::run(&args),
        Command::Keygen(args) => keygen::run(&args),
        Command::Identity(args) => identity::identity(&args),
        Command::Recipient(args) => identity::recipient(&args),
        Command::Mac(args) => mac::run(&args),
        #[cfg(target_os = "linux")]
        Command::Link(args) => link::run(args),
        Command::Kat(args) => kat::run(&args),
        Command::Schemes(args) => schemes::run(&args),
        Command::Limits(args) => limits::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => completions(args.shell),
        Command::Man(args) => manual::write(&args.folder),
    }
}

/// What a key is for.
#[derive(Clone, Copy)]
enum KeyUse {
    File(&'static Suite),
    Link(&'static Suite),
    Mac,
}

/// A count of bytes, with K or M for 1024 and 1024 x 1024.
fn parse_chunk_size(text: &str) -> Result<u64, String> {
    let upper = text.to_ascii_uppercase();
    let digits = upper.trim_end_matches("IB").trim_end_matches(['K', 'M']);
    let unit = match upper[digits.len()..].trim_end_matches("IB") {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        _ => {
            return Err(
                "not a number of bytes from 4K to 16M; write for example 65536, 64K or 1M".into(),
            );
        }
    };
    let number = digits
        .parse::<u64>()
        .map_err(|_| "not a number of bytes from 4K to 16M; write for example 65536, 64K or 1M")?;
    let size = number.saturating_mul(unit);
    Options::default()
        .chunk_size(size)
        .map(|_| size)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn reads_chunk_sizes() {
        for (text, size) in [
            ("4096", 4096),
            ("4K", 4096),
            ("64KiB", 65536),
            ("1m", 1 << 20),
            ("16M", 1 << 24),
        ] {
            assert_eq!(parse_chunk_size(text), Ok(size), "{text}");
        }
        for text in [
            "",
            "K",
            "0",
            "4095",
            "32M",
            "1G",
            "-1",
            "64KK",
            "64KM",
            "99999999999999999999",
            "18014398509481985K",
            "é",
        ] {
            assert!(parse_chunk_size(text).is_err(), "{text}");
        }
    }
}
