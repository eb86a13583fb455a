# SPDX-License-Identifier: Apache-2.0
"""Throughput per LUT by the number of stages of a round: AES alone, in one or both directions, and cores."""

from collections.abc import Sequence

from ... import links
from ...results import Record, query
from ...results.record import BARE
from . import panel
from .drawing import Figure, texts
from .panel import Axis, Line
from .style import Theme

_NAME = "stages"
_TARGET = "ecp5"
STAGES = (1, 2, 3, 4)
#: Designs by the number of stages, with the hue of their line.
SERIES = {
    "AES one way": ("sha512", tuple(f"aes-ring-e{stages}" for stages in STAGES)),
    "AES both ways": ("blake2b", tuple(f"aes-ring-c{stages}" for stages in STAGES)),
    "OCB (both ways)": ("blake2b", ("ocb-aes128-r1", *(f"ocb-aes128-p{stages}" for stages in STAGES[1:]))),
    "OTR (one way)": ("sha512", ("otr-aes128-p-r1", *(f"otr-aes128-p-p{stages}" for stages in STAGES[1:]))),
}
#: Bits a cycle of a ring: as many blocks fly as a round has stages, and a block takes ten rounds.
_RING_BITS = 128 / 10


def per_lut(record: Record) -> float | None:
    """Mbit/s per LUT of a core, or of a ring of AES alone."""
    if record.core in links.others() and record.fmax_mhz and record.lut:
        return _RING_BITS * record.fmax_mhz / record.lut
    return record.mbit_s_per_lut


def _points(records: Sequence[Record], names: Sequence[str]) -> list[tuple[float, float]]:
    there = query.usual(records)
    found = (there.get((name, _TARGET, BARE)) for name in names)
    return [(stages, value) for stages, record in enumerate(found, 1) if record and (value := per_lut(record))]


def optimum(points: Sequence[tuple[float, float]]) -> int:
    """The number of stages with the most throughput per LUT."""
    return int(max(points, key=lambda point: point[1])[0])


def figure(records: Sequence[Record], theme: Theme) -> Figure:
    """One line a series; its name says how many stages are best."""
    drawn, missing = [], []
    for name, (hue, names) in SERIES.items():
        points = _points(records, names)
        there = {names[int(stages) - 1] for stages, _ in points}
        missing += [design for design in names if design not in there]
        if points:
            drawn.append((name, hue, points))
    without = (f"Not routed yet: {', '.join(missing)}.",) if missing else ()
    shown = [Line(f"{name}: {optimum(points)}", theme.hues[hue], points) for name, hue, points in drawn]
    shown = shown or [Line("", theme.rule, [(1, 0.1)])]
    across = Axis("stages of a round", (0.8, 4.2), STAGES, log=False)
    up = Axis("TP/A, Mbit/s per LUT", None, (0.1, 0.2, 0.3, 0.5, 1), log=True)
    chart = panel.lines("", across, up, shown, theme, (300 if theme.narrow else 520, 380), 40)
    return panel.figure(_NAME, chart, [texts()[_NAME]["left"], *without], theme, without)
