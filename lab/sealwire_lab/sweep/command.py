# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab sweep`."""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext, suppress

from ..errors import LabError
from ..implement import stages, targets
from ..implement.command import tool_options
from ..results import query
from ..results.record import BARE, Record
from ..terminal import bar, option, pair, say, switches, whole
from . import cluster, engine, jobs
from .jobs import Estimate, Job, spoken


def _values(text: str) -> tuple[str, tuple[int, ...]]:
    name, numbers = pair(text, "NAME=NUMBER or NAME=NUMBER,NUMBER...", r"\d+(?:,\d+)*")
    return name, tuple(map(int, numbers.split(",")))


def options(parser: argparse.ArgumentParser) -> None:
    option(parser, "--core NAME", "name or pattern, repeatable (default: every core)", action="append")
    option(parser, "--target NAME", f"{', '.join(targets.TARGETS)}; repeatable", action="append", required=True)
    option(parser, "--interface NAME", "bare (default), axis-WIDTH, lwc-WIDTH; repeatable", action="append")
    option(parser, "--param NAME=N,N", "values to try; repeatable", _values, action="append", default=[])
    tool_options(parser)
    again = parser.add_mutually_exclusive_group()
    switches(again, retry_failed="make again what failed", force="make everything again")
    switches(parser, dry_run="list the jobs that are not kept yet, and stop")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=whole, metavar="N", help="N processes on this machine")
    where.add_argument("--scheduler", metavar="ADDRESS", help="the Dask scheduler to send the jobs to")
    switches(parser, json="the records of all jobs, a list")


class _Display:
    """A line for each job that is done, and below it on a terminal how far it is and how long it takes."""

    def __init__(self, listed: list[Job], workers: int, estimate: Estimate, update: Callable[[str, int], None]) -> None:
        self._left = dict.fromkeys(listed)
        self._count, self._workers, self._estimate, self._update = len(listed), workers, estimate, update
        self._since = time.monotonic()

    def tell(self, what: str, seconds: float, _line: str) -> None:
        self._update(f"{what}, {seconds:.0f} s; {self._remaining(seconds)}", 0)

    def _remaining(self, running: float = 0.0) -> str:
        return f"about {spoken(max(0.0, self._estimate.left(self._left, self._workers) - running))} left"

    def done(self, job: Job, record: Record, stored: bool) -> None:
        now = time.monotonic()
        self._left.pop(job, None)
        if not stored and record.status != stages.ERROR:
            self._estimate.learn(job, (now - self._since) * self._workers)
        self._since = now
        self._update(self._remaining(), 1)
        number = self._count - len(self._left)
        how = " (kept)" if stored else f"; {self._remaining()}" if self._left else ""
        clock = "" if record.fmax_mhz is None else f", {record.fmax_mhz:g} MHz"
        area = f"{record.lut} LUT" if record.lut is not None else f"{record.gate_equivalents} gates"
        came = f"{area}{clock}" if record.status == stages.OK else f"{record.status}: {record.reason}"
        say(f"{number} of {self._count}: {job}: {came}{how}")


def _dry_run(listed: list[Job], estimate: Estimate, workers: int) -> int:
    waiting, status = [], 0
    for job in listed:
        try:
            known = engine.known(job)
        except LabError as problem:
            status = 1
            say(f"{job}: {problem}")
            continue
        if known is None:
            waiting.append(job)
            print(job)
    left = spoken(estimate.left(waiting, workers))
    say(f"{len(waiting)} of {len(listed)} jobs to do, about {left}")
    return status


def run(arguments: argparse.Namespace) -> int:
    listed = jobs.expand(
        arguments.core or ["*"], arguments.target, arguments.interface or [BARE], arguments.param,
        range(arguments.seed, arguments.seed + arguments.seeds),
        freq=arguments.freq, timeout=arguments.timeout, count_cycles=not arguments.no_cycles, force=arguments.force,
        retry=arguments.retry_failed,
    )  # fmt: skip
    workers = arguments.workers or 1
    past: list[Record] = []
    with suppress(LabError):  # they only say how long it will take
        past = query.load()
    estimate = Estimate(past)
    if arguments.dry_run:
        return _dry_run(listed, estimate, workers)
    with bar(len(listed)) as update:
        display = _Display(listed, workers, estimate, update)
        many = arguments.scheduler or arguments.workers
        way = cluster.cluster(arguments.scheduler, workers) if many else nullcontext(engine.in_process(display.tell))
        with way as execute:
            outcome = engine.sweep(listed, execute, display.done)
    counted = Counter(record.status for record in outcome.records)
    summary = ", ".join(f"{count} {status}" for status, count in sorted(counted.items(), key=lambda pair: pair[0]))
    kept = f", {outcome.stored} of them kept from before" if outcome.stored else ""
    say(f"{len(outcome.records)} results: {summary}{kept}")
    if arguments.json:
        print(json.dumps([record.json() for record in outcome.records], indent=2))
    if outcome.complaints:
        lost = f"{len(outcome.complaints)} records are not kept: {outcome.complaints[0]}"
        say(f"sealwire-lab: {lost}")
        return 2
    return 0 if set(counted) <= {stages.OK} else 1
