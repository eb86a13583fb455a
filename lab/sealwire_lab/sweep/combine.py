# SPDX-License-Identifier: Apache-2.0
"""Records of one design with one seed each as one record: best and median clock."""

import statistics
from collections.abc import Sequence
from dataclasses import replace

from ..implement.request import Request
from ..results.record import Record


def combine(records: Sequence[Record], request: Request) -> Record:
    """What `implement` gives for all the seeds of `request`; the records are those of its seeds, in their order."""
    clocks = {seed: clock for record in records for seed, clock in (record.fmax_mhz_by_seed or {}).items()}
    failures = {seed: reason for record in records for seed, reason in (record.failed_seeds or {}).items()}
    best = max(records, key=lambda record: record.fmax_mhz or 0.0)
    if not clocks:
        best = records[0]
    median = round(statistics.median(clocks.values()), 2) if clocks else None
    seconds: dict[str, float] = {}
    for record in records:
        seconds |= record.run_seconds or {}
    slower = None
    if best.gbit_s is not None and median is not None and best.fmax_mhz:
        slower = round(best.gbit_s * median / best.fmax_mhz, 4)
    return replace(
        best, seeds=list(request.seeds), fmax_mhz_by_seed=clocks or None, fmax_mhz_median=median,
        gbit_s_median=slower, failed_seeds=failures or None, run_seconds=seconds,
        finished=max(record.finished or "" for record in records), command=request.command(),
    )  # fmt: skip
