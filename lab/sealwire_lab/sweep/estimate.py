# SPDX-License-Identifier: Apache-2.0
"""How long a sweep still takes, from the times of earlier runs."""

import statistics
from collections.abc import Iterable

from ..results.record import Record
from .jobs import Job

_UNKNOWN = 120.0  # seconds, where nothing like it was ever run


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
