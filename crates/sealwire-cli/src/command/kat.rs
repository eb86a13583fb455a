// SPDX-License-Identifier: Apache-2.0
//! `kat`: known-answer files, and checksums that SUPERCOP publishes, against the library.

use super::{
    Failure, KatArgs, Outcome,
    input::{cannot, shown, without_controls},
    path, say, supercop,
};
use sealwire::kat::{KatError, Report, check_file};
use serde::Serialize;
use std::io::{self, Write};

/// Failed records that are listed for a file; JSON lists all.
const LISTED: usize = 10;

#[derive(Serialize)]
struct Summary {
    files: Vec<FileResult>,
    passed: usize,
    failed: usize,
    /// Files of schemes that this library does not have.
    unsupported: usize,
}

#[derive(Serialize)]
struct FileResult {
    file: String,
    /// Canonical name; absent if the file could not be checked.
    scheme: Option<String>,
    passed: usize,
    failed: usize,
    failures: Vec<RecordFailure>,
    /// Whether the library has no such scheme.
    unsupported: bool,
    /// Why the file could not be checked at all.
    error: Option<String>,
}

#[derive(Serialize)]
struct RecordFailure {
    count: u64,
    line: usize,
    cause: String,
}

#[derive(Serialize)]
struct ChecksumResult {
    scheme: &'static str,
    published: &'static str,
    /// What the library gives; absent if it could not go through all cases.
    computed: Option<String>,
    passed: bool,
    error: Option<String>,
}

pub(super) fn run(args: &KatArgs) -> Outcome {
    path::force(args.path)?;
    if args.supercop {
        return checksums(args.json);
    }
    let mut summary = Summary {
        files: Vec::new(),
        passed: 0,
        failed: 0,
        unsupported: 0,
    };
    let mut out = io::stdout().lock();
    for path in &args.files {
        let result = FileResult::new(shown(path), check_file(path, args.scheme.as_deref()));
        if let Some(error) = &result.error {
            say(&without_controls(error));
        }
        if !args.json {
            result.print(&mut out).map_err(broken)?;
        }
        summary.passed += result.passed;
        summary.failed += result.failed;
        summary.unsupported += usize::from(result.unsupported);
        summary.files.push(result);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &summary).map_err(|error| broken(error.into()))?;
        writeln!(out).map_err(broken)?;
    } else {
        write!(out, "{} passed, {} failed", summary.passed, summary.failed).map_err(broken)?;
        match summary.unsupported {
            0 => writeln!(out),
            count => writeln!(out, ", {count} unsupported"),
        }
        .map_err(broken)?;
    }
    // What was not checked must not look like success.
    if summary.failed + summary.unsupported == 0 {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

fn checksums(json: bool) -> Outcome {
    let results: Vec<_> = supercop::PUBLISHED
        .iter()
        .map(|(scheme, published)| ChecksumResult::new(scheme, published))
        .collect();
    let passed = results.iter().filter(|result| result.passed).count();
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, &results).map_err(|error| broken(error.into()))?;
        writeln!(out).map_err(broken)?;
    } else {
        for result in &results {
            result.print(&mut out).map_err(broken)?;
        }
        writeln!(out, "{passed} passed, {} failed", results.len() - passed).map_err(broken)?;
    }
    if passed == results.len() {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

impl ChecksumResult {
    fn new(scheme: &'static str, published: &'static str) -> Self {
        let (computed, error) = match supercop::checksum(scheme) {
            Ok(computed) => (Some(computed), None),
            Err(error) => (None, Some(error)),
        };
        Self {
            scheme,
            published,
            passed: computed.as_deref() == Some(published),
            computed,
            error,
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Self {
            scheme, published, ..
        } = self;
        match (&self.computed, &self.error) {
            (Some(_), _) if self.passed => writeln!(out, "{scheme}: {published}, as published"),
            (Some(computed), _) => {
                writeln!(out, "{scheme}: {computed}, but {published} is published")
            }
            (None, error) => writeln!(out, "{scheme}: {}", error.as_deref().unwrap_or_default()),
        }
    }
}

fn broken(error: io::Error) -> Failure {
    cannot("write", "standard output", &error)
}

/// Why a file could not be checked.
fn said(error: &KatError) -> String {
    match error {
        KatError::Read { path, source } => {
            let failure = cannot("read", &shown(path), source);
            failure.message.unwrap_or_default()
        }
        KatError::Scheme { named: false, .. } => format!("{error}, with --scheme NAME"),
        error => error.to_string(),
    }
}

impl FileResult {
    fn new(file: String, checked: Result<Report, KatError>) -> Self {
        match checked {
            Ok(report) => Self {
                file,
                scheme: Some(report.scheme.name().to_owned()),
                passed: report.passed,
                failed: report.failures.len(),
                failures: report.failures.iter().map(RecordFailure::new).collect(),
                unsupported: false,
                error: None,
            },
            Err(error) => {
                let unsupported = matches!(error, KatError::Scheme { .. });
                Self {
                    file,
                    scheme: None,
                    passed: 0,
                    failed: usize::from(!unsupported),
                    failures: Vec::new(),
                    unsupported,
                    error: Some(said(&error)),
                }
            }
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.scheme {
            Some(scheme) => writeln!(
                out,
                "{}: {scheme}: {} passed, {} failed",
                self.file, self.passed, self.failed
            )?,
            None if self.unsupported => {
                writeln!(
                    out,
                    "{}: unsupported, no scheme of the library is known for it",
                    self.file
                )?;
            }
            None => writeln!(out, "{}: cannot be checked", self.file)?,
        }
        for failure in self.failures.iter().take(LISTED) {
            writeln!(out, "    {}", failure.cause)?;
        }
        if self.failures.len() > LISTED {
            writeln!(
                out,
                "    and {} more; --json lists all",
                self.failures.len() - LISTED
            )?;
        }
        Ok(())
    }
}

impl RecordFailure {
    fn new(failure: &sealwire::kat::Failure) -> Self {
        Self {
            count: failure.count,
            line: failure.line,
            cause: failure.to_string(),
        }
    }
}
