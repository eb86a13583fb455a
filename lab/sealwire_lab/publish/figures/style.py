# SPDX-License-Identifier: Apache-2.0
"""How figures look: colours that colour-blind readers tell apart, on light and on dark ground."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


@dataclass(frozen=True)
class Theme:
    """One ground and what is drawn on it.  `hues` go by kind of compression function or scheme.

    `narrow`: for a phone, panels below one another and lines of text broken.
    """

    name: str
    ground: str
    ink: str
    faint: str
    rule: str
    band: str
    published: str
    hues: dict[str, str]
    ramp: tuple[str, ...]
    narrow: bool = False


# Okabe and Ito's palette; on dark ground its lighter half and lightened forms of the others.
LIGHT = Theme(
    "light", "#ffffff", "#1b1f24", "#57606a", "#d0d7de", "#f3f5f7", "#57606a",
    {"sha512": "#0072b2", "blake2b": "#c44e00", "sha256": "#007a58", "omd": "#0072b2", "pomd": "#c44e00"},
    ("#f1eef6", "#a6bddb", "#3690c0", "#034e7b"),
)  # fmt: skip
DARK = Theme(
    "dark", "#14181d", "#e6e9ed", "#a5afba", "#3a424c", "#1d232a", "#a5afba",
    {"sha512": "#56b4e9", "blake2b": "#ff9b50", "sha256": "#35c69a", "omd": "#56b4e9", "pomd": "#ff9b50"},
    ("#0d2436", "#1f5f8b", "#4fa3d1", "#d8ecf7"),
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def config(theme: Theme) -> dict[str, Any]:
    """Vega-Lite's configuration for a theme."""
    text = {"labelFont": FONT, "titleFont": FONT}
    colours = {"labelColor": theme.ink, "titleColor": theme.ink}
    return {
        "background": theme.ground,
        "font": FONT,
        "padding": 12,
        "view": {"stroke": None},
        "axis": {
            **text, **colours, "gridColor": theme.rule, "domainColor": theme.faint, "tickColor": theme.faint,
            "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal", "gridOpacity": 0.7,
        },
        "legend": {**text, **colours, "labelFontSize": 11, "titleFontSize": 12, "titleFontWeight": "normal"},
        "title": {
            "font": FONT, "subtitleFont": FONT, "color": theme.ink, "subtitleColor": theme.faint, "fontSize": 15,
            "subtitleFontSize": 11.5, "anchor": "start", "offset": 14, "subtitlePadding": 6, "subtitleLineHeight": 16,
        },
        "text": {"font": FONT, "fontSize": 11, "color": theme.ink},
    }  # fmt: skip


def lines(texts: Sequence[str], theme: Theme, letters: int = 58) -> list[str]:
    """Lines over a diagram, broken where the theme is narrow."""
    if not theme.narrow:
        return list(texts)
    return [line for text in texts for line in wrap(text, letters, break_on_hyphens=False)]


def spread(values: Sequence[float], low: float, high: float, height: float, gap: float, log: bool) -> list[float]:
    """Places for labels at `values` of an axis from `low` to `high`, moved apart to `gap` pixels of `height`."""
    if log:
        spread_logs = spread([*map(math.log, values)], math.log(low), math.log(high), height, gap, log=False)
        return [*map(math.exp, spread_logs)]
    groups: list[tuple[list[int], float]] = []  # neighbours that touch, and the middle of them
    for index in sorted(range(len(values)), key=lambda index: values[index]):
        members, middle = [index], (values[index] - low) / (high - low) * height
        while groups and middle - groups[-1][1] < gap * (len(members) + len(groups[-1][0])) / 2:
            others, centre = groups.pop()
            middle = (middle * len(members) + centre * len(others)) / (len(members) + len(others))
            members = others + members
        groups.append((members, middle))
    places = [0.0] * len(values)
    for members, middle in groups:
        for position, index in enumerate(members):
            pixel = middle + gap * (position - (len(members) - 1) / 2)
            places[index] = low + pixel / height * (high - low)
    return places
