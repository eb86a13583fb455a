# SPDX-License-Identifier: Apache-2.0
"""Basic cores and their pipelined forms side by side, and what the CAESAR slides say of the mode."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .. import files, published
from ..implement import designs
from ..results import bars, query
from ..results.record import BARE, Record

FORMS = ("r1", "p2")
HEADS = (
    "mode", "status", "slides: MHz", "ratio printed, of their clocks", "ours: MHz", "ratio (median)", "bar", "LUT",
    "Gbit/s", "Mbit/s per LUT",
)  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """A mode; `core` is the name of its cores without the architecture."""

    name: str
    core: str
    status: str
    slides: str | None = None

    @property
    def published(self) -> dict[str, Any] | None:
        """The row of the slides."""
        return next((row for row in published.load("caesar")["cipher"] if row["name"] == self.slides), None)

    @property
    def forms(self) -> list[str]:
        """The names of its cores, the basic one first."""
        return [f"{self.core}-{form}" for form in FORMS]

    def bar(self, target: str) -> float | None:
        """The ratio of the two clocks that is aimed at."""
        basic, pipelined = self.forms
        asked = (pipelined, target, basic, "fmax_mhz")
        found = [bar for bar in bars.load() if (bar.core, bar.target, bar.times, bar.quantity) == asked]
        return found[0].bar if found else None

    def records(self, records: Iterable[Record], target: str) -> list[Record | None]:
        """Those of the bare cores with the usual parameters, basic first; None where a form has none."""
        found = query.usual(records)
        return [found.get((core, target, BARE)) for core in self.forms]


@cache
def load() -> tuple[Pair, ...]:
    """All pairs in the order of the slides."""
    return tuple(Pair(**entry) for entry in files.toml(Path(__file__).with_suffix(".toml"))["pair"])


def _arrow(values: Sequence[object]) -> str:
    return " → ".join("–" if value is None else str(value) for value in values)


def ratio(values: Sequence[float | None]) -> float | None:
    basic, pipelined = values
    return pipelined / basic if basic and pipelined else None


def _shown(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.2f}"


def row(pair: Pair, records: Iterable[Record], target: str) -> list[str]:
    """The cells of a pair under `HEADS`."""
    ours = pair.records(records, target)
    slides = pair.published
    best = [record.fmax_mhz if record else None for record in ours]
    median = [record.fmax_mhz_median or record.fmax_mhz if record else None for record in ours]
    earlier = any(record and not designs.current(record) for record in ours)
    theirs = [slides["basic_mhz"], slides["pipelined_mhz"]] if slides else [None, None]
    return [
        pair.name + (" (earlier sources)" if earlier else ""),
        pair.status,
        _arrow(theirs) if slides else "",
        f"{slides['printed_ratio']:.2f}, {_shown(ratio(theirs))}" if slides else "",
        _arrow(best),
        f"{_shown(ratio(best))} ({_shown(ratio(median))})",
        "" if (bar := pair.bar(target)) is None else f"{bar:.2f}",
        _arrow([record and record.lut for record in ours]),
        _arrow([record and record.gbit_s and f"{record.gbit_s:.2f}" for record in ours]),
        _arrow([record and record.mbit_s_per_lut and f"{record.mbit_s_per_lut:.3f}" for record in ours]),
    ]
