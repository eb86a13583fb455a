// SPDX-License-Identifier: Apache-2.0
//! Whole files, chunks in batches on several threads.

use super::errors::to_python;
use super::keys::{LockArgument, UnlockArgument, options};
use super::object::FileObject;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sealwire_file::{open_on_threads, seal_on_threads};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// As many threads as asked for, or as the process may use.
fn threads(given: Option<usize>) -> PyResult<NonZeroUsize> {
    match given {
        None => Ok(available_parallelism().unwrap_or(NonZeroUsize::MIN)),
        Some(count) => NonZeroUsize::new(count)
            .ok_or_else(|| PyValueError::new_err("threads is 0, it must be 1 or more")),
    }
}

/// Seals one file object into another, and gives the number of plaintext bytes.
#[pyfunction]
#[pyo3(signature = (source, target, lock, *, suite, chunk_size, key_id, threads))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn seal_files(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    lock: &Bound<'_, PyAny>,
    suite: &str,
    chunk_size: u64,
    key_id: bool,
    threads: Option<usize>,
) -> PyResult<u64> {
    let (options, threads) = (options(suite, chunk_size, key_id)?, self::threads(threads)?);
    let lock = LockArgument::new(lock)?;
    let (lock, input, output) = (lock.get(), FileObject::new(source), FileObject::new(target));
    py.detach(|| seal_on_threads(lock, &options, threads, input, output, |_| ()))
        .map_err(to_python)
}

/// Opens one file object into another, and gives the number of plaintext bytes.
#[pyfunction]
#[pyo3(signature = (source, target, unlock, *, threads))]
pub(crate) fn open_files(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    unlock: &Bound<'_, PyAny>,
    threads: Option<usize>,
) -> PyResult<u64> {
    let threads = self::threads(threads)?;
    let unlock = UnlockArgument::new(unlock)?;
    let (unlock, input, output) = (
        unlock.get(),
        FileObject::new(source),
        FileObject::new(target),
    );
    py.detach(|| open_on_threads(unlock, threads, input, output, |_| ()))
        .map_err(to_python)
}
