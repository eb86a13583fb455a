# SPDX-License-Identifier: Apache-2.0
"""Has the workers of a Dask cluster do the jobs.

A worker that dies costs the time of its job: Dask gives the job to another one, and after some deaths in a row says so.
Only this process writes results down, by what went in, so that nothing is lost or counted twice.
"""

import importlib
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any

from ..errors import LabError
from ..implement import flow
from ..results.record import INGREDIENTS, Record
from ..terminal import STDERR
from .jobs import Job, error, work

#: Seconds to wait for the scheduler.
PATIENCE = 30.0


def foreign(job: Job, record: Record) -> str:
    """Why a record is not what this machine would have made; empty when it is.  A worker may have another checkout."""
    here = flow.plan(job.request())
    other = [name for name in INGREDIENTS if record.key(name) != here.key(name)]
    if "sources_sha256" in other:
        return "a worker has other sources of this core; give all the same checkout"
    if "tools" in other:
        return f"a worker has other tools: {record.tools} there, {here.tools} here; run `make lab` on it"
    if "counter_sha256" in other:
        return "a worker counts cycles with other sources of the lab; give all the same checkout"
    same = "give all the same checkout"
    return f"a worker made something else ({', '.join(other)} differ); {same}" if other else ""


def check_foreign(job: Job, record: Record) -> Record:
    """The record, or an error in its place when the worker is not one of ours."""
    why = foreign(job, record) if record.status != "error" else ""
    return error(job, why) if why else record


@contextmanager
def cluster(
    address: str | None,
    workers: int,
    run: Callable[[Any], Any] = work,
    check: Callable[[Any, Any], Any] = check_foreign,
    failed: Callable[[Any, str], Any] = error,
) -> Iterator[Any]:
    """An executor for the scheduler at `address`, or for `workers` processes on this machine when it is None.

    The jobs are those of a sweep unless all three are given: what a worker does with a job, what this process makes of
    the answer, and the answer for a job that came to nothing.
    """
    distributed: Any = importlib.import_module("distributed")  # here: it takes a second to load
    for name in ("distributed", "distributed.core", "distributed.comm", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    local = None
    try:
        if address is None:
            local = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
        client = distributed.Client(local or address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as problem:
        if local is not None:
            local.close()
        raise LabError(
            f"no Dask scheduler answers at {address}: start one (`dask scheduler`) and workers "
            f"(`dask worker {address} --nthreads 1`)"
        ) from problem

    if address and not client.scheduler_info()["workers"]:
        STDERR.print(f"no workers yet; `dask worker {address} --nthreads 1` starts one", soft_wrap=True, markup=False)

    def results(jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Each job with its answer, or None when workers died of it, or of another one beside it."""
        # Not pure: what the scheduler still has of an earlier sweep is no answer.
        futures = {client.submit(run, job, pure=False): job for job in jobs}
        left = len(futures)
        for future in distributed.as_completed(list(futures), loop=client.loop):
            job = futures[future]
            record = None
            try:
                record = check(job, future.result())
            except (CancelledError, OSError) as problem:
                raise LabError(
                    f"the Dask scheduler is gone, {left} jobs are not done; run the same command again to go on"
                ) from problem
            except distributed.scheduler.KilledWorker:
                pass
            except Exception as problem:
                record = failed(job, f"{type(problem).__name__}: {problem}".splitlines()[0])
            left -= 1
            future.release()
            yield job, record

    def execute(jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        suspects = []
        for job, record in results(jobs):
            if record is None:
                suspects.append(job)
            else:
                yield job, record
        for suspect in suspects:  # alone, so that it is clear of which one a worker dies
            for job, record in results([suspect]):
                yield job, record or failed(job, "every worker that took this job died; is there enough memory?")

    try:
        yield execute
    finally:
        with suppress(Exception):
            client.close(timeout=5)
        if local is not None:
            with suppress(Exception):
                local.close(timeout=5)
