# SPDX-License-Identifier: Apache-2.0
"""What a byte costs by the length of its packet, and what a line rate takes, in hardware and in software."""

from collections.abc import Sequence

from ...errors import LabError
from ...results import Record, query
from ...results.record import BARE
from .. import rates
from . import library, panel
from .drawing import Figure, texts
from .panel import Axis, Line
from .style import Theme

_NAME = "cost-growth"
_TARGET = "ecp5"
#: Cores and schemes of the library, with their hues.
_CORES = {
    "otr-aes128-p-p2": "sha256",
    "otr-aes128-p-p21": "sha256",
    "omd-sha512-r1": "sha512",
    "omd-blake2b-x8": "blake2b",
}
_SCHEMES = {"otr-aes128-p": "sha256", "omd-sha512": "sha512", "omd-blake2b": "blake2b"}
_LINE_RATES = (1, 2, 5, 10, 20, 50, 100)
_ACROSS = Axis("message, bytes", (64, 9600), (64, 256, 1536, 9600))
_COST = Axis("cycles a byte", (0.1, 50), (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50))
_RATE = Axis("line rate, Gbit/s", (1, 100), _LINE_RATES)
_COPIES = Axis("copies", (0.01, 300), (0.1, 1, 10, 100))


def _routed(records: Sequence[Record], name: str) -> Record | None:
    record = query.usual(records).get((name, _TARGET, BARE))
    return record if record and rates.gbit_s(record, max(rates.SIZES)) else None


def _core(record: Record, hue: str) -> tuple[Line, Line]:
    assert record.cycles and record.block_bits
    block = record.block_bits // 8
    cost = [(n * block, cycles / (n * block)) for n, cycles in sorted(record.cycles["packet"].items())]
    each = rates.gbit_s(record, max(rates.SIZES))
    assert each
    shown = [point for point in cost if 64 <= point[0] <= 9600]
    return Line(record.core, hue, shown), Line(record.core, hue, [(rate, rate / each) for rate in _LINE_RATES])


def _scheme(rows: Sequence[dict[str, str]], name: str, hue: str) -> tuple[Line, Line]:
    found = sorted(
        (int(row["bytes"]), float(row["cpb_least"]), float(row["gbit_s"]))
        for row in rows
        if (row["scheme"], row["peer"], row["op"], row["batch"], row["ad"]) == (name, "", "seal", "1", "0")
    )
    cost = [(size, cycles) for size, cycles, _ in found if 64 <= size <= 9600]
    each = next((speed for size, _, speed in found if size == 1500), None)
    if each is None:
        raise LabError(f"{library.path_of()} has no {name} at 1500 bytes; make it again: {library.AGAIN}")
    label = f"library, {name}"
    return Line(label, hue, cost, panel.DASHED), Line(
        label, hue, [(rate, rate / each) for rate in _LINE_RATES], panel.DASHED
    )


def figure(records: Sequence[Record], theme: Theme) -> Figure:
    """Cycles a byte beside copies for a line rate."""
    rows, notes = library.kept()
    routed = {name: _routed(records, name) for name in _CORES}
    missing = tuple(f"No routed {name}." for name, record in routed.items() if record is None)
    drawn = [_core(record, theme.hues[_CORES[name]]) for name, record in routed.items() if record]
    drawn += [_scheme(rows, name, theme.hues[hue]) for name, hue in _SCHEMES.items()]
    evidence = texts()[_NAME]["evidence"].format(cpu=notes.get("cpu", "unknown CPU"))
    size = (230 if theme.narrow else 330, 320)
    panels = [
        panel.lines("What a byte costs", _ACROSS, _COST, [cost for cost, _ in drawn], theme, size, 20),
        panel.lines("What a line rate takes", _RATE, _COPIES, [count for _, count in drawn], theme, size),
    ]
    return panel.figure(_NAME, panel.beside(panels, theme), [evidence, *missing], theme, missing, evidence=evidence)
