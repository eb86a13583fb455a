# SPDX-License-Identifier: Apache-2.0
"""What a line rate takes of a link: links side by side and lanes in each, LUTs and block RAM.

Cycles a frame are those of results/lanes.json (simulated, tests/link/test_lanes.py), areas those of the records of the
link with one lane and with two. The clock is given: no record has that of a link of several lanes.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from typing import Any

from .. import cores, files
from ..errors import LabError
from ..implement import targets
from ..results import query
from ..results.record import BARE, Record
from .rates import RATES

#: Bytes of a frame, and cores a direction that a link may have
SIZES = (64, 512, 1500)
LANES = (1, 2, 4)
HEADS = [
    "link", "lanes", f"Gbit/s of one link at {' / '.join(map(str, SIZES))} bytes",
    *(f"{rate} Gbit/s" for rate in RATES),
]  # fmt: skip


@cache
def cycles() -> dict[str, Any]:
    """Cycles a frame by link, lanes, size and direction."""
    found: dict[str, Any] = json.loads(files.read(cores.root() / "results" / "lanes.json"))["cycles"]
    return found


def gbit_s(link: str, lanes: int, size: int, mhz: float) -> float:
    """Frames of `size` bytes one after another, both ways at once: what the slower way carries."""
    slower: float = max(cycles()[link][str(lanes)][str(size)].values())
    return size * 8 / slower * mhz / 1000


def area(link: str, lanes: int, target: str, records: Sequence[Record]) -> tuple[int, float] | None:
    """LUTs and block RAMs after synthesis, None without records.

    Two more lanes count as twice the second one, rings included.
    """
    there = query.usual(records)
    both = [record for name in (link, f"{link}-l2") if (record := there.get((name, target, BARE)))]
    if len(both) < 2:
        return None
    one, two = (targets.TARGETS[target].area(record.cells or {}) for record in both)
    if not (one.lut and two.lut and one.bram and two.bram):
        return None
    more = lanes - 1
    return one.lut + more * (two.lut - one.lut), one.bram + more * (two.bram - one.bram)


def _cell(link: str, lanes: int, rate: float, mhz: float, cells: tuple[int, float] | None) -> str:
    counts = [math.ceil(rate / gbit_s(link, lanes, size, mhz) - 1e-9) for size in SIZES]
    text = " / ".join(map(str, counts))
    if cells is None:
        return text
    lut, bram = (counts[-1] * number for number in cells)
    return f"{text} ({lut / 1000:.0f} k, {bram:.0f})"


def rows(target: str, mhz: float, names: Sequence[str], records: Sequence[Record]) -> list[list[str]]:
    """A row for each link and number of lanes: links side by side by rate and size, for 1500 bytes their area."""
    if unknown := set(names) - set(cycles()):
        raise LabError(f"results/lanes.json has no cycles of {', '.join(sorted(unknown))}")
    return [
        [
            f"`{name}`", str(lanes), " / ".join(f"{gbit_s(name, lanes, size, mhz):.2f}" for size in SIZES),
            *(_cell(name, lanes, rate, mhz, area(name, lanes, target, records)) for rate in RATES),
        ]
        for name in names
        for lanes in LANES
    ]  # fmt: skip
