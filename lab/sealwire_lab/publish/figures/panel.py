# SPDX-License-Identifier: Apache-2.0
"""What the diagrams have in common: a panel of curves, each named at its right end, and panels side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from . import style
from .drawing import Figure, texts
from .style import Theme

#: What `alt.layer` gives.
Layers = alt.LayerChart | alt.FacetChart
SOLID, DASHED, DOTTED = (1, 0), (6, 4), (2, 3)
#: From the end of a curve to its name, with a line between them.
_LEADER = 18


@dataclass(frozen=True)
class Line:
    """A curve by its points (x, y); a hollow one is not ours."""

    name: str
    colour: str
    points: Sequence[tuple[float, float]]
    dash: tuple[int, int] = SOLID
    hollow: bool = False


@dataclass(frozen=True)
class Axis:
    """An axis; without a domain it goes by the curves, without ticks by Vega."""

    title: str
    domain: tuple[float, float] | None = None
    ticks: Sequence[float] = ()
    log: bool = True

    def scale(self, domain: tuple[float, float]) -> alt.Scale:
        """The axis from one value to another."""
        return alt.Scale(type="log" if self.log else "linear", domain=list(domain), nice=False)

    def drawn(self, form: str, **more: Any) -> alt.Axis:
        """How it looks."""
        return alt.Axis(format=form, values=list(self.ticks) or alt.Undefined, **more)


def canvas(rows: Sequence[dict[str, Any]], size: tuple[int, int] | None = None, title: str = "") -> alt.Chart:
    """A chart over these rows; width and height in pixels and title are those of the lowest layer."""
    data = alt.InlineData(values=list(rows))
    if size is None:
        return alt.Chart(data)
    return alt.Chart(data, width=size[0], height=size[1], title=alt.TitleParams(title, fontSize=12.5))


def lines(
    title: str, across: Axis, up: Axis, drawn: Sequence[Line], theme: Theme, size: tuple[int, int], mark: float = 0
) -> Layers:
    """One panel; `mark` is the size of a point."""
    rows: list[dict[str, Any]] = []
    ends: list[dict[str, Any]] = []
    for line in drawn:
        fill = theme.ground if line.hollow else line.colour
        common = {"line": line.name, "colour": line.colour, "dash": list(line.dash), "fill": fill}
        rows += [common | {"x": x, "y": round(y, 6)} for x, y in line.points]
        ends.append(dict(rows[-1]))
    assert across.domain
    low, high = up.domain or (min(row["y"] for row in rows) * 0.85, max(row["y"] for row in rows) * 1.15)
    places = style.spread([end["y"] for end in ends], low, high, size[1], 15.5, log=up.log)
    for row, place in zip(ends, places, strict=True):
        row["place"] = place
    colour = alt.Color("colour:N", scale=None)
    scale = up.scale((low, high))
    x = alt.X("x:Q", title=across.title, scale=across.scale(across.domain), axis=across.drawn("d", grid=False))
    y = alt.Y("y:Q", title=up.title, scale=scale, axis=up.drawn("~r"))
    dash = alt.StrokeDash("dash:N", scale=None)
    layers = [canvas(rows, size, title).mark_line(strokeWidth=2).encode(x, y, colour, dash, detail="line:N")]
    if mark:
        layers.append(
            canvas(rows).mark_point(size=mark, opacity=1).encode(x, y, colour, alt.Fill("fill:N", scale=None))
        )
    right, end, beside = alt.value(size[0] + 4), alt.Y("y:Q", scale=scale), alt.Y("place:Q", scale=scale)
    leader = canvas(ends).mark_rule(strokeWidth=0.8, opacity=0.7)
    layers.append(leader.encode(colour, end, x=right, x2=alt.value(size[0] + _LEADER), y2="place:Q"))
    name = canvas(ends).mark_text(align="left", dx=_LEADER + 3, fontSize=11)
    layers.append(name.encode(colour, beside, x=alt.value(size[0]), text="line:N"))
    return alt.layer(*layers)


def beside(panels: Sequence[Any], theme: Theme) -> Any:
    """Panels side by side, on a narrow page below one another."""
    return (alt.vconcat if theme.narrow else alt.hconcat)(*panels, spacing=38)


def figure(
    name: str, chart: Any, sentences: Sequence[str], theme: Theme, missing: Sequence[str] = (), alternative: str = "",
    **words: str,
) -> Figure:  # fmt: skip
    """A diagram under its title and what it rests on; its caption holds `words`, and ends in what is missing."""
    text = texts()[name]
    over = alt.TitleParams(style.lines([text["title"]], theme, 40), subtitle=style.lines(sentences, theme))
    caption = " ".join((text["caption"].format(**words), *missing))
    drawn = chart.properties(title=over).to_dict()
    return Figure(name, text["title"], caption, alternative or text["alternative"], drawn, missing=tuple(missing))
