# SPDX-License-Identifier: Apache-2.0
"""Figure 5 of the p-OMD paper: four plots, once from the library's time and once from counted cycles of the cores.

Relative complexity is cost for each byte of message and associated data.
"""

from collections.abc import Callable, Sequence

import altair as alt

from ... import published
from ...results import Record
from . import panel, pomd_grid
from .drawing import Figure, texts
from .panel import Axis, Line
from .pomd_grid import Grid
from .style import Theme

_HEIGHT = 220
_NAME = {"omd": "OMD", "pomd": "p-OMD"}
_BYTES = Axis("message, bytes", (0, 4096), (0, 1024, 2048, 3072, 4096), log=False)


def _width(theme: Theme) -> int:
    return 190 if theme.narrow else 330


def _lines(title: str, across: str, unit: str, drawn: Sequence[Line], theme: Theme) -> panel.Layers:
    up = Axis(unit, (0, max(y for line in drawn for _, y in line.points) * 1.05), log=False)
    bytes_ = Axis(across, _BYTES.domain, _BYTES.ticks, log=False)
    return panel.lines(title, bytes_, up, drawn, theme, (_width(theme), _HEIGHT))


def _heat(title: str, unit: str, grid: Grid, theme: Theme) -> alt.Chart:
    # Every second length: the eye sees no difference, the file is small.
    step = 2 * published.load("pomd")["grid_bytes"]
    rows = [
        {"m": m - step, "m2": m, "a": a - step, "a2": a, "v": round(cost / (m + a), 4)}
        for (mode, m, a), cost in grid.items()
        if mode == "pomd" and a and m % step == a % step == 0
    ]
    assert _BYTES.domain
    scale, axis = _BYTES.scale(_BYTES.domain), _BYTES.drawn("d", grid=False)
    chart: alt.Chart = (
        panel.canvas(rows, (_width(theme), _HEIGHT), title)
        .mark_rect(strokeWidth=0.7)
        .encode(
            alt.X("m:Q", title=_BYTES.title, scale=scale, axis=axis), alt.X2("m2"),
            alt.Y("a:Q", title="AD, bytes", scale=scale, axis=axis), alt.Y2("a2"),
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


def figure(source: str, _: Sequence[Record], theme: Theme) -> Figure:
    """The plots from counted cycles (`rtl`), or from the library's time (`software`)."""
    name = f"pomd-figure5-{source}"
    text = texts()[name]
    grid, notes = pomd_grid.kept(source)
    evidence = text["evidence"].format(
        cpu=notes.get("cpu", "unknown CPU"), method=notes.get("method", "method unknown"),
        cores=" and ".join(pomd_grid.CORES.values()),
    )  # fmt: skip
    paper = published.load("pomd")
    longest, step = paper["longest_bytes"], paper["grid_bytes"]
    sizes = range(step, longest + 1, step)
    unit = pomd_grid.UNIT[source]

    def each(cost: Callable[[str, int], float], more: str = "") -> list[Line]:
        return [Line(f"{_NAME[mode]}{more}", theme.hues[mode], [(x, cost(mode, x)) for x in sizes]) for mode in _NAME]

    without = Line("OMD, no AD", theme.hues["omd"], [(m, grid["omd", m, 0] / m) for m in sizes], panel.DASHED)
    before = paper["precomputation_cycles"]
    after = {mode: notes.get(f"{mode} key set-up", "not measured") for mode in _NAME}
    key_setup = (
        f"Once a key, not in the plots: OMD {after['omd']}, p-OMD {after['pomd']} (published, tables for 2^63 blocks: "
        f"{before['omd']} and {before['pomd']} cycles)."
    )
    summary = _summary(grid, longest)
    both = f"{unit} a byte of message and AD"
    at_longest = each(lambda mode, a: grid[mode, longest, a] / (longest + a))
    as_long = each(lambda mode, m: grid[mode, m, m] / (2 * m))
    price = [*each(lambda mode, m: grid[mode, m, m] / m, ", AD = m"), without]
    top = [
        _lines(f"Message of {longest} bytes", "AD, bytes", both, at_longest, theme),
        _lines("AD as long as the message", "message, bytes", both, as_long, theme),
    ]
    bottom = [
        _heat("p-OMD, any lengths", f"{unit} a byte", grid, theme),
        _lines("The price of associated data", "message, bytes", f"{unit} a byte of message", price, theme),
    ]
    chart = alt.vconcat(
        panel.beside(top, theme), panel.beside(bottom, theme).resolve_scale(color="independent"),
        spacing=26, title=panel.heading(text["title"], [evidence, summary, key_setup], theme),
    ).resolve_scale(color="independent")  # fmt: skip
    caption = text["caption"].format(evidence=evidence, summary=summary, key_setup=key_setup)
    return Figure(name, text["title"], caption, summary, chart.to_dict())
