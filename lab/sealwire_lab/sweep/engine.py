# SPDX-License-Identifier: Apache-2.0
"""Makes every job of a sweep once: what is kept is not made again, whatever comes out is kept at once."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..errors import LabError
from ..implement import flow, stages
from ..implement.designs import Request
from ..results import local
from ..results.record import Record
from .jobs import Job, error, work

#: Does the jobs in whatever order, and gives each with its record as it is done.
Executor = Callable[[Sequence[Job]], Iterator[tuple[Job, Record]]]
#: Told of each job that is done: the job, its record, whether it was kept already.
Done = Callable[[Job, Record, bool], None]


@dataclass
class Outcome:
    """What came of a sweep.  `complaints` are of the database: these records are in no store."""

    records: list[Record] = field(default_factory=list)
    stored: int = 0
    complaints: list[str] = field(default_factory=list)


def in_process(progress: stages.Progress) -> Executor:
    """One job after the other, here."""

    def make(job: Job) -> tuple[Job, Record]:
        return job, work(job, lambda what, seconds, line: progress(f"{job}: {what}", seconds, line))

    return lambda jobs: map(make, jobs)


def known(job: Job) -> Record | None:
    """The kept record of a job.  LabError when it cannot be carried out here, as it will not be anywhere."""
    planned = flow.plan(job.request())
    if job.force:
        return None
    try:
        kept = flow.answer(planned, job.timeout)
    except LabError:
        return None  # of the database it will complain when it is written
    return None if job.retry and kept is not None and kept.status != stages.OK else kept


def _put(record: Record, outcome: Outcome) -> None:
    try:
        local.put(record)
    except LabError as problem:
        outcome.complaints.append(str(problem))


def combine(records: Sequence[Record], request: Request) -> Record:
    """What `implement` gives for all the seeds of `request`; the records are those of its seeds, in their order."""
    clocks = {seed: clock for record in records for seed, clock in (record.fmax_mhz_by_seed or {}).items()}
    failures = {seed: reason for record in records for seed, reason in (record.failed_seeds or {}).items()}
    best = max(records, key=lambda record: record.fmax_mhz or 0.0)
    median = round(statistics.median(clocks.values()), 2) if clocks else None
    seconds = {stage: spent for record in records for stage, spent in (record.run_seconds or {}).items()}
    slower = None
    if best.gbit_s is not None and median is not None and best.fmax_mhz:
        slower = round(best.gbit_s * median / best.fmax_mhz, 4)
    return replace(
        best, seeds=list(request.seeds), fmax_mhz_by_seed=clocks or None, fmax_mhz_median=median,
        gbit_s_median=slower, failed_seeds=failures or None, run_seconds=seconds,
        finished=max(record.finished or "" for record in records), command=request.command(),
    )  # fmt: skip


def sweep(jobs: Sequence[Job], execute: Executor, done: Done) -> Outcome:
    """Make what is not kept, and of several seeds of one design a record with best and median."""
    outcome = Outcome()
    made: dict[Job, Record] = {}
    waiting = []

    def finish(job: Job, record: Record, stored: bool) -> None:
        made[job] = record
        outcome.records.append(record)
        outcome.stored += stored
        if stored:
            local.forget_errors(record)
        elif record.status != stages.ERROR or job.sensible():
            _put(record, outcome)
        done(job, record, stored)

    for job in jobs:
        try:
            kept = known(job)
        except LabError as problem:
            finish(job, error(job, str(problem)), False)
            continue
        if kept is None:
            waiting.append(job)
        else:
            finish(job, kept, True)
    for job, record in execute(waiting):
        finish(job, record, False)
    designs: dict[Job, list[Job]] = {}  # jobs that differ in the seed only
    for job in jobs:
        designs.setdefault(replace(job, seed=0), []).append(job)
    for group in filter(lambda group: len(group) > 1, designs.values()):
        records = [made[job] for job in group if job in made and made[job].status != stages.ERROR]
        if len(records) == len(group) and records[0].stage != "none":
            request = replace(group[0].request(), seeds=tuple(job.seed for job in group))
            _put(combine(records, request), outcome)
    return outcome
