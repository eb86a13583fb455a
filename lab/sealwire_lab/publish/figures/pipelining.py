# SPDX-License-Identifier: Apache-2.0
"""Throughput per LUT against throughput: basic core and pipelined core of a mode, joined by a line."""

from collections.abc import Sequence

from ...results import Record
from .. import pairs
from . import panel
from .drawing import Figure, texts
from .panel import Axis, Line
from .style import Theme

_NAME = "pipelining-tpa"
_TARGET = "ecp5"
#: Modes over a forward AES alone, or a cipher that is used forwards, as they open.
_FORWARD = ("otr-aes128-p", "deoxysii-128", "gcm-aes128")


def figure(records: Sequence[Record], theme: Theme) -> Figure:
    """One line a mode, from its basic core to the one with two blocks in flight."""
    lines, without = [], []
    for pair in pairs.load():
        found = pair.records(records, _TARGET)
        points = [(r.gbit_s, r.mbit_s_per_lut) for r in found if r and r.gbit_s and r.mbit_s_per_lut]
        if len(points) == len(pairs.FORMS):
            hue = theme.hues["sha512" if pair.core in _FORWARD else "blake2b"]
            lines.append(Line(pair.name, hue, points))
        else:
            without.append(pair.name)
    missing = (f"No pair of routed cores: {', '.join(without)}.",) if without else ()
    if not lines:
        lines = [Line("", theme.rule, [(1, 0.1)])]
    widest = max(x for line in lines for x, _ in line.points)
    across = Axis("throughput of long messages, Gbit/s", (0.5, max(1.5, widest * 1.05)), (0.5, 1, 1.5, 2, 2.5, 3))
    up = Axis("TP/A, Mbit/s per LUT", None, (0.05, 0.1, 0.2, 0.3, 0.4), log=True)
    size = (300 if theme.narrow else 520, 380)
    chart = panel.lines("", across, up, lines, theme, size, 40)
    return panel.figure(_NAME, chart, [texts()[_NAME]["left"], *missing], theme, missing)
