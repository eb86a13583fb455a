# SPDX-License-Identifier: Apache-2.0
"""Copies of the sources with the fewest runs of a block in front of each line, and `!` where something is missing."""

from collections.abc import Mapping
from pathlib import Path

from .. import files
from . import summary
from .design import Source
from .points import TOGGLE, Point


def text(name: str, counts: Mapping[Point, int], design: Mapping[str, Source]) -> str:
    """One annotated file."""
    here = {point: count for point, count in counts.items() if point.file == name}
    fewest: dict[int, int] = {}
    still: dict[int, list[str]] = {}
    for point, count in here.items():
        if point.kind == TOGGLE:
            if not count:
                still.setdefault(point.line, []).append(point.what)
        elif not point.what.startswith("cond_"):
            for number in point.lines:
                fewest[number] = min(count, fewest.get(number, count))
    made = []
    for number, line in enumerate(design[name].text, 1):
        runs = str(fewest[number]) if number in fewest else ""
        mark = "!" if number in still or fewest.get(number) == 0 else " "
        toggles = f"  // never: {', '.join(summary.bits(still[number]))}" if number in still else ""
        made.append(f"{mark}{runs:>10} | {line}{toggles}\n")
    return "".join(made)


def write(folder: Path, counts: Mapping[Point, int], design: Mapping[str, Source]) -> int:
    """Annotate every file of the design below a folder; returns how many."""
    files.write_all(folder, {name: text(name, counts, design) for name in design})
    return len(design)
