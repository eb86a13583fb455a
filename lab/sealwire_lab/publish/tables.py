# SPDX-License-Identifier: Apache-2.0
"""The tables of the documents from the shipped results: `sealwire-lab tables`.

A table lies between the lines `<!-- results TARGET CORE... -->` and `<!-- end of results -->`; a CORE may hold
wildcards or be a kind (`aead`, `mac`), and `behind INTERFACE` after it adds the core behind adapters. The table
of basic and pipelined cores begins with `<!-- pairs TARGET -->`, one of recorded boards with `<!-- boards NAME... -->`
or, shorter, `<!-- board-areas NAME... -->`, one of what boards carry with `<!-- line-rate NAME... -->`, one of whole
links with `<!-- links TARGET -->`, one of bars beside their figures with `<!-- bars CORE... -->`, one of what a line
rate takes with `<!-- rates TARGET CORE... -->`, one of what it takes of whole links, at a clock in MHz, with
`<!-- lanes TARGET MHZ LINK... -->`, and one of what the library takes for `seal`, `open` or `tag` with so many
messages a call with `<!-- library OPERATION COUNT... -->`.
"""

import argparse
import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import cores, files, links
from ..board import line_rate
from ..board import record as board_record
from ..cores import Core
from ..errors import LabError, unknown
from ..implement import designs, targets
from ..results import bars, choice, query, shipped
from ..results.record import BARE, ROUTED, Record
from ..terminal import markdown, say, switches
from . import lanes, pairs, rates
from .figures import library

_KINDS = "results|pairs|bars|boards|board-areas|line-rate|links|rates|lanes|library"
_BLOCK = re.compile(
    rf"^<!-- (?P<kind>{_KINDS}) (?P<what>.+?) -->\n(?P<table>.*?)^<!-- end of results -->$", re.MULTILINE | re.DOTALL
)
_BEGIN = re.compile(rf"^<!-- (?:{_KINDS}) ", re.MULTILINE)
#: Tables of boards by their names
_OF_BOARDS: dict[str, Callable[[Sequence[str]], str]] = {
    "boards": board_record.table, "board-areas": board_record.areas, "line-rate": line_rate.table,
}  # fmt: skip
_DOCUMENTS = ("*.md", "docs/**/*.md", "hdl/**/*.md", "lab/*.md")


def total(cycles: dict[str, Any]) -> str:
    """Cycles of a message of n blocks as a formula, empty where what was counted lies on no line."""
    slope = cycles["message"]
    offsets = {count - slope * blocks for blocks, count in cycles["total"].items()}
    return f"{slope} n + {offsets.pop()}" if len(offsets) == 1 else ""


def _name(record: Record, core: Core, document: Path) -> str:
    name = f"`{record.core}`"
    if core.doc and cores.root() / core.doc != document:
        name = f"[{name}]({os.path.relpath(cores.root() / core.doc, document.parent)})"
    name += record.behind
    if not designs.current(record):
        name += " (earlier sources)"
    return name


def _number(value: float | int | None, digits: int | None = None) -> str:
    return "" if value is None else f"{value:.6g}" if digits is None else f"{value:.{digits}f}"


def _clock(record: Record) -> str:
    """The best clock, and the median of several placements; the status where there is none."""
    clock = _number(record.fmax_mhz) or record.status
    if record.fmax_mhz_by_seed and len(record.fmax_mhz_by_seed) > 1:
        clock += f" (median of {len(record.fmax_mhz_by_seed)}: {record.fmax_mhz_median:g})"
    return clock


#: Columns of tables of both kinds by their heads, behind the core's name.
_COUNTS: dict[str, Callable[[Record], str]] = {
    "LUT": lambda record: "" if record.lut is None else str(record.lut),
    "FF": lambda record: "" if record.ff is None else str(record.ff),
    "block RAM": lambda record: _number(record.bram),
}
_AREA: dict[str, Callable[[Record], str]] = {
    "architecture": lambda record: record.architecture,
    "cycles a block": lambda record: f"{record.cycles['message']:.4g}" if record.cycles else "",
    "total(n)": lambda record: total(record.cycles) if record.cycles else "",
} | _COUNTS
_CLOCK: dict[str, Callable[[Record], str]] = {"MHz": _clock} | _COUNTS | {
    "Gbit/s": lambda record: _number(record.gbit_s, 2),
    "1536 bytes": lambda record: _number(record.gbit_s_1536, 2),
    "64 bytes": lambda record: _number(record.gbit_s_64, 2),
    "Mbit/s per LUT": lambda record: _number(record.mbit_s_per_lut, 3),
}  # fmt: skip


_CELLS: dict[str, Callable[[Record], str]] = {
    "gate equivalents": lambda record: _number(record.gate_equivalents, 0),
    "FF": lambda record: _number(record.ff, 0),
    "MHz": lambda record: _number(record.fmax_mhz, 0) or record.status,
    "Gbit/s": lambda record: _number(record.gbit_s, 2),
    "1536 bytes": lambda record: _number(record.gbit_s_1536, 2),
    "64 bytes": lambda record: _number(record.gbit_s_64, 2),
    "Mbit/s per 1000 gates": lambda record: _number(_share(record), 0),
    "pJ a bit": lambda record: _number(record.pj_bit, 1),
}


#: Columns of whole links by their heads, on any device, and where they are routed
_LINK_AREA: dict[str, Callable[[Record], str]] = {
    "LUT, synthesised": lambda record: _number(bars.synthesised(record)),
    "FF": lambda record: _number(record.ff),
    "block RAM": lambda record: _number(record.bram),
}
_LINK_CLOCKS: dict[str, Callable[[Record], str]] = {
    "LUT, packed": lambda record: _number(record.lut if record.stage == ROUTED else None)
} | {
    f"{name}, MHz": lambda record, name=name: _number((record.fmax_mhz_by_clock or {}).get(name))
    for name in ("core_clk", "trusted_clk", "untrusted_clk")
}


def _of_links(target: str, records: Sequence[Record], document: Path) -> str:
    """A row for each link with a record of success, in the order of their list."""
    columns = _LINK_AREA | (_LINK_CLOCKS if targets.TARGETS[target].place else {})
    there, rows = query.usual(records), []
    for link in links.load().values():
        record = there.get((link.name, target, BARE))
        if record and record.status == "ok":
            rows.append([_name(record, link, document), *(cell(record) for cell in columns.values())])
    return markdown(["link", *columns], rows)


def _of_bars(patterns: Sequence[str], records: Sequence[Record], where: str) -> str:
    """A row for each bar of the cores and links that fit, in the order of the file."""
    every, rows = bars.load(), []
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(bar.core, pattern) for bar in every):
            raise LabError(f"{where}: no core with a bar fits {pattern!r}")
    chosen = [bar for bar in every if any(fnmatch.fnmatchcase(bar.core, pattern) for pattern in patterns)]
    for row in bars.judge(chosen, records):
        core, *cells, result = bars.cells(row)
        rows.append([f"`{core}`", *cells, result.replace(bars.MISSED, f"**{bars.MISSED}**")])
    return markdown(bars.HEADS, rows)


def _share(record: Record) -> float | None:
    return 1e6 * record.gbit_s / record.gate_equivalents if record.gbit_s and record.gate_equivalents else None


def _fits(core: Core, pattern: str) -> bool:
    return pattern == core.kind or fnmatch.fnmatchcase(core.name, pattern)


def _chosen(what: str, records: Sequence[Record], where: str) -> Iterator[tuple[Record, Core]]:
    """Records of the usual parameters in the order of the manifest."""
    target, *words = what.split()
    patterns, interfaces = words, [BARE]
    if "behind" in words:
        at = words.index("behind")
        patterns, interfaces = words[:at], [BARE, *words[at + 1 :]]
    known = cores.load()
    for pattern in patterns:
        if not any(_fits(core, pattern) for core in known.values()):
            raise LabError(f"{where}: no core fits {pattern!r}")
    there = query.usual(records)
    for core in known.values():
        if any(_fits(core, pattern) for pattern in patterns):
            for (name, device, interface), record in there.items():
                here = (name, device) == (core.name, target)
                if here and any(fnmatch.fnmatchcase(interface, form) for form in interfaces):
                    yield record, core


def render(kind: str, what: str, records: Sequence[Record], document: Path) -> str:
    """The table that belongs under the marker `kind` and `what`, with its last newline."""
    if kind in _OF_BOARDS:
        return _OF_BOARDS[kind](what.split())
    if kind == "library":
        operation, *batches = what.split()
        return library.table(operation, batches)
    if kind == "bars":
        return _of_bars(what.split(), records, str(document))
    target = what.split()[0]
    if target not in targets.TARGETS:
        raise LabError(f"{document}: {unknown('target', target, targets.TARGETS)}")
    if kind == "pairs":
        return markdown(pairs.HEADS, (pairs.row(pair, records, target) for pair in pairs.load()))
    if kind == "links":
        return _of_links(target, records, document)
    if kind == "lanes":
        mhz, *names = what.split()[1:]
        return markdown(lanes.HEADS, lanes.rows(target, float(mhz), names, records))
    device = targets.TARGETS[target]
    columns = rates.COLUMNS if kind == "rates" else _CELLS if device.library else _CLOCK if device.place else _AREA
    rows = []
    for record, core in _chosen(what, records, str(document)):
        # In a table without a column for the architecture, which says it, the name does.
        label = " (experimental)" if columns is not _AREA and core.experimental else ""
        rows.append([_name(record, core, document) + label, *(cell(record) for cell in columns.values())])
    return markdown(["core", *columns], rows)


def updated(document: Path, records: Sequence[Record]) -> tuple[str, str]:
    """A document as it is, and as it should be."""
    text = files.read(document)
    found = list(_BLOCK.finditer(text))
    if len(found) != len(_BEGIN.findall(text)):
        raise LabError(f"{document}: a table of results has no line <!-- end of results -->")

    def block(match: re.Match[str]) -> str:
        kind, what = match["kind"], match["what"]
        return f"<!-- {kind} {what} -->\n{render(kind, what, records, document)}<!-- end of results -->"

    return text, _BLOCK.sub(block, text)


def documents() -> list[Path]:
    """Every document that may hold tables."""
    return sorted({path for pattern in _DOCUMENTS for path in cores.root().glob(pattern)})


def usual_options(records: Iterable[Record]) -> list[Record]:
    """Of each design one record: what was tried with other options of the tools, earlier, is passed over."""

    def design(record: Record) -> str:
        return str((record.core, record.interface, record.target, sorted(record.params.items())))

    return sorted(choice.answers(records, design), key=Record.order)


def options(parser: argparse.ArgumentParser) -> None:
    switches(parser, check="write nothing")


def run(arguments: argparse.Namespace) -> int:
    measured = [record for record in query.merge(shipped.load(), (), latest=True) if record.source is None]
    records = usual_options(measured)
    stale = 0
    for document in documents():
        before, after = updated(document, records)
        if before == after:
            continue
        stale += 1
        name = document.relative_to(cores.root())
        if arguments.check:
            say(f"{name}: tables of results are not up to date; run `sealwire-lab tables`")
        else:
            files.write(document, after)
            print(f"{name}: written")
    return 1 if arguments.check and stale else 0
