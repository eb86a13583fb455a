# SPDX-License-Identifier: Apache-2.0
"""Figures 4, 5 and 6 of the hardware paper: its own curves beside those of our cores."""

from collections.abc import Callable, Sequence

from ...results import Record
from . import curves, panel
from .curves import Curve, Point
from .drawing import Figure, texts
from .panel import Axis, Line
from .style import Theme

_BYTES = Axis("message, bytes", (curves.SHORTEST, curves.LONGEST), (64, 256, 1024, 4096, 9600))
#: Round numbers on a logarithmic axis.
_ONE_TWO_FIVE = [factor * 10.0**power for power in range(-6, 7) for factor in (1, 2, 5)]
_PAPER = "Maimuț, Mega"
Measure = Callable[[Curve, Point], float | None]


def _panel(title: str, unit: str, shown: Sequence[Curve], measure: Measure, theme: Theme) -> panel.Layers:
    drawn = []
    for curve in shown:
        points = [(point.size, value) for point in curve.points if (value := measure(curve, point)) is not None]
        dash = panel.SOLID if curve.ours else panel.DOTTED if curve.dotted else panel.DASHED
        if points:
            drawn.append(Line(curve.label, theme.hues[curve.hue], points, dash, hollow=not curve.ours))
    values = [value for line in drawn for _, value in line.points]
    ticks = [step for step in _ONE_TWO_FIVE if min(values) * 0.85 <= step <= max(values) * 1.15]
    size = (180 if theme.narrow else 310, 380)
    return panel.lines(title, _BYTES, Axis(unit, None, ticks), drawn, theme, size, 16)


#: What each figure shows: by each core's own clock, and without a clock.
_MEASURES: dict[str, tuple[tuple[str, Measure], tuple[str, Measure]]] = {
    "omd-figure4": (
        ("latency, µs", lambda curve, point: point.cycles / curve.mhz if curve.mhz else None),
        ("latency, cycles", lambda _, point: point.cycles),
    ),
    "omd-figure5": (("throughput, Gbit/s", Curve.gbit_s), ("throughput, bits a cycle", Curve.bits_a_cycle)),
    "omd-figure6": (
        ("TP/A, Mbit/s per LUT", Curve.mbit_s_per_lut),
        (
            "bits a cycle for 1000 LUTs",
            lambda curve, p: curve.bits_a_cycle(p) * 1000 / curve.lut if curve.lut else None,
        ),
    ),
}


def figure(name: str, records: Sequence[Record], theme: Theme) -> Figure:
    """Left by each core's own clock, right without a clock: of the areas of the paper's devices where it has some."""
    left, right = _MEASURES[name]
    text = texts()[name]
    paper, routed, counted = curves.of_paper(), curves.ours(records, "ecp5"), curves.ours(records, "xcup")
    if name != "omd-figure6":  # the area does not matter: one curve for each published core
        paper = [curve for curve in paper if not curve.dotted]
        counted = counted or routed
    missing = (
        *curves.missing(routed, "clock"),
        *curves.absent(records, "ecp5", "ECP5"),
        *curves.absent(records, "xcup", "UltraScale+"),
    )
    sentences = [
        "Solid, filled: ours. Cycles simulated; clock and LUTs routed on ECP5, LUTs on UltraScale+ after synthesis.",
        f"Dashed, hollow: published ({_PAPER}, Table 1 and appendix C; Vivado, UltraScale+).",
        *missing,
    ]
    panels = [
        _panel(text["left"], left[0], [*paper, *routed], left[1], theme),
        _panel(text["right"], right[0], [*paper, *counted], right[1], theme),
    ]
    chart = panel.beside(panels, theme, title=panel.heading(text["title"], sentences, theme))
    caption = " ".join((text["caption"], *missing))
    return Figure(name, text["title"], caption, text["alternative"], chart.to_dict(), missing=missing)
