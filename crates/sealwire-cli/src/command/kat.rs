// SPDX-License-Identifier: Apache-2.0
//! `kat`: known-answer files against the library.

use super::{Failure, KatArgs, Outcome};
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
}

#[derive(Serialize)]
struct FileResult {
    file: String,
    /// Canonical name; absent if the file could not be checked.
    scheme: Option<String>,
    passed: usize,
    failed: usize,
    failures: Vec<RecordFailure>,
    /// Why the file could not be checked at all.
    error: Option<String>,
}

#[derive(Serialize)]
struct RecordFailure {
    count: u64,
    line: usize,
    cause: String,
}

pub(super) fn run(args: &KatArgs) -> Outcome {
    let mut summary = Summary {
        files: Vec::new(),
        passed: 0,
        failed: 0,
    };
    let mut out = io::stdout().lock();
    for path in &args.files {
        let result = FileResult::new(
            path.display().to_string(),
            check_file(path, args.scheme.as_deref()),
        );
        if let Some(error) = &result.error {
            eprintln!("sealwire: {error}");
        }
        if !args.json {
            result.print(&mut out).map_err(broken)?;
        }
        summary.passed += result.passed;
        summary.failed += result.failed;
        summary.files.push(result);
    }
    if args.json {
        serde_json::to_writer_pretty(&mut out, &summary).map_err(|error| broken(error.into()))?;
        writeln!(out).map_err(broken)?;
    } else {
        writeln!(out, "{} passed, {} failed", summary.passed, summary.failed).map_err(broken)?;
    }
    if summary.failed == 0 {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

fn broken(error: io::Error) -> Failure {
    super::input::cannot("write", "standard output", &error)
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
                error: None,
            },
            // Nothing was checked: that must not look like success.
            Err(error) => Self {
                file,
                scheme: None,
                passed: 0,
                failed: 1,
                failures: Vec::new(),
                error: Some(error.to_string()),
            },
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.scheme {
            Some(scheme) => writeln!(
                out,
                "{}: {scheme}: {} passed, {} failed",
                self.file, self.passed, self.failed
            )?,
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
