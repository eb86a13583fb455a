# SPDX-License-Identifier: Apache-2.0
"""The files of hdl/ that are the design, neither generated nor left out of synthesis, and the points counted in them.

Points are summed over instances, sizes and runs.  A point of a line is a block of statements or an alternative; a point
of a toggle is one direction of one bit.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sealwire_lab import files, named_top
from sealwire_lab.errors import LabError

_FUNCTION = re.compile(r"\s*function automatic\s.*?(?P<name>\w+)\s*\(")
_CHECKS = re.compile(r"^`(?:ifndef SYNTHESIS|ifdef SYNTHESIS$.*?^`else)$.*?^`endif$", re.MULTILINE | re.DOTALL)
#: A line of Verilator's file of counts, with the parts that name a place in the sources.
_COUNT = re.compile(
    rb"^C '\x01f\x02[^\x01]*/(hdl/[^\x01]+)\x01l\x02(\d+)\x01n\x02(\d+)\x01t\x02(\w+)\x01page\x02[^\x01]*"
    rb"\x01o\x02([^\x01]*)(?:\x01S\x02([^\x01']*))?[^']*' (\d+)$",
    re.MULTILINE,
)
TOGGLE = "toggle"


@dataclass(frozen=True)
class Source:
    """A file of the design by its name below the repository."""

    name: str
    text: tuple[str, ...]  # line by line
    checks: frozenset[int]  # numbers of lines that synthesis does not see

    def function(self, line: int) -> str:
        """Name of the function whose body a line belongs to; empty outside of functions."""
        for number in range(line - 1, -1, -1):
            if begun := _FUNCTION.match(self.text[number]):
                return begun["name"]
            if number < line - 1 and self.text[number].strip().startswith("endfunction"):
                break
        return ""

    @property
    def room(self) -> str:
        """The folder below hdl/."""
        return str(Path(self.name).parent.relative_to("hdl"))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def load(root: Path) -> dict[str, Source]:
    """Every file of the design by name; a module that only checks instantiate is none."""
    found, checked, used = {}, set(), set()
    for path in sorted((root / "hdl").rglob("*.sv")):
        if "generated" in path.parts:
            continue
        name = path.relative_to(root).as_posix()
        text = files.read(path)
        lines: set[int] = set()
        for block in _CHECKS.finditer(text):
            first = text.count("\n", 0, block.start()) + 1
            lines.update(range(first, first + block[0].count("\n") + 1))
            checked |= _words(block[0])
        used |= _words(re.sub(rf"\bmodule {path.stem}\b", "", _CHECKS.sub("", text)))
        found[name] = Source(name, tuple(text.splitlines()), frozenset(lines))
    only_checks = (checked - used) | named_top.MONITORS
    return {name: source for name, source in found.items() if Path(name).stem not in only_checks}


def sources_hash(design: Mapping[str, Source]) -> str:
    """Names the design that was measured."""
    state = hashlib.sha256()
    for name in sorted(design):
        state.update("\0".join((name, *design[name].text, "")).encode())
    return state.hexdigest()[:16]


@dataclass(frozen=True)
class Point:
    """A place that counts. `what` is the kind of block (`if`, `else`, `case`, ...) or `signal[bit]:0->1`."""

    file: str
    line: int
    column: int
    kind: str  # line, branch or toggle
    what: str
    lines: tuple[int, ...]  # source lines that run when this is counted; none for toggles

    @property
    def signal(self) -> str:
        """Name and bit of a toggle, without its direction."""
        return self.what.rpartition(":")[0]


def _lines(text: str, begin: int) -> tuple[int, ...]:
    """Numbers in `180,186-193,196` from where the block begins: before it stands the loop that generates it."""
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(number for number in found if number >= begin)


def read(folder: Path, design: Mapping[str, Source]) -> dict[Point, int]:
    """The counts of all simulators whose files lie in a folder, of points of the design."""
    files = sorted(folder.rglob("*.dat"))
    if not files:
        raise LabError(f"no counts in {folder}; run `make coverage`, or tests with SEALWIRE_COVERAGE={folder}")
    sums: Counter[tuple[bytes, ...]] = Counter()
    for path in files:
        data = path.read_bytes()
        if not data.startswith(b"# SystemC::Coverage"):
            raise LabError(f"{path} holds no counts of Verilator; remove it")
        for *place, count in _COUNT.findall(data):
            sums[tuple(place)] += int(count)
    found = {}
    for (file, line, column, kind, what, lines), count in sums.items():
        source = design.get(file.decode())
        if source is None or int(line) in source.checks:
            continue
        if int(line) > len(source.text):
            raise LabError(
                f"counts in {folder} are of other sources ({source.name} has no line {int(line)}); remove it"
            )
        point = Point(
            source.name, int(line), int(column), kind.decode(), what.decode(), _lines(lines.decode(), int(line))
        )
        # Verilator counts an alternative at its end, which is never reached where that is a `return`.
        ends = point.kind != TOGGLE and point.what != "block" and point.lines
        if not (ends and re.search(r"\breturn\b", source.text[point.lines[-1] - 1])):
            found[point] = count
    return found
