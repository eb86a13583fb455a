# SPDX-License-Identifier: Apache-2.0
"""One piece of a sweep, a core with its parameters on a target with one placement seed, and how long pieces take."""

import fnmatch
import itertools
import statistics
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .. import cores
from ..errors import LabError, unknown
from ..implement import designs, flow, stages, targets
from ..implement.designs import DEFAULT_FREQ, DEFAULT_TIMEOUT, Request
from ..results.record import BARE, Record

_UNKNOWN = 120.0  # seconds, where nothing like it was ever run


@dataclass(frozen=True)
class Job:
    """All by name, so that it can be sent to another machine.  `parameters` are those that are not the usual ones."""

    core: str
    target: str
    interface: str = BARE
    parameters: tuple[tuple[str, int], ...] = ()
    seed: int = 1
    freq: float = DEFAULT_FREQ
    timeout: float = DEFAULT_TIMEOUT
    count_cycles: bool = True
    force: bool = False  # make it even if it is kept
    retry: bool = False  # make it again if it failed

    def __str__(self) -> str:
        behind = "" if self.interface == BARE else f" behind {self.interface}"
        variant = "".join(f" {name}={value}" for name, value in self.parameters)
        placed = self.target in targets.TARGETS and targets.TARGETS[self.target].place
        return f"{self.core}{behind}{variant} on {self.target}" + (f", seed {self.seed}" if placed else "")

    def sensible(self) -> bool:
        """Whether all its names exist; what was a slip of the pen is nobody's result."""
        try:
            self.request()
        except LabError:
            return False
        return True

    def request(self) -> Request:
        """What to implement.  Raises LabError for a name that nothing has."""
        try:
            core = cores.find(self.core)
        except LabError as problem:
            if self.target not in targets.TARGETS:
                raise LabError(f"{problem}; {unknown('target', self.target, targets.TARGETS)}") from problem
            raise
        target = targets.find(self.target)
        return Request(
            core, target, core.parameters(**dict(self.parameters)), seeds=(self.seed,),
            freq=self.freq, timeout=self.timeout, force=self.force or self.retry, count_cycles=self.count_cycles,
            interface=designs.named(core, self.interface),
        )  # fmt: skip


def error(job: Job, reason: str) -> Record:
    """The record of a job that could not be carried out."""
    asked: dict[str, Any] = {"interface": job.interface, "params": dict(job.parameters), "seeds": [job.seed]}
    asked["options"] = {"timeout_s": job.timeout}
    with suppress(LabError):
        request = job.request()
        asked = {"interface": request.interface, "params": request.parameters, "options": request.options()}
        asked |= {"seeds": [job.seed] if request.target.place else [], "command": request.command()}
    return Record(
        core=job.core, target=job.target, status=stages.ERROR, reason=reason, tools={},
        finished=datetime.now(UTC).isoformat(timespec="seconds"), **asked,
    )  # fmt: skip


def expand(
    patterns: Sequence[str],
    target_names: Sequence[str],
    interfaces: Sequence[str],
    parameters: Sequence[tuple[str, Sequence[int]]],
    seeds: Iterable[int],
    **more: float | bool,
) -> list[Job]:
    """The product of it all, each once.  A pattern that no core fits stays as a name, for the sweep to complain of."""
    known = cores.load()
    names = itertools.chain.from_iterable(fnmatch.filter(known, pattern) or [pattern] for pattern in patterns)
    variants = list(itertools.product(*([(name, value) for value in values] for name, values in parameters)))
    seeds = list(seeds)
    found = []
    for core, target, interface, variant in itertools.product(
        dict.fromkeys(names), dict.fromkeys(target_names), dict.fromkeys(interfaces), variants
    ):
        placed = target in targets.TARGETS and targets.TARGETS[target].place
        for seed in seeds if placed else [1]:
            found.append(Job(core, target, interface, variant, seed, **more))  # type: ignore[arg-type]
    return found


def work(job: Job, progress: stages.Progress | None = None) -> Record:
    """Do it, on whatever machine this is; whatever goes wrong is a record too."""
    try:
        request = job.request()
        return flow.make(request, flow.plan(request), progress or (lambda *_: None)).record
    except LabError as problem:
        return error(job, str(problem))
    except Exception as problem:
        return error(job, f"{type(problem).__name__}: {problem}".splitlines()[0])


def _seconds(record: Record) -> float | None:
    spent = record.run_seconds or {}
    placements = [time for stage, time in spent.items() if stage.startswith("seed")]
    return spent.get("synthesis", 0.0) + (statistics.mean(placements) if placements else 0.0) if spent else None


class Estimate:
    """Seconds for each job by its core and target, set right by how long jobs really took here."""

    def __init__(self, past: Iterable[Record]) -> None:
        """`past`: the results of any machine."""
        self._times: dict[tuple[str, str], float] = {}
        by_target: dict[str, list[float]] = {}
        for record in past:
            seconds = _seconds(record)
            if seconds:
                self._times[record.core, record.target] = seconds
                by_target.setdefault(record.target, []).append(seconds)
        self._targets = {target: statistics.median(times) for target, times in by_target.items()}
        self._expected = self._spent = 0.0

    def of(self, job: Job) -> float:
        """Seconds that a job is expected to take on the machines of the past."""
        return self._times.get((job.core, job.target)) or self._targets.get(job.target, _UNKNOWN)

    def learn(self, job: Job, seconds: float) -> None:
        """A job took so long here."""
        self._expected += self.of(job)
        self._spent += seconds

    def left(self, jobs: Iterable[Job], workers: int = 1) -> float:
        """Seconds until all these jobs are done."""
        ratio = self._spent / self._expected if self._expected else 1.0
        return sum(map(self.of, jobs)) * ratio / workers


def spoken(seconds: float) -> str:
    """A time for people: 45 s, 12 min, 3 h 20 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
