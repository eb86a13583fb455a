# SPDX-License-Identifier: Apache-2.0
"""Points that no test can or need reach, each with its reason: hdl/coverage.toml.

An entry says `files` (patterns), `reason`, and one of `signal` (toggles), `memory` (toggles of what it holds, which is
data, reached or not), `function` (all blocks of its body) and `line` (text of a source line where a block begins), with
`arm` for one alternative of it. Expressions are regular and match from beginning to end.
"""

import fnmatch
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sealwire_lab import files
from sealwire_lab.errors import LabError

from .points import TOGGLE, Point, Source

_PLACES = ("signal", "memory", "function", "line")
_FIELDS = {"files", "reason", "arm", *_PLACES}


@dataclass(frozen=True)
class Exclusion:
    """One entry of the file."""

    files: tuple[str, ...]
    reason: str
    place: str  # which of the expressions it has
    expression: re.Pattern[str]
    arm: str | None

    def __str__(self) -> str:
        arm = f" ({self.arm})" if self.arm else ""
        return f"{', '.join(self.files)}: {self.place} {self.expression.pattern}{arm}"

    def fits(self, point: Point, source: Source) -> bool:
        """Whether it leaves out this point."""
        if not any(fnmatch.fnmatchcase(point.file, pattern) for pattern in self.files):
            return False
        found = self.expression.fullmatch
        if self.place in ("signal", "memory"):
            return point.kind == TOGGLE and bool(found(point.signal) or found(point.what))
        if point.kind == TOGGLE or (self.arm and point.what != self.arm):
            return False
        if self.place == "function":
            return bool(found(source.function(point.line)))
        return bool(found(source.text[point.line - 1].strip()))


def _entry(path: Path, table: Mapping[str, object]) -> Exclusion:
    places = [name for name in _PLACES if name in table]
    if set(table) - _FIELDS or not {"files", "reason"} <= set(table) or len(places) != 1:
        raise LabError(
            f"{path}: an entry has `files`, `reason` and one of {', '.join(_PLACES)}, perhaps `arm`: {dict(table)}"
        )
    files, reason = table["files"], str(table["reason"])
    if not isinstance(files, list) or not reason.strip():
        raise LabError(f"{path}: `files` is a list of patterns and `reason` a sentence: {dict(table)}")
    try:
        expression = re.compile(str(table[places[0]]))
    except re.error as error:
        raise LabError(f"{path}: {dict(table)}: {error}") from error
    arm = str(table["arm"]) if "arm" in table else None
    return Exclusion(tuple(map(str, files)), reason, places[0], expression, arm)


def load(path: Path) -> list[Exclusion]:
    """The entries of a file. A file that does not exist has no entries."""
    if not path.exists():
        return []
    return [_entry(path, table) for table in files.toml(path, "a list of exclusions").get("exclude", [])]


def _reached(points: Iterable[Point], counts: Mapping[Point, int]) -> list[Point]:
    """The points that a test reaches: blocks that ran, and bits that went both ways.

    One way alone is no sign of use: a constant takes its value once, from the random one that a simulation starts with.
    """
    ways: dict[tuple[str, int, int, str], list[Point]] = {}
    found = []
    for point in points:
        if counts[point] and point.kind == TOGGLE:
            ways.setdefault((point.file, point.line, point.column, point.signal), []).append(point)
        elif counts[point]:
            found.append(point)
    return found + [both[0] for both in ways.values() if len(both) > 1]


def apply(
    entries: Iterable[Exclusion], counts: Mapping[Point, int], design: Mapping[str, Source]
) -> tuple[dict[Point, int], list[str]]:
    """The counts of what remains, and complaints: an entry must leave out something, and nothing that is reached."""
    remaining = dict(counts)
    complaints = []
    for entry in entries:
        out = [point for point in counts if entry.fits(point, design[point.file])]
        reached = _reached(out, counts) if entry.place != "memory" else []
        if not out or (all(counts[point] for point in out) and entry.place != "memory"):
            complaints.append(f"{entry}: excludes nothing; remove the entry")
        elif reached:
            first = f"{reached[0].file}:{reached[0].line} {reached[0].what}"
            complaints.append(f"{entry}: {first} is reached, as are {len(reached) - 1} more; narrow the entry")
        for point in out:
            remaining.pop(point, None)
    return remaining, complaints
