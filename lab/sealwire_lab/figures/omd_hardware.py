# SPDX-License-Identifier: Apache-2.0
"""Figures 4, 5 and 6 of the hardware paper: its own curves beside those of our cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt

from ..results import Record
from . import curves, style, texts
from .curves import Curve, Point
from .drawing import Figure
from .panel import Layers, canvas
from .style import Theme

_WIDTH, _NARROW, _HEIGHT, _GAP = 310, 180, 380, 36
#: From the end of a curve to its name, with a line between them.
_LEADER = 18
_TICKS = [64, 256, 1024, 4096, 9600]
_PAPER = "Maimuț, Mega"
Measure = Callable[[Curve, Point], float | None]


def _one_two_five(low: float, high: float) -> list[float]:
    """Round numbers on a logarithmic axis."""
    steps = [factor * 10.0**power for power in range(-6, 7) for factor in (1, 2, 5)]
    return [step for step in steps if low <= step <= high]


def _panel(title: str, unit: str, shown: Sequence[Curve], measure: Measure, theme: Theme) -> Layers:
    """One diagram with logarithmic axes, each curve named at its right end."""
    rows: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for curve in shown:
        values = [(point.size, value) for point in curve.points if (value := measure(curve, point)) is not None]
        if not values:
            continue
        kind = "ours" if curve.ours else "published, without session" if curve.dotted else "published"
        common = {"curve": curve.label, "hue": curve.hue, "kind": kind}
        rows += [{"bytes": size, "value": round(value, 6), **common} for size, value in values]
        ends.append({"bytes": values[-1][0], "value": values[-1][1], **common})
    width = _NARROW if theme.narrow else _WIDTH
    low, high = min(row["value"] for row in rows) * 0.85, max(row["value"] for row in rows) * 1.15
    places = style.spread([end["value"] for end in ends], low, high, _HEIGHT, 16, log=True)
    for end, place in zip(ends, places, strict=True):
        end["place"] = place
    hues = list(theme.hues)[:3]
    colour = alt.Color("hue:N", scale=alt.Scale(domain=hues, range=[theme.hues[hue] for hue in hues]), legend=None)
    size = alt.X(
        "bytes:Q", scale=alt.Scale(type="log", domain=[curves.SHORTEST, curves.LONGEST]), title="message, bytes",
        axis=alt.Axis(values=_TICKS, format="d", grid=False),
    )  # fmt: skip
    scale = alt.Scale(type="log", domain=[low, high], nice=False)
    upward = alt.Y("value:Q", scale=scale, title=unit, axis=alt.Axis(format="~r", values=_one_two_five(low, high)))
    kinds = ["ours", "published", "published, without session"]
    lines = (
        canvas(rows, (width, _HEIGHT), title)
        .mark_line(strokeWidth=2)
        .encode(
            size, upward, colour, detail="curve:N",
            strokeDash=alt.StrokeDash(
                "kind:N", scale=alt.Scale(domain=kinds, range=[[1, 0], [7, 4], [2, 3]]), legend=None
            ),
        )
    )  # fmt: skip
    marks = (
        canvas(rows)
        .mark_point(size=16, opacity=1)
        .encode(
            size, upward, colour,
            fill=alt.condition("datum.kind == 'ours'", colour, alt.value(theme.ground)),
        )
    )  # fmt: skip
    leaders = (
        canvas(ends)
        .mark_rule(strokeWidth=0.8, opacity=0.7)
        .encode(
            x=alt.value(width + 4), x2=alt.value(width + _LEADER), y=alt.Y("value:Q", scale=scale), y2="place:Q",
            color=colour,
        )
    )  # fmt: skip
    names = (
        canvas(ends)
        .mark_text(align="left", dx=_LEADER + 3, fontSize=11)
        .encode(
            x=alt.value(width), y=alt.Y("place:Q", scale=scale), color=colour, text="curve:N",
            opacity=alt.condition("datum.kind == 'ours'", alt.value(1.0), alt.value(0.85)),
        )
    )  # fmt: skip
    return alt.layer(lines, leaders, marks, names)


def _figure(
    name: str,
    left: tuple[str, Sequence[Curve], Measure],
    right: tuple[str, Sequence[Curve], Measure],
    records: Sequence[Record],
    theme: Theme,
) -> Figure:
    text = texts.load()[name]
    missing = (
        *curves.missing(curves.ours(records, "ecp5"), "clock"),
        *curves.absent(records, "ecp5", "ECP5"),
        *curves.absent(records, "xcup", "UltraScale+"),
    )
    subtitle = [
        "Solid, filled: ours. Cycles simulated; clock and LUTs routed on ECP5, LUTs on UltraScale+ after synthesis.",
        f"Dashed, hollow: published ({_PAPER}, Table 1 and appendix C; Vivado, UltraScale+).",
        *missing,
    ]
    side_by_side = alt.vconcat if theme.narrow else alt.hconcat
    chart = side_by_side(
        _panel(text["left"], *left, theme), _panel(text["right"], *right, theme), spacing=_GAP,
        title=alt.TitleParams(style.lines([text["title"]], theme, 40), subtitle=style.lines(subtitle, theme)),
    )  # fmt: skip
    return Figure(
        name,
        text["title"],
        " ".join((text["caption"], *missing)),
        text["alternative"],
        chart.to_dict(),
        missing=missing,
    )


def _plain(shown: Sequence[Curve]) -> list[Curve]:
    """One curve for each published core where the area does not matter."""
    return [curve for curve in shown if not curve.dotted]


def _curves(records: Sequence[Record]) -> tuple[list[Curve], list[Curve], list[Curve]]:
    """The paper's, ours with a clock, ours with LUTs of the paper's family."""
    routed = curves.ours(records, "ecp5")
    return curves.of_paper(), routed, curves.ours(records, "xcup")


def figure4(records: Sequence[Record], theme: Theme) -> Figure:
    """Latency."""
    paper, routed, counted = _curves(records)
    return _figure(
        "omd-figure4",
        ("latency, µs", _plain([*paper, *routed]), Curve.latency_us),
        ("latency, cycles", _plain([*paper, *(counted or routed)]), lambda _, point: point.cycles),
        records, theme,
    )  # fmt: skip


def figure5(records: Sequence[Record], theme: Theme) -> Figure:
    """Throughput."""
    paper, routed, counted = _curves(records)
    return _figure(
        "omd-figure5",
        ("throughput, Gbit/s", _plain([*paper, *routed]), Curve.gbit_s),
        ("throughput, bits a cycle", _plain([*paper, *(counted or routed)]), Curve.bits_a_cycle),
        records, theme,
    )  # fmt: skip


def figure6(records: Sequence[Record], theme: Theme) -> Figure:
    """Throughput per LUT."""
    paper, routed, counted = _curves(records)
    return _figure(
        "omd-figure6",
        ("TP/A, Mbit/s per LUT", [*paper, *routed], Curve.mbit_s_per_lut),
        ("bits a cycle for 1000 LUTs", [*paper, *counted], Curve.bits_a_cycle_per_klut),
        records, theme,
    )  # fmt: skip
