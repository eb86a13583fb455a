# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of the p-OMD paper: four plots, once from the library's time and once from counted cycles of the cores.

Relative complexity is cost for each byte of message and associated data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from .. import published
from ..results import Record
from . import pomd_grid, style, texts
from .drawing import Figure
from .panel import Layers, canvas
from .pomd_grid import RTL, SOFTWARE, Grid
from .style import Theme

_WIDTH, _NARROW, _HEIGHT = 330, 190, 220
_NAME = {"omd": "OMD", "pomd": "p-OMD"}
_UNIT = {RTL: "cycles", SOFTWARE: "ns"}
_BYTES = alt.Scale(domain=[0, 4096], nice=False)
_AXIS = alt.Axis(values=[0, 1024, 2048, 3072, 4096], format="d", grid=False)
Line = tuple[str, str, list[tuple[int, float]]]  # name, hue, (bytes, value)


def _lines(title: str, across: str, unit: str, drawn: Sequence[Line], theme: Theme) -> Layers:
    rows = [{"line": name, "hue": hue, "x": x, "y": y} for name, hue, line in drawn for x, y in line]
    top = max(y for _, _, line in drawn for _, y in line) * 1.05
    ends: list[dict[str, Any]] = [
        {"line": name, "hue": hue, "x": line[-1][0], "y": line[-1][1]} for name, hue, line in drawn
    ]
    for end, place in zip(ends, style.spread([end["y"] for end in ends], 0, top, _HEIGHT, 15, log=False), strict=True):
        end["place"] = place
    hues = ["omd", "pomd"]
    colour = alt.Color("hue:N", scale=alt.Scale(domain=hues, range=[theme.hues[hue] for hue in hues]), legend=None)
    scale = alt.Scale(domain=[0, top], nice=False)
    axis = alt.X("x:Q", title=across, scale=_BYTES, axis=_AXIS)
    dash = alt.StrokeDash(
        "line:N", legend=None,
        scale=alt.Scale(
            domain=[name for name, _, _ in drawn],
            range=[[5, 5] if "no AD" in name else [1, 0] for name, _, _ in drawn],
        ),
    )  # fmt: skip
    width = _NARROW if theme.narrow else _WIDTH
    base = canvas(rows, (width, _HEIGHT), title)
    curve = base.mark_line(strokeWidth=2).encode(
        axis, alt.Y("y:Q", title=unit, scale=scale, axis=alt.Axis(format="~r")), colour, dash
    )
    names = (
        canvas(ends)
        .mark_text(align="left", dx=6)
        .encode(x=alt.value(width), y=alt.Y("place:Q", scale=scale), text="line:N", color=colour)
    )
    return alt.layer(curve, names)


def _heat(title: str, unit: str, grid: Grid, theme: Theme) -> alt.Chart:
    step = (
        2 * published.load("pomd")["grid_bytes"]
    )  # every second length: the eye sees no difference, the file is small
    rows = [
        {"m": m - step, "m2": m, "a": a - step, "a2": a, "v": round(cost / (m + a), 4)}
        for (mode, m, a), cost in grid.items()
        if mode == "pomd" and a and m % step == a % step == 0
    ]
    chart: alt.Chart = (
        canvas(rows, (_NARROW if theme.narrow else _WIDTH, _HEIGHT), title)
        .mark_rect(strokeWidth=0.7)
        .encode(
            alt.X("m:Q", title="message, bytes", scale=_BYTES, axis=_AXIS), alt.X2("m2"),
            alt.Y("a:Q", title="AD, bytes", scale=_BYTES, axis=_AXIS), alt.Y2("a2"),
            alt.Color(
                "v:Q", title=unit, scale=alt.Scale(range=list(theme.ramp), type="log"),
                legend=alt.Legend(format=".2f", gradientLength=_HEIGHT - 40, tickCount=4),
            ),
        )
    )  # fmt: skip
    return chart


def _summary(grid: Grid, longest: int) -> str:
    with_ad = {mode: grid[mode, longest, longest] for mode in _NAME}
    ratio = {mode: with_ad[mode] / grid[mode, longest, 0] for mode in _NAME}
    return (
        f"With as much associated data as message ({longest} bytes) p-OMD costs {ratio['pomd']:.3f} x the same message "
        f"without, OMD {ratio['omd']:.3f} x; p-OMD {1 - with_ad['pomd'] / with_ad['omd']:.0%} less than OMD."
    )


def _figure(source: str, theme: Theme) -> Figure:
    text = texts.load()[f"pomd-figure5-{source}"]
    grid, notes = pomd_grid.kept(source)
    names = " and ".join(pomd_grid.CORES.values())
    cpu, method = notes.get("cpu", "unknown CPU"), notes.get("method", "method unknown")
    evidence = text["evidence"].format(cpu=cpu, method=method, cores=names)
    paper = published.load("pomd")
    longest, step = paper["longest_bytes"], paper["grid_bytes"]
    sizes = range(step, longest + 1, step)
    unit = _UNIT[source]
    modes = list(_NAME)

    def each(cost: Any, first: int = step) -> list[Line]:
        return [(_NAME[mode], mode, [(x, cost(mode, x)) for x in sizes if x >= first]) for mode in modes]

    top_left = each(lambda mode, a: grid[mode, longest, a] / (longest + a))
    top_right = each(lambda mode, m: grid[mode, m, m] / (2 * m))
    bottom_right = [
        *[(f"{_NAME[mode]}, AD = m", mode, [(m, grid[mode, m, m] / m) for m in sizes]) for mode in modes],
        ("OMD, no AD", "omd", [(m, grid["omd", m, 0] / m) for m in sizes]),
    ]
    before = paper["precomputation_cycles"]
    after = {mode: notes.get(f"{mode} key set-up", "not measured") for mode in modes}
    key_setup = (
        f"Once a key, not in the plots: OMD {after['omd']}, p-OMD {after['pomd']} (published, tables for 2^63 blocks: "
        f"{before['omd']} and {before['pomd']} cycles)."
    )
    summary = _summary(grid, longest)
    beside = alt.vconcat if theme.narrow else alt.hconcat
    top = beside(
        _lines(f"Message of {longest} bytes", "AD, bytes", f"{unit} a byte of message and AD", top_left, theme),
        _lines("AD as long as the message", "message, bytes", f"{unit} a byte of message and AD", top_right, theme),
        spacing=40,
    )
    bottom = beside(
        _heat("p-OMD, any lengths", f"{unit} a byte", grid, theme),
        _lines("The price of associated data", "message, bytes", f"{unit} a byte of message", bottom_right, theme),
        spacing=40,
    ).resolve_scale(color="independent")
    chart = alt.vconcat(
        top, bottom, spacing=26,
        title=alt.TitleParams(
            style.lines([text["title"]], theme, 40), subtitle=style.lines([evidence, summary, key_setup], theme)
        ),
    ).resolve_scale(color="independent", strokeDash="independent")  # fmt: skip
    caption = text["caption"].format(evidence=evidence, summary=summary, key_setup=key_setup)
    return Figure(f"pomd-figure5-{source}", text["title"], caption, summary, chart.to_dict())


def software(_: Sequence[Record], theme: Theme) -> Figure:
    """From the library's time."""
    return _figure(SOFTWARE, theme)


def rtl(_: Sequence[Record], theme: Theme) -> Figure:
    """From counted cycles."""
    return _figure(RTL, theme)
