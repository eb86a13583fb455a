# SPDX-License-Identifier: Apache-2.0
"""Figures of coverage: source lines and toggles of each room of hdl/, what is missing, and sources with counts beside.

A source line is covered when every block of statements on it has run; an alternative within an expression (`a ? b : c`)
is no line of its own.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from sealwire_lab import files
from sealwire_lab.coverage.result import Figure, Room

from .points import TOGGLE, Point, Source


def lines(counts: Mapping[Point, int]) -> dict[tuple[str, int], bool]:
    """Whether each source line with statements is covered."""
    found: dict[tuple[str, int], bool] = {}
    for point, count in counts.items():
        if point.kind == TOGGLE or point.what.startswith("cond_"):
            continue
        for number in point.lines:
            place = point.file, number
            found[place] = found.get(place, True) and count > 0
    return found


def rooms(counts: Mapping[Point, int], design: Mapping[str, Source]) -> dict[str, Room]:
    """Figures of every room with a file of the design, by name."""
    found = {source.room: Room() for source in design.values()}
    for (file, number), covered in lines(counts).items():
        if number not in design[file].checks:
            found[design[file].room] += Room(lines=Figure(covered, 1))
    for point, count in counts.items():
        if point.kind == TOGGLE:
            found[design[point.file].room] += Room(toggles=Figure(count > 0, 1))
    return dict(sorted(found.items()))


def unsimulated(counts: Mapping[Point, int], design: Mapping[str, Source]) -> list[str]:
    """Files of the design that no simulator contains. A package of constants has nothing to count."""
    seen = {point.file for point in counts}
    return [name for name in design if name not in seen and not name.endswith("_pkg.sv")]


def _ranges(numbers: Iterable[int]) -> str:
    """0, 1, 2 and 5 become `5,2:0`."""
    runs = groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    return ",".join(f"{run[-1]}:{run[0]}" if len(run) > 1 else str(run[0]) for run in reversed(spans))


def bits(toggles: Iterable[str]) -> Iterator[str]:
    """Names with ranges of bits, and the way in which they never went where it is one alone."""
    ways: dict[str, list[str]] = {}
    for toggle in toggles:
        what, _, way = toggle.rpartition(":")
        ways.setdefault(what, []).append(way)
    names: dict[tuple[str, str], list[int]] = {}
    for what, missing_ways in ways.items():
        name, bracket, bit = what.rpartition("[")
        numbered = bracket and bit[:-1].isdigit()
        key = name if numbered else what, "" if len(missing_ways) > 1 else f" {missing_ways[0]}"
        names.setdefault(key, []).extend([int(bit[:-1])] if numbered else [])
    for (name, way), numbers in names.items():
        yield f"{name}{f'[{_ranges(numbers)}]' if numbers else ''}{way}"


def _never(counts: Mapping[Point, int], file: str) -> dict[int, list[str]]:
    """Toggles of a file that never came, by line."""
    found: dict[int, list[str]] = {}
    for point, count in counts.items():
        if point.file == file and point.kind == TOGGLE and not count:
            found.setdefault(point.line, []).append(point.what)
    return found


def missing(counts: Mapping[Point, int], design: Mapping[str, Source], room: str) -> Iterator[str]:
    """What is not covered in a room, by place: lines with their text, signals with their bits."""
    here = [name for name, source in design.items() if source.room == room]
    covered = lines(counts)
    for name in here:
        toggles = _never(counts, name)
        numbers = {number for file, number in covered if file == name and not covered[file, number]}
        for number in sorted(numbers | set(toggles)):
            if number in numbers:
                yield f"{name}:{number}: line: {design[name].text[number - 1].strip()}"
            for text in bits(toggles.get(number, [])):
                yield f"{name}:{number}: toggle: {text}"
    for name in unsimulated(counts, design):
        if design[name].room == room:
            yield f"{name}:1: no simulator contains this file"


def annotated(name: str, counts: Mapping[Point, int], design: Mapping[str, Source]) -> str:
    """One annotated file."""
    still = _never(counts, name)
    fewest: dict[int, int] = {}
    for point, count in counts.items():
        if point.file == name and point.kind != TOGGLE and not point.what.startswith("cond_"):
            fewest |= {number: min(count, fewest.get(number, count)) for number in point.lines}
    made = []
    for number, line in enumerate(design[name].text, 1):
        runs = str(fewest[number]) if number in fewest else ""
        mark = "!" if number in still or fewest.get(number) == 0 else " "
        toggles = f"  // never: {', '.join(bits(still[number]))}" if number in still else ""
        made.append(f"{mark}{runs:>10} | {line}{toggles}\n")
    return "".join(made)


def write(folder: Path, counts: Mapping[Point, int], design: Mapping[str, Source]) -> None:
    """Annotate every file of the design below a folder."""
    files.write_all(folder, {name: annotated(name, counts, design) for name in design})
